"""One assembly with every difficult case that is known from real assemblies."""

from __future__ import annotations

from math import cos, sin
from typing import Any

from swgrm.capture import Capture, MateEntity
from swgrm_mocks.builder import ALUMINIUM, STEEL, Assembly, AssemblyComponent, Part, colour, pose
from swgrm_mocks.mates import circle, cone, ground, line, plane, point, shaft, sphere
from swgrm_mocks.solids import ball, bar, box, cylinder

AXIS = (0.0, 0.0, 1.0)
SIDE = (1.0, 0.0, 0.0)
BORE = 0.01


def hinge_unit() -> Assembly:
    """A sub-assembly with a movable part, to be inserted as rigid or flexible."""
    unit = Assembly("hinge unit")
    unit.linear_unit = 3  # inches
    leaf = Part("leaf", bar(0.1, 0.04, 0.01, BORE), STEEL)
    one, other = unit.part(leaf).fixed(), unit.part(leaf, pose(z=0.01, yaw=30))
    unit.concentric(one.at(shaft((0, 0, 0), AXIS, BORE)), other.at(shaft((0, 0, 0), AXIS, BORE)), name="Same Name")
    unit.coincident(one.at(plane((0, 0, 0.005), AXIS)), other.at(plane((0, 0, -0.005), (0, 0, -1))), alignment=1)
    return unit


def nested() -> Assembly:
    """An assembly with nested sub-assemblies and mates to components two levels below."""
    outer = Assembly("outer")
    unit = hinge_unit()
    first, second = outer.sub(unit), outer.sub(unit, pose(y=0.2)).flexible(leaf_1=pose(), leaf_2=pose(z=0.01, yaw=75))
    face = plane((0, 0, -0.005), (0, 0, -1))
    outer.coincident((first / "leaf-1").at(face), (second / "leaf-1").at(face))
    outer.parallel((first / "leaf-1").at(line((0, 0, 0), SIDE)), (second / "leaf-1").at(line((0, 0, 0), SIDE)))
    return outer


def every_mate(traps: Assembly, one: AssemblyComponent, other: AssemblyComponent) -> None:
    """Adds one suppressed mate of every type, with feature data if the type has any."""
    rod, hole = one.at(shaft((0, 0, 0), AXIS, BORE)), other.at(shaft((0, 0, 0), AXIS, BORE))
    top, bottom = one.at(plane((0, 0, 0.01), AXIS)), other.at(plane((0, 0, -0.01), (0, 0, -1)))
    edge, rim = one.at(line((0.02, 0, 0), AXIS)), other.at(circle((0, 0, 0.01), AXIS, BORE))
    corner = other.at(point((0.03, 0.03, 0.01)))
    off: dict[str, Any] = {"suppressed": True}
    traps.concentric(rod, rim, lock_rotation=True, **off)
    traps.tangent(rod, bottom, **off)
    traps.perpendicular(top, edge, **off)
    traps.distance(top, bottom, value=0.02, **off)
    traps.angle(top, bottom, value=3.0, **off)
    traps.lock(rod, hole, **off)
    traps.hinge(rod, hole, top, bottom, limits=(-1.0, 1.5), **off)
    traps.gear(rod, hole, ratio=(1, 4), reverse=True, **off)
    traps.rack_pinion(edge, hole, diameter=0.05, **off)
    traps.screw(rod, hole, lead=0.002, reverse=True, **off)
    traps.linear_coupler(top, bottom, ratio=(2, 3), references=(one.name, ""), **off)
    traps.universal(rod, hole, **off)
    traps.slot(rod, hole, constraint=2, distance=0.004, **off)
    traps.width(top, one.at(plane((0, 0, -0.01), (0, 0, -1))), bottom, other.at(plane((0, 0, 0.01), AXIS)), **off)
    traps.symmetric(top, bottom, ground(plane((0, 0, 0), AXIS)), **off)
    traps.profile_center(top, bottom, offset=0.001, lock_rotation=True, **off)
    traps.along_path(corner, edge, **off)
    traps.cam(edge, hole, **off)
    traps.coordinate(corner, one.at(point((0, 0, 0))), **off)
    traps.slider(top, bottom, **off)
    traps.magnetic(corner, one.at(point((0, 0, 0))), **off)
    traps.coincident(one.at(cone((0, 0, 0), AXIS, 0.5)), other.at(cone((0, 0, 0), AXIS, 0.5)), **off)
    traps.concentric(one.at(sphere((0, 0, 0), BORE)), other.at(sphere((0, 0, 0), BORE)), **off)
    traps.in_place(MateEntity(13, 2, other.name), MateEntity(13, 4, ""), **off)


def build() -> Capture:
    """The capture of the assembly."""
    traps = Assembly("every trap", configuration="As built")
    traps.coordinate_system("座標系1", pose(x=0.1, yaw=45))
    traps.axis("Axis of the gate", (0.5, 0, 0), (0.5, 0, 1))
    base = traps.part(Part("base plate", box(0.3, 0.3, 0.02, BORE), STEEL)).fixed()
    arm = Part("arm link", bar(0.2, 0.04, 0.02, BORE), ALUMINIUM)
    arm.configuration("Long", bar(0.3, 0.04, 0.02, BORE))
    first = traps.part(arm, pose(z=0.02, yaw=20)).state(appearance=colour(1, 0, 0, 0.5))
    twin = Part("arm_link", bar(0.2, 0.04, 0.02, BORE), ALUMINIUM)  # the same name after sanitizing
    long = traps.part(arm, pose(x=0.2, z=0.04), "Long")
    same = traps.part(twin, pose(z=0.3)).state(suppression=1)
    traps.concentric(base.at(shaft((0, 0, 0), AXIS, BORE)), first.at(shaft((0, 0, 0), AXIS, BORE)), name="Same Name")
    traps.coincident(base.at(plane((0, 0, 0.01), AXIS)), first.at(plane((0, 0, -0.01), (0, 0, -1))), alignment=1)
    traps.parallel(base.at(plane((0, 0, 0), SIDE)), first.at(plane((0, 0, 0), SIDE)), suppressed=True)
    traps.distance(base.at(plane((0, 0, 0), AXIS)), long.at(plane((0, 0, 0), AXIS)), value=0.05, error=46)
    traps.tangent(base.at(plane((0, 0, 0), AXIS)), same.at(sphere((0, 0, -0.2), 0.1)), error=47, warning=True)
    turned = long.at(plane((0, 0, 0), (cos(0.4), sin(0.4), 0)))
    traps.angle(base.at(plane((0, 0, 0), SIDE)), turned, value=0.4, limits=(0.1, 2.0))
    _add_mates_to_assembly(traps)
    _add_states(traps, base)
    traps.sub(hinge_unit(), pose(y=0.5))
    traps.sub(nested(), pose(y=1.0, roll=90)).flexible()
    traps.sub(_motor(), pose(x=1.0))
    every_mate(traps, first, long)
    return traps.capture()


def _add_mates_to_assembly(traps: Assembly) -> None:
    gate = traps.part(Part('gate "left"', box(0.2, 0.02, 0.3)), pose(x=0.5))
    hinge = shaft((0, 0, 0), AXIS, BORE)
    traps.coincident(ground(line((0.5, 0, 0), AXIS)), gate.at(line((0, 0, 0), AXIS)))
    traps.coincident(ground(plane((0, 0, 0), AXIS)), gate.at(plane((0, 0, 0), AXIS)))
    latch = traps.part(Part("latch", cylinder(BORE, 0.05), STEEL), pose(x=0.7))
    lost = hinge.of(None, latch.T_assembly_self)  # belongs to the latch, but SolidWorks does not return the component
    traps.concentric(gate.at(shaft((0.2, 0, 0), AXIS, BORE)), lost, name="Lost owner")
    traps.children[-1].states["mates"] = ("Lost owner",)


def _add_states(traps: Assembly, base: AssemblyComponent) -> None:
    """Adds components in every state, and copies without mates."""
    peg = Part("peg", cylinder(0.005, 0.03), STEEL)
    traps.part(peg, pose(x=0.1)).state(visible=0)
    traps.part(peg, pose(x=-0.1)).state(suppression=0)
    traps.part(peg, pose(y=0.1)).state(pattern_instance=True)
    traps.part(peg, pose(y=-0.1)).state(mirrored=True)
    traps.part(peg, pose(x=0.1, y=0.1)).state(assembly_features=True)
    traps.part(Part("envelope", box(1, 1, 1)), pose(z=0.5)).state(envelope=True)
    traps.part(Part("made here^every trap", ball(0.02)), pose(z=0.6)).state(virtual=True, suppression=2)
    traps.part(Part("sketch only"), pose(z=0.7))
    painted = box(0.05, 0.05, 0.05).painted(colour(0, 1, 0)) + cylinder(0.01, 0.02).moved(pose(z=0.035))
    traps.part(Part("two colours", painted).painted(colour(0, 0, 1)).override_mass(2.5), pose(z=0.8))
    for name in ("M3x6", "SSFJW8-31-M4-N4", "joint_M2", "screwlock"):
        screw = traps.part(Part(name, cylinder(0.0015, 0.006), STEEL), pose(x=0.12, y=0.05))
        traps.concentric(base.at(shaft((0.12, 0.05, 0), AXIS, 0.0015)), screw.at(shaft((0, 0, 0), AXIS, 0.0015)))


def _motor() -> Assembly:
    """A sub-assembly with an overridden mass."""
    motor = Assembly("motor").override_mass(1.2)
    stator = motor.part(Part("stator", cylinder(0.03, 0.06, BORE), STEEL)).fixed()
    rotor = motor.part(Part("rotor", cylinder(BORE, 0.08), STEEL)).state(suppression=4)
    motor.concentric(stator.at(shaft((0, 0, 0), AXIS, BORE)), rotor.at(shaft((0, 0, 0), AXIS, BORE)))
    return motor
