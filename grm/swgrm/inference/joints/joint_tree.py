"""The tree of joints: the root, the joints that reach every body, and the remaining pairs, which close loops."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from swgrm.findings import Findings
from swgrm.inference.geometry.plain_vectors import dot
from swgrm.inference.geometry.twists import Array, lengths_of
from swgrm.inference.mates.types import COUPLINGS
from swgrm.inference.mechanism.body_pairs import BodyPair
from swgrm.inference.mechanism.fasteners import name_hint_of
from swgrm.inference.mechanism.graph import DisjointSets, Edge, spanning_tree
from swgrm.inference.mechanism.joint_chain import JointChain, inverted, name_of
from swgrm.inference.mechanism.redundancy import redundant_pairs, without_pairs
from swgrm.inference.mechanism.solver import Mechanism
from swgrm.inference.problem import GROUND, InferenceProblem
from swgrm.model import JointType
from swgrm.solidworks.fasteners import NameHint
from swgrm.ties import ranks_of

PARALLEL_DIGITS = 6  # of the direction, in which parallel axes agree
EVIDENCE_RANKS = 100  # more than there are ranks of evidence, so that a simpler joint always comes first
SAME_DISTANCE = 1e-6  # [m] more than the noise of poses, so that noise does not decide between equal distances


class RigidBody(Struct, frozen=True, eq=False):
    """Nodes that move as one; `main` names the body: not a fastener, mated to most others, first by name."""

    nodes: tuple[int, ...]
    main: int
    parts: int  # how many of its nodes are parts, fasteners not counted


class TreeJoint(Struct, frozen=True, eq=False):
    """A pair as a joint from one body to another; the chain leads from parent to child."""

    parent: int
    child: int
    chain: JointChain
    pair: BodyPair


class JointTree(Struct, frozen=True, eq=False):
    """Bodies by their lowest node, the root, joints (parents first), loop-closing joints, unconnected bodies."""

    bodies: dict[int, RigidBody]
    root: int
    root_reason: str
    joints: tuple[TreeJoint, ...]
    loops: tuple[TreeJoint, ...]
    unattached: tuple[int, ...] = field(default=())  # bodies that no mate connects to the root: fixed to it


class PairPreference(NamedTuple):
    """What decides between pairs for the tree, beside how simple they are."""

    coupled: Collection[Edge]  # they are joints of the tree wherever that is possible, not loop joints
    ranks: Mapping[Edge, int]  # by evidence, see `mate_evidence`; 0 for the others
    places: Mapping[Edge, Array]  # (3,) where each pair is


def grow_tree(
    problem: InferenceProblem,
    mechanism: Mechanism,
    fasteners: Collection[int],
    wanted: str,
    joined: Collection[int],
    preference: PairPreference,
) -> JointTree:
    """The tree of a mechanism; `wanted` is the component whose body is the root, "" to choose it.

    Bodies with nodes that the settings joined are named after the component that the joint to their parent moves: so
    no joint gets the name of another one.
    """
    wanted_root = problem.node_of(wanted, ("base", "root")) if wanted else None
    bodies = _bodies(problem, mechanism, fasteners)
    clusters = _clusters(bodies, mechanism)
    root, reason = _choose_root(problem, mechanism, bodies, clusters, wanted_root)
    joints: list[TreeJoint] = []
    unattached = []
    origin = problem.nodes[bodies[root].main].T[:3, 3]
    near = _nearness(preference.places, origin)
    depth = {root: 0}
    for cluster in sorted(clusters, key=lambda c: (root not in c, c)):
        start = root if root in cluster else _base_of(problem, mechanism, bodies, cluster)[0]
        if start != root:
            unattached.append(start)
        depth[start] = 0
        edges = [edge for edge in mechanism.pairs if edge[0] in cluster]
        for step in spanning_tree(start, edges, lambda edge: _rank(mechanism.pairs[edge], near, preference)):
            pair = mechanism.pairs[min(step.node, step.parent), max(step.node, step.parent)]
            if joined and not set(joined).isdisjoint(bodies[step.node].nodes):
                bodies[step.node] = _named_by(problem, mechanism, bodies[step.node], pair, fasteners)
            joints.append(_oriented(problem, bodies, pair, step.parent, step.node))
            depth[step.node] = step.depth
    joints = [_as_defined(problem, mechanism, joint) for joint in _alike(problem, bodies, joints)]
    used = {joint.pair.edge for joint in joints}
    loops = []
    for edge, pair in sorted(mechanism.pairs.items()):
        if edge not in used:
            parent, child = sorted(edge, key=lambda label: (depth[label], label))
            loops.append(_oriented(problem, bodies, pair, parent, child))
    return JointTree(bodies, root, reason, tuple(joints), tuple(loops), tuple(unattached))


def leave_out_redundant(
    problem: InferenceProblem, mechanism: Mechanism, tree: JointTree, left_out: Sequence[BodyPair], findings: Findings
) -> tuple[Mechanism, JointTree]:
    """The mechanism and its tree without loop joints that take no freedom away; their mates become notes.

    `left_out` are pairs that were left out before the tree grew.
    """
    redundant = redundant_pairs(mechanism, [joint.pair.edge for joint in tree.loops])
    left = without_pairs(mechanism, redundant)
    closed = _closed_by_joints(left, tree.joints)
    used = {joint.pair.edge for joint in tree.joints}
    gone = {*redundant, *closed}
    for pair in (*left_out, *(mechanism.pairs[edge] for edge in redundant)):
        _name_mates(problem, mechanism, tree, pair, "mate-redundant", findings)
    for edge in sorted(closed.difference(used).intersection(mechanism.pairs)):
        _name_mates(problem, mechanism, tree, mechanism.pairs[edge], "mate-in-joints", findings)
    return left, replace(tree, loops=tuple(joint for joint in tree.loops if joint.pair.edge not in gone))


def _name_mates(
    problem: InferenceProblem, mechanism: Mechanism, tree: JointTree, pair: BodyPair, code: str, findings: Findings
) -> None:
    """Add a finding for each mate of a pair that is not a joint."""
    bodies = " and ".join(problem.nodes[tree.bodies[label].main].quoted for label in pair.edge)
    for number in sorted(set(mechanism.equations.mate[pair.numbers].tolist())):
        mate = problem.mates[number]
        if not mate.is_limit and mate.type not in COUPLINGS:
            findings.add(code, f"mate {mate.name}", bodies=bodies)


def _closed_by_joints(mechanism: Mechanism, joints: Sequence[TreeJoint]) -> set[Edge]:
    """The pairs of loops that the joints of the tree keep closed, because loops narrowed these to what they leave.

    The motions of the loop are among those of its joints. If both have as many degrees of freedom, they are the same.
    """
    own = {joint.pair.edge: joint.pair for joint in joints}
    closed: set[Edge] = set()
    for loop in mechanism.loops:
        pairs = [own[edge] for edge in loop.edges if edge in own]
        if len(loop.extra) or all(pair.narrowed_from is None for pair in pairs):
            continue
        bodies = {label for edge in loop.edges for label in edge}
        size = sum(simple.size for pair in pairs for simple in pair.chain)
        if len(pairs) == len(bodies) - 1 and size == loop.mobility:
            closed.update(loop.edges)
    return closed


def _bodies(problem: InferenceProblem, mechanism: Mechanism, fasteners: Collection[int]) -> dict[int, RigidBody]:
    """The bodies by label, with the node that names each."""
    members: dict[int, list[int]] = defaultdict(list)
    labels = mechanism.labels.tolist()
    for number, label in enumerate(labels):
        members[label].append(number)
    partners: list[set[int]] = [set() for _ in labels]
    for mate in problem.mates:
        mated = {entity.node for entity in mate.entities}
        for number in mated:
            partners[number] |= mated
    counts = [len(others) for others in partners]  # duplicate mates count once
    # A sub-assembly names a body if all its components are in it; these then do not name it.
    whole = [node.is_assembly and number != GROUND for number, node in enumerate(problem.nodes)]
    for number in range(len(labels) - 1, GROUND, -1):
        holder = problem.nodes[number].holder
        inside = labels[holder] == labels[number] and (whole[number] or not problem.nodes[number].is_assembly)
        whole[holder] = whole[holder] and inside
        counts[holder] += counts[number] if holder != GROUND else 0
    names = [whole[n] or not node.is_assembly for n, node in enumerate(problem.nodes)]
    hidden = [whole[node.holder] for node in problem.nodes]
    bodies = {}
    for label, nodes in members.items():
        naming = [n for n in nodes if names[n] and not hidden[n] and n not in fasteners] or nodes
        parts = sum(not problem.nodes[n].is_assembly and n not in fasteners for n in nodes)
        bodies[label] = RigidBody(tuple(nodes), min(naming, key=lambda n: (n == GROUND, -counts[n], n)), parts)
    return bodies


def _named_by(
    problem: InferenceProblem, mechanism: Mechanism, body: RigidBody, pair: BodyPair, fasteners: Collection[int]
) -> RigidBody:
    """The body, named after the part that the mates of its joint hold."""
    mates = (problem.mates[number] for number in sorted(set(mechanism.equations.mate[pair.numbers].tolist())))
    held = {entity.node for mate in mates for entity in mate.entities}
    naming = [node for node in body.nodes if node in held and node not in fasteners]
    return replace(body, main=body.main if body.main in naming or not naming else naming[0])


def _clusters(bodies: dict[int, RigidBody], mechanism: Mechanism) -> list[frozenset[int]]:
    """The groups of bodies that pairs connect."""
    labels = sorted(bodies)
    place = {label: index for index, label in enumerate(labels)}
    groups = DisjointSets(len(labels))
    for a, b in mechanism.pairs:
        groups.join(place[a], place[b])
    return [frozenset(labels[index] for index in group) for group in groups.members()]


def _choose_root(
    problem: InferenceProblem,
    mechanism: Mechanism,
    bodies: dict[int, RigidBody],
    clusters: Sequence[frozenset[int]],
    wanted: int | None,
) -> tuple[int, str]:
    """The label of the root, and the reason."""
    if wanted is not None:
        return int(mechanism.labels[wanted]), f"the settings name `{problem.nodes[wanted].name}`"
    ground = int(mechanism.labels[GROUND])
    held = [problem.nodes[n].name for n in bodies[ground].nodes if n != GROUND]
    if held:
        fixed = [n.name for n in (problem.nodes[k] for k in bodies[ground].nodes) if n.is_fixed and n.name]
        return ground, f"`{fixed[0]}` is fixed" if fixed else f"`{held[0]}` is held by the assembly's own geometry"
    if any(ground in edge for edge in mechanism.pairs):
        return ground, "components move on the assembly's own planes and axes"
    others = [cluster for cluster in clusters if ground not in cluster]
    if not others:
        return ground, "there is nothing but the assembly"
    largest = max(others, key=lambda c: (sum(bodies[label].parts for label in c), -min(c)))
    base, sign = _base_of(problem, mechanism, bodies, largest)
    return base, f"nothing is fixed, and it is {sign}"


def _base_of(
    problem: InferenceProblem, mechanism: Mechanism, bodies: dict[int, RigidBody], cluster: Collection[int]
) -> tuple[int, str]:
    """The root of a cluster without the ground, and what it was chosen by.

    A body that is named as a base comes first. The base of a serial chain is an end of it, the one that was inserted
    first; elsewhere it is the body with most parts and pairs together, as the chassis of a vehicle.
    """
    if len(cluster) == 1:
        return next(iter(cluster)), "the only body"
    named = [label for label in cluster if name_hint_of(problem.nodes[bodies[label].main]) is NameHint.BASE]
    options, sign = named or list(cluster), "the one that is named as a base" if named else ""
    pairs = {label: sum(label in edge for edge in mechanism.pairs) for label in options}
    ends = [label for label in options if pairs[label] == 1]
    is_chain = len(ends) == 2 and max(pairs.values()) == 2 and not named
    if is_chain:
        inserted = {label: _insertion(problem, bodies[label]) for label in ends}
        return min(ends, key=lambda label: (inserted[label], label)), "the end of the chain that was inserted first"
    best = min(options, key=lambda label: (-bodies[label].parts - pairs[label], label))
    return best, sign or "the body with most parts and joints, then the first name"


def _insertion(problem: InferenceProblem, body: RigidBody) -> int:
    """The lowest of the numbers that SolidWorks gave the components of a body at the top when they were inserted."""
    at_top = [problem.nodes[number] for number in body.nodes if problem.nodes[number].holder == GROUND]
    return min((node.component.id for node in at_top if node.component), default=0)


def _rank(pair: BodyPair, near: Mapping[Edge, int], preference: PairPreference) -> tuple[int, tuple[int, Edge]]:
    """Coupled joints first, then the simplest, then those that the designer mated as a joint.

    Ties go to the nearest to the root's origin, then the first by name.
    """
    dimension = 0 if pair.edge in preference.coupled else sum(simple.size for simple in pair.chain)
    if not pair.is_exact:
        dimension = 6
    return EVIDENCE_RANKS * dimension + preference.ranks.get(pair.edge, 0), (near[pair.edge], pair.edge)


def _nearness(places: Mapping[Edge, Array], origin: Array) -> dict[Edge, int]:
    """The rank of each pair by its distance from the origin; distances less than `SAME_DISTANCE` apart share one."""
    if not places:
        return {}
    distances = lengths_of(np.array(list(places.values())) - origin)
    return dict(zip(places, ranks_of(distances, SAME_DISTANCE).tolist(), strict=True))


def _oriented(
    problem: InferenceProblem, bodies: dict[int, RigidBody], pair: BodyPair, parent: int, child: int
) -> TreeJoint:
    """The pair as a joint from parent to child, the signs of its axes given by the child's part alone."""
    chain = pair.chain if pair.edge[0] == parent else inverted(pair.chain)
    if len(chain) > 1 and name_of(chain) == "cylindrical":
        # Its joints commute: the prismatic one comes first, whichever body is the parent.
        chain = tuple(sorted(chain, key=lambda simple: simple.type is not JointType.PRISMATIC))
    R = problem.nodes[bodies[child].main].T[:3, :3]
    return TreeJoint(parent, child, tuple(simple.along(_signed(simple.axis, R)) for simple in chain), pair)


def _alike(problem: InferenceProblem, bodies: dict[int, RigidBody], joints: Sequence[TreeJoint]) -> list[TreeJoint]:
    """The joints; where instances of one part have parallel axes, all point the way of the first by name.

    So the left and the right wheel of a vehicle turn forwards alike.
    """
    parts = {joint.child: problem.nodes[bodies[joint.child].main].part for joint in joints}
    counts = Counter(parts.values())
    if len(counts) == len(parts):
        return list(joints)
    first: dict[tuple[object, ...], Array] = {}
    result = {joint.child: joint for joint in joints}
    for joint in sorted(joints, key=lambda each: bodies[each.child].main):
        part = parts[joint.child]
        if counts[part] == 1:
            continue
        chain = []
        for k, simple in enumerate(joint.chain):
            direction = tuple(_signed(simple.axis, np.eye(3)).round(PARALLEL_DIGITS).tolist())
            like = first.setdefault((part, len(joint.chain), k, simple.type, direction), simple.axis)
            chain.append(simple.along(-simple.axis) if simple.axis @ like < 0 else simple)
        result[joint.child] = replace(joint, chain=tuple(chain))
    return [result[joint.child] for joint in joints]


def _as_defined(problem: InferenceProblem, mechanism: Mechanism, joint: TreeJoint) -> TreeJoint:
    """The joint; if the settings define it, its axis points as they do, so that the child moves in their sense."""
    for defined in problem.defined:
        ends = int(mechanism.labels[defined.parent]), int(mechanism.labels[defined.child])
        if sorted(ends) == list(joint.pair.edge):
            wanted = defined.axis if ends[0] == joint.parent else -defined.axis
            chain = (each.along(-each.axis) if each.axis @ wanted < 0 else each for each in joint.chain)
            return replace(joint, chain=tuple(chain))
    return joint


def _signed(axis: Array, R: Array) -> Array:
    """The axis or its opposite: its largest component in the part's own frame is positive (z before y before x)."""
    direction = axis.tolist()
    own = [dot(column, direction) for column in R.T.tolist()]
    least = max(map(abs, own)) - 1e-6
    largest = next((part for part in reversed(own) if abs(part) > least), 1.0)
    return axis if largest > 0 else -axis
