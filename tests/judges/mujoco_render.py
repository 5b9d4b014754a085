"""Runs inside the judges' environment: `mujoco_render.py SCENE PICTURE …` renders scenes at their key frame `home`.

It needs OpenGL without a screen, which Debian's package `libegl-mesa0` has.
"""

from __future__ import annotations

import os
import struct
import sys
import zlib
from pathlib import Path
from typing import Any

WIDTH, HEIGHT = 360, 270


def picture(scene: str) -> Any:
    import mujoco
    import numpy as np

    model: Any = mujoco.MjModel.from_xml_path(scene)
    data: Any = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    solid = [index for index in range(model.ngeom) if int(model.geom_group[index]) == 2]
    places = np.array([data.geom_xpos[index] for index in solid])
    reach = np.array([model.geom_rbound[index] for index in solid])[:, None]
    low, high = (places - reach).min(axis=0), (places + reach).max(axis=0)
    camera: Any = mujoco.MjvCamera()
    camera.lookat[:] = (low + high) / 2
    camera.distance, camera.azimuth, camera.elevation = 0.95 * float(np.linalg.norm(high - low)), 130, -25
    with mujoco.Renderer(model, HEIGHT, WIDTH) as renderer:
        renderer.update_scene(data, camera)
        return renderer.render()


def png(pixels: Any) -> bytes:
    """The bytes of a PNG file."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def main() -> None:
    os.environ.setdefault("MUJOCO_GL", "egl")
    for scene, target in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
        Path(target).write_bytes(png(picture(scene)))


if __name__ == "__main__":
    main()
