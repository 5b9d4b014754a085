"""Reference geometry against what was asked for: coordinate systems, a plane and an axis of parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import numpy as np

from swgrm.capture import Capture, ReferenceGeometry
from swgrm.transforms import Array, column_matrix, inverse
from swgrm_addin.selftest.judge.checks import Check, Hypothesis, Verdict, judged
from swgrm_addin.selftest.judge.evidence import Evidence
from swgrm_addin.selftest.mating import rotation
from swgrm_addin.selftest.parts import PARTS, AxisOf, CornerSystem, Disc, OffsetPlane, System
from swgrm_addin.selftest.specs import At

SAME = 1e-6  # [m]
SYSTEMS = sum(isinstance(each, System | CornerSystem) for each in PARTS["block"])
Kind = TypeVar("Kind")


def geometry_checks(evidence: Evidence) -> Iterator[Check]:
    """The checks of the block's coordinate systems and plane, and of the rod's axis."""
    capture = evidence.capture("C1_part")
    if capture is not None:
        geometry = capture.documents[0].geometry
        systems = [column_matrix(each.numbers) for each in geometry if each.kind == "coordinateSystem"]
        is_complete = len(systems) == SYSTEMS and not evidence.obstacle("part block")
        yield from _systems(systems, is_complete=is_complete)
        yield _plane([column_matrix(each.numbers) for each in geometry if each.kind == "plane" and not each.default])
    axes = [axis for capture in evidence.captures() for axis in _axes(capture, "rod.SLDPRT")]
    if axes:
        yield _axis(list(axes[0].numbers))


def _first(part: str, kind: type[Kind]) -> Kind:
    return next(each for each in PARTS[part] if isinstance(each, kind))


def _shown(found: list[Array], nothing: str) -> str:
    return "; ".join(str(np.round(each, 6).tolist()) for each in found) or nothing


def _one_of(check: str, title: str, fits: dict[str, bool], seen: str, *, is_complete: bool) -> Check:
    """A check that one of several hypotheses explains; without all systems it may be about one that was not made."""
    is_known = any(fits.values()) or is_complete
    hypotheses = tuple(Hypothesis(text, is_so if is_known else None) for text, is_so in fits.items())
    verdict = Verdict.CONFIRMED if any(fits.values()) else Verdict.REFUTED if is_complete else Verdict.UNDECIDED
    return Check(check, title, "U13", hypotheses, seen, verdict)


def _systems(seen: list[Array], *, is_complete: bool) -> Iterator[Check]:
    system, corner = _first("block", System), _first("block", CornerSystem)
    text = _shown(seen, "no coordinate system was read")
    rotated = {name: any(bool(np.abs(T - each).max() < SAME) for each in seen) for name, T in _orders(system).items()}
    yield _one_of("C1.part/system", "a rotated coordinate system", rotated, text, is_complete=is_complete)
    ways = {"its transform maps it into the part": seen, "it maps the part into it": [inverse(T) for T in seen]}
    at_corner = {name: any(_is_at_corner(T, corner) for T in found) for name, found in ways.items()}
    title = "a coordinate system at a corner, along edges"
    yield _one_of("C1.part/corner", title, at_corner, text, is_complete=is_complete)


def _orders(system: System) -> dict[str, Array]:
    """The pose of a coordinate system by what its three angles may mean."""
    names = "turn_x", "turn_y", "turn_z"
    x, y, z = (np.array(rotation(At()._replace(**{n: turn}))) for n, turn in zip(names, system.turns, strict=True))
    found = {}
    for text, R in {"rotations about fixed x, y, z": z @ y @ x, "rotations about moving x, y, z": x @ y @ z}.items():
        found[text] = np.eye(4)
        found[text][:3, :3], found[text][:3, 3] = R, (system.x, system.y, system.z)
    return found


def _is_at_corner(T: Array, corner: CornerSystem) -> bool:
    """Whether a system has its origin in the corner and its x and y along the edges, in either sense."""
    x, y = (np.subtract(end, corner.at) / np.linalg.norm(np.subtract(end, corner.at)) for end in corner[1:])
    is_along = abs(abs(T[:3, 0] @ x) - 1) < SAME and abs(abs(T[:3, 1] @ y) - 1) < SAME
    return bool(is_along and np.abs(T[:3, 3] - corner.at).max() < SAME)


def _plane(planes: list[Array]) -> Check:
    distance = _first("block", OffsetPlane).distance
    good = [T for T in planes if abs(abs(T[2, 2]) - 1) < SAME and abs(T[2, 3] - distance) < SAME]
    hypotheses, verdict = judged("the z axis of its transform is its normal", bool(good) if planes else None)
    seen = _shown(planes, "no plane was read")
    return Check("C1.part/plane", "a plane parallel to the first one", "U13", hypotheses, seen, verdict)


def _axes(capture: Capture, file: str) -> list[ReferenceGeometry]:
    documents = (each for each in capture.documents if each.path.endswith(f"\\{file}"))
    return [each for document in documents for each in document.geometry if each.kind == "axis"]


def _axis(numbers: list[float]) -> Check:
    """An axis is given by two points, here of the z axis."""
    disc = next(each for each in PARTS["rod"] if isinstance(each, Disc) and each.radius == _first("rod", AxisOf).radius)
    start, end = numbers[:3], numbers[3:6]
    is_points = max(abs(start[0]), abs(start[1]), abs(end[0]), abs(end[1])) < SAME and abs(start[2] - end[2]) > SAME
    ends = sorted((start[2], end[2]))
    is_face = abs(ends[0] - disc.start) < SAME and abs(ends[1] - disc.start - disc.height) < SAME
    hypotheses = (
        Hypothesis("GetRefAxisParams returns two points of the axis", is_points),
        Hypothesis("they are the ends of the cylinder", is_face),
    )
    verdict = Verdict.CONFIRMED if is_points else Verdict.REFUTED
    return Check("U13/axis", "the axis of a cylinder", "U13", hypotheses, str(np.round(numbers, 6).tolist()), verdict)
