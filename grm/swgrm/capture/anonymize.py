"""Anonymization of a capture: names and paths are replaced consistently, in the same sort order, without meshes."""

from __future__ import annotations

import hashlib
import ntpath
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec.structs import asdict, replace

from swgrm.capture.matedata import FeatureData
from swgrm.capture.record import Record
from swgrm.capture.records import (
    CallFailure,
    Capture,
    CaptureSource,
    Component,
    ComponentPattern,
    CustomProperty,
    Document,
    Mate,
    MateEntity,
    MirrorFeature,
    PartBody,
    PartShape,
    Placement,
    ReferenceGeometry,
    SavedConfiguration,
)
from swgrm.solidworks.fasteners import find_name_hint, is_named_like_fastener
from swgrm.storage.privacy import CERTAIN, names, scrubbed, with_known_words

JOINT_FOLDERS = ("joints", "dof")
NAME, COMPONENT, PATH, HASHED = "name", "component", "path", "hashed"

ROLES: dict[type[Record], dict[str, str]] = {
    CaptureSource: {"path": PATH, "title": PATH, "configuration": NAME},
    Component: {"name": COMPONENT, "path": PATH, "configuration": NAME, "persistent_id": HASHED, "mates": NAME},
    Placement: {"name": COMPONENT},
    CustomProperty: {"name": NAME, "value": NAME, "resolved": NAME},
    ReferenceGeometry: {"name": NAME, "persistent_id": HASHED},
    MateEntity: {"component": COMPONENT},
    Mate: {"name": NAME, "persistent_id": HASHED, "references": COMPONENT},
    MirrorFeature: {"name": NAME, "persistent_id": HASHED, "copied": COMPONENT, "opposite_hand": COMPONENT},
    Document: {
        "path": PATH, "configuration": NAME, "read_in": NAME, "material": NAME, "material_database": NAME,
        "mirror_of": PATH,
    },
    ComponentPattern: {"name": NAME, "persistent_id": HASHED, "seeds": COMPONENT, "instances": COMPONENT},
    PartBody: {"name": NAME, "material": NAME, "material_database": NAME},
    CallFailure: {"object": NAME},
    PartShape: {"path": PATH, "configuration": NAME, "variant": COMPONENT, "through": COMPONENT},
}  # fmt: skip
"""The role of each text field of the records. A test checks that every text field is listed here or in KEPT."""

KEPT = {
    (CaptureSource, "solidworks"),
    (Component, "name_hint"),
    (ReferenceGeometry, "kind"),
    (Mate, "feature_type"),
    (ComponentPattern, "feature_type"),
    (Mate, "folder"),  # only the names that make joints are kept
    (PartShape, "triangles"),
    (SavedConfiguration, "name"),  # these records are removed
    (SavedConfiguration, "data"),
    (CallFailure, "member"),
    (CallFailure, "problem"),  # folders and names in it are replaced
}
"""Text fields whose values are defined by SolidWorks or by swgrm, and what is removed separately, as the meshes are."""


def anonymized(capture: Capture) -> Capture:
    """The capture with every name replaced; conclusions from names are stored in the components."""
    classified = replace(
        capture,
        components=tuple(_classified(component) for component in capture.components),
        documents=tuple(_without_folders(document) for document in capture.documents),
        shapes=tuple(_without_mesh(shape) for shape in capture.shapes),
        failures=_without_names(capture),
        anonymized=True,
    )
    texts: dict[str, set[str]] = {NAME: set(), COMPONENT: set(), PATH: set()}
    for role, text in _texts(classified):
        if role in texts:
            texts[role].update(text.split("/") if role == COMPONENT else (text,))
    tokens = {role: _tokens(role, found) for role, found in texts.items()}
    renamed: Capture = _renamed(classified, tokens)
    return renamed


def chosen_names(capture: Capture) -> set[str]:
    """The names and paths that users chose: components without their number, files also without ending."""
    found: set[str] = set()
    for role, text in _texts(capture):
        if role == COMPONENT:
            found.update(level.rpartition("-")[0] or level for level in text.split("/"))
        elif role == PATH:
            found.update((text, ntpath.splitext(ntpath.basename(text))[0]))
        elif role == NAME:
            found.add(text)
    return found


def _without_names(capture: Capture) -> tuple[CallFailure, ...]:
    """The failed calls with users, folders and names of the assembly replaced in their problems."""
    problems = [failure.problem for failure in capture.failures]
    text = "\n".join(problems).casefold()
    words = {name for name in chosen_names(capture) if len(name) >= CERTAIN and not name.isdigit()}
    chosen = {name for name in words if name.casefold() in text}
    replaced = scrubbed(problems, dict.fromkeys(chosen, "<name>") | names())
    pairs = zip(capture.failures, replaced, strict=True)
    return tuple(replace(failure, problem=with_known_words(problem)) for failure, problem in pairs)


def _classified(component: Component) -> Component:
    fastener, hint = component.named_like_fastener, component.name_hint
    return replace(
        component,
        named_like_fastener=is_named_like_fastener(component.leaf) if fastener is None else fastener,
        name_hint=find_name_hint(component.leaf).value if hint is None else hint,
    )


def _without_folders(document: Document) -> Document:
    """The document with the mate folders that make joints, without other folders and saved configurations."""

    def kept(mate: Mate) -> Mate:
        known = [name for name in mate.folder.split("/") if name.casefold() in JOINT_FOLDERS]
        return replace(mate, folder=known[0] if known else "")

    return replace(document, mates=tuple(map(kept, document.mates)), saved_configurations=())


def _without_mesh(shape: PartShape) -> PartShape:
    return replace(shape, bodies=tuple(replace(body, faces=()) for body in shape.bodies), triangles=b"")


def _texts(value: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - any part of a capture
    """Yields every text with its role."""
    if isinstance(value, tuple):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, msgspec.Struct):
        roles = ROLES.get(type(value), {})  # type: ignore[arg-type] # all are records
        for field, content in asdict(value).items():
            if field not in roles:
                yield from _texts(content)
            else:
                yield from ((roles[field], text) for text in _each(content) if text)


def _each(content: Any) -> tuple[Any, ...]:  # noqa: ANN401 - one text, several or none
    return content if isinstance(content, tuple) else (content,)


def _tokens(role: str, texts: set[str]) -> dict[str, str]:
    """A replacement for each text, in the same sort order."""
    shape: Callable[[int, str], str] = {
        NAME: lambda number, _: f"n{number:06d}",
        COMPONENT: lambda number, text: f"c{number:06d}-{_number(text)}",
        PATH: lambda number, text: f"p{number:06d}{ntpath.splitext(text)[1].upper()[:7]}",
    }[role]
    return {text: shape(number, text) for number, text in enumerate(sorted(texts))}


def _number(text: str) -> str:
    number = text.rpartition("-")[2]
    return number if number.isascii() and number.isdigit() else "1"


def _renamed(value: Any, tokens: dict[str, dict[str, str]]) -> Any:  # noqa: ANN401 - any part of a capture
    if isinstance(value, tuple):
        return tuple(_renamed(item, tokens) for item in value)
    if not isinstance(value, msgspec.Struct) or isinstance(value, FeatureData):
        return value
    roles = ROLES.get(type(value), {})  # type: ignore[arg-type] # all are records
    return type(value)(
        **{
            field: _replaced(content, roles[field], tokens) if field in roles else _renamed(content, tokens)
            for field, content in asdict(value).items()
        }
    )


def _replaced(content: Any, role: str, tokens: dict[str, dict[str, str]]) -> Any:  # noqa: ANN401 - text, texts, bytes
    if isinstance(content, tuple):
        return tuple(_replaced(item, role, tokens) for item in content)
    if not content:
        return content
    if role == HASHED:
        return hashlib.sha256(content).digest()[:16]
    if role == COMPONENT:
        return "/".join(tokens[role][level] for level in content.split("/"))
    return tokens[role][content]
