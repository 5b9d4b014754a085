"""MJCF into a robot: what swgrm writes, and the elements that the model has a place for, with defaults and includes."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from swgrm.errors import ModelError
from swgrm.findings import Findings
from swgrm.model import Coupling, Frame, LoopJoint, Relation, Robot
from swgrm_exporters.mjcf.bodies import BodyReader
from swgrm_exporters.mjcf.document import Angles, Defaults, document
from swgrm_exporters.mjcf.made_elements import NAME, without_made
from swgrm_exporters.mjcf.sections import Equality, EqualityReader, actuators, keys, pairs, sensors
from swgrm_exporters.mjcf.shapes import ShapeReader
from swgrm_exporters.notes import parsed_note, restored
from swgrm_exporters.xmltext import Element, XmlProblem, children, read_xml

SECTIONS = (
    "compiler", "option", "default", "asset", "worldbody", "contact", "equality", "tendon", "actuator", "sensor",
    "keyframe", "custom", "visual", "statistic", "size",
)  # fmt: skip


def read(path: Path, findings: Findings) -> Robot:
    """The robot in an MJCF file, with the files that it includes."""
    try:
        return _robot(document(read_xml(path), path), path.stem, findings)
    except XmlProblem as problem:
        raise problem.at(path) from None


def loads(data: bytes | str, findings: Findings | None = None) -> Robot:
    """The robot in an MJCF text; raises an XmlProblem where it is not MJCF."""
    text = data.encode() if isinstance(data, str) else data
    return _robot(document(text), "robot", Findings() if findings is None else findings)


def _robot(root: Element, fallback: str, findings: Findings) -> Robot:
    try:
        return _understood(root, fallback, findings)
    except ModelError as error:
        raise XmlProblem(f"it is not a robot: {error}", root) from None


def _understood(root: Element, fallback: str, findings: Findings) -> Robot:
    compiler = {str(key): str(value) for each in root.findall("compiler") for key, value in each.items()}
    if compiler.get("coordinate", "local") != "local":
        raise XmlProblem("global coordinates are not read", root, "Load and save it with MuJoCo 2.3.3")
    defaults, angles = Defaults(root), Angles(compiler)
    for section in root:
        if section.tag in ("worldbody", "asset", "equality", "tendon", "actuator"):
            defaults.apply(section)
    tree = BodyReader(ShapeReader(root, compiler, angles, findings), angles, compiler, findings)
    worlds = root.findall("worldbody")
    if not worlds:
        raise XmlProblem("it has no <worldbody>", root, "If other files include it, read the one that does")
    for other in worlds[1:]:
        worlds[0].extend(list(other))
    tree.read(worlds[0])
    texts = [each.get("data", "") for each in root.findall("custom/text") if each.get("name") == NAME]
    note = parsed_note(texts)
    frames = _with_sensors(tuple(tree.frames), root, tree)
    robot = Robot(
        name=root.get("model") or fallback,
        frames=frames,
        composite_joints=tuple(tree.composites),
        materials=tuple(tree.shapes.materials.values()),
        mount=tree.mount,
    )
    known = note.get("equality")
    equalities = EqualityReader(root, tree, robot.mechanism.assembled, known if isinstance(known, dict) else {})
    robot = replace(robot, frames=(*robot.frames, *equalities.points))
    robot = _tied(robot, equalities.found)
    drives = actuators(root, robot.joints, tree.ignored)
    robot = replace(
        robot,
        actuators=tuple(drives.values()),
        poses=tuple(keys(root, tree.coordinates, tree.ignored)),
        ignored_contacts=tuple(pairs(root, tree.bodies, tree.ignored)),
    )
    _report_ignored(root, robot, tree, findings)
    return restored(without_made(robot, note, root), note, findings) if note else robot


def _with_sensors(frames: tuple[Frame, ...], root: Element, tree: BodyReader) -> tuple[Frame, ...]:
    found = sensors(root, tree.sites, tree.ignored)
    return tuple(
        replace(frame, sensors=(*frame.sensors, *found[frame.id])) if frame.id in found else frame for frame in frames
    )


def _tied(robot: Robot, equalities: list[Equality]) -> Robot:
    """The robot with couplings, relations and loops; a joint that follows two others has relations instead."""
    followers: dict[str, Coupling] = {}
    relations: list[Relation] = []
    loops: list[LoopJoint] = []
    for each in equalities:
        if each.loop is not None:
            loops += [] if each.loop in loops else [each.loop]  # two points of one joint have one entry in the note
        elif each.relation is not None:
            relations.append(each.relation)
        elif each.coupling is not None:
            for name in (each.follower, each.coupling.joint):
                if name not in robot.joints:
                    raise XmlProblem(f"the equality `{each.name}` names the joint `{name}`, which is not there")
            if each.follower in followers or _leads_to(followers, each.coupling.joint, each.follower):
                relations.append(
                    Relation({each.follower: 1.0, each.coupling.joint: -each.coupling.ratio}, each.coupling.offset)
                )
            else:
                followers[each.follower] = each.coupling
    frames = tuple(
        replace(frame, joint=replace(frame.joint, coupling=followers[frame.joint_name]))
        if frame.joint and frame.joint_name in followers
        else frame
        for frame in robot.frames
    )
    return replace(robot, frames=frames, relations=tuple(relations), loop_joints=tuple(loops))


def _leads_to(followers: dict[str, Coupling], start: str, goal: str) -> bool:
    while start in followers and start != goal:
        start = followers[start].joint
    return start == goal


def _report_ignored(root: Element, robot: Robot, tree: BodyReader, findings: Findings) -> None:
    for section in children(root):
        if section.tag not in SECTIONS:
            tree.ignored[str(section.tag)] += 1
    for code, counts in (("mjcf-ignored", tree.ignored), ("mjcf-made", tree.made)):
        if counts:
            what = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
            findings.add(code, f"robot {robot.name}", what=what)
