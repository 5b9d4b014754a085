"""A modelled part as a COM object: IPartDoc, and what only a part's IModelDoc2 can do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from swgrm_mocks.modelling.live_documents import LiveDocument
from swgrm_mocks.modelling.part_model import PartModel
from swgrm_mocks.modelling.topology import ModelledBody, ModelledFace

if TYPE_CHECKING:
    from swgrm_mocks.solidworks.session import MockSolidWorks


class LivePart(LiveDocument):
    """IModelDoc2 and IPartDoc of a modelled part."""

    interfaces: ClassVar = ("IModelDoc2", "IPartDoc")
    model: PartModel

    def __init__(self, session: MockSolidWorks, model: PartModel) -> None:
        super().__init__(session, model.name)
        self.model = model
        self._bodies: tuple[Any, ModelledBody] | None = None

    @property
    def configurations(self) -> list[str]:
        """The names of its configurations."""
        return list(self.model.solids)

    def show_configuration(self, name: str) -> None:
        """Activates a configuration."""
        self.model.configuration_name = name

    def InsertAxis2(self, _auto: bool) -> bool:
        """Adds the axis of the selected cylinder or cone."""
        item = self.selection[0][0] if self.selection else None
        if not isinstance(item, ModelledFace) or item.face.surface.type not in (4, 7):
            return False
        surface = item.face.surface
        start, along = np.array(surface.point), np.array(surface.direction)
        reach = (item.face.triangles.reshape(-1, 3) - start) @ along
        if "axis-elsewhere" in self.session.quirks:
            start = np.add(start, (0.01, 0.0, 0.0))
        ends = tuple(start + reach.min() * along), tuple(start + reach.max() * along)
        return self.add_geometry("Axis", "axis", *ends) is not None

    def GetBodies2(self, kind: int, visible_only: bool) -> tuple[ModelledBody, ...]:
        part = self.model
        if part.solid is None or kind not in (-1, 0) or (visible_only and part.hidden):
            return ()
        if self._bodies is None or self._bodies[0] is not part.solid:
            is_drawn = "triangles-empty" not in self.session.quirks
            self._bodies = part.solid, ModelledBody(self, part, part.solid, is_drawn=is_drawn)
        return (self._bodies[1],)

    def override_mass(self, **fields: Any) -> bool:
        """Overrides mass properties of the part."""
        self.model.override(**fields)
        self.touch()
        return True
