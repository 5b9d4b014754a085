"""Robots that drive on wheels, recognised by their joints and axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from swgrm.model import Frame, JointType
from swgrm_exporters.robotinfo.chains import ExponentialChain

PARALLEL = 1e-6  # [rad] between axes that count as parallel
UP = np.array([0.0, 0.0, 1.0])  # of the base


class Wheel(NamedTuple):
    """A wheel at the base: its axis at q = 0, and whether it swivels about a vertical axis, freely or within limits."""

    axis: np.ndarray
    swivels: bool
    is_steered: bool


def wheeled_type(chains: Sequence[ExponentialChain]) -> str:
    """`differential_drive` or `planar` for a robot in which nothing but wheels moves; empty for any other.

    A wheel turns without limits about a horizontal axis, at the base itself or at a fork that swivels about a vertical
    axis. Wheels at the base that all have parallel axes drive as a differential drive. Wheels at the base with
    different directions (omnidirectional wheels), and forks alone, can drive in any direction: planar. A fork with
    limits is a steering, for which Robot Raconteur has no type.
    """
    wheels = [_wheel(chain) for chain in chains]
    fixed = [wheel.axis for wheel in wheels if wheel is not None and not wheel.swivels]
    if len(wheels) < 2 or any(wheel is None or wheel.is_steered for wheel in wheels):
        return ""
    if not fixed:
        return "planar"
    if len(fixed) < 2:
        return ""
    same = all(np.linalg.norm(np.cross(fixed[0], axis)) <= PARALLEL for axis in fixed[1:])
    return "differential_drive" if same else "planar"


def _wheel(chain: ExponentialChain) -> Wheel | None:
    """The wheel that a chain is; None if it is not one."""
    *forks, last = chain.joints
    axis = np.array(chain.H[-1])
    if len(forks) > 1 or not _is_free(last) or abs(axis @ UP) > PARALLEL:
        return None
    if not forks:
        return Wheel(axis, swivels=False, is_steered=False)
    is_vertical = np.linalg.norm(np.cross(chain.H[0], UP)) <= PARALLEL
    if not is_vertical or not forks[0].joint or forks[0].joint.type is not JointType.REVOLUTE:
        return None
    return Wheel(axis, swivels=True, is_steered=not _is_free(forks[0]))


def _is_free(frame: Frame) -> bool:
    """Whether a joint turns without position limits and follows no other."""
    joint = frame.joint
    return (
        joint is not None
        and joint.type is JointType.REVOLUTE
        and joint.coupling is None
        and joint.limits.lower is None
        and joint.limits.upper is None
    )
