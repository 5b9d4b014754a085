"""The library of meshes as a file: a binary layer where usd-core is installed, and text where it is not."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from swgrm_exporters.usd.core import is_installed, usd_core
from swgrm_exporters.usd.options import UsdMeshes
from swgrm_exporters.usd.text import ArrayValue, UsdPrim, layer

STEM = "GeometryLibrary"


class LibraryFile(NamedTuple):
    """The name and the bytes of a layer."""

    name: str
    data: bytes


def library_file(root: UsdPrim, metadata: Mapping[str, str], meshes: UsdMeshes) -> LibraryFile:
    """The layer of a prim, as the option wants it."""
    if meshes is UsdMeshes.TEXT or (meshes is UsdMeshes.AUTO and not is_installed()):
        return LibraryFile(f"{STEM}.usda", layer([root], metadata))
    return LibraryFile(f"{STEM}.usdc", _binary_layer(root, metadata))


def _binary_layer(root: UsdPrim, metadata: Mapping[str, str]) -> bytes:
    """A layer in USD's binary format.

    The prims are given to usd-core as text, which is short. Their arrays are given as arrays: as text, they would take
    some thirty times as long.
    """
    Sdf = usd_core("Sdf", "Writing binary meshes")
    Vt = usd_core("Vt", "Writing binary meshes")
    library = Sdf.Layer.CreateAnonymous("library.usda")
    library.ImportFromString(layer([root], metadata, with_arrays=False).decode())
    for path, value in _arrays(root, f"/{root.name}"):
        numbers = value.numbers
        kind = Vt.IntArray if numbers.ndim == 1 else Vt.Vec3fArray
        library.GetAttributeAtPath(path).default = kind.FromNumpy(numbers)
    with tempfile.TemporaryDirectory(prefix="swgrm-") as folder:
        file = Path(folder) / "library.usdc"
        library.Export(str(file))
        return file.read_bytes()


def _arrays(prim: UsdPrim, path: str) -> Iterator[tuple[str, ArrayValue]]:
    """The arrays of a prim and of those below it, by the paths of their attributes."""
    for declaration, value in prim.attributes.items():
        if isinstance(value, ArrayValue):
            yield f"{path}.{declaration.split()[-1]}", value
    for child in prim.children:
        yield from _arrays(child, f"{path}/{child.name}")
