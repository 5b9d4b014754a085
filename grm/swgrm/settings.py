"""What a user may decide about an assembly's robot, as data: the sections of `NAME.grm.yaml` that belong to the model.

Numbers may carry units (`90 deg`, `120 mm`); `quantity` turns them into SI.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Literal, TypeVar

import msgspec

from swgrm.errors import SettingsError, nearest
from swgrm.model import JointType, Props

Quantity = float | str
T = TypeVar("T")
Opening = Literal["auto", "always", "never"]


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel", omit_defaults=True):
    """A part of the settings: camelCase in the file, unknown keys refused."""


class RobotSettings(Section, frozen=True):
    """The robot itself."""

    name: str = ""  # default: the document's


class BaseSettings(Section, frozen=True):
    """Where the robot stands."""

    root: str = ""  # a component: its body is the base; default: what is fixed
    frame: str = ""  # a coordinate system of the assembly: the base's frame
    up: Literal["y", "z"] = "y"  # the assembly's axis that points up, where no frame is named


class FollowSettings(Section, frozen=True):
    """A joint that follows another: q = ratio · other + offset."""

    joint: str
    ratio: float = 1.0
    offset: Quantity = 0.0


class JointSettings(Section, frozen=True):
    """What is decided about one joint; limits and zero count after the axis is flipped and the zero moved."""

    name: str = ""  # another name
    type: JointType | None = None
    flip: bool = False  # turn the axis round
    zero: Quantity | None = None  # the position, of those inferred, that shall be zero
    lower: Quantity | None = None
    upper: Quantity | None = None
    effort: Quantity | None = None
    velocity: Quantity | None = None
    damping: float | None = None
    friction: float | None = None
    follows: FollowSettings | None = None
    frame: str = ""  # the coordinate system that the joint's frame is placed by


class LinkSettings(Section, frozen=True):
    """Which components count, and which are one body."""

    leave_out: tuple[str, ...] = ()
    join: tuple[tuple[str, ...], ...] = ()  # groups of components that are rigid, whatever their mates say


class MateSettings(Section, frozen=True):
    """Which mates count."""

    ignore: tuple[str, ...] = ()


class FrameSettings(Section, frozen=True):
    """Which reference geometry becomes frames."""

    coordinate_systems: bool = True
    planes: bool = True
    axes: bool = True
    points: bool = True
    default_geometry: bool = False  # SolidWorks' own planes and origins


class SensorSettings(Section, frozen=True):
    """A sensor at a coordinate system."""

    type: str
    at: str
    id: str = ""
    update_rate: float | None = None  # [Hz]
    params: Props = {}


class PropsSettings(Section, frozen=True):
    """Properties that formats keep beyond their core, by name."""

    robot: Props = {}
    links: Mapping[str, Props] = {}
    joints: Mapping[str, Props] = {}
    frames: Mapping[str, Props] = {}
    sensors: Mapping[str, Props] = {}


class Settings(Section, frozen=True):
    """The sections that decide about inference and the model; every other part of the program has its own."""

    robot: RobotSettings = RobotSettings()
    base: BaseSettings = BaseSettings()
    joints: Mapping[str, JointSettings] = {}
    links: LinkSettings = LinkSettings()
    fasteners: Mapping[str, bool] = {}  # by component, over the judgement of signs
    mates: MateSettings = MateSettings()
    sub_assemblies: Mapping[str, Opening] = {}  # by sub-assembly; `all` for those not named
    frames: FrameSettings = FrameSettings()
    sensors: Mapping[str, SensorSettings] = {}
    props: PropsSettings = PropsSettings()


UNITS: Mapping[str, tuple[str, float]] = {
    "rad": ("angle", 1.0),
    "deg": ("angle", math.pi / 180), "°": ("angle", math.pi / 180), "rev": ("angle", 2 * math.pi),
    "m": ("length", 1.0), "cm": ("length", 0.01), "mm": ("length", 0.001), "in": ("length", 0.0254),
    "rad/s": ("turning speed", 1.0),
    "deg/s": ("turning speed", math.pi / 180), "°/s": ("turning speed", math.pi / 180),
    "rpm": ("turning speed", math.pi / 30), "m/s": ("speed", 1.0), "mm/s": ("speed", 0.001),
    "N": ("force", 1.0), "kN": ("force", 1000.0),
    "Nm": ("torque", 1.0), "N m": ("torque", 1.0), "Nmm": ("torque", 0.001),
}  # fmt: skip
_NUMBER = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(\S.*?)?\s*")


def converted(data: object, kind: type[T], where: str = "") -> T:
    """A part of the settings as its own type; `where` is its place in the file, such as `urdf`."""
    from swgrm.deepjson import JsonProblem
    from swgrm.jsontext import convert

    try:
        return convert(data, kind)
    except JsonProblem as problem:
        raise SettingsError(f"{where}: {problem}" if where else str(problem)) from None


def quantity(value: Quantity, kind: str, where: str) -> float:
    """A number in SI; one with a unit must be of the right kind: `90 deg` is an angle."""
    if isinstance(value, str):
        found = _NUMBER.fullmatch(value)
        if found is None:
            raise SettingsError(f"{where}: `{value}` is no number. Write one, with a unit or without: 1.57, 90 deg.")
        number, unit = float(found[1]), found[2] or ""
        if unit and unit not in UNITS:
            raise SettingsError(f"{where}: there is no unit `{unit}`.{nearest(unit, list(UNITS))}")
        if unit and UNITS[unit][0] != kind:
            raise SettingsError(f"{where}: `{value}` is no {kind}: its unit is of the kind {UNITS[unit][0]}.")
        value = number * (UNITS[unit][1] if unit else 1.0)
    if not math.isfinite(value):
        raise SettingsError(f"{where}: {value} is no number that a robot can have.")
    return float(value)
