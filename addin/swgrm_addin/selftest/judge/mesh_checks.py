"""The triangles of parts: the volume inside, whether they are closed, hidden and invisible ones, and cut ones."""

from __future__ import annotations

from collections.abc import Iterator
from math import pi

import numpy as np

from swgrm.capture import Capture, PartShape
from swgrm.meshes.surface import surface, volume_integrals
from swgrm.transforms import Array
from swgrm_addin.selftest.assemblies.states import STATES
from swgrm_addin.selftest.judge.checks import Check, Hypothesis, judged, part_of
from swgrm_addin.selftest.judge.closed_forms import mass_truth
from swgrm_addin.selftest.judge.evidence import Evidence
from swgrm_addin.selftest.parts import PARTS, Ball, Brick, Cone, Disc, Hole, SlotCut
from swgrm_addin.selftest.specs import AssemblyCut

FLAT, CURVED = 1e-5, 0.03  # relative differences of volumes
ROUNDED = (Disc, Hole, SlotCut, Ball, Cone)
OWN = {"C2.tolerance": "block", "C2.hidden": "block", "C2.invisible": "slider"}  # captures of single parts
TITLES = {
    "C2.display": "triangles of the display",
    "C2.tolerance": "triangles with a tolerance",
    "C2.hidden": "triangles of a hidden body",
    "C2.invisible": "triangles of a document without a window",
}


def mesh_checks(evidence: Evidence) -> Iterator[Check]:
    """The checks of each part's triangles, once per way in which they were read."""
    seen: set[str] = set()
    for capture in evidence.captures():
        for shape in capture.shapes:
            part = part_of(shape)
            if part in PARTS and part not in seen and shape.triangles and not shape.variant:
                seen.add(part)
                yield from _mesh("C2.display", part, shape)
    for name, part in OWN.items():
        own = evidence.capture(name.replace(".", "_"))
        if own is not None:
            yield from _mesh(name, part, own.shapes[0])
    yield from _of_component(evidence, "B2.states", "slider-2", "hidden")
    yield from _of_component(evidence, "B2.lightweight", "slider-1", "lightweight")
    yield from _cut(evidence.capture("B2_cut"))


def _triangles(shape: PartShape) -> Array:
    return np.frombuffer(shape.triangles, "<f4").reshape(-1, 3, 3).astype(float)


def _volume(shape: PartShape) -> float:
    return abs(float(volume_integrals(surface(_triangles(shape))).volume)) if shape.triangles else 0.0


def _mesh(name: str, part: str, shape: PartShape) -> Iterator[Check]:
    triangles, volume, truth = _triangles(shape), _volume(shape), mass_truth(part).volume
    allowed = CURVED if any(isinstance(each, ROUNDED) for each in PARTS[part]) else FLAT
    error = volume / truth - 1
    hypotheses, verdict = judged(
        f"the triangles enclose {1e6 * truth:.6g} cm³, within {100 * allowed:g} %", abs(error) < allowed
    )
    text = f"{len(triangles)} triangles enclose {1e6 * volume:.6g} cm³, {100 * error:+.3g} %"
    yield Check(f"{name}/mesh of {part}", TITLES[name], "U7", hypotheses, text, verdict)
    open_edges, is_closed = unmatched_edges(triangles), surface(triangles).is_closed
    closed, verdict = judged("the triangles are closed once near points are merged", is_closed)
    equal = Hypothesis("neighbouring faces have exactly the same points on their common edge", not open_edges)
    text = f"{open_edges} edges of triangles have no partner with exactly the same ends"
    yield Check(f"{name}/edges of {part}", TITLES[name], "U7", (*closed, equal), text, verdict)


def unmatched_edges(triangles: Array) -> int:
    """How many edges of triangles have no edge in the other sense with exactly the same ends."""
    _, numbers = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
    corners = numbers.reshape(-1, 3)
    corners = corners[(corners != np.roll(corners, 1, axis=1)).all(axis=1)]
    edges = np.concatenate([corners[:, [k, (k + 1) % 3]] for k in range(3)])
    found, counts = np.unique(edges, axis=0, return_counts=True)
    known = {tuple(edge): count for edge, count in zip(found.tolist(), counts.tolist(), strict=True)}
    return sum(count for (a, b), count in known.items() if known.get((b, a), 0) != count)


def _of_component(evidence: Evidence, assembly: str, component: str, state: str) -> Iterator[Check]:
    """Whether a component in a state has triangles."""
    capture = evidence.capture(assembly.replace(".", "_"))
    if capture is None:
        return
    shapes = [shape for shape in capture.shapes if shape.through == component]
    seen = f"{sum(len(shape.triangles) // 36 for shape in shapes)} triangles"
    text = f"triangles of a {state} component"
    hypotheses, verdict = judged(f"a {state} component has triangles", any(shape.triangles for shape in shapes))
    yield Check(f"{assembly}/triangles of {component}", text, "U7", hypotheses, seen, verdict)


def _cut(capture: Capture | None) -> Iterator[Check]:
    """The instance that is cut has less volume, the other one has not, and the reader tells them apart."""
    if capture is None:
        return
    cut = next(each for spec in STATES for each in spec.features if isinstance(each, AssemblyCut))
    whole = mass_truth("slider").volume
    height = next(each.height for each in PARTS["slider"] if isinstance(each, Brick))
    truth = {"slider-1": whole - pi * cut.radius**2 * height, "slider-2": whole}
    for shape in capture.shapes:
        if shape.through not in truth or shape.mass is None or shape.mass.volume is None:
            continue
        wanted, volume = truth[shape.through], _volume(shape)
        fits = abs(volume / wanted - 1) < CURVED and abs(shape.mass.volume / wanted - 1) < FLAT
        hypotheses, verdict = judged(f"its triangles and its mass are of {1e6 * wanted:.6g} cm³", fits)
        seen = f"triangles {1e6 * volume:.6g} cm³, mass properties {1e6 * shape.mass.volume:.6g} cm³"
        title = "an instance that the assembly cuts, and one that it does not"
        yield Check(f"B2.cut/shape of {shape.through}", title, "U1, U7", hypotheses, seen, verdict)
