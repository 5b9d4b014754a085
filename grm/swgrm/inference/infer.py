"""From a capture to a robot: the steps of inference in their one order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PureWindowsPath

import numpy as np

from swgrm.capture import Capture, Index
from swgrm.errors import SettingsError, nearest
from swgrm.findings import Finding, Severity
from swgrm.inference.joints.scalar_joints import Coordinates
from swgrm.inference.mates.copies import mate_copies
from swgrm.inference.joints.couplings import NoCoupling, Screws, couple, couple_symmetric
from swgrm.inference.geometry.equations import Equations
from swgrm.inference.mechanism.fasteners import find_fasteners
from swgrm.inference.mechanism.twist_space import tolerances
from swgrm.inference.mechanism.graph import Edge
from swgrm.inference.joints.limits import measured_features, range_of
from swgrm.inference.mates.types import COUPLINGS, FARTHEST, Mate, MateType, NotUnderstood, check_geometry
from swgrm.inference.mates.table import UNDER_LIMIT, Tie, assemble, assumption, ties
from swgrm.inference.options import Options
from swgrm.inference.problem import GROUND, Problem, as_assembly, pose_problem
from swgrm.inference.explain.mechanism_findings import report
from swgrm.inference.mechanism.rigid_groups import Rigid, find_rigid, report_fasteners
from swgrm.inference.joints.robot_builder import Builder, Known
from swgrm.inference.mechanism.solver import Mechanism, solve
from swgrm.inference.joints.joint_tree import Tree, grow
from swgrm.model import Robot

UNSATISFIED = 20.0  # tolerances: a mate that the assembled pose misses by more than this is not used


@dataclass(frozen=True, slots=True, eq=False)
class Inference:
    """A robot, what there is to say about it, and everything that it was concluded from."""

    robot: Robot
    findings: tuple[Finding, ...]
    problem: Problem
    mechanism: Mechanism
    tree: Tree
    rigid: Rigid
    fasteners: dict[int, str]
    joint_names: dict[Edge, tuple[str, ...]]  # of the moves of each pair


def infer(capture: Capture, options: Options | None = None) -> Inference:
    """The robot of a captured assembly."""
    options = options or Options()
    capture = as_assembly(capture)
    problem = pose_problem(capture, options.left_out)
    _ignore(problem, options)
    mate_copies(problem)
    fasteners = find_fasteners(problem, Index(capture), options.fasteners)
    report_fasteners(problem, fasteners)
    rigid = find_rigid(problem, fasteners, options.opening)
    _join(problem, rigid, options)
    equations = build_equations(problem, rigid.used)
    mechanism = solve(
        len(problem.nodes),
        equations,
        [edge for edge, _ in rigid.joined],
        lambda node: problem.nodes[node].T[:3, :3],
        Screws(problem.mates).refine,
    )
    tree = grow(problem, mechanism, fasteners, _wanted_root(problem, options))
    known = find_known(problem, mechanism, tree)
    builder = Builder(problem, mechanism, tree, known, options)
    robot = builder.build(options.name or robot_name(capture))
    report(problem, mechanism, tree, options)
    findings = tuple(sorted(set(problem.findings)))
    return Inference(robot, findings, problem, mechanism, tree, rigid, fasteners, builder.names_by_pair)


def robot_name(capture: Capture) -> str:
    """The name of the document that was read, without its extension."""
    return PureWindowsPath(capture.source.path or capture.source.title).stem or "robot"


def _ignore(problem: Problem, options: Options) -> None:
    """Take out the mates that the user does not want to count."""
    names = [mate.name for mate in problem.mates]
    for wanted in sorted(options.ignored_mates):
        if wanted not in names:
            raise SettingsError(f"There is no mate `{wanted}` to ignore.{nearest(wanted, names)}")
    kept = [k for k, name in enumerate(names) if name not in options.ignored_mates]
    problem.mates = [problem.mates[k] for k in kept]
    problem.owners = [problem.owners[k] for k in kept]


def _wanted_root(problem: Problem, options: Options) -> int | None:
    return _component(problem.index, options.root) if options.root else None


def _component(index: dict[str, int], name: str) -> int:
    if not name or name not in index:
        raise SettingsError(f"There is no component `{name}`.{nearest(name, list(index))}")
    return index[name]


def _join(problem: Problem, rigid: Rigid, options: Options) -> None:
    """Make bodies of the groups that the user named; every name in the settings must be a component's."""
    index = problem.index
    for group in options.joined:
        first, *others = (_component(index, name) for name in group)
        for other in others:
            rigid.join(first, other, "the settings join them")
    for name in (*options.fasteners, *(name for name in options.opening if name)):
        _component(index, name)


def build_equations(problem: Problem, used: set[int]) -> Equations:
    """The equations of all mates that can be used; the others are findings."""
    tied: list[tuple[int, Tie]] = []
    for number, mate in enumerate(problem.mates):
        if number in used or mate.type in COUPLINGS:
            continue
        try:
            tied += [(number, tie) for tie in _held(mate)]
        except NotUnderstood as reason:
            problem.find(Severity.WARNING, "mate-not-understood", mate.name, f"is not used: {reason}")
    equations = assemble(tied)
    off = np.abs(equations.c - equations.intended) / tolerances(equations)
    missed = np.unique(equations.mate[off > UNSATISFIED])
    for number in missed.tolist():
        worst = float(np.abs(equations.c - equations.intended)[(equations.mate == number) & (off > UNSATISFIED)].max())
        problem.find(
            Severity.WARNING, "mate-unsatisfied", problem.mates[number].name,
            f"is not used: the components are not where it wants them (off by {worst:.3g} m or rad)",
        )  # fmt: skip
    return equations[~np.isin(equations.mate, missed)]


def _held(mate: Mate) -> list[Tie]:
    """What a mate holds; of a limit mate, what it holds besides what it measures."""
    if not mate.is_limit or mate.type is MateType.HINGE:
        return ties(mate)
    rest = ((UNDER_LIMIT.get(tie.relation), tie) for tie in ties(mate))
    return [Tie(relation, tie.first, tie.second) for relation, tie in rest if relation]


def find_known(problem: Problem, mechanism: Mechanism, tree: Tree) -> Known:
    """Ranges and couplings of the joints."""
    known = Known()
    coordinates = Coordinates(tree)
    for number, mate in enumerate(problem.mates):
        if mate.is_limit:
            _limit(problem, mechanism, known, coordinates, number)
        elif mate.type in COUPLINGS:
            _couple(problem, mechanism, known, coordinates, number)
    _note_assumptions(problem, mechanism, tree, known)
    for number in _symmetric_triples(mechanism):
        own = mechanism.equations[mechanism.equations.mate == number]
        follow = couple_symmetric(number, own, coordinates, mechanism.labels)
        if follow is None or follow.follower in known.follows or _follows(known, follow.leader, follow.follower):
            problem.find(
                Severity.WARNING,
                "symmetry-unused",
                problem.mates[number].name,
                "ties three bodies in a way that couples no two joints: the robot moves more freely than the assembly",
            )
            continue
        known.follows[follow.follower] = follow
        known.mates.setdefault(follow.follower, []).append(number)
    return known


def _note_assumptions(problem: Problem, mechanism: Mechanism, tree: Tree, known: Known) -> None:
    """Say what was assumed of mates, and at the joints that they make."""
    used = np.unique(mechanism.equations.mate).tolist()
    said = {number: said for number in used if (said := assumption(problem.mates[number]))}
    for number, (severity, words) in said.items():
        problem.find(severity, "mate-assumed", problem.mates[number].name, words)
    for joint in tree.joints if said else ():
        for number in sorted({*mechanism.equations.mate[joint.pair.numbers].tolist()} & said.keys()):
            note = f"{problem.mates[number].name} {said[number][1]}"
            for k in range(len(joint.chain)):
                known.notes.setdefault((joint.child, k), []).append(note)


def _symmetric_triples(mechanism: Mechanism) -> Sequence[int]:
    eq, labels = mechanism.equations, mechanism.labels
    three = (eq.mirror >= 0) & (labels[eq.first] != labels[eq.second])
    three &= (labels[eq.mirror] != labels[eq.first]) & (labels[eq.mirror] != labels[eq.second])
    return np.unique(eq.mate[three]).tolist()  # type: ignore[no-any-return]  # a list of int


def _limit(problem: Problem, mechanism: Mechanism, known: Known, coordinates: Coordinates, number: int) -> None:
    mate = problem.mates[number]
    try:
        check_geometry(mate)
        if not (np.abs([mate.value or 0.0, mate.minimum or 0.0, mate.maximum or 0.0]) <= FARTHEST).all():
            raise NotUnderstood("its limits are not numbers")
        first, second = (int(mechanism.labels[feature.body]) for feature in measured_features(mate))
        found = [(c, range_of(mate, c, sign)) for c, sign in coordinates.between(first, second)]
    except NotUnderstood as reason:
        problem.find(Severity.WARNING, "mate-not-understood", mate.name, f"is not used: {reason}")
        return
    moved = [(coordinate, span) for coordinate, span in found if span is not None]
    if len(moved) != 1:
        several = "several joints change what it measures" if moved else "no joint changes what it measures"
        severity = Severity.NOTE if first == second else Severity.WARNING
        problem.find(severity, "limit-unused", mate.name, f"limits no single joint: {several}")
        return
    coordinate, span = moved[0]
    if span.is_outside:
        problem.find(Severity.WARNING, "limit-outside", mate.name, "does not allow the assembled pose: it is left out")
        return
    if span.is_assumed:
        problem.find(
            Severity.WARNING, "limit-side", mate.name,
            "measures an end of its range as assembled (an angle of 0° or 180°, a distance of 0): "
            "to which side the joint moves is assumed",
        )  # fmt: skip
        known.notes.setdefault(coordinate.key, []).append("the side of its range is assumed")
    known.mates.setdefault(coordinate.key, []).append(number)
    before = known.ranges.get(coordinate.key)
    known.ranges[coordinate.key] = span if before is None else before.narrowed(span)


def _couple(problem: Problem, mechanism: Mechanism, known: Known, coordinates: Coordinates, number: int) -> None:
    mate = problem.mates[number]
    try:
        check_geometry(mate)
        follow = couple(number, mate, coordinates, mechanism.labels)
    except (NoCoupling, NotUnderstood) as reason:
        problem.find(Severity.WARNING, "coupling-unused", mate.name, f"couples no two joints: {reason}")
        return
    if follow is None:
        return
    if _follows(known, follow.leader, follow.follower) or follow.follower in known.follows:
        problem.find(Severity.WARNING, "coupling-unused", mate.name, "its joints are already coupled")
        return
    known.follows[follow.follower] = follow
    known.mates.setdefault(follow.follower, []).append(number)
    if follow.assumption:
        known.notes.setdefault(follow.follower, []).append(f"assumed {follow.assumption}")
        problem.find(Severity.NOTE, "coupling-assumed", mate.name, f"assumed {follow.assumption}")


def _follows(known: Known, joint: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether a joint follows another, through any number of couplings."""
    while joint != other and joint in known.follows:
        joint = known.follows[joint].leader
    return joint == other


GROUND_NAME = "the assembly"


def node_name(problem: Problem, number: int) -> str:
    """What to call a node."""
    return f"`{problem.nodes[number].name}`" if number != GROUND else GROUND_NAME
