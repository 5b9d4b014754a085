"""Chooses the inertia tensor of a part among those that SolidWorks returned: the one that agrees with the mesh."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swgrm.capture.records import MassProperties, PartShape
from swgrm.findings import Findings
from swgrm.mass.inertia import matrix_tensor
from swgrm.meshes.agreement import TENSOR, tensor_text
from swgrm.meshes.surface import Integrals
from swgrm.model import Inertial
from swgrm.transforms import inverse

if TYPE_CHECKING:
    from swgrm.transforms import Array

LIKE_THE_MESH = "it is that of the mesh"
OVERRIDDEN = "the moments were entered by hand, and the older interface returns them correctly"
OF_A_PART = "the mesh is not closed, and the older interface is reliable for part documents"


class Candidate(NamedTuple):
    """A tensor about the centre of mass, in the part's coordinates [kg m²], and the values that it is made of."""

    source: str
    inertial: Inertial
    tensor: Array


def chosen_tensor(
    shape: PartShape, T_root_part: Array, integrals: Integrals | None, where: str, findings: Findings
) -> Inertial | None:
    """The inertial of a part in its own coordinates; `integrals` are those of its mesh, None if it is not closed.

    If another tensor than that of the newer interface's principal moments is taken, a finding states both.
    """
    found = candidates(shape, T_root_part)
    if not found:
        return _without_tensor(shape, T_root_part)
    first = found[0]
    older = next((each for each in found if each.source == LEGACY), None)
    chosen, reason = first, ""
    if shape.mass is None:
        findings.add("mass-from-document", where)
    elif shape.mass.moments_overridden:
        chosen, reason = older or first, OVERRIDDEN
    elif integrals is None:
        chosen, reason = older or first, OF_A_PART
    else:
        is_like_the_mesh = partial(agrees, integrals=integrals, scaled=bool(shape.mass.mass_overridden))
        chosen = next(filter(is_like_the_mesh, found), first)
        reason = LIKE_THE_MESH
    if not _close(chosen.tensor, first.tensor):
        used, other = tensor_text(chosen.tensor), tensor_text(first.tensor)
        source = chosen.source
        findings.add("inertia-chosen", where, used=used, source=source, reason=reason, first=first.source, other=other)
    return first.inertial if chosen is first else _with_tensor(first.inertial, chosen.tensor)


PRINCIPAL, NINE = "the principal moments of IMassProperty2", "the moments of IMassProperty2"
LEGACY, LEGACY_NINE = "the principal moments of IMassProperty", "the moments of IMassProperty"
NEGATED = ", with the other sign of its products"


def candidates(shape: PartShape, T_root_part: Array) -> list[Candidate]:
    """The tensors of a shape in the coordinates of the part, the preferred one first."""
    given: list[tuple[MassProperties | None, Array, str, str]] = [
        (shape.mass, T_root_part, PRINCIPAL, NINE),
        (shape.legacy_mass, np.eye(4), LEGACY, LEGACY_NINE),
    ]
    principal, others = [], []
    for mass, T, of_axes, of_nine in given:
        if mass is None:
            continue
        inertial = part_inertial(mass, T)
        R = inverse(T)[:3, :3]
        tensor = _principal(mass)
        if tensor is not None:
            principal.append(Candidate(of_axes, inertial, _rotated(tensor, R)))
        if mass.moments is not None:
            nine = np.asarray(mass.moments).reshape(3, 3)
            flipped = 2 * np.diag(np.diag(nine)) - nine
            others.append(Candidate(of_nine, inertial, _rotated(nine, R)))
            others.append(Candidate(of_nine + NEGATED, inertial, _rotated(flipped, R)))
    return principal + others


def part_inertial(mass: MassProperties, T_root_part: Array) -> Inertial:
    """Mass properties, given in root space, in the part's own: I = Aᵀ diag(P) A, axes as rows of A, seen through Rᵀ.

    The principal moments and axes are used because the sign of SolidWorks' products is disputed; I is quadratic in the
    axes, so that a left-handed triple does no harm. Without them, the nine moments are used.
    """
    inertial = _mass_and_centre(mass, T_root_part)
    tensor = _principal(mass)
    if tensor is None and mass.moments is not None:
        tensor = np.asarray(mass.moments).reshape(3, 3)
    if tensor is None:
        return inertial
    return _with_tensor(inertial, _rotated(tensor, inverse(T_root_part)[:3, :3]))


def _mass_and_centre(mass: MassProperties, T_root_part: Array) -> Inertial:
    T_part_root = inverse(T_root_part)
    x, y, z = (T_part_root[:3, :3] @ mass.center_of_mass + T_part_root[:3, 3]).tolist()
    return Inertial(mass.mass, (x, y, z))


def _without_tensor(shape: PartShape, T_root_part: Array) -> Inertial | None:
    """Mass and centre of a shape of which SolidWorks returned no moments."""
    if shape.mass is not None:
        return _mass_and_centre(shape.mass, T_root_part)
    return _mass_and_centre(shape.legacy_mass, np.eye(4)) if shape.legacy_mass is not None else None


def _principal(mass: MassProperties) -> Array | None:
    """The tensor of the principal moments; None if SolidWorks did not return them and their axes."""
    if mass.principal_axes is None or mass.principal_moments is None:
        return None
    A = np.asarray(mass.principal_axes).reshape(3, 3)
    norms = np.linalg.norm(A, axis=1, keepdims=True)
    A = A / np.where(norms > 0, norms, 1.0)
    return A.T @ np.diag(mass.principal_moments) @ A


def _rotated(tensor: Array, R: Array) -> Array:
    turned = R @ tensor @ R.T
    return (turned + turned.T) / 2


def _with_tensor(inertial: Inertial, tensor: Array) -> Inertial:
    return Inertial(inertial.mass, inertial.origin, matrix_tensor(tensor))


def agrees(candidate: Candidate, integrals: Integrals, *, scaled: bool) -> bool:
    """Whether a tensor is that of the mesh at the part's mass; at any density if the mass was entered by hand."""
    if integrals.volume <= 0:
        return False
    if scaled:
        density = float(np.trace(candidate.tensor) / np.trace(integrals.tensor))
        return density > 0 and _close(candidate.tensor, integrals.tensor * density)
    return _close(candidate.tensor, integrals.tensor * (candidate.inertial.mass / integrals.volume))


def _close(one: Array, other: Array) -> bool:
    scale = float(np.linalg.norm(other)) or 1.0
    return float(np.linalg.norm(one - other)) / scale <= TENSOR
