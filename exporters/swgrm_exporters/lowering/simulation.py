"""What only simulators use, left out where a format has no place for it."""

from __future__ import annotations

from msgspec.structs import replace

from swgrm.findings import Findings
from swgrm.model import Frame, Mount, Robot
from swgrm_exporters.lowering.state import SIMULATION, Capabilities, Choices, Lowered

WORDS = {
    "mount": "that the base floats",
    "poses": "named poses",
    "actuators": "actuators",
    "contacts": "contacts to leave out",
    "armature": "armatures",
}


def drop_simulation(state: Lowered, capabilities: Capabilities, _: Choices, findings: Findings) -> Lowered:
    """Data for simulators that the format cannot hold is left out, and reported in one finding."""
    robot = state.robot
    lost = [name for name in WORDS if name in SIMULATION - capabilities.simulation and _has(robot, name)]
    if not lost:
        return state
    findings.add("simulation-dropped", f"robot {robot.name}", what=", ".join(WORDS[name] for name in lost))
    if "armature" in lost:
        robot = replace(robot, frames=tuple(map(_without_armature, robot.frames)))
    return state._replace(
        robot=replace(
            robot,
            mount=Mount.FIXED if "mount" in lost else robot.mount,
            poses=() if "poses" in lost else robot.poses,
            actuators=() if "actuators" in lost else robot.actuators,
            ignored_contacts=() if "contacts" in lost else robot.ignored_contacts,
        )
    )


def _has(robot: Robot, name: str) -> bool:
    return {
        "mount": robot.mount is not Mount.FIXED,
        "poses": bool(robot.poses),
        "actuators": bool(robot.actuators),
        "contacts": bool(robot.ignored_contacts),
        "armature": any(f.joint and f.joint.dynamics and f.joint.dynamics.armature for f in robot.frames),
    }[name]


def _without_armature(frame: Frame) -> Frame:
    if frame.joint is None or frame.joint.dynamics is None or not frame.joint.dynamics.armature:
        return frame
    return replace(frame, joint=replace(frame.joint, dynamics=replace(frame.joint.dynamics, armature=0.0)))
