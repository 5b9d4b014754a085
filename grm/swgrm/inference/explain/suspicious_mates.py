"""Suspects: mates that may hold what should move, and joints that may be structure; a person decides."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from swgrm.findings import Severity
from swgrm.inference.mechanism.joint_chain import name_of
from swgrm.inference.mechanism.twist_space import freedoms
from swgrm.inference.mates.types import Kind, Mate, MateType
from swgrm.inference.problem import GROUND, Problem
from swgrm.inference.mechanism.chain_search import read
from swgrm.inference.mechanism.solver import Mechanism, Merger
from swgrm.inference.joints.joint_tree import Tree
from swgrm.model import JointType

POSING = frozenset({MateType.PARALLEL, MateType.ANGLE, MateType.PERPENDICULAR})
THIN_PIN = 0.003  # [m] the radius below which a pin inside a unit is more likely structure than a bearing


def report_suspects(problem: Problem, mechanism: Mechanism, tree: Tree) -> None:
    """What looks like a joint that mates froze, or like a joint that is none."""
    for merger in mechanism.mergers:
        _clocking(problem, merger)
        _resting(problem, merger)
    _thin_pins(problem, mechanism, tree)


def _ends(problem: Problem, merger: Merger) -> str:
    return " and ".join(f"`{problem.nodes[n].name or 'the assembly'}`" for n in merger.nodes)


def _clocking(problem: Problem, merger: Merger) -> None:
    """Joints that only posing mates (parallel, angle, perpendicular) freeze."""
    posing = [n for n in merger.mates if problem.mates[n].type in POSING and not problem.mates[n].is_limit]
    if merger.through_loop or not posing or len(posing) == len(merger.mates):
        return
    name = _without(merger, posing)
    if name in ("revolute", "prismatic"):
        mates = ", ".join(f"`{problem.mates[n].name}`" for n in posing)
        problem.find(
            Severity.WARNING, "clocking", problem.mates[posing[0]].name,
            f"{mates} freeze what would be a {name} joint between {_ends(problem, merger)}: if they only pose the "
            "model, ignore them with the setting `mates: ignore`",
        )  # fmt: skip


def _resting(problem: Problem, merger: Merger) -> None:
    """Contacts of planes between separate units that freeze a hinge, or a loop: they may merely rest on each other."""
    touching = [n for n in merger.mates if _is_contact_of_units(problem, problem.mates[n])]
    if merger.through_loop:
        welding = touching if len(touching) == len(merger.mates) else []
    else:
        welding = [n for n in touching if len(merger.mates) > 1 and _without(merger, [n]) == "revolute"]
    frozen = "the loop that they close" if merger.through_loop else "what would be a hinge"
    for number in welding:
        problem.find(
            Severity.WARNING, "resting", problem.mates[number].name,
            f"is a contact of planes between separate units, and freezes {frozen} ({_ends(problem, merger)}): if they "
            "merely rest on each other, ignore it with the setting `mates: ignore`",
        )  # fmt: skip


def _is_contact_of_units(problem: Problem, mate: Mate) -> bool:
    is_contact = mate.type is MateType.COINCIDENT and all(feature.kind is Kind.PLANE for feature in mate.features)
    return is_contact and len({_unit(problem, feature.body) for feature in mate.features}) > 1


def _unit(problem: Problem, number: int) -> int:
    """The sub-assembly that a node is, or is in; the assembly itself for what stands in it directly."""
    node = problem.nodes[number]
    return number if node.is_assembly else node.holder


def _thin_pins(problem: Problem, mechanism: Mechanism, tree: Tree) -> None:
    """Joints inside a unit that turn on nothing but thin pins."""
    for joint in (*tree.joints, *tree.loops):
        if not any(move.type is JointType.REVOLUTE for move in joint.chain):
            continue
        mates = (problem.mates[n] for n in np.unique(mechanism.equations.mate[joint.pair.numbers]))
        round_ones = [f for mate in mates if mate.type is MateType.CONCENTRIC for f in mate.features]
        units = {_unit(problem, feature.body) for feature in round_ones}
        thickest = max((feature.radius for feature in round_ones), default=0.0)
        if 0 < thickest < THIN_PIN and len(units) == 1 and GROUND not in units:
            problem.find(
                Severity.WARNING, "thin-pin", problem.nodes[tree.bodies[joint.child].main].name,
                f"turns on a pin of {thickest * 2000:.3g} mm inside `{problem.nodes[units.pop()].name}`: if that is "
                "structure and no joint, say so with the setting `links: join` or `subAssemblies`",
            )  # fmt: skip


def _without(merger: Merger, posing: Iterable[int]) -> str:
    """What a rigid pair would be without some of its mates."""
    local = merger.pair.local
    kept = local[~np.isin(local.mate, list(posing))]
    if len(kept) == 0:
        return ""
    free = freedoms(kept, np.zeros(len(kept), dtype=np.intp), 1)[0]
    return name_of(read(free, kept, np.eye(3)).chain) if free.dimension == 1 else ""
