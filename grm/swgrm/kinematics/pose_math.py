"""Poses composed and inverted."""

from __future__ import annotations

import numpy as np

from swgrm.model import IDENTITY, Pose
from swgrm.transforms import inverse


def compose(*poses: Pose) -> Pose:
    """T₁ · T₂ · …; a single pose among identities is returned unchanged, to the last digit."""
    moving = [pose for pose in poses if pose != IDENTITY]
    if len(moving) <= 1:
        return moving[0] if moving else IDENTITY
    T = np.eye(4)
    for pose in moving:
        T = T @ pose.matrix
    return Pose.from_matrix(T)


def invert(pose: Pose) -> Pose:
    """T⁻¹."""
    return Pose.from_matrix(inverse(pose.matrix))
