"""Writes XML: a light tree of nodes, with prefixes in their names, as indented text."""

from __future__ import annotations

import re
from typing import TypeGuard
from xml.etree.ElementTree import Comment as comment_node  # noqa: N813 - it is a function
from xml.etree.ElementTree import Element as Node  # building lxml's elements costs several times as much
from xml.etree.ElementTree import SubElement as add_node  # noqa: N813 - it is a function

from swgrm.errors import ModelError

_NOT_XML = r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"  # takes long to compile, and is rarely needed
_HEAD = "<?xml version='1.0' encoding='utf-8'?>\n"
_IN_TEXT = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord("\r"): "&#13;"}
_IN_VALUE = {**_IN_TEXT, ord('"'): "&quot;", ord("\t"): "&#9;", ord("\n"): "&#10;"}
_is_special = re.compile(r'[&<>"\t\n\r]').search


def written(root: Node) -> bytes:
    """The text of a tree: one element per line, except between text."""
    pieces = [_HEAD]
    _put(root, "\n", pieces)
    text = "".join(pieces)
    if bad := not_xml(text):
        line = text[text.rfind("\n", 0, bad.start()) + 1 : bad.start()].strip()
        raise ModelError(f"XML does not allow the character U+{ord(bad[0]):04X} after `{line[-80:]}`: remove it.")
    return f"{text}\n".encode()


def not_xml(text: str) -> re.Match[str] | None:
    """The first character that XML does not allow."""
    return None if text.replace("\n", " ").isprintable() else re.search(_NOT_XML, text)  # fast, then exact


def _put(node: Node, margin: str, pieces: list[str]) -> None:
    """Append the text of a node; the margin is a newline and the indentation."""
    if callable(node.tag):  # of a comment
        pieces.append(f"<!--{node.text}-->")
        return
    start = f"<{node.tag}"
    for name, value in node.items():
        start += f' {name}="{value.translate(_IN_VALUE) if _is_special(value) else value}"'
    text = node.text
    if not len(node):
        pieces.append(f"{start}>{text.translate(_IN_TEXT)}</{node.tag}>" if text else f"{start}/>")
        return
    inner = f"{margin}  "
    pieces.append(f"{start}>{text.translate(_IN_TEXT)}" if _has_text(text) else f"{start}>{inner}")
    for child in node:
        _put(child, inner, pieces)
        tail = child.tail
        pieces.append(inner if tail is None else tail.translate(_IN_TEXT) if _has_text(tail) else inner)
    if not _has_text(node[-1].tail):
        pieces[-1] = margin
    pieces.append(f"</{node.tag}>")


def _has_text(text: str | None) -> TypeGuard[str]:
    return text is not None and text != "" and not text.isspace()


__all__ = ["Node", "add_node", "comment_node", "not_xml", "written"]
