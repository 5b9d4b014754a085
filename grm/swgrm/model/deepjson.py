"""An iterative JSON parser, for texts that are nested too deeply for recursive parsers."""

from __future__ import annotations

import math
import re
from typing import Any

from swgrm.errors import SwgrmError

_SPACE = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(
    r'(?P<string>"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")'
    r"|(?P<number>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?P<word>true|false|null)"
)
DEEPEST = 200_000  # levels; a frame and its list of children are two
_CLOSES = {"{": "}", "[": "]"}


class JsonProblem(SwgrmError):
    """Raised when a text is not the expected JSON: the place and the problem."""

    def __init__(self, place: str, problem: str) -> None:
        self.place, self.problem = place, problem
        super().__init__(place, problem)  # pickle calls the class with these

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}" if self.place else self.problem


def line_and_column(data: bytes | str, offset: int) -> str:
    """The position of an offset as 'line 3, column 7'."""
    before = data[:offset] if isinstance(data, str) else data[:offset].decode("utf-8", "replace")
    return f"line {before.count(chr(10)) + 1}, column {len(before) - before.rfind(chr(10))}"


class _Parser:
    """A position in a text, which advances as tokens are consumed."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.skip()

    def skip(self) -> None:
        self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]  # matches everywhere

    def next_is(self, character: str) -> bool:
        """Consumes a character if it is next; returns whether it was."""
        if not self.text.startswith(character, self.at):
            return False
        self.at += 1
        self.skip()
        return True

    def opening(self) -> str:
        """Consumes an opening bracket if it is next and returns it; empty if it is not."""
        character = self.text[self.at : self.at + 1]
        return character if character in _CLOSES and self.next_is(character) else ""

    def expect(self, character: str) -> None:
        if not self.next_is(character):
            raise self.problem(f"`{character}`")

    def scalar(self, wanted: str = "a value") -> Any:  # noqa: ANN401 - any JSON value
        found = _SCALAR.match(self.text, self.at)
        if found is None or (wanted == "a key" and found["string"] is None):
            raise self.problem(wanted)
        import json

        value = json.loads(found[0])
        if isinstance(value, float) and not math.isfinite(value):
            raise JsonProblem(line_and_column(self.text, self.at), f"the number {found[0]} is out of range.")
        self.at = found.end()
        self.skip()
        return value

    def problem(self, expected: str) -> JsonProblem:
        place = line_and_column(self.text, self.at)
        if self.at >= len(self.text):
            return JsonProblem(place, "the text ends in the middle; the file is truncated.")
        return JsonProblem(place, f"this is not JSON: expected {expected}, found `{self.text[self.at]}`.")


def parse(text: str) -> Any:  # noqa: ANN401 - any JSON value
    """Parses a JSON text of any depth up to DEEPEST levels."""
    parser = _Parser(text)
    result: list[Any] = []
    stack: list[tuple[str, Any]] = [("", result)]  # the open brackets, with their containers
    while True:
        bracket, container = stack[-1]
        key = _key(parser) if bracket == "{" else None
        opened = parser.opening()
        value: Any = {"{": dict, "[": list}[opened]() if opened else parser.scalar()
        if key is None:
            container.append(value)
        else:
            container[key] = value
        if opened and not parser.next_is(_CLOSES[opened]):
            stack.append((opened, value))
            if len(stack) > DEEPEST:
                raise JsonProblem(line_and_column(text, parser.at), f"it nests deeper than {DEEPEST:,} levels.")
            continue
        while not (len(stack) > 1 and parser.next_is(",")):  # close the containers that end here
            if len(stack) == 1:
                if parser.at < len(text):
                    raise parser.problem("the end")
                return result[0]
            parser.expect(_CLOSES[stack.pop()[0]])


def _key(parser: _Parser) -> str:
    key: str = parser.scalar("a key")
    parser.expect(":")
    return key
