"""The lead-screw stage: a carriage on twin rails, driven by a screw of 5 mm lead."""

from __future__ import annotations

from swgrm.capture import Capture
from swgrm_mocks.builder import ALUMINIUM, STEEL, Assembly, Part, colour, pose
from swgrm_mocks.mates import plane, shaft
from swgrm_mocks.solids import box, cylinder

TRAVEL, LEAD = 0.3, 0.005  # [m]
RAIL, SCREW = 0.006, 0.005  # [m] radii
ALONG = (1.0, 0.0, 0.0)
AXIS = (0.0, 0.0, 1.0)
UP = pose(roll=-90)  # y is up in SolidWorks


def build() -> Capture:
    """The capture of the stage, with the carriage at a third of its travel."""
    stage = Assembly("lead_screw")
    along = pose(pitch=90)
    length = TRAVEL + 0.12
    ends = [box(0.13, 0.12, 0.02, SCREW).moved(pose(x=x) @ along) for x in (-length / 2, length / 2)]
    rails = [cylinder(RAIL, length - 0.02).moved(pose(y=y) @ along) for y in (-0.04, 0.04)]
    frame = ends[0] + ends[1] + rails[0] + rails[1] + box(length, 0.12, 0.01).moved(pose(z=-0.07))
    base = stage.part(Part("frame", frame, ALUMINIUM), UP).fixed()
    screw_part = Part("lead_screw", cylinder(SCREW, length + 0.04), STEEL).painted(colour(0.8, 0.7, 0.3))
    screw = stage.part(screw_part, UP @ along)
    holes = [box(0.05, 0.03, 0.08, radius).moved(pose(y=y) @ along) for y, radius in ((-0.04, RAIL), (0.04, RAIL))]
    nut = box(0.05, 0.05, 0.08, SCREW).moved(along)
    at = -TRAVEL / 2 + TRAVEL / 3
    carriage_part = Part("carriage", nut + holes[0] + holes[1], ALUMINIUM).painted(colour(0.9, 0.3, 0.2))
    carriage_part.coordinate_system("tool0", pose(z=0.03))
    carriage = stage.part(carriage_part, UP @ pose(x=at))
    stage.concentric(base.at(shaft((0, 0, 0), ALONG, SCREW)), screw.at(shaft((0, 0, 0), AXIS, SCREW)))
    stage.coincident(base.at(plane((length / 2 + 0.01, 0, 0), ALONG)), screw.at(plane((0, 0, length / 2 + 0.01), AXIS)))
    for y in (-0.04, 0.04):
        stage.concentric(base.at(shaft((0, y, 0), ALONG, RAIL)), carriage.at(shaft((0, y, 0), ALONG, RAIL)))
    stage.distance(
        base.at(plane((-TRAVEL / 2, 0, 0), ALONG)), carriage.at(plane((0, 0, 0), ALONG)), value=TRAVEL / 3,
        limits=(0.0, TRAVEL),
    )  # fmt: skip
    stage.screw(screw.at(shaft((0, 0, 0), AXIS, SCREW)), carriage.at(shaft((0, 0, 0), ALONG, SCREW)), lead=LEAD)
    return stage.capture()
