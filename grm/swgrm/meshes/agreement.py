"""Mesh against inertia: what a link's mesh would weigh, beside what it says it weighs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from swgrm.errors import SwgrmError
from swgrm.findings import Finding, Severity
from swgrm.inertia import tensor_matrix
from swgrm.mesh_uris import absent, resolve
from swgrm.meshes.surface import Integrals, Surface, joined, placed, surface, volume_integrals
from swgrm.model import Inertial, Link, Mesh, Robot

CENTRE = 0.01  # of the size
TENSOR = 0.05  # of the tensor's norm
MASS = 0.01  # of the mass


class Disagreement(NamedTuple):
    """What does not fit, and both figures."""

    code: str
    message: str


def disagreements(
    inertial: Inertial, integrals: Integrals, size: float, density: float | None = None
) -> Iterator[Disagreement]:
    """Where an inertial and a mesh's volume integrals differ, at the given density or, without one, at the mean."""
    if density is not None:
        weight = integrals.volume * density
        if abs(weight - inertial.mass) > MASS * max(abs(inertial.mass), abs(weight)):
            said = f"It weighs {inertial.mass:.6g} kg, its mesh at {density:g} kg/m³ {weight:.6g} kg."
            yield Disagreement("mesh-mass", said)
    off = float(np.linalg.norm(integrals.centre - inertial.origin))
    if off > CENTRE * size:
        yield Disagreement(
            "mesh-centre",
            f"Its centre of mass is at {_numbers(inertial.origin)} m, its mesh's at {_numbers(integrals.centre)} m: "
            f"{off:.4g} m apart, {off / size:.0%} of its size.",
        )
    if inertial.tensor is not None and inertial.mass > 0:
        yield from _tensor_disagreement(inertial, integrals.tensor * (inertial.mass / integrals.volume))


def _tensor_disagreement(inertial: Inertial, expected: np.ndarray) -> Iterator[Disagreement]:
    stated = tensor_matrix(inertial)
    scale = float(np.linalg.norm(expected)) or 1.0
    off = float(np.linalg.norm(stated - expected)) / scale
    if off <= TENSOR:
        return
    flipped = 2 * np.diag(np.diag(stated)) - stated
    said = f"Its tensor is {_tensor(stated)} kg m², its mesh's {_tensor(expected)} kg m²: {off:.0%} apart"
    if float(np.linalg.norm(flipped - expected)) / scale <= TENSOR:
        yield Disagreement("mesh-tensor-sign", f"{said}; with the products' signs turned it agrees.")
    else:
        yield Disagreement("mesh-tensor", f"{said}.")


def check_meshes(robot: Robot, folder: Path) -> list[Finding]:
    """The findings about mesh files that are not there, and about every link that has both an inertial and meshes."""
    return [*absent(robot, folder), *(finding for _, link in robot.links() for finding in _check_link(link, folder))]


def _check_link(link: Link, folder: Path) -> Iterator[Finding]:
    shapes = [shape for shape in link.visuals or link.collisions if isinstance(shape, Mesh)]
    if link.inertial is None or not shapes or len(shapes) != len(link.visuals or link.collisions):
        return
    where = f"link {link.name}"
    try:
        body = link_surface(shapes, folder)
    except SwgrmError as error:
        yield Finding(Severity.WARNING, "mesh-unreadable", where, str(error))
        return
    if body is None:
        return
    if not body.is_closed:
        message = "Its mesh is not closed: its mass and tensor can be compared only roughly."
        yield Finding(Severity.NOTE, "mesh-open", where, message)
    integrals = volume_integrals(body)
    if integrals.volume <= 0:
        yield Finding(Severity.NOTE, "mesh-hollow", where, "Its mesh encloses no volume: it cannot be compared.")
        return
    for code, message in disagreements(link.inertial, integrals, body.size):
        yield Finding(Severity.WARNING, code, where, message)


def link_surface(shapes: list[Mesh], folder: Path) -> Surface | None:
    """The link's mesh files in the link's frame, as one surface; None if a file is not there."""
    parts = []
    for shape in shapes:
        path = resolve(shape.uri, folder)
        if path is None:
            return None
        parts.append(placed(_loaded(path), shape.origin.matrix, shape.scale))
    return surface(joined(parts).triangles)


@lru_cache(maxsize=64)
def _loaded(path: Path) -> Surface:
    from swgrm.meshes.files import load

    return load(path)


def _numbers(values: object) -> str:
    return "(" + ", ".join(f"{value:.4g}" for value in np.asarray(values).tolist()) + ")"


def _tensor(matrix: np.ndarray) -> str:
    return _numbers([matrix[0, 0], matrix[0, 1], matrix[0, 2], matrix[1, 1], matrix[1, 2], matrix[2, 2]])
