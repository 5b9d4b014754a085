"""From a capture to the problem that inference solves: nodes with poses, mates in the assembly's space.

Here SolidWorks' row-vector transforms are turned into column form, once. Node 0 is the assembly itself; the
others are the components at any depth, in the order of their names.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PureWindowsPath

import msgspec
import numpy as np

from swgrm.capture import (
    Angle,
    Capture,
    Component,
    Concentric,
    Distance,
    Document,
    Gear,
    Hinge,
    Index,
    LinearCoupler,
    MateEntity,
    ProfileCenter,
    RackPinion,
    Screw,
    Slot,
    Width,
    name_order,
)
from swgrm.capture import Mate as CapturedMate
from swgrm.errors import SettingsError, nearest
from swgrm.findings import Finding, Severity
from swgrm.inference.geometry.twists import Array
from swgrm.inference.mates.types import Feature, Kind, Mate, MateType
from swgrm.transforms import homogeneous, inverse

GROUND = 0
PART = 1  # swDocPART
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
STILL = np.eye(4)  # carries nothing anywhere; told from other motions by being this object
NOTHING = (0.0,) * 7
KINDS = {0: Kind.POINT, 1: Kind.LINE, 2: Kind.CIRCLE, 3: Kind.PLANE, 4: Kind.CYLINDER, 5: Kind.SPHERE, 7: Kind.CONE}
NUMBERS_NEEDED = {Kind.POINT: 3, Kind.SPHERE: 3, Kind.OTHER: 0}  # others: 6
TYPES = {
    0: MateType.COINCIDENT, 1: MateType.CONCENTRIC, 2: MateType.PERPENDICULAR, 3: MateType.PARALLEL,
    4: MateType.TANGENT, 5: MateType.DISTANCE, 6: MateType.ANGLE, 8: MateType.SYMMETRIC, 9: MateType.CAM_FOLLOWER,
    10: MateType.GEAR, 11: MateType.WIDTH, 12: MateType.LOCK_TO_SKETCH, 13: MateType.RACK_PINION, 15: MateType.PATH,
    16: MateType.LOCK, 17: MateType.SCREW, 18: MateType.LINEAR_COUPLER, 19: MateType.UNIVERSAL,
    20: MateType.COORDINATE, 21: MateType.SLOT, 22: MateType.HINGE, 23: MateType.SLIDER,
    24: MateType.PROFILE_CENTER, 25: MateType.MAGNETIC, None: MateType.IN_PLACE,
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """The assembly, or a component in it."""

    name: str  # Name2; "" for the assembly
    component: Component | None
    document: Document | None
    T: Array  # (4, 4) T_assembly_component
    holder: int  # the node of the sub-assembly that holds it
    is_fixed: bool

    @property
    def is_assembly(self) -> bool:
        """Whether it holds other nodes."""
        return self.component is None or self.component.is_assembly

    @property
    def part(self) -> tuple[str, str]:
        """The file and configuration that it is an instance of."""
        return (self.component.path, self.component.configuration) if self.component else ("", "")


@dataclass(slots=True, eq=False)
class Problem:
    """What inference starts from."""

    nodes: list[Node]
    mates: list[Mate]
    owners: list[int]  # of each mate: the node of the assembly that it stands in
    findings: list[Finding] = field(default_factory=list)
    held: dict[int, list[Node]] = field(default_factory=lambda: defaultdict(list))  # what each assembly holds directly

    def find(self, severity: Severity, code: str, where: str, message: str) -> None:
        """Note something that a user should know."""
        self.findings.append(Finding(severity, code, where, message))

    @property
    def index(self) -> dict[str, int]:
        """The nodes by name."""
        return {node.name: number for number, node in enumerate(self.nodes)}


def column_matrix(transform: Sequence[float]) -> Array:
    """T of SolidWorks' 16 numbers: its rows are the images of the axes, so they are T's columns."""
    numbers = np.asarray(transform, float)
    return homogeneous(numbers[:9].reshape(3, 3).T, numbers[9:12])


def as_assembly(capture: Capture) -> Capture:
    """The capture of a part as that of an assembly that holds nothing else; that of an assembly as it is."""
    source = capture.source
    if source.type != PART or capture.components:
        return capture
    name = (PureWindowsPath(source.path or source.title).stem or "part") + "-1"
    one = Component(name, source.path, source.configuration, 1, b"", 3, 1, -1, IDENTITY)
    return msgspec.structs.replace(capture, components=(one,))


def pose_problem(capture: Capture, left_out: frozenset[str] = frozenset()) -> Problem:
    """The nodes and mates of a capture; what cannot be used is a finding."""
    index = Index(capture)
    problem = Problem([Node("", None, index.root, np.eye(4), GROUND, is_fixed=True)], [], [])
    _add_components(problem, index, left_out)
    numbers = problem.index
    for number, node in enumerate(problem.nodes):
        if node.is_assembly and node.document is not None:
            reader = _Reader(problem, numbers, number, node.document)
            for mate in sorted(node.document.mates, key=lambda m: (m.name, m.id)):
                _add_mate(problem, reader, mate)
    return problem


def _add_components(problem: Problem, index: Index, left_out: frozenset[str]) -> None:
    numbers = {"": GROUND}
    matched: set[str] = set()
    fixed: dict[int, set[str]] = {}  # of each assembly node, what is fixed in it
    for component in sorted(index.capture.components, key=lambda c: name_order(c.name)):
        if names := {component.name, plain_name(component.name)} & left_out:
            matched |= names
            continue
        if component.parent not in numbers:
            continue
        if component.transform is None or component.suppression == 0:
            problem.find(Severity.NOTE, "suppressed", component.name, "is suppressed and left out, with all it holds")
            continue
        if component.envelope:
            problem.find(Severity.NOTE, "envelope", component.name, "is an envelope and left out")
            continue
        if not np.isfinite(component.transform).all():
            problem.find(Severity.ERROR, "no-pose", component.name, "has a pose that is not made of numbers: left out")
            continue
        holder = numbers[component.parent]
        if holder not in fixed:
            document = problem.nodes[holder].document
            fixed[holder] = {p.name for p in document.placements if p.fixed} if document else set()
        numbers[component.name] = len(problem.nodes)
        problem.nodes.append(
            Node(
                component.name,
                component,
                index.document(component),
                column_matrix(component.transform),
                holder,
                is_fixed=component.leaf in fixed[holder],
            )
        )
        problem.held[holder].append(problem.nodes[-1])
    for name in sorted(left_out - matched):
        known = [component.name for component in index.capture.components]
        raise SettingsError(f"There is no component `{name}` to leave out.{nearest(name, known)}")


def plain_name(name: str) -> str:
    """A component's name as files have it: letters, digits and underscores."""
    return re.sub(r"[^0-9A-Za-z_]+", "_", name)


class _Reader:
    """What a mate of one assembly instance needs to be read."""

    def __init__(self, problem: Problem, numbers: dict[str, int], owner: int, document: Document) -> None:
        self.problem, self.numbers, self.owner = problem, numbers, owner
        self.prefix = problem.nodes[owner].name + "/" if owner != GROUND else ""
        self.placements = {p.name: p.transform for p in document.placements if p.transform is not None}
        self._carried: dict[str, tuple[int, Array]] = {}
        self.asked: dict[str, list[str]] = defaultdict(list)  # who returned each mate, by the mate's name
        for node in problem.held[owner]:
            for mate in node.component.mates if node.component else ():
                self.asked[mate].append(node.name.removeprefix(self.prefix))

    def owner_of_unnamed(self, mate: CapturedMate) -> str | None:
        """Whose an entity without a component is: the one that returned the mate and is not among its sides."""
        sides = {entity.component for entity in mate.entities if entity.component}
        missing = sum(not entity.component for entity in mate.entities)
        others = [name for name in self.asked[mate.name] if name not in sides]
        return others[0] if missing == 1 and len(others) == 1 else None

    def carry(self, name: str) -> tuple[int, Array]:
        """The node of an entity's component, and what carries the mate's coordinates to the assembly's space."""
        if name not in self._carried:
            self._carried[name] = self._find(name)
        return self._carried[name]

    def _find(self, name: str) -> tuple[int, Array]:
        node = self.numbers[self.prefix + name] if name else self.owner
        T_root_owner = self.problem.nodes[self.owner].T
        placed = self.placements.get(name)
        if not name or placed is None:
            return node, T_root_owner
        T_root_component = self.problem.nodes[node].T
        T_owner_component = column_matrix(placed)
        if self.owner == GROUND and np.abs(T_owner_component - T_root_component).max() < 1e-12:
            return node, STILL
        return node, T_root_component @ inverse(T_owner_component)


def _add_mate(problem: Problem, reader: _Reader, mate: CapturedMate) -> None:
    where = reader.prefix + mate.name
    if mate.suppressed:
        problem.find(Severity.NOTE, "mate-suppressed", where, "is suppressed: it holds nothing")
        return
    if mate.error and not mate.warning:
        problem.find(Severity.WARNING, "mate-failed", where, f"failed in SolidWorks (error {mate.error}): not used")
        return
    features, carried = [], []
    for entity in mate.entities:
        name = entity.component or reader.owner_of_unnamed(mate) or ""
        if name and reader.prefix + name not in reader.numbers:
            problem.find(
                Severity.WARNING, "mate-component", where,
                f"refers to `{name}`, which is not there: the mate is not used",
            )  # fmt: skip
            return
        node, T = reader.carry(name)
        carried.append(T)
        features.append(_feature(entity, node, T))
    as_filed = None
    if any(
        T is not carried[0] and np.abs(T - carried[0]).max() > 1e-9 for T in carried
    ):  # a flexible instance has its parts elsewhere
        as_filed = tuple(_feature(entity, 0, STILL) for entity in mate.entities)
    problem.mates.append(_read_mate(mate, where, tuple(features), as_filed))
    problem.owners.append(reader.owner)


def _feature(entity: MateEntity, node: int, T: Array) -> Feature:
    """An entity carried to the assembly's space."""
    kind = KINDS.get(entity.type, Kind.OTHER)
    numbers = entity.params
    if len(numbers) < NUMBERS_NEEDED.get(kind, 6):
        kind = Kind.POINT if len(numbers) >= 3 else Kind.OTHER
    is_directed = kind not in (Kind.POINT, Kind.SPHERE, Kind.OTHER)
    x, y, z, i, j, k, size, *_ = (*numbers, *NOTHING)
    if not is_directed:
        i, j, k = 0.0, 0.0, 0.0
        size = numbers[-1] if len(numbers) in (4, 7) else 0.0
    if T is not STILL:
        x, y, z = (T[:3, :3] @ (x, y, z) + T[:3, 3]).tolist()
        i, j, k = (T[:3, :3] @ (i, j, k)).tolist()
    return Feature(kind, node, (x, y, z), (i, j, k), size)


def _read_mate(
    mate: CapturedMate, name: str, features: tuple[Feature, ...], as_filed: tuple[Feature, ...] | None
) -> Mate:
    data = mate.data
    value, minimum, maximum = _range(mate)
    return Mate(
        name=name,
        type=TYPES.get(mate.type, MateType.UNKNOWN),
        features=features,
        as_filed=as_filed,
        value=value,
        minimum=minimum,
        maximum=maximum,
        lock_rotation=isinstance(data, Concentric | ProfileCenter) and data.lock_rotation,
        anti_aligned=mate.alignment == 1,
        free=(isinstance(data, Slot) and data.constraint == 0)
        or (isinstance(data, Width) and data.constraint_type == 1),
        numbers=dict(_numbers(data)),
    )


def _range(mate: CapturedMate) -> tuple[float | None, float | None, float | None]:
    """What the mate measures now and, of a limit mate, the least and the most that it allows."""
    data = mate.data
    if isinstance(data, Distance):
        value, limits, is_limit = data.distance, (data.minimum_distance, data.maximum_distance), data.is_advanced_mate
    elif isinstance(data, Angle):
        value, limits, is_limit = data.angle, (data.minimum_angle, data.maximum_angle), data.is_advanced_mate
    elif isinstance(data, Hinge):
        value, limits, is_limit = data.angle, (data.min_val, data.max_val), data.angle_selection
    else:
        return None, None, None
    if is_limit and mate.maximum_variation is not None and math.isfinite(mate.maximum_variation):
        value = limits[1] - mate.maximum_variation  # a variation is the limit less the current value
    return value, limits[0] if is_limit else None, limits[1] if is_limit else None


def _numbers(data: object) -> Iterator[tuple[str, float]]:
    """What a coupling's definition says, as plain numbers: ratio, travel [m/rad], reverse."""
    if isinstance(data, Gear):
        yield "ratio", _quotient(data.gear_ratio_numerator, data.gear_ratio_denominator)
    elif isinstance(data, LinearCoupler):
        yield "ratio", _quotient(data.coupler_ratio_denominator, data.coupler_ratio_numerator)
    elif isinstance(data, RackPinion):
        yield "travel", data.diameter_val / 2 if data.diameter_type == 0 else data.diameter_val / (2 * np.pi)
    elif isinstance(data, Screw):
        turns = data.revolution_val
        yield "travel", (turns if data.revolution_type == 1 else _quotient(1.0, turns)) / (2 * np.pi)
    if isinstance(data, Gear | LinearCoupler | RackPinion | Screw):
        yield "reverse", float(data.reverse)


def _quotient(a: float, b: float) -> float:
    return a / b if b else float("nan")
