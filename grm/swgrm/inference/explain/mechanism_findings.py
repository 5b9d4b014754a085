"""What a user should look at after inference: roots, loose parts, opened sub-assemblies, loops."""

from __future__ import annotations

from swgrm.findings import Severity
from swgrm.inference.options import Options
from swgrm.inference.problem import GROUND, Problem
from swgrm.inference.mechanism.solver import Mechanism
from swgrm.inference.explain.suspicious_mates import report_suspects
from swgrm.inference.joints.joint_tree import Tree


def report(problem: Problem, mechanism: Mechanism, tree: Tree, options: Options) -> None:
    """All findings about the mechanism as a whole."""
    where = problem.nodes[tree.bodies[tree.root].main].name or "assembly"
    problem.find(Severity.NOTE, "root", where, f"is the base: {tree.root_reason}")
    up = (
        f"the coordinate system `{options.base_frame}`"
        if options.base_frame
        else f"the assembly's origin, {options.up} up"
    )
    problem.find(Severity.NOTE, "convention", "base", f"stands at {up}; z of the base points up")
    _configurations(problem)
    _loose(problem, tree)
    _opened(problem, mechanism)
    report_suspects(problem, mechanism, tree)
    _held_by_a_hair(problem, mechanism)
    _pairs(problem, mechanism, tree)


def _loose(problem: Problem, tree: Tree) -> None:
    mated = {feature.body for mate in problem.mates for feature in mate.features}
    for label in tree.unattached:
        body = tree.bodies[label]
        if body.nodes == (GROUND,):
            continue
        name = problem.nodes[body.main].name
        reason = "no usable mate ties it to the rest" if mated.intersection(body.nodes) else "has no mates"
        problem.find(Severity.WARNING, "unattached", name, f"{reason}: it is held to the base where it stands")


def _configurations(problem: Problem) -> None:
    """Say where a file was in another configuration than an instance asks for, and that matters."""
    seen: set[tuple[str, str]] = set()
    for node in problem.nodes:
        document = node.document
        if document is None or document.read_in == document.configuration or node.part in seen:
            continue
        seen.add(node.part)
        drawn = any(not item.default and item.kind != "origin" for item in document.geometry)
        what = "its mates and the places of its parts" if node.is_assembly else "what is drawn in it" * drawn
        if what:
            problem.find(
                Severity.WARNING, "other-configuration", node.name,
                f"is in configuration `{document.configuration}`, but its file was read in `{document.read_in}`: "
                f"{what} may differ; make `{document.configuration}` active there and read again",
            )  # fmt: skip


def _opened(problem: Problem, mechanism: Mechanism) -> None:
    """Rigid sub-assemblies whose own mates let their parts move."""
    moving: dict[int, list[str]] = {}
    for number, node in enumerate(problem.nodes):
        holder = problem.nodes[node.holder]
        is_rigid = holder.component is not None and holder.component.solving == 0
        if is_rigid and mechanism.labels[number] != mechanism.labels[node.holder]:
            moving.setdefault(node.holder, []).append(node.name)
    for number, names in sorted(moving.items()):
        problem.find(
            Severity.NOTE, "opened", problem.nodes[number].name,
            f"is solved as rigid, but its own mates let parts of it move ({', '.join(names[:3])}): it is opened",
        )  # fmt: skip


def _held_by_a_hair(problem: Problem, mechanism: Mechanism) -> None:
    """Bodies that are rigid only because geometry was drawn nearly, but not quite, alike."""
    for merger in mechanism.mergers:
        if merger.pair.freedom.is_doubtful and not merger.through_loop:
            ends = " and ".join(f"`{problem.nodes[n].name or 'the assembly'}`" for n in merger.nodes)
            mates = ", ".join(f"`{problem.mates[n].name}`" for n in merger.mates)
            problem.find(
                Severity.WARNING, "nearly-aligned", problem.mates[merger.mates[0]].name,
                f"{ends} are rigid by a hair ({merger.pair.freedom.tightest:.1f} tolerances): {mates} nearly agree",
            )  # fmt: skip


def _pairs(problem: Problem, mechanism: Mechanism, tree: Tree) -> None:
    for joint in (*tree.joints, *tree.loops):
        name = problem.nodes[tree.bodies[joint.child].main].name or "assembly"
        if not joint.pair.is_exact:
            problem.find(
                Severity.WARNING, "not-a-joint", name,
                "moves in a way that no chain of joints has: the joint fits the assembled pose only",
            )  # fmt: skip
        if joint.pair.freedom.is_doubtful:
            problem.find(
                Severity.WARNING, "nearly-aligned", name,
                f"geometry drawn nearly alike holds it by a hair ({joint.pair.freedom.tightest:.1f} tolerances)",
            )  # fmt: skip
    for loop in mechanism.loops:
        bodies = sorted({problem.nodes[n].name or "the assembly" for edge in loop.edges for n in edge})
        problem.find(
            Severity.NOTE, "loop", bodies[0],
            f"{len(bodies)} bodies close a loop of mobility {loop.mobility} ({', '.join(bodies[:4])}…)",
        )  # fmt: skip
