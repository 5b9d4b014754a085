"""Fingerprints of robots: what must not depend on the processor, nor on the last digit of any input number.

`python -m tests.fingerprints FILE` writes the fingerprints of all samples, of random assemblies and of the recordings
from live SolidWorks. Run it again with other kernels (`OPENBLAS_CORETYPE`, `NPY_DISABLE_CPU_FEATURES`) or on another
processor and compare: `python -m tests.fingerprints --compare FILE FILE` prints what differs.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from swgrm import dumps
from swgrm.capture import Capture
from swgrm.findings import Finding, Findings
from swgrm.inference import infer
from swgrm.meshes.files import load
from swgrm.model import Robot
from swgrm_addin.pipeline import meshed, no_progress, understand
from swgrm_exporters.formats import chosen
from swgrm_mocks.realise import RealisationOptions, realise
from swgrm_mocks.samples import SAMPLES, sample
from tests import live
from tests.closed_chains import random_chain
from tests.robots import random_tree

Fingerprint = dict[str, Any]  # a JSON value: everything that is discrete, and the numbers

ABSOLUTE = 1e-8  # [m, rad, or of one] what numbers may differ by; relative above one
RELATIVE = 1e-6  # of the largest entry: what masses and tensors may differ by
OF_MESHES = 1e-5  # [m] what the extents of meshes may differ by: a narrow triangle in single precision is tilted
IN_TEXT = 0.01  # of a number in a sentence, which is rounded to a few digits
_RELATIVE_KEYS = {"mass", "tensor", "inertia"}
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def fingerprint_of(capture: Capture) -> Fingerprint:
    """The robot that is inferred from a capture, with the findings."""
    inference = infer(capture)
    return _fingerprint(inference.robot, inference.findings)


def fingerprint_with_meshes(capture: Capture) -> Fingerprint:
    """The robot of a capture as it would be exported: weighed, with its meshes, and with all findings."""
    with tempfile.TemporaryDirectory(prefix="swgrm-") as folder, pytest.MonkeyPatch.context() as patch:
        # The user's cache may contain what other kernels computed.
        patch.setenv("SWGRM_CACHE", str(Path(folder, "cache")))
        understanding = understand(capture)
        findings = Findings(understanding.findings)
        stage = Path(folder, "stage")
        robot, files, *_ = meshed(understanding, chosen(()), stage, findings, no_progress)
        boxes = {path.relative_to(stage).as_posix(): _box(path) for path in sorted(files)}
    return {**_fingerprint(robot, findings), "meshes": boxes}


def _fingerprint(robot: Robot, findings: Iterable[Finding]) -> Fingerprint:
    return {
        "robot": json.loads(dumps(robot, complete=True)),
        "findings": sorted(str(finding) for finding in findings),
    }


def without_file_names(fingerprint: Fingerprint) -> Fingerprint:
    """The fingerprint with the extents of each mesh in place of its file, whose name depends on equal bytes."""
    boxes = fingerprint["meshes"]

    def replaced(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: boxes.get(inner, inner) if key == "uri" else replaced(inner) for key, inner in value.items()}
        return [replaced(inner) for inner in value] if isinstance(value, list) else value

    return {"robot": replaced(fingerprint["robot"]), "findings": fingerprint["findings"]}


def _box(path: Path) -> list[float]:
    """The extents of a mesh file.  # [m]."""
    vertices = load(path).vertices
    return [*vertices.min(axis=0).tolist(), *vertices.max(axis=0).tolist()]


# ---- what is fingerprinted


def sources(assemblies: int) -> dict[str, Callable[[], Fingerprint]]:
    """What makes each fingerprint, by name: samples, so many random assemblies, and recordings."""
    makers: dict[str, Callable[[], Fingerprint]] = {}
    for name in SAMPLES:
        makers[f"sample {name}"] = lambda name=name: fingerprint_with_meshes(sample(name))  # type: ignore[misc]
    for seed in range(assemblies):
        makers[f"assembly {seed}"] = lambda seed=seed: fingerprint_of(random_assembly(seed))  # type: ignore[misc]
    for name, capture in recordings().items():
        makers[f"recording {name}"] = lambda capture=capture: fingerprint_of(capture)  # type: ignore[misc]
    return makers


def random_assembly(seed: int) -> Capture:
    """A random assembly: even seeds are closed chains, odd ones are random trees realised by random mates."""
    if seed % 2:
        return realise(random_tree(seed), seed, RealisationOptions(fasteners=seed % 3)).capture()
    return random_chain(seed // 2).assembly.capture()


def recordings() -> dict[str, Capture]:
    """The recordings from live SolidWorks by name; those of the folder of real data too, if there is one."""
    paths = {path.stem: path for path in live.FOLDER.glob("*.json")}
    if folder := os.environ.get("SWGRM_FIXTURES"):
        paths |= {path.stem: path for path in Path(folder, "live").glob("*.json")}
    recorded = {name: json.loads(path.read_text("utf-8")) for name, path in sorted(paths.items())}
    return {name: live.as_capture(real) for name, real in recorded.items() if "mates" in real}  # others are numbers


# ---- changes in the last place


def shaken(capture: Capture, seed: int) -> Capture:
    """The capture with every number changed by one unit in its last place, up or down at random.

    A zero becomes ±1e-17: a cosine of 90° is about that where another library computes it. Triangles are in single
    precision, whose last place is about 1e-8 m.
    """
    return _Shaking(np.random.default_rng(seed)).changed(capture)  # type: ignore[no-any-return]


class _Shaking:
    """Random changes in the last place of the numbers of a record."""

    EXACT = frozenset({"appearance", "version"})  # colours and versions are not measured

    def __init__(self, chance: np.random.Generator) -> None:
        self._chance = chance
        self._salt = np.uint64(chance.integers(1 << 32))

    def changed(self, value: Any) -> Any:
        """The value with its numbers changed; whole numbers and texts stay."""
        if isinstance(value, float):
            return self._number(value)
        if isinstance(value, tuple):
            return tuple(map(self.changed, value))
        if isinstance(value, msgspec.Struct):
            return msgspec.structs.replace(value, **dict(self._fields(value)))
        return value

    def _fields(self, record: msgspec.Struct) -> Iterator[tuple[str, Any]]:
        for name in record.__struct_fields__:
            value = getattr(record, name)
            if name == "triangles" and isinstance(value, bytes | memoryview):
                yield name, self._triangles(value)
            elif name not in self.EXACT:
                yield name, self.changed(value)

    def _number(self, value: float) -> float:
        unit = max(float(np.spacing(abs(value))), 1e-17)
        return value + float(self._chance.choice((-1.0, 1.0))) * unit if np.isfinite(value) else value

    def _triangles(self, data: bytes | memoryview) -> bytes:
        """Triangles in single precision.

        Equal corners are changed alike, so that surfaces stay closed, and equal parts stay equal.
        """
        corners = np.frombuffer(data, "<f4").reshape(-1, 3) + np.float32(0.0)  # no −0
        bits = corners.view("<u4").astype(np.uint64)
        mixed = (bits @ np.array([2654435761, 2246822519, 3266489917], np.uint64) + self._salt) * np.uint64(
            0x9E3779B97F4A7C15
        )
        ways = np.stack([(mixed >> np.uint64(40 + k)) & np.uint64(1) for k in range(3)], axis=1).astype("f4") * 2 - 1
        moved = corners + ways * np.maximum(np.spacing(np.abs(corners)), np.float32(1e-12))
        return bytes(moved.astype("<f4").tobytes())


# ---- comparison


def differences(before: Any, after: Any, place: str = "") -> Iterator[str]:
    """Yields where two fingerprints differ: numbers by more than the tolerance, everything else at all."""
    numbers = _numbers_in(before), _numbers_in(after)
    if all(numbers):
        is_same = _are_close(*numbers, place)
    elif isinstance(before, Mapping) and isinstance(after, Mapping):
        yield from _differences_of_objects(before, after, place)
        return
    elif isinstance(before, list) and isinstance(after, list):
        yield from _differences_of_lists(before, after, place)
        return
    elif isinstance(before, str) and isinstance(after, str):
        is_same = _are_alike(before, after)
    else:
        is_same = before == after
    if not is_same:
        yield f"{place}: {before!r} and {after!r}"


def _differences_of_objects(before: Mapping[str, Any], after: Mapping[str, Any], place: str) -> Iterator[str]:
    for key in sorted(before.keys() | after.keys()):
        if key not in before or key not in after:
            yield f"{place}/{key}: only {'before' if key in before else 'after'}"
        else:
            yield from differences(before[key], after[key], f"{place}/{key}")


def _differences_of_lists(before: list[Any], after: list[Any], place: str) -> Iterator[str]:
    if len(before) != len(after):
        yield f"{place}: {len(before)} and {len(after)} entries"
    for number, (one, another) in enumerate(zip(before, after, strict=False)):
        name = (one.get("id") or one.get("name")) if isinstance(one, Mapping) else None
        yield from differences(one, another, f"{place}/{name or number}")


def _numbers_in(value: Any) -> list[float]:
    """The numbers that belong together: a number, a list of them, or the six of a tensor; whole numbers are exact."""
    if isinstance(value, Mapping):
        value = list(value.values())
    values = value if isinstance(value, list) else [value]
    are_numbers = all(type(number) in (int, float) for number in values)
    return values if are_numbers and any(isinstance(number, float) for number in values) else []


def _are_close(before: list[float], after: list[float], place: str) -> bool:
    """Whether numbers that belong together agree; masses and tensors relative to their largest entry."""
    if len(before) != len(after):
        return False
    size = max(map(abs, (*before, *after)))
    if "/meshes/" in place or place.endswith("/uri"):
        tolerance = OF_MESHES
    elif _RELATIVE_KEYS.isdisjoint(place.split("/")):
        tolerance = ABSOLUTE * max(1.0, size)
    else:
        tolerance = RELATIVE * size
    return all(abs(one - another) <= tolerance for one, another in zip(before, after, strict=True))


def _are_alike(before: str, after: str) -> bool:
    """Whether two sentences agree: words and whole numbers exactly, other numbers as far as they are shown."""
    if _NUMBER.sub("#", before) != _NUMBER.sub("#", after):
        return False
    for one, another in zip(_NUMBER.findall(before), _NUMBER.findall(after), strict=True):
        is_count = one.lstrip("-").isdigit() and another.lstrip("-").isdigit()
        tolerance = 0.0 if is_count else IN_TEXT * max(1.0, abs(float(one)))
        if abs(float(one) - float(another)) > tolerance:
            return False
    return True


def main(arguments: list[str] | None = None) -> int:
    """Write or compare fingerprints; returns 1 if some differ."""
    parser = argparse.ArgumentParser(prog="python -m tests.fingerprints", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--compare", action="store_true", help="compare two files instead of writing one")
    parser.add_argument("--assemblies", type=int, default=40, metavar="N", help="random assemblies (default: 40)")
    options = parser.parse_args(arguments)
    os.environ["SWGRM_CONFIG"] = str(Path("/swgrm-tests/no-such-folder"))  # not the defaults of the user
    if options.compare:
        before, after = (json.loads(path.read_text("utf-8")) for path in options.files)
        found = list(differences(before, after))
        sys.stdout.write("\n".join(found or ["the same"]) + "\n")
        return int(bool(found))
    fingerprints = {name: make() for name, make in sources(options.assemblies).items()}
    options.files[0].write_text(json.dumps(fingerprints, indent=1), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
