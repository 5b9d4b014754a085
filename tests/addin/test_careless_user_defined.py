"""What inference cannot find, a user defines: joints, their axes, names of links."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.lookups import joint_of, limits_of, present

from swgrm import poses
from swgrm.errors import SettingsError
from swgrm.model import JointType
from swgrm_addin.pipeline import Understanding, read, understand
from swgrm_addin.settings_file import read_settings


def understood(sample: str, text: str, folder: Path) -> Understanding:
    path = folder / f"{sample}.grm.yaml"
    path.write_text(text, encoding="utf-8")
    return understand(read(f"mock:{sample}"), read_settings(path))


def moving(done: Understanding) -> set[str]:
    return {name for name, frame in done.robot.joints.items() if not frame.is_rigid}


PLAIN = {"shoulder_joint", "upper_arm_joint", "forearm_joint", "wrist_1_joint", "wrist_2_joint", "flange_joint"}
BOLT = "ISO 4762 M6x20-1"


def test_a_part_that_is_rigid_becomes_a_link_that_moves(tmp_path: Path) -> None:
    text = f"""
joints:
  knob:
    parent: base-1
    child: {BOLT}
    type: revolute
    axis: [[0.1, 0, 0.2], [0.1, 1, 0.2]]
    lower: -90 deg
    upper: 90 deg
"""
    done = understood("arm", text, tmp_path)
    assert moving(done) == PLAIN | {"knob"}
    knob = joint_of(done.robot, "knob")
    assert limits_of(knob) == pytest.approx((-np.pi / 2, np.pi / 2))
    assert present(knob.why).reason == "the settings define it"
    before, after = poses(done.robot), poses(done.robot, {"knob": 0.5})
    assert not np.allclose(before[BOLT], after[BOLT])
    assert np.allclose(before["forearm"], after["forearm"])
    frame = before[done.robot.joints["knob"].id]
    up = np.linalg.inv(before["base"]) @ frame  # the assembly's y is the base's z
    assert np.allclose(up[:3, :3] @ knob.axis, (0, 0, 1))
    assert up[:2, 3] == pytest.approx((0.1, -0.2))


@pytest.mark.parametrize(("axis", "kind"), [("tool0", "prismatic"), ("flange-1/spin_axis", "revolute")])
def test_a_joint_is_replaced_by_one_that_is_defined(axis: str, kind: str, tmp_path: Path) -> None:
    text = f"joints: {{slide: {{parent: wrist_2-1, child: flange-1, type: {kind}, axis: {axis}, upper: 0.1}}}}"
    done = understood("arm", text, tmp_path)
    assert moving(done) == PLAIN - {"flange_joint"} | {"slide"}
    joint = joint_of(done.robot, "slide")
    assert joint.type is JointType(kind)
    assert joint.limits.upper == pytest.approx(0.1)
    placed = poses(done.robot)
    along = placed[done.robot.joints["slide"].id][:3, :3] @ joint.axis
    wanted = placed["flange-1/tool0" if axis == "tool0" else axis][:3, 2]
    assert along == pytest.approx(wanted, abs=1e-9)


def test_a_ball_joint_turns_about_its_origin(tmp_path: Path) -> None:
    text = "joints: {b: {parent: wrist_2-1, child: flange-1, type: ball, origin: tool0}}"
    done = understood("arm", text, tmp_path)
    placed = poses(done.robot)
    assert joint_of(done.robot, "b").type is JointType.BALL
    assert placed[done.robot.joints["b"].id][:3, 3] == pytest.approx(placed["flange-1/tool0"][:3, 3])


def test_a_joint_defined_as_fixed_joins_its_components(tmp_path: Path) -> None:
    done = understood("arm", "joints: {f: {parent: wrist_2-1, child: flange-1, type: fixed}}", tmp_path)
    assert moving(done) == PLAIN - {"flange_joint"}
    fixed = understood("arm", "joints: {flange_joint: {type: fixed}}", tmp_path)
    assert moving(fixed) == PLAIN - {"flange_joint"}


def test_what_the_child_carries_moves_with_it(tmp_path: Path) -> None:
    text = "joints: {swing: {parent: shoulder-1, child: upper_arm-1, axis: [[0, 0, 0], [1, 0, 0]]}}"
    done = understood("arm", text, tmp_path)
    assert moving(done) == PLAIN - {"upper_arm_joint"} | {"swing"}
    before, after = poses(done.robot), poses(done.robot, {"swing": 0.4})
    assert not np.allclose(before["flange"], after["flange"])


def test_links_get_other_names(tmp_path: Path) -> None:
    done = understood(
        "arm", "links: {rename: {forearm: lower_arm, base-1: foot}}\nprops: {links: {foot: {a.b: c}}}", tmp_path
    )
    assert "lower_arm" in done.robot.by_id
    assert "forearm" not in done.robot.by_id
    assert "foot" in {link.name for _, link in done.robot.links()}
    assert "forearm_joint" in done.robot.joints


K = "joints: {k: {parent: base-1, child: flange-1, "


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("joints: {k: {parent: base-1, axis: tool0}}", "a joint that is defined here needs `child`, too"),
        ("joints: {k: {axis: tool0}}", "needs `parent` and `child`, too"),
        (
            "joints: {k: {parent: base-1, child: flang-1, axis: tool0}}",
            "no component `flang-1`. Did you mean `flange-1`",
        ),
        ("joints: {k: {parent: base-1, child: flange-1}}", "a revolute joint that is defined here needs an `axis`"),
        (K + "axis: tool}}", "no axis or coordinate system `tool`. Did you mean `tool0`"),
        (K + "axis: [[0, 0, 0]]}}", "an axis is a name or two points"),
        (K + "axis: [[0, 0], [0, 1]]}}", "a point is a name or three coordinates"),
        (K + "axis: [tool0, tool0]}}", "the two points of the axis are the same"),
        ("joints: {k: {parent: base-1, child: base-1, axis: tool0}}", "`parent` and `child` are the same"),
        (K + "axis: tool0, type: screw}}", "a screw joint cannot be defined"),
        ("links: {rename: {forarm: x}}", "There is no link `forarm`. Did you mean `forearm"),
        ("links: {rename: {forearm: shoulder}}", "two frames would be called `shoulder`"),
    ],
)
def test_definitions_that_do_not_fit_are_answered_with_the_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"arm\.grm\.yaml: line 1: .*" + message):
        understood("arm", text, tmp_path)


def test_short_names_of_frames_are_accepted(tmp_path: Path) -> None:
    done = understood("arm", "base: {frame: imu}\nsensors: {eye: {type: camera, at: tool0}}", tmp_path)
    assert [sensor.name for sensor in done.robot.frame("flange-1/tool0").sensors] == ["eye"]
    placed = poses(done.robot)
    assert placed["base-1/imu"] == pytest.approx(placed["base"])
