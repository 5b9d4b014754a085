"""URDF into a robot: links and joints as frames, materials, sensors and transmissions typed, all else as props."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from swgrm.findings import Findings
from swgrm.model import (
    CompositeJoint,
    CompositeType,
    Frame,
    Geometry,
    Inertial,
    Joint,
    JointType,
    Limits,
    Link,
    Material,
    Robot,
    Tensor,
    Vec3,
)
from swgrm.model.composites import expand
from swgrm_exporters.names import Pool
from swgrm_exporters.notes import parsed_note, restored
from swgrm_exporters.urdf.fields import (
    child,
    leftovers,
    maybe_number,
    number,
    numbers,
    origin,
    parts,
    read_part,
    required,
)
from swgrm_exporters.urdf.older_notes import note_of_remarks
from swgrm_exporters.urdf.params import params_as_read
from swgrm_exporters.urdf.props import XMLNS, flatten, numbered
from swgrm_exporters.urdf.references import with_references
from swgrm_exporters.urdf.schema import JOINT, JOINT_PARTS, LINK, MATERIAL, OWN_TAG, ROBOT, SHAPES
from swgrm_exporters.urdf.sensors import place_sensors
from swgrm_exporters.urdf.simulators import is_own
from swgrm_exporters.urdf.transmissions import read_transmission
from swgrm_exporters.urdf.tree import JointElement, distinct, hinges, must_be_a_tree
from swgrm_exporters.xmltext import Element, XmlProblem, children, grouped, parse, qualified, read_xml

COMPOSITES = {"planar": CompositeType.PLANAR, "floating": CompositeType.FLOATING}
TYPES = {
    "fixed": JointType.FIXED,
    "revolute": JointType.REVOLUTE,
    "continuous": JointType.REVOLUTE,
    "prismatic": JointType.PRISMATIC,
    "planar": JointType.REVOLUTE,
    "floating": JointType.BALL,
}


def read(path: Path, findings: Findings) -> Robot:
    """The robot in a URDF file."""
    from swgrm_exporters.urdf.xacro import expanded

    try:
        return loads(expanded(path, read_xml(path)), findings)
    except XmlProblem as problem:
        raise problem.at(path) from None


def loads(data: bytes | str, findings: Findings | None = None) -> Robot:
    """The robot in a URDF text; raises an XmlProblem where it is not URDF."""
    findings = Findings() if findings is None else findings
    root = parse(data.encode() if isinstance(data, str) else data)
    if root.tag != "robot":
        raise XmlProblem(f"its first element is <{qualified(root)}>, a URDF's is <robot>", root)
    robot = with_references(_UrdfReader(root, findings).robot())
    own = root.find(OWN_TAG)
    note = {} if own is None else parsed_note([own.text]) or note_of_remarks(own, robot)
    robot = restored(robot, note, findings, params_as_read)
    # Once more for names that only exist after restoring, such as that of a ball joint.
    return with_references(robot)


class _UrdfReader:
    """Reads one document."""

    def __init__(self, root: Element, findings: Findings) -> None:
        self.root, self.findings = root, findings
        self.parts = defaultdict(list, grouped(root))
        self.materials: dict[str, Material] = {}
        self.material_names = Pool()
        self.composites: list[CompositeJoint] = []
        self.looks: dict[tuple[object, ...], str] = {}  # what each described look is called

    def robot(self) -> Robot:
        name = required(self.root, "name")
        for element in self.parts["material"]:
            self.material(element)
        links, joints = distinct(self.parts["link"]), distinct(self.parts["joint"])
        above = hinges(joints.values())
        must_be_a_tree(self.root, links, above)
        self.ids, self.joint_names = Pool(links), Pool(joints)
        frames: list[Frame] = []
        for link_name, element in links.items():
            frames.extend(self.frames(link_name, element, above.get(link_name)))
        return Robot(
            name=name,
            frames=tuple(place_sensors(frames, self.parts["sensor"], self.ids.fresh, self.findings)),
            materials=tuple(self.materials.values()),
            transmissions=tuple(read_transmission(element) for element in self.parts["transmission"]),
            composite_joints=tuple(self.composites),
            props=dict(self.robot_props()),
        )

    # ---- links

    def frames(self, name: str, element: Element, hinge: JointElement | None) -> tuple[Frame, ...]:
        """The frame of a link, behind the virtual ones that its joint may need."""
        link = self.link(name, element)
        if hinge is None:
            return (Frame(id=name, links=(link,)),)
        transform = origin(hinge.inner.get("origin"))
        frame = Frame(id=name, parent=hinge.parent, transform=transform, joint=self.joint(hinge), links=(link,))
        kind = hinge.element.get("type", "")
        if kind not in COMPOSITES:
            return (frame,)
        expansion = expand(frame, COMPOSITES[kind], self.fresh, self.axis(hinge.inner.get("axis")))
        self.composites.append(expansion.joint)
        return expansion.frames

    def fresh(self, wish: str) -> str:
        return self.joint_names.fresh(self.ids.fresh(wish))

    def link(self, name: str, element: Element) -> Link:
        inner = grouped(element)
        return Link(
            name=name,
            inertial=_inertial(inner["inertial"][0]) if "inertial" in inner else None,
            visuals=tuple([self.shape(each) for each in inner.get("visual", ())]),
            collisions=tuple([self.shape(each) for each in inner.get("collision", ())]),
            props=leftovers(element, LINK),
        )

    def shape(self, element: Element) -> Geometry:
        inner = parts(element)
        geometry = child(element, "geometry", inner)
        forms = [each for each in children(geometry) if each.tag in SHAPES]
        if len(forms) != 1:
            problem = f"A <geometry> contains {len(forms) or 'no'} shapes; one is expected ({', '.join(SHAPES)})"
            raise XmlProblem(problem, geometry)
        paint = inner.get("material") if element.tag == "visual" else None
        material = "" if paint is None else self.material(paint)
        shape: Geometry = read_part(
            forms[0],
            SHAPES[str(forms[0].tag)],
            name=element.get("name", ""),
            origin=origin(inner.get("origin")),
            material=material,
        )
        return shape

    def material(self, element: Element) -> str:
        """The name of a material, remembered where it is described; one without a name is called by its look."""
        colour, texture = element.find("color"), element.find("texture")
        rgba = None if colour is None else numbers(colour, "rgba", 4)
        file = "" if texture is None else texture.get("filename", "")
        name = element.get("name", "")
        if rgba is None and not file:
            return name
        name = name or "_".join(["colour", *(f"{value:.6g}" for value in rgba or ()), *filter(None, [file])])
        look = (name, rgba, file)
        if look not in self.looks:
            self.looks[look] = own = self.material_names.fresh(name)
            r, g, b, a = rgba or (0.0, 0.0, 0.0, 0.0)
            self.materials[own] = Material(own, None if rgba is None else (r, g, b, a), file)
            if own != name:
                self.findings.add("material-conflict", f"material {name}", name=own)
        return self.looks[look]

    # ---- joints

    def joint(self, hinge: JointElement) -> Joint:
        element, name, _, inner = hinge
        kind = required(element, "type")
        if kind not in TYPES:
            known = ", ".join(TYPES)
            raise XmlProblem(f'<joint name="{name}"> has the type `{kind}`; URDF has {known}', element)
        found = {own: read_part(inner[tag], part) for tag, (own, part) in JOINT_PARTS.items() if tag in inner}
        return Joint(
            type=TYPES[kind],
            name=name,
            axis=(0.0, 0.0, 1.0)
            if kind in ("fixed", "floating") and "axis" not in inner
            else self.axis(inner.get("axis")),
            limits=self.limits(inner.get("limit"), name, kind),
            props=leftovers(element, JOINT),
            **found,
        )

    def axis(self, found: Element | None) -> Vec3:
        if found is None:
            return (1.0, 0.0, 0.0)
        x, y, z = numbers(found, "xyz", 3, (1.0, 0.0, 0.0))
        length = math.hypot(x, y, z)
        if length == 0 or abs(length - 1) < 1e-9:
            return (x, y, z)
        return (x / length, y / length, z / length)

    def limits(self, found: Element | None, name: str, kind: str) -> Limits:
        where = f"joint {name}"
        if found is None:
            if kind in ("revolute", "prismatic"):
                self.findings.add("limit-missing", where, type=kind)
            return Limits()
        lower, upper = maybe_number(found, "lower"), maybe_number(found, "upper")
        if kind in ("revolute", "prismatic"):
            if lower is None and upper is None:
                self.findings.add("limit-default", where)
            lower, upper = lower or 0.0, upper or 0.0
        elif kind != "fixed" and (lower, upper) != (None, None):
            if (lower, upper) != (0.0, 0.0):
                self.findings.add("limits-dropped", where, type=kind, lower=lower, upper=upper)
            lower = upper = None
        velocity, effort = maybe_number(found, "velocity"), maybe_number(found, "effort")
        return Limits(lower, upper, velocity, effort, maybe_number(found, "acceleration"))

    def robot_props(self) -> Iterator[tuple[str, str]]:
        for prefix, uri in sorted(self.root.nsmap.items(), key=str):
            if prefix:
                yield f"{XMLNS}{prefix}", uri
        for name, value in self.root.attrib.items():
            if name != "name":
                yield f"@{qualified(self.root, str(name))}", str(value)
        others = [each for each in children(self.root) if each.tag not in ROBOT.children and each.tag != OWN_TAG]
        for element, key in numbered([each for each in others if not is_own(each)]):
            yield from flatten(element, key)
        for element, key in numbered(self.parts["material"]):
            yield from leftovers(element, MATERIAL, f"{key}.").items()


def _inertial(found: Element) -> Inertial:
    inner = parts(found)
    pose = origin(inner.get("origin"))
    tensor = None
    inertia = inner.get("inertia")
    if inertia is not None:
        tensor = Tensor(*[number(inertia, key, 0.0) for key in Tensor.__struct_fields__])
    return Inertial(number(child(found, "mass", inner), "value"), pose.pos, tensor, pose.rot)
