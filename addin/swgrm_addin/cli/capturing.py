"""Verbs on captures: capture, samples, and the raw side of show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from swgrm_addin.cli.model import JSON

if TYPE_CHECKING:
    from swgrm.capture import Capture, Component, Index

STATES = {0: "suppressed", 1: "lightweight", 4: "lightweight"}
FLAGS = ("envelope", "virtual", "pattern_instance", "mirrored", "assembly_features")


def register(app: typer.Typer) -> None:
    """Hang the verbs into the application."""
    app.command()(capture)
    app.command()(samples)


def capture(
    source: str = typer.Argument("", help="An assembly or part, or mock:SAMPLE; by default the active document."),
    out: Path = typer.Option(..., "-o", "--out", help="The file to write, NAME.swcap.", metavar="FILE"),
    configuration: str = typer.Option("", help="The configuration to read; by default the active one.", metavar="NAME"),
    anonymize: bool = typer.Option(False, "--anonymize", help="Replace every name and path, and drop the meshes."),
) -> None:
    """Capture what SolidWorks says about a document in one file: to work on without SolidWorks, or to report a bug."""
    from swgrm.capture import anonymized, save
    from swgrm.errors import FileError
    from swgrm_addin.cli import report
    from swgrm_addin.sources import load_capture

    if out.suffix.lower() != ".swcap":
        raise FileError(out, "a capture's name ends in .swcap", remedy=f"Write to {out.with_suffix('.swcap')}")
    reading = load_capture(source, configuration)
    result = anonymized(reading.capture) if anonymize else reading.capture
    save(result, out)
    report.print_findings(reading.findings, err=True)
    typer.echo(f"wrote {out}: {counted(result)}")


def samples(json: bool = JSON) -> None:
    """List the sample assemblies that work without SolidWorks, as mock:NAME."""
    from swgrm_addin.cli import report
    from swgrm_addin.synthetic import sample_descriptions

    if json:
        report.write_json(sample_descriptions())
    else:
        for name, description in sample_descriptions().items():
            typer.echo(f"mock:{name:<14}{description}")


def show_capture(source: str, *, json: bool) -> None:
    """What SolidWorks said: components with their states, mates, and what was drawn."""
    from msgspec.structs import replace

    from swgrm_addin.cli import report
    from swgrm_addin.sources import load_capture

    said = load_capture(source).capture
    if json:
        report.write_json(replace(said, shapes=tuple(replace(shape, triangles=b"") for shape in said.shapes)))
    else:
        typer.echo(f"{said.source.title} ({said.source.configuration}), SolidWorks {said.source.solidworks}")
        typer.echo(counted(said))
        for line in lines(said):
            typer.echo(line)


def counted(said: Capture) -> str:
    """A capture in numbers."""
    mates = sum(len(document.mates) for document in said.documents)
    faces = sum(len(body.faces) for shape in said.shapes for body in shape.bodies)
    return (
        f"{len(said.components):,} components of {len(said.documents):,} documents, {mates:,} mates, "
        f"{len(said.shapes):,} shapes with {faces:,} faces" + (", without names" if said.anonymized else "")
    )


def lines(said: Capture) -> Iterator[str]:
    """A line per component, then per mate and per thing that the user drew."""
    from swgrm.capture import Index as Tables
    from swgrm.swconst import swMateType_e

    index = Tables(said)
    for component in said.components:
        yield "  " * component.name.count("/") + f"{component.leaf}  {_state(component, index)}".rstrip()
    for document in said.documents:
        for mate in document.mates:
            kind = swMateType_e(mate.type).name.removeprefix("swMate") if mate.type is not None else "IN PLACE"
            sides = " – ".join(entity.component or "the assembly" for entity in mate.entities)
            off = " (suppressed)" if mate.suppressed else f" (error {mate.error})" if mate.error else ""
            yield f"{mate.name}: {kind.lower()}, {sides}{off}"
        for item in (item for item in document.geometry if not item.default):
            yield f"{item.kind} {item.name} in {document.path}"


def _state(component: Component, index: Index) -> str:
    placement = index.placement(component)
    words = [
        "fixed" if placement is not None and placement.fixed else "",
        {0: "rigid", 1: "flexible"}.get(component.solving, ""),
        STATES.get(component.suppression, ""),
        "" if component.visible else "hidden",
        *(flag.replace("_", " ") for flag in FLAGS if getattr(component, flag)),
    ]
    return ", ".join(word for word in words if word)
