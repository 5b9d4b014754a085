r"""Elements that URDF has no type for, as flat properties, and back.

The rule. Each step of a key is a tag, the last step an attribute, joined by dots: `<flatsim><turning radius="2.4"/>`
is `flatsim.turning.radius`. Beyond that, with characters that no XML name contains:

    tag[2].attribute    the second `<tag>` of its parent (the first has no number)
    tag.#text           the text of `<tag>`; empty text for an element that has nothing at all
    tag.#tail           text that follows `<tag>` inside its parent
    @attribute          an attribute of the robot, link or joint itself that URDF does not know
    \.                  a dot that belongs to a name
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from lxml import etree

from swgrm_exporters.xmltext import XML_NAMESPACE, Element, children, qualified

DEEPEST = 200  # [levels] below what XML readers accept
TEXT, TAIL, OWN = "#text", "#tail", "@"
_STEP = re.compile(r"((?:[^.\\\[\]]|\\\.)+)(?:\[([1-9][0-9]*)\])?")
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
XMLNS = "@xmlns:"


class Unwritable(ValueError):
    """A key that cannot be an element, or a value that XML cannot hold."""


def flatten(element: Element, path: str) -> Iterator[tuple[str, str]]:
    """The properties of an element and all below it."""
    stack = [(element, path)]
    while stack:
        here, at = stack.pop()
        inner = list(children(here))
        for name, value in here.attrib.items():
            yield f"{at}.{escaped(qualified(here, str(name)))}", str(value)
        text = here.text or ""
        if text.strip() or not (inner or here.attrib):
            yield f"{at}.{TEXT}", text if text.strip() else ""
        if (here.tail or "").strip() and here is not element:
            yield f"{at}.{TAIL}", here.tail or ""
        stack.extend(reversed(list(numbered(inner, f"{at}."))))


def numbered(elements: list[Element], prefix: str = "") -> Iterator[tuple[Element, str]]:
    """Sibling elements with their keys: the tag, from the second of its kind on with its number."""
    seen: dict[str, int] = {}
    for element in elements:
        tag = escaped(qualified(element))
        seen[tag] = count = seen.get(tag, 0) + 1
        yield element, f"{prefix}{tag}" if count == 1 else f"{prefix}{tag}[{count}]"


def escaped(name: str) -> str:
    """A name with its dots marked as its own."""
    return name.replace(".", "\\.") if "." in name else name


@lru_cache(maxsize=4096)
def split_key(key: str) -> tuple[tuple[str, int], ...]:
    """The steps of a key: names with their numbers."""
    steps = []
    for part in re.split(r"(?<!\\)\.", key):
        found = _STEP.fullmatch(part)
        if found is None:
            raise Unwritable(f"`{part}` is not a tag or attribute")
        steps.append((found[1].replace("\\.", "."), int(found[2] or 1)))
    return tuple(steps)


@lru_cache(maxsize=4096)
def plain_name(name: str) -> str:
    """A name without a prefix, if XML allows it."""
    return str(etree.QName(name))


def apply(holder: Element, props: Mapping[str, str], core: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Put properties back as the elements they came from; gives the keys that cannot be, each with the reason.

    Core tags are never made, only completed: a property of the second `<visual>` needs a second one to be there.
    """
    builder = _Builder(holder, core)
    for key, value in props.items():
        try:
            builder.put(key, value)
        except ValueError as error:
            yield key, str(error)


class _Builder:
    """Makes elements under a holder, and finds again those it made."""

    def __init__(self, holder: Element, core: frozenset[str]) -> None:
        self.holder, self.core = holder, core
        self._at: dict[tuple[tuple[str, int], ...], Element] = {(): holder}
        self._found: dict[tuple[Element, str], list[Element]] = {}

    def put(self, key: str, value: str) -> None:
        if key.startswith(XMLNS):
            return  # declared where the root is made
        if key.startswith(OWN):
            self.holder.set(self._clark(key[1:].replace("\\.", ".")), value)
            return
        steps = split_key(key)
        tags, (last, number) = steps[:-1], steps[-1]
        if not tags:
            raise Unwritable("it has no attribute: keys are `tag.attribute`")
        if number != 1:
            raise Unwritable("attributes have no number")
        if len(tags) > DEEPEST:
            raise Unwritable(f"it nests deeper than {DEEPEST} levels")
        if _NOT_XML.search(value):
            raise Unwritable("its value has characters that XML cannot hold")
        if last.startswith("#") and last not in (TEXT, TAIL):
            raise Unwritable(f"`{last}` is not an attribute")
        attribute = last if last.startswith("#") else self._clark(last)  # before anything is made
        here = self._element(tags)
        if last == TEXT:
            here.text = value or None
        elif last == TAIL:
            here.tail = value
        else:
            here.set(attribute, value)

    def _element(self, tags: tuple[tuple[str, int], ...]) -> Element:
        """The element at the end of a path of tags; what is missing of it is made, once all its names are good."""
        known = self._at.get(tags)
        if known is not None:
            return known
        name, count = self._clark(tags[-1][0]), tags[-1][1]
        here = self._child(self._element(tags[:-1]), name, count, can_make=len(tags) > 1 or name not in self.core)
        self._at[tags] = here
        return here

    def _child(self, parent: Element, name: str, number: int, *, can_make: bool) -> Element:
        same = self._found.setdefault((parent, name), [])
        if not same:
            same.extend(parent.findall(name))
        if number <= len(same):
            return same[number - 1]
        if not can_make:
            raise Unwritable(f"there is no `{name}` number {number} to complete")
        if number > len(same) + 1:
            raise Unwritable(f"there is no `{name}` number {number - 1} before it")
        same.append(etree.SubElement(parent, name))
        return same[-1]

    def _clark(self, name: str) -> str:
        """A written name as lxml wants it: its prefix as a namespace."""
        prefix, colon, local = name.partition(":")
        if not colon:
            return plain_name(name)
        uri = XML_NAMESPACE if prefix == "xml" else self.holder.nsmap.get(prefix)
        if uri is None:
            raise Unwritable(f"the prefix `{prefix}` has no namespace")
        return str(etree.QName(uri, local))
