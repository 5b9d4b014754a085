"""Props: looked up by their plain key, and those of several holders merged without a loss."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from swgrm.model import Props, References

MERGED = "merged"  # the element under which the props of a merged link are kept that the other one has too
_NUMBER = re.compile(r"\[[0-9]+\]")


def prop(props: Props, key: str) -> str | None:
    """The value of the first prop that has the key, whatever its number and form; None if there is none.

    `gazebo.mu1` finds `gazebo.mu1`, else `gazebo.mu1.#text`, else `gazebo[2].mu1`. A number in the key counts:
    `gazebo[2].mu1` finds only that of the second element, `gazebo[1].mu1` only that of the first.
    """
    return next(all_props(props, key), None)


def all_props(props: Props, key: str) -> Iterator[str]:
    """The values of every prop that has the key, in the order of the file."""
    wanted = key.replace("[1]", "").removesuffix(".#text")
    has_number = _NUMBER.search(key) is not None
    for each, value in sorted(props.items(), key=lambda item: item[0] != wanted):
        plain = each.removesuffix(".#text")
        if plain == wanted or (not has_number and _NUMBER.sub("", plain) == wanted):
            yield value


class PropHolder(NamedTuple):
    """What has props: its name, the props, and which of them are references."""

    name: str
    props: Props
    references: References


class PropConflict(NamedTuple):
    """A key that two holders have with different values: the value that stays, the other one, and its new key."""

    key: str
    kept: str
    kept_of: str
    other: str
    other_of: str
    new_key: str


class MergedProps(NamedTuple):
    """The props of several holders as one."""

    props: dict[str, str]
    references: dict[str, str]
    conflicts: tuple[PropConflict, ...]


def merge_props(holders: Sequence[PropHolder]) -> MergedProps:
    """The props of all holders; where several have a key, the first one's value stays.

    The other values of a holder are kept under `merged`, with its name: `merged.name`, `merged.flatsim.side`; those of
    a further holder under `merged[2]`.
    """
    props: dict[str, str] = {}
    references: dict[str, str] = {}
    owner: dict[str, str] = {}
    conflicts: list[PropConflict] = []
    number = _highest_number([key for holder in holders for key in holder.props])
    for holder in holders:
        losing = {key: value for key, value in holder.props.items() if props.get(key, value) != value}
        number += bool(losing)
        place = MERGED if number == 1 else f"{MERGED}[{number}]"
        own = {**holder.props, **({f"{place}.name": holder.name} if losing else {})}
        for key, value in own.items():
            new_key = f"{place}.{key.removeprefix('@')}" if key in losing else key
            if key in losing:
                conflicts.append(PropConflict(key, props[key], owner[key], value, holder.name, new_key))
            if new_key not in props:
                props[new_key], owner[new_key] = value, holder.name
                if key in holder.references:
                    references[new_key] = holder.references[key]
    return MergedProps(props, references, tuple(conflicts))


def _highest_number(keys: Sequence[str]) -> int:
    """How many elements `merged` there are already."""
    found = [re.match(rf"{MERGED}(?:\[([0-9]+)\])?\.", key) for key in keys]
    return max((int(each[1] or 1) for each in found if each), default=0)


__all__ = ["MERGED", "MergedProps", "PropConflict", "PropHolder", "all_props", "merge_props", "prop"]
