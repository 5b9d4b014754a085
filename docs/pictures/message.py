"""Draws the message that Export GRM shows for a source: `message.py mock:bad_day OUT.svg`."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from xml.sax.saxutils import escape

from swgrm_addin.inside.messages import exported

WIDTH, LINE, COLUMNS = 760, 19, 104  # [pixels], [pixels], characters
FONT = 'font-family="Segoe UI, Arial, sans-serif" font-size="13" fill="#222"'


def message(source: str) -> str:
    """The text of the message, made from the real output of the export."""
    name = source.rpartition(":")[2]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "swgrm_addin", "export", source, "-o", folder, "--json"]
        output = subprocess.run(command, capture_output=True, check=False).stdout  # noqa: S603 - our own command
    return exported(json.loads(output), f"C:\\Robots\\{name}_grm") + "\n\nOpen the folder now?"


def picture(text: str) -> str:
    """The message box as SVG."""
    lines = [part for line in text.split("\n") for part in textwrap.wrap(line, COLUMNS) or [""]]
    height = 62 + LINE * len(lines) + 58
    shown = [f'<text x="24" y="{62 + LINE * n}" {FONT}>{escape(line)}</text>' for n, line in enumerate(lines)]
    buttons = [
        f'<rect x="{x}" y="{height - 44}" width="85" height="28" fill="#f0f0f0" stroke="#c8c8c8"/>'
        f'<text x="{x + 42}" y="{height - 25}" text-anchor="middle" {FONT}>{caption}</text>'
        for x, caption in ((WIDTH - 200, "Yes"), (WIDTH - 105, "No"))
    ]
    frame = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff" stroke="#c8c8c8"/>',
        f'<rect width="{WIDTH}" height="30" fill="#e8e8e8" stroke="#c8c8c8"/>',
        f'<text x="12" y="20" {FONT}>SOLIDWORKS</text>',
    ]
    return "\n".join([*frame, *shown, *buttons, "</svg>", ""])


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(picture(message(sys.argv[1])), "utf-8")
