"""Reads a document's feature tree: reference geometry, and the mates of an assembly."""

from __future__ import annotations

import ntpath
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from swgrm.capture import (
    FEATURE_DATA,
    AnyFeatureData,
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
from swgrm.swconst import swMateEntity2ReferenceType_e, swMateType_e
from swgrm.swconst_calls import swInConfigurationOpts_e
from swgrm_addin.reader.attributes import ATTRIBUTE, read_saved_configuration
from swgrm_addin.reader.entities import read_entity
from swgrm_addin.reader.mirrors import MIRROR, read_mirror
from swgrm_addin.reader.tree import transform_of
from swgrm_addin.reader.walk import Walk

VARYING = frozenset((swMateType_e.swMateDISTANCE, swMateType_e.swMateANGLE))
IN_PLACE = "MateInPlace"
MATES, ORIGIN = "MateGroup", "OriginProfileFeature"
FOLDER, END_OF_FOLDER = "FtrFolder", "___EndTag___"


class DocumentFeatures(NamedTuple):
    """The features of a document; the placements are those of lower-level components that its mates refer to."""

    geometry: tuple[ReferenceGeometry, ...]
    mates: tuple[Mate, ...]
    placements: tuple[Placement, ...]
    mirrors: tuple[MirrorFeature, ...]
    saved_configurations: tuple[SavedConfiguration, ...] = ()


def read_features(walk: Walk, document: Any, key: DocumentKey, through: Any = None) -> DocumentFeatures:
    """Read the feature tree of a document, which has this path and configuration.

    `through` is a component of the document whose own document is not loaded; only its reference geometry is read.
    """
    reader = _FeatureReader(walk, document, *key)
    return reader.read(document) if through is None else reader.read_geometry(through)


def pascal(field: str) -> str:
    """SolidWorks' name of a field: MaxVal for max_val."""
    return "".join(word.capitalize() for word in field.split("_"))


class _FeatureReader:
    def __init__(self, walk: Walk, document: Any, path: str, configuration: str) -> None:
        self.walk, self.extension, self.configuration = walk, document.Extension, configuration
        self.own_names = _own_names(path or walk.attempt(lambda: str(document.GetTitle()), "", "its name is unknown"))
        self.referred: dict[str, Placement] = {}
        self.unnamed = 0

    def read_geometry(self, component: Any) -> DocumentFeatures:
        """The reference geometry of a component, in the coordinates of its own document."""
        geometry: list[ReferenceGeometry] = []
        for feature in self._chain(lambda: component.FirstFeature(), lambda feature: feature.GetNextFeature()):
            with self.walk.item(self.walk.port.subject, "one of its features is left out"):
                kind = feature.GetTypeName2()
                if kind in GEOMETRY:
                    geometry.append(self._geometry(feature, *GEOMETRY[kind]))
        return DocumentFeatures(_with_defaults(geometry), (), (), ())

    def read(self, document: Any) -> DocumentFeatures:
        geometry: list[ReferenceGeometry] = []
        mates: list[Mate] = []
        mirrors: list[MirrorFeature] = []
        saved: list[SavedConfiguration] = []
        for feature in self._chain(lambda: document.FirstFeature(), lambda feature: feature.GetNextFeature()):
            with self.walk.item(self.walk.port.subject or "the document", "one of its features is left out"):
                kind = feature.GetTypeName2()
                if kind in GEOMETRY:
                    geometry.append(self._geometry(feature, *GEOMETRY[kind]))
                elif kind == MATES:
                    mates += self._mates(feature)
                elif kind == MIRROR:
                    mirrors.append(self._mirror(document, feature))
                elif kind == ATTRIBUTE:
                    saved += self._saved(feature)
        referred = tuple(self.referred.values())
        return DocumentFeatures(_with_defaults(geometry), tuple(mates), referred, tuple(mirrors), tuple(saved))

    def _chain(self, first: Callable[[], Any], following: Callable[[Any], Any]) -> Iterator[Any]:
        """The features from the first on; if the next one cannot be read, a finding, and no more."""
        effect = "the features that follow in the tree are left out"
        feature = self.walk.attempt(first, None, effect)
        while feature is not None:
            yield feature
            feature = self.walk.attempt(partial(following, feature), None, effect)

    def _name(self, feature: Any, kind: str) -> str:
        """The name of a feature; if it cannot be read, one that no other feature of the document has."""
        self.unnamed += 1
        return self.walk.attempt(lambda: feature.Name, "", "another name is used") or f"{kind} {self.unnamed}"

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

    def _saved(self, feature: Any) -> list[SavedConfiguration]:
        effect = "a configuration of the classic URDF exporter is left out, if it is one"
        found = self.walk.attempt(lambda: read_saved_configuration(self.walk, feature), None, effect)
        return [] if found is None else [found]

    def _mates(self, group: Any) -> Iterator[Mate]:
        folders: list[str] = []  # their mates come after them, not inside them; a feature of its own ends each
        for feature in self._chain(lambda: group.GetFirstSubFeature(), lambda feature: feature.GetNextSubFeature()):
            with self.walk.item(self.walk.port.subject, "one of its mates may be left out"):
                kind = feature.GetTypeName2()
                if kind == FOLDER:
                    name = self._name(feature, kind)
                    folders = folders[:-1] if name.endswith(END_OF_FOLDER) else [*folders, name]
                elif kind.startswith("Mate"):
                    name = self._name(feature, kind)
                    with self.walk.item(f"mate {name}"):
                        yield replace(self._mate(feature, name, kind), folder="/".join(folders))

    def _mate(self, feature: Any, name: str, kind: str) -> Mate:
        error, warning = self.walk.attempt(
            lambda: feature.GetErrorCode2(), (0, False), "it is taken as solved without an error"
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
        specific = feature.GetSpecificFeature2()
        if specific is None:
            return Mate(type=int(swMateType_e.swMateUNKNOWN), **common)
        if kind == IN_PLACE:
            return Mate(type=None, entities=self._in_place(specific), **common)
        mate = self.walk.port.cast(specific, "IMate2")
        number, entities = mate.Type, self._entities(mate)
        return Mate(
            type=number,
            alignment=mate.Alignment,
            flipped=mate.Flipped,
            entities=entities,
            data=self.walk.attempt(
                lambda: self._data(feature, FEATURE_DATA.get(number)), None, "its values are unknown"
            ),
            maximum_variation=self._variation(lambda: mate.MaximumVariation, number),
            minimum_variation=self._variation(lambda: mate.MinimumVariation, number),
            references=self.walk.attempt(
                lambda: self._references(feature, number), (), "its reference components are unknown"
            ),
            **common,
        )

    def _variation(self, variation: Callable[[], float], mate_type: int) -> float | None:
        if mate_type not in VARYING:
            return None
        return self.walk.attempt(variation, None, "its current value is taken from its definition")

    def _entities(self, mate: Any) -> tuple[MateEntity, ...]:
        count = mate.GetMateEntityCount()
        return tuple(read_entity(self.walk, mate.MateEntity(i), self._component) for i in range(count))

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

    def _data(self, feature: Any, kind: type[AnyFeatureData] | None) -> AnyFeatureData | None:
        if kind is None:
            return None
        definition = feature.GetDefinition()
        if definition is None:
            raise CallError("", "IFeature.GetDefinition", "no object was returned")
        typed = self.walk.port.cast(definition, interface_of(kind))
        return kind(**{field: getattr(typed, pascal(field)) for field in kind.__struct_fields__})

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
