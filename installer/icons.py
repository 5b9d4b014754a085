"""Draws the icons: SolidWorks' strips of buttons and the add-in's own, in every size, and the set-up program's.

    python installer/icons.py     writes them into the add-in; they are kept in the repository

A shape is its signed distance: negative inside, in units of the icon's width, y downwards. Both colours are as far from
a white ribbon as from a dark one. Needs numpy.
"""

from __future__ import annotations

import itertools
import math
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np

SIZES = (20, 32, 40, 64, 96, 128)  # [px]
BLUE, ORANGE = (47, 138, 222), (206, 112, 28)
SAMPLES = 4  # per pixel, each way
FOLDER = Path(__file__).parents[1] / "addin" / "swgrm_addin" / "inside" / "icons"

Numbers = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Shape = Callable[[Numbers, Numbers], Numbers]
Colour = tuple[int, int, int]
Icon = tuple[tuple[Shape, Colour], ...]  # later ones lie on top
Pixels = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]  # (rows, columns, RGBA)


def disc(x: float, y: float, radius: float) -> Shape:
    """A disc."""
    return lambda px, py: np.hypot(px - x, py - y) - radius


def stroke(radius: float, *points: tuple[float, float]) -> Shape:
    """A line through points, with round ends."""
    return union(*(_segment(radius, a, b) for a, b in itertools.pairwise(points)))


def _segment(radius: float, a: tuple[float, float], b: tuple[float, float]) -> Shape:
    (ax, ay), (bx, by) = a, b
    dx, dy = bx - ax, by - ay

    def distance(px: Numbers, py: Numbers) -> Numbers:
        t = np.clip(((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy), 0.0, 1.0)
        return np.hypot(px - ax - t * dx, py - ay - t * dy) - radius

    return distance


def box(left: float, top: float, right: float, bottom: float, corner: float = 0.03) -> Shape:
    """A rectangle with round corners."""
    cx, cy, w, h = (left + right) / 2, (top + bottom) / 2, (right - left) / 2 - corner, (bottom - top) / 2 - corner

    def distance(px: Numbers, py: Numbers) -> Numbers:
        dx, dy = np.abs(px - cx) - w, np.abs(py - cy) - h
        inside = np.minimum(np.maximum(dx, dy), 0.0)
        return np.hypot(np.maximum(dx, 0.0), np.maximum(dy, 0.0)) + inside - corner

    return distance


def union(*shapes: Shape) -> Shape:
    """What is in any of them."""
    return lambda x, y: np.min([shape(x, y) for shape in shapes], axis=0)


def without(shape: Shape, *holes: Shape) -> Shape:
    """What is in the shape and in none of the holes."""
    return lambda x, y: np.max([shape(x, y), *(-hole(x, y) for hole in holes)], axis=0)


def gear(x: float, y: float, radius: float, teeth: int = 8) -> Shape:
    """A wheel with teeth and a hole."""
    ends = [(math.cos(2 * math.pi * n / teeth), math.sin(2 * math.pi * n / teeth)) for n in range(teeth)]
    spokes = [_segment(0.2 * radius, (x, y), (x + radius * c, y + radius * s)) for c, s in ends]
    return without(union(disc(x, y, 0.78 * radius), *spokes), disc(x, y, 0.36 * radius))


def arm(scale: float, x: float, y: float) -> tuple[Shape, Shape]:
    """A robot arm on its base, and its joints."""

    def at(px: float, py: float) -> tuple[float, float]:
        return x + scale * px, y + scale * py

    shoulder, elbow, wrist = at(0.32, 0.68), at(0.40, 0.28), at(0.78, 0.36)
    base = box(*at(0.10, 0.80), *at(0.56, 0.94))
    fingers = stroke(0.035 * scale, at(0.70, 0.62), at(0.72, 0.50), wrist, at(0.86, 0.52), at(0.87, 0.64))
    links = stroke(0.07 * scale, at(0.32, 0.84), shoulder, elbow, wrist)
    joints = union(*(disc(px, py, 0.085 * scale) for px, py in (shoulder, elbow, wrist)))
    return without(union(base, links, fingers), joints), joints


def arrow(x: float, top: float, bottom: float, radius: float = 0.055) -> Shape:
    """An arrow that points down."""
    head = 0.16
    return union(
        stroke(radius, (x, top), (x, bottom)),
        stroke(radius, (x - head, bottom - head), (x, bottom), (x + head, bottom - head)),
    )


def robot() -> Icon:
    """The add-in itself."""
    body, joints = arm(1.0, 0.0, 0.0)
    return (body, BLUE), (joints, ORANGE)


def export() -> Icon:
    """A robot arm, and out of it an arrow."""
    body, joints = arm(0.8, -0.02, 0.0)
    return (body, BLUE), (joints, BLUE), (arrow(0.77, 0.56, 0.92), ORANGE)


def check() -> Icon:
    """A list with a tick."""
    sheet = box(0.16, 0.08, 0.80, 0.92, 0.06)
    lines = [stroke(0.03, (0.28, y), (0.66, y)) for y in (0.26, 0.42)]
    return (without(sheet, box(0.24, 0.16, 0.72, 0.84, 0.02)), BLUE), (union(*lines), BLUE), (
        stroke(0.06, (0.40, 0.66), (0.54, 0.80), (0.88, 0.46)), ORANGE)  # fmt: skip


def settings() -> Icon:
    """Two wheels."""
    return (gear(0.41, 0.42, 0.32), BLUE), (gear(0.75, 0.76, 0.17, 6), ORANGE)


def capture() -> Icon:
    """A camera."""
    body = union(box(0.06, 0.26, 0.94, 0.84, 0.08), box(0.32, 0.14, 0.68, 0.40, 0.05))
    return (without(body, disc(0.5, 0.54, 0.23)), BLUE), (without(disc(0.5, 0.54, 0.18), disc(0.5, 0.54, 0.07)), ORANGE)


def folder() -> Icon:
    """An open folder."""
    back = union(box(0.06, 0.18, 0.46, 0.40, 0.05), box(0.06, 0.26, 0.90, 0.84, 0.05))
    return (without(back, box(0.14, 0.40, 0.82, 0.52, 0.02)), BLUE), (stroke(0.05, (0.36, 0.68), (0.62, 0.68)), ORANGE)


def help_mark() -> Icon:
    """A question mark in a ring."""
    curve = [(0.5 + 0.16 * math.cos(a), 0.38 + 0.16 * math.sin(a)) for a in [math.pi + 0.3 * n for n in range(15)]]
    mark = union(stroke(0.05, *curve, (0.5, 0.60)), disc(0.5, 0.76, 0.06))
    return (without(disc(0.5, 0.5, 0.45), disc(0.5, 0.5, 0.37)), BLUE), (mark, ORANGE)


COMMANDS = (export, check, settings, capture, folder, help_mark)  # in the order of the add-in's commands


def drawn(icon: Icon, size: int) -> Pixels:
    """The icon as pixels: transparency is the share of a pixel's samples that nothing covers."""
    steps = (np.arange(size * SAMPLES) + 0.5) / (size * SAMPLES)
    x, y = np.meshgrid(steps, steps)
    samples = np.zeros((*x.shape, 4))
    for shape, colour in icon:
        samples[shape(x, y) <= 0] = (*colour, 255)
    sums = samples.reshape(size, SAMPLES, size, SAMPLES, 4).sum(axis=(1, 3))
    covered = np.maximum(sums[..., 3:] / 255, 1)
    return np.concatenate([sums[..., :3] / covered, sums[..., 3:] / SAMPLES**2], axis=-1).round().astype(np.uint8)


def png(pixels: Pixels) -> bytes:
    """The picture as a PNG file."""
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    header = struct.pack(">2I5B", width, height, 8, 6, 0, 0, 0)
    chunks = (b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def ico(pictures: list[Pixels]) -> bytes:
    """Pictures as an ICO file, each a 32-bit bitmap."""
    bodies = [_bitmap(picture) for picture in pictures]
    offset = 6 + 16 * len(bodies)
    entries = b""
    for picture, body in zip(pictures, bodies, strict=True):
        entries += struct.pack("<4B2H2I", len(picture), len(picture), 0, 0, 1, 32, len(body), offset)
        offset += len(body)
    return struct.pack("<3H", 0, 1, len(bodies)) + entries + b"".join(bodies)


def _bitmap(pixels: Pixels) -> bytes:
    """A bitmap as ICO wants it: bottom row first, blue first, and a mask that masks nothing."""
    size = len(pixels)
    header = struct.pack("<I2i2H6I", 40, size, 2 * size, 1, 32, 0, 0, 0, 0, 0, 0)
    return header + pixels[::-1, :, [2, 1, 0, 3]].tobytes() + bytes((size + 31) // 32 * 4 * size)


def files() -> dict[str, bytes]:
    """Every icon file by name."""
    found = {}
    for size in SIZES:
        found[f"swgrm{size}.png"] = png(drawn(robot(), size))
        found[f"commands{size}.png"] = png(np.hstack([drawn(command(), size) for command in COMMANDS]))
    found["swgrm.ico"] = ico([drawn(robot(), size) for size in (16, 32, 48, 128)])
    return found


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, data in files().items():
        (FOLDER / name).write_bytes(data)
