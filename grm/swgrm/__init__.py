"""The Generalized Robot Model: frames, links, joints and sensors, their file and their kinematics.

    robot = swgrm.load("arm.grm.json")
    robot.frame("tool0").transform
    swgrm.poses(robot, {"shoulder": 0.5})["tool0"]
    swgrm.check(robot)

What needs numpy is imported when it is first used, so that `import swgrm` stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from swgrm.errors import SwgrmError
from swgrm.findings import Finding, Severity
from swgrm.grmfile import dumps, load, loads, save
from swgrm.model import (
    Box,
    Calibration,
    Capsule,
    CompositeJoint,
    CompositeType,
    Coupling,
    CutLoop,
    Cylinder,
    Dynamics,
    Entity,
    EntityKind,
    Frame,
    Inertial,
    Joint,
    JointType,
    Limits,
    Link,
    LoopJoint,
    Mark,
    Material,
    Mesh,
    Patch,
    Pose,
    Relation,
    Robot,
    Safety,
    Segment,
    Sensor,
    Sphere,
    Tensor,
    Transmission,
    TransmissionEnd,
    Why,
)

if TYPE_CHECKING:
    from swgrm.comparison import Comparison, compare
    from swgrm.edit import (
        add,
        combine_links,
        flip,
        follow,
        limit,
        merge_rigid,
        remove,
        rename,
        rescale,
        rezero,
        set_dynamics,
        set_type,
    )
    from swgrm.inertia import combine, subtree_inertial
    from swgrm.kinematics import Kinematics, Poses, poses
    from swgrm.rerooting import reroot
    from swgrm.validation import check

__version__ = "0.1.0"

_LATER = {
    "Comparison": "swgrm.comparison",
    "Kinematics": "swgrm.kinematics",
    "Poses": "swgrm.kinematics",
    "add": "swgrm.edit",
    "check": "swgrm.validation",
    "combine": "swgrm.inertia",
    "combine_links": "swgrm.edit",
    "compare": "swgrm.comparison",
    "flip": "swgrm.edit",
    "follow": "swgrm.edit",
    "limit": "swgrm.edit",
    "merge_rigid": "swgrm.edit",
    "poses": "swgrm.kinematics",
    "remove": "swgrm.edit",
    "rename": "swgrm.edit",
    "reroot": "swgrm.rerooting",
    "rescale": "swgrm.edit",
    "rezero": "swgrm.edit",
    "set_dynamics": "swgrm.edit",
    "set_type": "swgrm.edit",
    "subtree_inertial": "swgrm.inertia",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module 'swgrm' has no attribute '{name}'")
    value = getattr(import_module(_LATER[name]), name)
    globals()[name] = value
    return value


__all__ = [
    "Box",
    "Calibration",
    "Capsule",
    "Comparison",
    "CompositeJoint",
    "CompositeType",
    "Coupling",
    "CutLoop",
    "Cylinder",
    "Dynamics",
    "Entity",
    "EntityKind",
    "Finding",
    "Frame",
    "Inertial",
    "Joint",
    "JointType",
    "Kinematics",
    "Limits",
    "Link",
    "LoopJoint",
    "Mark",
    "Material",
    "Mesh",
    "Patch",
    "Pose",
    "Poses",
    "Relation",
    "Robot",
    "Safety",
    "Segment",
    "Sensor",
    "Severity",
    "Sphere",
    "SwgrmError",
    "Tensor",
    "Transmission",
    "TransmissionEnd",
    "Why",
    "add",
    "check",
    "combine",
    "combine_links",
    "compare",
    "dumps",
    "flip",
    "follow",
    "limit",
    "load",
    "loads",
    "merge_rigid",
    "poses",
    "remove",
    "rename",
    "reroot",
    "rescale",
    "rezero",
    "save",
    "set_dynamics",
    "set_type",
    "subtree_inertial",
]
