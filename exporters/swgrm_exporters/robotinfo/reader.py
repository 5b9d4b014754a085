"""A RobotInfo file as a robot: one moving frame per joint, a flange frame per chain, the rest in props."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from swgrm.errors import FileError
from swgrm.findings import Findings
from swgrm.model import Frame, Inertial, Joint, Link, Pose, Robot, Tensor, Vec3
from swgrm.storage.files import decode_utf8, read_bytes
from swgrm_exporters.robotinfo.fit import fit
from swgrm_exporters.robotinfo.joints import TYPES, UnitProblem, from_info, in_si, joint_name
from swgrm_exporters.robotinfo.lint import lint
from swgrm_exporters.robotinfo.props import to_props
from swgrm_exporters.robotinfo.schema import ROOT, YamlValue
from swgrm_exporters.yamltext import YamlProblem, parse

Record = Mapping[str, YamlValue]  # a structure of a fitted document

LARGEST = 64 << 20  # [bytes] what we agree to read
_FROM_CHAIN = ("H", "P", "joint_numbers", "link_inertias", "link_identifiers", "flange_pose")


def read(path: Path, findings: Findings) -> Robot:
    """The robot in a RobotInfo file; what other programs would refuse or ignore is reported."""
    try:
        document = parse(decode_utf8(path, read_bytes(path, largest=LARGEST)))
    except YamlProblem as problem:
        raise FileError(path, problem.problem, place=problem.place) from None
    if not is_robot_info(document):
        raise FileError(path, "not a RobotInfo file: top-level `chains` and `joint_info` are missing")
    misfits = Findings()
    fitted = fit(document, ROOT, misfits)
    for each in misfits:
        if each.code == "robotinfo-wrong":
            raise FileError(path, each.message, place=each.where)
    lint(document, findings)
    return _RobotInfoReader(path, fitted, findings).robot()


def is_robot_info(document: object) -> bool:
    """Whether a YAML document looks like RobotInfo."""
    return isinstance(document, dict) and ("chains" in document or "joint_info" in document)


class _RobotInfoReader:
    """One fitted document on its way to a robot."""

    def __init__(self, path: Path, document: Record, findings: Findings) -> None:
        self.path, self.document, self.findings = path, document, findings
        self.joints: list[Record] = document.get("joint_info", [])
        self.frames: dict[str, Frame] = {}
        self.frame_of_joint: dict[int, str] = {}

    def robot(self) -> Robot:
        chains = self.document.get("chains", [])
        if not chains:
            raise self.problem("chains", "there is no chain: a robot cannot be made of joints alone")
        base = next(iter(_names(chains[0])), "") or "base"
        self.add(Frame(id=base, links=self.links(chains[0], 0)))
        for index, chain in enumerate(chains):
            self.chain(chain, f"chains[{index}]", base)
        for number, joint in enumerate(self.joints):
            if number not in self.frame_of_joint:
                self.findings.add("robotinfo-joint-unused", f"joint {joint_name(joint)}")
        device = self.document.get("device_info", {})
        rest = {key: value for key, value in self.document.items() if key not in ("chains", "joint_info")}
        name = device.get("device", {}).get("name") or self.path.stem
        return Robot(name=name, frames=tuple(self.frames.values()), props=to_props(rest))

    def problem(self, place: str, text: str) -> FileError:
        return FileError(self.path, text, place=place)

    def add(self, frame: Frame) -> str:
        """Put a frame into the table, under an id of its own."""
        frame_id, number = frame.id, 2
        while frame_id in self.frames:
            frame_id, number = f"{frame.id}_{number}", number + 1
        self.frames[frame_id] = replace(frame, id=frame_id)
        return frame_id

    # ---- chains

    def chain(self, chain: Record, place: str, base: str) -> None:
        numbers, H, P = chain.get("joint_numbers", []), chain.get("H", []), chain.get("P", [])
        if (len(H), len(P)) != (len(numbers), len(numbers) + 1):
            found = f"{len(numbers)} joint numbers, {len(H)} axes and {len(P)} steps"
            raise self.problem(place, f"{found} do not fit: n joints have n axes (H) and n + 1 steps (P)")
        self.check_counts(chain, place)
        parent = base
        for index, number in enumerate(numbers):
            if number >= len(self.joints):
                raise self.problem(f"{place}.joint_numbers[{index}]", f"there is no joint {number}")
            parent = self.joint_frame(chain, index, parent, f"{place}.joint_numbers[{index}]")
        self.flange(chain, parent, P[-1], f"{place}.flange_pose.orientation")

    def check_counts(self, chain: Record, place: str) -> None:
        """The base and each joint have a link: lists of another length are reported."""
        for field in ("link_inertias", "link_identifiers"):
            count, wanted = len(chain.get(field, [])), len(chain["P"])
            if count not in (0, wanted):
                self.findings.add("robotinfo-link-count", f"{place}.{field}", count=count, links=wanted)

    def joint_frame(self, chain: Record, index: int, parent: str, place: str) -> str:
        """The frame that a chain's joint moves; chains that share it must agree on it."""
        number = chain["joint_numbers"][index]
        joint = self.joint(number, _vector(chain["H"][index]))
        names = _names(chain)
        frame = Frame(
            id=(names[index + 1] if index + 1 < len(names) else "") or joint.name or f"joint_{number}",
            parent=parent,
            transform=Pose(pos=_vector(chain["P"][index])),
            joint=joint,
            links=self.links(chain, index + 1),
        )
        if number not in self.frame_of_joint:
            self.frame_of_joint[number] = self.add(frame)
        known = self.frames[self.frame_of_joint[number]]
        if (known.parent, known.transform, known.joint) != (parent, frame.transform, joint):
            raise self.problem(place, f"joint `{joint.name}` differs in another chain: H, P and order must agree")
        return known.id

    def flange(self, chain: Record, parent: str, last_step: Record, place: str) -> None:
        pose = chain.get("flange_pose", {})
        q = pose.get("orientation", {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0})
        self.check_quaternion(math.hypot(*q.values()), place)
        shift = pose.get("position", {"x": 0.0, "y": 0.0, "z": 0.0})
        x, y, z = (last_step[key] + shift[key] for key in "xyz")
        name = chain.get("flange_identifier", {}).get("name") or "flange"
        rest = {key: value for key, value in chain.items() if key not in _FROM_CHAIN}
        props = to_props({"flange_identifier": {"name": ""}, **rest})
        transform = Pose((x, y, z), (q["x"], q["y"], q["z"], q["w"]))
        if name == parent and transform == Pose():  # the last body's own frame is the flange
            self.frames[parent] = replace(self.frames[parent], props=props)
        else:
            self.add(Frame(id=name, parent=parent, transform=transform, props=props))

    def check_quaternion(self, length: float, place: str) -> None:
        """A quaternion of another length than 1 is a rotation here, and none to the readers that do not normalise."""
        if not 0 < length < math.inf:
            raise self.problem(place, f"a quaternion has length 1, not {length:g}")
        if abs(length - 1) > 1e-6:
            self.findings.add("robotinfo-quaternion", place, length=length)

    def links(self, chain: Record, index: int) -> tuple[Link, ...]:
        names, inertias = _names(chain), chain.get("link_inertias", [])
        inertial = _inertial(inertias[index]) if index < len(inertias) else None
        if index < len(names):
            return (Link(name=names[index], inertial=inertial),)
        return (Link(name=f"link_{index}", inertial=inertial),) if inertial else ()

    def joint(self, number: int, axis: Vec3) -> Joint:
        info = {"joint_type": "unknown", **self.joints[number]}
        if info["joint_type"] not in TYPES:
            problem = f"a joint of type {info['joint_type']} cannot be read: one axis does not define its motion"
            raise self.problem(f"joint_info[{number}].joint_type", problem)
        try:
            return from_info(in_si(info), axis)
        except UnitProblem as error:
            raise self.problem(f"joint_info[{number}].{error.field}", error.problem) from None


def _names(chain: Record) -> list[str]:
    return [identifier.get("name", "") for identifier in chain.get("link_identifiers", [])]


def _vector(v: Record) -> Vec3:
    return (v["x"], v["y"], v["z"])


def _inertial(inertia: Record) -> Inertial | None:
    """A link's inertial; None if all values are zero."""
    tensor = Tensor(*(inertia[key] for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")))
    inertial = Inertial(inertia["m"], _vector(inertia["com"]), tensor)
    return None if inertial == Inertial(0.0, tensor=Tensor()) else inertial
