"""The command: RobotInfo in and out, and `generate`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.addin.test_cli import swgrm

from swgrm_exporters.yamltext import parse
from swgrm_mocks import MixedChainGenerator

ABB = Path(__file__).parents[1] / "golden" / "abb_irb1200.yml"


def test_convert_writes_the_chain_that_root_and_tip_name(tmp_path: Path) -> None:
    MixedChainGenerator(6, seed=1).save_urdf(tmp_path / "robot.urdf")
    done = swgrm("convert", tmp_path / "robot.urdf", tmp_path / "robot.yml", "-O", "root=link_1", "-O", "tip=link_4")
    assert done.returncode == 0, done.stderr
    document = parse((tmp_path / "robot.yml").read_text())
    assert [joint["joint_identifier"] for joint in document["joint_info"]] == ["joint_1", "joint_2", "joint_3"]
    assert "The joint is in none of the chosen chains and is not written." in done.stderr


def test_convert_does_branching_robots_and_splits_them_on_request(tmp_path: Path) -> None:
    MixedChainGenerator(8, seed=3, branches=2).save_urdf(tmp_path / "tree.urdf")
    done = swgrm("convert", tmp_path / "tree.urdf", tmp_path / "tree.yml")
    chains = parse((tmp_path / "tree.yml").read_text())["chains"]
    assert done.returncode == 0
    assert len(chains) > 1
    split = swgrm("convert", tmp_path / "tree.urdf", tmp_path / "tree.yml", "-O", "split=true")
    assert split.stdout.count("wrote ") == len(chains)


def test_convert_suggests_the_nearest_link(tmp_path: Path) -> None:
    MixedChainGenerator(3, seed=1).save_urdf(tmp_path / "robot.urdf")
    done = swgrm("convert", tmp_path / "robot.urdf", tmp_path / "robot.yml", "-O", "tip=link3")
    assert (done.returncode, "Did you mean `link_3`?" in done.stderr) == (2, True)
    assert not (tmp_path / "robot.yml").exists()


def test_show_and_check_take_robot_info(tmp_path: Path) -> None:
    assert "joint_6 ← revolute, about x" in swgrm("show", ABB).stdout
    assert swgrm("check", ABB).returncode == 0
    (tmp_path / "wrong.yml").write_text(ABB.read_text().replace("acceleration: 10\n", "accelleration: 10\n"))
    done = swgrm("check", tmp_path / "wrong.yml")
    assert done.returncode == 1
    assert "Did you mean `acceleration`?" in done.stdout
    assert "general_robotics_toolbox" in done.stdout


def test_generate_one_robot_and_many(tmp_path: Path) -> None:
    one = swgrm("generate", "--dof", "20", "--seed", "42", "-o", tmp_path / "one")
    assert one.returncode == 0, one.stderr
    expected = MixedChainGenerator(20, seed=42).to_urdf_string()
    assert (tmp_path / "one" / "mixed_chain_20_42.urdf").read_text() == expected
    many = swgrm("generate", "--dof", "2,3", "--count", "2", "--sweep", "0.1,0.4", "-o", tmp_path / "many")
    assert "generated 8 robots from seed " in many.stdout
    index = json.loads((tmp_path / "many" / "index.json").read_bytes())
    assert [(entry["dof"], entry["prismatic_prob"]) for entry in index[::2]] == [(2, 0.1), (2, 0.4), (3, 0.1), (3, 0.4)]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--dof", "0"), "dof is 0"),
        (("--dof", "two"), "--dof is `two`"),
        (("--dof", "3", "--sweep", "2"), "The share of prismatic joints must be from 0 to 1; it is 2.0."),
        (("--dof", "3", "--count", "0"), "count is 0"),
        (("--dof", "3", "--format", "urfd"), "no format `urfd`"),
    ],
)
def test_generate_reports_wrong_options(arguments: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    done = swgrm("generate", *arguments, "-o", tmp_path / "out")
    assert (done.returncode, sentence in done.stderr) == (2, True), done.stderr
    assert not (tmp_path / "out").exists()
