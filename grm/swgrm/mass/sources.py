"""What the mass properties of a part rest on, where SolidWorks does not report it.

Overrides that are not known are decided by the mesh. A mirrored part without a material gets the mass of its source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from swgrm.capture.records import Document, MassProperties, PartShape
from swgrm.findings import Findings
from swgrm.mass.inertia import matrix_tensor, tensor_matrix
from swgrm.mass.inertia_choice import agrees, candidates, part_inertial
from swgrm.meshes.agreement import CENTRE, MASS, TENSOR
from swgrm.meshes.solids import WeldedSolid
from swgrm.meshes.surface import Integrals
from swgrm.model import Inertial
from swgrm.ties import first_smallest

if TYPE_CHECKING:
    from swgrm.transforms import Array

FITS_EXACTLY = 1e-3  # of the tolerances: smaller deviations of a reflection are equal
WATER = 1000.0  # [kg/m³] what SolidWorks assumes for a part without a material
QUANTITIES = {
    "mass_overridden": "mass",
    "center_of_mass_overridden": "centre of mass",
    "moments_overridden": "moments",
}
REFLECTIONS: tuple[Array, ...] = tuple(np.diag(signs) for signs in ((-1.0, 1, 1), (1.0, -1, 1), (1.0, 1, -1)))


def is_without_material(shape: PartShape, mass: MassProperties, document: Document | None) -> bool:
    """Whether a part has the density of water because it has no material."""
    material = document.material if document else ""
    if material or mass.mass_overridden or any(body.material for body in shape.bodies):
        return False
    return mass.density is not None and abs(mass.density - WATER) < 1e-6


def settle_overrides(
    shape: PartShape,
    mass: MassProperties,
    T_root_part: Array,
    body: WeldedSolid | None,
    where: str,
    findings: Findings,
) -> MassProperties:
    """The mass properties with known overrides: where SolidWorks does not report one, what deviates was entered."""
    unknown = [field for field in QUANTITIES if getattr(mass, field) is None]
    if not unknown:
        return mass
    reported = shape.legacy_mass
    if reported is not None and all(getattr(reported, field) is not None for field in unknown):
        return replace(mass, **{field: getattr(reported, field) for field in unknown})
    deviating = _deviating_quantities(shape, mass, T_root_part, body)
    settled = {field: field in deviating for field in unknown}
    if any(settled.values()):
        quantities = ", ".join(QUANTITIES[field] for field, is_entered in settled.items() if is_entered)
        findings.add("override-unknown", where, quantities=quantities)
    return replace(mass, **settled)


def _deviating_quantities(
    shape: PartShape, mass: MassProperties, T_root_part: Array, body: WeldedSolid | None
) -> set[str]:
    """The overrides without which mass properties would not deviate from the mesh, or else from the volume."""
    integrals = body.integrals if body is not None else None
    deviating = set()
    volume = mass.volume if integrals is None else integrals.volume
    if volume and mass.density and abs(mass.mass - mass.density * volume) > MASS * mass.density * volume:
        deviating.add("mass_overridden")
    if body is None or integrals is None:
        return deviating
    centre = part_inertial(mass, T_root_part).origin
    if float(np.linalg.norm(integrals.centre - centre)) > CENTRE * body.size:
        deviating.add("center_of_mass_overridden")
    # A tensor that is that of the mesh at some density was not entered, whatever the mass is.
    tensors = candidates(replace(shape, mass=mass), T_root_part)
    if tensors and not any(agrees(candidate, integrals, scaled=True) for candidate in tensors):
        deviating.add("moments_overridden")
    return deviating


def mirror_inertial(source: Inertial, own: Inertial, own_mesh: Integrals | None, mesh: Integrals | None) -> Inertial:
    """The inertial of a part that is the mirror image of another one, `source`, in its own coordinates.

    SolidWorks mirrors a part in one of its planes. The plane is the one in which the mesh of the source becomes the
    mesh of the part; where none fits, the part's own inertial is scaled to the mass of the source.
    """
    reflection = _find_reflection(own_mesh, mesh)
    if reflection is None:
        factor = source.mass / own.mass if own.mass else 0.0
        tensor = own.tensor and matrix_tensor(tensor_matrix(replace(own, axes=(0.0, 0.0, 0.0, 1.0))) * factor)
        return replace(own, mass=source.mass, tensor=tensor)
    x, y, z = (reflection @ np.array(source.origin)).tolist()
    tensor = source.tensor and matrix_tensor(reflection @ tensor_matrix(source) @ reflection)
    return Inertial(source.mass, (x, y, z), tensor)


def _find_reflection(own_mesh: Integrals | None, mesh: Integrals | None) -> Array | None:
    """The reflection in a coordinate plane that maps one mesh to the other best; None if none does."""
    if own_mesh is None or mesh is None or not mesh.volume > 0:
        return None
    size, scale = mesh.volume ** (1 / 3), float(np.linalg.norm(mesh.tensor))
    deviations = []
    for reflection in REFLECTIONS:
        tensor = reflection @ mesh.tensor @ reflection
        distance = float(np.linalg.norm(reflection @ mesh.centre - own_mesh.centre))
        difference = float(np.linalg.norm(tensor - own_mesh.tensor))
        deviations.append(max(distance / (CENTRE * size), difference / (TENSOR * scale)))
    # Of a symmetric part several reflections fit equally well: the first of them is taken.
    best = first_smallest(np.maximum(deviations, FITS_EXACTLY))
    return REFLECTIONS[best] if deviations[best] < 1 else None
