"""USD's text parsed: a layer as prims with their metadata, attributes and relationships."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any, NoReturn

from swgrm.errors import FileError

_TOKENS = re.compile(
    r"""(?P<space>[\s;]+|\#[^\n]*)
    |(?P<string>\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<asset>@@@.*?@@@|@[^@\n]*@)
    |(?P<path><[^<>\n]*>)
    |(?P<number>[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|inf\b|nan\b))
    |(?P<word>[^\W\d][\w:.]*(?:\[\])?)
    |(?P<sign>[(){}\[\]=,:])""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_SPECIFIERS = ("def", "over", "class")
_EDITS = ("prepend", "append", "add", "delete", "reorder")
DEEPEST = 100  # prims or values inside each other


class UsdProblem(Exception):
    """What is wrong with a text, and in which line; `at` makes a FileError of it."""

    def __init__(self, problem: str, line: int = 0) -> None:
        super().__init__(problem)
        self.problem, self.line = problem, line

    def at(self, path: object) -> FileError:
        """The error for a file."""
        return FileError(str(path), self.problem, place=f"line {self.line}" if self.line else "")


class PrimPath(str):
    """The path of a prim or property: `</robot/Geometry/base>`."""

    __slots__ = ()


class AssetPath(str):
    """The name of a file: `@./Contents.usda@`."""

    __slots__ = ()


@dataclass
class PrimSpec:
    """What a layer has for one prim."""

    path: str
    type: str = ""
    is_over: bool = False
    metadata: dict[str, Any] = field(default_factory=dict)
    attributes: dict[str, Any] = field(default_factory=dict)  # by name, without its type
    schemas: list[str] = field(default_factory=list)


@dataclass
class UsdLayer:
    """A layer: its metadata, and its prims by path in their order."""

    metadata: dict[str, Any] = field(default_factory=dict)
    prims: dict[str, PrimSpec] = field(default_factory=dict)


def parse(text: str) -> UsdLayer:
    """The layer in a text; raises a UsdProblem where it is not USD."""
    if not text.startswith("#usda"):
        raise UsdProblem("it does not begin with `#usda`, so it is not a text layer of USD")
    return _Parser(text).layer()


class _Parser:
    """Reads the tokens of one text."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.kind, self.symbol = "", ""
        self.start = 0
        self.found = UsdLayer()
        self.advance()

    def advance(self) -> str:
        """Go to the next token, and return the one before."""
        last = self.symbol
        while True:
            match = _TOKENS.match(self.text, self.at)
            if match is None:
                if self.at < len(self.text):
                    self.fail(f"`{self.text[self.at : self.at + 20]}` cannot be read")
                self.kind, self.symbol, self.start = "end", "", self.at
                return last
            self.at = match.end()
            if match.lastgroup != "space":
                self.kind, self.symbol, self.start = str(match.lastgroup), match[0], match.start()
                return last

    def fail(self, problem: str) -> NoReturn:
        raise UsdProblem(problem, self.text.count("\n", 0, self.start) + 1)

    def expect(self, sign: str) -> None:
        if self.symbol != sign:
            self.fail(f"`{sign}` is expected, not `{self.symbol[:40]}`")
        self.advance()

    def layer(self) -> UsdLayer:
        if self.symbol == "(":
            self.found.metadata = self.metadata()
        while self.kind != "end":
            self.prim("", 0)
        return self.found

    def metadata(self) -> dict[str, Any]:
        """The entries between parentheses; edits such as `prepend` are taken as the list itself."""
        self.expect("(")
        found: dict[str, Any] = {}
        while self.symbol != ")":
            if self.kind == "string":
                self.advance()
                continue
            if self.symbol in _EDITS:
                self.advance()
            key = self.word()
            if self.kind == "word" and self.symbol != "=":
                key = self.word()  # a type before the name
            self.expect("=")
            value = self.value(0)
            if self.kind == "path" and isinstance(value, AssetPath):
                value = [(value, self.value(0))]
            found[key] = value
        self.advance()
        return found

    def word(self) -> str:
        if self.kind != "word":
            self.fail(f"a name is expected, not `{self.symbol[:40]}`")
        return self.advance()

    def prim(self, above: str, depth: int) -> None:
        if depth > DEEPEST:
            self.fail(f"prims are inside each other more than {DEEPEST} deep")
        specifier = self.word()
        if specifier not in _SPECIFIERS:
            self.fail(f"`def`, `over` or `class` is expected, not `{specifier[:40]}`")
        kind = self.word() if self.kind == "word" else ""
        if self.kind != "string":
            self.fail("a prim has no name")
        spec = PrimSpec(f"{above}/{_unquoted(self.advance())}", kind, specifier == "over")
        if self.symbol == "(":
            spec.metadata = self.metadata()
        schemas = spec.metadata.pop("apiSchemas", [])
        spec.schemas = [str(each) for each in schemas] if isinstance(schemas, list) else []
        if spec.path in self.found.prims:
            self.fail(f"two prims have the path {spec.path}")
        self.found.prims[spec.path] = spec
        self.expect("{")
        while self.symbol != "}":
            if self.symbol in _SPECIFIERS:
                self.prim(spec.path, depth + 1)
            elif self.symbol == "variantSet":
                self.fail("variants are not read")
            else:
                self.property(spec)
        self.advance()

    def property(self, spec: PrimSpec) -> None:
        """An attribute or a relationship."""
        words = [self.word()]
        while self.kind == "word":
            words.append(self.word())
        if len(words) < 2:
            self.fail(f"`{words[0][:40]}` is neither an attribute nor a relationship")
        value: Any = None
        if self.symbol == "=":
            self.advance()
            value = self.value(0)
        if self.symbol == "(":
            self.metadata()
        spec.attributes[words[-1]] = value

    def value(self, depth: int) -> Any:  # noqa: ANN401 - any value of USD
        if depth > DEEPEST:
            self.fail("a value is nested too deep")
        if self.symbol in ("(", "["):
            return self.values({"(": ")", "[": "]"}[self.advance()], depth)
        if self.symbol == "{":
            return self.dictionary(depth)
        kind, token = self.kind, self.advance()
        if kind == "number":
            return _number(token)
        if kind == "string":
            return _unquoted(token)
        if kind == "asset":
            return AssetPath(token.strip("@"))
        if kind == "path":
            return PrimPath(token[1:-1])
        if kind == "word":
            return {"true": True, "false": False, "None": None, "inf": math.inf, "nan": math.nan}.get(token, token)
        return self.fail(f"a value is expected, not `{token[:40]}`")

    def values(self, end: str, depth: int) -> Any:  # noqa: ANN401 - a list, or a tuple of numbers
        found = []
        while self.symbol != end:
            value = self.value(depth + 1)
            if isinstance(value, AssetPath) and self.kind == "path":
                value = (value, self.value(depth + 1))
            named = value[0] if isinstance(value, tuple) and value else value
            if self.symbol == "(" and end == "]" and isinstance(named, AssetPath | PrimPath):
                self.metadata()  # an offset of a layer
            found.append(value)
            if self.symbol == ",":
                self.advance()
            elif self.symbol != end:
                self.fail(f"`,` or `{end}` is expected, not `{self.symbol[:40]}`")
        self.advance()
        return tuple(found) if end == ")" else found

    def dictionary(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        self.expect("{")
        while self.symbol != "}":
            words = [self.advance()]
            while self.symbol not in ("=", ":", "}", ""):
                words.append(self.advance())
            self.advance()
            found[_unquoted(words[-1])] = self.value(depth + 1)
            if self.symbol == ",":
                self.advance()
        self.advance()
        return found


LONGEST_INTEGER = 20  # characters: 64 bits and a sign


def _number(token: str) -> float | int:
    is_integer = len(token) <= LONGEST_INTEGER and re.fullmatch(r"[-+]?\d+", token)
    return int(token) if is_integer else float(token)


def _unquoted(token: str) -> str:
    for quote in ('"""', "'''", '"', "'"):
        if token.startswith(quote) and token.endswith(quote) and len(token) >= 2 * len(quote):
            inner = token[len(quote) : -len(quote)]
            return _ESCAPE.sub(lambda match: _ESCAPES.get(match[1], match[1]), inner)
    return token
