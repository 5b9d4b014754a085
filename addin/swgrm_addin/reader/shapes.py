"""Reads mass and bodies: once per part and configuration, or per component where components differ."""

from __future__ import annotations

from typing import Any

from swgrm.capture import Face, MassProperties, PartBody, PartShape, document_groups, name_order, shape_groups
from swgrm.capture.index import DocumentKey
from swgrm.capture.records import BYTES_PER_TRIANGLE
from swgrm.swconst import swBodyType_e, swMassPropertyMoment_e
from swgrm_addin.reader.documents import components_by_key, model_of
from swgrm_addin.reader.tree import ReadComponent
from swgrm_addin.reader.walk import Walk, appearance

ABOUT_CENTER = int(swMassPropertyMoment_e.swMassPropertyMomentAboutCenterOfMass)
ALL_BODIES, SOLID = int(swBodyType_e.swAllBodies), int(swBodyType_e.swSolidBody)
NO_MASS = "it has no mass from SolidWorks"


def read_shapes(walk: Walk, extension: Any, components: list[ReadComponent]) -> list[PartShape]:
    """Read the shapes of all parts, and the masses of sub-assemblies whose mass is overridden."""
    records = [component.record for component in components]
    overridden = _overridden_shapes(walk, extension, components)
    overridden_names = {record.name for record in records if (record.path, record.configuration) in overridden}
    unique = components_by_key(components, shape_groups(records, overridden_names))
    shapes = list(overridden.values())
    for done, (key, component) in enumerate(unique.items()):
        with walk.item(f"the shape of {component.record.name}"):
            if model_of(walk, component) is not None:
                shapes.append(_shape_through(walk, extension, key, component))
        walk.progress(0.6 + 0.4 * (done + 1) / len(unique), component.record.name)
    return sorted(shapes, key=lambda shape: (shape.path, shape.configuration, name_order(shape.variant)))


def read_own_shape(walk: Walk, part: Any, key: DocumentKey) -> PartShape:
    """Read the shape of a part document that is not in an assembly."""
    with walk.port.reading("the part's shape"):
        mass = walk.attempt(lambda: _mass(part.Extension.CreateMassProperty2(), None), None, NO_MASS)
        bodies = walk.attempt(
            lambda: walk.port.cast(part, "IPartDoc").GetBodies2(ALL_BODIES, False), (), "its bodies are left out"
        )
        return _shape(walk, (*key, ""), "", mass, bodies)


def _overridden_shapes(walk: Walk, extension: Any, components: list[ReadComponent]) -> dict[DocumentKey, PartShape]:
    """The shapes of the sub-assemblies whose mass is overridden, so that it is not the sum of their parts."""
    found = {}
    assemblies = [component.record for component in components if component.record.is_assembly]
    for key, component in components_by_key(components, document_groups(assemblies)).items():
        mass = None
        with walk.item(f"the mass of {component.record.name}", "it is taken as the sum of its parts"):
            mass_property = extension.CreateMassProperty2() if model_of(walk, component) is not None else None
            mass = _mass(mass_property, component.proxy, only_if_overridden=True)
        if mass is not None:
            path, configuration = key
            found[key] = PartShape(path, configuration, through=component.record.name, mass=mass)
    return found


def _shape_through(walk: Walk, extension: Any, key: DocumentKey, component: ReadComponent) -> PartShape:
    mass = walk.attempt(lambda: _mass(extension.CreateMassProperty2(), component.proxy), None, NO_MASS)
    bodies, _ = walk.attempt(lambda: component.proxy.GetBodies3(ALL_BODIES), ((), ()), "its bodies are left out")
    return _shape(walk, key, component.record.name, mass, bodies)


def _shape(
    walk: Walk, key: DocumentKey, through: str, mass: MassProperties | None, bodies: tuple[Any, ...]
) -> PartShape:
    path, configuration, variant = key
    triangles: list[bytes] = []
    read: list[PartBody] = []
    for body in bodies:
        own: list[bytes] = []
        with walk.item(walk.port.subject, "one of its bodies is left out"):
            read.append(_body(walk, body, configuration, own))
            triangles += own
    return PartShape(path, configuration, variant, through, mass, tuple(read), b"".join(triangles))


def _body(walk: Walk, body: Any, configuration: str, triangles: list[bytes]) -> PartBody:
    name = body.Name
    material, database = body.GetMaterialPropertyName(configuration)
    return PartBody(
        name=name,
        type=walk.attempt(lambda: body.GetType(), SOLID, "one of its bodies is taken as a solid"),
        box=body.GetBodyBox() or None,
        visible=body.Visible,
        material=material,
        material_database=database,
        appearance=appearance(body.MaterialPropertyValues2),
        faces=tuple(_face(walk, face, triangles) for face in body.GetFaces()),
    )


def _face(walk: Walk, face: Any, triangles: list[bytes]) -> Face:
    data = walk.attempt(lambda: face.GetTessTriangles(True), b"", "the triangles of one of its faces are left out")
    triangles.append(data)
    return Face(len(data) // BYTES_PER_TRIANGLE, appearance(face.MaterialPropertyValues))


def _mass(mass_property: Any, component: Any, *, only_if_overridden: bool = False) -> MassProperties | None:
    """The mass properties of a component, or of the whole document; None if SolidWorks cannot calculate them."""
    if mass_property is None:
        return None
    mass_property.UseSystemUnits = True
    mass_property.IncludeHiddenBodiesOrComponents = True
    if component is not None:
        mass_property.SelectedItems = (component,)
    if not mass_property.Recalculate():
        return None
    options = mass_property.GetOverrideOptions()
    overrides = options.OverrideMass, options.OverrideCenterOfMass, options.OverrideMomentsOfInertia
    if only_if_overridden and not any(overrides):
        return None
    return _mass_properties(mass_property, overrides)


def _mass_properties(mass_property: Any, overrides: tuple[bool, bool, bool]) -> MassProperties:
    axes = [number for axis in range(3) for number in mass_property.PrincipalAxesOfInertia(axis)]
    scalars = mass_property.Mass, mass_property.Volume, mass_property.SurfaceArea, mass_property.Density
    center, moments = mass_property.CenterOfMass, mass_property.PrincipalMomentsOfInertia
    tensor = mass_property.GetMomentOfInertia(ABOUT_CENTER)
    return MassProperties(*scalars, center, moments, tuple(axes), tensor, *overrides)
