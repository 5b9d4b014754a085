"""Modelled documents as COM objects: what reads them sees a capture of their model as it is now."""

from __future__ import annotations

import copy
import ntpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import replace

from swgrm.capture import Capture, Component
from swgrm.capture.index import LIGHTWEIGHT, SUPPRESSED
from swgrm.swconst import swAddMateError_e, swFileSaveError_e, swInsertNewPartErrorCode_e, swSaveAsOptions_e
from swgrm.transforms import Array, column_matrix
from swgrm_mocks.builder import AssemblyComponent, pose
from swgrm_mocks.modelling.assembly_model import AssemblyModel, ModelMate
from swgrm_mocks.modelling.live_components import LiveComponent, LiveMate, box_center
from swgrm_mocks.modelling.managers import FeatureManager, SketchManager
from swgrm_mocks.modelling.mate_data import KINDS, EditableMateData
from swgrm_mocks.modelling.new_mate import IN_PLACE, WrongSelection
from swgrm_mocks.modelling.part_model import PartModel, Sketch
from swgrm_mocks.modelling.topology import ModelledBody, ModelledFace, picked
from swgrm_mocks.solidworks.dispatch import MockObject
from swgrm_mocks.solidworks.documents import LINEAR_UNIT, Extension, ModelDoc, Project, SelectionManager
from swgrm_mocks.solidworks.features import MockFeature, MockMate, MockReferenceGeometry

if TYPE_CHECKING:
    from swgrm_mocks.solidworks.session import MockSolidWorks

EXTENSIONS = {".sldprt": PartModel, ".sldasm": AssemblyModel}


class ModelledProject(Project):
    """A capture of a modelled document."""

    def __init__(self, live: LiveDocument, capture: Capture) -> None:
        super().__init__(live.session, capture)
        self.live = live
        self.selection = [item for item, _ in live.selection]
        self.changed = live.is_changed
        self.preferences |= live.preferences

    def document(self, path: str) -> ModelDoc:
        """Returns the model document of a file; the own one knows what it is a capture of."""
        found = super().document(path)
        if path == self.live.model.path:
            found.live = self.live
        return found

    def loaded(self, component: Component) -> Any:
        """Returns the modelled document of a component, unless it is suppressed or lightweight."""
        state = self.suppression[component.name]
        if state == SUPPRESSED or state in LIGHTWEIGHT:
            return None
        return self.session.document_of(self.live.child(component.name).file)


class LiveDocument(MockObject):
    """IModelDoc2 with IPartDoc or IAssemblyDoc; what is not changed here is read from a capture of the model."""

    def __init__(self, session: MockSolidWorks, model: PartModel | AssemblyModel, title: str) -> None:
        self.session, self.model, self.title = session, model, title
        self.path = ""
        self.is_changed = False
        self.selection: list[tuple[Any, int]] = []
        self.sketch: Sketch | None = None
        self.closed_sketch: Sketch | None = None
        self.preferences: dict[int, int] = {}
        self._view: ModelDoc | None = None
        self._version = -1
        self._bodies: tuple[Any, ModelledBody] | None = None

    def supported_interfaces(self) -> tuple[str, ...]:
        """Returns IModelDoc2, and the interface of its type."""
        return "IModelDoc2", "IPartDoc" if isinstance(self.model, PartModel) else "IAssemblyDoc"

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

    def child(self, name: str) -> AssemblyComponent:
        """Returns a component of the assembly at any depth."""
        assert isinstance(self.model, AssemblyModel)  # noqa: S101 - only assemblies have components
        head, _, rest = name.partition("/")
        found = next(child for child in self.model.children if child.name == head)
        for inner in rest.split("/") if rest else ():
            found = found / inner
        return found

    def component_object(self, name: str) -> LiveComponent:
        """Returns the object of a component."""
        return LiveComponent(self, name)

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

    def selected_plane(self) -> Array | None:
        """Returns the frame of the selected plane or planar face: z is its normal."""
        item = self.selection[0][0] if self.selection else None
        if isinstance(item, MockReferenceGeometry) and item.record.kind == "plane":
            return column_matrix(item.record.numbers)
        if isinstance(item, ModelledFace) and item.face.surface.type == 3:
            return _frame_of_face(item)
        return None

    def marked_frame(self, origin: int, x: int, y: int) -> Array | None:
        """Returns the frame at the vertex with one mark, along edges with others."""
        marked = {mark: picked(item).entity for item, mark in self.selection}
        if origin not in marked:
            return None
        T = np.eye(4)
        T[:3, 3] = marked[origin].point
        if x in marked:
            along = np.array(marked[x].direction)
            side = np.array(marked[y].direction) if y in marked else np.eye(3)[int(np.argmin(np.abs(along)))]
            z = np.cross(along, side)
            z /= np.linalg.norm(z)
            T[:3, :3] = np.column_stack([along, np.cross(z, along), z])
        return T

    def take_sketch(self) -> Sketch | None:
        """Returns the sketch that a feature uses, and closes it."""
        found = self.sketch or self.closed_sketch
        self.sketch = self.closed_sketch = None
        return found

    # IModelDoc2

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
        return self in self.session.open

    def AddConfiguration3(self, name: str, _comment: str, _alternate: str, _options: int) -> Any:
        if not name or name in self._configurations():
            return None
        self.model.add_configuration(name)
        self.touch()
        return self.view.GetActiveConfiguration()

    def _configurations(self) -> list[str]:
        return self.model.configurations if isinstance(self.model, AssemblyModel) else list(self.model.solids)

    def GetConfigurationNames(self) -> tuple[str, ...]:
        return tuple(self._configurations())

    def ShowConfiguration2(self, name: str) -> bool:
        if name not in self._configurations():
            return False
        if isinstance(self.model, AssemblyModel):
            self.model.configuration = name
            self.model.rebuild()
        else:
            self.model.configuration_name = name
        self.touch()
        return True

    def EditRebuild3(self) -> bool:
        if not isinstance(self.model, AssemblyModel):
            return True
        found = self.model.rebuild()
        self.refresh()
        return found

    def InsertAxis2(self, _auto: bool) -> bool:
        """Adds the axis of the selected cylinder or cone."""
        item = self.selection[0][0] if self.selection else None
        if not isinstance(item, ModelledFace) or item.face.surface.type not in (4, 7):
            return False
        surface = item.face.surface
        start, along = np.array(surface.point), np.array(surface.direction)
        reach = (item.face.triangles.reshape(-1, 3) - start) @ along
        ends = tuple(start + reach.min() * along), tuple(start + reach.max() * along)
        return self.add_geometry("Axis", "axis", *ends) is not None

    def add_geometry(self, name: str, method: str, *arguments: Any) -> MockFeature:
        """Adds reference geometry with the next free name; returns its feature."""
        used = {item.name for item in self.model.geometry}
        name = next(f"{name}{number}" for number in range(1, len(used) + 2) if f"{name}{number}" not in used)
        getattr(self.model, method)(name, *arguments)
        self.touch()
        return next(feature for feature in self.view.features if feature.Name() == name)

    def rename(self, number: int, old: str, name: str) -> None:
        """Renames reference geometry, a mate or a folder."""
        self.model.geometry = [replace(g, name=name) if g.id == number else g for g in self.model.geometry]
        for mate in self.model.model_mates if isinstance(self.model, AssemblyModel) else ():
            mate.name = name if mate.id == number else mate.name
            mate.folder = name if number < 0 and mate.folder == old else mate.folder
        self.touch()

    def suppress(self, number: int, *, is_suppressed: bool) -> bool:
        """Suppresses a mate in the active configuration, or takes it back, and solves."""
        if not isinstance(self.model, AssemblyModel):
            return False
        hidden = self.model.suppressed_in[self.model.configuration]
        (hidden.add if is_suppressed else hidden.discard)(number)
        self.touch()
        return self.model.rebuild()

    # IPartDoc

    def GetBodies2(self, kind: int, visible_only: bool) -> tuple[ModelledBody, ...]:
        part = self.model
        if not isinstance(part, PartModel) or part.solid is None or kind not in (-1, 0):
            return ()
        if visible_only and part.hidden:
            return ()
        if self._bodies is None or self._bodies[0] is not part.solid:
            is_drawn = "triangles-empty" not in self.session.quirks
            self._bodies = part.solid, ModelledBody(self, part, part.solid, is_drawn=is_drawn)
        return (self._bodies[1],)

    # IAssemblyDoc

    def AddComponent5(
        self, name: str, _option: int, _new: str, _use: bool, configuration: str, x: float, y: float, z: float
    ) -> LiveComponent | None:
        """Inserts a file that is open, with the middle of its box at a point; the first component is fixed."""
        file = self.session.find_open(name)
        if not isinstance(self.model, AssemblyModel) or not isinstance(file, LiveDocument) or file is self:
            return None
        inner = file.model
        chosen = configuration or (
            inner.configuration if isinstance(inner, AssemblyModel) else inner.configuration_name
        )
        added = self.model.sub(inner) if isinstance(inner, AssemblyModel) else self.model.part(inner)
        added.configuration = chosen
        added.T_assembly_self = pose(*(np.array([x, y, z]) - box_center(added)))
        added.is_fixed = len(self.model.children) == 1
        self.touch()
        return LiveComponent(self, added.name)

    def InsertNewVirtualPart(self, face: Any) -> tuple[int, LiveComponent | None]:
        """Inserts an empty part in place on a face or plane."""
        codes = swInsertNewPartErrorCode_e
        if not isinstance(self.model, AssemblyModel) or face is None:
            return int(codes.swInsertNewPartError_NotAFaceOrPlane), None
        name = f"Part{len(self.model.children) + 1}^{ntpath.splitext(self.title)[0]}"
        part = PartModel(name, f"{self.path}\\{name}.sldprt")
        self.session.document_of(part)
        added = self.model.part(part).state(virtual=True)
        mate = ModelMate(IN_PLACE, {}, [picked(face), picked(LiveComponent(self, added.name))])
        self.model.add_mate(mate)
        self.touch()
        return int(codes.swInsertNewPartError_NoError), LiveComponent(self, added.name)

    def _selected_components(self) -> list[AssemblyComponent]:
        return [self.child(item.name) for item, _ in self.selection if isinstance(item, LiveComponent)]

    def FixComponent(self) -> None:
        for child in self._selected_components():
            child.is_fixed = True
        self.touch()

    def UnfixComponent(self) -> None:
        for child in self._selected_components():
            child.is_fixed = False
        self.touch()

    def CompConfigProperties6(
        self, suppression: int, solving: int, visible: bool, use_named: bool, configuration: str, _bom: bool,
        envelope: bool, _save_as_part: int,
    ) -> bool:  # fmt: skip
        chosen = self._selected_components()
        for child in chosen:
            child.state(suppression=suppression, visible=int(visible), envelope=envelope)
            if isinstance(child.file, AssemblyModel):
                child.state(solving=solving)
            if use_named:
                child.configuration = configuration
        self.touch()
        return bool(chosen)

    def CreateMateData(self, kind: int) -> EditableMateData | None:
        return EditableMateData(kind) if kind in KINDS else None

    def CreateMate(self, data: EditableMateData) -> LiveMate | None:
        if not isinstance(self.model, AssemblyModel):
            return None
        try:
            picks = data.picks()
        except WrongSelection:
            data.status = int(swAddMateError_e.swAddMateError_IncorrectSelections)
            return None
        mate = ModelMate(data.kind, dict(data.values), picks, data.reference_names())
        data.status = self.model.add_mate(mate)
        if data.status != swAddMateError_e.swAddMateError_NoError:
            return None
        self.touch()
        return LiveMate(self, mate)

    def mate(self, number: int) -> ModelMate | None:
        """Returns a mate by its identifier."""
        mates = self.model.model_mates if isinstance(self.model, AssemblyModel) else []
        return next((mate for mate in mates if mate.id == number), None)

    def definition(self, number: int) -> EditableMateData | None:
        """Returns the feature data of a mate, for IFeature.GetDefinition."""
        mate = self.mate(number)
        if mate is None or mate.type not in KINDS:
            return None
        data = EditableMateData(mate.type, mate)
        names = zip(("ReferenceComponent1", "ReferenceComponent2"), mate.references, strict=False)
        data.references = {key: LiveComponent(self, name) for key, name in names}
        return data

    def modify(self, number: int, data: Any) -> bool:
        """Changes the definition of a mate and solves, for IFeature.ModifyDefinition."""
        mate = self.mate(number)
        if mate is None or not isinstance(data, EditableMateData) or not isinstance(self.model, AssemblyModel):
            return False
        try:
            done = self.model.modify(mate, dict(data.values), data.picks())
        except WrongSelection:
            return False
        self.touch()
        return done

    def put_into_folder(self) -> str | None:
        """Puts the selected mates into a new folder, which comes after the other mates; returns its name."""
        if not isinstance(self.model, AssemblyModel):
            return None
        numbers = {item.GetID() for item, _ in self.selection if isinstance(item, MockMate | LiveMate)}
        chosen = [mate for mate in self.model.model_mates if mate.id in numbers]
        if not chosen:
            return None
        name = f"Folder{1 + len({mate.folder for mate in self.model.model_mates if mate.folder})}"
        for mate in chosen:
            mate.folder = name
        others = [mate for mate in self.model.model_mates if mate not in chosen]
        self.model.model_mates = others + chosen
        self.touch()
        return name

    def override_mass(self, **fields: Any) -> bool:
        """Overrides mass properties of the part, or the mass of the assembly."""
        if isinstance(self.model, AssemblyModel):
            self.model.mass_override = fields.get("mass")
        else:
            self.model.override(**fields)
        self.touch()
        return True


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
    """Returns a copy of a model, which refers to the same files as the model."""
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


def _frame_of_face(item: ModelledFace) -> Array:
    """Returns the frame of a sketch on a face: at the foot of the origin, with axes as on the plane beside it."""
    surface = item.face.surface
    normal = np.array(surface.direction)
    k = int(np.argmax(np.abs(normal)))
    x = {0: (0.0, 0.0, -1.0), 1: (1.0, 0.0, 0.0), 2: (1.0, 0.0, 0.0)}[k]
    along = np.array(x) * (np.sign(normal[k]) if k != 1 else 1.0)
    along = along - normal * (along @ normal)
    along /= np.linalg.norm(along)
    T = np.eye(4)
    T[:3, :3] = np.column_stack([along, np.cross(normal, along), normal])
    T[:3, 3] = normal * (normal @ np.array(surface.point))
    return T
