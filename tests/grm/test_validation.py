from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from msgspec.structs import replace
from tests.robots import any_robots, inertials

import swgrm
from swgrm import (
    Box,
    Coupling,
    Dynamics,
    Frame,
    Inertial,
    Joint,
    JointType,
    Limits,
    Link,
    LoopJoint,
    Material,
    Mesh,
    Pose,
    Robot,
    Safety,
    Sensor,
    Severity,
    Tensor,
    Transmission,
    TransmissionEnd,
    check,
)
from swgrm.findings.codes import CODES
from swgrm.mass.inertia import tensor_matrix
from swgrm.model import IDENTITY, CompositeJoint, CompositeType, CutLoop, Relation
from swgrm.validation.bodies import principal_moments
from swgrm_mocks.example import example_arm

SPHERE = Inertial(1.0, (0.0, 0.0, 0.0), Tensor(1.0, 0.0, 0.0, 1.0, 0.0, 1.0))
TURN, SLIDE = JointType.REVOLUTE, JointType.PRISMATIC


def arm(joint: Joint | None = None, link: Link | None = None, **robot: object) -> Robot:
    """A clean robot with one moving part, to be spoilt in one place."""
    tip = Frame(
        id="tip",
        parent="base",
        joint=joint or Joint(type=TURN, name="j"),
        links=(link or Link(name="l", inertial=SPHERE),),
    )
    other = Frame(id="other", parent="base", joint=Joint(type=TURN, name="k"), links=(Link(name="m", inertial=SPHERE),))
    return replace(Robot(name="r", frames=(Frame(id="base"), tip, other)), **robot)


def turn(**fields: object) -> Callable[[], Robot]:
    return lambda: arm(replace(Joint(type=TURN, name="j"), **fields))


def body(inertial: Inertial) -> Callable[[], Robot]:
    return lambda: arm(link=Link(name="l", inertial=inertial))


def shape(geometry: Box | Mesh) -> Callable[[], Robot]:
    return lambda: arm(link=Link(name="l", inertial=SPHERE, visuals=(geometry,)))


def frames(*extra: Frame) -> Callable[[], Robot]:
    return lambda: replace(arm(), frames=(*arm().frames, *extra))


def related(terms: dict[str, float], offset: float = 0.0) -> Callable[[], Robot]:
    return lambda: arm(relations=(Relation(terms, offset),))


def universal() -> Robot:
    """A clean robot with a universal joint."""
    inner = Frame(id="inner", parent="base", joint=Joint(type=TURN, name="u_first", axis=(1.0, 0.0, 0.0)), virtual=True)
    outer = Frame(
        id="outer", parent="inner", joint=Joint(type=TURN, name="u"), links=(Link(name="x", inertial=SPHERE),)
    )
    joint = CompositeJoint(name="u", type=CompositeType.UNIVERSAL, joints=("u_first", "u"))
    return replace(arm(), frames=(*arm().frames, inner, outer), composite_joints=(joint,))


def loop(child: str, transform: Pose = IDENTITY) -> Callable[[], Robot]:
    return lambda: arm(
        loop_joints=(LoopJoint(parent="tip", child=child, transform=transform, joint=Joint(type=TURN, name="x")),)
    )


SPOILT: dict[str, list[Callable[[], Robot]]] = {
    "axis-not-unit": [turn(axis=(0.0, 0.0, 2.0))],
    "axis-zero": [turn(axis=(0.0, 0.0, 0.0))],
    "composite-broken": [
        lambda: arm(composite_joints=(CompositeJoint(name="c", type=CompositeType.UNIVERSAL, joints=("j", "k")),))
    ],
    "composite-duplicate": [lambda: replace(universal(), composite_joints=universal().composite_joints * 2)],
    "composite-joint": [
        lambda: arm(composite_joints=(CompositeJoint(name="c", type=CompositeType.UNIVERSAL, joints=("j", "x")),))
    ],
    "coupling-circle": [
        lambda: replace(
            arm(Joint(type=TURN, name="j", coupling=Coupling("k"))),
            frames=tuple(
                replace(f, joint=Joint(type=TURN, name=n, coupling=Coupling(o))) if f.joint else f
                for f, n, o in zip(arm().frames, "-jk", "-kj", strict=True)
            ),
        )
    ],
    "coupling-missing": [turn(coupling=Coupling("nobody"))],
    "coupling-ratio": [turn(coupling=Coupling("k", 0.0))],
    "coupling-self": [turn(coupling=Coupling("j"))],
    "coupling-type": [lambda: arm(Joint(type=JointType.BALL, name="j", coupling=Coupling("k")))],
    "cut-loop-frame": [
        lambda: arm(
            cut_loops=(
                CutLoop(
                    loop=LoopJoint(parent="tip", child="other", joint=Joint(type=TURN, name="x")),
                    parent_frame="tip",
                    child_frame="nowhere",
                ),
            )
        )
    ],
    "dynamics-negative": [turn(dynamics=Dynamics(-1.0)), turn(dynamics=Dynamics(0.0, -1.0))],
    "frame-duplicate": [frames(Frame(id="tip", parent="base"))],
    "frame-unreachable": [
        frames(Frame(id="x", parent="nowhere")),
        frames(Frame(id="x", parent="y"), Frame(id="y", parent="x")),
    ],
    "joint-duplicate": [lambda: arm(Joint(type=TURN, name="k"))],
    "joint-on-root": [
        lambda: replace(arm(), frames=(replace(arm().frames[0], joint=Joint(type=TURN)), *arm().frames[1:]))
    ],
    "limit-negative": [turn(limits=Limits(velocity=-1.0)), turn(limits=Limits(effort=-1.0))],
    "limits-ignored": [lambda: arm(Joint(type=JointType.BALL, name="j", limits=Limits(-1.0, 1.0)))],
    "limits-reversed": [turn(limits=Limits(1.0, -1.0))],
    "limits-without-zero": [turn(limits=Limits(1.0, 2.0)), turn(limits=Limits(upper=-1.0))],
    "link-duplicate": [lambda: arm(link=Link(name="m", inertial=SPHERE))],
    "loop-frame-missing": [loop("nowhere")],
    "loop-open": [loop("other", Pose((0.1, 0.0, 0.0)))],
    "mass-missing": [lambda: arm(link=Link(name="l")), frames(Frame(id="x", parent="tip", joint=Joint(type=SLIDE)))],
    "mass-negative": [body(replace(SPHERE, mass=-1.0))],
    "mass-zero": [body(replace(SPHERE, mass=0.0))],
    "mass-zero-rigid": [
        frames(Frame(id="x", parent="tip", links=(Link(name="x", inertial=Inertial(0.0, tensor=Tensor())),)))
    ],
    "material-duplicate": [lambda: arm(materials=(Material("a"), Material("a")))],
    "material-unknown": [shape(Box(size=(1.0, 1.0, 1.0), material="gold"))],
    "mesh-file-missing": [shape(Mesh(uri="nowhere.stl"))],
    "mesh-unnamed": [shape(Mesh(uri=""))],
    "name-empty": [frames(Frame(id="", parent="base")), lambda: arm(link=Link(name="", inertial=SPHERE))],
    "name-illegal": [frames(Frame(id="a\nb", parent="base")), frames(Frame(id=" a", parent="base"))],
    "not-finite": [
        turn(axis=(0.0, math.nan, 0.0)),
        turn(limits=Limits(-math.inf, math.inf)),
        turn(coupling=Coupling("k", math.nan)),
        body(replace(SPHERE, mass=math.inf)),
        body(replace(SPHERE, tensor=Tensor(math.nan))),
        frames(Frame(id="x", parent="base", transform=Pose((math.nan, 0.0, 0.0)))),
        frames(Frame(id="x", parent="base", transform=Pose(rot=(math.nan, 0.0, 0.0, 1.0)))),
        shape(Box(size=(1.0, math.nan, 1.0))),
        lambda: arm(Joint(type=JointType.SCREW, name="j", pitch=math.nan)),
        related({"j": math.inf, "k": 1.0}),
        related({"j": 1.0}, math.nan),
    ],
    "pitch-ignored": [turn(pitch=0.1)],
    "quaternion-not-unit": [frames(Frame(id="x", parent="base", transform=Pose(rot=(0.0, 0.0, 0.0, 2.0))))],
    "quaternion-zero": [frames(Frame(id="x", parent="base", transform=Pose(rot=(0.0, 0.0, 0.0, 0.0))))],
    "relation-contradictory": [
        lambda: arm(relations=(Relation({"j": 1.0, "k": 2.0}), Relation({"j": 2.0, "k": 4.0}, 1.0))),
        lambda: arm(
            Joint(type=TURN, name="j", coupling=Coupling("k", 2.0)), relations=(Relation({"j": 1.0, "k": -2.0}, 0.1),)
        ),
    ],
    "relation-empty": [related({})],
    "relation-joint": [related({"j": 1.0, "nobody": 1.0})],
    "relation-redundant": [
        lambda: arm(relations=(Relation({"j": 1.0, "k": 2.0}, 0.5), Relation({"j": 2.0, "k": 4.0}, 1.0))),
        lambda: arm(
            Joint(type=TURN, name="j", coupling=Coupling("k", 2.0, 0.3)),
            relations=(Relation({"j": 10.0, "k": -20.0}, 3.0),),
        ),
    ],
    "relation-type": [lambda: arm(Joint(type=JointType.BALL, name="j"), relations=(Relation({"j": 1.0, "k": 1.0}),))],
    "relation-zero": [related({"j": 1.0, "k": 0.0})],
    "rgba-range": [lambda: arm(materials=(Material("a", (255.0, 0.0, 0.0, 1.0)),))],
    "root-missing": [lambda: Robot(name="r", frames=(Frame(id="a", parent="a"),)), lambda: Robot(name="r", frames=())],
    "root-several": [frames(Frame(id="x"))],
    "safety-reversed": [turn(safety=Safety(1.0, 1.0, 2.0, 1.0))],
    "screw-without-pitch": [lambda: arm(Joint(type=JointType.SCREW, name="j"))],
    "sensor-duplicate": [frames(Frame(id="x", parent="base", sensors=(Sensor(name="s", type="imu"),) * 2))],
    "sensor-rate": [frames(Frame(id="x", parent="base", sensors=(Sensor(name="s", type="imu", update_rate=0.0),)))],
    "sensor-type": [frames(Frame(id="x", parent="base", sensors=(Sensor(name="s", type="nose"),)))],
    "size-not-positive": [shape(Box(size=(1.0, 0.0, 1.0))), shape(Mesh(uri="a://b", scale=(1.0, 0.0, 1.0)))],
    "tensor-missing": [body(Inertial(1.0))],
    "tensor-not-positive": [body(replace(SPHERE, tensor=Tensor(1.0, 2.0, 0.0, 1.0, 0.0, 1.0)))],
    "tensor-triangle": [body(replace(SPHERE, tensor=Tensor(1.0, 0.0, 0.0, 1.0, 0.0, 5.0)))],
    "transmission-duplicate": [lambda: arm(transmissions=(Transmission(name="t"),) * 2)],
    "too-large": [body(replace(SPHERE, tensor=Tensor(1e145))), shape(Box(size=(1.0, 1e200, 1.0)))],
    "transmission-joint": [lambda: arm(transmissions=(Transmission(name="t", joints=(TransmissionEnd("nobody"),)),))],
}


@pytest.mark.parametrize(("code", "robot"), [(code, make) for code, makers in SPOILT.items() for make in makers])
def test_each_fault_is_found_and_named(tmp_path: Path, code: str, robot: Callable[[], Robot]) -> None:
    found = check(robot(), tmp_path)
    assert code in {finding.code for finding in found}
    allowed = {code, "coupling-circle", "mass-missing", "frame-unreachable", "root-missing"}  # what follows from it
    assert {f.code for f in found} <= allowed, [str(f) for f in found]
    assert all(f.severity is CODES[f.code].severity and f.message.endswith(".") for f in found)


def test_every_code_has_a_case() -> None:
    modules = Path(swgrm.validation.__file__).parent.glob("*.py")
    used = {word for module in modules for word in re.findall(r'"([a-z-]+)"', module.read_text("utf-8"))}
    assert set(SPOILT) == used & set(CODES)


def test_clean_robots_have_no_findings() -> None:
    assert check(arm()) == []
    assert check(example_arm()) == []
    assert check(universal()) == []
    assert check(arm(relations=(Relation({"j": 1.0, "k": 2.0}, 0.5),))) == []


def test_worst_first(tmp_path: Path) -> None:
    robot = arm(
        Joint(type=TURN, name="j", axis=(0.0, 0.0, 2.0), limits=Limits(2.0, 3.0)),
        Link(name="l", inertial=Inertial(-1.0)),
    )
    severities = [finding.severity for finding in check(robot, tmp_path)]
    assert severities == sorted(severities, reverse=True)
    assert severities[0] is Severity.ERROR


def test_meshes_are_looked_for_where_the_file_is(tmp_path: Path) -> None:
    (tmp_path / "a.stl").write_bytes(b"solid")
    robot = shape(Mesh(uri="a.stl"))()
    assert check(robot, tmp_path) == []
    assert check(robot) == []
    assert [f.code for f in check(robot, tmp_path / "elsewhere")] == ["mesh-file-missing"]


@given(any_robots(physical=True))
def test_random_physical_robots_are_sound(robot: Robot) -> None:
    harmless = {"limits-without-zero", "sensor-type", "coupling-ratio", "loop-open", "name-illegal"}
    assert {f.code for f in check(robot)} <= harmless


@given(inertials())
def test_principal_moments_are_the_eigenvalues(inertial: Inertial) -> None:
    assert inertial.tensor is not None
    matrix = tensor_matrix(replace(inertial, axes=(0.0, 0.0, 0.0, 1.0)))
    assert np.allclose(principal_moments(inertial.tensor), np.linalg.eigvalsh(matrix), atol=1e-7 * np.abs(matrix).max())
