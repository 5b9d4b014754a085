"""The Generalized Robot Model as data: frames, links, joints, sensors, and the robot they make.

In memory a robot is a flat table of frames that name their parents, so that depth costs nothing; nesting exists
only in the file. All is immutable: editing (`swgrm.edit`) gives a new robot. Units are SI, quaternions x, y, z, w.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from swgrm.errors import ModelError, nearest

if TYPE_CHECKING:
    from swgrm.kinematics.mechanism import RobotMechanism
    from swgrm.model.comparison import Comparison
    from swgrm.transforms import Array

Vec3 = tuple[float, float, float]
Quat = tuple[float, float, float, float]
Props = Mapping[str, str]
Params = Mapping[str, Any]  # of a sensor: JSON data, that is text, numbers, booleans, lists and maps
References = Mapping[str, str]  # which props hold the name of another object: the prop's key, and `link` or `joint`


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel", gc=False):
    """What every part of the model is: immutable, compared by value, camelCase in the file."""


class Pose(Data, frozen=True):
    """Where something is in its parent: p_parent = R(rot) · p + pos."""

    pos: Vec3 = (0.0, 0.0, 0.0)  # [m]
    rot: Quat = (0.0, 0.0, 0.0, 1.0)

    @property
    def matrix(self) -> Array:
        """The homogeneous matrix T_parent_child.  # (4, 4)."""
        from swgrm.transforms import pose_matrix

        return pose_matrix(self.pos, self.rot)

    @staticmethod
    def from_matrix(T: Array) -> Pose:
        """The pose that a homogeneous matrix describes; its quaternion has w ≥ 0."""
        from swgrm.transforms import matrix_pose

        return Pose(*matrix_pose(T))

    @staticmethod
    def from_matrices(T: Array) -> list[Pose]:
        """The poses that homogeneous matrices describe.  # (n, 4, 4)."""
        from swgrm.transforms import matrix_poses

        return [Pose(*each) for each in matrix_poses(T)]


IDENTITY = Pose()


class EntityKind(StrEnum):
    """The kinds of SolidWorks entity that a frame may represent."""

    COORDINATE_SYSTEM = "coordinateSystem"
    PLANE = "plane"
    AXIS = "axis"
    POINT = "point"
    COMPONENT = "component"


class Entity(Data, frozen=True):
    """A SolidWorks entity: its kind, its path in the assembly, its configuration and its persistent id."""

    kind: EntityKind
    path: str
    configuration: str = ""
    persistent_id: str = ""


class Patch(Data, frozen=True, tag="patch"):
    """A rectangle in the frame's x-y plane, about its origin: how a plane is shown."""

    size: tuple[float, float]  # [m]


class Segment(Data, frozen=True, tag="segment"):
    """A piece of the frame's z axis, about its origin: how an axis is shown."""

    length: float  # [m]


class Mark(Data, frozen=True, tag="mark"):
    """The frame's origin alone: how a point is shown."""


class GeometryFields(Data, frozen=True, kw_only=True, tag_field="type"):
    """What every geometry has: a name, its pose in the link's frame, and the name of a material of the robot."""

    name: str = ""
    origin: Pose = IDENTITY
    material: str = ""


class Mesh(GeometryFields, frozen=True, kw_only=True, tag="mesh"):
    """A mesh file."""

    uri: str
    scale: Vec3 = (1.0, 1.0, 1.0)


class Box(GeometryFields, frozen=True, kw_only=True, tag="box"):
    """A box about its origin."""

    size: Vec3  # [m]


class Cylinder(GeometryFields, frozen=True, kw_only=True, tag="cylinder"):
    """A cylinder along z, about its origin."""

    radius: float  # [m]
    length: float  # [m]


class Sphere(GeometryFields, frozen=True, kw_only=True, tag="sphere"):
    """A sphere about its origin."""

    radius: float  # [m]


class Capsule(GeometryFields, frozen=True, kw_only=True, tag="capsule"):
    """A cylinder along z with a half sphere on each end; the length is the cylinder's."""

    radius: float  # [m]
    length: float  # [m]


Geometry = Mesh | Box | Cylinder | Sphere | Capsule


class Tensor(Data, frozen=True):
    """A symmetric inertia tensor; the products are those of the matrix (−∫xy dm)."""

    ixx: float = 0.0  # [kg m²]
    ixy: float = 0.0
    ixz: float = 0.0
    iyy: float = 0.0
    iyz: float = 0.0
    izz: float = 0.0


class Inertial(Data, frozen=True):
    """Mass, centre of gravity in the link's frame, and the tensor about that centre, along the given axes."""

    mass: float  # [kg]
    origin: Vec3 = (0.0, 0.0, 0.0)  # [m]
    tensor: Tensor | None = None
    axes: Quat = (0.0, 0.0, 0.0, 1.0)


class Material(Data, frozen=True):
    """A named appearance."""

    name: str
    rgba: tuple[float, float, float, float] | None = None
    texture: str = ""


class Link(Data, frozen=True, kw_only=True):
    """A rigid body, or a piece of one, on a frame."""

    name: str
    inertial: Inertial | None = None
    visuals: tuple[Geometry, ...] = ()
    collisions: tuple[Geometry, ...] = ()
    entity: Entity | None = None
    props: Props = {}
    references: References = {}


class JointType(StrEnum):
    """The types of joint in the model."""

    FIXED = "fixed"
    REVOLUTE = "revolute"
    PRISMATIC = "prismatic"
    BALL = "ball"
    SCREW = "screw"


class Limits(Data, frozen=True):
    """A joint's bounds; absent means unlimited or unknown."""

    lower: float | None = None  # [rad or m]
    upper: float | None = None  # [rad or m]
    velocity: float | None = None  # [rad/s or m/s]
    effort: float | None = None  # [N m or N]
    acceleration: float | None = None  # [rad/s² or m/s²]


class Dynamics(Data, frozen=True):
    """A joint's damping, friction and the inertia of its drive."""

    damping: float = 0.0  # [N m s/rad or N s/m]
    friction: float = 0.0  # [N m or N]
    armature: float = 0.0  # [kg m² or kg] of the rotor, reflected to the joint


class Coupling(Data, frozen=True):
    """A joint that follows another: q = ratio · other + offset."""

    joint: str
    ratio: float = 1.0
    offset: float = 0.0


class Safety(Data, frozen=True):
    """URDF's safety controller."""

    k_velocity: float
    k_position: float = 0.0
    soft_lower_limit: float = 0.0
    soft_upper_limit: float = 0.0


class Calibration(Data, frozen=True):
    """URDF's reference positions."""

    rising: float | None = None
    falling: float | None = None


class Why(Data, frozen=True):
    """Why a joint is what it is: its mates, the degrees of freedom that they leave, and the rule for its type."""

    mates: tuple[str, ...] = ()
    freedom: str = ""
    reason: str = ""
    needs_check: bool = False


class Joint(Data, frozen=True, kw_only=True):
    """How a frame moves in its parent: T_parent_child(q) = transform · motion(q), the axis in the child frame."""

    type: JointType
    name: str = ""  # default: the frame's id
    axis: Vec3 = (0.0, 0.0, 1.0)
    pitch: float = 0.0  # [m per revolution], screws only, positive right-handed
    limits: Limits = Limits()
    dynamics: Dynamics | None = None
    coupling: Coupling | None = None
    safety: Safety | None = None
    calibration: Calibration | None = None
    why: Why | None = None
    props: Props = {}
    references: References = {}


class Sensor(Data, frozen=True, kw_only=True):
    """A sensor at a frame; its type is open, those of `swgrm.model.sensor_types` are the usual ones."""

    name: str
    type: str
    id: str = ""
    update_rate: float | None = None  # [Hz]; absent: every cycle
    params: Params = {}
    props: Props = {}
    references: References = {}  # in params and props


class FrameFields(Data, frozen=True, kw_only=True):
    """The fields of a frame, in the flat table and in the nested file alike."""

    id: str
    name: str = ""  # default: the id
    transform: Pose = IDENTITY  # T_parent_frame at q = 0
    joint: Joint | None = None  # the joint to its parent; none is rigid
    links: tuple[Link, ...] = ()
    sensors: tuple[Sensor, ...] = ()
    entity: Entity | None = None
    geometry: Patch | Segment | Mark | None = None  # for display: neither mass nor collision
    virtual: bool = False  # only expresses a composite joint, a cut loop, a re-rooted tree or a sensor's pose
    props: Props = {}
    references: References = {}


class Frame(FrameFields, frozen=True, kw_only=True):
    """A coordinate system in the tree."""

    parent: str | None = None

    @property
    def joint_name(self) -> str:
        """The name that couplings, transmissions and writers use for the joint to the parent."""
        return (self.joint.name if self.joint else "") or self.id

    @property
    def is_rigid(self) -> bool:
        """Whether the frame cannot move in its parent."""
        return self.joint is None or self.joint.type is JointType.FIXED


class LoopJoint(Data, frozen=True, kw_only=True):
    """A joint that closes a loop: T_parent_child(q) = transform · motion(q) holds besides the tree's own joints."""

    parent: str
    child: str
    joint: Joint
    transform: Pose = IDENTITY


class CompositeType(StrEnum):
    """The kinds of joint that are chains of simple ones."""

    PLANAR = "planar"
    FLOATING = "floating"
    UNIVERSAL = "universal"
    CYLINDRICAL = "cylindrical"
    BALL = "ball"  # only where a format has no ball joint
    SCREW = "screw"  # only where a format has no screw joint


class CompositeJoint(Data, frozen=True, kw_only=True):
    """A joint with several degrees of freedom, as the chain of simple joints that it consists of.

    The chain's frames are virtual, except for the last one. Its name is that of the joint that carries the limits and
    all else that concerns the whole joint; a ball joint has no such joint, and a name of its own.
    """

    name: str
    type: CompositeType
    joints: tuple[str, ...]  # the chain, from the parent outwards
    pitch: float = 0.0  # [m per revolution], screws only


class CutLoop(Data, frozen=True, kw_only=True):
    """A loop joint in a format without loops: the tree is cut, and a frame marks each side of the joint.

    T_parent_frame_child_frame = motion(q) of the joint when the loop is closed.
    """

    loop: LoopJoint
    parent_frame: str
    child_frame: str


class Relation(Data, frozen=True):
    """A linear relation among joint positions: Σ coefficient · position = offset.

    A joint that follows one other joint has a `coupling` instead.
    """

    terms: Mapping[str, float]  # joint name → coefficient
    offset: float = 0.0


class UsedConvention(Data, frozen=True, kw_only=True):
    """A convention of SolidWorks' mates that the robot depends on.

    `swgrm.solidworks.conventions` has what each choice means.
    """

    name: str  # its key in the settings, such as `gearRatio`
    choice: str
    is_set: bool = False  # by the settings; else the choice is the default
    mates: tuple[str, ...] = ()  # that are understood by it


class TransmissionEnd(Data, frozen=True):
    """A joint or an actuator in a transmission."""

    name: str
    hardware_interfaces: tuple[str, ...] = ()
    mechanical_reduction: float | None = None
    props: Props = {}
    references: References = {}


class Transmission(Data, frozen=True, kw_only=True):
    """What drives joints: URDF's transmission."""

    name: str
    type: str = ""
    joints: tuple[TransmissionEnd, ...] = ()
    actuators: tuple[TransmissionEnd, ...] = ()
    props: Props = {}
    references: References = {}


class Mount(StrEnum):
    """How the base is mounted in the world."""

    FIXED = "fixed"
    FLOATING = "floating"  # it moves freely, as a mobile robot or a drone


class ActuatorType(StrEnum):
    """The quantity that a simulator's actuator controls."""

    POSITION = "position"
    VELOCITY = "velocity"
    MOTOR = "motor"  # an effort


class Actuator(Data, frozen=True, kw_only=True):
    """What drives a joint in a simulator; what is absent follows from the joint's transmission, limits and inertia."""

    joint: str
    name: str = ""  # default: the joint's
    type: ActuatorType | None = None
    stiffness: float | None = None  # [N m/rad or N/m] of position actuators
    damping: float | None = None  # [N m s/rad or N s/m] of position and velocity actuators
    effort: float | None = None  # [N m or N] the greatest
    gear: float | None = None  # actuator position = gear · joint position


class NamedPose(Data, frozen=True):
    """Positions of joints under a name, such as `home`; joints that are not named are at zero or follow others."""

    name: str
    positions: Mapping[str, float | Quat] = {}  # [rad or m], a quaternion for a ball joint


class RobotFields(Data, frozen=True, kw_only=True):
    """The fields of a robot besides its name and its frames."""

    materials: tuple[Material, ...] = ()
    transmissions: tuple[Transmission, ...] = ()
    loop_joints: tuple[LoopJoint, ...] = ()
    relations: tuple[Relation, ...] = ()
    composite_joints: tuple[CompositeJoint, ...] = ()
    cut_loops: tuple[CutLoop, ...] = ()
    conventions: tuple[UsedConvention, ...] = ()
    mount: Mount = Mount.FIXED
    poses: tuple[NamedPose, ...] = ()
    actuators: tuple[Actuator, ...] = ()
    ignored_contacts: tuple[tuple[str, str], ...] = ()  # pairs of links whose contacts simulators leave out
    props: Props = {}
    references: References = {}


class Robot(RobotFields, frozen=True, kw_only=True, dict=True, gc=True):
    """A tree of frames, as a flat table; look-ups are made once and kept."""

    name: str
    frames: tuple[Frame, ...]

    @cached_property
    def by_id(self) -> Mapping[str, Frame]:
        """The frames by their ids."""
        return {frame.id: frame for frame in self.frames}

    @cached_property
    def root(self) -> Frame:
        """The one frame without a parent."""
        roots = [frame for frame in self.frames if frame.parent is None]
        if len(roots) != 1:
            names = ", ".join(f"`{frame.id}`" for frame in roots[:5]) or "none"
            raise ModelError(
                f"Robot `{self.name}` must have one frame without a parent, it has {len(roots)} ({names})."
            )
        return roots[0]

    @cached_property
    def _children(self) -> Mapping[str, tuple[Frame, ...]]:
        lists: dict[str, list[Frame]] = {}
        for frame in self.frames:
            if frame.parent is not None:
                lists.setdefault(frame.parent, []).append(frame)
        return {parent: tuple(children) for parent, children in lists.items()}

    @cached_property
    def joints(self) -> Mapping[str, Frame]:
        """The frames that have a joint to their parent, by the joint's name."""
        return {frame.joint_name: frame for frame in self.frames if frame.joint is not None}

    @cached_property
    def mechanism(self) -> RobotMechanism:
        """How the robot moves: its bodies, kinematics, ranges and loops, each computed when first asked for."""
        from swgrm.kinematics.mechanism import mechanism_of

        return mechanism_of(self)

    def frame(self, frame_id: str) -> Frame:
        """The frame of that id."""
        if frame_id not in self.by_id:
            raise ModelError(f"Robot `{self.name}` has no frame `{frame_id}`.{nearest(frame_id, list(self.by_id))}")
        return self.by_id[frame_id]

    def children(self, frame_id: str) -> tuple[Frame, ...]:
        """The frames whose parent that is, in the table's order."""
        return self._children.get(frame_id, ())

    def walk(self, start: str | None = None) -> Iterator[Frame]:
        """The frames of a subtree (the whole tree), parents before children, as the file nests them."""
        stack = [self.root if start is None else self.frame(start)]
        seen = 0
        while stack:
            frame = stack.pop()
            yield frame
            seen += 1
            if seen > len(self.frames):
                raise ModelError(f"Robot `{self.name}` has several frames of one id: its tree cannot be walked.")
            stack.extend(reversed(self.children(frame.id)))

    def path(self, frame_id: str) -> tuple[Frame, ...]:
        """The frames from the root to that frame, both included."""
        frames = [self.frame(frame_id)]
        while (parent := frames[-1].parent) is not None:
            if len(frames) > len(self.frames):
                raise ModelError(f"Frame `{frame_id}` of robot `{self.name}` is its own ancestor.")
            frames.append(self.frame(parent))
        return tuple(reversed(frames))

    def links(self) -> Iterator[tuple[Frame, Link]]:
        """Every link with its frame."""
        return ((frame, link) for frame in self.frames for link in frame.links)

    def is_same_as(self, other: Robot, tolerance: float = 1e-9) -> Comparison:
        """The differences from another robot, regardless of order and rounding; `.is_same` if there are none."""
        from swgrm.model.comparison import compare

        return compare(self, other, tolerance)
