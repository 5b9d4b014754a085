"""A robot as URDF: lowered to what URDF holds, then element by element."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from lxml import etree
from msgspec.structs import replace

from swgrm.chains import Chain, chains, collapse
from swgrm.errors import ModelError
from swgrm.files import write_bytes
from swgrm.findings import Finding, Severity
from swgrm.model import (
    IDENTITY,
    Box,
    Capsule,
    Cylinder,
    Frame,
    Geometry,
    Inertial,
    Joint,
    JointType,
    Limits,
    Link,
    Material,
    Mesh,
    Pose,
    Props,
    Robot,
    Sensor,
    Sphere,
    Tensor,
)
from swgrm_exporters.lowering import Capabilities, Lowered, lower
from swgrm_exporters.names import Pool, ros_legal
from swgrm_exporters.numbers import Numbers
from swgrm_exporters.registry import Written
from swgrm_exporters.urdf import remarks
from swgrm_exporters.urdf.options import MeshPaths, UrdfOptions, options_from
from swgrm_exporters.urdf.props import XMLNS, apply
from swgrm_exporters.urdf.rotation import quaternion_rpy
from swgrm_exporters.urdf.schema import JOINT, LINK, ROBOT
from swgrm_exporters.urdf.sensors import INLINE
from swgrm_exporters.urdf.transmissions import write_transmission
from swgrm_exporters.xmltext import Element

CAPABILITIES = Capabilities(
    joints=frozenset({JointType.FIXED, JointType.REVOLUTE, JointType.PRISMATIC}),
    chains=frozenset({"planar", "floating"}),
    capsules=False,
    loops=False,
    coupling_chains=False,
    several_links=False,
    frames_are_links=True,
    legal=ros_legal,
)


def write(robot: Robot, path: Path, options: Mapping[str, Any]) -> Written:
    """Write a robot as a URDF file."""
    data, findings = dumps(robot, options_from(options), path)
    write_bytes(path, data)
    return Written((path,), findings)


class Text(NamedTuple):
    """The bytes of a URDF file, and what there is to say about them."""

    data: bytes
    findings: tuple[Finding, ...]


def dumps(robot: Robot, options: UrdfOptions | None = None, path: Path | None = None) -> Text:
    """The text of a robot's URDF file, and what there is to say about it; the path is where it will stand."""
    options = options or UrdfOptions()
    inline, robot = _take_inline_sensors(robot)
    lowered = lower(robot, CAPABILITIES, options.choices)
    writer = _Writer(lowered, options, path)
    root = writer.robot(inline)
    etree.indent(root)
    data = etree.tostring(root, xml_declaration=True, encoding="utf-8") + b"\n"
    return Text(data, (*lowered.findings, *writer.findings))


def _take_inline_sensors(robot: Robot) -> tuple[list[Frame], Robot]:
    """The frames that are only a sensor's <origin>, apart from the rest."""
    inline = [f for f in robot.frames if f.props.get(INLINE) == "sensor" and not (f.links or robot.children(f.id))]
    if not inline:
        return [], robot
    ids = {frame.id for frame in inline}
    return inline, replace(robot, frames=tuple(frame for frame in robot.frames if frame.id not in ids))


class _Writer:
    """Writes one robot, collecting what there is to say."""

    def __init__(self, lowered: Lowered, options: UrdfOptions, path: Path | None) -> None:
        self.lowered, self.options, self.path = lowered, options, path
        self.source = lowered.robot
        self.format = Numbers(options.precision)
        self.findings: list[Finding] = []
        self.assumed_joints: dict[str, dict[str, str]] = {}
        self.assumed_links: dict[str, dict[str, str]] = {
            name: {"mass": self.format.text(options.choices.virtual_inertia.mass)}
            for name in lowered.implied_inertials
            if options.choices.virtual_inertia is not None
        }

    def say(self, code: str, where: str, message: str, severity: Severity = Severity.NOTE) -> None:
        self.findings.append(Finding(severity, code, where, message))

    # ---- the robot

    def robot(self, inline: list[Frame]) -> Element:
        robot = self.source
        root = self.root()
        for material in robot.materials:
            self.material(root, material, described=True)
        whole = chains(robot)
        kept = {end: chain for end, chain in whole.items() if chain.kind in CAPABILITIES.chains}
        inner = {frame.id for chain in kept.values() for frame in chain.frames[:-1]}
        frames = [frame for frame in robot.frames if frame.id not in inner]
        for frame in frames:
            self.link(root, frame)
        for frame in frames:
            chain = kept.get(frame.id)
            self.joint(root, frame if chain is None else collapse(chain), chain)
        if self.options.dummy_root:
            self.dummy_root(root)
        self.sensors(root, frames, inline)
        for transmission in robot.transmissions:
            for key, reason in write_transmission(root, transmission, self.format):
                self.say_unwritable(key, reason, f"transmission {transmission.name}")
        self.props(root, robot.props, frozenset(ROBOT.children), f"robot {robot.name}")
        if self.options.annotate:
            lowered = self.lowered._replace(implied_links=self.lowered.implied_links - inner)
            remark = remarks.element(lowered, self.assumed_joints, self.assumed_links)
            if remark is not None:
                root.append(remark)
        return root

    def root(self) -> Element:
        namespaces = {}
        for key, uri in self.source.props.items():
            if key.startswith(XMLNS):
                namespaces[key.removeprefix(XMLNS)] = uri
        try:
            return etree.Element("robot", {"name": self.source.name}, nsmap=namespaces)
        except ValueError as error:
            self.say("prop-unwritable", f"robot {self.source.name}", f"A namespace cannot be declared: {error}.")
            return etree.Element("robot", {"name": self.source.name})

    def dummy_root(self, root: Element) -> None:
        robot = self.source
        name = Pool(robot.by_id).fresh(ros_legal(self.options.dummy_root) or "dummy_root")
        joint = Joint(type=JointType.FIXED, name=Pool(robot.joints).fresh(f"{name}_joint"))
        first = next(index for index, element in enumerate(root) if element.tag == "link")
        root.insert(first, etree.Element("link", {"name": name}))
        self.joint(root, replace(robot.root, parent=name, joint=joint, transform=IDENTITY), None)

    def props(self, holder: Element, props: Props, core: frozenset[str], where: str) -> None:
        for key, reason in apply(holder, props, core):
            self.say_unwritable(key, reason, where)

    def say_unwritable(self, key: str, reason: str, where: str) -> None:
        message = f"The property `{key}` cannot be written: {reason}."
        self.say("prop-unwritable", where, message, Severity.WARNING)

    # ---- links

    def link(self, root: Element, frame: Frame) -> None:
        (link,) = frame.links
        element = etree.SubElement(root, "link", {"name": link.name})
        if link.inertial is not None:
            self.inertial(element, link, link.inertial)
        for shape in link.visuals:
            self.shape(etree.SubElement(element, "visual"), shape)
        for shape in link.collisions:
            self.shape(etree.SubElement(element, "collision"), shape)
        self.props(element, {**frame.props, **link.props}, frozenset(LINK.children), f"link {link.name}")

    def inertial(self, parent: Element, link: Link, inertial: Inertial) -> None:
        element = etree.SubElement(parent, "inertial")
        self.origin(element, Pose(inertial.origin, inertial.axes))
        etree.SubElement(element, "mass", {"value": self.format.text(inertial.mass)})
        tensor = inertial.tensor
        if tensor is None:
            self.say("tensor-missing", f"link {link.name}", "It has a mass and no tensor: zeros are written.")
            self.assumed_links.setdefault(link.name, {})["tensor"] = "none"
            tensor = Tensor()
        values = {name: self.format.text(getattr(tensor, name)) for name in Tensor.__struct_fields__}
        etree.SubElement(element, "inertia", values)

    def shape(self, element: Element, shape: Geometry) -> None:
        if shape.name:
            element.set("name", shape.name)
        self.origin(element, shape.origin)
        geometry = etree.SubElement(element, "geometry")
        text = self.format.text
        if isinstance(shape, Mesh):
            mesh = etree.SubElement(geometry, "mesh", {"filename": self.uri(shape.uri)})
            if shape.scale != (1.0, 1.0, 1.0):
                mesh.set("scale", self.format.texts(shape.scale))
        elif isinstance(shape, Box):
            etree.SubElement(geometry, "box", {"size": self.format.texts(shape.size)})
        elif isinstance(shape, Sphere):
            etree.SubElement(geometry, "sphere", {"radius": text(shape.radius)})
        elif isinstance(shape, Cylinder):
            etree.SubElement(geometry, "cylinder", {"radius": text(shape.radius), "length": text(shape.length)})
        elif isinstance(shape, Capsule):
            raise ModelError("A capsule reached the URDF writer: lowering must split it.")
        if shape.material and element.tag == "visual":
            self.material(element, Material(shape.material), described=False)

    def uri(self, uri: str) -> str:
        """The name of a mesh file, as the options want it."""
        how, path = self.options.mesh_paths, self.path
        if how is MeshPaths.KEEP or "://" in uri:
            return uri
        if how is MeshPaths.PACKAGE:
            return f"package://{self.options.package or self.source.name}/{PurePosixPath(uri.replace(os.sep, '/'))}"
        folder = Path.cwd() if path is None else path.absolute().parent
        file = folder / uri
        if how is MeshPaths.ABSOLUTE:
            return file.resolve().as_uri()
        return PurePosixPath(os.path.relpath(file, folder)).as_posix()

    def material(self, parent: Element, material: Material, *, described: bool) -> None:
        element = etree.SubElement(parent, "material", {"name": material.name})
        if described and material.rgba is not None:
            etree.SubElement(element, "color", {"rgba": self.format.texts(material.rgba)})
        if described and material.texture:
            etree.SubElement(element, "texture", {"filename": material.texture})

    def origin(self, parent: Element, pose: Pose) -> None:
        if pose == IDENTITY:
            return
        values = {"xyz": self.format.pose(pose.pos), "rpy": self.format.pose(quaternion_rpy(pose.rot))}
        if set(values.values()) != {"0 0 0"}:
            etree.SubElement(parent, "origin", values)

    # ---- joints

    def joint(self, root: Element, frame: Frame, chain: Chain | None) -> None:
        joint = frame.joint
        if joint is None or frame.parent is None:
            return
        kind = _urdf_type(joint, chain)
        element = etree.SubElement(root, "joint", {"name": frame.joint_name, "type": kind})
        self.origin(element, frame.transform)
        etree.SubElement(element, "parent", {"link": frame.parent})
        etree.SubElement(element, "child", {"link": frame.id})
        if kind not in ("fixed", "floating") or joint.axis != (0.0, 0.0, 1.0):
            etree.SubElement(element, "axis", {"xyz": self.format.texts(joint.axis)})
        self.limit(element, frame.joint_name, kind, joint.limits)
        self.joint_extras(element, joint)
        self.props(element, joint.props, frozenset(JOINT.children), f"joint {frame.joint_name}")

    def limit(self, element: Element, name: str, kind: str, limits: Limits) -> None:
        """The <limit>: where URDF must have a number and the model has none, the documented default, and a note."""
        if kind in ("fixed", "planar", "floating") and limits == Limits():
            return
        options = self.options
        defaults = {"effort": options.effort, "velocity": options.velocity, "acceleration": options.acceleration}
        if kind in ("revolute", "prismatic"):
            lower, upper = limits.lower, limits.upper
            defaults["lower"] = min(-options.unlimited, upper if upper is not None else 0.0)
            defaults["upper"] = max(options.unlimited, lower if lower is not None else 0.0)
        given = {key: getattr(limits, key) for key in ("lower", "upper", "effort", "velocity", "acceleration")}
        if kind == "continuous":
            del given["lower"], given["upper"]
        assumed = {
            key: self.format.text(default)
            for key, default in defaults.items()
            if given[key] is None and default is not None and kind in ("revolute", "prismatic", "continuous")
        }
        texts = {key: assumed.get(key) if value is None else self.format.text(value) for key, value in given.items()}
        etree.SubElement(element, "limit", {key: text for key, text in texts.items() if text is not None})
        if assumed:
            self.assumed_joints[name] = assumed
            said = ", ".join(f"{key} {text}" for key, text in assumed.items())
            self.say("limits-assumed", f"joint {name}", f"URDF needs what the model does not say: {said} is written.")

    def joint_extras(self, element: Element, joint: Joint) -> None:
        text = self.format.text
        if joint.dynamics is not None:
            values = {"damping": text(joint.dynamics.damping), "friction": text(joint.dynamics.friction)}
            etree.SubElement(element, "dynamics", values)
        if joint.coupling is not None:
            mimic = etree.SubElement(element, "mimic", {"joint": joint.coupling.joint})
            mimic.set("multiplier", text(joint.coupling.ratio))
            mimic.set("offset", text(joint.coupling.offset))
        if joint.safety is not None:
            names = ("soft_lower_limit", "soft_upper_limit", "k_position", "k_velocity")
            etree.SubElement(element, "safety_controller", {n: text(getattr(joint.safety, n)) for n in names})
        if joint.calibration is not None:
            marks = {"rising": joint.calibration.rising, "falling": joint.calibration.falling}
            etree.SubElement(element, "calibration", {n: text(v) for n, v in marks.items() if v is not None})

    # ---- sensors and transmissions

    def sensors(self, root: Element, frames: list[Frame], inline: list[Frame]) -> None:
        for frame in frames:
            for sensor in frame.sensors:
                self.sensor(root, sensor, frame.id, IDENTITY)
        new = {each.old: each.new for each in self.lowered.renamed if each.kind == "frame"}
        for frame in inline:
            parent = new.get(frame.parent or "", frame.parent or "")
            for sensor in frame.sensors:
                self.sensor(root, sensor, parent, frame.transform)

    def sensor(self, root: Element, sensor: Sensor, link: str, pose: Pose) -> None:
        element = etree.SubElement(root, "sensor", {"name": sensor.name, "type": sensor.type})
        if sensor.id:
            element.set("id", sensor.id)
        if sensor.update_rate is not None:
            element.set("update_rate", self.format.text(sensor.update_rate))
        on_joint = "parent.joint" in sensor.params
        etree.SubElement(element, "parent", {} if on_joint else {"link": link})
        self.origin(element, pose)
        core = frozenset({"parent", "origin"})
        self.props(element, {**sensor.params, **sensor.props}, core, f"sensor {sensor.name}")


def _urdf_type(joint: Joint, chain: Chain | None) -> str:
    if chain is not None:
        return chain.kind
    is_unlimited = joint.limits.lower is None and joint.limits.upper is None
    return "continuous" if joint.type is JointType.REVOLUTE and is_unlimited else str(joint.type)
