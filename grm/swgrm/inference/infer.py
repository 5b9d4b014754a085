"""From a capture to a robot: the stages of inference in order."""

from __future__ import annotations

from msgspec.structs import replace

from swgrm.capture import Capture, Index
from swgrm.findings import Findings
from swgrm.inference.explain.mechanism_findings import describe_base, report_mechanism
from swgrm.inference.explain.suspicious_mates import report_clamped
from swgrm.inference.explain.used_conventions import used_conventions
from swgrm.inference.joints.defined_joints import with_defined_joints
from swgrm.inference.joints.facts import find_joint_facts
from swgrm.inference.joints.joint_keys import nodes_of_joints
from swgrm.inference.joints.joint_tree import leave_out_redundant
from swgrm.inference.joints.mechanism_tree import solve_mechanism
from swgrm.inference.joints.robot_builder import build_robot
from swgrm.inference.mates.copies import with_copied_mates
from swgrm.inference.mates.from_capture import read_mates
from swgrm.inference.mechanism.blocking_copies import without_blocking_copies
from swgrm.inference.mechanism.fasteners import FastenerDecisions, find_fasteners
from swgrm.inference.mechanism.mirror_images import with_mirror_images
from swgrm.inference.mechanism.rigid_groups import find_rigid_groups
from swgrm.inference.mechanism.turned_parts import find_candidates, weld_turned_parts
from swgrm.inference.mechanism.turned_shape import PartMeasures
from swgrm.inference.problem import InferenceProblem, as_assembly, read_components
from swgrm.inference.result import Inference
from swgrm.inference.up_axis import find_up_axis
from swgrm.settings import Settings

DEFAULTS = Settings()


def infer(capture: Capture, settings: Settings = DEFAULTS, findings: Findings | None = None) -> Inference:
    """The robot of a captured assembly or part.

    The findings are in the result; they are added to `findings` too.
    """
    found = Findings()
    capture = as_assembly(capture)
    index = Index(capture)
    is_up_found = settings.base.up == "auto"
    settings = _with_up_axis(settings, index)
    nodes = read_components(index, settings.links.leave_out, found)
    mates = read_mates(nodes, settings.mates.ignore, settings.conventions, found)
    problem = with_mirror_images(InferenceProblem(nodes, mates), index, settings, found)
    measures, decisions = PartMeasures(index), FastenerDecisions(settings.fasteners)
    decisions.check(problem)
    problem = with_copied_mates(problem, index, found)
    problem = without_blocking_copies(problem, measures, settings, found)
    fasteners = find_fasteners(problem, measures, decisions, found)
    rigid = find_rigid_groups(problem, fasteners, settings, found)
    candidates = find_candidates(problem, measures, fasteners, decisions, nodes_of_joints(problem, settings))
    if candidates.hints:
        # Whether a part only spins, and on which body, is known when the mates are solved.
        mechanism = solve_mechanism(problem, fasteners, rigid, settings.base.root, Findings()).mechanism
        turned = weld_turned_parts(problem, measures, candidates, fasteners, mechanism, rigid, found)
        fasteners, rigid = fasteners | turned.signs, turned.rigid
    problem, rigid = with_defined_joints(problem, fasteners, rigid, settings)
    naming = {**fasteners, **dict.fromkeys(candidates.pivots, "")}  # what no body is named after
    solved = solve_mechanism(problem, naming, rigid, settings.base.root, found)
    mechanism, tree = leave_out_redundant(problem, solved.mechanism, solved.tree, solved.left_out, found)
    facts = find_joint_facts(problem, mechanism, tree, found)
    name = settings.robot.name or robot_name(capture)
    robot, joint_names, decided = build_robot(name, problem, mechanism, tree, facts, settings, found)
    report_mechanism(problem, mechanism, tree, describe_base(settings.base, is_up_found=is_up_found), found)
    report_clamped(problem, fasteners, decisions.decided_nodes(problem), rigid, mechanism, found)
    distinct = tuple(sorted(set(found)))
    robot = replace(robot, conventions=used_conventions(problem.mates, settings.conventions, distinct))
    if findings is not None:
        findings.extend(distinct)
    by_name = {problem.nodes[number].name: signs for number, signs in sorted(fasteners.items())}
    rank, spared = facts.coupled.rank, candidates.spared
    return Inference(
        robot, distinct, by_name, problem, rigid, mechanism, tree, joint_names, decided, rank, spared
    )  # fmt: skip


def _with_up_axis(settings: Settings, index: Index) -> Settings:
    """The settings with the up axis of the document's template, if they leave it to that."""
    if settings.base.up != "auto":
        return settings
    return replace(settings, base=replace(settings.base, up=find_up_axis(index.root)))


def robot_name(capture: Capture) -> str:
    """The name of the document that was read, without its extension."""
    return capture.source.name or "robot"
