"""Writes a MoveIt configuration package for a robot whose description package was written beside it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from swgrm.findings import Findings
from swgrm.meshes.cache import Cache, default_folder
from swgrm.meshes.store import MeshFiles
from swgrm.model import Mount, NamedPose, Robot
from swgrm.storage.files import write_bytes
from swgrm_exporters.format import Target
from swgrm_exporters.lowering import lower
from swgrm_exporters.mjcf.home import HOME, pose_positions
from swgrm_exporters.moveit import config_files
from swgrm_exporters.moveit.chosen_groups import NewNames, with_chosen
from swgrm_exporters.moveit.collision_pairs import DisabledPair, PairReason, PairTable, disabled_pairs
from swgrm_exporters.moveit.described_package import DescribedPackage, described_package
from swgrm_exporters.moveit.gripper_states import gripper_states
from swgrm_exporters.moveit.groups import PlanningGroups, inferred_groups
from swgrm_exporters.moveit.launch_files import BUILD, DEPENDENCIES, launch_files
from swgrm_exporters.moveit.options import MoveitOptions
from swgrm_exporters.moveit.own_rows import RobotNames, keep_own_rows
from swgrm_exporters.moveit.semantic import SemanticDescription, VirtualJoint, reason_counts, semantic_tree
from swgrm_exporters.ros2.chains import driven_chains
from swgrm_exporters.ros2.layout import layout_of
from swgrm_exporters.ros2.manifest import build_file, manifest
from swgrm_exporters.ros2.options import PackageOptions
from swgrm_exporters.urdf.options import UrdfOptions
from swgrm_exporters.urdf.references import with_references
from swgrm_exporters.urdf.writer import CAPABILITIES, LEGAL
from swgrm_exporters.xmlwriting import written

ABOUT = "MoveIt for the robot {}: planning groups, disabled collisions, limits and launch files"
ZERO = "zero"
KINDS = ("frame", "link", "joint")
KEPT = frozenset({"poses", "contacts", "mount"})  # that URDF does not have, and SRDF has


class NamedRobot(NamedTuple):
    """A robot as it moves, the same robot as the URDF has it, and the names that differ."""

    robot: Robot
    named: Robot
    frames: Mapping[str, str]  # URDF's names → those of the robot
    new: NewNames


def write(
    robot: Robot,
    target: Target,
    options: MoveitOptions,
    findings: Findings,
    *,
    ros2: PackageOptions,
    urdf: UrdfOptions,
) -> list[Path]:
    """Write the package into the target's folder; mesh files are relative to it."""
    layout = layout_of(robot.name)
    target.folder.mkdir(parents=True, exist_ok=True)  # names of mesh files lead through it
    package = described_package(target.folder.parent / layout.package, layout)
    both = _named(robot, urdf)
    chains = driven_chains(both.named, package.driven, layout.name)
    groups = with_chosen(inferred_groups(both.named, chains, package.root), options, both.named, package.root, both.new)
    srdf = f"config/{layout.name}.srdf"
    files = {
        srdf: _semantic(both, package, groups, options, target, srdf, findings),
        "config/joint_limits.yaml": _limits(both.named, package, urdf, options, findings),
        **_settings(package, groups, srdf, options, ros2),
        **launch_files(layout.name, target.folder.name, layout.package),
        "package.xml": manifest(
            target.folder.name, ABOUT.format(robot.name), ros2, sorted((*DEPENDENCIES, layout.package))
        ),
        "CMakeLists.txt": build_file(target.folder.name, BUILD),
    }
    for path, data in files.items():
        write_bytes(target.folder / path, data)
    return [target.folder / path for path in files]


def _semantic(
    both: NamedRobot,
    package: DescribedPackage,
    groups: PlanningGroups,
    options: MoveitOptions,
    target: Target,
    srdf: str,
    findings: Findings,
) -> bytes:
    """The SRDF file, with what the user added to the one that is there."""
    pairs = _pairs(both, options, target.meshes)
    tree = semantic_tree(
        SemanticDescription(
            both.named.name,
            groups,
            gripper_states(both.named, groups) | _states(both, groups),
            _virtual_joint(both.named, package.root, options.world),
            tuple(name for name in package.joints if name not in package.driven),
            pairs,
            options.seed,
        )
    )
    names = RobotNames(package.links, package.all_joints)
    keep_own_rows(tree, target.place, srdf, names, findings)
    _report(groups, pairs, both.robot, findings)
    return written(tree)


def _limits(
    robot: Robot, package: DescribedPackage, urdf: UrdfOptions, options: MoveitOptions, findings: Findings
) -> bytes:
    """The file of joint limits; reports the accelerations that are assumed."""
    data, assumed = config_files.joint_limits(robot, package.driven, urdf.velocity, options.acceleration)
    if assumed:
        findings.add("moveit-acceleration", f"robot {robot.name}", count=len(assumed), joints=", ".join(assumed))
    return data


def package_folder(name: str) -> str:
    """The folder of the package of a robot of that name."""
    return f"{layout_of(name).name}_moveit_config"


def _named(robot: Robot, urdf: UrdfOptions) -> NamedRobot:
    """The robot, and as the URDF has it; what lowering reports is reported with the description package."""
    capabilities = CAPABILITIES._replace(legal=LEGAL[urdf.names], simulation=KEPT)
    lowered = lower(with_references(robot), capabilities, urdf.choices, Findings())
    frames = {each.new: each.old for each in lowered.renamed if each.kind == "frame"}
    new = {kind: {each.old: each.new for each in lowered.renamed if each.kind == kind} for kind in KINDS}
    return NamedRobot(robot, lowered.robot, frames, NewNames(new["frame"] | new["link"], new["joint"]))


def _pairs(both: NamedRobot, options: MoveitOptions, meshes: MeshFiles) -> PairTable:
    """The computed pairs, and those that the settings leave out of contacts."""
    cache = Cache(default_folder())
    table = disabled_pairs(both.robot, both.named, both.frames, meshes, options.samples, options.seed, cache)
    rows = {(row.one, row.other): row for row in table.rows}
    for pair in both.named.ignored_contacts:
        one, other = sorted(pair)
        rows[(one, other)] = DisabledPair(one, other, PairReason.USER)
    return table._replace(rows=tuple(rows[pair] for pair in sorted(rows)))


def _states(both: NamedRobot, groups: PlanningGroups) -> dict[tuple[str, str], dict[str, float]]:
    """The named states of every group: `zero`, `home`, and those of the settings; inside the ranges, loops closed."""
    spans = both.named.mechanism.ranges
    poses = {name: NamedPose(name) for name in (ZERO, HOME)} | {pose.name: pose for pose in both.robot.poses}
    found: dict[tuple[str, str], dict[str, float]] = {}
    for pose in poses.values():
        given = pose_positions(both.robot, pose)
        at = {both.new.joints.get(name, name): value for name, value in given.items() if not isinstance(value, tuple)}
        for group in groups.groups:
            joints = [name for name in groups.joints_of(group) if name in spans]
            inside = {name: _clipped(at.get(name, 0.0), *spans[name]) for name in joints}
            found[(pose.name, group.name)] = inside
    return found


def _clipped(at: float, low: float, high: float, turns: bool) -> float:
    return at if turns else min(max(at, low), high)


def _virtual_joint(robot: Robot, root: str, world: str) -> VirtualJoint | None:
    """The joint between the world and the root; None if the root is the world."""
    if root == world:
        return None
    return VirtualJoint("floating" if robot.mount is Mount.FLOATING else "fixed", world, root)


def _settings(
    package: DescribedPackage,
    groups: PlanningGroups,
    srdf: str,
    options: MoveitOptions,
    ros2: PackageOptions,
) -> dict[str, bytes]:
    """The files of settings, but for those of joint limits."""
    frame = package.root if package.root == options.world else options.world
    layout = package.layout
    return {
        "config/kinematics.yaml": config_files.kinematics(groups.groups),
        "config/moveit_controllers.yaml": config_files.controllers(package.controllers),
        "config/pilz_cartesian_limits.yaml": config_files.pilz_limits(),
        "config/moveit.rviz": config_files.rviz_view(frame),
        ".setup_assistant": config_files.setup_assistant(
            layout.package, layout.xacro, srdf, ros2.maintainer, ros2.email
        ),
    }


def _report(groups: PlanningGroups, pairs: PairTable, robot: Robot, findings: Findings) -> None:
    """Report the groups and the pairs, so that they can be checked."""
    where = f"robot {robot.name}"
    shown = [f"{group.name} ({len(groups.joints_of(group))})" for group in groups.groups]
    if shown:
        findings.add("moveit-groups", where, groups=", ".join(shown))
    else:
        findings.add("moveit-no-groups", where)
    if pairs.states:
        findings.add("moveit-pairs", where, counts=reason_counts(pairs.rows) or "none", states=pairs.states)
