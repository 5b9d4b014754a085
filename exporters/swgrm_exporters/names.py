"""Names that a format allows: made legal, made unique, and mapped to what they were."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from msgspec.structs import replace

from swgrm.edit import rename
from swgrm.model import Frame, Link, Robot
from swgrm.model.transliteration import in_ascii

Legal = Callable[[str], str]
_LEGAL = re.compile(r"[A-Za-z0-9_.\-][A-Za-z0-9_.\-/]*")
_NOT_IN_ATTRIBUTES = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
_ILLEGAL = re.compile(r"[^A-Za-z0-9_.\-/]+")


class Renamed(NamedTuple):
    """A name that had to change: of what (robot, frame, link, joint, material), from what, to what."""

    kind: str
    old: str
    new: str


def ros_legal(text: str) -> str:
    """The text in letters, digits and `_-./` (no slash first), transliterated; all else becomes one underscore.

    That is what tf2, ROS 2 and the URDF readers take. Names can become equal or empty: the caller makes them unique,
    and keeps the original beside.
    """
    if _LEGAL.fullmatch(text):
        return text
    return _ILLEGAL.sub("_", in_ascii(text)).lstrip("/")


def xml_legal(text: str) -> str:
    """The text in any script; characters that XML cannot hold in an attribute, and line breaks, become underscores."""
    return _NOT_IN_ATTRIBUTES.sub("_", text)


class Pool:
    """The names in use, which `fresh` keeps unique by adding numbers."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def fresh(self, wanted: str) -> str:
        """The wanted name if it is free, otherwise with the lowest number that makes it free; it is then in use."""
        name = wanted
        while name in self._taken:
            number = self._next.get(wanted, 2)
            self._next[wanted] = number + 1
            name = f"{wanted}_{number}"
        self._taken.add(name)
        return name

    def is_free(self, name: str) -> bool:
        """Whether a name is not in use."""
        return name not in self._taken


def legal_names(names: Iterable[str], legal: Legal, fallback: str) -> dict[str, str]:
    """New names for those that are not legal: unique also among the legal ones, which all stay."""
    names = list(dict.fromkeys(names))
    good = {name for name in names if name and legal(name) == name}
    pool = Pool(good)

    def wanted(name: str) -> str:
        text = legal(name)
        rest = text.strip("_")
        has_lost_its_letters = not any(sign.isalpha() for sign in rest) and any(sign.isalpha() for sign in name)
        return "_".join(filter(None, [fallback, rest])) if not rest or has_lost_its_letters else text

    return {name: pool.fresh(wanted(name)) for name in names if name not in good}


class Named(NamedTuple):
    """A robot with legal names, and what was renamed."""

    robot: Robot
    renamed: tuple[Renamed, ...]


def legalize(robot: Robot, legal: Legal) -> Named:
    """The robot with every name legal and unique among its kind, all references following."""
    loops = (loop.joint.name for loop in robot.loop_joints if loop.joint.name)
    tables = {
        "robot": legal_names([robot.name], legal, "robot"),
        "frame": legal_names((f.id for f in robot.frames), legal, "frame"),
        "link": legal_names((link.name for _, link in robot.links()), legal, "link"),
        "joint": legal_names([*robot.joints, *loops], legal, "joint"),
        "material": legal_names((m.name for m in robot.materials), legal, "material"),
    }
    renamed = tuple(Renamed(kind, old, new) for kind, table in tables.items() for old, new in table.items())
    if not renamed:
        return Named(robot, ())
    changed = rename(robot, frames=tables["frame"], joints=tables["joint"], links=tables["link"])
    materials = tables["material"]
    changed = replace(
        changed,
        name=tables["robot"].get(robot.name, robot.name),
        frames=tuple(_painted(frame, materials) for frame in changed.frames) if materials else changed.frames,
        materials=tuple(replace(m, name=materials.get(m.name, m.name)) for m in robot.materials),
    )
    return Named(changed, renamed)


def _painted(frame: Frame, materials: dict[str, str]) -> Frame:
    def link(old: Link) -> Link:
        visuals, collisions = (
            tuple(replace(shape, material=materials.get(shape.material, shape.material)) for shape in shapes)
            for shapes in (old.visuals, old.collisions)
        )
        return replace(old, visuals=visuals, collisions=collisions)

    return replace(frame, links=tuple(link(each) for each in frame.links))
