"""What the user chooses for the 3D page."""

from __future__ import annotations

import msgspec


class HtmlOptions(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """The settings section `html`."""

    max_triangles: int = 300_000  # of all shapes together; larger robots are simplified in this file
    collisions: bool = True  # contain the collision shapes too
