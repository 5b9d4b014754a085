"""Sub-assemblies: rigid, flexible, posed elsewhere, in a second configuration, and mated by their own planes."""

from __future__ import annotations

from math import radians
from typing import Any

from swgrm_addin.selftest.assemblies.common import (
    CYLINDRICAL,
    FIXED,
    IN_HOLE,
    LEVER,
    ON_BOTTOM,
    PLANAR,
    PLATE,
    PLATE_TOP,
    REVOLUTE,
    mate,
)
from swgrm_addin.selftest.entities import FRONT, RIGHT, TOP, Flat, Plane, Y
from swgrm_addin.selftest.specs import SECOND, AssemblySpec, At, ComponentSpec, Drive, Freedom, MateRecipe

SUB = "B1_sub-1"
ELSEWHERE = At(0.2, 0.0, 0.1, turn_x=90.0)
BESIDE = At(0.2, 0.0, 0.0)
AT_60 = radians(60)
SUB_SIDES = Flat("plate-1", Y, 0.04), Flat(f"{SUB}/lever-1", Y, 0.012)


def inside(name: str, title: str, sub: ComponentSpec, **more: Any) -> AssemblySpec:
    """A plate beside the sub-assembly, whose lever turns unless the truth differs."""
    fields: dict[str, Any] = {"truth": {f"{SUB}/lever-1": REVOLUTE}} | more
    return AssemblySpec(f"B1.{name}", title, "spaces", (PLATE, sub), **fields)


def on_plane(normal: tuple[float, float, float]) -> MateRecipe:
    """A default plane of the sub-assembly itself on that of the plate."""
    return mate("coincident", Plane("plate-1", normal), Plane(SUB, normal))


SUBASSEMBLIES = (
    AssemblySpec(
        "B1.sub", "a hinge, which other assemblies contain", "spaces", (PLATE, LEVER), (IN_HOLE, ON_BOTTOM),
        truth={"lever-1": REVOLUTE}, is_kept=True, loosened=1,
    ),
    inside(
        "rigid", "the joints of a rigid sub-assembly move in the robot", ComponentSpec(SUB, ELSEWHERE, fixed=True)
    ),
    inside(
        "flexible", "the joints of a flexible sub-assembly that is fixed move",
        ComponentSpec(SUB, ELSEWHERE, fixed=True, flexible=True),
    ),
    inside(
        "configuration", "a sub-assembly in the configuration that suppresses one of its mates",
        ComponentSpec(SUB, ELSEWHERE, fixed=True, configuration=SECOND),
        truth={f"{SUB}/lever-1": CYLINDRICAL}, conventions=(),
    ),
    inside(
        "elsewhere", "a flexible sub-assembly is posed otherwise than its file, by a limit angle of the outer assembly",
        ComponentSpec(SUB, BESIDE, fixed=True, flexible=True),
        mates=(
            mate(
                "angle", *SUB_SIDES, Angle=AT_60, FlipDimension=False, IsAdvancedMate=True, MaximumAngle=radians(80),
                MinimumAngle=radians(40),
            ),
        ),
        drives=(Drive(None, "Angle", (radians(50), radians(80))),),
        limits={f"{SUB}/lever-1": (radians(-20), radians(20))},
    ),
    inside(
        "plane", "a rigid sub-assembly on one of its own planes moves as a whole", ComponentSpec(SUB, BESIDE),
        mates=(on_plane(FRONT),), truth={f"{SUB}/plate-1": PLANAR, f"{SUB}/lever-1": Freedom(1, 3)},
    ),
    inside(
        "held", "a flexible sub-assembly that is held by its own planes", ComponentSpec(SUB, BESIDE, flexible=True),
        mates=(on_plane(FRONT), on_plane(TOP), on_plane(RIGHT)),
        truth={f"{SUB}/plate-1": FIXED, f"{SUB}/lever-1": REVOLUTE},
    ),
    AssemblySpec(
        "B1.folder", "mates in a folder are read as others", "spaces", (PLATE, LEVER), (IN_HOLE, ON_BOTTOM),
        truth={"lever-1": REVOLUTE}, has_folder=True,
    ),
    AssemblySpec(
        "A10.in-place", "a part that was created in the assembly on a face: the interface of its mate", "U11",
        (PLATE, LEVER), (IN_HOLE, ON_BOTTOM), truth={"lever-1": REVOLUTE}, virtual_on=PLATE_TOP,
    ),
)  # fmt: skip
