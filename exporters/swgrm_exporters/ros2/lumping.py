"""How Gazebo joins links on fixed joints when it reads a URDF (sdformat, `parser_urdf.cc`), as far as sensors need it.

A link on a fixed joint becomes a part of its parent, unless the joint is preserved; the world is not a parent. The
collisions of a body are its own, then those of its parts, in the order of the names of their joints.
"""

from __future__ import annotations

from collections.abc import Iterator

from swgrm_exporters.ros2.xacro_macros import PREFIX, escaped
from swgrm_exporters.xmlwriting import Node

FIXED = "fixed"
LUMPED = "_fixed_joint_lump__"
WORLD = "world"


class UrdfTree:
    """The links and joints of a URDF by name."""

    def __init__(self, tree: Node) -> None:
        self.links = {each.get("name", ""): each for each in tree.iterfind("link")}
        self.joints = list(tree.iterfind("joint"))
        self.above = {end(each, "child"): each for each in self.joints}

    def parts(self, link: str) -> Iterator[str]:
        """The links that Gazebo makes one with a link."""
        fixed = [each for each in self.joints if end(each, "parent") == link and _joins(each)]
        for joint in sorted(fixed, key=lambda each: each.get("name", "")):
            yield end(joint, "child")
            yield from self.parts(end(joint, "child"))

    def body(self, link: str) -> str:
        """The link that Gazebo makes a link a part of, or the link itself."""
        while (joint := self.above.get(link)) is not None and _joins(joint):
            link = end(joint, "parent")
        return link


def _joins(joint: Node) -> bool:
    """Whether Gazebo makes the links of a joint one."""
    return joint.get("type") == FIXED and end(joint, "parent") != WORLD


def end(joint: Node, side: str) -> str:
    """The link at a side of a joint: `parent` or `child`."""
    node = joint.find(side)
    return "" if node is None else node.get("link", "")


def measured_joint(link: str, joint_name: str, tree: Node) -> Node | None:
    """The joint whose force and torque a sensor on a link measures: the named one, or the nearest that carries a mass.

    None if the sensor is at the base, which nothing carries.
    """
    urdf = UrdfTree(tree)
    if joint_name:
        return next((each for each in urdf.joints if each.get("name") == joint_name), None)
    while (joint := urdf.above.get(link)) is not None:
        carried = (link, *urdf.parts(link))
        has_mass = any(urdf.links[each].find("inertial") is not None for each in carried)
        if joint.get("type") != FIXED or (has_mass and _is_carried(urdf, joint)):
            return joint
        link = end(joint, "parent")
    return None


def _is_carried(urdf: UrdfTree, joint: Node) -> bool:
    """Whether something with a mass is below a joint; an empty root is only a frame."""
    body = urdf.body(end(joint, "parent"))
    beyond = {end(joint, "child"), *urdf.parts(end(joint, "child"))}
    before = {body, *urdf.parts(body)} - beyond
    return any(urdf.links[each].find("inertial") is not None for each in before)


def watched_collision(link: str, tree: Node) -> str:
    """The collision shape that a contact sensor on a link watches, as Gazebo names it; empty if the body has none.

    It is the nearest one towards the base. Shapes have no names of their own in our xacro files.
    """
    urdf = UrdfTree(tree)
    body = urdf.body(link)
    shapes = [each for each in (body, *urdf.parts(body)) for _ in urdf.links[each].iterfind("collision")]
    if not shapes:
        return ""
    while link != body and link not in shapes:
        link = end(urdf.above[link], "parent")
    owner = link if link in shapes else shapes[0]
    number = shapes.index(owner)
    name = f"{PREFIX}{escaped(owner)}_collision{f'_{number}' if number else ''}"
    return name if owner.startswith(body) else f"{PREFIX}{escaped(body)}{LUMPED}{name}"
