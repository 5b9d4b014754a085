"""Large robots: a six-axis arm and a quadruped, filled with components up to a wanted number.

Links are rigid sub-assemblies three levels deep; a few are flat: their parts are in the top assembly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Literal, NamedTuple, get_args

import numpy as np

from swgrm.capture import Capture
from swgrm.transforms import Array, inverse
from swgrm_mocks.builder import ALUMINIUM, IDENTITY, Assembly, AssemblyComponent, pose
from swgrm_mocks.large import surfaces
from swgrm_mocks.large.catalogue import DRIVES, SUPPRESSED, Catalogue, attach
from swgrm_mocks.large.names import NameSet
from swgrm_mocks.large.parts import Body, DetailedPart, SizedJoint, casting
from swgrm_mocks.mates import plane, shaft

RobotKind = Literal["arm", "quadruped"]
KINDS: tuple[RobotKind, ...] = get_args(RobotKind)
UP = pose(roll=-90)  # y is up in SolidWorks
ANGLE = 30.0  # [degrees] of every joint, as assembled


class LinkPlan(NamedTuple):
    """A link: its parent and the frame of the joint to it, the size of the drive in that joint, and its tip."""

    name: str
    parent: str  # "" for the base
    T: Array  # (4, 4) T_root_joint, before the joint is turned by ANGLE
    size: float = 0.0
    T_tip: Array | None = None  # (4, 4) T_root_tip
    is_flat: bool = False


class BuiltLink(NamedTuple):
    """The casting of a link and the flange that its drive turns, as components of the top assembly."""

    host: AssemblyComponent
    output: AssemblyComponent


class LargeRobot(NamedTuple):
    """A robot, and what is true of it."""

    title: str
    capture: Capture
    castings: Mapping[str, str]  # of each link, its casting; the first link is the base
    links: Mapping[str, str]  # the link of every component that a robot has: not of suppressed ones or envelopes

    @property
    def joints(self) -> int:
        """The number of its joints, all of them revolute."""
        return len(self.castings) - 1


def make_large_robot(
    kind: RobotKind, size: int, *, patterns: bool = False, reads_patterns: bool = True, names: NameSet = "mixed",
    detail: float = 1.0,
) -> LargeRobot:  # fmt: skip
    """A robot of at least `size` components; with `patterns`, most fasteners are instances of patterns.

    Unless `reads_patterns`, the capture has no features of patterns, as those of older versions. `detail` scales the
    number of triangles along each direction; with 0.1, making it is fast.
    """
    plans = {"arm": arm_links, "quadruped": quadruped_links}[kind]()
    words = [kind, str(size), *(["patterns"] if patterns else []), *([] if names == "mixed" else [names])]
    title = "_".join(words)
    parts = Catalogue(names, detail, patterns=patterns, reads_patterns=reads_patterns)
    builder = _RobotBuilder(title, plans, parts, size // len(plans))
    capture = builder.assembly.capture()
    castings = {link: component.name for link, component in builder.castings.items()}
    return LargeRobot(title, capture, castings, _links_of(capture, builder.link_of_child))


def _links_of(capture: Capture, link_of_child: Mapping[str, str]) -> dict[str, str]:
    """The link of each component: that of the component of the top assembly that it is, or that holds it."""
    links = {}
    for component in capture.components:
        link = link_of_child.get(component.name.partition("/")[0])
        if link is not None and component.suppression != SUPPRESSED:
            links[component.name] = link
    return links


class _RobotBuilder:
    """Builds the top assembly of a robot, link by link."""

    def __init__(self, title: str, plans: Sequence[LinkPlan], parts: Catalogue, budget: int) -> None:
        self.assembly, self.plans, self.parts = Assembly(title), plans, parts
        self.link_of_child: dict[str, str] = {}
        self.castings: dict[str, AssemblyComponent] = {}
        for plan in plans:
            T = plan.T @ pose(yaw=ANGLE) if plan.parent else plan.T
            first = len(self.assembly.children)
            link = self._add_link(plan, T, budget)
            for child in self.assembly.children[first:]:
                self.link_of_child[child.name] = plan.name
            if plan.parent:
                self._join(self.castings[plan.parent], link.output, plan.T, T)
            else:
                self.assembly.children[0].fixed()
            self.castings[plan.name] = link.host
        workspace = DetailedPart(parts.names.of("workspace"), [Body("zone", surfaces.ball(0.9, 48, 24))])
        self.assembly.part(workspace, UP).fixed().state(envelope=True)

    def _add_link(self, plan: LinkPlan, T: Array, budget: int) -> BuiltLink:
        """Add the parts of a link, in the top assembly or in one of its own."""
        joints = [SizedJoint(inverse(T) @ child.T, child.size) for child in self.plans if child.parent == plan.name]
        tip = None if plan.T_tip is None else (inverse(T) @ plan.T_tip)[:3, 3]
        if plan.is_flat:
            return fill_link(self.assembly, self.parts, plan, T, joints, budget, tip)
        inner = Assembly(self.parts.names.of_link("link", plan.name))
        link = fill_link(inner, self.parts, plan, IDENTITY, joints, budget, tip)
        sub_assembly = self.assembly.sub(inner, T)
        return BuiltLink(sub_assembly / link.host.name, sub_assembly / link.output.name)

    def _join(self, parent: AssemblyComponent, output: AssemblyComponent, T_joint: Array, T: Array) -> None:
        """Add the mates of a revolute joint: a bearing, a shoulder, a limit."""
        point, axis, sides = T[:3, 3], T[:3, 2], (parent.name, output.name)
        self.assembly.concentric(*(shaft(point, axis, 0.02).of(side, IDENTITY) for side in sides))
        self.assembly.coincident(*(plane(point, axis).of(side, IDENTITY) for side in sides))
        marks = [plane(point, mark[:3, 0]).of(side, IDENTITY) for side, mark in zip(sides, (T_joint, T), strict=True)]
        self.assembly.angle(*marks, value=float(np.radians(ANGLE)), limits=(0.0, 2.5))


def fill_link(
    assembly: Assembly, parts: Catalogue, plan: LinkPlan, T: Array, joints: Sequence[SizedJoint], budget: int,
    tip: Array | None,
) -> BuiltLink:  # fmt: skip
    """Build a link at T in an assembly, of at least `budget` components, those of sub-assemblies included."""
    rng = np.random.default_rng(len(plan.name) + budget)
    bodies = casting(joints, plan.size or None, tip, parts.detail)
    host = assembly.part(DetailedPart(parts.names.of_link("casting", plan.name), bodies, ALUMINIUM), T)
    host.is_fixed = len(assembly.children) == 1
    first, output = len(assembly.children) - 1, host
    if plan.parent:
        output = assembly.part(parts.output, T, DRIVES[plan.size])
        attach(assembly, host, output, T)
        for part, z in ((parts.screw, 0.009 * plan.size + 0.001), (parts.washer, 0.009 * plan.size)):
            circle = [T @ pose(yaw=45.0 * number) @ pose(x=0.034 * plan.size, z=z) for number in range(8)]
            parts.fasten(assembly, host, circle, part, "M4x12", "LocalCirPattern")
    for T_link_joint, size in joints:
        attach(assembly, host, assembly.sub(parts.drive(size), T @ T_link_joint), T @ T_link_joint)
    ends = [joint.T[:3, 3] - 0.05 * joint.size * joint.T[:3, 2] for joint in joints] or [np.array([0, 0, 0.1])]
    total = sum(map(_weigh, assembly.children[first:]))
    for number in count():
        if total >= budget:
            break
        # Somewhere on a beam of the casting, at any side of it.
        end = ends[number % len(ends)]
        place = _frame(rng.uniform(0.15, 0.85) * end, end / np.linalg.norm(end)) @ pose(yaw=rng.uniform(0, 360))
        before = len(assembly.children)
        add_equipment(assembly, parts, host, T @ place @ pose(x=0.034, pitch=90), number)
        total += sum(map(_weigh, assembly.children[before:]))
    return BuiltLink(host, output)


def add_equipment(assembly: Assembly, parts: Catalogue, host: AssemblyComponent, T: Array, number: int) -> None:
    """Add what links are filled with, in turn: a cover, a cable, a connector on a bracket, an electronic module."""

    def grid(columns: int, x: float, y: float, z: float) -> list[Array]:
        places = []
        for index in range(2 * columns):
            places.append(T @ pose(x * (index % columns - (columns - 1) / 2), y * (index // columns - 0.5), z))
        return places

    kind = number % 4
    if kind == 0:
        attach(assembly, host, assembly.part(parts.cover, T, ("links", "rechts")[number % 8 // 4]), T)
        parts.fasten(assembly, host, grid(3, 0.02, 0.03, 0.002), parts.washer, "M3x8")
        screw = parts.threaded if number % 20 == 0 else parts.screw
        parts.fasten(assembly, host, grid(3, 0.02, 0.03, 0.0026), screw, "M3x8")
    elif kind == 1:
        attach(assembly, host, assembly.part(parts.cable(len(assembly.children)), T), T)
    elif kind == 2:
        attach(assembly, host, assembly.part(parts.bracket, T), T)
        attach(assembly, host, assembly.part(parts.connector, T @ pose(z=0.004)), T @ pose(z=0.004))
        parts.fasten(assembly, host, grid(2, 0.024, 0.014, 0.004), parts.screw, "M3x8")
        parts.fasten(assembly, host, [T @ pose(y=0.011, z=0.004)], parts.pin, "M3x8")
    else:
        attach(assembly, host, assembly.sub(parts.module(number // 4 % 3), T @ pose(z=0.01)), T)


def _weigh(component: AssemblyComponent) -> int:
    """The number of components that a component is, with those inside."""
    inner = component.file.children if isinstance(component.file, Assembly) else []
    return 1 + sum(map(_weigh, inner))


def _frame(point: Array, z: Array) -> Array:
    """A frame at a point with a given z axis."""
    x = np.cross([0.0, 0, 1], z) if abs(z[2]) < 0.9 else np.cross([0.0, 1, 0], z)
    x = x / np.linalg.norm(x)
    return np.vstack([np.column_stack([x, np.cross(z, x), z, point]), [0, 0, 0, 1]])


def arm_links() -> list[LinkPlan]:
    """The links of a six-axis arm; the shoulder and the forearm are flat."""
    offsets = [pose(y=-0.07, z=0.15, roll=90), pose(x=0.42, z=0.09), pose(x=0.38, z=-0.02, roll=180)]
    offsets += [pose(y=0.08, z=0.09, roll=-90)] * 3
    names = ("base", "shoulder", "upper arm", "forearm", "wrist 1", "wrist 2", "flange")
    links = [LinkPlan("base", "", UP)]
    T = UP @ pose(z=0.16)
    for name, size, offset in zip(names[1:], (1.2, 1.2, 1.0, 0.7, 0.7, 0.7), offsets, strict=True):
        links.append(LinkPlan(name, links[-1].name, T, size, is_flat=name in ("shoulder", "forearm")))
        T = T @ pose(yaw=ANGLE) @ offset
    return links


def quadruped_links() -> list[LinkPlan]:
    """The links of a body with four legs of three joints; one leg is flat."""
    links = [LinkPlan("Rumpf", "", UP @ pose(z=0.4))]
    for leg, x, y in _legs():
        hip = _frame(np.array([0.2 * x, 0.08 * y, 0.4]), np.array([x, 0, 0]))
        thigh = _frame(np.array([0.29 * x, 0.1 * y, 0.4]), np.array([0, y, 0]))
        knee = _frame(np.array([0.29 * x, 0.17 * y, 0.2]), np.array([0, y, 0]))
        foot = _frame(np.array([0.29 * x, 0.19 * y, 0.02]), np.array([0, 0, -1]))
        parent = "Rumpf"
        for name, T, tip in (("Hüfte", hip, None), ("Schenkel", thigh, None), ("Fuß", knee, UP @ foot)):
            links.append(LinkPlan(f"{name} {leg}", parent, UP @ T, 0.7, tip, is_flat=leg == "VL"))
            parent = f"{name} {leg}"
    return links


def _legs() -> Iterator[tuple[str, int, int]]:
    """The legs: in front or behind, left or right."""
    for along, x in (("V", 1), ("H", -1)):
        for side, y in (("L", 1), ("R", -1)):
            yield along + side, x, y
