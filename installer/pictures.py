"""Draws the pictures of docs/install.md: the ribbon from the add-in's own table and icons, and what Export GRM says.

    python installer/pictures.py     writes docs/pictures; needs swgrm itself

They are drawings: nobody has photographed the real ones yet.
"""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape

import icons

from swgrm import __version__
from swgrm_addin.inside import messages
from swgrm_addin.inside.commands import COMMANDS
from swgrm_addin.inside.ribbon import TITLE

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
SAMPLE = "mobile_base"
BUTTON, HEIGHT, LINE = 112, 150, 19  # [px]
FONT = 'font-family="Segoe UI, Arial, sans-serif" font-size="13" fill="#222"'


def picture(width: int, height: int, parts: Iterable[str]) -> str:
    """An SVG file."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
    return "\n".join([head, *parts, "</svg>", ""])


def box(x: int, y: int, width: int, height: int, colour: str) -> str:
    """A rectangle."""
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{colour}" stroke="#c8c8c8"/>'


def text(x: float, y: int, content: str, *, anchor: str = "start", weight: str = "normal", style: str = "") -> str:
    """A line of text."""
    how = f'text-anchor="{anchor}" font-weight="{weight}" {FONT} style="{style}"'
    return f'<text x="{x}" y="{y}" {how}>{escape(content)}</text>'


def ribbon() -> str:
    """SolidWorks' CommandManager with our tab."""
    width = BUTTON * len(COMMANDS) + 20
    parts = [box(0, 0, width, HEIGHT, "#f0f0f0"), box(0, HEIGHT - 30, width, 30, "#e2e2e2")]
    for number, name in enumerate(("Assembly", "Layout", "Sketch", "Evaluate", TITLE)):
        is_ours = name == TITLE
        parts.append(box(90 * number, HEIGHT - 30, 90, 30, "#f0f0f0" if is_ours else "#e2e2e2"))
        parts.append(text(90 * number + 45, HEIGHT - 10, name, anchor="middle", weight="bold" if is_ours else "normal"))
    for number, (command, drawing) in enumerate(zip(COMMANDS, icons.COMMANDS, strict=True)):
        data = base64.b64encode(icons.png(icons.drawn(drawing(), 40))).decode()
        x = 10 + BUTTON * number
        parts.append(f'<image x="{x + 36}" y="12" width="40" height="40" href="data:image/png;base64,{data}"/>')
        for row, part in enumerate(halves(command.title)):
            parts.append(text(x + BUTTON / 2, 74 + LINE * row, part, anchor="middle"))
    return picture(width, HEIGHT, parts)


def halves(title: str) -> list[str]:
    """A long title in two lines."""
    if len(title) < 17:
        return [title]
    parts = title.split()
    return [" ".join(parts[:2]), " ".join(parts[2:])]


def message(content: str) -> str:
    """SolidWorks' message box with a text in it."""
    lines = [line for paragraph in content.split("\n") for line in wrapped(paragraph, 86)]
    height = 70 + LINE * len(lines) + 50
    parts = [box(0, 0, 640, height, "#ffffff"), box(0, 0, 640, 30, "#e8e8e8"), text(12, 20, "SOLIDWORKS")]
    parts += [text(24, 62 + LINE * row, line) for row, line in enumerate(lines)]
    for x, name in ((440, "Yes"), (535, "No")):
        parts += [box(x, height - 44, 85, 28, "#f0f0f0"), text(x + 42, height - 25, name, anchor="middle")]
    return picture(640, height, parts)


def warning() -> str:
    """What Windows shows before it starts a program that is not signed, after More info was chosen."""
    parts = [
        box(0, 0, 520, 300, "#0a64ad"),
        text(30, 50, "Windows protected your PC", style="fill:#fff;font-size:22px"),
    ]
    lines = (
        "Microsoft Defender SmartScreen prevented an unrecognized app from",
        "starting. Running this app might put your PC at risk.",
        "",
        f"App:            swgrm-{__version__}-setup.exe",
        "Publisher:   Unknown publisher",
    )
    parts += [text(30, 90 + LINE * row, line, style="fill:#fff;white-space:pre") for row, line in enumerate(lines)]
    for x, name in ((250, "Run anyway"), (380, "Don't run")):
        parts += [box(x, 245, 115, 32, "#3b83bd"), text(x + 57, 266, name, anchor="middle", style="fill:#fff")]
    return picture(520, 300, parts)


def wrapped(paragraph: str, width: int) -> list[str]:
    """A paragraph as lines of that many letters at most."""
    lines = [""]
    for word in paragraph.split(" "):
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


def summary() -> str:
    """What Export GRM says of a sample in which something needs a look."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "swgrm_addin", "export", f"mock:{SAMPLE}", "-o", f"{folder}/out", "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    return messages.exported(json.loads(done.stdout), f"C:\\Robots\\{SAMPLE}_grm") + "\n\nOpen the folder now?"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "ribbon.svg").write_text(ribbon(), "utf-8")
    (FOLDER / "warning.svg").write_text(warning(), "utf-8")
    (FOLDER / "summary.svg").write_text(message(summary()), "utf-8")
