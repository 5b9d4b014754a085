"""The mass matrix of a robot over its independent joints, by the Jacobians of its bodies: M = Σ Jᵀ 𝓘 J."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swgrm.errors import ModelError
from swgrm.kinematics.closed_loops import joint_twists
from swgrm.mass.inertia import combine, moved, tensor_matrix
from swgrm.model import Inertial, JointType, Robot
from swgrm.transforms import cross_matrix

if TYPE_CHECKING:
    from swgrm.kinematics.forward import Positions
    from swgrm.transforms import Array


GRAVITY = 9.81  # [m/s²]


class MassMatrix(NamedTuple):
    """The matrix, and the columns of each independent joint in it: one, three of a ball."""

    columns: dict[str, slice]
    M: Array  # (n, n) [kg m², kg m, kg]
    momenta: Array  # (bodies, 3, n): the linear momentum of each body, by the joints' velocities


class Load(NamedTuple):
    """What a drive accelerates and holds: I [kg m² or kg], and the largest effort of gravity [N m or N]."""

    inertia: float
    weight: float


LARGEST = 1e100  # [kg m²] of a mass matrix: squares of it are finite


def loads(robot: Robot, driving: Sequence[str], positions: Positions | None = None) -> dict[str, Load]:
    """The load of each driving joint while the others stand still; in a robot with loops, the other driving ones.

    There, the motion q̇ has q̇ᵢ = 1 and q̇ⱼ = 0 of the other driving joints, J q̇ = 0 of the loops, and of all such the
    least kinetic energy: I = q̇ᵀ M q̇ = bᵀ (C M⁻¹ Cᵀ)⁺ b with C q̇ = b.
    """
    if not driving:
        return {}
    with np.errstate(over="ignore", invalid="ignore"):
        matrix = mass_matrix(robot, positions)
    if not (np.isfinite(matrix.M).all() and np.abs(matrix.M).max(initial=0.0) < LARGEST):
        raise ModelError(f"robot {robot.name}: its masses or lengths are too large to compute with; correct them")
    loops = robot.mechanism.loops
    size = len(matrix.M)
    J = loops.jacobian(loops.kinematics.poses(positions))
    E = np.zeros((len(driving), size))
    for row, name in enumerate(driving):
        E[row, matrix.columns[name]] = 1.0
    motions: Array = np.eye(size)[:, E.argmax(axis=1)]  # each joint alone
    if len(J):
        C = np.vstack([J, E])
        inverse_M = np.linalg.pinv(matrix.M, hermitian=True)
        reflected = np.linalg.pinv(C @ inverse_M @ C.T, rcond=1e-10, hermitian=True)
        motions = np.asarray(inverse_M @ C.T @ reflected[:, len(J) :], float)
    inertias = np.einsum("nd,nd->d", motions, matrix.M @ motions)
    weights = GRAVITY * np.linalg.norm(matrix.momenta @ motions, axis=1).sum(axis=0)
    return {name: Load(float(inertias[n]), float(weights[n])) for n, name in enumerate(driving)}


def mass_matrix(robot: Robot, positions: Positions | None = None) -> MassMatrix:
    """The mass matrix of the tree at some positions; joints that follow others move with them, armatures count.

    Loops are not closed: the matrix is that of the tree.
    """
    loops = robot.mechanism.loops
    poses, size = loops.kinematics.poses(positions), loops.size
    M, jacobians, momenta = np.zeros((size, size)), dict[str, "Array"](), [np.zeros((0, 3, size))]
    for frame in robot.walk():
        J = np.zeros((6, size)) if frame.parent is None else jacobians[frame.parent].copy()
        if frame.joint is not None and not frame.is_rigid:
            twists = joint_twists(frame.joint, poses[frame.id])
            row = np.zeros(size)
            for leader, factor in loops.terms(frame).items():
                J[:, loops.columns[leader]] += factor * twists
                row[loops.columns[leader]] += factor
            armature = frame.joint.dynamics.armature if frame.joint.dynamics else 0.0
            # The three columns of a ball joint have an armature each; a follower's acts through its leaders.
            M += armature * (np.diag(row) if frame.joint.type is JointType.BALL else np.outer(row, row))
        jacobians[frame.id] = J
        inertials = [moved(link.inertial, poses[frame.id]) for link in frame.links if link.inertial is not None]
        if inertials:
            spatial = _spatial(combine(inertials))
            M += J.T @ spatial @ J
            momenta.append((spatial[3:] @ J)[None])
    return MassMatrix(loops.columns, M, np.concatenate(momenta))


def _spatial(body: Inertial) -> Array:
    """The inertia of a body for twists about the world's origin (ω, v).  # (6, 6)."""
    m, c = body.mass, cross_matrix(body.origin)
    top = np.hstack([tensor_matrix(body) - m * (c @ c), m * c])
    return np.vstack([top, np.hstack([-m * c, m * np.eye(3)])])
