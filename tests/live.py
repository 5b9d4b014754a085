"""Recordings of assemblies from live SolidWorks 2022, as captures; tests/data/live has their source."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from swgrm.capture import (
    VERSION,
    AnyFeatureData,
    Capture,
    CaptureSource,
    Component,
    Document,
    Gear,
    Mate,
    MateEntity,
    Placement,
    RackPinion,
)
from swgrm.solidworks.swconst import swMateType_e

FOLDER = Path(__file__).parent / "data" / "live"
# The other files of the folder contain single facts.
NAMES = ["actuator", "cam_follower", "plunger", "rack_pinion", "spurgear", "valve_cam", "weldingrobot"]
SOLVING = {None: -1, "rigid": 0, "flexible": 1}


def recording(name: str) -> dict[str, Any]:
    """A recording as it was made."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return found


def as_capture(real: dict[str, Any]) -> Capture:
    """A recording as a capture; no number is changed."""
    path = f"C:\\live\\{real.get('assembly', 'assembly')}.SLDASM"
    mates = tuple(_mate(mate, number) for number, mate in enumerate(real["mates"], 1))
    items = sorted(real["components"], key=lambda item: str(item["name"]))
    components = tuple(_component(item, number) for number, item in enumerate(items, 1))
    placements = tuple(
        Placement(component.name, component.transform, bool(item["fixed"]))
        for component, item in zip(components, items, strict=True)
    )
    root = Document(path, "Default", 2, "Default", placements=placements, mates=mates)
    parts = {c.path: Document(c.path, "Default", 2 if c.is_assembly else 1, "Default") for c in components}
    source = CaptureSource(path, path.rpartition("\\")[2], "Default", 2, real["solidworks"], 5, False)
    return Capture(VERSION, source, components, tuple(sorted([root, *parts.values()], key=lambda d: d.path)))


def _component(item: dict[str, Any], number: int) -> Component:
    rows = item["transform"]  # for column vectors; SolidWorks' rows are its columns
    rotation = tuple(float(rows[i][j]) for j in range(3) for i in range(3))
    transform = (*rotation, *(float(rows[i][3]) for i in range(3)), 1.0, 0.0, 0.0, 0.0)
    state = 0 if item["suppressed"] else 3
    stem = str(item["name"]).rpartition("-")[0]
    solving = SOLVING[item["solving"]]
    path = f"C:\\live\\{stem}.{'SLDASM' if solving >= 0 else 'SLDPRT'}"
    return Component(item["name"], path, "Default", number, bytes([number]), state, 1, solving, transform)


def _mate(mate: dict[str, Any], number: int) -> Mate:
    entities = tuple(
        MateEntity(entity["ref"], entity["sel"], entity["component"], tuple(map(float, entity["raw"])))
        for entity in mate["entities"]
    )
    kind = swMateType_e[mate["type"]]
    data = _data(" ".join(mate.get("extra", ())))
    common = {"suppressed": mate["suppressed"], "entities": entities, "data": data}
    return Mate(mate["name"], "Mate", number, bytes([number]), int(kind), **common)


def _data(extra: str) -> AnyFeatureData | None:
    """The numbers of gear and rack mates, from the lines of the log."""
    found = dict(re.findall(r"(\w+)=(\S+)", extra))
    if extra.startswith("gear"):
        return Gear(float(found["num"]), float(found["den"]), found["reverse"] == "True")
    if extra.startswith("rack"):
        return RackPinion(int(found["type"]), float(found["diameterVal"]), found["reverse"] == "True")
    return None
