"""Mates of a capture placed in the assembly's space; mates that cannot be used become findings."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import singledispatch
from typing import NamedTuple

import numpy as np

from swgrm.capture import (
    Angle,
    Concentric,
    Distance,
    Document,
    Gear,
    Hinge,
    LinearCoupler,
    Mate,
    MateEntity,
    ProfileCenter,
    RackPinion,
    Screw,
    Slot,
    Width,
)
from swgrm.errors import SettingsError, nearest
from swgrm.findings import Findings
from swgrm.inference.explain.pose_check import holds
from swgrm.inference.mates.coupling_numbers import (
    LENGTHS,
    CouplingNumbers,
    MateReading,
    contradicting_radii,
    gear,
    linear_coupler,
    rack_pinion,
    screw,
)
from swgrm.inference.mates.guides import with_cam_obstacles
from swgrm.inference.mates.placed_entities import IN_PLACE, EntityFrames, place_entity
from swgrm.inference.mates.table import MATES
from swgrm.inference.mates.types import GeometryKind, MateType, PlacedEntity, PlacedMate
from swgrm.inference.problem import GROUND, AssemblyNode, held_nodes
from swgrm.model import JointType
from swgrm.model.words import number_text, position_text
from swgrm.settings import ConventionSettings
from swgrm.solidworks.conventions import AssumedConvention, assumed
from swgrm.solidworks.swconst import swFeatureError_e
from swgrm.solidworks.swconst import swMateWidthOptions_e as WidthOption
from swgrm.solidworks.swconst import swSlotMateConstraintOptions_e as SlotOption
from swgrm.transforms import column_matrix, inverse

# A mate that over-defines an assembly fails, and so do the good ones that it fights. Live SolidWorks 2024 returned 51
# for such mates, too, although the type library names it as an error of sketches.
FIGHTING = frozenset(
    (swFeatureError_e.swFeatureErrorMateOverdefined, swFeatureError_e.swFeatureErrorMateIlldefined, 51)
)
ROUNDING = 1e-9  # [rad] of SolidWorks' numbers
TYPES: Mapping[int | None, MateType] = {spec.number: kind for kind, spec in MATES.items()}


def read_mates(
    nodes: Sequence[AssemblyNode], ignored: Collection[str], conventions: ConventionSettings, findings: Findings
) -> tuple[PlacedMate, ...]:
    """The usable mates of all assembly nodes, without the `ignored` ones."""
    numbers = {node.name: number for number, node in enumerate(nodes)}
    held = held_nodes(nodes)
    mates: list[PlacedMate] = []
    for number, node in enumerate(nodes):
        if node.is_assembly and node.document is not None:
            instance = _AssemblyInstance(nodes, numbers, number, node.document, held[number], conventions)
            for mate in sorted(node.document.mates, key=lambda m: (m.name, m.id)):
                placed = _place(instance, mate, findings)
                mates += [placed] if placed else []
    names = {mate.name for mate in mates}
    for name in sorted(ignored):
        if name not in names:
            problem = f"There is no mate `{name}` to ignore.{nearest(name, [mate.name for mate in mates])}"
            raise SettingsError(problem, ("mates", "ignore"))
    return tuple(with_cam_obstacles([mate for mate in mates if mate.name not in ignored] if ignored else mates))


class _AssemblyInstance:
    """An instance of an assembly, and where it has the components that its mates refer to."""

    def __init__(
        self,
        nodes: Sequence[AssemblyNode],
        numbers: Mapping[str, int],
        owner: int,
        document: Document,
        held: Sequence[int],
        conventions: ConventionSettings,
    ) -> None:
        self.conventions, self.unit = conventions, LENGTHS.get(document.linear_unit, LENGTHS[0])
        self.owner, self.prefix = owner, nodes[owner].name + "/" if owner != GROUND else ""
        self._nodes, self._numbers = nodes, numbers
        self._placements = {p.name: p.transform for p in document.placements if p.transform is not None}
        entities = [entity for mate in document.mates for entity in mate.entities]
        self._referred = {entity.selection_type for entity in entities if entity.params and not entity.lost}
        self._carried: dict[str, EntityFrames | None] = {}
        self._returned: dict[str, list[str]] = defaultdict(list)  # the components that returned each mate
        for number in held:
            component = nodes[number].component
            for mate in component.mates if component else ():
                self._returned[mate].append(nodes[number].name.removeprefix(self.prefix))

    def has_lost_entity(self, mate: Mate) -> bool:
        """Whether an entity of a mate exists no longer: it has no reference, and others of its kind have one."""
        return any(entity.lost and entity.selection_type in self._referred for entity in mate.entities)

    def component_of(self, entity: MateEntity, mate: Mate) -> str:
        """The component of an entity, "" for the assembly's own geometry.

        An entity without a component belongs to the one that returned the mate and is not among its other sides.
        """
        if entity.component:
            return entity.component
        sides = {each.component for each in mate.entities if each.component}
        missing = sum(not each.component for each in mate.entities)
        others = [name for name in self._returned[mate.name] if name not in sides]
        return others[0] if missing == 1 and len(others) == 1 else ""

    def carry(self, component: str) -> EntityFrames | None:
        """The node of a component ("": the assembly), and the transforms to the assembly's space; None if not known."""
        if component not in self._carried:
            self._carried[component] = self._find(component)
        return self._carried[component]

    def as_filed(self, component: str) -> EntityFrames:
        """The transforms to the coordinates of the mate's document."""
        placed = self._placements.get(component)
        return EntityFrames(GROUND, IN_PLACE, IN_PLACE if placed is None else column_matrix(placed))

    def _find(self, name: str) -> EntityFrames | None:
        node = self._numbers.get(self.prefix + name) if name else self.owner
        if node is None:
            return None
        T_root_owner, T_root_component = self._nodes[self.owner].T, self._nodes[node].T
        placed = self._placements.get(name)
        if not name or placed is None:
            return EntityFrames(node, T_root_owner, T_root_component)
        component = self._nodes[node].component
        if self.owner == GROUND and component and component.transform == placed:
            return EntityFrames(node, IN_PLACE, T_root_component)
        T_owner_component = column_matrix(placed)
        if self.owner == GROUND and np.abs(T_owner_component - T_root_component).max() < 1e-12:
            return EntityFrames(node, IN_PLACE, T_root_component)
        return EntityFrames(node, T_root_component @ inverse(T_owner_component), T_root_component)


def _place(instance: _AssemblyInstance, mate: Mate, findings: Findings) -> PlacedMate | None:
    """The mate in the assembly's space, or None with a finding."""
    where = f"mate {instance.prefix}{mate.name}"
    if not _is_usable(instance, mate, where, findings):
        return None
    placed = _place_entities(instance, mate, where, findings)
    if placed is None or not mate.error or mate.warning:
        return placed
    # One of a set of mates that contradict each other: those that the pose satisfies are the good ones.
    if not holds(placed):
        findings.add("mate-failed", where, error=mate.error)
        return None
    findings.add("mate-over-defined", where, error=mate.error)
    return placed


def _is_usable(instance: _AssemblyInstance, mate: Mate, where: str, findings: Findings) -> bool:
    """Whether a mate holds something as far as SolidWorks reports it; if not, with a finding."""
    if mate.suppressed:
        findings.add("mate-suppressed", where)
        return False
    if mate.error and not mate.warning and mate.error not in FIGHTING:
        if mate.error == swFeatureError_e.swFeatureErrorMateBroken:
            findings.add("mate-broken", where)
        else:
            findings.add("mate-failed", where, error=mate.error)
        return False
    if not any(entity.lost for entity in mate.entities):
        return True
    is_lost = instance.has_lost_entity(mate)
    findings.add("mate-lost" if is_lost else "mate-reference", where)
    return not is_lost


def _place_entities(instance: _AssemblyInstance, mate: Mate, where: str, findings: Findings) -> PlacedMate | None:
    """The mate with its entities and its definition in the assembly's space, or None with a finding."""
    name = instance.prefix + mate.name
    components, carried = [], []
    for entity in mate.entities:
        component = instance.component_of(entity, mate)
        frames = instance.carry(component)
        if frames is None:
            findings.add("mate-component", where, component=component)
            return None
        components.append(component)
        carried.append(frames)
    entities = tuple(map(place_entity, mate.entities, carried))
    as_filed = None
    if any(at.mate is not carried[0].mate and np.abs(at.mate - carried[0].mate).max() > 1e-9 for at in carried):
        # A flexible instance has its parts elsewhere than the document.
        as_filed = tuple(map(place_entity, mate.entities, map(instance.as_filed, components)))
    kind = TYPES.get(mate.type, MateType.UNKNOWN)
    if kind is MateType.COORDINATE and instance.conventions.coordinate_mate == "ignored":
        findings.add("mate-left-out", where)
        return None
    referred = map(instance.carry, mate.references)
    references = tuple(instance.owner if frames is None else frames.node for frames in referred)
    found = _measured(mate, MateReading(instance.conventions, instance.unit, entities, references))
    if kind is MateType.SLOT and mate.data is None:
        found = found._replace(free=True)  # as SolidWorks makes a slot mate unless told otherwise
    if kind is MateType.COORDINATE:
        found = found._replace(conventions=(assumed("coordinateMate", instance.conventions.coordinate_mate),))
    found = found._replace(references=references) if references else found
    _report_doubts(mate, found, entities, where, findings)
    return PlacedMate(name, kind, entities, instance.owner, as_filed, *found, alignment=mate.alignment, source=mate)


def _report_doubts(
    mate: Mate, found: MateDefinition, entities: tuple[PlacedEntity, ...], where: str, findings: Findings
) -> None:
    """Report numbers of a mate that SolidWorks returned, but that its user hardly meant."""
    if isinstance(mate.data, Gear) and contradicting_radii(found.numbers, entities):
        ratio = abs(found.numbers["ratio"])
        findings.add("gear-radii", where, ratio=number_text(ratio), by_radii=number_text(1 / ratio))
    limits = _limits(mate.data)
    if limits is None or not limits.minimum >= limits.maximum:
        return
    is_hinge = isinstance(mate.data, Hinge)
    if limits.minimum == limits.maximum and not is_hinge:
        return  # it holds one value, as a mate without limits
    used = "the mate is taken as one that holds its current value"
    if is_hinge:
        used = "the joint gets no limits from the mate"
    if found.is_from_pose and found.minimum is not None and found.maximum is not None:
        used = f"they are taken as {_angle_text(found.minimum)} to {_angle_text(found.maximum)} from the assembled pose"
    in_words = _length_text if isinstance(mate.data, Distance) else _angle_text
    value, minimum, maximum = map(in_words, limits)
    findings.add("limit-order", where, value=value, minimum=minimum, maximum=maximum, used=used)


def _angle_text(angle: float) -> str:
    return position_text(JointType.REVOLUTE, angle)


def _length_text(length: float) -> str:
    return position_text(JointType.PRISMATIC, length)


class _LimitNumbers(NamedTuple):
    """The numbers of a limit mate as SolidWorks returned them [m or rad]."""

    value: float
    minimum: float
    maximum: float


def _limits(data: object) -> _LimitNumbers | None:
    """The numbers of a mate that is marked as a limit mate; None for other mates."""
    if isinstance(data, Distance) and data.is_advanced_mate:
        return _LimitNumbers(data.distance, data.minimum_distance, data.maximum_distance)
    if isinstance(data, Angle) and data.is_advanced_mate:
        return _LimitNumbers(data.angle, data.minimum_angle, data.maximum_angle)
    if isinstance(data, Hinge) and data.angle_selection:
        return _LimitNumbers(data.angle, data.min_val, data.max_val)
    return None


class MateDefinition(NamedTuple):
    """What a mate's definition adds to its entities; the fields are those of `PlacedMate`."""

    value: float | None = None
    minimum: float | None = None
    maximum: float | None = None
    lock_rotation: bool = False
    free: bool = False
    numbers: Mapping[str, float] = {}
    conventions: tuple[AssumedConvention, ...] = ()
    references: tuple[int, ...] = ()
    is_flipped: bool = False
    is_from_pose: bool = False


UNDEFINED = MateDefinition()


def _measured(mate: Mate, reading: MateReading) -> MateDefinition:
    """The definition of a mate, with the value that it was read at: variations are the limit less that value."""
    if mate.data is None:
        return UNDEFINED
    found = definition(mate.data, reading)
    if found.maximum is not None and mate.maximum_variation is not None and math.isfinite(mate.maximum_variation):
        return found._replace(value=found.maximum - mate.maximum_variation)
    return found


@singledispatch
def definition(_data: object, _reading: MateReading) -> MateDefinition:
    """The definition of a mate from its captured data; nothing for types without a function below."""
    return MateDefinition()


@definition.register
def _(data: Distance, reading: MateReading) -> MateDefinition:
    found = MateDefinition(*(_limits(data) or (data.distance,)))
    return _flipped(found, reading) if data.flip_dimension else found


@definition.register
def _(data: Angle, reading: MateReading) -> MateDefinition:
    found = MateDefinition(*(_limits(data) or (data.angle,)))
    return _flipped(found, reading) if data.flip_dimension else found


def _flipped(found: MateDefinition, reading: MateReading) -> MateDefinition:
    """A definition whose dimension is flipped."""
    way = reading.conventions.limit_flip
    conventions = (assumed("limitFlip", way),) if found.maximum is not None else ()
    return found._replace(is_flipped=way == "reversed", conventions=conventions)


@definition.register
def _(data: Hinge, _reading: MateReading) -> MateDefinition:
    limits = _limits(data)
    if limits is None or not limits.minimum > limits.maximum:
        return MateDefinition(*(limits or (data.angle,)))
    # Live SolidWorks 2024 returned 0, -60° and the angle 30° for a range of ±30° about the pose: the width is right,
    # and the angle is how much of it lies ahead. An angle beyond the width contradicts this, and nothing is used.
    width = limits.minimum - limits.maximum
    if not -ROUNDING <= limits.value <= width + ROUNDING:
        return MateDefinition()
    return MateDefinition(minimum=limits.value - width, maximum=limits.value, is_from_pose=True)


@definition.register
def _(data: Concentric, _reading: MateReading) -> MateDefinition:
    return MateDefinition(lock_rotation=data.lock_rotation)


@definition.register
def _(data: ProfileCenter, reading: MateReading) -> MateDefinition:
    are_faces = all(entity.kind is GeometryKind.PLANE for entity in reading.entities[:2])
    way = reading.conventions.profile_centre
    is_assumed = are_faces and not data.lock_rotation
    return MateDefinition(
        value=data.offset_distance,
        lock_rotation=data.lock_rotation or (is_assumed and way == "locked"),
        conventions=(assumed("profileCentre", way),) if is_assumed else (),
    )


@definition.register
def _(data: Slot, _reading: MateReading) -> MateDefinition:
    return MateDefinition(free=data.constraint == SlotOption.swSlotMateConstraintOption_Free)


@definition.register
def _(data: Width, _reading: MateReading) -> MateDefinition:
    return MateDefinition(free=data.constraint_type == WidthOption.swMateWidth_Free)


@definition.register
def _(data: Gear, reading: MateReading) -> MateDefinition:
    return _coupling(gear(data, reading))


@definition.register
def _(data: LinearCoupler, reading: MateReading) -> MateDefinition:
    return _coupling(linear_coupler(data, reading))


@definition.register
def _(data: RackPinion, reading: MateReading) -> MateDefinition:
    return _coupling(rack_pinion(data, reading))


@definition.register
def _(data: Screw, reading: MateReading) -> MateDefinition:
    return _coupling(screw(data, reading))


def _coupling(found: CouplingNumbers) -> MateDefinition:
    return MateDefinition(numbers=found.numbers, conventions=found.conventions)
