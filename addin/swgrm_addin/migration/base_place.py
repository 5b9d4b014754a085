"""Where the root link of another exporter's robot is in the assembly: found by name, by convention, or by fitting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from swgrm.findings import Findings
from swgrm.inference.joints.frames import UP
from swgrm.inference.joints.given_frames import APART, NOT_PARALLEL
from swgrm.inference.problem import GROUND
from swgrm.inference.up_axis import find_up_axis
from swgrm.mass.inertia import moved, tensor_matrix
from swgrm.model import JointType, Pose, Vec3
from swgrm.precision import rounded
from swgrm.transforms import homogeneous
from swgrm_addin.migration.assembly_view import AssemblyView, Matches
from swgrm_addin.migration.old_robot import OldLink, OldRobot
from swgrm_exporters.urdf.rotation import written_rpy

if TYPE_CHECKING:
    from swgrm.inference.mechanism.joint_chain import SimpleJoint
    from swgrm.transforms import Array

GLOBAL = "Origin_global"  # the coordinate system that the classic exporter makes for the base


class BasePlace(NamedTuple):
    """The pose of the root link in the assembly, and the settings under `base` that put the base there."""

    T: Array  # (4, 4) T_assembly_root
    settings: dict[str, Any]


def base_place(old: OldRobot, matches: Matches, view: AssemblyView, findings: Findings) -> BasePlace | None:
    """The place of the root that fits its centre of mass and its joints; None and a finding if none does."""
    options = list(_options(old, view))
    if not old.numbers_are_current:
        return options[0]
    scores = [_score(each.T, old, matches, view, 1 if "frame" in each.settings else 2) for each in options]
    if (best := max(scores)) > 0:
        return options[scores.index(best)]
    guesses = [T for T in (_fitted(old, matches, view), *_turned(old, matches, view)) if T is not None]
    scores = [_score(T, old, matches, view) for T in guesses]
    fitting = [T for T, score in zip(guesses, scores, strict=True) if score == max(scores) > 1]
    if fitting and all(np.allclose(T, fitting[0], rtol=0, atol=APART) for T in fitting):
        return BasePlace(fitting[0], {"frame": numbers(rounded(Pose.from_matrix(fitting[0])))})
    findings.add("old-base", f"link {old.root.name}", tried=", ".join(_words(option) for option in options))
    return None


def numbers(pose: Pose) -> dict[str, Any]:
    """A pose as settings have it."""
    return {"xyz": list(pose.pos), "rpy": list(written_rpy(pose.rot))}


def _options(old: OldRobot, view: AssemblyView) -> Iterator[BasePlace]:
    for name in dict.fromkeys(filter(None, (old.root.coordinate_system, GLOBAL))):
        if found := view.geometry(name, "coordinateSystem"):
            yield BasePlace(found[1], {"frame": found[0]})
    default = find_up_axis(view.problem.nodes[GROUND].document)
    for up in (default, "z" if default == "y" else "y"):
        yield BasePlace(homogeneous(UP[up], np.zeros(3)), {} if up == default else {"up": up})


def _words(option: BasePlace) -> str:
    up = "y" if np.allclose(option.T[:3, :3], UP["y"]) else "z"
    return str(option.settings.get("frame") or f"the assembly's origin with {up} up")


def _score(T: Array, old: OldRobot, matches: Matches, view: AssemblyView, joints: int = 2) -> int:
    """How well the root's mass and the axes of its joints fit the assembly: 0 not at all, else more is better.

    A single joint may have changed since. If the root's centre of mass has, at least so many joints must fit, and all
    that the root has.
    """
    found = (_joint_fits(T, link, old.root.name, matches, view) for link in old.links)
    fits = [fit for fit in found if fit is not None]
    own = view.inertial_of(matches.get(old.root.name, ()))
    if own is None or old.root.inertial is None:
        return sum(fits) + (not fits)
    here = moved(old.root.inertial, T)
    if np.linalg.norm(np.subtract(here.origin, own.origin)) > APART:
        return sum(fits) if all(fits) and len(fits) >= joints else 0
    first, second = tensor_matrix(here), tensor_matrix(own)
    is_same = bool(np.abs(first - second).max() < 1e-2 * np.abs(second).max())
    return sum(fits) + (is_same or not fits)


def _joint_fits(T: Array, link: OldLink, root: str, matches: Matches, view: AssemblyView) -> bool | None:
    """Whether a joint of the root is where the assembly has it; None if that is not known."""
    simple = simple_joint(link, matches, view) if link.parent == root else None
    if simple is None or link.joint is None or link.joint.origin is None or link.joint.axis is None:
        return None
    return off_axis(T @ link.joint.origin.matrix, link.joint.axis, simple) is None


def simple_joint(link: OldLink, matches: Matches, view: AssemblyView) -> SimpleJoint | None:
    """The inferred joint between a link and its parent, from parent to child; None if there is none, or a chain."""
    if link.name not in matches or link.parent not in matches:
        return None
    parents, children = view.bodies_of(matches[link.parent]), view.bodies_of(matches[link.name])
    pair = view.joint_between(parents[0], children[0]) if parents and children else None
    if pair is None or len(pair.joint.chain) != 1:
        return None
    return pair.joint.chain[0] if pair.is_forward else pair.joint.chain[0].inverted


def off_axis(T: Array, axis: Vec3, simple: SimpleJoint) -> tuple[float, float] | None:
    """How far [rad, m] a frame with its axis is off an inferred joint; None if it is on it."""
    if simple.type is JointType.BALL:
        distance = float(np.linalg.norm(T[:3, 3] - simple.point))
        return (0.0, distance) if distance > APART else None
    along = T[:3, :3] @ axis / np.linalg.norm(axis)
    angle = float(np.arcsin(min(1.0, float(np.linalg.norm(np.cross(along, simple.axis))))))
    distance = 0.0
    if simple.type is not JointType.PRISMATIC:
        distance = float(np.linalg.norm(np.cross(T[:3, 3] - simple.point, simple.axis)))
    return (angle, distance) if angle > NOT_PARALLEL or distance > APART else None


def _turned(old: OldRobot, matches: Matches, view: AssemblyView) -> Iterator[Array]:
    """The four poses that move the root's centre of mass and principal axes onto those of the assembly."""
    own = view.inertial_of(matches.get(old.root.name, ()))
    if own is None or old.root.inertial is None:
        return
    (moments, before), (_, after) = (np.linalg.eigh(tensor_matrix(each)) for each in (old.root.inertial, own))
    if min(np.diff(moments)) < 1e-3 * moments[-1]:
        return  # the axes of equal moments have no direction
    before, after = (axes * np.linalg.det(axes) for axes in (before, after))
    for signs in ((1.0, 1.0, 1.0), (1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0)):
        R = after @ np.diag(signs) @ before.T
        yield homogeneous(R, np.array(own.origin) - R @ old.root.inertial.origin)


def _fitted(old: OldRobot, matches: Matches, view: AssemblyView) -> Array | None:
    """The pose that moves the centres of mass of the old links onto those of the assembly (Kabsch 1976).

    T minimises Σ |T cᵢ − dᵢ|²; None if the centres are on one line, or miss each other.
    """
    T_root = {old.root.name: np.eye(4)}
    before, after = [], []
    for link in old.links:
        if link.joint is not None and link.joint.origin is not None and link.parent in T_root:
            T_root[link.name] = T_root[link.parent] @ link.joint.origin.matrix
        own = view.inertial_of(matches.get(link.name, ()))
        if link.name in T_root and link.inertial is not None and own is not None:
            T = T_root[link.name]
            before.append(T[:3, :3] @ link.inertial.origin + T[:3, 3])
            after.append(np.array(own.origin))
    if len(before) < 3:
        return None
    first, second = np.array(before), np.array(after)
    middle, other = first.mean(axis=0), second.mean(axis=0)
    U, sizes, Vt = np.linalg.svd((first - middle).T @ (second - other))
    if sizes[1] < 1e-4 * sizes[0]:
        return None
    turn = np.diag([1.0, 1.0, float(np.sign(np.linalg.det(Vt.T @ U.T)))])
    R = Vt.T @ turn @ U.T
    T = homogeneous(R, other - R @ middle)
    missed = np.linalg.norm(first @ R.T + T[:3, 3] - second, axis=1).max()
    return T if missed < APART else None
