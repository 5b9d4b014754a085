"""Whether an inferred robot can reach the poses that SolidWorks moved its assembly to.

M_c = W · F_c(q): the pose of component c in the assembly, W from the robot's root to the assembly, F the forward
kinematics. q minimises the difference of all components from their measured poses; couplings and relations hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from scipy.optimize import least_squares

from swgrm.model import JointType, Robot
from swgrm.transforms import Array, axis_angle_matrix, column_matrix, inverse, matrix_quaternion

SAME = 1e-5  # [m] a pose that differs by less is reached; rotations count with LEVER
LEVER = 0.05  # [m]
SLACK = 1e-4  # [rad or m] by which a joint may be beyond its limits
Transforms = Mapping[str, tuple[float, ...]]  # IMathTransform.ArrayData by component


class Fit(NamedTuple):
    """How near the robot comes to measured poses [m], at which positions, and which joints are beyond their limits."""

    distance: float
    positions: Mapping[str, float]
    outside: tuple[str, ...]

    @property
    def is_reached(self) -> bool:
        """Whether the robot reaches the poses within its limits."""
        return self.distance < SAME and not self.outside


class Freedoms(NamedTuple):
    """The ranks of a component's twists against the base."""

    rotations: int
    total: int


class FittedRobot:
    """A robot and the assembly that it was inferred from."""

    def __init__(self, robot: Robot, captured: Transforms) -> None:
        self.robot, self.kinematics = robot, robot.mechanism.kinematics
        start = self.kinematics.poses()
        self.components = [name for name in captured if name in start.ids]
        first = self.components[0]
        self.T_assembly_root = column_matrix(captured[first]) @ inverse(start[first])
        joints = robot.joints
        self._joints = [(name, _kind(robot, name)) for name in self.kinematics.independent]
        self._sizes = [3 if kind is JointType.BALL else 1 for _, kind in self._joints]
        self._limits = {name: frame.joint.limits for name, frame in joints.items() if frame.joint}

    def positions(self, x: Array) -> dict[str, float | tuple[float, ...]]:
        """Joint positions from a vector: one number per scalar joint, a rotation vector per ball."""
        found: dict[str, float | tuple[float, ...]] = {}
        start = 0
        for (name, kind), size in zip(self._joints, self._sizes, strict=True):
            part = x[start : start + size]
            found[name] = _quaternion(part) if kind is JointType.BALL else float(part[0])
            start += size
        return found

    def poses(self, x: Array) -> dict[str, Array]:
        """The pose of every component in the assembly."""
        poses = self.kinematics.poses(self.positions(x))
        return {name: self.T_assembly_root @ poses[name] for name in self.components}

    def fit(self, measured: Transforms) -> Fit:
        """The nearest that the robot comes to measured poses, those of the components that are given."""
        wanted = {name: column_matrix(measured[name]) for name in self.components if name in measured}

        def residuals(x: Array) -> Array:
            poses = self.poses(x)
            parts = [_difference(poses[name], T) for name, T in wanted.items()]
            return np.concatenate(parts) if parts else np.zeros(1)

        count = sum(self._sizes)
        x = np.zeros(0)
        if count:
            x = least_squares(residuals, np.zeros(count), x_scale=0.1, xtol=1e-14, ftol=1e-14, gtol=1e-14).x
        distance = float(np.abs(residuals(x)).max())
        scalars = {name: float(value) for name, value in self.kinematics.positions(self.positions(x)).items()}
        return Fit(distance, scalars, tuple(name for name, value in scalars.items() if self._is_outside(name, value)))

    def _is_outside(self, name: str, value: float) -> bool:
        limits = self._limits.get(name)
        if limits is None:
            return False
        low = limits.lower is not None and value < limits.lower - SLACK
        return low or (limits.upper is not None and value > limits.upper + SLACK)

    def freedoms(self, component: str) -> Freedoms:
        """The degrees of freedom of a component at the assembled pose, by differences of its pose."""
        step, count = 1e-6, sum(self._sizes)
        if component not in self.components or not count:
            return Freedoms(0, 0)
        start = self.poses(np.zeros(count))[component]
        twists = []
        for column in np.eye(count):
            D = (self.poses(step * column)[component] - start) @ inverse(start) / step
            twists.append([D[2, 1], D[0, 2], D[1, 0], *D[:3, 3]])
        J = np.array(twists)
        rank = np.linalg.matrix_rank
        return Freedoms(int(rank(J[:, :3], tol=1e-3)), int(rank(J, tol=1e-3)))

    def moved_by(self, component: str, joint: str, position: float) -> float:
        """The sum of the components of a component's motion [rad or m] when one joint moves: its sense and size."""
        poses = self.kinematics.poses({joint: position})
        T = self.T_assembly_root @ poses[component]
        before = self.poses(np.zeros(sum(self._sizes)))[component]
        turn = T[:3, :3] @ before[:3, :3].T
        angle = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / 2
        return float(angle.sum() if np.abs(angle).max() > SAME else (T - before)[:3, 3].sum())


def _kind(robot: Robot, name: str) -> JointType:
    joint = robot.joints[name].joint
    return joint.type if joint else JointType.FIXED


def _quaternion(vector: Array) -> tuple[float, ...]:
    angle = float(np.linalg.norm(vector))
    return matrix_quaternion(axis_angle_matrix(vector / angle, angle)) if angle > 1e-12 else (0.0, 0.0, 0.0, 1.0)


def _difference(first: Array, second: Array) -> Array:
    change = first - second
    return np.concatenate([change[:3, 3], LEVER * change[:3, :3].ravel()])


def is_same_pose(first: tuple[float, ...], second: tuple[float, ...], tolerance: float = 10 * SAME) -> bool:
    """Whether two transforms are equal within the tolerance [m]; no transform equals none."""
    if len(first) != len(second):
        return False
    return float(np.abs(_difference(column_matrix(first), column_matrix(second))).max()) < tolerance


def motion_text(before: Transforms, after: Transforms) -> str:
    """What moved, in words: the rotation and the displacement of each component."""
    texts = []
    for name in sorted(set(before) & set(after)):
        A, B = column_matrix(before[name]), column_matrix(after[name])
        turn = B[:3, :3] @ A[:3, :3].T
        axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / 2
        angle = np.degrees(np.arctan2(np.linalg.norm(axis), (np.trace(turn) - 1) / 2))
        shift = 1000 * (B - A)[:3, 3]
        words = []
        if angle > 1e-4:
            sense = axis / (np.linalg.norm(axis) or 1.0)
            words.append(f"turned {angle:.3f}° about ({', '.join(f'{v:.3g}' for v in np.round(sense, 6) + 0.0)})")
        if np.linalg.norm(shift) > 1e-4:
            words.append(f"moved ({', '.join(f'{v:.4g}' for v in np.round(shift, 5) + 0.0)}) mm")
        if words:
            texts.append(f"{name} {' and '.join(words)}")
    return "; ".join(texts) or "nothing moved"
