"""The checks of each assembly: it is built, read completely, and has the joints, limits and motions of its truth."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from swgrm.capture import Capture, Document, MateEntity
from swgrm_addin.selftest.judge.checks import Check, Hypothesis, Verdict, judged
from swgrm_addin.selftest.judge.evidence import Choices, Evidence, doubt
from swgrm_addin.selftest.judge.fitting import FittedRobot, is_same_pose, motion_text
from swgrm_addin.selftest.mating import transform
from swgrm_addin.selftest.specs import AssemblySpec

LIMIT_VALUES = re.compile("(Minimum|Maximum|MinVal|MaxVal|Angle |Distance )")
SAME_LIMIT = 1e-5  # [m or rad]


class Judged(NamedTuple):
    """An assembly with its capture and the robot that is inferred with the conventions that fit."""

    evidence: Evidence
    spec: AssemblySpec
    capture: Capture
    robot: FittedRobot
    choices: Choices

    def check(self, what: str, title: str, hypothesis: str, seen: str, *, fits: bool | None) -> Check:
        """A check of this assembly with one hypothesis."""
        hypotheses, verdict = judged(hypothesis, fits)
        return Check(f"{self.spec.id}/{what}", title, self.spec.settles, hypotheses, seen, verdict)


def assembly_checks(evidence: Evidence, spec: AssemblySpec, fitting: Choices) -> Iterator[Check]:
    """The checks of an assembly; `fitting` are the choices of conventions that agree with what was seen."""
    obstacle = evidence.obstacle(spec.id)
    yield _built(spec, obstacle)
    yield from _values(evidence, spec)
    capture = evidence.capture(spec.file)
    choices = {key: fitting[key] for key in spec.conventions if key in fitting}
    if capture is None:
        return
    yield _read(spec, capture, is_complete=not obstacle)
    robot = evidence.robot(spec, choices)
    if robot is None or obstacle:
        return
    judging = Judged(evidence, spec, capture, robot, choices)
    yield from _freedoms(judging)
    yield from _limits(judging)
    yield from _positions(judging)
    yield from _motions(judging)


def _built(spec: AssemblySpec, obstacle: str) -> Check:
    text = "SolidWorks builds, mates and drives it through its API"
    return Check(
        f"{spec.id}/built", spec.title, spec.settles, (Hypothesis(text, None if obstacle else True),),
        obstacle or "all steps succeeded", Verdict.UNDECIDED if obstacle else Verdict.CONFIRMED,
    )  # fmt: skip


def _read(spec: AssemblySpec, capture: Capture, *, is_complete: bool) -> Check:
    """Whether the reader found every mate, and which entities SolidWorks returned for each."""
    mates = [mate for document in _own(capture) for mate in document.mates]
    expected = len(spec.mates) + (spec.virtual_on is not None)
    failed = [f"{each.member} reported {each.problem} ({each.count} times)" for each in capture.failures]
    seen = [f"{mate.feature_type}: " + _entities(mate.entities) for mate in mates]
    fits = len(mates) == expected and not failed if is_complete else None
    hypotheses, verdict = judged(f"{expected} mates are read, and no call fails", fits)
    return Check(f"{spec.id}/read", spec.title, spec.settles, hypotheses, "\n".join([*seen, *failed]), verdict)


def _own(capture: Capture) -> list[Document]:
    return [document for document in capture.documents if document.path == capture.source.path]


def _entities(entities: tuple[MateEntity, ...]) -> str:
    """The kinds of entities: swMateEntity2ReferenceType_e, swSelectType_e, and whose they are."""
    kinds = [f"{entity.type}/{entity.selection_type} of {entity.component or 'the assembly'}" for entity in entities]
    return ", ".join(kinds) or "no entities"


def _freedoms(judging: Judged) -> Iterator[Check]:
    for component, truth in judging.spec.truth.items():
        found = judging.robot.freedoms(component)
        yield judging.check(
            f"freedom of {component}", judging.spec.title, _freedom(*truth),
            f"inferred: {_freedom(*found)}", fits=tuple(found) == tuple(truth),
        )  # fmt: skip


def _freedom(rotations: int, total: int) -> str:
    if not total:
        return "no degree of freedom"
    return f"{total} degree{'s' if total > 1 else ''} of freedom, {rotations} of rotation"


def _limits(judging: Judged) -> Iterator[Check]:
    unit = 1000.0
    for component, (low, high) in judging.spec.limits.items():
        seen = _range(judging.robot, component)
        fits: bool | None = seen is not None and bool(np.allclose(seen, (low, high), atol=SAME_LIMIT))
        text = "none" if seen is None else f"{unit * seen[0]:.4g} to {unit * seen[1]:.4g}"
        if reason := _other_assembly(judging, component):
            fits, text = None, f"{text}; {reason}"
        yield judging.check(
            f"limits of {component}", judging.spec.title,
            f"it moves from {unit * low:.4g} to {unit * high:.4g} mm or mrad from where it was built",
            f"inferred: {text}", fits=fits,
        )  # fmt: skip


def _other_assembly(judging: Judged, component: str) -> str:
    """Why the limits of the tables are not those of what SolidWorks made; "" if they are."""
    misread = [text for text in judging.evidence.misread(judging.spec.id) if LIMIT_VALUES.match(text)]
    if misread:
        return "SolidWorks has other limits than were set (" + "; ".join(misread) + ")"
    placed = {each.name: transform(each.pose) for each in judging.spec.components}
    read = {each.name: each.transform for each in judging.capture.components}
    if component in placed and not is_same_pose(placed[component], read.get(component) or ()):
        return f"SolidWorks moved {component} when it was mated"
    return ""


def _range(robot: FittedRobot, component: str) -> tuple[float, float] | None:
    """How far the one limited joint may move a component, in the sense of the assembly's axes."""
    for name, frame in robot.robot.joints.items():
        limits = frame.joint.limits if frame.joint else None
        if limits is None or limits.lower is None or limits.upper is None:
            continue
        sense = np.sign(robot.moved_by(component, name, 1e-3))
        low, high = sorted((sense * limits.lower, sense * limits.upper))
        return float(low), float(high)
    return None


def _positions(judging: Judged) -> Iterator[Check]:
    """Where components are once the mates hold, by what the numbers of the mates may mean."""
    origins = {each.name: each.transform[9:12] for each in judging.capture.components if each.transform}
    for component, places in judging.spec.positions:
        at = origins.get(component)
        hypotheses = tuple(
            Hypothesis(text, None if at is None else _is_near(at, place)) for text, place in places.items()
        )
        fits = [each.fits for each in hypotheses]
        verdict = Verdict.CONFIRMED if True in fits else Verdict.UNDECIDED if None in fits else Verdict.REFUTED
        seen = "it was not read" if at is None else f"at ({', '.join(f'{1000 * x:.4g}' for x in at)}) mm"
        spec = judging.spec
        yield Check(f"{spec.id}/position of {component}", spec.title, spec.settles, hypotheses, seen, verdict)


def _is_near(at: tuple[float, ...], place: tuple[float | None, ...]) -> bool:
    return all(b is None or abs(a - b) < SAME_LIMIT for a, b in zip(at, place, strict=True))


def _motions(judging: Judged) -> Iterator[Check]:
    for number, motion in enumerate(judging.evidence.motions(judging.spec.id), 1):
        fits = judging.evidence.fits(judging.spec, motion, judging.choices)
        seen = [motion_text(motion.before, motion.after), doubt(motion)]
        yield judging.check(
            f"motion {number}", f"{judging.spec.title}: {motion.what}",
            "the inferred robot moves as SolidWorks moves the assembly",
            "\n".join(filter(None, seen)), fits=fits,
        )  # fmt: skip


def _values(evidence: Evidence, spec: AssemblySpec) -> Iterator[Check]:
    """The values of mates that SolidWorks reads otherwise than they were set; captures have those that are read."""
    if misread := evidence.misread(spec.id):
        hypothesis = Hypothesis("the values of its mates are read as they were set", False)
        seen = "\n".join(misread)
        yield Check(f"{spec.id}/values", spec.title, spec.settles, (hypothesis,), seen, Verdict.MEASURED)
