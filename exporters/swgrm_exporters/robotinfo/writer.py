"""A robot as a RobotInfo document, and the document as a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec.structs import asdict

from swgrm.errors import ModelError, SettingsError, nearest
from swgrm.findings import Findings
from swgrm.mass.inertia import matrix_tensor, tensor_matrix
from swgrm.model import Frame, Inertial, JointType, Robot, Tensor, Vec3
from swgrm.precision import DIRECTION, LENGTH, numbers_of, rounded, rounded_numbers
from swgrm.storage.files import write_bytes
from swgrm_exporters.format import Target
from swgrm_exporters.lowering import Capabilities, Choices, Feature, Merge, lower
from swgrm_exporters.names import Pool
from swgrm_exporters.robotinfo.chains import ExponentialChain, MovingBodies, arm_flange, find_frame, flange_of
from swgrm_exporters.robotinfo.device import CAPABILITIES, device_info, robot_type
from swgrm_exporters.robotinfo.fit import fit
from swgrm_exporters.robotinfo.joints import Assumed, to_info
from swgrm_exporters.robotinfo.lint import lint
from swgrm_exporters.robotinfo.options import ChainOptions, RobotInfoOptions
from swgrm_exporters.robotinfo.passive import passive_joints
from swgrm_exporters.robotinfo.props import CHAIN, JOINT, PREFIX, from_props, has_props, merged
from swgrm_exporters.robotinfo.schema import ROOT, FieldType, YamlMap, YamlValue, fields_in_files
from swgrm_exporters.yamlwriting import dump

# What the programs that read RobotInfo accept: it names more joint types, but defines the motion of these only.
CAPABILITIES_OF_READERS = Capabilities(
    joints=frozenset({JointType.FIXED, JointType.REVOLUTE, JointType.PRISMATIC}),
    composites=frozenset(),
    loops=False,
    relations=False,
    tensors_optional=False,
    simulation=frozenset(),
    holds=frozenset({Feature.EFFORT, Feature.ACCELERATION, Feature.PROPS}),
)
# Fields that follow from the model and cannot be set.
COMPUTED = {
    ROOT: ("chains", "joint_info"),
    CHAIN: ("H", "P", "joint_numbers", "link_inertias", "link_identifiers", "flange_pose"),
    JOINT: ("joint_type",),
}


def write(robot: Robot, target: Target, options: RobotInfoOptions, findings: Findings) -> list[Path]:
    """Write the robot as a RobotInfo file, or as one file per chain."""
    path, found = target.file(".yml"), findings.fresh()
    writer = RobotInfoWriter(robot, options, found)
    chains = writer.chains()
    parts = [(chain,) for chain in chains] if writer.options.split and len(chains) > 1 else [tuple(chains)]
    documents = [writer.document(part, alone=len(chains) == 1) for part in parts]
    files = [path] if len(parts) == 1 else _part_names(path, documents)
    for file, document in zip(files, documents, strict=True):
        write_bytes(file, dump(document).encode())
        lint(document, found)
    writer.report_assumed()
    findings.extend(dict.fromkeys(found))  # files of one robot repeat what they share
    return files


def to_document(robot: Robot, options: RobotInfoOptions | None = None, findings: Findings | None = None) -> YamlMap:
    """The robot as one RobotInfo document, with all chains."""
    writer = RobotInfoWriter(robot, options or RobotInfoOptions(), Findings() if findings is None else findings)
    chains = writer.chains()
    document = writer.document(chains, alone=len(chains) == 1)
    writer.report_assumed()
    return document


def _part_names(path: Path, documents: Sequence[YamlMap]) -> list[Path]:
    names = [_file_name(document["chains"][0]["kin_chain_identifier"]) for document in documents]
    pool = Pool()
    return [path.with_name(f"{path.stem}_{pool.fresh(name)}{path.suffix}") for name in names]


def _file_name(identifier: YamlValue) -> str:
    name = identifier if isinstance(identifier, str) else identifier.get("name", "")
    return "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in name) or "chain"


class RobotInfoWriter:
    """Makes documents of the chains of one robot."""

    def __init__(self, robot: Robot, options: RobotInfoOptions, findings: Findings) -> None:
        choices = Choices(merge=Merge.NONE, virtual_inertia=None)
        self.robot = lower(robot, CAPABILITIES_OF_READERS, choices, findings).robot
        self.options, self.findings = options, findings
        self.numbers = numbers_of(self.robot)  # all others are computed here, and rounded
        self.bodies = MovingBodies(self.robot)
        self.passive = passive_joints(self.robot)
        values = {"velocity": options.velocity, "acceleration": options.acceleration, "effort": options.effort}
        self.assumed = Assumed(values, {})
        self.given = self._given(robot.props, options.info, ROOT, f"robot {robot.name}")
        for name in options.joints:
            if name not in self.robot.joints:
                hint = nearest(name, list(self.robot.joints))
                problem = f"robotinfo: joints: robot `{robot.name}` has no joint `{name}`.{hint}"
                raise SettingsError(problem, ("robotinfo", "joints", name))

    # ---- which chains

    def chains(self) -> list[ExponentialChain]:
        """The chains that the user names, else one per flange that is marked and per moving tip that has none.

        A robot in which nothing moves has no chain; the lint reports the programs that refuse such a file.
        """
        options = self.options
        if options.tip or options.chains:
            pairs = [(each.root or options.root, each.tip) for each in options.chains]
            pairs += [(options.root, options.tip)] if options.tip else []
            chains = [self.bodies.chain(self._base(root), find_frame(self.robot, tip)) for root, tip in pairs]
            self._report_left_out(chains)
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
        flanges = sorted([*marked, *others], key=lambda frame: order[frame.id])
        arm = arm_flange(self.bodies, flanges)
        return [*([arm] if arm and arm not in flanges else []), *flanges]

    def _report_left_out(self, chains: Iterable[ExponentialChain]) -> None:
        kept = {frame.id for chain in chains for frame in chain.joints}
        for frame in self.robot.walk():
            if not frame.is_rigid and frame.id not in kept:
                self.findings.add("robotinfo-joint-left-out", f"joint {frame.joint_name}")

    # ---- the document

    def document(self, chains: Sequence[ExponentialChain], *, alone: bool) -> YamlMap:
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

    def _given(self, props: Mapping[str, str], info: Mapping[str, YamlValue], kind: FieldType, where: str) -> YamlMap:
        """RobotInfo's own fields: from the props, and over them from the options."""
        misfits = Findings()
        fitted = fit(info, kind, misfits)
        problems = [f"{each.where}: {each.message}" for each in misfits]
        problems += [f"{field}: the value follows from the model." for field in COMPUTED[kind] if field in info]
        if problems:
            raise SettingsError(f"robotinfo: {where}: {problems[0]}")
        kept = from_props(props, kind, where, self.findings)
        for field in COMPUTED[kind]:
            if kept.pop(field, None) is not None:
                self.findings.add("robotinfo-prop-computed", where, key=f"{PREFIX}{field}")
        return merged(kept, fitted)

    def _chain(self, chain: ExponentialChain, numbers: Mapping[str, int], *, alone: bool) -> YamlMap:
        asked = next((each.info for each in self.options.chains if self._is(chain, each)), {})
        given = self._given(chain.flange.props, asked, CHAIN, f"frame {chain.flange.id}")
        x, y, z, w = rounded_numbers(chain.flange_rotation, DIRECTION, self.numbers)
        document: YamlMap = {
            "kin_chain_identifier": {"name": self.robot.name if alone else chain.bodies[-1].name},
            "H": [_vector(rounded_numbers(axis, DIRECTION, self.numbers)) for axis in chain.H],
            "P": [_vector(rounded_numbers(step, LENGTH, self.numbers)) for step in chain.P],
            "link_identifiers": [body.name for body in chain.bodies],
            "joint_numbers": [numbers[frame.id] for frame in chain.joints],
            "flange_pose": {"orientation": {"w": w, "x": x, "y": y, "z": z}, "position": _vector((0.0, 0.0, 0.0))},
            "flange_identifier": {"name": chain.flange.name or chain.flange.id},
        }
        implied = ["base", *(frame.joint_name for frame in chain.joints)]  # the names of frames that have no links
        if document["link_identifiers"] == implied and not any(p.frame.links for b in chain.bodies for p in b.pieces):
            del document["link_identifiers"]
        if any(inertial is not None for inertial in chain.inertials):
            self._report_massless(chain)
            document["link_inertias"] = [self._spatial_inertia(inertial) for inertial in chain.inertials]
        return _in_order(merged(document, given), "RobotKinChainInfo")

    def _spatial_inertia(self, inertial: Inertial | None) -> YamlMap:
        """Mass, centre and tensor about it, in the base's axes; nothing is zero."""
        body = inertial or Inertial(0.0)
        body = rounded(Inertial(body.mass, body.origin, matrix_tensor(tensor_matrix(body))), self.numbers)
        return {"m": body.mass, "com": _vector(body.origin), **asdict(body.tensor or Tensor())}

    def _joint(self, frame: Frame) -> YamlMap:
        name, props = frame.joint_name, frame.joint.props if frame.joint else {}
        given = self._given(props, self.options.joints.get(name, {}), JOINT, f"joint {name}")
        coupling = frame.joint.coupling if frame.joint else None
        followed = self.robot.joints[coupling.joint].joint if coupling and coupling.joint in self.robot.joints else None
        leader = followed.type if followed else None
        info = to_info(frame, given, self.assumed, leader, self.findings, is_passive=name in self.passive)
        return _in_order(info, "JointInfo")

    def report_assumed(self) -> None:
        """Report, in one finding, the limits that were written in place of unknown ones."""
        if self.assumed.joints:
            parts = [
                f"{key} {self.assumed.values[key]:g} ({count} joint{'s' if count > 1 else ''})"
                for key, count in ((key, len(set(names))) for key, names in self.assumed.joints.items())
            ]
            self.findings.add("robotinfo-default", f"robot {self.robot.name}", values=", ".join(parts))

    def _is(self, chain: ExponentialChain, asked: ChainOptions) -> bool:
        root = self._base(asked.root or self.options.root)
        return find_frame(self.robot, asked.tip) is chain.flange and root is chain.base

    def _report_massless(self, chain: ExponentialChain) -> None:
        for body, inertial in zip(chain.bodies, chain.inertials, strict=True):
            if inertial is None:
                self.findings.add("robotinfo-massless", f"link {body.name}")


def _without(document: YamlMap, key: str) -> YamlMap:
    return {each: value for each, value in document.items() if each != key}


def _in_order(document: YamlMap, structure: str) -> YamlMap:
    """The fields in the order of the schema."""
    return {key: _short(document[key]) for key in fields_in_files(structure) if key in document}


def _short(value: YamlValue) -> YamlValue:
    """An identifier that has a name alone is that name."""
    return value["name"] if isinstance(value, dict) and list(value) == ["name"] else value


def _vector(v: Vec3) -> dict[str, float]:
    return {"x": v[0], "y": v[1], "z": v[2]}
