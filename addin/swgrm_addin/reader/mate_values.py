"""Reads the values of a mate from its definition; those of distance and angle mates are found in other places, too."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from swgrm.errors import CallError
from swgrm_addin.reader.ways import ask_otherwise

LIMIT = "MateLimit"  # the type names of limit mates begin so


class MateFeature(NamedTuple):
    """A mate with its feature, and the name and type name of that."""

    feature: Any  # IFeature
    mate: Any  # IMate2
    name: str
    type_name: str


class MateValues:
    """The values of one mate, each by the first of its ways that does not fail."""

    def __init__(self, port: Any, document: Any, mate: MateFeature, interface: str) -> None:
        self.port, self.document, self.known, self.interface = port, document, mate, interface

    def read(self, field: str) -> Any:
        """The value of a field of the definition."""
        try:
            return getattr(self.definition, pascal(field))
        except CallError as error:
            way = OTHER_WAYS.get(field) if self.interface in VARYING else None
            if way is None:
                raise
            return ask_otherwise(self.port, error, [lambda: way(self)])

    @cached_property
    def definition(self) -> Any:
        """The feature data of the mate."""
        definition = self.known.feature.GetDefinition()
        if definition is None:
            raise CallError("", "IFeature.GetDefinition", "no object was returned")
        return self.port.cast(definition, self.interface)

    @cached_property
    def dimension(self) -> float:
        """The value of the mate's dimension, which a limit mate has only for its present value."""
        dimension = self.document.Parameter(f"D1@{self.known.name}")
        if dimension is None:
            raise CallError("", "IModelDoc2.Parameter", "no object was returned")
        return float(dimension.SystemValue)

    def value(self) -> float:
        """The present distance or angle."""
        return float(self.read(VARYING[self.interface]))

    def maximum(self) -> float:
        """The largest distance or angle: the variation of a mate is its limit less its present value."""
        return self.value() + float(self.known.mate.MaximumVariation)

    def minimum(self) -> float:
        """The smallest distance or angle."""
        return self.value() + float(self.known.mate.MinimumVariation)


VARYING = {"IAngleMateFeatureData": "angle", "IDistanceMateFeatureData": "distance"}
"""The definitions whose values are found in other places, too, and the field of their present value."""
OTHER_WAYS: Mapping[str, Callable[[MateValues], Any]] = {
    "angle": lambda values: values.dimension,
    "distance": lambda values: values.dimension,
    "maximum_angle": MateValues.maximum,
    "maximum_distance": MateValues.maximum,
    "minimum_angle": MateValues.minimum,
    "minimum_distance": MateValues.minimum,
    "is_advanced_mate": lambda values: values.known.type_name.startswith(LIMIT),
    "flip_dimension": lambda values: values.known.mate.Flipped,
    "mate_alignment": lambda values: values.known.mate.Alignment,
}
"""The second way to each value of a distance or angle mate."""


def pascal(field: str) -> str:
    """SolidWorks' name of a field: MaxVal for max_val."""
    return "".join(word.capitalize() for word in field.split("_"))
