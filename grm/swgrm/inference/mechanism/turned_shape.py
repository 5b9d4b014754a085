"""Whether parts are turned: round about an axis, with the mass spread evenly around it, and of which shape.

The evidence is the tessellation, where the capture has it, else the boxes of the bodies and the mass properties.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from swgrm.capture import Component, Index, PartShape
from swgrm.inference.geometry.twists import Array, perpendiculars
from swgrm.mass.inertia import tensor_matrix
from swgrm.mass.inertia_choice import part_inertial
from swgrm.meshes.surface import triangle_integrals
from swgrm.transforms import column_matrix, inverse

# How far from a perfect solid of revolution a turned part may be. A hexagon has an outline of 0.87 and equal second
# moments; a screw with a modelled thread or a slot, a ring with lugs and a knob with a set screw stay within these.
# A square has an outline of 0.71, a flat bar of 3 by 10 mm has second moments in the ratio 0.09.
ROUND = 0.8  # the least width of the outline about the axis, of the largest
EVEN = 0.8  # the smaller second moment across the axis, of the larger one
CENTRED = 0.1  # the distance of the centre of mass from the axis, of the radius
UPRIGHT = 0.1  # correlation of the mass across and along the axis: a part whose own axis is tilted has more
DIRECTIONS = 48  # in which the outline is measured: near enough to the flats of a square to tell it from a circle
ALONG_BOX = 1e-3  # [rad] between an axis and an edge of the box, at most, for the box to be the outline
SAME_AXIS = 7  # digits [m] in which axes agree that are measured once
HOLLOW = 0.4  # a bore of this share of the diameter makes a ring; wheels, pulleys and rollers have smaller ones


class TurnedShape(StrEnum):
    """The shapes of turned parts that matter for what they are used as."""

    PIN = "pin"  # at least as long as wide: pins, screws, spacers, standoffs, springs; also rollers
    RING = "ring"  # wide bore: washers, rings, bushes, seals, nuts
    PLUG = "plug"  # short and without a bore through it: plugs, caps, feet, magnets; also knobs
    WHEEL = "wheel"  # short with a narrow bore: wheels, pulleys, idlers, gears, encoder discs; also large washers


class PlacedPart(NamedTuple):
    """A part and its pose in the assembly."""

    component: Component
    T: Array  # (4, 4) T_assembly_component


class Outline(NamedTuple):
    """The extent of parts about an axis [m]."""

    radius: float
    narrowest: float  # the least radius of the outline over all directions
    start: float  # along the axis
    end: float
    bore: float | None  # radius of the free space around the axis; None if not known

    @property
    def size(self) -> float:
        """The diagonal of the box around it [m]."""
        return float(np.linalg.norm([2 * self.radius, 2 * self.radius, self.end - self.start]))

    @property
    def shape(self) -> TurnedShape:
        """The shape; a short part whose bore is not known may be a wheel."""
        if self.end - self.start >= 2 * self.radius:
            return TurnedShape.PIN
        if self.bore is None:
            return TurnedShape.WHEEL
        if self.bore >= HOLLOW * self.radius:
            return TurnedShape.RING
        return TurnedShape.WHEEL if self.bore > 0.0 else TurnedShape.PLUG


class MassSpread(NamedTuple):
    """How the volume of a part is spread, in its own coordinates."""

    volume: float
    centre: Array  # (3,)
    covariance: Array  # (3, 3) [m²] mean of (r - centre)(r - centre)ᵀ


class PartMeasures:
    """Measures parts, each part and axis once, however many instances there are."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._outlines: dict[tuple[object, ...], Outline | None] = {}
        self._sizes: dict[tuple[str, str, str], float | None] = {}
        self._spreads: dict[tuple[str, str, str, bool], MassSpread | None] = {}

    def find_outline(self, parts: Sequence[PlacedPart], axis: Array, point: Array) -> Outline | None:
        """The outline of parts that are turned about an axis, all together; None if they are not turned."""
        outline = self._measure_outline(parts, axis, point)
        if outline is None or outline.narrowest < ROUND * outline.radius:
            return None
        # An open body encloses nothing, and mass properties may be entered by hand: either may show that it is even.
        for from_mesh in (True, False):
            spreads = []
            for part in parts:
                spread = self._spread(part.component, from_mesh=from_mesh)
                if spread is not None:
                    spreads.append((spread, part.T))
            if len(spreads) == len(parts) and _is_even(spreads, axis, point, outline.radius):
                return outline
        return None

    def volume(self, component: Component) -> float:
        """The volume of a part [m³]; 0 if the capture does not have it."""
        shape = self.index.shape(component)
        if shape is None:
            return 0.0
        if shape.mass is not None and shape.mass.volume:
            return shape.mass.volume
        spread = self._spread(component, from_mesh=True)
        return spread.volume if spread is not None else 0.0

    def size(self, component: Component) -> float | None:
        """The diagonal of the box around a part's bodies [m]; None if the capture does not have it."""
        shape = self.index.shape(component)
        if shape is None:
            return None
        key = _key(shape)
        if key not in self._sizes:
            corners = _box_corners(shape)
            self._sizes[key] = None if corners is None else float(np.linalg.norm(np.ptp(corners, axis=0)))
        return self._sizes[key]

    def _measure_outline(self, parts: Sequence[PlacedPart], axis: Array, point: Array) -> Outline | None:
        """The outline of parts about an axis; None if that of one of them is not known."""
        outlines = []
        for part in parts:
            # The axis in the part's own coordinates, through its point that is nearest to the part's origin: there,
            # all instances of a part that are mated in the same way have the same axis.
            T_part = inverse(part.T)
            along = T_part[:3, :3] @ axis
            place = T_part[:3, :3] @ point + T_part[:3, 3]
            height = float(place @ along)
            outline = self._outline(part.component, along, place - height * along)
            if outline is None:
                return None
            outlines.append(outline._replace(start=outline.start - height, end=outline.end - height))
        bores = [outline.bore for outline in outlines if outline.bore is not None]
        return Outline(
            max(outline.radius for outline in outlines),
            max(outline.narrowest for outline in outlines),
            min(outline.start for outline in outlines),
            max(outline.end for outline in outlines),
            min(bores) if len(bores) == len(outlines) else None,
        )

    def _outline(self, component: Component, along: Array, origin: Array) -> Outline | None:
        """The outline of one part about an axis in its own coordinates."""
        shape = self.index.shape(component)
        if shape is None:
            return None
        key = (*_key(shape), *np.round([*along, *origin], SAME_AXIS).tolist())
        if key not in self._outlines:
            frame = np.array([*perpendiculars(along), along])
            measure = _outline_of_mesh if len(shape.triangles) else _outline_of_box
            self._outlines[key] = measure(shape, frame, origin)
        return self._outlines[key]

    def _spread(self, component: Component, *, from_mesh: bool) -> MassSpread | None:
        """The spread of what a part's triangles enclose, or of its mass; None if there is none."""
        shape = self.index.shape(component)
        if shape is None:
            return None
        key = (*_key(shape), from_mesh)
        if key not in self._spreads:
            self._spreads[key] = _spread_of_mesh(shape) if from_mesh else _spread_of_mass(self.index, shape)
        return self._spreads[key]


def _key(shape: PartShape) -> tuple[str, str, str]:
    return shape.path, shape.configuration, shape.variant


def _outline_of_mesh(shape: PartShape, frame: Array, origin: Array) -> Outline | None:
    """The outline of triangles about the z axis of a frame."""
    triangles = (_triangles(shape) - origin) @ frame.T  # (n, 3, 3)
    if not np.isfinite(triangles).all():
        return None
    corners = triangles.reshape(-1, 3)
    angles = np.arange(DIRECTIONS) * (2 * np.pi / DIRECTIONS)
    widths = (corners[:, :2] @ np.array([np.cos(angles), np.sin(angles)])).max(axis=0)
    radius = float(np.linalg.norm(corners[:, :2], axis=1).max())
    bore = _free_radius(triangles[:, :, :2])
    bore = bore if bore > 0.01 * radius else 0.0  # a tessellated tip is not a bore
    return Outline(radius, float(widths.min()), float(corners[:, 2].min()), float(corners[:, 2].max()), bore)


def _outline_of_box(shape: PartShape, frame: Array, origin: Array) -> Outline | None:
    """The outline of a box about an axis along one of its edges; its bore is not known."""
    corners = _box_corners(shape)
    edge = int(np.abs(frame[2]).argmax())
    if corners is None or np.linalg.norm(np.delete(frame[2], edge)) > ALONG_BOX:
        return None
    across = np.delete(corners - origin, edge, axis=1)
    widths = np.abs([across.min(axis=0), across.max(axis=0)])
    heights = (corners - origin) @ frame[2]
    return Outline(float(widths.max()), float(widths.min()), float(heights.min()), float(heights.max()), None)


def _free_radius(triangles: Array) -> float:
    """The distance of flat triangles (n, 3, 2) from the origin; 0 if one of them covers it."""
    start, end = triangles, np.roll(triangles, -1, axis=1)
    sides = start[..., 0] * end[..., 1] - start[..., 1] * end[..., 0]  # (n, 3) twice the areas with the origin
    # A face along the axis is seen edge on and has no area: it covers nothing, wherever rounding puts the origin.
    areas = np.abs(sides.sum(axis=1))
    has_area = areas > 1e-6 * np.square(end - start).sum(axis=(1, 2))
    covers = has_area & ((sides >= 0).all(axis=1) | (sides <= 0).all(axis=1))
    if covers.any():
        return 0.0
    along = end - start
    squares = np.maximum(np.square(along).sum(axis=2), 1e-30)
    share = np.clip(-(start * along).sum(axis=2) / squares, 0.0, 1.0)
    return float(np.linalg.norm(start + share[..., None] * along, axis=2).min())


def _is_even(spreads: Sequence[tuple[MassSpread, Array]], axis: Array, point: Array, radius: float) -> bool:
    """Whether the mass of parts is spread evenly about an axis."""
    frame = np.array([*perpendiculars(axis), axis])
    total = sum(spread.volume for spread, _ in spreads)
    centres = [frame @ (T[:3, :3] @ spread.centre + T[:3, 3] - point) for spread, T in spreads]
    centre = sum((spread.volume * c for (spread, _), c in zip(spreads, centres, strict=True)), np.zeros(3)) / total
    if np.hypot(*centre[:2]) > CENTRED * radius:
        return False
    covariance = np.zeros((3, 3))
    for (spread, T), own_centre in zip(spreads, centres, strict=True):
        R, shift = frame @ T[:3, :3], own_centre - centre
        covariance += spread.volume / total * (R @ spread.covariance @ R.T + np.outer(shift, shift))
    # Second moments across the axis do not depend on the length, as moments of inertia do: those of any slender bar
    # are nearly equal.
    least, most = np.linalg.eigvalsh(covariance[:2, :2])
    tilt = np.hypot(*covariance[:2, 2])
    return bool(least >= EVEN * most and tilt <= UPRIGHT * np.sqrt(most * max(covariance[2, 2], 0.0)) and most > 0)


def _spread_of_mesh(shape: PartShape) -> MassSpread | None:
    """The spread of what the triangles of a part enclose; None if they enclose nothing."""
    if not len(shape.triangles):
        return None
    volume, centre, tensor = triangle_integrals(_triangles(shape))
    return _spread(volume, centre, tensor, volume)


def _spread_of_mass(index: Index, shape: PartShape) -> MassSpread | None:
    """The spread of a part's mass as SolidWorks returned it; None if it did not, or if it was entered by hand."""
    mass = shape.mass
    if mass is None or mass.center_of_mass_overridden or mass.moments_overridden:
        return None
    read_through = index.components.get(shape.through)
    transform = read_through.transform if read_through is not None else None
    T_root_part = np.eye(4) if transform is None else column_matrix(transform)
    inertial = part_inertial(mass, T_root_part)
    return _spread(mass.volume or 0.0, np.array(inertial.origin), tensor_matrix(inertial), inertial.mass)


def _spread(volume: float, centre: Array, tensor: Array, mass: float) -> MassSpread | None:
    """The covariance from the inertia tensor about the centre: I = tr(C)·1 − C for a mass of one."""
    if not (volume > 0 and mass > 0 and np.isfinite(tensor).all() and np.isfinite(centre).all()):
        return None
    return MassSpread(volume, centre, (np.trace(tensor) / 2 * np.eye(3) - tensor) / mass)


def _triangles(shape: PartShape) -> Array:
    """The triangles of a part in its coordinates.  # (n, 3, 3)."""
    return np.frombuffer(shape.triangles, dtype="<f4").reshape(-1, 3, 3).astype(float)


def _box_corners(shape: PartShape) -> Array | None:
    """The lower and the upper corner of the box around all bodies; None if no body has one.  # (2, 3)."""
    boxes = np.array([body.box for body in shape.bodies if body.box is not None])
    if not len(boxes) or not np.isfinite(boxes).all():
        return None
    return np.array([boxes[:, :3].min(axis=0), boxes[:, 3:].max(axis=0)])
