"""The axis of an assembly that points up, by the default planes of its document.

A template of SolidWorks has y or z up (an option since 2025). IRefPlane.Transform returns the axes of each default
plane as (first, second; normal):

| plane | y up | z up |
|---|---|---|
| Front | x, y; z | y, z; x |
| Top | x, −z; y | x, y; z |
| Right | −z, y; x | x, z; ±y |

The second axis of the two upright planes points up, so that it is the second axis of most of the three. This depends
neither on their names, which are in the user's language, nor on their order.
"""

from __future__ import annotations

from typing import Literal

from swgrm.capture import Document

ALONG = 0.999  # cosine: a plane's axis is along an axis of the document
UpAxis = Literal["y", "z"]


def find_up_axis(document: Document | None) -> UpAxis:
    """The axis that points up in a document; y if its default planes do not show it."""
    upright = {"y": 0, "z": 0}
    for item in document.geometry if document is not None else ():
        if item.kind == "plane" and item.default and len(item.numbers) >= 6:
            second_axis = item.numbers[3:6]
            upright["y"] += abs(second_axis[1]) > ALONG
            upright["z"] += abs(second_axis[2]) > ALONG
    return "z" if upright["z"] > upright["y"] else "y"
