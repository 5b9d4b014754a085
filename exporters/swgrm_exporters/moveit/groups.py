"""Planning groups and end effectors from a robot's chains of driven joints, or from the settings.

A chain of three or more joints in a row is an arm, or another limb. What an arm carries is its hand, and an end
effector; so is a last joint that moves a jaw. What carries arms and has fewer than five joints is a torso.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from swgrm.model import Frame, JointType, Robot
from swgrm_exporters.moveit.group_names import arm_names, hand_name
from swgrm_exporters.names import Pool
from swgrm_exporters.robotinfo.chains import ARM_JOINTS, MovingBodies, named_flanges
from swgrm_exporters.ros2.chains import DrivenChain

LONG_ARM = 5  # joints; a shorter chain that carries arms is a torso
FINGER = re.compile("finger|jaw|gripper|claw", re.IGNORECASE)


class PlanningGroup(NamedTuple):
    """What MoveIt plans for: a chain from a base link to a tip link, or some joints, or other groups."""

    name: str
    joints: tuple[str, ...]  # the driven ones, in their order
    base: str = ""
    tip: str = ""  # of a chain; empty: the joints are listed
    followers: tuple[str, ...] = ()  # joints that move with them
    groups: tuple[str, ...] = ()

    @property
    def is_chain(self) -> bool:
        """Whether it is a chain, which has an inverse kinematics."""
        return bool(self.tip)


class EndEffector(NamedTuple):
    """A group that is mounted on a link of another group."""

    name: str
    group: str
    parent_link: str
    parent_group: str = ""


class PlanningGroups(NamedTuple):
    """All groups, and the end effectors among them."""

    groups: tuple[PlanningGroup, ...]
    end_effectors: tuple[EndEffector, ...] = ()

    def named(self, name: str) -> PlanningGroup:
        """The group of that name."""
        return next(group for group in self.groups if group.name == name)

    def joints_of(self, group: PlanningGroup) -> tuple[str, ...]:
        """The driven joints of a group and of the groups in it, each once."""
        inner = (joint for name in group.groups for joint in self.joints_of(self.named(name)))
        return tuple(dict.fromkeys((*group.joints, *inner)))


def inferred_groups(robot: Robot, chains: Sequence[DrivenChain], root: str) -> PlanningGroups:
    """The groups of a robot as the URDF has it; `root` is the URDF's root link."""
    return _GroupInference(robot, chains, root).result()


class _GroupInference:
    def __init__(self, robot: Robot, chains: Sequence[DrivenChain], root: str) -> None:
        self.robot, self.root = robot, root
        self.chains = chains = [each for chain in chains for each in _without_jaw(robot, chain)]
        self.bodies = MovingBodies(robot)
        self.chain_of = {joint: chain for chain in chains for joint in chain.joints}
        self.followers: dict[str, list[str]] = {}  # by the joint that they follow
        for name, frame in robot.joints.items():
            if frame.joint and frame.joint.coupling and not frame.is_rigid:
                self.followers.setdefault(frame.joint.coupling.joint, []).append(name)
        self.above = {chain.name: self._carrier(chain) for chain in chains}
        long = [chain for chain in chains if self._is_long(chain)]
        hands = [each for chain in long if len(chain.joints) >= LONG_ARM for each in self._carried(chain)]
        self.arms = [chain for chain in long if chain not in hands and not self._carries(chain, long)]

    def result(self) -> PlanningGroups:
        hands = {arm.name: self._carried(arm) for arm in self.arms}
        in_hands = {chain.name for hand in hands.values() for chain in hand}
        names = arm_names(self.arms)
        pool = Pool(names.values())
        groups: list[PlanningGroup] = []
        effectors: list[EndEffector] = []
        for chain in self.chains:
            if chain in self.arms:
                groups.append(self._group(names[chain.name], [chain]))
            elif chain.name not in in_hands:
                groups.append(self._group(pool.fresh(self._other_name(chain)), [chain]))
        for arm in self.arms:
            if hand := hands[arm.name]:
                joints = [joint for chain in hand for joint in chain.joints]
                name = pool.fresh(hand_name(names[arm.name], len(joints), is_alone=len(self.arms) == 1))
                groups.append(self._group(name, hand))
                carrier = next(group for group in groups if group.name == names[arm.name])
                parent = carrier.tip or self._tip(arm)
                effectors.append(EndEffector(name, name, parent, carrier.name))
        return PlanningGroups(tuple(groups), tuple(effectors))

    # ---- what a chain is

    def _carrier(self, chain: DrivenChain) -> str:
        """The name of the chain that carries a chain; empty: none does."""
        for frame in reversed(self.robot.path(chain.base)):
            if not frame.is_rigid and frame.joint_name in self.chain_of:
                return self.chain_of[frame.joint_name].name
        return ""

    def _carried(self, chain: DrivenChain) -> list[DrivenChain]:
        """The chains beyond a chain, all of them."""
        direct = [each for each in self.chains if self.above[each.name] == chain.name]
        return [found for each in direct for found in (each, *self._carried(each))]

    def _is_serial(self, chain: DrivenChain) -> bool:
        """Whether the joints are the only ones that move on the way from base to tip, followers aside."""
        moving = [frame for frame in self.robot.path(chain.tip) if not frame.is_rigid]
        own = [frame.joint_name for frame in moving if frame.joint_name in chain.joints]
        if tuple(own) != chain.joints:
            return False
        inner = moving[[frame.joint_name for frame in moving].index(own[0]) :]
        return all(frame.joint_name in own or _follows(frame) for frame in inner)

    def _is_long(self, chain: DrivenChain) -> bool:
        return len(chain.joints) >= ARM_JOINTS and self._is_serial(chain)

    def _carries(self, chain: DrivenChain, long: Sequence[DrivenChain]) -> bool:
        """Whether a short chain carries arms."""
        return len(chain.joints) < LONG_ARM and any(each in long for each in self._carried(chain))

    def _other_name(self, chain: DrivenChain) -> str:
        """The name of a chain that is neither an arm nor a hand."""
        if any(each in self.arms for each in self._carried(chain)):
            return "torso"
        if len(self.chains) > 1:
            return chain.name
        moved = [self.robot.joints[name] for joint in chain.joints for name in (joint, *self._all_followers(joint))]
        if is_gripper(moved):
            return "gripper"
        if self.robot.cut_loops or len(moved) > len(chain.joints):
            return "mechanism"
        is_serial = self._is_serial(chain)
        return "wheels" if not is_serial and all(map(_is_continuous, moved)) else "axes"

    def _all_followers(self, joint: str) -> list[str]:
        direct = self.followers.get(joint, [])
        return [found for each in direct for found in (each, *self._all_followers(each))]

    # ---- groups

    def _group(self, name: str, chains: Sequence[DrivenChain]) -> PlanningGroup:
        joints = tuple(joint for chain in chains for joint in chain.joints)
        (first, *others) = chains
        followers = [found for joint in joints for found in self._all_followers(joint)]
        is_hand = bool(others) or any(first in self._carried(arm) for arm in self.arms)
        if not is_hand and self._is_serial(first) and (first in self.arms or not followers):
            return PlanningGroup(name, joints, self._base(first), self._tip(first))
        return PlanningGroup(name, joints, followers=tuple(dict.fromkeys(followers)))

    def _base(self, chain: DrivenChain) -> str:
        """The URDF's root if nothing moves between it and the chain, else the link that the chain begins on."""
        moves = any(not frame.is_rigid for frame in self.robot.path(chain.base))
        return chain.base if moves else self.root

    def _tip(self, chain: DrivenChain) -> str:
        """The frame called tool0, flange or tcp on the last body, else the last link."""
        last = self.bodies.of(self.robot.frame(chain.tip))
        return next((frame.id for frame in named_flanges(last)), chain.tip)


def _without_jaw(robot: Robot, chain: DrivenChain) -> list[DrivenChain]:
    """The chain, and apart from it a last joint that moves a jaw."""
    *arm, jaw = chain.joints
    frame = robot.joints[jaw]
    if len(arm) < ARM_JOINTS or frame.parent is None or frame.id != chain.tip or not is_gripper([frame]):
        return [chain]
    return [
        chain._replace(joints=tuple(arm), tip=frame.parent),
        DrivenChain(f"{chain.name}_jaw", frame.parent, frame.id, (jaw,)),
    ]


def _follows(frame: Frame) -> bool:
    return frame.joint is not None and frame.joint.coupling is not None


def is_gripper(moved: Sequence[Frame]) -> bool:
    """Whether links that move together are fingers: by their names, or because two of them slide on one."""
    names = [name for frame in moved for name in (frame.id, *(link.name for link in frame.links))]
    slides = [frame.parent for frame in moved if frame.joint and frame.joint.type is JointType.PRISMATIC]
    return any(FINGER.search(name) for name in names) or len(set(slides)) < len(slides)


def _is_continuous(frame: Frame) -> bool:
    joint = frame.joint
    if joint is None or joint.type is not JointType.REVOLUTE:
        return False
    return joint.limits.lower is None and joint.limits.upper is None
