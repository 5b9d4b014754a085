"""The attributes with the prefix `swgrm:` that swgrm 0.2 wrote, as the note of today."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from swgrm_exporters.notes import Plain
from swgrm_exporters.usd.parsing import PrimSpec, UsdLayer
from swgrm_exporters.usd.values import target, text

OWN = "swgrm:"
SHAPES = ("swgrm:mesh", "swgrm:shape")  # that files of today have as well


def note_of_attributes(stage: UsdLayer, root: str) -> Plain:
    """The note that the attributes of a stage amount to; empty if it has none."""
    if not any(_own_names(spec) for spec in stage.prims.values()):
        return {}
    frames: dict[str, Plain] = {}
    renamed: dict[str, str] = {}
    ends: dict[str, list[str]] = {}
    robot: dict[str, list[Any]] = {}
    for spec in stage.prims.values():
        name = name_of(spec.path)
        if "physics:body1" in spec.attributes:
            robot.setdefault("actuators", []).extend(_decoded(spec, "actuator"))
            parent, child = (target(spec.attributes.get(f"swgrm:{end}")) for end in ("parent", "child"))
            if parent and child:
                ends[name] = [name_of(parent), name_of(child)]
            elif parent:
                moved = name_of(target(spec.attributes["physics:body1"]))
                frames.setdefault(moved, {})["parent"] = name_of(parent)
        elif {"PhysicsRigidBodyAPI", "IsaacSiteAPI"} & {*spec.schemas}:
            frames.setdefault(name, {}).update(_frame_entry(spec))
            renamed[name] = text(spec.attributes.get("swgrm:frame")) or text(spec.metadata.get("displayName")) or name
    robot["compositeJoints"] = list(_decoded(stage.prims[root], "composite"))
    robot["poses"] = list(_decoded(stage.prims[root], "pose"))
    fields = {key: values for key, values in robot.items() if values}
    return {"frames": frames, "renamed": {"frame": renamed}, "robot": fields, "ends": ends}


def name_of(path: str) -> str:
    """The last name of a path."""
    return path.rpartition("/")[2]


def _own_names(spec: PrimSpec) -> list[str]:
    return [name for name in spec.attributes if name.startswith(OWN) and name not in SHAPES]


def _frame_entry(spec: PrimSpec) -> Plain:
    entry: Plain = {"name": label} if (label := text(spec.attributes.get("swgrm:label"))) else {}
    if joint := text(spec.attributes.get("swgrm:joint")):
        entry["joint"] = {"type": "fixed", "name": joint}
    if spec.attributes.get("swgrm:virtual") is True:
        entry["virtual"] = True
    if sensors := list(_decoded(spec, "sensor")):
        entry["sensors"] = sensors
    implied = spec.attributes.get("swgrm:implied")
    implied = implied if isinstance(implied, list) else []
    if "link" in implied:
        entry["link"] = None
    elif "tensor" in implied:
        entry["link"] = {"tensor": False}
    return {**entry, "light": True} if "inertial" in implied else entry


def _decoded(spec: PrimSpec, what: str) -> Iterator[Any]:
    """What swgrm has noted of a kind at a prim."""
    for name, value in spec.attributes.items():
        if name.startswith(f"{OWN}{what}") and isinstance(value, str):
            try:
                yield msgspec.json.decode(value)
            except msgspec.DecodeError:
                continue
