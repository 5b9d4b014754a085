"""An inference that stays right when settings change that decide nothing about it, such as limits."""

from __future__ import annotations

from msgspec.structs import replace

from swgrm.findings import Findings
from swgrm.inference.joints.joint_keys import CODES, SettledJoints, nodes_of_joints
from swgrm.inference.result import Inference
from swgrm.settings import JointPoseSettings, JointSettings, Settings

DEFAULTS = Settings()


def kept(inference: Inference, used: Settings, now: Settings) -> Inference | None:
    """The inference, which used the first settings, with the second ones; None if it would be another one."""
    if _structure(used) != _structure(now) or _frees_turned_parts(inference, used, now):
        return None
    labels, found = inference.mechanism.labels, Findings()
    known = SettledJoints(inference.problem, inference.tree, inference.joint_names, lambda n: int(labels[n]), found)
    settled = _directed(known.settle(now), inference.settings)
    settled = replace(settled, base=inference.settings.base)  # the same, with the direction that was found to be up
    found.extend(finding for finding in inference.findings if finding.code not in CODES)
    return replace(inference, settings=settled, findings=tuple(sorted(set(found))))


def _frees_turned_parts(inference: Inference, used: Settings, now: Settings) -> bool:
    """Whether the settings begin to use a part as a joint that is rigid by its shape, or no longer use one."""
    before, after = (nodes_of_joints(inference.problem, settings) for settings in (used, now))
    names = (inference.problem.name_of(number) for number in after - before)
    return not inference.spared.isdisjoint(before - after) or any(name in inference.fasteners for name in names)


def _directed(settings: Settings, before: Settings) -> Settings:
    """The settings with the directions that axes in `frame` imply, which the builder of the robot found."""
    joints = {
        name: replace(each, flip=before.joints[name].flip)
        if name in before.joints and isinstance(each.frame, JointPoseSettings) and each.frame.axis is not None
        else each
        for name, each in settings.joints.items()
    }
    return replace(settings, joints=joints)


def _structure(settings: Settings) -> Settings:
    """The settings without what is applied only after the inference."""
    joints = {name: _structure_of_joint(each) for name, each in settings.joints.items()}
    return replace(
        settings,
        joints={name: each for name, each in joints.items() if each != JointSettings()},
        links=replace(settings.links, rename={}),
        sensors=DEFAULTS.sensors,
        props=DEFAULTS.props,
        materials=DEFAULTS.materials,
    )


def _structure_of_joint(decided: JointSettings) -> JointSettings:
    """What the inference itself reads of a joint's settings; the names of joints do not depend on it."""
    return JointSettings(
        between=decided.between if decided.frame else (),
        parent=decided.parent,
        child=decided.child,
        axis=decided.axis,
        origin=decided.origin,
        frame=decided.frame,
        flip=decided.flip if isinstance(decided.frame, JointPoseSettings) else False,
        zero=decided.zero if isinstance(decided.frame, JointPoseSettings) else None,
        type=decided.type if decided.child else None,
    )
