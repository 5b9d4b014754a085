"""Typed access to what a result must contain: each function fails if it is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from swgrm.typevars import T

if TYPE_CHECKING:
    from lxml import etree

    from swgrm.model import Coupling, Inertial, Joint, Link, Robot


def present(value: T | None) -> T:
    """The value, which must not be None."""
    assert value is not None
    return value


def of_type(kind: type[T], value: object) -> T:
    """The value, which must be an instance of the type."""
    assert isinstance(value, kind)
    return value


def joint_of(robot: Robot, name: str) -> Joint:
    """The joint of that name."""
    return present(robot.joints[name].joint)


def inertial_of(link: Link) -> Inertial:
    """The mass and inertia of a link."""
    return present(link.inertial)


def coupling_of(robot: Robot, name: str) -> Coupling:
    """The coupling of the joint of that name."""
    return present(joint_of(robot, name).coupling)


def only_joint(robot: Robot) -> Joint:
    """The joint of a robot that has exactly one."""
    (joint,) = (frame.joint for frame in robot.frames if frame.joint is not None)
    return joint


def limits_of(joint: Joint) -> tuple[float, float]:
    """The lower and the upper limit [rad or m], which must both be given."""
    return present(joint.limits.lower), present(joint.limits.upper)


def element_at(parent: etree._Element, path: str) -> etree._Element:
    """The first element at that path."""
    return present(parent.find(path))
