"""What USD with UsdPhysics can hold."""

from __future__ import annotations

import re

from swgrm.model import JointType
from swgrm_exporters.lowering import Capabilities, Feature, Held, RigidLinks
from swgrm_exporters.names import ros_legal

NATIVE = frozenset({JointType.FIXED, JointType.REVOLUTE, JointType.PRISMATIC, JointType.BALL})
LACKING = {
    Feature.TEXTURES,
    Feature.ACCELERATION,
    Feature.SAFETY,
    Feature.CALIBRATION,
    Feature.TRANSMISSIONS,
    Feature.PROPS,
}


HELD = Held(
    robot=frozenset({"loopJoints", "mount", "ignoredContacts"}),
    joint=frozenset(
        {
            *("type", "name", "axis", "dynamics", "coupling"),
            *("limits.lower", "limits.upper", "limits.effort", "limits.velocity"),
        }
    ),
    joints={
        JointType.FIXED: frozenset(),  # a frame that is rigid in its parent
        JointType.BALL: frozenset({"type", "name"}),
    },
)


def usd_legal(text: str) -> str:
    """The text as a prim may be called: letters, digits and underscores, no digit first."""
    legal = re.sub(r"[^A-Za-z0-9_]+", "_", ros_legal(text))
    return f"_{legal}" if legal[:1].isdigit() else legal


CAPABILITIES = Capabilities(
    joints=NATIVE,
    composites=frozenset(),
    loop_joints=NATIVE,
    relations=False,
    coupling_chains=False,
    several_links=False,
    moving_frames_are_bodies=True,
    tensors_optional=False,
    strict_tensors=True,
    equal_limits=False,
    legal=usd_legal,
    holds=frozenset(Feature) - LACKING,
    rigid_links=RigidLinks.NONE,
    held=HELD,
)
