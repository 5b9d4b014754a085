"""Commands on captures: capture, samples, and `show --raw`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from swgrm_addin.cli.options import CONFIGURATION, FORCE, JSON, PATH, FiniteRange, files

if TYPE_CHECKING:
    from swgrm.capture import Capture, Component, Index

STATES = {0: "suppressed", 1: "lightweight", 4: "lightweight"}
FLAGS = ("envelope", "virtual", "pattern_instance", "mirrored", "assembly_features")


@click.command
@click.argument(
    "source",
    default="",
    help="An assembly or part, or mock:SAMPLE; by default the active document.",
    metavar="[SOURCE]",
    shell_complete=files,
)
@click.option("-o", "--out", type=PATH, required=True, help="The file to write, NAME.swcap.", metavar="FILE")
@CONFIGURATION
@click.option("--anonymize", is_flag=True, help="Replace every name and path, and drop the meshes.")
@click.option(
    "--tolerance",
    type=FiniteRange(min=0.0),
    default=0.0,
    help="The distance of meshes from the faces; 0, the default, as SolidWorks displays them.",
    metavar="MM",
)
@FORCE
def capture(source: str, out: Path, configuration: str, anonymize: bool, tolerance: float, force: bool) -> None:
    """Save everything that is read of a document in one file.

    The capture reproduces the export without SolidWorks, for tests and bug reports.
    """
    from swgrm.capture import save
    from swgrm.capture.anonymize import anonymized
    from swgrm.errors import FileError
    from swgrm.storage.files import check_new
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
    click.echo(f"wrote {out}: {counted(result)}")


@click.command
@JSON
def samples(json: bool) -> None:
    """List the sample assemblies, which need no SolidWorks."""
    from swgrm_addin.cli import report
    from swgrm_addin.synthetic import sample_descriptions

    if json:
        report.write_json(sample_descriptions())
    else:
        for name, description in sample_descriptions().items():
            click.echo(f"mock:{name:<14}{description}")


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
        click.echo(f"{origin.title} ({origin.configuration}), SolidWorks {origin.solidworks}")
        click.echo(counted(captured))
        for line in lines(captured):
            click.echo(line)


def counted(captured: Capture) -> str:
    """The numbers of components, documents, mates, shapes and faces of a capture."""
    from swgrm_addin.cli.report import plural

    mates = sum(len(document.mates) for document in captured.documents)
    faces = sum(len(body.faces) for shape in captured.shapes for body in shape.bodies)
    return (
        f"{plural(len(captured.components), 'component')} of {plural(len(captured.documents), 'document')}, "
        f"{plural(mates, 'mate')}, {plural(len(captured.shapes), 'shape')} with {plural(faces, 'face')}"
        + (", without names" if captured.anonymized else "")
    )


def lines(captured: Capture) -> Iterator[str]:
    """A line per component, then per mate and per reference geometry that the user made."""
    from swgrm.capture import Index as Tables
    from swgrm.inference.mates.from_capture import TYPES
    from swgrm_addin.cli.report import words

    index = Tables(captured)
    for component in captured.components:
        yield "  " * component.name.count("/") + f"{component.leaf}  {_state(component, index)}".rstrip()
    for document in captured.documents:
        for mate in document.mates:
            kind = TYPES.get(mate.type, f"unknown type {mate.type}")
            sides = " – ".join(entity.component or "the assembly" for entity in mate.entities)
            off = " (suppressed)" if mate.suppressed else f" (error {mate.error})" if mate.error else ""
            yield f"{mate.name}: {kind}, {sides}{off}"
        for item in (item for item in document.geometry if not item.default):
            yield f"{words(item.kind)} {item.name} in {document.path}"


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
