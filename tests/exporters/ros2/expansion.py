"""Expanded descriptions for tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree
from lxml.etree import _Element as Element

HARDWARE = ("mock", "gz", "mujoco")


def expanded(package: Path, sim: str, prefix: str = "") -> Element:
    """The root element of a package's description, expanded by xacro."""
    xacro = pytest.importorskip("xacro", reason="`make test` installs it")
    (file,) = (package / "urdf").glob("*.urdf.xacro")
    text: str = xacro.process_file(str(file), mappings={"sim": sim, "prefix": prefix}).toxml()
    return etree.fromstring(text.encode())


def package_in(folder: Path) -> Path:
    """The description package in the folder of an export."""
    (package,) = folder.glob("*_description")
    return package
