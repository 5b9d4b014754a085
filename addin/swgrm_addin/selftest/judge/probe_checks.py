"""What the answers to the questions of `probing` mean, by hypotheses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from swgrm.solidworks.swconst_calls import swBodyInfo_e, swSuppressionError_e
from swgrm.transforms import column_matrix
from swgrm_addin.selftest.judge.checks import Check, Hypothesis, Verdict
from swgrm_addin.selftest.judge.closed_forms import mass_truth
from swgrm_addin.selftest.judge.evidence import Evidence
from swgrm_addin.selftest.mating import LIGHTWEIGHT, RESOLVED
from swgrm_addin.selftest.probing import Answers

MODIFIED, OK = int(swBodyInfo_e.swUserBody_e), int(swSuppressionError_e.swSuppressionChangeOk)
SAME = 1e-6  # relative


class Question(NamedTuple):
    """Hypotheses on the answers; swgrm is right if all of `needed` hold, the others are only reported."""

    needed: Mapping[str, Callable[[Answers], bool | None]]
    others: Mapping[str, Callable[[Answers], bool | None]] = {}


def _weighs(answers: Answers, *parts: str) -> bool:
    mass = sum(mass_truth(part).mass for part in parts)
    return bool(abs(answers["mass"] / mass - 1) < SAME)


def _nine(answers: Answers, key: str, sign: float) -> bool:
    R = column_matrix(answers["transform"])[:3, :3]
    tensor = R @ mass_truth("block").tensor @ R.T
    wanted = sign * tensor + (1 - sign) * np.diag(np.diag(tensor))
    found = np.array(answers[key]).reshape(3, 3)
    return bool(np.abs(found - wanted).max() < SAME * np.abs(tensor).max())


def _answer(answers: Answers, which: str) -> Any:
    """The tick of HasAssemblyFeatures, without the name of the configuration; None if the call failed."""
    value = answers[f"HasAssemblyFeatures of the {which} one"]
    return value[0] if isinstance(value, list | tuple) else None


def _marked(answers: Answers, which: str) -> bool | None:
    value = answers[f"marks of the {which} one"]
    return MODIFIED in value if isinstance(value, list | tuple) else None


QUESTIONS: Mapping[str, Question] = {
    "selection": Question(
        {
            "the put is read back as one item, or as the selection and that item": lambda a: (
                a["items after the put"] in (1, 1 + a["items at first"])
            ),
            "the mass is that of the items": lambda a: (
                _weighs(a, "block") if a["items after the put"] == 1 else _weighs(a, "block", "plate")
            ),
        },
        {
            "SelectedItems replaces the user's selection": lambda a: a["items after the put"] == 1,
            "SelectedItems adds to the user's selection": lambda a: a["items after the put"] == 2,
            "the put leaves the user's selection as it was": lambda a: a["selected after"] == a["selected before"],
            "the put leaves the save flag as it was": lambda a: a["flag after"] == a["flag before"],
        },
    ),
    "notation": Question(
        {
            "with the option off, the nine moments are the tensor or its products of inertia": lambda a: (
                _nine(a, "off", 1.0) or _nine(a, "off", -1.0)
            ),
            "with the option on, they are the tensor or its products of inertia": lambda a: (
                _nine(a, "on", 1.0) or _nine(a, "on", -1.0)
            ),
        },
        {
            "off means the elements of the tensor": lambda a: _nine(a, "off", 1.0),
            "on means the products of inertia": lambda a: _nine(a, "on", -1.0),
        },
    ),
    "suppression": Question(
        {
            "GetSuppression2 returns what was set": lambda a: (
                (a["resolved"], a["lightweight"]) == (RESOLVED, LIGHTWEIGHT)
            ),
            "SetSuppression2 returns swSuppressionChangeOk": lambda a: (
                (a["return of resolved"], a["return of lightweight"]) == (OK, OK)
            ),
        },
        {
            "it is still lightweight after it was captured": lambda a: a["at first"] == LIGHTWEIGHT,
            "the changes leave the save flag as it was": lambda a: a["flag after"] == a["flag before"],
        },
    ),
    "ribbon": Question(
        {
            "SolidWorks knows the command group, and the ids of its commands": lambda a: a["stored"] == a["ids"],
            "the tab is there for assemblies and for parts": lambda a: a["assemblies"] and a["parts"],
        },
        {"SolidWorks asks whether commands are enabled": lambda a: a["asked"] > 0},
    ),
    "cut": Question(
        {
            "GetBodies3 marks the bodies of the cut instance as modified": lambda a: _marked(a, "cut"),
            "GetBodies3 does not mark those of the other one": lambda a: _negated(_marked(a, "other")),
        },
        {
            "HasAssemblyFeatures is true of the cut instance": lambda a: _answer(a, "cut"),
            "HasAssemblyFeatures is false of the other one": lambda a: _negated(_answer(a, "other")),
        },
    ),
}


def _negated(value: bool | None) -> bool | None:
    return None if value is None else not value


def probe_checks(evidence: Evidence) -> Iterator[Check]:
    """A check per question that was asked."""
    for each in evidence.run.probes:
        name = each.check.rpartition("/")[2]
        question = QUESTIONS[name]
        needed = [Hypothesis(text, fits(each.answers)) for text, fits in question.needed.items()]
        others = [Hypothesis(text, fits(each.answers)) for text, fits in question.others.items()]
        found = [hypothesis.fits for hypothesis in needed]
        verdict = Verdict.REFUTED if False in found else Verdict.UNDECIDED if None in found else Verdict.CONFIRMED
        seen = "\n".join(f"{key}: {_shown(value)}" for key, value in each.answers.items())
        yield Check(each.check, each.title, each.settles, (*needed, *others), seen, verdict)


def _shown(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "(" + ", ".join(map(_shown, value)) + ")"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
