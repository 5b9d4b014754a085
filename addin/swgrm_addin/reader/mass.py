"""Reads mass properties: of a component through the assembly, and of a part through its own document."""

from __future__ import annotations

from typing import Any

from swgrm.capture import MassProperties
from swgrm.errors import CallError
from swgrm.swconst_calls import swBodyType_e, swMassPropertyMoment_e
from swgrm_addin.reader.walk import Walk

ABOUT_CENTER = int(swMassPropertyMoment_e.swMassPropertyMomentAboutCenterOfMass)
SOLID = int(swBodyType_e.swSolidBody)
UNCHECKED = "its mass may be that of the whole document"


class MassReader:
    """Reads mass properties of a document's components or bodies, whatever the user has selected."""

    def __init__(self, walk: Walk, document: Any) -> None:
        self.walk, self.document = walk, document
        self._is_first, self._is_restored = True, False

    def of(self, *items: Any, only_if_overridden: bool = False) -> MassProperties | None:
        """The mass properties of a component or of bodies; None if SolidWorks cannot calculate them."""
        found = self._selected(items)
        if found is None or not found.Recalculate():
            return None
        options = found.GetOverrideOptions()
        overrides = options.OverrideMass, options.OverrideCenterOfMass, options.OverrideMomentsOfInertia
        if only_if_overridden and not any(overrides):
            return None
        axes = [number for axis in range(3) for number in found.PrincipalAxesOfInertia(axis)]
        return MassProperties(
            *(found.Mass, found.Volume, found.SurfaceArea, found.Density),
            *(found.CenterOfMass, found.PrincipalMomentsOfInertia, tuple(axes)),
            found.GetMomentOfInertia(ABOUT_CENTER),
            *overrides,
        )

    def legacy(self, part: Any) -> MassProperties | None:
        """The properties by IMassProperty of a part document, in its coordinates; None if SolidWorks returns none."""
        found = part.Extension.CreateMassProperty()
        if found is None:
            return None
        found.UseSystemUnits = True
        if not found.AddBodies(solid_bodies(self.walk, part)):
            return None
        # The overrides first: principal moments and axes are not calculated before one of them is asked for.
        overrides = found.OverrideMass, found.OverrideCenterOfMass, found.OverrideMomentsOfInertia
        axes = [number for axis in range(3) for number in found.PrincipleAxesOfInertia(axis)]
        return MassProperties(
            *(found.Mass, found.Volume, found.SurfaceArea, found.Density),
            *(found.CenterOfMass, found.PrincipleMomentsOfInertia, tuple(axes)),
            found.GetMomentOfInertia(ABOUT_CENTER),
            *overrides,
        )

    def _selected(self, items: tuple[Any, ...]) -> Any:
        """IMassProperty2 of exactly these items, which SolidWorks adds to what is selected when it is created."""
        for _ in range(2):
            found = self._created()
            if found is None:
                return None
            found.SelectedItems = items
            count = self._count(found)
            if count in (0, len(items)):
                return found
            self.document.ClearSelection2(True)
        raise CallError("", "IMassProperty2.SelectedItems", f"{count} items were returned where {len(items)} were set")

    def _count(self, found: Any) -> int:
        """How many items the mass properties are of; 0 and a finding if SolidWorks does not return them."""
        count = 0
        with self.walk.item(self.walk.port.subject, UNCHECKED):
            count = len(found.SelectedItems)
            if not count:
                raise CallError("", "IMassProperty2.SelectedItems", "no items were returned")
        return count

    def _created(self) -> Any:
        """A new object, which includes hidden bodies; None if the document has no solid."""
        if self._is_first:
            self.walk.guard.suspend_selection()
        self._is_first = False
        found = self.document.Extension.CreateMassProperty2()
        if found is None:
            return None
        found.UseSystemUnits = True
        self.walk.attempt(lambda: self._include_hidden(found), None, "the mass of its hidden bodies may be missing")
        return found

    def _include_hidden(self, found: Any) -> None:
        """Include hidden bodies; the option outlives the object, so that it is restored, and not set if unknown."""
        if not self._is_restored:
            self.walk.guard.restore_later(found, "IncludeHiddenBodiesOrComponents")
            self._is_restored = True
        found.IncludeHiddenBodiesOrComponents = True


def solid_bodies(walk: Walk, part: Any) -> tuple[Any, ...]:
    """The solid bodies of a part document, including hidden ones."""
    bodies: tuple[Any, ...] = walk.port.cast(part, "IPartDoc").GetBodies2(SOLID, False)
    return bodies


def is_empty(mass: MassProperties) -> bool:
    """Whether SolidWorks calculated nothing, without an error: neither volume nor surface."""
    return not (mass.volume or mass.surface_area or mass.mass_overridden)
