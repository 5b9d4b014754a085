"""Laws of the equations: residuals start at zero, and rows are their derivatives."""

import inspect

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.full import IS_FULL

from swgrm.inference.geometry import relations as rel
from swgrm.inference.geometry.equations import MateEquations, residuals, role_rows
from swgrm.inference.geometry.relations import EntityStack, Relation, equations_of
from swgrm.inference.geometry.twists import Array, exponential, unit

RELATIONS = {
    name: function
    for name, function in inspect.getmembers(rel, inspect.isfunction)
    if inspect.signature(function).return_annotation == "list[RelationTerm]"
}
assert len(RELATIONS) >= 20
EXAMPLES = 50 if IS_FULL else 10
SEEDS = st.integers(0, 2**32 - 1)


def stack(relation: Relation, seed: int, *, mirrored: bool) -> tuple[MateEquations, Array]:
    """A relation between random entities, and random motions of its bodies."""
    chance = np.random.default_rng(seed)

    def entity(node: int) -> EntityStack:
        return EntityStack(np.array([node]), chance.normal(size=(1, 3)), unit(chance.normal(size=(1, 3))))

    mirror = entity(2) if mirrored else None
    equations = equations_of(relation, entity(0), entity(1), np.array([0]), mirror)
    return equations, exponential(chance.normal(size=(3, 6)))


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("name", sorted(RELATIONS))
@settings(max_examples=EXAMPLES, deadline=None)
@given(seed=SEEDS)
def test_rows_are_the_derivatives_of_residuals(name: str, mirrored: bool, seed: int) -> None:
    equations, motions = stack(RELATIONS[name], seed, mirrored=mirrored)
    roles = role_rows(equations, motions)
    step = 1e-6
    for body, row in enumerate((roles.first, roles.second, roles.mirror)):
        for k in range(6):
            twist = np.zeros((3, 6))
            twist[body, k] = step
            ahead = residuals(equations, exponential(twist) @ motions)
            behind = residuals(equations, exponential(-twist) @ motions)
            expected = np.zeros(len(equations)) if row is None else row[:, k]
            slope = (ahead - behind) / (2 * step)
            # RADIAL and SKEW bend sharply where lines meet or are parallel.
            assert np.abs(slope - expected).max() < 1e-5 * (1 + np.abs(expected).max() ** 2)


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("name", sorted(RELATIONS))
@settings(max_examples=EXAMPLES, deadline=None)
@given(seed=SEEDS)
def test_residuals_start_at_zero_and_ignore_common_motion(name: str, mirrored: bool, seed: int) -> None:
    equations, motions = stack(RELATIONS[name], seed, mirrored=mirrored)
    still = np.tile(np.eye(4), (3, 1, 1))
    assert np.abs(residuals(equations, still)).max() < 1e-12
    together = np.tile(motions[0], (3, 1, 1))
    assert np.abs(residuals(equations, together)).max() < 1e-6
