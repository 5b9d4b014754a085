"""The step that fits a robot to a format: what the format cannot hold is rewritten as what it can, and said.

A format declares its capabilities as data; `lower` walks the steps below in their order. Poses of frames and masses
never change (but for the virtual inertia, an option); what is rewritten is how they are expressed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from msgspec.structs import replace

from swgrm.chains import chains, expand
from swgrm.edit import combine_links, is_only_links, merge_rigid
from swgrm.errors import ModelError
from swgrm.findings import Finding, Severity
from swgrm.model import (
    Capsule,
    Coupling,
    Cylinder,
    EntityKind,
    Frame,
    Geometry,
    Inertial,
    Joint,
    JointType,
    Link,
    Pose,
    Robot,
    Sphere,
    Tensor,
    Transmission,
)
from swgrm.transforms import compose
from swgrm_exporters.names import Legal, Pool, Renamed, legalize


class Capabilities(NamedTuple):
    """What a format can hold. The defaults are the model's own; a format names what it lacks."""

    joints: frozenset[JointType] = frozenset(JointType)
    chains: frozenset[str] = frozenset()  # marked chains that it has a joint for (planar, floating): left whole
    capsules: bool = True
    loops: bool = True
    coupling_chains: bool = True  # a joint may follow one that itself follows
    several_links: bool = True  # on one frame
    frames_are_links: bool = False  # frame and link are one thing with one name, and every frame has a joint
    legal: Legal | None = None  # gives the legal form of a name


TINY = Inertial(1e-6, tensor=Tensor(ixx=1e-9, iyy=1e-9, izz=1e-9))  # above what MuJoCo refuses, below what is felt


class Merge(StrEnum):
    """Which rigid frames hand their links to the body that carries them."""

    NONE = "none"  # every frame stays
    COMPONENTS = "components"  # those that stand for a SolidWorks component
    ALL = "all"  # those that say nothing but their links


class Choices(NamedTuple):
    """What the user decides about lowering."""

    merge: Merge = Merge.COMPONENTS
    drop_unused_frames: bool = False  # pure frames that nothing refers to
    virtual_inertia: Inertial | None = TINY  # of moving bodies without mass, for simulators refuse them


class Lowered(NamedTuple):
    """A robot that fits, what was done to make it so, the names that changed, and what was added to it."""

    robot: Robot
    findings: tuple[Finding, ...]
    renamed: tuple[Renamed, ...] = ()
    implied_joints: frozenset[str] = frozenset()  # fixed joints where the model had none
    implied_links: frozenset[str] = frozenset()  # links of frames that have none
    implied_inertials: frozenset[str] = frozenset()  # links that got the virtual inertia

    def say(self, code: str, where: str, message: str, severity: Severity = Severity.NOTE) -> Lowered:
        """The same with one more finding."""
        return self._replace(findings=(*self.findings, Finding(severity, code, where, message)))


Step = Callable[[Lowered, Capabilities, Choices], Lowered]


def lower(robot: Robot, capabilities: Capabilities, choices: Choices = Choices()) -> Lowered:  # noqa: B008 - immutable
    """The robot as the format can hold it."""
    state = Lowered(robot, ())
    for step in STEPS:
        state = step(state, capabilities, choices)
    return state


# ---- the steps


def fold_rigid_frames(state: Lowered, _: Capabilities, choices: Choices) -> Lowered:
    """Rigid frames that the user wants merged hand their links to their body."""
    if choices.merge is Merge.NONE:
        return state

    def can_go(frame: Frame) -> bool:
        is_component = frame.entity is not None and frame.entity.kind is EntityKind.COMPONENT
        return is_only_links(frame) and (is_component or (choices.merge is Merge.ALL and bool(frame.links)))

    robot = merge_rigid(state.robot, can_go)
    if not (count := len(state.robot.frames) - len(robot.frames)):
        return state
    message = f"{count} rigid frames were merged into the bodies that carry them."
    return _named_after_bodies(state, robot).say("merged-rigid", robot.name, message)


def _named_after_bodies(state: Lowered, merged: Robot) -> Lowered:
    """Where a frame had no link of its own, the first that it got is named after it: so the body is called."""
    pool = Pool(link.name for frame, link in merged.links() if state.robot.by_id[frame.id].links)
    frames, renamed = [], []
    for frame in merged.frames:
        if frame.links and not state.robot.by_id[frame.id].links:
            first, *others = frame.links
            name = pool.fresh(frame.id)
            renamed.append(Renamed("link", first.name, name))
            frame = replace(frame, links=(replace(first, name=name), *others))
        frames.append(frame)
    return state._replace(robot=replace(merged, frames=tuple(frames)), renamed=(*state.renamed, *renamed))


def cut_loops(state: Lowered, capabilities: Capabilities, _: Choices) -> Lowered:
    """Loops are cut: the two sides of each closure stay as frames that must coincide but for the joint's motion."""
    robot = state.robot
    if capabilities.loops or not robot.loop_joints:
        return state
    pool = Pool(robot.by_id)
    added: list[Frame] = []
    for index, loop in enumerate(robot.loop_joints):
        name = loop.joint.name or f"loop_{index + 1}"
        marks = {"loop.name": name, "loop.type": str(loop.joint.type)}
        marks["loop.axis"] = " ".join(map(repr, loop.joint.axis))
        marks |= {"loop.pitch": repr(loop.joint.pitch)} if loop.joint.type is JointType.SCREW else {}
        for side, parent, transform in (
            ("parent", loop.parent, loop.transform),
            ("child", loop.child, Pose()),
        ):
            frame_id = pool.fresh(f"{name}_{side}_side")
            props = {**marks, "loop.side": side}
            added.append(Frame(id=frame_id, parent=parent, transform=transform, props=props))
        message = (
            f"The format has no loops: this {loop.joint.type} joint between `{loop.parent}` and `{loop.child}` "
            f"was cut; frames `{added[-2].id}` and `{added[-1].id}` are its two sides."
        )
        state = state.say("loop-cut", name, message, Severity.WARNING)
    changed = replace(robot, frames=(*robot.frames, *added), loop_joints=())
    return state._replace(robot=changed)


_COMPOSITE = {
    JointType.BALL: "three revolute joints",
    JointType.SCREW: "a revolute joint and a slide that follows it",
}


def split_joints(state: Lowered, capabilities: Capabilities, _: Choices) -> Lowered:
    """Joint types that the format lacks become marked chains through virtual frames."""
    robot = state.robot
    kept = {f.id for c in chains(robot).values() if c.kind in capabilities.chains for f in c.frames}
    lacking = set(_COMPOSITE) - capabilities.joints
    composite = {f.id for f in robot.frames if f.joint and f.joint.type in lacking and f.id not in kept}
    if not composite:
        return state
    pool = Pool([*robot.by_id, *robot.joints])
    frames: list[Frame] = []
    parts: dict[str, tuple[str, ...]] = {}  # the joints that a ball became, for what names it
    for frame in robot.frames:
        if frame.id not in composite or frame.joint is None:
            frames.append(frame)
            continue
        chain = expand(frame, str(frame.joint.type), pool.fresh, frame.joint.axis)
        frames.extend(chain)
        names = [f"`{member.joint_name}`" for member in chain]
        if frame.joint.type is JointType.BALL:
            parts[frame.joint_name] = tuple(member.joint_name for member in chain)
        what = f"{_COMPOSITE[frame.joint.type]} ({', '.join(names)})"
        message = f"The format has no {frame.joint.type} joint: it is written as {what}."
        state = state.say(f"{frame.joint.type}-split", frame.joint_name, message)
    transmissions = tuple(_driving(each, parts) for each in robot.transmissions)
    return state._replace(robot=replace(robot, frames=tuple(frames), transmissions=transmissions))


def _driving(transmission: Transmission, parts: Mapping[str, tuple[str, ...]]) -> Transmission:
    """The transmission with each end that named a split joint naming its parts."""
    ends = tuple(replace(end, name=name) for end in transmission.joints for name in parts.get(end.name, (end.name,)))
    return replace(transmission, joints=ends)


def resolve_coupling_chains(state: Lowered, capabilities: Capabilities, _: Choices) -> Lowered:
    """A joint that follows a follower follows that one's leader: q = r₁(r₂ q₀ + o₂) + o₁."""
    if capabilities.coupling_chains:
        return state
    couplings = {name: f.joint.coupling for name, f in state.robot.joints.items() if f.joint and f.joint.coupling}
    resolved = {name: _leader(name, couplings) for name in couplings}
    changed = {name: new for name, new in resolved.items() if new != couplings[name]}
    for name, new in changed.items():
        followed = couplings[name].joint
        message = f"It follows `{followed}`, which follows another: it is written as following `{new.joint}` directly."
        state = state.say("coupling-resolved", name, message)
    return state._replace(robot=_with_joints(state.robot, {n: {"coupling": c} for n, c in changed.items()}))


def _leader(name: str, couplings: Mapping[str, Coupling]) -> Coupling:
    coupling = couplings[name]
    seen = {name}
    while (above := couplings.get(coupling.joint)) is not None:
        if coupling.joint in seen:
            raise ModelError(f"Joint `{name}` follows itself, through `{coupling.joint}`.")
        seen.add(coupling.joint)
        coupling = Coupling(above.joint, coupling.ratio * above.ratio, coupling.ratio * above.offset + coupling.offset)
    return coupling


def split_capsules(state: Lowered, capabilities: Capabilities, _: Choices) -> Lowered:
    """A capsule becomes a cylinder and two spheres."""
    if capabilities.capsules:
        return state

    def fitted(link: Link) -> Link:
        visuals, collisions = (
            tuple(piece for shape in shapes for piece in _pieces(shape)) for shapes in (link.visuals, link.collisions)
        )
        return replace(link, visuals=visuals, collisions=collisions)

    for _frame, link in state.robot.links():
        if any(isinstance(shape, Capsule) for shape in (*link.visuals, *link.collisions)):
            message = "The format has no capsule: it is written as a cylinder and two spheres."
            state = state.say("capsule-split", link.name, message)
    return state._replace(robot=_with_links(state.robot, fitted))


def _pieces(shape: Geometry) -> Iterator[Geometry]:
    if not isinstance(shape, Capsule):
        yield shape
        return

    def named(part: str) -> str:
        return f"{shape.name}_{part}" if shape.name else ""

    radius, length, material = shape.radius, shape.length, shape.material
    yield Cylinder(name=named("side"), origin=shape.origin, material=material, radius=radius, length=length)
    for part, z in (("top", length / 2), ("bottom", -length / 2)):
        origin = compose(shape.origin, Pose((0.0, 0.0, z)))
        yield Sphere(name=named(part), origin=origin, material=material, radius=radius)


def merge_links(state: Lowered, capabilities: Capabilities, _: Choices) -> Lowered:
    """Several links on a frame become one."""
    if capabilities.several_links:
        return state
    for frame in state.robot.frames:
        if len(frame.links) > 1:
            names = ", ".join(f"`{link.name}`" for link in frame.links)
            message = f"The format has one link per frame: {names} became the first of them."
            state = state.say("links-merged", frame.id, message)
    return state._replace(robot=combine_links(state.robot))


def drop_unused_frames(state: Lowered, _: Capabilities, choices: Choices) -> Lowered:
    """Pure frames at the tree's ends that nothing refers to go, outermost first, if the user wants that."""
    if not choices.drop_unused_frames:
        return state
    robot = state.robot
    named = {side for loop in robot.loop_joints for side in (loop.parent, loop.child)}
    stay: set[str] = set()
    for frame in reversed(list(robot.walk())):
        used = frame.links or frame.sensors or frame.props or not frame.is_rigid or frame.parent is None
        if used or frame.id in named or frame.id in stay:
            stay |= {frame.id, frame.parent or frame.id}
    frames = tuple(frame for frame in robot.frames if frame.id in stay)
    if len(frames) == len(robot.frames):
        return state
    message = f"{len(robot.frames) - len(frames)} frames that nothing refers to were left out."
    return state._replace(robot=replace(robot, frames=frames)).say("frames-dropped", robot.name, message)


def make_names_legal(state: Lowered, capabilities: Capabilities, _: Choices) -> Lowered:
    """Every name legal and unique among its kind, all references following."""
    if capabilities.legal is None:
        return state
    robot, renamed = legalize(state.robot, capabilities.legal)
    state = state._replace(robot=robot, renamed=_after(state.renamed, renamed))
    for kind, old, new in renamed:
        state = state.say("renamed", old, f"The {kind} `{old}` is written as `{new}`: its own name is not legal there.")
    return state


def _after(earlier: tuple[Renamed, ...], later: tuple[Renamed, ...]) -> tuple[Renamed, ...]:
    """Two renamings, one after the other."""
    new = {(each.kind, each.old): each.new for each in later}
    first = [each._replace(new=new.pop((each.kind, each.new), each.new)) for each in earlier]
    return (*first, *(each for each in later if (each.kind, each.old) in new))


def make_frames_links(state: Lowered, capabilities: Capabilities, _: Choices) -> Lowered:
    """Frame and link become one thing: a link on every frame, one name for both, a joint to every parent."""
    if not capabilities.frames_are_links:
        return state
    robot = state.robot
    pool, joint_pool = Pool(), Pool(robot.joints)
    ids = {f.id: pool.fresh(f.links[0].name) for f in robot.frames if f.links}
    ids |= {f.id: pool.fresh(f.id) for f in robot.frames if not f.links}
    frames, joints, empty = [], [], []
    for frame in robot.frames:
        link = frame.links[0] if frame.links else Link(name=ids[frame.id])
        joint = frame.joint
        if joint is None and frame.parent is not None:
            joint = Joint(type=JointType.FIXED, name=joint_pool.fresh(f"{ids[frame.id]}_fixed"))
            joints.append(joint.name)
        elif joint is not None:
            joint = replace(joint, name=frame.joint_name)
        if not frame.links:
            empty.append(ids[frame.id])
        link = replace(link, name=ids[frame.id])
        parent = None if frame.parent is None else ids[frame.parent]
        frames.append(replace(frame, id=ids[frame.id], parent=parent, links=(link,), joint=joint))
    renamed = tuple(Renamed("frame", old, new) for old, new in ids.items() if old != new)
    changed = replace(robot, frames=tuple(frames))
    return state._replace(
        robot=changed,
        renamed=_after(state.renamed, renamed),
        implied_joints=frozenset(joints),
        implied_links=frozenset(empty),
    )


def weigh_virtual_bodies(state: Lowered, capabilities: Capabilities, choices: Choices) -> Lowered:
    """Moving bodies without any mass get the documented tiny inertia, where the format's frames are bodies."""
    if choices.virtual_inertia is None or not capabilities.frames_are_links:
        return state
    robot = state.robot
    inner = {f.id for c in chains(robot).values() if c.kind in capabilities.chains for f in c.frames[:-1]}
    moving = (f for f in robot.frames if not f.is_rigid and f.id not in inner)
    light = {frame.id for frame in moving if not _has_mass(robot, frame)}
    if not light:
        return state

    def weighed(link: Link) -> Link:
        return replace(link, inertial=choices.virtual_inertia) if link.name in light else link

    message = (
        f"{len(light)} moving links have no mass and got {choices.virtual_inertia.mass:g} kg, because simulators "
        f"refuse massless ones: {', '.join(f'`{name}`' for name in sorted(light)[:8])}{' …' if len(light) > 8 else ''}."
    )
    state = state._replace(robot=_with_links(robot, weighed), implied_inertials=frozenset(light))
    return state.say("virtual-inertia", robot.name, message)


STEPS: tuple[Step, ...] = (
    fold_rigid_frames,
    cut_loops,
    split_joints,
    resolve_coupling_chains,
    split_capsules,
    merge_links,
    drop_unused_frames,
    make_names_legal,
    make_frames_links,
    weigh_virtual_bodies,
)


def _with_links(robot: Robot, change: Callable[[Link], Link]) -> Robot:
    frames = tuple(replace(f, links=tuple(change(link) for link in f.links)) if f.links else f for f in robot.frames)
    return replace(robot, frames=frames)


def _with_joints(robot: Robot, changes: Mapping[str, Mapping[str, object]]) -> Robot:
    frames = tuple(
        replace(f, joint=replace(f.joint, **changes[f.joint_name])) if f.joint and f.joint_name in changes else f
        for f in robot.frames
    )
    return replace(robot, frames=frames)


def _has_mass(robot: Robot, frame: Frame) -> bool:
    """Whether the frame, or anything rigid on it, carries an inertial."""
    group = [frame]
    for member in group:  # grows while it is walked
        if any(link.inertial is not None for link in member.links):
            return True
        group.extend(child for child in robot.children(member.id) if child.is_rigid)
    return False
