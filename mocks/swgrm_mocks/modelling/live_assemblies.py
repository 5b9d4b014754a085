"""A modelled assembly as a COM object: IAssemblyDoc with its components and mates."""

from __future__ import annotations

import ntpath
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from swgrm.solidworks.swconst import swMateType_e as Sw
from swgrm.solidworks.swconst_calls import swAddMateError_e as Status
from swgrm.solidworks.swconst_calls import swInsertNewPartErrorCode_e
from swgrm_mocks.builder import AssemblyComponent, pose
from swgrm_mocks.modelling.assembly_model import AssemblyModel
from swgrm_mocks.modelling.live_components import LiveComponent, LiveDimension, LiveMate, box_center
from swgrm_mocks.modelling.live_documents import LiveDocument
from swgrm_mocks.modelling.mate_data import KINDS, EditableMateData, defaults
from swgrm_mocks.modelling.mate_quirks import change_read_values, collapse_range, is_refused, set_values
from swgrm_mocks.modelling.model_mates import DRIVEN, ModelMate
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
        file = self.session.find_open(name) if not self.edited else None
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
        self.edited = added.name if "edits-the-new-part" in self.session.quirks else ""
        self.touch()
        return int(codes.swInsertNewPartError_NoError), LiveComponent(self, added.name)

    def EditAssembly(self) -> None:
        self.edited = ""

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
        chosen = self.selected_components() if "options-refused" not in self.session.quirks else []
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
        if kind == Sw.swMateCOORDINATE and "coordinate-data-missing" in self.session.quirks:
            return None
        return EditableMateData(kind) if kind in KINDS else None

    def CreateMate(self, data: EditableMateData) -> LiveMate | None:
        try:
            picks = data.picks()
        except WrongSelection:
            data.status = int(Status.swAddMateError_IncorrectSelections)
            return None
        mate = ModelMate(data.kind, dict(data.values), picks, data.reference_names())
        data.status = self._add_mate(mate)
        return LiveMate(self, mate) if mate in self.model.model_mates and not mate.error else None

    def AddMate5(
        self, kind: int, alignment: int, flip: bool, distance: float, highest: float, lowest: float, numerator: float,
        denominator: float, angle: float, widest: float, least: float, _position_only: bool, lock: bool, _width: int,
    ) -> tuple[LiveMate | None, int]:  # fmt: skip
        """Mates what is selected."""
        if kind not in KINDS:
            return None, int(Status.swAddMateError_IncorrectMateType)
        given = {
            "mate_alignment": alignment, "flip_dimension": flip, "distance": distance, "maximum_distance": highest,
            "minimum_distance": lowest, "gear_ratio_numerator": numerator, "gear_ratio_denominator": denominator,
            "angle": angle, "maximum_angle": widest, "minimum_angle": least, "lock_rotation": lock,
        }  # fmt: skip
        own = defaults(kind)
        values = own | {key: value for key, value in given.items() if key in own}
        try:
            mate = ModelMate(kind, values, [picked(item) for item, _ in self.selection])
        except WrongSelection:
            return None, int(Status.swAddMateError_IncorrectSelections)
        status = self._add_mate(mate)
        return LiveMate(self, mate) if mate in self.model.model_mates and not mate.error else None, status

    def _add_mate(self, mate: ModelMate) -> int:
        """Adds a mate as a SolidWorks with its quirks does; returns swAddMateError_e."""
        quirks = self.session.quirks
        if self.edited or is_refused(mate, self.model.model_mates, quirks):
            return int(Status.swAddMateError_NoError)  # the status that was seen where nothing was made
        set_values(mate, quirks)
        status = self.model.add_mate(mate)
        if status == Status.swAddMateError_NoError and not self._is_needed(mate):
            status = int(Status.swAddMateError_OverDefinedAssembly)
        if status == Status.swAddMateError_OverDefinedAssembly and "redundant-mates-refused" in quirks:
            self.model.keep_failed(mate)
        elif status == Status.swAddMateError_NoError:
            change_read_values(mate, quirks)
        self.touch()
        return status

    def _is_needed(self, mate: ModelMate) -> bool:
        """Whether a distance or angle changes anything: if not, some SolidWorks refuse it."""
        name = DRIVEN.get(mate.type)
        if "redundant-mates-refused" not in self.session.quirks or name is None or mate.terms.limits:
            return True
        values = mate.values
        for step in (1e-3, -1e-3):
            if self.model.modify(mate, values | {name: values[name] + step}, mate.picks):
                self.model.modify(mate, values, mate.picks)
                return True
        return False

    def delete_selected(self) -> bool:
        """Deletes the selected mates; whether there are any."""
        numbers = {item.GetID() for item, _ in self.selection if isinstance(item, MockMate | LiveMate)}
        kept = [mate for mate in self.model.model_mates if mate.id not in numbers]
        is_done = len(kept) < len(self.model.model_mates)
        self.model.model_mates, self.selection = kept, []
        self.touch()
        return is_done

    def Parameter(self, name: str) -> LiveDimension | None:
        """The dimension of a mate, such as D1@Angle1."""
        dimension, _, feature = name.partition("@")
        mates = (mate for mate in self.model.model_mates if mate.name == feature and mate.type in DRIVEN)
        mate = next(mates, None) if dimension == "D1" else None
        return None if mate is None else LiveDimension(self, mate)

    def drive(self, mate: ModelMate, value: float) -> bool:
        """Changes the value of a mate and solves; whether SolidWorks reports success."""
        if not self.session.drive():
            return True
        done = self.model.modify(mate, mate.values | {DRIVEN[mate.type]: value}, mate.picks)
        self.touch()
        return done

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
        if mate.type in DRIVEN:
            if "definition-ignored" in self.session.quirks or not self.session.drive():
                return True
            if "range-collapses" in self.session.quirks:
                collapse_range(mate, data)
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
