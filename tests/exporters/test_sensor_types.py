"""The table of sensor types: every entry is written in every format, and reading gives the sensor back."""

from __future__ import annotations

from pathlib import Path

import pytest

from swgrm import check
from swgrm.findings import Findings
from swgrm.model import Frame, Inertial, Joint, JointType, Link, Robot, Sensor
from swgrm.model.sensor_types import SENSORS
from swgrm_exporters import formats
from swgrm_exporters.format import Target
from swgrm_exporters.html.page import served_page
from swgrm_exporters.sdf.options import SdfOptions
from swgrm_exporters.sdf.reader import loads
from swgrm_exporters.sdf.writer import dumps


def robot_with(kind: str) -> Robot:
    hinge = Joint(type=JointType.REVOLUTE, name="hinge")
    arm = Link(name="arm", inertial=Inertial(1.0))
    frames = (
        Frame(id="base", links=(Link(name="base", inertial=Inertial(1.0)),)),
        Frame(id="arm", parent="base", joint=hinge, links=(arm,), sensors=(Sensor(name="s", type=kind),)),
    )
    return Robot(name="r", frames=frames)


@pytest.mark.parametrize("kind", SENSORS)
def test_each_type_comes_back_from_each_format(kind: str, tmp_path: Path) -> None:
    robot = robot_with(kind)
    assert "sensor-type" not in {finding.code for finding in check(robot)}
    for suffix in ("urdf", "sdf", "xml", "usda"):
        files = formats.write(robot, tmp_path / f"r.{suffix}")
        (sensor,) = formats.read(files[0]).frame("arm").sensors
        assert sensor == Sensor(name="s", type=kind), suffix


@pytest.mark.parametrize("kind", SENSORS)
def test_each_type_of_sdf_is_read_without_a_note(kind: str) -> None:
    text = dumps(robot_with(kind), SdfOptions(annotate=False)).decode()
    sdf = SENSORS[kind].sdf
    assert sdf is not None
    for name in (sdf.type, *sdf.also):
        (sensor,) = loads(text.replace(f'type="{sdf.type}"', f'type="{name}"')).frame("arm").sensors
        assert sensor.type == kind


@pytest.mark.parametrize("kind", [*SENSORS, "geiger_counter"])
def test_what_is_not_written_is_reported_as_such(kind: str, tmp_path: Path) -> None:
    findings = Findings()
    formats.named("ros2").write(robot_with(kind), Target(tmp_path, "r"), None, findings)
    formats.write(robot_with(kind), tmp_path / "r.xml", None, findings)
    messages = {finding.code: finding.message for finding in findings}
    entry = SENSORS.get(kind)
    assert ("ros2-sensor-left-out" in messages) == (entry is None or entry.gazebo is None)
    assert ("mjcf-sensor" in messages) == (kind != "camera" and (entry is None or not entry.mujoco))
    for code in ("ros2-sensor-left-out", "mjcf-sensor"):
        assert "is written for the type" in messages.get(code, "is written for the type")
    bridge = next(tmp_path.rglob("*bridge*.yaml")).read_text("utf-8")
    for topic in entry.gazebo.topics if entry and entry.gazebo else ():
        assert topic.gazebo in bridge


def test_an_altimeter_is_native_in_sdf() -> None:
    assert b'<sensor name="s" type="altimeter"' in dumps(robot_with("altimeter"))
    assert b'type="custom"' in dumps(robot_with("geiger_counter"))


def test_the_page_offers_every_type() -> None:
    text, _ = served_page("n")
    assert all(f'"{kind}"' in text.partition("const SENSOR_TYPES = ")[2].partition(";")[0] for kind in SENSORS)
