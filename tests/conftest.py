"""What all tests share: the options for their size, hypothesis' profile, and the folder of real data."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import full
from tests.kernels.kinds import describe_kernels

collect_ignore = [] if find_spec("playwright") else ["browser"]  # `make browser` has an environment of its own


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options for the size of the tests; environment variables are their defaults, for CI."""
    group = parser.getgroup("swgrm", "size of the tests")
    is_full = bool(os.environ.get("SWGRM_FULL"))
    robots, examples = os.environ.get("SWGRM_ROBOTS", "100"), os.environ.get("SWGRM_EXAMPLES", "50")
    group.addoption("--full", action="store_true", default=is_full, help="run all at full size (SWGRM_FULL=1)")
    group.addoption(
        "--robots", type=int, default=robots, metavar="N", help="random robots for the round trip (SWGRM_ROBOTS)"
    )
    group.addoption(
        "--examples", type=int, default=examples, metavar="N", help="hypothesis' examples per test (SWGRM_EXAMPLES)"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Apply the options; the tests do not see the defaults of the user who runs them."""
    os.environ["SWGRM_CONFIG"] = str(Path("/swgrm-tests/no-such-folder"))
    full.IS_FULL, full.ROBOTS = config.getoption("--full"), config.getoption("--robots")
    settings.register_profile(
        "swgrm",
        deadline=None,
        max_examples=config.getoption("--examples"),
        derandomize=bool(os.environ.get("CI")),
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("swgrm")


def pytest_report_header() -> str:
    """The kernels of the numerical libraries: `make test-kernels` runs the numerical tests with others."""
    return f"kernels: {describe_kernels()}"


@pytest.fixture
def fixtures() -> Path:
    """The folder of real data, which is not part of the project; without it the test is skipped."""
    if folder := os.environ.get("SWGRM_FIXTURES"):
        return Path(folder)
    pytest.skip("SWGRM_FIXTURES does not name the folder of real data")
