"""A robot of another exporter comes back: its numbers are those of the robot that its settings make of the assembly."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from tests.classic import Options, assembly_of

from swgrm.capture import Capture
from swgrm.mass.inertia import tensor_matrix
from swgrm.model import Inertial, JointType, Limits, Pose, Robot, Safety, Tensor
from swgrm_addin.migration.migrating import Migration, migrate
from swgrm_addin.migration.old_robot import TYPES, OldJoint, OldLink, OldRobot, old_robot
from swgrm_addin.pipeline import understand
from swgrm_addin.settings_file import settings_from_text
from swgrm_addin.sources import Source

TYPE_CHOICES = ("revolute", "continuous", "prismatic", "fixed")


def random_robot(seed: int, digits: int = 15) -> OldRobot:
    """A random tree of links with all that the classic exporter stores; its numbers have so many digits."""
    rng = random.Random(seed)  # noqa: S311 - not for secrets

    def number(size: float) -> float:
        return round(rng.uniform(-size, size), digits)

    links = []
    for index in range(rng.randint(2, 7)):
        parent = f"link_{rng.randrange(index)}" if index else ""
        kind = rng.choice(TYPE_CHOICES) if index > 1 else "continuous"
        axis = rng.choice(((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0)))
        limits = Limits(-abs(number(1)), abs(number(1)), 2.0, 3.0) if kind in ("revolute", "prismatic") else Limits()
        rot: Any = tuple(Rotation.from_euler("xyz", [number(3) for _ in "xyz"]).as_quat().tolist())
        origin = Pose((number(0.4), number(0.4), number(0.4)), rot)
        joint = OldJoint(
            f"joint_{index}",
            kind,
            origin,
            None if kind == "fixed" else axis,
            limits,
            safety=None if kind == "fixed" else Safety(0.0),
        )
        a, b, c = (rng.uniform(0.001, 0.002) for _ in "abc")
        tensor = Tensor(a + b, 1e-5, -2e-5, b + c, 3e-5, a + c)
        inertial = Inertial(rng.uniform(0.1, 3), (number(0.2), number(0.2), number(0.2)), tensor)
        links.append(
            OldLink(f"link_{index}", parent, joint if index else None, (f"part {index}-1",), inertial=inertial)
        )
    return old_robot("old_arm", "old.urdf", links)


def migrated(old: OldRobot, capture: Capture, *, masses: bool = True) -> tuple[Migration, Robot]:
    """The migration, and the robot that its settings make."""
    source = Source("arm.swcap", capture)
    done = migrate(old, source, masses=masses)
    return done, understand(source, settings_from_text(Path("arm.grm.yaml"), done.text)).robot


def assert_same(old: OldRobot, robot: Robot, tolerance: float = 1e-12, *, masses: bool = True) -> None:
    """The robot has every link of the old one: same parent, joint, frame, axis, limits and mass properties."""
    assert robot.name == old.name
    for link in old.links:
        frame = robot.frame(link.name)
        assert (frame.parent or "") == link.parent
        if masses and link.inertial is not None:
            own = frame.links[0].inertial
            assert own is not None
            assert own.mass == link.inertial.mass
            assert own.origin == link.inertial.origin
            assert np.allclose(tensor_matrix(own), tensor_matrix(link.inertial), rtol=0, atol=1e-18)
        if link.joint is None:
            continue
        assert link.joint.origin is not None
        actual, expected = frame.transform, link.joint.origin
        assert np.allclose(actual.pos, expected.pos, rtol=0, atol=tolerance), link.name
        # The settings give angles. The quaternion is computed from them, and rounded.
        assert np.allclose(actual.matrix[:3, :3], expected.matrix[:3, :3], rtol=0, atol=max(tolerance, 1e-11)), (
            link.name
        )
        assert frame.joint is not None
        assert frame.joint_name == link.joint.name
        assert frame.joint.type is TYPES[link.joint.type]
        if frame.joint.type is not JointType.FIXED:
            assert link.joint.axis is not None
            assert np.allclose(frame.joint.axis, link.joint.axis, rtol=0, atol=tolerance), link.name
            assert frame.joint.limits == link.joint.limits
            assert frame.joint.safety == link.joint.safety


def codes(done: Migration) -> set[str]:
    return {finding.code for finding in done.findings}


@pytest.mark.parametrize("seed", range(6))
def test_a_robot_comes_back_exactly(seed: int) -> None:
    old = random_robot(seed)
    done, robot = migrated(old, assembly_of(old, options=Options(seed=seed)).capture())
    assert_same(old, robot)
    assert not codes(done)


@pytest.mark.parametrize("seed", range(3))
def test_rounded_numbers_come_back_as_they_are(seed: int) -> None:
    """The assembly is exact, the file has four digits: the robot has the numbers of the file."""
    old = random_robot(seed)
    rounded = old._replace(links=tuple(_rounded(link) for link in old.links))
    done, robot = migrated(rounded, assembly_of(old, options=Options(seed=seed)).capture())
    assert_same(rounded, robot)
    assert codes(done) <= {"old-mass"}


def _rounded(link: OldLink) -> OldLink:
    if link.joint is None or link.joint.origin is None:
        return link
    rpy = Rotation.from_quat(link.joint.origin.rot).as_euler("xyz").round(5)
    rot: Any = tuple(Rotation.from_euler("xyz", rpy).as_quat().tolist())
    pos: Any = tuple(round(x, 6) for x in link.joint.origin.pos)
    return link._replace(joint=link.joint._replace(origin=Pose(pos, rot)))


@pytest.mark.parametrize("seed", range(3))
def test_an_assembly_that_is_posed_differently_gives_the_same_robot(seed: int) -> None:
    old = random_robot(seed)
    positions = {link.joint.name: 0.3 + 0.05 * n for n, link in enumerate(old.links) if link.joint and link.joint.axis}
    done, robot = migrated(old, assembly_of(old, options=Options(positions=positions, seed=seed)).capture())
    assert_same(old, robot)
    assert "old-posed" in codes(done)


@pytest.mark.parametrize("seed", [2, 3])
def test_the_base_is_found_by_its_mass_properties(seed: int) -> None:
    """No coordinate system, and the base anywhere in the assembly: two links, and more."""
    old = random_robot(seed)
    T = np.eye(4)
    T[:3, :3] = Rotation.from_euler("xyz", [0.3, -1.0, 2.0]).as_matrix()
    T[:3, 3] = 0.1, 0.2, 0.3
    done, robot = migrated(old, assembly_of(old, options=Options(T_assembly_base=T)).capture())
    assert_same(old, robot, 1e-9)
    assert not codes(done)


@pytest.mark.parametrize("seed", range(20))
def test_links_without_stored_components_are_found_by_mass_and_tree(seed: int) -> None:
    """The names of the components tell nothing."""
    old = random_robot(seed)
    nameless = old._replace(links=tuple(link._replace(components=()) for link in old.links))
    done, robot = migrated(nameless, assembly_of(old).capture())
    assert_same(old, robot)
    assert not codes(done)


@pytest.mark.parametrize("seed", range(8))
def test_links_without_components_and_mass_are_found_by_the_tree_or_reported(seed: int) -> None:
    """What is matched is right; all else is a finding."""
    old = random_robot(seed)
    bare = old._replace(links=tuple(link._replace(components=(), inertial=None) for link in old.links))
    done, robot = migrated(bare, assembly_of(old).capture())
    reported = {finding.where.partition(" ")[2] for finding in done.findings}
    for link in old.links:
        assert link.name in robot.by_id or reported & {link.name, link.joint.name if link.joint else ""}
        parts = {frame.name for frame in robot.walk(link.name)} if link.name in robot.by_id else {link.components[0]}
        assert link.components[0] in parts
