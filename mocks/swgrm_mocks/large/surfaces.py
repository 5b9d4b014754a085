"""Detailed surfaces as triangles: threads, knurls, fins, gears, fillets and cables.

All are closed unless stated otherwise, in metres, as arrays (n, 3, 3) counter-clockwise seen from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from swgrm.transforms import Array

Radius = Callable[[Array, Array], Array]
"""The radius [m] of a column at an angle [rad] and a height [m]."""
RadiusAndHeight = tuple[float, float]  # [m] a point of a profile


def skin_rings(rings: Array, *, loop: bool = False, caps: bool = True) -> Array:
    """The triangles between rings of points (k, n, 3), which are counter-clockwise seen from the last ring."""
    if loop:
        low, high = rings, np.roll(rings, -1, axis=0)
    else:
        low, high = rings[:-1], rings[1:]
    low_next, high_next = np.roll(low, -1, axis=1), np.roll(high, -1, axis=1)
    first_half = np.stack([low, low_next, high_next], axis=2)
    second_half = np.stack([low, high_next, high], axis=2)
    triangles = [np.stack([first_half, second_half]).reshape(-1, 3, 3)]
    if caps and not loop:
        for end in (rings[0][::-1], rings[-1]):
            centre = np.broadcast_to(end.mean(axis=0), end.shape)
            triangles.append(np.stack([centre, end, np.roll(end, -1, axis=0)], axis=1))
    return np.concatenate(triangles)


def column(radius: Radius, bottom: float, top: float, around: int, along: int) -> Array:
    """A column along z whose radius depends on angle and height: a thread, a knurl, a gear, a finned housing."""
    angle, height = np.meshgrid(_angles(around), np.linspace(bottom, top, along))
    radii = radius(angle, height)
    return skin_rings(np.stack([radii * np.cos(angle), radii * np.sin(angle), height], axis=2))


def cylinder(radius: float, bottom: float, top: float, around: int = 48) -> Array:
    """A plain cylinder along z."""
    return column(lambda angle, _height: np.full_like(angle, radius), bottom, top, around, 2)


def turned_ring(
    profile: Sequence[RadiusAndHeight], around: int, bore_teeth: int = 0, tooth_depth: float = 0.0
) -> Array:
    """A ring about z from a closed profile, counter-clockwise; optionally with teeth on its smallest radius."""
    angle = _angles(around)
    teeth = tooth_depth * np.clip(2 * np.sin(bore_teeth * angle), -1, 1)
    smallest = min(radius for radius, _ in profile)
    rings = []
    for radius, height in profile:
        radii = radius + teeth if bore_teeth and radius == smallest else np.full_like(angle, radius)
        rings.append(np.stack([radii * np.cos(angle), radii * np.sin(angle), np.full_like(angle, height)], axis=1))
    return skin_rings(np.array(rings), loop=True)


def tube(outer: float, inner: float, bottom: float, top: float, around: int = 48) -> Array:
    """A washer, a spacer or a tube about z."""
    return turned_ring([(outer, bottom), (outer, top), (inner, top), (inner, bottom)], around)


def thread(radius: float, pitch: float, bottom: float, top: float, around: int, per_turn: int = 8) -> Array:
    """A modelled thread about z."""

    def depth(angle: Array, height: Array) -> Array:
        flank = np.abs((height / pitch - angle / 2 / np.pi) % 1 - 0.5)
        return np.asarray(radius - 0.6 * pitch * flank)

    return column(depth, bottom, top, around, max(3, int((top - bottom) / pitch * per_turn)))


def block(x: float, y: float, z: float, fillet: float, around: int = 16, along: int = 8) -> Array:
    """A box around the origin with fillets."""
    half, fillet = np.array([x, y, z]) / 2, min(fillet, 0.49 * min(x, y, z))
    # The points of a small sphere, each moved into the corner of the box that it points to.
    latitude = np.linspace(-0.499, 0.499, along)[:, None] * np.pi
    longitude = _angles(around)[None] + np.pi / around
    east, north = np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude)
    sphere = np.stack([east, north, np.broadcast_to(np.sin(latitude), east.shape)], axis=2)
    return skin_rings(fillet * sphere + np.sign(sphere) * (half - fillet))


def ball(radius: float, around: int = 20, along: int = 12) -> Array:
    """A ball around the origin."""
    return block(2 * radius, 2 * radius, 2 * radius, radius, around, along)


def cable(path: Array, radius: float, around: int = 14, *, caps: bool = True) -> Array:
    """A cable along a path (k, 3); open at its ends without caps."""
    along = np.gradient(path, axis=0)
    side = np.cross(along, [0.31, 0.52, 0.8])  # a direction that no path here has
    side /= np.linalg.norm(side, axis=1)[:, None]
    up = np.cross(along / np.linalg.norm(along, axis=1)[:, None], side)
    angle = _angles(around)[None, :, None]
    offsets = np.cos(angle) * side[:, None] + np.sin(angle) * up[:, None]
    return skin_rings(path[:, None] + radius * offsets, caps=caps)


def shift(triangles: Array, x: float, y: float, z: float) -> Array:
    """The triangles moved by an offset."""
    return np.asarray(triangles + np.array([x, y, z]))


def copies_around(triangles: Array, count: int, radius: float, z: float = 0.0) -> list[Array]:
    """Copies on a circle about z, each turned with its place."""
    copies = []
    for angle in _angles(count) + 0.1:
        turn = np.array([[np.cos(angle), np.sin(angle), 0], [-np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
        copies.append(triangles @ turn + radius * turn[0] + [0, 0, z])
    return copies


def _angles(count: int) -> Array:
    """The angles [rad] of points on a circle."""
    return np.arange(count) * 2 * np.pi / count
