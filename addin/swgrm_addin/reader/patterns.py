"""Reads the component patterns of an assembly: their seeds, and the instances that they make.

The seeds are what the feature's definition returns; if that is nothing, the components among the feature's parents; if
there are none, what the definition returns while its selections are accessed, which rolls the feature back. The
instances are the components under the feature in the tree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from swgrm.capture import ComponentPattern
from swgrm.errors import CallError
from swgrm_addin.reader.tree import numbers_of
from swgrm_addin.reader.walk import Walk
from swgrm_addin.reader.ways import ask

COMPONENT_NAME = re.compile(r".+-\d+")  # a component in the tree is named like the component: bolt-2
COMPONENT_NODES = frozenset(("Reference", "ReferencePattern"))  # GetTypeName2 of components in the tree


class PatternKind(NamedTuple):
    """The definition of a kind of pattern."""

    interface: str
    seeds: Callable[[Any], tuple[Any, ...]]  # features of components, or components
    skipped: Callable[[Any], tuple[int, ...]] | None = None  # with this, it has transforms, too


LINEAR = PatternKind(
    "ILocalLinearPatternFeatureData", lambda data: data.SeedComponentArray, lambda data: data.SkippedItemArray
)
DERIVED = LINEAR._replace(interface="IDerivedPatternFeatureData")
SKETCH = PatternKind(
    "ILocalSketchPatternFeatureData", lambda data: data.PatternComponentArray, lambda data: data.SkippedItemArray
)
CHAIN = PatternKind(
    "IChainPatternFeatureData",
    lambda data: tuple(seed for seed in (data.Group1PatternComponent, data.Group2PatternComponent) if seed is not None),
)
PATTERNS: Mapping[str, PatternKind] = {  # by GetTypeName2
    "LocalLPattern": LINEAR,
    "LocalCirPattern": LINEAR._replace(interface="ILocalCircularPatternFeatureData"),
    "LocalSketchPattern": SKETCH,
    "LocalCurvePattern": SKETCH._replace(interface="ILocalCurvePatternFeatureData"),
    "LocalChainPattern": CHAIN,
    "DerivedLPattern": DERIVED,
    "DerivedCirPattern": DERIVED,
    "DerivedHolePattern": DERIVED,
}


def read_pattern(walk: Walk, document: Any, feature: Any, known: ComponentPattern) -> ComponentPattern:
    """The pattern, of which name and identifiers are known, with its components; a suppressed one is not opened."""
    if known.suppressed:
        return known
    kind = PATTERNS[known.feature_type]
    definition = walk.attempt(lambda: feature.GetDefinition(), None, "its seeds are read in another way")
    data = None if definition is None else walk.port.cast(definition, kind.interface)
    instances = tuple(_instances(walk, feature))
    seeds = _seeds(walk, document, feature, known.name, kind, data)
    has_more = data is not None and kind.skipped is not None
    skipped = kind.skipped(data) if has_more and kind.skipped else ()
    # Where there is one seed, the poses of seed and instance give the transform.
    places = -(-len(instances) // len(seeds)) if has_more and len(seeds) > 1 else 0
    transforms = _transforms(walk, data, places)
    return replace(known, seeds=seeds, instances=instances, transforms=transforms, skipped=skipped)


def _seeds(walk: Walk, document: Any, feature: Any, name: str, kind: PatternKind, data: Any) -> tuple[str, ...]:
    """The names of the components that a pattern repeats, in the first way that returns any."""

    def defined() -> tuple[str, ...]:
        return () if data is None else tuple(_component_name(walk, seed) for seed in kind.seeds(data))

    def parents() -> tuple[str, ...]:
        nodes = [parent for parent in feature.GetParents() if parent.GetTypeName2() in COMPONENT_NODES]
        return tuple(_component_name(walk, node) for node in nodes)

    def accessed() -> tuple[str, ...]:
        if data is None:
            return ()
        with walk.guard.undone(f"the feature {name}", data.ReleaseSelectionAccess):
            if not data.AccessSelections(document, None):  # this rolls the feature back
                raise CallError("", f"{kind.interface}.AccessSelections", "access to its selections was denied")
            return defined()

    nothing: tuple[str, ...] = ()
    for way in (defined, parents, accessed):
        seeds = walk.attempt(way, nothing, "its seeds are read in another way, if there is one")
        if seeds:
            return seeds
    return nothing


def _instances(walk: Walk, feature: Any) -> Iterator[str]:
    """The names of the components under a pattern in the tree; if one cannot be read, it is left out."""
    effect = "the instances of the pattern that follow are found by their positions"
    node = walk.attempt(partial(ask, "first sub-feature", feature), None, effect)
    while node is not None:
        with walk.item(walk.port.subject, "one of its instances is found by its position"):
            name = ask("name of a feature", node)
            if not COMPONENT_NAME.fullmatch(name):
                name = _component_name(walk, node) if node.GetTypeName2() in COMPONENT_NODES else ""
            if name:
                yield name
        node = walk.attempt(partial(ask, "next sub-feature", node), None, effect)


def _component_name(walk: Walk, item: Any) -> str:
    """The name of a component, which may be given by its feature in the tree."""
    feature = walk.port.cast_or_none(item, "IFeature")
    component = item if feature is None else feature.GetSpecificFeature2()
    if component is None:
        raise CallError("", "IFeature.GetSpecificFeature2", "no object was returned")
    name: str = walk.port.cast(component, "IComponent2").Name2
    return name


def _transforms(walk: Walk, data: Any, places: int) -> tuple[tuple[float, ...], ...]:
    """The transforms from the seeds to so many places; none if one of them cannot be read."""
    effect = "seeds of the same part are told apart by their order"
    transforms = []
    for place in range(1, places + 1):
        numbers = walk.attempt(partial(_transform, data, place), None, effect)
        if numbers is None:
            return ()
        transforms.append(numbers)
    return tuple(transforms)


def _transform(data: Any, place: int) -> tuple[float, ...] | None:
    return numbers_of(data.GetTransform(place))
