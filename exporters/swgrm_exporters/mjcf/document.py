"""An MJCF document made plain: files included, defaults written into the elements, orientations as quaternions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from swgrm.errors import SwgrmError
from swgrm.model import Pose, Quat, Vec3
from swgrm.storage.files import is_file, leaves_machine
from swgrm.transforms import axis_angle_matrix, matrix_quaternion
from swgrm_exporters.urdf.fields import numbers
from swgrm_exporters.xmltext import Element, Inclusions, XmlProblem, children, parse, qualified

DEEPEST = 20  # files that include files
ORIENTATIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")
ACTUATORS = ("general", "motor", "position", "velocity")
DEFAULTS_OF = {  # elements whose defaults are under another tag
    "connect": "equality", "weld": "equality", "fixed": "tendon", "spatial": "tendon",
    **dict.fromkeys(ACTUATORS, "general"),
}  # fmt: skip
Attributes = dict[str, dict[str, str]]  # by tag


def document(data: bytes, path: Path | None = None) -> Element:
    """The root element of a text, with the files that it includes, which are relative to the path."""
    root = parse(data)
    if root.tag != "mujoco":
        raise XmlProblem(f"its first element is <{qualified(root)}>, that of MJCF is <mujoco>", root)
    _include(root, [path] if path else [], Inclusions())
    return root


def _include(element: Element, above: list[Path], inclusions: Inclusions) -> None:
    """Put the files that an element includes in their places; `above` are the files that it is in."""
    for inner in list(children(element)):
        if inner.tag != "include":
            _include(inner, above, inclusions)
            continue
        name = inner.get("file", "")
        if not above or not name:
            raise XmlProblem("an <include> needs a `file`, and a file that includes it", inner)
        beside, main = above[-1].parent / name, above[0].parent / name
        if leaves_machine(beside, above[0]):
            raise XmlProblem(f"the file `{name[:120]}` is on another machine, which is not contacted", inner)
        other = beside if is_file(beside) else main
        if other in above or len(above) > DEEPEST:
            raise XmlProblem(f"the file `{name}` includes itself", inner)
        try:
            root = inclusions.read(other, inner)
        except (XmlProblem, SwgrmError) as problem:
            raise XmlProblem(f"the included file `{name}` cannot be read: {problem}", inner) from None
        _include(root, [*above, other], inclusions)
        place = list(element).index(inner)
        element[place : place + 1] = list(root)


class Defaults:
    """The classes of defaults of a document: attributes by class and tag."""

    def __init__(self, root: Element) -> None:
        self.classes: dict[str, Attributes] = {"main": {}}
        for element in root.findall("default"):
            self._class(element, {}, "main")

    def _class(self, element: Element, above: Attributes, fallback: str) -> None:
        own = {tag: dict(values) for tag, values in above.items()}
        name = element.get("class", fallback)
        for inner in children(element):
            if inner.tag != "default":
                tag = str(inner.tag)
                tag = DEFAULTS_OF.get(tag, tag)
                own[tag] = _merged(own.get(tag, {}), dict(_texts(inner)))
        self.classes[name] = own
        for inner in element.findall("default"):
            self._class(inner, own, "main")

    def apply(self, element: Element, inherited: str = "main") -> None:
        """Write the defaults into an element and all below; a body's `childclass` holds for what it contains."""
        for inner in children(element):
            tag = str(inner.tag)
            kind = "equality" if element.tag == "equality" else DEFAULTS_OF.get(tag, tag)
            wanted = inner.get("class", inherited)
            if wanted not in self.classes:
                raise XmlProblem(f"<{tag}> has the class `{wanted}`, which is not among the defaults", inner)
            given = dict(_texts(inner))
            for key, value in _merged(self.classes[wanted].get(kind, {}), given).items():
                inner.set(key, value)
            self.apply(inner, inner.get("childclass", inherited))


def _texts(element: Element) -> list[tuple[str, str]]:
    return [(str(key), str(value)) for key, value in element.items()]


def _merged(defaults: Mapping[str, str], own: Mapping[str, str]) -> dict[str, str]:
    """Attributes over defaults; an orientation replaces any other, `fromto` a position, `mesh` a type."""
    left = {key: value for key, value in defaults.items() if key != "class"}
    if any(key in own for key in ORIENTATIONS):
        left = {key: value for key, value in left.items() if key not in ORIENTATIONS}
    return {**left, **own}


class Angles:
    """How a document's angles are to be understood: in degrees unless the compiler is told otherwise."""

    def __init__(self, compiler: Mapping[str, str]) -> None:
        self.unit = 1.0 if compiler.get("angle", "degree") == "radian" else math.pi / 180
        self.sequence = compiler.get("eulerseq", "xyz")

    def pose(self, element: Element) -> Pose:
        """The pose of an element in its parent."""
        x, y, z = numbers(element, "pos", 3, (0.0, 0.0, 0.0))
        return Pose((x, y, z), self.rotation(element))

    def rotation(self, element: Element) -> Quat:
        """The quaternion of an element's orientation, in whichever form it has."""
        if element.get("quat") is not None:
            w, x, y, z = numbers(element, "quat", 4)
            return _unit((x, y, z, w), element)
        if element.get("axisangle") is not None:
            x, y, z, angle = numbers(element, "axisangle", 4)
            return matrix_quaternion(axis_angle_matrix(_direction((x, y, z), element), angle * self.unit))
        if element.get("euler") is not None:
            return self._euler(element)
        if element.get("xyaxes") is not None:
            values = numbers(element, "xyaxes", 6)
            x_axis = _direction(values[:3], element)
            y_axis = np.array(values[3:]) - (x_axis @ np.array(values[3:])) * x_axis
            y_axis = _direction(y_axis.tolist(), element)
            return matrix_quaternion(np.column_stack([x_axis, y_axis, np.cross(x_axis, y_axis)]))
        if element.get("zaxis") is not None:
            return quaternion_to(numbers(element, "zaxis", 3), element)
        return (0.0, 0.0, 0.0, 1.0)

    def _euler(self, element: Element) -> Quat:
        R = np.eye(3)
        if len(self.sequence) != 3 or set(self.sequence.lower()) - set("xyz"):
            raise XmlProblem(f"the compiler has the eulerseq `{self.sequence}`; write three of xyzXYZ", element)
        for letter, angle in zip(self.sequence, numbers(element, "euler", 3), strict=True):
            turn = axis_angle_matrix(np.eye(3)["xyz".index(letter.lower())], angle * self.unit)
            R = R @ turn if letter.islower() else turn @ R
        return matrix_quaternion(R)


def quaternion_to(direction: tuple[float, ...], element: Element) -> Quat:
    """The shortest rotation that takes z to a direction."""
    to = _direction(direction, element)
    axis, cosine = np.cross([0.0, 0.0, 1.0], to), float(to[2])
    sine = float(np.linalg.norm(axis))
    if sine < 1e-12:
        return (0.0, 0.0, 0.0, 1.0) if cosine > 0 else (1.0, 0.0, 0.0, 0.0)
    return matrix_quaternion(axis_angle_matrix(axis / sine, math.atan2(sine, cosine)))


def _direction(values: tuple[float, ...] | list[float], element: Element) -> np.ndarray:
    length = math.hypot(*values)
    if not length > 1e-12:
        raise XmlProblem(f"<{element.tag}> has a direction of length zero", element)
    return np.array(values) / length


def _unit(q: Quat, element: Element) -> Quat:
    length = math.hypot(*q)
    if not length > 1e-12:
        raise XmlProblem(f"<{element.tag}> has a quaternion of zeros, which is not a rotation", element)
    x, y, z, w = q if abs(length - 1) < 1e-12 else tuple(value / length for value in q)
    return (x, y, z, w)


def vec3(values: tuple[float, ...]) -> Vec3:
    """Three numbers as a vector."""
    x, y, z = values
    return (x, y, z)
