"""The quill of a SCARA: a shaft in a ball screw nut and a spline nut, each of which a motor turns."""

from __future__ import annotations

from swgrm.capture import Capture
from swgrm_mocks.builder import ALUMINIUM, STEEL, Assembly, Part, colour, pose
from swgrm_mocks.mates import plane, shaft
from swgrm_mocks.solids import box, cylinder

LEAD, TRAVEL = 0.02, 0.15  # [m]
QUILL, NUT = 0.008, 0.02  # [m] radii
AXIS = (0.0, 0.0, 1.0)


def build() -> Capture:
    """The quill, in the middle of its travel."""
    head = Assembly("spline_quill")
    housing = head.part(Part("housing", box(0.08, 0.08, 0.12, NUT), ALUMINIUM)).fixed()
    nuts = []
    for name, z in (("screw_drive", 0.03), ("spline_drive", -0.03)):
        nut = head.part(Part(name, cylinder(NUT, 0.03, QUILL), STEEL), pose(z=z))
        head.concentric(housing.at(shaft((0, 0, 0), AXIS, NUT)), nut.at(shaft((0, 0, 0), AXIS, NUT)))
        head.coincident(housing.at(plane((0, 0, z), AXIS)), nut.at(plane((0, 0, 0), AXIS)))
        nuts.append(nut)
    quill_part = Part("quill", cylinder(QUILL, 0.4), STEEL).painted(colour(0.8, 0.8, 0.85))
    quill_part.coordinate_system("tool0", pose(z=-0.2, pitch=180))
    quill = head.part(quill_part)
    bore = shaft((0, 0, 0), AXIS, QUILL)
    head.concentric(nuts[1].at(bore), quill.at(bore), lock_rotation=True)
    head.concentric(nuts[0].at(bore), quill.at(bore))
    head.screw(nuts[0].at(bore), quill.at(bore), lead=LEAD)
    head.distance(
        nuts[1].at(plane((0, 0, -TRAVEL / 2), AXIS)), quill.at(plane((0, 0, 0), AXIS)), value=TRAVEL / 2 + 0.03,
        limits=(0.03, TRAVEL + 0.03),
    )  # fmt: skip
    return head.capture()
