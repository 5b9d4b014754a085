"""Inference: small assemblies; chains, trees and trees of four-bars; and one large block."""

from __future__ import annotations

import math
import os
import resource
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np

from swgrm.capture import VERSION, Capture, CaptureSource, Component, Document, Mate, MateEntity, Placement
from swgrm.inference import Inference, infer
from swgrm_mocks.samples import SAMPLES, sample
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


def scissor(count: int) -> Capture:
    """Crossed bars, each pair hinged in the middle and to the next: one block with one degree of freedom."""
    hinges: list[Hinge] = []
    for k in range(count // 2):
        one, other, y = 2 * k, 2 * k + 1, 0.2 * k
        shift = 0.01 * math.sin(k)  # no two crosses are alike, so that the motion has to be corrected
        hinges.append((one, other, (0.15 + shift, y + 0.1, 0.0), Z))
        if k:
            hinges += [(one - 2, other, (0.3 - shift, y, 0.0), Z), (other - 2, one, (0.0, y + shift, 0.0), Z)]
    return assembly(count // 2 * 2, hinges)


def ring(count: int) -> Capture:
    """Links hinged in one closed chain, as those of a belt."""
    turns = [2 * math.pi * k / count for k in range(count)]
    points = [(0.016 * count * math.cos(turn), 0.016 * count * math.sin(turn), 0.0) for turn in turns]
    return assembly(count, ((k, (k + 1) % count, point, Z) for k, point in enumerate(points)))


class Look(NamedTuple):
    """What an inference took and found."""

    time: float  # [s]
    cost: float  # [s] of the processor
    mobility: int


def look(capture: Capture) -> Look:
    """The least of several inferences of small assemblies, or of one of a large one."""
    seen: list[Inference] = []
    costs: list[float] = []
    repeats = 1 if len(capture.components) > 100 else 9
    time = best(lambda: costs.append(worked(lambda: seen.append(infer(capture)))), repeats)
    return Look(time, min(costs), seen[0].mechanism.mobility)


def run() -> None:
    """Print the elapsed time, the processor time, and how they grow; nothing fails because it is slow."""
    small()
    growing()
    one_block()


def small() -> None:
    """What small assemblies take: fixed overhead, mostly."""
    row("small assembly", "bodies", "cpu ms", "mobility")
    for name, capture in (*((name, sample(name)) for name in SAMPLES), *((m.__name__, m(10)) for m in OPEN)):
        seen = look(capture)
        row(name, len(capture.components), f"{1e3 * seen.cost:.2f}", seen.mobility)


def growing() -> None:
    """Many bodies, in blocks of few: the growth is against n·log n."""
    row("assembly", "bodies", "s", "cpu s", "cpu µs/body", "t/(n log n)", "mobility")
    for make in OPEN:
        first = None
        for count in (10, 100, 1000, 10000):
            capture = make(count)
            bodies = len(capture.components)
            time, cost, mobility = look(capture)
            growth = cost / (bodies * np.log2(bodies))
            first = first or growth
            row(make.__name__, bodies, f"{time:.3f}", f"{cost:.3f}", f"{1e6 * cost / bodies:.0f}",
                f"{growth / first:.2f}", mobility)  # fmt: skip


def one_block() -> None:
    """Many bodies in one block: the growth is the exponent of the processor time between two rows."""
    row("one block", "bodies", "s", "cpu s", "cpu µs/body", "growth", "memory MB", "mobility")
    for make in (truss, scissor, ring):
        last: tuple[int, float] | None = None
        for count in (100, 300, 1000, 3000) if os.environ.get("SWGRM_FULL") else (100, 300, 600):
            with ProcessPoolExecutor(1, get_context("spawn")) as own:
                (time, cost, mobility), memory = own.submit(look_alone, make, count).result()
            growth = f"{math.log(cost / last[1]) / math.log(count / last[0]):.2f}" if last else "-"
            last = count, cost
            row(make.__name__, count, f"{time:.3f}", f"{cost:.3f}", f"{1e6 * cost / count:.0f}", growth,
                f"{memory:.0f}", mobility)  # fmt: skip


def look_alone(make: Callable[[int], Capture], count: int) -> tuple[Look, float]:
    """A look in a process of its own, and the memory [MB] that this process took."""
    from scipy.sparse import linalg  # noqa: F401 - its import is not what is measured

    return look(make(count)), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


OPEN = (chain, tree, four_bars)
