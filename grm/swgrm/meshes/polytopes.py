"""Convex polytopes: vertices, and faces as half spaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from swgrm.transforms import Array


class Polytope(NamedTuple):
    """A convex body: its vertices, and its faces as half spaces n · x ≤ d."""

    vertices: Array  # (n, 3) [m]
    normals: Array  # (m, 3)
    offsets: Array  # (m,) [m]
    areas: Array  # (m,) [m²]
    volume: float  # [m³]

    def moved(self, T: Array) -> Polytope:
        """The body moved by T."""
        vertices = self.vertices @ T[:3, :3].T + T[:3, 3]
        normals = self.normals @ T[:3, :3].T
        offsets = self.offsets + normals @ T[:3, 3]
        return self._replace(vertices=vertices, normals=normals, offsets=offsets)

    @property
    def thickness(self) -> float:
        """The least width between two parallel planes, one of which is a face.  # [m]."""
        return float((self.offsets - (self.vertices @ self.normals.T).min(axis=0)).min())
