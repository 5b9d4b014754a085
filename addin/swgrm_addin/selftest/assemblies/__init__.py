"""The assemblies of the self-test: mates whose motion is known, or which distinguish two conventions."""

from __future__ import annotations

from math import atan, cos, radians

from swgrm_addin.selftest.entities import (
    AXIS,
    ORIGIN,
    RIGHT,
    SYSTEM,
    TOP,
    Conical,
    Entity,
    Flat,
    NamedFeature,
    Plane,
    Round,
    Spherical,
    X,
    Y,
    Z,
)
from swgrm_addin.selftest.specs import (
    INCH,
    AssemblySpec,
    At,
    ComponentSpec,
    Drive,
    Freedom,
    MateRecipe,
    Nudge,
    Picked,
    Unbuildable,
)

FIXED, REVOLUTE, PRISMATIC, BALL = Freedom(0, 0), Freedom(1, 1), Freedom(0, 1), Freedom(3, 3)
TURNED = 30.0  # [deg] the initial angle of what is driven: at 0 an angle mate has no side


def mate(kind: str, *entities: Entity, **values: float | bool) -> MateRecipe:
    """A mate of entities, with values of its data."""
    return MateRecipe(kind, (Picked("EntitiesToMate", entities),), tuple(values.items()))


def fixed(name: str) -> ComponentSpec:
    """The base of an assembly."""
    return ComponentSpec(name, fixed=True)


# ------------------------------------------------------------------ hinges: a lever in the hole of a plate

PLATE, LEVER = fixed("plate-1"), ComponentSpec("lever-1", At(turn_z=TURNED))
IN_HOLE = mate("concentric", Round("plate-1", 0.01), Round("lever-1", 0.01))
ON_BOTTOM = mate("coincident", Flat("plate-1", Z, 0.0), Flat("lever-1", Z, 0.0))
SIDES = Flat("plate-1", Y, 0.04), Flat("lever-1", Y, 0.012)
TURN_LEVER = Drive(mate("angle", *SIDES, Angle=radians(TURNED)), "Angle", (radians(45), radians(20)))


def angle_limit(at: float, low: float, high: float, *, flip: bool) -> MateRecipe:
    """A limit angle between the sides of plate and lever [deg]."""
    bounds = {"MaximumAngle": radians(high), "MinimumAngle": radians(low)}
    return mate("angle", *SIDES, IsAdvancedMate=True, Angle=radians(at), **bounds, FlipDimension=flip)


def limited_hinge(name: str, title: str, at: float, low: float, high: float, *, flip: bool) -> AssemblySpec:
    """A hinge with a limit angle [deg], driven by the limit mate itself."""
    inside = (low + high) / 2
    return AssemblySpec(
        f"A3.{name}", title, "U3", (PLATE, LEVER._replace(pose=At(turn_z=at))),
        (IN_HOLE, ON_BOTTOM, angle_limit(at, low, high, flip=flip)),
        (Drive(None, "Angle", (radians(inside), radians(high))),),
        truth={"lever-1": REVOLUTE}, limits={"lever-1": (radians(low - at), radians(high - at))} if at else {},
        conventions=("limitFlip",) if flip and at == 0 else (),
    )  # fmt: skip


SLIDER, FREE = (
    ComponentSpec("slider-1", At(0.03, 0.01, 0.05)),
    ComponentSpec("slider-2", At(0.2, 0.2, 0.2)),
)
AWAY = At(0.01, 0.005, 0.008)

HINGES = (
    AssemblySpec(
        "A1.hinge", "concentric and coincident mates leave a revolute joint", "U4", (PLATE, LEVER),
        (IN_HOLE, ON_BOTTOM), (TURN_LEVER,), truth={"lever-1": REVOLUTE},
    ),
    AssemblySpec(
        "A1.locked", "a concentric mate with locked rotation and a coincident one leave nothing", "U4", (PLATE, LEVER),
        (mate("concentric", Round("plate-1", 0.01), Round("lever-1", 0.01), LockRotation=True), ON_BOTTOM),
        truth={"lever-1": FIXED},
    ),
    AssemblySpec(
        "A1.origins", "the coincident mate of two origins leaves a ball joint", "F5", (PLATE, SLIDER),
        (mate("coincident", NamedFeature("plate-1", ORIGIN), NamedFeature("slider-1", ORIGIN)),),
        truth={"slider-1": BALL},
    ),
    AssemblySpec(
        "A1.systems", "the mate of two coordinate systems with aligned axes, on a slider", "F5",
        (PLATE, ComponentSpec("slider-1", At(0.0, 0.0, 0.02)), FREE),
        (
            mate("coincident", Flat("plate-1", Z, 0.02), Flat("slider-1", Z, 0.0)),
            mate("coincident", Plane("plate-1", TOP), Plane("slider-1", TOP)),
            mate("coordinate", NamedFeature("plate-1", SYSTEM), NamedFeature("slider-1", SYSTEM)),
        ),
        nudges=(Nudge("slider-1", At(0.01), "slider-2"),), conventions=("coordinateMate",),
    ),
    limited_hinge("angle", "a limit angle at 30°", 30, 10, 60, flip=False),
    limited_hinge("angle-zero", "a limit angle at 0°", 0, 0, 40, flip=False),
    limited_hinge("angle-zero-flipped", "a flipped limit angle at 0°", 0, 0, 40, flip=True),
    AssemblySpec(
        "A4.hinge", "a hinge mate with limits leaves a revolute joint", "U5", (PLATE, LEVER),
        (
            MateRecipe(
                "hinge",
                (
                    Picked("EntitiesToMate", (Round("plate-1", 0.01), Round("lever-1", 0.01)), 0),
                    Picked("EntitiesToMate", (Flat("plate-1", Z, 0.0), Flat("lever-1", Z, 0.0)), 1),
                    Picked("EntitiesToMate", SIDES, 2),
                ),
                (
                    ("AngleSelection", True), ("Angle", radians(TURNED)), ("MaxVal", radians(60)),
                    ("MinVal", radians(10)),
                ),
            ),
        ),
        truth={"lever-1": REVOLUTE}, limits={"lever-1": (radians(-20), radians(30))},
    ),
)  # fmt: skip

# ------------------------------------------------------------------ single mates between a plate and one component

ROD = ComponentSpec("rod-1", At(-0.03, 0.0, 0.025, turn_y=90.0))
HALF = atan(0.015 / 0.03)  # [rad] of the cone
CONE = ComponentSpec("cone-1", At(0.0, 0.0, 0.02 + 0.015 * cos(HALF), turn_x=-HALF * 180 / 3.141592653589793))
PLATE_TOP = Flat("plate-1", Z, 0.02)
PEG = ComponentSpec("peg-1", At(0.005, 0.0025, 0.01))
BASE_SLIDER, TOP_FACE = fixed("slider-1"), (Flat("slider-1", Z, 0.01), Flat("peg-1", Z, 0.0))
FREE_PEG = ComponentSpec("peg-2", At(0.2, 0.2, 0.2))


def single(
    name: str, title: str, settles: str, part: ComponentSpec, only: MateRecipe, left: Freedom | None
) -> AssemblySpec:
    """A plate and one component with one mate."""
    truth = {part.name: left} if left else {}
    return AssemblySpec(name, title, settles, (PLATE, part), (only,), truth=truth)


def profile(name: str, title: str, *, locked: bool) -> AssemblySpec:
    """A round face centred on a rectangular one."""
    return AssemblySpec(
        name, title, "F6", (BASE_SLIDER, PEG, FREE_PEG), (mate("profile", *TOP_FACE, LockRotation=locked),),
        nudges=(Nudge("peg-1", At(turn_z=20.0), "peg-2"),), truth={"peg-1": FIXED} if locked else {},
        conventions=() if locked else ("profileCentre",),
    )  # fmt: skip


SINGLE_MATES = (
    single(
        "A2.parallel", "parallel faces leave one rotation and three translations", "F16", SLIDER,
        mate("parallel", PLATE_TOP, Flat("slider-1", Z, 0.0)), Freedom(1, 4),
    ),
    single(
        "A2.perpendicular", "perpendicular faces take one rotation away", "F16", SLIDER,
        mate("perpendicular", PLATE_TOP, Flat("slider-1", X, 0.02)), Freedom(2, 5),
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
    AssemblySpec(
        "A5.width", "a width mate leaves planar motion", "U5", (PLATE, SLIDER._replace(pose=At(0.02, -0.0025, 0.03))),
        (
            MateRecipe(
                "width",
                (
                    Picked("WidthSelection", (Flat("plate-1", Y, -0.04), Flat("plate-1", Y, 0.04))),
                    Picked("TabSelection", (Flat("slider-1", Y, -0.01), Flat("slider-1", Y, 0.015))),
                ),
                (("ConstraintType", 0),),
            ),
        ),
        truth={"slider-1": Freedom(1, 3)},
    ),
    AssemblySpec(
        "A5.slot", "a pin in a slot rotates, and moves along and across it", "U5",
        (fixed("slotplate-1"), ComponentSpec("peg-1", At(0.005, 0.0, -0.005))),
        (mate("slot", Round("slotplate-1", 0.01), Round("peg-1", 0.01), Constraint=0),),
    ),
    profile("A5.profile", "an unlocked profile centre mate of two faces", locked=False),
    profile("A5.profile-locked", "a profile centre mate with locked rotation leaves nothing", locked=True),
    AssemblySpec(
        "A5.lock", "a lock mate leaves nothing", "U5", (PLATE, SLIDER, FREE),
        (mate("lock", PLATE_TOP, Flat("slider-1", Z, 0.0)),),
        nudges=(Nudge("slider-1", AWAY, "slider-2"),), truth={"slider-1": FIXED},
    ),
    AssemblySpec(
        "A5.universal", "a universal joint mate", "U5",
        (PLATE, ComponentSpec("rod-1", At(0.0, 0.0, 0.02, turn_x=20.0))),
        (mate("universal", Round("plate-1", 0.01), Round("rod-1", 0.005)),),
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
    ),
)  # fmt: skip

# ------------------------------------------------------------------ sliders on a plate, along x

ON_TOP = mate("coincident", PLATE_TOP, Flat("slider-1", Z, 0.0))
AT_EDGE = mate("coincident", Flat("plate-1", Y, -0.04), Flat("slider-1", Y, -0.01))
ENDS = Flat("plate-1", X, -0.05), Flat("slider-1", X, -0.01)


def limited_slider(name: str, title: str, at: float, low: float, high: float, *, flip: bool) -> AssemblySpec:
    """A slider with a limit distance [m], driven by the limit mate itself."""
    limit = mate(
        "distance", *ENDS, IsAdvancedMate=True, Distance=at, MaximumDistance=high, MinimumDistance=low,
        FlipDimension=flip,
    )  # fmt: skip
    return AssemblySpec(
        f"A3.{name}", title, "U3", (PLATE, ComponentSpec("slider-1", At(-0.04 + at, -0.03, 0.02))),
        (ON_TOP, AT_EDGE, limit), (Drive(None, "Distance", ((low + high) / 2, high)),),
        truth={"slider-1": PRISMATIC}, limits={"slider-1": (low - at, high - at)} if at else {},
        conventions=("limitFlip",) if flip and at == 0 else (),
    )  # fmt: skip


SLIDERS = (
    limited_slider("distance", "a limit distance at 15 mm", 0.015, 0.005, 0.04, flip=False),
    limited_slider("distance-zero", "a limit distance at 0", 0.0, 0.0, 0.03, flip=False),
    limited_slider("distance-zero-flipped", "a flipped limit distance at 0", 0.0, 0.0, 0.03, flip=True),
    AssemblySpec(
        "A5.symmetric", "a symmetric mate makes one slider mirror the other", "U5",
        (
            PLATE, ComponentSpec("slider-1", At(0.01, -0.03, 0.02)),
            ComponentSpec("slider-2", At(-0.02, -0.03, 0.02)),
        ),
        (
            ON_TOP, AT_EDGE, mate("coincident", PLATE_TOP, Flat("slider-2", Z, 0.0)),
            mate("coincident", Flat("plate-1", Y, -0.04), Flat("slider-2", Y, -0.01)),
            MateRecipe(
                "symmetric",
                (
                    Picked("EntitiesToMate", (Flat("slider-1", X, 0.02), Flat("slider-2", X, -0.01))),
                    Picked("SymmetryPlane", (Plane("plate-1", RIGHT),), is_single=True),
                ),
            ),
        ),
        (
            Drive(
                mate("distance", Flat("plate-1", X, 0.05), Flat("slider-1", X, 0.02), Distance=0.02), "Distance",
                (0.015,),
            ),
        ),
        truth={"slider-1": PRISMATIC, "slider-2": PRISMATIC},
    ),
)  # fmt: skip

# ------------------------------------------------------------------ couplings on a bed

BED = fixed("bed-1")
BIG = ComponentSpec("wheel20-1", At(-0.015, 0.0, 0.01, turn_z=TURNED))
SMALL = ComponentSpec("wheel10-1", At(0.015, 0.0, 0.01))
BED_TOP = Flat("bed-1", Z, 0.01)
BIG_TURNS = (
    mate("concentric", Round("bed-1", 0.005), Round("wheel20-1", 0.02)),
    mate("coincident", BED_TOP, Flat("wheel20-1", Z, 0.0)),
)
SMALL_TURNS = (
    mate("concentric", Round("bed-1", 0.004), Round("wheel10-1", 0.01)),
    mate("coincident", BED_TOP, Flat("wheel10-1", Z, 0.0)),
)


def turning(component: str, offset: float, base: str = "bed-1") -> Drive:
    """Turns a component by 10° with an angle mate."""
    driver = mate("angle", Flat(base, Y, 0.04), Flat(component, Y, offset), Angle=radians(TURNED))
    return Drive(driver, "Angle", (radians(TURNED + 10),))


def gears(name: str, title: str, numerator: float, denominator: float, *, swapped: bool = False, reverse: bool = False
          ) -> AssemblySpec:  # fmt: skip
    """Two gears of radius 20 and 10 mm; the first one is driven."""
    pair = Round("wheel20-1", 0.02), Round("wheel10-1", 0.01)
    ratio = {"GearRatioNumerator": numerator, "GearRatioDenominator": denominator, "Reverse": reverse}
    return AssemblySpec(
        f"A6.{name}", title, "F4, U2", (BED, BIG, SMALL),
        (*BIG_TURNS, *SMALL_TURNS, mate("gear", *(pair[::-1] if swapped else pair), **ratio)),
        (turning("wheel20-1", 0.005),), truth={"wheel20-1": REVOLUTE, "wheel10-1": REVOLUTE},
        conventions=("gearRatio",),
    )  # fmt: skip


BAR = ComponentSpec("rackbar-1", At(-0.05, 0.025, 0.02, turn_y=90.0))
PINION = SMALL._replace(pose=At(0.015, 0.0, 0.01, turn_z=TURNED))


def rack(name: str, title: str, kind: int, value: float, *, reverse: bool) -> AssemblySpec:
    """A rack beside a pinion of radius 10 mm, which is driven."""
    picked = (
        Picked("EntitiesToMate", (NamedFeature("rackbar-1", AXIS),), 0, is_single=True),
        Picked("EntitiesToMate", (Round("wheel10-1", 0.01),), 1, is_single=True),
    )
    values = (("DiameterType", kind), ("DiameterVal", value), ("Reverse", reverse))
    slide = (
        mate("coincident", BED_TOP, Flat("rackbar-1", X, 0.01)),
        mate("coincident", Flat("bed-1", Y, 0.04), Flat("rackbar-1", Y, 0.015)),
    )
    return AssemblySpec(
        f"A7.{name}", title, "F7, U2", (BED, PINION, BAR), (*SMALL_TURNS, *slide, MateRecipe("rack", picked, values)),
        (turning("wheel10-1", 0.005),), truth={"wheel10-1": REVOLUTE, "rackbar-1": PRISMATIC},
        conventions=("rackSense",),
    )  # fmt: skip


def screw(name: str, title: str, kind: int, value: float, *, reverse: bool, unit: int = 0) -> AssemblySpec:
    """A rod screwed into a plate; it is driven by its angle."""
    pair = Round("plate-1", 0.01), Round("rod-1", 0.005)
    data = {"RevolutionType": kind, "RevolutionVal": value, "Reverse": reverse}
    return AssemblySpec(
        f"A8.{name}", title, "F3, U2", (PLATE, ComponentSpec("rod-1", At(0.0, 0.0, -0.02, turn_z=TURNED))),
        (mate("concentric", *pair), mate("screw", *pair, **data)), (turning("rod-1", 0.008, "plate-1"),),
        truth={"rod-1": REVOLUTE}, conventions=("screwUnit", "screwSense") if kind == 0 else ("screwSense",), unit=unit,
    )  # fmt: skip


CARRIED = (
    mate("coincident", BED_TOP, Flat("slider-1", Z, 0.0)),
    mate("coincident", Flat("bed-1", Y, -0.04), Flat("slider-1", Y, -0.01)),
    mate("coincident", Flat("slider-1", Z, 0.01), Flat("slider-2", Z, 0.0)),
    mate("coincident", Flat("slider-1", Y, -0.01), Flat("slider-2", Y, -0.01)),
)
PUSH = Drive(
    mate("distance", Flat("bed-1", X, 0.06), Flat("slider-1", X, 0.02), Distance=0.04), "Distance", (0.035, 0.045)
)


def coupler(name: str, title: str, *, reverse: bool) -> AssemblySpec:
    """A slider that carries another one, coupled 1 to 2 without reference components."""
    picked = (
        Picked("MateEntity1", (Flat("slider-1", X, 0.02),), is_single=True),
        Picked("MateEntity2", (Flat("slider-2", X, 0.02),), is_single=True),
    )
    values = (("CouplerRatioNumerator", 1.0), ("CouplerRatioDenominator", 2.0), ("Reverse", reverse))
    return AssemblySpec(
        f"A9.{name}", title, "U2",
        (BED, ComponentSpec("slider-1", At(0.0, -0.03, 0.01)), ComponentSpec("slider-2", At(0.0, -0.03, 0.02))),
        (*CARRIED, MateRecipe("coupler", picked, values)), (PUSH,),
        truth={"slider-1": PRISMATIC, "slider-2": PRISMATIC}, conventions=("couplerReference",),
    )  # fmt: skip


COUPLINGS = (
    gears("radii", "gears of 20 and 10 mm, 1 to 2", 1, 2),
    gears("contrary", "gears of 20 and 10 mm, 2 to 1: against their radii", 2, 1),
    gears("third", "gears of 20 and 10 mm, 1 to 3: not their radii", 1, 3),
    gears("reversed", "reversed gears, 1 to 2", 1, 2, reverse=True),
    gears("swapped", "gears that were selected in the other order, 1 to 3", 1, 3, swapped=True),
    rack("diameter", "a rack by the pitch diameter of its pinion", 0, 0.02, reverse=False),
    rack("travel", "a rack by its travel per revolution", 1, 0.05, reverse=False),
    rack("reversed", "a reversed rack", 0, 0.02, reverse=True),
    screw("revolutions", "a screw by revolutions per unit, in millimetres", 0, 1.0, reverse=False),
    screw("reversed", "a reversed screw by revolutions per unit", 0, 1.0, reverse=True),
    screw("distance", "a screw by distance per revolution", 1, 0.002, reverse=False),
    screw("inch", "a screw by revolutions per unit, in inches", 0, 1.0, reverse=False, unit=INCH),
    coupler("carried", "a linear coupler without reference components", reverse=False),
    coupler("reversed", "a reversed linear coupler", reverse=True),
)

# ------------------------------------------------------------------ sub-assemblies, states, mass

SUB = "B1_sub-1"
SUBASSEMBLIES = (
    AssemblySpec(
        "B1.sub", "a hinge, which other assemblies contain", "spaces", (PLATE, LEVER), (IN_HOLE, ON_BOTTOM),
        truth={"lever-1": REVOLUTE}, is_kept=True,
    ),
    AssemblySpec(
        "B1.rigid", "the joints of a rigid sub-assembly move in the robot", "spaces",
        (PLATE, ComponentSpec(SUB, At(0.2, 0.0, 0.1, turn_x=90.0), fixed=True)),
        truth={f"{SUB}/lever-1": REVOLUTE},
    ),
    AssemblySpec(
        "B1.flexible", "the joints of a flexible sub-assembly move", "spaces, readIn",
        (PLATE, ComponentSpec(SUB, At(0.2, 0.0, 0.1, turn_x=90.0), fixed=True, flexible=True)),
        truth={f"{SUB}/lever-1": REVOLUTE},
    ),
    AssemblySpec(
        "B1.folder", "mates in a folder are read as others", "spaces", (PLATE, LEVER), (IN_HOLE, ON_BOTTOM),
        truth={"lever-1": REVOLUTE}, has_folder=True,
    ),
    AssemblySpec(
        "A10.in-place", "a part that was created in the assembly on a face: the interface of its mate", "U11",
        (PLATE, LEVER), (IN_HOLE, ON_BOTTOM), truth={"lever-1": REVOLUTE}, virtual_on=PLATE_TOP,
    ),
    AssemblySpec(
        "B2.states", "suppressed, hidden and envelope components", "U8",
        (
            PLATE, ComponentSpec("slider-1", At(0.1), state="suppressed"),
            ComponentSpec("slider-2", At(0.2), state="hidden"), ComponentSpec("peg-1", At(0.3), state="envelope"),
        ),
    ),
    AssemblySpec(
        "C1.component", "mass of a block at a rotated pose", "F9, U6",
        (PLATE, ComponentSpec("block-1", At(0.1, 0.2, 0.3, 30.0, 40.0, 50.0), fixed=True)),
        truth={"block-1": FIXED},
    ),
    AssemblySpec(
        "C1.override", "the mass of a part that the user set", "F9, U6",
        (PLATE, ComponentSpec("weight-1", At(0.1, 0.2, 0.3, 30.0, 40.0, 50.0), fixed=True)),
        truth={"weight-1": FIXED},
    ),
)  # fmt: skip

ASSEMBLIES: tuple[AssemblySpec, ...] = (*HINGES, *SINGLE_MATES, *SLIDERS, *COUPLINGS, *SUBASSEMBLIES)

UNBUILDABLE = (
    Unbuildable("A10.path", "a path mate", "U11", "SolidWorks' API has no data interface that creates a path mate"),
    Unbuildable("A10.magnetic", "a magnetic mate", "U11", "it needs connection points, which only a person can place"),
)
