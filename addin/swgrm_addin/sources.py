"""What SOURCE means on the command line: a robot, whatever it is stored in."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlparse

from swgrm_exporters.registry import Loaded, read


def load_robot(source: str) -> Loaded:
    """The robot that a SOURCE names, checked: with all findings of reading and of the robot itself."""
    from swgrm.validation import check

    path = Path(source)
    loaded = read(path)
    return Loaded(loaded.robot, (*loaded.findings, *check(loaded.robot, path.parent)))


def is_address(source: str) -> bool:
    """Whether a source is no file but `scheme:rest`; a single letter is a Windows drive."""
    return len(urlparse(source).scheme) > 1
