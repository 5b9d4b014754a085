"""A robot as a RobotInfo document, and the document as a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from swgrm.deepjson import JsonProblem
from swgrm.errors import ModelError, SettingsError, nearest
from swgrm.files import write_bytes
from swgrm.findings import Finding, Severity
from swgrm.inertia import tensor_matrix
from swgrm.jsontext import convert
from swgrm.model import Frame, Inertial, JointType, Robot, Vec3
from swgrm_exporters.lowering import Capabilities, Choices, Merge, lower
from swgrm_exporters.names import Pool
from swgrm_exporters.registry import Written
from swgrm_exporters.robotinfo.chains import Bodies, Chain, find_frame, flange_of
from swgrm_exporters.robotinfo.device import CAPABILITIES, device_info, robot_type
from swgrm_exporters.robotinfo.fit import fit
from swgrm_exporters.robotinfo.joints import to_info
from swgrm_exporters.robotinfo.lint import lint
from swgrm_exporters.robotinfo.props import CHAIN, JOINT, from_props, has_props, merged
from swgrm_exporters.robotinfo.schema import ROOT, FieldType, fields_in_files
from swgrm_exporters.yamltext import dump

Document = dict[str, Any]

# What the real readers hold: RobotInfo itself names more joint types, but says of none but these how they move.
CAPABILITIES_OF_READERS = Capabilities(
    joints=frozenset({JointType.FIXED, JointType.REVOLUTE, JointType.PRISMATIC}), loops=False
)
# The fields that nobody can give: they are what the model is.
COMPUTED = {
    ROOT: ("chains", "joint_info"),
    CHAIN: ("H", "P", "joint_numbers", "link_inertias", "link_identifiers", "flange_pose"),
    JOINT: ("joint_type",),
}


class ChainOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chain that the user names: its tip (and its root), and RobotInfo's own fields for it."""

    tip: str
    root: str = ""
    info: Mapping[str, Any] = {}


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a user may say about the file; `info` and `joints` hold RobotInfo's own fields."""

    root: str = ""
    tip: str = ""
    chains: tuple[ChainOptions, ...] = ()
    split: bool = False  # one file per chain
    velocity: float = 10.0  # [rad/s or m/s] where the model has none
    acceleration: float = 10.0  # [rad/s² or m/s²] where the model has none
    info: Mapping[str, Any] = {}
    joints: Mapping[str, Mapping[str, Any]] = {}


def write(robot: Robot, path: Path, options: Mapping[str, Any]) -> Written:
    """Write a robot as a RobotInfo file, or as one file per chain."""
    writer = RobotInfoWriter(robot, read_options(options))
    chains = writer.chains()
    parts = [(chain,) for chain in chains] if writer.options.split and len(chains) > 1 else [tuple(chains)]
    documents = [writer.document(part, alone=len(chains) == 1) for part in parts]
    files = [path] if len(parts) == 1 else _part_names(path, documents)
    for file, document in zip(files, documents, strict=True):
        write_bytes(file, dump(document).encode())
        writer.findings += lint(document)
    return Written(tuple(files), tuple(dict.fromkeys(writer.findings)))


def to_document(robot: Robot, options: Mapping[str, Any] | None = None) -> Document:
    """A robot as a RobotInfo document, whole."""
    writer = RobotInfoWriter(robot, read_options(options or {}))
    chains = writer.chains()
    return writer.document(chains, alone=len(chains) == 1)


def read_options(options: Mapping[str, Any]) -> Options:
    """The options, or a SettingsError that says which does not fit."""
    try:
        return convert(options, Options)
    except JsonProblem as problem:
        raise SettingsError(f"robotinfo: {problem}") from None


def _part_names(path: Path, documents: Sequence[Document]) -> list[Path]:
    names = [_file_name(document["chains"][0]["kin_chain_identifier"]) for document in documents]
    pool = Pool()
    return [path.with_name(f"{path.stem}_{pool.fresh(name)}{path.suffix}") for name in names]


def _file_name(identifier: Any) -> str:  # noqa: ANN401 - a text, or a map with a name
    name = identifier if isinstance(identifier, str) else identifier.get("name", "")
    return "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in name) or "chain"


class RobotInfoWriter:
    """One robot on its way into a document; what there is to say collects in `findings`."""

    def __init__(self, robot: Robot, options: Options) -> None:
        lowered = lower(robot, CAPABILITIES_OF_READERS, Choices(merge=Merge.NONE, virtual_inertia=None))
        self.robot, self.options = lowered.robot, options
        self.findings = list(lowered.findings)
        self.bodies = Bodies(self.robot)
        self.given = self._given(robot.props, options.info, ROOT, robot.name)
        for name in options.joints:
            if name not in self.robot.joints:
                hint = nearest(name, list(self.robot.joints))
                raise SettingsError(f"robotinfo: joints: robot `{robot.name}` has no joint `{name}`.{hint}")

    def note(self, code: str, where: str, message: str, severity: Severity = Severity.NOTE) -> None:
        """Remember something that the user must know."""
        self.findings.append(Finding(severity, code, where, message))

    # ---- which chains

    def chains(self) -> list[Chain]:
        """The chains that the user names, else one per flange that is marked and per moving tip that has none.

        A robot in which nothing moves has no chain; its file says so, and the lint who refuses that.
        """
        options = self.options
        if options.tip or options.chains:
            pairs = [(each.root or options.root, each.tip) for each in options.chains]
            pairs += [(options.root, options.tip)] if options.tip else []
            chains = [self.bodies.chain(self._base(root), find_frame(self.robot, tip)) for root, tip in pairs]
            self._note_left_out(chains)
            return chains
        base = self._base(options.root)
        below = {frame.id for frame in self.robot.walk(base.id)}
        flanges = [frame for frame in self._flanges() if frame.id in below and self._moves(base, frame)]
        if not flanges and options.root:
            raise ModelError(f"Robot `{self.robot.name}` has no joint that moves below `{base.id}`: there is no chain.")
        return [self.bodies.chain(base, flange) for flange in flanges]

    def _base(self, name: str) -> Frame:
        return find_frame(self.robot, name) if name else self.robot.root

    def _moves(self, base: Frame, frame: Frame) -> bool:
        return self.bodies.head_of[frame.id] != self.bodies.head_of[base.id]

    def _flanges(self) -> list[Frame]:
        marked = [frame for frame in self.robot.walk() if has_props(frame.props, CHAIN)]
        served = {above.id for frame in marked for above in self.robot.path(frame.id)}
        others = [flange_of(body) for body in self.bodies.tips if body.head.id not in served]
        order = {frame.id: index for index, frame in enumerate(self.robot.walk())}
        return sorted([*marked, *others], key=lambda frame: order[frame.id])

    def _note_left_out(self, chains: Iterable[Chain]) -> None:
        kept = {frame.id for chain in chains for frame in chain.joints}
        for frame in self.robot.walk():
            if not frame.is_rigid and frame.id not in kept:
                self.note("robotinfo-joint-left-out", frame.joint_name, "no chain that was asked for holds this joint.")

    # ---- the document

    def document(self, chains: Sequence[Chain], *, alone: bool) -> Document:
        """The RobotInfo document of some chains; a chain that is alone is called after the robot."""
        joints = list(dict.fromkeys(frame.id for chain in chains for frame in chain.joints))
        numbers = {frame_id: index for index, frame_id in enumerate(joints)}
        kind = self.given.get("robot_type") or robot_type(chains)
        info = device_info(self.robot.name, kind, chains, self.given.get("device_info", {}))
        document = {
            "device_info": info,
            "robot_type": kind,
            "robot_capabilities": list(CAPABILITIES),
            "chains": [self._chain(chain, numbers, alone=alone) for chain in chains],
            "joint_info": [self._joint(self.robot.by_id[frame_id]) for frame_id in joints],
        }
        return _in_order({**document, **_without(self.given, "device_info")}, "RobotInfo")

    def _given(self, props: Mapping[str, str], info: Mapping[str, Any], kind: FieldType, where: str) -> Document:
        """RobotInfo's own fields: from the props, and over them from the options."""
        fitted = fit(info, kind)
        problems = [f"{problem.place}: {problem.message}" for problem in fitted.problems]
        problems += [f"{field}: it follows from the model." for field in COMPUTED[kind] if field in info]
        if problems:
            raise SettingsError(f"robotinfo: {where}: {problems[0]}")
        kept = from_props(props, kind, where, self.findings)
        for field in COMPUTED[kind]:
            if kept.pop(field, None) is not None:
                self.note("robotinfo-prop", where, f"prop `robotinfo.{field}`: it follows from the model.")
        return merged(kept, fitted.document)

    def _chain(self, chain: Chain, numbers: Mapping[str, int], *, alone: bool) -> Document:
        asked = next((each.info for each in self.options.chains if self._is(chain, each)), {})
        given = self._given(chain.flange.props, asked, CHAIN, chain.flange.id)
        w, x, y, z = chain.flange_rotation[3], *chain.flange_rotation[:3]
        document: Document = {
            "kin_chain_identifier": {"name": self.robot.name if alone else chain.bodies[-1].name},
            "H": [_vector(axis) for axis in chain.H],
            "P": [_vector(step) for step in chain.P],
            "link_identifiers": [body.name for body in chain.bodies],
            "joint_numbers": [numbers[frame.id] for frame in chain.joints],
            "flange_pose": {"orientation": {"w": w, "x": x, "y": y, "z": z}, "position": _vector((0.0, 0.0, 0.0))},
            "flange_identifier": {"name": chain.flange.name or chain.flange.id},
        }
        if any(inertial is not None for inertial in chain.inertials):
            self._note_massless(chain)
            document["link_inertias"] = [_spatial_inertia(inertial) for inertial in chain.inertials]
        return _in_order(merged(document, given), "RobotKinChainInfo")

    def _joint(self, frame: Frame) -> Document:
        name, props = frame.joint_name, frame.joint.props if frame.joint else {}
        given = self._given(props, self.options.joints.get(name, {}), JOINT, name)
        defaults = {"velocity": self.options.velocity, "acceleration": self.options.acceleration}
        return _in_order(to_info(frame, given, defaults, self.note), "JointInfo")

    def _is(self, chain: Chain, asked: ChainOptions) -> bool:
        root = self._base(asked.root or self.options.root)
        return find_frame(self.robot, asked.tip) is chain.flange and root is chain.base

    def _note_massless(self, chain: Chain) -> None:
        for body, inertial in zip(chain.bodies, chain.inertials, strict=True):
            if inertial is None:
                self.note("robotinfo-massless", body.name, "it has no inertial: its entry in link_inertias is zero.")


def _without(document: Document, key: str) -> Document:
    return {each: value for each, value in document.items() if each != key}


def _in_order(document: Document, structure: str) -> Document:
    """The fields in the order of the schema."""
    return {key: _short(document[key]) for key in fields_in_files(structure) if key in document}


def _short(value: Any) -> Any:  # noqa: ANN401 - any YAML value
    """An identifier that has a name alone is that name."""
    return value["name"] if isinstance(value, dict) and list(value) == ["name"] else value


def _vector(v: Vec3) -> dict[str, float]:
    return {"x": v[0], "y": v[1], "z": v[2]}


def _spatial_inertia(inertial: Inertial | None) -> Document:
    """Mass, centre and tensor about it, in the base's axes; nothing is zero."""
    body = inertial or Inertial(0.0)
    names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    rows, columns = (0, 0, 0, 1, 1, 2), (0, 1, 2, 1, 2, 2)
    tensor = dict(zip(names, tensor_matrix(body)[rows, columns].tolist(), strict=True))
    return {"m": body.mass, "com": _vector(body.origin), **tensor}
