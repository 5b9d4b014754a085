"""The verdict on each convention: which of its choices explain every motion that was measured.

Conventions that an assembly depends on together are judged together: a combination of choices fits if the robots that
are inferred with it can make every measured motion. A choice fits if a combination with it does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from swgrm.solidworks.conventions import CONVENTIONS
from swgrm_addin.selftest.judge.checks import ConventionVerdict, Verdict
from swgrm_addin.selftest.judge.evidence import Choices, Evidence, doubt
from swgrm_addin.selftest.judge.fitting import motion_text
from swgrm_addin.selftest.specs import AssemblySpec


def convention_verdicts(evidence: Evidence) -> list[ConventionVerdict]:
    """The verdicts in the order of the table of conventions."""
    found = {each.key: each for group in groups(evidence.specs) for each in _group_verdicts(evidence, group)}
    none = "no assembly of this run depends on it"
    return [
        found.get(key) or ConventionVerdict(key, default_of(key), (), Verdict.UNDECIDED, none) for key in CONVENTIONS
    ]


def default_of(key: str) -> str:
    """The choice of a convention that is built in."""
    return next(iter(CONVENTIONS[key].choices))


def groups(specs: Sequence[AssemblySpec]) -> list[list[str]]:
    """The conventions that assemblies depend on, in groups that no assembly connects."""
    found: list[set[str]] = []
    for spec in specs:
        keys = set(spec.conventions)
        connected = [group for group in found if group & keys]
        found = [group for group in found if not group & keys]
        if merged := keys.union(*connected):
            found.append(merged)
    return [[key for key in CONVENTIONS if key in group] for group in found]


def _group_verdicts(evidence: Evidence, keys: Sequence[str]) -> Iterator[ConventionVerdict]:
    specs = [spec for spec in evidence.specs if set(spec.conventions) & set(keys)]
    choices = [dict(zip(keys, each, strict=True)) for each in product(*(CONVENTIONS[key].choices for key in keys))]
    results = {tuple(each.values()): [*_fits(evidence, specs, each)] for each in choices}
    is_shown = any(result for result in results.values())
    fitting = [each for each in choices if all(results[tuple(each.values())])]
    for key in keys:
        own = tuple(choice for choice in CONVENTIONS[key].choices if any(each[key] == choice for each in fitting))
        yield _verdict(evidence, key, own if is_shown else (), is_shown=is_shown)


def _fits(evidence: Evidence, specs: Sequence[AssemblySpec], choices: Choices) -> Iterator[bool]:
    """Whether each motion that shows something is one that the robots with these choices can make."""
    for spec in specs:
        own = {key: value for key, value in choices.items() if key in spec.conventions}
        for motion in evidence.motions(spec.id):
            fits = evidence.fits(spec, motion, own)
            if fits is not None:
                yield fits


def _verdict(evidence: Evidence, key: str, fitting: tuple[str, ...], *, is_shown: bool) -> ConventionVerdict:
    default = default_of(key)
    if not is_shown:
        obstacles = [
            f"{spec.id}: {evidence.obstacle(spec.id)}" for spec in evidence.specs
            if key in spec.conventions and evidence.obstacle(spec.id)
        ]  # fmt: skip
        seen = "; ".join(obstacles) or _seen(evidence, key) or "no motion shows it"
        return ConventionVerdict(key, default, (), Verdict.UNDECIDED, seen)
    if default not in fitting:
        verdict = Verdict.REFUTED
    else:
        verdict = Verdict.CONFIRMED if fitting == (default,) else Verdict.UNDECIDED
    return ConventionVerdict(key, default, fitting, verdict, _seen(evidence, key))


def _seen(evidence: Evidence, key: str) -> str:
    """The measured motions that a convention explains."""
    texts = [
        f"{spec.id}: {doubt(motion) or motion_text(motion.before, motion.after)}"
        for spec in evidence.specs
        if key in spec.conventions
        for motion in evidence.motions(spec.id)
    ]
    return "\n".join(texts)
