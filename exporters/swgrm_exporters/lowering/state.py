"""What a format can hold, what the user chooses, and the state of lowering."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NamedTuple

from msgspec.structs import replace

from swgrm.findings import Findings
from swgrm.model import (
    CompositeType,
    Inertial,
    Joint,
    JointType,
    Link,
    Robot,
    Tensor,
)
from swgrm_exporters.lowering.features import ALL_FEATURES, Feature
from swgrm_exporters.names import Legal, Renamed

SIMULATION = frozenset({"mount", "poses", "actuators", "contacts", "armature"})  # data that only simulators use


class RigidLinks(StrEnum):
    """Which links a format allows on frames that do not move in their parent."""

    ANY = "any"
    WITH_MASS = "with mass"  # others would get a mass that is not theirs; their shapes go to the body
    NONE = "none"  # a body is one link


class Held(NamedTuple):
    """The fields that a file of a format has, as the GRM file calls them; `limits.lower` is a field of a field.

    All other fields that the lowered robot has are in the file's note (`swgrm_exporters.notes`).
    """

    robot: frozenset[str] = frozenset()  # besides its name and its frames
    frame: frozenset[str] = frozenset({"parent", "transform", "joint", "links"})
    link: frozenset[str] = frozenset({"inertial", "visuals", "collisions"})
    shapes: frozenset[str] = frozenset()  # their names and materials, such as `visuals.name`
    joint: frozenset[str] = frozenset()
    joints: Mapping[JointType, frozenset[str]] = {}  # of types that hold other fields than most
    has_provenance: bool = False  # the note has SolidWorks entities, the reasons for joints and conventions, too
    has_whole_loops: bool = False  # joints that close loops have all fields in entries of the format's own

    def without(self, fields: frozenset[str]) -> Held:
        """The same, for a note that leaves fields out."""
        joints = {kind: held | fields for kind, held in self.joints.items()}
        return self._replace(
            robot=self.robot | fields,
            frame=self.frame | fields,
            link=self.link | fields,
            joint=self.joint | fields,
            joints=joints,
        )

    def of_joint(self, joint: Joint) -> frozenset[str]:
        """The fields of a joint that the file has."""
        return self.joints.get(joint.type, self.joint)


class Capabilities(NamedTuple):
    """What a format can hold. The defaults are the model's own; a format names what it lacks."""

    joints: frozenset[JointType] = frozenset(JointType)
    composites: frozenset[CompositeType] = frozenset(CompositeType)  # those that it has a joint type for
    capsules: bool = True
    loops: bool = True  # a format without loops has them cut
    loop_joints: frozenset[JointType] = frozenset(JointType)  # that close a loop; others do on a half of their body
    relations: bool = True  # linear relations among more than two joints
    coupling_chains: bool = True  # a joint may follow one that itself follows
    several_links: bool = True  # on one frame
    frames_are_links: bool = False  # frame and link are one thing with one name, and every frame has a joint
    moving_frames_are_bodies: bool = False  # a frame that moves is a body, named after its link; a rigid one stays
    tensors_optional: bool = True  # a mass may come without an inertia tensor
    tensor_axes: bool = True  # a tensor may be along axes of its own
    strict_tensors: bool = False  # principal moments A + B < C are refused, however little is missing
    equal_limits: bool = True  # a joint whose limits are equal is held there, and not taken as one without limits
    simulation: frozenset[str] = SIMULATION
    legal: Legal | None = None  # gives the legal form of a name
    holds: frozenset[Feature] = ALL_FEATURES  # data besides the tree
    rigid_links: RigidLinks = RigidLinks.ANY  # of a format of bodies, where the root and all moving frames have mass
    held: Held = Held()  # field by field, for formats whose files have a note

    @property
    def has_bodies(self) -> bool:
        """Whether moving frames are bodies, with the names and the masses of such."""
        return self.frames_are_links or self.moving_frames_are_bodies


TINY = Inertial(1e-6, tensor=Tensor(ixx=1e-9, iyy=1e-9, izz=1e-9))  # above what MuJoCo refuses, below what is felt


class Merge(StrEnum):
    """Which rigid frames are merged into the body that carries them."""

    NONE = "none"  # every frame stays
    COMPONENTS = "components"  # frames of SolidWorks components
    ALL = "all"  # all that have nothing but links


class Choices(NamedTuple):
    """What the user decides about lowering."""

    merge: Merge = Merge.COMPONENTS
    drop_unused_frames: bool = False  # pure frames that nothing refers to
    virtual_inertia: Inertial | None = TINY  # of moving bodies without mass, because simulators reject them
    reference_geometry: bool = True  # planes, axes and points, where frames are links


class Lowered(NamedTuple):
    """A robot that fits the format, the names that changed, and what was removed and added."""

    robot: Robot
    renamed: tuple[Renamed, ...] = ()
    gone: frozenset[str] = frozenset()  # frames that were merged into those above them, or left out
    implied_joints: frozenset[str] = frozenset()  # fixed joints where the model had none
    implied_links: frozenset[str] = frozenset()  # links of frames that have none
    implied_inertials: frozenset[str] = frozenset()  # links that got the virtual inertia
    implied_tensors: frozenset[str] = frozenset()  # links with a mass that had no tensor
    halves: Mapping[str, str] = {}  # frame with a half of a body, to close a loop: the frame that has the other half


def with_links(robot: Robot, change: Callable[[Link], Link]) -> Robot:
    """The robot with every link changed."""
    frames = tuple(replace(f, links=tuple(change(link) for link in f.links)) if f.links else f for f in robot.frames)
    return replace(robot, frames=frames)


LoweringStep = Callable[[Lowered, Capabilities, Choices, Findings], Lowered]
