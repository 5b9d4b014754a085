from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.robots import any_robots

from swgrm import Frame, Inertial, Link, Pose, Robot
from swgrm.mass.inertia import matrix_tensor, tensor_matrix
from swgrm.model import ActuatorType, CompositeType, Data, Mount, Relation
from swgrm.model.comparison import compare
from swgrm_mocks.example import example_arm, example_mechanism


@given(any_robots(), st.randoms(use_true_random=False))
def test_order_sign_and_axes_do_not_matter(robot: Robot, order: random.Random) -> None:
    frames = [replace(f, transform=replace(f.transform, rot=tuple(-v for v in f.transform.rot))) for f in robot.frames]
    order.shuffle(frames)
    frames = [replace(f, name=f.name or f.id, links=tuple(_turned(link) for link in reversed(f.links))) for f in frames]
    relations = tuple(
        Relation({name: -3 * c for name, c in reversed(list(r.terms.items()))}, -3 * r.offset) for r in robot.relations
    )
    other = replace(robot, frames=tuple(frames), relations=relations)
    assert (same := robot.is_same_as(other)).is_same, str(same)


def _turned(link: Link) -> Link:
    if link.inertial is None or link.inertial.tensor is None:
        return link
    tensor = matrix_tensor(tensor_matrix(link.inertial))
    return replace(link, inertial=replace(link.inertial, tensor=tensor, axes=(0.0, 0.0, 0.0, 1.0)))


def test_every_field_of_the_model_counts() -> None:
    """Change each single value in a robot that uses every field: the comparison must report it."""
    changes = 0
    for robot in (example_arm(), example_mechanism()):
        plain = msgspec.to_builtins(robot)
        for other in _changed(plain):
            if other["frames"][0].get("parent") is not None:
                continue
            changed = msgspec.convert(other, Robot)
            assert not robot.is_same_as(changed, 1e-9).is_same, f"unnoticed: {_first_difference(plain, other)}"
            changes += 1
    assert changes > 400


def _changed(value: Any) -> list[Any]:
    """The value with one leaf changed, for every leaf."""
    if isinstance(value, dict):  # axes count only through the tensor that they turn
        return [{**value, key: new} for key, inner in value.items() if key != "axes" for new in _changed(inner)]
    if isinstance(value, list | tuple):
        return [[*value[:i], new, *value[i + 1 :]] for i, inner in enumerate(value) for new in _changed(inner)]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, float):
        return [value + 1e-3]
    if isinstance(value, str) and value not in _FIXED_WORDS:
        return [value + "x"]
    return []


_FIXED_WORDS = {"", "fixed", "revolute", "prismatic", "ball", "screw", "component", "plane", "axis", "point"} | {
    "coordinateSystem",
    *(cls.__struct_config__.tag for cls in Data.__subclasses__() if cls.__struct_config__.tag),
    *("mesh", "box", "cylinder", "sphere", "capsule", *CompositeType, *ActuatorType, *Mount),
}


def _first_difference(a: object, b: object, where: str = "") -> str:
    if isinstance(a, dict) and isinstance(b, dict):
        return next(_first_difference(a[k], b[k], f"{where}.{k}") for k in a if a[k] != b[k])
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return next(
            _first_difference(x, y, f"{where}[{i}]") for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y
        )
    return f"{where}: {a!r} → {b!r}"


def test_differences_are_described() -> None:
    a = Robot(name="r", frames=(Frame(id="a", links=(Link(name="l", inertial=Inertial(1.0)),)),))
    b = Robot(
        name="r",
        frames=(Frame(id="a", transform=Pose((1.0, 0.0, 0.0)), links=(Link(name="l", inertial=Inertial(2.0)),)),),
    )
    assert str(compare(a, b)).splitlines() == [
        "robot.frames[a].transform.pos: (0.0, 0.0, 0.0) against (1.0, 0.0, 0.0)",
        "robot.frames[a].links[l].inertial.mass: 1.0 against 2.0",
    ]
    assert str(compare(a, a)) == "the same"


@pytest.mark.parametrize(("off", "same"), [(1e-12, True), (1e-6, False)])
def test_small_masses_are_compared_with_themselves(off: float, same: bool) -> None:
    def robot(mass: float) -> Robot:
        return Robot(name="r", frames=(Frame(id="a", links=(Link(name="l", inertial=Inertial(mass)),)),))

    assert robot(1e-6).is_same_as(robot(1e-6 * (1 + off))).is_same is same
