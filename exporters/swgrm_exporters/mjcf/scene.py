"""The scene: a floor, light and sky around the robot. The file is the user's once it is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from swgrm.model import Geometry, Mesh, Mount, Quat, Robot
from swgrm_exporters.mjcf.assets import MeshAssets
from swgrm_exporters.mjcf.elements import sizes
from swgrm_exporters.numbers import Numbers
from swgrm_exporters.xmlwriting import Node, add_node

if TYPE_CHECKING:
    from swgrm.transforms import Array

CLEARANCE = 0.001  # [m] between the floor and what moves


def scene(model: str, file: str, floor: float, numbers: Numbers) -> Node:
    """The scene that includes a robot's file, with the floor at a height [m]."""
    root = Node("mujoco", {"model": f"{model} scene"})
    add_node(root, "include", {"file": file})
    visual = add_node(root, "visual")
    add_node(visual, "headlight", {"diffuse": "0.6 0.6 0.6", "ambient": "0.3 0.3 0.3", "specular": "0 0 0"})
    add_node(visual, "rgba", {"haze": "0.15 0.25 0.35 1"})
    add_node(visual, "global", {"azimuth": "130", "elevation": "-20"})
    asset = add_node(root, "asset")
    sky = {"builtin": "gradient", "rgb1": "0.3 0.5 0.7", "rgb2": "0 0 0", "width": "512", "height": "3072"}
    add_node(asset, "texture", {"type": "skybox", **sky})
    tiles = {"builtin": "checker", "mark": "edge", "rgb1": "0.2 0.3 0.4", "rgb2": "0.1 0.2 0.3"}
    tiles |= {"markrgb": "0.8 0.8 0.8", "width": "300", "height": "300"}
    add_node(asset, "texture", {"type": "2d", "name": "groundplane", **tiles})
    look = {"texuniform": "true", "texrepeat": "5 5", "reflectance": "0.2"}
    add_node(asset, "material", {"name": "groundplane", "texture": "groundplane", **look})
    world = add_node(root, "worldbody")
    add_node(world, "light", {"pos": "0 0 3", "dir": "0 0 -1", "directional": "true"})
    ground = {"name": "floor", "type": "plane", "size": "0 0 0.05", "material": "groundplane"}
    height = {"pos": f"0 0 {numbers.text(floor)}"} if abs(floor) > 1e-9 else {}
    add_node(world, "geom", ground | height)
    return root


def floor_height(robot: Robot, positions: Mapping[str, float | Quat], assets: MeshAssets) -> float:
    """The height of the floor [m]: a floating robot stands on it, and so does the base of a fixed one, at most at zero.

    If parts of a fixed robot that move reach below its base, it hangs above the floor by half of its height.
    """
    bodies = robot.mechanism.bodies
    at = robot.mechanism.kinematics.poses(dict(positions))
    still, moving = [0.0], list[float]()
    for frame, link in robot.links():
        T = at[frame.id]
        for shape in link.collisions or link.visuals:
            heights = (corners @ (T @ shape.origin.matrix)[2, :3] for corners in _corners(shape, assets))
            offset = float((T @ shape.origin.matrix)[2, 3])
            found = [offset + float(each) for some in heights for each in (some.min(), some.max())]
            (still if bodies.body_of[frame.id] == bodies.base else moving).extend(found)
    if robot.mount is Mount.FLOATING:
        return min([*still[1:], *moving], default=0.0)
    if min(moving, default=1.0) > min(still) + CLEARANCE:
        return min(still)
    return min(*still, *moving) - (max(*still, *moving) - min(*still, *moving)) / 2


def _corners(shape: Geometry, assets: MeshAssets) -> Iterator[Array]:
    """The corners of the boxes around a shape.  # (8, 3)."""
    signs = np.array(list(product((0, 1), repeat=3)))
    if isinstance(shape, Mesh):
        for piece in assets.pieces(shape):
            if piece.name in assets.bounds:
                low, high = (np.array(each) for each in assets.bounds[piece.name])
                yield low + signs * (high - low)
        return
    kind, numbers = sizes(shape)
    r, *rest = numbers
    half = {
        "box": numbers, "sphere": (r, r, r), "cylinder": (r, r, *rest), "capsule": (r, r, *(each + r for each in rest)),
    }[kind]  # fmt: skip
    yield (2 * signs - 1) * np.array(half)
