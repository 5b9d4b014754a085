"""Edits of a settings file's text: one value set or removed, or lines added; every other byte stays.

The file is the user's: comments, quotes, order, indentation and line ends are kept. The result is parsed and compared
with the data that is wanted; a text that cannot be edited so is refused, and nothing is changed.
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from typing import Any

import yaml

from swgrm.errors import SwgrmError
from swgrm_exporters.yamltext import dump_inline, key_line, parse

KeyPath = Sequence[str]  # the keys from the section on, such as ("joints", "elbow", "lower")
_GONE = object()


class EditRefused(SwgrmError):
    """Raised when a text is written in a way that only its author can change."""


def set_value(text: str, path: KeyPath, value: Any) -> str:  # noqa: ANN401 - any plain value
    """The YAML text with the value at that path; keys on the way that are missing are added."""
    return _verified(text, _SettingsText(text).with_value(path, value), path, value)


def remove_value(text: str, path: KeyPath) -> str:
    """The YAML text without the key at that path and all below it; the same text if there is no such key."""
    return _verified(text, _SettingsText(text).without(path), path, _GONE)


def add_lines(text: str, section: str, lines: Sequence[str]) -> str:
    """The YAML text with lines, comments among them, at the end of a section, which is added if it is missing.

    The lines have the indentation that they need below a section's heading; they follow that of the lines there.
    """
    return _SettingsText(text).with_lines(section, lines)


def encoded(text: str, old: bytes) -> bytes:
    """The bytes of a text, with a byte-order mark if the old bytes of its file have one."""
    return (codecs.BOM_UTF8 if old.startswith(codecs.BOM_UTF8) else b"") + text.encode()


def _verified(text: str, new: str, path: KeyPath, value: object) -> str:
    wanted = _changed(parse(text) or {}, path, value)
    if _without_empty(parse(new)) != _without_empty(wanted):
        where = f"line {line}: " if (line := key_line(text, tuple(path))) else ""
        raise EditRefused(f"{where}`{'.'.join(path)}` cannot be changed here automatically. Edit the file by hand.")
    return new


def _changed(data: Any, path: KeyPath, value: object) -> dict[str, Any]:  # noqa: ANN401 - YAML data
    result = dict(data) if isinstance(data, dict) else {}
    first, *rest = path
    if rest and (value is not _GONE or first in result):
        result[first] = _changed(result.get(first), rest, value)
    elif value is _GONE:
        result.pop(first, None)
    else:
        result[first] = value
    return result


def _without_empty(data: Any) -> Any:  # noqa: ANN401 - YAML data
    """The data without keys that have no value: they mean nothing."""
    if not isinstance(data, dict):
        return data
    return {key: inner for key, value in data.items() if (inner := _without_empty(value)) not in (None, {})}


class _SettingsText:
    """A YAML text with its nodes, which know where they begin and end."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.newline = "\r\n" if "\r\n" in text else "\n"
        try:
            self.root = yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.YAMLError:
            parse(text)  # raises the problem in plain words
            raise

    def with_value(self, path: KeyPath, value: object) -> str:
        if self.root is None:
            return self._appended(_block(path, value, 0))
        holder: Any = self.root
        for depth, name in enumerate(path):
            if not isinstance(holder, yaml.MappingNode):
                raise EditRefused(f"`{'.'.join(path[:depth])}` is one value; it cannot contain `{name}`.")
            found = _entry(holder, name)
            if found is None:
                return self._inserted(holder, path[depth:], value, is_top=depth == 0)
            key, node = found
            if depth == len(path) - 1:
                return self._replaced(key, node, value)
            if _is_empty(node):
                column = key.start_mark.column + (len(_indent(holder, self.root)) or 2)
                return self._at_line_end(key.end_mark.index, _block(path[depth + 1 :], value, column))
            holder = node
        raise EditRefused("a path must have at least one key.")

    def without(self, path: KeyPath) -> str:
        holder: Any = self.root
        for name in path[:-1]:
            found = _entry(holder, name) if isinstance(holder, yaml.MappingNode) else None
            if found is None:
                return self.text
            holder = found[1]
        found = _entry(holder, path[-1]) if isinstance(holder, yaml.MappingNode) else None
        if found is None:
            return self.text
        return self._flow_removed(holder, found) if holder.flow_style else self._lines_removed(*found)

    def with_lines(self, section: str, lines: Sequence[str]) -> str:
        found = _entry(self.root, section) if isinstance(self.root, yaml.MappingNode) else None
        if found is None:
            return self._appended([f"{section}:", *lines])
        key, node = found
        if _is_empty(node):
            return self._at_line_end(key.end_mark.index, lines)
        if not isinstance(node, yaml.MappingNode) or node.flow_style:
            raise EditRefused(
                f"line {key.start_mark.line + 1}: the section `{section}` is written in braces. Write one setting per "
                "line, so that others can be added."
            )
        extra = node.value[0][0].start_mark.column - min(len(line) - len(line.lstrip()) for line in lines)
        moved = [" " * extra + line if extra >= 0 else line[-extra:] for line in lines]
        return self._at_line_end(self._end(node), moved, node.value[0][0].start_mark.column)

    # ---- the places in the text

    def _line_end(self, index: int) -> int:
        """The index after the line break that follows."""
        found = self.text.find("\n", index)
        return len(self.text) if found < 0 else found + 1

    def _end(self, node: Any) -> int:  # noqa: ANN401 - a node of the library, which has no types
        """The index after a node's last character; the library's own mark is at the next token."""
        while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
            last = node.value[-1]
            key, node = last if isinstance(last, tuple) else (None, last)
            if key is not None and _is_empty(node):
                return int(key.end_mark.index)
        return int(node.end_mark.index)

    def _at_line_end(self, index: int, lines: Sequence[str], column: int | None = None) -> str:
        """The text with lines after the line of an index, and after comments that are indented beyond a column."""
        place = self._line_end(index)
        while column is not None and place < len(self.text):
            line = self.text[place : self._line_end(place)]
            if not line.lstrip().startswith("#") or len(line) - len(line.lstrip()) <= column:
                break
            place = self._line_end(place)
        before = self.text[:place]
        if before and not before.endswith("\n"):
            before += self.newline
        return before + "".join(line + self.newline for line in lines) + self.text[place:]

    def _appended(self, lines: Sequence[str]) -> str:
        return self._at_line_end(len(self.text), lines)

    # ---- the edits

    def _replaced(self, key: Any, node: Any, value: object) -> str:  # noqa: ANN401 - nodes
        start, end, text = node.start_mark.index, self._end(node), dump_inline(value)
        if _is_empty(node) or (isinstance(node, yaml.CollectionNode) and not node.flow_style):
            start = self.text.index(":", key.end_mark.index) + 1
            end, text = (start if _is_empty(node) else end), f" {text}"
        return self.text[:start] + text + self.text[end:]

    def _inserted(self, holder: Any, path: KeyPath, value: object, *, is_top: bool) -> str:  # noqa: ANN401 - a node
        if holder.flow_style:
            for name in reversed(path[1:]):
                value = {name: value}
            place = holder.end_mark.index - 1
            entry = f"{dump_inline(path[0])}: {dump_inline(value)}"
            return self.text[:place].rstrip() + (", " if holder.value else "") + entry + self.text[place:]
        column = holder.value[0][0].start_mark.column
        if is_top:
            return self._appended(_block(path, value, column))
        return self._at_line_end(self._end(holder), _block(path, value, column), column)

    def _lines_removed(self, key: Any, node: Any) -> str:  # noqa: ANN401 - nodes
        start = self.text.rfind("\n", 0, key.start_mark.index) + 1
        end = key.end_mark.index if _is_empty(node) else self._end(node)
        return self.text[:start] + self.text[self._line_end(end) :]

    def _flow_removed(self, holder: Any, found: tuple[Any, Any]) -> str:  # noqa: ANN401 - nodes
        position = next(k for k, entry in enumerate(holder.value) if entry[0] is found[0])
        start, end = found[0].start_mark.index, found[1].end_mark.index
        if position + 1 < len(holder.value):
            end = holder.value[position + 1][0].start_mark.index
        elif position:
            start = holder.value[position - 1][1].end_mark.index
        return self.text[:start] + self.text[end:]


def _entry(mapping: Any, name: str) -> tuple[Any, Any] | None:  # noqa: ANN401 - a node
    """The key and the value of that name."""
    return next(((key, value) for key, value in mapping.value if key.value == name), None)


def _is_empty(node: Any) -> bool:  # noqa: ANN401 - a node
    return isinstance(node, yaml.ScalarNode) and not node.value and node.style is None


def _indent(holder: Any, root: Any) -> str:  # noqa: ANN401 - nodes
    """The indentation of the first nested block of a text: new blocks follow it."""
    for node in (holder, root):
        for key, value in node.value:
            if isinstance(value, yaml.MappingNode) and not value.flow_style and value.value:
                return " " * int(value.value[0][0].start_mark.column - key.start_mark.column)
    return ""


def _block(path: KeyPath, value: object, column: int) -> list[str]:
    """A value below its keys, a line for each."""
    lines = [f"{' ' * (column + 2 * depth)}{dump_inline(name)}:" for depth, name in enumerate(path)]
    return [*lines[:-1], f"{lines[-1]} {dump_inline(value)}"]
