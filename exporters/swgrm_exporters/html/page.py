"""The page as text: the template with its style, scripts and data filled in."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path

import msgspec

from swgrm_exporters.html.scene import SceneData

WEB = Path(__file__).with_name("web")
SCRIPTS = ("math.js", "kinematics.js", "loops.js", "renderer.js", "marks.js", "view.js", "panels.js", "state.js")
GENERATOR = '<meta name="generator" content="swgrm">'
POLICY = (  # the file can neither load nor send anything
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)


def page(shown: SceneData, meshes: Mapping[str, bytes]) -> str:
    """The page of a robot as one file: it holds everything that it shows; `meshes` are compressed."""
    packed = {key: base64.b64encode(data).decode() for key, data in meshes.items()}
    text = msgspec.json.encode({"scene": shown, "meshes": packed}).decode()
    return filled(
        GENERATOR=GENERATOR,
        TITLE=escape(shown["robot"]),
        POLICY=POLICY,
        STYLE=asset("page.css"),
        DATA=text.replace("<", "\\u003c"),  # no name can end the element
        NONCE="",
        SCRIPT="\n".join(asset(name) for name in (*SCRIPTS, "file.js")),
    )


def served_page(nonce: str) -> tuple[str, str]:
    """The page of a review without data, and the content security policy to send with it."""
    policy = (
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'"
    )
    text = filled(
        GENERATOR=GENERATOR,
        TITLE="swgrm review",
        POLICY=policy,
        STYLE=asset("page.css") + asset("review.css"),
        DATA="{}",
        NONCE=f' nonce="{nonce}"',
        SCRIPT="\n".join([*map(asset, SCRIPTS), _sensor_types(), asset("editing.js"), asset("review.js")]),
    )
    return text, f"{policy}; frame-ancestors 'none'"


def _sensor_types() -> str:
    """The list of the types of sensor that a user may choose, as a script."""
    from swgrm.model.sensor_types import SENSORS

    return f"const SENSOR_TYPES = {msgspec.json.encode(list(SENSORS)).decode()};"


def filled(**parts: str) -> str:
    """The template with its parts, in one pass: a part may contain what looks like a placeholder."""
    return re.sub(r"@([A-Z]+)@", lambda found: parts[found[1]], asset("page.html"))


@cache
def asset(name: str) -> str:
    """The text of a file in `web/`."""
    return (WEB / name).read_text("utf-8")
