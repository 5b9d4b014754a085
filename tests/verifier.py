"""Checks that a robot moves as its mates allow: residuals of the mates at any joint positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from swgrm.inference import Inference
from swgrm.inference.geometry.equations import residuals
from swgrm.inference.geometry.twists import Array
from swgrm.inference.joints.robot_builder import BASE
from swgrm.inference.problem import GROUND
from swgrm.kinematics.forward import Kinematics
from swgrm.transforms import inverse
from tests.round_trip import component_ids

if TYPE_CHECKING:
    from swgrm.kinematics.forward import Positions


class Verifier:
    """The residuals of an inference's mates at given joint positions."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self.kinematics = Kinematics(inference.robot)
        self._ids = component_ids(inference.robot)
        self._start = self._poses({})
        in_loops = {int(n) for joint in inference.tree.loops for n in joint.pair.numbers}
        equations = inference.mechanism.equations
        labels = inference.mechanism.labels
        three = (equations.mirror >= 0) & (labels[equations.mirror] != labels[equations.first])
        three &= labels[equations.mirror] != labels[equations.second]
        self._open = np.array([n for n in range(len(equations)) if n not in in_loops and not three[n]], dtype=np.intp)

    def _poses(self, positions: Positions) -> Array:
        """The pose of every node in the base's frame; the assembly itself moves with its body.  # (nodes, 4, 4)."""
        poses = self.kinematics.poses(positions)
        nodes, labels = self.inference.problem.nodes, self.inference.mechanism.labels
        own = [poses[self._ids[node.name]] for node in nodes[1:]]
        along = next((k for k in range(1, len(nodes)) if labels[k] == labels[GROUND]), None)
        ground = own[along - 1] @ inverse(nodes[along].T) if along else poses[BASE]
        return np.stack([ground, *own])

    def worst(self, positions: Positions) -> float:
        """The largest residual [m or rad] of the mates that no loop closes, at the given joint positions."""
        motions = self._in_assembly(self._poses(positions))
        left = residuals(self.inference.mechanism.equations[self._open], motions)
        return float(np.abs(left).max()) if len(left) else 0.0

    def _in_assembly(self, poses: Array) -> Array:
        """Each node's motion from the assembled pose, in the assembly's space: A T(q) T(0)⁻¹ A⁻¹."""
        nodes = self.inference.problem.nodes
        A = nodes[1].T @ inverse(self._start[1]) if len(nodes) > 1 else np.eye(4)  # T_assembly_base
        return A @ poses @ inverse(self._start) @ inverse(A)
