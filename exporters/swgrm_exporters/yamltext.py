"""YAML text to plain values and back: safe, without aliases, however deeply it nests, every problem with its line."""

from __future__ import annotations

from typing import Any

import yaml
from yaml.constructor import SafeConstructor
from yaml.resolver import Resolver

from swgrm.errors import SwgrmError

DEEPEST = 100  # levels; a RobotInfo file has ten

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_ENDLESS = 1 << 16  # [columns] nothing is wrapped


class YamlProblem(SwgrmError):
    """What is wrong with a YAML text, and where."""

    def __init__(self, place: str, problem: str) -> None:
        self.place, self.problem = place, problem
        super().__init__(f"{place}: {problem}" if place else problem)


class _Scalars(SafeConstructor, Resolver):
    """What a plain word means: 1.5 is a number, yes is true, joint_1 is a text."""

    def __init__(self) -> None:
        SafeConstructor.__init__(self)
        Resolver.__init__(self)

    def value(self, event: yaml.ScalarEvent) -> Any:  # noqa: ANN401 - any YAML scalar
        tag = event.tag or self.resolve(yaml.ScalarNode, event.value, event.implicit)  # type: ignore[no-untyped-call]
        value = self.construct_object(yaml.ScalarNode(tag, event.value), deep=True)
        self.constructed_objects.clear()
        return value


def parse(text: str) -> Any:  # noqa: ANN401 - YAML is what it is
    """The value of a YAML document, or a YamlProblem."""
    try:
        return _build(text)
    except yaml.MarkedYAMLError as error:
        raise YamlProblem(_place(error.problem_mark), f"this is not YAML: {error.problem}.") from None
    except yaml.YAMLError as error:
        raise YamlProblem("", f"this is not YAML: {' '.join(str(error).split())}.") from None


def dump(value: Any) -> str:  # noqa: ANN401 - any plain value
    """The YAML text of a plain value: block style, keys in the order given, numbers with all their digits."""
    text: str = yaml.dump(value, Dumper=_DUMPER, sort_keys=False, allow_unicode=True, width=_ENDLESS)
    return text


def dump_inline(value: Any) -> str:  # noqa: ANN401 - any plain value
    """The YAML text of a plain value in one line."""
    text: str = yaml.dump(
        [value], Dumper=_DUMPER, sort_keys=False, allow_unicode=True, width=_ENDLESS, default_flow_style=True
    )
    return text.strip().removeprefix("[").removesuffix("]")


_NO_KEY = object()


class _Open:
    """A collection that is being filled."""

    def __init__(self, holder: dict[Any, Any] | list[Any]) -> None:
        self.holder, self.key = holder, _NO_KEY

    def put(self, value: Any, event: yaml.Event) -> None:  # noqa: ANN401 - any YAML value
        if isinstance(self.holder, list):
            self.holder.append(value)
        elif self.key is not _NO_KEY:
            self.holder[self.key], self.key = value, _NO_KEY
        elif isinstance(value, dict | list):
            raise YamlProblem(_place(event.start_mark), "a key is a collection; write a word.")
        elif value in self.holder:
            raise YamlProblem(_place(event.start_mark), f"the key `{value}` stands here twice; keep one.")
        else:
            self.key = value


def _build(text: str) -> Any:  # noqa: ANN401 - YAML is what it is
    """Values from the parser's events, with a list where others recurse: deep nesting crashes the library's own."""
    scalars = _Scalars()
    top = _Open([])
    stack = [top]
    for event in yaml.parse(text, Loader=_LOADER):
        if isinstance(event, yaml.AliasEvent):
            raise YamlProblem(_place(event.start_mark), f"the alias `*{event.anchor}`; write the value out.")
        if isinstance(event, yaml.ScalarEvent):
            stack[-1].put(_scalar(scalars, event), event)
        elif isinstance(event, yaml.CollectionStartEvent):
            opened: dict[Any, Any] | list[Any] = {} if isinstance(event, yaml.MappingStartEvent) else []
            stack[-1].put(opened, event)
            stack.append(_Open(opened))
            if len(stack) > DEEPEST:
                raise YamlProblem(_place(event.start_mark), f"it nests deeper than {DEEPEST} levels.")
        elif isinstance(event, yaml.CollectionEndEvent):
            stack.pop()
    assert isinstance(top.holder, list)  # noqa: S101 - made above
    if len(top.holder) > 1:
        raise YamlProblem("", f"the file holds {len(top.holder)} documents; keep one.")
    return top.holder[0] if top.holder else None


def _scalar(scalars: _Scalars, event: yaml.ScalarEvent) -> Any:  # noqa: ANN401 - any YAML scalar
    try:
        return scalars.value(event)
    except (ValueError, OverflowError, LookupError) as error:
        raise YamlProblem(_place(event.start_mark), f"`{event.value[:40]}` cannot be read: {error}.") from None


def _place(mark: Any) -> str:  # noqa: ANN401 - the parser in C has marks of its own
    return f"line {mark.line + 1}, column {mark.column + 1}" if mark else ""
