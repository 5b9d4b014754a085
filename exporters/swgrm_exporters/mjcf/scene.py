"""The scene: a floor, light and sky around the robot. The file is the user's once it is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from swgrm.kinematics import poses
from swgrm.model import Geometry, Mesh, Quat, Robot
from swgrm_exporters.mjcf.assets import MeshAssets
from swgrm_exporters.mjcf.elements import sizes
from swgrm_exporters.numbers import Numbers
from swgrm_exporters.xmlwriting import Node, add_node

if TYPE_CHECKING:
    from swgrm.transforms import Array


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


def lowest_point(robot: Robot, positions: Mapping[str, float | Quat], assets: MeshAssets) -> float:
    """The height of the lowest corner of the shapes' boxes in a pose; zero if there are none [m]."""
    at = poses(robot, dict(positions))
    heights: list[float] = []
    for frame, link in robot.links():
        for shape in link.collisions or link.visuals:
            for corners in _corners(shape, assets):
                T = at[frame.id] @ shape.origin.matrix
                heights.append(float((corners @ T[2, :3] + T[2, 3]).min()))
    return min(heights, default=0.0)


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
