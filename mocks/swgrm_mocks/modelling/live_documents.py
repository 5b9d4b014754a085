"""Modelled documents as COM objects: what reads them sees a capture of their model as it is now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from swgrm.capture import Capture, Component
from swgrm.capture.index import LIGHTWEIGHT, SUPPRESSED
from swgrm_mocks.modelling.assembly_model import AssemblyModel
from swgrm_mocks.modelling.live_extension import LiveExtension
from swgrm_mocks.modelling.managers import FeatureManager, SketchManager
from swgrm_mocks.modelling.part_model import PartModel, Sketch
from swgrm_mocks.solidworks.dispatch import MockObject
from swgrm_mocks.solidworks.documents import ModelDoc, Project, SelectionManager
from swgrm_mocks.solidworks.features import MockFeature, MockReferenceGeometry

if TYPE_CHECKING:
    from swgrm_mocks.solidworks.session import MockSolidWorks


class ModelledProject(Project):
    """A capture of a modelled document."""

    def __init__(self, live: LiveDocument, capture: Capture) -> None:
        super().__init__(live.session, capture)
        self.live = live
        self.selection = [item for item, _ in live.selection]
        self.changed = live.is_changed
        self.preferences |= live.preferences
        self.drawn = live.drawn

    def document(self, path: str) -> ModelDoc:
        """The model document of a file; the own one knows what it is a capture of."""
        found = super().document(path)
        if path == self.live.model.path:
            found.live = self.live
        return found

    def loaded(self, component: Component) -> Any:
        """The modelled document of a component, unless it is suppressed or lightweight."""
        state = self.suppression[component.name]
        if state == SUPPRESSED or state in LIGHTWEIGHT:
            return None
        return self.session.document_of(self.live.child(component.name).file)


class LiveDocument(MockObject):
    """IModelDoc2 of a part or assembly; what is not changed here is read from a capture of the model."""

    model: PartModel | AssemblyModel

    def __init__(self, session: MockSolidWorks, title: str) -> None:
        self.session, self.title = session, title
        self.path = ""
        self.is_changed = False
        self.is_visible = True  # unless it was opened while documents of its type are invisible
        self.selection: list[tuple[Any, int]] = []
        self.sketch: Sketch | None = None
        self.closed_sketch: Sketch | None = None
        self.preferences: dict[int, int] = {}
        self.drawn: dict[str, bool] = {}  # what SolidWorks draws while it works, by the member that switches it off
        self.adds_to_db = False
        self.edited = ""  # the component that is edited in the assembly instead of it
        self._view: ModelDoc | None = None
        self._version = -1

    def __getattr__(self, member: str) -> Any:
        if member.startswith("__"):
            raise AttributeError(member)
        return getattr(self.view, member)

    @property
    def view(self) -> ModelDoc:
        """The document as it is now, for reading."""
        if self._view is None or self._version != self.session.changes:
            self._version = self.session.changes
            capture = self.model.capture()
            source = replace(capture.source, title=self.title, solidworks=self.session.revision)
            project = ModelledProject(self, replace(capture, source=source))
            self._view = project.root
        return self._view

    @property
    def project(self) -> Project:
        """The capture of the document, with the state that a reader must restore."""
        return self.view.project

    def refresh(self) -> None:
        """Makes readers see the model as it is now."""
        self.session.changes += 1

    def touch(self) -> None:
        """Notes that the document was changed."""
        self.is_changed = True
        self.refresh()

    # Selection

    def select(self, item: Any, *, append: bool, mark: int) -> bool:
        """Selects an object, alone or together with those that are selected."""
        self.selection = [*(self.selection if append else []), (item, mark)]
        self.refresh()
        return True

    def ClearSelection2(self, _all: bool) -> None:
        self.selection = []
        self.refresh()

    def SelectionManager(self) -> SelectionManager:
        return SelectionManager(self.project)

    def take_sketch(self) -> Sketch | None:
        """The sketch that a feature uses, and closes it."""
        found = self.sketch or self.closed_sketch
        self.sketch = self.closed_sketch = None
        return found

    # IModelDoc2

    def IsEditingSelf(self) -> bool:
        return not self.edited

    def Parameter(self, _name: str) -> MockObject | None:
        return None

    def SetPickMode(self) -> None:
        self.session.is_blocked = False

    def refuse_cut(self) -> None:
        """A cut was refused; its command may go on."""
        self.session.is_blocked = "refused-cut-blocks" in self.session.quirks

    def Extension(self) -> LiveExtension:
        return LiveExtension(self)

    def SketchManager(self) -> SketchManager:
        return SketchManager(self)

    def FeatureManager(self) -> FeatureManager:
        return FeatureManager(self)

    def GetSaveFlag(self) -> bool:
        return self.is_changed

    def GetPathName(self) -> str:
        return self.path

    def GetTitle(self) -> str:
        return self.title

    def Visible(self) -> bool:
        return self in self.session.open and self.is_visible

    @property
    def configurations(self) -> list[str]:
        """The names of its configurations."""
        raise NotImplementedError

    def AddConfiguration3(self, name: str, _comment: str, _alternate: str, _options: int) -> Any:
        if not name or name in self.configurations:
            return None
        self.model.add_configuration(name)
        self.touch()
        return self.view.GetActiveConfiguration()

    def GetConfigurationNames(self) -> tuple[str, ...]:
        return tuple(self.configurations)

    def ShowConfiguration2(self, name: str) -> bool:
        if name not in self.configurations:
            return False
        self.show_configuration(name)
        self.touch()
        return True

    def show_configuration(self, name: str) -> None:
        """Activates a configuration."""
        raise NotImplementedError

    def EditRebuild3(self) -> bool:
        return True

    def add_geometry(self, name: str, method: str, *arguments: Any) -> MockFeature:
        """Adds reference geometry with the next free name; returns its feature."""
        used = {item.name for item in self.model.geometry}
        name = next(f"{name}{number}" for number in range(1, len(used) + 2) if f"{name}{number}" not in used)
        getattr(self.model, method)(name, *arguments)
        self.touch()
        return next(feature for feature in self.view.features if feature.Name() == name)

    def rename(self, number: int, _old: str, name: str) -> None:
        """Renames reference geometry."""
        self.model.geometry = [replace(g, name=name) if g.id == number else g for g in self.model.geometry]
        self.touch()

    def suppress(self, _number: int, *, is_suppressed: bool) -> bool:  # noqa: ARG002 - the interface of all documents
        """Suppresses a feature or takes it back; whether it succeeded."""
        return False

    @property
    def suppressed_features(self) -> dict[str, set[int]]:
        """The identifiers of its suppressed features by configuration."""
        return {}

    def put_into_folder(self) -> str | None:
        """Puts the selected features into a new folder; returns its name, or None if it cannot be made."""
        return None

    def delete_selected(self) -> bool:
        """Deletes the selected reference geometry; whether there is any."""
        numbers = {item.GetID() for item, _ in self.selection if isinstance(item, MockReferenceGeometry)}
        kept = [each for each in self.model.geometry if each.id not in numbers]
        is_done = len(kept) < len(self.model.geometry)
        self.model.geometry, self.selection = kept, []
        self.touch()
        return is_done

    def definition(self, _number: int) -> MockObject | None:
        """The feature data of a feature, for IFeature.GetDefinition."""
        return None

    def modify(self, _number: int, _data: Any) -> bool:
        """Changes the definition of a feature, for IFeature.ModifyDefinition."""
        return False

    def override_mass(self, **fields: Any) -> bool:
        """Overrides mass properties."""
        raise NotImplementedError
