"""Typed access to parts of a robot that a test expects to exist."""

from __future__ import annotations

from swgrm.model import Inertial, Joint, Link, Robot


def joint_of(robot: Robot, name: str) -> Joint:
    """Returns the joint of that name."""
    joint = robot.joints[name].joint
    assert joint is not None
    return joint


def inertial_of(link: Link) -> Inertial:
    """Returns the mass and inertia of a link."""
    assert link.inertial is not None
    return link.inertial
