"""Counts the numbers with noise in exported files: `python -m tests.bench.noisy_numbers FOLDER...`.

    swgrm export mock:arm -o out/arm
    python -m tests.bench.noisy_numbers out

Noise is what rounding errors leave: a number that is not zero but below 1e-12, minus zero, or a number within 1e-12
(relative) of one with six digits or fewer. Honest numbers can be counted as well: the moments of inertia of a part of
a milligram are below 1e-12 kg m². Numbers are counted by the ending of their file.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

ENDINGS = (
    ".grm.json", ".urdf", ".xacro", ".yml", ".yaml", ".xml", ".srdf", ".sdf", ".usda", ".html", ".obj",
    ".findings.json",
)  # fmt: skip
NUMBER = re.compile(r"(?<![\w.#+-])[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?(?![\w.])")
PACKED = re.compile(r'"meshes":\{[^}]*\}|<style.*?</style>|function.*?</script>', re.DOTALL)  # of a page
TINY, NEAR, DIGITS = 1e-12, 1e-12, 6


def noise_of(text: str) -> str:
    """The kind of noise that a number has; empty if it has none."""
    value = float(text)
    if value == 0:
        return "minus zero" if text.startswith("-") else ""
    if abs(value) < TINY:
        return "tiny"
    short = float(f"{value:.{DIGITS}g}")
    return "near" if value != short and abs(value - short) <= NEAR * abs(value) else ""


def count_noise(folders: Iterable[Path]) -> dict[str, Counter[str]]:
    """The numbers in the files of some folders, by ending and kind of noise; the empty kind has none."""
    counts: dict[str, Counter[str]] = {}
    for folder in folders:
        for file in sorted(folder.rglob("*")):
            ending = next((ending for ending in ENDINGS if file.name.endswith(ending)), "")
            if ending and file.is_file():
                text = PACKED.sub("", file.read_text("utf-8")) if ending == ".html" else file.read_text("utf-8")
                kinds = counts.setdefault(ending, Counter())
                kinds.update(noise_of(number) for number in NUMBER.findall(text))
    return counts


def main(folders: list[Path]) -> None:
    """Print a line for each ending."""
    sys.stdout.write(f"{'ending':16} {'numbers':>9} {'tiny':>7} {'near':>7} {'-0':>7} {'noise':>7}\n")
    for ending, kinds in sorted(count_noise(folders).items()):
        total, noisy = kinds.total(), kinds.total() - kinds[""]
        columns = f"{total:9,} {kinds['tiny']:7,} {kinds['near']:7,} {kinds['minus zero']:7,}"
        sys.stdout.write(f"{ending:16} {columns} {100 * noisy / total if total else 0:6.1f} %\n")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main([Path(argument) for argument in sys.argv[1:]])
