"""Draws the tab swgrm and its menu from the table of the add-in's commands: `ribbon.py OUT.svg`."""

from __future__ import annotations

import base64
import io
import sys
import textwrap
from pathlib import Path
from xml.sax.saxutils import escape

from PIL import Image

from swgrm_addin.inside.commands import COMMANDS, ICONS, Command
from swgrm_addin.inside.ribbon import ICONS as FOLDER

LARGE, SMALL = 40, 20  # [pixels] of an icon
CELL, MARGIN = 112, 10  # [pixels]
RIBBON, TABS, ROW = 120, 30, 26  # [pixels] the heights of the ribbon, its tabs, and a line of the menu
MENU = 220  # [pixels] the width of the menu
EDGE = 'stroke="#c8c8c8"'
FONT = 'font-family="Segoe UI, Arial, sans-serif" font-size="13" fill="#222"'


def icon(command: Command, size: int, x: float, y: float) -> str:
    """The icon of a command, cut out of the strip that SolidWorks gets."""
    number = ICONS.index(command.icon or command.callback)
    with Image.open(FOLDER / f"commands{size}.png") as strip:
        data = io.BytesIO()
        strip.crop((number * size, 0, (number + 1) * size, size)).save(data, "png")
    text = base64.b64encode(data.getvalue()).decode()
    return f'<image x="{x:g}" y="{y:g}" width="{size}" height="{size}" href="data:image/png;base64,{text}"/>'


def text(words: str, x: float, y: float, anchor: str = "middle", weight: str = "normal") -> str:
    """One line."""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-weight="{weight}" {FONT}>{escape(words)}</text>'


def box(x: float, y: float, width: float, height: float, fill: str) -> str:
    """A rectangle with an edge."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}" {EDGE}/>'


def button(command: Command, x: float) -> list[str]:
    """A button of the ribbon, its title on one or two lines."""
    lines = textwrap.wrap(command.title, 13)
    middle = x + CELL / 2
    titles = [text(line, middle, 74 + 19 * number) for number, line in enumerate(lines)]
    return [icon(command, LARGE, middle - LARGE / 2, 12), *titles]


def menu(x: float, y: float) -> list[str]:
    """The menu of Tools, with every command."""
    drawn = [text("Tools ▸ swgrm", x, y - 9, "start", "bold"), box(x, y, MENU, ROW * len(COMMANDS) + 8, "#ffffff")]
    for number, command in enumerate(COMMANDS):
        top = y + 4 + ROW * number
        drawn += [icon(command, SMALL, x + 8, top + 3), text(command.title, x + 38, top + 18, "start")]
    return drawn


def picture() -> str:
    """The ribbon with the tab in front, and the menu below it."""
    buttons = [command for command in COMMANDS if not command.icon]
    width = 2 * MARGIN + CELL * len(buttons)
    top = RIBBON + TABS + 36
    height = top + ROW * len(COMMANDS) + 8 + MARGIN
    drawn = [box(0, 0, width, height, "#ffffff"), box(0, 0, width, RIBBON, "#f0f0f0"),
             box(0, RIBBON, width, TABS, "#e2e2e2")]  # fmt: skip
    for number, tab in enumerate(("Assembly", "Layout", "Sketch", "Evaluate", "swgrm")):
        front = tab == "swgrm"
        drawn += [
            box(90 * number, RIBBON, 90, TABS, "#f0f0f0" if front else "#e2e2e2"),
            text(tab, 90 * number + 45, RIBBON + 20, weight="bold" if front else "normal"),
        ]
    for number, command in enumerate(buttons):
        drawn += button(command, MARGIN + CELL * number)
    drawn += menu(MARGIN + 8, top)
    frame = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
    return "\n".join([frame, *drawn, "</svg>", ""])


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(picture(), "utf-8")
