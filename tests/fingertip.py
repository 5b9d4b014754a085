"""The real mate graph of an assembly that another exporter read from SolidWorks 2024, as a capture."""

from __future__ import annotations

import json
import ntpath
from pathlib import Path
from typing import Any

from swgrm.capture import VERSION, Capture, CaptureSource, Component, Document, Mate, MateEntity, PartShape, Placement
from swgrm.solidworks.swconst import swMateType_e

SELECTED = {0: 3, 2: 1, 3: 2, 4: 2}  # swSelectType_e of points, circles, planes and cylinders


def graph(fixtures: Path) -> dict[str, Any]:
    """The contents of the file."""
    found: dict[str, Any] = json.loads((fixtures / "fingertip" / "graph.json").read_text("utf-8"))
    return found


def as_capture(real: dict[str, Any]) -> Capture:
    """The graph as SolidWorks returned it, with unchanged numbers; a mate that is listed twice is one."""
    path = real["source_assembly"]
    mates = _mates(real)
    components = tuple(_component(item, number, mates) for number, item in enumerate(_sorted(real), 1))
    placements = tuple(Placement(c.name, c.transform) for c in components)
    root = Document(path, "Default", 2, "Default", placements=placements, mates=tuple(mates))
    parts = [Document(c.path, "Default", 1, "Default") for c in components]
    shapes = [PartShape(c.path, "Default", through=c.name) for c in components]
    return Capture(
        VERSION,
        CaptureSource(path, ntpath.basename(path), "Default", 2, "32.0.0", 5, False),
        components,
        tuple(sorted([root, *parts], key=lambda document: document.path)),
        tuple(sorted(shapes, key=lambda shape: shape.path)),
    )


def _sorted(real: dict[str, Any]) -> list[dict[str, Any]]:
    return sorted(real["components"], key=lambda item: str(item["name"]))


def _mates(real: dict[str, Any]) -> list[Mate]:
    unique = {json.dumps(mate): mate for edge in real["edges"] for mate in edge["mates"]}
    return [_mate(mate, number) for number, mate in enumerate(unique.values(), 1)]


def _mate(mate: dict[str, Any], number: int) -> Mate:
    name = f"{mate['type'].capitalize()}{number}"
    kind = int(swMateType_e[f"swMate{mate['type']}"])
    sides = zip(mate["etypes"], mate["owners"], mate["points"], mate["dirs"], mate["radii"], strict=True)
    entities = tuple(
        MateEntity(etype, SELECTED[etype], owner, (*point, *direction, radius))
        for etype, owner, point, direction, radius in sides
    )
    return Mate(name, f"Mate{mate['type'].capitalize()}", number, bytes([number]), kind, entities=entities)


def _component(item: dict[str, Any], number: int, mates: list[Mate]) -> Component:
    w = item["world"]  # four rows for column vectors; SolidWorks' rows are its columns
    transform = (w[0], w[4], w[8], w[1], w[5], w[9], w[2], w[6], w[10], w[3], w[7], w[11], 1.0, 0.0, 0.0, 0.0)
    names = sorted(m.name for m in mates if any(e.component == item["name"] for e in m.entities))
    return Component(
        item["name"], item["part_path"], "Default", number, bytes([number]), 3, 1, -1, transform, mates=tuple(names)
    )  # fmt: skip
