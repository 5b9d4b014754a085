"""Findings about the mechanism as a whole: root, unconnected parts, opened sub-assemblies, configurations, loops."""

from __future__ import annotations

from swgrm.findings import Findings
from swgrm.inference.explain.pose_check import report_contradictions
from swgrm.inference.explain.suspicious_mates import report_suspicious_mates
from swgrm.inference.joints.joint_tree import JointTree
from swgrm.inference.mechanism.fasteners import name_hint_of
from swgrm.inference.mechanism.solver import Mechanism
from swgrm.inference.problem import GROUND, InferenceProblem
from swgrm.settings import BaseSettings
from swgrm.solidworks.swconst import swComponentSolvingOption_e as Solving

PLANAR = 3  # degrees of freedom of a body that one plane holds
MOST_NAMES = 4  # of bodies or parts in one sentence


def report_mechanism(
    problem: InferenceProblem, mechanism: Mechanism, tree: JointTree, place_of_base: str, findings: Findings
) -> None:
    """Add all findings about the mechanism as a whole."""
    root = problem.nodes[tree.bodies[tree.root].main]
    findings.add("root", root.where, reason=tree.root_reason)
    findings.add("convention", "base", place=place_of_base)
    report_contradictions(problem, mechanism, findings)
    _report_floating_base(problem, mechanism, tree, findings)
    _report_configurations(problem, findings)
    _report_unattached(problem, tree, findings)
    _report_opened(problem, mechanism, tree, findings)
    report_suspicious_mates(problem, mechanism, tree, findings)
    _report_nearly_rigid(problem, mechanism, findings)
    _report_joints(problem, tree, findings)
    _report_loops(problem, mechanism, tree, findings)


def describe_base(base: BaseSettings, *, is_up_found: bool) -> str:
    """Where the base frame is, in words; `is_up_found`: the axis that points up is not from the settings."""
    if not base.frame:
        place = f"at the assembly's origin; its z axis is the assembly's {base.up} axis, which is taken to point up"
        is_z_template = is_up_found and base.up == "z"
        return place + (", because its default planes are those of a template with z up" if is_z_template else "")
    return f"the coordinate system `{base.frame}`" if isinstance(base.frame, str) else "at the pose in the settings"


def _report_floating_base(problem: InferenceProblem, mechanism: Mechanism, tree: JointTree, findings: Findings) -> None:
    """Report that nothing holds the base, or only mates that leave it a planar motion or more."""
    ground = int(mechanism.labels[GROUND])
    if len(tree.bodies[ground].nodes) > 1 or len(problem.nodes) == 1:
        return
    held = [joint for joint in tree.joints if ground in (joint.parent, joint.child)]
    if not held:
        findings.add("base-free", problem.nodes[tree.bodies[tree.root].main].where)
    elif all(sum(simple.size for simple in joint.chain) >= PLANAR for joint in held):
        for joint in held:
            base = joint.child if joint.parent == ground else joint.parent
            dof = sum(simple.size for simple in joint.chain)
            findings.add("base-floats", problem.nodes[tree.bodies[base].main].where, dof=dof)


def _report_unattached(problem: InferenceProblem, tree: JointTree, findings: Findings) -> None:
    mated = {entity.node for mate in problem.mates for entity in mate.entities}
    without_mates: list[str] = []
    for label in tree.unattached:
        body = tree.bodies[label]
        where = problem.nodes[body.main].where
        if body.nodes == (GROUND,):
            continue
        if mated.intersection(body.nodes):
            findings.add("disconnected", where)
        else:
            without_mates.append(where)
    findings.add_group("unattached", without_mates)


def _report_configurations(problem: InferenceProblem, findings: Findings) -> None:
    """Report files that were read in another configuration than an instance uses, if that matters."""
    seen: set[tuple[str, str]] = set()
    for node in problem.nodes:
        document = node.document
        if document is None or document.read_in == document.configuration or node.part in seen:
            continue
        seen.add(node.part)
        drawn = any(not item.default and item.kind != "origin" for item in document.geometry)
        if node.is_assembly or drawn:
            what = "its mates and the positions of its parts" if node.is_assembly else "its reference geometry"
            findings.add(
                "other-configuration", node.where, wanted=document.configuration, active=document.read_in, what=what
            )


def _report_opened(problem: InferenceProblem, mechanism: Mechanism, tree: JointTree, findings: Findings) -> None:
    """Report sub-assemblies that SolidWorks solves as rigid although their own mates let their parts move.

    A bought unit is rarely mated as it moves. So one is suspicious if it is named like a bearing or a fastener, or if
    its mates leave a part more than one degree of freedom.
    """
    moving: dict[int, list[int]] = {}
    for number, node in enumerate(problem.nodes):
        is_rigid = problem.nodes[node.holder].solving == Solving.swComponentRigidSolving
        if is_rigid and mechanism.labels[number] != mechanism.labels[node.holder]:
            moving.setdefault(node.holder, []).append(number)
    loose = set()  # the sub-assemblies with a joint of several degrees of freedom between their parts
    for joint in tree.joints if moving else ():
        parent, child = (tree.bodies[label].main for label in (joint.parent, joint.child))
        holder = problem.nodes[child].holder
        if parent in (holder, GROUND) or problem.nodes[parent].holder == holder:
            if sum(simple.size for simple in joint.chain) > 1:
                loose.add(holder)
    for holder, numbers in sorted(moving.items()):
        node = problem.nodes[holder]
        facts = {"parts": _listed([problem.nodes[number].quoted for number in numbers])}
        if name_hint_of(node).is_held or holder in loose:
            findings.add("opened-loose", node.where, count=len(numbers), **facts)
        else:
            findings.add("opened", node.where, **facts)


def _report_nearly_rigid(problem: InferenceProblem, mechanism: Mechanism, findings: Findings) -> None:
    """Report bodies that are rigid only because geometry is nearly, but not exactly, aligned."""
    for merger in mechanism.mergers:
        if merger.pair.twist_space.is_doubtful and not merger.through_loop:
            bodies = " and ".join(problem.nodes[n].quoted for n in merger.nodes)
            mates = [f"`{problem.mates[n].name}`" for n in merger.mates]
            findings.add(
                "nearly-aligned",
                f"mate {problem.mates[merger.mates[0]].name}",
                bodies=bodies,
                mates=" and ".join(mates) if len(mates) < 3 else ", ".join(mates),
                tolerances=merger.pair.twist_space.tightest,
            )
    for loop in mechanism.doubtful:
        names = [problem.nodes[number].quoted for number in loop.nodes]
        facts = {"count": len(names), "bodies": _listed(names), "tolerances": loop.tightest}
        findings.add("loop-nearly-aligned", problem.nodes[loop.nodes[0]].where, **facts)


def _report_joints(problem: InferenceProblem, tree: JointTree, findings: Findings) -> None:
    for joint in (*tree.joints, *tree.loops):
        where = problem.nodes[tree.bodies[joint.child].main].where
        if not joint.pair.is_exact:
            findings.add("not-a-joint", where)
        if joint.pair.twist_space.is_doubtful:
            findings.add("nearly-free", where, tolerances=joint.pair.twist_space.tightest)


def _report_loops(problem: InferenceProblem, mechanism: Mechanism, tree: JointTree, findings: Findings) -> None:
    closing = {joint.pair.edge for joint in tree.loops}
    for loop in mechanism.loops:
        if not len(loop.extra) and closing.isdisjoint(loop.edges):
            continue  # the joints of the tree keep it closed
        mains = {tree.bodies[label].main for edge in loop.edges for label in edge}
        nodes = [problem.nodes[number] for number in sorted(mains)]
        bodies = _listed([node.quoted for node in nodes])
        findings.add("loop", nodes[0].where, count=len(nodes), mobility=loop.mobility, bodies=bodies)


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more
