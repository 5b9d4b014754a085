"""The ways to each fact that the joints depend on: the first one that SolidWorks answers is taken.

The first way is what an undisturbed reading calls. The others are asked only after it failed. The failure is then a
note of the reading (`default-used`), and in the capture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from swgrm.errors import CallError
from swgrm.solidworks.swconst import swMateType_e as Sw

Way = Callable[..., Any]

MATE_TYPES: Mapping[str, Sw] = {
    "MateAngleDim": Sw.swMateANGLE,
    "MateCamTangent": Sw.swMateCAMFOLLOWER,
    "MateCoincident": Sw.swMateCOINCIDENT,
    "MateConcentric": Sw.swMateCONCENTRIC,
    "MateDistanceDim": Sw.swMateDISTANCE,
    "MateGearDim": Sw.swMateGEAR,
    "MateHinge": Sw.swMateHINGE,
    "MateLimitDistanceDim": Sw.swMateDISTANCE,
    "MateLimitPlanarAngleDim": Sw.swMateANGLE,
    "MateLinearCoupler": Sw.swMateLINEARCOUPLER,
    "MateLock": Sw.swMateLOCK,
    "MateParallel": Sw.swMatePARALLEL,
    "MatePerpendicular": Sw.swMatePERPENDICULAR,
    "MatePlanarAngleDim": Sw.swMateANGLE,
    "MateProfileCenter": Sw.swMatePROFILECENTER,
    "MateRackPinionDim": Sw.swMateRACKPINION,
    "MateScrew": Sw.swMateSCREW,
    "MateSlot": Sw.swMateSLOT,
    "MateSymmetric": Sw.swMateSYMMETRIC,
    "MateTangent": Sw.swMateTANGENT,
    "MateUniversalJoint": Sw.swMateUNIVERSALJOINT,
    "MateWidth": Sw.swMateWIDTH,
}
"""The types of mates by the type names of their features: the vendor's API help, and names seen on live SolidWorks."""
MOST_ENTITIES = 20  # of a mate


class NothingReturned(CallError):
    """A call that returned nothing where SolidWorks usually has something."""

    def __init__(self, member: str, problem: str = "no object was returned") -> None:
        super().__init__("", member, problem)


def _answered(answer: Any, member: str) -> Any:
    """The answer; an error if it is nothing."""
    if answer is None:
        raise NothingReturned(member)
    return answer


def _transform(component: Any, is_loaded: bool) -> Any:
    transform = component.Transform2
    return _answered(transform, "IComponent2.Transform2") if is_loaded else transform


def _type_by_name(_mate: Any, type_name: str) -> int:
    if type_name not in MATE_TYPES:
        raise CallError("", "IFeature.GetTypeName2", f"the type of a mate that is a {type_name} is unknown")
    return int(MATE_TYPES[type_name])


def _counted_entities(mate: Any) -> list[Any]:
    return [mate.MateEntity(index) for index in range(mate.GetMateEntityCount())]


def _entities_to_the_end(mate: Any) -> list[Any]:
    """The entities up to the first index that SolidWorks refuses; a mate has two at least."""
    entities: list[Any] = []
    try:
        while len(entities) < MOST_ENTITIES:
            entities.append(mate.MateEntity(len(entities)))
    except CallError:
        if len(entities) < 2:
            raise
    return entities


def _owner_of_reference(entity: Any) -> Any:
    reference = _answered(entity.Reference, "IMateEntity2.Reference")
    return entity.port.cast(reference, "IEntity").GetComponent()


WAYS: Mapping[str, tuple[Way, ...]] = {
    "active document": (lambda application: application.ActiveDoc, lambda application: application.IActiveDoc2),
    "active configuration": (
        lambda document: document.ConfigurationManager.ActiveConfiguration,
        lambda document: document.GetActiveConfiguration(),
    ),
    "root component": (
        lambda configuration: configuration.GetRootComponent3(False),
        lambda configuration: configuration.IGetRootComponent2(),
    ),
    "transform of a component": (_transform, lambda component, _: component.GetTotalTransform(False)),
    "next feature": (lambda feature: feature.GetNextFeature(), lambda feature: feature.IGetNextFeature()),
    "first sub-feature": (
        lambda feature: feature.GetFirstSubFeature(),
        lambda feature: feature.IGetFirstSubFeature(),
    ),
    "next sub-feature": (lambda feature: feature.GetNextSubFeature(), lambda feature: feature.IGetNextSubFeature()),
    "name of a feature": (
        lambda feature: _answered(feature.Name or None, "IFeature.Name"),
        lambda feature: feature.GetNameForSelection()[0].partition("@")[0],  # NAME@DOCUMENT
    ),
    "type name of a feature": (
        lambda feature: feature.GetTypeName2(),
        lambda feature: feature.GetTypeName(),  # the same for mates and reference geometry
    ),
    "mate of a feature": (
        lambda feature: _answered(feature.GetSpecificFeature2(), "IFeature.GetSpecificFeature2"),
        lambda feature: feature.GetSpecificFeature(),
    ),
    "type of a mate": (lambda mate, _: mate.Type, _type_by_name),
    "entities of a mate": (_counted_entities, _entities_to_the_end),
    "component of an entity": (lambda entity: entity.ReferenceComponent, _owner_of_reference),
}
"""The ways to each fact. They take the object that has it, and what is known already: for the transform of a component
whether it is loaded, for the type of a mate the type name of its feature."""


def ask(fact: str, subject: Any, *known: Any) -> Any:
    """A fact about an object of SolidWorks, in the first way of the table that does not fail."""
    first, *others = WAYS[fact]
    try:
        return first(subject, *known)
    except CallError as error:
        return ask_otherwise(subject.port, error, [_bound(way, subject, *known) for way in others])


def _bound(way: Way, *arguments: Any) -> Callable[[], Any]:
    return lambda: way(*arguments)


def ask_otherwise(port: Any, error: CallError, ways: Sequence[Callable[[], Any]]) -> Any:
    """What the first of these ways returns that does not fail, with a note of the error; the error if all fail.

    Nothing may be a proper answer: if the other ways have nothing more to tell, it is None without a note.
    """
    for way in ways:
        try:
            answer = way()
        except CallError:
            continue
        if answer or not isinstance(error, NothingReturned):
            port.note_default(error)
        return answer
    if isinstance(error, NothingReturned):
        return None
    raise error
