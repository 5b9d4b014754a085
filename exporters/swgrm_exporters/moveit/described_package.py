"""What a description package states, which MoveIt's configuration refers to: its root link and its controllers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import yaml

from swgrm.errors import FileError
from swgrm_exporters.ros2.controllers import TRAJECTORY
from swgrm_exporters.ros2.layout import PackageLayout
from swgrm_exporters.xmltext import parse, read_xml

MOVING = ("revolute", "continuous", "prismatic", "planar", "floating")


class DescribedPackage(NamedTuple):
    """A description package, as its files are."""

    layout: PackageLayout
    root: str  # the URDF's root link
    links: frozenset[str]
    joints: Mapping[str, str]  # of the URDF: type by name; those that follow others are not in it
    all_joints: frozenset[str]  # with those that follow others, and the fixed ones
    controllers: Mapping[str, tuple[str, ...]]  # that follow trajectories: their joints by name

    @property
    def driven(self) -> tuple[str, ...]:
        """The joints that controllers move along trajectories."""
        return tuple(joint for joints in self.controllers.values() for joint in joints)


def described_package(folder: Path, layout: PackageLayout) -> DescribedPackage:
    """What the package in a folder states; without its files, a FileError."""
    path = folder / layout.urdf
    if not path.is_file():
        raise FileError(
            path, "the description package is missing", remedy="Export the format ros2 together with moveit"
        )
    tree = parse(read_xml(path))
    links = [element.get("name", "") for element in tree.iterfind("link")]
    joints = list(tree.iterfind("joint"))
    children = {element.get("link") for joint in joints for element in joint.iterfind("child")}
    followers = [joint.get("name", "") for joint in joints if joint.find("mimic") is not None]
    kinds = {joint.get("name", ""): joint.get("type", "") for joint in joints}
    parameters = yaml.safe_load((folder / layout.controllers).read_text("utf-8"))
    types = parameters["controller_manager"]["ros__parameters"]
    found = {
        name: tuple(parameters[name]["ros__parameters"]["joints"])
        for name, entry in types.items()
        if isinstance(entry, dict) and entry.get("type") == TRAJECTORY
    }
    return DescribedPackage(
        layout,
        next(name for name in links if name not in children),
        frozenset(links),
        {name: kind for name, kind in kinds.items() if kind in MOVING and name not in followers},
        frozenset(kinds),
        found,
    )
