"""What a user added to an SRDF file, which the next export keeps."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from swgrm.findings import Findings
from swgrm.storage.folders import digest, our_files
from swgrm_exporters.moveit.collision_pairs import PairReason
from swgrm_exporters.xmltext import Element, XmlProblem, parse, read_xml
from swgrm_exporters.xmlwriting import Node, comment_node

COMPUTED = frozenset({PairReason.ADJACENT, PairReason.DEFAULT, PairReason.ALWAYS, PairReason.NEVER})
KEPT = " The user's own elements, which every export keeps: "
PAIRS = ("disable_collisions", "enable_collisions")
KEYS = {  # what identifies an element of the user beside its tag
    "group": ("name",),
    "group_state": ("name", "group"),
    "end_effector": ("name",),
    "virtual_joint": ("name",),
    "passive_joint": ("name",),
    "joint_property": ("joint_name", "property_name"),
    "link_sphere_approximation": ("link",),
    "disable_default_collisions": ("link",),
    **dict.fromkeys(PAIRS, ("link1", "link2")),
}
LINKS = ("link", "link1", "link2", "parent_link", "child_link", "base_link", "tip_link")


class RobotNames(NamedTuple):
    """The names that elements of an SRDF file may refer to."""

    links: Collection[str]
    joints: Collection[str]  # of the URDF


def keep_own_rows(root: Node, folder: Path, name: str, known: RobotNames, findings: Findings) -> None:
    """Add to the SRDF's elements what the user added to the file of that name in the package's folder.

    Of a file that was edited since the last export, these are the user's: elements that the export does not write, and
    pairs with a reason that is not computed. They are written below a comment, by which later exports know them.
    Elements that name links or joints which the robot no longer has are left out and reported.
    """
    path = folder / name
    if not path.is_file():
        return
    try:
        own = list(_own_elements(read_xml(path), root, is_ours=_is_ours(folder, name)))
    except XmlProblem as problem:
        findings.add("srdf-unreadable", f"file {path.name}", problem=str(problem))
        return
    joints = [each for each in (*root, *own) if each.tag == "virtual_joint" and not any(_missing(each, known))]
    known = known._replace(joints={*known.joints, *(each.get("name", "") for each in joints)})
    good = []
    for element in own:
        if missing := next(_missing(element, known), ""):
            findings.add("srdf-row-dropped", f"file {path.name}", row=_shown(element), missing=missing)
        else:
            good.append(element)
    pairs = {_key(element)[1:] for element in good if element.tag in PAIRS}
    for row in [row for row in root if row.tag in PAIRS and _key(row)[1:] in pairs]:
        root.remove(row)
    if good:
        root.append(comment_node(KEPT))
        root.extend(good)


def _own_elements(data: bytes, root: Node, *, is_ours: bool) -> Iterator[Node]:
    """Yields the user's elements of a file; one that is as an export wrote it has them below the comment only."""
    if is_ours:
        _, _, kept = data.partition(f"<!--{KEPT}-->".encode())
        data = b"<robot>" + kept if kept else b"<robot/>"
    written = {_key(each) for each in root if each.tag not in PAIRS}
    for element in parse(data):
        if element.tag in KEYS:
            own = _copied(element)
            is_computed = own.tag == "disable_collisions" and own.get("reason", "") in COMPUTED
            if _key(own) not in written and not is_computed:
                yield own


def _is_ours(folder: Path, name: str) -> bool:
    """Whether the file is as an export wrote it; the list of files is in the folder or in one above."""
    for above in (folder, folder.parent):
        written = our_files(above).get((folder / name).relative_to(above).as_posix())
        if written is not None:
            return digest(folder / name) == written
    return False


def _key(element: Node) -> tuple[str, ...]:
    names = [element.get(key, "") for key in KEYS.get(element.tag, ())]
    return (element.tag, *(sorted(names) if element.tag in PAIRS else names))


def _copied(element: Element) -> Node:
    """An element that was read as one to write, without comments."""
    node = Node(str(element.tag), {str(key): str(value) for key, value in element.attrib.items()})
    node.extend(_copied(child) for child in element.iterchildren(tag="*"))
    return node


def _missing(element: Node, known: RobotNames) -> Iterator[str]:
    """Yields the links and joints that an element names and the robot does not have."""
    for each in element.iter():
        yield from (f"link `{each.get(key)}`" for key in LINKS if each.get(key, "") not in ("", *known.links))
        is_joint = each.tag in ("joint", "passive_joint")
        joint = each.get("name" if is_joint else "joint_name", "") if is_joint or each.tag == "joint_property" else ""
        if joint and joint not in known.joints:
            yield f"joint `{joint}`"
        if each.tag == "link" and each.get("name", "") not in known.links:
            yield f"link `{each.get('name')}`"


def _shown(element: Node) -> str:
    return f"<{element.tag} {' '.join(f'{key}={value!r}' for key, value in element.items())}>"
