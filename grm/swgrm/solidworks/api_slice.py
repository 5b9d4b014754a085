"""The slice of the SolidWorks API as data: interfaces, members, parameters and dispids, read from text files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

MemberKind = Literal["method", "get", "put"]
Direction = Literal["in", "out", "inout"]

READING = Path(__file__).with_name("solidworks.txt")  # the members that read documents
MODELLING = READING.with_name("modelling.txt")  # the members that build and drive them, for the self-test
DISPIDS = READING.with_name("dispids.txt")  # the numbers by which members are called over COM

_INTERFACE = re.compile(r"interface (\w+)(?: \{([0-9A-F-]{36})\})?")
_MEMBER = re.compile(r"(method|get|put) (\w+)\((.*)\) -> (\S+)(?: (~)(\d*))?")
_ARRAY = re.compile(r"\w+\[(\d*)([+*]?)\]\??")


class ComError(Exception):
    """Raised when a COM call fails: the HRESULT and, if given, a description. The port translates it for callers."""

    def __init__(self, hresult: int, description: str = "") -> None:
        self.hresult, self.description = hresult & 0xFFFFFFFF, description
        super().__init__(f"0x{self.hresult:08X}" + (f" ({description})" if description else ""))


QUICK_TYPES: dict[str, type] = {"BSTR": str, "VARIANT_BOOL": bool, "bool": bool, "long": int}


@dataclass(frozen=True)
class Type:
    """A COM type and, where the type does not determine it, the content type: a VARIANT that contains double[]."""

    com: str
    holds: str = ""

    @cached_property
    def content(self) -> str:
        """The content type without pointers and brackets: an interface, or the type of a number or text."""
        return (self.holds or self.com).rstrip("*?").partition("[")[0]

    @cached_property
    def is_array(self) -> bool:
        """Whether the value is an array."""
        return _ARRAY.fullmatch(self.holds) is not None

    @cached_property
    def _length(self) -> tuple[int, str]:
        """The number in an array's brackets, 0 for none, and its sign: exactly, at least (+), a multiple of (*)."""
        match = _ARRAY.fullmatch(self.holds)
        return (0, "") if match is None or not match[1] else (int(match[1]), match[2])

    def fits(self, length: int) -> bool:
        """Whether an array of the type may have this length."""
        count, sign = self._length
        if not count or (length == 0 and self.may_be_none):
            return True
        return length == count if not sign else length >= count if sign == "+" else length % count == 0

    @cached_property
    def may_be_none(self) -> bool:
        """Whether the object may be None, or the array empty."""
        return self.holds.endswith("?")

    @cached_property
    def is_object(self) -> bool:
        """Whether the value is an object or an array of objects."""
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
    is_optional: bool = False  # if it fails, a default is used: the number `default`, or nothing
    default: int = 0
    dispid: int = 0  # by which it is called over COM; 0: unknown, so that each object is asked for it
    # Every call to SolidWorks reads these, and attributes are faster than properties.
    full_name: str = field(init=False, compare=False)  # the interface and the name, separated by a dot
    key: str = field(init=False, compare=False)  # what tells it from every other member
    quick_type: type | None = field(init=False, compare=False)  # of results that need no check and no conversion

    def __post_init__(self) -> None:
        name = f"{self.interface}.{self.name}"
        quick = None if self.outputs else QUICK_TYPES.get(self.returns.holds or self.returns.com)
        for attribute, value in (("full_name", name), ("key", f"{self.kind} {name}"), ("quick_type", quick)):
            object.__setattr__(self, attribute, value)

    @cached_property
    def inputs(self) -> tuple[Parameter, ...]:
        """The parameters that a caller passes: in and inout."""
        return tuple(p for p in self.parameters if p.direction != "out")

    @cached_property
    def outputs(self) -> tuple[Parameter, ...]:
        """The parameters that are returned after the result: out and inout."""
        return tuple(p for p in self.parameters if p.direction != "in")

    @cached_property
    def is_plain_property(self) -> bool:
        """Whether it is read like an attribute: a get without parameters."""
        return self.kind == "get" and not self.parameters

    @cached_property
    def is_indexed_put(self) -> bool:
        """Whether it is a put with an index before the value."""
        return self.kind == "put" and len(self.parameters) > 1

    @cached_property
    def result_types(self) -> tuple[Type, ...]:
        """The types of all returned values: the result, then the outputs."""
        return (self.returns, *(parameter.type for parameter in self.outputs))

    def __str__(self) -> str:
        return self.full_name


@dataclass(frozen=True)
class Interface:
    """An interface: its members by kind and name, and its IID, if known."""

    name: str
    iid: str
    members: dict[tuple[MemberKind, str], Member]

    def find(self, name: str) -> list[Member]:
        """The members with a name: a method, or a property's get and put."""
        return [member for (_, member_name), member in self.members.items() if member_name == name]


@cache
def interfaces() -> dict[str, Interface]:
    """Every interface of the slice by name, with the members of both files."""
    merged = {name: Interface(name, found.iid, {}) for part in parts() for name, found in part.items()}
    for part in parts():
        for name, found in part.items():
            merged[name].members.update(found.members)
    return merged


@cache
def parts() -> tuple[dict[str, Interface], dict[str, Interface]]:
    """The interfaces of each file: those that read documents, and those that build and drive them."""
    reading, modelling = (parse(file.read_text(encoding="utf-8"), file.name) for file in (READING, MODELLING))
    return reading, modelling


@cache
def dispids() -> dict[str, int]:
    """The dispids of members by interface and name, separated by a dot."""
    pairs = (line.split(" ") for line in _statements(DISPIDS.read_text(encoding="utf-8")))
    return {name: int(number) for name, number in pairs}


def parse(text: str, file: str = READING.name) -> dict[str, Interface]:
    """Parses the text of a slice and returns its interfaces by name; `file` is for messages."""
    found: dict[str, Interface] = {}
    interface = Interface("", "", {})
    for line in _statements(text):
        if match := _INTERFACE.fullmatch(line):
            interface = Interface(match[1], match[2] or "", {})
            found[interface.name] = interface
        else:
            member = _member(interface.name, line, file)
            if (member.kind, member.name) in interface.members:
                raise ValueError(f"{file}: {member} ({member.kind}) is listed twice")
            interface.members[member.kind, member.name] = member
    return found


def _statements(text: str) -> Iterator[str]:
    return (line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#"))


def _member(interface: str, line: str, file: str) -> Member:
    match = _MEMBER.fullmatch(line)
    if match is None:
        raise ValueError(f"{file}: this line is not a member: {line}")
    parameters = tuple(_parameter(text) for text in match[3].split(", ") if text)
    kind: MemberKind = match[1]  # type: ignore[assignment] # the pattern admits no other
    dispid = dispids().get(f"{interface}.{match[2]}", 0)
    return Member(interface, kind, match[2], parameters, _type(match[4]), bool(match[5]), int(match[6] or 0), dispid)


def _parameter(text: str) -> Parameter:
    direction, com, name = text.split(" ")
    return Parameter(name, direction, _type(com))  # type: ignore[arg-type] # checked by the slice's test


def _type(text: str) -> Type:
    com, _, holds = text.partition(":")
    return Type(com, holds)
