"""The links and joints that a file of a package names, so that edited files can be compared with a changed robot."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from swgrm_exporters.ros2.xacro_macros import PREFIX

_IN_XACRO = re.compile(rf"{re.escape(PREFIX)}([\w.\-/]+)")
_COMMENT = re.compile("<!--.*?-->", re.DOTALL)
_KEYS = frozenset({"joint", "joints", "frame_id", "Fixed Frame"})  # of YAML files, whose values are names


def used_names(path: Path) -> frozenset[str]:
    """The names in a xacro or YAML file or its new version; none in other files, or in one that cannot be read."""
    name = path.name.removesuffix(".new")
    try:
        if name.endswith(".xacro"):
            return frozenset(_IN_XACRO.findall(_COMMENT.sub("", path.read_text("utf-8"))))
        if name.endswith((".yaml", ".rviz")):
            return frozenset(_names(yaml.safe_load(path.read_text("utf-8"))))
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        pass
    return frozenset()


def _names(data: Any) -> Iterator[str]:  # noqa: ANN401 - YAML data
    """The texts under the keys that hold names, at any depth."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key in _KEYS:
                yield from (each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str))
            else:
                yield from _names(value)
    elif isinstance(data, list):
        for each in data:
            yield from _names(each)
