"""The mobile base: two drive wheels and two swivel casters; no component is fixed."""

from __future__ import annotations

from swgrm.capture import Capture
from swgrm_mocks.builder import ALUMINIUM, STEEL, Assembly, AssemblyComponent, Part, colour, pose
from swgrm_mocks.mates import plane, shaft
from swgrm_mocks.solids import Solid, box, cylinder

RADIUS, TRACK, AXLE = 0.08, 0.36, 0.01  # [m]
CASTER, POST, DROP, WHEELBASE = (
    0.02,
    0.012,
    0.03,
    0.21,
)  # [m] radii of a caster's wheel and post; from the axles to the casters
AXIS = (0.0, 0.0, 1.0)
UP = pose(roll=-90)


def caster() -> Assembly:
    """The sub-assembly of a caster: a fork and a wheel."""
    assembly = Assembly("caster")
    axle = pose(x=-0.02, z=CASTER + DROP - RADIUS, roll=-90)
    fork_solid = cylinder(POST, 0.03).moved(pose(z=0.015)) + box(0.06, 0.036, 0.006).moved(pose(x=-0.01, z=-0.003))
    for y in (-0.015, 0.015):
        fork_solid += box(0.016, 0.006, 0.032).moved(pose(x=-0.02, y=y, z=-0.022))
    fork = assembly.part(Part("fork", fork_solid + cylinder(AXLE / 2, 0.024).moved(axle), STEEL)).fixed()
    wheel = assembly.part(Part("caster_wheel", cylinder(CASTER, 0.02, AXLE / 2)).painted(colour(0.1, 0.1, 0.1)), axle)
    along = (0.0, 1.0, 0.0)
    assembly.concentric(fork.at(shaft(axle[:3, 3], along, AXLE / 2)), wheel.at(shaft((0, 0, 0), AXIS, AXLE / 2)))
    assembly.width(
        fork.at(plane((0, 0.012, 0), along)), fork.at(plane((0, -0.012, 0), (0, -1, 0))),
        wheel.at(plane((0, 0, 0.01), AXIS)), wheel.at(plane((0, 0, -0.01), (0, 0, -1))),
    )  # fmt: skip
    return assembly


def drive(base: Assembly, chassis: AssemblyComponent, wheel: AssemblyComponent, side: float) -> None:
    """Mates a drive wheel to its axle."""
    out = (0.0, side, 0.0)
    base.concentric(chassis.at(shaft((0, side * TRACK / 2, 0), out, AXLE)), wheel.at(shaft((0, 0, 0), AXIS, AXLE)))
    hub = plane((0, side * (TRACK / 2 - 0.02), 0), out)
    base.coincident(chassis.at(hub), wheel.at(plane((0, 0, -0.02), (0, 0, -1))), alignment=1)


def frame() -> Solid:
    """The chassis: a box under a deck, a hub and an axle at each side, a tube for the post of each caster."""
    solid = box(0.32, TRACK - 0.06, 0.08).moved(pose(z=0.01)) + box(0.5, TRACK - 0.05, 0.02).moved(pose(z=0.06))
    for side in (-1, 1):
        hub = cylinder(2 * AXLE, 0.01).moved(pose(y=side * (TRACK / 2 - 0.025), roll=90))
        axle = cylinder(AXLE, 0.04).moved(pose(y=side * TRACK / 2, roll=90))
        tube = cylinder(0.03, 0.08, POST).moved(pose(x=side * WHEELBASE, z=0.01))
        solid += hub + axle + tube
    return solid


def build() -> Capture:
    """The capture of the mobile base."""
    base = Assembly("mobile_base")
    part = Part("chassis", frame(), ALUMINIUM).painted(colour(0.2, 0.4, 0.8))
    part.coordinate_system("lidar", pose(x=0.2, z=0.09))
    part.coordinate_system("imu", pose(z=0.07))
    T = UP @ pose(z=RADIUS)
    chassis = base.part(part, T)
    wheel = Part("drive_wheel", cylinder(RADIUS, 0.04, AXLE)).painted(colour(0.1, 0.1, 0.1)).override_mass(0.8)
    left = base.part(wheel, T @ pose(y=TRACK / 2, roll=-90))
    right = base.part(wheel, T @ pose(y=-TRACK / 2, roll=90)).state(mirrored=True)
    drive(base, chassis, left, 1.0)
    drive(base, chassis, right, -1.0)
    both = caster()
    for x, yaw in ((WHEELBASE, 0.0), (-WHEELBASE, 30.0)):
        swivel = base.sub(both, T @ pose(x=x, z=-DROP, yaw=yaw)).flexible()
        fork = swivel / "fork-1"
        base.concentric(chassis.at(shaft((x, 0, 0), AXIS, POST)), fork.at(shaft((0, 0, 0), AXIS, POST)))
        base.coincident(chassis.at(plane((x, 0, -DROP), (0, 0, -1))), fork.at(plane((0, 0, 0), AXIS)), alignment=1)
    return base.capture()
