"""Frames of joints, components and reference geometry: their poses and their names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from swgrm.capture import ReferenceGeometry
from swgrm.errors import SettingsError, nearest
from swgrm.inference.geometry.twists import Array, cross, perpendiculars, unit
from swgrm.inference.mechanism.joint_chain import SimpleJoint
from swgrm.inference.problem import AssemblyNode, InferenceProblem
from swgrm.model import Entity, EntityKind, Frame, JointType, Link, Mark, Patch, Pose, Segment
from swgrm.settings import FrameSettings
from swgrm.transforms import column_matrix, homogeneous

UP = {"y": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]).T, "z": np.eye(3)}
"""R_assembly_base: the base's z is the assembly's up, its x is the assembly's x."""
PLANE_SIZE = 0.1  # [m] how large a plane is shown
GEOMETRY_KINDS = {  # of reference geometry in a capture: the setting that includes it
    "coordinateSystem": "coordinate_systems",
    "plane": "planes",
    "axis": "axes",
    "point": "points",
}
GEOMETRY_WORDS = {"coordinateSystem": "coordinate system", "axis": "axis", "point": "point", "origin": "origin"}
PRISMATIC, BALL = JointType.PRISMATIC, JointType.BALL
_INSTANCE = re.compile(r"(.*?)(?:-(\d+))?", re.DOTALL)  # a component's name and its instance number
DEFAULT, UNREADABLE = "default planes and origins", "unreadable"


class UniqueNames:
    """Identifiers that occur once."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, wanted: str) -> str:
        """The wanted name, or the first of name_2, name_3, … that is free."""
        name, count = wanted, 1
        while name in self._taken:
            count += 1
            name = f"{wanted}_{count}"
        self._taken.add(name)
        return name


def body_names(problem: InferenceProblem, mains: list[int]) -> dict[int, str]:
    """A name for each body, after its main component: bare, or with its instance number, or with its whole path."""
    options = {main: possible_names(problem.nodes[main].name) for main in mains}
    counts = [Counter(names) for names in zip(*options.values(), strict=True)]
    return {
        main: next((name for name, count in zip(names, counts, strict=True) if count[name] == 1), names[-1])
        for main, names in options.items()
    }


def possible_names(name: str) -> tuple[str, str, str]:
    """What `sub-1/finger-2` may be called: finger, finger_2, sub_1_finger_2."""
    parts = [each.groups() for each in map(_INSTANCE.fullmatch, name.split("/")) if each]
    numbered = [f"{bare}_{number}" if number else bare for bare, number in parts]
    return parts[-1][0], numbered[-1], "_".join(numbered)


def joint_poses(simples: Sequence[SimpleJoint], T_main: Array) -> Array:
    """The poses of moving frames at q = 0: on their axes, nearest to the bodies' main components; z along the axis.

    x follows the component's x axis (its y, where x runs along the joint). A ball joint's frame has the orientation of
    the component.  # (n, 4, 4) → (n, 4, 4).
    """
    z = np.array([simple.axis for simple in simples])
    points = np.array([simple.point for simple in simples])
    slides, is_ball = (np.array([simple.type is kind for simple in simples]) for kind in (PRISMATIC, BALL))
    first, second, place = T_main[:, :3, 0], T_main[:, :3, 1], T_main[:, :3, 3]
    is_clear = np.abs(_products(first, z)) < 0.9
    along = np.where(is_clear, _products(first, z), _products(second, z))
    x = unit(np.where(is_clear, first, second) - z * along)
    T = T_main.copy()
    T[:, :3, 0], T[:, :3, 1], T[:, :3, 2] = x, cross(z, x), z
    T[:, :3, 3] = np.where(slides[:, None], place, points + z * _products(z, place - points))
    T[is_ball, :3, :3], T[is_ball, :3, 3] = T_main[is_ball, :3, :3], points[is_ball]
    return T


def _products(a: Array, b: Array) -> Array:
    """The products a · b, in a column.  # (n, 3), (n, 3) → (n, 1)."""
    products: Array = (a[:, None] @ b[..., None])[..., 0]
    return products


def moved_along(T: Array, simple: SimpleJoint, origin: Array) -> Array:
    """The pose of a joint's frame at an origin; on the axis, for joints that turn about one."""
    T = T.copy()
    if simple.type is JointType.REVOLUTE:
        origin = simple.point + simple.axis * float(simple.axis @ (origin - simple.point))
    T[:3, 3] = origin if simple.type is not JointType.BALL else simple.point
    return T


def component_frame(node: AssemblyNode, identifier: str, parent: str) -> Frame:
    """A component's own frame: rigid in its body; a part has its link there, a sub-assembly none."""
    component = node.component
    entity = Entity(
        EntityKind.COMPONENT, node.name, component.configuration if component else "",
        component.persistent_id.hex() if component else "",
    )  # fmt: skip
    links = () if node.is_assembly else (Link(name=identifier, entity=entity, props=properties(node)),)
    return Frame(
        id=identifier,
        name=node.name,
        parent=parent,
        links=links,
        entity=entity,
        props=properties(node) if node.is_assembly else {},
    )


def properties(node: AssemblyNode) -> dict[str, str]:
    """The custom properties of the form tag.attribute: what formats keep beyond their core.

    `robot.KEY` of the assembly and `link.KEY` of a component belong to the robot or link itself: as its attribute, or
    where KEY has a dot, as KEY alone.
    """
    found = node.document.properties if node.document else ()
    own = "link." if node.name else "robot."
    result = {}
    for each in found:
        if re.fullmatch(r"[^.\s]+\.[^\s]+", each.name):
            key = each.name.removeprefix(own)
            result[key if "." in key else f"@{key}"] = each.resolved
    return result


def coordinate_system(problem: InferenceProblem, path: str, at: tuple[str, ...] = ()) -> Array:
    """T_assembly_frame of the coordinate system that the settings name at that place."""
    return placed_geometry(problem, path, ("coordinateSystem",), at)


def placed_geometry(problem: InferenceProblem, path: str, kinds: tuple[str, ...], at: tuple[str, ...]) -> Array:
    """T_assembly_geometry of reference geometry of these kinds, by its path or, where only one has it, its name."""
    drawn: dict[str, Array] = {}
    short: dict[str, list[str]] = {}
    for node in problem.nodes:
        for item in node.document.geometry if node.document else ():
            if item.kind in kinds and (placed := _placed(item)):
                drawn[_path(node, item)] = node.T @ placed[0]
                short.setdefault(item.name, []).append(_path(node, item))
    found = [path] if path in drawn else short.get(path, [])
    if len(found) == 1:
        return drawn[found[0]]
    what = " or ".join(GEOMETRY_WORDS[kind] for kind in kinds)
    if found:
        raise SettingsError(f"There are several `{path}`. Write one of {', '.join(found)}.", at)
    raise SettingsError(f"There is no {what} `{path}`.{nearest(path, [*drawn, *short])}", at)


def _path(node: AssemblyNode, item: ReferenceGeometry) -> str:
    return f"{node.name}/{item.name}" if node.name else item.name


def geometry_frames(
    node: AssemblyNode, parent: str, names: UniqueNames, wanted: FrameSettings, skipped: Counter[str]
) -> Iterator[Frame]:
    """The reference geometry of a component as frames without links; what is left out is counted by kind."""
    kinds = {kind for kind, setting in GEOMETRY_KINDS.items() if getattr(wanted, setting)}
    for item in node.document.geometry if node.document else ():
        if item.suppressed or not {item.name, _path(node, item)}.isdisjoint(wanted.leave_out):
            continue
        is_own = item.default or item.kind == "origin"
        if (is_own and not wanted.default_geometry) or (item.kind not in kinds and not is_own):
            skipped[DEFAULT if is_own else item.kind] += 1
            continue
        placed = _placed(item)
        if placed is None:
            skipped[UNREADABLE] += 1
            continue
        T, kind, shape = placed
        path = _path(node, item)
        yield Frame(
            id=names.take(path),
            name=item.name,
            parent=parent,
            transform=Pose.from_matrix(T),
            entity=Entity(kind, path, persistent_id=item.persistent_id.hex()),
            geometry=shape,
        )


def _placed(item: ReferenceGeometry) -> tuple[Array, EntityKind, Patch | Segment | Mark | None] | None:
    """The pose of reference geometry in its component, its kind, and its shape; None if its numbers are not usable."""
    numbers = np.array(item.numbers, float)
    if not np.isfinite(numbers).all():
        return None
    if item.kind == "origin":
        return np.eye(4), EntityKind.POINT, Mark()
    if item.kind == "point" and len(numbers) >= 3:
        return homogeneous(np.eye(3), numbers[:3]), EntityKind.POINT, Mark()
    if item.kind == "axis" and len(numbers) >= 6:
        return _axis(numbers[:3], numbers[3:6])
    if item.kind in ("plane", "coordinateSystem") and len(numbers) >= 12:
        T = column_matrix(item.numbers)
        if item.kind == "plane":
            return T, EntityKind.PLANE, Patch((PLANE_SIZE, PLANE_SIZE))
        return T, EntityKind.COORDINATE_SYSTEM, None
    return None


def _axis(start: Array, end: Array) -> tuple[Array, EntityKind, Segment] | None:
    length = float(np.linalg.norm(end - start))
    if not length > 0:
        return None
    z = (end - start) / length
    x, y = perpendiculars(z)
    return homogeneous(np.column_stack([x, y, z]), (start + end) / 2), EntityKind.AXIS, Segment(length)
