"""Shapes as prims: primitives in place, meshes once each in a library that the bodies refer to."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from swgrm.errors import SwgrmError
from swgrm.findings import Findings
from swgrm.meshes.store import MeshFiles
from swgrm.meshes.surface import Surface
from swgrm.model import Box, Capsule, Cylinder, Geometry, Material, Mesh, Sphere
from swgrm_exporters.names import Pool
from swgrm_exporters.usd.capabilities import usd_legal
from swgrm_exporters.usd.text import ArrayValue, UsdPrim, double, points, single, singles, string

LIBRARY = "GeometryLibrary"


class MeshLibrary:
    """The meshes of a robot, each file once, as prims of one layer."""

    def __init__(self, meshes: MeshFiles, findings: Findings) -> None:
        self.meshes, self.findings = meshes, findings
        self.root = UsdPrim(LIBRARY, "Scope")
        self._names: dict[str, str | None] = {}
        self._pool = Pool()

    def path(self, uri: str) -> str | None:
        """The path of a mesh file's prim in the library; None if it cannot be read."""
        if uri not in self._names:
            self._names[uri] = self._add(uri)
        name = self._names[uri]
        return None if name is None else f"/{LIBRARY}/{name}"

    def _add(self, uri: str) -> str | None:
        try:
            surface = self.meshes.welded(uri)
        except (SwgrmError, OSError, ValueError) as error:
            self.findings.add("usd-mesh-unreadable", f"mesh {uri}", error=str(error))
            return None
        if surface is None:
            self.findings.add("usd-mesh-missing", f"mesh {uri}")
            return None
        name = self._pool.fresh(usd_legal(Path(uri).stem) or "mesh")
        part = self.root.child(name, "Xform")
        add_mesh(part, "mesh", surface)
        return name


def add_mesh(parent: UsdPrim, name: str, surface: Surface) -> UsdPrim:
    """Add a welded triangle mesh with flat normals."""
    T = surface.triangles
    normals = np.cross(T[:, 1] - T[:, 0], T[:, 2] - T[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    prim = parent.child(name, "Mesh")
    low, high = surface.vertices.min(axis=0), surface.vertices.max(axis=0)
    prim.put("float3[] extent", points([low, high]))
    prim.put("int[] faceVertexCounts", ArrayValue(np.full(len(surface.faces), 3)))
    prim.put("int[] faceVertexIndices", ArrayValue(surface.faces.reshape(-1)))
    prim.put("point3f[] points", ArrayValue(surface.vertices))
    prim.put("normal3f[] normals", ArrayValue(normals, 3))
    prim.metadata_of["normal3f[] normals"] = 'interpolation = "faceVarying"'
    prim.put("uniform token orientation", '"rightHanded"')
    prim.put("uniform token subdivisionScheme", '"none"')
    return prim


def add_primitive(parent: UsdPrim, name: str, shape: Geometry) -> UsdPrim:
    """Add a box, sphere, cylinder or capsule in its place."""
    if isinstance(shape, Box):
        prim = parent.child(name, "Cube")
        prim.place(shape.origin, shape.size)
        prim.put("double size", "1")
        half = (0.5, 0.5, 0.5)
    elif isinstance(shape, Sphere):
        prim = parent.child(name, "Sphere")
        prim.place(shape.origin)
        prim.put("double radius", double(shape.radius))
        half = (shape.radius, shape.radius, shape.radius)
    else:
        assert isinstance(shape, Cylinder | Capsule)  # noqa: S101 - the last of them
        prim = parent.child(name, "Cylinder" if isinstance(shape, Cylinder) else "Capsule")
        prim.place(shape.origin)
        prim.put("uniform token axis", '"Z"')
        prim.put("double height", double(shape.length))
        prim.put("double radius", double(shape.radius))
        end = shape.length / 2 + (shape.radius if isinstance(shape, Capsule) else 0.0)
        half = (shape.radius, shape.radius, end)
    prim.put("float3[] extent", points([[-value for value in half], half]))
    return prim


def add_reference(parent: UsdPrim, name: str, shape: Mesh, target: str, *, instanceable: bool) -> UsdPrim:
    """Add a prim that is a mesh of the library, scaled and in its place; `target` is the asset and path."""
    prim = parent.child(name, "Xform" if instanceable else "Mesh")
    prim.metadata["prepend references"] = target
    if instanceable:
        prim.metadata["instanceable"] = "true"
    prim.place(shape.origin, shape.scale)
    prim.put("custom string swgrm:mesh", string(shape.uri))
    return prim


def add_material(parent: UsdPrim, material: Material, name: str, at: str) -> None:
    """Add a material; `at` is its path. USD has linear colours, the model those of screens."""
    prim = parent.child(name, "Material")
    prim.display(material.name)
    prim.put("token outputs:surface.connect", f"<{at}/Shader.outputs:surface>")
    shader = prim.child("Shader", "Shader")
    shader.put("uniform token info:id", '"UsdPreviewSurface"')
    red, green, blue, opacity = material.rgba or (0.5, 0.5, 0.5, 1.0)
    shader.put("color3f inputs:diffuseColor", singles(map(linear, (red, green, blue))))
    shader.put("float inputs:opacity", single(opacity))
    shader.put("float inputs:roughness", "0.5")
    shader.attributes["token outputs:surface"] = ""


def linear(value: float) -> float:
    """A colour of screens (sRGB) as a linear one (IEC 61966-2-1)."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def screen(value: float) -> float:
    """The inverse of `linear`."""
    return 12.92 * value if value <= 0.04045 / 12.92 else 1.055 * value ** (1 / 2.4) - 0.055
