"""Single mates between a base and one component."""

from __future__ import annotations

from collections.abc import Mapping
from math import atan, cos, radians

from swgrm_addin.selftest.assemblies.common import (
    CYLINDRICAL,
    FIXED,
    FREE_SLIDER,
    FREE_SLIDES,
    PLANAR,
    PLATE,
    PLATE_TOP,
    SLIDER,
    TURNED,
    fixed,
    mate,
    pushed,
)
from swgrm_addin.selftest.entities import (
    AXIS,
    Conical,
    Corner,
    Entity,
    Flat,
    NamedFeature,
    Round,
    Spherical,
    Straight,
    X,
    Y,
    Z,
)
from swgrm_addin.selftest.specs import (
    AssemblySpec,
    At,
    ComponentSpec,
    Freedom,
    MateRecipe,
    MotionTrial,
    Picked,
    Position,
)

ROD = ComponentSpec("rod-1", At(-0.03, 0.0, 0.025, turn_y=90.0))
HALF = atan(0.015 / 0.03)  # [rad] of the cone
CONE = ComponentSpec("cone-1", At(0.0, 0.0, 0.02 + 0.015 * cos(HALF), turn_x=-HALF * 180 / 3.141592653589793))
PEG = ComponentSpec("peg-1", At(0.005, 0.0025, 0.01))
BASE_SLIDER, TOP_FACE = fixed("slider-1"), (Flat("slider-1", Z, 0.01), Flat("peg-1", Z, 0.0))
# A second peg in a hole, which is free to turn: the control
FREE_PEG = fixed("plate-1")._replace(pose=At(0.2)), ComponentSpec("peg-2", At(0.2, turn_z=TURNED))
FREE_PEG_TURNS = (
    mate("concentric", Round("plate-1", 0.01), Round("peg-2", 0.01)),
    mate("coincident", Flat("plate-1", Z, 0.0), Flat("peg-2", Z, 0.0)),
)
TURN_PEG = MotionTrial(
    mate("angle", Flat("slider-1", Y, 0.015), Flat("peg-1", Y, 0.012), Angle=0.0),
    mate("angle", Flat("plate-1", Y, 0.04), Flat("peg-2", Y, 0.012), Angle=0.0),
    "Angle", radians(20), At(turn_z=20.0),
)  # fmt: skip


def single(
    name: str, title: str, settles: str, part: ComponentSpec, only: MateRecipe, left: Freedom | None
) -> AssemblySpec:
    """A plate and one component with one mate."""
    truth = {part.name: left} if left else {}
    return AssemblySpec(name, title, settles, (PLATE, part), (only,), truth=truth)


def between_axes(name: str, title: str, kind: str, pose: At, left: Freedom) -> AssemblySpec:
    """Two rods, and a mate between their axes."""
    axes = NamedFeature("rod-1", AXIS), NamedFeature("rod-2", AXIS)
    parts = fixed("rod-1"), ComponentSpec("rod-2", pose)
    return AssemblySpec(name, title, "F16", parts, (mate(kind, *axes),), truth={"rod-2": left})


def width(name: str, title: str, left: Freedom, places: Mapping[str, float], **values: float) -> AssemblySpec:
    """A slider as the tab in a plate as the groove; `places`: where its origin may be along y [m]."""
    picked = (
        Picked("WidthSelection", (Flat("plate-1", Y, -0.04), Flat("plate-1", Y, 0.04))),
        Picked("TabSelection", (Flat("slider-1", Y, -0.01), Flat("slider-1", Y, 0.015))),
    )
    position = Position("slider-1", {text: (None, y, None) for text, y in places.items()})
    return AssemblySpec(
        f"A5.{name}", title, "U5", (PLATE, SLIDER._replace(pose=At(0.02, -0.0025, 0.03))),
        (MateRecipe("width", picked, tuple(values.items())),), truth={"slider-1": left},
        positions=(position,) if places else (),
    )  # fmt: skip


SLOT_SIDE, SLOT_END = Flat("slotplate-1", Y, 0.01), Round("slotplate-1", 0.01)


def slot(
    name: str, title: str, left: Freedom | None, places: Mapping[str, float],
    face: Entity = SLOT_SIDE, **values: float | bool,
) -> AssemblySpec:  # fmt: skip
    """A peg in a slot along x, which is given by one of its faces; `places`: where its origin may be along x [m]."""
    position = Position("peg-1", {text: (x, 0.0, None) for text, x in places.items()})
    return AssemblySpec(
        f"A5.{name}", title, "U5", (fixed("slotplate-1"), ComponentSpec("peg-1", At(0.005, 0.0, -0.005))),
        (mate("slot", face, Round("peg-1", 0.01), **values),), truth={"peg-1": left} if left else {},
        positions=(position,) if places else (),
    )  # fmt: skip


def profile(name: str, title: str, *, locked: bool) -> AssemblySpec:
    """A round face centred on a rectangular one."""
    return AssemblySpec(
        name, title, "F6", (BASE_SLIDER, PEG._replace(pose=At(0.005, 0.0025, 0.01, turn_z=TURNED)), *FREE_PEG),
        (*FREE_PEG_TURNS, mate("profile", *TOP_FACE, LockRotation=locked)), trials=(TURN_PEG,),
        truth={"peg-1": FIXED} if locked else {}, conventions=() if locked else ("profileCentre",),
    )  # fmt: skip


PLATE_EDGE = Straight("plate-1", (-0.05, -0.04, 0.02), (0.05, -0.04, 0.02))
SLIDER_EDGE = Straight("slider-1", (-0.01, -0.01, 0.0), (0.02, -0.01, 0.0))

SINGLE_MATES = (
    single(
        "A1.vertex-edge", "a vertex on an edge has four degrees of freedom", "U4", SLIDER,
        mate("coincident", PLATE_EDGE, Corner("slider-1", (-0.01, -0.01, 0.0))), Freedom(3, 4),
    ),
    single(
        "A1.edge-edge", "an edge on an edge leaves a cylindrical joint", "U4", SLIDER,
        mate("coincident", PLATE_EDGE, SLIDER_EDGE), CYLINDRICAL,
    ),
    single(
        "A2.parallel", "parallel faces leave one rotation and three translations", "F16", SLIDER,
        mate("parallel", PLATE_TOP, Flat("slider-1", Z, 0.0)), Freedom(1, 4),
    ),
    single(
        "A2.perpendicular", "perpendicular faces take one rotation away", "F16", SLIDER,
        mate("perpendicular", PLATE_TOP, Flat("slider-1", X, 0.02)), Freedom(2, 5),
    ),
    single(
        "A2.parallel-edge", "an edge parallel to a face has five degrees of freedom", "F16", SLIDER,
        mate("parallel", PLATE_TOP, SLIDER_EDGE), Freedom(2, 5),
    ),
    single(
        "A2.perpendicular-edge", "an edge perpendicular to a face has four degrees of freedom", "F16", SLIDER,
        mate("perpendicular", PLATE_TOP, Straight("slider-1", (0.02, 0.015, 0.0), (0.02, 0.015, 0.01))), Freedom(1, 4),
    ),
    between_axes(
        "A2.parallel-axes", "parallel axes leave four degrees of freedom", "parallel", At(0.05, 0.02, 0.01),
        Freedom(1, 4),
    ),
    between_axes(
        "A2.perpendicular-axes", "perpendicular axes leave five degrees of freedom", "perpendicular",
        At(0.05, 0.02, 0.01, turn_x=90.0), Freedom(2, 5),
    ),
    single(
        "A2.tangent-cylinder", "a cylinder tangent to a plane has four degrees of freedom", "F17", ROD,
        mate("tangent", PLATE_TOP, Round("rod-1", 0.005)), Freedom(2, 4),
    ),
    single(
        "A2.tangent-sphere", "a sphere tangent to a plane has five degrees of freedom", "F17",
        ComponentSpec("ball-1", At(0.0, 0.0, 0.035)), mate("tangent", PLATE_TOP, Spherical("ball-1")), Freedom(3, 5),
    ),
    single(
        "A2.tangent-cone", "a cone tangent to a plane has four degrees of freedom", "F17", CONE,
        mate("tangent", PLATE_TOP, Conical("cone-1")), Freedom(2, 4),
    ),
    width("width", "a width mate leaves planar motion", PLANAR, {"it is in the middle": -0.0025}, ConstraintType=0),
    width("width-free", "a width mate with the option Free only holds directions", Freedom(1, 4), {}, ConstraintType=1),
    width(
        "width-distance", "a width mate with a distance from an end", PLANAR,
        {"it is measured from the first face of the groove": -0.02, "from the second face": 0.015},
        ConstraintType=2, DistanceFromEnd=0.01,
    ),
    width(
        "width-percent", "a width mate with a share of the play", PLANAR,
        {"it is measured from the first face of the groove": -0.01625, "from the second face": 0.01125},
        ConstraintType=3, PercentDistanceFromEnd=25.0,
    ),
    slot("slot", "a pin in a slot rotates, and moves along and across it", PLANAR, {}, Constraint=0),
    slot("slot-end", "a pin in a slot that is given by its round end", None, {}, SLOT_END, Constraint=0),
    slot("slot-centred", "a pin in the middle of a slot", CYLINDRICAL, {"it is in the middle": 0.0}, Constraint=1),
    slot(
        "slot-distance", "a pin at a distance from the end of a slot", CYLINDRICAL,
        {"it is measured from the end at −x": -0.01, "from the end at +x": 0.01}, Constraint=2, Distance=0.01,
    ),
    slot(
        "slot-percent", "a pin at a share of a slot, from the other end", CYLINDRICAL,
        {"it is measured from the end at −x": -0.012, "from the end at +x": 0.012}, Constraint=3, Percent=20.0,
        FlipDirection=True,
    ),
    profile("A5.profile", "an unlocked profile centre mate of two faces", locked=False),
    profile("A5.profile-locked", "a profile centre mate with locked rotation leaves nothing", locked=True),
    AssemblySpec(
        "A5.profile-offset", "a profile centre mate with an offset", "U5", (BASE_SLIDER, PEG),
        (mate("profile", *TOP_FACE, LockRotation=True, OffsetDistance=0.01),), truth={"peg-1": FIXED},
        positions=(
            Position(
                "peg-1",
                {
                    "it goes along the normal of the first face": (0.005, 0.0025, 0.02),
                    "it goes against the normal of the first face": (0.005, 0.0025, 0.0),
                },
            ),
        ),
    ),
    AssemblySpec(
        "A5.lock", "a lock mate leaves nothing", "U5",
        (PLATE, ComponentSpec("slider-1", At(0.0, 0.01, 0.05)), FREE_SLIDER),
        (*FREE_SLIDES, mate("lock", PLATE_TOP, Flat("slider-1", Z, 0.0))), trials=(pushed(-0.01),),
        truth={"slider-1": FIXED},
    ),
    AssemblySpec(
        "A5.universal", "a universal joint mate", "U5",
        (PLATE, ComponentSpec("rod-1", At(0.0, 0.0, 0.02, turn_x=20.0))),
        (mate("universal", Round("plate-1", 0.01), Round("rod-1", 0.005)),), truth={"rod-1": Freedom(2, 2)},
    ),
    AssemblySpec(
        "A10.cam", "a cam follower mate: its interface and its entities", "U11",
        (fixed("wheel20-1"), ComponentSpec("peg-1", At(0.03, 0.0, 0.0))),
        (
            MateRecipe(
                "cam",
                (
                    Picked("EntitiesToMate", (Round("wheel20-1", 0.02),), 0, is_single=True),
                    Picked("EntitiesToMate", (Round("peg-1", 0.01),), 1, is_single=True),
                ),
            ),
        ),
        truth={"peg-1": PLANAR},
    ),
)  # fmt: skip
