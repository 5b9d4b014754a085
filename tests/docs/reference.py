"""The reference pages that are made from the program itself: its commands, its settings and its Python names."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from enum import Enum

import click

import swgrm
from swgrm_addin.cli import app
from swgrm_addin.settings_draft import _defaults
from swgrm_addin.settings_file import section_types
from swgrm_addin.settings_meaning import FREE, MEANING
from swgrm_exporters.yamltext import dump_inline

BY_OBJECT = {"joints": "of each joint", "materials": "of each material"}


def command_line() -> str:
    """Every command with its usage, its arguments and its options."""
    group = click.Context(app, info_name="swgrm", **app.context_settings)
    commands = [(name, app.get_command(group, name)) for name in app.list_commands(group)]
    return "\n\n".join(_command(click.Context(command, group, name)) for name, command in commands if command)


def _command(context: click.Context) -> str:
    command = context.command
    usage = command.get_usage(context).removeprefix("Usage: ")
    parts = [f"## `{context.command_path}`", inspect.cleandoc(command.help or ""), f"```text\n{usage}\n```"]
    for title, kind in (("Arguments", click.Argument), ("Options", click.Option)):
        rows = [each.get_help_record(context) for each in command.get_params(context) if isinstance(each, kind)]
        lines = [f"* `{row[0]}`: {row[1]}" for row in rows if row]
        parts += [f"**{title}**:", "\n".join(lines)] if lines else []
    return "\n\n".join(parts)


def settings_keys() -> str:
    """Every section with its keys, their defaults and their meaning."""
    lines = []
    for section in dict.fromkeys([*MEANING, *FREE]):
        lines += ["", f"### `{section}`", ""]
        if section in FREE:
            lines += [f"{FREE[section][0].upper()}{FREE[section][1:]}."]
        if keys := MEANING.get(section):
            defaults = _defaults_of(section)
            lines += ["| key | default | meaning |", "|---|---|---|"]
            lines += [f"| `{key}` | {_value(defaults.get(key))} | {_cell(text)} |" for key, text in keys.items()]
    return "\n".join(lines).strip()


def _defaults_of(section: str) -> dict[str, object]:
    known = section in section_types() or section in ("robot", "base", "links", "mates", "conventions", "frames")
    return _defaults(section) if known else {}


def _value(value: object) -> str:
    return "" if value in (None, "", [], {}) else f"`{dump_inline(value).strip()}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def python_names() -> str:
    """Every public name with its signature or fields, and its documentation."""
    return "\n\n".join(_documented(name) for name in sorted(swgrm.__all__, key=str.lower))


def _documented(name: str) -> str:
    value = getattr(swgrm, name)
    parts = [f"## {name}", _code(value), _prose(value)]
    if isinstance(value, type) and not issubclass(value, Enum):
        parts += [_member(key, member) for key, member in vars(value).items() if _is_shown(key, member)]
    return "\n\n".join(part for part in parts if part)


def _is_shown(key: str, member: object) -> bool:
    member = getattr(member, "__func__", member)
    return not key.startswith("_") and (inspect.isfunction(member) or isinstance(member, property))


def _member(key: str, member: object) -> str:
    function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
    return f"- `{_signature(function, key, is_property=isinstance(member, property))}`: {_prose(function)}"


def _prose(value: object) -> str:
    """A docstring, in which names in code are kept apart from the text."""
    text = inspect.cleandoc(value.__doc__ or "") if value.__doc__ else ""
    return re.sub(
        r"\n\n((?:    .*\n?)+)", lambda code: f"\n\n```text\n{textwrap.dedent(code[1]).rstrip()}\n```\n", text
    )


def _code(value: object) -> str:
    if isinstance(value, type):
        lines = list(_fields(value))
        return "```py\n" + "\n".join(lines) + "\n```" if lines else ""
    return f"```py\n{_signature(value, getattr(value, '__name__', ''))}\n```" if inspect.isfunction(value) else ""


def _tree(value: object) -> tuple[ast.AST, list[str]]:
    source = textwrap.dedent(inspect.getsource(value))  # type: ignore[arg-type] # a class or function
    return ast.parse(source).body[0], source.splitlines()


def _fields(kind: type) -> Iterator[str]:
    """The lines of a class that declare its fields or members, with their comments."""
    node, lines = _tree(kind)
    assert isinstance(node, ast.ClassDef)
    for each in node.body:
        if isinstance(each, ast.AnnAssign | ast.Assign) and not _is_private(each):
            yield from (line[4:] for line in lines[each.lineno - 1 : each.end_lineno])


def _is_private(node: ast.AnnAssign | ast.Assign) -> bool:
    target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
    return ast.unparse(target).startswith("_")


def _signature(function: object, name: str, *, is_property: bool = False) -> str:
    node, _ = _tree(function)
    assert isinstance(node, ast.FunctionDef)
    returns = ast.unparse(node.returns) if node.returns else "None"
    if is_property:
        return f"{name}: {returns}"
    arguments = ast.unparse(node.args).removeprefix("self, ").removeprefix("cls, ")
    arguments = "" if arguments in ("self", "cls") else arguments
    line = f"{name}({arguments}) -> {returns}"
    separated = re.sub(r", (?![^\[(]*[\])])", ",\n    ", arguments)  # but not inside of brackets
    return line if len(line) <= 100 else f"{name}(\n    {separated},\n) -> {returns}"
