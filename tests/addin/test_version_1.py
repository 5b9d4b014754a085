"""Captures and settings written before schema version 2 give the same robots as then."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from swgrm import Joint, Link, Robot, UsedConvention, load
from swgrm.model.comparison import compare
from swgrm_addin.cli import app

V1 = Path(__file__).parents[1] / "data" / "v1"
CONVENTIONS = {"lead_screw": "conventions: {screwSense: reversedIsLeft}\n"}  # as assumed when the capture was made
NEW = {"lead_screw": [UsedConvention(name="screwSense", choice="reversedIsLeft", is_set=True, mates=("Screw10",))]}
FIXED = {  # since then, the limits of a follower bound its leader
    "lead_screw": {"robot.frames[lead_screw].joint.limits.lower", "robot.frames[lead_screw].joint.limits.upper"}
}


@pytest.mark.parametrize("name", ["lead_screw", "four_bar"])
def test_a_capture_with_its_settings_gives_the_same_robot(name: str, tmp_path: Path) -> None:
    for file in V1.glob(f"{name}.*"):
        if not file.name.endswith(".grm.json"):
            shutil.copy(file, tmp_path)  # the settings are found beside the capture
    with (tmp_path / f"{name}.grm.yaml").open("a") as settings:
        settings.write(CONVENTIONS.get(name, ""))
    out = tmp_path / "out"
    done = CliRunner().invoke(app, ["export", str(tmp_path / f"{name}.swcap"), "-o", str(out), "--format", "grm"])
    assert done.exit_code == 0, done.output
    (written,) = out.glob("*.grm.json")
    before, after = load(V1 / f"{name}.grm.json"), load(written)
    assert (before.conventions, after.conventions) == ((), tuple(NEW.get(name, ())))
    found = compare(_comparable(before), _comparable(after))
    assert {difference.where for difference in found.differences} == FIXED.get(name, set()), str(found)


def _comparable(robot: Robot) -> Robot:
    """Without what is different today: the sentences that explain joints, conventions, and collision shapes."""

    def silent(joint: Joint) -> Joint:
        return replace(joint, why=joint.why and replace(joint.why, freedom="", reason=""))

    def bare(links: tuple[Link, ...]) -> tuple[Link, ...]:
        return tuple(replace(link, collisions=()) for link in links)

    frames = tuple(replace(f, joint=f.joint and silent(f.joint), links=bare(f.links)) for f in robot.frames)
    loops = tuple(replace(loop, joint=silent(loop.joint)) for loop in robot.loop_joints)
    return replace(robot, frames=frames, loop_joints=loops, conventions=())
