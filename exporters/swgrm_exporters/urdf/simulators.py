"""Elements for simulators in a URDF file: where MuJoCo finds the meshes, and which contacts Drake ignores.

MuJoCo before 3.9 drops the folders of mesh files unless a <compiler> keeps them, and does not know `package://`.
Other readers ignore these elements. They are derived from the robot, so the reader of URDF leaves them out.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from swgrm_exporters.xmltext import Element, children, qualified
from swgrm_exporters.xmlwriting import Node, add_node

if TYPE_CHECKING:
    from swgrm.meshes.store import MeshFiles

FORMATS = (".stl", ".obj", ".msh")  # that MuJoCo reads
MOST_TRIANGLES = 200_000  # of an STL file that it reads
OWN_GROUP = "swgrm_"  # how the names of our collision filter groups begin
_GROUP = "drake:collision_filter_group"
DRAKE = "https://drake.mit.edu/"
_COMPILER = ({"strippath", "discardvisual"}, {"strippath", "discardvisual", "meshdir"})  # as `mujoco` writes it


def mujoco(names: Iterable[str], files: Sequence[str], subfolder: str, meshes: MeshFiles | None) -> Node | None:
    """The element <mujoco> for mesh files, as they are named in the URDF and in the folder of the export.

    `subfolder` is where the URDF file is in that folder, and `meshes` are the files where they are now. Visual meshes
    are loaded too, unless MuJoCo would refuse one. None if MuJoCo needs nothing, or cannot be helped.
    """
    schemes = {name.partition("://")[0] if "://" in name else "" for name in names}
    folders = {str(PurePosixPath(file).parent) for file in files if "://" not in file}
    discard = str(any(_is_refused(file, meshes) for file in files)).lower()
    values = {"strippath": "false", "discardvisual": discard}
    if schemes == {"package"} and len(folders) == 1:
        mesh_folder = PurePosixPath(os.path.relpath(folders.pop(), subfolder or ".")).as_posix()
        values = {"meshdir": mesh_folder, "strippath": "true", "discardvisual": discard}
    elif schemes != {""}:
        return None
    element = Node("mujoco")
    add_node(element, "compiler", values)
    return element


def _is_refused(file: str, meshes: MeshFiles | None) -> bool:
    """Whether MuJoCo refuses a mesh file: for its format, or an STL file for its size (84 bytes, 50 per triangle)."""
    suffix = PurePosixPath(file).suffix.lower()
    if suffix not in FORMATS:
        return True
    path = meshes.path(file) if suffix == ".stl" and meshes is not None else None
    return path is not None and path.stat().st_size > 84 + 50 * MOST_TRIANGLES


def filter_groups(pairs: Iterable[tuple[str, str]]) -> list[Node]:
    """Drake's collision filter groups for pairs of links that ignore each other: one group per link."""
    ignored: dict[str, list[str]] = {}
    for one, other in pairs:
        ignored.setdefault(one, []).append(other)
        ignored.setdefault(other, [])
    groups = []
    for link, others in ignored.items():
        group = Node(_GROUP, {"xmlns:drake": DRAKE, "name": f"{OWN_GROUP}{link}"})
        add_node(group, "drake:member", {"link": link})
        for other in others:
            add_node(group, "drake:ignored_collision_filter_group", {"name": f"{OWN_GROUP}{other}"})
        groups.append(group)
    return groups


def is_own(element: Element) -> bool:
    """Whether an element of a robot is one that this module writes."""
    tag = qualified(element)
    if tag == _GROUP:
        return element.get("name", "").startswith(OWN_GROUP)
    inner = list(children(element))
    return tag == "mujoco" and len(inner) == 1 and inner[0].tag == "compiler" and set(inner[0].attrib) in _COMPILER
