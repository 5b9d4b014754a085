"""Sliders on a plate, along x."""

from __future__ import annotations

from swgrm_addin.selftest.assemblies.common import PLATE, PLATE_TOP, PRISMATIC, mate
from swgrm_addin.selftest.entities import RIGHT, Flat, Plane, X, Y, Z
from swgrm_addin.selftest.specs import AssemblySpec, At, ComponentSpec, Drive, MateRecipe, Picked

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
