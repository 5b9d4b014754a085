"""What all tests share: hypothesis profiles and the real data beside the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "swgrm",
    deadline=None,
    max_examples=int(os.environ.get("SWGRM_EXAMPLES", "50")),
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("swgrm")


@pytest.fixture
def fixtures() -> Path:
    """The folder of real data that nobody here made; without it the test is skipped, and says so."""
    if folder := os.environ.get("SWGRM_FIXTURES"):
        return Path(folder)
    pytest.skip("SWGRM_FIXTURES is not set: the real data is not here")
