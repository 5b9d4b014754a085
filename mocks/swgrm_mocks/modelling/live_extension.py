"""IModelDocExtension of modelled documents, and the files that they are saved in."""

from __future__ import annotations

import copy
import ntpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swgrm.solidworks.swconst_calls import swFileSaveError_e, swSaveAsOptions_e
from swgrm_mocks.modelling.assembly_model import AssemblyModel
from swgrm_mocks.modelling.part_model import PartModel
from swgrm_mocks.solidworks.documents import LINEAR_UNIT, Extension

if TYPE_CHECKING:
    from swgrm_mocks.modelling.live_documents import LiveDocument

EXTENSIONS = {".sldprt": PartModel, ".sldasm": AssemblyModel}


class LiveExtension(Extension):
    """IModelDocExtension of a modelled document."""

    def __init__(self, live: LiveDocument) -> None:
        super().__init__(live.view)
        self.live = live

    def SetUserPreferenceInteger(self, preference: int, _option: int, value: int) -> bool:
        if preference == LINEAR_UNIT:
            self.live.model.linear_unit = value
        else:
            self.live.preferences[preference] = value
        self.live.touch()
        return True

    def SetUserPreferenceToggle(self, preference: int, _option: int, value: bool) -> bool:
        self.live.preferences[preference] = value
        self.live.touch()
        return True

    def DeleteSelection2(self, _options: int) -> bool:
        return self.live.delete_selected()

    def SaveAs3(
        self, name: str, _version: int, options: int, _data: Any, _advanced: Any, _errors: int, _warnings: int
    ) -> tuple[bool, int, int]:
        error = _write(name, type(self.live.model))
        if error:
            return False, error, 0
        if not options & swSaveAsOptions_e.swSaveAsOptions_Copy:
            self.live.path = self.live.model.path = name
            self.live.title = ntpath.basename(name)
            self.live.model.name = ntpath.splitext(self.live.title)[0]
            self.live.is_changed = False
        self.live.session.save(name, saved_copy(self.live.model))
        self.live.refresh()
        return True, 0, 0


def saved_copy(model: Any) -> Any:
    """A copy of a model, which refers to the same files as the model."""
    files = {id(child.file): child.file for child in getattr(model, "children", ())}
    return copy.deepcopy(model, files)


def _write(name: str, kind: type) -> int:
    """Writes a file if the folder is one of this computer; returns swFileSaveError_e, or 0."""
    if EXTENSIONS.get(ntpath.splitext(name)[1].lower()) is not kind:
        return int(swFileSaveError_e.swFileSaveAsInvalidFileExtension)
    path = Path(name)
    if not path.is_absolute():
        return 0  # of another platform: the mock keeps it in memory
    try:
        path.write_text("A document of the mock SolidWorks.\n", encoding="utf-8")
    except OSError:
        return int(swFileSaveError_e.swGenericSaveError)
    return 0
