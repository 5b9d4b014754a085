"""Whatever member fails for good, and however, there is a robot whose gaps are named, or one sentence."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from tests import full
from tests.addin.survival import COMPLETE, GAPS, SENTENCE, Case, Undisturbed, cases, members, tried, undisturbed

LEAST_SURVIVING = 0.95  # of the cases
MOST_ESSENTIAL = 15  # members
PAIRS = 300 if full.IS_FULL else 60  # of all documents
CASES = 10**6 if full.IS_FULL else 80  # of each document


@pytest.fixture(scope="module", params=["arm", "traps", "file arm", "part arm"])
def base(request: pytest.FixtureRequest) -> Undisturbed:
    return undisturbed(request.param)


def drawn(seed: int) -> random.Random:
    print(f"seed {seed}")  # noqa: T201 - shown by pytest if the test fails
    return random.Random(seed)  # noqa: S311 - chooses test cases


def test_a_member_that_goes_wrong_for_good_costs_only_what_is_named(base: Undisturbed) -> None:
    every = list(cases(base))
    rng = drawn(random.SystemRandom().randrange(10**6))
    chosen = every if len(every) <= CASES else rng.sample(every, CASES)
    results = {case: tried(base, case) for case in chosen}
    assert {case: result.wrong for case, result in results.items() if result.wrong} == {}
    assert {result.outcome for result in results.values()} <= {COMPLETE, GAPS, SENTENCE}
    essential = {case.member for case, result in results.items() if result.outcome == SENTENCE}
    assert len(essential) <= MOST_ESSENTIAL
    assert not any(member.is_optional for name in essential for member in members(name))
    if full.IS_FULL:
        outcomes = Counter(result.outcome for result in results.values())
        assert outcomes[SENTENCE] <= (1 - LEAST_SURVIVING) * len(results)


def test_two_optional_members_that_fail_together_still_give_the_robot(base: Undisturbed) -> None:
    rng = drawn(random.SystemRandom().randrange(10**6))
    optional = [name for name in base.members if all(member.is_optional for member in members(name))]
    assert len(optional) > 20
    for _ in range(PAIRS // 4):
        pair = [Case(name, "fails") for name in rng.sample(optional, 2)]
        result = tried(base, *pair)
        assert (result.outcome, result.wrong) == (GAPS, ""), pair
