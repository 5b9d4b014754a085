"""Components and mates of a modelled assembly as COM objects that stay valid while the assembly changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from swgrm.solidworks.swconst import swComponentSuppressionState_e
from swgrm.solidworks.swconst_calls import swSuppressionError_e
from swgrm.transforms import column_matrix
from swgrm_mocks.builder import AssemblyComponent
from swgrm_mocks.modelling.model_mates import DRIVEN, ModelMate
from swgrm_mocks.modelling.topology import InComponent
from swgrm_mocks.solidworks.components import Component2
from swgrm_mocks.solidworks.dispatch import MockObject
from swgrm_mocks.solidworks.documents import SelectData
from swgrm_mocks.solidworks.features import MockReferenceGeometry, tree_of
from swgrm_mocks.solidworks.references import MathTransform

if TYPE_CHECKING:
    from swgrm_mocks.modelling.live_assemblies import LiveAssembly


class LiveComponent(MockObject):
    """IComponent2 of a modelled assembly; what is not changed here is read from the assembly as it is now."""

    interfaces: ClassVar = ("IComponent2",)

    def __init__(self, document: LiveAssembly, name: str) -> None:
        self.document, self.name = document, name

    def __getattr__(self, member: str) -> Any:
        if member.startswith("__"):
            raise AttributeError(member)
        view = self.document.view
        return getattr(Component2(view, view.own_component(self.name)), member)

    @property
    def child(self) -> AssemblyComponent:
        """The component in the model."""
        return self.document.child(self.name)

    def put_Transform2(self, transform: MathTransform) -> None:
        """Moves the component of the assembly itself; its mates hold again after a rebuild."""
        mated = {pick.component for mate in self.document.model.model_mates for pick in mate.picks}
        if "mated-parts-stay" in self.document.session.quirks and self.name in mated:
            return
        if "/" not in self.name and "placement-ignored" not in self.document.session.quirks:
            self.child.T_assembly_self = column_matrix(transform.numbers)
            self.document.touch()

    def put_Visible(self, state: int) -> None:
        self.child.state(visible=state)
        self.document.touch()

    def put_ReferencedConfiguration(self, name: str) -> None:
        self.child.configuration = name
        self.document.touch()

    def SetSuppression2(self, state: int) -> int:
        session = self.document.session
        is_held = "resolved-while-open" in session.quirks and session.find_open(self.child.file.path) is not None
        if not is_held or state != swComponentSuppressionState_e.swComponentLightweight:
            self.child.state(suppression=state)
        self.document.refresh()
        return swSuppressionError_e.swSuppressionChangeOk

    def Select4(self, append: bool, data: SelectData | None, _popup: bool) -> bool:
        return self.document.select(self, append=append, mark=data.mark if data else 0)

    def GetCorrespondingEntity(self, entity: Any) -> InComponent:
        return InComponent(self.document, self.name, entity)

    def FeatureByName(self, name: str) -> InComponent | None:
        """A plane, axis, point, origin or coordinate system of its file."""
        view = self.document.session.document_of(self.child.file).view
        found = (feature for feature in tree_of(view) if isinstance(feature, MockReferenceGeometry))
        feature = next((feature for feature in found if feature.Name() == name), None)
        return None if feature is None else InComponent(self.document, self.name, feature)


class LiveDimension(MockObject):
    """IDimension of a distance or angle mate."""

    interfaces: ClassVar = ("IDimension",)

    def __init__(self, document: LiveAssembly, mate: ModelMate) -> None:
        self.document, self.mate = document, mate

    def SystemValue(self) -> float:
        return float(self.mate.values[DRIVEN[self.mate.type]])

    def put_SystemValue(self, value: float) -> None:
        self.document.drive(self.mate, value)


class LiveMate(MockObject):
    """IFeature and IMate2 of a mate, as it is now."""

    interfaces: ClassVar = ("IMate2", "IFeature")

    def __init__(self, document: LiveAssembly, mate: ModelMate) -> None:
        self.document, self.mate = document, mate

    def __getattr__(self, member: str) -> Any:
        if member.startswith("__"):
            raise AttributeError(member)
        return getattr(self.document.view.mates[self.mate.name][0], member)


def box_center(component: AssemblyComponent) -> Any:
    """The middle of a part's box, which AddComponent5 places; the origin if it has no solid."""
    solid = getattr(component.file, "solid", None)
    if solid is None:
        return np.zeros(3)
    corners = np.concatenate([face.triangles for face in solid.faces]).reshape(-1, 3)
    return (corners.min(axis=0) + corners.max(axis=0)) / 2
