"""The sections of a settings file (`NAME.grm.yaml`) that decide about inference and the model, as types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeVar

import msgspec

from swgrm.model import ActuatorType, JointType, Mount, Params
from swgrm.settings.units import Frequency, Quantity

T = TypeVar("T")
Opening = Literal["auto", "asSolved", "always", "never"]
MirrorMotion = Literal["independent", "tied"]  # of an image; tied: as SolidWorks moves it
FastenerChoice = bool | Literal["pivot"]  # pivot: rigid with the part that it is in, and others turn on it
PropValue = Annotated[str | bool | int | float, msgspec.Meta(extra={"prop": True})]
PropValues = Mapping[str, PropValue]  # `swgrm.settings.props` makes text of them
PointSettings = str | tuple[Quantity, ...]  # a coordinate system or reference point, or x, y, z in the assembly [m]


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel", omit_defaults=True):
    """A section of the settings: camelCase in the file; unknown keys are errors."""


class PoseSettings(Section, frozen=True):
    """A pose by numbers, as URDF's <origin>: a position [m], and angles about the fixed axes x, y, z [rad]."""

    xyz: tuple[Quantity, Quantity, Quantity] = (0.0, 0.0, 0.0)
    rpy: tuple[Quantity, Quantity, Quantity] = (0.0, 0.0, 0.0)


class JointPoseSettings(PoseSettings, frozen=True):
    """The frame of a joint in that of its parent, at the joint's zero."""

    axis: tuple[float, float, float] | None = None  # of the joint, in this frame, with its direction


class RobotSettings(Section, frozen=True):
    """The robot itself."""

    name: Annotated[str, msgspec.Meta(min_length=1)] = ""  # default: the document's


class BaseSettings(Section, frozen=True):
    """The base of the robot."""

    root: str = ""  # a component: its body is the base; default: what is fixed
    frame: str | PoseSettings = ""  # a coordinate system of the assembly, or a pose in it: the base's frame
    up: Literal["auto", "y", "z"] = "auto"  # the assembly's axis that points up, where no frame is named
    mount: Mount | None = None  # how the base is in the world; default: fixed


class FollowSettings(Section, frozen=True):
    """A joint that follows another: q = ratio · other + offset."""

    joint: str
    ratio: float = 1.0
    offset: Quantity = 0.0


class SafetySettings(Section, frozen=True):
    """URDF's safety controller; the soft limits are positions of the resulting joint."""

    k_velocity: float
    k_position: float = 0.0
    soft_lower_limit: Quantity = 0.0
    soft_upper_limit: Quantity = 0.0


class CalibrationSettings(Section, frozen=True):
    """URDF's reference positions of the resulting joint."""

    rising: Quantity | None = None
    falling: Quantity | None = None


class TransmissionSettings(Section, frozen=True):
    """What drives a joint: URDF's transmission with one actuator."""

    name: str = ""  # default: JOINT_transmission
    type: str = "transmission_interface/SimpleTransmission"
    hardware_interface: str | tuple[str, ...] = ()  # of the joint and of the actuator
    mechanical_reduction: float = 1.0
    actuator: str = ""  # default: JOINT_motor


class JointSettings(Section, frozen=True):
    """One joint. `flip` is applied first, then `zero`; the limits are those of the joint that results."""

    name: str = ""  # another name
    between: tuple[str, ...] = ()  # the two components that the joint was between when these settings were written
    parent: str = ""  # with `child`: the two components of a joint that is defined here
    child: str = ""
    axis: str | tuple[PointSettings, ...] = ""  # of a defined joint: an axis, a coordinate system (its z) or two points
    origin: PointSettings = ""  # of a defined joint: where its frame is
    type: JointType | None = None
    flip: bool = False  # reverse the axis
    zero: Quantity | None = None  # the position that becomes zero, counted after the flip
    lower: Quantity | None = None
    upper: Quantity | None = None
    effort: Quantity | None = None
    velocity: Quantity | None = None
    damping: Quantity | None = None
    friction: Quantity | None = None
    armature: Quantity | None = None
    follows: FollowSettings | None = None
    frame: str | JointPoseSettings = ""  # where the joint's frame is: a coordinate system, or a pose in its parent
    acceleration: Quantity | None = None
    safety_controller: SafetySettings | None = None
    calibration: CalibrationSettings | None = None
    transmission: TransmissionSettings | None = None
    reviewed: bool = False  # a person has checked the joint; nothing else follows from it


class LinkSettings(Section, frozen=True):
    """Which components are left out, and which are one body."""

    leave_out: tuple[str, ...] = ()
    join: tuple[tuple[str, ...], ...] = ()  # groups of components that are rigid, whatever their mates allow
    rename: Mapping[str, str] = {}  # links, old name → new name


class MateSettings(Section, frozen=True):
    """Which mates are not used, and which alone make joints."""

    ignore: tuple[str, ...] = ()
    folder: str = "joints"  # if a mate folder has this name, or `dof`, only its mates make joints


class ConventionSettings(Section, frozen=True):
    """How SolidWorks' mates are understood where its API leaves it open.

    `swgrm.solidworks.conventions` has what each means.
    """

    gear_ratio: Literal["denominator", "numerator", "radii"] = "denominator"
    screw_unit: Literal["document", "metre"] = "document"
    screw_sense: Literal["reversedIsRight", "reversedIsLeft"] = "reversedIsRight"
    rack_sense: Literal["entities", "rolling"] = "entities"
    coupler_reference: Literal["assembly", "parent"] = "assembly"
    coordinate_mate: Literal["lock", "ignored"] = "lock"
    profile_centre: Literal["spins", "locked"] = "spins"
    limit_flip: Literal["reversed", "ignored"] = "reversed"


class FrameSettings(Section, frozen=True):
    """Which reference geometry becomes frames."""

    coordinate_systems: bool = True
    planes: bool = True
    axes: bool = True
    points: bool = True
    default_geometry: bool = False  # SolidWorks' own planes and origins
    leave_out: tuple[str, ...] = ()  # by name, or by path where it is in a component: `arm-1/tool0`


class SensorSettings(Section, frozen=True):
    """A sensor at a coordinate system."""

    type: str
    at: str
    id: str = ""
    update_rate: Frequency | None = None  # [Hz]
    params: Params = {}  # any data: text, numbers, booleans, lists and maps


class MaterialSettings(Section, frozen=True):
    """Another look of a material, by the name that it has in the exported robot."""

    rgba: tuple[float, float, float, float] | None = None  # each from 0 to 1
    texture: str = ""  # a file name as the exported file is to have it


class ActuatorSettings(Section, frozen=True):
    """What drives a joint in simulators; numbers that are absent follow from the robot."""

    name: str = ""  # default: the joint's
    type: ActuatorType | None = None
    stiffness: Quantity | None = None
    damping: Quantity | None = None
    effort: Quantity | None = None
    gear: float | None = None  # actuator position = gear · joint position


class ContactSettings(Section, frozen=True):
    """Contacts between bodies of the robot in simulators."""

    exclude: tuple[tuple[str, str], ...] = ()  # pairs of links


PositionSettings = Quantity | tuple[float, float, float, float]  # of a joint; a quaternion x, y, z, w of a ball joint


class PropsSettings(Section, frozen=True):
    """Properties that formats keep beyond their core, by name."""

    robot: PropValues = {}
    links: Mapping[str, PropValues] = {}
    joints: Mapping[str, PropValues] = {}
    frames: Mapping[str, PropValues] = {}
    sensors: Mapping[str, PropValues] = {}


class Settings(Section, frozen=True):
    """The sections that decide about inference and the model; every other part of the program has its own section."""

    robot: RobotSettings = RobotSettings()
    base: BaseSettings = BaseSettings()
    joints: Mapping[str, JointSettings] = {}
    links: LinkSettings = LinkSettings()
    # By component or file (`pin-1`, `pin*`), over the detection; or `byShape`.
    fasteners: Mapping[str, FastenerChoice] = {}
    mates: MateSettings = MateSettings()
    conventions: ConventionSettings = ConventionSettings()
    mirrors: Mapping[str, MirrorMotion] = {}  # by image; `all` for those not named
    sub_assemblies: Mapping[str, Opening] = {}  # by sub-assembly; `all` for those not named
    frames: FrameSettings = FrameSettings()
    sensors: Mapping[str, SensorSettings] = {}
    props: PropsSettings = PropsSettings()
    materials: Mapping[str, MaterialSettings] = {}
    poses: Mapping[str, Mapping[str, PositionSettings]] = {}  # by name, such as `home`: positions by joint
    actuators: Mapping[str, ActuatorSettings] = {}  # by joint
    contacts: ContactSettings = ContactSettings()


def settings_from(data: object) -> Settings:
    """Settings from plain data, in the form of the settings file: `{"base": {"up": "z"}}`."""
    return converted(data, Settings)


def converted(data: object, kind: type[T], where: str = "") -> T:
    """A section of the settings as its own type; `where` is its name in the file, such as `urdf`."""
    from swgrm.settings.checking import checked

    return checked(data, kind, (where,) if where else ())
