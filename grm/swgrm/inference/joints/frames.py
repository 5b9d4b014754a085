"""Frames: where joints, components and reference geometry stand in the tree, and how they are called."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import numpy as np

from swgrm.capture import ReferenceGeometry
from swgrm.inference.mechanism.joint_chain import Move
from swgrm.inference.geometry.twists import Array, cross, perpendiculars, unit
from swgrm.inference.options import Options
from swgrm.inference.problem import Node, Problem, column_matrix
from swgrm.model import Entity, EntityKind, Frame, JointType, Link, Mark, Patch, Pose, Segment
from swgrm.transforms import homogeneous

UP = {"y": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]).T, "z": np.eye(3)}
"""R_assembly_base: the base's z is the assembly's up, its x is the assembly's x."""
PLANE_SIZE = 0.1  # [m] how large a plane is shown


class Names:
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


def body_names(problem: Problem, mains: list[int]) -> dict[int, str]:
    """A name for each body, after its main component: bare, or with its instance number, or with its whole path."""
    options = {main: _called(problem.nodes[main].name) for main in mains}
    counts = [Counter(names) for names in zip(*options.values(), strict=True)]
    return {
        main: next((name for name, count in zip(names, counts, strict=True) if count[name] == 1), names[-1])
        for main, names in options.items()
    }


def _called(name: str) -> tuple[str, str, str]:
    """What `sub-1/finger-2` may be called: finger, finger_2, sub_1_finger_2."""
    numbered = [re.sub(r"-(\d+)$", r"_\1", part) for part in name.split("/")]
    return re.sub(r"-\d+$", "", name.rpartition("/")[2]), numbered[-1], "_".join(numbered)


def joint_pose(move: Move, T_main: Array) -> Array:
    """Where a moving frame stands at q = 0: on its axis, nearest the body's main component; z along the axis.

    x follows the component's x axis (its y, where x runs along the joint). A ball's frame is turned as the component.
    """
    origin = T_main[:3, 3]
    if move.type is JointType.BALL:
        return homogeneous(T_main[:3, :3], move.point)
    if move.type is not JointType.PRISMATIC:
        origin = move.point + move.axis * float(move.axis @ (origin - move.point))
    z = move.axis
    guide = T_main[:3, 0] if abs(T_main[:3, 0] @ z) < 0.9 else T_main[:3, 1]
    x = unit(guide - z * float(guide @ z))
    return homogeneous(np.array([x, cross(z, x), z]).T, origin)


def component_frame(node: Node, identifier: str, parent: str) -> Frame:
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


def properties(node: Node) -> dict[str, str]:
    """The custom properties of the form tag.attribute: what formats keep beyond their core."""
    found = node.document.properties if node.document else ()
    return {p.name: p.resolved for p in found if re.fullmatch(r"[^.\s]+\.[^\s]+", p.name)}


def geometry_frames(node: Node, parent: str, names: Names, options: Options, skipped: Counter[str]) -> Iterator[Frame]:
    """The reference geometry of a component as pure frames under its frame; what is left out is counted."""
    for item in node.document.geometry if node.document else ():
        if item.suppressed:
            continue
        is_own = item.default or item.kind == "origin"
        if (is_own and not options.default_geometry) or (item.kind not in options.geometry and not is_own):
            skipped["default" if is_own else item.kind] += 1
            continue
        placed = _placed(item)
        if placed is None:
            skipped["unreadable"] += 1
            continue
        T, kind, shape = placed
        path = f"{node.name}/{item.name}" if node.name else item.name
        yield Frame(
            id=names.take(path),
            name=item.name,
            parent=parent,
            transform=Pose.from_matrix(T),
            entity=Entity(kind, path, persistent_id=item.persistent_id.hex()),
            geometry=shape,
        )


def _placed(item: ReferenceGeometry) -> tuple[Array, EntityKind, Patch | Segment | Mark | None] | None:
    """Where reference geometry stands in its component, as what, and how it is shown."""
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
