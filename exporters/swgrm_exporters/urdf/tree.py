"""Checks that links and joints form a tree: unique names, one root, one parent each, no loops."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from swgrm_exporters.urdf.fields import child, parts, required
from swgrm_exporters.xmltext import Element, XmlProblem, line_of


def distinct(elements: Iterable[Element]) -> dict[str, Element]:
    """Elements of one tag by their names, which must differ."""
    found: dict[str, Element] = {}
    for element in elements:
        name = required(element, "name")
        if name in found:
            problem = f"there are two {element.tag}s named `{name}`; the first is at line {line_of(found[name])}"
            raise XmlProblem(problem, element, "Names of links and of joints are unique")
        found[name] = element
    return found


class JointElement(NamedTuple):
    """The element of a joint, its name, its parent link, and the first child of each tag."""

    element: Element
    name: str
    parent: str
    inner: Mapping[str, Element]


def hinges(joints: Iterable[Element]) -> dict[str, JointElement]:
    """The joint above each link, by the link's name."""
    found: dict[str, JointElement] = {}
    for joint in joints:
        inner = parts(joint)
        name, link = required(joint, "name"), required(child(joint, "child", inner), "link")
        if link in found:
            problem = f"link `{link}` is the child of two joints, `{found[link].name}` and `{name}`"
            raise XmlProblem(problem, joint, "URDF describes trees: cut the loop, or remove one of them")
        found[link] = JointElement(joint, name, required(child(joint, "parent", inner), "link"), inner)
    return found


def must_be_a_tree(root: Element, links: Mapping[str, Element], above: Mapping[str, JointElement]) -> None:
    """Raise an XmlProblem unless the joints make one tree of all links."""
    for link, hinge in above.items():
        for end, name in (("child", link), ("parent", hinge.parent)):
            if name not in links:
                problem = f'<joint name="{hinge.name}"> has the {end} link `{name}`, which is not there'
                raise XmlProblem(problem, hinge.element)
    roots = [name for name in links if name not in above]
    if not links:
        raise XmlProblem("it has no links", root)
    if not roots:
        raise XmlProblem("every link is the child of a joint, so there is no root: the joints form a loop", root)
    if len(roots) > 1:
        named = ", ".join(f"`{name}`" for name in roots[:5])
        problem = f"{len(roots)} links have no parent ({named}): a URDF has one root"
        raise XmlProblem(problem, root, "Join them with fixed joints")
    _must_reach_the_root(above, {roots[0]})


def _must_reach_the_root(above: Mapping[str, JointElement], good: set[str]) -> None:
    for link in above:
        path = []
        while link not in good:
            path.append(link)
            link = above[link].parent
            if len(path) > len(above):
                raise XmlProblem(f"the joints above link `{path[0]}` form a loop", above[path[0]].element)
        good.update(path)
