"""Bodies of an MJCF file as frames: joints as chains where a body has several, sites and cameras as rigid frames."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

import numpy as np
from msgspec.structs import replace

from swgrm.findings import Findings
from swgrm.kinematics.pose_math import compose, invert
from swgrm.model import (
    IDENTITY,
    CompositeJoint,
    CompositeType,
    Dynamics,
    Frame,
    Geometry,
    Inertial,
    Joint,
    JointType,
    Limits,
    Link,
    Mount,
    Pose,
    Sensor,
    Tensor,
    Vec3,
)
from swgrm.model.composites import expand
from swgrm.transforms import axis_angle_matrix, homogeneous
from swgrm_exporters.lowering.limits import joined_limits
from swgrm_exporters.mjcf.document import Angles, vec3
from swgrm_exporters.mjcf.elements import CAMERA
from swgrm_exporters.mjcf.shapes import ShapeReader, is_shown, is_solid
from swgrm_exporters.names import Pool
from swgrm_exporters.urdf.fields import maybe_number, number, numbers, required
from swgrm_exporters.xmltext import Element, XmlProblem, children

TYPES = {"hinge": JointType.REVOLUTE, "slide": JointType.PRISMATIC, "ball": JointType.BALL}
READ = ("body", "frame", "inertial", "joint", "freejoint", "geom", "site", "camera", "light")
MAKERS = ("attach", "replicate", "composite", "flexcomp")  # of which MuJoCo makes bodies
ROOT = "world"


class BodyReader:
    """Reads the tree of bodies."""

    def __init__(self, shapes: ShapeReader, angles: Angles, compiler: Mapping[str, str], findings: Findings) -> None:
        self.shapes, self.angles, self.compiler, self.findings = shapes, angles, compiler, findings
        self.frames: list[Frame] = []
        self.composites: list[CompositeJoint] = []
        self.coordinates: list[tuple[str, int]] = []  # the joints in the order of `qpos`, and how many numbers each has
        self.mount = Mount.FIXED
        self.ignored, self.made = Counter[str](), Counter[str]()  # elements that are not read; those that make bodies
        self.ids, self.joints = Pool(), Pool()  # of frames and joints
        self.bodies: dict[str, str] = {}  # name in the file → frame
        self.sites: dict[str, str] = {}

    def read(self, world: Element) -> None:
        """Read what is in <worldbody>: one body is the root; several, or shapes of the world itself, are below one."""
        self.ids = Pool(name for each in world.iter("body") if (name := each.get("name")))
        tops = _flat(world, self.angles)
        bodies = [(each, pose) for each, pose in tops if each.tag == "body"]
        others = [(each, pose) for each, pose in tops if each.tag in ("geom", "site", "camera")]
        solid = [each for each, _ in others if each.tag != "geom" or each.get("type") != "plane"]
        for each, _ in others:
            if each.tag == "geom" and each.get("type") == "plane":
                self.ignored["plane"] += 1
        if len(bodies) == 1 and not solid:
            ((element, pose),) = bodies
            self.body(element, None, pose)
            return
        if not bodies and not solid:
            raise XmlProblem("it has no bodies", world)
        root = self.ids.fresh(ROOT)
        self.bodies[ROOT] = root
        self.frames.append(Frame(id=root))
        self.frames[0] = self._filled(self.frames[0], [(each, pose) for each, pose in tops if each in solid], None)
        for element, pose in bodies:
            self.body(element, root, pose)

    def body(self, element: Element, parent: str | None, pose: Pose) -> None:
        """Read a body and all below it."""
        name = own = element.get("name") or self.ids.fresh("body")
        if name in self.bodies:
            raise XmlProblem(f"there are two bodies named `{name}`", element, "Names of bodies are unique")
        self.bodies[name] = own
        inner = _flat(element, self.angles)
        joints = [each for each, _ in inner if each.tag in ("joint", "freejoint")]
        frame = Frame(id=own, parent=parent, transform=pose)
        chain = self._jointed(frame, joints, is_top=parent is None or parent == self.bodies.get(ROOT))
        place = len(self.frames) + len(chain) - 1
        self.frames += chain
        inertial = element.find("inertial")
        self.frames[place] = self._filled(chain[-1], inner, inertial)
        for each, at in inner:
            if each.tag == "body":
                self.body(each, own, at)
            elif each.tag not in READ:
                (self.made if each.tag in MAKERS else self.ignored)[str(each.tag)] += 1

    # ---- joints

    def _jointed(self, frame: Frame, joints: list[Element], *, is_top: bool) -> list[Frame]:
        """A body's frame behind the virtual ones that its joints need.

        A joint at p moves the body by T · shift(p) · M(q − ref) · shift(−p).
        """
        if not joints:
            return [frame]
        if any(each.tag == "freejoint" or each.get("type") == "free" for each in joints):
            return self._floating(frame, joints[0], is_top)
        found: list[Frame] = []
        here, parent = frame.transform, frame.parent
        parent = parent if parent is not None else self._world()
        for number_, element in enumerate(joints):
            at = vec3(numbers(element, "pos", 3, (0.0, 0.0, 0.0)))
            joint, reference = self._joint(element, frame.id)
            transform = Pose.from_matrix((compose(here, Pose(at))).matrix @ _motion(joint, -reference))
            transform = compose(here, Pose(at)) if reference == 0 else transform
            is_last = number_ == len(joints) - 1 and not any(at)
            own = frame.id if is_last else self.ids.fresh(f"{frame.id}_{joint.name}")
            found.append(Frame(id=own, parent=parent, transform=transform, joint=joint, virtual=not is_last))
            here, parent = Pose((-at[0], -at[1], -at[2])), own
        if found[-1].id != frame.id:
            found.append(Frame(id=frame.id, parent=parent, transform=here))
        return found

    def _world(self) -> str:
        """The frame of the world, above a root that moves."""
        if ROOT not in self.bodies:
            self.bodies[ROOT] = self.ids.fresh(ROOT)
            self.frames.append(Frame(id=self.bodies[ROOT]))
        return self.bodies[ROOT]

    def _floating(self, frame: Frame, element: Element, is_top: bool) -> list[Frame]:
        name = self.joints.fresh(element.get("name") or f"{frame.id}_freejoint")
        self.coordinates.append((name, 7))
        if is_top and frame.parent is None:
            self.mount = Mount.FLOATING
            return [frame]
        free = Frame(
            id=frame.id, parent=frame.parent, transform=frame.transform, joint=Joint(type=JointType.BALL, name=name)
        )
        expansion = expand(free, CompositeType.FLOATING, lambda wish: self.joints.fresh(self.ids.fresh(wish)))
        self.composites.append(expansion.joint)
        return list(expansion.frames)

    def _joint(self, element: Element, body: str) -> tuple[Joint, float]:
        """A joint, and the position that its reference pose has."""
        kind = element.get("type", "hinge")
        if kind not in TYPES:
            raise XmlProblem(f"<joint> has the type `{kind}`; MJCF has free, {', '.join(TYPES)}", element)
        name = self.joints.fresh(element.get("name") or f"{body}_joint")
        self.coordinates.append((name, 4 if kind == "ball" else 1))
        unit = 1.0 if kind == "slide" else self.angles.unit
        losses = [number(element, key, 0.0) for key in ("damping", "frictionloss", "armature")]
        if maybe_number(element, "stiffness"):
            self.ignored["spring of a joint"] += 1
        joint = Joint(
            type=TYPES[kind],
            name=name,
            axis=(0.0, 0.0, 1.0) if kind == "ball" else self._axis(element),
            limits=self._limits(element, kind, unit),
            dynamics=Dynamics(*losses) if any(losses) else None,
        )
        return joint, 0.0 if kind == "ball" else number(element, "ref", 0.0) * unit

    def _axis(self, element: Element) -> Vec3:
        x, y, z = numbers(element, "axis", 3, (0.0, 0.0, 1.0))
        length = math.hypot(x, y, z)
        if not length > 1e-12:
            raise XmlProblem("<joint> has an axis of length zero", element)
        return (x, y, z) if abs(length - 1) < 1e-9 else (x / length, y / length, z / length)

    def _limits(self, element: Element, kind: str, unit: float) -> Limits:
        lower = upper = effort = None
        limited = element.get("limited", "auto")
        if element.get("range") is not None and limited != "false":
            if limited == "auto" and self.compiler.get("autolimits", "true") == "false":
                raise XmlProblem("<joint> has a `range`, and the compiler needs `limited` with it", element)
            low, high = (_bound(element, text) for text in _two(element, "range"))
            lower, upper = None if low is None else low * unit, None if high is None else high * unit
            lower = None if kind == "ball" else lower
        if element.get("actuatorfrcrange") is not None:
            low, high = (_bound(element, text) for text in _two(element, "actuatorfrcrange"))
            effort = None if low is None or high is None else max(abs(low), abs(high))
        return joined_limits(Limits(lower=lower, upper=upper, effort=effort))

    # ---- what a body has

    def _filled(self, frame: Frame, inner: list[tuple[Element, Pose]], inertial: Element | None) -> Frame:
        """The frame with its link; sites and cameras become frames below it."""
        geoms: list[tuple[Element, Geometry | None]] = []
        for each, pose in inner:
            if each.tag == "geom":
                shape = self.shapes.shape(each)
                geoms.append((each, None if shape is None else replace(shape, origin=compose(pose, shape.origin))))
        visuals = [shape for each, shape in geoms if shape is not None and is_shown(each)]
        collisions = [shape for each, shape in geoms if shape is not None and is_solid(each)]
        from_geoms = self.compiler.get("inertiafromgeom", "auto")
        if from_geoms == "true" or (inertial is None and from_geoms != "false"):
            body = self.shapes.inertial(geoms, frame.id)
        else:
            body = None if inertial is None else self._inertial(inertial)
        for each, pose in inner:
            if each.tag == "site":
                self._site(each, frame.id, pose)
            elif each.tag == "camera":
                self._camera(each, frame.id, pose)
        if body is None and not visuals and not collisions:
            return frame
        link = Link(name=frame.id, inertial=body, visuals=tuple(visuals), collisions=tuple(collisions))
        return replace(frame, links=(link,))

    def _inertial(self, element: Element) -> Inertial:
        pose, mass = self.angles.pose(element), number(element, "mass")
        if element.get("fullinertia") is not None:
            xx, yy, zz, xy, xz, yz = numbers(element, "fullinertia", 6)
            return Inertial(mass, pose.pos, Tensor(xx, xy, xz, yy, yz, zz), pose.rot)
        if element.get("diaginertia") is None:
            return Inertial(mass, pose.pos, None, pose.rot)
        xx, yy, zz = numbers(element, "diaginertia", 3)
        return Inertial(mass, pose.pos, Tensor(ixx=xx, iyy=yy, izz=zz), pose.rot)

    def _site(self, element: Element, body: str, pose: Pose) -> None:
        name = element.get("name", "")
        if name and name in self.bodies and self.bodies[name] == body and pose == IDENTITY:
            self.sites[name] = body  # the site of a sensor in the body's own frame
            return
        own = self.ids.fresh(name or f"{body}_site")
        if name:
            self.sites[name] = own
        self.frames.append(Frame(id=own, parent=body, transform=pose))

    def _camera(self, element: Element, body: str, pose: Pose) -> None:
        name = element.get("name") or f"{body}_camera"
        params = {key: number(element, key) for key in ("fovy",) if element.get(key) is not None}
        sensor = Sensor(name=name, type="camera", params={"camera": params} if params else {})
        place = compose(pose, invert(CAMERA))
        frame = Frame(id=self.ids.fresh(name), parent=body, transform=place, sensors=(sensor,), virtual=True)
        self.frames.append(frame)


def _flat(element: Element, angles: Angles) -> list[tuple[Element, Pose]]:
    """The children of a body with their poses in it; a <frame> hands its own to its children."""
    found: list[tuple[Element, Pose]] = []
    for inner in children(element):
        has_pose = inner.tag in ("body", "frame", "site", "camera")
        pose = angles.pose(inner) if has_pose else IDENTITY
        if inner.tag == "frame":
            found += [(each, compose(pose, at)) for each, at in _flat(inner, angles)]
        else:
            found.append((inner, pose))
    return found


def _two(element: Element, key: str) -> list[str]:
    texts = required(element, key).split()
    if len(texts) != 2:
        raise XmlProblem(f'<{element.tag}> has the `{key}` "{element.get(key)}": two numbers are expected', element)
    return texts


def _bound(element: Element, text: str) -> float | None:
    """One end of a range; None if it is infinite."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if math.isnan(value) or "_" in text:
        raise XmlProblem(f'<{element.tag}> has a range with "{text[:40]}", which is not a number', element)
    return value if math.isfinite(value) else None


def _motion(joint: Joint, q: float) -> np.ndarray:
    if joint.type is JointType.PRISMATIC:
        return homogeneous(np.eye(3), np.array(joint.axis) * q)
    return homogeneous(axis_angle_matrix(joint.axis, q), np.zeros(3))
