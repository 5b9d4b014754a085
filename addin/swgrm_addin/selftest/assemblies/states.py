"""States of components, and components that features of the assembly make or cut."""

from __future__ import annotations

from swgrm_addin.selftest.assemblies.common import PLATE
from swgrm_addin.selftest.entities import RIGHT, Plane, Straight
from swgrm_addin.selftest.specs import AssemblyCut, AssemblySpec, At, ComponentSpec, MirrorImage, Pattern, Position

ALONG_X = Straight("plate-1", (-0.05, -0.04, 0.02), (0.05, -0.04, 0.02))

STATES = (
    AssemblySpec(
        "B2.states", "suppressed, hidden and envelope components", "U7, U8",
        (
            PLATE, ComponentSpec("slider-1", At(0.1), state="suppressed"),
            ComponentSpec("slider-2", At(0.2), state="hidden"), ComponentSpec("peg-1", At(0.3), state="envelope"),
        ),
    ),
    AssemblySpec(
        "B2.lightweight", "a lightweight component: it is read, and is lightweight afterwards", "U7, U8",
        (PLATE, ComponentSpec("slider-1", At(0.1), state="lightweight")), probes=("suppression",),
    ),
    AssemblySpec(
        "B2.pattern", "a linear pattern of a component", "U7", (PLATE, ComponentSpec("peg-1", At(-0.03, 0.0, 0.02))),
        features=(Pattern("peg-1", ALONG_X, 0.025, 3),), instances=("peg-2", "peg-3"),
        positions=tuple(
            Position(
                f"peg-{k + 1}",
                {
                    "the pattern goes along the edge": (-0.03 + 0.025 * k, 0.0, 0.02),
                    "it goes the other way": (-0.03 - 0.025 * k, 0.0, 0.02),
                },
            )
            for k in (1, 2)
        ),
    ),
    AssemblySpec(
        "B2.mirror", "the mirror image of a component, as a copy of it", "U7",
        (PLATE, ComponentSpec("peg-1", At(0.03, 0.01, 0.02))),
        features=(MirrorImage("peg-1", Plane("plate-1", RIGHT)),), instances=("peg-2",),
        positions=(
            Position(
                "peg-2",
                {
                    "its origin is the image of the origin": (-0.03, 0.01, 0.02),
                    "the middle of its box is the image of the middle": (-0.03, 0.01, 0.05),
                },
            ),
        ),
    ),
    AssemblySpec(
        "B2.cut", "a cut of the assembly through one of two instances", "U1, U7",
        (PLATE, ComponentSpec("slider-1", At(0.1), fixed=True), ComponentSpec("slider-2", At(0.2), fixed=True)),
        features=(AssemblyCut("slider-1", 0.105, 0.0025, 0.004),), probes=("cut",),
    ),
)  # fmt: skip
