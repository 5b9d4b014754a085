"""Drives distance and angle mates, and measures how far that moved the two components."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import acos, atan2, hypot
from typing import Any, NamedTuple

from swgrm.errors import CallError, SolidWorksError
from swgrm_addin.selftest.entities import Flat
from swgrm_addin.selftest.mating import Transform, add_mate, poses, rotation
from swgrm_addin.selftest.specs import KINDS, At, MateRecipe

ANGLE = "Angle"
SAME = {ANGLE: 1e-4, "Distance": 1e-5}  # [rad], [m] by which a motion may differ from the commanded one
Poses = Mapping[str, Transform]
Vector = tuple[float, float, float]


class Pair(NamedTuple):
    """Two components, the second of which a mate moves relative to the first, and the value that does."""

    base: str
    moved: str
    property: str  # "Angle" or "Distance"

    def change(self, before: Poses, after: Poses) -> float:
        """By how much the second component turned [rad] or moved [m] relative to the first, without a sign."""
        old, new = (_relative(each[self.base], each[self.moved]) for each in (before, after))
        if self.property != ANGLE:
            return hypot(*(b - a for a, b in zip(old[9:12], new[9:12], strict=True)))
        turn = [[sum(new[3 * k + i] * old[3 * k + j] for k in range(3)) for j in range(3)] for i in range(3)]
        axis = turn[2][1] - turn[1][2], turn[0][2] - turn[2][0], turn[1][0] - turn[0][1]
        return atan2(hypot(*axis), turn[0][0] + turn[1][1] + turn[2][2] - 1)

    def is_seen(self, before: Poses, after: Poses, commanded: float) -> bool:
        """Whether the components moved by the commanded change, in either sense."""
        return abs(self.change(before, after) - abs(commanded)) < SAME[self.property]


def pair_of(recipe: MateRecipe, name: str) -> Pair:
    """The components of a mate between two faces."""
    first, second = recipe.picked[0].entities
    return Pair(first.component, second.component, name)


def _relative(base: Transform, moved: Transform) -> Transform:
    """The transform of a component in the coordinates of another: rows of axes, then the position."""
    rows = [sum(moved[3 * row + k] * base[3 * axis + k] for k in range(3)) for row in range(3) for axis in range(3)]
    off = [moved[9 + k] - base[9 + k] for k in range(3)]
    return (*rows, *(sum(off[k] * base[3 * axis + k] for k in range(3)) for axis in range(3)))


def moved_by(before: Transform, by: At) -> Transform:
    """A transform after a motion in the assembly's axes, about the component's own origin."""
    R = rotation(by)
    rows = [sum(before[3 * row + k] * R[column][k] for k in range(3)) for row in range(3) for column in range(3)]
    return (*rows, before[9] + by.x, before[10] + by.y, before[11] + by.z, *before[12:])


def present_value(recipe: MateRecipe, at: Poses, name: str) -> float:
    """The angle or distance of two faces where they are, which a mate must have that is to move nothing."""
    first, second = recipe.picked[0].entities
    if not isinstance(first, Flat) or not isinstance(second, Flat):
        raise SolidWorksError("The self-test measures faces only.")
    n, a = _placed(first, at[first.component])
    m, b = _placed(second, at[second.component])
    if name == ANGLE:
        return acos(max(-1.0, min(1.0, _dot(n, m))))
    return abs(_dot(n, (b[0] - a[0], b[1] - a[1], b[2] - a[2])))


def _placed(face: Flat, at: Transform) -> tuple[Vector, Vector]:
    """The normal of a face and a point of it, in the assembly."""
    n = face.normal
    x, y, z = (sum(n[k] * at[3 * k + axis] for k in range(3)) for axis in range(3))
    return (x, y, z), (at[9] + face.offset * x, at[10] + face.offset * y, at[11] + face.offset * z)


def _dot(first: Vector, second: Vector) -> float:
    return sum(a * b for a, b in zip(first, second, strict=True))


class Driver:
    """A mate that is driven, and the value that it was last seen at."""

    def __init__(self, document: Any, components: Mapping[str, Any], mate: Any, recipe: MateRecipe, pair: Pair) -> None:
        self.document, self.components, self.mate, self.recipe, self.pair = document, components, mate, recipe, pair
        self.value = float(dict(recipe.values)[pair.property])
        # The range of a limit mate collapses to the new value unless it is written again.
        self.range = {name: value for name, value in recipe.values if name.startswith(("Minimum", "Maximum"))}

    @classmethod
    def added(cls, document: Any, components: Mapping[str, Any], recipe: MateRecipe, name: str) -> Driver:
        """A new mate with the value that it has already, so that nothing moves; it is flipped if something does."""
        before = poses(components)
        values = dict(recipe.values) | {name: present_value(recipe, before, name)}
        recipe = recipe._replace(values=tuple(values.items()))
        mate = add_mate(document, components, recipe)
        document.EditRebuild3()
        driver = cls(document, components, mate, recipe, pair_of(recipe, name))
        if not driver.is_where(before):
            driver.write({"FlipDimension": True})
        return driver

    def is_where(self, before: Poses) -> bool:
        """Whether its components are where they were."""
        return self.pair.is_seen(before, poses(self.components), 0.0)

    def drive(self, value: float) -> str:
        """Set the value, and rebuild; returns the way that moved the components as commanded, or "".

        SolidWorks ignores some writes without an error, and takes the same one the next time.
        """
        before, change = poses(self.components), value - self.value
        for way, write in self._ways(value):
            try:
                write()
            except CallError:
                continue
            self.document.EditRebuild3()
            if self.pair.is_seen(before, poses(self.components), change):
                self.value = value
                return way
        return ""

    def _ways(self, value: float) -> Iterator[tuple[str, Callable[[], object]]]:
        values = {self.pair.property: value} | self.range
        yield "definition", lambda: self.write(values)
        yield "dimension", lambda: self._write_dimension(value)
        yield "definition, again", lambda: self.write(values)

    def write(self, values: Mapping[str, float | bool]) -> None:
        """Change the definition of the mate."""
        definition = self.mate.GetDefinition()
        if definition is not None:
            data = self.document.port.cast(definition, KINDS[self.recipe.kind].interface)
            for name, value in values.items():
                setattr(data, name, value)
            self.mate.ModifyDefinition(data, self.document, None)

    def _write_dimension(self, value: float) -> None:
        dimension = self.document.Parameter(f"D1@{self.mate.Name}")
        if dimension is not None:
            dimension.SystemValue = value
