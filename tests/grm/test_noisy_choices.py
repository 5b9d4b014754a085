"""Choices that were once made by the last digit of a computed number: each is made by a stated order."""

import numpy as np
import pytest

from swgrm.inference.joints.couplings import JointRelation, _System
from swgrm.kinematics.joint_relations import solve
from swgrm.mass.sources import REFLECTIONS, _find_reflection
from swgrm.meshes.surface import Integrals
from swgrm.model import Relation

NOISE = [-1e-15, 0.0, 1e-15]


@pytest.mark.parametrize("noise", NOISE)
def test_a_symmetric_part_is_mirrored_in_its_first_plane(noise: float) -> None:
    """All reflections map a box to itself. They differ in what they do to a mass that was set by hand."""
    tensor, yz = np.diag([1.0, 2.0, 3.0]), np.array([[0, 0, 0], [0, 0, 1], [0, 1, 0]])
    mesh = Integrals(1e-3, np.zeros(3), tensor + noise * yz)
    mirrored = Integrals(1e-3, np.zeros(3), tensor - noise * yz)
    reflection = _find_reflection(mirrored, mesh)
    assert reflection is not None
    assert reflection.tolist() == REFLECTIONS[0].tolist()


@pytest.mark.parametrize("noise", NOISE)
def test_equal_coefficients_of_a_relation_are_solved_for_the_first_joint(noise: float) -> None:
    """q₁ = q₂ + q₃ lets q₁ = q₂ hold the third joint still, which is refused, whichever coefficient is larger."""
    a, b, c = (1, 0), (2, 0), (3, 0)
    system = _System()
    assert system.add(JointRelation({a: 1.0, b: -1.0, c: -1.0 - noise}, 0)) == (a, b, c)
    assert system.add(JointRelation({a: 1.0, b: -1.0}, 1)) == ()


@pytest.mark.parametrize("noise", NOISE)
def test_the_earlier_of_two_relations_with_equal_shares_is_solved(noise: float) -> None:
    relations = [Relation({"a": 1.0, "b": 2.0}), Relation({"a": 1.0 + noise, "c": 2.0})]
    followers = solve(relations, ["a"]).followers
    assert list(followers["a"].terms) == ["b"]
