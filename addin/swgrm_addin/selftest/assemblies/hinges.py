"""Hinges: a lever in the hole of a plate, with and without limits."""

from __future__ import annotations

from math import radians

from swgrm_addin.selftest.assemblies.common import (
    BALL,
    CYLINDRICAL,
    FIXED,
    FREE_SLIDER,
    FREE_SLIDES,
    IN_HOLE,
    LEVER,
    ON_BOTTOM,
    PLATE,
    REVOLUTE,
    SIDES,
    SLIDER,
    TURNED,
    mate,
    pushed,
)
from swgrm_addin.selftest.entities import ORIGIN, SYSTEM, TOP, Flat, NamedFeature, Plane, Round, Z
from swgrm_addin.selftest.specs import (
    ALIGNED,
    ANTI_ALIGNED,
    AssemblySpec,
    At,
    ComponentSpec,
    Drive,
    MateRecipe,
    Picked,
)

TURN_LEVER = Drive(mate("angle", *SIDES, Angle=radians(TURNED)), "Angle", (radians(45), radians(20)))


def angle_limit(at: float, low: float, high: float, *, flip: bool) -> MateRecipe:
    """A limit angle between the sides of plate and lever [deg]."""
    bounds = {"MaximumAngle": radians(high), "MinimumAngle": radians(low)}
    return mate("angle", *SIDES, Angle=radians(at), FlipDimension=flip, IsAdvancedMate=True, **bounds)


def limited_hinge(name: str, title: str, at: float, low: float, high: float, *, flip: bool) -> AssemblySpec:
    """A hinge with a limit angle [deg], driven by the limit mate itself."""
    inside = (low + high) / 2
    return AssemblySpec(
        f"A3.{name}", title, "U3", (PLATE, LEVER._replace(pose=At(turn_z=at))),
        (IN_HOLE, ON_BOTTOM, angle_limit(at, low, high, flip=flip)),
        (Drive(None, "Angle", (radians(inside), radians(high))),),
        truth={"lever-1": REVOLUTE},
        limits={"lever-1": (radians(low - at), radians(high - at))} if at % 180 else {},
        conventions=("limitFlip",) if flip and at == 0 else (),
    )  # fmt: skip


def in_hole(name: str, title: str, alignment: int) -> AssemblySpec:
    """A lever that is only held by the hole, with an alignment (swMateAlign_e)."""
    held = mate("concentric", Round("plate-1", 0.01), Round("lever-1", 0.01), MateAlignment=alignment)
    return AssemblySpec(f"A1.{name}", title, "U3", (PLATE, LEVER), (held,), truth={"lever-1": CYLINDRICAL})


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
    in_hole("aligned", "an aligned concentric mate leaves a cylindrical joint", ALIGNED),
    in_hole("anti-aligned", "an anti-aligned concentric mate leaves a cylindrical joint", ANTI_ALIGNED),
    AssemblySpec(
        "A1.origins", "the coincident mate of two origins leaves a ball joint", "F5", (PLATE, SLIDER),
        (mate("coincident", NamedFeature("plate-1", ORIGIN), NamedFeature("slider-1", ORIGIN)),),
        truth={"slider-1": BALL},
    ),
    AssemblySpec(
        "A1.systems", "the mate of two coordinate systems with aligned axes, on a slider", "F5",
        (PLATE, ComponentSpec("slider-1", At(0.0, 0.0, 0.02)), FREE_SLIDER),
        (
            *FREE_SLIDES,
            mate("coincident", Flat("plate-1", Z, 0.02), Flat("slider-1", Z, 0.0)),
            mate("coincident", Plane("plate-1", TOP), Plane("slider-1", TOP)),
            mate("coordinate", NamedFeature("plate-1", SYSTEM), NamedFeature("slider-1", SYSTEM)),
        ),
        trials=(pushed(-0.01),), conventions=("coordinateMate",),
    ),
    limited_hinge("angle", "a limit angle at 30°", 30, 10, 60, flip=False),
    limited_hinge("angle-zero", "a limit angle at 0°", 0, 0, 40, flip=False),
    limited_hinge("angle-zero-flipped", "a flipped limit angle at 0°", 0, 0, 40, flip=True),
    limited_hinge("angle-180", "a limit angle at 180°", 180, 140, 180, flip=False),
    limited_hinge("angle-200", "a limit angle at 200°", 200, 185, 240, flip=False),
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
