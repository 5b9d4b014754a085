"""What a robot has and a format has no place for: one finding that names it all."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from swgrm.findings import Findings
from swgrm.model import Robot
from swgrm.model.references import holders
from swgrm_exporters.lowering import Capabilities, Feature

_COUNTS: Mapping[Feature, Callable[[Robot], int]] = {
    Feature.TRANSMISSIONS: lambda robot: len(robot.transmissions),
    Feature.PROPS: lambda robot: sum(len(holder.props) for _, holder in holders(robot)),
    Feature.SAFETY: lambda robot: sum(f.joint is not None and f.joint.safety is not None for f in robot.frames),
    Feature.CALIBRATION: lambda robot: sum(
        f.joint is not None and f.joint.calibration is not None for f in robot.frames
    ),
    Feature.COMPOSITES: lambda robot: len(robot.composite_joints),
    Feature.TEXTURES: lambda robot: sum(bool(material.texture) for material in robot.materials),
    Feature.ACCELERATION: lambda robot: sum(
        f.joint is not None and f.joint.limits.acceleration is not None for f in robot.frames
    ),
}


def report_left_out(robot: Robot, capabilities: Capabilities, findings: Findings) -> None:
    """Report how many of each kind the format leaves out."""
    counts = {kind: count(robot) for kind, count in _COUNTS.items() if kind not in capabilities.holds}
    found = [f"{count} {kind.words(count)}" for kind, count in counts.items() if count]
    if found:
        findings.add("left-out", f"robot {robot.name}", what=", ".join(found))
