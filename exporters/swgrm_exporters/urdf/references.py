"""Props that name a link or joint, recognised by the tables of `schema`."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec.structs import replace

from swgrm.model import Props, Robot
from swgrm.model.references import JOINT, LINK, H, body_names, joint_names, map_holders, texts_of
from swgrm_exporters.urdf.props import TEXT
from swgrm_exporters.urdf.schema import CONTROL_PARAMETERS, PLUGIN_PARAMETERS, PLUGINS, REFERENCES

_NUMBER = re.compile(r"\[[0-9]+\]")
_CONTROL_PARAMETER = re.compile(rf"ros2_control\b.*\.param(\[[0-9]+\])?\.{TEXT}", re.DOTALL)
Kinds = tuple[str, ...]


def with_references(robot: Robot) -> Robot:
    """The robot with a declaration for every property that names one of its links, frames or joints.

    Where a table allows both, a link takes precedence over a joint of the same name. A value that names nothing in the
    robot stays plain text. What is declared already stays as it is.
    """
    names = {LINK: body_names(robot), JOINT: set(joint_names(robot))}

    def declared(holder: H) -> H:
        texts = texts_of(holder)
        if not texts:  # most have none
            return holder
        found = {
            key: next(kind for kind in kinds if text in names[kind])
            for key, text in texts.items()
            if key not in holder.references
            and (kinds := kinds_of(key, texts))
            and any(text in names[kind] for kind in kinds)
        }
        return replace(holder, references={**holder.references, **found}) if found else holder

    return map_holders(robot, declared)


def kinds_of(key: str, props: Props) -> Kinds:
    """The kinds of object that a property may name, the preferred one first; most properties name nothing."""
    if _CONTROL_PARAMETER.fullmatch(key):
        return CONTROL_PARAMETERS.get(props.get(f"{key.removesuffix(TEXT)}name", ""), ())
    return _kinds_by_path(key)


@lru_cache(maxsize=4096)
def _kinds_by_path(key: str) -> Kinds:
    path = _NUMBER.sub("", key)
    tags, _, last = path.rpartition(".")
    above, _, tag = tags.rpartition(".")
    is_parameter = last == TEXT and any(each.startswith(PLUGINS) for each in above.split("."))
    return REFERENCES.get(path) or (PLUGIN_PARAMETERS.get(tag, ()) if is_parameter else ())
