"""Runs the commands that the package's summary lists."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Collection

import tests.kernels
from tests.kernels.compare import ADDED, HERE, compare, machines
from tests.kernels.kinds import KINDS

# The tests that compute: inference, meshes, masses, kinematics and what formats do with their numbers.
NUMERICAL = ("tests/grm", "tests/exporters", "tests/mocks", "tests/requirements")
SAMPLE = ("tests/grm/inference", "tests/grm/meshes", "tests/grm/test_mass.py", "tests/grm/test_kinematics.py")


def test(added: Collection[str]) -> int:
    """Run the numerical tests on every kind but the machine's own; the number of kinds with failures.

    Without SWGRM_FULL, these are the oldest kind and the added ones.
    """
    is_full = bool(os.environ.get("SWGRM_FULL"))
    others = [machine for machine in machines(added)[1:] if is_full or machine.name in (KINDS[0].name, *added)]
    failures = 0
    for machine in others:
        sys.stdout.write(f"tests on {machine.name}\n")
        sys.stdout.flush()
        paths = NUMERICAL if is_full else SAMPLE
        command = [*machine.python, "-m", "pytest", "-q", "-m", "not docs", *paths]
        failures += bool(subprocess.run(command, env=machine.variables, cwd=HERE, check=False).returncode)
    return failures


COMMANDS = {"test": test, "compare": compare}


def main(words: list[str]) -> int:
    """Run the named commands, or both."""
    if not set(words) <= {*COMMANDS, *ADDED}:
        sys.exit(tests.kernels.__doc__)
    added = [word for word in words if word in ADDED]
    named = [word for word in words if word in COMMANDS] or COMMANDS
    failures = 0
    for name in named:
        failures += COMMANDS[name](added)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
