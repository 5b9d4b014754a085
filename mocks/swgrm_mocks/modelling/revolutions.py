"""Solids of revolution by a full turn: half profiles of lines and of arcs about points of the axis."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from swgrm.transforms import Array
from swgrm_mocks.mates import LocalEntity, circle, cone, plane, shaft, sphere
from swgrm_mocks.modelling.profiles import STEPS, Loop, ProfileSegment, loops
from swgrm_mocks.modelling.solid_faces import (
    ModelEdge,
    ModelFace,
    ModelSolid,
    Moments,
    NotModelled,
    moved_edge,
    moved_face,
)
from swgrm_mocks.modelling.triangulation import SAME

Z = (0.0, 0.0, 1.0)


def revolve(segments: Sequence[ProfileSegment], axis: ProfileSegment, T_part_sketch: Array) -> ModelSolid:
    """The solid of a closed half profile (or one that the axis closes) about a line of its sketch."""
    T_sketch_axis = _axis_frame(segments, axis)
    profile = [_in_frame(segment, T_sketch_axis) for segment in segments]
    try:
        loop = _closed(profile)
    except ValueError as error:
        raise NotModelled(str(error)) from error
    faces = [face for segment in loop.segments if (face := _face(segment)) is not None]
    T = T_part_sketch @ T_sketch_axis
    edges = tuple(moved_edge(edge, T) for edge in _edges(loop))
    return ModelSolid.of(tuple(moved_face(face, T) for face in faces), edges, _moments(loop).moved(T))


def _axis_frame(segments: Sequence[ProfileSegment], axis: ProfileSegment) -> Array:
    """The frame with z along the axis and x towards the profile.  # T_sketch_axis."""
    start = np.array([*axis.start, 0.0])
    z = np.array([*np.subtract(axis.end, axis.start), 0.0])
    z /= np.linalg.norm(z)
    offsets = np.array([[*p, 0.0] for s in segments for p in s.at(np.linspace(0, 1, 5))]) - start
    sideways = offsets - np.outer(offsets @ z, z)
    x = sideways[int(np.argmax(np.linalg.norm(sideways, axis=1)))]
    x = x / np.linalg.norm(x)
    if (offsets @ x < -SAME).any():
        raise NotModelled("the profile crosses the axis")
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = np.column_stack([x, np.cross(z, x), z]), start
    return T


def _in_frame(segment: ProfileSegment, T: Array) -> ProfileSegment:
    """A segment in the coordinates (distance from the axis, height along it)."""

    def at(point: tuple[float, float]) -> tuple[float, float]:
        local = T[:3, :3].T @ (np.array([*point, 0.0]) - T[:3, 3])
        return float(local[0]), float(local[2])

    # The sketch's normal is ±y of the frame: seen against it, angles turn the other way.
    sense = -1.0 if T[2, 1] > 0 else 1.0
    center = None if segment.center is None else at(segment.center)
    return ProfileSegment(at(segment.start), at(segment.end), center, sense * segment.angle)


def _closed(profile: list[ProfileSegment]) -> Loop:
    """The profile as one loop; a profile with two open ends on the axis is closed along it."""
    ends = [end for segment in profile for end in (segment.start, segment.end)]
    alone = [end for end in ends if sum(math.dist(end, other) < SAME for other in ends) == 1]
    if len(alone) == 2 and max(abs(end[0]) for end in alone) < SAME:
        profile = [*profile, ProfileSegment(alone[0], alone[1])]
    found = loops(profile)
    if len(found) != 1:
        raise ValueError("The profile is not one closed loop.")
    return found[0]


def _moments(loop: Loop) -> Moments:
    """V = 2π ∫ r dA, ∫ z dV, ∫ z² dV = 2π ∫ r z² dA, and ∫ x² dV = ∫ y² dV = π ∫ r³ dA."""
    m = loop.moment
    across = math.pi * m(3, 0)
    second = np.diag([across, across, 2 * math.pi * m(1, 2)])
    return Moments(2 * math.pi * m(1, 0), np.array([0.0, 0.0, 2 * math.pi * m(1, 1)]), second)


def _face(segment: ProfileSegment) -> ModelFace | None:
    """The face that a segment of a counter-clockwise profile sweeps; None if it is on the axis."""
    if segment.center is None and max(abs(segment.start[0]), abs(segment.end[0])) < SAME:
        return None
    surface, area, outward = _surface(segment)
    points = np.vstack([segment.outline(), segment.end])
    angles = 2 * math.pi * np.arange(STEPS + 1) / STEPS
    turned = [np.column_stack([points[:, 0] * math.cos(a), points[:, 0] * math.sin(a), points[:, 1]]) for a in angles]
    quads = []
    for one, two in pairwise(turned):
        quads += [np.stack([one[:-1], two[:-1], two[1:]], 1), np.stack([one[:-1], two[1:], one[1:]], 1)]
    triangles = np.concatenate(quads)
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    return ModelFace(triangles[np.linalg.norm(normals, axis=1) > 1e-14], surface, area, outward)


def _surface(segment: ProfileSegment) -> tuple[LocalEntity, float, bool]:
    """The surface that a segment sweeps, its area, and whether the face's normal points away from the axis."""
    (r1, z1), (r2, z2) = segment.start, segment.end
    if segment.center is not None:
        if abs(segment.center[0]) > SAME:
            raise NotModelled("a torus")
        area = 2 * math.pi * segment.radius * abs(z2 - z1)
        return sphere((0.0, 0.0, segment.center[1]), segment.radius), area, segment.angle > 0
    length = math.dist(segment.start, segment.end)
    area = math.pi * (r1 + r2) * length
    if abs(z2 - z1) < SAME:
        return plane((0.0, 0.0, z1), (0.0, 0.0, 1.0 if r1 > r2 else -1.0)), area, True
    if abs(r2 - r1) < SAME:
        return shaft((0.0, 0.0, z1), Z, r1), area, z2 > z1
    base, tip = (z1, z2) if r1 > r2 else (z2, z1)
    apex = (0.0, 0.0, 1.0 if tip > base else -1.0)
    half_angle = math.atan2(abs(r2 - r1), abs(z2 - z1))
    return cone((0.0, 0.0, base), apex, half_angle), area, z2 > z1


def _edges(loop: Loop) -> Iterator[ModelEdge]:
    for segment in loop.segments:
        r, z = segment.start
        if r > SAME:
            yield ModelEdge(circle((0.0, 0.0, z), Z, r))
