"""Suspicious mates and fasteners, which may hold a joint that should move, and joints that may be structure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from swgrm.findings import Findings
from swgrm.inference.geometry.equations import MateEquations
from swgrm.inference.joints.joint_tree import JointTree, TreeJoint
from swgrm.inference.mates.equation_system import assemble
from swgrm.inference.mates.table import held_relations
from swgrm.inference.mates.types import GeometryKind, MateType, PlacedMate
from swgrm.inference.mechanism.body_pairs import BodyPair, find_pairs
from swgrm.inference.mechanism.joint_chain import name_of
from swgrm.inference.mechanism.rigid_groups import ClampedParts, RigidGroups
from swgrm.inference.mechanism.solver import BodyMerger, Mechanism, parts_without, solve_without
from swgrm.inference.problem import GROUND, InferenceProblem
from swgrm.model import JointType

POSING = frozenset({MateType.PARALLEL, MateType.ANGLE, MateType.PERPENDICULAR})
HINGING = frozenset({MateType.CONCENTRIC, MateType.HINGE, MateType.PROFILE_CENTER})  # as the mates of a hinge
FACES = frozenset({MateType.COINCIDENT, MateType.DISTANCE})  # by which parts are also fixed
PARKING = frozenset({MateType.COINCIDENT, MateType.DISTANCE, MateType.TANGENT})  # that alone may close a loop
PARKED_JOINTS = ("revolute", "prismatic")  # that a mate may park
PARKED_DOF = 3  # degrees of freedom of a pair, at least, that a mate which only parks the model leaves
MOST_JOINT_DOF = 2  # of a joint: cylindrical or universal
MOST_PAIRS = 200  # of rigid bodies whose mates are tried
MOST_TRIED = 20  # mates without which a body is solved again
MOST_NODES = 300  # of a body that is solved again without a suspicious mate
THIN_PIN = 0.003  # [m] the radius below which a pin inside a sub-assembly is more likely structure than a bearing


def report_suspicious_mates(
    problem: InferenceProblem, mechanism: Mechanism, tree: JointTree, findings: Findings
) -> None:
    """Report what looks like a joint that mates hold by mistake, or like a joint that is structure."""
    _report_posing(problem, mechanism, tree, findings)
    _report_parking(problem, mechanism, tree, findings)
    _report_fixed(problem, mechanism, tree, findings)
    for merger in mechanism.mergers:
        _report_contacts(problem, merger, findings)
    _report_thin_pins(problem, mechanism, tree, findings)


def _bodies(problem: InferenceProblem, merger: BodyMerger) -> str:
    return " and ".join(problem.nodes[n].quoted for n in merger.nodes)


def _report_posing(problem: InferenceProblem, mechanism: Mechanism, tree: JointTree, findings: Findings) -> None:
    """Report parallel, angle and perpendicular mates that hold a joint or a loop; not those that change nothing."""
    for merger in mechanism.mergers:
        posing = _posing(problem, merger.mates)
        is_alone = len(posing) == len(merger.mates)
        if not posing or is_alone != merger.through_loop:
            continue
        joint = "" if is_alone else _joint_without(merger, posing)
        if not is_alone and joint not in ("revolute", "prismatic"):
            continue
        count = _freed_bodies(mechanism, tree, merger, posing)
        names = [problem.mates[n].name for n in posing]
        if count > 2 or (count and is_alone):
            for name in names:
                findings.add("clocking-loop", f"mate {name}", bodies=_bodies(problem, merger))
        elif count:
            mates = ", ".join(f"`{name}`" for name in names)
            findings.add("clocking", f"mate {names[0]}", mates=mates, joint=joint, bodies=_bodies(problem, merger))
    guided = {joint.child for joint in tree.joints if _is_guided(joint)}
    for loop in tree.loops:
        numbers = sorted(set(mechanism.equations.mate[loop.pair.numbers].tolist()))
        if len(posing := _posing(problem, numbers)) == len(numbers) and guided.isdisjoint((loop.parent, loop.child)):
            bodies = " and ".join(problem.nodes[tree.bodies[label].main].quoted for label in (loop.parent, loop.child))
            for number in posing:
                findings.add("clocking-loop", f"mate {problem.mates[number].name}", bodies=bodies)


def _report_parking(problem: InferenceProblem, mechanism: Mechanism, tree: JointTree, findings: Findings) -> None:
    """Report mates of any other type that may only park the model, with what would be free without each."""
    mobility = mechanism.mobility
    trials: list[tuple[BodyMerger, int]] = []
    left: list[MateEquations] = []  # of each trial: what the mate leaves between the two bodies if it is not there
    loose = [merger for merger in mechanism.mergers if not merger.through_loop and len(merger.mates) > 1]
    for merger in loose[:MOST_PAIRS]:
        for number in merger.mates:
            if _may_park(problem, merger, number, mobility):
                trials.append((merger, number))
                left.append(_equations_without(problem, mechanism, merger, number))
    suspects: dict[BodyMerger, dict[int, str]] = defaultdict(dict)
    for (merger, number), joint in zip(trials, _joints_of(left), strict=True):
        if _parks(problem, merger, number, joint, mobility):
            suspects[merger][number] = joint
    likely: list[tuple[bool, BodyMerger, int]] = []
    for merger, joints in suspects.items():
        # A bore and two faces may be a hinge or a slide: both are named. A distance is more likely to park than a face.
        touching = {number for number in joints if _is_contact(problem.mates[number])}
        chosen = joints.keys() - touching or touching
        likely += [(number in touching, merger, number) for number in sorted(chosen)]
    # Each is solved again without its mate, which takes as long as its body is large: the likely ones first.
    likely.sort(key=lambda suspect: suspect[0])
    for _, merger, number in likely[:MOST_TRIED]:
        mate = problem.mates[number]
        if _freed_bodies(mechanism, tree, merger, [number]):
            code = "rotation-locked" if mate.lock_rotation else "parked"
            findings.add(code, f"mate {mate.name}", joint=suspects[merger][number], bodies=_bodies(problem, merger))
    _report_parked_loops(problem, mechanism, tree, findings)


def _is_contact(mate: PlacedMate) -> bool:
    """Whether a mate makes faces, edges or axes coincident, and no point."""
    has_point = any(entity.kind is GeometryKind.POINT for entity in mate.entities)
    return mate.type is MateType.COINCIDENT and not has_point


def _may_park(problem: InferenceProblem, merger: BodyMerger, number: int, mobility: int) -> bool:
    """Whether a mate of a rigid pair may only park it, by the types of the pair's mates."""
    mate = problem.mates[number]
    if mate.is_limit or mate.type in POSING:
        return False
    if mate.lock_rotation:
        return True
    if _is_contact(mate):
        return any(_parks(problem, merger, number, joint, mobility) for joint in PARKED_JOINTS)
    return mate.type in (MateType.DISTANCE, MateType.COINCIDENT, MateType.LOCK)


def _parks(problem: InferenceProblem, merger: BodyMerger, number: int, joint: str, mobility: int) -> bool:
    """Whether a mate may only park a pair that would be this joint without it.

    Two bores and a face are a pair of bolts. Three faces hold a part as often as they park a slide, so these are
    suspected only if nothing else moves, or if the other mates are those of a guide.
    """
    if joint not in PARKED_JOINTS:
        return False
    if not _is_contact(problem.mates[number]):
        return True
    types = [problem.mates[other].type for other in merger.mates if other != number]
    if joint == "revolute":
        return not HINGING.isdisjoint(types)
    is_guided = not FACES.issuperset(types) and types.count(MateType.CONCENTRIC) < 2
    return is_guided or mobility == 0


def _equations_without(
    problem: InferenceProblem, mechanism: Mechanism, merger: BodyMerger, number: int
) -> MateEquations:
    """The equations of a rigid pair without a mate; one that locks the rotation still holds its axis."""
    local, numbers = merger.pair.local, merger.pair.numbers
    kept = local[local.mate != number]
    if not problem.mates[number].lock_rotation:
        return kept
    unlocked = replace(problem.mates[number], lock_rotation=False)
    axis = assemble([(number, relation) for relation in held_relations(unlocked)])
    # The pair's own equations tell which nodes are in its first body, and which in the second.
    sides = np.zeros(len(mechanism.labels), dtype=np.intp)
    for nodes, side in ((mechanism.equations.first, local.first), (mechanism.equations.second, local.second)):
        sides[nodes[numbers]] = side
    return MateEquations.stack([kept, replace(axis, first=sides[axis.first], second=sides[axis.second])])


def _report_parked_loops(problem: InferenceProblem, mechanism: Mechanism, tree: JointTree, findings: Findings) -> None:
    """Report a mate that alone closes a loop of complete joints, such as that of a tool's point and a workpiece.

    It leaves three degrees of freedom or more. In parallel robots several mates of a loop do, so they are not parked.
    """
    for loop in mechanism.loops:
        parking = [
            edge for edge in loop.edges
            if edge in mechanism.pairs and mechanism.pairs[edge].twist_space.dimension >= PARKED_DOF
        ]  # fmt: skip
        labels = {label for edge in loop.edges for label in edge}
        nodes = sorted(node for label in labels for node in tree.bodies[label].nodes)
        if len(parking) == 1 and not len(loop.extra):
            _report_parked_loop(problem, mechanism, mechanism.pairs[parking[0]], nodes, loop.mobility, findings)
    held: dict[int, list[BodyPair]] = defaultdict(list)  # of loops that became one body, by its label
    for merger in mechanism.mergers:
        if merger.through_loop and merger.pair.twist_space.dimension >= PARKED_DOF:
            held[int(mechanism.labels[merger.nodes[0]])].append(merger.pair)
    for label, pairs in held.items():
        if len(pairs) == 1:
            _report_parked_loop(problem, mechanism, pairs[0], list(tree.bodies[label].nodes), 0, findings)


def _report_parked_loop(
    problem: InferenceProblem,
    mechanism: Mechanism,
    pair: BodyPair,
    nodes: Sequence[int],
    mobility: int,
    findings: Findings,
) -> None:
    """Report the only mate of a pair that closes a loop, with the degrees of freedom without it."""
    numbers = sorted(set(mechanism.equations.mate[pair.numbers].tolist()))
    mate = problem.mates[numbers[0]]
    if len(numbers) > 1 or len(nodes) > MOST_NODES or mate.is_limit or mate.type not in PARKING:
        return
    free = solve_without(mechanism, nodes, numbers).mobility
    if free > mobility:
        bodies = " and ".join(problem.nodes[number].quoted for number in sorted({e.node for e in mate.entities}))
        findings.add("parked-loop", f"mate {mate.name}", bodies=bodies, free=free, mobility=mobility)


def _report_fixed(problem: InferenceProblem, mechanism: Mechanism, tree: JointTree, findings: Findings) -> None:
    """Report fixed components beside the base that would move on a joint if they were not fixed."""
    nodes = tree.bodies[int(mechanism.labels[GROUND])].nodes
    fixed = [number for number in nodes if number != GROUND and problem.nodes[number].is_fixed]
    if len(fixed) < 2 or len(nodes) > MOST_NODES:
        return
    # SolidWorks fixes the component that is inserted first.
    base = min(fixed, key=lambda number: (problem.nodes[number].holder, _place_of_insertion(problem, number)))
    mated = {entity.node for mate in problem.mates for entity in mate.entities}
    for number in fixed[:MOST_TRIED]:
        if number == base or number not in mated:
            continue
        holder = problem.nodes[number].holder
        freed = solve_without(mechanism, nodes, (), {(min(holder, number), max(holder, number))})
        place, ground = nodes.index(number), int(freed.labels[nodes.index(GROUND)])
        label = int(freed.labels[place])
        for edge, pair in freed.pairs.items():
            if label in edge and label != ground and 0 < pair.twist_space.dimension <= MOST_JOINT_DOF:
                mates = (problem.mates[mate] for mate in sorted(set(freed.equations.mate[pair.numbers].tolist())))
                mated_nodes = {entity.node for mate in mates for entity in mate.entities}
                other = min(mated_nodes & {nodes[k] for k, body in enumerate(freed.labels.tolist()) if body != label})
                where, chain = problem.nodes[number].where, name_of(pair.chain)
                findings.add("fixed-joint", where, joint=chain, other=problem.nodes[other].quoted)
                break


def _place_of_insertion(problem: InferenceProblem, number: int) -> int:
    """The number that SolidWorks gave a component when it was inserted."""
    component = problem.nodes[number].component
    return component.id if component else 0


def _is_guided(joint: TreeJoint) -> bool:
    """Whether the mechanism only keeps a part from spinning on its axis: such a mate is a guide, as of a valve."""
    before = joint.pair.narrowed_from
    return before is not None and name_of(before) == "cylindrical" and name_of(joint.chain) == "prismatic"


def _posing(problem: InferenceProblem, numbers: Iterable[int]) -> list[int]:
    return [n for n in numbers if problem.mates[n].type in POSING and not problem.mates[n].is_limit]


def _freed_bodies(mechanism: Mechanism, tree: JointTree, merger: BodyMerger, mates: Sequence[int]) -> int:
    """How many bodies a body would be without some mates, 0 if the two of the merger would still be one.

    A body too large to try is assumed to be two.
    """
    nodes = tree.bodies[int(mechanism.labels[merger.nodes[0]])].nodes
    if len(nodes) > MOST_NODES:
        return 2
    labels = parts_without(mechanism, nodes, mates)
    first, second = (labels[nodes.index(node)] for node in merger.nodes)
    return len(set(labels)) if first != second else 0


def _report_contacts(problem: InferenceProblem, merger: BodyMerger, findings: Findings) -> None:
    """Report contacts of planes between sub-assemblies that hold a hinge or a loop: they may only rest there."""
    touching = [n for n in merger.mates if _is_contact_of_units(problem, problem.mates[n])]
    if merger.through_loop:
        holding = touching if len(touching) == len(merger.mates) else []
    else:
        holding = [n for n in touching if len(merger.mates) > 1 and _joint_without(merger, [n]) == "revolute"]
    held = "the loop that they close" if merger.through_loop else "a revolute joint"
    for number in holding:
        findings.add("resting", f"mate {problem.mates[number].name}", held=held, bodies=_bodies(problem, merger))


def _is_contact_of_units(problem: InferenceProblem, mate: PlacedMate) -> bool:
    is_contact = mate.type is MateType.COINCIDENT and all(e.kind is GeometryKind.PLANE for e in mate.entities)
    return is_contact and len({_unit(problem, entity.node) for entity in mate.entities}) > 1


def _unit(problem: InferenceProblem, number: int) -> int:
    """The sub-assembly that a node is or is in; the assembly itself for components at the top."""
    node = problem.nodes[number]
    return number if node.is_assembly else node.holder


def _report_thin_pins(problem: InferenceProblem, mechanism: Mechanism, tree: JointTree, findings: Findings) -> None:
    """Report joints inside a sub-assembly that rotate only on thin pins."""
    for joint in (*tree.joints, *tree.loops):
        if not any(simple.type is JointType.REVOLUTE for simple in joint.chain):
            continue
        mates = (problem.mates[n] for n in set(mechanism.equations.mate[joint.pair.numbers].tolist()))
        round_ones = [e for mate in mates if mate.type is MateType.CONCENTRIC for e in mate.entities]
        units = {_unit(problem, entity.node) for entity in round_ones}
        thickest = max((entity.radius for entity in round_ones), default=0.0)
        if 0 < thickest < THIN_PIN and len(units) == 1 and GROUND not in units:
            where = problem.nodes[tree.bodies[joint.child].main].where
            findings.add("thin-pin", where, diameter=thickest * 2000, unit=problem.nodes[units.pop()].name)


def _joint_without(merger: BodyMerger, mates: Iterable[int]) -> str:
    """The joint that a rigid pair would be without some of its mates; "" if it is not one joint."""
    local = merger.pair.local
    return _joints_of([local[~np.isin(local.mate, list(mates))]])[0]


def _joints_of(pairs: Sequence[MateEquations]) -> list[str]:
    """The joint that the equations of each pair leave between its bodies 0 and 1; "" if it is not one joint."""
    names = [""] * len(pairs)
    present = [place for place, equations in enumerate(pairs) if len(equations)]
    if not present:
        return names
    groups = np.repeat(np.arange(len(present)), [len(pairs[place]) for place in present])
    stack = MateEquations.stack([pairs[place] for place in present]).between(2 * groups)
    bodies = np.arange(2 * len(present))
    found = find_pairs(stack, np.arange(len(stack)), 2 * groups, 2 * groups + 1, bodies)
    for place, pair in zip(present, found, strict=True):
        if pair.twist_space.dimension == 1:
            names[place] = name_of(pair.chain)
    return names


def report_clamped(
    problem: InferenceProblem,
    fasteners: Mapping[int, str],
    decided: frozenset[int],
    rigid: RigidGroups,
    mechanism: Mechanism,
    findings: Findings,
) -> None:
    """Report parts that are one body only because a fastener is taken to clamp them; not where the settings decide."""
    joined = {edge for edge, _ in rigid.joined}
    by_body: dict[int, list[ClampedParts]] = defaultdict(list)
    for parts in rigid.clamped:
        if parts.fastener in fasteners and parts.fastener not in decided and parts.edge in joined:
            by_body[int(mechanism.labels[parts.edge[0]])].append(parts)
    for label, clamped in sorted(by_body.items()):
        nodes = [number for number, body in enumerate(mechanism.labels.tolist()) if body == label]
        place = {node: position for position, node in enumerate(nodes)}
        # Without the rule, the mates between the parts and the fastener, which is rigid with one of them, still hold.
        labels = parts_without(mechanism, nodes, (), {parts.edge for parts in clamped})
        for parts in clamped:
            first, second = parts.edge
            if labels[place[first]] != labels[place[second]]:
                bodies = f"{problem.nodes[first].quoted} and {problem.nodes[second].quoted}"
                findings.add("fastener-holds", problem.nodes[parts.fastener].where, bodies=bodies)
