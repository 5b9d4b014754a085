"""Names of planning groups: `arm` and `gripper`, with the side and the limb where a robot has several."""

from __future__ import annotations

import re
from collections.abc import Sequence

from swgrm_exporters.names import Pool
from swgrm_exporters.ros2.chains import DrivenChain

SIDES = {"left": {"left", "l"}, "right": {"right", "r"}}
LIMBS = {  # words in the names of joints, and what such a chain is called
    "leg": {"leg", "hip", "knee", "ankle", "thigh", "calf", "shank", "foot", "haa", "hfe", "kfe"},
    "arm": {"arm", "shoulder", "elbow", "wrist"},
    "head": {"head", "neck"},
}
GRIPPER_JOINTS = 2  # a hand with more is called a hand
_WORD_BREAK = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z]+")


def words(name: str) -> list[str]:
    """The words of a name in small letters: `LHipYaw_1` has l, hip, yaw."""
    return [word.lower() for word in _WORD_BREAK.split(name) if word]


def side_of(names: Sequence[str]) -> str:
    """`left` or `right` if every name contains that word, or its letter, and not the other; else nothing."""
    found = [side for side, marks in SIDES.items() if names and all(marks & set(words(name)) for name in names)]
    return found[0] if len(found) == 1 else ""


def limb_of(names: Sequence[str]) -> str:
    """The limb that most of the words in the names belong to; `arm` if there is none."""
    every = [word for name in names for word in words(name)]
    counts = {limb: sum(word in marks for word in every) for limb, marks in LIMBS.items()}
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] else "arm"


def arm_names(arms: Sequence[DrivenChain]) -> dict[str, str]:
    """The names of the groups of arms and other limbs, by the names of their chains.

    The only arm is `arm`; several are `left_arm`, `rf_leg` and so on, or called as their chains.
    """
    if len(arms) == 1:
        return {arms[0].name: "arm"}
    wanted = {arm.name: f"{_prefix(arm)}{limb_of(arm.joints)}" for arm in arms}
    pool, names = Pool(), list(wanted.values())
    return {old: pool.fresh(new if names.count(new) == 1 else old) for old, new in wanted.items()}


def _prefix(arm: DrivenChain) -> str:
    """The side with an underscore, or the word that all joints begin with."""
    side = side_of(arm.joints)
    first = {words(name)[0] if words(name) else "" for name in arm.joints}
    (start,) = first if len(first) == 1 else ("",)
    known = {word for marks in LIMBS.values() for word in marks} | {"joint", "link"}
    start = side or ("" if start in known or len(start) < 2 else start)  # a word, not a letter
    return f"{start}_" if start else ""


def hand_name(arm: str, joints: int, *, is_alone: bool) -> str:
    """The name of the group of a hand with that many driven joints."""
    kind = "gripper" if joints <= GRIPPER_JOINTS else "hand"
    return kind if is_alone else f"{arm.removesuffix('_arm')}_{kind}"
