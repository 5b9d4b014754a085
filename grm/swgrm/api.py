"""The slice of the SolidWorks API as data: interfaces, members, parameters; it stands in solidworks.txt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

MemberKind = Literal["method", "get", "put"]
Direction = Literal["in", "out", "inout"]

SLICE = Path(__file__).with_name("solidworks.txt")

_INTERFACE = re.compile(r"interface (\w+)(?: \{([0-9A-F-]{36})\})?")
_MEMBER = re.compile(r"(method|get|put) (\w+)\((.*)\) -> (\S+)")


class ComError(Exception):
    """What COM reports when a call fails: the HRESULT and, maybe, a description. It never leaves the port."""

    def __init__(self, hresult: int, description: str = "") -> None:
        self.hresult, self.description = hresult & 0xFFFFFFFF, description
        super().__init__(f"0x{self.hresult:08X}" + (f" ({description})" if description else ""))


@dataclass(frozen=True)
class Type:
    """A COM type, and what it holds where its name does not say: VARIANT that holds double[]."""

    com: str
    holds: str = ""

    @cached_property
    def content(self) -> str:
        """What it holds, without pointers and brackets: an interface, or the type of a number or text."""
        return (self.holds or self.com).rstrip("*?").removesuffix("[]")

    @cached_property
    def is_array(self) -> bool:
        """Whether it holds an array."""
        return self.holds.endswith("[]")

    @cached_property
    def may_be_nothing(self) -> bool:
        """Whether an object may be missing."""
        return self.holds.endswith("?")

    @cached_property
    def is_object(self) -> bool:
        """Whether it holds an object, or objects."""
        return re.match(r"I[A-Z]", self.content) is not None


@dataclass(frozen=True)
class Parameter:
    """A parameter of a member."""

    name: str
    direction: Direction
    type: Type


@dataclass(frozen=True)
class Member:
    """A method, or one half (get or put) of a property."""

    interface: str
    kind: MemberKind
    name: str
    parameters: tuple[Parameter, ...]
    returns: Type

    @cached_property
    def inputs(self) -> tuple[Parameter, ...]:
        """The parameters that a caller gives."""
        return tuple(p for p in self.parameters if p.direction != "out")

    @cached_property
    def outputs(self) -> tuple[Parameter, ...]:
        """The parameters that come back beside the result."""
        return tuple(p for p in self.parameters if p.direction != "in")

    @cached_property
    def is_plain_property(self) -> bool:
        """Whether it is read like an attribute: a get without an index."""
        return self.kind == "get" and not self.parameters

    @cached_property
    def full_name(self) -> str:
        """Interface and name."""
        return f"{self.interface}.{self.name}"

    @cached_property
    def result_types(self) -> tuple[Type, ...]:
        """The types of what comes back: the result, then the outputs."""
        return (self.returns, *(parameter.type for parameter in self.outputs))

    def __str__(self) -> str:
        return self.full_name


@dataclass(frozen=True)
class Interface:
    """An interface: its members by kind and name; its IID where known."""

    name: str
    iid: str
    members: dict[tuple[MemberKind, str], Member]

    def find(self, name: str) -> list[Member]:
        """The members of that name: a method, or a property's get and put."""
        return [member for (_, member_name), member in self.members.items() if member_name == name]


@cache
def interfaces() -> dict[str, Interface]:
    """Every interface of the slice by name."""
    return parse(SLICE.read_text(encoding="utf-8"))


def parse(text: str) -> dict[str, Interface]:
    """The interfaces that a slice's text describes."""
    found: dict[str, Interface] = {}
    interface = Interface("", "", {})
    for line in _statements(text):
        if match := _INTERFACE.fullmatch(line):
            interface = Interface(match[1], match[2] or "", {})
            found[interface.name] = interface
        else:
            member = _member(interface.name, line)
            if (member.kind, member.name) in interface.members:
                raise ValueError(f"{SLICE.name}: {member} ({member.kind}) stands there twice")
            interface.members[member.kind, member.name] = member
    return found


def _statements(text: str) -> Iterator[str]:
    return (line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#"))


def _member(interface: str, line: str) -> Member:
    match = _MEMBER.fullmatch(line)
    if match is None:
        raise ValueError(f"{SLICE.name}: not a member: {line}")
    parameters = tuple(_parameter(text) for text in match[3].split(", ") if text)
    kind: MemberKind = match[1]  # type: ignore[assignment] # the pattern admits no other
    return Member(interface, kind, match[2], parameters, _type(match[4]))


def _parameter(text: str) -> Parameter:
    direction, com, name = text.split(" ")
    return Parameter(name, direction, _type(com))  # type: ignore[arg-type] # checked by the slice's test


def _type(text: str) -> Type:
    com, _, holds = text.partition(":")
    return Type(com, holds)
