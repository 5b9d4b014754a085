"""The feature tree of the mock: reference geometry, and mates with their entities and feature data."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from swgrm.capture import (
    ComponentPattern,
    EntityGeometry,
    Mate,
    MateEntity,
    MirrorFeature,
    ReferenceGeometry,
    SavedConfiguration,
)
from swgrm.solidworks.api_slice import ComError
from swgrm.solidworks.swconst_calls import swFeatureSuppressionAction_e
from swgrm_mocks.solidworks.dispatch import E_FAIL, MockObject
from swgrm_mocks.solidworks.quirks import quirky_entity
from swgrm_mocks.solidworks.references import MathPoint, MathTransform, MockReference, geometry_in_component

if TYPE_CHECKING:
    from swgrm_mocks.modelling.live_documents import LiveDocument
    from swgrm_mocks.solidworks.documents import ModelDoc

END_OF_FOLDER = "___EndTag___"
MIRROR = "MirrorCompFeat"
TYPE_NAMES = {
    "coordinateSystem": "CoordSys",
    "plane": "RefPlane",
    "axis": "RefAxis",
    "point": "RefPoint",
    "origin": "OriginProfileFeature",
}


class MockFeature(MockObject):
    """IFeature: a node of a document's feature tree; the base class of reference geometry and mates."""

    interfaces: ClassVar = ("IFeature",)

    def __init__(self, document: ModelDoc, type_name: str, record: Any = None) -> None:
        self.document, self.type_name, self.record = document, type_name, record
        self.next: MockFeature | None = None
        self.first: MockFeature | None = None
        self.mates: list[MockMate] = []

    def Name(self) -> str:
        return self.record.name if self.record else self.type_name

    def GetID(self) -> int:
        return self.record.id if self.record else 0

    def GetTypeName2(self) -> str:
        return self.type_name

    def GetTypeName(self) -> str:
        return self.GetTypeName2()

    def GetNameForSelection(self) -> tuple[str, str]:
        """The name and type by which SelectByID2 finds it; the name of its document follows an @."""
        return f"{self.Name()}@{self.document.title}", self.type_name

    def GetNextFeature(self) -> MockFeature | None:
        return self.next

    def IGetNextFeature(self) -> MockFeature | None:
        return self.next

    def GetNextSubFeature(self) -> MockFeature | None:
        return self.next

    def IGetNextSubFeature(self) -> MockFeature | None:
        return self.next

    def GetFirstSubFeature(self) -> MockFeature | None:
        return self.first

    def IGetFirstSubFeature(self) -> MockFeature | None:
        return self.first

    def GetParents(self) -> tuple[MockFeature, ...]:
        return ()

    def GetSpecificFeature2(self) -> MockObject | None:
        return None

    def GetSpecificFeature(self) -> MockObject | None:
        return self.GetSpecificFeature2()

    def GetDefinition(self) -> MockObject | None:
        return None

    def GetErrorCode2(self) -> tuple[int, bool]:
        return 0, False

    def GetErrorCode(self) -> int:
        return self.GetErrorCode2()[0]

    def Select2(self, append: bool, mark: int) -> bool:
        return self._live().select(self, append=append, mark=mark)

    def put_Name(self, name: str) -> None:
        self._live().rename(self.GetID(), self.Name(), name)

    def SetSuppression2(self, action: int, _option: int, _configurations: tuple[str, ...]) -> bool:
        is_suppressed = action == swFeatureSuppressionAction_e.swSuppressFeature
        return self._live().suppress(self.GetID(), is_suppressed=is_suppressed)

    def ModifyDefinition(self, data: object, _document: object, _component: object) -> bool:
        return self._live().modify(self.GetID(), data)

    def _live(self) -> LiveDocument:
        """The modelled document; a captured one cannot be changed."""
        if self.document.live is None:
            raise ComError(E_FAIL, "the document is a capture")
        return self.document.live

    def IsSuppressed(self) -> bool:
        """Whether it is suppressed in the active configuration of its document."""
        return self.IsSuppressed2(0, ("",))[0]

    def IsSuppressed2(self, _option: int, configurations: tuple[str, ...]) -> tuple[bool, ...]:
        if any(map(self.document.wants_no_name, configurations)):
            return ()
        configurations = tuple(name or self.document.read_in for name in configurations)
        live = self.document.live
        suppressed = self.document.suppressed if live is None else live.suppressed_features
        return tuple(self.GetID() in suppressed.get(name, ()) for name in configurations)


class MockReferenceGeometry(MockFeature):
    """IFeature of reference geometry; its IRefPlane, IRefAxis or IRefPoint is the same object."""

    record: ReferenceGeometry

    def supported_interfaces(self) -> tuple[str, ...]:
        """The interface of its kind, with which GetSpecificFeature2 returns it, and IFeature."""
        specific = {"plane": "IRefPlane", "axis": "IRefAxis", "point": "IRefPoint"}
        return tuple(name for name in (specific.get(self.record.kind), "IFeature") if name)

    def GetSpecificFeature2(self) -> MockObject | None:
        return self if len(self.supported_interfaces()) > 1 else None

    def GetDefinition(self) -> MockObject | None:
        return CoordinateSystem(self.record.numbers) if self.record.kind == "coordinateSystem" else None

    def Transform(self) -> MathTransform:
        return MathTransform(self.record.numbers)

    def GetRefAxisParams(self) -> tuple[float, ...]:
        return self.record.numbers

    def GetRefPoint(self) -> MathPoint:
        return MathPoint(self.record.numbers)


class CoordinateSystem(MockObject):
    """ICoordinateSystemFeatureData."""

    interfaces: ClassVar = ("ICoordinateSystemFeatureData",)

    def __init__(self, numbers: tuple[float, ...]) -> None:
        self.numbers = numbers

    def Transform(self) -> MathTransform:
        return MathTransform(self.numbers)


class MockMate(MockFeature):
    """IMate2, or IMateInPlace for a mate without a type, and its IFeature."""

    record: Mate

    def supported_interfaces(self) -> tuple[str, ...]:
        """The mate interface first, because GetMates returns mates."""
        is_in_place = self.record.type is None and "in-place-is-mate" not in self.document.project.session.quirks
        return ("IMateInPlace" if is_in_place else "IMate2", "IFeature")

    def GetSpecificFeature2(self) -> MockObject:
        return self

    def GetDefinition(self) -> MockObject | None:
        if self.document.live is not None:
            return self.document.live.definition(self.record.id)
        return MockMateDefinition(self.document, self.record) if self.record.data else None

    def GetErrorCode2(self) -> tuple[int, bool]:
        return self.record.error, self.record.warning

    def Type(self) -> int | None:
        return self.record.type

    def Alignment(self) -> int:
        return self.record.alignment

    def Flipped(self) -> bool:
        return self.record.flipped

    def MaximumVariation(self) -> float:
        return self.record.maximum_variation or 0.0

    def MinimumVariation(self) -> float:
        return self.record.minimum_variation or 0.0

    def GetMateEntityCount(self) -> int:
        return len(self.record.entities)

    def MateEntity(self, index: int) -> MockMateEntity | None:
        if not 0 <= index < len(self.record.entities):
            raise ComError(E_FAIL, "the entity index is out of range")
        quirks, record = self.document.project.session.quirks, self.record.entities[index]
        first = next(mate for mate in self.document.record.mates if mate.type is not None)
        if "entity-null" in quirks and self.document.is_root and self.record is first:
            return None
        owner = record.component if record.component is not None else self._silent_owner()
        return MockMateEntity(self.document, quirky_entity(record, self.record.type, quirks), record, owner)

    def _silent_owner(self) -> str:
        """The component of an entity that does not return it: the one of those with this mate that no other has."""
        named = {entity.component for entity in self.record.entities}
        sides = [c.name.removeprefix(self.document.prefix) for c in self.document.components_with(self.record.name)]
        return next((name for name in sides if name not in named), "")

    def MateComponentName(self, index: int) -> str:
        return self.record.entities[index].component or ""

    def MateEntityType(self, index: int) -> int:
        return self.record.entities[index].selection_type


class MockMateEntity(MockObject):
    """IMateEntity2, in the coordinates of the document that contains the mate."""

    interfaces: ClassVar = ("IMateEntity2",)

    def __init__(self, document: ModelDoc, record: MateEntity, selected: MateEntity, owner: str) -> None:
        self.document, self.record = document, record  # as SolidWorks describes it
        self.selected, self.owner = selected, owner  # what the user selected, without quirks, and in which component

    def EntityParams(self) -> tuple[float, ...]:
        return self.record.params

    def Reference(self) -> MockReference | None:
        if self.record.lost:
            return None
        entity = self.record if self.record.geometry else self.selected
        transform = self.document.own_component(self.owner).transform if self.owner else None
        geometry = geometry_in_component(entity, transform)
        component = self.document.component(entity.component) if entity.component else None
        kind, numbers = self.record.type, self.record.params
        is_described = len(numbers) >= 3 and (kind in (0, 5) or (kind in (1, 2, 3, 4, 7) and any(numbers[3:6])))
        if geometry is None and is_described:
            geometry = EntityGeometry(0)  # of another kind, which exists all the same
        return None if geometry is None else MockReference(entity.selection_type, geometry, component)

    def ReferenceComponent(self) -> MockObject | None:
        return self.document.component(self.record.component)

    def ReferenceType(self) -> int:
        return self.record.type

    def ReferenceType2(self) -> int:
        return self.record.selection_type


class MockMateDefinition(MockObject):
    """The feature data of a mate: each member returns the field of the same name."""

    def __init__(self, document: ModelDoc, mate: Mate) -> None:
        self.document, self.mate, self.data = document, mate, mate.data

    def ReferenceComponent1(self) -> MockObject | None:
        return self._reference(0)

    def ReferenceComponent2(self) -> MockObject | None:
        return self._reference(1)

    def _reference(self, side: int) -> MockObject | None:
        names = self.mate.references
        return self.document.component(names[side]) if names and names[side] else None

    def supported_interfaces(self) -> tuple[str, ...]:
        """The feature data interface of the mate type."""
        return (f"I{type(self.data).__name__}MateFeatureData",)

    def __getattr__(self, member: str) -> Callable[[], Any]:
        field = re.sub(r"(?<!^)(?=[A-Z])", "_", member).lower()
        value = getattr(self.data, field)
        return lambda: value


class MockMirror(MockFeature):
    """IFeature of a mirror component feature."""

    record: MirrorFeature

    def GetDefinition(self) -> MockObject:
        return MirrorComponentData(self.document, self.record)


class SelectionAccess(MockObject):
    """Feature data whose selections can be accessed, which rolls the document back until they are released."""

    def __init__(self, document: ModelDoc) -> None:
        self.document = document
        self.is_accessed = False

    def AccessSelections(self, _document: object, _component: object) -> bool:
        self.document.rolled_back += not self.is_accessed
        self.is_accessed = True
        return True

    def ReleaseSelectionAccess(self) -> None:
        self.document.rolled_back -= self.is_accessed
        self.is_accessed = False


class MirrorComponentData(SelectionAccess):
    """IMirrorComponentFeatureData: it returns nothing unless its selections are accessed."""

    interfaces: ClassVar = ("IMirrorComponentFeatureData",)

    def __init__(self, document: ModelDoc, record: MirrorFeature) -> None:
        super().__init__(document)
        self.record = record

    def ComponentsToInstanceAlignToComponentOrigin(self) -> tuple[MockObject, ...]:
        return self._components(self.record.copied)

    def ComponentsToInstanceAlignToSelection(self) -> tuple[MockObject, ...]:
        return ()

    def OppositeHandComponents(self) -> tuple[MockObject, ...]:
        return self._components(self.record.opposite_hand)

    def MirrorPlane(self) -> MockObject | None:
        return MirrorPlane(self.record.plane) if self.is_accessed and self.record.plane else None

    def _components(self, names: tuple[str, ...]) -> tuple[MockObject, ...]:
        found = (self.document.component(name) for name in names if self.is_accessed)
        return tuple(component for component in found if component is not None)


class MirrorPlane(MockObject):
    """IRefPlane of a mirror component feature."""

    interfaces: ClassVar = ("IRefPlane",)

    def __init__(self, numbers: tuple[float, ...]) -> None:
        self.numbers = numbers

    def Transform(self) -> MathTransform:
        return MathTransform(self.numbers)


class ComponentNode(MockFeature):
    """IFeature of a component in the tree."""

    def __init__(self, document: ModelDoc, name: str, type_name: str = "Reference") -> None:
        super().__init__(document, type_name, FolderRecord(name))

    def Name(self) -> str:
        name: str = self.record.name
        has_other_names = "component-nodes-named" in self.document.project.session.quirks
        return f"{name.rpartition('-')[0]}<{name.rpartition('-')[2]}>" if has_other_names else name

    def GetSpecificFeature2(self) -> MockObject | None:
        return self.document.component(self.record.name)


PATTERN_DATA = {
    "LocalLPattern": "ILocalLinearPatternFeatureData",
    "LocalCirPattern": "ILocalCircularPatternFeatureData",
    "LocalSketchPattern": "ILocalSketchPatternFeatureData",
    "LocalCurvePattern": "ILocalCurvePatternFeatureData",
    "LocalChainPattern": "IChainPatternFeatureData",
    "DerivedLPattern": "IDerivedPatternFeatureData",
    "DerivedCirPattern": "IDerivedPatternFeatureData",
    "DerivedHolePattern": "IDerivedPatternFeatureData",
}


class MockPattern(MockFeature):
    """IFeature of a component pattern, with its instances under it."""

    record: ComponentPattern

    def __init__(self, document: ModelDoc, record: ComponentPattern) -> None:
        super().__init__(document, record.feature_type, record)
        nodes = [ComponentNode(document, name, "ReferencePattern") for name in record.instances]
        self.first = _linked(list(nodes)) if nodes else None

    def GetParents(self) -> tuple[MockFeature, ...]:
        """What the pattern depends on: its seeds, and the geometry that gives its direction."""
        sketch = MockFeature(self.document, "ProfileFeature", FolderRecord("Sketch1"))
        return (sketch, *(ComponentNode(self.document, name) for name in self.record.seeds))

    def GetDefinition(self) -> MockObject:
        return ComponentPatternData(self.document, self.record)


class ComponentPatternData(SelectionAccess):
    """The definition of a component pattern; its seeds are features in the tree, or components."""

    def __init__(self, document: ModelDoc, record: ComponentPattern) -> None:
        super().__init__(document)
        self.record = record

    def supported_interfaces(self) -> tuple[str, ...]:
        """The interface of the kind of pattern."""
        return (PATTERN_DATA[self.record.feature_type],)

    def SeedComponentArray(self) -> tuple[MockObject, ...]:
        needs_access = "pattern-selections" in self.document.project.session.quirks
        if needs_access and not self.is_accessed:
            return ()
        return tuple(ComponentNode(self.document, name) for name in self.record.seeds)

    def PatternComponentArray(self) -> tuple[MockObject, ...]:
        if not self.SeedComponentArray():
            return ()
        components = (self.document.component(name) for name in self.record.seeds)
        return tuple(component for component in components if component is not None)

    def Group1PatternComponent(self) -> MockObject | None:
        return next(iter(self.PatternComponentArray()), None)

    def Group2PatternComponent(self) -> MockObject | None:
        return next(iter(self.PatternComponentArray()[1:]), None)

    def SkippedItemArray(self) -> tuple[int, ...]:
        return self.record.skipped

    def GetTransform(self, instance: int) -> MathTransform | None:
        places = self.record.transforms
        return MathTransform(places[instance - 1]) if 1 <= instance <= len(places) else None


class MockAttribute(MockFeature):
    """IAttribute of a saved configuration, and its IFeature, which has no identifier in the capture."""

    record: SavedConfiguration

    def supported_interfaces(self) -> tuple[str, ...]:
        """IAttribute, with which GetSpecificFeature2 returns it, and IFeature."""
        return "IAttribute", "IFeature"

    def GetID(self) -> int:
        return 0

    def GetSpecificFeature2(self) -> MockObject:
        return self

    def GetName(self) -> str:
        return self.record.name

    def GetParameter(self, name: str) -> MockParameter | None:
        """A parameter of its definition; nothing for a name that the definition does not have."""
        values: dict[str, str | float] = {
            "data": self.record.data, "name": "config1", "date": "", "exporterVersion": self.record.version,
        }  # fmt: skip
        return MockParameter(values[name]) if name in values else None


class ForeignAttribute(MockAttribute):
    """An attribute of another program: it has a name and no such parameters."""

    def GetParameter(self, name: str) -> MockParameter | None:  # noqa: ARG002 - it has none
        return None


class MockParameter(MockObject):
    """IParameter: a text or a number; asked for the other kind, it returns an empty one."""

    interfaces: ClassVar = ("IParameter",)

    def __init__(self, value: str | float) -> None:
        self.value = value

    def GetStringValue(self) -> str:
        return self.value if isinstance(self.value, str) else ""

    def GetDoubleValue(self) -> float:
        return self.value if isinstance(self.value, float) else 0.0


class MirroredPart(MockFeature):
    """The feature of a part that is the mirror image of another one, and its IMirrorPartFeatureData."""

    def GetDefinition(self) -> MockObject | None:
        return MirroredPartData(self.document.record.mirror_of)


class MirroredPartData(MockObject):
    """IMirrorPartFeatureData."""

    interfaces: ClassVar = ("IMirrorPartFeatureData",)

    def __init__(self, path: str) -> None:
        self.path = path

    def PathName(self) -> str:
        return self.path


def _attributes(document: ModelDoc) -> list[MockFeature]:
    """The attribute features of a document; where there are any, another program's comes first."""
    saved = document.record.saved_configurations
    other = [SavedConfiguration("Drawing template", "")] if saved else []
    found: list[MockFeature] = [ForeignAttribute(document, "Attribute", each) for each in other]
    return found + [MockAttribute(document, "Attribute", each) for each in saved]


def tree_of(document: ModelDoc) -> list[MockFeature]:
    """The top level of a document's feature tree: the default features, its geometry, and its mates."""
    features: list[MockFeature] = [MockFeature(document, "HistoryFolder")]
    features += [MockReferenceGeometry(document, TYPE_NAMES[item.kind], item) for item in document.record.geometry]
    features += [MockMirror(document, MIRROR, mirror) for mirror in document.record.mirrors]
    features += [MockPattern(document, pattern) for pattern in document.record.patterns]
    features += _attributes(document)
    features += [MirroredPart(document, "MirrorStock")] if document.record.mirror_of else []
    if document.record.mates:
        group = MockFeature(document, "MateGroup")
        group.mates = [MockMate(document, mate.feature_type, mate) for mate in document.record.mates]
        group.first = _linked(_with_folders(document, group.mates))
        features.append(group)
    _linked(features)
    return features


class FolderRecord(NamedTuple):
    """The name of a mate folder, or of the feature that ends it."""

    name: str
    id: int = 0


def _with_folders(document: ModelDoc, mates: list[MockMate]) -> list[MockFeature]:
    """Mates with the features that begin and end their folders; SolidWorks lists all on one level."""
    features: list[MockFeature] = []
    is_open: list[str] = []

    def change(wanted: list[str]) -> None:
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(is_open, wanted, strict=False)))
        names = [f"{name}{END_OF_FOLDER}" for name in reversed(is_open[same:])] + wanted[same:]
        features.extend(MockFeature(document, "FtrFolder", FolderRecord(name)) for name in names)
        is_open[:] = wanted

    for mate in mates:
        change(mate.record.folder.split("/") if mate.record.folder else [])
        features.append(mate)
    change([])
    return features


def _linked(features: list[MockFeature]) -> MockFeature:
    for feature, next_feature in pairwise(features):
        feature.next = next_feature
    return features[0]
