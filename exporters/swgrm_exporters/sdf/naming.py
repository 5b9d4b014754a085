"""Names in an SDF file: links, joints and frames of one model share one set of names."""

from __future__ import annotations

from msgspec.structs import replace

from swgrm.edit import rename
from swgrm.findings import Findings
from swgrm.model import Joint, JointType, Robot
from swgrm_exporters.lowering import Lowered
from swgrm_exporters.lowering.naming import after
from swgrm_exporters.names import Pool, Renamed
from swgrm_exporters.sdf.sensors import is_on_joint


def share_names(lowered: Lowered, findings: Findings) -> Lowered:
    """The robot with the names that the file has: links keep theirs, then joints, then frames without a link.

    Links on rigid frames get fixed joints, and loop joints get names, where they have none.
    """
    robot, pool = lowered.robot, Pool()
    for frame in robot.frames:
        if frame.links:
            pool.fresh(frame.links[0].name)
    joints = {name: _free(pool, name, "joint") for name in robot.joints}
    loops = []
    for number, loop in enumerate(robot.loop_joints, 1):
        name = _free(pool, loop.joint.name or f"loop_{number}", "joint")
        if loop.joint.name and loop.joint.name not in robot.joints:
            joints[loop.joint.name] = name  # rename does it, with what refers to the joint
        else:
            loop = replace(loop, joint=replace(loop.joint, name=name))
        loops.append(loop)
    frames = {frame.id: _free(pool, frame.id, "frame") for frame in robot.frames if not frame.links}
    renamed = [*_changed("frame", frames), *_changed("joint", joints)]
    for kind, old, new in renamed:
        findings.add("renamed", f"{kind} {old}", kind=kind, old=old, name=new)
    robot = rename(
        replace(robot, loop_joints=tuple(loops)),
        frames={old: new for kind, old, new in renamed if kind == "frame"},
        joints={old: new for kind, old, new in renamed if kind == "joint"},
    )
    implied: dict[str, Joint] = {}
    for frame in robot.walk():
        if frame.links and frame.joint is None and frame.parent is not None:
            implied[frame.id] = Joint(type=JointType.FIXED, name=pool.fresh(f"{frame.id}_fixed"))
    robot = replace(robot, frames=tuple(replace(f, joint=implied.get(f.id, f.joint)) for f in robot.frames))
    lowered = lowered._replace(
        robot=robot,
        renamed=after(lowered.renamed, tuple(renamed)),
        implied_joints=lowered.implied_joints | {joint.name for joint in implied.values()},
    )
    return _with_distinct_sensors(lowered)


def _free(pool: Pool, name: str, ending: str) -> str:
    return pool.fresh(name if pool.is_free(name) else f"{name}_{ending}")


def _changed(kind: str, names: dict[str, str]) -> list[Renamed]:
    return [Renamed(kind, old, new) for old, new in names.items() if old != new]


def used_names(robot: Robot) -> Pool:
    """The names that are in use in the file, for elements that the robot does not have."""
    return Pool([*robot.by_id, *robot.joints, *(loop.joint.name for loop in robot.loop_joints)])


def carriers(robot: Robot) -> dict[str, str]:
    """By frame: the frame whose link carries it."""
    found: dict[str, str] = {}
    for frame in robot.walk():
        found[frame.id] = frame.id if frame.links or frame.parent is None else found[frame.parent]
    return found


def _with_distinct_sensors(lowered: Lowered) -> Lowered:
    """The robot with different names for the sensors of a link, and of a joint."""
    robot, carrier_of = lowered.robot, carriers(lowered.robot)
    taken: dict[tuple[str, bool], set[str]] = {}
    renamed: list[Renamed] = []
    sensors_of = {}
    for frame in robot.walk():
        sensors = []
        for sensor in frame.sensors:
            carrier = robot.by_id[carrier_of[frame.id]]
            is_joint = is_on_joint(sensor) and carrier.parent is not None
            names = taken.setdefault((carrier.id, is_joint), set())
            name = sensor.name if sensor.name not in names else f"{sensor.name}_{len(names) + 1}"
            if name != sensor.name:
                renamed.append(Renamed("sensor", sensor.name, f"{frame.id}/{name}"))
            names.add(name)
            sensors.append(replace(sensor, name=name))
        sensors_of[frame.id] = tuple(sensors)
    frames = tuple(replace(frame, sensors=sensors_of[frame.id]) for frame in robot.frames)
    return lowered._replace(robot=replace(robot, frames=frames), renamed=(*lowered.renamed, *renamed))
