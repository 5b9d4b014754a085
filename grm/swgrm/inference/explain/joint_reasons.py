"""Why a joint is what it is, in words."""

from __future__ import annotations

from collections.abc import Sequence

from swgrm.inference.mates.types import COUPLINGS, PlacedMate
from swgrm.inference.mechanism.body_pairs import BodyPair
from swgrm.inference.mechanism.joint_chain import JointChain, SimpleJoint, name_of
from swgrm.model import JointType, Why

_MOVES = {
    JointType.REVOLUTE: "a turn",
    JointType.PRISMATIC: "a slide",
    JointType.BALL: "turns about a point",
    JointType.SCREW: "a screw motion",
}


def describe(simple: SimpleJoint) -> str:
    """A move with its axis: 'a turn about (0, 0, 1) through (0.1, 0, 0)'."""
    axis, point = _numbers(simple.axis.tolist()), _numbers(simple.point.tolist())
    if simple.type is JointType.BALL:
        return f"{_MOVES[simple.type]} {point}"
    if simple.type is JointType.PRISMATIC:
        return f"{_MOVES[simple.type]} along {axis}"
    return f"{_MOVES[simple.type]} about {axis} through {point}"


def _numbers(values: Sequence[float]) -> str:
    return "(" + ", ".join(f"{round(value, 6) + 0.0:g}" for value in values) + ")"


def describe_dof(chain: JointChain) -> str:
    """A freedom in words: how many of six, and which."""
    count = sum(simple.size for simple in chain)
    return f"{count} of 6: " + (", then ".join(describe(simple) for simple in chain) or "nothing moves")


def why(pair: BodyPair, chain: JointChain, mates: Sequence[PlacedMate], extra: Sequence[str]) -> Why:
    """The answer to 'why is this joint what it is'."""
    holding = [mate.type for mate in mates if not mate.is_limit and mate.type not in COUPLINGS]
    kinds = " + ".join(holding) or "no mate"
    own = pair.narrowed_from if pair.narrowed_from is not None else pair.chain
    sentences = [f"{kinds} {'leave' if len(holding) > 1 else 'leaves'} a {name_of(own)} freedom"]
    if ranging := [mate.name for mate in mates if mate.is_limit]:
        sentences.append(f"its range is that of {', '.join(ranging)}")
    if leading := [mate.name for mate in mates if mate.type in COUPLINGS]:
        sentences.append(f"{', '.join(leading)} couples it")
    if pair.narrowed_from is not None:
        sentences.append(f"the rest of the mechanism leaves only a {name_of(chain)} motion of it, wherever it moves")
    if not pair.is_exact:
        sentences.append("no chain of joints moves exactly as these mates do: this one fits the assembled pose only")
    if pair.twist_space.is_doubtful:
        sentences.append(
            f"a direction is held by a hair ({pair.twist_space.tightest:.1f} tolerances): geometry drawn nearly alike"
        )
    if len(chain) > 1:
        sentences.append(f"it moves in {sum(simple.size for simple in chain)} ways: look whether a mate is missing")
    needs_check = not pair.is_exact or pair.twist_space.is_doubtful or len(chain) > 1
    return Why(
        mates=tuple(mate.name for mate in mates),
        freedom=describe_dof(chain),
        reason="; ".join([*sentences, *extra]),
        needs_check=needs_check,
    )
