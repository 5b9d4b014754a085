"""Xacro: the elements of a URDF as a macro with a prefix, and the files that hold macros."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from swgrm_exporters.urdf.props import TEXT
from swgrm_exporters.urdf.references import kinds_of
from swgrm_exporters.urdf.schema import OWN_TAG
from swgrm_exporters.xmlwriting import Node, add_node, written

NAMESPACE = "http://www.ros.org/wiki/xacro"
PREFIX = "${prefix}"
NO_MASS, LEAST_MASS = 1e-6, "1e-05"  # [kg] what Gazebo (sdformat 12) takes for no mass, leaving the link out; and more
LEFT_OUT = frozenset({OWN_TAG, "mujoco", "drake:collision_filter_group", "sensor", "transmission", "ros2_control"})
_DOLLARS = re.compile(r"(\$+)(?=[{(])")
_NAMES = {  # attributes of URDF's own elements that hold names: all get the prefix
    ("link", "name"), ("joint", "name"), ("parent", "link"), ("child", "link"), ("mimic", "joint"),
    ("material", "name"),
}  # fmt: skip
_CORE = frozenset({"link", "joint", "material"})
_LEFT_OUT_NAMES = {
    ("visual", "name"),
    ("collision", "name"),
}  # Gazebo names them after the link, as contact sensors need


def escaped(text: str) -> str:
    """The text as xacro leaves it: `${` and `$(` begin an expression unless one more dollar is before them."""
    return _DOLLARS.sub(r"$\1", text)


def prefixed(tree: Node) -> list[Node]:
    """The elements of a URDF with the prefix before the names of links, joints and materials.

    Elements that only other programs read are left out, and so are those that ros2_control and Gazebo have in another
    form. Virtual links have a mass that Gazebo accepts.
    """
    links = {each.get("name", "") for each in tree.iterfind("link")}
    joints = {each.get("name", "") for each in tree.iterfind("joint")}
    names = {"link": links, "joint": joints}
    copies = [_copy(each, names, (each.tag,)) for each in tree if each.tag not in LEFT_OUT]
    for mass in (mass for each in copies for mass in each.iterfind("inertial/mass")):
        if 0 < float(mass.get("value", "0")) <= NO_MASS:
            mass.set("value", LEAST_MASS)
    return copies


def _copy(node: Node, names: Mapping[str, set[str]], path: tuple[str, ...]) -> Node:
    """A copy of an element at a path of tags."""
    new = Node(node.tag)
    for key, value in node.items():
        if path[:1] == ("link",) and (path[-1], key) in _LEFT_OUT_NAMES:
            continue
        is_name = value != "" and (_is_own(path, key) or _names(".".join((*path, key)), value, names))
        new.set(key, f"{PREFIX if is_name else ''}{escaped(value)}")
    if node.text is not None:
        is_name = _names(".".join((*path, TEXT)), node.text.strip(), names)
        new.text = f"{PREFIX}{escaped(node.text.strip())}" if is_name else escaped(node.text)
    new.tail = None if node.tail is None else escaped(node.tail)
    new.extend(_copy(each, names, (*path, each.tag)) for each in node)
    return new


def _is_own(path: tuple[str, ...], key: str) -> bool:
    """Whether an attribute of URDF's own elements is a name."""
    return path[0] in _CORE and (path[-1], key) in _NAMES


def _names(key: str, value: str, names: Mapping[str, set[str]]) -> bool:
    """Whether a value names a link or a joint, by the table of props that do."""
    return any(value in names[kind] for kind in kinds_of(key, {key: value}))


def macro_file(name: str, params: str, content: list[Node], comment: str) -> bytes:
    """A file with one macro."""
    root = Node("robot", {"xmlns:xacro": NAMESPACE})
    macro = add_node(root, "xacro:macro", {"name": name, "params": params})
    macro.extend(content)
    return commented(root, comment)


def commented(root: Node, comment: str) -> bytes:
    """The text of a file with a comment at its head."""
    head, _, rest = written(root).decode().partition("\n")
    return f"{head}\n<!-- {comment.replace('--', '- -')} -->\n{rest}".encode()


def where(condition: str, *content: Node) -> Node:
    """Elements that are there only if a condition holds."""
    node = Node("xacro:if", {"value": f"${{{condition}}}"})
    node.extend(content)
    return node


def element(tag: str, attributes: Mapping[str, str] | None = None, *content: Node, text: str = "") -> Node:
    """An element with its content."""
    node = Node(tag, dict(attributes or {}))
    node.text = text or None
    node.extend(content)
    return node


def param(name: str, text: str) -> Node:
    """A parameter of ros2_control."""
    return element("param", {"name": name}, text=text)


def joint_names(tree: Node) -> Iterator[str]:
    """The joints of a URDF that move."""
    return (each.get("name", "") for each in tree.iterfind("joint") if each.get("type") != "fixed")
