"""Makes and checks the files of a release in dist/.

python -m installer.release build FOLDER       wheel and sdist, with the time of the last commit
python -m installer.release compare A B        that two folders have the same files, byte by byte
python -m installer.release describe VERSION   bills of materials, licence reports and hashes of what is in dist/
python -m installer.release version VERSION DATE   sets it in package, citation and changelog; collects changes/
python -m installer.release check VERSION      that package, citation and changelog have this version
python -m installer.release notes VERSION      its section of the changelog
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from installer.release.comparing import differences
from installer.release.origins import REPOSITORY, ShippedPart, digest, of_folder, own_wheel, requirements
from installer.release.versions import disagreements, notes, set_version

DIST = REPOSITORY / "dist"
FALLBACK = 1_767_225_600  # 2026-01-01, where there is no git


def epoch() -> int:
    """The time of everything that is built: SOURCE_DATE_EPOCH, or that of the last commit."""
    if named := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(named)
    done = subprocess.run(
        ["git", "log", "-1", "--format=%ct"],  # noqa: S607 - git, if it is there
        cwd=REPOSITORY, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return int(done.stdout) if done.returncode == 0 and done.stdout.strip() else FALLBACK


def build(folder: Path) -> None:
    """Build the wheel and the sdist into a folder."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch())}
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder.absolute()), "-t", "sdist", "-t", "wheel"]
    subprocess.run(command, cwd=REPOSITORY, env=environment, check=True, stdout=subprocess.DEVNULL)


def compare(first: Path, second: Path) -> None:
    """Exit with 1, and name the files that differ, if two builds are not the same."""
    found = list(differences(first, second))
    sys.stdout.write("".join(f"{line}\n" for line in found) or f"{first} and {second} are the same, byte by byte\n")
    sys.exit(bool(found))


def describe(version: str) -> None:
    """Write the bill of materials and the licence report of each package in dist/, and the hashes of all."""
    wheel = DIST / f"swgrm-{version}-py3-none-any.whl"
    if not wheel.is_file():
        sys.exit(f"{wheel} does not exist. Run `make release`, which builds it.")
    _write(wheel, version, [own_wheel(wheel)], requirements(wheel))
    program = DIST / f"swgrm-{version}-setup.exe"
    if program.exists():
        from installer.combench import parts
        from installer.setup import payload

        cache = parts.cache_folder()
        wheels = [*sorted(parts.wheels(cache, payload.EXTRAS).glob("*.whl")), wheel]
        folder = REPOSITORY / "build" / "setup" / "payload"
        _write(program, version, of_folder(folder, parts.python_archive(cache), wheels), [])
    files = [*DIST.glob(f"swgrm-{version}-*"), *DIST.glob(f"swgrm-{version}.tar.gz")]
    sums = "".join(f"{digest(path.read_bytes())}  {path.name}\n" for path in sorted(files) if path.is_file())
    (DIST / "SHA256SUMS").write_text(sums, "utf-8")
    sys.stdout.write(sums)


def check(wanted: str) -> None:
    """Exit with 1, and print why, if a file does not have this version."""
    found = list(disagreements(wanted))
    sys.stdout.write("".join(f"{line}\n" for line in found))
    sys.exit(bool(found))


def _write(artefact: Path, version: str, parts: list[ShippedPart], required: list[str]) -> None:
    from installer.release.bill import bill, licence_report

    artefact.with_name(f"{artefact.name}.cdx.json").write_text(
        bill(artefact, version, parts, required, epoch()), "utf-8"
    )
    artefact.with_name(f"{artefact.name}.licences.md").write_text(licence_report(artefact.name, parts), "utf-8")
    files = sum(len(part.files) for part in parts)
    sys.stdout.write(f"{artefact.name}: {files:,} files of {len(parts)} parts, the origin of each is known\n")


if __name__ == "__main__":
    verb, *words = sys.argv[1:]
    verbs: dict[str, Callable[[], object]] = {
        "build": lambda: build(Path(words[0])),
        "compare": lambda: compare(Path(words[0]), Path(words[1])),
        "describe": lambda: describe(words[0]),
        "version": lambda: set_version(words[0], words[1]),
        "check": lambda: check(words[0]),
        "notes": lambda: sys.stdout.write(notes(words[0])),
    }
    verbs[verb]()
