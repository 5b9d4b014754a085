"""Reads a document's feature tree: reference geometry, and the mates of an assembly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from swgrm.capture import (
    FEATURE_DATA,
    AnyFeatureData,
    FeatureData,
    Mate,
    MateEntity,
    Placement,
    ReferenceGeometry,
)
from swgrm.swconst import swInConfigurationOpts_e, swMateEntity2ReferenceType_e, swMateType_e
from swgrm_addin.reader.tree import transform_of
from swgrm_addin.reader.walk import Walk

VARYING = frozenset((swMateType_e.swMateDISTANCE, swMateType_e.swMateANGLE))
IN_PLACE = "MateInPlace"
MATES, ORIGIN = "MateGroup", "OriginProfileFeature"


class DocumentFeatures(NamedTuple):
    """The features of a document; the placements are those of lower-level components that its mates refer to."""

    geometry: tuple[ReferenceGeometry, ...]
    mates: tuple[Mate, ...]
    placements: tuple[Placement, ...]


def read_features(walk: Walk, document: Any, configuration: str) -> DocumentFeatures:
    """Read the feature tree of a document."""
    return _FeatureReader(walk, document.Extension, configuration).read(document)


def pascal(field: str) -> str:
    """SolidWorks' name of a field: MaxVal for max_val."""
    return "".join(word.capitalize() for word in field.split("_"))


class _FeatureReader:
    def __init__(self, walk: Walk, extension: Any, configuration: str) -> None:
        self.walk, self.extension, self.configuration = walk, extension, configuration
        self.referred: dict[str, Placement] = {}

    def read(self, document: Any) -> DocumentFeatures:
        geometry: list[ReferenceGeometry] = []
        mates: list[Mate] = []
        for feature in _chain(document.FirstFeature(), lambda feature: feature.GetNextFeature()):
            kind = feature.GetTypeName2()
            if kind in GEOMETRY:
                geometry.append(self._geometry(feature, *GEOMETRY[kind]))
            elif kind == MATES:
                mates += self._mates(feature)
        return DocumentFeatures(_with_defaults(geometry), tuple(mates), tuple(self.referred.values()))

    def _geometry(self, feature: Any, kind: Any, numbers: Callable[[Walk, Any], tuple[float, ...]]) -> Any:
        name = feature.Name
        with self.walk.port.reading(f"{kind} {name}"):
            return ReferenceGeometry(
                kind=kind,
                name=name,
                id=feature.GetID(),
                persistent_id=self.extension.GetPersistReference3(feature),
                numbers=self.walk.numbers(numbers(self.walk, feature), name),
                suppressed=self._is_suppressed(feature),
            )

    def _mates(self, group: Any) -> Iterator[Mate]:
        for feature in _chain(group.GetFirstSubFeature(), lambda feature: feature.GetNextSubFeature()):
            kind = feature.GetTypeName2()
            if kind.startswith("Mate"):
                name = feature.Name
                with self.walk.port.reading(f"mate {name}"):
                    yield self._mate(feature, name, kind)

    def _mate(self, feature: Any, name: str, kind: str) -> Mate:
        error, warning = feature.GetErrorCode2()
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
        number = mate.Type
        return Mate(
            type=number,
            alignment=mate.Alignment,
            flipped=mate.Flipped,
            entities=tuple(self._entity(mate.MateEntity(i), name) for i in range(mate.GetMateEntityCount())),
            data=self._data(feature, FEATURE_DATA.get(number), name),
            maximum_variation=mate.MaximumVariation if number in VARYING else None,
            minimum_variation=mate.MinimumVariation if number in VARYING else None,
            **common,
        )

    def _in_place(self, specific: Any) -> tuple[MateEntity, ...]:
        mate = self.walk.port.cast(specific, "IMateInPlace")
        unknown = int(swMateEntity2ReferenceType_e.swMateEntity2ReferenceType_UNKNOWN)
        return tuple(
            MateEntity(unknown, mate.MateEntityType(i), mate.MateComponentName(i))
            for i in range(mate.GetMateEntityCount())
        )

    def _entity(self, entity: Any, mate: str) -> MateEntity:
        return MateEntity(
            type=entity.ReferenceType,
            selection_type=entity.ReferenceType2,
            component=self._component(entity.ReferenceComponent),
            params=self.walk.numbers(entity.EntityParams, f"mate {mate}"),
        )

    def _component(self, component: Any) -> str | None:
        if component is None:
            return None
        if component.IsRoot():
            return ""
        name: str = component.Name2
        if "/" in name and name not in self.referred:
            self.referred[name] = Placement(name, transform_of(self.walk, component, name))
        return name

    def _data(self, feature: Any, kind: type[AnyFeatureData] | None, name: str) -> AnyFeatureData | None:
        definition = feature.GetDefinition() if kind is not None else None
        if kind is None or definition is None:
            return None
        typed = self.walk.port.cast(definition, interface_of(kind))
        values = {field: getattr(typed, pascal(field)) for field in kind.__struct_fields__}
        numbers = tuple(value for value in values.values() if isinstance(value, float))
        return kind(**values) if self.walk.numbers(numbers, f"mate {name}") == numbers else None

    def _is_suppressed(self, feature: Any) -> bool:
        answer = feature.IsSuppressed2(int(swInConfigurationOpts_e.swSpecifyConfiguration), (self.configuration,))
        return any(answer)


def interface_of(kind: type[FeatureData]) -> str:
    """The SolidWorks interface of a kind of feature data."""
    return f"I{kind.__name__}MateFeatureData"


def _chain(first: Any, following: Callable[[Any], Any]) -> Iterator[Any]:
    feature = first
    while feature is not None:
        yield feature
        feature = following(feature)


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
