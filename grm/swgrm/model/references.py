"""What refers to what inside a robot: names of frames, joints and links, in typed fields and in props.

Props are text, and most of it means nothing to the model. What holds props also has `references`: the keys whose value
is the name of a `link` (or of a frame, where no link has that name) or of a `joint`. The reader of a format declares
them; here they are only followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Protocol, TypeVar

from msgspec.structs import replace

from swgrm.model import Frame, Joint, Link, LoopJoint, Props, Robot, Sensor, Transmission, TransmissionEnd

Names = Mapping[str, str]  # old → new
Holder = Robot | Frame | Joint | Link | Sensor | Transmission | TransmissionEnd  # what has props
H = TypeVar("H", bound=Holder)
LINK, JOINT = "link", "joint"  # the kinds of object that a property may name


class Change(Protocol):
    """A function that changes anything that has props into another of its type."""

    def __call__(self, holder: H, /) -> H:
        """The changed one."""


class Reference(NamedTuple):
    """A property that names a part of the robot: what has the property, its key, and the name."""

    where: str
    key: str
    name: str


def references(robot: Robot, of: Robot | None = None) -> Iterator[Reference]:
    """The properties that name a link, frame or joint that the robot (or another one) has."""
    known = _known(of or robot)
    for where, holder in holders(robot):
        texts = texts_of(holder) if holder.references else {}
        for key, kind in holder.references.items():
            if key in texts and texts[key] in known.get(kind, ()):
                yield Reference(where, key, texts[key])


def joint_names(robot: Robot) -> Iterator[str]:
    """The names of all joints of the tree and of its loops."""
    yield from robot.joints
    yield from (loop.joint.name for loop in robot.loop_joints if loop.joint.name)


def link_names(robot: Robot) -> Iterator[str]:
    """The names of all links."""
    return (link.name for _, link in robot.links())


def body_names(robot: Robot) -> set[str]:
    """The names that a reference to a link may have: those of links and of frames."""
    return {*robot.by_id, *link_names(robot)}


def names(robot: Robot) -> set[str]:
    """The names that a robot's frames, links and joints have."""
    return {*body_names(robot), *joint_names(robot)}


def joints_in_use(robot: Robot) -> Iterator[tuple[str, str]]:
    """The names of joints that the robot's typed fields refer to, each with what refers to it."""
    joints = {**{n: f.joint for n, f in robot.joints.items()}, **{x.joint.name: x.joint for x in all_loops(robot)}}
    for name, joint in joints.items():
        if joint is not None and joint.coupling is not None:
            yield joint.coupling.joint, f"joint `{name}`"
    yield from ((name, "a relation of joints") for relation in robot.relations for name in relation.terms)
    for composite in robot.composite_joints:
        yield from ((name, f"composite joint `{composite.name}`") for name in composite.joints)
    for each in robot.transmissions:
        yield from ((end.name, f"transmission `{each.name}`") for end in each.joints)


def frames_in_use(robot: Robot) -> set[str]:
    """The ids of frames that loops, or the names of joints in use, refer to."""
    ends = {end for loop in all_loops(robot) for end in (loop.parent, loop.child)}
    ends |= {end for cut in robot.cut_loops for end in (cut.parent_frame, cut.child_frame)}
    return ends | {robot.joints[name].id for name, _ in joints_in_use(robot) if name in robot.joints}


def all_loops(robot: Robot) -> tuple[LoopJoint, ...]:
    """The loop joints, closed or cut."""
    return (*robot.loop_joints, *(cut.loop for cut in robot.cut_loops))


def _known(robot: Robot) -> Mapping[str, set[str]]:
    return {LINK: body_names(robot), JOINT: set(joint_names(robot))}


def followed(
    robot: Robot, *, frames: Names | None = None, links: Names | None = None, joints: Names | None = None
) -> Robot:
    """The robot with props and ignored contacts that name what will be called so.

    Where a link and a frame have one name, it means the link.
    """
    links = links or {}
    bodies = {**(frames or {}), **{name: links.get(name, name) for name in link_names(robot)}}
    tables: Mapping[str, Names] = {LINK: bodies, JOINT: joints or {}}

    def change(holder: H) -> H:
        if not holder.references:
            return holder
        texts = texts_of(holder)
        new = {
            key: tables[kind][texts[key]]
            for key, kind in holder.references.items()
            if kind in tables and texts.get(key) in tables[kind]
        }
        return with_texts(holder, new) if any(texts[key] != name for key, name in new.items()) else holder

    if not any(old != new for table in tables.values() for old, new in table.items()):
        return robot
    pairs = ((bodies.get(a, a), bodies.get(b, b)) for a, b in robot.ignored_contacts)
    contacts = tuple(dict.fromkeys(pair for pair in pairs if pair[0] != pair[1]))
    return replace(map_holders(robot, change), ignored_contacts=contacts)


def without_dangling(robot: Robot) -> Robot:
    """The robot without the declarations of references to what it does not have: their props are plain text."""
    known = _known(robot)

    def change(holder: H) -> H:
        texts = texts_of(holder)
        kept = {key: kind for key, kind in holder.references.items() if texts.get(key) in known.get(kind, ())}
        return holder if kept == holder.references else replace(holder, references=kept)

    return map_holders(robot, change)


# ---- everything that has props


def texts_of(holder: Holder) -> Props:
    """The props of something; a sensor's parameters that are text are among them."""
    if not isinstance(holder, Sensor):
        return holder.props
    return {**{key: value for key, value in holder.params.items() if isinstance(value, str)}, **holder.props}


def with_texts(holder: H, changes: Props) -> H:
    """The same with other values of some of its props."""

    def changed(props: Mapping[str, Any]) -> dict[str, Any]:
        return {key: changes.get(key, value) for key, value in props.items()}

    if isinstance(holder, Sensor):
        return replace(holder, params=changed(holder.params), props=changed(holder.props))
    return replace(holder, props=changed(holder.props))


def holders(robot: Robot) -> Iterator[tuple[str, Holder]]:
    """Everything that has props, with what it is called in findings."""
    yield f"robot {robot.name}", robot
    for frame in robot.frames:
        yield f"frame {frame.id}", frame
        if frame.joint is not None:
            yield f"joint {frame.joint_name}", frame.joint
        yield from ((f"link {link.name}", link) for link in frame.links)
        yield from ((f"sensor {sensor.name}", sensor) for sensor in frame.sensors)
    yield from ((f"joint {loop.joint.name}", loop.joint) for loop in all_loops(robot))
    for each in robot.transmissions:
        yield f"transmission {each.name}", each
        yield from ((f"transmission {each.name}", end) for end in (*each.joints, *each.actuators))


def map_holders(robot: Robot, change: Change) -> Robot:
    """The robot with everything changed that has props."""

    def frame(old: Frame) -> Frame:
        joint = old.joint and change(old.joint)
        return change(
            replace(old, joint=joint, links=tuple(map(change, old.links)), sensors=tuple(map(change, old.sensors)))
        )

    def loop(old: LoopJoint) -> LoopJoint:
        return replace(old, joint=change(old.joint))

    def transmission(old: Transmission) -> Transmission:
        return change(replace(old, joints=tuple(map(change, old.joints)), actuators=tuple(map(change, old.actuators))))

    return change(
        replace(
            robot,
            frames=tuple(map(frame, robot.frames)),
            loop_joints=tuple(map(loop, robot.loop_joints)),
            cut_loops=tuple(replace(cut, loop=loop(cut.loop)) for cut in robot.cut_loops),
            transmissions=tuple(map(transmission, robot.transmissions)),
        )
    )


def rigid_below(robot: Robot, frame_id: str) -> list[Frame]:
    """The frames that a frame carries rigidly at any depth; not those behind a fixed joint, which are another body."""
    found: list[Frame] = []
    stack = [frame_id]
    while stack:
        below = [frame for frame in robot.children(stack.pop()) if frame.joint is None]
        found += below
        stack += [frame.id for frame in below]
    return found
