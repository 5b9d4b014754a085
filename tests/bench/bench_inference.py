"""Inference: chains, trees and trees of four-bars, the global solve always on, and one large block."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from swgrm.capture import VERSION, Capture, CaptureSource, Component, Document, Mate, MateEntity, Placement
from swgrm.inference import Inference, infer
from tests.bench.measure import best, row, worked

IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
Hinge = tuple[int, int, tuple[float, float, float], tuple[float, float, float]]  # two parts, a point, an axis
Z = (0.0, 0.0, 1.0)
PATH = "bench.SLDASM"


def assembly(count: int, hinges: Iterable[Hinge]) -> Capture:
    """Parts at the origin, the first one fixed, with a concentric and a coincident mate for every hinge."""
    names = [f"part{k:05d}-1" for k in range(count)]
    mates: list[Mate] = []
    for a, b, point, axis in hinges:
        for kind, entity, radius in ((1, 4, (0.01,)), (0, 3, ())):
            entities = tuple(MateEntity(entity, 2, names[k], (*point, *axis, *radius)) for k in (a, b))
            mates.append(Mate(f"Mate{len(mates):06d}", "Mate", len(mates), b"", kind, entities=entities))
    components = tuple(
        Component(name, f"{name}.SLDPRT", "Default", k, b"", 3, 1, -1, IDENTITY) for k, name in enumerate(names)
    )
    placements = tuple(Placement(name, IDENTITY, fixed=k == 0) for k, name in enumerate(names))
    root = Document(PATH, "Default", 2, "Default", placements=placements, mates=tuple(mates))
    return Capture(VERSION, CaptureSource(PATH, PATH, "Default", 2, "34.0.0", 5, False), components, (root,))


def chain(count: int) -> Capture:
    """Each part hinged to the one before."""
    return assembly(count, ((k, k + 1, (0.1 * k, 0.0, 0.0), (0.0, math.sin(k), math.cos(k))) for k in range(count - 1)))


def tree(count: int) -> Capture:
    """Each part hinged to one before it, three to each."""
    hinges = ((k // 3, k + 1, (0.1 * k, 0.3, 0.0), (math.sin(k), 0.0, math.cos(k))) for k in range(count - 1))
    return assembly(count, hinges)


def four_bars(count: int) -> Capture:
    """A tree of independent four-bars, each on the coupler of one before it."""
    hinges: list[Hinge] = []
    last = 1
    for bar in range((count - 1) // 3):
        base = 0 if bar == 0 else 3 * ((bar - 1) // 2) + 2
        x = 0.5 * bar
        crank, coupler, rocker = last, last + 1, last + 2
        hinges += [
            (base, crank, (x, 0.0, 0.0), Z), (crank, coupler, (x, 0.1, 0.0), Z),
            (coupler, rocker, (x + 0.3, 0.2, 0.0), Z), (rocker, base, (x + 0.25, 0.0, 0.0), Z),
        ]  # fmt: skip
        last += 3
    return assembly(last, hinges)


def truss(count: int) -> Capture:
    """Bars hinged in triangles along a strip: one block, all of it rigid."""
    joints = [(0.1 * (k // 2), 0.1 * (k % 2) + 0.013 * (k % 3), 0.0) for k in range(count)]
    bars = [(k, k + step) for k in range(len(joints) - 2) for step in (1, 2)][:count]
    at: dict[int, list[int]] = {}
    for bar, ends in enumerate(bars):
        for joint in ends:
            at.setdefault(joint, []).append(bar)
    hinges = [(group[0], other, joints[joint], Z) for joint, group in at.items() for other in group[1:]]
    return assembly(len(bars), hinges)


def look(capture: Capture) -> tuple[float, float, int]:
    """The elapsed time [s], the processor time [s], and the inferred mobility."""
    seen: list[Inference] = []
    costs: list[float] = []
    time = best(
        lambda: costs.append(worked(lambda: seen.append(infer(capture)))), 1 if len(capture.components) > 100 else 3
    )
    return time, min(costs), seen[0].mechanism.mobility


def run() -> None:
    """Print the elapsed time, the processor time, and its growth against n·log n; nothing fails because it is slow."""
    row("assembly", "bodies", "s", "cpu s", "cpu µs/body", "t/(n log n)", "mobility")
    for make in (chain, tree, four_bars):
        first = None
        for count in (10, 100, 1000, 10000):
            capture = make(count)
            bodies = len(capture.components)
            time, cost, mobility = look(capture)
            growth = cost / (bodies * np.log2(bodies))
            first = first or growth
            row(make.__name__, bodies, f"{time:.3f}", f"{cost:.3f}", f"{1e6 * cost / bodies:.0f}",
                f"{growth / first:.2f}", mobility)  # fmt: skip
    for count in (300, 600):
        time, cost, mobility = look(truss(count))
        row("truss (one block)", count, f"{time:.3f}", f"{cost:.3f}", f"{1e6 * cost / count:.0f}", "-", mobility)
