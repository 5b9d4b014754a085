"""Whatever member fails for good, and however, there is a robot whose gaps are named, or one sentence."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable

import pytest
from msgspec.structs import replace
from tests import full
from tests.addin.survival import COMPLETE, GAPS, SENTENCE, Case, Reader, Undisturbed, cases, members, tried, undisturbed
from tests.lookups import present

from swgrm.capture import Capture
from swgrm.findings import Finding, Findings
from swgrm_addin.port import Port
from swgrm_addin.sources import Source
from swgrm_mocks.solidworks import Fault, MemoryTransport

LEAST_SURVIVING = 0.95  # of the cases
LEAST_WITH_JOINTS = 0.91  # of the cases of a sample: with all joints
MOST_ESSENTIAL = 15  # members
SCENES = ("arm", "traps", "file arm", "part arm")
PAIRS = 300  # of all documents
OTHERS = 40  # members of a file and of a part that are tried; of the samples, all are


@pytest.fixture(scope="module", params=SCENES)
def base(request: pytest.FixtureRequest) -> Undisturbed:
    return undisturbed(request.param)


@pytest.fixture(scope="module")
def arm() -> Undisturbed:
    return undisturbed("arm")


Draw = Callable[[str], random.Random]


@pytest.fixture
def draw(capsys: pytest.CaptureFixture[str]) -> Draw:
    """Random numbers, whose seed it prints."""

    def drawn(what: str) -> random.Random:
        seed = random.SystemRandom().randrange(10**6)
        with capsys.disabled():
            print(f"\nsurvival: {what}, seed {seed}")  # noqa: T201 - so that a run can be repeated
        return random.Random(seed)  # noqa: S311 - chooses test cases

    return drawn


def chosen_cases(base: Undisturbed, rng: random.Random) -> list[Case]:
    """Every member in every way; without `--full`, every member of a sample in one way, and some of the others."""
    every = list(cases(base))
    if full.IS_FULL:
        return every
    names = base.members if not base.scene.request.path else rng.sample(base.members, OTHERS)
    return [rng.choice([case for case in every if case.member == name]) for name in names]


def test_a_member_that_goes_wrong_for_good_costs_only_what_is_named(base: Undisturbed, draw: Draw) -> None:
    rng = draw(f"members of {base.capture.source.title}")
    results = {case: tried(base, case) for case in chosen_cases(base, rng)}
    assert {case: result.wrong for case, result in results.items() if result.wrong} == {}
    assert {result.outcome for result in results.values()} <= {COMPLETE, GAPS, SENTENCE}
    essential = {case.member for case, result in results.items() if result.outcome == SENTENCE}
    assert len(essential) <= MOST_ESSENTIAL
    assert not any(member.is_optional for name in essential for member in members(name))
    if full.IS_FULL:
        outcomes = Counter(result.outcome for result in results.values())
        assert outcomes[SENTENCE] <= (1 - LEAST_SURVIVING) * len(results)
        assert sum(result.has_all_joints for result in results.values()) >= LEAST_WITH_JOINTS * len(results)


def test_two_optional_members_that_fail_together_still_give_the_robot(base: Undisturbed, draw: Draw) -> None:
    count = PAIRS // len(SCENES)
    rng = draw(f"{count} pairs of optional members of {base.capture.source.title}")
    optional = [name for name in base.members if all(member.is_optional for member in members(name))]
    assert len(optional) > 20
    for _ in range(count):
        pair = [Case(name, "fails") for name in rng.sample(optional, 2)]
        result = tried(base, *pair)
        assert (result.outcome, result.wrong) == (GAPS, ""), pair


# ---- what the comparison detects


def without_a_mate(capture: Capture) -> Capture:
    """The capture without the mates of one joint."""
    documents = [
        replace(document, mates=tuple(mate for mate in document.mates if "upper_arm-1" not in components(mate)))
        for document in capture.documents
    ]
    return replace(capture, documents=tuple(documents))


def components(mate: object) -> set[str]:
    return {entity.component for entity in getattr(mate, "entities", ())}


def heavier(capture: Capture) -> Capture:
    first, *others = capture.shapes
    assert first.mass is not None
    return replace(capture, shapes=(replace(first, mass=replace(first.mass, mass=2 * first.mass.mass)), *others))


def turned(capture: Capture) -> Capture:
    """The capture with another inertia tensor and the same mass."""
    first, *others = capture.shapes
    assert first.mass is not None
    moments = present(first.mass.principal_moments)[::-1]
    return replace(capture, shapes=(replace(first, mass=replace(first.mass, principal_moments=moments)), *others))


def without_triangles(capture: Capture) -> Capture:
    first, *others = capture.shapes
    bodies = tuple(
        replace(body, faces=tuple(replace(face, triangles=0) for face in body.faces)) for body in first.bodies
    )
    return replace(capture, shapes=(replace(first, bodies=bodies, triangles=b""), *others))


def without_a_frame(capture: Capture) -> Capture:
    documents = [replace(document, geometry=()) for document in capture.documents]
    return replace(capture, documents=tuple(documents))


def returning(change: Callable[[Capture], Capture], findings: Iterable[Finding] = ()) -> Reader:
    """A reader that returns another capture, with these findings."""

    def reader(capture: Capture, _faults: Iterable[Fault]) -> tuple[Port, Source]:
        return Port(MemoryTransport()), Source("sample", change(capture), findings=tuple(findings))

    return reader


CHANGES = [without_a_mate, heavier, turned, without_triangles, without_a_frame]
SPOILED = Case("IMate2.Flipped", "fails")


def note_of(component: str) -> list[Finding]:
    findings = Findings()
    findings.add("not-read", component, member="IMate2.Flipped", problem="0x80004005", effect="it is left out")
    return list(findings)


@pytest.mark.parametrize("change", CHANGES)
def test_another_robot_that_nothing_names_is_wrong(arm: Undisturbed, change: Callable[[Capture], Capture]) -> None:
    """The inference must not name it either, so that its own findings are taken as those of the undisturbed robot."""
    changed = tried(arm, SPOILED, reader=returning(change))
    assert changed.wrong, changed
    assert tried(arm, SPOILED, reader=returning(lambda capture: capture)).wrong == ""


@pytest.mark.parametrize("change", [without_a_mate, heavier, without_triangles])
def test_a_finding_about_another_object_does_not_excuse_it(
    arm: Undisturbed, change: Callable[[Capture], Capture]
) -> None:
    assert tried(arm, SPOILED, reader=returning(change, note_of("component flange-1"))).wrong.startswith("untouched")


def test_a_finding_about_the_object_names_the_difference(arm: Undisturbed) -> None:
    path = arm.capture.shapes[0].path
    name = next(component.name for component in arm.capture.components if component.path == path)
    assert tried(arm, SPOILED, reader=returning(heavier, note_of(f"the shape of {name}"))).wrong == ""
