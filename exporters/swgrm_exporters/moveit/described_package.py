"""What a description package states, which MoveIt's configuration refers to: its root link and its controllers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from swgrm.errors import FileError
from swgrm.storage.files import read_bytes
from swgrm_exporters.ros2.controllers import TRAJECTORY
from swgrm_exporters.ros2.layout import PackageLayout
from swgrm_exporters.xmltext import Element, XmlProblem, parse, read_xml
from swgrm_exporters.yamltext import YamlProblem
from swgrm_exporters.yamltext import parse as parse_yaml

MOVING = ("revolute", "continuous", "prismatic", "planar", "floating")
REMEDY = "Export the format ros2 together with moveit"


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
    """What the package in a folder states; a FileError if one of its files is missing or cannot be understood."""
    path = folder / layout.urdf
    if not path.is_file():
        raise FileError(path, "the description package is missing", remedy=REMEDY)
    try:
        tree = parse(read_xml(path))
    except XmlProblem as problem:
        raise problem.at(path) from None
    links = [element.get("name", "") for element in tree.iterfind("link")]
    types = {joint.get("name", ""): joint.get("type", "") for joint in tree.iterfind("joint")}
    followers = {joint.get("name", "") for joint in tree.iterfind("joint") if joint.find("mimic") is not None}
    moving = {name: kind for name, kind in types.items() if kind in MOVING and name not in followers}
    return DescribedPackage(
        layout,
        _root_link(path, tree, links),
        frozenset(links),
        moving,
        frozenset(types),
        _trajectory_controllers(folder / layout.controllers),
    )


def _root_link(path: Path, tree: Element, links: list[str]) -> str:
    """The link that is not the child of a joint."""
    children = {element.get("link") for element in tree.iterfind("joint/child")}
    for name in links:
        if name not in children:
            return name
    raise FileError(path, "no link is the root: each one is the child of a joint", remedy=REMEDY)


class _ControllerParameters(msgspec.Struct):
    """The parameters of one controller that matter here."""

    joints: tuple[str, ...]


def _trajectory_controllers(path: Path) -> dict[str, tuple[str, ...]]:
    """The controllers of a parameter file that follow trajectories, with their joints."""
    try:
        parameters = parse_yaml(read_bytes(path).decode())
        manager = msgspec.convert(_ros_parameters(parameters, "controller_manager"), dict[str, Any])
        controllers = {}
        for name, entry in manager.items():
            if isinstance(entry, dict) and entry.get("type") == TRAJECTORY:
                controller = msgspec.convert(_ros_parameters(parameters, name), _ControllerParameters)
                controllers[name] = controller.joints
    except UnicodeDecodeError:
        raise FileError(path, "the text is not UTF-8", remedy=REMEDY) from None
    except YamlProblem as problem:
        raise FileError(path, problem.problem, place=problem.place, remedy=REMEDY) from None
    except msgspec.ValidationError:
        problem_text = "a parameter of the controllers is missing or has another type"
        raise FileError(path, problem_text, remedy=REMEDY) from None
    return controllers


def _ros_parameters(parameters: Any, node: str) -> Any:  # noqa: ANN401 - YAML data
    """The parameters of a node, in a file for several nodes; None if there are none."""
    entry = parameters.get(node) if isinstance(parameters, dict) else None
    return entry.get("ros__parameters") if isinstance(entry, dict) else None
