"""Roll, pitch, yaw against quaternions, exact at gimbal lock too: R = Rz(yaw) · Ry(pitch) · Rx(roll)."""

from __future__ import annotations

import math

from swgrm.model import Quat, Vec3
from swgrm.precision import ANGLE, DIRECTION, is_rounded, rounded_numbers

LOCK = 1e-12  # cos(pitch) below which yaw is chosen as zero
HALF_TURN = 1e-10  # [rad] what is nearer to −π is written as π; well above the noise of rounded quaternions


def rpy_quaternion(rpy: Vec3) -> Quat:
    """The quaternion (x, y, z, w; w ≥ 0) of the angles about the fixed axes x, y, z."""
    roll, pitch, yaw = rpy
    if pitch == 0 and yaw == 0 and roll == 0:
        return (0.0, 0.0, 0.0, 1.0)
    cr, sr = math.cos(roll / 2), math.sin(roll / 2)
    cp, sp = math.cos(pitch / 2), math.sin(pitch / 2)
    cy, sy = math.cos(yaw / 2), math.sin(yaw / 2)
    x, y = sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy
    z, w = cr * cp * sy - sr * sp * cy, cr * cp * cy + sr * sp * sy
    if w < 0:
        x, y, z, w = -x, -y, -z, -w
    return (x + 0.0, y + 0.0, z + 0.0, w + 0.0)


def quaternion_rpy(q: Quat) -> Vec3:
    """The angles of a quaternion of any length.

    Yaw comes first; roll and pitch from what is left without it, Rz(−yaw) · R = Ry(pitch) · Rx(roll). So they fit each
    other to the last digits even where yaw alone is ill-conditioned. At the lock itself yaw is zero.
    """
    if q == (0.0, 0.0, 0.0, 1.0):
        return (0.0, 0.0, 0.0)
    length = math.hypot(*q)
    x, y, z, w = (value / length for value in q)
    r00, r10, r20 = 1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)
    r01, r11 = 2 * (x * y - z * w), 1 - 2 * (x * x + z * z)
    r02, r12 = 2 * (x * z + y * w), 2 * (y * z - x * w)
    yaw = math.atan2(r10, r00) if math.hypot(r00, r10) > LOCK else 0.0
    c, s = math.cos(yaw), math.sin(yaw)
    roll = math.atan2(s * r02 - c * r12, c * r11 - s * r01)
    pitch = math.atan2(-r20, c * r00 + s * r10)
    return (roll, pitch, yaw)


def written_rpy(q: Quat) -> Vec3:
    """The angles to write for a quaternion: of a rounded one they are rounded, because its noise is theirs.

    Half a turn is π or −π by the last digit of a rounded quaternion; π is written.
    """
    roll, pitch, yaw = quaternion_rpy(q)
    if is_rounded(q, DIRECTION):
        return rounded_numbers((_without_negative_half_turn(roll), pitch, _without_negative_half_turn(yaw)), ANGLE)
    return (round(roll, 15), round(pitch, 15), round(yaw, 15))  # of a file: zeros become zeros again


def _without_negative_half_turn(angle: float) -> float:
    return angle + 2 * math.pi if angle < HALF_TURN - math.pi else angle
