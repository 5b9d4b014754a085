"""`make judges`: validators of USD and SDF on the exported samples, with their meshes.

`usd=PYTHON` has usd-core with its validators, of the same release of Python; it also writes and reads binary layers for
swgrm. `asset=PROGRAM` is Omniverse's asset validator, `drake=PYTHON` reads SDF
1.11 in its own dialect, and `sdf=PROGRAM` is Gazebo's `ign`, which checks SDF 1.9.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from swgrm_addin.pipeline import export
from tests.judges.motion import ROBOTS

TEXT_IS_SLOW = "UsdAsciiPerformanceChecker"  # meshes are text where usd-core is not installed
_ISSUE = re.compile(r"^(?:ERROR|FAILURE)[^\[]*\[(\w+)\] (.*)$", re.MULTILINE)


def exported(folder: Path, form: str, names: Iterable[str] = ROBOTS, **options: str) -> list[Path]:
    """The samples in a format."""
    files = []
    for name in names:
        done = export(f"mock:{name}", folder / name, formats=(form,), options={form: options})
        files.append(next(file for file in done.files if file.suffix == {"usd": ".usda"}.get(form, f".{form}")))
    return files


def run(command: Iterable[object]) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in command]
    return subprocess.run(words, capture_output=True, text=True, timeout=1200, check=False)


def usd(program: str, folder: Path) -> Iterable[str]:
    """Errors of usd-core's validators."""
    done = run([program, Path(__file__).with_name("usd_validation.py"), *exported(folder, "usd")])
    if done.returncode:
        raise SystemExit(f"usd-core cannot be run: {done.stderr[-500:]}")
    answer = json.loads(done.stdout.splitlines()[-1])
    _print("usd-core", f"{answer['validators']} validators on {len(answer['errors'])} samples")
    return [f"usd-core, {Path(file).name}: {error}" for file, errors in answer["errors"].items() for error in errors]


def binary(program: str, folder: Path) -> Iterable[str]:
    """Samples that differ when usd-core writes their meshes, or their whole stage, as binary layers."""
    site = run([program, "-c", "import site; print(site.getsitepackages()[0])"]).stdout.strip()
    sys.path.append(site)
    from pxr import Usd

    from swgrm.model.comparison import compare
    from swgrm_exporters import formats

    failures = []
    names = ROBOTS if os.environ.get("FULL") else ROBOTS[:2]
    texts = exported(folder / "text", "usd", names, meshes="text")
    for text, file in zip(texts, exported(folder, "usd", names, meshes="binary"), strict=True):
        counts = [_mesh_count(Usd, each) for each in (text, file)]
        if not (file.with_name(f"{file.stem}_usd") / "GeometryLibrary.usdc").exists() or counts[0] != counts[1]:
            failures.append(f"usd-core, {file.name}: {counts[1]} binary meshes of {counts[0]}")
        whole = file.with_suffix(".usdc")
        Usd.Stage.Open(str(text)).Flatten().Export(str(whole))
        expected = formats.read(text)
        for each in (file, whole):
            found = compare(expected, formats.read(each)).differences
            failures += [f"usd-core, {each.name}: {difference}" for difference in found[:5]]
    _print("usd-core", f"binary layers of {len(texts)} samples, written and read")
    return failures


def _mesh_count(Usd: Any, file: Path) -> int:
    stage = Usd.Stage.Open(str(file))
    prims = Usd.PrimRange(stage.GetPseudoRoot(), Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate))
    return sum(prim.GetTypeName() == "Mesh" for prim in prims)


def asset(program: str, folder: Path) -> Iterable[str]:
    """Failures of the asset validator, but for text layers being slower than binary ones."""
    failures = []
    for file in exported(folder, "usd"):
        done = run([program, "--json-output", folder / "report.json", file])
        found = [each for each in _ISSUE.findall(done.stdout + done.stderr) if each[0] != TEXT_IS_SLOW]
        failures += [f"asset validator, {file.name}: {rule}: {text[:200]}" for rule, text in found]
        if not (folder / "report.json").exists() and not found:
            failures.append(f"asset validator, {file.name}: {(done.stdout + done.stderr)[-300:]}")
    _print("asset validator", f"{len(ROBOTS)} samples")
    return failures


def drake(program: str, folder: Path) -> Iterable[str]:
    """Samples that Drake refuses, with their meshes, couplings and loops."""
    script = (
        "import sys\n"
        "from pydrake.multibody.parsing import Parser\n"
        "from pydrake.multibody.plant import AddMultibodyPlantSceneGraph\n"
        "from pydrake.systems.framework import DiagramBuilder\n"
        "for file in sys.argv[1:]:\n"
        "    plant, _ = AddMultibodyPlantSceneGraph(DiagramBuilder(), 0.001)\n"
        "    Parser(plant).AddModels(file)\n"
        "    plant.Finalize()\n"
        "    print(file, plant.num_positions(), plant.num_constraints())\n"
    )
    failures = []
    for file in exported(folder, "sdf", dialect="drake"):
        done = run([program, "-c", script, file])
        if done.returncode:
            failures.append(f"drake, {file.name}: {done.stderr[-300:]}")
    _print("drake", f"SDF 1.11 of {len(ROBOTS)} samples, with meshes and loops")
    return failures


def sdf(program: str, folder: Path) -> Iterable[str]:
    """Samples whose SDF 1.9 Gazebo's own check refuses."""
    failures = []
    for file in exported(folder, "sdf", version="1.9"):
        done = run([program, "sdf", "-k", file])
        if done.returncode or "Valid." not in done.stdout:
            failures.append(f"ign sdf -k, {file.name}: {(done.stdout + done.stderr)[-300:]}")
    _print("ign sdf -k", f"SDF 1.9 of {len(ROBOTS)} samples")
    return failures


VALIDATORS: dict[str, Callable[[str, Path], Iterable[str]]] = {
    "usd": usd,
    "binary": binary,
    "asset": asset,
    "drake": drake,
    "sdf": sdf,
}


def _print(name: str, text: str) -> None:
    sys.stdout.write(f"{name:<15} {text}\n")
    sys.stdout.flush()


def main() -> int:
    failures: list[str] = []
    with tempfile.TemporaryDirectory() as cache:  # one for all, because collision shapes take long
        os.environ.setdefault("SWGRM_CACHE", cache)
        for argument in sys.argv[1:]:
            name, _, program = argument.partition("=")
            with tempfile.TemporaryDirectory() as folder:
                failures += VALIDATORS[name](program, Path(folder))
    for failure in failures:
        sys.stdout.write(f"FAILED {failure}\n")
    sys.stdout.write(f"{len(failures)} failures\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
