"""The icons in the add-in are those that the script draws, and can be seen on any ribbon."""

from __future__ import annotations

import runpy
import struct
import zlib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from swgrm_addin.inside.commands import COMMANDS
from swgrm_addin.inside.ribbon import ICONS, SIZES

SCRIPT = Path(__file__).parents[2] / "installer" / "icons.py"
RIBBONS = (240, 240, 240), (60, 60, 60)  # light and dark


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    assert find_spec("numpy")
    return runpy.run_path(str(SCRIPT))


def picture(data: bytes) -> tuple[int, int, bytes]:
    """Width, height and pixels of a PNG file of ours."""
    width, height = struct.unpack(">2I", data[16:24])
    start = data.index(b"IDAT") + 4
    return width, height, zlib.decompress(data[start : data.index(b"IEND") - 8])


def test_the_icons_are_those_that_the_script_draws(script: dict[str, Any]) -> None:
    drawn = script["files"]()
    assert {path.name for path in ICONS.iterdir()} == set(drawn)
    for name, data in drawn.items():
        kept = (ICONS / name).read_bytes()
        assert kept == data if name.endswith(".ico") else picture(kept) == picture(data), f"{name}: run {SCRIPT.name}"


@pytest.mark.parametrize("size", SIZES)
def test_a_strip_holds_one_icon_per_command(size: int) -> None:
    assert picture((ICONS / f"commands{size}.png").read_bytes())[:2] == (len(COMMANDS) * size, size)
    assert picture((ICONS / f"swgrm{size}.png").read_bytes())[:2] == (size, size)


@pytest.mark.parametrize("ribbon", RIBBONS)
def test_both_colours_stand_out_from_light_and_dark(script: dict[str, Any], ribbon: tuple[int, ...]) -> None:
    """A contrast of at least 2.9 to 1, with relative luminance as WCAG 2 defines it."""
    for colour in (script["BLUE"], script["ORANGE"]):
        dark, light = sorted((luminance(colour), luminance(ribbon)))
        assert (light + 0.05) / (dark + 0.05) > 2.9


def luminance(colour: tuple[int, ...]) -> float:
    linear = [c / 3294.6 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
