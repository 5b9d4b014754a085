"""What RobotInfo knows and the model has no field for: kept in props under `robotinfo`.

A key is the path of the field, `robotinfo.device_info.serial_number`; a text, a name or an enumeration's value stands
as it is, everything else as YAML in one line. On the robot stand RobotInfo's fields, on a joint JointInfo's, on a
flange frame RobotKinChainInfo's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from swgrm.findings import Finding, Severity
from swgrm_exporters.robotinfo.fit import Kind, fit
from swgrm_exporters.robotinfo.schema import ENUMS, NAMED_ARRAYS, STRUCTURES, FieldType, fields_in_files
from swgrm_exporters.yamltext import YamlProblem, dump_inline, parse

PREFIX = "robotinfo."
CHAIN, JOINT = FieldType("RobotKinChainInfo"), FieldType("JointInfo")

Document = dict[str, Any]


def to_props(document: Mapping[str, Any], prefix: str = PREFIX) -> dict[str, str]:
    """A document, or a part of one, as props."""
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


def from_props(props: Mapping[str, str], kind: FieldType, where: str, findings: list[Finding]) -> Document:
    """The document that the props hold; what does not fit the schema is a finding."""
    document: Document = {}
    for key, text in props.items():
        if key.startswith(PREFIX):
            _put(document, key.removeprefix(PREFIX).split("."), _value(key, text, kind, where, findings))
    fitted = fit(document, kind)
    findings += [
        Finding(Severity.WARNING, "robotinfo-prop", where, f"prop `{PREFIX}{problem.place}`: {problem.message}")
        for problem in fitted.problems
        if problem.kind is not Kind.IGNORED
    ]
    return fitted.document


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> Document:
    """One document over another: maps key by key, everything else replaced."""
    inner = {
        key: merged(below[key], value)
        for key, value in above.items()
        if isinstance(value, dict) and isinstance(below.get(key), dict)
    }
    return {**below, **above, **inner}


def _put(document: Document, path: list[str], value: Any) -> None:  # noqa: ANN401 - any YAML value
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


def _value(key: str, text: str, kind: FieldType, where: str, findings: list[Finding]) -> Any:  # noqa: ANN401 - any value of YAML
    if _is_text(key.removeprefix(PREFIX).split("."), kind):
        return text
    try:
        return parse(text)
    except YamlProblem as problem:
        findings.append(Finding(Severity.WARNING, "robotinfo-prop", where, f"prop `{key}`: {problem}"))
        return None


def _is_text(path: list[str], kind: FieldType) -> bool:
    """Whether the field at a path holds a text, which is not to be read as YAML."""
    for step in path:
        kind = dict(_fields(kind)).get(step, FieldType(""))
    return not kind.container and (kind.name in ("string", "UUID", "Identifier") or kind.name in ENUMS)


def _fields(kind: FieldType) -> Iterator[tuple[str, FieldType]]:
    if not kind.container and kind.name in STRUCTURES:
        yield from fields_in_files(kind.name).items()
    elif not kind.container and kind.name in NAMED_ARRAYS:
        yield from NAMED_ARRAYS[kind.name].items()
