"""What MJCF can hold, and what a user may choose about an MJCF file."""

from __future__ import annotations

from typing import Annotated

import msgspec

from swgrm.model import JointType
from swgrm.settings.units import Frequency
from swgrm_exporters.lowering import TINY, Capabilities, Choices, Feature, Held, Merge
from swgrm_exporters.names import ros_legal
from swgrm_exporters.numbers import PRECISION

WORLD = "world"  # MuJoCo's own body


def mjcf_legal(text: str) -> str:
    """A name for MJCF: as in URDF, and not that of MuJoCo's own body."""
    name = ros_legal(text)
    return f"{name}_body" if name == WORLD else name


HELD = Held(
    robot=frozenset({"loopJoints", "relations", "mount"}),
    joint=frozenset(
        {"type", "name", "axis", "pitch", "limits.lower", "limits.upper", "limits.effort", "dynamics", "coupling"}
    ),
    joints={
        JointType.FIXED: frozenset(),  # a body without a joint
        JointType.BALL: frozenset({"type", "name", "dynamics"}),
    },
    has_provenance=True,
    has_whole_loops=True,
)
CAPABILITIES = Capabilities(
    joints=frozenset({JointType.FIXED, JointType.REVOLUTE, JointType.PRISMATIC, JointType.BALL}),
    composites=frozenset(),
    loop_joints=frozenset({JointType.FIXED, JointType.REVOLUTE, JointType.BALL}),
    several_links=False,
    moving_frames_are_bodies=True,
    tensors_optional=False,
    tensor_axes=False,
    strict_tensors=True,
    equal_limits=False,
    legal=mjcf_legal,
    holds=frozenset(Feature) - {Feature.ACCELERATION, Feature.SAFETY, Feature.CALIBRATION},
    held=HELD,
)


class MjcfOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """The options of the MJCF writer, with their defaults."""

    merge: Merge = Merge.COMPONENTS  # which rigid frames are merged into their body
    drop_unused_frames: bool = False  # leave out pure frames that nothing refers to
    reference_geometry: bool = False  # planes, axes and points become sites; else they are in the GRM file only
    virtual_inertia: bool = True  # moving bodies without mass get 1e-6 kg, 1e-9 kg m²
    actuators: bool = True  # also for joints of which the model has no actuator
    frequency: Frequency = 5.0  # [Hz] the natural frequency of position actuators without a stiffness
    scene: bool = True  # write scene.xml, which is yours once it is written
    precision: Annotated[int, msgspec.Meta(ge=6, le=17)] = PRECISION  # [significant digits]
    annotate: bool = True  # keep what MJCF cannot hold in one <custom> text

    @property
    def choices(self) -> Choices:
        """The part that lowering decides."""
        inertia = TINY if self.virtual_inertia else None
        return Choices(self.merge, self.drop_unused_frames, inertia, self.reference_geometry)
