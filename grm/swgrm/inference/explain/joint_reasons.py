"""The reason why a joint is what it is, in words."""

from __future__ import annotations

from collections.abc import Sequence

from swgrm.inference.mates.types import COUPLINGS, PlacedMate
from swgrm.inference.mechanism.body_pairs import BodyPair
from swgrm.inference.mechanism.joint_chain import JointChain, SimpleJoint, name_of
from swgrm.model import JointType, Why
from swgrm.model.words import AXES, axis_text, point_text

_MOTIONS = {
    JointType.REVOLUTE: "rotation about {axis} through {point}",
    JointType.PRISMATIC: "translation along {axis}",
    JointType.BALL: "rotation about the point {point}",
    JointType.SCREW: "screw motion about {axis} through {point}",
}


def describe(simple: SimpleJoint) -> str:
    """A simple joint with its axis: 'rotation about the assembly's z axis through (100, 0, 0) mm'."""
    axis = axis_text(simple.axis.tolist())
    along = f"the assembly's {axis} axis" if axis.lstrip("−") in AXES else axis
    return _MOTIONS[simple.type].format(axis=along, point=point_text(simple.point.tolist()))


def describe_dof(chain: JointChain) -> str:
    """The degrees of freedom of a chain in words: how many of six, and which."""
    count = sum(simple.size for simple in chain)
    left = f"{count} of 6 degrees of freedom {'is' if count == 1 else 'are'} left: "
    return left + (", then ".join(describe(simple) for simple in chain) or "no motion")


def why(
    pair: BodyPair,
    chain: JointChain,
    mates: Sequence[PlacedMate],
    limiting_mates: Sequence[PlacedMate],
    notes: Sequence[str],
    *,
    closes_loop: bool = False,
) -> Why:
    """The mates of a joint, its degrees of freedom, the reason for them, and whether a person should check it.

    `limiting_mates` are those that its limits come from. A limit mate between the two bodies is not one of them if its
    numbers could not be used.
    """
    holding = [str(mate.type) for mate in mates if not mate.is_limit and mate.type not in COUPLINGS]
    limits = [f"limit {mate.type}" for mate in mates if mate.is_limit]  # which hold all but what they measure
    holding = holding or limits
    kinds = " + ".join(holding) or "no mate"
    own = pair.narrowed_from if pair.narrowed_from is not None else pair.chain
    sentences = [f"{kinds} {'leave' if len(holding) > 1 else 'leaves'} {_motion(own)}"]
    if limiting_mates:
        names_of_limits = ", ".join(mate.name for mate in limiting_mates)
        sentences.append(f"its limits come from {names_of_limits}")
    if coupling := [mate.name for mate in mates if mate.type in COUPLINGS]:
        sentences.append(f"{', '.join(coupling)} {'couples' if len(coupling) == 1 else 'couple'} it")
    if pair.narrowed_from is not None:
        sentences.append(f"the rest of the mechanism reduces this to {_motion(chain)}")
    if not pair.is_exact:
        sentences.append(
            "no chain of joints moves exactly as the mates allow: it is right at the assembled position only"
        )
    if pair.twist_space.is_doubtful:
        off = pair.twist_space.tightest
        sentences.append(f"a degree of freedom is blocked only because mated geometry differs by {off:.1f} × tolerance")
    is_loose = len(chain) > 1 and not closes_loop
    if closes_loop:
        sentences.append("it closes a loop, so the other joints of the loop move it")
    if is_loose:
        count, names = sum(simple.size for simple in chain), [mate.name for mate in mates if not mate.is_limit]
        alone = f"only {names[0]} holds it, and " if len(names) == 1 else ""
        sentences.append(f"{alone}it can still move in {count} ways: add mates, or set it fixed")
    needs_check = not pair.is_exact or pair.twist_space.is_doubtful or is_loose
    return Why(
        mates=tuple(mate.name for mate in mates),
        freedom=describe_dof(chain),
        reason="; ".join([*sentences, *notes]),
        needs_check=needs_check,
    )


def _motion(chain: JointChain) -> str:
    return f"{name_of(chain).removeprefix('chain ')} motion"
