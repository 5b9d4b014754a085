"""Planning groups and end effectors that the settings name, checked against the robot."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

from swgrm.errors import SettingsError, nearest
from swgrm.model import Robot
from swgrm_exporters.moveit.groups import EndEffector, PlanningGroup, PlanningGroups
from swgrm_exporters.moveit.options import GroupOptions, MoveitOptions


class NewNames(NamedTuple):
    """The names in the URDF of what the robot calls otherwise."""

    links: Mapping[str, str]  # and frames
    joints: Mapping[str, str]


def with_chosen(
    found: PlanningGroups, options: MoveitOptions, robot: Robot, root: str, new: NewNames
) -> PlanningGroups:
    """The groups with those of the settings in place of the inferred ones.

    `robot` is the robot as the URDF has it, `root` its root link, and `new` the names that the robot has
    otherwise: the settings may have either. A name that the robot does not have, and a group that contains itself, is a
    SettingsError.
    """
    names = _NameCheck(robot, root, new)
    groups = tuple(_group(name, each, names) for name, each in options.groups.items()) or found.groups
    known = [group.name for group in groups]
    for name, each in options.groups.items():
        for other in each.groups:
            _must_be(other, known, "group", ("moveit", "groups", name, "groups"))
    _must_end(options)
    if options.end_effectors:
        effectors = tuple(_effector(name, options, known, names) for name in options.end_effectors)
    else:
        effectors = tuple(each for each in found.end_effectors if {each.group, each.parent_group} <= {*known})
    return PlanningGroups(groups, effectors)


class _NameCheck:
    """The names of links and driven joints, which the settings may also have as the model has them."""

    def __init__(self, robot: Robot, root: str, new: NewNames) -> None:
        self.robot, self.root, self.new = robot, root, new
        self.links = {root, *robot.by_id}
        moving = {name: frame for name, frame in robot.joints.items() if not frame.is_rigid}
        self.joints = [name for name, frame in moving.items() if frame.joint and frame.joint.coupling is None]

    def link(self, name: str, at: tuple[str, ...]) -> str:
        return _must_be(self.new.links.get(name, name), self.links, "link", at, name)

    def joint(self, name: str, at: tuple[str, ...]) -> str:
        return _must_be(self.new.joints.get(name, name), self.joints, "joint that moves and follows no other", at, name)


def _must_be(name: str, known: Collection[str], kind: str, at: tuple[str, ...], written: str = "") -> str:
    if name not in known:
        shown = written or name
        raise SettingsError(f"{', '.join(at)}: there is no {kind} `{shown}`.{nearest(shown, sorted(known))}", at)
    return name


def _must_end(options: MoveitOptions) -> None:
    """Refuse a group that contains itself, directly or through others."""
    try:
        TopologicalSorter({name: each.groups for name, each in options.groups.items()}).prepare()
    except CycleError as error:
        inner, *_ = cycle = error.args[1]
        at = ("moveit", "groups", inner, "groups")
        shown = " – ".join(f"`{name}`" for name in reversed(cycle))
        raise SettingsError(f"{', '.join(at)}: the group contains itself ({shown}). Remove one of them.", at) from None


def _group(name: str, given: GroupOptions, names: _NameCheck) -> PlanningGroup:
    at = ("moveit", "groups", name)
    kinds = [bool(given.tip), bool(given.joints), bool(given.groups)]
    if sum(kinds) != 1:
        raise SettingsError(f"{', '.join(at)}: a group has either a `tip`, or `joints`, or `groups`.", at)
    if given.base and not given.tip:
        raise SettingsError(f"{', '.join(at)}: a `base` needs a `tip`, the last link of the chain.", at)
    if given.groups:
        return PlanningGroup(name, (), groups=given.groups)
    if given.joints:
        return PlanningGroup(name, tuple(names.joint(each, (*at, "joints")) for each in given.joints))
    base = names.link(given.base, (*at, "base")) if given.base else names.root
    tip = names.link(given.tip, (*at, "tip"))
    path = [frame.id for frame in names.robot.path(tip)] if tip in names.robot.by_id else []
    if base != names.root and base not in path:
        raise SettingsError(f"{', '.join(at)}: the tip `{tip}` is not beyond the base `{base}`.", at)
    inner = path[path.index(base) + 1 :] if base in path else path
    frames = [names.robot.frame(each) for each in inner]
    joints = tuple(frame.joint_name for frame in frames if frame.joint_name in names.joints)
    if not joints:
        raise SettingsError(f"{', '.join(at)}: no joint moves between the base `{base}` and the tip `{tip}`.", at)
    return PlanningGroup(name, joints, base, tip)


def _effector(name: str, options: MoveitOptions, groups: list[str], names: _NameCheck) -> EndEffector:
    given, at = options.end_effectors[name], ("moveit", "endEffectors", name)
    _must_be(given.group, groups, "group", (*at, "group"))
    if given.parent_group:
        _must_be(given.parent_group, groups, "group", (*at, "parentGroup"))
    return EndEffector(name, given.group, names.link(given.parent, (*at, "parent")), given.parent_group)
