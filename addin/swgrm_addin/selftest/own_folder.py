"""Captures of the self-test without the folder that they were made in, and without properties of templates."""

from __future__ import annotations

import ntpath
import posixpath

from msgspec.structs import replace

from swgrm.capture import Capture

OWN = "C:\\swgrm-selftest\\"  # stands for the temporary folder


def with_own_paths(capture: Capture) -> Capture:
    """The capture with every path in one invented folder, and without custom properties."""
    return replace(
        capture,
        source=replace(capture.source, path=own_path(capture.source.path)),
        components=tuple(replace(each, path=own_path(each.path)) for each in capture.components),
        documents=tuple(
            replace(each, path=own_path(each.path), properties=(), material_database=own_path(each.material_database))
            for each in capture.documents
        ),
        shapes=tuple(
            replace(
                each,
                path=own_path(each.path),
                bodies=tuple(replace(b, material_database=own_path(b.material_database)) for b in each.bodies),
            )
            for each in capture.shapes
        ),
        failures=tuple(replace(each, object=_file_name(each.object)) for each in capture.failures),
    )  # fmt: skip


def own_path(path: str) -> str:
    """The path with the invented folder."""
    name = _file_name(path)
    return OWN + name if name else ""


def _file_name(path: str) -> str:
    return posixpath.basename(ntpath.basename(path))
