"""Change fragments: one small file per topic in `changes/`, which a release collects into the changelog.

A fragment is called `TOPIC.KIND.md`, with the kind `added`, `changed` or `fixed`. Its text is one entry of the
changelog, or several that begin with `- `; an entry may be wrapped. Two changes never edit the same lines, and what
was added and mended between two releases is edited in its own fragment, so that the changelog lists what users saw.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
FOLDER = "changes"
KINDS = {"added": "### Added", "changed": "### Changed", "fixed": "### Fixed"}  # in the changelog's order
NAME = re.compile(rf"[a-z0-9]+(-[a-z0-9]+)*\.({'|'.join(KINDS)})\.md")
UNRELEASED = re.compile(r"^## Unreleased\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def fragments(root: Path = REPOSITORY) -> list[Path]:
    """Return the files in `changes/` in the order of their names."""
    return sorted((root / FOLDER).glob("*"))


def problems(path: Path) -> Iterator[str]:
    """Return what is wrong with a fragment, one sentence each."""
    if not NAME.fullmatch(path.name):
        yield f"{FOLDER}/{path.name}: the name is not of the form topic-in-words.added.md, .changed.md or .fixed.md"
    changes = list(entries(path.read_text("utf-8")))
    if not changes:
        yield f"{FOLDER}/{path.name} is empty"
    for change in changes:
        if change.startswith("#"):
            yield f"{FOLDER}/{path.name} has a heading; the changelog has those of its own"
        elif not re.search(r"[.!?:)]$", change):
            yield f"{FOLDER}/{path.name}: `{change}` is not a whole sentence"


def entries(text: str) -> Iterator[str]:
    """Return the entries of a fragment, each on one line and without its dash."""
    # A new entry begins at a dash or after an empty line; any other line continues the one before.
    for block in re.split(r"\n\s*\n|^- ", text, flags=re.MULTILINE):
        if entry := " ".join(block.split()):
            yield entry


def collect(root: Path = REPOSITORY) -> None:
    """Move all fragments to the end of their sections under "Unreleased" in the changelog."""
    paths = fragments(root)
    if wrong := [sentence for path in paths for sentence in problems(path)]:
        raise SystemExit("\n".join(wrong))
    changelog = root / "CHANGELOG.md"
    text = changelog.read_text("utf-8")
    unreleased = UNRELEASED.search(text)
    assert unreleased is not None, "CHANGELOG.md has no section `## Unreleased`"  # noqa: S101 - our own file
    sections = _sections(unreleased[1])
    for path in paths:
        heading = KINDS[path.name.split(".")[1]]
        sections[heading] += [f"- {entry}" for entry in entries(path.read_text("utf-8"))]
    body = "\n".join("\n".join([heading, *lines, ""]) for heading, lines in sections.items() if lines)
    changelog.write_text(text[: unreleased.start(1)] + body + "\n" * bool(body) + text[unreleased.end(1) :], "utf-8")
    for path in paths:
        path.unlink()


def _sections(text: str) -> dict[str, list[str]]:
    """Return the lines under each heading of the unreleased section."""
    sections: dict[str, list[str]] = {heading: [] for heading in KINDS.values()}
    heading = ""
    for line in text.splitlines():
        if line.startswith("### "):
            heading = line
            sections.setdefault(heading, [])
        elif line.strip():
            sections[heading].append(line)
    return sections
