"""Reads a document's feature tree: reference geometry, and the mates of an assembly."""

from __future__ import annotations

import ntpath
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from swgrm.capture import (
    FEATURE_DATA,
    AnyFeatureData,
    ComponentPattern,
    FeatureData,
    LinearCoupler,
    Mate,
    MateEntity,
    MirrorFeature,
    Placement,
    ReferenceGeometry,
    SavedConfiguration,
)
from swgrm.capture.index import DocumentKey
from swgrm.errors import CallError
from swgrm.solidworks.swconst import swMateEntity2ReferenceType_e, swMateType_e
from swgrm.solidworks.swconst_calls import swInConfigurationOpts_e
from swgrm_addin.reader.attributes import ATTRIBUTE, read_saved_configuration
from swgrm_addin.reader.entities import read_entity
from swgrm_addin.reader.mate_values import MateFeature, MateValues
from swgrm_addin.reader.mirrors import MIRROR, MIRRORED_PART, read_mirror, read_mirrored_part
from swgrm_addin.reader.patterns import PATTERNS, read_pattern
from swgrm_addin.reader.tree import transform_of
from swgrm_addin.reader.walk import Walk, active_configuration
from swgrm_addin.reader.ways import WAYS, NothingReturned, ask, ask_otherwise

VARYING = frozenset((swMateType_e.swMateDISTANCE, swMateType_e.swMateANGLE))
IN_PLACE = "MateInPlace"
NEXT = "next feature"
MATES, ORIGIN = "MateGroup", "OriginProfileFeature"
FOLDER, END_OF_FOLDER = "FtrFolder", "___EndTag___"


class DocumentFeatures(NamedTuple):
    """The features of a document; the placements are those of lower-level components that its mates refer to."""

    geometry: tuple[ReferenceGeometry, ...]
    mates: tuple[Mate, ...]
    placements: tuple[Placement, ...]
    mirrors: tuple[MirrorFeature, ...]
    saved_configurations: tuple[SavedConfiguration, ...] = ()
    mirror_of: str = ""
    patterns: tuple[ComponentPattern, ...] = ()


def read_features(walk: Walk, document: Any, key: DocumentKey, through: Any = None) -> DocumentFeatures:
    """Read the feature tree of a document, which has this path and configuration.

    `through` is a component of the document whose own document is not loaded; only its reference geometry is read.
    """
    reader = _FeatureReader(walk, document, *key)
    return reader.read(document) if through is None else reader.read_geometry(through)


def read_listed_features(walk: Walk, document: Any, key: DocumentKey) -> DocumentFeatures:
    """Read the features that the feature manager of a document lists; the folders of its mates are not known."""
    return _FeatureReader(walk, document, *key).read_listed(document)


class _FeatureReader:
    def __init__(self, walk: Walk, document: Any, path: str, configuration: str) -> None:
        self.walk, self.document, self.configuration = walk, document, configuration
        self.extension = document.Extension
        self.own_names = _own_names(path or walk.attempt(lambda: str(document.GetTitle()), "", "its name is unknown"))
        self.referred: dict[str, Placement] = {}
        self.unnamed = 0

    def read_geometry(self, component: Any) -> DocumentFeatures:
        """The reference geometry of a component, in the coordinates of its own document."""
        geometry: list[ReferenceGeometry] = []
        for feature in self._chain(component.FirstFeature, NEXT):
            with self.walk.item(self.walk.port.subject, "one of its features is left out"):
                kind = ask("type name of a feature", feature)
                if kind in GEOMETRY:
                    geometry.append(self._geometry(feature, *GEOMETRY[kind]))
        return DocumentFeatures(_with_defaults(geometry), (), (), ())

    def read(self, document: Any) -> DocumentFeatures:
        """The features of the document, from the first one on."""
        return self._read(document, self._chain(document.FirstFeature, NEXT), self._mates)

    def read_listed(self, document: Any) -> DocumentFeatures:
        """The features that the feature manager lists, in no order, as in the order in which they were made."""
        manager = document.FeatureManager
        mates = self._listed(manager.GetFeatures(False))
        return self._read(
            document, self._listed(manager.GetFeatures(True)), lambda _: self._mates_among(mates, in_order=False)
        )

    def _listed(self, features: Iterable[Any]) -> list[Any]:
        return sorted(features, key=lambda feature: feature.GetID())

    def _read(
        self, document: Any, features: Iterable[Any], mates_of: Callable[[Any], Iterable[Mate]]
    ) -> DocumentFeatures:
        geometry: list[ReferenceGeometry] = []
        mates: list[Mate] = []
        mirrors: list[MirrorFeature] = []
        saved: list[SavedConfiguration] = []
        patterns: list[ComponentPattern] = []
        mirror_of = ""
        for feature in features:
            with self.walk.item(self.walk.port.subject or "the document", "one of its features is left out"):
                kind = ask("type name of a feature", feature)
                if kind in GEOMETRY:
                    geometry.append(self._geometry(feature, *GEOMETRY[kind]))
                elif kind == MATES:
                    mates += mates_of(feature)
                elif kind == MIRROR:
                    mirrors.append(self._mirror(document, feature))
                elif kind in PATTERNS:
                    patterns.append(self._pattern(document, feature, kind))
                elif kind == ATTRIBUTE:
                    saved += self._saved(feature)
                elif kind == MIRRORED_PART:
                    effect = "the part whose mirror image it is is not known"
                    mirror_of = self.walk.attempt(partial(read_mirrored_part, self.walk, feature), "", effect)
        referred = tuple(self.referred.values())
        return DocumentFeatures(
            _with_defaults(geometry),
            tuple(mates),
            referred,
            tuple(mirrors),
            tuple(saved),
            mirror_of,
            tuple(patterns),
        )

    def _chain(self, first: Callable[[], Any], following: str) -> Iterator[Any]:
        """The features from the first on; if the next one cannot be read, a finding, and no more."""
        effect = "the features that follow in the tree are left out"
        feature = self.walk.attempt(first, None, effect)
        while feature is not None:
            yield feature
            feature = self.walk.attempt(partial(ask, following, feature), None, effect)

    def _name(self, feature: Any, kind: str) -> str:
        """The name of a feature; if it cannot be read, one that no other feature of the document has."""
        self.unnamed += 1
        effect = "another name is used"
        return self.walk.attempt(lambda: ask("name of a feature", feature), "", effect) or f"{kind} {self.unnamed}"

    def _geometry(self, feature: Any, kind: Any, numbers: Callable[[Walk, Any], tuple[float, ...]]) -> Any:
        name = self._name(feature, kind)
        with self.walk.port.reading(f"{kind} {name}"):
            return ReferenceGeometry(
                kind=kind,
                name=name,
                id=feature.GetID(),
                persistent_id=self.extension.GetPersistReference3(feature),
                numbers=self.walk.attempt(lambda: numbers(self.walk, feature), (), "it is not used"),
                suppressed=self._is_suppressed(feature),
            )

    def _mirror(self, document: Any, feature: Any) -> MirrorFeature:
        name = self._name(feature, MIRROR)
        identifier, reference = feature.GetID(), self.extension.GetPersistReference3(feature)
        known = MirrorFeature(name, identifier, reference, self._is_suppressed(feature))
        with self.walk.port.reading(f"mirror {name}"):
            return self.walk.attempt(
                lambda: read_mirror(self.walk, document, feature, known),
                known,
                "its images do not follow their sources",
            )

    def _pattern(self, document: Any, feature: Any, kind: str) -> ComponentPattern:
        name = self._name(feature, kind)
        identifier, reference = feature.GetID(), self.extension.GetPersistReference3(feature)
        known = ComponentPattern(name, kind, identifier, reference, self._is_suppressed(feature))
        with self.walk.port.reading(f"pattern {name}"):
            return self.walk.attempt(
                lambda: read_pattern(self.walk, document, feature, known),
                known,
                "the seeds of its instances are found by their positions",
            )

    def _saved(self, feature: Any) -> list[SavedConfiguration]:
        effect = "a configuration of the classic URDF exporter is left out, if it is one"
        found = self.walk.attempt(lambda: read_saved_configuration(self.walk, feature), None, effect)
        return [] if found is None else [found]

    def _mates(self, group: Any) -> Iterator[Mate]:
        chain = self._chain(lambda: ask("first sub-feature", group), "next sub-feature")
        return self._mates_among(chain, in_order=True)

    def _mates_among(self, features: Iterable[Any], *, in_order: bool) -> Iterator[Mate]:
        """The mates among features; only their order tells which folder they are in."""
        folders: list[str] = []  # their mates come after them, not inside them; a feature of its own ends each
        for feature in features:
            with self.walk.item(self.walk.port.subject, "one of its mates may be left out"):
                kind = ask("type name of a feature", feature)
                if kind == FOLDER and in_order:
                    name = self._name(feature, kind)
                    folders = folders[:-1] if name.endswith(END_OF_FOLDER) else [*folders, name]
                elif kind.startswith("Mate") and kind != MATES:
                    name = self._name(feature, kind)
                    with self.walk.item(f"mate {name}"):
                        yield replace(self._mate(feature, name, kind), folder="/".join(folders))

    def _mate(self, feature: Any, name: str, kind: str) -> Mate:
        error, warning = self.walk.attempt(
            lambda: self._error(feature), (0, False), "it is taken as solved without an error"
        )
        common = {
            "name": name,
            "feature_type": kind,
            "id": feature.GetID(),
            "persistent_id": self.extension.GetPersistReference3(feature),
            "suppressed": self._is_suppressed(feature),
            "error": error,
            "warning": warning,
        }
        specific = ask("mate of a feature", feature)
        if specific is None:
            return Mate(type=int(swMateType_e.swMateUNKNOWN), **common)
        if kind == IN_PLACE:
            return Mate(type=None, entities=self._in_place(specific), **common)
        mate = self.walk.port.cast(specific, "IMate2")
        number, entities = ask("type of a mate", mate, kind), self._entities(mate)
        return Mate(
            type=number,
            alignment=mate.Alignment,
            flipped=mate.Flipped,
            entities=entities,
            data=self.walk.attempt(
                lambda: self._data(MateFeature(feature, mate, name, kind), FEATURE_DATA.get(number)),
                None,
                "its values are unknown",
            ),
            maximum_variation=self._variation(lambda: mate.MaximumVariation, number),
            minimum_variation=self._variation(lambda: mate.MinimumVariation, number),
            references=self.walk.attempt(
                lambda: self._references(feature, number), (), "its reference components are unknown"
            ),
            **common,
        )

    def _error(self, feature: Any) -> tuple[int, bool]:
        """The error code of a feature, and whether it is only a warning, which the second way does not tell."""
        try:
            answer: tuple[int, bool] = feature.GetErrorCode2()
            return answer
        except CallError as error:
            code: int = ask_otherwise(self.walk.port, error, [lambda: feature.GetErrorCode()])
            if code:
                self.walk.not_read(error, "its error may be only a warning, and it is not used")
            return code, False

    def _variation(self, variation: Callable[[], float], mate_type: int) -> float | None:
        if mate_type not in VARYING:
            return None
        return self.walk.attempt(variation, None, "its current value is taken from its definition")

    def _entities(self, mate: Any) -> tuple[MateEntity, ...]:
        entities = ask("entities of a mate", mate)
        components = [ask("component of an entity", entity) for entity in entities]
        if entities and not any(components):  # a mate relates one component at least
            components = [self._owner(entity) for entity in entities]
        names = map(self._component, components)
        return tuple(read_entity(self.walk, entity, name) for entity, name in zip(entities, names, strict=True))

    def _owner(self, entity: Any) -> Any:
        """The component of an entity whose first way returned nothing; None if the second returns nothing, too."""
        error = NothingReturned("IMateEntity2.ReferenceComponent", "no object was returned for any entity of a mate")
        owner = WAYS["component of an entity"][1]
        return ask_otherwise(self.walk.port, error, [lambda: owner(entity)])

    def _in_place(self, specific: Any) -> tuple[MateEntity, ...]:
        """The entities of an in-place mate, which some releases offer as a mate like others."""
        try:
            mate = self.walk.port.cast(specific, "IMateInPlace")
        except CallError as error:
            self.walk.port.note_default(error)
            return self._entities(self.walk.port.cast(specific, "IMate2"))
        unknown = int(swMateEntity2ReferenceType_e.swMateEntity2ReferenceType_UNKNOWN)
        return tuple(
            MateEntity(unknown, mate.MateEntityType(i), mate.MateComponentName(i))
            for i in range(mate.GetMateEntityCount())
        )

    def _component(self, component: Any) -> str | None:
        if component is None:
            return None
        if component.IsRoot():
            return ""
        name: str = component.Name2
        if name.casefold() in self.own_names:
            return ""
        if "/" in name and name not in self.referred:
            self.referred[name] = Placement(name, transform_of(component))
        return name

    def _data(self, mate: MateFeature, kind: type[AnyFeatureData] | None) -> AnyFeatureData | None:
        if kind is None:
            return None
        values = MateValues(self.walk.port, self.document, mate, interface_of(kind))
        return kind(**{field: values.read(field) for field in kind.__struct_fields__})

    def _references(self, feature: Any, number: int) -> tuple[str, ...]:
        """The reference components of a linear coupler; none where both are the assembly itself."""
        definition = feature.GetDefinition() if number == swMateType_e.swMateLINEARCOUPLER else None
        if definition is None:
            return ()
        typed = self.walk.port.cast(definition, interface_of(LinearCoupler))
        found = tuple(self._component(c) or "" for c in (typed.ReferenceComponent1, typed.ReferenceComponent2))
        return found if any(found) else ()

    def _is_suppressed(self, feature: Any) -> bool:
        return any(self.walk.attempt(lambda: self._suppression(feature), (), "it is taken as not suppressed"))

    def _suppression(self, feature: Any) -> tuple[bool, ...]:
        """Whether it is suppressed in the configuration, in one of two ways."""
        try:
            return self._suppression_in_configuration(feature)
        except CallError as error:
            answer: bool = ask_otherwise(self.walk.port, error, [lambda: self._suppression_now(feature)])
            return (answer,)

    def _suppression_now(self, feature: Any) -> bool:
        """Whether it is suppressed in the active configuration, if that is the one that is read."""
        if active_configuration(self.document).Name != self.configuration:
            raise CallError("", "IFeature.IsSuppressed", "another configuration is active")
        return bool(feature.IsSuppressed())

    def _suppression_in_configuration(self, feature: Any) -> tuple[bool, ...]:
        """Whether it is suppressed in the configuration; "" names the only one where SolidWorks wants that."""
        option = int(swInConfigurationOpts_e.swSpecifyConfiguration)
        for name in (self.configuration, ""):
            answer: tuple[bool, ...] = feature.IsSuppressed2(option, (name,))
            if answer:
                return answer
        raise CallError("", "IFeature.IsSuppressed2", "no value was returned")


def _own_names(path: str) -> set[str]:
    """The names of a document's root component, which stands for the assembly itself, without regard to case."""
    file = ntpath.basename(path).casefold()
    return {file, ntpath.splitext(file)[0]} - {""}


def interface_of(kind: type[FeatureData]) -> str:
    """The SolidWorks interface of a kind of feature data."""
    return f"I{kind.__name__}MateFeatureData"


def _with_defaults(geometry: list[ReferenceGeometry]) -> tuple[ReferenceGeometry, ...]:
    """The geometry with `default` set for the origin and the planes before it, which every document has."""
    kinds = [item.kind for item in geometry]
    origin = kinds.index("origin") if "origin" in kinds else 0
    return tuple(
        replace(item, default=item.kind == "origin" or (item.kind == "plane" and position < origin))
        for position, item in enumerate(geometry)
    )


def _coordinate_system(walk: Walk, feature: Any) -> tuple[float, ...]:
    definition = feature.GetDefinition()
    if definition is None:
        return ()
    numbers: tuple[float, ...] = walk.port.cast(definition, "ICoordinateSystemFeatureData").Transform.ArrayData
    return numbers


def _specific(interface: str, numbers: Callable[[Any], tuple[float, ...]]) -> Callable[[Walk, Any], tuple[float, ...]]:
    def read(walk: Walk, feature: Any) -> tuple[float, ...]:
        specific = feature.GetSpecificFeature2()
        return numbers(walk.port.cast(specific, interface)) if specific is not None else ()

    return read


GEOMETRY = {
    "CoordSys": ("coordinateSystem", _coordinate_system),
    "RefPlane": ("plane", _specific("IRefPlane", lambda plane: plane.Transform.ArrayData)),
    "RefAxis": ("axis", _specific("IRefAxis", lambda axis: axis.GetRefAxisParams())),
    "RefPoint": ("point", _specific("IRefPoint", lambda point: point.GetRefPoint().ArrayData)),
    ORIGIN: ("origin", lambda _walk, _feature: ()),
}
