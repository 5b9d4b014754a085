"""Robot → MJCF → robot: the same, within what MJCF can hold."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from msgspec.structs import replace
from tests.mechanisms import MECHANISMS
from tests.robots import COMPOSITES, robots

from swgrm import Mesh, Robot
from swgrm.model import Box, Frame, Link, Material
from swgrm_exporters.mjcf.reader import loads
from swgrm_exporters.mjcf.writer import dumps


def without_meshes(robot: Robot) -> Robot:
    """MuJoCo refuses a model with a mesh file that is missing, so such shapes are not written."""

    def bare(link: Link) -> Link:
        visuals, collisions = (
            tuple(shape for shape in shapes if not isinstance(shape, Mesh))
            for shapes in (link.visuals, link.collisions)
        )
        return replace(link, visuals=visuals, collisions=collisions)

    def frame(old: Frame) -> Frame:
        return replace(old, links=tuple(map(bare, old.links)))

    return replace(robot, frames=tuple(map(frame, robot.frames)))


@given(robots(plain=True, strange=True, relations=True, composites=COMPOSITES, root_pose=True, conventions=True))
def test_a_robot_comes_back(robot: Robot) -> None:
    robot = without_meshes(robot)
    again = loads(dumps(robot))
    comparison = robot.is_same_as(again, 1e-8)
    assert comparison.is_same, str(comparison)


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_mechanism_comes_back(name: str) -> None:
    robot = MECHANISMS[name].robot
    comparison = robot.is_same_as(loads(dumps(robot)), 1e-8)
    assert comparison.is_same, str(comparison)


def test_written_again_it_is_the_same_file() -> None:
    for mechanism in MECHANISMS.values():
        once = dumps(loads(dumps(mechanism.robot)))
        assert dumps(loads(once)) == once


def test_a_robot_that_was_renamed_in_the_file_keeps_its_new_name() -> None:
    robot = Robot(name="left arm/2", frames=(Frame(id="base"),))
    text = dumps(robot)
    assert loads(text).name == "left arm/2"
    (legal_name,) = re.findall(r'<mujoco model="([^"]*)"', text.decode())
    edited = text.replace(f'<mujoco model="{legal_name}"'.encode(), b'<mujoco model="right_arm"')
    assert loads(edited).name == "right_arm"


def test_two_materials_never_get_one_name() -> None:
    def painted(material: str) -> Link:
        return Link(name=f"in {material}", visuals=(Box(size=(0.1, 0.1, 0.1), material=material),))

    materials = (Material("red paint", (1, 0, 0, 1)), Material("blue", (0, 0, 1, 1)))
    frames = tuple(Frame(id=material.name, parent="base", links=(painted(material.name),)) for material in materials)
    text = dumps(Robot(name="r", frames=(Frame(id="base"), *frames), materials=materials)).decode()
    (legal_name,) = set(re.findall(r'<material name="(red[^"]*)"', text))
    assert legal_name != "red paint"
    # Somebody gives the second material the name that the first one had before it was made legal.
    edited = re.sub(r'(name|material)="blue"', r'\1="red paint"', text)
    names = [material.name for material in loads(edited.encode()).materials]
    assert len(set(names)) == len(names)
