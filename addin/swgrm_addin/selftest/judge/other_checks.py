"""The checks of the whole run: raw answers, speed, the user interface, what is left, and what cannot be settled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from swgrm.capture import Mate
from swgrm_addin.selftest.assemblies import UNSETTLED
from swgrm_addin.selftest.judge.checks import Check, Hypothesis, Verdict, judged
from swgrm_addin.selftest.judge.evidence import Evidence
from swgrm_addin.selftest.judge.geometry_checks import geometry_checks
from swgrm_addin.selftest.judge.mass_checks import mass_checks
from swgrm_addin.selftest.judge.mesh_checks import mesh_checks
from swgrm_addin.selftest.judge.probe_checks import probe_checks
from swgrm_addin.selftest.judge.state_checks import state_checks
from swgrm_addin.selftest.specs import ALIGNED, ANTI_ALIGNED

DIRECTED = (1, 3, 4)  # swMateEntity2ReferenceType_e: lines, planes and cylinders
PARALLEL = 0.999


def other_checks(evidence: Evidence) -> Iterator[Check]:
    """All of them; those whose steps were not run are left out."""
    for make in (
        mass_checks, mesh_checks, geometry_checks, state_checks, probe_checks, _entity_lengths, _alignments, _failures,
        _speed, _interface, _left,
    ):  # fmt: skip
        yield from make(evidence)
    for each in UNSETTLED:
        text = f"not settled: {each.reason}"
        yield Check(each.id, each.title, each.settles, (Hypothesis(text),), text, Verdict.UNDECIDED)


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


def _alignments(evidence: Evidence) -> Iterator[Check]:
    """Whether the alignment of a mate is the sense of its two directions, where they are parallel."""
    found = Counter(
        (mate.alignment, sense)
        for capture in evidence.captures()
        for document in capture.documents
        for mate in document.mates
        if mate.alignment in (ALIGNED, ANTI_ALIGNED) and (sense := _sense(mate))
    )
    if not found:
        return
    fits = set(found) <= {(ALIGNED, 1), (ANTI_ALIGNED, -1)}
    hypotheses, verdict = judged("aligned (0) means that EntityParams have directions of the same sense", fits)
    names, senses = {ALIGNED: "aligned", ANTI_ALIGNED: "anti-aligned"}, {1: "the same sense", -1: "opposite senses"}
    seen = ", ".join(f"{names[a]} with {senses[sense]}: {n} mates" for (a, sense), n in sorted(found.items()))
    yield Check("U3/alignment", "IMate2.Alignment", "U3", hypotheses, seen, verdict)


def _sense(mate: Mate) -> int:
    """1 if the two directions of a mate have the same sense, -1 if opposite ones, 0 if they are not parallel."""
    ends = [np.array(entity.params[3:6]) for entity in mate.entities if entity.type in DIRECTED]
    if len(ends) != 2 or len(mate.entities) != 2 or min(map(np.linalg.norm, ends)) < PARALLEL:
        return 0
    cosine = float(ends[0] @ ends[1] / np.linalg.norm(ends[0]) / np.linalg.norm(ends[1]))
    return int(np.sign(cosine)) if abs(cosine) > PARALLEL else 0


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
    titles = {
        "D2.ribbon": "the command group and the tabs of the add-in",
        "documents.planes": "the planes of a new part",
        "D2.progress": "a progress bar outside a command",
        "D2.flag": "CommandInProgress",
    }
    for each in evidence.run.observations:
        yield Check(each.check, titles.get(each.check, each.check), "U12", (), each.value, Verdict.MEASURED)


def _left(evidence: Evidence) -> Iterator[Check]:
    left = evidence.run.left_behind
    hypotheses, verdict = judged("everything is closed and put back", not left)
    yield Check("end/left", "what the self-test leaves behind", "", hypotheses, ", ".join(left) or "nothing", verdict)
