"""Whether two components are near each other, by the boxes of their bodies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from swgrm.capture import Index
from swgrm.inference.geometry.twists import Array
from swgrm.inference.problem import AssemblyNode, held_nodes
from swgrm.transforms import inverse

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])  # of a box: lower or upper


class ComponentBoxes:
    """The boxes of all components, each in the coordinates of its part."""

    def __init__(self, index: Index, nodes: Sequence[AssemblyNode]) -> None:
        self._index, self._nodes = index, nodes
        self._held = held_nodes(nodes)
        self._boxes: dict[tuple[str, str], Array] = {}
        self._parts: dict[int, list[int]] = {}

    def gap(self, partner: int, instance: int) -> float | None:
        """The distance [m] between the boxes of two components, at most the true one; None if it is unknown."""
        corners = self._corners_of(instance)
        gaps = [np.inf]
        for part in self._parts_of(partner):
            boxes = self._boxes_of(part)
            if len(boxes) and len(corners):
                # In the coordinates of the partner its boxes are upright; the instance gets an upright box around it.
                T_part_root = inverse(self._nodes[part].T)
                local = corners @ T_part_root[:3, :3].T + T_part_root[:3, 3]
                lower, upper = local.min(axis=0), local.max(axis=0)
                apart = np.maximum(np.maximum(boxes[:, 0] - upper, lower - boxes[:, 1]), 0.0)
                gaps.append(float(np.linalg.norm(apart, axis=1).min()))
        return min(gaps) if len(gaps) > 1 else None

    def size(self, number: int) -> float:
        """The diagonal [m] of the box around a component in the assembly's space; 0 if it is unknown."""
        corners = self._corners_of(number)
        return float(np.linalg.norm(corners.max(axis=0) - corners.min(axis=0))) if len(corners) else 0.0

    def centre(self, number: int) -> Array | None:
        """The centre of the box around a component in the assembly's space [m]; None if it is unknown."""
        corners = self._corners_of(number)
        return (corners.max(axis=0) + corners.min(axis=0)) / 2 if len(corners) else None

    def _parts_of(self, number: int) -> list[int]:
        """The parts that a node is or holds."""
        if number not in self._parts:
            if self._nodes[number].is_assembly:
                parts = [part for held in self._held[number] for part in self._parts_of(held)]
            else:
                parts = [number]
            self._parts[number] = parts
        return self._parts[number]

    def _boxes_of(self, number: int) -> Array:
        """The boxes of the bodies of a part.  # (bodies, 2, 3): lower and upper corners."""
        node = self._nodes[number]
        if node.part not in self._boxes:
            shape = self._index.shape(node.component) if node.component else None
            boxes = [body.box for body in shape.bodies if body.box] if shape else []
            self._boxes[node.part] = np.array(boxes, dtype=float).reshape(-1, 2, 3)
        return self._boxes[node.part]

    def _corners_of(self, number: int) -> Array:
        """The corners of all boxes of a node in the assembly's space.  # (corners, 3)."""
        corners = [np.zeros((0, 3))]
        for part in self._parts_of(number):
            T = self._nodes[part].T
            boxes = self._boxes_of(part)
            for lower, upper in boxes:
                corners.append((lower + CORNERS * (upper - lower)) @ T[:3, :3].T + T[:3, 3])
        return np.concatenate(corners)
