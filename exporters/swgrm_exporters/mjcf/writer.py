"""Writes a robot as MJCF: lowered to what MuJoCo has, then section by section, in the conventions of its menagerie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from swgrm.findings import Findings
from swgrm.mass.mass_matrix import Load, loads
from swgrm.model import Actuator, ActuatorType, JointType, Mount, NamedPose, Quat, Robot
from swgrm.precision import POSITION, numbers_of
from swgrm.storage.files import write_bytes
from swgrm_exporters.format import Target
from swgrm_exporters.lowering import Capabilities, Lowered, lower
from swgrm_exporters.mjcf.actuators import actuators_of, add_actuator, control
from swgrm_exporters.mjcf.assets import MeshAssets, add_materials
from swgrm_exporters.mjcf.contacts import excluded_pairs
from swgrm_exporters.mjcf.equalities import STIFF, TIME_STEP, Equalities
from swgrm_exporters.mjcf.home import HOME, pose_positions
from swgrm_exporters.mjcf.made_elements import NAME, gains
from swgrm_exporters.mjcf.options import CAPABILITIES, MjcfOptions
from swgrm_exporters.mjcf.scene import floor_height, scene
from swgrm_exporters.mjcf.tree import BodyTree
from swgrm_exporters.notes import note_of, note_text
from swgrm_exporters.numbers import Numbers
from swgrm_exporters.xmlwriting import Node, add_node, written

WEIGHTLESS = {"mass": "0"}  # of geoms: bodies have their <inertial>, or no mass
COMPILER = {"angle": "radian", "autolimits": "true"}


def write(robot: Robot, target: Target, options: MjcfOptions, findings: Findings) -> list[Path]:
    """Write the robot as `NAME.xml`, and the scene that includes it unless the user named the file."""
    path = target.file(".xml")
    made = rendered(robot, options, findings, target)
    write_bytes(path, made.data)
    files = [path, *made.meshes]
    if options.scene and not target.suffix:
        files.append(target.folder / "scene.xml")
        write_bytes(files[-1], written(scene(made.model, path.name, made.floor, Numbers(6))))
    return files


def dumps(robot: Robot, options: MjcfOptions | None = None, findings: Findings | None = None) -> bytes:
    """The text of the robot's MJCF file, without meshes."""
    return rendered(robot, options or MjcfOptions(), Findings() if findings is None else findings).data


class RenderedModel(NamedTuple):
    """An MJCF text, the name of its model, the mesh files that were made for it, and the height of its floor."""

    data: bytes
    model: str
    meshes: tuple[Path, ...]
    floor: float  # [m]
    robot: Robot  # as it was fitted to MJCF
    actuators: tuple[Actuator, ...]


def rendered(
    robot: Robot,
    options: MjcfOptions,
    findings: Findings,
    target: Target | None = None,
    capabilities: Capabilities = CAPABILITIES,
) -> RenderedModel:
    """The robot's MJCF text; mesh files are where the target is. Fewer capabilities split more joints."""
    lowered = lower(robot, capabilities, options.choices, findings)
    writer = _MjcfWriter(robot, lowered, options, findings, target)
    root = writer.model()
    return RenderedModel(
        written(root),
        lowered.robot.name,
        tuple(writer.assets.files),
        floor_height(lowered.robot, writer.home, writer.assets),
        lowered.robot,
        writer.actuators,
    )


class _MjcfWriter:
    """Writes one lowered robot."""

    def __init__(
        self, original: Robot, lowered: Lowered, options: MjcfOptions, findings: Findings, target: Target | None
    ) -> None:
        self.original, self.lowered, self.robot = original, lowered, lowered.robot
        self.options, self.findings, self.target = options, findings, target
        self.numbers = Numbers(options.precision, numbers_of(lowered.robot))
        self.assets = MeshAssets(target, findings, self.numbers)
        self.tree = BodyTree(self.robot, self.assets, findings, self.numbers)
        self.class_name = self.robot.name

    def model(self) -> Node:
        equalities = Equalities(self.robot, self.class_name, self.tree, self.numbers)
        root = Node("mujoco", {"model": self.robot.name})
        add_node(root, "compiler", COMPILER)
        step = {"timestep": self.numbers.text(TIME_STEP)} if len(equalities.node) else {}
        add_node(root, "option", {"integrator": "implicitfast", **step})
        root.append(self.defaults())
        materials = Node("asset")
        add_materials(materials, self.robot, self.target, self.findings, self.numbers)
        materials.extend(self.assets.node)
        for body in self.tree.world:
            body.set("childclass", self.class_name)
        sections = [materials, self.tree.world, self.contact(), equalities.tendons, equalities.node]
        root.extend(section for section in sections if len(section))
        self.drives(root)
        if len(self.tree.sensors.node):
            root.append(self.tree.sensors.node)
        self.keys(root)
        self.report_lost()
        if self.options.annotate:
            note = note_of(
                self.lowered,
                CAPABILITIES.held,
                parents=self.tree.moved_sites,
                equality=equalities.noted,
                sites=self.tree.added_sites,
                cameras=self.tree.sensors.cameras,
                excluded=[list(pair) for pair in self.excluded],
                gains=gains(root),
            )
            add_node(add_node(root, "custom"), "text", {"name": NAME, "data": note_text(note)})
        return root

    def defaults(self) -> Node:
        """The default classes of the menagerie: shapes for display in group 2, for collisions in 3, sites in 4."""
        default = Node("default")
        own = add_node(default, "default", {"class": self.class_name})
        add_node(own, "site", {"group": "4", "size": "0.001"})
        add_node(own, "equality", STIFF)
        visual = add_node(own, "default", {"class": "visual"})
        add_node(visual, "geom", {"group": "2", "contype": "0", "conaffinity": "0", **WEIGHTLESS})
        add_node(add_node(own, "default", {"class": "collision"}), "geom", {"group": "3", **WEIGHTLESS})
        return default

    def contact(self) -> Node:
        contact = Node("contact")
        meshes = None if self.target is None else self.target.meshes
        self.excluded = excluded_pairs(self.original, self.lowered, meshes, self.findings)
        for one, other in self.excluded:
            add_node(contact, "exclude", {"body1": one, "body2": other})
        return contact

    def drives(self, root: Node) -> None:
        """The actuators, and their state in the poses for `keys`."""
        self.actuators = actuators_of(self.robot, all_joints=self.options.actuators)
        if not self.actuators:
            return
        moved = loads(self.robot, [each.joint for each in self.actuators if each.joint in self.home], self.home)
        node = add_node(root, "actuator")
        for each in self.actuators:
            joint = self.robot.joints[each.joint].joint
            assert joint is not None  # noqa: S101 - actuators are of joints
            load = moved.get(each.joint, Load(0.0, 0.0))
            add_actuator(node, each, joint, load, self.options.frequency, self.numbers)

    # ---- poses

    @cached_property
    def home(self) -> dict[str, float | Quat]:
        """The positions of the independent joints at home."""
        named = next((pose for pose in self.robot.poses if pose.name == HOME), NamedPose(HOME))
        return pose_positions(self.robot, named, settable=True)

    def keys(self, root: Node) -> None:
        """A key frame for `home`, and for each named pose."""
        if not self.tree.joints and self.robot.mount is Mount.FIXED:
            return
        node = add_node(root, "keyframe")
        poses = {HOME: NamedPose(HOME)} | {pose.name: pose for pose in self.robot.poses}
        for pose in poses.values():
            positions = pose_positions(self.robot, pose)
            values = {"name": pose.name, "qpos": self.numbers.texts(self.coordinates(positions))}
            if self.actuators:
                scalars = {name: at for name, at in positions.items() if not isinstance(at, tuple)}
                values["ctrl"] = self.numbers.of(POSITION, tuple(control(each, scalars) for each in self.actuators))
            add_node(node, "key", values)

    def coordinates(self, positions: Mapping[str, float | Quat]) -> Iterator[float]:
        """MuJoCo's coordinates: a floating base's pose, then the joints; quaternions are w, x, y, z."""
        if self.robot.mount is Mount.FLOATING:
            x, y, z, w = self.robot.root.transform.rot
            yield from (*self.robot.root.transform.pos, w, x, y, z)
        for frame in self.tree.joints:
            at = positions.get(frame.joint_name, 0.0)
            if frame.joint is not None and frame.joint.type is JointType.BALL:
                x, y, z, w = at if isinstance(at, tuple) else (0.0, 0.0, 0.0, 1.0)
                yield from (w, x, y, z)
            else:
                yield 0.0 if isinstance(at, tuple) else at

    # ---- what is lost

    def report_lost(self) -> None:
        """One finding for the numbers of joints that MuJoCo does not have."""
        lost = []
        joints = [frame.joint for frame in self.robot.frames if frame.joint is not None]
        driven = {each.joint for each in self.actuators if each.type is ActuatorType.VELOCITY}
        names = {frame.joint_name for frame in self.robot.frames if frame.joint and frame.joint.limits.velocity}
        checks = {
            "velocity limits": bool(names - driven),
            "acceleration limits": any(joint.limits.acceleration for joint in joints),
            "safety controllers": any(joint.safety for joint in joints),
            "calibrations": any(joint.calibration for joint in joints),
            "ranges of joints that close loops": any(
                loop.joint.limits.lower is not None or loop.joint.limits.upper is not None
                for loop in self.robot.loop_joints
            ),
        }
        lost = [what for what, is_lost in checks.items() if is_lost]
        if lost:
            self.findings.add("mjcf-dropped", f"robot {self.robot.name}", what=", ".join(lost))
