"""Sliders on a plate, along x."""

from __future__ import annotations

from swgrm_addin.selftest.assemblies.common import (
    FIXED,
    FREE_SLIDER,
    FREE_SLIDES,
    PLATE,
    PLATE_TOP,
    PRISMATIC,
    mate,
    pushed,
)
from swgrm_addin.selftest.entities import RIGHT, Flat, Plane, X, Y, Z
from swgrm_addin.selftest.specs import AssemblySpec, At, ComponentSpec, Drive, MateRecipe, Picked, Position

ON_TOP = mate("coincident", PLATE_TOP, Flat("slider-1", Z, 0.0))
AT_EDGE = mate("coincident", Flat("plate-1", Y, -0.04), Flat("slider-1", Y, -0.01))
ENDS = Flat("plate-1", X, -0.05), Flat("slider-1", X, -0.01)


def limited_slider(name: str, title: str, at: float, low: float, high: float, *, flip: bool) -> AssemblySpec:
    """A slider with a limit distance [m], driven by the limit mate itself."""
    limit = mate(
        "distance", *ENDS, Distance=at, FlipDimension=flip, IsAdvancedMate=True, MaximumDistance=high,
        MinimumDistance=low,
    )  # fmt: skip
    return AssemblySpec(
        f"A3.{name}", title, "U3", (PLATE, ComponentSpec("slider-1", At(-0.04 + at, -0.03, 0.02))),
        (ON_TOP, AT_EDGE, limit), (Drive(None, "Distance", ((low + high) / 2, high)),),
        truth={"slider-1": PRISMATIC}, limits={"slider-1": (low - at, high - at)} if at else {},
        conventions=("limitFlip",) if flip and at == 0 else (),
    )  # fmt: skip


def limit_from_zero() -> AssemblySpec:
    """A limit distance whose minimum is 0, and a try to drive the slider 5 mm beyond it."""
    limited = limited_slider("distance-from-zero", "a limit distance from 0 at 15 mm", 0.015, 0.0, 0.03, flip=False)
    return limited._replace(
        title="a limit distance from 0: whether the slider passes through 0",
        components=(*limited.components, FREE_SLIDER), mates=(*FREE_SLIDES, *limited.mates),
        trials=(pushed(0.02),), drives=(),
    )  # fmt: skip


def distance_side(name: str, title: str, *, flip: bool) -> AssemblySpec:
    """A slider beyond the end of a plate, at a distance from it."""
    apart = mate("distance", Flat("slider-1", X, -0.01), Flat("plate-1", X, 0.05), Distance=0.005, FlipDimension=flip)
    places = {"it is beyond the end of the plate": (0.065, None, None), "it is inside of it": (0.055, None, None)}
    return AssemblySpec(
        f"A3.{name}", title, "U3", (PLATE, ComponentSpec("slider-1", At(0.08, -0.03, 0.02))),
        (ON_TOP, AT_EDGE, apart), truth={"slider-1": FIXED}, positions=(Position("slider-1", places),),
    )  # fmt: skip


SLIDERS = (
    limited_slider("distance", "a limit distance at 15 mm", 0.015, 0.005, 0.04, flip=False),
    limited_slider("distance-zero", "a limit distance at 0", 0.0, 0.0, 0.03, flip=False),
    limited_slider("distance-zero-flipped", "a flipped limit distance at 0", 0.0, 0.0, 0.03, flip=True),
    limit_from_zero(),
    distance_side("distance-side", "on which side a distance is", flip=False),
    distance_side("distance-side-flipped", "on which side a flipped distance is", flip=True),
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
