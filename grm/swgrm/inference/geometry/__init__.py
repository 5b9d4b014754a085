"""Geometry: twists, the equations that mates are made of, and the relations between entities."""
