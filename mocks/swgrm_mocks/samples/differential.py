"""A bevel differential: two side gears on a carrier that turns, and a planet gear on the carrier between them."""

from __future__ import annotations

from swgrm.capture import Capture
from swgrm_mocks.builder import ALUMINIUM, STEEL, Assembly, AssemblyComponent, Part, colour, pose
from swgrm_mocks.mates import line, plane, shaft
from swgrm_mocks.solids import box, cylinder

SIDE, PLANET = 0.03, 0.015  # [m] pitch radii
BORE, WIDTH = 0.004, 0.008  # [m]
AXIS = (0.0, 0.0, 1.0)


def on_shaft(assembly: Assembly, carrier: AssemblyComponent, z: float, gear: AssemblyComponent) -> None:
    """A gear on a shaft of its carrier along z, against a face at the height z of the shaft."""
    assembly.concentric(carrier.at(shaft((0, 0, 0), AXIS, BORE)), gear.at(shaft((0, 0, 0), AXIS, BORE)))
    assembly.coincident(carrier.at(plane((0, 0, z), AXIS)), gear.at(plane((0, 0, 0), AXIS)))


def build() -> Capture:
    """The differential."""
    differential = Assembly("differential")
    shafts = cylinder(BORE, 0.2) + box(0.02, 0.02, 0.02).moved(pose(z=-0.12))
    housing = differential.part(Part("housing", shafts, STEEL)).fixed()
    cage = box(0.01, 0.12, 0.1).moved(pose(x=0.05)) + cylinder(BORE, 0.08).moved(pose(x=0.01, pitch=90))
    carrier = differential.part(Part("carrier", cage, ALUMINIUM).painted(colour(0.3, 0.5, 0.8)))
    wheel = Part("side", cylinder(SIDE, WIDTH, BORE), STEEL)
    left = differential.part(wheel, pose(z=-PLANET), name="left")
    right = differential.part(wheel, pose(z=PLANET), name="right")
    planet = differential.part(Part("planet", cylinder(PLANET, WIDTH, BORE), STEEL), pose(x=SIDE, pitch=90))
    on_shaft(differential, housing, 0.0, carrier)
    on_shaft(differential, housing, -PLANET, left)
    on_shaft(differential, housing, PLANET, right)
    differential.concentric(carrier.at(shaft((0, 0, 0), (1, 0, 0), BORE)), planet.at(shaft((0, 0, 0), AXIS, BORE)))
    differential.coincident(carrier.at(plane((SIDE, 0, 0), (1, 0, 0))), planet.at(plane((0, 0, 0), AXIS)))
    for gear in (left, right):
        differential.gear(gear.at(line((0, 0, 0), AXIS)), planet.at(line((0, 0, 0), AXIS)), ratio=(PLANET, SIDE))
    return differential.capture()
