"""Motions that follow others: gears, racks, screws and linear couplers on a bed."""

from __future__ import annotations

from swgrm_addin.selftest.assemblies.common import PLATE, PRISMATIC, REVOLUTE, TURNED, fixed, mate, turning
from swgrm_addin.selftest.entities import AXIS, Flat, NamedFeature, Round, Whole, X, Y, Z
from swgrm_addin.selftest.specs import INCH, AssemblySpec, At, ComponentSpec, Drive, MateRecipe, Picked

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


def gears(
    name: str, title: str, numerator: float = 0, denominator: float = 0, *, swapped: bool = False, reverse: bool = False
) -> AssemblySpec:
    """Two gears of radius 20 and 10 mm; the first one is driven. Without numbers SolidWorks proposes the ratio."""
    pair = Round("wheel20-1", 0.02), Round("wheel10-1", 0.01)
    ratio: dict[str, float | bool] = {"GearRatioNumerator": numerator, "GearRatioDenominator": denominator}
    ratio = (ratio if numerator else {}) | {"Reverse": reverse}
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
    """A rod screwed into a plate; it is driven by its angle. The screw mate itself holds the axis."""
    pair = Round("plate-1", 0.01), Round("rod-1", 0.005)
    data = {"RevolutionType": kind, "RevolutionVal": value, "Reverse": reverse}
    return AssemblySpec(
        f"A8.{name}", title, "F3, U2", (PLATE, ComponentSpec("rod-1", At(0.0, 0.0, -0.02, turn_z=TURNED))),
        (mate("screw", *pair, **data),), (turning("rod-1", 0.008, "plate-1"),),
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


def coupler(name: str, title: str, *, reverse: bool, references: tuple[str, ...] = ()) -> AssemblySpec:
    """A slider that carries another one, coupled 1 to 2; `references`: what each motion is relative to."""
    picked = (
        Picked("MateEntity1", (Flat("slider-1", X, 0.02),), is_single=True),
        Picked("MateEntity2", (Flat("slider-2", X, 0.02),), is_single=True),
        *(Picked(f"ReferenceComponent{k}", (Whole(name),), is_single=True) for k, name in enumerate(references, 1)),
    )
    values = (("CouplerRatioNumerator", 1.0), ("CouplerRatioDenominator", 2.0), ("Reverse", reverse))
    return AssemblySpec(
        f"A9.{name}", title, "U2",
        (BED, ComponentSpec("slider-1", At(0.0, -0.03, 0.01)), ComponentSpec("slider-2", At(0.0, -0.03, 0.02))),
        (*CARRIED, MateRecipe("coupler", picked, values)), (PUSH,),
        truth={"slider-1": PRISMATIC, "slider-2": PRISMATIC}, conventions=() if references else ("couplerReference",),
    )  # fmt: skip


COUPLINGS = (
    gears("radii", "gears of 20 and 10 mm, set to 1 to 2", 1, 2),
    gears("contrary", "gears of 20 and 10 mm, set to 2 to 1", 2, 1),
    gears("third", "gears of 20 and 10 mm, set to 1 to 3: not their radii", 1, 3),
    gears("reversed", "reversed gears, set to 1 to 2", 1, 2, reverse=True),
    gears("swapped", "gears that were selected in the other order, set to 1 to 3", 1, 3, swapped=True),
    gears("proposed", "gears of 20 and 10 mm with the ratio that SolidWorks proposes"),
    rack("diameter", "a rack by the pitch diameter of its pinion", 0, 0.02, reverse=False),
    rack("travel", "a rack by its travel per revolution", 1, 0.05, reverse=False),
    rack("reversed", "a reversed rack", 0, 0.02, reverse=True),
    screw("revolutions", "a screw by revolutions per unit, in millimetres", 0, 1.0, reverse=False),
    screw("reversed", "a reversed screw by revolutions per unit", 0, 1.0, reverse=True),
    screw("distance", "a screw by distance per revolution", 1, 0.002, reverse=False),
    screw("inch", "a screw by revolutions per unit, in inches", 0, 1.0, reverse=False, unit=INCH),
    coupler("carried", "a linear coupler without reference components", reverse=False),
    coupler("reversed", "a reversed linear coupler", reverse=True),
    coupler("referenced", "a linear coupler relative to the bed", reverse=False, references=("bed-1", "bed-1")),
)
