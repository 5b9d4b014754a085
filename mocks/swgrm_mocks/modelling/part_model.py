"""The part that is being modelled: its features in order, the solid that they make, and what mates can refer to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from msgspec.structs import replace

from swgrm.capture import VERSION, Capture, CaptureSource, Document, MassProperties, PartShape
from swgrm.transforms import Array
from swgrm_mocks.builder import PART, Part
from swgrm_mocks.modelling.extrusions import Extrusion, build
from swgrm_mocks.modelling.profiles import Loop, ProfileSegment, loops
from swgrm_mocks.modelling.revolutions import revolve
from swgrm_mocks.modelling.solid_faces import ModelSolid, NotModelled
from swgrm_mocks.solids import Solid


@dataclass
class Sketch:
    """A sketch: where it is, what was drawn, and its construction lines."""

    T_part_sketch: Array
    segments: list[ProfileSegment] = field(default_factory=list)
    axes: list[ProfileSegment] = field(default_factory=list)


class PartModel(Part):
    """A part file that is being modelled."""

    def __init__(self, name: str, path: str) -> None:
        super().__init__(name)
        self.path = path
        self.solids: dict[str, Solid | None] = {"Default": None}
        self.configuration_name = "Default"
        self.extrusions: list[Extrusion] = []
        self.T_part_axis: Array | None = None  # of the extrusions
        self.features: list[tuple[str, int, str]] = []  # type name, identifier, name
        self.suppressed: set[int] = set()
        self.linear_unit = 0
        self.hidden = False

    @property
    def solid(self) -> ModelSolid | None:
        """The solid in the active configuration."""
        found = self.solids[self.configuration_name]
        return found if isinstance(found, ModelSolid) else None

    def extrude(self, sketch: Sketch, low: float, high: float, *, is_cut: bool) -> None:
        """Adds a boss or cut of the closed loops of a sketch between two heights over it."""
        try:
            closed = tuple(loops(sketch.segments))
        except ValueError as error:
            raise NotModelled(str(error)) from error
        if not closed or (is_cut and self.solid is None) or not low < high:
            raise NotModelled("there is nothing to extrude or to cut")
        T = self.T_part_axis if self.T_part_axis is not None else sketch.T_part_sketch
        shift, moved = _into(np.linalg.inv(T) @ sketch.T_part_sketch, closed)
        low, high = sorted((shift[0] * low + shift[1], shift[0] * high + shift[1]))
        added = [*self.extrusions, Extrusion(moved, low, high, is_cut)]
        before = self.solid
        solid = build(added, T)
        if before is not None and abs(solid.exact.volume - before.exact.volume) < 1e-18:
            raise NotModelled("the feature changes nothing")
        self.extrusions, self.T_part_axis = added, T
        self._made(solid)

    def revolve(self, sketch: Sketch) -> None:
        """Makes the solid of revolution of a half profile about the sketch's construction line."""
        if self.solid is not None or len(sketch.axes) != 1:
            raise NotModelled("a revolution needs one construction line, and a part without a body")
        self._made(revolve(sketch.segments, sketch.axes[0], sketch.T_part_sketch))

    def _made(self, solid: ModelSolid) -> None:
        self.solids = dict.fromkeys(self.solids, solid)

    def add_configuration(self, name: str) -> None:
        """Adds a configuration with the same solid, and activates it as SolidWorks does."""
        self.solids[name] = self.solids[self.configuration_name]
        self.configuration_name = name

    def document(self, configuration: str) -> Document:
        """Its record in a configuration."""
        record = replace(super().document(configuration), read_in=self.configuration_name)
        return replace(record, linear_unit=self.linear_unit)

    def override(self, **fields: Any) -> None:
        """Overrides some of its mass properties, or none."""
        self.overrides = fields

    def mass(self, configuration: str, T_root_part: Array) -> MassProperties | None:
        """Its mass properties at a pose; an overridden centre and moments are in part coordinates."""
        found = super().mass(configuration, T_root_part)
        if found is None or not self.overrides:
            return found
        R, t = T_root_part[:3, :3], T_root_part[:3, 3]
        if self.overrides.get("center_of_mass_overridden"):
            center = R @ np.array(self.overrides["center_of_mass"]) + t
            found = replace(found, center_of_mass=tuple(center.tolist()))
        if self.overrides.get("moments_overridden"):
            inertia = R @ np.array(self.overrides["moments"]).reshape(3, 3) @ R.T
            moments, axes = np.linalg.eigh(inertia)
            found = replace(
                found,
                moments=tuple(inertia.ravel().tolist()),
                principal_moments=tuple(moments.tolist()),
                principal_axes=tuple(axes.T.ravel().tolist()),
            )
        return found

    def shape(self, configuration: str, variant: str, through: str, T_root_part: Array) -> PartShape:
        """Its mass and bodies as read through a component, or from its own document."""
        found = super().shape(configuration, variant, through, T_root_part)
        if self.hidden:
            found = replace(found, bodies=tuple(replace(body, visible=False) for body in found.bodies))
        return replace(found, legacy_mass=self.mass(configuration, np.eye(4)))

    def capture(self) -> Capture:
        """The capture that reading the part's own document would give."""
        source = CaptureSource(self.path, f"{self.name}.SLDPRT", self.configuration_name, PART, "34.1.0", 5, False)
        documents = tuple(self.document(name) for name in sorted(self.solids))
        shape = self.shape(self.configuration_name, "", "", np.eye(4))
        return Capture(VERSION, source, (), documents, (shape,))


def _into(T: Array, closed: Sequence[Loop]) -> tuple[tuple[float, float], tuple[Loop, ...]]:
    """Heights (factor, offset) and loops of a sketch in the frame of the extrusions, whose axis it shares."""
    if np.abs(T[2, :2]).max() > 1e-12:
        raise NotModelled("the mock extrudes along one axis per part")
    turn = T[:2, :2]
    sense = float(np.sign(np.linalg.det(turn)))

    def at(point: tuple[float, float]) -> tuple[float, float]:
        x, y = turn @ np.array(point) + T[:2, 3]
        return float(x) + 0.0, float(y) + 0.0

    moved = []
    for loop in closed:
        segments = [
            ProfileSegment(at(s.start), at(s.end), None if s.center is None else at(s.center), sense * s.angle)
            for s in loop.segments
        ]
        if sense < 0:
            segments = [segment.reversed() for segment in reversed(segments)]
        moved.append(Loop(tuple(segments)))
    return (float(T[2, 2]), float(T[2, 3])), tuple(moved)


def is_slot(loop: Loop) -> bool:
    """Whether a loop is the outline of a straight slot: two lines and two half circles."""
    arcs = [segment for segment in loop.segments if segment.center is not None]
    return len(loop.segments) == 4 and len(arcs) == 2 and all(abs(abs(a.angle) - math.pi) < 1e-9 for a in arcs)
