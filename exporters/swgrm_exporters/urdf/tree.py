"""Links and joints as a tree: names that differ, one root, one parent each, no circle."""

from __future__ import annotations

from collections.abc import Iterator

from swgrm_exporters.urdf.fields import child, required
from swgrm_exporters.xmltext import Element, XmlProblem, line_of


def distinct(root: Element, tag: str) -> Iterator[Element]:
    """The elements of that tag, whose names must differ."""
    seen: dict[str, int] = {}
    for element in root.iterfind(tag):
        name = required(element, "name")
        if name in seen:
            problem = f"there are two {tag}s named `{name}`; the first is at line {seen[name]}"
            raise XmlProblem(problem, element, "Names of links and of joints are unique")
        seen[name] = line_of(element)
        yield element


def parents_of(joints: list[Element]) -> dict[str, Element]:
    """The joint that each link hangs on."""
    found: dict[str, Element] = {}
    for joint in joints:
        name, link = required(joint, "name"), required(child(joint, "child"), "link")
        if link in found:
            problem = f"link `{link}` is the child of two joints, `{found[link].get('name')}` and `{name}`"
            raise XmlProblem(problem, joint, "URDF holds trees: cut the loop, or remove one of them")
        found[link] = joint
    return found


def must_be_a_tree(root: Element, links: dict[str, Element], parents: dict[str, Element]) -> None:
    """Raise an XmlProblem unless the joints make one tree of all links."""
    for link, joint in parents.items():
        for end, name in (("child", link), ("parent", required(child(joint, "parent"), "link"))):
            if name not in links:
                problem = f'<joint name="{joint.get("name")}"> has the {end} link `{name}`, which is not there'
                raise XmlProblem(problem, joint)
    roots = [name for name in links if name not in parents]
    if len(roots) != 1:
        named = ", ".join(f"`{name}`" for name in roots[:5])
        if not links:
            raise XmlProblem("it has no links", root)
        if not roots:
            raise XmlProblem("every link is the child of a joint, so there is no root: the joints form a circle", root)
        problem = f"{len(roots)} links have no parent ({named}): a URDF has one root"
        raise XmlProblem(problem, root, "Join them with fixed joints")
    above = {link: str(child(joint, "parent").get("link")) for link, joint in parents.items()}
    good = {roots[0]}
    for link in above:
        path = []
        while link not in good:
            path.append(link)
            link = above[link]
            if len(path) > len(above):
                raise XmlProblem(f"the joints above link `{path[0]}` form a circle", parents[path[0]])
        good.update(path)
