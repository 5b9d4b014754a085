"""Prepares the pages of the site: docs/ and the files of the root, with the robots that the pages show.

The pages are written for GitHub. The site's Markdown needs an empty line before lists, tables and code blocks.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
ROOT_PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE")
ROBOTS = ("arm", "gripper", "mobile_base", "four_bar", "stewart")  # shown on the pages
LIST = re.compile(r"^(?P<indent> *)(?:[-*+]|\d+\.) ")
LINK = re.compile(r"(\]\()(?!https?:|#|mailto:)([^)#\s]+)")


def prepare(target: Path) -> None:
    """Write all pages, pictures and robots into a folder, which is made anew."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(REPOSITORY / "docs", target, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    for name in ROOT_PAGES:
        text = (REPOSITORY / name).read_text("utf-8")
        (target / name).write_text(re.sub(r"\]\(docs/", "](", text), "utf-8")
    for page in target.rglob("*.md"):
        page.write_text(for_site(page.read_text("utf-8"), len(page.relative_to(target).parts) - 1), "utf-8")
    for name in ROBOTS:
        write_robot(name, target / "robots" / f"{name}.html")


def write_robot(name: str, file: Path) -> None:
    """Write the 3D page of a sample, as an export writes it."""
    from swgrm_addin.pipeline import read, understand, write_file

    file.parent.mkdir(exist_ok=True)
    write_file(understand(read(f"mock:{name}")), file)


def for_site(text: str, depth: int) -> str:
    """A page with links to files of the root as links to their copies, and the empty lines that Markdown needs."""
    above = "../" * (depth + 1)
    text = LINK.sub(lambda found: found[1] + _moved(found[2], above, "../" * depth), text)
    return "\n".join(_spaced(text.splitlines())) + "\n"


def _moved(target: str, above: str, here: str) -> str:
    name = target.removeprefix(above)
    return here + name if target.startswith(above) and name in ROOT_PAGES else target


def _spaced(lines: list[str]) -> Iterator[str]:
    """The lines, with an empty one wherever another kind of block begins."""
    fence, before = "", ""
    for line in lines:
        stripped = line.lstrip()
        if fence:
            fence = "" if stripped.startswith(fence) else fence
        else:
            if before.strip() and _kind(line) != _kind(before) and "text in list" not in (_kind(line), _kind(before)):
                yield ""
            if stripped.startswith("```"):
                fence = "```"
        yield line
        before = line if not (fence == "" and stripped == "```") else "```end"


def _kind(line: str) -> str:
    stripped = line.lstrip()
    if stripped.startswith("```"):
        return "code"
    if stripped.startswith("|"):
        return "table"
    if stripped.startswith("<!--"):
        return "comment"
    if stripped.startswith(">"):
        return "quote"
    if stripped.startswith("#"):
        return "heading"
    if LIST.match(line):
        return "list"
    return "text in list" if line.startswith(" ") else "text"
