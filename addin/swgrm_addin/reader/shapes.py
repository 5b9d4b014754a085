"""Reads mass and bodies: once per part and configuration, or per component where components differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from swgrm.capture import (
    Component,
    Document,
    Face,
    MassProperties,
    PartBody,
    PartShape,
    document_groups,
    name_order,
    shape_groups,
)
from swgrm.capture.index import DocumentKey
from swgrm.capture.records import BYTES_PER_TRIANGLE
from swgrm.errors import CallError
from swgrm.solidworks.swconst_calls import swBodyType_e, swInConfigurationOpts_e
from swgrm_addin.reader.documents import components_by_key, material_of, model_of
from swgrm_addin.reader.mass import MassReader, is_empty, solid_bodies
from swgrm_addin.reader.tessellation import tessellated
from swgrm_addin.reader.tree import ReadComponent
from swgrm_addin.reader.walk import Walk, active_configuration, appearance

ALL_BODIES, SOLID = int(swBodyType_e.swAllBodies), int(swBodyType_e.swSolidBody)
SPECIFIED = int(swInConfigurationOpts_e.swSpecifyConfiguration)
NO_MASS = "it has no mass from SolidWorks"
NO_BODIES = "its bodies are left out"
NO_TRIANGLES = "the triangles of some of its faces are left out"
NO_LEGACY = "its mass is not read in a second way"


def read_shapes(
    walk: Walk, document: Any, components: list[ReadComponent], documents: Sequence[Document], *, reuses_object: bool
) -> list[PartShape]:
    """Read the shapes of all parts, and the masses of sub-assemblies whose mass is overridden.

    `documents` are those of the components, in the configuration in which each of them is active; `reuses_object`: see
    `MassReader`.
    """
    masses = MassReader(walk, document, reuses_object=reuses_object)
    inactive = {(each.path, each.configuration) for each in documents if each.read_in != each.configuration}
    records = [component.record for component in components]
    overridden = _overridden_shapes(walk, masses, components)
    overridden_names = {record.name for record in records if (record.path, record.configuration) in overridden}
    unique = components_by_key(components, shape_groups(records, overridden_names))
    shapes = list(overridden.values())
    for done, (key, component) in enumerate(unique.items()):
        with walk.item(f"the shape of {component.record.name}"):
            model = model_of(walk, component)
            is_active = key[:2] not in inactive
            shape = _shape_through(walk, masses, key, component, model, is_active=is_active)
            if model is not None or shape.mass is not None or shape.bodies:
                shapes.append(shape)
        walk.progress(0.6 + 0.4 * (done + 1) / len(unique), component.record.name)
    return sorted(shapes, key=lambda shape: (shape.path, shape.configuration, name_order(shape.variant)))


def read_own_shape(walk: Walk, part: Any, key: DocumentKey) -> PartShape:
    """Read the shape of a part document that is not in an assembly."""
    with walk.port.reading("the part's shape"):
        masses = MassReader(walk, part)
        mass = walk.attempt(lambda: masses.of(*solid_bodies(walk, part)), None, NO_MASS)
        bodies = walk.attempt(lambda: walk.port.cast(part, "IPartDoc").GetBodies2(ALL_BODIES, False), (), NO_BODIES)
        shape = _checked(walk, _shape(walk, (*key, ""), "", mass, bodies))
        return replace(shape, legacy_mass=walk.attempt(lambda: masses.legacy(part), None, NO_LEGACY))


def _overridden_shapes(walk: Walk, masses: MassReader, components: list[ReadComponent]) -> dict[DocumentKey, PartShape]:
    """The shapes of the sub-assemblies whose mass is overridden, so that it is not the sum of their parts."""
    found = {}
    assemblies = [component.record for component in components if component.record.is_assembly]
    for key, component in components_by_key(components, document_groups(assemblies)).items():
        mass = None
        with walk.item(f"the mass of {component.record.name}", "it is taken as the sum of its parts"):
            if model_of(walk, component) is not None:
                mass = masses.of(component.proxy, only_if_overridden=True)
        if mass is not None:
            path, configuration = key
            found[key] = PartShape(path, configuration, through=component.record.name, mass=mass)
    return found


def _shape_through(
    walk: Walk, masses: MassReader, key: DocumentKey, component: ReadComponent, model: Any, *, is_active: bool
) -> PartShape:
    """The shape of a component; `is_active`: in the configuration that is active in the part's document."""
    mass = walk.attempt(lambda: masses.of(component.proxy, knows_overrides=is_active), None, NO_MASS)
    bodies, _ = walk.attempt(lambda: component.proxy.GetBodies3(ALL_BODIES), ((), ()), NO_BODIES)
    if mass is not None and mass.volume and not bodies:
        walk.not_read(CallError("", "IComponent2.GetBodies3", "no bodies were returned"), NO_BODIES)
    shape = _checked(walk, _shape(walk, key, component.record.name, mass, bodies))
    if not is_active or not _needs_legacy(walk, shape, component.record, model):
        return shape
    return replace(shape, legacy_mass=walk.attempt(lambda: masses.legacy(model), None, NO_LEGACY))


def _checked(walk: Walk, shape: PartShape) -> PartShape:
    """The shape; without the mass, and with a finding, if SolidWorks calculated nothing for its solid bodies."""
    if shape.mass is None or not is_empty(shape.mass) or not _is_solid(shape):
        return shape
    walk.findings.add("mass-not-calculated", walk.port.subject, mass=shape.mass.mass)
    return replace(shape, mass=None)


def _is_solid(shape: PartShape) -> bool:
    return any(body.type == SOLID for body in shape.bodies)


def _needs_legacy(walk: Walk, shape: PartShape, record: Component, model: Any) -> bool:
    """Whether the mass of a part is read by the older interface, too: it is missing, or its moments are overridden.

    The older interface returns that of the part's document, in the configuration that is active there.
    """
    is_doubtful = _is_solid(shape) if shape.mass is None else shape.mass.moments_overridden is not False
    if model is None or not is_doubtful or record.assembly_features:
        return False
    return walk.attempt(lambda: bool(active_configuration(model).Name == record.configuration), False, NO_LEGACY)


def _shape(
    walk: Walk, key: DocumentKey, through: str, mass: MassProperties | None, bodies: tuple[Any, ...]
) -> PartShape:
    path, configuration, variant = key
    triangles: list[bytes] = []
    read: list[PartBody] = []
    looks = _FaceLooks(configuration)
    for body in bodies:
        own: list[bytes] = []
        with walk.item(walk.port.subject, "one of its bodies is left out"):
            read.append(_body(walk, body, looks, own))
            triangles += own
    return PartShape(path, configuration, variant, through, mass, tuple(read), walk.keep(key, triangles))


class _FaceLooks:
    """Reads the appearances of faces, and of the features that made them: once for each feature of a part."""

    def __init__(self, configuration: str) -> None:
        self.configuration = configuration
        self._by_feature: dict[int, tuple[float, ...] | None] = {}

    def face(self, face: Any, triangles: bytes) -> Face:
        """The face, with the appearance of its feature if it has none of its own."""
        count, painted = len(triangles) // BYTES_PER_TRIANGLE, appearance(face.MaterialPropertyValues)
        return Face(count, painted, self._of_feature(face) if painted is None else None)

    def _of_feature(self, face: Any) -> tuple[float, ...] | None:
        number: int = face.GetFeatureId()
        if not number:  # SolidWorks does not number it, so that it cannot be recognised at another face
            return self._read(face)
        if number not in self._by_feature:
            self._by_feature[number] = self._read(face)
        return self._by_feature[number]

    def _read(self, face: Any) -> tuple[float, ...] | None:
        feature = face.GetFeature()
        if feature is None:
            return None
        # "" names the only configuration where SolidWorks wants that.
        values = feature.GetMaterialPropertyValues2(SPECIFIED, (self.configuration,))
        return appearance(values or feature.GetMaterialPropertyValues2(SPECIFIED, ("",)))


def _body(walk: Walk, body: Any, looks: _FaceLooks, triangles: list[bytes]) -> PartBody:
    name, faces = body.Name, body.GetFaces()
    kind = walk.attempt(lambda: body.GetType(), SOLID, "one of its bodies is taken as a solid")
    material, database = material_of(body.GetMaterialPropertyName, looks.configuration)
    triangles += _triangles(walk, body, faces, name, is_solid=kind == SOLID)
    return PartBody(
        name=name,
        type=kind,
        box=body.GetBodyBox() or None,
        visible=body.Visible,
        material=material,
        material_database=database,
        appearance=appearance(body.MaterialPropertyValues2),
        faces=tuple(map(looks.face, faces, triangles)),
    )


def _triangles(walk: Walk, body: Any, faces: tuple[Any, ...], name: str, *, is_solid: bool) -> list[bytes]:
    """The triangles of each face: those of the display; a new tessellation if it is wanted, or some are missing."""
    made: list[bytes] = []
    if walk.tolerance and is_solid:
        made = walk.attempt(lambda: tessellated(body, faces, walk.tolerance), [], "its display triangles are used")
    if not any(made):
        made = _displayed(walk, body, faces, is_solid=is_solid)
    if is_solid and not any(made):
        walk.findings.add("body-without-triangles", walk.port.subject, body=name)
    return made


def _displayed(walk: Walk, body: Any, faces: tuple[Any, ...], *, is_solid: bool) -> list[bytes]:
    """The triangles that SolidWorks displays; if those of a face of a solid are missing, a new tessellation."""
    made: list[bytes] = []
    problem: CallError | None = None
    for face in faces:
        try:
            made.append(face.GetTessTriangles(True))
        except CallError as error:
            made.append(b"")
            problem = error
    if is_solid and not all(made):
        anew = walk.attempt(lambda: tessellated(body, faces, 0.0), made, "one of its bodies lacks triangles")
        if made.count(b"") > anew.count(b""):
            made = anew
            if problem is not None:
                walk.port.note_default(problem)
                problem = None
    if problem is not None:
        walk.not_read(problem, NO_TRIANGLES)
    return made
