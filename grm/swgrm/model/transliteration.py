"""Names of any script in letters that every program takes: `Fuß` is `Fuss`, `腰部` is `YaoBu`."""

from __future__ import annotations

import re

_FOREIGN = re.compile(r"[^\x00-\x7f]+")


def in_ascii(text: str) -> str:
    """The text in ASCII; letters of other scripts as they are pronounced, by the library anyascii.

    A slash has a meaning in names of ROS and in paths, so that of `½` becomes an underscore.
    """
    if text.isascii():
        return text
    from anyascii import anyascii

    return _FOREIGN.sub(lambda run: anyascii(run[0]).replace("/", "_"), text)
