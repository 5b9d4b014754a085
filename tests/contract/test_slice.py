"""The slice matches the SolidWorks type library, the code that uses it, and the mock."""

from __future__ import annotations

import ast
import gzip
import inspect
import json
from collections.abc import Iterator
from enum import IntEnum
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import swgrm_addin
import swgrm_mocks.solidworks
from swgrm.capture import FEATURE_DATA
from swgrm.solidworks import swconst, swconst_calls
from swgrm.solidworks.api_slice import MODELLING, READING, Interface, interfaces, parse, parts
from swgrm_addin.reader.features import interface_of
from swgrm_addin.reader.mate_values import pascal


@pytest.fixture(scope="module")
def type_library() -> dict[str, Any]:
    index = files("swcomapi") / "generated" / "api_index.json.gz"
    data: dict[str, Any] = json.loads(gzip.decompress(index.read_bytes()))
    return data


def member_differences(ours: dict[str, Interface], library: dict[str, Any]) -> Iterator[str]:
    """Yields every member of the slice that differs from the library in name, kind, parameters or result."""
    for interface in ours.values():
        theirs = library["interfaces"].get(interface.name, {"members": []})
        known = {(member["kind"], member["name"]): member for member in theirs["members"]}
        for key, member in interface.members.items():
            real = known.get(key)
            if real is None:
                yield f"{member} ({member.kind}) does not exist"
                continue
            parameters = [(p.name, p.direction, p.type.com) for p in member.parameters]
            if parameters != [(p["name"], p["dir"], p["com"]) for p in real["params"]]:
                yield f"{member}: parameters {parameters}"
            if member.returns.com != real["returns_com"]:
                yield f"{member} returns {real['returns_com']}"


def enums() -> list[type[IntEnum]]:
    found = (each for part in (swconst, swconst_calls) for _, each in inspect.getmembers(part, inspect.isclass))
    return [each for each in found if issubclass(each, IntEnum) and each is not IntEnum]


def enum_differences(ours: type[IntEnum], library: dict[str, Any]) -> Iterator[str]:
    real = dict(library["enums"].get(ours.__name__, {"members": []})["members"])
    for name, member in ours.__members__.items():
        if real.get(name) != member.value:
            yield f"{ours.__name__}.{name} is {real.get(name)}, not {member.value}"
    if not (ours.__doc__ or "").startswith("Some"):
        yield from (f"{ours.__name__}.{name} is missing" for name in real if name not in ours.__members__)


def test_the_slice_matches_the_type_library(type_library: dict[str, Any]) -> None:
    assert list(member_differences(interfaces(), type_library)) == []
    assert sum(len(interface.members) for interface in interfaces().values()) > 350


def test_no_member_is_in_both_files() -> None:
    reading, modelling = ({(name, *key) for name, i in part.items() for key in i.members} for part in parts())
    assert reading & modelling == set()


def test_an_interface_has_the_same_iid_in_both_files() -> None:
    reading, modelling = parts()
    assert {name for name in set(reading) & set(modelling) if reading[name].iid != modelling[name].iid} == set()


def test_the_constants_match_the_type_library(type_library: dict[str, Any]) -> None:
    assert len(enums()) > 20
    assert [text for enum in enums() for text in enum_differences(enum, type_library)] == []


@pytest.mark.parametrize("file", [READING, MODELLING], ids=lambda file: file.stem)
def test_every_changed_line_of_the_slice_is_detected(type_library: dict[str, Any], file: Path) -> None:
    """Changes the kind, the name, the result and the first parameter of every member in turn."""
    text = file.read_text(encoding="utf-8")
    tried, lines = 0, text.splitlines()
    for number, line in enumerate(lines):
        if not line.startswith("    "):
            continue
        kind = line.split()[0]
        changes = [line.replace(kind, {"method": "get", "get": "put", "put": "method"}[kind], 1)]
        changes.append(line.replace("(", "X(", 1))
        changes.append(line.replace("-> ", "-> X", 1))
        if "(in " in line:
            changes += [line.replace("(in ", "(out ", 1), line.replace("(in ", "(in X", 1)]
        for changed in changes:
            tried += 1
            assert is_detected("\n".join([*lines[:number], changed, *lines[number + 1 :]]), type_library), changed
    assert tried > 500


def is_detected(text: str, library: dict[str, Any]) -> bool:
    try:
        return bool(list(member_differences(parse(text), library)))
    except ValueError:  # a member that is listed twice
        return True


def test_a_changed_constant_is_detected(type_library: dict[str, Any]) -> None:
    for enum in enums():
        for name, member in enum.__members__.items():
            changed = {n: m.value for n, m in enum.__members__.items()} | {name: member.value + 1000}
            other = IntEnum(enum.__name__, changed)  # type: ignore[misc] # made at run time
            assert list(enum_differences(other, type_library))


def attributes_used(package: Any) -> set[str]:
    """Every attribute that a package's code uses, except in com/, which calls COM directly."""
    folder = Path(package.__file__).parent
    modules = [path for path in folder.rglob("*.py") if path.parent != folder / "com"]
    return set().union(*(attributes(ast.parse(path.read_text(encoding="utf-8"))) for path in modules))


def attributes(tree: ast.Module) -> set[str]:
    modules = {name.asname or name.name for n in ast.walk(tree) if isinstance(n, ast.Import) for name in n.names}
    used = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    return {node.attr for node in used if not (isinstance(node.value, ast.Name) and node.value.id in modules)}


def members_used() -> set[str]:
    """The members of SolidWorks that the code uses, directly or as fields of the mates' feature data."""
    fields = {pascal(field) for kind in FEATURE_DATA.values() for field in kind.__struct_fields__}
    return attributes_used(swgrm_addin) | fields


def test_the_code_uses_only_members_that_are_in_the_slice(type_library: dict[str, Any]) -> None:
    real = {m["name"] for interface in type_library["interfaces"].values() for m in interface["members"]}
    ours = {name for interface in interfaces().values() for _, name in interface.members}
    camel = {name for name in members_used() if name[0].isupper() and not name.isupper()}
    assert camel & real - ours == set()


def test_every_member_of_the_slice_is_used() -> None:
    used = members_used()
    unused = [str(m) for i in parts()[0].values() for (_, name), m in i.members.items() if name not in used]
    assert unused == []


def test_every_member_that_builds_is_used() -> None:
    folder = Path(swgrm_addin.__file__).parent / "selftest"
    used = members_used()
    for path in folder.rglob("*.py"):  # names of members are in its tables, too
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                used.add(node.value)
            elif isinstance(node, ast.keyword) and node.arg:
                used.add(node.arg)
    members = {name for i in parts()[1].values() for _, name in i.members}
    assert members - used == set()


def test_the_feature_data_records_match_the_interfaces_of_the_slice() -> None:
    for kind in FEATURE_DATA.values():
        members = {name for _, name in parts()[0][interface_of(kind)].members}
        members -= {"ReferenceComponent1", "ReferenceComponent2"}  # components: they are in `Mate.references`
        assert members == {pascal(field) for field in kind.__struct_fields__}


def test_the_mock_implements_the_whole_slice() -> None:
    classes = [
        item
        for module in ("application", "components", "documents", "features", "references", "shapes")
        for _, item in inspect.getmembers(
            __import__(f"swgrm_mocks.solidworks.{module}", fromlist=["*"]), inspect.isclass
        )
        if issubclass(item, swgrm_mocks.solidworks.dispatch.MockObject)
    ]
    served = {name for item in classes for name in dir(item)}
    data = {interface_of(kind) for kind in FEATURE_DATA.values()}
    missing = [
        str(member)
        for interface in parts()[0].values()
        if interface.name not in data
        for member in interface.members.values()
        if ("put_" if member.kind == "put" else "") + member.name not in served
    ]
    assert missing == []
