"""The configuration that the classic exporter saves inside an assembly, as XML in an attribute.

From version 1.3 on it is what .NET's DataContractSerializer writes of a tree of `Link` objects: an object that occurs
again is a reference (`z:Ref`) to the first occurrence (`z:Id`). Before, it is a tree of `SerialNode`, which has names
but no numbers. The text is ASCII, so that other characters of names are `?`; components are in binary ids, which keep
their names.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
from collections.abc import Iterator
from typing import Any

from swgrm.errors import FileError
from swgrm.model import Calibration, Coupling, Dynamics, Inertial, Limits, Pose, Safety, Tensor, Vec3
from swgrm_addin.migration.old_robot import OldJoint, OldLink, OldRobot, old_robot
from swgrm_addin.sources import Source
from swgrm_exporters.urdf.rotation import rpy_quaternion
from swgrm_exporters.xmltext import Element, XmlProblem, parse

SERIALIZATION = "{http://schemas.microsoft.com/2003/10/Serialization/}"
INSTANCE = "{http://www.w3.org/2001/XMLSchema-instance}"
DECIDED_LATER = ("Automatically Generate", "Automatically Detect")
NAME_IN_ID = re.compile(rb"\xff\xfe\xff(.)", re.DOTALL)
DEEPEST = 200  # links above one another
REMEDY = "Open the assembly with the classic exporter, save its configuration again, or use the URDF that it wrote"


def read_saved_in(source: Source) -> OldRobot:
    """The robot in the configuration that the classic exporter saved in the assembly of a source."""
    capture = source.capture
    if capture is None:
        problem = "it is a robot file, which contains no saved configuration"
        raise FileError(source.name, problem, remedy="Name the assembly, or a capture of it")
    key = (capture.source.path, capture.source.configuration)
    own = [each for each in capture.documents if (each.path, each.configuration) == key]
    saved = [each for document in own for each in document.saved_configurations]
    if not saved:
        remedy = "Use the URDF or CSV that the exporter wrote: --from FILE"
        if capture.anonymized:
            remedy = "Use a capture that is not anonymized, or the URDF that the exporter wrote"
        raise FileError(source.name, "the classic exporter saved no configuration in it", remedy=remedy)
    newest = max(saved, key=lambda each: each.version)
    return read_saved(newest.data, capture.source.name, f"{source.name}: {newest.name}")


def read_saved(text: str, name: str, source: str) -> OldRobot:
    """The robot in the saved configuration of an assembly, which is called `name`; `source` names it in messages."""
    try:
        root = parse(re.sub(r"^\s*<\?xml.*?\?>", "", text.strip("\ufeff\0 \r\n\t")).encode())
        kind = _local(root)
        if kind == "Link":
            links = list(_ContractReader(root).links())
        elif kind == "SerialNode":
            links = list(_serial_links(root))
        else:
            raise XmlProblem(f"its first element is <{kind}>, not <Link> or <SerialNode>", root)
    except XmlProblem as problem:
        raise FileError(
            source, problem.problem, place=f"line {problem.line}" if problem.line else "", remedy=REMEDY
        ) from None
    return old_robot(name, source, links)._replace(numbers_are_current=False)


def component_names(blob: str) -> tuple[str, ...]:
    """The names in a component's persistent id (base64): UTF-16 texts after FF FE FF and their length."""
    try:
        data = base64.b64decode("".join(blob.split()), validate=True)
    except (binascii.Error, ValueError):
        return ()
    found = []
    for match in NAME_IN_ID.finditer(data):
        text = data[match.end() : match.end() + 2 * match[1][0]]
        if len(text) == 2 * match[1][0]:
            found.append(text.decode("utf-16-le", errors="replace").strip("\0"))
    return tuple(dict.fromkeys(filter(None, found)))


def _local(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _later(name: str) -> str:
    """A name, or an empty text where the exporter was to choose it."""
    return "" if name in DECIDED_LATER else name


# ---- before version 1.3


def _serial_links(root: Element) -> Iterator[OldLink]:
    stack: list[tuple[Element, str, int]] = [(root, "", 0)]
    while stack:
        node, parent, depth = stack.pop()
        _check_depth(node, depth)
        texts = {_local(child): (child.text or "").strip() for child in node}
        name = texts.get("linkName", "")
        joint = OldJoint(
            texts.get("jointName", ""), _later(texts.get("jointType", "")), axis_name=_later(texts.get("axisName", ""))
        )
        ids = [each for block in node if _local(block) == "componentPIDs" for each in block]
        components = tuple(_component(each.text or "") for each in ids)
        system = _later(texts.get("coordsysName", ""))
        yield OldLink(name, parent, joint if parent else None, tuple(filter(None, components)), system)
        inside = [each for block in node if _local(block) == "Nodes" for each in block if _local(each) == "SerialNode"]
        stack += [(child, name, depth + 1) for child in reversed(inside)]


def _check_depth(element: Element, depth: int) -> None:
    if depth > DEEPEST:
        raise XmlProblem(f"more than {DEEPEST} links are above one another", element)


def _component(blob: str) -> str:
    """A component's name in the form of the assembly: `sub-1/part-1`; the id has one text, or one for each level."""
    names = component_names(blob)
    return "/".join(part.partition("@")[0] for name in names for part in name.split("/"))


# ---- from version 1.3 on


class _ContractReader:
    """Reads a tree of `Link` objects, following references."""

    def __init__(self, root: Element) -> None:
        self.root = root
        self.objects = {each.get(f"{SERIALIZATION}Id"): each for each in root.iter() if each.get(f"{SERIALIZATION}Id")}

    def links(self) -> Iterator[OldLink]:
        stack: list[tuple[Element, str, int]] = [(self.root, "", 0)]
        seen: set[Any] = set()
        while stack:
            element, parent, depth = stack.pop()
            _check_depth(element, depth)
            if element in seen:
                raise XmlProblem("a link is its own ancestor, or has two parents", element)
            seen.add(element)
            link = self._link(element, parent)
            yield link
            children = [self._object(each) for each in self._inside(element, "Children", "Link")]
            stack += [(child, link.name, depth + 1) for child in reversed(children) if child is not None]

    def _object(self, element: Element | None) -> Element | None:
        """The object itself, where the element may be a reference to it; None for nothing."""
        if element is None:
            return None
        reference = element.get(f"{SERIALIZATION}Ref")
        if reference is not None:
            if reference not in self.objects:
                raise XmlProblem(f"the object {reference} that it refers to is missing", element)
            return self.objects[reference]
        return None if element.get(f"{INSTANCE}nil") == "true" else element

    def _child(self, element: Element | None, name: str) -> Element | None:
        if element is None:
            return None
        return self._object(next((child for child in element if _local(child) == name), None))

    def _inside(self, element: Element | None, block: str, name: str) -> list[Element]:
        found = self._child(element, block)
        return [] if found is None else [child for child in found if _local(child) == name]

    def _part(self, element: Element | None, field: str, kind: str) -> Element | None:
        """A part of an object: its field, or among its ChildElements the one of that type."""
        found = self._child(element, field)
        if found is not None:
            return found
        for child in self._inside(element, "ChildElements", "URDFElement"):
            own = self._object(child)
            if own is not None and (own.get(f"{INSTANCE}type") or "").rpartition(":")[2] == kind:
                return own
        return None

    def _values(self, element: Element | None) -> dict[str, Any]:
        """The attributes of an object that have a value: a text, a number, or a list of numbers."""
        found = {}
        for each in self._inside(element, "Attributes", "Attribute"):
            attribute = self._object(each)
            kind, value = self._child(attribute, "AttributeType"), self._child(attribute, "Value")
            if kind is not None and value is not None:
                found[(kind.text or "").strip()] = self._value(value)
        return found

    def _value(self, element: Element) -> Any:  # noqa: ANN401 - a text, a number or a list
        kind = (element.get(f"{INSTANCE}type") or "").rpartition(":")[2]
        if kind == "ArrayOfdouble" or any(_local(child) == "double" for child in element):
            return tuple(self._number(child) for child in element)
        return self._number(element) if kind == "double" else (element.text or "").strip()

    def _number(self, element: Element) -> float:
        try:
            number = float(element.text or "")
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise XmlProblem(f"`{element.text}` is not a number", element)
        return number

    def _link(self, element: Element, parent: str) -> OldLink:
        joint = self._part(element, "Joint", "Joint")
        text = self._child(joint, "CoordinateSystemName")
        ids = [each.text or "" for each in self._inside(element, "SWComponentPIDs", "base64Binary")]
        main = self._child(element, "SWMainComponentPID")
        ids += [main.text or ""] if main is not None else []
        components = dict.fromkeys(filter(None, map(_component, ids)))
        return OldLink(
            str(self._values(element).get("name", "")),
            parent,
            self._joint(joint) if parent and joint is not None else None,
            tuple(components),
            _later((text.text or "").strip()) if text is not None else "",
            self._inertial(self._part(element, "Inertial", "Inertial")),
        )

    def _joint(self, joint: Element) -> OldJoint:
        values, axis_name = self._values(joint), self._child(joint, "AxisName")
        own = {
            kind: self._values(self._part(joint, field, kind))
            for field, kind in (
                ("Origin", "Origin"), ("Axis", "Axis"), ("Limit", "Limit"), ("Dynamics", "Dynamics"),
                ("Safety", "SafetyController"), ("Calibration", "Calibration"), ("Mimic", "Mimic"),
            )
        }  # fmt: skip
        dynamics, safety, calibration, mimic = (
            own[k] for k in ("Dynamics", "SafetyController", "Calibration", "Mimic")
        )
        axis = _vector(own["Axis"].get("xyz"))
        return OldJoint(
            str(values.get("name", "")),
            _later(str(values.get("type", ""))).lower(),
            _pose(own["Origin"]),
            axis if axis and any(axis) else None,
            Limits(*(_float(own["Limit"].get(key)) for key in ("lower", "upper", "velocity", "effort"))),
            Dynamics(*(_float(dynamics.get(key)) or 0.0 for key in ("damping", "friction"))) if dynamics else None,
            _safety(safety),
            Calibration(*(_float(calibration.get(key)) for key in ("rising", "falling"))) if calibration else None,
            _coupling(mimic),
            _later((axis_name.text or "").strip()) if axis_name is not None else "",
        )

    def _inertial(self, element: Element | None) -> Inertial | None:
        mass = _float(self._values(self._part(element, "Mass", "Mass")).get("value"))
        tensor = self._values(self._part(element, "Inertia", "Inertia"))
        moments = [_float(tensor.get(key)) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")]
        pose = _pose(self._values(self._part(element, "Origin", "Origin")))
        if not mass or pose is None or None in moments:
            return None
        return Inertial(mass, pose.pos, Tensor(*(each or 0.0 for each in moments)), pose.rot)


def _float(value: object) -> float | None:
    """A number of an attribute; some are stored as text, and an empty text is none."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    return value if isinstance(value, float) and math.isfinite(value) else None


def _vector(value: object) -> Vec3 | None:
    if not isinstance(value, tuple) or len(value) != 3:
        return None
    x, y, z = value
    return x, y, z


def _pose(values: dict[str, Any]) -> Pose | None:
    xyz, rpy = _vector(values.get("xyz")), _vector(values.get("rpy"))
    return None if xyz is None else Pose(xyz, rpy_quaternion(rpy or (0.0, 0.0, 0.0)))


def _safety(values: dict[str, Any]) -> Safety | None:
    gain = _float(values.get("k_velocity"))
    others = (_float(values.get(key)) or 0.0 for key in ("k_position", "soft_lower_limit", "soft_upper_limit"))
    return None if gain is None else Safety(gain, *others)


def _coupling(values: dict[str, Any]) -> Coupling | None:
    leader, ratio = values.get("joint"), _float(values.get("multiplier"))
    return (
        Coupling(str(leader), 1.0 if ratio is None else ratio, _float(values.get("offset")) or 0.0) if leader else None
    )
