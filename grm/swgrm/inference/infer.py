"""From a capture to a robot: the stages of inference in order."""

from __future__ import annotations

from msgspec.structs import replace

from swgrm.capture import Capture, Index
from swgrm.findings import Findings
from swgrm.inference.explain.mechanism_findings import report_mechanism
from swgrm.inference.explain.used_conventions import used_conventions
from swgrm.inference.joints.defined_joints import with_defined_joints
from swgrm.inference.joints.facts import find_joint_facts
from swgrm.inference.joints.joint_tree import leave_out_redundant
from swgrm.inference.joints.mechanism_tree import solve_mechanism
from swgrm.inference.joints.robot_builder import build_robot
from swgrm.inference.mates.copies import with_copied_mates
from swgrm.inference.mates.from_capture import read_mates
from swgrm.inference.mechanism.fasteners import find_fasteners
from swgrm.inference.mechanism.mirror_images import with_mirror_images
from swgrm.inference.mechanism.rigid_groups import find_rigid_groups
from swgrm.inference.problem import InferenceProblem, as_assembly, read_components
from swgrm.inference.result import Inference
from swgrm.settings import Settings

DEFAULTS = Settings()


def infer(capture: Capture, settings: Settings = DEFAULTS, findings: Findings | None = None) -> Inference:
    """The robot of a captured assembly or part.

    The findings are in the result; they are added to `findings` too.
    """
    found = Findings()
    capture = as_assembly(capture)
    index = Index(capture)
    nodes = read_components(index, settings.links.leave_out, found)
    mates = read_mates(nodes, settings.mates.ignore, settings.conventions, found)
    problem = with_mirror_images(InferenceProblem(nodes, mates), settings, found)
    problem = with_copied_mates(problem, found)
    fasteners = find_fasteners(problem, index, settings.fasteners, found)
    rigid = find_rigid_groups(problem, fasteners, settings, found)
    problem, rigid = with_defined_joints(problem, fasteners, rigid, settings)
    mechanism, tree = solve_mechanism(problem, fasteners, rigid, settings.base.root, found)
    mechanism, tree = leave_out_redundant(problem, mechanism, tree, found)
    facts = find_joint_facts(problem, mechanism, tree, found)
    name = settings.robot.name or robot_name(capture)
    robot, joint_names, decided = build_robot(name, problem, mechanism, tree, facts, settings, found)
    report_mechanism(problem, mechanism, tree, settings.base, found)
    distinct = tuple(sorted(set(found)))
    robot = replace(robot, conventions=used_conventions(problem.mates, settings.conventions, distinct))
    if findings is not None:
        findings.extend(distinct)
    by_name = {problem.nodes[number].name: signs for number, signs in sorted(fasteners.items())}
    return Inference(
        robot, distinct, by_name, problem, rigid, mechanism, tree, joint_names, decided, facts.coupled.rank
    )


def robot_name(capture: Capture) -> str:
    """The name of the document that was read, without its extension."""
    return capture.source.name or "robot"
