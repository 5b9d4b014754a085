"""Geoms of an MJCF file as shapes, meshes and materials of the model, and the inertia that geoms give a body."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import astuple, replace

from swgrm.findings import Findings
from swgrm.mass.inertia import combine, moved
from swgrm.model import Box, Capsule, Cylinder, Geometry, Inertial, Material, Mesh, Pose, Sphere, Tensor, Vec3
from swgrm_exporters.lowering.inertias import solid_inertial
from swgrm_exporters.mjcf.document import Angles, quaternion_to, vec3
from swgrm_exporters.names import Pool
from swgrm_exporters.urdf.fields import maybe_number, number, numbers
from swgrm_exporters.xmltext import Element, XmlProblem, children

DENSITY = 1000.0  # [kg/m³] of a geom without a mass
COLLISION_GROUP = 3  # geoms of this group and above are not shown
MASSLESS = ("plane", "hfield")
HALF_SIZES = {"box": 3, "cylinder": 2, "capsule": 2, "sphere": 1}


class MeshAsset(NamedTuple):
    """A mesh file of the document, and its scale."""

    uri: str
    scale: Vec3


class ShapeReader:
    """Reads geoms; colours that are not materials become such."""

    def __init__(self, root: Element, compiler: Mapping[str, str], angles: Angles, findings: Findings) -> None:
        self.angles, self.findings = angles, findings
        self.materials: dict[str, Material] = {}
        self.meshes: dict[str, MeshAsset] = {}
        folder = compiler.get("meshdir", compiler.get("assetdir", ""))
        pictures = compiler.get("texturedir", compiler.get("assetdir", ""))
        textures: dict[str, str] = {}
        for section in root.findall("asset"):
            for element in children(section):
                name = element.get("name") or PurePosixPath(element.get("file", "")).stem
                if element.tag == "mesh" and element.get("file"):
                    scale = vec3(numbers(element, "scale", 3, (1.0, 1.0, 1.0)))
                    self.meshes[name] = MeshAsset(_joined(folder, element.get("file", "")), scale)
                elif element.tag == "texture" and element.get("file"):
                    textures[name] = _joined(pictures, element.get("file", ""))
                elif element.tag == "material":
                    rgba = _rgba(element) if element.get("rgba", "").strip() else None
                    self.materials[name] = Material(name, rgba, textures.get(element.get("texture", ""), ""))
        self._pool = Pool(self.materials)
        self._colours: dict[tuple[float, ...], str] = {}

    def shape(self, element: Element) -> Geometry | None:
        """The shape of a geom; None, with a finding, if the model has no such shape."""
        kind = element.get("type") or ("mesh" if element.get("mesh") else "sphere")
        name = element.get("name", "")
        common: dict[str, Any] = {"name": name, "origin": self.angles.pose(element), "material": self._look(element)}
        if kind == "mesh":
            asset = self.meshes.get(element.get("mesh", ""))
            if asset is not None:
                return Mesh(uri=asset.uri, scale=asset.scale, **common)
        elif kind in HALF_SIZES and not element.get("mesh"):
            return self._primitive(element, kind, common)
        elif kind in HALF_SIZES:
            kind = f"{kind} around a mesh"
        self.findings.add("mjcf-geom", f"geom {name or kind}", type=kind)
        return None

    def _primitive(self, element: Element, kind: str, common: dict[str, Any]) -> Geometry:
        size = _size(element)
        if element.get("fromto") is not None and kind != "sphere":
            ends = numbers(element, "fromto", 6)
            a, b = np.array(ends[:3]), np.array(ends[3:])
            length = float(np.linalg.norm(b - a))
            common["origin"] = Pose(vec3(tuple(((a + b) / 2).tolist())), quaternion_to(tuple(b - a), element))
            size = (*size[:1], *(size[:1] if kind == "box" else ()), length / 2)
        if len(size) < HALF_SIZES[kind]:
            raise XmlProblem(f"<geom> is a {kind} with {len(size)} sizes; {HALF_SIZES[kind]} are expected", element)
        if kind == "box":
            return Box(size=(2 * size[0], 2 * size[1], 2 * size[2]), **common)
        if kind == "sphere":
            return Sphere(radius=size[0], **common)
        round_kind = Cylinder if kind == "cylinder" else Capsule
        return round_kind(radius=size[0], length=2 * size[1], **common)

    def _look(self, element: Element) -> str:
        material = element.get("material", "")
        if material or not element.get("rgba", "").strip():  # MuJoCo takes an empty one as none
            return material
        rgba = _rgba(element)
        if rgba not in self._colours:
            name = self._pool.fresh("_".join(["colour", *(f"{value:.6g}" for value in rgba)]))
            self._colours[rgba], self.materials[name] = name, Material(name, rgba)
        return self._colours[rgba]

    def inertial(self, geoms: list[tuple[Element, Geometry | None]], body: str) -> Inertial | None:
        """The inertia that geoms with their shapes give a body; meshes are left out, with a finding."""
        parts, is_whole = [], True
        for element, shape in geoms:
            mass = maybe_number(element, "mass")
            if element.get("type") in MASSLESS or mass == 0:
                continue
            solid = None if shape is None else solid_inertial(shape)
            if shape is None or solid is None:
                is_whole = False
                continue
            density = number(element, "density", DENSITY) if mass is None else mass / (solid.mass or 1.0)
            tensor = Tensor(*(density * value for value in astuple(solid.tensor or Tensor())))
            heavy = replace(solid, mass=density * solid.mass, tensor=tensor)
            parts.append(moved(heavy, shape.origin.matrix))
        if not is_whole:
            self.findings.add("mjcf-inertia", f"body {body}")
        return combine(parts) if parts else None


def is_shown(element: Element) -> bool:
    """Whether a geom is for display: it collides with nothing, or its group is shown."""
    return not is_solid(element) or number(element, "group", 0.0) < COLLISION_GROUP


def is_solid(element: Element) -> bool:
    """Whether a geom is for collisions."""
    return number(element, "contype", 1.0) != 0 or number(element, "conaffinity", 1.0) != 0


def _size(element: Element) -> tuple[float, ...]:
    count = len(element.get("size", "").split())
    values = numbers(element, "size", count) if count else ()
    if any(not value >= 0 or not math.isfinite(value) for value in values):
        raise XmlProblem(f'<geom> has the size "{element.get("size")}", which is negative', element)
    return values


def _rgba(element: Element) -> tuple[float, float, float, float]:
    r, g, b, a = numbers(element, "rgba", 4)
    return (r, g, b, a)


def _joined(folder: str, file: str) -> str:
    return str(PurePosixPath(folder.replace("\\", "/")) / file.replace("\\", "/"))
