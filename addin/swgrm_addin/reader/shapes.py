"""Reading mass and bodies: once per part and configuration, or per instance where instances differ."""

from __future__ import annotations

from typing import Any

from swgrm.capture import Face, MassProperties, PartBody, PartShape, document_groups, name_order, shape_groups
from swgrm.capture.index import DocumentKey
from swgrm.capture.records import BYTES_PER_TRIANGLE
from swgrm.swconst import swBodyType_e, swMassPropertyMoment_e
from swgrm_addin.reader.documents import asked, model_of
from swgrm_addin.reader.tree import Instance
from swgrm_addin.reader.walk import Walk, appearance

ABOUT_CENTER = int(swMassPropertyMoment_e.swMassPropertyMomentAboutCenterOfMass)
ALL_BODIES = int(swBodyType_e.swAllBodies)


def read_shapes(walk: Walk, extension: Any, instances: list[Instance]) -> list[PartShape]:
    """The shapes of all parts, and the mass of those sub-assemblies that override it."""
    records = [instance.record for instance in instances]
    weighed = _overriding(walk, extension, instances)
    overriding = {record.name for record in records if (record.path, record.configuration) in weighed}
    unique = asked(instances, shape_groups(records, overriding))
    shapes = list(weighed.values())
    for done, (key, instance) in enumerate(unique.items()):
        with walk.port.reading(f"the shape of {instance.record.name}"):
            if model_of(walk, instance) is not None:
                shapes.append(_shape_through(walk, extension, key, instance))
        walk.progress(0.6 + 0.4 * (done + 1) / len(unique), instance.record.name)
    return sorted(shapes, key=lambda shape: (shape.path, shape.configuration, name_order(shape.variant)))


def read_own_shape(walk: Walk, part: Any, key: DocumentKey) -> PartShape:
    """The shape of a part document that was opened by itself."""
    with walk.port.reading("the part's shape"):
        mass = part.Extension.CreateMassProperty2()
        bodies = walk.port.cast(part, "IPartDoc").GetBodies2(ALL_BODIES, False)
        return _shape(walk, (*key, ""), "", _mass(walk, mass, None), bodies)


def _overriding(walk: Walk, extension: Any, instances: list[Instance]) -> dict[DocumentKey, PartShape]:
    """The sub-assemblies whose mass somebody typed in, so that it is not the sum of their parts'."""
    found = {}
    assemblies = [instance.record for instance in instances if instance.record.is_assembly]
    for key, instance in asked(instances, document_groups(assemblies)).items():
        with walk.port.reading(f"the mass of {instance.record.name}"):
            weight = extension.CreateMassProperty2() if model_of(walk, instance) is not None else None
            mass = _mass(walk, weight, instance.proxy, only_if_overridden=True)
        if mass is not None:
            path, configuration = key
            found[key] = PartShape(path, configuration, through=instance.record.name, mass=mass)
    return found


def _shape_through(walk: Walk, extension: Any, key: DocumentKey, instance: Instance) -> PartShape:
    mass = _mass(walk, extension.CreateMassProperty2(), instance.proxy)
    bodies, _ = instance.proxy.GetBodies3(ALL_BODIES)
    return _shape(walk, key, instance.record.name, mass, bodies)


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


def _mass(walk: Walk, weight: Any, component: Any, *, only_if_overridden: bool = False) -> MassProperties | None:
    """IMassProperty2 of a component, or of its whole document; None where there is nothing to weigh."""
    if weight is None:
        return None
    weight.UseSystemUnits = True
    weight.IncludeHiddenBodiesOrComponents = True
    if component is not None:
        weight.SelectedItems = (component,)
    if not weight.Recalculate():
        return None
    options = weight.GetOverrideOptions()
    overrides = options.OverrideMass, options.OverrideCenterOfMass, options.OverrideMomentsOfInertia
    if only_if_overridden and not any(overrides):
        return None
    return _weighed(walk, weight, overrides)


def _weighed(walk: Walk, weight: Any, overrides: tuple[bool, bool, bool]) -> MassProperties | None:
    axes = [number for axis in range(3) for number in weight.PrincipalAxesOfInertia(axis)]
    scalars = weight.Mass, weight.Volume, weight.SurfaceArea, weight.Density
    center, moments = weight.CenterOfMass, weight.PrincipalMomentsOfInertia
    tensor = weight.GetMomentOfInertia(ABOUT_CENTER)
    numbers = (*scalars, *center, *moments, *axes, *tensor)
    if len(walk.numbers(numbers, "mass properties", count=28)) != 28:
        return None
    return MassProperties(*scalars, center, moments, tuple(axes), tensor, *overrides)
