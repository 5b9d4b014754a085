"""From a SolidWorks assembly to a robot: everything that the documentation describes, in one import.

    swgrm.export("arm.SLDASM", "out")                      # read, understand and write in one call

    source = swgrm.read("mock:arm")                        # an assembly, capture, sample or robot file
    understanding = swgrm.understand(source)               # joints from mates, settings, masses, checks
    swgrm.write(understanding, "out", formats=("urdf",))

    robot = understanding.robot                            # or swgrm.load("arm.urdf"), a file of any format
    swgrm.poses(robot, {"shoulder_joint": 0.5})["flange"]

The names in `__all__` are stable; everything else may change. Each is imported when it is first used, so that
`import swgrm` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from swgrm.errors import SwgrmError

if TYPE_CHECKING:
    from swgrm.capture import Capture
    from swgrm.capture import Index as CaptureIndex
    from swgrm.capture import load as load_capture
    from swgrm.capture import save as save_capture
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
    from swgrm.edit.root import reroot
    from swgrm.findings import Finding, Findings, Result, Severity
    from swgrm.inference import Inference
    from swgrm.inference import explanation as explain
    from swgrm.inference.infer import infer
    from swgrm.kinematics.forward import Kinematics, Poses, poses, resolved
    from swgrm.mass.inertia import combine, subtree_inertial
    from swgrm.meshes.agreement import check_meshes
    from swgrm.model import (
        Actuator,
        ActuatorType,
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
        Mount,
        NamedPose,
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
        UsedConvention,
        Why,
    )
    from swgrm.model.comparison import Comparison
    from swgrm.model.comparison import compare as diff
    from swgrm.model.grmfile import dumps, loads
    from swgrm.model.props import all_props, prop
    from swgrm.settings import Settings, settings_from
    from swgrm.validation import check
    from swgrm_addin.batch import BatchOptions, batch
    from swgrm_addin.pipeline import Export, Source, Understanding, export, read, understand, write
    from swgrm_addin.settings_file import SettingsFile, read_settings
    from swgrm_exporters.formats import read as load
    from swgrm_exporters.formats import write as save
    from swgrm_mocks.synthetic.generator import MixedChainGenerator, generate

__version__ = "0.2.0"

_LATER = {  # the public names that are imported when used: module, and the name there if it is another
    "Actuator": "swgrm.model",
    "ActuatorType": "swgrm.model",
    "BatchOptions": "swgrm_addin.batch",
    "Box": "swgrm.model",
    "Calibration": "swgrm.model",
    "Capsule": "swgrm.model",
    "Capture": "swgrm.capture",
    "CaptureIndex": "swgrm.capture:Index",
    "Comparison": "swgrm.model.comparison",
    "CompositeJoint": "swgrm.model",
    "CompositeType": "swgrm.model",
    "Coupling": "swgrm.model",
    "CutLoop": "swgrm.model",
    "Cylinder": "swgrm.model",
    "Dynamics": "swgrm.model",
    "Entity": "swgrm.model",
    "EntityKind": "swgrm.model",
    "Export": "swgrm_addin.pipeline",
    "Finding": "swgrm.findings",
    "Findings": "swgrm.findings",
    "Frame": "swgrm.model",
    "Inertial": "swgrm.model",
    "Inference": "swgrm.inference",
    "Joint": "swgrm.model",
    "JointType": "swgrm.model",
    "Kinematics": "swgrm.kinematics.forward",
    "Limits": "swgrm.model",
    "Link": "swgrm.model",
    "LoopJoint": "swgrm.model",
    "Mark": "swgrm.model",
    "Material": "swgrm.model",
    "Mesh": "swgrm.model",
    "MixedChainGenerator": "swgrm_mocks.synthetic.generator",
    "Mount": "swgrm.model",
    "NamedPose": "swgrm.model",
    "Patch": "swgrm.model",
    "Pose": "swgrm.model",
    "Poses": "swgrm.kinematics.forward",
    "Relation": "swgrm.model",
    "Result": "swgrm.findings",
    "Robot": "swgrm.model",
    "Safety": "swgrm.model",
    "Segment": "swgrm.model",
    "Sensor": "swgrm.model",
    "Settings": "swgrm.settings",
    "SettingsFile": "swgrm_addin.settings_file",
    "Severity": "swgrm.findings",
    "Source": "swgrm_addin.pipeline",
    "Sphere": "swgrm.model",
    "Tensor": "swgrm.model",
    "Transmission": "swgrm.model",
    "TransmissionEnd": "swgrm.model",
    "Understanding": "swgrm_addin.pipeline",
    "UsedConvention": "swgrm.model",
    "Why": "swgrm.model",
    "add": "swgrm.edit",
    "all_props": "swgrm.model.props",
    "batch": "swgrm_addin.batch",
    "check": "swgrm.validation",
    "check_meshes": "swgrm.meshes.agreement",
    "combine": "swgrm.mass.inertia",
    "combine_links": "swgrm.edit",
    "diff": "swgrm.model.comparison:compare",
    "dumps": "swgrm.model.grmfile",
    "explain": "swgrm.inference:explanation",
    "export": "swgrm_addin.pipeline",
    "flip": "swgrm.edit",
    "follow": "swgrm.edit",
    "generate": "swgrm_mocks.synthetic.generator",
    "infer": "swgrm.inference",
    "limit": "swgrm.edit",
    "load": "swgrm_exporters.formats:read",
    "load_capture": "swgrm.capture:load",
    "loads": "swgrm.model.grmfile",
    "merge_rigid": "swgrm.edit",
    "poses": "swgrm.kinematics.forward",
    "prop": "swgrm.model.props",
    "read": "swgrm_addin.pipeline",
    "read_settings": "swgrm_addin.settings_file",
    "remove": "swgrm.edit",
    "rename": "swgrm.edit",
    "reroot": "swgrm.edit.root",
    "rescale": "swgrm.edit",
    "resolved": "swgrm.kinematics.forward",
    "rezero": "swgrm.edit",
    "save": "swgrm_exporters.formats:write",
    "save_capture": "swgrm.capture:save",
    "set_dynamics": "swgrm.edit",
    "set_type": "swgrm.edit",
    "settings_from": "swgrm.settings",
    "subtree_inertial": "swgrm.mass.inertia",
    "understand": "swgrm_addin.pipeline",
    "write": "swgrm_addin.pipeline",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module 'swgrm' has no attribute '{name}'")
    module, _, other = _LATER[name].partition(":")
    value = getattr(import_module(module), other or name)
    globals()[name] = value
    return value


__all__ = [
    "Actuator",
    "ActuatorType",
    "BatchOptions",
    "Box",
    "Calibration",
    "Capsule",
    "Capture",
    "CaptureIndex",
    "Comparison",
    "CompositeJoint",
    "CompositeType",
    "Coupling",
    "CutLoop",
    "Cylinder",
    "Dynamics",
    "Entity",
    "EntityKind",
    "Export",
    "Finding",
    "Findings",
    "Frame",
    "Inertial",
    "Inference",
    "Joint",
    "JointType",
    "Kinematics",
    "Limits",
    "Link",
    "LoopJoint",
    "Mark",
    "Material",
    "Mesh",
    "MixedChainGenerator",
    "Mount",
    "NamedPose",
    "Patch",
    "Pose",
    "Poses",
    "Relation",
    "Result",
    "Robot",
    "Safety",
    "Segment",
    "Sensor",
    "Settings",
    "SettingsFile",
    "Severity",
    "Source",
    "Sphere",
    "SwgrmError",
    "Tensor",
    "Transmission",
    "TransmissionEnd",
    "Understanding",
    "UsedConvention",
    "Why",
    "add",
    "all_props",
    "batch",
    "check",
    "check_meshes",
    "combine",
    "combine_links",
    "diff",
    "dumps",
    "explain",
    "export",
    "flip",
    "follow",
    "generate",
    "infer",
    "limit",
    "load",
    "load_capture",
    "loads",
    "merge_rigid",
    "poses",
    "prop",
    "read",
    "read_settings",
    "remove",
    "rename",
    "reroot",
    "rescale",
    "resolved",
    "rezero",
    "save",
    "save_capture",
    "set_dynamics",
    "set_type",
    "settings_from",
    "subtree_inertial",
    "understand",
    "write",
]
