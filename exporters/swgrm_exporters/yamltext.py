"""YAML text to plain values and back: safe, bounded in depth and size, every problem with its line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import yaml
from yaml.constructor import SafeConstructor
from yaml.resolver import Resolver

from swgrm.errors import SwgrmError

MOST_BITS = 1000  # of an integer
DEEPEST = 100  # levels; a RobotInfo file has ten
LARGEST = 5_000_000  # values, those that aliases repeat counted each time

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_ENDLESS = 1 << 16  # [columns] nothing is wrapped


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]  # chosen where it runs
    """Writes repeated values in full instead of aliases."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ANN401, ARG002 - any value is written out
        return True


class YamlProblem(SwgrmError):
    """What is wrong with a YAML text, and where."""

    def __init__(self, place: str, problem: str) -> None:
        self.place, self.problem = place, problem
        super().__init__(place, problem)  # pickle calls the class with these

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}" if self.place else self.problem


class _Scalars(SafeConstructor, Resolver):
    """What a plain word means: 1.5 is a number, yes is true, joint_1 is a text."""

    def __init__(self) -> None:
        SafeConstructor.__init__(self)
        Resolver.__init__(self)

    def value(self, event: yaml.ScalarEvent) -> Any:  # noqa: ANN401 - any YAML scalar
        tag = event.tag or self.resolve(yaml.ScalarNode, event.value, event.implicit)  # type: ignore[no-untyped-call]
        if ":" in event.value and tag.endswith(
            (":int", ":float")
        ):  # to the base 60, which takes long, and nobody means
            return event.value
        value = self.construct_object(yaml.ScalarNode(tag, event.value), deep=True)
        self.constructed_objects.clear()
        if isinstance(value, int) and value.bit_length() > MOST_BITS:  # no number of 64 bits is so large
            return math.inf if value > 0 else -math.inf
        return value


def parse(text: str, *, as_text: bool = False) -> Any:  # noqa: ANN401 - YAML is what it is
    """The value of a YAML document, or a YamlProblem; every scalar as the text that the user wrote, if wanted so."""
    try:
        return _build(text, as_text)
    except yaml.MarkedYAMLError as error:
        raise YamlProblem(_place(error.problem_mark), _in_plain_words(error, text)) from None
    except yaml.YAMLError as error:
        raise YamlProblem("", f"this is not YAML: {' '.join(str(error).split())}.") from None


def key_line(text: str, path: Sequence[str]) -> int | None:
    """The line of a key or list entry of a YAML text that can be parsed; None if it has none.

    Only this path is followed: aliases may repeat a small text a million times.
    """
    node, line = yaml.compose(text, Loader=_LOADER), None
    for name in path:
        entries: list[tuple[str, Any, Any]] = []
        if isinstance(node, yaml.MappingNode):
            entries = [(str(key.value), key, value) for key, value in node.value]
        elif isinstance(node, yaml.SequenceNode):
            entries = [(str(number), value, value) for number, value in enumerate(node.value)]
        entry = next((entry for entry in entries if entry[0] == name), None)
        if entry is None:
            return None
        _, marked, node = entry
        line = marked.start_mark.line + 1
    return line


_PROBLEMS = (  # of YAML's parsers, in C and in Python, and what they mean
    ("mapping values are not allowed", "a colon is not expected here. Write one NAME: VALUE per line"),
    ("did not find expected key", "the indentation does not match that of the lines above"),
    ("expected <block end>", "the indentation does not match that of the lines above"),
    ("could not find expected ':'", "a colon is missing. Write NAME: VALUE"),
)


def _in_plain_words(error: yaml.MarkedYAMLError, text: str) -> str:
    lines = text.splitlines()
    number = error.problem_mark.line if error.problem_mark else len(lines)
    if number < len(lines) and lines[number][: len(lines[number]) - len(lines[number].lstrip())].count("\t"):
        return "the line begins with a tab. Use spaces."
    for words, meaning in _PROBLEMS:
        if words in str(error.problem):
            return f"{meaning}."
    return f"this is not YAML: {error.problem}."


def dump(value: Any) -> str:  # noqa: ANN401 - any plain value
    """The YAML text of a plain value: block style, keys in the order given, numbers with all their digits."""
    text: str = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_ENDLESS)
    return text


def dump_inline(value: Any) -> str:  # noqa: ANN401 - any plain value
    """The YAML text of a plain value in one line."""
    text: str = yaml.dump(
        [value], Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_ENDLESS, default_flow_style=True
    )
    return text.strip().removeprefix("[").removesuffix("]")


_NO_KEY = object()


class _Open:
    """A collection that is being filled; its size counts all values in it."""

    def __init__(self, holder: dict[Any, Any] | list[Any], anchor: str | None = None) -> None:
        self.holder, self.anchor, self.key, self.size = holder, anchor, _NO_KEY, 1

    def put(self, value: Any, event: yaml.Event, size: int = 1) -> None:  # noqa: ANN401 - any YAML value
        self.size += size
        if self.size > LARGEST:
            raise YamlProblem(_place(event.start_mark), f"it contains more than {LARGEST:,} values.")
        if isinstance(self.holder, list):
            self.holder.append(value)
        elif self.key is not _NO_KEY:
            self.holder[self.key], self.key = value, _NO_KEY
        elif isinstance(value, dict | list):
            raise YamlProblem(_place(event.start_mark), "a key is a collection; write a word.")
        elif value in self.holder:
            raise YamlProblem(_place(event.start_mark), _duplicate(value, list(self.holder.values())[-1]))
        else:
            self.key = value


def _duplicate(key: Any, before: Any) -> str:  # noqa: ANN401 - any YAML values
    """The problem with a second key: `{lower: -1,5, upper: 1,5}` has the key 5 twice, because of its commas."""
    if type(key) is int and type(before) in (int, float):
        return f"{before},{key} is two values here; write {before}.{key}."
    return f"the key `{key}` is here twice; keep one."


class _YamlBuilder:
    """Builds values from the parser's events with a stack; the library's own recursion crashes on deep nesting."""

    def __init__(self, as_text: bool) -> None:
        self.scalars, self.as_text = _Scalars(), as_text
        self.stack = [_Open([])]
        self.anchors: dict[str, tuple[Any, int]] = {}

    def take(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.ScalarEvent):
            value = event.value if self.as_text else _scalar(self.scalars, event)
            if event.anchor is not None:
                self.anchors[event.anchor] = value, 1
            self.stack[-1].put(value, event)
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in self.anchors:
                raise YamlProblem(_place(event.start_mark), f"the alias `*{event.anchor}` names nothing before it.")
            value, size = self.anchors[event.anchor]
            self.stack[-1].put(value, event, size)
        elif isinstance(event, yaml.CollectionStartEvent):
            self.stack.append(_Open({} if isinstance(event, yaml.MappingStartEvent) else [], event.anchor))
            if len(self.stack) > DEEPEST:
                raise YamlProblem(_place(event.start_mark), f"it nests deeper than {DEEPEST} levels.")
        elif isinstance(event, yaml.CollectionEndEvent):
            closed = self.stack.pop()
            if closed.anchor is not None:
                self.anchors[closed.anchor] = closed.holder, closed.size
            self.stack[-1].put(closed.holder, event, closed.size)


def _build(text: str, as_text: bool) -> Any:  # noqa: ANN401 - YAML is what it is
    builder = _YamlBuilder(as_text)
    for event in yaml.parse(text, Loader=_LOADER):
        builder.take(event)
    documents = list(builder.stack[0].holder)
    if len(documents) > 1:
        raise YamlProblem("", f"the file contains {len(documents)} documents; keep one.")
    return documents[0] if documents else None


def _scalar(scalars: _Scalars, event: yaml.ScalarEvent) -> Any:  # noqa: ANN401 - any YAML scalar
    try:
        return scalars.value(event)
    except (ValueError, OverflowError, LookupError, AttributeError, TypeError) as error:
        raise YamlProblem(_place(event.start_mark), f"`{event.value[:40]}` cannot be read: {error}.") from None


def _place(mark: Any) -> str:  # noqa: ANN401 - the parser in C has marks of its own
    return f"line {mark.line + 1}, column {mark.column + 1}" if mark else ""
