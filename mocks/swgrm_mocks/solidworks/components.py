"""The components of the mock, in the root assembly and in the document of a sub-assembly."""

from __future__ import annotations

import ntpath
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from swgrm.capture import Component
from swgrm.capture.index import SUPPRESSED
from swgrm.solidworks.swconst import swComponentSuppressionState_e
from swgrm.solidworks.swconst_calls import swBodyInfo_e, swSuppressionError_e
from swgrm_mocks.solidworks.dispatch import MockObject
from swgrm_mocks.solidworks.features import MockFeature, MockMate
from swgrm_mocks.solidworks.references import MathTransform
from swgrm_mocks.solidworks.shapes import Body2, bodies_of

if TYPE_CHECKING:
    from swgrm_mocks.solidworks.documents import ModelDoc


EXPLOSION = 0.0275  # [m] how far each component is moved along x, by its number


class RootComponent(MockObject):
    """IComponent2 of a document's root: supports IsRoot, Name2 and GetChildren only."""

    interfaces: ClassVar = ("IComponent2",)

    def __init__(self, document: ModelDoc) -> None:
        self.document = document

    def IsRoot(self) -> bool:
        return True

    def Name2(self) -> str:
        return self.document.title

    def GetChildren(self) -> tuple[MockObject, ...]:
        if self.document.is_root:
            children = self.document.project.index.children()
        else:
            children = [
                self.document.own_component(p.name) for p in self.document.record.placements if "/" not in p.name
            ]
        return self.document.project.session.shuffled([self.document.component_object(each) for each in children])


class NamedAssembly(RootComponent):
    """IComponent2 of the assembly itself as mates return it: not the root, and named like the assembly."""

    def IsRoot(self) -> bool:
        return False

    def Name2(self) -> str:
        return ntpath.splitext(ntpath.basename(self.document.path))[0] or self.document.title


class Component2(MockObject):
    """IComponent2 of a component, in the root document or in the document of a sub-assembly."""

    interfaces: ClassVar = ("IComponent2",)

    def __init__(self, document: ModelDoc, record: Component) -> None:
        self.document, self.record, self.project = document, record, document.project

    @property
    def suppression(self) -> int:
        """The current suppression state."""
        return self.project.suppression.get(self.record.name, self.record.suppression)

    def IsRoot(self) -> bool:
        return False

    def Name2(self) -> str:
        return self.record.name

    def GetPathName(self) -> str:
        return self.record.path

    def ReferencedConfiguration(self) -> str:
        return self.record.configuration

    def GetID(self) -> int:
        return self.record.id

    def GetSuppression2(self) -> int:
        return self.suppression

    def SetSuppression2(self, state: int) -> int:
        if state == swComponentSuppressionState_e.swComponentInternalIdMismatch:  # which can only be read
            return swSuppressionError_e.swSuppressionBadState
        self.project.suppression[self.record.name] = state
        self.project.resolved.add(self.record.name)
        return swSuppressionError_e.swSuppressionChangeOk

    def Visible(self) -> int:
        return self.record.visible

    def Solving(self) -> int:
        return self.record.solving

    def IsEnvelope(self) -> bool:
        return self.record.envelope

    def IsSpeedPak(self) -> bool:
        return self.record.speed_pak

    def IsVirtual(self) -> bool:
        return self.record.virtual

    def IsPatternInstance(self) -> bool:
        return self.record.pattern_instance

    def IsMirrored(self) -> bool:
        return self.record.mirrored

    def HasAssemblyFeatures(self) -> tuple[bool, str]:
        return self.record.assembly_features, self.record.configuration if self.record.assembly_features else ""

    def IsFixed(self) -> bool:
        """Valid for top-level components of a document only, as in SolidWorks."""
        placement = self.document.placements.get(self.record.name)
        return placement is not None and placement.fixed

    def Transform2(self) -> MathTransform | None:
        numbers = self.record.transform
        if not numbers:
            return None
        if self.project.exploded.get(self.project.capture.source.path):
            numbers = (*numbers[:9], numbers[9] + EXPLOSION * self.record.id, *numbers[10:])
        return MathTransform(numbers)

    def GetTotalTransform(self, _with_presentation: bool) -> MathTransform | None:
        return self.Transform2()

    def MaterialPropertyValues(self) -> tuple[float, ...] | None:
        return self.record.appearance

    def GetChildren(self) -> tuple[MockObject, ...]:
        if not self.record.is_assembly or self.suppression == SUPPRESSED:
            return ()
        children = self.project.index.children(self.record.name)
        return self.project.session.shuffled([self.document.component_object(each) for each in children])

    def GetMates(self) -> tuple[MockMate, ...]:
        """The mates of the component; a mate is returned for each of its components, as a new object."""
        return self.project.session.shuffled([mate for name in self.record.mates for mate in self._mates(name)])

    def _mates(self, name: str) -> list[MockMate]:
        """The mates with a name in the nearest parent assembly that has any."""
        parent = self.record.parent
        while True:
            component = self.project.index.components.get(parent)
            document = self.project.document(component.path) if component else self.document
            if name in document.mates or component is None:
                return document.mates.get(name, [])
            parent = component.parent

    def FirstFeature(self) -> MockFeature | None:
        """The first feature of its document in the context of the assembly; None if it is not loaded at all."""
        if self.suppression == SUPPRESSED or self.project.index.document(self.record) is None:
            return None
        return self.project.document(self.record.path).FirstFeature()

    def GetModelDoc2(self) -> ModelDoc | None:
        return self.project.loaded(self.record)

    def GetModelMaterialPropertyValues(self, _configuration: str) -> tuple[float, ...] | None:
        if "colours-of-lightweight-only" in self.project.session.quirks:
            return None
        document = self.project.index.document(self.record)
        return document.appearance if document else None

    def GetBodies3(self, kind: int) -> tuple[tuple[Body2, ...], tuple[int, ...]]:
        if self.record.is_assembly or self.suppression == SUPPRESSED:
            return (), ()
        bodies = bodies_of(self.project.index.shape(self.record), kind, self.project)
        for number, face in enumerate(face for body in bodies for face in body.faces):
            face.on_highlight = partial(self._highlight, number)
        mark = swBodyInfo_e.swUserBody_e if self.record.assembly_features else swBodyInfo_e.swNormalBody_e
        return bodies, tuple(int(mark) for _ in bodies)

    def _highlight(self, face: int, state: bool) -> None:
        """Notes whether a face of this component is drawn as highlighted."""
        (self.project.highlighted.add if state else self.project.highlighted.discard)((self.record.name, face))
