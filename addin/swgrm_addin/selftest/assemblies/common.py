"""What the tables of assemblies share: short forms, the usual bases, and the degrees of freedom of simple joints."""

from __future__ import annotations

from math import radians

from swgrm_addin.selftest.entities import Entity, Flat, Round, X, Y, Z
from swgrm_addin.selftest.specs import At, ComponentSpec, Drive, Freedom, MateRecipe, MotionTrial, Picked

FIXED, REVOLUTE, PRISMATIC, BALL = Freedom(0, 0), Freedom(1, 1), Freedom(0, 1), Freedom(3, 3)
CYLINDRICAL, PLANAR = Freedom(1, 2), Freedom(1, 3)
TURNED = 30.0  # [deg] the initial angle of what is driven: at 0 an angle mate has no side


def mate(kind: str, *entities: Entity, **values: float | bool) -> MateRecipe:
    """A mate of entities, with values of its data."""
    return MateRecipe(kind, (Picked("EntitiesToMate", entities),), tuple(values.items()))


def fixed(name: str) -> ComponentSpec:
    """The base of an assembly."""
    return ComponentSpec(name, fixed=True)


def turning(component: str, offset: float, base: str = "bed-1") -> Drive:
    """Turns a component by 10° with an angle mate."""
    driver = mate("angle", Flat(base, Y, 0.04), Flat(component, Y, offset), Angle=radians(TURNED))
    return Drive(driver, "Angle", (radians(TURNED + 10),))


# A lever in the hole of a plate
PLATE, LEVER = fixed("plate-1"), ComponentSpec("lever-1", At(turn_z=TURNED))
IN_HOLE = mate("concentric", Round("plate-1", 0.01), Round("lever-1", 0.01))
ON_BOTTOM = mate("coincident", Flat("plate-1", Z, 0.0), Flat("lever-1", Z, 0.0))
SIDES = Flat("plate-1", Y, 0.04), Flat("lever-1", Y, 0.012)

# A slider on the top of a plate
PLATE_TOP = Flat("plate-1", Z, 0.02)
SLIDER = ComponentSpec("slider-1", At(0.03, 0.01, 0.05))

# A second slider along an edge of the plate, which is free to move: the control of what may be held
FREE_SLIDER = ComponentSpec("slider-2", At(0.01, -0.03, 0.02))
FREE_SLIDES = (
    mate("coincident", PLATE_TOP, Flat("slider-2", Z, 0.0)),
    mate("coincident", Flat("plate-1", Y, -0.04), Flat("slider-2", Y, -0.01)),
)


def pushed(change: float) -> MotionTrial:
    """Whether a slider can be driven along x by a change of its distance from the end of the plate [m]."""
    end = Flat("plate-1", X, 0.05)
    held, free = (mate("distance", end, Flat(f"slider-{k}", X, 0.02), Distance=0.0) for k in (1, 2))
    return MotionTrial(held, free, "Distance", change, At(-change))
