"""Draws an exported robot with numpy and trimesh alone: `draw.py FOLDER OUT.png [JOINT=POSITION ...]`."""

from __future__ import annotations

import struct
import sys
import zlib
from pathlib import Path

import numpy as np
import trimesh

import swgrm
from swgrm import Mesh, Robot
from swgrm.transforms import axis_angle_matrix

SIZE = 720  # [pixels]
SAMPLES = 3  # per pixel and direction
LIGHT = np.array([0.4, -0.3, 0.9]) / np.linalg.norm([0.4, -0.3, 0.9])
BACKGROUND = np.array([1.0, 1.0, 1.0])


def triangles(robot: Robot, folder: Path, positions: dict[str, float]) -> tuple[np.ndarray, np.ndarray]:
    """All visual triangles in the world, and their colours.  # (n, 3, 3), (n, 3)."""
    at, colours = swgrm.poses(robot, positions), {m.name: (m.rgba or (0.7, 0.7, 0.7, 1.0))[:3] for m in robot.materials}
    corners, paint = [], []
    for frame, link in robot.links():
        for shape in link.visuals:
            if isinstance(shape, Mesh):
                mesh = trimesh.load(folder / shape.uri, force="mesh")
                T = at[frame.id] @ shape.origin.matrix
                faces = mesh.triangles * shape.scale @ T[:3, :3].T + T[:3, 3]
                corners.append(faces)
                paint.append(np.tile(colours.get(shape.material, (0.7, 0.7, 0.7)), (len(faces), 1)))
    return np.concatenate(corners), np.concatenate(paint)


def draw(corners: np.ndarray, paint: np.ndarray, turn: float = 0.7, tilt: float = 0.35) -> np.ndarray:
    """An orthographic picture with a depth buffer, seen from above and the side.  # (SIZE, SIZE, 3)."""
    view = axis_angle_matrix((1, 0, 0), tilt - np.pi / 2) @ axis_angle_matrix((0, 0, 1), turn)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    shade = 0.45 + 0.55 * np.clip(np.abs((normals / np.where(lengths > 0, lengths, 1)) @ LIGHT), 0, 1)
    seen = corners @ view.T
    low, high = seen.reshape(-1, 3).min(0), seen.reshape(-1, 3).max(0)
    pixels = SIZE * SAMPLES
    scale = 0.9 * pixels / (high - low)[:2].max()
    seen = (seen - (low + high) / 2) * [scale, -scale, scale] + [pixels / 2, pixels / 2, 0]
    picture, depth = np.tile(BACKGROUND, (pixels, pixels, 1)), np.full((pixels, pixels), -np.inf)
    for triangle, colour in zip(seen, paint * shade[:, None], strict=True):
        x0, y0 = np.maximum(np.floor(triangle[:, :2].min(0)).astype(int), 0)
        x1, y1 = np.minimum(np.ceil(triangle[:, :2].max(0)).astype(int) + 1, pixels)
        edges = triangle[1:, :2] - triangle[0, :2]
        area = edges[0, 0] * edges[1, 1] - edges[0, 1] * edges[1, 0]
        if abs(area) < 1e-12 or x1 <= x0 or y1 <= y0:
            continue
        x, y = np.meshgrid(np.arange(x0, x1) + 0.5 - triangle[0, 0], np.arange(y0, y1) + 0.5 - triangle[0, 1])
        u = (x * edges[1, 1] - y * edges[1, 0]) / area
        v = (y * edges[0, 0] - x * edges[0, 1]) / area
        z = triangle[0, 2] + u * (triangle[1, 2] - triangle[0, 2]) + v * (triangle[2, 2] - triangle[0, 2])
        part = depth[y0:y1, x0:x1]
        visible = (u >= 0) & (v >= 0) & (u + v <= 1) & (z > part)
        part[visible] = z[visible]
        picture[y0:y1, x0:x1][visible] = colour
    return picture.reshape(SIZE, SAMPLES, SIZE, SAMPLES, 3).mean((1, 3))


def png(picture: np.ndarray) -> bytes:
    """The bytes of a PNG file: the standard's chunks around zlib."""
    rows = (np.clip(picture, 0, 1) * 255).astype(np.uint8)
    raw = b"".join(b"\0" + row.tobytes() for row in rows)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", rows.shape[1], rows.shape[0], 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b"")


if __name__ == "__main__":
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    robot = swgrm.load(next(folder.glob("*.grm.json")))
    pairs = (argument.split("=") for argument in sys.argv[3:])
    out.write_bytes(png(draw(*triangles(robot, folder, {name: float(value) for name, value in pairs}))))
