"""Commands on captures: capture, samples, and `show --raw`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from swgrm_addin.cli.options import FORCE, JSON

if TYPE_CHECKING:
    from swgrm.capture import Capture, Component, Index

STATES = {0: "suppressed", 1: "lightweight", 4: "lightweight"}
FLAGS = ("envelope", "virtual", "pattern_instance", "mirrored", "assembly_features")


def capture(
    source: str = typer.Argument("", help="An assembly or part, or mock:SAMPLE; by default the active document."),
    out: Path = typer.Option(..., "-o", "--out", help="The file to write, NAME.swcap.", metavar="FILE"),
    configuration: str = typer.Option("", help="The configuration to read; by default the active one.", metavar="NAME"),
    anonymize: bool = typer.Option(False, "--anonymize", help="Replace every name and path, and drop the meshes."),
    tolerance: float = typer.Option(
        0.0,
        min=0.0,
        help="The distance of meshes from the faces; by default as SolidWorks displays them.",
        metavar="MM",
    ),
    force: bool = FORCE,
) -> None:
    """Save everything that is read of a document in one file.

    The capture reproduces the export without SolidWorks, for tests and bug reports.
    """
    from swgrm.capture import anonymized, save
    from swgrm.errors import FileError
    from swgrm.files import check_new
    from swgrm_addin.cli import report
    from swgrm_addin.sources import read

    if out.suffix.lower() != ".swcap":
        raise FileError(out, "the name of a capture ends in .swcap", remedy=f"Write to {out.stem or 'NAME'}.swcap")
    if not force:
        check_new(out)
    found = read(source, configuration, tolerance=tolerance / 1000)
    if found.capture is None:
        raise FileError(source, "it is a robot file, which does not contain an assembly to capture")
    result = anonymized(found.capture) if anonymize else found.capture
    save(result, out)
    report.print_findings(found.findings, err=True)
    typer.echo(f"wrote {out}: {counted(result)}")


def samples(json: bool = JSON) -> None:
    """List the sample assemblies, which need no SolidWorks."""
    from swgrm_addin.cli import report
    from swgrm_addin.synthetic import sample_descriptions

    if json:
        report.write_json(sample_descriptions())
    else:
        for name, description in sample_descriptions().items():
            typer.echo(f"mock:{name:<14}{description}")


def show_capture(source: str, *, json: bool) -> None:
    """Print a capture: components with their states, mates, and reference geometry."""
    from msgspec.structs import replace

    from swgrm.errors import FileError
    from swgrm_addin.cli import report
    from swgrm_addin.sources import read

    captured = read(source).capture
    if captured is None:
        raise FileError(source, "it is a robot file, which does not contain a capture")
    if json:
        report.write_json(replace(captured, shapes=tuple(replace(shape, triangles=b"") for shape in captured.shapes)))
    else:
        origin = captured.source
        typer.echo(f"{origin.title} ({origin.configuration}), SolidWorks {origin.solidworks}")
        typer.echo(counted(captured))
        for line in lines(captured):
            typer.echo(line)


def counted(captured: Capture) -> str:
    """The numbers of components, documents, mates, shapes and faces of a capture."""
    mates = sum(len(document.mates) for document in captured.documents)
    faces = sum(len(body.faces) for shape in captured.shapes for body in shape.bodies)
    return (
        f"{len(captured.components):,} components of {len(captured.documents):,} documents, {mates:,} mates, "
        f"{len(captured.shapes):,} shapes with {faces:,} faces" + (", without names" if captured.anonymized else "")
    )


def lines(captured: Capture) -> Iterator[str]:
    """A line per component, then per mate and per reference geometry that the user made."""
    from swgrm.capture import Index as Tables
    from swgrm.swconst import swMateType_e

    index = Tables(captured)
    for component in captured.components:
        yield "  " * component.name.count("/") + f"{component.leaf}  {_state(component, index)}".rstrip()
    for document in captured.documents:
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


COMMANDS = (capture, samples)
