"""Texts that try to end their field, every text field of a robot, and parsers that find a text that succeeded."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import yaml
from lxml import etree

from swgrm_exporters.usd.parsing import UsdProblem
from swgrm_exporters.usd.parsing import parse as parse_usd

CANARY = "canary"
HOSTILE = {
    "quotes": f"""x"'`></a></canary><{CANARY} {CANARY}="1"/><!-- """,
    "lines": f"x\n{CANARY}: 1\n- {CANARY}: &{CANARY} 1\n",
    "python": f'x"""\nimport {CANARY}\n{CANARY}()\n"""',
    "python quotes": f"x'+{CANARY}()+'\"+{CANARY}()+\"",
    "cmake": f"x DESTINATION y)\n{CANARY}(COMMAND sh)\ninstall(DIRECTORY/z",
    "script": f"x</script><script>{CANARY}()</script><{CANARY}>",
    "usd": f'x"\n)\n{{\n}}\ndef {CANARY.title()} "{CANARY}"\n{{\n}}\n#',
    "xacro": f"x${{{CANARY}}}$({CANARY} x)",
    "yaml": f"x: {{{CANARY}: 1}} # ",
    "cdata": f"x]]><{CANARY}/>",
    "control": f"x\x1b]0;{CANARY}\x07\x00",
    "path": f"../../{CANARY}/../x",
}
CMAKE_COMMANDS = {
    "cmake_minimum_required", "project", "find_package", "install", "if", "endif", "ament_add_pytest_test",
    "ament_package",
}  # fmt: skip
FieldPath = tuple[str | int, ...]


def text_fields(data: Any, path: FieldPath = ()) -> Iterator[FieldPath]:
    """The paths of all texts of JSON data."""
    if isinstance(data, str):
        yield path
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in pairs:
        yield from text_fields(value, (*path, key))


def kinds_of_fields(data: Any) -> dict[str, list[FieldPath]]:
    """The text fields by their kind: the path without the numbers of items and the frames above."""
    kinds: dict[str, list[FieldPath]] = {}
    for path in text_fields(data):
        kind = ".".join(str(key) for key in path if isinstance(key, str))
        kinds.setdefault(re.sub(r"(children\.)+", "", kind), []).append(path)
    return kinds


def value_at(data: Any, path: FieldPath) -> str:
    """The text at a path."""
    for key in path:
        data = data[key]
    return str(data)


def with_text(data: Any, old: str, new: str) -> Any:
    """JSON data with another text wherever it is this one, so that names still refer to each other."""
    if isinstance(data, dict):
        return {new if key == old else key: with_text(value, old, new) for key, value in data.items()}
    if isinstance(data, list):
        return [with_text(item, old, new) for item in data]
    return new if data == old else data


# ---- what a file contains, as its own parser reads it


def _in_xml(data: bytes) -> Iterator[str]:
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    for element in etree.fromstring(data, parser).iter():
        if not isinstance(element.tag, str):
            continue
        names = [etree.QName(name).localname for name in (element.tag, *map(str, element.attrib))]
        yield from (name for name in names if name == CANARY)
        for text in (element.text or "", *map(str, element.attrib.values())):
            yield from re.findall(rf"(?<!\$)\$[{{(]{CANARY}", text)  # evaluated by xacro and by launch


def _in_plain_xml(data: bytes) -> Iterator[str]:
    return (text for text in _in_xml(data) if not text.startswith("$"))


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from _keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _keys(inner)


def _in_yaml(data: bytes) -> Iterator[str]:
    for document in yaml.safe_load_all(data.decode("utf-8")):
        yield from (key for key in _keys(document) if key == CANARY)


def _in_python(data: bytes) -> Iterator[str]:
    for node in ast.walk(ast.parse(data)):
        names = [getattr(node, "id", ""), getattr(node, "attr", "")]
        names += [alias.name for alias in getattr(node, "names", ()) if isinstance(alias, ast.alias)]
        yield from (name for name in names if CANARY in name)


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags += [tag, *(name for name, _ in attrs)]


def _in_html(data: bytes) -> Iterator[str]:
    page = _Page()
    page.feed(data.decode("utf-8"))
    yield from (tag for tag in page.tags if CANARY in tag)
    if page.tags.count("script") != data.count(b"<script"):
        yield "a script in a script"


def _in_usd(data: bytes) -> Iterator[str]:
    layer = parse_usd(data.decode("utf-8"))
    yield from (path for path, spec in layer.prims.items() if spec.type == CANARY.title())


def _in_json(data: bytes) -> Iterator[str]:
    return (key for key in _keys(json.loads(data)) if key == CANARY)


def _in_cmake(data: bytes) -> Iterator[str]:
    found = set(re.findall(r"([A-Za-z_]\w*)\s*\(", data.decode("utf-8")))
    return iter(sorted(found - CMAKE_COMMANDS))


PARSERS: Mapping[str, Callable[[bytes], Iterator[str]]] = {
    ".urdf": _in_plain_xml, ".xml": _in_plain_xml, ".sdf": _in_plain_xml, ".srdf": _in_plain_xml,
    ".config": _in_plain_xml, ".xacro": _in_xml, ".yaml": _in_yaml, ".yml": _in_yaml, ".rviz": _in_yaml,
    ".setup_assistant": _in_yaml, ".py": _in_python, ".html": _in_html, ".usda": _in_usd, ".json": _in_json,
    ".txt": _in_cmake,
}  # fmt: skip
NOT_TEXT = {".stl", ".obj", ".glb", ".dae", ".png", ".usdc"}


def escapes(folder: Path) -> list[str]:
    """What a hostile text became in the files of a folder, beside a text: empty if every field kept it inside."""
    found = []
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        ending = file.suffix or file.name
        if ending in NOT_TEXT:
            continue
        try:
            found += [f"{file.name}: {text}" for text in PARSERS[ending](file.read_bytes())]
        except (ValueError, SyntaxError, yaml.YAMLError, etree.XMLSyntaxError, UsdProblem) as error:
            found.append(f"{file.name} cannot be parsed: {error}")
    return found
