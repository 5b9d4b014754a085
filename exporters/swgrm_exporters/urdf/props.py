r"""Elements that URDF has no type for, as flat properties, and back.

The rule. Each step of a key is a tag, the last step an attribute, joined by dots: `<flatsim><turning radius="2.4"/>`
is `flatsim.turning.radius`. Beyond that, with characters that no XML name contains:

    tag[2].attribute    the second `<tag>` of its parent (the first has no number)
    tag.#text           the text of `<tag>`; empty text for an element that has nothing at all
    tag.#tail           text that follows `<tag>` inside its parent
    @attribute          an attribute of the robot, link or joint itself that URDF does not know
    \.                  a dot that belongs to a name

Gazebo's extensions for a link or joint are elements with text, `<gazebo><mu1>0.2</mu1></gazebo>`. Those that
`schema.GAZEBO_ELEMENTS` lists have the key `gazebo.mu1`, as if they were attributes, and beside it the mark
`gazebo.mu1.#form` with the text `element`, so that they are written as they were.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from typing import NamedTuple

from swgrm_exporters.urdf.schema import GAZEBO_ELEMENTS
from swgrm_exporters.xmltext import XML_NAMESPACE, Element, grouped, qualified
from swgrm_exporters.xmlwriting import Node, add_node, not_xml

DEEPEST = 200  # [levels] below what XML readers accept
TEXT, TAIL, OWN = "#text", "#tail", "@"
FORM, ELEMENT = "#form", "element"
_STEP = re.compile(r"((?:[^.\\\[\]]|\\\.)+)(?:\[([1-9][0-9]*)\])?")
_GAZEBO = re.compile(r"gazebo(?:\[[0-9]+\])?\.(\w+)(?:\[[0-9]+\])?")
_DOT = re.compile(r"(?<!\\)\.")
XMLNS = "@xmlns:"
XMLNS_NAMESPACE = "http://www.w3.org/2000/xmlns/"


class Unwritable(ValueError):
    """A key that cannot be an element, or a value that XML cannot contain."""


def flatten(element: Element, path: str) -> Iterator[tuple[str, str]]:
    """The properties of an element and all below it."""
    stack = [(element, path)]
    while stack:
        here, at = stack.pop()
        inner, attributes, text, tail = list(here), here.items(), here.text, here.tail
        for name, value in attributes:
            yield f"{at}.{step(here, str(name))}", str(value)
        if _is_gazebo_text(here, at):
            yield at, text or ""
            yield f"{at}.{FORM}", ELEMENT
        elif text and not text.isspace():
            yield f"{at}.{TEXT}", text
        elif not (inner or attributes):
            yield f"{at}.{TEXT}", ""
        if tail and not tail.isspace() and here is not element:
            yield f"{at}.{TAIL}", tail
        if inner:
            stack.extend(reversed(list(numbered(inner, f"{at}."))))


def _is_gazebo_text(element: Element, path: str) -> bool:
    """Whether an element is one of Gazebo's that have the plain key: text alone, and no attribute of that name."""
    parent, found = element.getparent(), _GAZEBO.fullmatch(path)
    if found is None or found[1] not in GAZEBO_ELEMENTS or parent is None or len(element) or element.keys():
        return False
    has_text = element.text is not None and not element.text.isspace()
    return has_text and parent.get(str(element.tag)) is None


def numbered(elements: list[Element], prefix: str = "") -> Iterator[tuple[Element, str]]:
    """Sibling elements with their keys: the tag, from the second of its kind on with its number."""
    seen: dict[str, int] = {}
    for element in elements:
        tag = step(element)
        seen[tag] = count = seen.get(tag, 0) + 1
        yield element, f"{prefix}{tag}" if count == 1 else f"{prefix}{tag}[{count}]"


def step(element: Element, attribute: str = "") -> str:
    """A key's step for an element, or for one of its attributes: its name as written, dots marked as its own."""
    name = attribute or str(element.tag)
    return name if name.isidentifier() else qualified(element, attribute or None).replace(".", "\\.")


def parted(key: str) -> tuple[str, str]:
    """The path before a key's last step, empty where it is the only one, and that step."""
    path, _, last = key.rpartition(".")
    if path[-1:] == "\\":  # the dot belongs to the name
        cut = max((found.start() for found in _DOT.finditer(key)), default=-1)
        return key[: max(cut, 0)], key[cut + 1 :]
    return path, last


class KeyStep(NamedTuple):
    """A step of a key: the name of a tag or attribute in the file, and its number among those of the same name."""

    name: str
    number: int


class KeySteps(dict[str, KeyStep]):
    """The steps of a robot's keys, by their text; each is understood once."""

    def __init__(self, robot: Mapping[str, str]) -> None:
        """With the prefixes that a robot's props declare; of several for one namespace the first is written."""
        super().__init__()
        uris: dict[str, str] = {XML_NAMESPACE: "xml"}
        declared = {key.removeprefix(XMLNS): uri for key, uri in robot.items() if key.startswith(XMLNS)}
        self._prefixes = {"xml": "xml"} | {prefix: uris.setdefault(uri, prefix) for prefix, uri in declared.items()}

    def __missing__(self, text: str) -> KeyStep:
        """Parse a step; raises Unwritable."""
        found = _STEP.fullmatch(text)
        if found is None:
            raise Unwritable(f"`{text}` is not a tag or attribute")
        self[text] = step = KeyStep(self._name(found[1].replace("\\.", ".")), int(found[2] or 1))
        return step

    def _name(self, name: str) -> str:
        prefix, colon, local = name.rpartition(":")
        if colon and prefix not in self._prefixes:
            raise Unwritable(f"the prefix `{prefix}` has no namespace")
        return f"{self._prefixes[prefix]}:{checked_name(local)}" if colon else checked_name(local)


def checked_name(name: str) -> str:
    """A name without a prefix that XML allows."""
    if name == "xmlns":
        raise Unwritable("XML reserves the name `xmlns`")
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]*", name):
        return name
    from lxml import etree

    return str(etree.QName(name))


def apply(holder: Node, props: Mapping[str, str], core: Container[str], steps: KeySteps) -> Iterator[tuple[str, str]]:
    """Put properties back as the elements they came from; gives the keys that cannot be, each with the reason.

    Core tags are never made, only completed: a property of the second `<visual>` needs a second one to be there. What
    is there already is never overwritten.
    """
    if not props:
        return
    builder = _PropsBuilder(holder, core, steps)
    for key, value in props.items():
        try:
            if not_xml(value):
                raise Unwritable("its value has characters that XML does not allow")
            if key.endswith(f".{FORM}") and key.removesuffix(f".{FORM}") in props:
                continue  # the mark of another prop
            is_element = props.get(f"{key}.{FORM}") == ELEMENT
            builder.put(f"{key}.{TEXT}" if is_element else key, value)
        except ValueError as error:
            yield key, str(error)


class _PropsBuilder:
    """Makes elements under a holder, and finds again, by their paths, those that are there."""

    def __init__(self, holder: Node, core: Container[str], steps: KeySteps) -> None:
        self.holder, self.core, self.steps = holder, core, steps
        self._at: dict[str, Node] = {"": holder}
        self._inside: dict[Node, dict[str, list[Node]]] = {}  # the children of each tag

    def put(self, key: str, value: str) -> None:
        path, last = parted(key)
        if path and last == TEXT:
            self._element(path).text = value or None
        elif path and last == TAIL:
            self._element(path).tail = value
        elif path and path[0] != OWN:
            self._set(path, last, value)
        elif key.startswith(XMLNS):
            self._declare(key.removeprefix(XMLNS), value)
        elif key.startswith(OWN):
            self._set("", key.removeprefix(OWN), value)
        else:
            raise Unwritable("it has no attribute: keys are `tag.attribute`")

    def _declare(self, prefix: str, uri: str) -> None:
        if self.holder.tag != "robot":
            raise Unwritable("the robot declares the namespaces")
        if prefix.startswith("xml") or uri in ("", XML_NAMESPACE, XMLNS_NAMESPACE):
            raise Unwritable("XML reserves that prefix or that namespace")
        self.holder.set(f"xmlns:{checked_name(prefix)}", uri)

    def _set(self, path: str, last: str, value: str) -> None:
        attribute, number = self.steps[last]  # before anything is made
        if number != 1:
            raise Unwritable("attributes have no number")
        element = self._element(path)
        if element.get(attribute) is not None:
            raise Unwritable(f"<{element.tag}> has its own `{attribute}`")
        element.set(attribute, value)

    def _element(self, path: str) -> Node:
        """The element at a path; what is missing of it is made, once all its names are good."""
        known = self._at.get(path)
        if known is not None:
            return known
        if path.count(".") - path.count("\\.") >= DEEPEST:
            raise Unwritable(f"it nests deeper than {DEEPEST} levels")
        above, last = parted(path)
        name, number = self.steps[last]
        parent = self._at.get(above)
        if parent is None:
            parent = self._element(above)
        inside = self._inside.get(parent)
        if inside is None:
            inside = self._inside[parent] = grouped(parent)
        same = inside.setdefault(name, [])
        if number > len(same):
            if not above and name in self.core:
                raise Unwritable(f"there is no `{name}` number {number} to complete")
            if number > len(same) + 1:
                raise Unwritable(f"there is no `{name}` number {number - 1} before it")
            same.append(add_node(parent, name))
        self._at[path] = here = same[number - 1]
        return here
