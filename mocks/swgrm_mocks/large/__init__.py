"""Robots of hundreds to thousands of components, most of them fasteners and bought parts."""
