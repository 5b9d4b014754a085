"""The robot of another exporter as data: its links with their joints, and the components that they are made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from swgrm.errors import FileError, nearest
from swgrm.model import Calibration, Coupling, Dynamics, Inertial, JointType, Limits, Pose, Safety, Vec3

TYPES = {  # of joints in URDF's words; what is missing here is not one joint of ours
    "fixed": JointType.FIXED,
    "revolute": JointType.REVOLUTE,
    "continuous": JointType.REVOLUTE,
    "prismatic": JointType.PRISMATIC,
}


class OldJoint(NamedTuple):
    """The joint that moves a link; what the exporter did not store is None or empty."""

    name: str
    type: str  # URDF's word, "" if the exporter was to detect it
    origin: Pose | None = None  # in the parent link's frame
    axis: Vec3 | None = None  # in the joint's frame
    limits: Limits = Limits()
    dynamics: Dynamics | None = None
    safety: Safety | None = None
    calibration: Calibration | None = None
    coupling: Coupling | None = None
    axis_name: str = ""  # of a reference axis
    direction: Vec3 | None = None  # of the axis, in the assembly
    is_named: bool = True  # by the exporter; otherwise the name is that of the two links


class OldLink(NamedTuple):
    """A link, the joint to its parent, and the names of its components, if the exporter stored them."""

    name: str
    parent: str = ""  # "" for the root
    joint: OldJoint | None = None
    components: tuple[str, ...] = ()
    coordinate_system: str = ""
    inertial: Inertial | None = None  # in the link's frame


class OldRobot(NamedTuple):
    """A robot of another exporter; parents come before their children."""

    name: str
    source: str  # how messages name it
    links: tuple[OldLink, ...]
    numbers_are_current: bool = True  # the poses are those of the exported robot; a saved configuration's may be older

    @property
    def root(self) -> OldLink:
        """The link without a parent."""
        return self.links[0]

    @property
    def by_name(self) -> dict[str, OldLink]:
        """The links by name."""
        return {link.name: link for link in self.links}

    @property
    def knows_components(self) -> bool:
        """Whether the exporter stored which components the links are made of."""
        return any(link.components for link in self.links)


def old_robot(name: str, source: str, links: Iterable[OldLink]) -> OldRobot:
    """The robot of these links, which must be a tree; otherwise a FileError that names the link and the remedy."""
    found = list(map(_with_named_joint, links))
    if not found:
        raise FileError(source, "it has no links", remedy="Export the robot again with the old exporter")
    names: dict[str, OldLink] = {}
    joints: dict[str, str] = {}
    for link in found:
        if not link.name:
            raise FileError(source, "a link has no name", remedy="Name it in the file")
        if link.name in names:
            raise FileError(source, f"two links are called `{link.name}`", remedy="Rename one of them in the file")
        names[link.name] = link
        if link.joint:
            other = joints.setdefault(link.joint.name, link.name)
            if other != link.name:
                problem = f"the joints of `{other}` and `{link.name}` are both called `{link.joint.name}`"
                raise FileError(source, problem, remedy="Rename one of them in the file")
    for link in found:
        if link.parent and link.parent not in names:
            problem = f"the parent `{link.parent}` of `{link.name}` does not exist.{nearest(link.parent, [*names])}"
            raise FileError(source, problem, remedy="Correct the parent in the file")
    return OldRobot(name, source, _ordered(source, found))


def _with_named_joint(link: OldLink) -> OldLink:
    if link.joint is None or link.joint.name:
        return link
    return link._replace(joint=link.joint._replace(name=f"{link.parent}__{link.name}", is_named=False))


def without_empty_root(old: OldRobot) -> tuple[OldRobot, str]:
    """The robot without a root that has no parts and one fixed child at its place, and the name of that root or ""."""
    root, children = old.root, [link for link in old.links if link.parent == old.root.name]
    joint = children[0].joint if len(children) == 1 else None
    is_empty = not root.components and root.inertial is None and len(old.links) > 2
    if joint is None or joint.type != "fixed" or joint.origin not in (None, Pose()) or not is_empty:
        return old, ""
    child = children[0]
    rest = (link for link in old.links if link not in (root, child))
    return old._replace(links=(child._replace(parent="", joint=None), *rest)), root.name


def _ordered(source: str, links: list[OldLink]) -> tuple[OldLink, ...]:
    roots = [link for link in links if not link.parent]
    if len(roots) != 1:
        count = f"{len(roots)} links ({', '.join(link.name for link in roots)}) have" if roots else "every link has"
        problem = f"{count} {'no parent' if roots else 'a parent'}, but a robot has one root"
        raise FileError(source, problem, remedy="Correct the parents in the file")
    children: dict[str, list[OldLink]] = {}
    for link in links:
        children.setdefault(link.parent, []).append(link)
    ordered, stack = [], roots
    while stack:
        link = stack.pop()
        ordered.append(link)
        stack += reversed(children.get(link.name, []))
    if len(ordered) < len(links):
        lost = next(link for link in links if link not in ordered)
        problem = f"`{lost.name}` is its own ancestor"
        raise FileError(source, problem, remedy="Correct the parents in the file")
    return tuple(ordered)
