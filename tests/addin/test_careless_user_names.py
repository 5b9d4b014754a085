"""Names and links that consumers like: short names, no planes or axes, an empty base_link, one meaning of <joint>."""

from __future__ import annotations

from pathlib import Path

from lxml import etree
from msgspec.structs import replace

from swgrm.findings import Findings
from swgrm.model import Entity, EntityKind, Frame, Inertial, Joint, JointType, Link, Robot, Sensor, Tensor
from swgrm_addin.pipeline import export, read, understand
from swgrm_exporters.format import Target
from swgrm_exporters.formats import named
from swgrm_exporters.ros2.options import PackageOptions
from swgrm_exporters.urdf.options import UrdfOptions
from swgrm_exporters.urdf.reader import loads
from swgrm_exporters.urdf.writer import dumps

BODY = Inertial(1.0, tensor=Tensor(1, 0, 0, 1, 0, 1))


def drawn(kind: EntityKind, owner: str, name: str, **fields: object) -> Frame:
    path = f"{owner}/{name}"
    return Frame(id=path, name=name, parent=owner, entity=Entity(kind, path), **fields)  # type: ignore[arg-type]  # typed by the caller


def robot(*more: Frame) -> Robot:
    frames = (
        Frame(id="a", links=(Link(name="a", inertial=BODY),)),
        Frame(
            id="b", parent="a", joint=Joint(type=JointType.REVOLUTE, name="j"), links=(Link(name="b", inertial=BODY),)
        ),
    )
    return Robot(name="r", frames=(*frames, *more))


def links(text: bytes) -> list[str]:
    return [str(each.get("name")) for each in etree.fromstring(text).iter("link")]


def test_frames_have_their_short_names_where_these_are_unique() -> None:
    cs = EntityKind.COORDINATE_SYSTEM
    model = robot(drawn(cs, "b", "tool0"), drawn(cs, "a", "imu"), drawn(cs, "b", "imu"), drawn(cs, "b", "a"))
    text = dumps(model)
    assert links(text) == ["a", "b", "tool0", "a/imu", "b/imu", "b/a"]
    again = loads(text, Findings())
    assert [(frame.id, frame.name) for frame in again.frames] == [(f.id, f.name) for f in model.frames]


def test_planes_axes_and_points_are_links_only_if_asked_for() -> None:
    used = drawn(EntityKind.POINT, "b", "spot", sensors=(Sensor(name="s", type="contact"),))
    model = robot(drawn(EntityKind.PLANE, "a", "wall"), drawn(EntityKind.AXIS, "b", "spin"), used)
    findings = Findings()
    assert links(dumps(model, findings=findings)) == ["a", "b", "spot"]
    assert [each.message for each in findings if each.code == "geometry-in-grm"] == [
        "Planes, axes and points (2) are in the GRM file only."
    ]
    assert links(dumps(model, UrdfOptions(reference_geometry=True))) == ["a", "b", "wall", "spin", "spot"]


def test_a_package_has_an_empty_base_link_above_a_root_with_mass(tmp_path: Path) -> None:
    def written(model: Robot, urdf: UrdfOptions) -> list[str]:
        named("ros2").write(model, Target(tmp_path, "r"), PackageOptions(), Findings(), {"urdf": urdf})
        return links((tmp_path / "urdf/r.urdf").read_bytes())

    assert written(robot(), UrdfOptions()) == ["base_link", "a", "b"]
    assert "Fixed Frame: base_link" in (tmp_path / "rviz/r.rviz").read_text("utf-8")
    assert written(robot(), UrdfOptions(dummy_root="")) == ["a", "b"]
    assert written(robot(), UrdfOptions(dummy_root="world")) == ["world", "a", "b"]
    light = replace(robot(), frames=(Frame(id="a"), *robot().frames[1:]))
    assert written(light, UrdfOptions()) == ["a", "b"]
    assert links(dumps(robot())) == ["a", "b"]


def test_every_joint_element_of_an_export_is_a_joint_with_a_name(tmp_path: Path) -> None:
    export("mock:arm", tmp_path, formats=("urdf",))
    root = etree.fromstring((tmp_path / "arm.urdf").read_bytes())
    assert all(each.get("name") and each.get("type") for each in root.iter("joint"))
    assert all(each.get("name") for each in root.iter("link"))
    assert {"tool0", "camera", "imu"} <= {each.get("name") for each in root.iter("link")}
    efforts = {
        each.get("name"): element.get("effort")
        for each in root.iter("joint")
        if (element := each.find("limit")) is not None
    }
    assert root.get("payload") == "5"
    assert [each.tag for each in root.iter("robot")] == ["robot"]
    moved = understand(read("mock:arm")).robot.joints["upper_arm_joint"].joint
    assert moved is not None
    assert (moved.limits.effort, efforts["upper_arm_joint"]) == (150.0, "150")
