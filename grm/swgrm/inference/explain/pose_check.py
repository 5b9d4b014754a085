"""The check of every mate against the assembled pose, with its entities as they were read.

A mate that the pose contradicts was read in a wrong space, as a wrong kind or in another configuration, or the assembly
was not rebuilt. What a mate requires are the equations of its relations, and the value that it measures: a distance, an
angle, a contact (zero), or a range. Gear, rack and pinion and linear coupler mates are not checked, because they relate
changes of position, which one pose does not show; of a screw mate only its axis is. Lock, in-place and coordinate mates
are not checked, because they hold whatever pose they find. A value is compared in the poses of the mate's document: in
a flexible instance, the parts may be elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import hypot, pi, tau
from operator import neg
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from swgrm.capture import MateEntity, Width
from swgrm.findings import Findings
from swgrm.inference.explain.pose_hints import MOST_HINTS, hint
from swgrm.inference.geometry.equations import ANGLE_TOLERANCE, LENGTH_TOLERANCE
from swgrm.inference.geometry.plain_vectors import angle_between, cross, difference, dot, unit
from swgrm.inference.joints.limit_values import measured_entities
from swgrm.inference.mates.compound import first_two, screw_axis, width
from swgrm.inference.mates.entity_pairs import RelatedEntities
from swgrm.inference.mates.equation_system import UNSATISFIED, assemble, missed
from swgrm.inference.mates.table import held_relations
from swgrm.inference.mates.types import (
    GeometryKind,
    MateNotUnderstood,
    MateType,
    PlacedEntity,
    PlacedMate,
    check_geometry,
)
from swgrm.inference.mechanism.solver import Mechanism
from swgrm.inference.problem import InferenceProblem
from swgrm.solidworks.swconst import swMateWidthOptions_e as WidthOption
from swgrm.ties import first_smallest

LENGTH, ANGLE = UNSATISFIED * LENGTH_TOLERANCE, UNSATISFIED * ANGLE_TOLERANCE  # [m], [rad]


def report_contradictions(problem: InferenceProblem, mechanism: Mechanism, findings: Findings) -> None:
    """Report the mates that the assembled pose contradicts."""
    satisfied = set(mechanism.equations.mate.tolist())
    unknown = [number for number in range(len(problem.mates)) if number not in satisfied]
    off = dict(_off(problem.mates, unknown))
    values = {number: text for number, mate in enumerate(problem.mates) if (text := _wrong_value(mate))}
    for count, (number, text) in enumerate(sorted({**values, **off}.items())):
        mate = problem.mates[number]
        if mate.source is None:
            continue
        read = "; ".join(map(_raw_text, mate.source.entities))
        tip = "The hints at other mates may apply."
        if count < MOST_HINTS:
            tip = hint(problem, mate, holds)
        findings.add("mate-contradicted", f"mate {mate.name}", problem=text, entities=read, hint=tip)


def holds(mate: PlacedMate) -> bool:
    """Whether a mate requires something that can be checked, and its entities satisfy all of it."""
    try:
        equations = assemble([(0, each) for each in _relations(mate)])
        readings = _readings(mate)
    except MateNotUnderstood:
        return False
    is_known = len(readings) > 0 or bool(np.isfinite(equations.intended).any())
    return is_known and not missed(equations) and not _wrong_value(mate)


def _readings(mate: PlacedMate) -> list[float]:
    check_geometry(mate)
    measured = _measured(mate)
    return [] if measured is None else measured.readings(is_angle=mate.type in _ANGLES)


def _raw_text(entity: MateEntity) -> str:
    numbers = ", ".join(f"{number:.9g}" for number in entity.params)
    where = f"`{entity.component}`" if entity.component else "the assembly"
    return f"type {entity.type}, selection type {entity.selection_type} of {where} ({numbers})"


# ---- equations


def _off(mates: Sequence[PlacedMate], numbers: Sequence[int]) -> Iterator[tuple[int, str]]:
    """The mates whose equations the pose does not satisfy, with what is wrong."""
    related: list[tuple[int, RelatedEntities]] = []
    for number in numbers:
        mate = mates[number]
        try:
            related += [(number, each) for each in _relations(mate)]
        except MateNotUnderstood:
            continue
    for number, worst in missed(assemble(related)).items():
        yield number, f"its entities are {worst:.3g} m or rad away from where it requires them"


def _relations(mate: PlacedMate) -> list[RelatedEntities]:
    return [screw_axis(mate)] if mate.type is MateType.SCREW else held_relations(mate)


# ---- values


class _Measured(NamedTuple):
    """What a mate measures between two entities, and the value that it requires."""

    first: PlacedEntity
    second: PlacedEntity
    value: float | None  # [m or rad]; None: only its range is known
    is_contact: bool = False  # of their surfaces

    def readings(self, *, is_angle: bool) -> list[float]:
        """What SolidWorks may measure between the two, always in the same order; none where that is not known."""
        return _angles(self.first, self.second) if is_angle else _distances(*self[:2], is_contact=self.is_contact)


_ANGLES = (MateType.ANGLE, MateType.HINGE)
_K = GeometryKind
_ON_SURFACE = {  # coincident with the surface or curve of the first, which its radius gives
    (_K.CIRCLE, _K.POINT), (_K.CYLINDER, _K.POINT), (_K.SPHERE, _K.POINT), (_K.CYLINDER, _K.LINE),
}  # fmt: skip
_POINTS = (_K.POINT, _K.SPHERE, _K.CIRCLE)
_LINES = (_K.LINE, _K.CYLINDER)


def _wrong_value(mate: PlacedMate) -> str:
    """What is wrong with the value or range of a mate, "" if nothing is."""
    try:
        if (now := _measured(mate)) is None:
            return ""
        check_geometry(mate)
        filed = (_measured(replace(mate, entities=mate.as_filed)) if mate.as_filed else None) or now
    except MateNotUnderstood:
        return ""
    is_angle = mate.type in _ANGLES
    before = filed.readings(is_angle=is_angle)
    after = before if filed is now else now.readings(is_angle=is_angle)
    tolerance, unit_name = (ANGLE, "rad") if is_angle else (LENGTH, "m")
    fits = [True] * len(before)
    if (required := filed.value) is not None and before:
        fits = [abs(reading - required) < tolerance for reading in before]
        if not any(fits):
            nearest = before[first_smallest([abs(reading - required) for reading in before])]
            return f"it requires {required:.6g} {unit_name}, and its entities measure {nearest:.6g} {unit_name}"
    if mate.is_limit and mate.minimum is not None and mate.maximum is not None and after:
        fitting = [reading for reading, fit in zip(after, fits, strict=True) if fit]
        if not any(mate.minimum - tolerance <= reading <= mate.maximum + tolerance for reading in fitting):
            span = f"{mate.minimum:.6g} to {mate.maximum:.6g} {unit_name}"
            return f"it allows {span}, and its entities measure {fitting[0]:.6g} {unit_name}"
    return ""


def _measured(mate: PlacedMate) -> _Measured | None:
    """What a mate measures, if it requires a value."""
    return _VALUES[mate.type](mate) if mate.type in _VALUES else None


def _dimension(mate: PlacedMate) -> _Measured | None:
    if mate.value is None and not mate.is_limit:
        return None
    value = mate.value if mate.value is None or mate.type is not MateType.DISTANCE else abs(mate.value)
    return _Measured(*measured_entities(mate), value)


def _hinge(mate: PlacedMate) -> _Measured | None:
    return _dimension(mate) if mate.is_limit and not mate.is_from_pose else None


def _contact(mate: PlacedMate) -> _Measured | None:
    first, second = first_two(mate)
    return _Measured(first, second, 0.0, is_contact=True) if first.radius > 0 or second.radius > 0 else None


def _coincidence(mate: PlacedMate) -> _Measured | None:
    first, second = first_two(mate)
    if (first.kind, second.kind) not in _ON_SURFACE:
        first, second = second, first
    if (first.kind, second.kind) not in _ON_SURFACE or not first.radius > 0:
        return None
    if first.kind is GeometryKind.CIRCLE:
        first = replace(first, kind=GeometryKind.LINE)
    return _Measured(first, second, 0.0, is_contact=True)


def _centre(mate: PlacedMate) -> _Measured | None:
    first, second = (replace(entity, kind=GeometryKind.PLANE, radius=0.0) for entity in first_two(mate))
    return _Measured(first, second, abs(mate.value)) if mate.value is not None else None


def _groove(mate: PlacedMate) -> _Measured | None:
    data = mate.source.data if mate.source else None
    if not isinstance(data, Width) or data.constraint_type != WidthOption.swMateWidth_Centered:
        return None
    check_geometry(mate)
    (related,) = width(mate)
    return _Measured(related.first, related.second, 0.0)


_VALUES: Mapping[MateType, Callable[[PlacedMate], _Measured | None]] = {
    MateType.DISTANCE: _dimension,
    MateType.ANGLE: _dimension,
    MateType.HINGE: _hinge,
    MateType.TANGENT: _contact,
    MateType.COINCIDENT: _coincidence,
    MateType.PROFILE_CENTER: _centre,
    MateType.WIDTH: _groove,
}


def _angles(first: PlacedEntity, second: PlacedEntity) -> list[float]:
    """The angles that SolidWorks may mean: between the directions, its supplement, either beyond 180° or negative."""
    angle = angle_between(first.direction, second.direction)
    turned = [angle, pi - angle, tau - angle, pi + angle]
    return [*turned, *map(neg, turned)]


def _distances(first: PlacedEntity, second: PlacedEntity, *, is_contact: bool) -> list[float]:
    """The distances that SolidWorks may mean: between centres or axes, or surfaces; of a contact, only of surfaces."""
    if first.kind in _POINTS or (first.kind in _LINES and second.kind is GeometryKind.PLANE):
        first, second = second, first
    gap = difference(second.point, first.point)
    a = unit(first.direction)
    normal = cross(a, unit(second.direction))
    if first.kind is GeometryKind.PLANE:
        between = abs(dot(a, gap))
    elif first.kind in _POINTS:
        between = hypot(*gap)
    elif first.kind in _LINES and second.kind in _LINES and hypot(*normal) > ANGLE_TOLERANCE:
        between = abs(dot(unit(normal), gap))
    elif first.kind in _LINES and second.kind in (*_POINTS, *_LINES):
        between = hypot(*cross(gap, a))
    else:
        return []
    r, s = first.radius, second.radius
    surfaces = [-r - s, r - s, s - r]
    return [abs(between + more) for more in (surfaces if is_contact else [0.0, *surfaces, r + s, r, -r, s, -s])]
