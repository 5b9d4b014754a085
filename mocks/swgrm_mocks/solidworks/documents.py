"""The documents of the mock: an opened capture with its model documents, configurations and properties."""

from __future__ import annotations

import ntpath
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from swgrm.capture import (
    Angle,
    Capture,
    Component,
    ComponentPattern,
    CustomProperty,
    Distance,
    Document,
    Index,
    Mate,
    MirrorFeature,
    Placement,
    ReferenceGeometry,
)
from swgrm.capture.index import LIGHTWEIGHT, SUPPRESSED
from swgrm.solidworks.swconst import swDocumentTypes_e
from swgrm.solidworks.swconst_calls import swUserPreferenceIntegerValue_e, swUserPreferenceToggle_e
from swgrm_mocks.solidworks.components import Component2, NamedAssembly, RootComponent
from swgrm_mocks.solidworks.dispatch import MockObject
from swgrm_mocks.solidworks.features import MockFeature, MockMate, tree_of
from swgrm_mocks.solidworks.shapes import Body2, MassProperty, MassProperty2, bodies_of

if TYPE_CHECKING:
    from swgrm_mocks.modelling.live_documents import LiveDocument
    from swgrm_mocks.solidworks.session import MockSolidWorks


UNITS = swUserPreferenceIntegerValue_e.swUnitSystem
LINEAR_UNIT = swUserPreferenceIntegerValue_e.swUnitsLinear
SIGN = swUserPreferenceToggle_e.swUsePositiveInertiaTensorNotation


class Project:
    """A capture opened in the mock: its model documents by path, and the mutable state."""

    def __init__(self, session: MockSolidWorks, capture: Capture) -> None:
        self.session, self.capture, self.index = session, capture, Index(capture)
        source = capture.source
        self.suppression = {component.name: component.suppression for component in capture.components}
        self.changed = False  # whether the document needs saving
        self.selection: list[object] = []
        self.suspended: list[list[object]] = []  # earlier selections, the last one first to be resumed
        self.highlighted: set[tuple[str, int]] = set()  # component, number of the face
        self.preferences: dict[int, int] = {UNITS: source.unit_system, SIGN: source.positive_inertia_notation}
        self.is_hollow = False  # it was opened for display only
        self.exploded = {capture.source.path: "exploded" in session.quirks}  # by path
        self.drawn: dict[str, bool] = {}  # what is updated on the screen, by the member that switches it off
        self._documents: dict[str, ModelDoc] = {}
        self.resolved: set[str] = set()  # components that were resolved since the document was opened

    @cached_property
    def root(self) -> ModelDoc:
        """The model document of the capture's source."""
        return self.document(self.capture.source.path)

    def document(self, path: str) -> ModelDoc:
        """The model document of a file."""
        if path not in self._documents:
            self._documents[path] = ModelDoc(self, path)
        return self._documents[path]

    def loaded(self, component: Component) -> ModelDoc | None:
        """The model document of a component; None if it is suppressed, lightweight or not in the capture."""
        if self.is_hollow:
            return self.root
        state = self.suppression[component.name]
        if "document-null" in self.session.quirks and component.name not in self.resolved:
            return None
        if state == SUPPRESSED or state in LIGHTWEIGHT or self.index.document(component) is None:
            return None
        return self.document(component.path)

    def state(self) -> dict[str, object]:
        """The state that a reader must restore."""
        return {
            "suppression": dict(self.suppression),
            "changed": self.changed,
            "selection": list(self.selection),
            "suspended": len(self.suspended),
            "highlighted": sorted(self.highlighted),
            "preferences": dict(self.preferences),
            "exploded": sorted(path for path, is_exploded in self.exploded.items() if is_exploded),
            "not drawn": sorted(name for name, is_drawn in self.drawn.items() if not is_drawn),
            "configuration": self.root.read_in,
            "rolled back": sum(document.rolled_back for document in self._documents.values()),
        }


class ModelView(MockObject):
    """IModelView of the window of a document."""

    interfaces: ClassVar = ("IModelView",)

    def __init__(self, project: Project) -> None:
        self.project = project

    def EnableGraphicsUpdate(self) -> bool:
        return self.project.drawn.get("EnableGraphicsUpdate", True)

    def put_EnableGraphicsUpdate(self, value: bool) -> None:
        self.project.drawn["EnableGraphicsUpdate"] = value


class TreeManager(MockObject):
    """IFeatureManager of a captured document: the list of its features, and whether its tree is updated."""

    interfaces: ClassVar = ("IFeatureManager",)

    def __init__(self, document: ModelDoc) -> None:
        self.document, self.project = document, document.project

    def GetFeatures(self, top_level_only: bool) -> tuple[MockFeature, ...]:
        """The features in any order, without those of components."""
        features = list(self.document.features)
        for feature in self.document.features if not top_level_only else ():
            inner = feature.first
            while inner is not None:
                features.append(inner)
                inner = inner.next
        return self.project.session.shuffled(features)

    def EnableFeatureTree(self) -> bool:
        return self.project.drawn.get("EnableFeatureTree", True)

    def put_EnableFeatureTree(self, value: bool) -> None:
        self.project.drawn["EnableFeatureTree"] = value


class ModelDoc(MockObject):
    """IModelDoc2, and IPartDoc or IAssemblyDoc: one file with its last active configuration."""

    def __init__(self, project: Project, path: str) -> None:
        self.project, self.path = project, path
        self.records = {d.configuration: d for d in project.capture.documents if d.path == path}
        self.record = next(iter(self.records.values()))
        self.read_in = self.record.read_in
        self.rolled_back = 0  # features whose selections are accessed
        self.live: LiveDocument | None = None  # the modelled document that it is a view of
        self.is_root = path == project.capture.source.path
        self.title = project.capture.source.title if self.is_root else path.rpartition("\\")[2]
        if "title-without-extension" in project.session.quirks:
            self.title = ntpath.splitext(self.title)[0]

    def supported_interfaces(self) -> tuple[str, ...]:
        """IModelDoc2, and IPartDoc or IAssemblyDoc."""
        is_part = self.record.type == swDocumentTypes_e.swDocPART
        return "IModelDoc2", "IPartDoc" if is_part else "IAssemblyDoc"

    @cached_property
    def features(self) -> list[MockFeature]:
        """The top level of the feature tree; of a hollow document, one feature."""
        return [MockFeature(self, "HistoryFolder")] if self.project.is_hollow else tree_of(self)

    @cached_property
    def prefix(self) -> str:
        """The prefix of its components' names from the root: the name of one of its components and a slash."""
        names = (c.name + "/" for c in self.project.capture.components if c.path == self.path)
        return "" if self.is_root else next(names, "")

    @cached_property
    def mates(self) -> dict[str, list[MockMate]]:
        """The mates by name."""
        found: dict[str, list[MockMate]] = {}
        for feature in self.features:
            for mate in feature.mates:
                found.setdefault(mate.record.name, []).append(mate)
        return found

    @cached_property
    def placements(self) -> dict[str, Placement]:
        """The placements of its components by name."""
        return {placement.name: placement for placement in self.record.placements}

    @cached_property
    def suppressed(self) -> dict[str, set[int]]:
        """The identifiers of the suppressed features, by configuration."""
        features: dict[str, list[Mate | ReferenceGeometry | MirrorFeature | ComponentPattern]] = {
            name: [*record.mates, *record.geometry, *record.mirrors, *record.patterns]
            for name, record in self.records.items()
        }
        return {name: {feature.id for feature in found if feature.suppressed} for name, found in features.items()}

    def ConfigurationManager(self) -> ConfigurationManager:
        return ConfigurationManager(self)

    def Extension(self) -> Extension:
        return Extension(self)

    def FirstFeature(self) -> MockFeature | None:
        return self.features[0] if self.features else None

    def Parameter(self, name: str) -> MateDimension | None:
        """The dimension "D1@NAME" of a distance or angle mate."""
        dimension, _, mate_name = name.partition("@")
        data = [mate.record.data for mate in self.mates.get(mate_name, ())]
        values = [d.distance if isinstance(d, Distance) else d.angle for d in data if isinstance(d, Distance | Angle)]
        return MateDimension(values[0]) if dimension == "D1" and values else None

    def GetComponents(self, top_level_only: bool) -> tuple[MockObject, ...]:
        """Its components in any order; a suppressed assembly has none."""
        waiting, components = list(RootComponent(self).GetChildren()), []
        while waiting:
            component: Any = waiting.pop()
            components.append(component)
            waiting += [] if top_level_only else component.GetChildren()
        return self.project.session.shuffled(components)

    def GetActiveConfiguration(self) -> Configuration:
        return Configuration(self)

    def GetConfigurationNames(self) -> tuple[str, ...]:
        return tuple(sorted({*self.records, self.read_in}))

    def GetPathName(self) -> str:
        is_other = "other-file" in self.project.session.quirks and not self.is_root
        return "C:\\Other\\" + ntpath.basename(self.path) if is_other else self.path

    def IsExploded(self) -> bool:
        return self.project.exploded.get(self.path, False)

    def ShowExploded(self, show: bool) -> bool:
        self.project.exploded[self.path] = show
        return True

    def IsOpenedViewOnly(self) -> bool:
        return "view-only" in self.project.session.quirks

    def Visible(self) -> bool:
        return self.is_root

    def GetSaveFlag(self) -> bool:
        return self.project.changed

    def GetTitle(self) -> str:
        return self.title

    def GetType(self) -> int:
        return self.record.type

    def MaterialPropertyValues(self) -> tuple[float, ...] | None:
        return self.record.appearance

    def SelectionManager(self) -> SelectionManager:
        return SelectionManager(self.project)

    def ActiveView(self) -> ModelView | None:
        return ModelView(self.project) if self.is_root else None

    def FeatureManager(self) -> TreeManager:
        return TreeManager(self)

    def GraphicsRedraw2(self) -> None:
        """Draws nothing: the mock has no screen."""

    def ClearSelection2(self, _all: bool) -> None:
        self.project.selection = []

    def GetBodies2(self, kind: int, _visible_only: bool) -> tuple[Body2, ...]:
        shape = next((s for s in self.project.capture.shapes if s.path == self.path), None)
        return bodies_of(shape, kind, self.project)

    def GetMaterialPropertyName2(self, configuration: str) -> tuple[str, str]:
        if self.wants_no_name(configuration):
            return "", ""
        record = self.in_configuration(configuration)
        return record.material, record.material_database

    def in_configuration(self, name: str) -> Document:
        """Its record in a configuration, or the first record if there is none."""
        return self.records.get(name, self.record)

    def wants_no_name(self, configuration: str) -> bool:
        """Whether SolidWorks does not accept the name of the only configuration, but the empty text."""
        is_only = len({*self.records, self.read_in}) == 1
        return bool(configuration) and is_only and "only-configuration-unnamed" in self.project.session.quirks

    def component(self, name: str | None) -> MockObject | None:
        """The component that a mate refers to: None, the assembly itself, or one of its components."""
        if name is None:
            return None
        if name:
            return self.component_object(self.own_component(name))
        if "assembly-as-component" in self.project.session.quirks:
            return NamedAssembly(self) if self.is_root else None
        return RootComponent(self)

    def components_with(self, mate: str) -> list[Component]:
        """Its components on the top level that return a mate of this name."""
        children = self.project.index.children(self.prefix.rstrip("/"))
        return [component for component in children if mate in component.mates]

    def component_object(self, record: Component) -> MockObject:
        """The object of a component: one that follows the changes of a modelled document."""
        return self.live.component_object(record.name) if self.live else Component2(self, record)

    def own_component(self, name: str) -> Component:
        """The record of a component relative to this document."""
        known = self.project.index.components.get(self.prefix + name)
        if self.is_root and known is not None:
            return known
        transform = self.placements[name].transform if name in self.placements else None
        return msgspec.structs.replace(
            known or Component(name, "", "", 0, b"", 0, 1, -1), name=name, transform=transform
        )


class MateDimension(MockObject):
    """IDimension of a mate."""

    interfaces: ClassVar = ("IDimension",)

    def __init__(self, value: float) -> None:
        self.value = value

    def SystemValue(self) -> float:
        return self.value


class ConfigurationManager(MockObject):
    """IConfigurationManager."""

    interfaces: ClassVar = ("IConfigurationManager",)

    def __init__(self, document: ModelDoc) -> None:
        self.document = document

    def ActiveConfiguration(self) -> Configuration:
        return Configuration(self.document)


class Configuration(MockObject):
    """IConfiguration of the active configuration."""

    interfaces: ClassVar = ("IConfiguration",)

    def __init__(self, document: ModelDoc) -> None:
        self.document = document

    def Name(self) -> str:
        return self.document.read_in

    def GetRootComponent3(self, _resolve: bool) -> RootComponent | None:
        is_assembly = self.document.record.type == swDocumentTypes_e.swDocASSEMBLY
        return RootComponent(self.document) if is_assembly else None

    def IGetRootComponent2(self) -> RootComponent | None:
        return self.GetRootComponent3(False)


class Extension(MockObject):
    """IModelDocExtension."""

    interfaces: ClassVar = ("IModelDocExtension",)

    def __init__(self, document: ModelDoc) -> None:
        self.document = document

    def CreateMassProperty(self) -> MassProperty | None:
        return MassProperty.of(self.document)

    def CreateMassProperty2(self) -> MassProperty2 | None:
        return MassProperty2.of(self.document)

    def CustomPropertyManager(self, configuration: str) -> CustomPropertyManager:
        record = self.document.in_configuration(configuration)
        return CustomPropertyManager([p for p in record.properties if p.of_configuration == bool(configuration)])

    def GetPersistReference3(self, item: Any) -> bytes | None:
        return getattr(item.record, "persistent_id", None)

    def GetUserPreferenceInteger(self, preference: int, _option: int) -> int:
        if preference == LINEAR_UNIT:
            return self.document.record.linear_unit
        return self.document.project.preferences[preference]

    def GetUserPreferenceToggle(self, preference: int, _option: int) -> bool:
        return bool(self.document.project.preferences[preference])

    def ToolboxPartType(self) -> int:
        return self.document.record.toolbox


class SelectData(MockObject):
    """ISelectData."""

    interfaces: ClassVar = ("ISelectData",)
    mark = 0

    def put_Mark(self, mark: int) -> None:
        self.mark = mark


class SelectionManager(MockObject):
    """ISelectionMgr."""

    interfaces: ClassVar = ("ISelectionMgr",)

    def __init__(self, project: Project) -> None:
        self.project = project

    def GetSelectedObjectCount2(self, _mark: int) -> int:
        return len(self.project.selection)

    def CreateSelectData(self) -> SelectData:
        return SelectData()

    def SuspendSelectionList(self) -> int:
        self.project.suspended.append(self.project.selection)
        self.project.selection = []
        return len(self.project.suspended)

    def ResumeSelectionList2(self, append: bool) -> None:
        if self.project.suspended:
            own = self.project.selection if append else []
            self.project.selection = [*self.project.suspended.pop(), *own]


class CustomPropertyManager(MockObject):
    """ICustomPropertyManager."""

    interfaces: ClassVar = ("ICustomPropertyManager",)

    def __init__(self, properties: list[CustomProperty]) -> None:
        self.properties = properties

    def GetAll3(self, *_empty: object) -> tuple[Any, ...]:
        names, types = tuple(p.name for p in self.properties), tuple(p.type for p in self.properties)
        values, links = tuple(p.value for p in self.properties), tuple(0 for _ in self.properties)
        return len(self.properties), names, types, values, links, links

    def Get6(self, name: str, _cached: bool) -> tuple[Any, ...]:
        found = next((p for p in self.properties if p.name == name), None)
        if found is None:
            return 1, "", "", False, False  # swCustomInfoGetResult_NotPresent
        return 2, found.value, found.resolved, True, False
