"""Small turned parts (pins, spacers, rings, plugs, bare screws) are rigid with the part that they are in.

Their mates are those of a part in a hole, and leave it to spin about its own axis, which moves nothing
else. A wheel has the same mates. It is larger against the body that it is on, or has the shape of a wheel, a
limit, a coupling, a coordinate system, a telling name. docs/inference.md has the rule and the reasons.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence, Set
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from swgrm.findings import Findings
from swgrm.inference.geometry.twists import Array
from swgrm.inference.mates.types import COUPLINGS
from swgrm.inference.mechanism.body_pairs import BodyPair
from swgrm.inference.mechanism.fasteners import HOLE_MATES, FastenerDecisions, is_pivot, name_hint_of
from swgrm.inference.mechanism.graph import DisjointSets
from swgrm.inference.mechanism.joint_chain import SimpleJoint, twists_of
from swgrm.inference.mechanism.rigid_groups import Joined, RigidGroups
from swgrm.inference.mechanism.solver import Mechanism
from swgrm.inference.mechanism.turned_shape import PartMeasures, PlacedPart, TurnedShape
from swgrm.inference.problem import GROUND, InferenceProblem
from swgrm.model import JointType
from swgrm.solidworks.fasteners import NameHint, bare_name

# The largest volume of a part, as a share of the volume of the body that it is on. What carries a load grows with the
# robot: wheels and rollers have 3 % or more of the body's volume, pins and screws rarely 1 %.
SHARES: Mapping[TurnedShape, float] = {
    TurnedShape.PIN: 0.01,
    TurnedShape.RING: 0.002,
    TurnedShape.PLUG: 0.002,
    TurnedShape.WHEEL: 0.0,  # never by its shape
}
LONGEST: Mapping[TurnedShape, float] = {  # [m] the diagonal of its box, at most
    TurnedShape.PIN: 0.06,
    TurnedShape.RING: 0.06,
    TurnedShape.PLUG: 0.03,
    TurnedShape.WHEEL: 0.0,
}
NAMED_SHARE = 0.05  # of a part that is named like a pin, a spacer ..., whatever its shape
NAMED_LONGEST = 0.1  # [m]
SAME_MOTION = 1e-3  # relative difference of two motions that are the same
REACH = 0.01  # [m] at which rotations are compared with translations
PIVOT_SIGN = "pin, shoulder screw or bearing"
MOST_KINDS = 20  # of parts in one sentence


class TurnedCandidates(NamedTuple):
    """The parts that may be small turned parts, by size and name, and the nodes whose bodies stay joints."""

    hints: Mapping[int, NameHint]  # of the parts
    moving: Set[int]
    spared: frozenset[int] = frozenset()  # small parts that are joints only because the settings use them
    pivots: frozenset[int] = frozenset()  # of the parts, pins and bearings that are known without their shape


class TurnedBody(NamedTuple):
    """A body of candidates, turned about the axis about which it can spin."""

    label: int
    point: Array  # (3,) on the axis
    volume: float  # [m³]
    share: float  # the largest share of the volume of the body that it is on
    may_be_flange: bool  # short, the only part of its file, and not named like a pin
    idle: int  # degrees of freedom that nothing else notices: the spin, and perhaps the translation along the axis
    sign: str


class TurnedParts(Struct, frozen=True, eq=False):
    """The small turned parts with the signs of it, and what is rigid with them."""

    signs: dict[int, str]  # by node
    rigid: RigidGroups


def find_candidates(
    problem: InferenceProblem,
    measures: PartMeasures,
    fasteners: Collection[int],
    decisions: FastenerDecisions,
    used_nodes: Collection[int],
) -> TurnedCandidates:
    """What may be a small turned part; the settings use the components in `used_nodes` as joints."""
    moving = {*used_nodes, GROUND, *_find_mated_as_joints(problem)}
    hints = {}
    spared = set()
    pivots = set()
    for number, node in enumerate(problem.nodes):
        if node.component is None or number in fasteners:
            continue
        if number not in moving and is_pivot(node, measures, decisions):
            hints[number] = NameHint.PIVOT
            pivots.add(number)
            continue
        if number in used_nodes and (measures.size(node.component) or 0.0) <= NAMED_LONGEST:
            spared.add(number)
        if number in moving:
            continue
        hint = name_hint_of(node)
        # Who draws a coordinate system in a turned part mounts something there, as on the flange of an arm.
        geometry = node.document.geometry if node.document is not None else ()
        has_frame = any(item.kind == "coordinateSystem" and not item.default for item in geometry)
        is_used = has_frame and not hint.is_held
        if hint is NameHint.MOVING or is_used or decisions.decide(node) is False:
            moving.add(number)
        elif not node.is_assembly and decisions.by_shape:
            size = measures.size(node.component)
            longest = NAMED_LONGEST if hint.is_held else max(LONGEST.values())
            if size is not None and size <= longest:
                hints[number] = hint
    return TurnedCandidates(hints, moving, frozenset(spared), frozenset(pivots))


def _find_mated_as_joints(problem: InferenceProblem) -> set[int]:
    """The nodes with a mate that means motion: a limit, a coupling, or one that is made for joints, such as a hinge."""
    nodes: set[int] = set()
    for mate in problem.mates:
        if mate.type not in HOLE_MATES or mate.type in COUPLINGS or mate.is_limit:
            nodes.update(entity.node for entity in mate.entities)
            nodes.update(mate.references)
    return nodes


def weld_turned_parts(
    problem: InferenceProblem,
    measures: PartMeasures,
    candidates: TurnedCandidates,
    fasteners: Collection[int],
    mechanism: Mechanism,
    rigid: RigidGroups,
    findings: Findings,
) -> TurnedParts:
    """The candidates that are small turned parts in the mechanism, joined to the bodies that they are on."""
    members: dict[int, list[int]] = defaultdict(list)
    for number, label in enumerate(mechanism.labels.tolist()):
        members[label].append(number)
    pairs: dict[int, dict[int, BodyPair]] = defaultdict(dict)
    for (low, high), pair in mechanism.pairs.items():
        pairs[low][high] = pairs[high][low] = pair
    instances = Counter(node.part[0] for node in problem.nodes)
    bodies = []
    for label, nodes in members.items():
        parts = [n for n in nodes if not problem.nodes[n].is_assembly and n not in fasteners]
        if parts and candidates.moving.isdisjoint(nodes) and all(n in candidates.hints for n in parts):
            is_named = all(candidates.hints[n].is_held for n in parts)
            is_single = all(instances[problem.nodes[n].part[0]] == 1 for n in parts)
            body = _find_turned_body(
                problem, measures, label, nodes, pairs[label],
                is_named=is_named, is_single=is_single, is_pivot=candidates.pivots.issuperset(parts),
            )  # fmt: skip
            if body is not None:
                bodies.append(body)
    ends = _find_chain_ends(mechanism, {body.label for body in bodies})
    # The flange of an arm has the shape of a ring or a plug. It is the only part of its file, on the last link.
    bodies = [body for body in bodies if not (body.may_be_flange and ends.intersection(pairs[body.label]))]
    volumes = {label: _volume(problem, measures, nodes) for label, nodes in members.items()}
    signs: dict[int, str] = {}
    joined, used = list(rigid.joined), set(rigid.used_mates)
    for body, host in _choose_hosts(bodies, pairs, volumes, len(problem.nodes)):
        join, mates = _join(problem, members, body.label, host, pairs[body.label][host], mechanism)
        joined.append(join)
        used |= mates
        signs |= {n: body.sign for n in members[body.label] if n in candidates.hints}
    for number, sign in sorted(signs.items()):
        if sign == PIVOT_SIGN:
            findings.add("fastener", problem.nodes[number].where, signs=sign)
    _report(problem, {number: sign for number, sign in signs.items() if sign != PIVOT_SIGN}, findings)
    return TurnedParts(signs, replace(rigid, joined=tuple(joined), used_mates=frozenset(used)))


def _find_chain_ends(mechanism: Mechanism, turned: Set[int]) -> set[int]:
    """The last bodies of chains of at least two joints from the base, turned parts not counted."""
    neighbours: dict[int, set[int]] = defaultdict(set)
    for low, high in mechanism.pairs:
        if low not in turned and high not in turned:
            neighbours[low].add(high)
            neighbours[high].add(low)
    base = int(mechanism.labels[GROUND])
    return {label for label, others in neighbours.items() if len(others) == 1 and base not in {label, *others}}


def _choose_hosts(
    bodies: Sequence[TurnedBody],
    pairs: Mapping[int, Mapping[int, BodyPair]],
    volumes: Mapping[int, float],
    count: int,
) -> list[tuple[TurnedBody, int]]:
    """The bodies that are small against a neighbour, with that neighbour.

    A washer on a screw in a plate: once the screw is rigid with the plate, the washer is on both. So the largest come
    first, and the others are tried again until nothing changes.
    """
    groups, group_volumes = DisjointSets(count), dict(volumes)
    chosen = []
    waiting = sorted(bodies, key=lambda body: (-round(body.volume, 15), body.label))
    is_changed = True
    while is_changed:
        left = []
        for body in waiting:
            host = _find_host(body, pairs[body.label], groups, group_volumes)
            if host is None:
                left.append(body)
                continue
            total = group_volumes[groups.find(host)] + group_volumes[groups.find(body.label)]
            groups.join(host, body.label)
            group_volumes[groups.find(host)] = total
            chosen.append((body, host))
        is_changed = len(left) < len(waiting)
        waiting = left
    return chosen


def _volume(problem: InferenceProblem, measures: PartMeasures, nodes: Collection[int]) -> float:
    """The volume of the parts among some nodes [m³]."""
    components = (problem.nodes[n].component for n in nodes if not problem.nodes[n].is_assembly)
    return sum(measures.volume(component) for component in components if component is not None)


def _find_turned_body(
    problem: InferenceProblem,
    measures: PartMeasures,
    label: int,
    nodes: Collection[int],
    pairs: Mapping[int, BodyPair],
    *,
    is_named: bool,
    is_single: bool,
    is_pivot: bool,
) -> TurnedBody | None:
    """The body, if it is turned about an axis about which it spins without moving anything else."""
    spin = _find_spin(pairs)
    if spin is None:
        return None
    motions = [_scaled(twists_of(pair.chain), spin.point) for pair in pairs.values()]
    rotation = np.array([*spin.axis, 0.0, 0.0, 0.0])
    translation = np.array([0.0, 0.0, 0.0, *spin.axis])
    if not all(_contains(motion, rotation) for motion in motions):
        return None
    idle = 2 if all(_contains(motion, translation) for motion in motions) else 1
    # What nothing holds along its axis may be a plunger or a rod, so there its name must agree.
    if idle > 1 and not is_named:
        return None
    # The standard or the library of a pivot tells what its shape would; without one there is nothing to measure either.
    if is_pivot:
        volume = _volume(problem, measures, nodes)
        return TurnedBody(label, spin.point, volume, math.inf, may_be_flange=False, idle=idle, sign=PIVOT_SIGN)
    placed = [
        PlacedPart(node.component, node.T)
        for node in (problem.nodes[n] for n in nodes)
        if node.component is not None and not node.is_assembly
    ]
    outline = measures.find_outline(placed, spin.axis, spin.point)
    if outline is None:
        return None
    share = NAMED_SHARE if is_named else SHARES[outline.shape]
    longest = NAMED_LONGEST if is_named else LONGEST[outline.shape]
    volume = sum(measures.volume(part.component) for part in placed)
    if outline.size > longest or not volume > 0:
        return None
    sign = "named like one" if is_named else f"shaped like a {outline.shape}"
    may_be_flange = is_single and not is_named and outline.shape is not TurnedShape.PIN
    return TurnedBody(label, spin.point, volume, share, may_be_flange, idle, f"small turned part, {sign}")


def _find_spin(pairs: Mapping[int, BodyPair]) -> SimpleJoint | None:
    """The rotation of a body about its axis, from the pair that leaves it least: only there the axis has one place."""
    for pair in sorted(pairs.values(), key=lambda pair: (len(pair.chain), pair.edge)):
        for simple in pair.chain:
            if simple.type is JointType.REVOLUTE:
                return simple
    return None


def _find_host(
    body: TurnedBody, pairs: Mapping[int, BodyPair], groups: DisjointSets, volumes: Mapping[int, float]
) -> int | None:
    """The neighbour to which the body is joined; None if there is none against which it is small.

    Only the idle motion may be lost, so the neighbours that are one body must together leave no other one.
    """
    beside: dict[int, list[int]] = defaultdict(list)
    for neighbour in sorted(pairs):
        beside[groups.find(neighbour)].append(neighbour)
    hosts = []
    for group, neighbours in beside.items():
        motions = [_scaled(twists_of(pairs[n].chain), body.point) for n in neighbours]
        if _common_dimension(motions) == body.idle:
            hosts.append((-round(volumes[group], 15), neighbours[0]))
    if not hosts:
        return None
    volume, host = min(hosts)
    return host if math.isinf(body.share) or body.volume <= body.share * -volume else None


def _scaled(twists: Array, point: Array) -> Array:
    """An orthonormal basis of twists about a point, with lengths as shares of `REACH`.  # (d, 6)."""
    turning, moving = twists[:, :3], twists[:, 3:] + np.cross(twists[:, :3], point)
    basis = np.linalg.qr(np.hstack([turning, moving / REACH]).T)[0]
    return np.asarray(basis.T)


def _contains(basis: Array, motion: Array) -> bool:
    return bool(np.linalg.norm(motion - (basis @ motion) @ basis) < SAME_MOTION)


def _common_dimension(bases: list[Array]) -> int:
    """The dimension of the motions that spaces have in common: those that no projection onto one of them changes."""
    if len(bases) == 1:
        return len(bases[0])
    missing = np.vstack([np.eye(6) - basis.T @ basis for basis in bases])
    return int((np.linalg.svd(missing, compute_uv=False) < SAME_MOTION).sum())


def _join(
    problem: InferenceProblem,
    members: Mapping[int, list[int]],
    label: int,
    host: int,
    pair: BodyPair,
    mechanism: Mechanism,
) -> tuple[Joined, set[int]]:
    """The two nodes that become one body, and the mates between them, which are thereby used up.

    Other mates of the part stay. They may be what holds the parts of the host together, as dowel pins do.
    """
    inside, outside = set(members[label]), set(members[host])
    ends = []
    for number in set(mechanism.equations.mate[pair.numbers].tolist()):
        nodes = {entity.node for entity in problem.mates[number].entities}
        if nodes <= inside | outside:
            ends.append((number, nodes))
    mated = set[int]().union(*(nodes for _, nodes in ends))
    part, base = min(mated & inside, default=label), min(mated & outside, default=host)
    used = {number for number, nodes in ends if nodes <= inside | {base}}
    reason = f"{problem.nodes[part].quoted} is a small turned part in {problem.nodes[base].quoted}"
    return ((min(part, base), max(part, base)), reason), used


def _report(problem: InferenceProblem, signs: Mapping[int, str], findings: Findings) -> None:
    """One finding that names every kind of part that was joined, with the count."""
    if not signs:
        return
    kinds = Counter(bare_name(problem.nodes[number].name) for number in signs)
    listed = [f"`{kind}` ({count} ×)" for kind, count in sorted(kinds.items())]
    more = f" and {len(listed) - MOST_KINDS} more kinds" if len(listed) > MOST_KINDS else ""
    findings.add("turned-rigid", "assembly", count=len(signs), parts=", ".join(listed[:MOST_KINDS]) + more)
