"""The element <swgrm>: what a robot was before it was fitted to URDF, so that reading gives it back.

    <swgrm>
      <robot_remark name="Arm Ω"/>                             its own name
      <frame_remark link="arm" id="arm_frame" name="Arm"/>     the frame behind a link; implied="true": it has no link
      <link_remark link="arm" name="Ärm" mass="1e-06"/>        its own name; an inertial that was assumed
      <joint_remark joint="elbow" name="Elbow 1" effort="100"/> its own name; bounds that were assumed; implied="true"
      <sensor_remark sensor="eye" params='{"width": 640}'/>    parameters that are more than text, as JSON
    </swgrm>

Assumed values are dropped in reading only where the file still has the same value: an edited number is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec.structs import astuple, replace

from swgrm.composites import collapsed
from swgrm.edit import rename
from swgrm.findings import Findings
from swgrm.marks import typed
from swgrm.model import CompositeType, Frame, Joint, JointType, Link, Robot, Sensor
from swgrm_exporters.loops import closed
from swgrm_exporters.lowering import Lowered
from swgrm_exporters.urdf.params import with_params
from swgrm_exporters.urdf.schema import OWN_TAG
from swgrm_exporters.xmltext import Element, children
from swgrm_exporters.xmlwriting import Node, add_node

KINDS = ("robot", "frame", "link", "joint", "material", "sensor")
REMARK = "_remark"  # so that programs that look for all <joint> or <link> find none here
BOUNDS = ("lower", "upper", "velocity", "effort", "acceleration")
Assumed = Mapping[str, Mapping[str, str]]  # by joint or link: attribute → what was written


def element(lowered: Lowered, joints: Assumed, links: Assumed, sensors: Assumed) -> Node | None:
    """The element for a robot that was lowered, or None if there is nothing to record."""
    remarks = _collected(lowered)
    for kind, table in (("joint", joints), ("link", links), ("sensor", sensors)):
        for name, values in ((name, values) for name, values in table.items() if values):
            remarks.setdefault((kind, name), {}).update(values)
    if not remarks:
        return None
    root = Node(OWN_TAG)
    for kind, written in sorted(remarks, key=lambda each: (KINDS.index(each[0]), each[1])):
        own = {} if kind == "robot" else {"link" if kind == "frame" else kind: written}
        add_node(root, kind + REMARK, own | dict(sorted(remarks[kind, written].items())))
    return root


def _collected(lowered: Lowered) -> dict[tuple[str, str], dict[str, str]]:
    """What lowering changed, by kind and by the name that is written."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for kind, old, new in lowered.renamed:
        found.setdefault((kind, new), {})["id" if kind == "frame" else "name"] = old
    for frame in lowered.robot.frames:
        if frame.name and frame.name != found.get(("frame", frame.id), {}).get("id", frame.id):
            found.setdefault(("frame", frame.id), {})["name"] = frame.name
    for kind, names in (("frame", lowered.implied_links), ("joint", lowered.implied_joints)):
        for name in names:
            found.setdefault((kind, name), {})["implied"] = "true"
    return found


class _Remarks(NamedTuple):
    """The remarks by kind and by the name that stands in the file."""

    robot: str
    frames: dict[str, dict[str, str]]
    links: dict[str, dict[str, str]]
    joints: dict[str, dict[str, str]]
    materials: dict[str, dict[str, str]]
    sensors: dict[str, dict[str, str]]


def restored(robot: Robot, notes: Element | None, findings: Findings) -> Robot:
    """The robot as it was before it was fitted: remarks followed, ball and screw joints and loops put back."""
    if notes is None:
        robot = typed(robot)
    else:
        remarks = _parsed(notes)
        _report_stale(robot, remarks, findings)
        robot = typed(replace(robot, frames=tuple(_frame(frame, remarks) for frame in robot.frames)))
        robot = _named(robot, remarks)
    return closed(collapsed(robot, {CompositeType.BALL, CompositeType.SCREW}))


def _parsed(notes: Element) -> _Remarks:
    by_kind: dict[str, dict[str, dict[str, str]]] = {kind: {} for kind in KINDS}
    for each in children(notes):
        kind = str(each.tag).removesuffix(REMARK)  # older files have the kind alone
        if kind in by_kind:
            values = {str(key): str(value) for key, value in each.attrib.items()}
            written = values.pop("link" if kind == "frame" else kind, "")
            by_kind[kind][written] = values
    name = by_kind["robot"].get("", {}).get("name", "")
    return _Remarks(name, *(by_kind[kind] for kind in KINDS[1:]))


def _frame(frame: Frame, remarks: _Remarks) -> Frame:
    links = tuple(_link(link, remarks.links.get(link.name, {})) for link in frame.links)
    props = frame.props
    remark = remarks.frames.get(frame.id, {})
    if remark.get("implied") == "true" and all(_is_empty(link) for link in links):
        props = {key: value for link in links for key, value in link.props.items()}
        links = ()
    joint = frame.joint and _joint(frame.joint, remarks.joints.get(frame.joint_name, {}))
    sensors = tuple(_sensor(sensor, remarks.sensors.get(sensor.name, {})) for sensor in frame.sensors)
    name = remark.get("name", frame.name)
    return replace(frame, name=name, joint=joint, links=links, sensors=sensors, props=props)


def _sensor(sensor: Sensor, remark: Mapping[str, str]) -> Sensor:
    params = with_params(sensor.params, remark)
    return sensor if params is sensor.params else replace(sensor, params=params)


def _link(link: Link, remark: Mapping[str, str]) -> Link:
    inertial = link.inertial
    if inertial is None:
        return link
    if "mass" in remark and _is(remark["mass"], inertial.mass):
        return replace(link, inertial=None)
    written = remark.get("tensor", "")
    assumed = ["0"] * 6 if written == "none" else written.split()  # older files have `none` for six zeros
    if inertial.tensor is not None and len(assumed) == 6 and all(map(_is, assumed, astuple(inertial.tensor))):
        return replace(link, inertial=replace(inertial, tensor=None))
    return link


def _joint(joint: Joint, remark: Mapping[str, str]) -> Joint | None:
    if remark.get("implied") == "true" and joint == Joint(type=JointType.FIXED, name=joint.name):
        return None
    gone = {key: None for key in BOUNDS if key in remark and _is(remark[key], getattr(joint.limits, key))}
    return replace(joint, limits=replace(joint.limits, **gone)) if gone else joint


def _named(robot: Robot, remarks: _Remarks) -> Robot:
    """The robot with the names that the remarks give back."""
    return replace(
        rename(
            robot,
            frames=_distinct(robot.by_id, remarks.frames, "id"),
            joints=_distinct(robot.joints, remarks.joints, "name"),
            links=_distinct((link.name for _, link in robot.links()), remarks.links, "name"),
        ),
        name=remarks.robot or robot.name,
    )


def _distinct(present: Iterable[str], remarks: Mapping[str, Mapping[str, str]], key: str) -> dict[str, str]:
    """New names for what is there; none at all if they would make two things of one name."""
    names = list(present)
    wanted = {name: remarks[name][key] for name in names if remarks.get(name, {}).get(key)}
    return wanted if len({wanted.get(name, name) for name in names}) == len(set(names)) else {}


def _report_stale(robot: Robot, remarks: _Remarks, findings: Findings) -> None:
    """Report the remarks on links and joints that the file no longer has."""
    links = {link.name for _, link in robot.links()}
    for kind, table, known in (
        ("link", remarks.frames, links),
        ("link", remarks.links, links),
        ("joint", remarks.joints, set(robot.joints)),
    ):
        for name in table:
            if name not in known:
                findings.add("remark-stale", f"{kind} {name}", kind=kind)


def _is_empty(link: Link) -> bool:
    return not (link.inertial or link.visuals or link.collisions)


def _is(text: str, value: float | None) -> bool:
    try:
        return value is not None and float(text) == value
    except ValueError:
        return False
