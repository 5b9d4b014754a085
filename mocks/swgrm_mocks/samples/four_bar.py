"""The four-bar linkage: ground, crank, coupler and rocker on four pins."""

from __future__ import annotations

import math

from swgrm.capture import Capture
from swgrm_mocks.builder import ALUMINIUM, STEEL, Assembly, AssemblyComponent, Part, colour, pose
from swgrm_mocks.mates import plane, shaft
from swgrm_mocks.solids import Solid, bar, box

GROUND, CRANK, COUPLER, ROCKER = 0.30, 0.10, 0.28, 0.20  # [m] between the bores
CRANK_ANGLE = math.radians(60)
BORE, THICKNESS = 0.008, 0.012
AXIS = (0.0, 0.0, 1.0)


def link(length: float) -> Solid:
    """A link with a bore at each end."""
    return bar(length, 0.04, THICKNESS, BORE)


def pin_joint(
    assembly: Assembly, one: AssemblyComponent, x: float, other: AssemblyComponent, across: float = 0.0
) -> None:
    """Mates the bore at `x` of one link to the bore at `across` of the other, which is on top of it."""
    assembly.concentric(one.at(shaft((x, 0, 0), AXIS, BORE)), other.at(shaft((across, 0, 0), AXIS, BORE)))
    top, bottom = plane((x, 0, THICKNESS / 2), AXIS), plane((across, 0, -THICKNESS / 2), (0, 0, -1))
    assembly.coincident(one.at(top), other.at(bottom), alignment=1)


def build() -> Capture:
    """The capture of the closed linkage: the ends of the rocker and the coupler coincide."""
    crank_end = CRANK * math.cos(CRANK_ANGLE), CRANK * math.sin(CRANK_ANGLE)
    apart = math.hypot(GROUND - crank_end[0], crank_end[1])
    towards = math.atan2(-crank_end[1], GROUND - crank_end[0])
    inner = math.acos((COUPLER**2 + apart**2 - ROCKER**2) / (2 * COUPLER * apart))
    coupler_angle = towards + inner
    end = crank_end[0] + COUPLER * math.cos(coupler_angle), crank_end[1] + COUPLER * math.sin(coupler_angle)
    rocker_angle = math.atan2(end[1], end[0] - GROUND)

    assembly = Assembly("four_bar")
    frame = box(0.36, 0.05, THICKNESS).moved(pose(x=GROUND / 2, y=-0.045)) + link(GROUND)
    ground = assembly.part(Part("frame", frame, STEEL)).fixed()
    grey = colour(0.6, 0.65, 0.7)
    crank_part = Part("crank", link(CRANK), ALUMINIUM).painted(colour(0.8, 0.1, 0.1))
    crank = assembly.part(crank_part, pose(z=THICKNESS, yaw=math.degrees(CRANK_ANGLE)))
    coupler = assembly.part(
        Part("coupler", link(COUPLER), ALUMINIUM).painted(grey),
        pose(*crank_end, 2 * THICKNESS, yaw=math.degrees(coupler_angle)),
    )
    rocker = assembly.part(
        Part("rocker", link(ROCKER), ALUMINIUM).painted(grey),
        pose(GROUND, 0.0, THICKNESS, yaw=math.degrees(rocker_angle)),
    )
    pin_joint(assembly, ground, 0.0, crank)
    pin_joint(assembly, crank, CRANK, coupler)
    pin_joint(assembly, ground, GROUND, rocker)
    pin_joint(assembly, rocker, ROCKER, coupler, COUPLER)
    return assembly.capture()
