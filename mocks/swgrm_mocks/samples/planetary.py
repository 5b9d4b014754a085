"""A planetary gear: a sun, three planets on a carrier, and a ring that is fixed."""

from __future__ import annotations

from math import cos, radians, sin

from swgrm.capture import Capture
from swgrm_mocks.builder import ALUMINIUM, STEEL, Assembly, Part, colour, pose
from swgrm_mocks.mates import plane, shaft
from swgrm_mocks.samples.differential import AXIS, BORE, WIDTH, on_shaft
from swgrm_mocks.solids import cylinder

SUN, PLANET = 0.02, 0.01  # [m] pitch radii
RING = SUN + 2 * PLANET
ANGLES = (0.0, 120.0, 240.0)  # [°] of the planets


def build() -> Capture:
    """The planetary gear."""
    gearbox = Assembly("planetary")
    ring = gearbox.part(Part("ring", cylinder(RING + 0.01, WIDTH, RING), STEEL)).fixed()
    sun = gearbox.part(Part("sun", cylinder(SUN, WIDTH, BORE), STEEL).painted(colour(0.9, 0.7, 0.2)))
    pins = [(cos(radians(a)) * (SUN + PLANET), sin(radians(a)) * (SUN + PLANET)) for a in ANGLES]
    plate = cylinder(SUN + 2 * PLANET, 0.004).moved(pose(z=-0.01))
    for x, y in pins:
        plate = plate + cylinder(BORE, 0.02).moved(pose(x=x, y=y))
    carrier = gearbox.part(Part("carrier", plate, ALUMINIUM).painted(colour(0.3, 0.5, 0.8)))
    on_shaft(gearbox, ring, 0.0, sun)
    on_shaft(gearbox, ring, 0.0, carrier)
    planet_part = Part("planet", cylinder(PLANET, WIDTH, BORE), STEEL)
    for x, y in pins:
        planet = gearbox.part(planet_part, pose(x=x, y=y))
        gearbox.concentric(carrier.at(shaft((x, y, 0), AXIS, BORE)), planet.at(shaft((0, 0, 0), AXIS, BORE)))
        gearbox.coincident(carrier.at(plane((0, 0, 0), AXIS)), planet.at(plane((0, 0, 0), AXIS)))
        pitch = planet.at(shaft((0, 0, 0), AXIS, PLANET))
        gearbox.gear(sun.at(shaft((0, 0, 0), AXIS, SUN)), pitch, ratio=(2 * PLANET, 2 * SUN))
        gearbox.gear(ring.at(shaft((0, 0, 0), AXIS, RING)), pitch, ratio=(2 * PLANET, 2 * RING), reverse=True)
    return gearbox.capture()
