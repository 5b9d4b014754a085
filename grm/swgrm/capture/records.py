"""The capture's records: what SolidWorks said, raw, in SI units, nothing turned or judged."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from swgrm.capture.matedata import AnyFeatureData
from swgrm.capture.record import Record

VERSION = 1  # of the file; raised when a reader of the old one would misunderstand the new one

Transform = Annotated[tuple[float, ...], msgspec.Meta(min_length=16, max_length=16)]
"""IMathTransform.ArrayData, for row vectors: p' = p·R·scale + t, [R row by row, t, scale, 0, 0, 0]."""
Appearance = Annotated[tuple[float, ...], msgspec.Meta(min_length=9, max_length=9)]
"""[red, green, blue, ambient, diffuse, specular, shininess, transparency, emission], each 0..1 by SolidWorks' word."""
Vector = Annotated[tuple[float, ...], msgspec.Meta(min_length=3, max_length=3)]
Tensor = Annotated[tuple[float, ...], msgspec.Meta(min_length=9, max_length=9)]
Box = Annotated[tuple[float, ...], msgspec.Meta(min_length=6, max_length=6)]
"""[x, y, z] of the lower corner, then of the upper one."""

BYTES_PER_TRIANGLE = 36  # nine 32-bit floats


class CaptureSource(Record, frozen=True):
    """The document that was read, and the SolidWorks that answered."""

    path: str  # "" if it was never saved
    title: str
    configuration: str
    type: int  # swDocumentTypes_e: 1 part, 2 assembly
    solidworks: str  # RevisionNumber, such as "34.3.0": 34 is 2026, 3 the service pack
    unit_system: int  # swUnitSystem_e of the document; every number here is SI whatever it says
    positive_inertia_notation: bool  # the document's swUsePositiveInertiaTensorNotation


class Component(Record, frozen=True):
    """One instance of a part or sub-assembly in the tree of the document that was read, at any depth."""

    name: str  # Name2: "Sub-2/Part-1" from the root
    path: str
    configuration: str
    id: int  # GetID: unique within the assembly that holds it
    persistent_id: bytes
    suppression: int  # swComponentSuppressionState_e, before anything was resolved for reading
    visible: int  # swComponentVisibilityState_e
    solving: int  # -1 for a part, else swComponentSolvingOption_e: 0 rigid, 1 flexible
    transform: Transform | None = None  # Transform2, relative to the root assembly; None where there is none
    envelope: bool = False
    virtual: bool = False
    pattern_instance: bool = False
    mirrored: bool = False
    assembly_features: bool = False  # features of an assembly cut this instance
    appearance: Appearance | None = None  # of this instance, overriding that of its document
    mates: tuple[str, ...] = ()  # names of the mate features that GetMates returned for it, sorted
    named_like_fastener: bool | None = None  # judged before its name was replaced; None: judge the name

    @property
    def is_assembly(self) -> bool:
        """Whether it is a sub-assembly."""
        return self.solving >= 0

    @property
    def parent(self) -> str:
        """The name of the sub-assembly instance that holds it, "" at the top."""
        return self.name.rpartition("/")[0]

    @property
    def leaf(self) -> str:
        """Its name within the assembly that holds it."""
        return self.name.rpartition("/")[2]


class Placement(Record, frozen=True):
    """A component where an assembly document has it by itself, which a flexible instance need not follow."""

    name: str  # from that document's root; below its top level only if one of its mates refers to it
    transform: Transform | None = None  # relative to that document
    fixed: bool = False


class CustomProperty(Record, frozen=True):
    """A custom property, of the document or of the configuration that was asked for."""

    name: str
    value: str  # as typed, may be an expression
    resolved: str
    type: int  # swCustomInfoType_e
    of_configuration: bool = False


class ReferenceGeometry(Record, frozen=True):
    """A coordinate system, plane, axis, point or origin, in the space of its document."""

    kind: Literal["coordinateSystem", "plane", "axis", "point", "origin"]
    name: str
    id: int
    persistent_id: bytes
    numbers: tuple[float, ...] = ()  # transform (16; a plane's z: its normal), axis ends (6), point (3)
    default: bool = False  # one of the planes that every new document has
    suppressed: bool = False


class MateEntity(Record, frozen=True):
    """One side of a mate, in the space of the assembly document that owns the mate."""

    type: int  # ReferenceType: swMateEntity2ReferenceType_e
    selection_type: int  # ReferenceType2: swSelectType_e
    component: str | None  # Name2 from that document's root; "": that assembly itself; None: not given
    params: tuple[float, ...] = ()  # EntityParams: point, direction, radius, second radius


class Mate(Record, frozen=True):
    """A mate, seen once, in the order of the assembly document's tree."""

    name: str
    feature_type: str  # GetTypeName2: "MateConcentric"
    id: int
    persistent_id: bytes
    type: int | None  # swMateType_e; None for an in-place mate, which has no type
    alignment: int = 2  # swMateAlign_e
    flipped: bool = False
    suppressed: bool = False
    error: int = 0  # swFeatureError_e; not 0: it failed, unless it is only a warning
    warning: bool = False
    entities: tuple[MateEntity, ...] = ()
    data: AnyFeatureData | None = None
    maximum_variation: float | None = None  # limit - current value; distance and angle mates only
    minimum_variation: float | None = None


class Document(Record, frozen=True):
    """A part or assembly file in one configuration, asked once however many instances use it."""

    path: str
    configuration: str
    type: int  # swDocumentTypes_e
    read_in: str  # the configuration it was in: its geometry and placements are those of this one
    toolbox: int = 0  # swToolBoxPartType_e
    material: str = ""
    material_database: str = ""
    appearance: Appearance | None = None
    properties: tuple[CustomProperty, ...] = ()
    geometry: tuple[ReferenceGeometry, ...] = ()  # in the order of its tree
    placements: tuple[Placement, ...] = ()  # sorted by name
    mates: tuple[Mate, ...] = ()


class MassProperties(Record, frozen=True):
    """IMassProperty2 of a shape, in the space of the root document (see PartShape.through)."""

    mass: float
    volume: float
    surface_area: float
    density: float
    center_of_mass: Vector
    principal_moments: Vector  # about the centre of mass
    principal_axes: Tensor  # three rows, the axes; maybe left-handed
    moments: Tensor  # GetMomentOfInertia about the centre of mass, rows; the sign of its products is disputed
    mass_overridden: bool = False
    center_of_mass_overridden: bool = False
    moments_overridden: bool = False


class Face(Record, frozen=True):
    """A face of a body: its own appearance and how many of its shape's triangles are its."""

    triangles: Annotated[int, msgspec.Meta(ge=0)]
    appearance: Appearance | None = None


class PartBody(Record, frozen=True):
    """A body of a part, in the space of the part."""

    name: str
    type: int  # swBodyType_e
    box: Box | None = None
    visible: bool = True
    material: str = ""
    material_database: str = ""
    appearance: Appearance | None = None
    faces: tuple[Face, ...] = ()


class PartShape(Record, frozen=True):
    """Mass and bodies, read once per part and configuration, or per instance where instances differ."""

    path: str
    configuration: str
    variant: str = ""  # the instance's name, if it is cut or weighed by an assembly for itself
    through: str = ""  # the instance that was asked, "": the document itself; its transform maps part to root
    mass: MassProperties | None = None  # None where SolidWorks had none
    bodies: tuple[PartBody, ...] = ()
    triangles: bytes = b""  # all faces' triangles in order, nine little-endian 32-bit floats each [m]


class Capture(Record, frozen=True):
    """Everything that was read. Components and documents are sorted; whatever order SolidWorks gave."""

    version: int
    source: CaptureSource
    components: tuple[Component, ...] = ()
    documents: tuple[Document, ...] = ()
    shapes: tuple[PartShape, ...] = ()
    anonymized: bool = False
