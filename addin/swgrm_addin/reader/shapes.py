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
ALL_BODIES = int(swBodyType_e.swAllBodies)


def read_shapes(walk: Walk, extension: Any, components: list[ReadComponent]) -> list[PartShape]:
    """Read the shapes of all parts, and the masses of sub-assemblies whose mass is overridden."""
    records = [component.record for component in components]
    overridden = _overridden_shapes(walk, extension, components)
    overridden_names = {record.name for record in records if (record.path, record.configuration) in overridden}
    unique = components_by_key(components, shape_groups(records, overridden_names))
    shapes = list(overridden.values())
    for done, (key, component) in enumerate(unique.items()):
        with walk.port.reading(f"the shape of {component.record.name}"):
            if model_of(walk, component) is not None:
                shapes.append(_shape_through(walk, extension, key, component))
        walk.progress(0.6 + 0.4 * (done + 1) / len(unique), component.record.name)
    return sorted(shapes, key=lambda shape: (shape.path, shape.configuration, name_order(shape.variant)))


def read_own_shape(walk: Walk, part: Any, key: DocumentKey) -> PartShape:
    """Read the shape of a part document that is not in an assembly."""
    with walk.port.reading("the part's shape"):
        mass = part.Extension.CreateMassProperty2()
        bodies = walk.port.cast(part, "IPartDoc").GetBodies2(ALL_BODIES, False)
        return _shape(walk, (*key, ""), "", _mass(walk, mass, None), bodies)


def _overridden_shapes(walk: Walk, extension: Any, components: list[ReadComponent]) -> dict[DocumentKey, PartShape]:
    """The shapes of the sub-assemblies whose mass is overridden, so that it is not the sum of their parts."""
    found = {}
    assemblies = [component.record for component in components if component.record.is_assembly]
    for key, component in components_by_key(components, document_groups(assemblies)).items():
        with walk.port.reading(f"the mass of {component.record.name}"):
            mass_property = extension.CreateMassProperty2() if model_of(walk, component) is not None else None
            mass = _mass(walk, mass_property, component.proxy, only_if_overridden=True)
        if mass is not None:
            path, configuration = key
            found[key] = PartShape(path, configuration, through=component.record.name, mass=mass)
    return found


def _shape_through(walk: Walk, extension: Any, key: DocumentKey, component: ReadComponent) -> PartShape:
    mass = _mass(walk, extension.CreateMassProperty2(), component.proxy)
    bodies, _ = component.proxy.GetBodies3(ALL_BODIES)
    return _shape(walk, key, component.record.name, mass, bodies)


def _shape(
    walk: Walk, key: DocumentKey, through: str, mass: MassProperties | None, bodies: tuple[Any, ...]
) -> PartShape:
    path, configuration, variant = key
    triangles: list[bytes] = []
    read = tuple(_body(walk, body, configuration, triangles) for body in bodies)
    return PartShape(path, configuration, variant, through, mass, read, b"".join(triangles))


def _body(walk: Walk, body: Any, configuration: str, triangles: list[bytes]) -> PartBody:
    name = body.Name
    material, database = body.GetMaterialPropertyName(configuration)
    return PartBody(
        name=name,
        type=body.GetType(),
        box=walk.optional(body.GetBodyBox(), f"body {name}", 6),
        visible=body.Visible,
        material=material,
        material_database=database,
        appearance=appearance(body.MaterialPropertyValues2),
        faces=tuple(_face(face, triangles) for face in body.GetFaces()),
    )


def _face(face: Any, triangles: list[bytes]) -> Face:
    data = face.GetTessTriangles(True)
    triangles.append(data)
    return Face(len(data) // BYTES_PER_TRIANGLE, appearance(face.MaterialPropertyValues))


def _mass(walk: Walk, mass_property: Any, component: Any, *, only_if_overridden: bool = False) -> MassProperties | None:
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
    return _mass_properties(walk, mass_property, overrides)


def _mass_properties(walk: Walk, mass_property: Any, overrides: tuple[bool, bool, bool]) -> MassProperties | None:
    axes = [number for axis in range(3) for number in mass_property.PrincipalAxesOfInertia(axis)]
    scalars = mass_property.Mass, mass_property.Volume, mass_property.SurfaceArea, mass_property.Density
    center, moments = mass_property.CenterOfMass, mass_property.PrincipalMomentsOfInertia
    tensor = mass_property.GetMomentOfInertia(ABOUT_CENTER)
    numbers = (*scalars, *center, *moments, *axes, *tensor)
    if len(walk.numbers(numbers, "mass properties", count=28)) != 28:
        return None
    return MassProperties(*scalars, center, moments, tuple(axes), tensor, *overrides)
