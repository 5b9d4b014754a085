"""The pairs of a robot's bodies whose collision shapes overlap, for every format that can tell a simulator so.

    for overlap in overlaps(robot, MeshFiles(folder)):
        overlap.one, overlap.other     # the two bodies, each named by the frame that moves it
        overlap.depth                  # [m]
        overlap.are_neighbours         # whether a joint connects them

Pairs are tested as assembled. Bodies that a joint connects, one of the tree, one that closes a loop or one that follows
another, are also tested at positions through the joint's range. Bodies that only meet elsewhere can collide, and are
not overlaps. Meshes count as their convex hulls, as simulators use them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np
from msgspec.structs import replace

from swgrm.errors import SwgrmError
from swgrm.kinematics.body_motion import Pair
from swgrm.kinematics.mechanism import motion_content
from swgrm.meshes.body_shapes import BodyShapes
from swgrm.meshes.cache import Cache, key
from swgrm.meshes.convex import polytope
from swgrm.meshes.polytopes import Polytope
from swgrm.meshes.store import MeshFiles
from swgrm.model import Box, Capsule, Cylinder, Geometry, Mesh, Robot, Sphere, Vec3

if TYPE_CHECKING:
    from swgrm.transforms import Array

AROUND = 24  # points around a cylinder, and around a sphere


class Overlap(NamedTuple):
    """Two bodies whose collision shapes overlap."""

    one: str
    other: str
    depth: float  # [m] the deepest that was found
    are_neighbours: bool


def overlaps(robot: Robot, meshes: MeshFiles, cache: Cache | None = None) -> tuple[Overlap, ...]:
    """The overlapping pairs of bodies; absent mesh files are left out."""
    name = key("overlaps", motion_content(robot), *shape_content(robot, meshes))
    cache = cache or Cache(None)
    return cache.kept(name, tuple[Overlap, ...], lambda: _overlaps(robot, meshes))


def shape_content(robot: Robot, meshes: MeshFiles) -> Iterator[bytes]:
    """Yields the content of every collision shape with its frame, for the names of cached results."""
    contents: dict[str, str] = {}  # of mesh files, by URI
    for frame, link in robot.links():
        for shape in link.collisions:
            if not isinstance(shape, Mesh):
                yield msgspec.msgpack.encode((frame.id, shape, ""))
                continue
            if shape.uri not in contents:
                contents[shape.uri] = _mesh_content(shape.uri, meshes)
            yield msgspec.msgpack.encode((frame.id, replace(shape, uri=""), contents[shape.uri]))


def _mesh_content(uri: str, meshes: MeshFiles) -> str:
    """The digest of a mesh file with its ending; empty if there is no such file."""
    path = meshes.path(uri)
    if path is None:
        return ""
    try:
        return f"{meshes.digest(uri)}{path.suffix}"
    except SwgrmError:
        return f"unreadable{path.suffix}"


def _overlaps(robot: Robot, meshes: MeshFiles) -> tuple[Overlap, ...]:
    shapes: dict[str, list[Polytope]] = {}
    known: dict[tuple[str, Vec3], Polytope | None] = {}
    for frame, link in robot.links():
        found = (_polytope(shape, meshes, known) for shape in link.collisions)
        shapes.setdefault(frame.id, []).extend(each for each in found if each is not None)
    motion = robot.mechanism.motion
    bodies = BodyShapes(motion, shapes)
    deepest: dict[Pair, float] = {}
    for one, other, deep in bodies.overlapping(bodies.places()):
        pair = motion.pair(motion.body_of[one.frame], motion.body_of[other.frame])
        deepest[pair] = max(deep, deepest.get(pair, 0.0))
    return tuple(Overlap(*pair, deep, pair in motion.neighbours) for pair, deep in sorted(deepest.items()))


def _polytope(shape: Geometry, meshes: MeshFiles, known: dict[tuple[str, Vec3], Polytope | None]) -> Polytope | None:
    """The hull of a shape in its place; `known` has those of mesh files, before they are placed, by URI and scale."""
    if isinstance(shape, Mesh):
        key = (shape.uri, shape.scale)
        if key not in known:
            known[key] = _hull(shape, meshes)
        found = known[key]
    else:
        found = _hull(shape, meshes)
    return found.moved(shape.origin.matrix) if found is not None else None


def _hull(shape: Geometry, meshes: MeshFiles) -> Polytope | None:
    points = _mesh_points(shape, meshes) if isinstance(shape, Mesh) else hull_points(shape)
    return polytope(points) if points is not None else None


def hull_points(shape: Box | Cylinder | Sphere | Capsule) -> Array:
    """Points with the hull of a shape, before it is placed."""
    if isinstance(shape, Box):
        return np.array(np.meshgrid(*([-0.5, 0.5],) * 3)).reshape(3, -1).T * shape.size
    turns = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    if isinstance(shape, Cylinder):
        circle = shape.radius * np.column_stack([np.cos(turns), np.sin(turns), np.zeros(AROUND)])
        return _ends(circle, shape.length)
    heights = np.linspace(-np.pi / 2, np.pi / 2, AROUND // 2)[:, None]
    sphere = np.stack([np.cos(heights) * np.cos(turns), np.cos(heights) * np.sin(turns), np.sin(heights + 0 * turns)])
    ball = shape.radius * sphere.reshape(3, -1).T
    return _ends(ball, shape.length) if isinstance(shape, Capsule) else ball


def _ends(points: Array, length: float) -> Array:
    return np.concatenate([points + np.array([0, 0, end]) for end in (-length / 2, length / 2)])


def _mesh_points(shape: Mesh, meshes: MeshFiles) -> Array | None:
    """The vertices of a mesh; None if its file is absent or cannot be read."""
    try:
        surface = meshes.surface(shape.uri)
    except SwgrmError:
        return None
    return None if surface is None else surface.vertices * shape.scale
