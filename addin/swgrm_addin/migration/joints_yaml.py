"""The settings file of sw2robot (`NAME.joints.yaml`): the tree as a list of joints between components."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from swgrm.errors import FileError
from swgrm.model import Calibration, Coupling, Dynamics, Limits, Safety, Vec3
from swgrm.storage.files import decode_utf8, read_bytes
from swgrm_addin.migration.old_robot import OldJoint, OldLink, OldRobot, old_robot
from swgrm_exporters.yamltext import YamlProblem, parse

ROOT_NAME = "base_link"  # what sw2robot calls the root's link, unless the file names it


def read_joints_yaml(path: Path) -> OldRobot:
    """The robot in a settings file of sw2robot; its links are called as in the URDF that sw2robot writes."""
    try:
        data = parse(decode_utf8(path, read_bytes(path)))
    except YamlProblem as problem:
        raise FileError(path, problem.problem, place=problem.place) from None
    if not isinstance(data, dict) or not isinstance(data.get("joints"), list) or not data.get("base"):
        remedy = "Name the file NAME.joints.yaml that sw2robot wrote"
        raise FileError(path, "it has no `base` and no list `joints`", remedy=remedy)
    return _Reader(path, data).robot()


class _Reader:
    """Reads one file."""

    def __init__(self, path: Path, data: dict[str, Any]) -> None:
        self.path, self.data = path, data
        self.link_names = self._names("link_names")
        self.joint_names = self._names("joint_names")

    def _names(self, key: str) -> dict[str, str]:
        found = self.data.get(key) or {}
        if not isinstance(found, dict):
            raise FileError(self.path, f"`{key}` is not a list of names", remedy=f"Write `{key}: {{old: new}}`")
        return {str(old): str(new) for old, new in found.items()}

    def robot(self) -> OldRobot:
        base = str(self.data["base"])
        name = self.data.get("root_link_name", ROOT_NAME)
        self.link_names.setdefault(base, str(name) if name else base)
        links = [OldLink(self.link_names[base], components=(base,))]
        links += [self._link(number, entry) for number, entry in enumerate(self.data["joints"], start=1)]
        return old_robot(self.path.name.split(".")[0], str(self.path), links)

    def _link(self, number: int, entry: Any) -> OldLink:  # noqa: ANN401 - any YAML value
        place = f"joint {number}"
        if not isinstance(entry, dict) or not entry.get("parent") or not entry.get("child"):
            raise FileError(self.path, "it has no parent and child", place=place, remedy="Write `parent` and `child`")
        parent, child = str(entry["parent"]), str(entry["child"])
        key = f"{parent}__{child}"
        joint = OldJoint(
            self.joint_names.get(key, key),
            str(entry.get("type") or "").lower(),
            limits=Limits(*(self._number(entry, key, place) for key in ("lower", "upper", "velocity", "effort"))),
            direction=self._direction(entry, place),
            dynamics=self._made(Dynamics, entry.get("dynamics"), ("damping", "friction"), place),
            calibration=self._made(Calibration, entry.get("calibration"), ("rising", "falling"), place),
            safety=self._safety(entry.get("safety_controller"), place),
            coupling=self._coupling(entry.get("mimic"), place),
        )
        return OldLink(self.link_names.get(child, child), self.link_names.get(parent, parent), joint, (child,))

    def _number(self, entry: Any, key: str, place: str) -> float | None:  # noqa: ANN401 - any YAML value
        value = entry.get(key) if isinstance(entry, dict) else None
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise FileError(self.path, f"`{key}: {value}` is not a number", place=place, remedy="Write a number")
        return float(value)

    def _made(self, kind: Any, entry: Any, keys: tuple[str, ...], place: str) -> Any:  # noqa: ANN401 - any YAML value
        numbers = {key: self._number(entry, key, place) for key in keys}
        given = {key: number for key, number in numbers.items() if number is not None}
        return kind(**given) if given else None

    def _safety(self, entry: Any, place: str) -> Safety | None:  # noqa: ANN401 - any YAML value
        keys = ("k_velocity", "k_position", "soft_lower_limit", "soft_upper_limit")
        return Safety(*(self._number(entry, key, place) or 0.0 for key in keys)) if entry else None

    def _coupling(self, entry: Any, place: str) -> Coupling | None:  # noqa: ANN401 - any YAML value
        if not isinstance(entry, dict) or not entry.get("joint"):
            return None
        ratio, offset = (self._number(entry, key, place) for key in ("multiplier", "offset"))
        leader = str(entry["joint"])
        return Coupling(self.joint_names.get(leader, leader), 1.0 if ratio is None else ratio, offset or 0.0)

    def _direction(self, entry: Any, place: str) -> Vec3 | None:  # noqa: ANN401 - any YAML value
        found = entry.get("axis_dir")
        if found is None:
            return None
        if not isinstance(found, list) or len(found) != 3:
            raise FileError(self.path, "`axis_dir` is not three numbers", place=place, remedy="Write [x, y, z]")
        x, y, z = (self._number({"axis_dir": each}, "axis_dir", place) or 0.0 for each in found)
        return x, y, z
