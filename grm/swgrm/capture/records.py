"""The records of the capture: the values that SolidWorks returned, in SI units, not converted or interpreted."""

from __future__ import annotations

import ntpath
from typing import Annotated, Literal

import msgspec

from swgrm.capture.matedata import AnyFeatureData
from swgrm.capture.record import Record

VERSION = 1  # of the file format; increased when readers of the old version would misread the new one

Transform = Annotated[tuple[float, ...], msgspec.Meta(min_length=16, max_length=16)]
"""IMathTransform.ArrayData, for row vectors: p' = p·R·scale + t, [R row by row, t, scale, 0, 0, 0]."""
Appearance = Annotated[tuple[float, ...], msgspec.Meta(min_length=9, max_length=9)]
"""[red, green, blue, ambient, diffuse, specular, shininess, transparency, emission], each 0..1."""
Vector = Annotated[tuple[float, ...], msgspec.Meta(min_length=3, max_length=3)]
Tensor = Annotated[tuple[float, ...], msgspec.Meta(min_length=9, max_length=9)]
Box = Annotated[tuple[float, ...], msgspec.Meta(min_length=6, max_length=6)]
"""[x, y, z] of the lower corner, then of the upper one."""

BYTES_PER_TRIANGLE = 36  # nine 32-bit floats


class CaptureSource(Record, frozen=True):
    """The document that was read, and the SolidWorks version that read it."""

    path: str  # "" if it was never saved
    title: str
    configuration: str
    type: int  # swDocumentTypes_e: 1 part, 2 assembly
    solidworks: str  # RevisionNumber, such as "34.3.0": 34 is 2026, 3 the service pack
    unit_system: int  # swUnitSystem_e of the document; all numbers of the capture are SI regardless
    positive_inertia_notation: bool  # the document's swUsePositiveInertiaTensorNotation

    @property
    def name(self) -> str:
        """The name of the document without its extension, which a title may lack; "" if it has none."""
        name = ntpath.basename(self.path or self.title)
        stem, extension = ntpath.splitext(name)
        return stem if extension.lower() in (".sldasm", ".sldprt") else name


class Component(Record, frozen=True):
    """One component of the document that was read, at any depth: an occurrence of a part or sub-assembly."""

    name: str  # Name2: "Sub-2/Part-1" from the root
    path: str
    configuration: str
    id: int  # GetID: unique within its parent assembly
    persistent_id: bytes
    suppression: int  # swComponentSuppressionState_e, before anything was resolved for reading
    visible: int  # swComponentVisibilityState_e
    solving: int  # -1 for a part, else swComponentSolvingOption_e: 0 rigid, 1 flexible
    transform: Transform | None = None  # Transform2, relative to the root assembly; None if it has none
    envelope: bool = False
    virtual: bool = False
    pattern_instance: bool = False
    mirrored: bool = False
    assembly_features: bool = False  # assembly features cut this component
    appearance: Appearance | None = None  # of this component; overrides that of its document
    mates: tuple[str, ...] = ()  # names of its mates, as the features of the tree have them, sorted
    speed_pak: bool = False  # of a sub-assembly: only a part of its faces is loaded
    named_like_fastener: bool | None = None  # determined before its name was replaced; None: determine it from the name
    name_hint: str | None = None  # `fixing`, `pivot`, `element`, `moving`, `base` or nothing; None: as above

    @property
    def is_assembly(self) -> bool:
        """Whether the component is a sub-assembly."""
        return self.solving >= 0

    @property
    def parent(self) -> str:
        """The name of its parent component; "" at the top level."""
        return self.name.rpartition("/")[0]

    @property
    def leaf(self) -> str:
        """Its name within its parent assembly."""
        return self.name.rpartition("/")[2]


class Placement(Record, frozen=True):
    """The pose of a component in its own assembly document; a flexible sub-assembly may place it differently."""

    name: str  # from that document's root; below its top level only if one of its mates refers to it
    transform: Transform | None = None  # relative to that document
    fixed: bool = False


class CustomProperty(Record, frozen=True):
    """A custom property of a document or of its configuration."""

    name: str
    value: str  # as typed, may be an expression
    resolved: str
    type: int  # swCustomInfoType_e
    of_configuration: bool = False


class ReferenceGeometry(Record, frozen=True):
    """A coordinate system, plane, axis, point or origin, in the coordinates of its document."""

    kind: Literal["coordinateSystem", "plane", "axis", "point", "origin"]
    name: str
    id: int
    persistent_id: bytes
    numbers: tuple[float, ...] = ()  # transform (16; a plane's z: its normal), axis ends (6), point (3)
    default: bool = False  # one of the planes that every new document has
    suppressed: bool = False


class EntityGeometry(Record, frozen=True):
    """The curve or surface that a mate's entity refers to, in the coordinates of the document of its component."""

    identity: int  # ICurve.Identity or ISurface.Identity: swCurveTypes_e, swSurfaceTypes_e; 0: neither, or a point
    numbers: tuple[float, ...] = ()  # LineParams, CircleParams, PlaneParams, CylinderParams, ConeParams, SphereParams


class MateEntity(Record, frozen=True):
    """One entity of a mate, in the coordinates of the assembly document that contains the mate."""

    type: int  # ReferenceType: swMateEntity2ReferenceType_e
    selection_type: int  # ReferenceType2: swSelectType_e
    component: str | None  # Name2 from that document's root; "": the assembly itself; None: SolidWorks returned none
    params: tuple[float, ...] = ()  # EntityParams: point, direction, radius (a cone: half-angle), second radius
    geometry: EntityGeometry | None = None  # of its Reference, read where `params` describe nothing; None: not read
    lost: bool = False  # it has `params`, which SolidWorks keeps, but no Reference


class Mate(Record, frozen=True):
    """A mate of an assembly document."""

    name: str
    feature_type: str  # GetTypeName2: "MateConcentric"
    id: int
    persistent_id: bytes
    type: int | None  # swMateType_e; None for an in-place mate, which has no type
    alignment: int = 2  # swMateAlign_e
    flipped: bool = False
    suppressed: bool = False
    error: int = 0  # swFeatureError_e; a failed mate unless 0 or `warning`
    warning: bool = False
    entities: tuple[MateEntity, ...] = ()
    data: AnyFeatureData | None = None
    maximum_variation: float | None = None  # limit - current value; distance and angle mates only
    minimum_variation: float | None = None
    references: tuple[str, ...] = ()  # of a linear coupler: what each side moves relative to; "": the assembly itself
    folder: str = ""  # the mate folder that it is in, with those around it: "joints/left"


class MirrorFeature(Record, frozen=True):
    """A mirror component feature of an assembly document: which components it mirrors, and in which plane.

    SolidWorks does not report which components are the images.
    """

    name: str
    id: int
    persistent_id: bytes
    suppressed: bool = False
    plane: tuple[float, ...] = ()  # IRefPlane.Transform of its plane (16; z: its normal); empty for a face, or not read
    copied: tuple[
        str, ...
    ] = ()  # components whose images are instances of the same part, Name2 from the document's root
    opposite_hand: tuple[str, ...] = ()  # components whose images are parts of the opposite hand


class ComponentPattern(Record, frozen=True):
    """A component pattern of an assembly document: the components that it repeats, and the instances that it makes."""

    name: str
    feature_type: str  # GetTypeName2: "LocalLPattern", "DerivedCirPattern"
    id: int
    persistent_id: bytes
    suppressed: bool = False
    seeds: tuple[str, ...] = ()  # Name2 from the document's root
    instances: tuple[str, ...] = ()  # Name2, in the order of the tree under the feature
    transforms: tuple[Transform, ...] = ()  # GetTransform of each place but that of the seeds, if these are several
    skipped: tuple[int, ...] = ()  # places without instances


class SavedConfiguration(Record, frozen=True):
    """The configuration that the classic URDF exporter saved in an assembly, as an attribute feature."""

    name: str  # of the attribute: "URDF Export Configuration (v1.4)"
    data: str  # its parameter `data`: XML
    version: float = 0.0  # its parameter `exporterVersion`


class Document(Record, frozen=True):
    """A part or assembly document in one configuration, read once for all its components."""

    path: str
    configuration: str
    type: int  # swDocumentTypes_e
    read_in: str  # the configuration that was active while it was read: geometry and placements are of this one
    toolbox: int = 0  # swToolBoxPartType_e
    material: str = ""
    material_database: str = ""
    appearance: Appearance | None = None
    properties: tuple[CustomProperty, ...] = ()
    geometry: tuple[ReferenceGeometry, ...] = ()  # in the order of its tree
    placements: tuple[Placement, ...] = ()  # sorted by name
    mates: tuple[Mate, ...] = ()
    linear_unit: int = 0  # swLengthUnit_e of an assembly, 0 millimetres; screw mates count revolutions per this unit
    mirrors: tuple[MirrorFeature, ...] = ()  # in the order of its tree
    saved_configurations: tuple[SavedConfiguration, ...] = ()  # of other exporters, in the order of its tree
    mirror_of: str = ""  # the file of the part whose mirror image it is: its geometry, without material and overrides
    patterns: tuple[ComponentPattern, ...] = ()  # in the order of its tree


class MassProperties(Record, frozen=True):
    """IMassProperty2 of a shape, in the coordinates of the root document (see PartShape.through).

    None: SolidWorks did not return it. The overrides are not known, either, of a part in another configuration than the
    active one of its document, because SolidWorks reports those of the active one.
    """

    mass: float
    volume: float | None
    surface_area: float | None
    density: float | None
    center_of_mass: Vector
    principal_moments: Vector | None  # about the centre of mass
    principal_axes: Tensor | None  # three rows, the axes; may be left-handed
    moments: Tensor | None  # GetMomentOfInertia about the centre of mass, by rows; the sign of products is uncertain
    mass_overridden: bool | None = False
    center_of_mass_overridden: bool | None = False
    moments_overridden: bool | None = False


class Face(Record, frozen=True):
    """A face of a body: its appearance, that of the feature that made it, and its number of triangles."""

    triangles: Annotated[int, msgspec.Meta(ge=0)]
    appearance: Appearance | None = None
    feature_appearance: Appearance | None = None  # read where the face has none of its own


class PartBody(Record, frozen=True):
    """A body of a part, in the coordinates of the part."""

    name: str
    type: int  # swBodyType_e
    box: Box | None = None
    visible: bool = True
    material: str = ""
    material_database: str = ""
    appearance: Appearance | None = None
    faces: tuple[Face, ...] = ()


class PartShape(Record, frozen=True):
    """Mass and bodies, read once per part and configuration, or per component where components differ."""

    path: str
    configuration: str
    variant: str = ""  # the component's name, if an assembly feature cuts it or a mass override includes it
    through: str = ""  # the component that was read, "": the document itself; its transform maps part to root
    mass: MassProperties | None = None  # None if SolidWorks returned none
    bodies: tuple[PartBody, ...] = ()
    triangles: bytes = (
        b""  # all faces' triangles in order, nine little-endian 32-bit floats each [m], or a view of them
    )
    legacy_mass: MassProperties | None = None  # IMassProperty of the part's document, in the coordinates of the part

    def __reduce__(self) -> tuple[type[PartShape], tuple[object, ...]]:
        """For pickle and copy: the values, with the triangles as bytes, because a view cannot be passed on."""
        values = {name: getattr(self, name) for name in self.__struct_fields__} | {"triangles": bytes(self.triangles)}
        return PartShape, tuple(values.values())


class CallFailure(Record, frozen=True):
    """Calls to SolidWorks that failed while reading, so that something was left out or a default was used."""

    member: str  # of the slice, such as "IMate2.Alignment", or "QueryInterface(IMate2)"
    object: str  # what was being read, such as "mate Coincident5"
    problem: str  # the HRESULT, or what was returned instead
    count: int = 1


class Capture(Record, frozen=True):
    """Everything that was read. Components, documents and shapes are sorted, so that the order is reproducible."""

    version: int
    source: CaptureSource
    components: tuple[Component, ...] = ()
    documents: tuple[Document, ...] = ()
    shapes: tuple[PartShape, ...] = ()
    anonymized: bool = False
    failures: tuple[CallFailure, ...] = ()  # sorted; empty if every call succeeded
