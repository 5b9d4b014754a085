"""Finds the default planes of a document by their transforms: neither their order nor their names are fixed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from swgrm.errors import SolidWorksError
from swgrm_addin.selftest.entities import X, Y, Z

SAME = 1e-9  # [m], or of a unit vector
AXES = (*X, *Y, *Z)


class FoundPlane(NamedTuple):
    """A plane of a document: its feature, and IRefPlane.Transform as ArrayData (x, y, normal, origin, …)."""

    feature: Any
    transform: tuple[float, ...]

    @property
    def is_default(self) -> bool:
        """Whether it goes through the origin, as all default planes do."""
        return _is_same(self.transform[9:12], (0.0, 0.0, 0.0))


def features(document: Any) -> Iterator[Any]:
    """The features of a document, in the order of its tree."""
    feature = document.FirstFeature()
    while feature is not None:
        yield feature
        feature = feature.GetNextFeature()


def planes(document: Any) -> Iterator[FoundPlane]:
    """The planes of a document."""
    for feature in features(document):
        if feature.GetTypeName2() == "RefPlane":
            plane = document.port.cast(feature.GetSpecificFeature2(), "IRefPlane")
            yield FoundPlane(feature, plane.Transform.ArrayData)


def default_plane(document: Any, normal: tuple[float, float, float]) -> Any:
    """The default plane with that normal, in either sense: in a document with z up, Front has the normal x."""
    opposite = tuple(-value for value in normal)
    for plane in planes(document):
        own = plane.transform[6:9]
        if plane.is_default and (_is_same(own, normal) or _is_same(own, opposite)):
            return plane.feature
    raise SolidWorksError(f"SolidWorks returned no plane through the origin across {_text(normal)}.")


def drawing_plane(document: Any) -> Any:
    """The plane whose own axes are x, y and z: Front, or Top in a document with z up."""
    for plane in planes(document):
        if plane.is_default and _is_same(plane.transform[:9], AXES):
            return plane.feature
    raise SolidWorksError(
        "No default plane of the new document has the axes x, y and z, so that the parts of the self-test cannot be "
        "drawn. Choose another default template (System Options > Default Templates)."
    )


def plane_texts(document: Any) -> str:
    """The planes of a document with their axes, for the record of a run."""
    texts = []
    for plane in planes(document):
        x, y, normal, origin = (plane.transform[k : k + 3] for k in (0, 3, 6, 9))
        texts.append(f"x {_text(x)}, y {_text(y)}, normal {_text(normal)}, at {_text(origin)}")
    return "\n".join(texts)


def _is_same(first: Sequence[float], second: Sequence[float]) -> bool:
    return all(abs(a - b) < SAME for a, b in zip(first, second, strict=True))


def _text(values: Sequence[float]) -> str:
    return "(" + ", ".join(f"{value + 0.0:.4g}" for value in values) + ")"
