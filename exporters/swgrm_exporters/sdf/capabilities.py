"""What SDF can hold."""

from __future__ import annotations

import re

from swgrm.model import JointType
from swgrm_exporters.lowering import Capabilities, Feature, Held, RigidLinks
from swgrm_exporters.names import ros_legal

_RESERVED = re.compile(r"__.*__|world")


def sdf_legal(text: str) -> str:
    """The text as ROS takes it; the names that the specification reserves (`__x__`, `world`) get an underscore less."""
    legal = ros_legal(text)
    return f"{legal.strip('_')}_" if _RESERVED.fullmatch(legal) else legal


LACKING = {
    Feature.ACCELERATION,
    Feature.SAFETY,
    Feature.CALIBRATION,
    Feature.TRANSMISSIONS,
    Feature.COMPOSITES,
    Feature.PROPS,
}
HELD = Held(
    robot=frozenset({"loopJoints", "mount"}),
    joint=frozenset(
        {
            *("type", "name", "axis", "pitch", "dynamics", "coupling"),
            *("limits.lower", "limits.upper", "limits.effort", "limits.velocity"),
        }
    ),
    joints={
        JointType.FIXED: frozenset(),  # a frame that is rigid in its parent, unless it has a link
        JointType.BALL: frozenset({"type", "name"}),
    },
)
CAPABILITIES = Capabilities(
    composites=frozenset(),
    relations=False,
    several_links=False,
    moving_frames_are_bodies=True,
    rigid_links=RigidLinks.WITH_MASS,
    tensors_optional=False,
    tensor_axes=False,
    strict_tensors=True,
    simulation=frozenset({"mount"}),
    legal=sdf_legal,
    holds=frozenset(Feature) - LACKING,
    held=HELD,
)
DRAKE_CAPABILITIES = CAPABILITIES._replace(
    simulation=frozenset({"mount", "contacts", "armature"}), holds=CAPABILITIES.holds | {Feature.ACCELERATION}
)
