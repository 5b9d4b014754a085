"""The settings file: what it shows, what it changes, what it refuses, and that it is never overwritten."""

import re
from pathlib import Path

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner
from tests.lookups import inertial_of, joint_of
from tests.robots import random_tree

from swgrm import Kinematics
from swgrm.capture import save
from swgrm.errors import FileError, SettingsError
from swgrm.findings import Findings
from swgrm.inference import infer
from swgrm.model import JointType
from swgrm.model.comparison import compare
from swgrm.settings import JointSettings, Settings, apply, quantity
from swgrm_addin.cli import app
from swgrm_addin.pipeline import read, understand
from swgrm_addin.settings_draft import draft
from swgrm_addin.settings_file import read_settings
from swgrm_mocks.samples import SAMPLES, sample

run = CliRunner().invoke


def uncommented(text: str) -> str:
    return re.sub(r"^( *)#(?=\S)", r"\1", text, flags=re.MULTILINE)


def written(folder: Path, text: str) -> Path:
    path = folder / "x.grm.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_taking_every_line_of_a_draft_changes_nothing(name: str, tmp_path: Path) -> None:
    seen = infer(sample(name))
    text = draft(seen, f"{name}.SLDASM")
    drafted = read_settings(written(tmp_path, text)).model
    assert {name: JointSettings(between=each.between) for name, each in drafted.joints.items()} == drafted.joints
    assert msgspec.structs.replace(drafted, joints={}) == Settings()
    settings = read_settings(written(tmp_path, uncommented(text))).model
    taken = Settings(robot=settings.robot, base=settings.base, joints=settings.joints, fasteners=settings.fasteners)
    findings = Findings()
    again = apply(infer(sample(name), taken).robot, taken, findings)
    assert (same := compare(again, seen.robot, 1e-9)).is_same, str(same)
    assert not findings


@pytest.mark.trap("R26", "P18")
def test_an_existing_file_is_only_completed_and_keeps_its_bytes(tmp_path: Path) -> None:
    save(sample("gripper"), tmp_path / "gripper.swcap")
    source, path = str(tmp_path / "gripper.swcap"), tmp_path / "gripper.grm.yaml"
    own = b"joints:\n    rack_joint: {upper: 10 mm}   # mine\r\n"
    path.write_bytes(own)
    refused = run(app, ["settings", source])
    assert isinstance(refused.exception, FileError)
    assert path.read_bytes() == own
    assert run(app, ["settings", source, "--complete"]).exit_code == 0
    assert path.read_bytes().startswith(own)
    added = path.read_bytes().removeprefix(own).decode()
    assert "pinion_joint" in added
    assert "rack_joint:" not in added
    assert "\njoints:" not in added
    robot = understand(read(source), read_settings(path)).robot
    assert joint_of(robot, "rack_joint").limits.upper == pytest.approx(0.01)


@pytest.mark.trap("R26")
def test_a_settings_file_beside_the_assembly_is_used(tmp_path: Path) -> None:
    save(sample("arm"), tmp_path / "arm.swcap")
    (tmp_path / "arm.grm.yaml").write_text("robot: {name: other}\nbase: {up: z}\n", encoding="utf-8")
    shown = run(app, ["show", str(tmp_path / "arm.swcap")])
    assert shown.exit_code == 0
    assert shown.stdout.startswith("other:")
    assert "its z axis is the assembly's z axis" in shown.stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("jonts: {}", "no section `jonts`. Did you mean `joints`"),
        ("joints: {a: {lowr: 1}}", "line 1: joints, a: there is no setting `lowr`. Did you mean `lower`"),
        ("base: {up: x}", "base, up: `x` is not one of the choices. Write auto, y or z"),
        ("- 1", "consists of sections"),
        ("joints: {a: 1, a: 2}", "is here twice"),
        ("urdf: {merg: all}", "urdf: .*`merg`.*Did you mean `merge`"),
    ],
)
def test_errors_in_a_settings_file_suggest_the_nearest_word(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=message):
        read_settings(written(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("joints: {rack_jont: {flip: true}}", "no joint `rack_jont`. Did you mean `rack_joint`"),
        ("joints: {rack_joint: {upper: 5 deg}}", "`5 deg` is not a length"),
        ("joints: {rack_joint: {upper: 5 mn}}", "unknown unit `mn`"),
        ("joints: {rack_joint: {lower: 1, upper: 0}}", "above its upper limit"),
        ("joints: {rack_joint: {name: pinion_joint}}", "two joints would be called"),
        ("links: {leaveOut: [palm-2]}", "no component `palm-2` to leave out. Did you mean `palm-1`"),
        ("mates: {ignore: [GearDim1]}", r"no mate `GearDim1` to ignore. Did you mean `GearDim1\d`"),
        ("base: {root: plm-1}", "no component `plm-1`. Did you mean `palm-1`"),
        ("base: {frame: cs}", "no coordinate system `cs`"),
        ("fasteners: {bolt-1: true}", "no component `bolt-1`"),
        ("sensors: {s: {type: imu, at: nowhere}}", "no frame `nowhere`"),
        ("props: {links: {nobody: {a.b: c}}}", "no link `nobody`"),
    ],
)
def test_settings_that_do_not_fit_suggest_the_nearest_name(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=message):
        understand(read("mock:gripper"), read_settings(written(tmp_path, text)))


def test_numbers_may_have_units() -> None:
    assert quantity("90 deg", "angle", "") == pytest.approx(np.pi / 2)
    assert quantity("-1.5e2mm", "length", "") == pytest.approx(-0.15)
    assert quantity(2, "length", "") == 2.0
    for bad in ("90 degrees of", "", "deg", "nan"):
        with pytest.raises(SettingsError):
            quantity(bad, "angle", "")


@pytest.mark.parametrize("seed", range(20))
def test_flipping_and_moving_the_zero_keep_every_motion(seed: int) -> None:
    robot = random_tree(seed)
    zero = 0.3
    for name, frame in robot.joints.items():
        joint = joint_of(robot, name)
        if frame.is_rigid or joint.type is JointType.BALL:
            continue
        changed = apply(robot, Settings(joints={name: JointSettings(flip=True, zero=zero)}), Findings())
        for q in (-0.7, 0.0, 1.1):
            # Flipped first: q' = −q; then counted from 0.3: q'' = q' − 0.3.
            one, other = Kinematics(robot).poses({name: q}), Kinematics(changed).poses({name: -q - zero})
            assert all(np.allclose(one[f.id], other[f.id], atol=1e-12) for f in robot.frames)
        limits, new = joint.limits, joint_of(changed, name).limits
        if limits.lower is not None and limits.upper is not None:
            assert (new.lower, new.upper) == pytest.approx((-limits.upper - zero, -limits.lower - zero))


def test_all_kinds_of_settings_are_applied(tmp_path: Path) -> None:
    text = """
robot: {name: grip}
base: {up: z}
joints:
  rack_joint: {name: drive, velocity: 50 mm/s, effort: 20 N, damping: 0.1, friction: 2}
  pinion_joint: {follows: {joint: finger_1_joint, ratio: 2, offset: 10 deg}}
  finger_1_joint: {type: fixed}
sensors: {eye: {type: camera, at: palm-1/grasp_center, updateRate: 30, params: {width: "640"}}}
props:
  robot: {maker.name: us}
  links: {palm-1: {paint.it: red}}
  joints: {drive: {motor.id: "7"}}
  sensors: {eye: {a.b: c}}
frames: {coordinateSystems: true, defaultGeometry: true}
"""
    done = understand(read("mock:gripper"), read_settings(written(tmp_path, text)))
    robot = done.robot
    drive = joint_of(robot, "drive")
    assert (drive.limits.velocity, drive.limits.effort) == pytest.approx((0.05, 20.0))
    assert drive.dynamics is not None
    assert (drive.dynamics.damping, drive.dynamics.friction) == (0.1, 2)
    assert drive.props == {"motor.id": "7"}
    follows = joint_of(robot, "pinion_joint").coupling
    assert follows is not None
    assert (follows.joint, follows.ratio) == ("finger_1_joint", 2)
    assert follows.offset == pytest.approx(np.pi / 18)
    assert "type-overridden" in {finding.code for finding in done.findings}
    (eye,) = robot.frame("palm-1/grasp_center").sensors
    assert (eye.type, eye.update_rate, eye.props) == ("camera", 30, {"a.b": "c"})
    assert robot.props["maker.name"] == "us"
    assert "palm-1/Front Plane" in robot.by_id


@pytest.mark.trap("R40")
def test_joined_and_left_out_components(tmp_path: Path) -> None:
    path = written(tmp_path, "links: {leaveOut: [finger_2], join: [[palm-1, rack-1]]}")
    robot = understand(read("mock:gripper"), read_settings(path)).robot
    assert "finger-2" not in robot.by_id
    assert "rack_joint" not in robot.joints


def test_a_part_alone_is_a_robot_of_one_link(tmp_path: Path) -> None:
    arm = sample("arm")
    part = next(c for c in arm.components if c.name == "forearm-1")
    documents = tuple(d for d in arm.documents if d.path == part.path)
    shapes = tuple(msgspec.structs.replace(s, through="") for s in arm.shapes if s.path == part.path)
    source = msgspec.structs.replace(arm.source, path=part.path, type=1)
    alone = msgspec.structs.replace(arm, source=source, components=(), documents=documents, shapes=shapes)
    save(alone, tmp_path / "forearm.swcap")
    robot = understand(read(str(tmp_path / "forearm.swcap"))).robot
    (link,) = (link for _, link in robot.links())
    assert link.name == "forearm-1"
    assert inertial_of(link).mass > 0


def test_explain_shows_how_a_joint_was_inferred() -> None:
    result = run(app, ["explain", "mock:four_bar", "crank_joint"])
    assert result.exit_code == 0
    for words in ("from `frame-1`", "Concentric", "rotation about", "loop of mobility 1", "the mates still hold"):
        assert words in result.stdout
    lost = run(app, ["explain", "mock:four_bar", "crank"])
    assert "Did you mean `crank-1`" in str(lost.exception)


def test_show_prints_reasons() -> None:
    shown = run(app, ["show", "mock:lead_screw"]).stdout
    assert "concentric + concentric leave prismatic motion" in shown
    assert "LimitDistanceDim9" in shown
