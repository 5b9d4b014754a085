"""A capture with a value for every member of the API slice."""

from __future__ import annotations

import math
from array import array
from typing import Any, get_type_hints

from msgspec.structs import replace

from swgrm.capture import (
    FEATURE_DATA,
    VERSION,
    AnyFeatureData,
    Capture,
    CaptureSource,
    Component,
    ComponentPattern,
    CustomProperty,
    Document,
    EntityGeometry,
    Face,
    MassProperties,
    Mate,
    MateEntity,
    MirrorFeature,
    PartBody,
    PartShape,
    Placement,
    ReferenceGeometry,
    SavedConfiguration,
)
from swgrm_addin.reader.features import VARYING
from swgrm_addin.reader.patterns import PATTERNS

ASSEMBLY, PART = "C:\\robots\\äußerst ‘every’ ロボット.SLDASM", "C:\\robots\\part.SLDPRT"
IDENTITY = tuple(map(float, (1, 0, 0, 0, 1, 0, 0, 0, 1)))
TURNED = tuple(map(float, (0, 1, 0, -1, 0, 0, 0, 0, 1, 0.1, -0.2, math.pi, 1, 0, 0, 0)))
RED = (1.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.25, 0.0, 0.0)
BLUE = (0.0, 0.0, 1.0, 0.5, 0.5, 0.5, 0.25, 0.0, 0.0)
TRIANGLES = array("f", [number / 7 for number in range(27)]).tobytes()
LEGACY = MassProperties(2.5, 1e-3, 0.06, 2500.0, (0.1, 0.0, 0.3), (0.01, 0.02, 0.04), IDENTITY, IDENTITY, True)
SAMPLES: dict[type, Any] = {bool: True, int: 1, float: 1 / 3}


def feature_data() -> dict[int, AnyFeatureData]:
    """Feature data for every mate type that has any, by swMateType_e."""
    hints = {number: get_type_hints(kind) for number, kind in FEATURE_DATA.items()}
    return {
        number: kind(**{n: SAMPLES[hint] for n, hint in hints[number].items()}) for number, kind in FEATURE_DATA.items()
    }


def mates() -> tuple[Mate, ...]:
    """A mate with each kind of feature data, and a failed, a suppressed and an in-place mate."""
    sides = (
        MateEntity(4, 2, "part-1", (0.0, 0.1, 0.2, 0.0, 0.0, 1.0, 0.01)),
        MateEntity(3, 4, "", (0.0,) * 5 + (1.0,)),
    )
    defined = []
    for number, data in feature_data().items():
        name, kind = f"Mate{number}", f"Mate{type(data).__name__}"
        mate = Mate(name, kind, 100 + number, bytes([number]), int(number), 0, True, entities=sides, data=data)
        defined.append(replace(mate, maximum_variation=0.5, minimum_variation=-0.25) if number in VARYING else mate)
    corner = MateEntity(0, 3, "part-1", (0.1, 0.2, 0.3))
    pointed = Mate("Pointed", "MateCoincident", 210, b"corner", 0, entities=(corner, sides[1]))
    failed = Mate("Failed", "MateCoincident", 200, b"\0\xff", 0, error=46, entities=sides)
    suppressed = Mate("Off", "MateCoincident", 201, b"off", 0, suppressed=True, entities=(sides[0],))
    paths = [Mate(f"Path{n}", "MatePath", 203 + n, b"path", 15, entities=(e,)) for n, e in enumerate(referring())]
    in_place = Mate("InPlace1", "MateInPlace", 202, b"in", None, entities=(MateEntity(13, 2, "part-2", ()),))
    return (*defined, pointed, failed, suppressed, *paths, in_place)


def referring() -> tuple[MateEntity, ...]:
    """Entities of which only the curve or surface is known: edges, faces and segments of sketches."""
    numbers = {3001: 6, 3002: 7, 3005: 0, 4001: 6, 4002: 7, 4003: 8, 4004: 4}
    known = [EntityGeometry(identity, tuple(map(float, range(count)))) for identity, count in numbers.items()]
    edges = [MateEntity(13, 1 if n else 0, "part-1", (0.0,) * 8, each) for n, each in enumerate(known[:3])]
    faces = [MateEntity(13, 2, "part-1", (0.0,) * 8, each) for each in known[3:]]
    return (*edges, *faces, MateEntity(13, 1, "part-1", (0.0,) * 8, EntityGeometry(0)))


def patterns() -> tuple[ComponentPattern, ...]:
    """A component pattern of every kind; SolidWorks returns no transforms of a chain."""
    names = ("part-1", "part-2")
    kinds = [kind for kind in PATTERNS if kind != "LocalChainPattern"]
    common = [
        ComponentPattern(f"{kind} ä", kind, 40 + n, b"p", False, names, names, (TURNED,), (2, 4))
        for n, kind in enumerate(kinds)
    ]
    chain = ComponentPattern("Chain", "LocalChainPattern", 60, b"c", seeds=names, instances=names)
    return (*common, chain, ComponentPattern("Off", "LocalLPattern", 61, b"o", suppressed=True))


def geometry() -> tuple[ReferenceGeometry, ...]:
    """Reference geometry of every kind."""
    numbers = {
        "plane": TURNED,
        "axis": (0.0, 0.0, 0.0, 0.0, 0.0, 1.0),
        "point": (1.0, 2.0, 3.0),
        "coordinateSystem": TURNED,
    }
    made = [ReferenceGeometry(kind, f"{kind} ä", 10 + n, b"p", numbers[kind]) for n, kind in enumerate(numbers)]  # type: ignore[arg-type]
    return (ReferenceGeometry("origin", "Origin", 20, b"o", default=True), *made)


def full_capture() -> Capture:
    """The capture of an assembly with two components of one part."""
    mass = replace(LEGACY, center_of_mass=(0.1, 0.2, 0.3), moments_overridden=True)
    body = PartBody(
        "Boss-Extrude1",
        0,
        (0.0, 0.0, 0.0, 1.0, 1.0, 1.0),
        True,
        "Steel",
        "db.sldmat",
        RED,
        (Face(2, RED), Face(0), Face(1, None, BLUE), Face(0, None, BLUE)),
    )
    properties = (
        CustomProperty("Ω", "1+1", "2", 30),
        CustomProperty("finish", "raw", "raw", 30, of_configuration=True),
    )
    names = tuple(sorted(mate.name for mate in mates()))
    parts = tuple(
        Component(f"part-{n}", PART, "Default", n, b"\x01\x02", 2, 1, -1, TURNED, appearance=RED, mates=names)
        for n in (1, 2)
    )
    documents = (
        Document(
            PART, "Default", 1, "Default", 1, "Steel", "db.sldmat", RED, properties, geometry(),
            mirror_of="C:\\Robots\\other hand ä.SLDPRT",
        ),
        Document(
            ASSEMBLY, "Default", 2, "Default", properties=properties, geometry=geometry(), mates=mates(),
            placements=(Placement("part-1", TURNED, True), Placement("part-2", TURNED)),
            mirrors=(MirrorFeature("Mirror ä", 30, b"m", False, TURNED, ("part-1",), ("part-2",)),),
            patterns=patterns(),
            saved_configurations=(
                SavedConfiguration("URDF Export Configuration", '<SerialNode note="ä &lt;"/>', 1.0),
                SavedConfiguration("URDF Export Configuration (v1.4)", "<Link/>", 1.4),
            ),
        ),
    )  # fmt: skip
    shape = PartShape(PART, "Default", "", "part-1", mass, (body,), TRIANGLES, LEGACY)
    source = CaptureSource(ASSEMBLY, "every", "Default", 2, "33.1.0", 4, True)
    return Capture(VERSION, source, parts, documents, (shape,))
