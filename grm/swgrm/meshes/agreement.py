"""Compares the mass properties of links with the volume integrals of their meshes."""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache
from pathlib import Path

import numpy as np

from swgrm.capture.records import PartShape
from swgrm.errors import SwgrmError
from swgrm.findings import Finding, Findings
from swgrm.mass.inertia import tensor_matrix
from swgrm.meshes.surface import Integrals, Surface, bounds, joined, placed, surface, volume_integrals
from swgrm.meshes.uris import report_absent, resolve
from swgrm.model import Inertial, Link, Mesh, Robot

CENTRE = 0.01  # of the size
TENSOR = 0.05  # of the tensor's norm
MASS = 0.01  # of the mass
BOX = 0.25  # of the diagonal
HOLLOW = 1e-12  # of the size cubed: a smaller volume is rounding

QUANTITIES = frozenset({"mass", "centre", "tensor"})


def report_disagreements(
    inertial: Inertial,
    integrals: Integrals,
    size: float,
    where: str,
    findings: Findings,
    *,
    density: float | None = None,
    quantities: Set[str] = QUANTITIES,
) -> None:
    """Report where an inertial and the volume integrals of a mesh of that size [m] differ.

    The mass is compared at the density [kg/m³], if there is one; the tensor at the mean density of the inertial.
    """
    if density is not None and "mass" in quantities:
        _compare_mass(inertial.mass, integrals.volume, density, where, findings)
    distance = float(np.linalg.norm(integrals.centre - inertial.origin))
    if "centre" in quantities and distance > CENTRE * size:
        stated, expected = _numbers(inertial.origin), _numbers(integrals.centre)
        share = distance / size
        findings.add("mesh-centre", where, stated=stated, expected=expected, distance=distance, share=share)
    if "tensor" in quantities and inertial.tensor is not None and inertial.mass > 0:
        tensor = integrals.tensor * (inertial.mass / integrals.volume)
        _compare_tensor(tensor_matrix(inertial), tensor, where, findings)


def report_box(shape: PartShape, where: str, findings: Findings) -> None:
    """Report a body of a part whose box does not fit its triangles; SolidWorks' boxes are approximate."""
    start, corners = 0, np.frombuffer(shape.triangles, "<f4").reshape(-1, 3)
    for body in shape.bodies:
        end = start + 3 * sum(face.triangles for face in body.faces)
        own, start = corners[start:end], end
        if body.box is None or not len(own):
            continue
        box = np.asarray(body.box).reshape(2, 3)
        seen = np.stack(bounds(own)).astype(float)
        off = float(np.abs(np.sort(box, axis=0) - seen).max())
        if off > BOX * float(np.linalg.norm(seen[1] - seen[0])):
            facts = {"box": _numbers(box.ravel()), "seen": _numbers(seen.ravel())}
            findings.add("mesh-box", where, body=body.name, off=off, **facts)


def _compare_mass(stated: float, volume: float, density: float, where: str, findings: Findings) -> None:
    expected = volume * density
    if abs(expected - stated) > MASS * max(abs(stated), abs(expected)):
        findings.add("mesh-mass", where, stated=stated, density=density, expected=expected)


def _compare_tensor(stated: np.ndarray, expected: np.ndarray, where: str, findings: Findings) -> None:
    scale = float(np.linalg.norm(expected)) or 1.0
    share = float(np.linalg.norm(stated - expected)) / scale
    if share <= TENSOR:
        return
    flipped = 2 * np.diag(np.diag(stated)) - stated
    shown, wanted = tensor_text(stated), tensor_text(expected)
    if float(np.linalg.norm(flipped - expected)) / scale <= TENSOR:
        findings.add("mesh-tensor-sign", where, stated=shown, expected=wanted, share=share)
    else:
        findings.add("mesh-tensor", where, stated=shown, expected=wanted, share=share)


def check_meshes(robot: Robot, folder: Path) -> list[Finding]:
    """The findings about mesh files that do not exist, and about every link that has both an inertial and meshes."""
    findings = Findings()
    report_absent(robot, folder, findings)
    for _, link in robot.links():
        _check_link(link, folder, findings)
    return list(findings)


def _check_link(link: Link, folder: Path, findings: Findings) -> None:
    shapes = [shape for shape in link.visuals or link.collisions if isinstance(shape, Mesh)]
    if link.inertial is None or not shapes or len(shapes) != len(link.visuals or link.collisions):
        return
    where = f"link {link.name}"
    try:
        body = link_surface(shapes, folder)
    except SwgrmError as error:
        findings.add("mesh-unreadable", where, problem=str(error))
        return
    if body is None:
        return
    if not body.is_closed:
        findings.add("mesh-open", where)
    integrals = volume_integrals(body)
    if integrals.volume <= HOLLOW * body.size**3:
        findings.add("mesh-hollow", where)
        return
    report_disagreements(link.inertial, integrals, body.size, where, findings)


def link_surface(shapes: list[Mesh], folder: Path) -> Surface | None:
    """The link's mesh files in the link's frame, as one surface; None if a file is not there."""
    parts = []
    for shape in shapes:
        path = resolve(shape.uri, folder)
        if path is None:
            return None
        parts.append(placed(_loaded(path, *stamp(path)), shape.origin.matrix, shape.scale))
    return surface(joined(parts).triangles)


def stamp(path: Path) -> tuple[int, int]:
    """The size and modification time of a file, so that a changed file is read again; zeros if it does not exist."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns


@lru_cache(maxsize=64)
def _loaded(path: Path, size: int, modified: int) -> Surface:  # noqa: ARG001 - the cache's key
    from swgrm.meshes.files import load

    return load(path)


def _numbers(values: object) -> str:
    return "(" + ", ".join(f"{value:.4g}" for value in np.asarray(values).tolist()) + ")"


def tensor_text(matrix: np.ndarray) -> str:
    """The six numbers of a tensor: xx, xy, xz, yy, yz, zz."""
    return _numbers([matrix[0, 0], matrix[0, 1], matrix[0, 2], matrix[1, 1], matrix[1, 2], matrix[2, 2]])
