"""Who the robot is: Robot Raconteur's device information, and the rules for the robot's type and subclasses."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence

import numpy as np

from swgrm.model import Frame, JointType
from swgrm_exporters.robotinfo.chains import ARM_JOINTS, ExponentialChain
from swgrm_exporters.robotinfo.schema import YamlMap, YamlValue, fields_in_files
from swgrm_exporters.robotinfo.wheels import wheeled_type

ROBOT_CLASS = {"name": "robot", "uuid": "39b513e7-21b9-4b49-8654-7537473030eb"}
IMPLEMENTED = ("com.robotraconteur.robotics.robot.Robot",)
CAPABILITIES = ("jog_command", "trajectory_command", "position_command")
NAMESPACE = uuid.uuid5(uuid.NAMESPACE_DNS, "robotinfo.swgrm")  # of the uuids derived below
_NUMBERS = {6: "six", 7: "seven"}


def robot_type(chains: Sequence[ExponentialChain]) -> str:
    """Robot Raconteur's name for the kind of robot.

    `differential_drive` or `planar` for one that drives on wheels (`wheeled_type`), `serial` for one chain, also with
    fingers at its end, `dual_arm` for two that each have an arm's joints of their own, else `other`.
    """
    if kind := wheeled_type(chains):
        return kind
    if is_arm_with_fingers(chains):
        return "serial"
    own = [len(_driven(chain) - _driven(other)) for chain, other in zip(chains, reversed(chains), strict=True)]
    return "dual_arm" if len(chains) == 2 and min(own) >= ARM_JOINTS else "other"


def is_arm_with_fingers(chains: Sequence[ExponentialChain]) -> bool:
    """Whether there is one chain, or the others continue the first by fewer joints than an arm has."""
    if len(chains) < 2:
        return len(chains) == 1
    arm = _driven(chains[0])
    return len(arm) >= ARM_JOINTS and all(
        arm <= _driven(chain) and len(_driven(chain) - arm) < ARM_JOINTS for chain in chains[1:]
    )


def device_info(name: str, kind: str, chains: Sequence[ExponentialChain], given: Mapping[str, YamlValue]) -> YamlMap:
    """The device information: what is given, completed by what the model knows.

    The device's own uuid is written only where it is given: it names one robot, not one model, and drivers draw a
    lasting one where it is absent. A maker and a model without uuids get such that depend on their names alone.
    """
    known = {
        "device": {"name": name},
        "device_classes": [{"class_identifier": ROBOT_CLASS, "subclasses": _subclasses(kind, chains)}],
        "implemented_types": list(IMPLEMENTED),
    }
    info = {key: {**known, **given}[key] for key in fields_in_files("DeviceInfo") if key in known or key in given}
    maker = info.get("manufacturer", {}).get("name", "")
    for field in ("manufacturer", "model"):
        if name_of := info.get(field, {}).get("name"):
            derived = uuid.uuid5(NAMESPACE, "\n".join(["manufacturer", maker, field, name_of]))
            info[field] = {"name": name_of, "uuid": str(derived), **info[field]}
    return info


def _driven(chain: ExponentialChain) -> set[str]:
    return {frame.joint_name for frame in chain.joints if _is_driven(frame)}


def _is_driven(frame: Frame) -> bool:
    return frame.joint is not None and frame.joint.coupling is None


def _subclasses(kind: str, chains: Sequence[ExponentialChain]) -> list[str]:
    """Robot Raconteur's standard names, by type and number of driven axes."""
    arms = chains[:1] if kind == "serial" else chains
    axes = len(set().union(*(_driven(chain) for chain in arms)))
    if kind == "dual_arm":
        return ["dual_arm", *(["dual_arm_fourteen_axis"] if axes == 14 else [])]
    if kind != "serial":
        return []
    named = [f"serial_{_NUMBERS[axes]}_axis"] if axes in _NUMBERS else []
    spherical = ["serial_six_axis_spherical"] if axes == 6 and _has_spherical_wrist(chains[0]) else []
    return ["serial", *named, *spherical]


def _has_spherical_wrist(chain: ExponentialChain) -> bool:
    """Whether the last three axes turn about one common point (to a millionth of the reach)."""
    wrist = [index for index, frame in enumerate(chain.joints) if _is_driven(frame)][-3:]
    if any((joint := chain.joints[index].joint) and joint.type is not JointType.REVOLUTE for index in wrist):
        return False
    origins = np.cumsum(chain.P, axis=0)[wrist]
    # The point nearest to all axes: Σ (1 − h hᵀ) (x − o) = 0; it is common if it lies on each.
    projectors = [np.eye(3) - np.outer(h, h) for h in np.array(chain.H)[wrist]]
    A, b = sum(projectors), sum((M @ o for M, o in zip(projectors, origins, strict=True)), np.zeros(3))
    point = np.linalg.lstsq(A, b, rcond=None)[0]
    reach = float(np.linalg.norm(chain.P, axis=1).sum()) or 1.0
    far = [float(np.linalg.norm(M @ (point - o))) for M, o in zip(projectors, origins, strict=True)]
    return max(far) <= 1e-6 * reach and np.linalg.matrix_rank(np.array(chain.H)[wrist], tol=1e-6) >= 2
