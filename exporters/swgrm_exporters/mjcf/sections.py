"""The sections of an MJCF file beside its bodies: equalities, contacts, actuators, sensors and key frames."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec
import numpy as np

from swgrm.kinematics.forward import Poses
from swgrm.model import (
    Actuator,
    ActuatorType,
    Coupling,
    Frame,
    Joint,
    JointType,
    LoopJoint,
    NamedPose,
    Pose,
    Quat,
    Relation,
    Sensor,
)
from swgrm.model.sensor_types import SENSORS
from swgrm.transforms import homogeneous, inverse
from swgrm_exporters.mjcf.bodies import BodyReader
from swgrm_exporters.mjcf.document import vec3
from swgrm_exporters.notes import Plain
from swgrm_exporters.urdf.fields import maybe_number, number, numbers, required
from swgrm_exporters.xmltext import Element, XmlProblem, children

TYPE_OF_ELEMENT = {  # by the tag of MuJoCo's element: the model's type, the first that has it
    element.tag: (own, element.ending) for own, kind in reversed(list(SENSORS.items())) for element in kind.mujoco
}
NEAR = 1e-9  # [m]
ACTUATOR_TYPES = {each.value: each for each in ActuatorType}


class Equality(NamedTuple):
    """What an <equality> holds: a loop, a coupling of a joint, or a relation; the name is that in the file."""

    name: str
    loop: LoopJoint | None = None
    follower: str = ""
    coupling: Coupling | None = None
    relation: Relation | None = None


class EqualityReader:
    """Reads equalities; poses are those with all joints at zero, for constraints that are relative to them."""

    def __init__(self, root: Element, tree: BodyReader, poses: Poses, noted: Mapping[str, Plain]) -> None:
        self.bodies, self.sites, self.ignored, self.fresh = tree.bodies, tree.sites, tree.ignored, tree.ids.fresh
        self.poses, self.noted = poses, noted
        self.points: list[Frame] = []  # that were added for constraints
        self.tendons = {
            each.get("name", ""): {required(j, "joint"): number(j, "coef", 1.0) for j in each.findall("joint")}
            for section in root.findall("tendon")
            for each in section.findall("fixed")
        }
        self.found = [
            each
            for section in root.findall("equality")
            for number_, element in enumerate(children(section))
            if (each := self._read(element, number_)) is not None
        ]

    def _read(self, element: Element, index: int) -> Equality | None:
        name = element.get("name") or f"{element.tag}_{index + 1}"
        if element.get("active", "true") == "false":
            self.ignored["inactive equality"] += 1
            return None
        if name in self.noted and (known := remembered(name, self.noted[name])) is not None:
            return known
        if element.tag in ("connect", "weld"):
            return Equality(name, loop=self._loop(element, name))
        if element.tag == "joint":
            return self._joint(element, name)
        if element.tag == "tendon" and element.get("tendon1", "") in self.tendons and not element.get("tendon2"):
            offset, *_ = _coefficients(element, self.ignored)
            return Equality(name, relation=Relation(self.tendons[element.get("tendon1", "")], offset))
        self.ignored[f"equality {element.tag}"] += 1
        return None

    def _joint(self, element: Element, name: str) -> Equality:
        follower, leader = required(element, "joint1"), element.get("joint2")
        offset, ratio = _coefficients(element, self.ignored)
        if leader is None:
            return Equality(name, relation=Relation({follower: 1.0}, offset))
        return Equality(name, follower=follower, coupling=Coupling(leader, ratio, offset))

    def _loop(self, element: Element, name: str) -> LoopJoint:
        """A connect is a ball joint, a weld a fixed one."""
        kind = JointType.BALL if element.tag == "connect" else JointType.FIXED
        joint = Joint(type=kind, name=name)
        if element.get("site1") is not None:
            one, other = (self._named(element, key, self.sites, "site") for key in ("site1", "site2"))
            return LoopJoint(parent=one, child=other, joint=joint)
        one = self._named(element, "body1", self.bodies, "body")
        other = self._named(element, "body2", self.bodies, "body") if element.get("body2") else self._world(element)
        T = inverse(self.poses[one]) @ self.poses[other]
        if element.tag == "weld":
            return LoopJoint(parent=one, child=other, joint=joint, transform=_relative(element, T))
        anchor = homogeneous(np.eye(3), numbers(element, "anchor", 3))
        T_other_point = inverse(T) @ anchor
        if float(np.abs(T_other_point[:3, 3]).max()) > NEAR:
            own = self.fresh(f"{name}_point")
            self.points.append(Frame(id=own, parent=other, transform=Pose.from_matrix(T_other_point)))
            other, T = own, anchor
        return LoopJoint(parent=one, child=other, joint=joint, transform=Pose(vec3(tuple(anchor[:3, 3])), _turn(T)))

    def _world(self, element: Element) -> str:
        if "world" not in self.bodies:
            raise XmlProblem("an equality with the world needs a body that is fixed in it; name `body2`", element)
        return self.bodies["world"]

    def _named(self, element: Element, key: str, known: Mapping[str, str], kind: str) -> str:
        name = required(element, key)
        if name not in known:
            raise XmlProblem(f"<{element.tag}> names the {kind} `{name}`, which is not there", element)
        return known[name]


def _turn(T: np.ndarray) -> Quat:
    return Pose.from_matrix(T).rot


def _relative(element: Element, T: np.ndarray) -> Pose:
    values = numbers(element, "relpose", 7, (0.0,) * 7)
    if not any(values[3:]):
        return Pose.from_matrix(T)
    x, y, z, w, a, b, c = values
    return Pose((x, y, z), (a, b, c, w))


def remembered(name: str, plain: Plain) -> Equality | None:
    """What the note has of an equality; None if it is not understood."""
    try:
        if "loop" in plain:
            return Equality(name, loop=msgspec.convert(plain["loop"], LoopJoint))
        if "relation" in plain:
            return Equality(name, relation=msgspec.convert(plain["relation"], Relation))
        coupling = msgspec.convert(plain["coupling"], Coupling)
        return Equality(name, follower=msgspec.convert(plain["follower"], str), coupling=coupling)
    except (KeyError, TypeError, msgspec.ValidationError):
        return None


def _coefficients(element: Element, ignored: Counter[str]) -> tuple[float, float]:
    texts = element.get("polycoef", "0 1 0 0 0").split()
    values = numbers(element, "polycoef", len(texts), (0.0, 1.0))
    padded = (*values, 0.0, 0.0)
    if any(values[2:]):
        ignored["higher polynomial coefficients of an equality"] += 1
    return padded[0], padded[1] if len(values) > 1 else 1.0


def actuators(root: Element, joints: Iterable[str], ignored: Counter[str]) -> dict[str, Actuator]:
    """The actuators of joints, by their names in the file."""
    known, found = set(joints), dict[str, Actuator]()
    for section in root.findall("actuator"):
        for element in children(section):
            joint = element.get("joint", "")
            if element.tag not in ACTUATOR_TYPES or joint not in known:
                ignored[f"actuator {element.tag}"] += 1
                continue
            name, kind = element.get("name", ""), ACTUATOR_TYPES[str(element.tag)]
            gear = float(numbers(element, "gear", len(element.get("gear", "1").split()), (1.0,))[0]) or 1.0
            stiffness = number(element, "kp", 1.0) if kind is ActuatorType.POSITION else None
            damping = maybe_number(element, "kv")
            effort = _effort(element, kind)
            found[name or joint] = Actuator(
                joint=joint,
                name="" if name == joint else name,
                type=kind,
                stiffness=None if stiffness is None else stiffness * gear**2,
                damping=None if damping is None or kind is ActuatorType.MOTOR else damping * gear**2,
                effort=None if effort is None else effort * abs(gear),
                gear=None if gear == 1 else gear,
            )
    return found


def _effort(element: Element, kind: ActuatorType) -> float | None:
    key = "ctrlrange" if kind is ActuatorType.MOTOR else "forcerange"
    values = numbers(element, key, 2, (0.0, 0.0))
    return max(map(abs, values)) or None


def sensors(root: Element, sites: Mapping[str, str], ignored: Counter[str]) -> dict[str, list[Sensor]]:
    """The sensors at sites, by frame: the elements of one kind at one site are one sensor."""
    found: dict[str, dict[str, Sensor]] = {}
    for section in root.findall("sensor"):
        for element in children(section):
            site = element.get("site", "") or (element.get("objname", "") if element.get("objtype") == "site" else "")
            kind, ending = TYPE_OF_ELEMENT.get(str(element.tag), ("", ""))
            if not kind or site not in sites:
                ignored[f"sensor {element.tag}"] += 1
                continue
            name = (element.get("name") or f"{site}_{kind}").removesuffix(ending)
            found.setdefault(sites[site], {}).setdefault(kind, Sensor(name=name, type=kind))
    return {frame: list(kinds.values()) for frame, kinds in found.items()}


def keys(root: Element, coordinates: list[tuple[str, int]], ignored: Counter[str]) -> list[NamedPose]:
    """The key frames as named poses; a floating base's pose is left out."""
    total, found = sum(count for _, count in coordinates), list[NamedPose]()
    for section in root.findall("keyframe"):
        for element in children(section):
            values = numbers(element, "qpos", len(element.get("qpos", "").split()), ())
            if not element.get("name") or len(values) != total:
                ignored["key without a name or all positions"] += 1
                continue
            found.append(NamedPose(element.get("name", ""), dict(_positions(values, coordinates))))
    return found


def _positions(values: tuple[float, ...], coordinates: list[tuple[str, int]]) -> Iterable[tuple[str, float | Quat]]:
    at = 0
    for name, count in coordinates:
        if count == 1:
            yield name, values[at]
        elif count == 4:
            w, x, y, z = values[at : at + 4]
            yield name, (x, y, z, w)
        at += count


def pairs(root: Element, bodies: Mapping[str, str], ignored: Counter[str]) -> list[tuple[str, str]]:
    """The pairs of bodies whose contacts are excluded."""
    found = []
    for section in root.findall("contact"):
        for element in children(section):
            names = (element.get("body1", ""), element.get("body2", ""))
            if element.tag != "exclude" or not bodies.keys() >= {*names}:
                ignored[f"contact {element.tag}"] += 1
                continue
            found.append((bodies[names[0]], bodies[names[1]]))
    return found
