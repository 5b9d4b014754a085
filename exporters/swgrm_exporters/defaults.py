"""What every format writes where it needs a limit of a joint and the model has none."""

from __future__ import annotations

EFFORT = 100.0  # [N m or N]
VELOCITY = 10.0  # [rad/s or m/s]
ACCELERATION = 10.0  # [rad/s² or m/s²]
