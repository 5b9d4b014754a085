"""The definition of a new mate: what it picks, its values, and its entities where the components are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from swgrm.inference.geometry import relations as rel
from swgrm.inference.geometry.equations import MateEquations
from swgrm.inference.geometry.twists import Array
from swgrm.inference.mates.entity_pairs import RelatedEntities, RelationTable
from swgrm.inference.mates.placed_entities import KINDS
from swgrm.inference.mates.types import GeometryKind, PlacedEntity
from swgrm.settings import ConventionSettings
from swgrm_mocks.mates import LocalEntity
from swgrm_mocks.modelling.mate_terms import MateTerms, equations

IN_PLACE = -1  # in-place mates have no number in SolidWorks
ROUND = (GeometryKind.CYLINDER, GeometryKind.SPHERE)
PARALLEL = 0.1  # sine of the angle up to which lines are taken for parallel


class WrongSelection(Exception):
    """Raised for entities that a mate of this type cannot have."""


class SlotPath(NamedTuple):
    """A straight slot in a part: the centres of its ends, and the direction of its pin."""

    start: tuple[float, ...]
    end: tuple[float, ...]
    axis: tuple[float, ...]


class Pick(NamedTuple):
    """What a mate refers to: a component, the geometry in its coordinates, and what a face knows beyond its surface."""

    component: str
    entity: LocalEntity
    frame: Any = None  # (4, 4) of a coordinate system or an origin
    slot: SlotPath | None = None
    center: tuple[float, ...] | None = None  # of the profile of a planar face


@dataclass
class NewMate:
    """The definition of a mate, and where its components are."""

    type: int
    values: dict[str, Any]
    picks: list[Pick]
    pose_of: Callable[[str], Array]
    conventions: ConventionSettings
    unit: float = 1e-3  # [m]
    references: tuple[str, ...] = ()
    carriers: Mapping[str, str] = field(default_factory=dict)  # the component that carries each one
    turns: Callable[[str, str], Array] = lambda _one, _other: np.zeros((0, 3))
    components: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        carried = [self.carriers.get(pick.component, "") for pick in self.picks]
        names = ["", *(pick.component for pick in self.picks), *self.references, *carried]
        self.components = tuple(dict.fromkeys(names))

    @property
    def poses(self) -> Array:
        """The poses of its components."""
        return np.stack([self.pose_of(name) for name in self.components])

    def placed(self, number: int) -> PlacedEntity:
        """One of its entities where it is."""
        if number >= len(self.picks):
            raise WrongSelection(f"it has {len(self.picks)} entities")
        pick = self.picks[number]
        T = self.pose_of(pick.component)
        entity = pick.entity
        point = tuple((T[:3, :3] @ np.array(entity.point) + T[:3, 3]).tolist())
        direction = tuple((T[:3, :3] @ np.array(entity.direction)).tolist()) if entity.direction else (0.0,) * 3
        radius = entity.radii[0] if entity.radii else 0.0
        return PlacedEntity(KINDS[entity.type], self.components.index(pick.component), point, direction, radius)

    def held(
        self, relation: rel.Relation, first: PlacedEntity, second: PlacedEntity, **targets: float
    ) -> MateEquations:
        """The equations of a relation; `last` is the target of the last one."""
        found = equations(RelatedEntities(relation, first, second), self.poses)
        if "last" not in targets:
            return found
        number = len(found) - 1
        return equations(RelatedEntities(relation, first, second), self.poses, targets={number: targets["last"]})

    def related(self, table: RelationTable, first: int = 0, second: int = 1) -> RelatedEntities:
        """The relation of two entities by a table, whatever their poses."""
        a, b = self.placed(first), self.placed(second)
        if a.node == b.node:
            raise WrongSelection("its entities are on one component")
        if relation := table.get((a.kind, b.kind)):
            return RelatedEntities(relation, a, b)
        if relation := table.get((b.kind, a.kind)):
            return RelatedEntities(relation, b, a)
        raise WrongSelection(f"a {a.kind} and a {b.kind}")

    def terms(self, *held: MateEquations, **more: Any) -> MateTerms:
        """The terms of the mate."""
        return MateTerms(self.components, list(held), **more)
