"""Captures as a mate solver leaves them: every part's pose a little off, its own geometry exact in the part."""

from __future__ import annotations

import msgspec
import numpy as np
from scipy.spatial.transform import Rotation

from swgrm.capture import Capture, Component, Document, Mate, MateEntity, Placement
from swgrm.inference.geometry.twists import Array
from swgrm.transforms import column_matrix, inverse
from swgrm_mocks.builder import transform_array

DIRECTED = {1, 2, 3, 4, 6, 7}  # swMateEntity2ReferenceType_e of entities whose numbers 4 to 6 are a direction
replace = msgspec.structs.replace


def noisy(capture: Capture, noise: float, seed: int) -> Capture:
    """The capture with every component off by up to `noise` m and rad; mate entities are carried with their parts."""
    return _Shaken(capture, noise, np.random.default_rng(seed)).capture() if noise else capture


class _Shaken:
    """The motion of each component of each document, in the space of the document."""

    def __init__(self, capture: Capture, noise: float, chance: np.random.Generator) -> None:
        self._capture, self._noise, self._chance = capture, noise, chance
        self._documents = {(d.path, d.configuration): d for d in capture.documents}
        self._components = {c.name: c for c in capture.components}
        self._own: dict[tuple[str, str, str], Array] = {}

    def capture(self) -> Capture:
        source = self._capture.source
        root = (source.path, source.configuration)
        holders = {root: ""} | {(c.path, c.configuration): c.name for c in self._capture.components if c.is_assembly}
        documents = [
            self._document(d, holders[d.path, d.configuration]) if (d.path, d.configuration) in holders else d
            for d in self._capture.documents
        ]
        components = [self._component(c) for c in self._capture.components]
        return replace(self._capture, documents=tuple(documents), components=tuple(components))

    def _key(self, name: str) -> tuple[str, str]:
        source = self._capture.source
        component = self._components.get(name)
        return (component.path, component.configuration) if component else (source.path, source.configuration)

    def _small(self, document: tuple[str, str], leaf: str, at: Array) -> Array:
        """The motion of a component of a document, about its own origin; all instances of the document share it."""
        key = (*document, leaf)
        if key not in self._own:
            turn, shift = self._noise * self._chance.uniform(-1, 1, size=(2, 3)) / np.sqrt(3)
            N = np.eye(4)
            N[:3, :3] = Rotation.from_rotvec(turn).as_matrix()
            N[:3, 3] = shift + at - N[:3, :3] @ at
            self._own[key] = N
        return self._own[key]

    def _moved(self, name: str, above: str) -> Array:
        """The motion of a component from where it was, in the space of the document of its assembly `above`."""
        holder = name.rpartition("/")[0]
        T_holder = self._pose(holder)
        T = inverse(T_holder) @ self._pose(name)
        N = T_holder @ self._small(self._key(holder), name.rpartition("/")[2], T[:3, 3]) @ inverse(T_holder)
        while holder != above:
            inner, holder = holder, holder.rpartition("/")[0]
            T_holder = self._pose(holder)
            T = inverse(T_holder) @ self._pose(inner)
            N = T_holder @ self._small(self._key(holder), inner.rpartition("/")[2], T[:3, 3]) @ inverse(T_holder) @ N
        T_above = self._pose(above)
        found: Array = inverse(T_above) @ N @ T_above
        return found

    def _pose(self, name: str) -> Array:
        component = self._components.get(name)
        return column_matrix(component.transform) if component and component.transform else np.eye(4)

    def _component(self, component: Component) -> Component:
        if component.transform is None:
            return component
        T = self._moved(component.name, "") @ column_matrix(component.transform)
        return replace(component, transform=transform_array(T))

    def _document(self, document: Document, above: str) -> Document:
        placements = tuple(self._placement(p, above) for p in document.placements)
        return replace(document, placements=placements, mates=tuple(self._mate(m, above) for m in document.mates))

    def _placement(self, placement: Placement, above: str) -> Placement:
        name = f"{above}/{placement.name}" if above else placement.name
        if placement.transform is None or name not in self._components:
            return placement
        return replace(
            placement, transform=transform_array(self._moved(name, above) @ column_matrix(placement.transform))
        )

    def _mate(self, mate: Mate, above: str) -> Mate:
        return replace(mate, entities=tuple(self._entity(e, above) for e in mate.entities))

    def _entity(self, entity: MateEntity, above: str) -> MateEntity:
        name = f"{above}/{entity.component}" if above else entity.component or ""
        if not entity.component or name not in self._components or len(entity.params) < 3:
            return entity
        N = self._moved(name, above)
        numbers = list(entity.params)
        numbers[:3] = (N[:3, :3] @ numbers[:3] + N[:3, 3]).tolist()
        if entity.type in DIRECTED and len(numbers) >= 6:
            numbers[3:6] = (N[:3, :3] @ numbers[3:6]).tolist()
        return replace(entity, params=tuple(numbers))
