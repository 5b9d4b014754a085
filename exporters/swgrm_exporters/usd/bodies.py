"""Rigid bodies of a stage read: mass, shapes and materials."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from swgrm.findings import Findings
from swgrm.model import (
    Box,
    Capsule,
    Cylinder,
    Geometry,
    Inertial,
    Link,
    Material,
    Mesh,
    Pose,
    Sphere,
    Tensor,
    Vec3,
)
from swgrm_exporters.usd.geometry import screen
from swgrm_exporters.usd.parsing import PrimSpec, UsdLayer, UsdProblem
from swgrm_exporters.usd.values import number, quaternion, target, text, vector

_STEPS = ("xformOp:translate", "xformOp:orient", "xformOp:scale")
_SHAPES = ("Cube", "Sphere", "Cylinder", "Capsule", "Mesh")


def pose_of(spec: PrimSpec) -> Pose:
    """The pose of a prim in its parent: translation, then rotation."""
    order = spec.attributes.get("xformOpOrder")
    if isinstance(order, list) and not all(step in _STEPS for step in order):
        raise UsdProblem(f"the pose of {spec.path} is not made of translate, orient and scale")
    return Pose(vector(spec, "xformOp:translate"), quaternion(spec, "xformOp:orient"))


class UsdBodies:
    """Reads the links of bodies, and collects their materials."""

    def __init__(self, stage: UsdLayer, root: str, findings: Findings, name: Callable[[PrimSpec, str], str]) -> None:
        self.stage, self.root, self.findings, self.name = stage, root, findings, name
        self.materials: dict[str, Material] = {}

    def link(self, path: str) -> Link:
        """The link of a body."""
        spec = self.stage.prims[path]
        below = [
            each
            for name, each in self.stage.prims.items()
            if name.startswith(f"{path}/") and "/" not in name.removeprefix(f"{path}/")
        ]
        visuals: list[Geometry] = []
        collisions: list[Geometry] = []
        for each in below:
            shape = self._shape(each)
            if shape is not None:
                (collisions if self._collides(each) else visuals).append(shape)
        name = self.name(spec, "link")
        return Link(name=name, inertial=self._inertial(spec), visuals=tuple(visuals), collisions=tuple(collisions))

    def _inertial(self, spec: PrimSpec) -> Inertial | None:
        given = spec.attributes.get("physics:mass")
        mass = number(given)
        if mass is None and isinstance(given, float):
            raise UsdProblem(f"physics:mass of {spec.path} is not a number")
        if not mass:
            return None
        moments = vector(spec, "physics:diagonalInertia")
        tensor = Tensor(ixx=moments[0], iyy=moments[1], izz=moments[2]) if any(moments) else None
        axes = quaternion(spec, "physics:principalAxes") if tensor else (0.0, 0.0, 0.0, 1.0)
        return Inertial(mass, vector(spec, "physics:centerOfMass"), tensor, axes)

    def _collides(self, spec: PrimSpec) -> bool:
        return spec.attributes.get("swgrm:shape") == "collision" or "PhysicsCollisionAPI" in spec.schemas

    def _shape(self, spec: PrimSpec) -> Geometry | None:
        # Files of swgrm 0.2 have the shape's name as an attribute.
        common: dict[str, Any] = {"name": text(spec.attributes.get("swgrm:name")), "origin": pose_of(spec)}
        if not self._collides(spec):
            common["material"] = self._material(target(spec.attributes.get("material:binding")))
        uri = text(spec.attributes.get("swgrm:mesh"))
        scale = vector(spec, "xformOp:scale", (1.0, 1.0, 1.0))
        if uri:
            return Mesh(uri=uri, scale=scale, **common)
        if spec.type not in _SHAPES:
            return None
        if spec.type == "Mesh":
            self.findings.add("usd-mesh-left", f"prim {spec.path}")
            return None
        return _primitive(spec, scale, common)

    def _material(self, path: str) -> str:
        spec = self.stage.prims.get(path)
        if spec is None:
            return ""
        name = self.name(spec, "material")
        shaders = [each for other, each in self.stage.prims.items() if other.startswith(f"{path}/")]
        shader = next((each for each in shaders if "inputs:diffuseColor" in each.attributes), None)
        if shader is not None and name not in self.materials:
            red, green, blue = map(screen, np.clip(vector(shader, "inputs:diffuseColor"), 0, 1).tolist())
            opacity = number(shader.attributes.get("inputs:opacity"))
            self.materials[name] = Material(name, (red, green, blue, 1.0 if opacity is None else opacity))
        return name if name in self.materials else ""


def _primitive(spec: PrimSpec, scale: Vec3, common: dict[str, Any]) -> Geometry:
    def value(name: str, default: float) -> float:
        found = number(spec.attributes.get(name))
        return default if found is None or not math.isfinite(found) else found

    if spec.type == "Cube":
        x, y, z = (value("size", 2.0) * each for each in scale)
        return Box(size=(x, y, z), **common)
    radius = value("radius", 0.5 if spec.type == "Capsule" else 1.0)
    if spec.type == "Sphere":
        return Sphere(radius=radius * scale[0], **common)
    if spec.attributes.get("axis", "Z") != "Z":
        raise UsdProblem(f"the axis of {spec.path} is not Z, which is not read")
    kind = Cylinder if spec.type == "Cylinder" else Capsule
    return kind(radius=radius * scale[0], length=value("height", 1.0 if spec.type == "Capsule" else 2.0), **common)
