"""Type variables that several modules share."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")
