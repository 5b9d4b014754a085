"""A modelled assembly as a COM object: IAssemblyDoc with its components and mates."""

from __future__ import annotations

import ntpath
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from swgrm.swconst_calls import swAddMateError_e, swInsertNewPartErrorCode_e
from swgrm_mocks.builder import AssemblyComponent, pose
from swgrm_mocks.modelling.assembly_model import AssemblyModel
from swgrm_mocks.modelling.live_components import LiveComponent, LiveMate, box_center
from swgrm_mocks.modelling.live_documents import LiveDocument
from swgrm_mocks.modelling.mate_data import KINDS, EditableMateData
from swgrm_mocks.modelling.model_mates import ModelMate
from swgrm_mocks.modelling.new_mate import IN_PLACE, WrongSelection
from swgrm_mocks.modelling.part_model import PartModel
from swgrm_mocks.modelling.topology import picked
from swgrm_mocks.solidworks.features import MockMate

if TYPE_CHECKING:
    from swgrm_mocks.solidworks.session import MockSolidWorks


class LiveAssembly(LiveDocument):
    """IModelDoc2 and IAssemblyDoc of a modelled assembly."""

    interfaces: ClassVar = ("IModelDoc2", "IAssemblyDoc")
    model: AssemblyModel

    def __init__(self, session: MockSolidWorks, model: AssemblyModel) -> None:
        super().__init__(session, model.name)
        self.model = model

    @property
    def configurations(self) -> list[str]:
        """The names of its configurations."""
        return self.model.configurations

    def show_configuration(self, name: str) -> None:
        """Activates a configuration, and solves its mates."""
        self.model.configuration = name
        self.model.rebuild()

    def EditRebuild3(self) -> bool:
        found = self.model.rebuild()
        self.refresh()
        return found

    def child(self, name: str) -> AssemblyComponent:
        """A component of the assembly at any depth."""
        head, _, rest = name.partition("/")
        found = next(child for child in self.model.children if child.name == head)
        for inner in rest.split("/") if rest else ():
            found = found / inner
        return found

    def component_object(self, name: str) -> LiveComponent:
        """The object of a component."""
        return LiveComponent(self, name)

    def rename(self, number: int, old: str, name: str) -> None:
        """Renames reference geometry, a mate or a folder."""
        for mate in self.model.model_mates:
            mate.name = name if mate.id == number else mate.name
            mate.folder = name if number < 0 and mate.folder == old else mate.folder
        super().rename(number, old, name)

    def suppress(self, number: int, *, is_suppressed: bool) -> bool:
        """Suppresses a mate in the active configuration, or takes it back, and solves."""
        hidden = self.model.suppressed_in[self.model.configuration]
        (hidden.add if is_suppressed else hidden.discard)(number)
        self.touch()
        return self.model.rebuild()

    @property
    def suppressed_features(self) -> dict[str, set[int]]:
        """The identifiers of its suppressed mates by configuration."""
        return self.model.suppressed_in

    # The components of IAssemblyDoc

    def AddComponent5(
        self, name: str, _option: int, _new: str, _use: bool, configuration: str, x: float, y: float, z: float
    ) -> LiveComponent | None:
        """Inserts a file that is open, with the middle of its box at a point; the first component is fixed."""
        file = self.session.find_open(name)
        if not isinstance(file, LiveDocument) or file is self:
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
        if face is None:
            return int(codes.swInsertNewPartError_NotAFaceOrPlane), None
        name = f"Part{len(self.model.children) + 1}^{ntpath.splitext(self.title)[0]}"
        part = PartModel(name, f"{self.path}\\{name}.sldprt")
        self.session.document_of(part)
        added = self.model.part(part).state(virtual=True)
        mate = ModelMate(IN_PLACE, {}, [picked(face), picked(LiveComponent(self, added.name))])
        self.model.add_mate(mate)
        self.touch()
        return int(codes.swInsertNewPartError_NoError), LiveComponent(self, added.name)

    def selected_components(self) -> list[AssemblyComponent]:
        """The components that are selected."""
        return [self.child(item.name) for item, _ in self.selection if isinstance(item, LiveComponent)]

    def FixComponent(self) -> None:
        for child in self.selected_components():
            child.is_fixed = True
        self.touch()

    def UnfixComponent(self) -> None:
        for child in self.selected_components():
            child.is_fixed = False
        self.touch()

    def CompConfigProperties6(
        self, suppression: int, solving: int, visible: bool, use_named: bool, configuration: str, _bom: bool,
        envelope: bool, _save_as_part: int,
    ) -> bool:  # fmt: skip
        chosen = self.selected_components()
        for child in chosen:
            child.state(suppression=suppression, visible=int(visible), envelope=envelope)
            if isinstance(child.file, AssemblyModel):
                child.state(solving=solving)
            if use_named:
                child.configuration = configuration
        self.touch()
        return bool(chosen)

    # The mates of IAssemblyDoc

    def CreateMateData(self, kind: int) -> EditableMateData | None:
        return EditableMateData(kind) if kind in KINDS else None

    def CreateMate(self, data: EditableMateData) -> LiveMate | None:
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
        """A mate by its identifier."""
        return next((mate for mate in self.model.model_mates if mate.id == number), None)

    def definition(self, number: int) -> EditableMateData | None:
        """The feature data of a mate, for IFeature.GetDefinition."""
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
        if mate is None or not isinstance(data, EditableMateData):
            return False
        try:
            done = self.model.modify(mate, dict(data.values), data.picks())
        except WrongSelection:
            return False
        self.touch()
        return done

    def put_into_folder(self) -> str | None:
        """Puts the selected mates into a new folder, which comes after the other mates; returns its name."""
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
        """Overrides the mass of the assembly."""
        self.model.mass_override = fields.get("mass")
        self.touch()
        return True
