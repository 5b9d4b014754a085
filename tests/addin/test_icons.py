"""The icons of the add-in: every size is there, and they can be seen on light and dark ribbons."""

from __future__ import annotations

import re
import struct
import zlib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from swgrm_addin.inside.commands import COMMANDS
from swgrm_addin.inside.commands import ICONS as WITH_ICONS
from swgrm_addin.inside.ribbon import ICONS, SIZES

RIBBONS = (240, 240, 240), (60, 60, 60)  # light and dark
RGBA = 4  # bytes per pixel
Colour = tuple[int, int, int]


def pixels(path: Path) -> np.ndarray:
    """The pixels of a PNG file, (rows, columns, RGBA); only for unfiltered files with one IDAT chunk, as ours are."""
    data = path.read_bytes()
    width, height, depth, colour_type = struct.unpack(">2I2B", data[16:26])
    assert (depth, colour_type) == (8, 6), f"{path.name} is not RGBA with 8 bits each"
    start = data.index(b"IDAT") + 4
    rows = np.frombuffer(zlib.decompress(data[start : data.index(b"IEND") - 8]), np.uint8).reshape(height, -1)
    assert not rows[:, 0].any(), f"{path.name} is filtered"
    return rows[:, 1:].reshape(height, width, RGBA)


def test_every_icon_is_there() -> None:
    expected = {f"{name}{size}.png" for name in ("swgrm", "commands") for size in SIZES} | {"swgrm.ico"}
    assert {path.name for path in ICONS.iterdir()} == expected


@pytest.mark.parametrize("size", SIZES)
def test_a_strip_holds_one_icon_per_command(size: int) -> None:
    assert pixels(ICONS / f"commands{size}.png").shape == (size, len(WITH_ICONS) * size, RGBA)
    assert pixels(ICONS / f"swgrm{size}.png").shape == (size, size, RGBA)


def test_the_picture_of_the_ribbon_has_every_button_and_the_menu_every_command() -> None:
    drawn = (Path(__file__).parents[2] / "docs" / "pictures" / "ribbon.svg").read_text("utf-8")
    texts = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", drawn))
    ribbon, _, menu = texts.partition("Tools ▸ swgrm ")
    assert ribbon.endswith(" ".join(command.title for command in COMMANDS if not command.icon) + " ")
    assert menu == " ".join(command.title for command in COMMANDS)


@pytest.mark.parametrize("size", SIZES)
def test_no_icon_of_a_strip_is_empty_or_a_copy(size: int) -> None:
    icons = np.split(pixels(ICONS / f"commands{size}.png"), len(WITH_ICONS), axis=1)
    assert all((icon[..., 3] == 255).any() for icon in icons)
    assert len({icon.tobytes() for icon in icons}) == len(WITH_ICONS)


@pytest.mark.parametrize("ribbon", RIBBONS)
def test_both_colours_have_contrast_on_light_and_dark_ribbons(ribbon: Colour) -> None:
    """A contrast of at least 2.9 to 1, with relative luminance as WCAG 2 defines it."""
    for colour in main_colours(ICONS / f"commands{max(SIZES)}.png"):
        dark, light = sorted((luminance(colour), luminance(ribbon)))
        assert (light + 0.05) / (dark + 0.05) > 2.9, colour


def main_colours(path: Path) -> list[Colour]:
    """The two most frequent colours of the opaque pixels."""
    image = pixels(path)
    opaque = image[image[..., 3] == 255][:, :3]
    return [colour for colour, _ in Counter(map(tuple, opaque.tolist())).most_common(2)]


def luminance(colour: Colour) -> float:
    linear = [c / 3294.6 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
