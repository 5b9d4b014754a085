"""The parallel gripper: a rack turns a pinion, and the pinion moves the racks of two fingers in opposite directions."""

from __future__ import annotations

from swgrm.capture import Capture
from swgrm_mocks.builder import ALUMINIUM, STEEL, Assembly, AssemblyComponent, Part, colour, pose
from swgrm_mocks.mates import line, plane, shaft
from swgrm_mocks.solids import Solid, box, cylinder

AXIS, DOWN = (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)
BORE, PITCH = 0.006, 0.01  # [m] radii of the bore and the pitch circle of the pinion
ENCODER = (-0.025, 0.0)  # [m] where the gear of an encoder meshes with the pinion, whose centre is the origin
WHEEL = 0.015  # [m] pitch radius of that gear
STROKE, OPEN = 0.02, 0.028  # [m] of each finger to either side, and from the centre to a finger, as assembled
TOP, LEDGE, BLADE = 0.01, 0.021, 0.033  # [m] heights of the palm, of the ledges, and of the blades of the fingers
RACK = 0.005  # [m] half the width of a rack


def palm() -> Solid:
    """The plate with a pin for each gear, and a ledge under the rack of each finger."""
    solid = box(0.18, 0.14, 2 * TOP).moved(pose(y=-0.02))
    for x, y in ((0.0, 0.0), ENCODER):
        solid += cylinder(BORE, 0.02).moved(pose(x=x, y=y, z=0.02))
    for side in (-1, 1):
        at = pose(x=side * 0.06, y=-side * (PITCH + RACK), z=(TOP + LEDGE) / 2)
        solid += box(0.03, 2 * RACK, LEDGE - TOP).moved(at)
    return solid


def finger(side: int) -> Solid:
    """The finger at the left (-1) or right (1): a rack beside the pinion, and a blade above both racks."""
    rack = box(0.1, 2 * RACK, 0.01).moved(pose(x=-side * 0.01, y=-side * (PITCH + RACK), z=LEDGE + 0.005))
    foot = box(0.016, 2 * RACK, 0.002).moved(pose(y=-side * (PITCH + RACK), z=BLADE - 0.001))
    blade = box(0.016, 0.18, 0.016).moved(pose(y=0.06, z=BLADE + 0.008))
    return rack + foot + blade


def on_pin(gripper: Assembly, base: AssemblyComponent, gear: AssemblyComponent, x: float, y: float) -> None:
    """Mates a gear to a pin of the palm, so that it can rotate."""
    gripper.concentric(base.at(shaft((x, y, 0.02), AXIS, BORE)), gear.at(shaft((0, 0, 0), AXIS, BORE)))
    gripper.coincident(base.at(plane((x, y, TOP), AXIS)), gear.at(plane((0, 0, 0), DOWN)), alignment=1)


def on_ledge(gripper: Assembly, base: AssemblyComponent, jaw: AssemblyComponent, side: int) -> None:
    """Mates the rack of a finger to its ledge, so that it can slide."""
    y = -side * PITCH
    gripper.coincident(base.at(plane((0, 0, LEDGE), AXIS)), jaw.at(plane((0, 0, LEDGE), DOWN)), alignment=1)
    gripper.coincident(base.at(plane((0, y, 0), (0, -side, 0))), jaw.at(plane((0, y, 0), (0, side, 0))), alignment=1)


def build() -> Capture:
    """The capture of the gripper, half open."""
    gripper = Assembly("gripper")
    palm_part = Part("palm", palm(), ALUMINIUM).painted(colour(0.3, 0.3, 0.35))
    palm_part.coordinate_system("grasp_center", pose(y=0.13, z=BLADE + 0.008, roll=-90))
    base = gripper.part(palm_part).fixed()
    teeth = cylinder(PITCH, 0.02, BORE).moved(pose(z=0.01))
    pinion = gripper.part(Part("pinion", teeth, STEEL), pose(z=TOP))
    gear_part = Part("encoder_gear", cylinder(WHEEL, 0.009, BORE).moved(pose(z=0.0045)), STEEL)
    encoder = gripper.part(gear_part.painted(colour(0.9, 0.7, 0.2)), pose(*ENCODER, TOP))
    rack = gripper.part(Part("rack", box(2 * RACK, 0.1, 0.01), STEEL), pose(x=PITCH + RACK, y=-0.02, z=TOP + 0.005))
    finger_part = Part("finger", finger(-1), ALUMINIUM).configuration("Right", finger(1)).painted(colour(0.8, 0.8, 0.2))
    left = gripper.part(finger_part, pose(x=-OPEN))
    right = gripper.part(finger_part, pose(x=OPEN), "Right")

    on_pin(gripper, base, pinion, 0.0, 0.0)
    on_pin(gripper, base, encoder, *ENCODER)
    gripper.coincident(base.at(plane((0, 0, TOP), AXIS)), rack.at(plane((0, 0, -0.005), DOWN)), alignment=1)
    side = plane((PITCH, 0, TOP), (1, 0, 0))
    gripper.coincident(base.at(side), rack.at(plane((-RACK, 0, 0), (-1, 0, 0))), alignment=1)
    end = plane((0, -0.05, 0), (0, -1, 0))
    gripper.distance(
        base.at(plane((0, -0.09, 0), (0, -1, 0))), rack.at(end), value=STROKE, limits=(0.0, 2 * STROKE)
    )  # fmt: skip
    pitch = pinion.at(shaft((0, 0, 0), AXIS, PITCH))
    gripper.rack_pinion(rack.at(line((-RACK, 0, 0), (0, 1, 0))), pitch, diameter=2 * PITCH)
    for jaw, which in ((left, -1), (right, 1)):
        on_ledge(gripper, base, jaw, which)
        edge = jaw.at(line((0, -which * PITCH, LEDGE), (1, 0, 0)))
        gripper.rack_pinion(edge, pitch, diameter=2 * PITCH, reverse=which < 0)
    gripper.gear(pitch, encoder.at(shaft((0, 0, 0), AXIS, WHEEL)), ratio=(WHEEL, PITCH))
    return gripper.capture()
