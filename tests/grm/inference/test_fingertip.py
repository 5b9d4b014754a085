"""A real assembly's mates, as SolidWorks returned them: one hinge and one rigid pair."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.grm.inference.looking import joints, together

from swgrm.capture import VERSION, Capture, CaptureSource, Component, Document, Mate, MateEntity, Placement
from swgrm.inference import infer
from swgrm_mocks.builder import transform_array

pytestmark = pytest.mark.fixtures
TYPES = {"COINCIDENT": 0, "CONCENTRIC": 1, "PARALLEL": 3, "DISTANCE": 5}
LENGTHS = {0: 3, 2: 7, 3: 6, 4: 7}  # of the numbers that SolidWorks gives for an entity


def capture_of(graph: dict[str, Any]) -> Capture:
    """The other exporter's graph as a capture: the numbers are untouched."""
    placed = {c["name"]: transform_array(np.array(c["world"]).reshape(4, 4)) for c in graph["components"]}
    components = [
        Component(name, f"{name[:-2]}.SLDPRT", "Default", k, b"", 3, 1, -1, T)
        for k, (name, T) in enumerate(placed.items())
    ]
    mates: list[Mate] = []
    for edge in graph["edges"]:
        for mate in edge["mates"]:
            sides = zip(mate["owners"], mate["etypes"], mate["points"], mate["dirs"], mate["radii"], strict=True)
            entities = tuple(
                MateEntity(kind, 0, owner, tuple([*p, *d, r][: LENGTHS[kind]])) for owner, kind, p, d, r in sides
            )
            name = f"{mate['type'].title()}{len(mates)}"
            mates.append(
                Mate(name, f"Mate{mate['type'].title()}", len(mates), b"", TYPES[mate["type"]], entities=entities)
            )
    placements = tuple(Placement(name, T) for name, T in sorted(placed.items()))
    path = "fingertip.SLDASM"
    root = Document(path, "Default", 2, "Default", placements=placements, mates=tuple(mates))
    return Capture(VERSION, CaptureSource(path, path, "Default", 2, "32.0.0", 5, False), tuple(components), (root,))


def test_the_fingertip_has_one_hinge_and_one_rigid_pair(fixtures: Path) -> None:
    graph = json.loads((fixtures / "fingertip" / "graph.json").read_text(encoding="utf-8"))
    seen = infer(capture_of(graph))
    assert together(seen, "screwlock_male_hard_jointbase_v4-1", "fingertip_front-2")
    (joint,) = joints(seen)
    assert joint.name == "revolute"
    assert "fingertip_back-1" in (joint.parent, joint.child)
    (move,) = seen.tree.joints[0].chain
    assert abs(abs(move.axis[1]) - 1) < 1e-9
    assert np.allclose(np.cross(move.axis, move.point - [0.021039486685753526, 0, 0.014]), 0, atol=1e-9)
