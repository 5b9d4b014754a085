"""Writes a robot as URDF: lowered to what URDF can hold, then element by element."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Container
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from swgrm.findings import Findings
from swgrm.kinematics.pose_math import compose
from swgrm.model import (
    IDENTITY,
    CompositeType,
    Frame,
    Joint,
    JointType,
    Limits,
    Mesh,
    Pose,
    Props,
    Robot,
    Sensor,
)
from swgrm.model.composites import WholeComposite, collapse, whole_composites
from swgrm.model.props import PropHolder, merge_props
from swgrm.model.version1 import frame_marks, joint_marks
from swgrm.precision import POSITION, rounded_numbers
from swgrm.storage.files import write_bytes
from swgrm_exporters.format import Target
from swgrm_exporters.ignored_pairs import ignored_pairs
from swgrm_exporters.lowering import Capabilities, Held, Lowered, lower
from swgrm_exporters.lowering.bodies import report_conflicts
from swgrm_exporters.names import Pool, Renamed, ros_legal, xml_legal
from swgrm_exporters.notes import note_of, note_text
from swgrm_exporters.numbers import Numbers
from swgrm_exporters.urdf import simulators
from swgrm_exporters.urdf.elements import add_inertial, add_joint_extras, add_material, add_origin, add_shape
from swgrm_exporters.urdf.options import MeshPaths, NameStyle, UrdfOptions
from swgrm_exporters.urdf.params import flat_params
from swgrm_exporters.urdf.props import KeySteps, apply
from swgrm_exporters.urdf.references import with_references
from swgrm_exporters.urdf.schema import JOINT, LINK, OWN_TAG, ROBOT, SENSOR
from swgrm_exporters.urdf.transmissions import write_transmission
from swgrm_exporters.xmlwriting import Node, add_node, written

if TYPE_CHECKING:
    from swgrm.meshes.store import MeshFiles

HELD = Held(
    # Composite joints and cut loops are elements <chain> and <loop>.
    robot=frozenset({"materials", "transmissions", "compositeJoints", "cutLoops", "props"}),
    frame=frozenset({"parent", "transform", "joint", "links", "props"}),
    link=frozenset({"inertial", "visuals", "collisions", "props"}),
    shapes=frozenset({"visuals.name", "visuals.material", "collisions.name"}),
    joint=frozenset(
        {"type", "name", "axis", "pitch", "limits", "dynamics", "coupling", "safety", "calibration", "props"}
    ),
)
CAPABILITIES = Capabilities(
    joints=frozenset({JointType.FIXED, JointType.REVOLUTE, JointType.PRISMATIC}),
    composites=frozenset({CompositeType.PLANAR, CompositeType.FLOATING}),
    capsules=False,
    loops=False,
    relations=False,
    coupling_chains=False,
    several_links=False,
    frames_are_links=True,
    tensors_optional=False,
    simulation=frozenset(),
    legal=ros_legal,
    held=HELD,
)
LEGAL = {NameStyle.ROS: ros_legal, NameStyle.KEEP: xml_legal}


def write(robot: Robot, target: Target, options: UrdfOptions, findings: Findings) -> list[Path]:
    """Write the robot as a URDF file."""
    path = target.file(".urdf")
    write_bytes(path, rendered(robot, options, findings, target.place, meshes=target.meshes).data)
    return [path]


def dumps(
    robot: Robot,
    options: UrdfOptions | None = None,
    findings: Findings | None = None,
    folder: Path | None = None,
) -> bytes:
    """The text of the robot's URDF file.

    The names of mesh files are relative to `folder`, by default the working directory.
    """
    return rendered(robot, options or UrdfOptions(), Findings() if findings is None else findings, folder).data


class Rendered(NamedTuple):
    """A URDF as text and as a tree, the name of its root link, and the robot as it was fitted to URDF."""

    data: bytes
    root: str
    tree: Node
    robot: Robot


def rendered(
    robot: Robot,
    options: UrdfOptions,
    findings: Findings,
    folder: Path | None = None,
    subfolder: str = "",
    meshes: MeshFiles | None = None,
) -> Rendered:
    """The robot's URDF text and root link; the file is to be in a subfolder of the folder.

    `meshes` are the mesh files where they are now, from which collision shapes that overlap are found.
    """
    inline, rest = _take_inline_sensors(with_references(robot))
    lowered = lower(rest, CAPABILITIES._replace(legal=LEGAL[options.names]), options.choices, findings)
    writer = _UrdfWriter(lowered, options, findings, UrdfPlace(folder or Path(), subfolder, meshes))
    root = writer.robot([_carried(rest, frame, lowered.gone) for frame in inline])
    if options.simulators and meshes is not None:
        root.extend(simulators.filter_groups(ignored_pairs(rest, lowered, meshes, findings)))
    return Rendered(written(root), writer.root_link, root, lowered.robot)


def _take_inline_sensors(robot: Robot) -> tuple[list[Frame], Robot]:
    """The frames that are only a sensor's <origin>, apart from the rest."""
    inline = [
        f for f in robot.frames if f.virtual and f.sensors and f.is_rigid and not (f.links or robot.children(f.id))
    ]
    if not inline:
        return [], robot
    ids = {frame.id for frame in inline}
    return inline, replace(robot, frames=tuple(frame for frame in robot.frames if frame.id not in ids))


def _carried(robot: Robot, frame: Frame, gone: frozenset[str]) -> Frame:
    """The frame on the nearest one above it that is still there."""
    while frame.parent in gone:
        above = robot.frame(frame.parent)
        frame = replace(frame, parent=above.parent, transform=compose(above.transform, frame.transform))
    return frame


class UrdfPlace(NamedTuple):
    """The folder of an export, the subfolder of the URDF file in it, and the mesh files where they are now."""

    folder: Path
    subfolder: str
    meshes: MeshFiles | None


class _UrdfWriter:
    """Writes one lowered robot."""

    def __init__(self, lowered: Lowered, options: UrdfOptions, findings: Findings, place: UrdfPlace) -> None:
        self.lowered, self.options, self.findings, self.place = lowered, options, findings, place
        self.source = lowered.robot
        self.root_link = lowered.robot.root.id
        self.format = Numbers(options.precision)
        self.original_frames = {each.new: each.old for each in lowered.renamed if each.kind == "frame"}
        self.steps = KeySteps(self.source.props)
        self.assumed_limits: dict[str, dict[str, float]] = {}  # by joint, as they are written
        self.unknown_limits: Counter[tuple[str, str]] = Counter()

    # ---- the robot

    def robot(self, inline: list[Frame]) -> Node:
        robot = self.source
        root = Node("robot", {"name": robot.name})
        for material in robot.materials:
            add_material(root, material, self.format)
        kept = {
            end: each for end, each in whole_composites(robot).items() if each.joint.type in CAPABILITIES.composites
        }
        inner = {frame.id for each in kept.values() for frame in each.frames[:-1]}
        self.take_marks({each.joint.name for each in kept.values()})
        frames = [frame for frame in robot.frames if frame.id not in inner]
        for frame in frames:
            self.link(root, frame)
        for frame in frames:
            whole = kept.get(frame.id)
            self.joint(root, frame if whole is None else collapse(whole), whole)
        self.report_assumed()
        if self.options.dummy_root:
            self.dummy_root(root)
        self.sensors(root, frames, inline)
        for transmission in robot.transmissions:
            for key, reason in write_transmission(root, transmission, self.format, self.steps):
                self.findings.add("prop-unwritable", f"transmission {transmission.name}", key=key, reason=reason)
        self.props(root, robot.props, ROBOT.children, f"robot {robot.name}")
        if self.options.simulators:
            self.simulators(root)
        if self.options.annotate:
            self.note(root, inner, inline)
        return root

    def note(self, root: Node, inner: set[str], inline: list[Frame]) -> None:
        """Add the note; `inner` are frames of composite joints that the file has as one joint."""
        written = [frame for frame in self.source.frames if frame.id not in inner]
        # The reader names the frame of a sensor with an <origin> after the sensor.
        ids, renamed = Pool(self.source.by_id), list(self.lowered.renamed)
        for frame in inline:
            frame_id = ids.fresh(frame.sensors[0].name)
            written.append(replace(frame, id=frame_id))
            renamed.append(Renamed("frame", frame.id, frame_id))
        lowered = self.lowered._replace(renamed=tuple(renamed))
        note = note_of(lowered, HELD, written, assumed=self.assumed_limits)
        if note:
            add_node(root, OWN_TAG).text = note_text(note)

    def simulators(self, root: Node) -> None:
        """Add what simulators need besides URDF, unless the robot's own props have it."""
        shapes = [
            s for _, link in self.source.links() for s in (*link.visuals, *link.collisions) if isinstance(s, Mesh)
        ]
        element = simulators.mujoco(
            [self.uri(s.uri) for s in shapes], [s.uri for s in shapes], self.place.subfolder, self.place.meshes
        )
        if element is not None and root.find("mujoco") is None:
            root.append(element)

    def take_marks(self, native: set[str]) -> None:
        """Make properties of what URDF has no element for; `native` are the composite joints that it has."""
        original = {each.new: each.old for each in self.lowered.renamed if each.kind == "joint"}
        others = tuple(each for each in self.source.composite_joints if each.name not in native)
        self.joint_marks = joint_marks(replace(self.source, composite_joints=others), original)
        self.frame_marks = frame_marks(self.source, original)

    def dummy_root(self, root: Node) -> None:
        robot = self.source
        name = Pool(robot.by_id).fresh(LEGAL[self.options.names](self.options.dummy_root or "") or "dummy_root")
        joint = Joint(type=JointType.FIXED, name=Pool(robot.joints).fresh(f"{name}_joint"))
        first = next(index for index, element in enumerate(root) if element.tag == "link")
        root.insert(first, Node("link", {"name": name}))
        self.root_link = name
        self.joint(root, replace(robot.root, parent=name, joint=joint, transform=IDENTITY), None)

    def props(self, holder: Node, props: Props, core: Container[str], where: str) -> None:
        for key, reason in apply(holder, props, core, self.steps):
            self.findings.add("prop-unwritable", where, key=key, reason=reason)

    # ---- links

    def link(self, root: Node, frame: Frame) -> None:
        (link,) = frame.links
        element = add_node(root, "link", {"name": link.name})
        if link.inertial is not None:
            add_inertial(element, link.inertial, self.format)
        for tag, shapes in (("visual", link.visuals), ("collision", link.collisions)):
            for shape in shapes:
                add_shape(element, tag, shape, self.uri(shape.uri) if isinstance(shape, Mesh) else "", self.format)
        merged = merge_props(
            [
                PropHolder(link.name, link.props, link.references),
                PropHolder(self.original_frames.get(frame.id, frame.id), frame.props, frame.references),
            ]
        )
        report_conflicts(merged.conflicts, f"link {link.name}", self.findings)
        props = {**merged.props, **self.frame_marks.get(frame.id, {})}
        self.props(element, props, LINK.children, f"link {link.name}")

    def uri(self, uri: str) -> str:
        """The name of a mesh file, as the options want it."""
        how = self.options.mesh_paths
        if how is MeshPaths.KEEP or "://" in uri:
            return uri
        if how is MeshPaths.PACKAGE:
            return f"package://{self.options.package or self.source.name}/{PurePosixPath(uri.replace(os.sep, '/'))}"
        folder = self.place.folder.absolute()
        file = folder / uri
        if how is MeshPaths.ABSOLUTE:
            return file.resolve().as_uri()
        return PurePosixPath(os.path.relpath(file, folder)).as_posix()

    # ---- joints

    def joint(self, root: Node, frame: Frame, whole: WholeComposite | None) -> None:
        joint = frame.joint
        if joint is None or frame.parent is None:
            return
        kind = _urdf_type(joint, whole)
        element = add_node(root, "joint", {"name": frame.joint_name, "type": kind})
        add_origin(element, frame.transform, self.format)
        add_node(element, "parent", {"link": frame.parent})
        add_node(element, "child", {"link": frame.id})
        if kind not in ("fixed", "floating") or joint.axis != (0.0, 0.0, 1.0):
            add_node(element, "axis", {"xyz": self.format.texts(joint.axis)})
        self.limit(element, frame.joint_name, kind, joint)
        add_joint_extras(element, joint, self.format)
        props = {**joint.props, **self.joint_marks.get(frame.joint_name, {})}
        self.props(element, props, JOINT.children, f"joint {frame.joint_name}")

    def limit(self, element: Node, name: str, kind: str, joint: Joint) -> None:
        """The <limit>: where URDF must have a number and the model has none, the documented default, and a note.

        The bounds of a joint that follows another one are those of its leader.
        """
        limits = joint.limits
        if kind in ("fixed", "planar", "floating") and limits == Limits():
            return
        assumed: dict[str, str] = {}
        texts: dict[str, str] = {}
        implied = self.followed_range(joint)
        for key, default in self.defaults(kind, limits).items():
            value = getattr(limits, key)
            if value is not None:
                texts[key] = self.format.text(value)
            elif default is not None:
                texts[key] = assumed[key] = self.format.text(implied.get(key, default))
        add_node(element, "limit", texts)
        if assumed:
            self.assumed_limits[name] = {key: float(text) for key, text in assumed.items()}
            self.unknown_limits.update((key, text) for key, text in assumed.items() if key not in implied)

    def followed_range(self, joint: Joint) -> dict[str, float]:
        """The bounds of a joint that its leader's limits imply: q = ratio · q₀ + offset; empty if there are none."""
        leader = self.lowered.robot.joints.get(joint.coupling.joint) if joint.coupling else None
        limits = leader.joint.limits if leader and leader.joint else Limits()
        own = joint.limits.lower, joint.limits.upper
        if joint.coupling is None or limits.lower is None or limits.upper is None or own != (None, None):
            return {}
        ends = sorted(joint.coupling.ratio * each + joint.coupling.offset for each in (limits.lower, limits.upper))
        return dict(zip(("lower", "upper"), rounded_numbers(tuple(ends), POSITION), strict=True))

    def report_assumed(self) -> None:
        """Report, in one finding, the numbers that were written in place of unknown ones."""
        if self.unknown_limits:
            counts = self.unknown_limits.items()
            values = (f"{key} {text} ({n} joint{'s' if n > 1 else ''})" for (key, text), n in counts)
            self.findings.add("limits-assumed", f"robot {self.source.name}", values=", ".join(values))

    def defaults(self, kind: str, limits: Limits) -> dict[str, float | None]:
        """The bounds that a joint of URDF's kind may have, each with what is written where the model has none."""
        options, lower, upper = self.options, limits.lower, limits.upper
        found = {"effort": options.effort, "velocity": options.velocity, "acceleration": options.acceleration}
        if kind == "continuous":
            return found
        if kind not in ("revolute", "prismatic"):
            return dict.fromkeys(("lower", "upper", *found))
        least = min(-options.unlimited, upper if upper is not None else 0.0)
        most = max(options.unlimited, lower if lower is not None else 0.0)
        return {"lower": least, "upper": most, **found}

    # ---- sensors and transmissions

    def sensors(self, root: Node, frames: list[Frame], inline: list[Frame]) -> None:
        for frame in frames:
            for sensor in frame.sensors:
                self.sensor(root, sensor, frame.id, IDENTITY)
        new = {each.old: each.new for each in self.lowered.renamed if each.kind == "frame"}
        for frame in inline:
            parent = new.get(frame.parent or "", frame.parent or "")
            for sensor in frame.sensors:
                self.sensor(root, sensor, parent, frame.transform)

    def sensor(self, root: Node, sensor: Sensor, link: str, pose: Pose) -> None:
        element = add_node(root, "sensor", {"name": sensor.name, "type": sensor.type})
        if sensor.id:
            element.set("id", sensor.id)
        if sensor.update_rate is not None:
            element.set("update_rate", self.format.text(sensor.update_rate))
        flat: dict[str, str] = {}
        for key, text in flat_params(sensor.params):
            if flat.setdefault(key, text) != text:
                reason = "another parameter of the sensor has the same path"
                self.findings.add("prop-unwritable", f"sensor {sensor.name}", key=key, reason=reason)
        on_joint = "parent.joint" in flat
        add_node(element, "parent", {} if on_joint else {"link": link})
        add_origin(element, pose, self.format)
        self.props(element, {**flat, **sensor.props}, SENSOR.children, f"sensor {sensor.name}")


def _urdf_type(joint: Joint, whole: WholeComposite | None) -> str:
    if whole is not None:
        return str(whole.joint.type)
    is_unlimited = joint.limits.lower is None and joint.limits.upper is None
    return "continuous" if joint.type is JointType.REVOLUTE and is_unlimited else str(joint.type)
