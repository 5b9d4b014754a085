"""Bills of materials in the format CycloneDX 1.6, and the licence report: what is shipped, from where, under what."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.model.license import DisjunctiveLicense
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

from installer.release.origins import ShippedFile, ShippedPart, digest


def bill(artefact: Path, version: str, parts: Iterable[ShippedPart], required: Sequence[str], epoch: int) -> str:
    """The bill of an artefact: its parts with their files, and what it requires but does not contain."""
    whole = Component(
        name=artefact.name,
        type=ComponentType.APPLICATION,
        version=version,
        bom_ref="artefact",
        hashes=[_hash(digest(artefact.read_bytes()))],
        licenses=[DisjunctiveLicense(id="MIT")],
    )
    components = [_component(part) for part in parts]
    components += [
        Component(name=line, scope=ComponentScope.EXCLUDED, bom_ref=f"required-{number}", description="not contained")
        for number, line in enumerate(required)
    ]
    made = Bom(
        components=components,
        serial_number=uuid.uuid5(uuid.NAMESPACE_OID, digest(artefact.read_bytes())),
        metadata=BomMetaData(component=whole, timestamp=datetime.fromtimestamp(epoch, UTC)),
    )
    made.register_dependency(whole, components)
    text = JsonV1Dot6(made).output_as_string(indent=1)
    if error := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        raise ValueError(f"the bill of {artefact.name} is not valid: {error}")
    return str(text)


def _component(part: ShippedPart) -> Component:
    is_wheel = part.archive.endswith(".whl")
    return Component(
        name=part.name,
        version=part.version or None,
        type=ComponentType.LIBRARY,
        bom_ref=f"part-{part.name}",
        licenses=[DisjunctiveLicense(name=part.licence)],
        hashes=[_hash(part.sha256)] if part.sha256 else [],
        purl=PackageURL("pypi", name=part.name.lower(), version=part.version) if is_wheel else None,
        properties=[Property(name="swgrm:archive", value=part.archive)] if part.archive else [],
        components=[_file(part, number, file) for number, file in enumerate(part.files)],
    )


def _file(part: ShippedPart, number: int, file: ShippedFile) -> Component:
    return Component(
        name=file.path,
        type=ComponentType.FILE,
        bom_ref=f"file-{part.name}-{number}",
        hashes=[_hash(file.sha256)],
        properties=[Property(name="swgrm:made", value=file.made)],
    )


def _hash(sha256: str) -> HashType:
    return HashType(alg=HashAlgorithm.SHA_256, content=sha256)


def licence_report(artefact: str, parts: Iterable[ShippedPart]) -> str:
    """A table of the parts with their versions and licences, as Markdown."""
    head = "| part | version | licence | files | taken from |\n|---|---|---|---|---|"
    lines = [f"# Licences of {artefact}", "", head]
    lines += [
        f"| {part.name} | {part.version} | {part.licence} | {len(part.files):,} | {part.archive or 'this project'} |"
        for part in sorted(parts, key=lambda part: part.name.lower())
    ]
    return "\n".join([*lines, ""])
