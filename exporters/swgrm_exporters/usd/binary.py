"""The library of meshes as a binary layer, where usd-core is installed."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import NamedTuple

from swgrm_exporters.usd.core import is_installed, usd_core
from swgrm_exporters.usd.options import UsdMeshes

STEM = "GeometryLibrary"


class LibraryFile(NamedTuple):
    """The name and the bytes of a layer."""

    name: str
    data: bytes


def library_bytes(text: bytes, meshes: UsdMeshes) -> LibraryFile:
    """The layer as the option wants it."""
    if meshes is UsdMeshes.TEXT or (meshes is UsdMeshes.AUTO and not is_installed()):
        return LibraryFile(f"{STEM}.usda", text)
    Sdf = usd_core("Sdf", "Writing binary meshes")
    with tempfile.TemporaryDirectory(prefix="swgrm-") as folder:
        source, target = Path(folder) / "library.usda", Path(folder) / "library.usdc"
        source.write_bytes(text)
        Sdf.Layer.FindOrOpen(str(source)).Export(str(target))
        return LibraryFile(f"{STEM}.usdc", target.read_bytes())
