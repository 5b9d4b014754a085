"""Reads mass properties: of a component through the assembly, and of a part through its own document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec.structs import replace

from swgrm.capture import MassProperties
from swgrm.errors import CallError
from swgrm.solidworks.swconst_calls import swBodyType_e, swMassPropertyMoment_e
from swgrm.typevars import T
from swgrm_addin.reader.walk import Walk

ABOUT_CENTER = int(swMassPropertyMoment_e.swMassPropertyMomentAboutCenterOfMass)
SOLID = int(swBodyType_e.swSolidBody)
UNCHECKED = "its mass may be that of the whole document"


Overrides = tuple[bool | None, bool | None, bool | None]  # of mass, centre and moments; None: not known
UNKNOWN: Overrides = (None, None, None)


class MassReader:
    """Reads mass properties of a document's components or bodies, whatever the user has selected.

    SolidWorks took 1.8 s to make each object of mass properties in an assembly of 266 components (live 2023). With
    `reuses_object`, one object gets a new selection for each item. The same release had a fault in its cache, so this
    is not the default, and a result that repeats the one before is read again with a new object.
    """

    def __init__(self, walk: Walk, document: Any, *, reuses_object: bool = False) -> None:
        self.walk, self.document, self.reuses_object = walk, document, reuses_object
        self._is_first, self._is_restored = True, False
        self._object: Any = None
        self._last: MassProperties | None = None

    def of(self, *items: Any, knows_overrides: bool = True, only_if_overridden: bool = False) -> MassProperties | None:
        """The mass properties of a component or of bodies; None if SolidWorks cannot calculate them.

        SolidWorks reports the overrides of the active configuration of a part; where another one is weighed, they are
        not known.
        """
        if not items:
            return None  # SolidWorks would return those of the whole document
        mass = self._weigh(items, knows_overrides=knows_overrides, only_if_overridden=only_if_overridden)
        if self.reuses_object and mass is not None and mass == self._last:
            self._object = None
            mass = self._weigh(items, knows_overrides=knows_overrides, only_if_overridden=only_if_overridden)
        self._last = mass
        return mass

    def _weigh(
        self, items: tuple[Any, ...], *, knows_overrides: bool, only_if_overridden: bool
    ) -> MassProperties | None:
        properties = self._selected(items)
        if properties is None or not properties.Recalculate():
            return None
        if only_if_overridden:
            entered = _overrides(properties.GetOverrideOptions())
            return self._read(properties, _PRINCIPAL, entered) if any(entered) else None
        mass = self._read(properties, _PRINCIPAL, UNKNOWN)
        if not knows_overrides:
            return mass
        overrides = self._optional(lambda: _overrides(properties.GetOverrideOptions()), "state of override")
        return _with_overrides(mass, overrides or UNKNOWN)

    def legacy(self, part: Any) -> MassProperties | None:
        """The properties by IMassProperty of a part document, in its coordinates; None if SolidWorks returns none."""
        bodies = solid_bodies(self.walk, part)
        properties = part.Extension.CreateMassProperty() if bodies else None
        if properties is None:
            return None
        properties.UseSystemUnits = True
        if not properties.AddBodies(bodies):
            return None
        # The overrides first: principal moments and axes are not calculated before one of them is asked for.
        overrides = self._optional(lambda: _overrides(properties), "state of override")
        return self._read(properties, _PRINCIPLE, overrides or UNKNOWN)

    def _read(self, properties: Any, principal: _Principal, overrides: Overrides) -> MassProperties:
        """Mass and centre, without which nothing is of use; then each other property on its own."""
        mass, centre = properties.Mass, properties.CenterOfMass
        moments = self._optional(lambda: properties.GetMomentOfInertia(ABOUT_CENTER), "moments of inertia")
        return MassProperties(
            mass,
            self._optional(lambda: properties.Volume, "volume"),
            self._optional(lambda: properties.SurfaceArea, "surface area"),
            self._optional(lambda: properties.Density, "density"),
            centre,
            self._optional(lambda: principal.moments(properties), "principal moments"),
            self._optional(lambda: principal.axes(properties), "principal axes"),
            moments,
            *overrides,
        )

    def _optional(self, action: Callable[[], T], what: str) -> T | None:
        """The result of the action; None and a finding if a call fails."""
        nothing: T | None = None
        return self.walk.attempt(action, nothing, f"its {what} is not known")

    def _selected(self, items: tuple[Any, ...]) -> Any:
        """IMassProperty2 of exactly these items, which SolidWorks adds to what is selected when it is created."""
        for _ in range(2):
            properties = self._object if self.reuses_object and self._object is not None else self._created()
            if properties is None:
                return None
            self._object = properties if self.reuses_object else None
            properties.SelectedItems = items
            count = self._count(properties)
            if count in (0, len(items)):
                return properties
            self._object = None
            self.document.ClearSelection2(True)
        raise CallError("", "IMassProperty2.SelectedItems", f"{count} items were returned where {len(items)} were set")

    def _count(self, properties: Any) -> int:
        """How many items the mass properties are of; 0 and a finding if SolidWorks does not return them."""
        count = 0
        with self.walk.item(self.walk.port.subject, UNCHECKED):
            count = len(properties.SelectedItems)
            if not count:
                raise CallError("", "IMassProperty2.SelectedItems", "no items were returned")
        return count

    def _created(self) -> Any:
        """A new object, which includes hidden bodies; None if the document has no solid."""
        if self._is_first:
            self.walk.guard.suspend_selection()
            self.walk.guard.suspend_display()
        self._is_first = False
        properties = self.document.Extension.CreateMassProperty2()
        if properties is None:
            return None
        properties.UseSystemUnits = True
        effect = "the mass of its hidden bodies may be missing"
        self.walk.attempt(lambda: self._include_hidden(properties), None, effect)
        return properties

    def _include_hidden(self, properties: Any) -> None:
        """Include hidden bodies; the option outlives the object, so that it is restored, and not set if unknown."""
        if not self._is_restored:
            option = "IncludeHiddenBodiesOrComponents"  # any object of mass properties has it
            document = self.document
            self.walk.guard.restore_later(properties, option, lambda: document.Extension.CreateMassProperty2())
            self._is_restored = True
        properties.IncludeHiddenBodiesOrComponents = True


def solid_bodies(walk: Walk, part: Any) -> tuple[Any, ...]:
    """The solid bodies of a part document, including hidden ones."""
    bodies: tuple[Any, ...] = walk.port.cast(part, "IPartDoc").GetBodies2(SOLID, False)
    return bodies


def is_empty(mass: MassProperties) -> bool:
    """Whether SolidWorks calculated nothing, without an error: neither volume nor surface."""
    sizes = [size for size in (mass.volume, mass.surface_area) if size is not None]
    return bool(sizes) and not any(sizes) and not mass.mass_overridden


class _Principal(NamedTuple):
    """How an interface names the principal moments and axes."""

    moments: Callable[[Any], tuple[float, ...]]
    axes: Callable[[Any], tuple[float, ...]]


def _principal_axes(properties: Any) -> tuple[float, ...]:
    rows = [properties.PrincipalAxesOfInertia(axis) for axis in range(3)]
    return tuple(number for row in rows for number in row)


def _principle_axes(properties: Any) -> tuple[float, ...]:
    rows = [properties.PrincipleAxesOfInertia(axis) for axis in range(3)]
    return tuple(number for row in rows for number in row)


_PRINCIPAL = _Principal(lambda properties: properties.PrincipalMomentsOfInertia, _principal_axes)
_PRINCIPLE = _Principal(lambda properties: properties.PrincipleMomentsOfInertia, _principle_axes)


def _overrides(options: Any) -> Overrides:
    """Which of mass, centre and moments were entered by hand, of the options or of IMassProperty itself."""
    return options.OverrideMass, options.OverrideCenterOfMass, options.OverrideMomentsOfInertia


def _with_overrides(mass: MassProperties, overrides: Overrides) -> MassProperties:
    of_mass, of_centre, of_moments = overrides
    return replace(mass, mass_overridden=of_mass, center_of_mass_overridden=of_centre, moments_overridden=of_moments)
