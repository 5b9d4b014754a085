"""What a user who does not read the manual writes into the settings, and what swgrm answers."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import numpy as np
import pytest
from tests.lookups import joint_of, limits_of, present

from swgrm import poses
from swgrm.errors import FileError, ModelError, SettingsError
from swgrm.inference.explain.joint_explanation import explain_joint
from swgrm.model import JointType
from swgrm.settings import BaseSettings, JointSettings, Settings
from swgrm_addin.pipeline import Understanding, read, understand
from swgrm_addin.settings_draft import draft
from swgrm_addin.settings_file import read_settings
from swgrm_addin.settings_meaning import MEANING
from swgrm_exporters.urdf.options import UrdfOptions


def understood(sample: str, text: str, folder: Path) -> Understanding:
    path = folder / f"{sample}.grm.yaml"
    path.write_text(text, encoding="utf-8")
    return understand(read(f"mock:{sample}"), read_settings(path))


def codes(done: Understanding) -> set[str]:
    return {finding.code for finding in done.findings}


def test_a_sub_assembly_that_must_not_open_stays_closed_though_it_is_flexible(tmp_path: Path) -> None:
    robot = understood("mobile_base", "subAssemblies: {all: never}", tmp_path).robot
    moving = {name for name, frame in robot.joints.items() if not frame.is_rigid}
    assert len(moving) == 4
    assert "drive_wheel_1_joint" in moving, "the chassis is the base"
    assert not any("caster_wheel" in name for name in moving)


def test_a_joint_of_another_type_loses_limits_in_the_other_unit(tmp_path: Path) -> None:
    done = understood("arm", "joints: {shoulder_joint: {type: prismatic, upper: 20 mm}}", tmp_path)
    limits = joint_of(done.robot, "shoulder_joint").limits
    assert limits.lower is None
    assert limits.upper == pytest.approx(0.02)
    assert "limits-of-other-type" in codes(done)
    ball = understood("arm", "joints: {shoulder_joint: {type: ball, upper: 20 deg}}", tmp_path)
    assert joint_of(ball.robot, "shoulder_joint").type is JointType.BALL
    limits = joint_of(ball.robot, "shoulder_joint").limits
    assert (limits.lower, limits.upper) == (None, None)
    assert {"limits-of-other-type", "setting-ignored"} <= codes(ball)


@pytest.mark.parametrize(
    ("key", "number", "reported"),
    [
        ("lower", "-30", True),
        ("lower", "'-90'", True),
        ("zero", "45", True),
        ("lower", "-30 deg", False),
        ("upper", "2", False),
    ],
)
def test_degrees_without_a_unit_are_reported(key: str, number: str, reported: bool, tmp_path: Path) -> None:
    done = understood("arm", f"joints: {{shoulder_joint: {{{key}: {number}}}}}", tmp_path)
    found = [finding for finding in done.findings if finding.code == "angle-without-unit"]
    assert bool(found) is reported
    if reported:
        assert f"`{key}: {number}` has no unit".replace("'", "") in found[0].message


@pytest.mark.parametrize(("upper", "reported"), [("20", True), ("'20'", True), ("20 mm", False), ("0.02", False)])
def test_large_lengths_without_a_unit_are_reported(upper: str, reported: bool, tmp_path: Path) -> None:
    done = understood("spline_quill", f"joints: {{quill_joint: {{type: prismatic, upper: {upper}}}}}", tmp_path)
    assert "angle-without-unit" not in codes(done)
    assert ("length-without-unit" in codes(done)) is reported


def test_an_unknown_joint_is_answered_with_the_known_ones() -> None:
    inference = understand(read("mock:arm")).inference
    assert inference is not None
    with pytest.raises(ModelError, match=r"There are: shoulder_joint"):
        inference.joint("xyz")
    with pytest.raises(ModelError, match=r"Did you mean `shoulder_joint`"):
        inference.joint("sholder_joint")


def test_an_explanation_names_the_limit_mates() -> None:
    inference = understand(read("mock:arm")).inference
    assert inference is not None
    limits = [mate.name for mate in inference.mates_of(inference.joint("shoulder_joint")) if mate.is_limit]
    assert limits
    assert any(limits[0] in line and " to " in line for line in explain_joint(inference, "shoulder_joint"))


def test_left_and_right_wheels_turn_the_same_way() -> None:
    robot = understand(read("mock:mobile_base")).robot
    placed = poses(robot)
    left, right = (
        placed[robot.joints[name].id][:3, :3] @ joint_of(robot, name).axis
        for name in ("drive_wheel_1_joint", "drive_wheel_2_joint")
    )
    assert np.allclose(left, right, atol=1e-9)


HEAD = "joints:\n  shoulder_joint:\n    "
MISTAKES: tuple[tuple[str, int, str], ...] = (  # the text, the line of the mistake, and what the message contains
    ("joints:\n\tshoulder_joint: {lower: 0}", 2, "the line begins with a tab. Use spaces."),
    ("joints:\n  a: 1\n b: 2", 3, "the indentation does not match that of the lines above."),
    ("joints:\n  shoulder_joint: lower: 5", 2, "Write one NAME: VALUE per line."),
    ("joints:\n  shoulder_joint: {lower: 1,5}", 2, "lower: 1,5 is two values here. Write 1.5."),
    ("joints:\n  shoulder_joint: {lower: -1,5, upper: 1,5}", 2, "1,5 is two values here; write 1.5."),
    ("joints: {shoulder_joint: {lower: 1, lower: 2}}", 1, "the key `lower` is here twice; keep one."),
    (HEAD + "lower: 180 deg", 2, "cannot have a lower limit of 180° that is above its upper limit of 160.4°."),
    (HEAD + "lower: 1,5", 3, "joints, shoulder_joint, lower: `1,5` has a decimal comma. Write 1.5."),
    (HEAD + "lower: -1,5 deg", 3, "`-1,5 deg` has a decimal comma. Write -1.5 deg."),
    ("# note\nlower: 5 deg", 2, "There is no section `lower`. `lower` belongs to a joint: write it, indented, below"),
    ("leaveOut: [base-1]", 1, "There is no section `leaveOut`. `leaveOut` belongs to `links:`"),
    (HEAD + "lo: 1", 3, "joints, shoulder_joint: there is no setting `lo`. Did you mean `"),
    (HEAD + "quux: 1", 3, "there is no setting `quux`. Settings here: name, between"),
    (HEAD + "flip: 1", 3, "joints, shoulder_joint, flip: `1` is neither true nor false."),
    (HEAD + "follows: {ratio: 2}", 3, "follows: the setting `joint` is missing."),
    ("links: {foo: 1}", 1, "links: there is no setting `foo`. Settings here: leaveOut, join"),
    ("links: {leaveOut: base-1}", 1, "links, leaveOut: `base-1` is not a list. Write [base-1]."),
    ("robotinfo: {chains: {tip: a}}", 1, "robotinfo, chains: `{tip: a}` is not a list. Write [{tip: a}]."),
    ("mass:\n  parts:\n    base: {mass: 1, density: 2}", 3, "mass, parts, base: give either a mass or a density."),
    ("meshes: {collision: hul}", 1, "meshes, collision: `hul` is not one of the choices. Did you mean `hull`"),
    ("base: {up: w}", 1, "base, up: `w` is not one of the choices. Write auto, y or z."),
    (
        "mass: {parts: {base: {mass: heavy}}}",
        1,
        "mass, parts, base, mass: `heavy` is not a number. Write 2.5 or, with a unit, 2.5 kg.",
    ),
    ("mass: {parts: {base: {mass: 3 mm}}}", 1, "`3 mm` is not a mass; `mm` is a unit of length."),
    ("mass: {parts: {base: {mass: 3 kgs}}}", 1, "unknown unit `kgs` in `3 kgs`. Did you mean `kg`"),
    ("\njoints:\n  elbow: {flip: true}", 3, "There is no joint `elbow`."),
    ("\nlinks:\n  leaveOut: [nope-1]", 3, "There is no component `nope-1` to leave out."),
    ("\nmates: {ignore: [Nope1]}", 2, "There is no mate `Nope1` to ignore."),
    ("\nbase: {root: nope}", 2, "There is no component `nope`."),
    ("\nbase: {frame: nope}", 2, "There is no coordinate system `nope`."),
    ("\nfasteners: {nope-1: true}", 2, "There is no component `nope-1`."),
    ("\nsubAssemblies: {nope: never}", 2, "There is no component `nope`."),
    ("\nmass: {parts: {nope: {mass: 3}}}", 2, "There is no component or part `nope`."),
    ("\nurdf: {effort: -5}", 2, "urdf, effort: `-5.0` must be at least 0."),
    ("robot: {name: 5}", 1, '`5` is not a text. Write it in quotes: "5".'),
    ("urdf: {precision: 99}", 1, "urdf, precision: `99` must be at most 17."),
)


@pytest.mark.parametrize(("text", "line", "words"), MISTAKES)
def test_a_mistake_is_answered_with_its_line_and_the_right_form(
    text: str, line: int, words: str, tmp_path: Path
) -> None:
    with pytest.raises((FileError, SettingsError)) as caught:
        understood("arm", text, tmp_path)
    message = str(caught.value)
    assert f"arm.grm.yaml: line {line}" in message
    assert words in message


def test_a_mass_may_have_a_unit(tmp_path: Path) -> None:
    done = understood("arm", "mass: {parts: {base: {mass: 12.5 kg}, forearm: {mass: 900 g}}}", tmp_path)
    masses = {link.name: link.inertial.mass for _, link in done.robot.links() if link.inertial}
    assert (masses["base-1"], masses["forearm-1"]) == pytest.approx((12.5, 0.9))
    options = read_settings(None, {"urdf": {"effort": "20 Nm", "velocity": "30 rpm"}}).section("urdf", UrdfOptions)
    assert (options.effort, options.velocity) == pytest.approx((20.0, np.pi))


def test_headings_with_nothing_below_them_change_nothing(tmp_path: Path) -> None:
    text = "export:\nrobot:\nbase:\njoints:\n  shoulder_joint:\nlinks:\n  join:\nmates:\n  ignore:\nmass:\n  parts:\n"
    plain = understand(read("mock:arm"))
    assert understood("arm", text, tmp_path).robot == plain.robot


JOINED = "links: {join: [[%s]]}\n"
FOREARM = "joints: {forearm_joint: {between: [upper_arm-1, forearm-1], lower: -5 deg}}\n"


@pytest.mark.parametrize("group", ["upper_arm-1, forearm-1", "forearm-1, upper_arm-1"])
def test_a_joined_body_does_not_take_the_name_of_the_body_that_it_carries(group: str, tmp_path: Path) -> None:
    plain = joint_of(understand(read("mock:arm")).robot, "upper_arm_joint")
    done = understood("arm", JOINED % group, tmp_path)
    assert limits_of(joint_of(done.robot, "upper_arm_joint")) == pytest.approx(limits_of(plain))
    assert "forearm_joint" not in done.robot.joints
    with pytest.raises(SettingsError, match="line 2: There is no joint `forearm_joint`"):
        understood("arm", JOINED % group + "joints: {forearm_joint: {lower: 0}}", tmp_path)


def test_settings_of_a_joint_that_is_gone_are_reported_and_move_nowhere(tmp_path: Path) -> None:
    done = understood("arm", JOINED % "upper_arm-1, forearm-1" + FOREARM, tmp_path)
    (gone,) = (finding for finding in done.findings if finding.code == "joint-gone")
    assert "`upper_arm-1` and `forearm-1` are one body now" in gone.message
    lower = joint_of(done.robot, "upper_arm_joint").limits.lower
    assert lower != pytest.approx(np.radians(-5))


def test_settings_stay_with_their_joint_if_its_name_changes(tmp_path: Path) -> None:
    text = "base: {root: flange-1}\njoints: {wrist_2_joint: {between: [wrist_1-1, wrist_2-1], velocity: 7}}\n"
    done = understood("arm", text, tmp_path)
    (moved,) = (finding for finding in done.findings if finding.code == "joint-renamed")
    assert moved.where == "joint wrist_1_joint"
    assert "`wrist_2_joint` are used for this joint, because it is now the one between `wrist_1-1`" in moved.message
    assert joint_of(done.robot, "wrist_1_joint").limits.velocity == 7
    assert joint_of(done.robot, "wrist_2_joint").limits.velocity is None
    limited = understood("arm", text.replace("velocity: 7", "lower: 0"), tmp_path)
    assert "joint-reversed" in codes(limited)


OLD_NAME = "wrist_2_joint: {between: [wrist_1-1, wrist_2-1], velocity: 7}"
OWN_NAME = "wrist_1_joint: {between: [wrist_2-1, wrist_1-1], velocity: 5}"


@pytest.mark.parametrize("entries", [[OLD_NAME, OWN_NAME], [OWN_NAME, OLD_NAME]])
def test_a_joint_s_own_name_wins_over_an_old_one_whatever_their_order(entries: list[str], tmp_path: Path) -> None:
    done = understood("arm", f"base: {{root: flange-1}}\njoints: {{{', '.join(entries)}}}\n", tmp_path)
    assert joint_of(done.robot, "wrist_1_joint").limits.velocity == 5
    assert "joint-renamed" not in codes(done)
    (unused,) = (finding for finding in done.findings if finding.code == "joint-settings-twice")
    assert "The settings of `wrist_2_joint` are not used" in unused.message


@pytest.mark.parametrize("name", ["arm", "gripper", "mobile_base", "four_bar", "planetary"])
def test_whatever_the_base_is_settings_go_to_the_same_two_bodies_or_are_reported(name: str) -> None:
    before = present(understand(read(f"mock:{name}")).inference)
    known = {joint: pair for joint in before.robot.joints if (pair := before.between(joint))}
    marks = {joint: float(number) for number, joint in enumerate(known, start=1)}
    decided = {joint: JointSettings(between=known[joint], velocity=marks[joint]) for joint in known}
    for root in sorted({component for pair in known.values() for component in pair}):
        done = understand(read(f"mock:{name}"), Settings(base=BaseSettings(root=root), joints=decided))
        after = present(done.inference)
        got = {
            joint_of(done.robot, j).limits.velocity: {*map(after.body_of, after.between(j) or ())}
            for j in done.robot.joints
        }
        reported = {each.where.removeprefix("joint ") for each in done.findings if each.code == "joint-gone"}
        for joint, mark in marks.items():
            assert joint in reported or got[mark] == set(map(after.body_of, known[joint])), (root, joint)


def test_a_drafted_file_is_harmless_when_a_joint_disappears(tmp_path: Path) -> None:
    text = draft(present(understand(read("mock:arm")).inference), "arm")
    text = text.replace("  #leaveOut: []", "  leaveOut: [flange-1]")
    done = understood("arm", text, tmp_path)
    assert "flange_joint" not in done.robot.joints
    assert "joint-gone" not in codes(done)


def test_one_number_sign_removed_sets_one_value(tmp_path: Path) -> None:
    text = draft(present(understand(read("mock:arm")).inference), "arm")
    for line in [line for line in text.splitlines() if line.lstrip().startswith("#") and line.lstrip()[1] != " "]:
        path = tmp_path / "arm.grm.yaml"
        path.write_text(text.replace(line, line.replace("#", "", 1)), encoding="utf-8")
        read_settings(path)


def test_the_draft_shows_every_key() -> None:
    text = draft(present(understand(read("mock:arm")).inference), "arm")
    for field in msgspec.structs.fields(Settings):
        assert f"\n{field.encode_name}:\n" in text
    for section, keys in MEANING.items():
        content = text.partition(f"\n{section}:\n")[2].partition("\n\n")[0]
        assert all(re.search(rf"# *{key}:", content) for key in keys), section
