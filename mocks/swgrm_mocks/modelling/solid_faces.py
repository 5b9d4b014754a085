"""The faces, edges and vertices of modelled solids, and their exact mass properties."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from swgrm.capture import MassProperties
from swgrm.transforms import Array
from swgrm_mocks.mates import LocalEntity
from swgrm_mocks.solids import Solid, SolidFace


class NotModelled(Exception):
    """Raised for a feature that the mock does not model, or that SolidWorks would not make."""


class ModelFace(NamedTuple):
    """A face: its triangles in part coordinates, its surface as an entity of a mate, and its exact area [m²]."""

    triangles: Array  # (n, 3, 3)
    surface: LocalEntity
    area: float
    outward: bool = True  # whether its normal is that of the surface: not for a bore


class ModelEdge(NamedTuple):
    """An edge: its line or circle, and its ends (none for a circle)."""

    curve: LocalEntity
    ends: tuple[tuple[float, ...], ...] = ()


class Moments(NamedTuple):
    """The volume [m³] of a body, and the integrals of (x, y, z) and of its products over it."""

    volume: float
    first: Array  # (3,)
    second: Array  # (3, 3)

    def __add__(self, other: object) -> Moments:
        if not isinstance(other, Moments):
            return NotImplemented
        return Moments(self.volume + other.volume, self.first + other.first, self.second + other.second)

    def scaled(self, factor: float) -> Moments:
        """The moments at another density."""
        return Moments(factor * self.volume, factor * self.first, factor * self.second)

    def moved(self, T: Array) -> Moments:
        """The moments of the moved body."""
        R, t = T[:3, :3], T[:3, 3]
        first = R @ self.first
        cross = np.outer(first, t)
        second = R @ self.second @ R.T + cross + cross.T + self.volume * np.outer(t, t)
        return Moments(self.volume, first + self.volume * t, second)


NO_MOMENTS = Moments(0.0, np.zeros(3), np.zeros((3, 3)))


class ModelSolid(Solid):
    """A solid whose mass properties are exact, whatever its triangles."""

    faces: tuple[ModelFace, ...]
    edges: tuple[ModelEdge, ...]
    exact: Moments

    @classmethod
    def of(cls, faces: tuple[ModelFace, ...], edges: tuple[ModelEdge, ...], exact: Moments) -> ModelSolid:
        """The solid of these faces."""
        solid = cls(tuple(SolidFace(face.triangles) for face in faces))
        solid.faces, solid.edges, solid.exact = faces, edges, exact
        return solid

    @property
    def vertices(self) -> list[tuple[float, ...]]:
        """The ends of the straight edges, each once."""
        ends = {tuple(round(x, 12) + 0.0 for x in end): end for edge in self.edges for end in edge.ends}
        return list(ends.values())

    def mass_properties(self, density: float, T_root_part: Array) -> MassProperties:
        """The exact mass properties in root coordinates."""
        at = self.exact.moved(T_root_part).scaled(density)
        mass = at.volume
        center = at.first / mass
        second = at.second - mass * np.outer(center, center)
        inertia: Any = np.trace(second) * np.eye(3) - second
        moments, axes = np.linalg.eigh((inertia + inertia.T) / 2)
        return MassProperties(
            mass=float(mass),
            volume=float(self.exact.volume),
            surface_area=float(sum(face.area for face in self.faces)),
            density=density,
            center_of_mass=tuple(center.tolist()),
            principal_moments=tuple(moments.tolist()),
            principal_axes=tuple(axes.T.ravel().tolist()),
            moments=tuple(inertia.ravel().tolist()),
        )


def moved_face(face: ModelFace, T: Array) -> ModelFace:
    """A face moved by T."""
    return face._replace(triangles=face.triangles @ T[:3, :3].T + T[:3, 3], surface=moved_entity(face.surface, T))


def moved_edge(edge: ModelEdge, T: Array) -> ModelEdge:
    """An edge moved by T."""
    return ModelEdge(moved_entity(edge.curve, T), tuple(moved_point(T, end) for end in edge.ends))


def moved_entity(entity: LocalEntity, T: Array) -> LocalEntity:
    """An entity moved by T."""
    direction = T[:3, :3] @ np.array(entity.direction) if entity.direction else np.array(())
    return entity._replace(point=moved_point(T, entity.point), direction=tuple((direction + 0.0).tolist()))


def moved_point(T: Array, point: Sequence[float]) -> tuple[float, ...]:
    """A point moved by T."""
    return tuple((T[:3, :3] @ np.array(point) + T[:3, 3] + 0.0).tolist())
