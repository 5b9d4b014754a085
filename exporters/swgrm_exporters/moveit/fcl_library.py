"""The gate to python-fcl, which is an extra: collision geometry and the test of two shapes."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from swgrm.errors import MissingExtra
from swgrm.model import Box, Capsule, Cylinder, Geometry, Sphere

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from swgrm.transforms import Array


class CollisionShape(NamedTuple):
    """A geometry of fcl, and where it is in its link."""

    geometry: Any
    T_link_shape: Array


def require_fcl() -> Any:  # noqa: ANN401 - fcl has no annotations
    """The module; a MissingExtra if it is not installed."""
    if find_spec("fcl") is None:
        raise MissingExtra("Testing links for collisions (`moveit.samples=0` does without)", "python-fcl", "moveit")
    return import_module("fcl")


def mesh_shape(vertices: Array, faces: NDArray[np.int64]) -> CollisionShape:
    """Triangles in the link's frame as a tree of bounding volumes."""
    model = require_fcl().BVHModel()
    model.beginModel(len(faces), len(vertices))
    model.addSubModel(np.ascontiguousarray(vertices), np.ascontiguousarray(faces))
    model.endModel()
    return CollisionShape(model, np.eye(4))


def primitive_shape(shape: Geometry) -> CollisionShape | None:
    """A box, cylinder, sphere or capsule; None of other geometry."""
    fcl = require_fcl()
    made: Any = None
    if isinstance(shape, Box):
        made = fcl.Box(*shape.size)
    elif isinstance(shape, Cylinder):
        made = fcl.Cylinder(shape.radius, shape.length)
    elif isinstance(shape, Sphere):
        made = fcl.Sphere(shape.radius)
    elif isinstance(shape, Capsule):
        made = fcl.Capsule(shape.radius, shape.length)
    return None if made is None else CollisionShape(made, shape.origin.matrix)


class PairTest:
    """Tests two links, each a list of shapes, for contact."""

    def __init__(self, ones: Sequence[CollisionShape], others: Sequence[CollisionShape]) -> None:
        self._fcl = require_fcl()
        self._request = self._fcl.CollisionRequest()
        self._ones = [self._fcl.CollisionObject(each.geometry, _transform(each.T_link_shape)) for each in ones]
        self._others = [(self._fcl.CollisionObject(each.geometry), each.T_link_shape) for each in others]

    def touches(self, T_one_other: Array) -> bool:
        """Whether any two shapes touch, the second link at a pose in the first."""
        for other, T in self._others:
            other.setTransform(_transform(T_one_other @ T))
            for one in self._ones:
                if self._fcl.collide(one, other, self._request, self._fcl.CollisionResult()) > 0:
                    return True
        return False


def _transform(T: Array) -> Any:  # noqa: ANN401 - fcl has no annotations
    return require_fcl().Transform(T[:3, :3], T[:3, 3])
