"""Large robots: what the generator states of them is true, and the names of parts change nothing else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.large_robots import judge

from swgrm.capture import load
from swgrm.inference import infer
from swgrm.meshes.surface import triangle_integrals
from swgrm_mocks.large import __main__ as command
from swgrm_mocks.large.names import NAME_SETS
from swgrm_mocks.large.parts import SOLID, circuit_board, gearbox, motor, output_flange
from swgrm_mocks.large.robots import KINDS, LargeRobot, RobotKind, make_large_robot

DETAIL = 0.1


@pytest.mark.parametrize(("kind", "joints"), [("arm", 6), ("quadruped", 12)])
def test_every_fastener_with_mates_is_in_its_link(kind: RobotKind, joints: int) -> None:
    robot = make_large_robot(kind, 250, detail=DETAIL)
    verdict = judge(robot, infer(robot.capture))
    assert robot.joints == verdict.joints == joints
    assert verdict.wrong == ()
    assert verdict.false_joints == 0


@pytest.mark.parametrize("kind", KINDS)
def test_links_are_stated_for_all_components_of_the_robot(kind: RobotKind) -> None:
    robot = make_large_robot(kind, 400, patterns=True, detail=DETAIL)
    in_robot = [c for c in robot.capture.components if c.suppression and not c.envelope]
    assert set(robot.links) == {component.name for component in in_robot}
    assert set(robot.links.values()) == set(robot.castings)
    assert len(in_robot) >= 400 * 0.95  # a few are suppressed
    instances = [c for c in in_robot if c.pattern_instance]
    assert len(instances) > len(in_robot) / 3
    assert not any(component.mates for component in instances)


def test_names_change_nothing_else() -> None:
    robots = [make_large_robot("arm", 250, names=names, detail=DETAIL) for names in NAME_SETS]
    placed = [sorted(c.transform for c in robot.capture.components if c.transform) for robot in robots]
    assert placed.count(placed[0]) == len(NAME_SETS)
    counts = [sorted(_sizes(robot).values()) for robot in robots]
    assert counts.count(counts[0]) == len(NAME_SETS)
    numbers = robots[NAME_SETS.index("numbers")]
    assert all(_part_name(component.path).isdecimal() for component in numbers.capture.components if component.mates)


def _sizes(robot: LargeRobot) -> dict[str, int]:
    """The number of components in each link."""
    links = list(robot.links.values())
    return {link: links.count(link) for link in robot.castings}


def _part_name(path: str) -> str:
    """The name of a file without the number of its size or place."""
    return path.rpartition("\\")[2].rpartition(".")[0].partition(" ")[0]


def test_the_same_arguments_give_the_same_robot() -> None:
    first, second = (make_large_robot("quadruped", 100, patterns=True, detail=DETAIL) for _ in range(2))
    assert first.capture == second.capture


@pytest.mark.parametrize("make", [motor, gearbox, output_flange])
def test_solid_bodies_face_outwards(make: type) -> None:
    for body in [*make(1.0, 0.5), *circuit_board(1, 0.5)]:
        volume, _, _ = triangle_integrals(body.triangles)
        assert body.type != SOLID or volume > 0, body.name


def test_command_writes_captures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["arm:60", "--patterns", "--names", "words", "--detail", "0.1"]
    monkeypatch.setattr(sys, "argv", ["large", str(tmp_path), *options])
    command.main()
    robot = make_large_robot("arm", 60, patterns=True, names="words", detail=DETAIL)
    assert load(tmp_path / "arm_60_patterns_words.swcap") == robot.capture
    assert f"{len(robot.capture.components)} components" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["arm", "leg:10", "arm:many"])
def test_command_explains_what_it_expects(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["large", str(tmp_path), text])
    with pytest.raises(SystemExit):
        command.main()
    assert f"{text} is not KIND:SIZE" in capsys.readouterr().err
