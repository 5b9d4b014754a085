"""A robot realised as an assembly and inferred again: random robots, and what must come back."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.spatial.transform import Rotation

from swgrm.findings import Findings
from swgrm.inference import Inference
from swgrm.inference.geometry.twists import Array
from swgrm.kinematics.forward import Kinematics
from swgrm.model import Frame, JointType, Limits, Robot
from swgrm.settings import FollowSettings, JointSettings, Settings, apply
from swgrm_mocks.realise import Realised
from tests.lookups import limits_of

LIMITED = (JointType.REVOLUTE, JointType.PRISMATIC)


def component_ids(robot: Robot) -> Mapping[str, str]:
    """The frames of components, by the component's name."""
    return {f.entity.path: f.id for f in robot.frames if f.entity is not None and f.entity.kind == "component"}


class Return:
    """The inferred robot beside the original."""

    def __init__(self, robot: Robot, realised: Realised, seen: Inference) -> None:
        self.robot, self.realised, self.seen = robot, realised, seen
        self.before, self.after = Kinematics(robot), Kinematics(seen.robot)
        self.ids = {frame: component_ids(seen.robot)[part] for frame, part in realised.parts.items()}
        self.body = {frame: seen.body_of(part) for frame, part in realised.parts.items()}
        self.joint = {joint.child: joint for joint in seen.tree.joints}
        self.start = self.before.poses(realised.positions)
        self.zero = self.after.poses()
        root = robot.root.id
        self.R_before_after = self.start[root][:3, :3] @ self.zero[self.ids[root]][:3, :3].T

    def moving_frame(self, frame: Frame) -> Frame:
        """The inferred frame that moves the component of a frame."""
        found = self.seen.robot.frame(self.ids[frame.id])
        while found.is_rigid:
            found = self.seen.robot.frame(found.parent or "")
        return found

    def check_tree(self) -> None:
        """Same parents, same types."""
        for frame in self.robot.frames:
            if frame.parent is None:
                continue
            how = f"{frame.id}: {self.realised.realisations[frame.joint_name]}"
            if frame.is_rigid:
                assert self.body[frame.id] == self.body[frame.parent], how
                continue
            joint = self.joint[self.body[frame.id]]
            assert joint.parent == self.body[frame.parent], how
            assert [simple.type for simple in joint.chain] == [frame.joint.type if frame.joint else None], how

    def check_findings(self) -> None:
        """No mate is reported as contradicted by the pose, or as one that only poses the model."""
        wrong = [f for f in self.seen.findings if f.code in ("mate-contradicted", "clocking", "clocking-loop")]
        assert not wrong, wrong[0]

    def sign(self, frame: Frame, tolerance: float) -> float:
        """Whether the axes agree (+1) or oppose each other (−1); they must be parallel."""
        found = self.moving_frame(frame)
        assert frame.joint is not None
        assert found.joint is not None
        one = self.start[frame.id][:3, :3] @ frame.joint.axis / np.linalg.norm(frame.joint.axis)
        other = self.R_before_after @ self.zero[found.id][:3, :3] @ found.joint.axis
        assert np.linalg.norm(np.cross(one, other)) < tolerance, frame.id
        return float(np.sign(one @ other))

    def check_joints(self, tolerance: float) -> None:
        """Same axes up to sign, same pitches, same limits where a mate can hold them."""
        q = self.before.positions(self.realised.positions)
        for frame in self.robot.frames:
            joint = frame.joint
            if joint is None or frame.is_rigid or joint.type is JointType.BALL:
                continue
            found = self.moving_frame(frame).joint
            assert found is not None
            sign = self.sign(frame, tolerance)
            assert abs(found.pitch - joint.pitch) < 1e-12
            if joint.limits.lower is None or joint.limits.upper is None or frame.joint_name in self.realised.not_held:
                assert found.limits == Limits()
                continue
            expected = sorted(
                sign * (limit - float(q[frame.joint_name])) for limit in (joint.limits.lower, joint.limits.upper)
            )
            assert np.allclose(limits_of(found), expected, rtol=0, atol=tolerance), frame.id

    def check_couplings(self) -> int:
        """Same couplings, where a mate can hold them; how many there were."""
        for name in self.realised.coupled:
            follower = self.robot.joints[name]
            assert follower.joint is not None
            coupling = follower.joint.coupling
            assert coupling is not None
            leader = self.robot.joints[coupling.joint]
            found = self.moving_frame(follower).joint
            assert found is not None
            assert found.coupling is not None, name
            assert found.coupling.joint == self.moving_frame(leader).joint_name
            sign = self.sign(follower, 1e-9) * self.sign(leader, 1e-9)
            assert abs(found.coupling.ratio - sign * coupling.ratio) < 1e-9
        return len(self.realised.coupled)

    def settings(self) -> Settings:
        """What no mate can hold, as settings: limits past half a turn or of followers, couplings across parents."""
        q = self.before.positions(self.realised.positions)
        joints: dict[str, JointSettings] = {}
        for name, frame in self.robot.joints.items():
            joint = frame.joint
            if joint is None or frame.is_rigid or joint.type is JointType.BALL:
                continue
            sign, start = self.sign(frame, 1e-9), float(q[name])
            bounds = (joint.limits.lower, joint.limits.upper)[:: 1 if sign > 0 else -1]
            lower, upper = (
                sign * (bound - start) if bound is not None and name in self.realised.not_held else None
                for bound in bounds
            )
            follows = None
            if joint.coupling is not None and name not in self.realised.coupled:
                leader = self.robot.joints[joint.coupling.joint]
                ratio = sign * self.sign(leader, 1e-9) * joint.coupling.ratio
                follows = FollowSettings(self.moving_frame(leader).joint_name, ratio)
            decided = JointSettings(lower=lower, upper=upper, follows=follows)
            if decided != JointSettings():
                joints[self.moving_frame(frame).joint_name] = decided
        return Settings(joints=joints)

    def check_settings(self) -> int:
        """With the settings, every limit and every coupling is there; how many joints needed them."""
        settings = self.settings()
        whole = apply(self.seen.robot, settings, Findings())
        for frame in self.robot.frames:
            joint = frame.joint
            if joint is None or frame.is_rigid or joint.type is JointType.BALL:
                continue
            found = whole.joints[self.moving_frame(frame).joint_name].joint
            assert found is not None
            given = [bound is not None for bound in (joint.limits.lower, joint.limits.upper)]
            assert sorted(given) == sorted(bound is not None for bound in (found.limits.lower, found.limits.upper))
            if all(given):
                (lower, upper), (found_lower, found_upper) = limits_of(joint), limits_of(found)
                assert abs((found_upper - found_lower) - (upper - lower)) < 1e-9
            assert (joint.coupling is None) == (found.coupling is None)
        return len(settings.joints)

    def worst_pose(self, chance: np.random.Generator, tolerance: float) -> float:
        """How far the components are from where the robot has them, at random joint positions [m]."""
        before, after = dict(self.realised.positions), {}
        for frame in self.robot.frames:
            if frame.joint is None or frame.is_rigid or frame.joint_name not in before:
                continue
            if frame.joint.type is JointType.BALL:
                before[frame.joint_name], after[self.moving_frame(frame).joint_name] = self._turned(frame, chance)
            else:
                before[frame.joint_name] = before[frame.joint_name] + chance.uniform(-1, 1)
        start, end = self.before.positions(self.realised.positions), self.before.positions(before)
        for name in start:
            frame = self.robot.joints[name]
            if name not in self.realised.coupled:
                after[self.moving_frame(frame).joint_name] = self.sign(frame, tolerance) * (end[name] - start[name])
        one, other = self.before.poses(before), self.after.poses(after)
        root = self.robot.root.id
        T = one[root] @ np.linalg.inv(other[self.ids[root]])
        return max(float(np.abs(one[frame] - T @ other[found]).max()) for frame, found in self.ids.items())

    def _turned(self, frame: Frame, chance: np.random.Generator) -> tuple[Array, Array]:
        """A random turn of a ball, in the coordinates of each of the two robots."""
        turn = Rotation.from_quat(chance.normal(size=4))
        found = self.moving_frame(frame)
        R = self.zero[found.id][:3, :3].T @ self.zero[self.ids[frame.id]][:3, :3]
        seen = Rotation.from_matrix(R @ turn.as_matrix() @ R.T)
        return (Rotation.from_quat(self.realised.positions[frame.joint_name]) * turn).as_quat(), seen.as_quat()
