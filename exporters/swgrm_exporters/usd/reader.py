"""USD into a robot: rigid bodies as frames with links, joints of the articulation and of loops, sites as frames."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from swgrm.findings import Findings
from swgrm.model import (
    Coupling,
    Dynamics,
    Frame,
    Joint,
    JointType,
    Limits,
    LoopJoint,
    Mount,
    Pose,
    Robot,
    Vec3,
)
from swgrm.transforms import Array, inverse, quaternion_matrix
from swgrm_exporters.notes import Plain, parsed_note, restored
from swgrm_exporters.usd.bodies import UsdBodies, pose_of
from swgrm_exporters.usd.older_notes import note_of_attributes
from swgrm_exporters.usd.parsing import PrimSpec, UsdLayer, UsdProblem
from swgrm_exporters.usd.physics import AXES, TYPES
from swgrm_exporters.usd.stage import open_stage
from swgrm_exporters.usd.values import number, quaternion, target, text, vector

JOINTS = {name: kind for kind, name in TYPES.items()}
TOKENS = {token: axis for axis, token in AXES.items()}
_ROUNDING = 1e-12  # [m, –]
_SITE = "IsaacSiteAPI"


def read(path: Path, findings: Findings) -> Robot:
    """The robot in a USD file."""
    stage = open_stage(path)
    try:
        return UsdReader(stage, findings).robot()
    except UsdProblem as problem:
        raise problem.at(path) from None


class UsdReader:
    """Reads the robot of one stage."""

    def __init__(self, stage: UsdLayer, findings: Findings) -> None:
        self.stage, self.findings = stage, findings
        name = stage.metadata.get("defaultPrim")
        self.root = f"/{name}"
        if not isinstance(name, str) or self.root not in stage.prims:
            raise UsdProblem("it has no default prim")
        for key, unit in (("metersPerUnit", 1), ("kilogramsPerUnit", 1)):
            if stage.metadata.get(key, unit if key == "kilogramsPerUnit" else 0.01) != unit:
                raise UsdProblem(f"its {key} is not {unit}: it is not in metres and kilograms")
        self.world = self._world_poses()
        self.bodies = [path for path, spec in stage.prims.items() if "PhysicsRigidBodyAPI" in spec.schemas]
        if not self.bodies:
            raise UsdProblem("it has no rigid bodies (PhysicsRigidBodyAPI)")
        own = stage.prims[self.root].attributes.get("swgrm:note")
        self.note = parsed_note([own if isinstance(own, str) else None]) or note_of_attributes(stage, self.root)
        self.renamed: dict[str, dict[str, str]] = {kind: {} for kind in ("robot", "frame", "link", "joint", "material")}
        self.shapes = UsdBodies(stage, self.root, findings, self.name)
        self.frames: dict[str, Frame] = {}  # by path

    def robot(self) -> Robot:
        """The robot."""
        joints = [spec for spec in self.stage.prims.values() if spec.type in JOINTS]
        mounts = [spec for spec in joints if not {"body0", "body1"} <= self._ends(spec).keys()]
        inner = [spec for spec in joints if spec not in mounts]
        tree = {self._ends(spec)["body1"]: spec for spec in reversed(inner) if not _is_excluded(spec)}
        roots = [path for path in self.bodies if path not in tree]
        if len(roots) != 1:
            problem = f"{len(roots) or 'no'} bodies are not the child of a joint"
            raise UsdProblem(f"{problem}; a robot has one such body, its base")
        for path in self.bodies:
            self._body(path, tree.get(path))
        self._sites()
        ids = {path: frame.id for path, frame in self.frames.items()}
        frames = tuple(
            replace(frame, parent=None if frame.parent is None else ids[frame.parent]) for frame in self.frames.values()
        )
        loops = tuple(self._loop(spec, ids) for spec in inner if spec not in tree.values())
        robot = Robot(
            name=self.name(self.stage.prims[self.root], "robot"),
            frames=frames,
            materials=tuple(self.shapes.materials.values()),
            loop_joints=loops,
            mount=Mount.FIXED if mounts else Mount.FLOATING,
            ignored_contacts=self._contacts(),
        )
        return restored(robot, self._note_with_names(), self.findings) if self.note else robot

    def name(self, spec: PrimSpec, kind: str) -> str:
        """The name of what a prim is: what it is shown as, or in a file with a note what the note calls it."""
        shown = text(spec.metadata.get("displayName"))
        name = spec.path.rpartition("/")[2]
        if not self.note:
            return shown or name
        name = str(_mapping(self.note.get("prims")).get(spec.path, name))
        if shown:
            self.renamed[kind][name] = shown  # a name that was edited in the file counts
        return name

    def _note_with_names(self) -> Plain:
        noted = _mapping(self.note.get("renamed"))
        renamed = {kind: {**_mapping(noted.get(kind)), **names} for kind, names in self.renamed.items()}
        return {**self.note, "renamed": renamed}

    # ---- frames

    def _world_poses(self) -> dict[str, Array]:
        found: dict[str, Array] = {"": np.eye(4)}
        for path in sorted(self.stage.prims):
            above = path.rpartition("/")[0]
            found[path] = found.get(above, np.eye(4)) @ pose_of(self.stage.prims[path]).matrix
        return found

    def _body(self, path: str, joint: PrimSpec | None) -> None:
        link = self.shapes.link(path)
        frame = Frame(id=link.name, links=(link,))
        if joint is None:
            self.frames[path] = replace(frame, transform=Pose.from_matrix(self.world[path]))
            return
        parent = self._ends(joint)["body0"]
        transform = _snapped(inverse(self.world[parent]) @ self.world[path])
        self.frames[path] = replace(frame, parent=parent, transform=transform, joint=self._joint(joint))

    def _noted_ends(self, spec: PrimSpec, ids: dict[str, str]) -> tuple[str, str] | None:
        """The paths of the two frames that a joint beside the tree connects, if the note has them."""
        noted = _mapping(self.note.get("ends")).get(self.name(spec, "joint"))
        paths = {frame_id: path for path, frame_id in ids.items()}
        if not isinstance(noted, list) or len(noted) != 2 or not all(end in paths for end in noted):
            return None
        return paths[noted[0]], paths[noted[1]]

    def _sites(self) -> None:
        for path, spec in self.stage.prims.items():
            if path in self.frames or _SITE not in spec.schemas:
                continue
            above = path.rpartition("/")[0]
            self.frames[path] = Frame(id=self.name(spec, "frame"), transform=pose_of(spec), parent=above)
        for path, frame in self.frames.items():
            if frame.parent is not None and frame.parent not in self.frames:
                raise UsdProblem(f"the frame {path} is on {frame.parent}, which is not a body")

    def _contacts(self) -> tuple[tuple[str, str], ...]:
        """The pairs of bodies whose contacts are left out."""
        pairs = []
        for path in self.bodies:
            listed = self.stage.prims[path].attributes.get("physics:filteredPairs")
            others = listed if isinstance(listed, list) else [listed]
            pairs += [(path, str(other)) for other in others if other in self.bodies]
        return tuple((self._link_name(one), self._link_name(other)) for one, other in pairs)

    def _link_name(self, path: str) -> str:
        frame = self.frames[path]
        return frame.links[0].name if frame.links else frame.id

    # ---- joints

    def _ends(self, spec: PrimSpec) -> dict[str, str]:
        """The bodies of a joint; an end that is not a body is the world."""
        found = {end: target(spec.attributes.get(f"physics:{end}")) for end in ("body0", "body1")}
        return {end: path for end, path in found.items() if path in self.bodies}

    def _joint(self, spec: PrimSpec) -> Joint:
        kind = JOINTS[spec.type]
        joint = Joint(type=kind, name=self.name(spec, "joint"))
        if kind in (JointType.FIXED, JointType.BALL):
            return joint
        degrees = 180 / math.pi if kind is JointType.REVOLUTE else 1.0
        drive = "angular" if kind is JointType.REVOLUTE else "linear"
        values = {key: number(spec.attributes.get(name)) for key, name in _NUMBERS.items()}
        effort = number(spec.attributes.get(f"drive:{drive}:physics:maxForce"))
        has_dynamics = any(values[key] is not None for key in ("damping", "friction", "armature"))
        return replace(
            joint,
            axis=_axis(spec),
            limits=Limits(
                lower=_over(values["lower"], degrees),
                upper=_over(values["upper"], degrees),
                velocity=_over(values["velocity"], degrees),
                effort=_over(effort, 1.0),
            ),
            dynamics=Dynamics(
                (values["damping"] or 0.0) * degrees, values["friction"] or 0.0, values["armature"] or 0.0
            )
            if has_dynamics
            else None,
            coupling=self._coupling(spec, degrees),
        )

    def _coupling(self, spec: PrimSpec, degrees: float) -> Coupling | None:
        leader = target(spec.attributes.get("newton:mimicJoint"))
        if not leader:
            return None
        other = self.stage.prims.get(leader)
        if other is None:
            raise UsdProblem(f"the joint {spec.path} follows {leader}, which is not there")
        ratio, offset = (number(spec.attributes.get(f"newton:mimicCoef{n}")) for n in (1, 0))
        return Coupling(self.name(other, "joint"), 1.0 if ratio is None else ratio, (offset or 0.0) / degrees)

    def _loop(self, spec: PrimSpec, ids: dict[str, str]) -> LoopJoint:
        """A joint beside the tree: T_parent_child = local pose on the parent · inverse of that on the child."""
        bodies = self._ends(spec)
        parent, child = self._noted_ends(spec, ids) or (bodies["body0"], bodies["body1"])
        one, other = (
            inverse(self.world[frame]) @ self.world[self._ends(spec)[end]] @ _local(spec, number)
            for number, (end, frame) in enumerate((("body0", parent), ("body1", child)))
        )
        transform = Pose.from_matrix(one @ inverse(other))
        joint = self._joint(spec)
        R_child_body = (inverse(self.world[child]) @ self.world[self._ends(spec)["body1"]])[:3, :3]
        x, y, z = (R_child_body @ joint.axis + 0.0).tolist()
        if joint.type in (JointType.REVOLUTE, JointType.PRISMATIC):
            joint = replace(joint, axis=(x, y, z))
        return LoopJoint(parent=ids[parent], child=ids[child], joint=joint, transform=transform)


_NUMBERS = {
    "lower": "physics:lowerLimit",
    "upper": "physics:upperLimit",
    "velocity": "newton:velocityLimit",
    "damping": "newton:damping",
    "friction": "newton:friction",
    "armature": "newton:armature",
}


def _over(value: float | None, degrees: float) -> float | None:
    return None if value is None or not math.isfinite(value) else value / degrees


def _snapped(T: Array) -> Pose:
    """The pose of a matrix; the identity where only rounding is left of it."""
    return Pose() if np.abs(T - np.eye(4)).max() < _ROUNDING else Pose.from_matrix(T)


def _is_excluded(spec: PrimSpec) -> bool:
    return spec.attributes.get("physics:excludeFromArticulation") is True


def _axis(spec: PrimSpec) -> Vec3:
    """The joint's axis in the child body: the joint frame's x, y or z, rotated by localRot1."""
    axis = TOKENS.get(str(spec.attributes.get("physics:axis", "X")))
    if axis is None:
        raise UsdProblem(f"the axis of the joint {spec.path} is not X, Y or Z")
    x, y, z = (quaternion_matrix(quaternion(spec, "physics:localRot1")) @ axis + 0.0).tolist()
    return (x, y, z)


def _local(spec: PrimSpec, number: int) -> Array:
    pose = Pose(vector(spec, f"physics:localPos{number}"), quaternion(spec, f"physics:localRot{number}"))
    return pose.matrix


def _mapping(value: Any) -> Mapping[str, Any]:  # noqa: ANN401 - JSON data
    return value if isinstance(value, dict) else {}
