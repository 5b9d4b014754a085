"""What the page shows, as JSON data: frames with joints and shapes, loops, followers, and findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from swgrm.findings import Finding
from swgrm.model import IDENTITY, Frame, Geometry, Joint, Link, Mesh, Robot
from swgrm.precision import numbers_of, rounded
from swgrm_exporters.html.shapes import Rgba, Shapes

SceneData = dict[str, Any]  # JSON


def scene(robot: Robot, shapes: Shapes, findings: Iterable[Finding]) -> SceneData:
    """The robot as the page's script reads it: see `web/kinematics.js` for the meaning of each field."""
    frames = list(robot.walk())
    number = {frame.id: index for index, frame in enumerate(frames)}
    colours = {material.name: material.rgba for material in robot.materials if material.rgba}
    given = numbers_of(robot)
    followers = {name: rounded(relation, given) for name, relation in robot.mechanism.kinematics.followers.items()}
    return {
        "robot": robot.name,
        "frames": [_frame(frame, number, shapes, colours) for frame in frames],
        "loops": [
            {
                "parent": number[loop.parent],
                "child": number[loop.child],
                "pos": loop.transform.pos,
                "rot": loop.transform.rot,
                "joint": _joint(loop.joint, loop.joint.name),
            }
            for loop in robot.loop_joints
        ],
        "followers": {
            name: {"terms": relation.terms, "offset": relation.offset} for name, relation in followers.items()
        },
        "findings": [
            found.plain()
            for found in sorted(dict.fromkeys(findings), key=lambda f: (-f.severity, f.code, f.format, f.where))
        ],
    }


def _frame(frame: Frame, number: Mapping[str, int], shapes: Shapes, colours: Mapping[str, Rgba]) -> SceneData:
    data: SceneData = {
        "id": frame.id,
        "parent": -1 if frame.parent is None else number[frame.parent],
        "pos": frame.transform.pos,
        "rot": frame.transform.rot,
    }
    if frame.name and frame.name != frame.id:
        data["name"] = frame.name
    if frame.entity:
        data |= {"kind": str(frame.entity.kind), "path": frame.entity.path}
    if frame.virtual:
        data["virtual"] = True
    if frame.joint and not frame.is_rigid:
        data["joint"] = _joint(frame.joint, frame.joint_name)
    if frame.links:
        data["links"] = [_link(link, shapes, colours) for link in frame.links]
    if frame.sensors:
        data["sensors"] = [[sensor.name, sensor.type] for sensor in frame.sensors]
    return data


def _joint(joint: Joint, name: str) -> SceneData:
    data: SceneData = {"name": name, "type": str(joint.type), "axis": joint.axis}
    values = {
        "pitch": joint.pitch or None,
        "lower": joint.limits.lower,
        "upper": joint.limits.upper,
        "velocity": joint.limits.velocity,
        "effort": joint.limits.effort,
    }
    data |= {key: value for key, value in values.items() if value is not None}
    if joint.why:
        why = joint.why
        data["why"] = {"mates": why.mates, "freedom": why.freedom, "reason": why.reason, "check": why.needs_check}
    return data


def _link(link: Link, shapes: Shapes, colours: Mapping[str, Rgba]) -> SceneData:
    data: SceneData = {"name": link.name}
    if link.inertial:
        data |= {"mass": link.inertial.mass, "com": link.inertial.origin}
    if visuals := _drawn(link.visuals, shapes, colours):
        data["visuals"] = visuals
    if collisions := _drawn(link.collisions, shapes, {}):
        data["collisions"] = collisions
    return data


def _drawn(geometries: Iterable[Geometry], shapes: Shapes, colours: Mapping[str, Rgba]) -> list[SceneData]:
    drawn = []
    for shape in geometries:
        placed: SceneData = {}
        if shape.origin != IDENTITY:
            placed |= {"pos": shape.origin.pos, "rot": shape.origin.rot}
        if isinstance(shape, Mesh) and shape.scale != (1, 1, 1):
            placed["scale"] = shape.scale
        for piece in shapes.of(shape):
            rgba = colours.get(shape.material, piece.rgba)
            drawn.append({"mesh": piece.mesh, **placed} | ({"rgba": rgba} if rgba else {}))
    return drawn
