"""The frames of another exporter's robot in the assembly: which agree with the mates, and the settings for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from swgrm.findings import Findings
from swgrm.inference.joints.given_frames import APART
from swgrm.model import JointType
from swgrm.transforms import axis_angle_matrix, homogeneous
from swgrm_addin.migration.assembly_view import AssemblyView, Matches
from swgrm_addin.migration.base_place import base_place, numbers, off_axis, simple_joint
from swgrm_addin.migration.old_robot import OldJoint, OldLink, OldRobot

if TYPE_CHECKING:
    from swgrm.inference.mechanism.joint_chain import SimpleJoint
    from swgrm.transforms import Array

EXACT = 1e-9  # a coordinate system that agrees to this with the old numbers takes their place
AT_ZERO = {JointType.REVOLUTE: 1e-3, JointType.PRISMATIC: 1e-4}  # [rad, m] less is rounding, not another pose
SHORT = 1e-4  # [m] a centre of mass so near to the axis has no angle about it


class PlacedJoint(NamedTuple):
    """The frame of a joint's child: the setting that puts it there, and where the assembly's pose is on the joint."""

    frame: str | dict[str, Any]
    position: float = 0.0  # [rad or m] of the joint, in the assembly's pose
    direction: Array | None = None  # (3,) of the axis in the assembly, where the setting has no axis


class OldFrames:
    """The frames of the old robot's links in the assembly, as it is posed."""

    def __init__(self, old: OldRobot, matches: Matches, view: AssemblyView, findings: Findings) -> None:
        self.old, self.matches, self.view, self.findings = old, matches, view, findings
        self.T: dict[str, Array] = {}  # by link: T_assembly_link
        self.joints: dict[str, PlacedJoint] = {}  # by link
        self.base = base_place(old, matches, view, findings)
        if self.base is not None:
            self.T[old.root.name] = self.base.T
        for link in old.links:
            if link.joint is not None:
                self._place(link, link.joint)

    def axis_line(self, link: OldLink) -> tuple[Array, Array] | None:
        """A point on the axis of a link's joint and its direction, by the old numbers, in the assembly."""
        joint = link.joint
        if joint is None or joint.origin is None or joint.axis is None or link.parent not in self.T:
            return None
        T = self.T[link.parent] @ joint.origin.matrix
        return T[:3, 3], T[:3, :3] @ joint.axis / np.linalg.norm(joint.axis)

    def _place(self, link: OldLink, joint: OldJoint) -> None:
        name = link.coordinate_system or f"Origin_{joint.name}"
        drawn = self.view.geometry(name, "coordinateSystem")
        simple = simple_joint(link, self.matches, self.view)
        if self.old.numbers_are_current and joint.origin is not None and link.parent in self.T:
            self._by_numbers(link, joint, simple, drawn)
        elif drawn is not None:
            self._by_name(link, joint, drawn)
        elif link.coordinate_system:
            self.findings.add("old-frame-missing", f"joint {joint.name}", frame=link.coordinate_system)

    def _by_name(self, link: OldLink, joint: OldJoint, drawn: tuple[str, Array]) -> None:
        path, T = drawn
        self.T[link.name] = T
        self.joints[link.name] = PlacedJoint(path, direction=self._direction(joint, T))

    def _direction(self, joint: OldJoint, T: Array) -> Array | None:
        """The direction of a joint's axis in the assembly: by its numbers, or by its reference axis."""
        if joint.direction is not None:
            return np.array(joint.direction)
        if joint.axis is not None:
            return np.array(T[:3, :3] @ np.array(joint.axis))
        drawn = self.view.geometry(joint.axis_name or f"Axis_{joint.name}", "axis")
        return (
            None if drawn is None else -drawn[1][:3, 2]
        )  # the classic exporter's runs from the axis' end to its start

    def _by_numbers(
        self,
        link: OldLink,
        joint: OldJoint,
        simple: SimpleJoint | None,
        drawn: tuple[str, Array] | None,
    ) -> None:
        assert joint.origin is not None  # noqa: S101 - the caller looked
        T_zero = self.T[link.parent] @ joint.origin.matrix
        off = off_axis(T_zero, joint.axis, simple) if simple is not None and joint.axis is not None else None
        if off is not None:
            angle, distance = off
            facts = {"angle": float(np.degrees(angle)), "distance": distance * 1000}
            self.findings.add("old-axis", f"joint {joint.name}", **facts)
            return
        q = self._position(link, T_zero, simple)
        self.T[link.name] = T_zero if not q or simple is None else T_zero @ _motion(joint, simple.type, q)
        if drawn is not None and not q and np.allclose(drawn[1], T_zero, rtol=0, atol=EXACT):
            self._by_name(link, joint, drawn)
            self.T[link.name] = T_zero
            return
        if q and simple is not None:
            self.findings.add("old-posed", f"joint {joint.name}", position=_position_text(simple.type, q))
        axis = {"axis": list(joint.axis)} if joint.axis is not None and simple is not None else {}
        self.joints[link.name] = PlacedJoint({**numbers(joint.origin), **axis}, q)

    def _position(self, link: OldLink, T_zero: Array, simple: SimpleJoint | None) -> float:
        """The position of a joint in the assembly's pose, by its link's centre of mass; zero if that does not tell."""
        own = self.view.inertial_of(self.matches.get(link.name, ()))
        if simple is None or own is None or link.inertial is None or link.joint is None or link.joint.axis is None:
            return 0.0
        before = T_zero[:3, :3] @ link.inertial.origin + T_zero[:3, 3]
        after = np.array(own.origin)
        axis = T_zero[:3, :3] @ link.joint.axis / np.linalg.norm(link.joint.axis)
        if simple.type is JointType.PRISMATIC:
            q = float(axis @ (after - before))
            reached = before + axis * q
        elif simple.type is JointType.REVOLUTE:
            first, second = (_away(point - T_zero[:3, 3], axis) for point in (before, after))
            if min(np.linalg.norm(first), np.linalg.norm(second)) < SHORT:
                return 0.0
            q = float(np.arctan2(axis @ np.cross(first, second), first @ second))
            reached = T_zero[:3, 3] + axis_angle_matrix(axis, q) @ (before - T_zero[:3, 3])
        else:
            return 0.0
        return q if abs(q) > AT_ZERO[simple.type] and np.linalg.norm(reached - after) < APART else 0.0


def _away(vector: Array, axis: Array) -> Array:
    """The part of a vector that is perpendicular to an axis."""
    return vector - axis * float(axis @ vector)


def _motion(joint: OldJoint, kind: JointType, q: float) -> Array:
    axis = np.array(joint.axis) / np.linalg.norm(np.array(joint.axis))
    if kind is JointType.PRISMATIC:
        return homogeneous(np.eye(3), axis * q)
    return homogeneous(axis_angle_matrix(axis, q), np.zeros(3))


def _position_text(kind: JointType, q: float) -> str:
    return f"{q * 1000:.6g} mm" if kind is JointType.PRISMATIC else f"{np.degrees(q):.6g}°"
