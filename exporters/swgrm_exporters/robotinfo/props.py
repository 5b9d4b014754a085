"""Fields of RobotInfo that the model does not have: kept in props under `robotinfo`.

A key is the path of the field, `robotinfo.device_info.serial_number`; a text, a name or an enumeration's value is
stored as it is, everything else as YAML in one line. The robot has RobotInfo's fields, a joint JointInfo's, a flange
frame RobotKinChainInfo's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from swgrm.findings import Findings
from swgrm_exporters.robotinfo.fit import fit
from swgrm_exporters.robotinfo.schema import (
    ENUMS,
    NAMED_ARRAYS,
    STRUCTURES,
    FieldType,
    YamlMap,
    YamlValue,
    fields_in_files,
)

PREFIX = "robotinfo."
CHAIN, JOINT = FieldType("RobotKinChainInfo"), FieldType("JointInfo")


def to_props(document: Mapping[str, YamlValue], prefix: str = PREFIX) -> dict[str, str]:
    """A document, or a part of one, as props."""
    from swgrm_exporters.yamltext import dump_inline

    props: dict[str, str] = {}
    for key, value in document.items():
        if isinstance(value, dict) and value:
            props |= to_props(value, f"{prefix}{key}.")
        else:
            props[prefix + key] = value if isinstance(value, str) else dump_inline(value)
    return props


def has_props(props: Mapping[str, str], kind: FieldType) -> bool:
    """Whether some of the props are fields of a structure of RobotInfo."""
    fields = fields_in_files(kind.name)
    return any(key.startswith(PREFIX) and key.split(".")[1] in fields for key in props)


def from_props(props: Mapping[str, str], kind: FieldType, where: str, findings: Findings) -> YamlMap:
    """The document in the props; what does not fit the schema is a finding."""
    document: YamlMap = {}
    for key, text in props.items():
        if key.startswith(PREFIX):
            _put(document, key.removeprefix(PREFIX).split("."), _value(key, text, kind, where, findings))
    misfits = findings.fresh()
    fitted = fit(document, kind, misfits)
    for each in misfits:
        if each.code != "robotinfo-ignored":
            findings.add("robotinfo-prop", where, key=f"{PREFIX}{each.where}", problem=each.message)
    return fitted


def merged(below: Mapping[str, YamlValue], above: Mapping[str, YamlValue]) -> YamlMap:
    """One document over another: maps key by key, everything else replaced."""
    inner = {
        key: merged(below[key], value)
        for key, value in above.items()
        if isinstance(value, dict) and isinstance(below.get(key), dict)
    }
    return {**below, **above, **inner}


def _put(document: YamlMap, path: list[str], value: YamlValue) -> None:
    for step in path[:-1]:
        inner = document.setdefault(step, {})
        if not isinstance(inner, dict):  # an identifier's name came before its uuid
            inner = document[step] = {"name": inner}
        document = inner
    here = document.get(path[-1])
    if isinstance(here, dict) and isinstance(value, str):
        here["name"] = value
    else:
        document[path[-1]] = value


def _value(key: str, text: str, kind: FieldType, where: str, findings: Findings) -> YamlValue:
    if _is_text(key.removeprefix(PREFIX).split("."), kind):
        return text
    from swgrm_exporters.yamltext import YamlProblem, parse

    try:
        return parse(text)
    except YamlProblem as problem:
        findings.add("robotinfo-prop", where, key=key, problem=f"It is not YAML: {problem}")
        return None


def _is_text(path: list[str], kind: FieldType) -> bool:
    """Whether the field at a path is a text, which is not parsed as YAML."""
    for step in path:
        kind = dict(_fields(kind)).get(step, FieldType(""))
    return not kind.container and (kind.name in ("string", "UUID", "Identifier") or kind.name in ENUMS)


def _fields(kind: FieldType) -> Iterator[tuple[str, FieldType]]:
    if not kind.container and kind.name in STRUCTURES:
        yield from fields_in_files(kind.name).items()
    elif not kind.container and kind.name in NAMED_ARRAYS:
        yield from NAMED_ARRAYS[kind.name].items()
