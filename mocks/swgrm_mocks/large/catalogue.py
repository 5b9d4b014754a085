"""The parts and bought sub-assemblies of large robots, each made once, and how fasteners are placed with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from swgrm.transforms import Array, inverse
from swgrm_mocks.builder import ALUMINIUM, IDENTITY, STEEL, Assembly, AssemblyComponent, pose
from swgrm_mocks.large import surfaces
from swgrm_mocks.large.names import WITH_TOOLBOX, NameSet, PartNames
from swgrm_mocks.large.parts import (
    BLACK,
    GOLD,
    RED,
    WHITE,
    Body,
    DetailedPart,
    cap_screw,
    circuit_board,
    gearbox,
    motor,
    number_bodies,
    output_flange,
    steps_of,
)
from swgrm_mocks.mates import plane, shaft

DRIVES = {1.2: "L", 1.0: "M", 0.7: "S"}  # the configurations of a drive by its size
SCREWS = {"M2x5": (0.002, 0.005), "M3x8": (0.003, 0.008), "M4x12": (0.004, 0.012)}  # [m] diameter and length
SUPPRESSED, LIGHTWEIGHT, RESOLVED = 0, 1, 3  # swComponentSuppressionState_e
CORNERS = ((0.027, 0.017), (-0.027, 0.017), (-0.027, -0.017), (0.027, -0.017))  # [m] of a board


class Catalogue:
    """The parts of a robot; with `patterns`, fasteners come in patterns, whose instances have no mates.

    `reads_patterns`: the capture has the features of the patterns, too, and not only what they made.
    """

    def __init__(
        self, names: NameSet = "mixed", detail: float = 1.0, *, patterns: bool = False, reads_patterns: bool = True
    ) -> None:
        self.names, self.detail = PartNames(names), detail
        self.patterns, self.reads_patterns = patterns, reads_patterns
        self.steps = steps = steps_of(detail)
        self.screw = self._sized("screw", cap_screw)
        if names in WITH_TOOLBOX:
            self.screw.from_toolbox()
        self.threaded = self._sized("threaded screw", lambda d, length: cap_screw(d, length, is_modelled=True))
        self.washer = self._sized("washer", lambda d, _: [Body("w", surfaces.tube(d, 0.55 * d, 0, 0.2 * d, steps(48)))])
        self.nut = self._sized("nut", lambda d, _: [Body("n", surfaces.tube(0.9 * d, 0.5 * d, 0, 0.8 * d, 6))])
        self.pin = self._part("pin", [Body("p", surfaces.cylinder(0.0015, -0.005, 0.005, steps(24)))], STEEL)
        self.standoff = self._part("standoff", [Body("s", surfaces.tube(0.002, 0.001, -0.006, 0, 6))], STEEL)
        self.motor = self._driven("motor", motor)
        self.gearbox = self._driven("gearbox", gearbox)
        self.output = self._driven("output", output_flange)
        self.boards = [self._part(f"board {kind}", circuit_board(seed, detail)) for seed, kind in enumerate("ABC")]
        configurations = {"links": self._shell(0.04), "rechts": self._shell(0.035)}
        self.cover = DetailedPart(self.names.of("cover"), self._shell(0.04), ("ABS", 1020.0), configurations)
        milled = surfaces.block(0.03, 0.02, 0.008, 0.002, steps(64), steps(32))
        self.bracket = self._part("bracket", [Body("b", milled)], ALUMINIUM)
        self.connector = self._part("connector", self._connector_bodies())
        self.bearing = cache(self._make_bearing)
        self.drive = cache(self._make_drive)
        self.module = cache(self._make_module)

    def _part(self, role: str, bodies: Sequence[Body], material: tuple[str, float] = ("", 1000.0)) -> DetailedPart:
        return DetailedPart(self.names.of(role), bodies, material)

    def _sized(self, role: str, make: Callable[[float, float], list[Body]]) -> DetailedPart:
        """A fastener with a configuration for each size."""
        configurations = {self.names.configuration(size): make(*numbers) for size, numbers in SCREWS.items()}
        return DetailedPart(self.names.of(role), make(0.003, 0.01), STEEL, configurations)

    def _driven(self, role: str, make: Callable[[float, float], list[Body]]) -> DetailedPart:
        """A part of a drive with a configuration for each size."""
        configurations = {size: make(number, self.detail) for number, size in DRIVES.items()}
        return DetailedPart(self.names.of(role), make(1.0, self.detail), STEEL, configurations)

    def _shell(self, width: float) -> list[Body]:
        triangles = surfaces.block(0.05, width, 0.004, 0.0015, self.steps(64), self.steps(24))
        return [Body("shell", triangles, face_colours=(RED, WHITE))]

    def _connector_bodies(self) -> list[Body]:
        pin = surfaces.cylinder(0.0005, -0.004, 0.006, self.steps(16))
        shell = surfaces.thread(0.009, 0.001, 0, 0.012, self.steps(64), self.steps(8))
        return [Body("shell", shell, BLACK), *number_bodies("pin", surfaces.copies_around(pin, 17, 0.006), GOLD)]

    def cable(self, number: int) -> DetailedPart:
        """A cable, which no two places share; every second one is an open surface without mass."""
        along = np.linspace(0, 1, self.steps(120))[:, None]
        path = np.hstack([0.08 * (along - 0.5), 0.01 * np.sin(5 * along), 0.004 + 0.008 * np.sin(3 * along)])
        is_open = number // 4 % 2
        wire = Body("wire", surfaces.cable(path, 0.002, caps=not is_open), BLACK, is_open)
        return DetailedPart(self.names.of("cable", str(number)), [wire])

    def _make_bearing(self, size: float) -> Assembly:
        """A ball bearing as an imported assembly: rings, cage, nine balls."""
        bearing = Assembly(self.names.of("bearing", DRIVES[size]))
        for role, outer, inner in (("inner ring", 24.5, 22.5), ("outer ring", 29.5, 27.5), ("cage", 26.5, 25.5)):
            ring = surfaces.tube(outer * size / 1000, inner * size / 1000, 0, 0.007 * size, self.steps(160))
            part = DetailedPart(self.names.of(role, DRIVES[size]), [Body("ring", ring)], STEEL)
            bearing.part(part).fixed()
        ball = Body("ball", surfaces.ball(0.0015 * size, self.steps(24), self.steps(14)))
        part = DetailedPart(self.names.of("ball", DRIVES[size]), [ball], STEEL)
        for number in range(9):
            bearing.part(part, pose(yaw=40.0 * number) @ pose(x=0.026 * size, z=0.0035 * size)).fixed()
        return bearing

    def _make_drive(self, size: float) -> Assembly:
        """A drive as an imported assembly: motor, gear, bearing, encoder board and bolts."""
        drive = Assembly(self.names.of("drive", DRIVES[size]))
        body = drive.part(self.motor, pose(z=-0.03 * size), DRIVES[size]).fixed()
        drive.part(self.gearbox, IDENTITY, DRIVES[size]).fixed()
        drive.sub(self.bearing(size), pose(z=-0.0295 * size)).fixed()
        drive.part(self.boards[0], pose(z=-0.094 * size)).fixed()
        circle = [pose(yaw=45.0 * number) @ pose(x=0.04 * size, z=-0.03 * size) for number in range(8)]
        self.fasten(drive, body, circle, self.screw, "M3x8", "LocalCirPattern")
        return drive

    def _make_module(self, kind: int) -> Assembly:
        """A board on standoffs with screws, washers and nuts."""
        module = Assembly(self.names.of(f"module {'ABC'[kind]}"))
        board = module.part(self.boards[kind]).fixed()
        for part, z in ((self.standoff, -0.001), (self.washer, 0.001), (self.screw, 0.0014), (self.nut, -0.009)):
            self.fasten(module, board, [pose(x, y, z) for x, y in CORNERS], part, "M2x5")
        return module

    def fasten(
        self, assembly: Assembly, host: AssemblyComponent, places: Sequence[Array], part: DetailedPart, size: str,
        feature_type: str = "LocalLPattern",
    ) -> None:  # fmt: skip
        """Place fasteners in holes of a host; a few are suppressed, lightweight or hidden.

        Each has the two mates of a part in a hole; with patterns, only the first one, the seed, has them.
        """
        name = self.names.configuration(size)
        configuration = name if name in part.bodies else "Default"
        fasteners = [assembly.part(part, T, configuration) for T in places]
        if self.patterns and len(places) > 1:
            shifts = [T @ inverse(places[0]) for T in places[1:]]
            if self.reads_patterns:
                assembly.pattern_of(fasteners[:1], fasteners[1:], shifts, feature_type)
            for fastener in fasteners[1:]:
                fastener.state(pattern_instance=True)
            fasteners = fasteners[:1]
        for fastener in fasteners:
            T = fastener.T_assembly_self
            point, axis = T[:3, 3], T[:3, 2]
            assembly.concentric(*(shaft(point, axis, 0.002).of(side.name, IDENTITY) for side in (host, fastener)))
            assembly.coincident(*(plane(point, axis).of(side.name, IDENTITY) for side in (host, fastener)))
            index = fastener.number
            state = SUPPRESSED if index % 97 == 0 else LIGHTWEIGHT if index % 11 == 0 else RESOLVED
            fastener.state(suppression=state, visible=int(index % 47 > 0))


def attach(assembly: Assembly, host: AssemblyComponent, component: AssemblyComponent, T: Array) -> None:
    """Hold a part, or the first part of a sub-assembly, by a face and two holes."""
    if isinstance(component.file, Assembly):
        component = component / component.file.children[0].name
    sides = (host.name, component.name)
    for hole in (T[:3, 3], T[:3, 3] + 0.01 * T[:3, 0]):
        assembly.concentric(*(shaft(hole, T[:3, 2], 0.0015).of(side, IDENTITY) for side in sides))
    assembly.coincident(*(plane(T[:3, 3], T[:3, 2]).of(side, IDENTITY) for side in sides))
