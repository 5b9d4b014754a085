"""Parts as vendors deliver them: dozens of bodies, a few of them open, several colours, configurations.

`size` is relative to a drive of 80 mm diameter; `detail` scales the number of triangles along each direction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from swgrm.capture import Face, MassProperties, PartBody, PartShape
from swgrm.transforms import Array
from swgrm_mocks.builder import UNSET, Part, colour
from swgrm_mocks.large import surfaces
from swgrm_mocks.solids import Solid, SolidFace

SOLID, SHEET = 0, 1  # swBodyType_e
FACE_TRIANGLES = 64  # of a face, about
BLACK, SILVER, GOLD = colour(0.1, 0.1, 0.1), colour(0.75, 0.76, 0.78), colour(0.9, 0.75, 0.3)
GREEN, RED, WHITE = colour(0, 0.4, 0.1), colour(0.8, 0.1, 0.1), colour(0.95, 0.95, 0.95)
ORANGE, BLUE = colour(0.95, 0.45, 0.1), colour(0.1, 0.2, 0.7)

Appearance = tuple[float, ...]


class Body(NamedTuple):
    """A body of a part; the faces take the face colours in turn, and then none, seven in a cycle."""

    name: str
    triangles: Array  # (n, 3, 3) [m]
    colour: Appearance | None = None
    type: int = SOLID
    face_colours: tuple[Appearance, ...] = ()


class SizedJoint(NamedTuple):
    """A joint of a link: its frame in the link, z along its axis, and the size of its drive."""

    T: Array  # (4, 4) T_link_joint
    size: float


class DetailedPart(Part):
    """A part of several bodies in one or more configurations; sheets have no mass."""

    def __init__(
        self,
        name: str,
        bodies: Sequence[Body],
        material: tuple[str, float] = UNSET,
        configurations: Mapping[str, Sequence[Body]] | None = None,
    ) -> None:
        super().__init__(name, None, material)
        self.bodies = {"Default": bodies, **(configurations or {})}
        self.solids = dict.fromkeys(self.bodies)

    def mass(self, configuration: str, T_root_part: Array) -> MassProperties | None:
        """Its mass properties at the pose of a component, in root coordinates."""
        closed = [SolidFace(body.triangles) for body in self.bodies[configuration] if body.type == SOLID]
        return Solid(tuple(closed)).mass_properties(self.density, T_root_part) if closed else None

    def shape(self, configuration: str, variant: str, through: str, T_root_part: Array) -> PartShape:
        """Its mass and bodies as read through a component."""
        records, triangles = [], []
        for body in self.bodies[configuration]:
            rounded = body.triangles.astype("<f4")
            corners = rounded.reshape(-1, 3)
            box = tuple(float(x) for x in (*corners.min(axis=0), *corners.max(axis=0)))
            records.append(PartBody(body.name, body.type, box, appearance=body.colour, faces=_faces(body)))
            triangles.append(rounded.tobytes())
        mass = self.mass(configuration, T_root_part)
        return PartShape(self.path, configuration, variant, through, mass, tuple(records), b"".join(triangles))


def _faces(body: Body) -> tuple[Face, ...]:
    """The triangles of a body, divided into faces in their order."""
    count = len(body.triangles)
    colours = (*body.face_colours, *[None] * 7)[:7]
    faces = []
    for number, start in enumerate(range(0, count, FACE_TRIANGLES)):
        faces.append(Face(min(FACE_TRIANGLES, count - start), colours[number % 7]))
    return tuple(faces)


def steps_of(detail: float, least: int = 6) -> Callable[[int], int]:
    """A function that scales a number of triangles along one direction."""
    return lambda count: max(least, int(count * detail))


def number_bodies(name: str, solids: Sequence[Array], appearance: Appearance) -> list[Body]:
    """Bodies that differ only in their place."""
    return [Body(f"{name}{number}", triangles, appearance) for number, triangles in enumerate(solids)]


def _in_millimetres(profile: Sequence[tuple[float, float]], size: float) -> list[tuple[float, float]]:
    """A profile [mm] of a drive of size 1, scaled, in metres."""
    return [(size * radius / 1000, size * height / 1000) for radius, height in profile]


def cap_screw(diameter: float, length: float, *, is_modelled: bool = False) -> list[Body]:
    """A cap screw from under its head along -z; its thread is modelled or a cylinder."""
    radius = diameter / 2
    if is_modelled:
        shank = surfaces.thread(radius, 0.15 * diameter, -length, 0, 24)
    else:
        shank = surfaces.cylinder(radius, -length, 0, 24)
    profile = [(0.75, 0), (0.75, 0.9), (0.7, 1), (0.45, 1), (0.43, 0.4)]
    head = surfaces.turned_ring([(diameter * r, diameter * z) for r, z in profile], 36)
    core = surfaces.cylinder(0.44 * diameter, -0.1 * diameter, 0.4 * diameter, 36)
    return [Body("Cut-Extrude1", np.concatenate([shank, head, core]))]


def motor(size: float, detail: float) -> list[Body]:
    """A servo motor below z = 0, with 60 bodies; its radius is 40 mm at size 1."""
    steps = steps_of(detail)

    def fins(angle: Array, _height: Array) -> Array:
        return np.asarray(size * (0.036 + 0.004 * (np.sin(36 * angle) > 0)))

    def knurl(angle: Array, height: Array) -> Array:
        ridges = np.sin(60 * angle + 900 * height) * np.sin(60 * angle - 900 * height)
        return np.asarray(size * (0.034 + 0.001 * ridges))

    def teeth(angle: Array, height: Array) -> Array:
        return np.asarray(size * (0.006 + 0.00037 * np.clip(2 * np.sin(18 * (angle + 8 * height)), -1, 1)))

    flange = _in_millimetres([(40, -11), (40, 0), (12, 0), (12, -11)], size)
    shaft = surfaces.thread(0.006 * size, 0.001, -0.03 * size, 0.012 * size, steps(64), steps(6))
    encoder = surfaces.tube(0.03 * size, 0.008 * size, -0.001 - 0.078 * size, -0.078 * size, steps(48))
    sticker = surfaces.block(0.03 * size, 0.0001, 0.015 * size, 1e-5)[:40]
    label = surfaces.shift(sticker, 0, 0.041 * size, -0.04 * size)
    dome = surfaces.shift(surfaces.ball(0.03 * size, steps(40), steps(24))[: steps(700)], 0, 0, -0.07 * size)
    planet = surfaces.column(teeth, -0.028 * size, -0.016 * size, 18 * steps(8), steps(12))
    ball = surfaces.ball(0.002 * size, steps(16), steps(10))
    screw = cap_screw(0.004 * size, 0.01 * size, is_modelled=True)[0].triangles
    pin = surfaces.cylinder(0.0004, 0, 0.008, 8)
    return [
        Body("Gehäuse", surfaces.column(fins, -0.075 * size, -0.012 * size, steps(480), steps(40)), BLACK),
        Body("Rändel", surfaces.column(knurl, -0.09 * size, -0.076 * size, steps(240), steps(24)), SILVER),
        Body("Flansch", surfaces.turned_ring(flange, steps(96)), SILVER),
        Body("Welle", shaft, SILVER),
        Body("基板", encoder, GREEN),
        Body("label", label, WHITE, SHEET),
        Body("dome", dome, None, SHEET),
        *number_bodies("Planet", surfaces.copies_around(planet, 6, 0.016 * size), GOLD),
        *number_bodies("Kugel", surfaces.copies_around(ball, 18, 0.01 * size, -0.035 * size), SILVER),
        *number_bodies("Schraube", surfaces.copies_around(screw, 8, 0.034 * size, -0.011 * size), BLACK),
        *number_bodies("pin", surfaces.copies_around(pin, 24, 0.041 * size, -0.06 * size), GOLD),
    ]


def gearbox(size: float, detail: float) -> list[Body]:
    """A strain wave gear about z from -28 to -3 mm: a ring with 200 inner teeth, crossed rollers, screws."""
    steps = steps_of(detail, 8)
    inside = [(30.0, float(z)) for z in np.linspace(-14, -28, steps(10))]
    spline = _in_millimetres([(42, -28), (42, -14), *inside], size)
    race = surfaces.tube(0.042 * size, 0.036 * size, -0.013 * size, -0.003 * size, steps(128))
    roller = surfaces.cylinder(0.0017 * size, -0.01 * size, -0.006 * size, steps(24))
    screw = cap_screw(0.003 * size, 0.01 * size, is_modelled=True)[0].triangles
    return [
        Body("spline", surfaces.turned_ring(spline, steps(1600), 200, 0.0005 * size), SILVER),
        Body("outer race", race, SILVER),
        *number_bodies("roller", surfaces.copies_around(roller, 60, 0.0335 * size), SILVER),
        *number_bodies("screw", surfaces.copies_around(screw, 16, 0.039 * size, -0.013 * size), BLACK),
    ]


def output_flange(size: float, detail: float) -> list[Body]:
    """The output of the gear, in the bore of its ring, with a flange at z = 0."""
    steps = steps_of(detail, 8)

    def teeth(angle: Array, _height: Array) -> Array:
        return np.asarray(size * (0.029 + 0.0004 * np.sin(198 * angle)))

    profile = [(30, -11), (30, -2), (38, 0), (38, 8), (10, 8), (10, -11)]
    flange = surfaces.turned_ring(_in_millimetres(profile, size), steps(96))
    cup = surfaces.column(teeth, -0.027 * size, -0.012 * size, steps(1584), steps(10))
    return [Body("cup", cup, SILVER), Body("flange", flange, SILVER, face_colours=(ORANGE,))]


def circuit_board(seed: int, detail: float) -> list[Body]:
    """A board of 60 by 40 mm with chips, capacitors, a connector and its print, which is an open surface."""
    steps = steps_of(detail)
    rng = np.random.default_rng(seed)
    plate = surfaces.block(0.06, 0.04, 0.0016, 0.0005, steps(40), steps(8))
    bodies = [Body("PCB", plate, GREEN, face_colours=(GOLD, WHITE))]
    for number in range(40):
        x, y, width = rng.uniform(-0.027, 0.027), rng.uniform(-0.017, 0.017), rng.uniform(0.001, 0.008)
        chip = surfaces.block(width, 0.7 * width, 0.001, 1e-4, steps(16), steps(8))
        bodies.append(Body(f"U{number}", surfaces.shift(chip, x, y, 0.0013), BLACK))
    profile = _in_millimetres([(2, 0), (2, 5), (1.8, 5.5), (0.01, 5.5), (0.01, 0)], 1.0)
    can = surfaces.turned_ring(profile, steps(32))
    cans = [surfaces.shift(can, -0.025 + 0.0045 * number, 0.016, 0.0008) for number in range(12)]
    pin = surfaces.cylinder(0.0003, -0.003, 0.006, 8)
    pins = []
    for number in range(48):
        column, line = number % 24, number // 24
        pins.append(surfaces.shift(pin, -0.025 + 0.002 * column, -0.016 - 0.002 * line, 0))
    silkscreen = surfaces.shift(surfaces.block(0.05, 0.03, 1e-5, 1e-6)[:100], 0, 0, 0.00085)
    return [
        *bodies,
        *number_bodies("C", cans, SILVER),
        *number_bodies("J", pins, GOLD),
        Body("silkscreen", silkscreen, WHITE, SHEET),
    ]


def casting(joints: Sequence[SizedJoint], hub: float | None, tip: Array | None, detail: float) -> list[Body]:
    """A casting: a cup around the drive of each joint, a hub of a size, and beams between them or to the tip."""
    steps = steps_of(detail, 8)
    start = np.array([0, 0, 0.03 * hub if hub else 0.02])
    bodies: list[Body] = []
    ends: list[Array] = [] if tip is None else [tip]
    if hub:
        profile = _in_millimetres([(50, 9), (52, 20), (45, 50), (20, 50), (20, 9)], hub)
        bodies.append(Body("Hub", surfaces.turned_ring(profile, steps(120)), None, face_colours=(BLUE,)))
    for T, size in joints:
        profile = _in_millimetres([(55, -100), (56, -3), (44, -3), (44, -95), (10, -95), (10, -100)], size)
        boss = surfaces.cylinder(0.005 * size, -0.09 * size, -0.01 * size, steps(24))
        cup = [surfaces.turned_ring(profile, steps(160)), *surfaces.copies_around(boss, 8, 0.058 * size)]
        bodies += [Body("Cup", triangles @ T[:3, :3].T + T[:3, 3]) for triangles in cup]
        ends.append(T[:3, :3] @ [0, 0, -0.05 * size] + T[:3, 3])
    for end in ends:
        along = (end - start) / np.linalg.norm(end - start)
        path = np.linspace(start + 0.02 * along, end - 0.04 * along, steps(24))
        bodies.append(Body("Beam", surfaces.cable(path, 0.03, steps(96))))
    return bodies
