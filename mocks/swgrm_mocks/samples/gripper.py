"""The gripper: a rack drives a pinion, and gears drive the two fingers in opposite directions."""

from __future__ import annotations

from swgrm.capture import Capture
from swgrm_mocks.builder import ALUMINIUM, STEEL, Assembly, AssemblyComponent, Part, colour, pose
from swgrm_mocks.mates import line, plane, shaft
from swgrm_mocks.solids import bar, box, cylinder

AXIS = (0.0, 0.0, 1.0)
BORE, PITCH = 0.006, 0.02  # [m] bore and pitch radius of the gears


def on_pin(gripper: Assembly, palm: AssemblyComponent, part: AssemblyComponent, x: float, y: float) -> None:
    """Mates a part to a pin of the palm, so that it can rotate."""
    gripper.concentric(palm.at(shaft((x, y, 0.02), AXIS, BORE)), part.at(shaft((0, 0, 0), AXIS, BORE)))
    gripper.coincident(palm.at(plane((x, y, 0.01), AXIS)), part.at(plane((0, 0, -0.005), (0, 0, -1))), alignment=1)


def build() -> Capture:
    """Returns the capture of the gripper."""
    gripper = Assembly("gripper")
    pins = [cylinder(BORE, 0.02).moved(pose(x=x, y=y, z=0.02)) for x, y in ((-PITCH, 0), (PITCH, 0), (0, -0.04))]
    body = box(0.12, 0.14, 0.02).moved(pose(y=-0.04)) + pins[0] + pins[1] + pins[2]
    palm_part = Part("palm", body, ALUMINIUM).painted(colour(0.3, 0.3, 0.35))
    palm_part.coordinate_system("grasp_center", pose(y=0.12, z=0.015))
    palm = gripper.part(palm_part).fixed()

    finger_part = Part("finger", bar(0.12, 0.03, 0.01, BORE), ALUMINIUM).painted(colour(0.8, 0.8, 0.2))
    left = gripper.part(finger_part, pose(x=-PITCH, z=0.015, yaw=110))
    right = gripper.part(finger_part, pose(x=PITCH, z=0.015, yaw=70))
    pinion = gripper.part(Part("pinion", cylinder(PITCH / 2, 0.01, BORE), STEEL), pose(y=-0.04, z=0.015))
    rack = gripper.part(Part("rack", box(0.01, 0.1, 0.01), STEEL), pose(x=PITCH / 2 + 0.005, y=-0.04, z=0.015))
    for part, x, y in ((left, -PITCH, 0.0), (right, PITCH, 0.0), (pinion, 0.0, -0.04)):
        on_pin(gripper, palm, part, x, y)
    gripper.coincident(palm.at(plane((0, 0, 0.01), AXIS)), rack.at(plane((0, 0, -0.005), (0, 0, -1))), alignment=1)
    side = plane((PITCH / 2, -0.04, 0.015), (1, 0, 0))
    gripper.coincident(palm.at(side), rack.at(plane((-0.005, 0, 0), (-1, 0, 0))), alignment=1)
    gripper.distance(
        palm.at(plane((0, -0.11, 0), (0, -1, 0))), rack.at(plane((0, -0.05, 0), (0, -1, 0))), value=0.02,
        limits=(0.0, 0.04),
    )  # fmt: skip
    gripper.rack_pinion(
        rack.at(line((-0.005, 0, 0), (0, 1, 0))), pinion.at(shaft((0, 0, 0), AXIS, PITCH / 2)), diameter=PITCH
    )
    wheel = shaft((0, 0, 0), AXIS, PITCH)
    gripper.gear(left.at(wheel), right.at(wheel), ratio=(1.0, 1.0))
    gripper.gear(pinion.at(shaft((0, 0, 0), AXIS, PITCH / 2)), left.at(wheel), ratio=(1.0, 2.0))
    return gripper.capture()
