"""Why a joint is what it is, in words."""

from __future__ import annotations

from collections.abc import Sequence

from swgrm.inference.mechanism.joint_chain import Chain, Move, name_of
from swgrm.inference.mates.types import COUPLINGS, Mate
from swgrm.inference.mechanism.body_pairs import Pair
from swgrm.model import JointType, Why

_MOVES = {
    JointType.REVOLUTE: "a turn",
    JointType.PRISMATIC: "a slide",
    JointType.BALL: "turns about a point",
    JointType.SCREW: "a screw motion",
}


def describe(move: Move) -> str:
    """A move with its axis: 'a turn about (0, 0, 1) through (0.1, 0, 0)'."""
    axis, point = _numbers(move.axis.tolist()), _numbers(move.point.tolist())
    if move.type is JointType.BALL:
        return f"{_MOVES[move.type]} {point}"
    if move.type is JointType.PRISMATIC:
        return f"{_MOVES[move.type]} along {axis}"
    return f"{_MOVES[move.type]} about {axis} through {point}"


def _numbers(values: Sequence[float]) -> str:
    return "(" + ", ".join(f"{round(value, 6) + 0.0:g}" for value in values) + ")"


def freedom_of(chain: Chain) -> str:
    """A freedom in words: how many of six, and which."""
    count = sum(move.size for move in chain)
    return f"{count} of 6: " + (", then ".join(describe(move) for move in chain) or "nothing moves")


def why(pair: Pair, chain: Chain, mates: Sequence[Mate], extra: Sequence[str]) -> Why:
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
    if pair.freedom.is_doubtful:
        sentences.append(
            f"a direction is held by a hair ({pair.freedom.tightest:.1f} tolerances): geometry drawn nearly alike"
        )
    if len(chain) > 1:
        sentences.append(f"it moves in {sum(move.size for move in chain)} ways: look whether a mate is missing")
    needs_check = not pair.is_exact or pair.freedom.is_doubtful or len(chain) > 1
    return Why(
        mates=tuple(mate.name for mate in mates),
        freedom=freedom_of(chain),
        reason="; ".join([*sentences, *extra]),
        needs_check=needs_check,
    )
