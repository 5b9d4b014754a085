"""The six-axis arm: hubs on pins, limits on the large joints, a hinge mate in the wrist, bolts at the base."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from swgrm.capture import Capture
from swgrm_mocks.builder import ALUMINIUM, STEEL, Assembly, AssemblyComponent, Part, colour, pose
from swgrm_mocks.mates import ground, plane, shaft
from swgrm_mocks.solids import Solid, box, cylinder

if TYPE_CHECKING:
    from swgrm.transforms import Array

UP = pose(roll=-90)  # y is up in SolidWorks
AXIS = (0.0, 0.0, 1.0)
ORANGE, GREY, DARK = colour(0.95, 0.45, 0.1), colour(0.7, 0.7, 0.72), colour(0.2, 0.2, 0.22)
HUB, BORE, HEIGHT, SHOULDER = 0.05, 0.02, 0.06, 0.03  # [m] outer radius, bore, hub height, shoulder height
PIN = 0.045  # [m] height; a beam may enter the bore above it
SIDE = (HEIGHT + SHOULDER) / 2  # [m] from the middle of a hub to the middle of the shoulder below it
OVERLAP = 0.006  # [m] of a beam and a hub

NEXT = (  # from the frame of a link, on its axis, to the next axis; a beam goes straight to the next shoulder
    pose(z=0.16),
    pose(y=-SIDE, z=0.14, roll=90),
    pose(x=0.42, z=SIDE),
    pose(x=0.38, z=-SIDE, roll=180),
    pose(y=2 * SIDE, z=0.03, roll=-90),
    pose(y=2 * SIDE, z=0.03, roll=-90),
)
ANGLES = (0.3, 1.1, -1.6, -0.5, -0.9, 0.4)  # [rad] in the assembled pose
LIMITS = ((0.0, 3.1), (0.1, 2.4), (0.2, 2.6), None, (-2.0, 2.0), None)  # [rad] of the limit mates
NAMES = ("base", "shoulder", "upper_arm", "forearm", "wrist_1", "wrist_2", "flange")


def hub() -> Solid:
    """The hub around the axis of a link, which rotates on the pin of the previous link."""
    return cylinder(HUB, HEIGHT, BORE)


def pin() -> Solid:
    """The shoulder and the pin at the next axis, on which the hub of the next link rotates."""
    return cylinder(HUB, SHOULDER).moved(pose(z=-SIDE)) + cylinder(BORE, PIN).moved(pose(z=(PIN - HEIGHT) / 2))


def extent(direction: Array, height: float) -> float:
    """The distance from the centre to the surface of a cylinder along z with the hub's radius."""
    across, upward = np.hypot(direction[0], direction[1]), abs(direction[2])
    return float(min(HUB / max(across, 1e-9), height / 2 / max(upward, 1e-9)))


def beam(T_self_next: Array) -> Solid:
    """The beam between a hub and the shoulder of the next axis, overlapping both."""
    end = (T_self_next @ pose(z=-SIDE))[:3, 3]
    along, axis = end / np.linalg.norm(end), T_self_next[:3, 2]
    start = extent(along, HEIGHT) - OVERLAP
    length = float(np.linalg.norm(end)) - extent(T_self_next[:3, :3].T @ along, SHOULDER) + OVERLAP - start
    if length <= 0.0:
        return Solid(())
    T = np.eye(4)
    T[:3, :3] = np.stack([np.cross(axis, along), axis, along], axis=1)
    T[:3, 3] = along * (start + length / 2)
    return box(0.05, SHOULDER, length).moved(T)


def parts() -> list[Part]:
    """The seven parts."""
    foot = box(0.2, 0.2, 0.02).moved(pose(z=0.01)) + cylinder(0.07, 0.08).moved(pose(z=0.06))
    base = Part(NAMES[0], foot + pin().moved(NEXT[0]), STEEL).painted(DARK)
    links = [
        Part(name, hub() + beam(T) + pin().moved(T), ALUMINIUM).painted(ORANGE if number % 2 else GREY)
        for number, (name, T) in enumerate(zip(NAMES[1:-1], NEXT[1:], strict=True))
    ]
    flange = Part(NAMES[-1], hub() + cylinder(0.04, 0.01).moved(pose(z=0.035)).painted(colour(0.1, 0.1, 0.8)), STEEL)
    base.coordinate_system("imu", pose(x=0.05, z=0.03, yaw=90))
    base.plane("mounting_plane", pose(roll=180))
    base.point("calibration_point", (0.09, 0.09, 0.02))
    flange.coordinate_system("tool0", pose(z=0.04))
    flange.coordinate_system("camera", pose(x=0.05, z=0.04, pitch=10))
    flange.axis("spin_axis", (0.0, 0.0, 0.0), (0.0, 0.0, 0.1))
    base.custom_property("Description", "Base of the arm")
    links[1].custom_property("joint.effort", "150")
    return [base, *links, flange]


def join(arm: Assembly, before: AssemblyComponent, after: AssemblyComponent, number: int) -> None:
    """Mates a hub to a pin: concentric and coincident, or a hinge mate; and a limit angle if the joint has one."""
    T = NEXT[number]
    low = (0.0, 0.0, -HEIGHT / 2)
    outer = shaft((T @ [0, 0, 0, 1])[:3], T[:3, 2], BORE)
    seat = plane((T @ [*low, 1])[:3], T[:3, 2])
    inner, face = shaft((0.0, 0.0, 0.01), AXIS, BORE), plane(low, (0.0, 0.0, -1.0))
    if number == 3:
        arm.hinge(before.at(outer), after.at(inner), before.at(seat), after.at(face))
        return
    arm.concentric(before.at(outer), after.at(inner))
    arm.coincident(before.at(seat), after.at(face), alignment=1)
    limits = LIMITS[number]
    if limits is not None:
        side = plane((T @ [0, 0, 0, 1])[:3], T[:3, 0])
        other_side = plane((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
        arm.angle(before.at(side), after.at(other_side), value=abs(ANGLES[number]), limits=limits)


def build() -> Capture:
    """The capture of the arm."""
    arm = Assembly("arm")
    arm.custom_property("manufacturer", "Example Robotics")
    arm.custom_property("robot.payload", "5", of_configuration=True)
    all_parts = parts()
    before, T = arm.part(all_parts[0], UP).fixed(), UP
    for number, part in enumerate(all_parts[1:]):
        T = T @ NEXT[number] @ pose(yaw=float(np.degrees(ANGLES[number])))
        after = arm.part(part, T)
        join(arm, before, after, number)
        before = after
    _bolts(arm)
    return arm.capture()


def _bolts(arm: Assembly) -> None:
    """Adds four Toolbox screws to the base, two of them lightweight."""
    solid = cylinder(0.003, 0.02) + cylinder(0.005, 0.006).moved(pose(z=0.013))
    screw = Part("ISO 4762 M6x20", solid, STEEL).from_toolbox()
    base = arm.children[0]
    for number, (x, y) in enumerate(((0.08, 0.08), (-0.08, 0.08), (-0.08, -0.08), (0.08, -0.08))):
        bolt = arm.part(screw, UP @ pose(x=x, y=y, z=0.01)).state(suppression=1 if number % 2 else 3)
        arm.concentric(base.at(shaft((x, y, 0.02), AXIS, 0.003)), bolt.at(shaft((0, 0, 0), AXIS, 0.003)))
        arm.coincident(base.at(plane((x, y, 0.02), AXIS)), bolt.at(plane((0, 0, 0.01), (0, 0, -1))), alignment=1)
    arm.parallel(ground(plane((0, 0, 0), (0, 1, 0))), base.at(plane((0, 0, 0), AXIS)))
