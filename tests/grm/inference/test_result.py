"""The result of inference: answers about bodies, joints and mates, and findings that are sentences."""

import re

import numpy as np
import pytest
from tests.grm.inference.looking import O, Z, at, bearing, serial_arm, understood

from swgrm.errors import ModelError
from swgrm.findings import Findings
from swgrm.findings.codes import CODES
from swgrm.inference import explain_joint, infer
from swgrm.settings import LinkSettings, Settings
from swgrm_mocks.builder import Assembly, Part
from swgrm_mocks.mates import plane, shaft
from swgrm_mocks.samples import SAMPLES, sample

# What a finding is about: everything, one object, or several of one kind.
PLACE = re.compile(r"assembly|base|(component|mate|joint) .+|\d+ (component|mate|joint)s \(.+\)")


def bolted_arm() -> Assembly:
    """An arm of three links, the last one with a bolt in it."""
    assembly = serial_arm(3, fixed=0)
    bolt = assembly.part(Part("ISO 4762 M4x10").from_toolbox(), at(0.2))
    bearing(assembly, assembly.children[2], bolt, np.array([0.25, 0, 0]))
    return assembly


def test_bodies_are_known_by_their_components() -> None:
    seen = understood(bolted_arm())
    assert (seen.root_name, seen.root_reason) == ("link0-1", "`link0-1` is fixed")
    tip = seen.body_of("ISO 4762 M4x10-1")
    assert tip == seen.body_of("link2-1")
    assert seen.body_name(tip) == "link2-1"
    assert set(seen.components_of(tip)) == {"link2-1", "ISO 4762 M4x10-1"}
    assert seen.reasons_for_body(tip) == ("`ISO 4762 M4x10-1` is a fastener in `link2-1`",)
    assert list(seen.fasteners) == ["ISO 4762 M4x10-1"]
    assert seen.mobility == 2


def test_joints_are_known_by_their_names_in_the_robot() -> None:
    seen = understood(bolted_arm())
    joint = seen.joint("link2_joint")
    assert (seen.body_name(joint.parent), seen.body_name(joint.child)) == ("link1-1", "link2-1")
    assert [mate.type for mate in seen.mates_of(joint)] == ["coincident", "concentric"]
    assert seen.loops_of(joint) == ()
    with pytest.raises(ModelError, match="Did you mean `link2_joint`"):
        seen.joint("link2_join")


def test_a_joint_that_closes_a_loop_is_not_one_of_the_tree() -> None:
    seen = infer(sample("four_bar"))
    inside = {loop for joint in seen.tree.joints for loop in seen.loops_of(joint)}
    assert [loop.mobility for loop in inside] == [1]
    with pytest.raises(ModelError, match="no joint"):
        seen.joint(seen.robot.loop_joints[0].joint.name)


def test_mates_that_only_pose_the_model_are_listed() -> None:
    assembly = serial_arm(2, fixed=0)
    assembly.parallel(*(child.at(plane(O, (1, 0, 0))) for child in assembly.children), name="Pose1")
    assert understood(assembly).posing_mates == ("Pose1",)


def test_findings_go_to_the_collector_too() -> None:
    found = Findings()
    seen = infer(sample("traps"), Settings(), found)
    assert tuple(found) == seen.findings
    assert len(set(found)) == len(found)


def test_the_same_capture_gives_the_same_result_again() -> None:
    """Nothing of one inference is kept for the next; the problem itself cannot be changed."""
    capture = sample("traps")
    first = infer(capture, Settings(links=LinkSettings(leave_out=("base plate-1",))))
    with pytest.raises(AttributeError, match="immutable"):
        first.problem.mates = ()  # type: ignore[misc]  # wrong on purpose
    assert infer(capture).robot == infer(capture).robot != first.robot


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_findings_are_sentences_about_a_named_object(name: str) -> None:
    seen = infer(sample(name))
    for finding in seen.findings:
        assert finding.code in CODES
        assert finding.severity is CODES[finding.code].severity
        assert finding.message[0].isupper() or finding.message[0] in "`0123456789"
        assert finding.message.endswith(".")
        assert not finding.message.endswith("..")
        assert re.fullmatch(
            r"assembly|base|(component|mate|joint) .+|\d+ (component|mate|joint)s \(.+\)", finding.where
        )


def test_an_explanation_shows_the_findings_of_its_mates() -> None:
    assembly = Assembly("cardan")
    a, b = assembly.part("a").fixed(), assembly.part("b")
    assembly.universal(a.at(shaft((0, 0, -0.1), Z, 0.01)), b.at(shaft(O, (1, 0, 1), 0.01)), name="Cardan1")
    lines = list(explain_joint(understood(assembly), "b_joint_1"))
    assert lines[0] == "b_joint_1: universal, from `a-1` (and 1 more) to `b-1`"
    assert any(line.startswith("note: mate Cardan1: The cross of the universal joint") for line in lines)
