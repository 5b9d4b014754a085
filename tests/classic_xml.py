"""The XML that the classic exporter saves in an assembly, made from a robot: of version 1.3 and later, and before."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any
from xml.sax.saxutils import escape

from swgrm.model import Inertial, Pose
from swgrm_addin.migration.old_robot import OldJoint, OldLink, OldRobot
from swgrm_exporters.urdf.rotation import quaternion_rpy

NAMESPACES = (
    'xmlns="http://schemas.datacontract.org/2004/07/SW2URDF" xmlns:i="http://www.w3.org/2001/XMLSchema-instance" '
    'xmlns:z="http://schemas.microsoft.com/2003/10/Serialization/" '
    'xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:a="http://schemas.microsoft.com/2003/10/Serialization/Arrays"'
)


def component_id(name: str, assembly: str = "arm") -> str:
    """A component's persistent id: bytes among which its name is, as SolidWorks' selection writes it."""
    levels = name.split("/")
    data = b"\x10\x00\x00\x00\x01\x00\x00\x00"
    for level, holder in zip(levels, [assembly, *levels], strict=False):
        text = f"{level}@{holder.rpartition('-')[0] or holder}"
        data += b"\xff\xfe\xff" + bytes([len(text.encode("utf-16-le")) // 2]) + text.encode("utf-16-le") + b"\x00\x01"
    return base64.b64encode(data).decode()


def saved_xml(old: OldRobot) -> str:
    """The configuration of version 1.3 and later: .NET's DataContractSerializer, in ASCII."""
    return _Writer(old).link(old.root, is_first=True)


class _Writer:
    """Writes objects with identifiers; one that occurs again is a reference."""

    def __init__(self, old: OldRobot) -> None:
        self.old, self.numbers = old, count(1)

    def _id(self) -> str:
        return f"i{next(self.numbers)}"

    def attribute(self, kind: str, value: Any) -> tuple[str, str]:
        """An attribute of an object, and a reference to it."""
        own = self._id()
        if value is None:
            text = '<Value i:nil="true"/>'
        elif isinstance(value, tuple):
            text = f'<Value i:type="a:ArrayOfdouble">{"".join(f"<a:double>{x!r}</a:double>" for x in value)}</Value>'
        elif isinstance(value, float):
            text = f'<Value i:type="x:double">{value!r}</Value>'
        else:
            ascii_text = escape(str(value)).encode("ascii", errors="replace").decode()
            text = f'<Value i:type="x:string">{ascii_text}</Value>'
        body = f"<AttributeType>{kind}</AttributeType><IsRequired>true</IsRequired>{text}"
        return f'<Attribute z:Id="{own}">{body}</Attribute>', f'z:Ref="{own}" i:nil="true"'

    def element(
        self, kind: str, tag: str, values: Mapping[str, Any], inside: Iterable[tuple[str, str]] = (), own: str = ""
    ) -> str:
        """An object with attributes and parts; the parts are fields, too, which refer to them."""
        parts = list(inside)
        made = [self.attribute(name, value) for name, value in values.items()]
        numbered = [(field, text, self._id()) for field, text in parts]
        children = "".join(
            text.replace("<URDFElement ", f'<URDFElement z:Id="{number}" ', 1) for _, text, number in numbered
        )
        fields = "".join(f'<{field} z:Ref="{number}" i:nil="true"/>' for field, _, number in numbered)
        named = "".join(
            f"<{name.capitalize()}Attribute {reference}/>" for name, (_, reference) in zip(values, made, strict=True)
        )
        return (
            f'<URDFElement i:type="{kind}"><Attributes>{"".join(text for text, _ in made)}</Attributes>'
            f"<ChildElements>{children}</ChildElements><ElementName>{tag}</ElementName><required>false</required>"
            f"{fields}{named}{own}</URDFElement>"
        )

    def origin(self, pose: Pose | None) -> str:
        values = {} if pose is None else {"xyz": pose.pos, "rpy": quaternion_rpy(pose.rot)}
        return self.element("Origin", "origin", values)

    def joint(self, joint: OldJoint, system: str) -> str:
        limits, safety, dynamics = joint.limits, joint.safety, joint.dynamics
        calibration, coupling = joint.calibration, joint.coupling
        parts = [
            ("Origin", self.origin(joint.origin)),
            ("Axis", self.element("Axis", "axis", {"xyz": joint.axis or (0.0, 0.0, 0.0)})),
            ("Limit", self.element("Limit", "limit", {
                "lower": limits.lower, "upper": limits.upper, "effort": limits.effort, "velocity": limits.velocity})),
            ("Calibration", self.element("Calibration", "calibration", {
                "rising": calibration and calibration.rising, "falling": calibration and calibration.falling})),
            ("Dynamics", self.element("Dynamics", "dynamics", {} if dynamics is None else {
                "damping": dynamics.damping, "friction": dynamics.friction})),
            ("Safety", self.element("SafetyController", "safety_controller", {
                "k_velocity": safety and safety.k_velocity})),
            ("Mimic", self.element("Mimic", "mimic", {} if coupling is None else {
                "joint": coupling.joint, "multiplier": coupling.ratio, "offset": coupling.offset})),
        ]  # fmt: skip
        own = f"<AxisName>{escape(joint.axis_name)}</AxisName>"
        own += f"<CoordinateSystemName>{escape(system)}</CoordinateSystemName>"
        return self.element("Joint", "joint", {"name": joint.name, "type": joint.type}, parts, own)

    def inertial(self, inertial: Inertial) -> str:
        tensor = inertial.tensor
        moments = {name: getattr(tensor, name) for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")}
        parts = [
            ("Origin", self.origin(Pose(inertial.origin, inertial.axes))),
            ("Mass", self.element("Mass", "mass", {"value": inertial.mass})),
            ("Inertia", self.element("Inertia", "inertia", moments)),
        ]
        return self.element("Inertial", "inertial", {}, parts)

    def link(self, link: OldLink, *, is_first: bool = False, above: str = "") -> str:
        own = self._id()
        name, reference = self.attribute("name", link.name)
        parts = [] if link.inertial is None else [("Inertial", self.inertial(link.inertial))]
        joint = link.joint or OldJoint("", "")
        parts.append(("Joint", self.joint(joint, link.coordinate_system)))
        numbered = [(field, text, self._id()) for field, text in parts]
        children = "".join(
            text.replace("<URDFElement ", f'<URDFElement z:Id="{number}" ', 1) for _, text, number in numbered
        )
        fields = "".join(f'<{field} z:Ref="{number}" i:nil="true"/>' for field, _, number in numbered)
        inside = "".join(self.link(each, above=own) for each in self.old.links if each.parent == link.name)
        ids = "".join(f"<a:base64Binary>{component_id(each)}</a:base64Binary>" for each in link.components)
        parent = f'<Parent z:Ref="{above}" i:nil="true"/>' if above else '<Parent i:nil="true"/>'
        return (
            f'<Link z:Id="{own}" {NAMESPACES if is_first else ""}><Attributes>{name}</Attributes>'
            f"<ChildElements>{children}</ChildElements><ElementName>link</ElementName><required>true</required>"
            f"<Children>{inside}</Children>{fields}<NameAttribute {reference}/>{parent}"
            f'<SWComponentPIDs>{ids}</SWComponentPIDs><SWMainComponentPID i:nil="true"/>'
            "<STLQualityFine>false</STLQualityFine><isFixedFrame>false</isFixedFrame></Link>"
        )


def serial_xml(old: OldRobot) -> str:
    """The configuration before version 1.3, which has names and no numbers."""

    def node(link: OldLink) -> str:
        joint = link.joint or OldJoint("", "")
        texts = {
            "linkName": link.name, "jointName": joint.name, "axisName": joint.axis_name or "Automatically Generate",
            "coordsysName": link.coordinate_system or "Automatically Generate", "jointType": joint.type,
            "isBaseNode": "false" if link.parent else "true", "isIncomplete": "false",
        }  # fmt: skip
        inside = "".join(node(each) for each in old.links if each.parent == link.name)
        ids = "".join(f"<base64Binary>{component_id(each)}</base64Binary>" for each in link.components)
        fields = "".join(f"<{name}>{escape(text)}</{name}>" for name, text in texts.items())
        return f"<SerialNode>{fields}<componentPIDs>{ids}</componentPIDs><Nodes>{inside}</Nodes></SerialNode>"

    return f'<?xml version="1.0" encoding="utf-16"?>\n{node(old.root)}'
