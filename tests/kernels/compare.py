"""Compares what each kind of processor makes of the same captures: files byte by byte, robots by their fingerprints."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from swgrm.capture import encode
from swgrm_mocks.samples import SAMPLES, sample
from tests.kernels import aarch64, libraries
from tests.kernels.kinds import Kind, environment, own_kind, supported_kinds

HERE = Path(__file__).parents[2]
ADDED = (*libraries.VERSIONS, aarch64.NAME)  # what takes long to install, and is compared only if it is named


class Machine(NamedTuple):
    """A way to run Python as on a kind of processor."""

    name: str
    python: tuple[str, ...]  # the command
    variables: dict[str, str]


def machines(added: Collection[str]) -> list[Machine]:
    """Every kind that this machine can behave as, its own first, and the added ones: `ADDED` has their names."""
    kinds: list[Kind] = sorted(supported_kinds(), key=lambda kind: kind != own_kind())
    runs = [Machine(kind.name, (sys.executable,), environment(kind)) for kind in kinds]
    for versions in libraries.VERSIONS:
        if versions in added:
            variables = os.environ | {"PYTHONPATH": libraries.source_path()}
            runs.append(Machine(versions, (str(libraries.prepare(versions)),), variables))
    if aarch64.NAME in added:
        emulator = aarch64.prepare()
        runs.append(Machine(aarch64.NAME, emulator.command, emulator.variables))
    return runs


def files_of(machine: Machine, captures: Path, folder: Path) -> dict[str, bytes]:
    """The files that a machine writes for all captures, by their places."""
    out = folder / "out"
    variables = machine.variables | {
        "SWGRM_CACHE": str(folder / "cache"),
        "XDG_STATE_HOME": str(folder / "state"),
        "XDG_CONFIG_HOME": str(folder / "config"),
    }
    command = [*machine.python, "-m", "tests.kernels.exports", str(captures), str(out)]
    done = subprocess.run(command, env=variables, cwd=HERE, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"The exports on {machine.name} failed:\n{done.stderr}")
    sys.stdout.write(f"{machine.name}: {done.stdout}")
    return {str(file.relative_to(out)): file.read_bytes() for file in out.rglob("*") if file.is_file()}


def compare(added: Collection[str]) -> int:
    """Print the files that differ from those of the machine's own kind; the number of kinds with differences."""
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        captures = folder / "captures"
        captures.mkdir()
        # Captures are made once. The mock computes poses, which would differ before the comparison begins.
        for sample_name in SAMPLES:
            (captures / f"{sample_name}.swcap").write_bytes(encode(sample(sample_name)))
        reference, *others = machines(added)
        expected = files_of(reference, captures, folder / reference.name)
        for machine in others:
            actual = files_of(machine, captures, folder / machine.name)
            places = sorted(expected | actual)
            different = [place for place in places if expected.get(place) != actual.get(place)]
            sys.stdout.write("".join(f"  {place}\n" for place in different))
            sys.stdout.write(f"{machine.name} and {reference.name}: {len(different)} of {len(places)} files differ\n")
            failures += bool(different)
    return failures
