"""A careless user loads the export into a simulator without reading a page: the meshes are found, the joints move."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lxml import etree

import swgrm
from swgrm.meshes import overlaps
from swgrm.meshes.store import MeshFiles
from swgrm_addin.pipeline import export
from swgrm_exporters.urdf.reader import loads
from swgrm_exporters.urdf.simulators import mujoco


def urdf_of(folder: Path) -> Path:
    (file,) = folder.rglob("*.urdf")
    return file


def compiler(file: Path) -> dict[str, str]:
    (element,) = etree.parse(file).getroot().findall("mujoco/compiler")
    return {str(key): str(value) for key, value in element.attrib.items()}


def test_mujoco_finds_the_meshes_of_an_export(tmp_path: Path) -> None:
    export("mock:lead_screw", tmp_path, formats=("urdf",))
    file = urdf_of(tmp_path)
    assert compiler(file) == {"strippath": "false", "discardvisual": "false"}
    for mesh in etree.parse(file).getroot().iter("mesh"):
        assert (file.parent / str(mesh.get("filename"))).is_file()


def test_mujoco_finds_the_meshes_of_a_ros_package_without_ros(tmp_path: Path) -> None:
    export("mock:lead_screw", tmp_path, formats=("ros2",))
    file = urdf_of(tmp_path)
    found = compiler(file)
    assert found == {"meshdir": "../meshes", "strippath": "true", "discardvisual": "false"}
    for mesh in etree.parse(file).getroot().iter("mesh"):
        assert (file.parent / found["meshdir"] / Path(str(mesh.get("filename"))).name).is_file()


def test_collision_meshes_are_files_that_drake_reads(tmp_path: Path) -> None:
    export("mock:lead_screw", tmp_path, formats=("urdf",))
    names = [
        str(mesh.get("filename")) for mesh in etree.parse(urdf_of(tmp_path)).getroot().iterfind("link/collision//mesh")
    ]
    assert names
    assert {Path(name).suffix for name in names} == {".obj"}


def test_elements_for_simulators_are_not_props_when_they_are_read(tmp_path: Path) -> None:
    done = export("mock:lead_screw", tmp_path, formats=("grm", "urdf"))
    again = swgrm.load(urdf_of(tmp_path))
    assert not [key for key in again.props if "mujoco" in key or "drake" in key]
    assert len([key for key in done.robot.props if "mujoco" in key]) == 0


@pytest.mark.parametrize("own", ['<compiler angle="radian"/>', '<compiler strippath="false"/><size njmax="9"/>'])
def test_an_element_of_the_users_own_is_kept_and_not_written_twice(own: str) -> None:
    shape = '<visual><geometry><mesh filename="a.stl"/></geometry></visual>'
    text = f'<robot name="r"><mujoco>{own}</mujoco><link name="a">{shape}</link></robot>'
    robot = loads(text)
    assert any(key.startswith("mujoco.") for key in robot.props)
    written = etree.fromstring(swgrm_urdf(robot))
    assert len(written.findall("mujoco")) == 1
    assert loads(swgrm_urdf(robot)).props == robot.props


def swgrm_urdf(robot: swgrm.Robot) -> bytes:
    from swgrm_exporters.urdf.writer import dumps

    return dumps(robot)


def test_the_user_is_told_which_bodies_overlapped_and_what_was_left_out(tmp_path: Path) -> None:
    done = export("mock:lead_screw", tmp_path, formats=("urdf",))
    found = {finding.code: finding for finding in done.findings}
    assert "bodies" in found["collision-cut"].where
    assert found["collision-left-out"].where == "component lead_screw-1"


def test_decomposition_is_quick_and_needs_no_extra(tmp_path: Path) -> None:
    export("mock:lead_screw", tmp_path, formats=("urdf",), options={"meshes": {"collision": "decompose"}})
    files = list((tmp_path / "meshes").glob("frame_collision*.obj"))
    assert 3 <= len(files) <= 16


def test_overlaps_are_computed_and_reported_once_for_all_formats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed = []

    def counted(*given: Any) -> tuple[overlaps.Overlap, ...]:
        computed.append(given)
        return real(*given)

    real = overlaps._overlaps
    monkeypatch.setattr(overlaps, "_overlaps", counted)
    monkeypatch.setenv("SWGRM_CACHE", str(tmp_path / "cache"))
    options = {"meshes": {"collision": "hull"}}
    done = export("mock:lead_screw", tmp_path / "out", formats=("urdf", "mjcf"), options=options)
    found = [each for each in done.findings if each.code == "collision-overlap"]
    assert len(computed) == 1
    assert found
    assert len(found) == len({each.where for each in found})
    assert {each.format for each in found} == {""}


def test_drake_ignores_shapes_that_the_user_lets_overlap(tmp_path: Path) -> None:
    done = export("mock:lead_screw", tmp_path, formats=("urdf",), options={"meshes": {"collision": "hull"}})
    assert "collision-overlap" in {finding.code for finding in done.findings}
    root = etree.parse(urdf_of(tmp_path)).getroot()
    space = {"d": "https://drake.mit.edu/"}
    groups = root.findall("d:collision_filter_group", space)
    members = {
        str(group.get("name")): str(member.get("link"))
        for group in groups
        for member in group.findall("d:member", space)
    }
    ignored = {
        frozenset({members[str(group.get("name"))], members[str(other.get("name"))]})
        for group in groups
        for other in group.findall("d:ignored_collision_filter_group", space)
    }
    pairs = [("base", "carriage"), ("base", "lead_screw"), ("carriage", "lead_screw")]
    assert ignored == {frozenset(pair) for pair in pairs}
    assert not [key for key in swgrm.load(urdf_of(tmp_path)).props if "drake" in key]


def test_mujoco_leaves_out_visual_meshes_that_it_would_refuse(tmp_path: Path) -> None:
    for format_, discards in (("a.obj", "false"), ("a.dae", "true"), ("a.glb", "true")):
        element = mujoco([format_], [format_], "", None)
        assert element is not None
        assert element[0].get("discardvisual") == discards
    (tmp_path / "a.stl").write_bytes(b"")
    for triangles, discards in ((200_000, "false"), (200_001, "true")):
        with (tmp_path / "a.stl").open("r+b") as file:
            file.truncate(84 + 50 * triangles)
        element = mujoco(["a.stl"], ["a.stl"], "", MeshFiles(tmp_path))
        assert element is not None
        assert element[0].get("discardvisual") == discards
