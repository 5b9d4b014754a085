"""Meshes: from tessellation to files, collision shapes, and the check of mesh against inertia."""
