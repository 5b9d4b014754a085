"""The version of a release: in the package, the citation and the changelog, which must agree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from installer.release.fragments import collect

REPOSITORY = Path(__file__).parents[2]


def version(root: Path = REPOSITORY) -> str:
    """The version, from the one place where it is written."""
    text = (root / "grm" / "swgrm" / "__init__.py").read_text("utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    return found[1] if found else ""


def disagreements(wanted: str, root: Path = REPOSITORY) -> Iterator[str]:
    """What does not fit a release of that version, one sentence each."""
    if version(root) != wanted:
        yield f"the version of the package is {version(root)}, not {wanted}"
    if f"\nversion: {wanted}\n" not in (root / "CITATION.cff").read_text("utf-8"):
        yield f"CITATION.cff does not name version {wanted}"
    if not notes(wanted, root):
        yield f"CHANGELOG.md has no section `## {wanted} – YYYY-MM-DD`"


def set_version(wanted: str, date: str, root: Path = REPOSITORY) -> None:
    """Write a version into the package and the citation; collect what is unreleased in the changelog, and date it."""
    collect(root)
    changes = {
        "grm/swgrm/__init__.py": (r'^__version__ = ".+"$', f'__version__ = "{wanted}"'),
        "CITATION.cff": (r"^version: .+$", f"version: {wanted}"),
        "CHANGELOG.md": (r"^## Unreleased$", f"## Unreleased\n\n## {wanted} – {date}"),
    }
    for name, (pattern, line) in changes.items():
        path = root / name
        text, count = re.subn(pattern, line, path.read_text("utf-8"), count=1, flags=re.MULTILINE)
        assert count == 1, f"{name} has no line for the version"  # noqa: S101 - our own files
        path.write_text(text, "utf-8")


def notes(wanted: str, root: Path = REPOSITORY) -> str:
    """The section of a version in the changelog, which is dated; an empty text if there is none."""
    text = (root / "CHANGELOG.md").read_text("utf-8")
    found = re.search(rf"^## {re.escape(wanted)} – \d{{4}}-\d\d-\d\d\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1].strip() + "\n" if found else ""
