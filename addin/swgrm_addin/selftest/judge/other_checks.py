"""The checks beside the assemblies: mass, meshes, reference geometry, states, raw answers, speed, and what is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from swgrm.capture import Capture, PartShape
from swgrm.inertia import tensor_matrix
from swgrm.meshes.surface import surface, volume_integrals
from swgrm.model import Inertial
from swgrm.transforms import Array, column_matrix
from swgrm_addin.selftest.assemblies import UNBUILDABLE
from swgrm_addin.selftest.judge.checks import Check, Hypothesis, Verdict, judged
from swgrm_addin.selftest.judge.closed_forms import mass_truth
from swgrm_addin.selftest.judge.evidence import Evidence, understood
from swgrm_addin.selftest.mating import rotation
from swgrm_addin.selftest.parts import PARTS, Ball, Cone, Disc, Hole, OffsetPlane, SlotCut, System
from swgrm_addin.selftest.specs import At

SAME_MASS, SAME_MESH, CURVED = 1e-6, 1e-5, 0.03  # relative differences: of masses, flat meshes, curved ones
SAME_POSE = 1e-6  # [m]
ROUNDED = (Disc, Hole, SlotCut, Ball, Cone)
WEIGHED = ("C1.part", "C1.component", "C1.override")
STATES: dict[str, tuple[str, Callable[[object], bool]]] = {
    "slider-1": ("suppressed", lambda c: getattr(c, "suppression", None) == 0),
    "slider-2": ("hidden", lambda c: getattr(c, "visible", None) == 0),
    "peg-1": ("an envelope", lambda c: bool(getattr(c, "envelope", False))),
}


def other_checks(evidence: Evidence) -> Iterator[Check]:
    """All of them; those whose steps were not run are left out."""
    for make in (_masses, _meshes, _geometry, _states, _entity_lengths, _failures, _speed, _interface, _left):
        yield from make(evidence)
    for each in UNBUILDABLE:
        text = f"not settled: {each.reason}"
        yield Check(each.id, each.title, each.settles, (Hypothesis(text),), text, Verdict.UNDECIDED)


def _named(check: str) -> str:
    return check.replace(".", "_")


def _part_of(shape: PartShape) -> str:
    return shape.path.rpartition("\\")[2].rpartition(".")[0]


def _masses(evidence: Evidence) -> Iterator[Check]:
    """Mass, centre and tensor of each part, as the exported robot has them, against closed forms."""
    for name in WEIGHED:
        capture = evidence.capture(_named(name))
        if capture is None:
            continue
        for frame, link in understood(capture, {}).robot.links():
            part = frame.id.rpartition("-")[0] or frame.id
            if part not in PARTS or link.inertial is None:
                continue
            yield _mass(name, part, link.inertial)


def _mass(name: str, part: str, found: Inertial) -> Check:
    truth = mass_truth(part)
    mass = abs(found.mass / truth.mass - 1)
    centre = float(np.abs(np.subtract(found.origin, truth.centre)).max())
    tensor = float(np.abs(tensor_matrix(found) - truth.tensor).max() / np.abs(truth.tensor).max())
    fits = max(mass, centre, tensor) < SAME_MASS
    hypotheses, verdict = judged(f"mass {truth.mass:.9g} kg, centre and inertia as in closed form", fits)
    seen = f"mass {found.mass:.9g} kg; differences: mass {mass:.1e}, centre {centre:.1e} m, tensor {tensor:.1e}"
    return Check(f"{name}/mass of {part}", "mass properties of a part", "F9, U6", hypotheses, seen, verdict)


def _meshes(evidence: Evidence) -> Iterator[Check]:
    """The volume inside the triangles of each part, against closed forms."""
    seen: set[tuple[str, str]] = set()
    sources: list[tuple[str, Capture | None]] = [("C2.display", each) for each in evidence.captures()]
    sources.append(("C2.tolerance", evidence.capture("C2_tolerance")))
    for name, capture in sources:
        for shape in capture.shapes if capture else ():
            part = _part_of(shape)
            if part in PARTS and (name, part) not in seen and shape.triangles:
                seen.add((name, part))
                yield _mesh(name, part, shape)


def _mesh(name: str, part: str, shape: PartShape) -> Check:
    triangles = np.frombuffer(shape.triangles, "<f4").reshape(-1, 3, 3).astype(float)
    volume = abs(float(volume_integrals(surface(triangles)).volume))
    truth = mass_truth(part).volume
    allowed = CURVED if any(isinstance(each, ROUNDED) for each in PARTS[part]) else SAME_MESH
    error = volume / truth - 1
    hypotheses, verdict = judged(
        f"the triangles enclose {1e6 * truth:.6g} cm³, within {100 * allowed:g} %", abs(error) < allowed
    )
    text = f"{len(triangles)} triangles enclose {1e6 * volume:.6g} cm³, {100 * error:+.3g} %"
    return Check(f"{name}/mesh of {part}", "meshes of a part", "U7", hypotheses, text, verdict)


def _geometry(evidence: Evidence) -> Iterator[Check]:
    """The coordinate system and the plane of the block, against what was asked for."""
    capture = evidence.capture("C1_part")
    if capture is None:
        return
    geometry = capture.documents[0].geometry
    system = next(each for each in PARTS["block"] if isinstance(each, System))
    plane = next(each for each in PARTS["block"] if isinstance(each, OffsetPlane))
    seen = [column_matrix(each.numbers) for each in geometry if each.kind == "coordinateSystem"]
    found = _orders(system)
    hypotheses = tuple(
        Hypothesis(text, any(np.abs(T - each).max() < SAME_POSE for each in seen) if seen else None)
        for text, T in found.items()
    )
    fits = [each.fits for each in hypotheses]
    verdict = Verdict.UNDECIDED if not seen else Verdict.CONFIRMED if any(fits) else Verdict.REFUTED
    text = "; ".join(str(np.round(T, 6).tolist()) for T in seen) or "no coordinate system was read"
    yield Check("C1.part/system", "a rotated coordinate system", "U13", hypotheses, text, verdict)
    planes = [column_matrix(each.numbers) for each in geometry if each.kind == "plane" and not each.default]
    good = [T for T in planes if abs(abs(T[2, 2]) - 1) < SAME_POSE and abs(T[2, 3] - plane.distance) < SAME_POSE]
    one, verdict = judged("the z axis of its transform is its normal", bool(good) if planes else None)
    text = "; ".join(str(np.round(T, 6).tolist()) for T in planes) or "no plane was read"
    yield Check("C1.part/plane", "a plane parallel to the first one", "U13", one, text, verdict)


def _orders(system: System) -> dict[str, Array]:
    """The pose of a coordinate system by what its three angles may mean."""
    names = "turn_x", "turn_y", "turn_z"
    x, y, z = (np.array(rotation(At()._replace(**{n: turn}))) for n, turn in zip(names, system.turns, strict=True))
    found = {}
    for text, R in {"rotations about fixed x, y, z": z @ y @ x, "rotations about moving x, y, z": x @ y @ z}.items():
        found[text] = np.eye(4)
        found[text][:3, :3], found[text][:3, 3] = R, (system.x, system.y, system.z)
    return found


def _states(evidence: Evidence) -> Iterator[Check]:
    capture = evidence.capture("B2_states")
    by_name = {each.name: each for each in capture.components} if capture else {}
    for name, (state, has) in STATES.items() if capture else ():
        component = by_name.get(name)
        hypotheses, verdict = judged(f"{name} is read as {state}", component is not None and has(component))
        text = "it was not read" if component is None else (
            f"suppression {component.suppression}, visible {component.visible}, envelope {component.envelope}"
        )  # fmt: skip
        yield Check(f"B2.states/{name}", "states of components", "U8", hypotheses, text, verdict)


def _entity_lengths(evidence: Evidence) -> Iterator[Check]:
    """How many values EntityParams has, by the type of the entity."""
    lengths = Counter(
        (entity.type, len(entity.params))
        for capture in evidence.captures()
        for document in capture.documents
        for mate in document.mates
        for entity in mate.entities
    )
    if lengths:
        fits = {length for _, length in lengths} == {8}
        text = ", ".join(f"type {kind}: {length} values ({n})" for (kind, length), n in sorted(lengths.items()))
        yield Check(
            "U4/entities", "IMateEntity2.EntityParams", "U4", (Hypothesis("it always has 8 values", fits),), text,
            Verdict.MEASURED,
        )  # fmt: skip


def _failures(evidence: Evidence) -> Iterator[Check]:
    """The calls that failed while captures were read."""
    found: Counter[str] = Counter()
    for capture in evidence.captures():
        for failure in capture.failures:
            found[f"{failure.member} reported {failure.problem}"] += failure.count
    hypotheses, verdict = judged("no call fails while a document is read", not found)
    text = "; ".join(f"{what} ({count} times)" for what, count in sorted(found.items())) or "no call failed"
    yield Check("F1/failures", "calls of the reader", "F1", hypotheses, text, verdict)


def _speed(evidence: Evidence) -> Iterator[Check]:
    for each in evidence.run.timings:
        text = f"{1e6 * each.seconds / each.calls:.1f} µs per call ({each.calls} calls)"
        yield Check(f"D1.speed/{each.context}/{each.member}", f"time of {each.member}", "F8, U6, U9", (), text,
                    Verdict.MEASURED)  # fmt: skip


def _interface(evidence: Evidence) -> Iterator[Check]:
    titles = {"D2.progress": "a progress bar outside a command", "D2.flag": "CommandInProgress"}
    for each in evidence.run.observations:
        yield Check(each.check, titles.get(each.check, each.check), "U12", (), each.value, Verdict.MEASURED)


def _left(evidence: Evidence) -> Iterator[Check]:
    left = evidence.run.left_behind
    hypotheses, verdict = judged("everything is closed and put back", not left)
    yield Check("end/left", "what the self-test leaves behind", "", hypotheses, ", ".join(left) or "nothing", verdict)
