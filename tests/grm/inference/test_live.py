"""Assemblies that live SolidWorks 2022 answered for: joints, mobility and couplings as its mates determine them."""

from typing import Any

import numpy as np
import pytest
from tests.grm.inference.looking import codes, together
from tests.live import NAMES, as_capture, recording

from swgrm.inference import Inference, infer
from swgrm.inference.mechanism.joint_chain import name_of
from swgrm.kinematics.forward import Kinematics
from swgrm.settings import MateSettings, Settings

CLOSE = 1e-9  # [m], and of unit vectors
SINGLE = ("revolute", "prismatic")


def inferred(name: str, ignored: tuple[str, ...] = ()) -> Inference:
    return infer(as_capture(recording(name)), Settings(mates=MateSettings(ignore=ignored)))


def check_joints(seen: Inference, joints: list[dict[str, Any]]) -> None:
    """Each joint is the pair of its two bodies: its type, its axis and a point on it."""
    for joint in joints:
        low, high = sorted(seen.body_of(joint[end]) for end in ("parent", "child"))
        chain = seen.mechanism.pairs[low, high].chain
        assert name_of(chain) == joint["type"], joint
        assert np.linalg.norm(np.cross(chain[0].axis, joint["axis"])) < CLOSE, joint
        if "origin" in joint:
            off = np.subtract(joint["origin"], chain[0].point)
            assert np.linalg.norm(np.cross(off, chain[0].axis)) < CLOSE, joint


@pytest.mark.parametrize("name", NAMES)
def test_every_joint_that_is_expected_is_found(name: str) -> None:
    expected = recording(name)["expected"]
    data = expected.get("data", expected)
    seen = inferred(name)
    named = [joint for joint in data.get("joints", ()) if isinstance(joint, dict)]
    check_joints(seen, named)
    for parent, child, kind in (joint for joint in data.get("joints", ()) if not isinstance(joint, dict)):
        low, high = sorted(seen.body_of(end) for end in (parent, child))
        assert name_of(seen.mechanism.pairs[low, high].chain) in kind.split(" or ")
    assert all(together(seen, "", fixed) for fixed in data.get("fixed", ()))
    assert seen.mobility == data.get("mobility", seen.mobility)
    assert "mate-unsatisfied" not in codes(seen)


# By the mates: a cam and its two followers (general cams are not understood); camshaft, rocker shaft, rocker and valve.
MOBILITY = {
    "actuator": 1, "cam_follower": 3, "plunger": 1, "rack_pinion": 1, "spurgear": 1, "valve_cam": 4, "weldingrobot": 1,
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_the_mobility_is_what_the_mates_leave(name: str) -> None:
    assert inferred(name).mobility == MOBILITY[name]


ROUND = {"swMateCONCENTRIC", "swMateHINGE"}
TURNING = {"actuator": 9, "plunger": 4, "valve_cam": 4}  # the other recordings have their axes in `expected`


@pytest.mark.parametrize("name", sorted(TURNING))
def test_axes_are_those_of_the_cylinders_that_solidworks_returned(name: str) -> None:
    """Each pair of bodies with a concentric or hinge mate rotates about, or slides along, that mate's cylinder."""
    seen = inferred(name)
    checked = set()
    for mate in recording(name)["mates"]:
        low, high = sorted(seen.body_of(entity["component"]) for entity in mate["entities"][:2])
        pair = seen.mechanism.pairs.get((low, high))
        if mate["type"] not in ROUND or mate["suppressed"] or pair is None or name_of(pair.chain) not in SINGLE:
            continue
        numbers = mate["entities"][0]["raw"]
        (simple,) = pair.chain
        assert np.linalg.norm(np.cross(simple.axis, numbers[3:6])) < CLOSE, mate["name"]
        if name_of(pair.chain) == "revolute":
            assert np.linalg.norm(np.cross(np.subtract(numbers[:3], simple.point), simple.axis)) < CLOSE, mate["name"]
        checked.add((low, high))
    assert len(checked) == TURNING[name]


@pytest.mark.parametrize("name", [name for name in NAMES if "coupling" in recording(name)["expected"]])
def test_the_driven_part_moves_as_it_does_in_solidworks(name: str) -> None:
    expected = recording(name)["expected"]["coupling"]
    seen = inferred(name)
    assert seen.mobility == 1
    labels = {joint.child: joint for joint in seen.tree.joints}
    driver, driven = (labels[seen.body_of(expected[key])] for key in ("driver", "driven"))
    signs = [
        np.sign(joint.chain[0].axis @ np.array(expected[f"{key}_axis"], float))
        for key, joint in (("driver", driver), ("driven", driven))
    ]
    first, second = (seen.joint_names[joint.pair.edge][0] for joint in (driver, driven))
    moved = Kinematics(seen.robot).positions({first: 0.1 * signs[0]})[second] * signs[1]
    ratio = expected["ratio"] if "ratio" in expected else expected["m_per_rad"]
    assert float(moved) / 0.1 == pytest.approx(ratio, rel=1e-9)


def test_without_the_angle_that_freezes_it_the_welding_robot_is_a_four_bar() -> None:
    expected = recording("weldingrobot")["expected"]["ignoring"]
    seen = inferred("weldingrobot", tuple(expected["mates"]))
    assert seen.mobility == expected["mobility"]
    check_joints(seen, expected["joints"])


def test_guides_are_no_suspects_and_the_angle_that_freezes_the_welding_robot_is_one() -> None:
    suspects = {name: codes(inferred(name)).get("clocking-loop", []) for name in NAMES}
    assert {name: mates for name, mates in suspects.items() if mates} == {"weldingrobot": ["Angle1"]}


def test_a_plunger_on_bolts_is_a_slider_crank() -> None:
    """Its links turn on bolts and nuts: the fasteners are held by their hosts, and hold what turns on them."""
    seen = inferred("plunger")
    assert seen.mobility == 1
    assert sorted(name_of(pair.chain) for pair in seen.mechanism.pairs.values()) == ["prismatic", *["revolute"] * 3]
