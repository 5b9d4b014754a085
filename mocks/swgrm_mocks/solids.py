"""Solids for sample parts as tessellated faces: plates, shafts and balls, with bores for mates."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swgrm.capture import Face, MassProperties, PartBody
from swgrm.meshes.surface import triangle_integrals

if TYPE_CHECKING:
    from swgrm.transforms import Array

STEPS = 32  # triangles around a bore
Z = np.array([0.0, 0.0, 1.0])


class SolidFace(NamedTuple):
    """A face: its triangles, counter-clockwise seen from outside, and its appearance."""

    triangles: Array  # (n, 3, 3) [m]
    appearance: tuple[float, ...] | None = None


class Solid(NamedTuple):
    """The faces of a closed body."""

    surfaces: tuple[SolidFace, ...]

    def __add__(self, other: object) -> Solid:
        return Solid(self.surfaces + other.surfaces) if isinstance(other, Solid) else NotImplemented

    def moved(self, T: Array) -> Solid:
        """The solid moved by T."""
        R, t = T[:3, :3], T[:3, 3]
        return Solid(tuple(s._replace(triangles=s.triangles @ R.T + t) for s in self.surfaces))

    def reflected(self, reflection: Array) -> Solid:
        """The mirror image of the solid, with its triangles facing outwards."""
        return Solid(tuple(s._replace(triangles=(s.triangles @ reflection.T)[:, ::-1]) for s in self.surfaces))

    def painted(self, appearance: tuple[float, ...]) -> Solid:
        """The solid with the same appearance on every face."""
        return Solid(tuple(s._replace(appearance=appearance) for s in self.surfaces))

    def triangles(self) -> Array:
        """All triangles, rounded to 32 bits as in a capture."""
        return np.concatenate([s.triangles for s in self.surfaces]).astype("<f4").astype(float)

    def tessellation(self) -> bytes:
        """All triangles as the bytes of a capture."""
        return self.triangles().astype("<f4").tobytes()

    def body(self, name: str, appearance: tuple[float, ...] | None = None) -> PartBody:
        """The record of the body."""
        corners = self.triangles().reshape(-1, 3)
        box = tuple(float(x) for x in (*corners.min(axis=0), *corners.max(axis=0)))
        faces = tuple(Face(len(s.triangles), s.appearance) for s in self.surfaces)
        return PartBody(name, 0, box, appearance=appearance, faces=faces)

    def mass_properties(self, density: float, T_root_part: Array) -> MassProperties:
        """The mass properties in root coordinates, by volume integrals over the triangles."""
        R, t = T_root_part[:3, :3], T_root_part[:3, 3]
        triangles = self.triangles() @ R.T + t
        volume, centre, tensor = triangle_integrals(triangles)
        inertia = density * tensor
        moments, axes = np.linalg.eigh(inertia)
        return MassProperties(
            mass=density * volume,
            volume=volume,
            surface_area=float(np.linalg.norm(_normals(triangles), axis=1).sum() / 2),
            density=density,
            center_of_mass=_tuple(centre),
            principal_moments=_tuple(moments),
            principal_axes=_tuple(axes.T),
            moments=_tuple(inertia),
        )


def plate(outline: Array, thickness: float, bore: float = 0.0) -> Solid:
    """A convex outline (n, 2) around the z axis, extruded by ±thickness/2, with an optional bore along z."""
    corners, evenly = np.arctan2(outline[:, 1], outline[:, 0]), np.linspace(-np.pi, np.pi, STEPS, endpoint=False)
    angles = np.array(sorted({*evenly.tolist(), *corners.tolist()}))
    rays = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    outer = rays * _reach(outline, rays)[:, None]
    up, half = Z * thickness / 2, np.zeros((len(rays), 1))
    rim, hole = np.hstack([outer, half]), np.hstack([rays * bore, half])
    top, bottom = _band(hole + up, rim + up), _band(rim - up, hole - up)
    surfaces = [top, bottom, _band(rim + up, rim - up)]
    if bore:
        surfaces.append(_band(hole - up, hole + up))
    return Solid(tuple(SolidFace(_without_degenerate(triangles)) for triangles in surfaces))


def box(x: float, y: float, z: float, bore: float = 0.0) -> Solid:
    """A box around the origin, with an optional bore along z."""
    return plate(np.array([[-x, -y], [x, -y], [x, y], [-x, y]]) / 2, z, bore)


def cylinder(radius: float, length: float, bore: float = 0.0) -> Solid:
    """A cylinder along z around the origin, with an optional bore."""
    angles = np.linspace(-np.pi, np.pi, STEPS, endpoint=False)
    return plate(radius * np.stack([np.cos(angles), np.sin(angles)], axis=1), length, bore)


def bar(length: float, width: float, thickness: float, bore: float) -> Solid:
    """A flat bar from the origin along x, with a bore along z at each end."""
    angles = np.linspace(np.pi / 2, 3 * np.pi / 2, STEPS // 2)
    round_end = width / 2 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    half = np.vstack([round_end, [[length / 2, -width / 2], [length / 2, width / 2]]])
    near = Solid(tuple(_open_at(surface, length / 2) for surface in plate(half, thickness, bore).surfaces))
    half_turn = np.diag([-1.0, -1.0, 1.0, 1.0])
    half_turn[0, 3] = length
    return near + near.moved(half_turn)


def ball(radius: float) -> Solid:
    """A ball around the origin."""
    from trimesh.creation import icosphere

    return Solid((SolidFace(np.asarray(icosphere(subdivisions=2, radius=radius).triangles)),))


def _reach(outline: Array, rays: Array) -> Array:
    """The distance along each ray to the outline."""
    start, along = outline, np.roll(outline, -1, axis=0) - outline
    normals = np.stack([along[:, 1], -along[:, 0]], axis=1)  # (edges, 2), outward for counter-clockwise
    offset = np.einsum("ij,ij->i", normals, start)
    speed = rays @ normals.T  # (rays, edges)
    ahead = speed > 1e-12
    reach: Array = np.where(ahead, offset / np.where(ahead, speed, 1.0), np.inf).min(axis=1)
    return reach


def _band(left: Array, right: Array) -> Array:
    """The triangles between two rings of points, counter-clockwise with `left` on the left."""
    left_next, right_next = np.roll(left, -1, axis=0), np.roll(right, -1, axis=0)
    first, second = (
        np.stack([left, right, right_next], axis=1),
        np.stack([left, right_next, left_next], axis=1),
    )
    return np.concatenate([first, second])


def _open_at(surface: SolidFace, x: float) -> SolidFace:
    """The face without the triangles in the plane at x, where another solid is attached."""
    inside = (np.abs(surface.triangles[:, :, 0] - x) > 1e-9).any(axis=1)
    return surface._replace(triangles=surface.triangles[inside])


def _without_degenerate(triangles: Array) -> Array:
    kept: Array = triangles[np.linalg.norm(_normals(triangles), axis=1) > 1e-14]
    return kept


def _normals(triangles: Array) -> Array:
    """The normal of each triangle; its length is twice the area."""
    normals: Array = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    return normals


def _tuple(numbers: Array) -> tuple[float, ...]:
    return tuple(float(number) for number in np.ravel(numbers))
