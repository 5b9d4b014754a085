"""MixedChainGenerator: one test for each scenario of its specification, and tests of its extensions."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.lookups import present

import swgrm
from swgrm.errors import FileError, SwgrmError
from swgrm.findings import Findings
from swgrm.kinematics.forward import Kinematics
from swgrm.model import JointType
from swgrm.validation import check
from swgrm_exporters.urdf.reader import loads
from swgrm_mocks import MixedChainGenerator

sizes = st.integers(1, 40)
seeds = st.integers(0, (1 << 32) - 1)
shares = st.floats(0, 1)


def urdf_joints(generator: MixedChainGenerator) -> list[ET.Element]:
    return ET.fromstring(generator.to_urdf_string()).findall("joint")  # noqa: S314 - trusted input


# ---- Mixed-Chain Generator Interface


@given(st.integers(10, 60))
def test_generate_n_dof_robot_with_default_parameters(dof: int) -> None:
    generator = MixedChainGenerator(dof=dof)
    assert len(generator.joint_types) == dof
    assert 0.2 <= generator.joint_types.count("prismatic") / dof <= 0.3 or dof < 10 or _no_integer_share(dof)
    findings = Findings()
    robot = loads(generator.to_urdf_string(), findings)
    assert len(robot.joints) == dof
    assert [finding for finding in findings if finding.severity > 0] == []


def _no_integer_share(dof: int) -> bool:
    return math.ceil(0.2 * dof) > math.floor(0.3 * dof)


def test_twenty_joints_have_four_to_six_prismatic_joints_in_random_order() -> None:
    drawn = [MixedChainGenerator(dof=20, seed=seed).joint_types for seed in range(50)]
    assert {types.count("prismatic") for types in drawn} == {4, 5, 6}
    assert len({tuple(types) for types in drawn}) > 40


@pytest.mark.parametrize("dof", [1, 2, 3, 6])
def test_the_default_share_holds_in_expectation_for_few_joints(dof: int) -> None:
    """The mean over the seeds is 25 %; its standard error is below 0.7 %."""
    count = 4000
    found = sum(MixedChainGenerator(dof=dof, seed=seed).joint_types.count("prismatic") for seed in range(count))
    assert found / (count * dof) == pytest.approx(0.25, abs=0.03)


@given(sizes, shares, seeds)
def test_generate_robot_with_fixed_prismatic_ratio(dof: int, share: float, seed: int) -> None:
    types = MixedChainGenerator(dof=dof, prismatic_prob=share, seed=seed).joint_types
    assert abs(types.count("prismatic") - share * dof) <= 0.5
    assert set(types) <= {"revolute", "prismatic"}
    assert len(types) == dof


def test_ten_joints_at_forty_percent_have_four_prismatic_joints() -> None:
    types = MixedChainGenerator(dof=10, prismatic_prob=0.4).joint_types
    assert (types.count("prismatic"), types.count("revolute")) == (4, 6)


@given(sizes, seeds)
def test_reproducible_generation_with_seed(dof: int, seed: int) -> None:
    one, same = MixedChainGenerator(dof=dof, seed=seed), MixedChainGenerator(dof=dof, seed=seed)
    assert one.robot == same.robot
    assert one.to_urdf_string() == same.to_urdf_string()


def test_different_seeds_produce_different_topologies() -> None:
    def topology(seed: int) -> tuple[object, ...]:
        robot = MixedChainGenerator(dof=15, seed=seed).robot
        return tuple((frame.joint.type, frame.joint.axis) for frame in robot.frames if frame.joint)

    assert len({topology(seed) for seed in range(100)}) == 100


def test_same_seed_gives_the_same_bytes_for_any_hash_seed() -> None:
    script = (
        "import sys; from swgrm_mocks import MixedChainGenerator as M; "
        "sys.stdout.write(M(dof=15, seed=42, balls=1, screws=1, branches=2).to_urdf_string())"
    )
    texts = [
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "4242")
    ]
    assert texts[0] == texts[1] != b""


def test_same_seed_gives_the_same_robot_on_every_machine() -> None:
    """The expected values were generated on one machine, with the method whose sequence Python guarantees."""
    generator = MixedChainGenerator(dof=4, seed=42)
    axes = ["xyz"[frame.joint.axis.index(1.0)] for frame in generator.robot.frames if frame.joint]
    drawn = [f"{kind} {axis}" for kind, axis in zip(generator.joint_types, axes, strict=True)]
    assert (drawn, generator.link_lengths) == DRAWN


DRAWN = (
    ["revolute y", "revolute x", "revolute y", "prismatic z"],
    [0.394588485665605, 0.3706797949691646, 0.4568718270819382, 0.13477553305176648, 0.2687687278741082],
)


# ---- Geometric Parameter Configuration


@given(sizes, seeds)
def test_default_link_lengths(dof: int, seed: int) -> None:
    lengths = MixedChainGenerator(dof=dof, seed=seed).link_lengths
    assert len(lengths) == dof + 1
    assert all(0.1 <= length <= 0.5 for length in lengths)
    assert min(lengths) > 1e-3


@given(sizes, seeds)
def test_custom_link_length_range(dof: int, seed: int) -> None:
    generator = MixedChainGenerator(dof=dof, seed=seed, link_length_range=(0.2, 0.8))
    assert all(0.2 <= length <= 0.8 for length in generator.link_lengths)
    steps = [frame.transform.pos[2] for frame in generator.robot.frames[1:]]
    assert steps == generator.link_lengths[:-1]


def test_prismatic_joint_limits() -> None:
    generator = MixedChainGenerator(dof=10, prismatic_prob=1.0)
    assert generator.joint_limits == [(-0.2, 0.5)] * 10
    assert MixedChainGenerator(dof=2, prismatic_prob=1, prismatic_limits=(0, 1)).joint_limits == [(0, 1)] * 2


def test_revolute_joint_limits() -> None:
    generator = MixedChainGenerator(dof=30, prismatic_prob=0.0, seed=1)
    assert generator.joint_limits == [(-math.pi, math.pi)] * 30
    axes = [frame.joint.axis for frame in generator.robot.frames if frame.joint]
    assert set(axes) == {(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)}
    assert all(one != other for one, other in pairwise(axes))
    assert MixedChainGenerator(dof=1, prismatic_prob=0, revolute_limits=(-1, 1)).joint_limits == [(-1, 1)]


# ---- URDF Output Format


@given(sizes, seeds)
def test_urdf_structure_validation(dof: int, seed: int) -> None:
    generator = MixedChainGenerator(dof=dof, seed=seed)
    root = ET.fromstring(generator.to_urdf_string())  # noqa: S314 - trusted input
    links, joints = [[each.get("name") for each in root.findall(tag)] for tag in ("link", "joint")]
    assert links == [f"link_{index}" for index in range(dof + 1)]
    assert joints == [f"joint_{index}" for index in range(dof)]
    ends = [[present(joint.find(tag)).get("link") for tag in ("parent", "child")] for joint in root.findall("joint")]
    assert ends == [list(pair) for pair in pairwise(links)], "a serial chain from its root, link_0"


class UrdfxRobot:
    """A test double of `urdfx.Robot`, with the names that the Python binding of urdfx has."""

    def __init__(self, name: str) -> None:
        self.name, self.is_valid = name, True

    def validate(self) -> bool:
        return self.is_valid

    @staticmethod
    def from_urdf_string(xml: str) -> UrdfxRobot:
        return UrdfxParser().parse_string(xml)


class UrdfxParser:
    """A test double of `urdfx.URDFParser`, with the names that the Python binding of urdfx has."""

    base_directory = ""

    def parse_string(self, xml: str) -> UrdfxRobot:
        root = ET.fromstring(xml)  # noqa: S314 - trusted input
        if not all(joint.get("name") for joint in root.findall("joint")):
            raise RuntimeError("URDF parse error: Joint missing 'name' attribute")
        return UrdfxRobot(root.get("name", ""))

    def parse_file(self, path: str) -> UrdfxRobot:
        return self.parse_string(Path(path).read_text())


class UrdfxParserOfCpp:
    """A test double with the method's name in C++, which the specification uses."""

    def parseString(self, xml: str) -> UrdfxRobot:  # noqa: N802 - the name in urdfx
        return UrdfxParser().parse_string(xml)


def use_urdfx(monkeypatch: pytest.MonkeyPatch, parser: type) -> None:
    urdfx = ModuleType("urdfx")
    vars(urdfx).update(URDFParser=parser, Robot=UrdfxRobot)
    monkeypatch.setitem(sys.modules, "urdfx", urdfx)


@pytest.mark.parametrize("parser", [UrdfxParser, UrdfxParserOfCpp])
def test_urdfx_is_used_if_installed(parser: type, monkeypatch: pytest.MonkeyPatch) -> None:
    use_urdfx(monkeypatch, parser)
    generator = MixedChainGenerator(dof=3)
    assert generator.validate()
    assert generator.validated_with == "urdfx"
    monkeypatch.setattr(generator, "to_urdf_string", lambda: "<robot name='r'><joint/></robot>")
    assert generator.validate() is False
    assert generator.validation_errors == ["RuntimeError: URDF parse error: Joint missing 'name' attribute"]


def test_a_robot_that_urdfx_does_not_validate_is_not_valid(monkeypatch: pytest.MonkeyPatch) -> None:
    use_urdfx(monkeypatch, UrdfxParser)
    monkeypatch.setattr(UrdfxRobot, "validate", lambda _: False)
    generator = MixedChainGenerator(dof=3)
    assert generator.validate() is False
    assert "validation failed" in generator.validation_errors[0]


def test_joint_type_specification() -> None:
    for joint in urdf_joints(MixedChainGenerator(dof=9, prismatic_prob=0.0)):
        assert joint.get("type") == "revolute"
        assert present(joint.find("axis")).get("xyz") in {"1 0 0", "0 1 0", "0 0 1"}


def test_prismatic_joint_specification() -> None:
    for joint in urdf_joints(MixedChainGenerator(dof=9, prismatic_prob=1.0)):
        assert joint.get("type") == "prismatic"
        assert present(joint.find("axis")).get("xyz") == "0 0 1"


def test_joint_limits_in_urdf() -> None:
    generator = MixedChainGenerator(dof=12)
    for joint, (lower, upper) in zip(urdf_joints(generator), generator.joint_limits, strict=True):
        limit = {key: float(value) for key, value in present(joint.find("limit")).attrib.items()}
        assert limit == pytest.approx({"lower": lower, "upper": upper, "effort": 10.0, "velocity": 1.0}, rel=1e-14)


# ---- Python API Usability


def test_generate_and_save_urdf_to_file(tmp_path: Path) -> None:
    generator = MixedChainGenerator(dof=5)
    path = generator.save_urdf(str(tmp_path / "output" / "robot.urdf"))
    assert path == tmp_path / "output" / "robot.urdf"
    assert path.read_text() == generator.to_urdf_string()
    assert list(swgrm.load(path).joints) == [f"joint_{index}" for index in range(5)]


def test_generate_urdf_as_string(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert MixedChainGenerator(dof=5).to_urdf_string().startswith("<?xml")
    assert list(tmp_path.iterdir()) == []


def test_access_generated_robot_metadata() -> None:
    generator = MixedChainGenerator(dof=8, prismatic_prob=0.5)
    assert isinstance(generator.joint_types, list)
    expected = {"revolute": (-math.pi, math.pi), "prismatic": (-0.2, 0.5)}
    assert generator.joint_limits == [expected[kind] for kind in generator.joint_types]


# ---- Validation and Diagnostics


def test_validate_generated_urdf_with_urdfx(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without urdfx another reader is used; its errors for an invalid file are stored."""
    generator = MixedChainGenerator(dof=6)
    assert generator.validate() is True
    assert generator.validation_errors == []
    assert generator.validated_with in {"urdfx", "pinocchio", "urdf_parser_py", "swgrm"}
    monkeypatch.setattr(generator, "to_urdf_string", lambda: "<robot name='r'><joint/></robot>")
    assert generator.validate() is False
    assert generator.validation_errors


def test_the_reader_of_swgrm_is_used_if_no_other_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("urdfx", "pinocchio", "urdf_parser_py", "urdf_parser_py.urdf"):
        monkeypatch.setitem(sys.modules, name, None)
    generator = MixedChainGenerator(dof=6)
    assert generator.validate()
    assert generator.validated_with == "swgrm"


Line = tuple[str, ...]


def drawn(generator: MixedChainGenerator, folder: Path) -> tuple[list[Line], list[Line]]:
    """The ends of the lines that the drawing has for links and for joints, as x1, y1, x2, y2."""
    svg = present(generator.visualize(folder / "robot.svg", show=False)).read_text()
    lines = list(ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}line"))  # noqa: S314 - our own

    def of_class(name: str) -> list[Line]:
        found = [line for line in lines if line.get("class") == name]
        return [tuple(present(line.get(key)) for key in ("x1", "y1", "x2", "y2")) for line in found]

    return of_class("link"), of_class("joint")


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_visualize_generated_robot(share: float, tmp_path: Path) -> None:
    links, joints = drawn(MixedChainGenerator(dof=6, prismatic_prob=share, seed=3), tmp_path)
    assert (len(links), len(joints)) == (7, 6)
    for before, joint, after in zip(links, joints, links[1:], strict=False):
        assert before[2:] == joint[:2], "a joint begins where its parent link ends"
        assert joint[2:] == after[:2], "and ends where its child link begins"
    assert any(joint[:2] != joint[2:] for joint in joints) == (share > 0), "slides are extended"


def test_branches_are_drawn_connected_too(tmp_path: Path) -> None:
    generator = MixedChainGenerator(dof=12, seed=5, branches=3)
    links, joints = drawn(generator, tmp_path)
    ends = {frame.id: line for frame, line in zip(generator.robot.frames, links, strict=True)}
    for frame, joint in zip(generator.robot.frames[1:], joints, strict=True):
        assert ends[present(frame.parent)][2:] == joint[:2]
        assert joint[2:] == ends[frame.id][:2]


PYBULLET_DOUBLE = """
import os, sys
GUI = 1
def connect(mode):
    if os.environ.get("NO_DISPLAY"):
        print("cannot connect to X server")
        sys.exit(1)
    return 0
def loadURDF(path, useFixedBase, physicsClientId):
    assert os.path.exists(path)
def isConnected(client):
    return False
"""


@pytest.mark.parametrize("has_display", [True, False])
def test_visualize_never_ends_the_callers_process(
    has_display: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PyBullet calls exit() if it finds no display; it runs in a process of its own."""
    (tmp_path / "pybullet.py").write_text(PYBULLET_DOUBLE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("NO_DISPLAY", "" if has_display else "1")
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    page = MixedChainGenerator(dof=2, name="p").visualize()
    assert (page is None) == has_display
    assert opened == ([] if page is None else [page.as_uri()])


def test_without_a_path_the_page_is_opened_in_the_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("swgrm_mocks.synthetic.visualization.find_spec", lambda _: None)
    monkeypatch.setattr("webbrowser.open", opened.append)
    page = present(MixedChainGenerator(dof=2, name="p").visualize())
    assert opened == [page.as_uri()]
    assert 'content="swgrm"' in page.read_text("utf-8")  # the 3D page, with sliders


def test_export_robot_statistics() -> None:
    generator = MixedChainGenerator(dof=10, prismatic_prob=0.3, seed=7)
    assert generator.get_statistics() == {
        "total_dof": 10,
        "num_revolute": 7,
        "num_prismatic": 3,
        "total_chain_length": pytest.approx(sum(generator.link_lengths)),
    }


# ---- Batch Generation Support


def test_generate_multiple_robots_with_varying_dof() -> None:
    batch = MixedChainGenerator.batch_generate(dof_list=[10, 20, 50], count=3)
    assert [len(generator.joint_types) for generator, _ in batch] == [10] * 3 + [20] * 3 + [50] * 3
    assert len({generator.seed for generator, _ in batch}) == 9
    for generator, metadata in batch:
        again = MixedChainGenerator(metadata["dof"], metadata["prismatic_prob"], metadata["seed"])
        assert again.robot == generator.robot


def test_generate_with_systematic_joint_ratio_sweep() -> None:
    shares = [0.1, 0.2, 0.3, 0.4]
    batch = MixedChainGenerator.batch_generate([10, 20], count=2, prismatic_prob_range=shares, seed=5)
    assert [(m["dof"], m["prismatic_prob"], m["index"]) for _, m in batch] == [
        (dof, share, index) for dof in (10, 20) for share in shares for index in range(2)
    ]
    for generator, metadata in batch:
        assert generator.joint_types.count("prismatic") == round(metadata["dof"] * metadata["prismatic_prob"])
    again = MixedChainGenerator.batch_generate([10, 20], count=2, prismatic_prob_range=shares, seed=5)
    assert [generator.robot for generator, _ in again] == [generator.robot for generator, _ in batch]


# ---- extensions of the specification


def test_without_a_seed_a_random_seed_is_used_and_shown() -> None:
    generator = MixedChainGenerator(dof=4)
    assert repr(generator) == f"MixedChainGenerator(dof=4, seed={generator.seed})"
    assert MixedChainGenerator(dof=4, seed=generator.seed).robot == generator.robot
    assert MixedChainGenerator(dof=4).seed != generator.seed


@given(st.integers(5, 25), seeds, st.data())
def test_branches_loops_balls_and_screws_are_optional(dof: int, seed: int, data: st.DataObject) -> None:
    balls, screws = data.draw(st.integers(0, 2)), data.draw(st.integers(0, 2))
    branches, loops = data.draw(st.integers(0, dof - 1)), data.draw(st.integers(0, 2))
    generator = MixedChainGenerator(dof, seed=seed, balls=balls, screws=screws, branches=branches, loops=loops)
    robot, types = generator.robot, generator.joint_types
    assert (types.count("ball"), types.count("screw")) == (balls, screws)
    assert generator.get_statistics()["total_dof"] == dof + 2 * balls
    assert len(robot.loop_joints) == loops
    starts = sum(frame.parent != f"link_{index}" for index, frame in enumerate(robot.frames[1:]))
    assert starts <= branches
    assert [finding for finding in check(robot) if finding.severity > 0] == []
    poses = Kinematics(robot).poses()
    for loop in robot.loop_joints:
        np.testing.assert_allclose(
            poses[loop.parent] @ loop.transform.matrix, poses[loop.child], atol=1e-12, err_msg="closed at q = 0"
        )


def test_every_link_has_a_physical_inertia() -> None:
    for _, link in MixedChainGenerator(dof=50, link_length_range=(0.001, 3.0)).robot.links():
        inertial = present(link.inertial)
        tensor = present(inertial.tensor)
        assert inertial.mass > 0
        assert 0 < tensor.izz <= tensor.ixx + tensor.iyy
        assert tensor.ixx <= tensor.iyy + tensor.izz


def test_inference_recovers_the_joints_from_the_assembly() -> None:
    from swgrm.inference import infer

    generator = MixedChainGenerator(dof=5, prismatic_prob=0.4, seed=11)
    found = infer(generator.to_assembly().capture()).robot
    moving = sorted(str(present(frame.joint).type) for frame in found.frames if not frame.is_rigid)
    assert moving == sorted(generator.joint_types)


def test_a_chain_of_a_thousand_joints_is_generated() -> None:
    robot = MixedChainGenerator(dof=1000, seed=0).robot
    assert len(robot.frames) == 1001
    assert sum(frame.joint is not None and frame.joint.type is JointType.PRISMATIC for frame in robot.frames) >= 200


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"dof": 0}, "dof is 0: the number of joints must be an integer of at least 1."),
        ({"dof": 2.5}, "dof is 2.5: the number of joints must be an integer"),
        ({"dof": True}, "dof is True"),
        ({"dof": 3, "prismatic_prob": 2}, "share of prismatic joints must be from 0 to 1"),
        ({"dof": 3, "prismatic_prob": math.nan}, "share of prismatic joints must be from 0 to 1"),
        (
            {"dof": 3, "link_length_range": (0.5, 0.1)},
            r"link_length_range is \(0.5, 0.1\): the lower bound must not exceed the upper one.",
        ),
        ({"dof": 3, "link_length_range": (0, 1)}, "a link must be at least 0.001 m long"),
        ({"dof": 3, "revolute_limits": (-math.inf, 1)}, "both must be finite"),
        ({"dof": 3, "prismatic_limits": (1, 0)}, "the lower bound must not exceed the upper one"),
        ({"dof": 3, "effort": 0}, "effort is 0: it must be greater than 0"),
        ({"dof": 3, "seed": 1.5}, "seed is 1.5: it must be an integer"),
        ({"dof": 3, "balls": 2, "screws": 2}, "there are only 3 joints"),
        ({"dof": 3, "branches": 3}, "at most 2 of 3 joints can start a branch"),
        ({"dof": 3, "loops": 1}, "loops is 1: a loop needs more than 3 joints"),
    ],
)
def test_invalid_arguments_are_an_error(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SwgrmError, match=sentence):
        MixedChainGenerator(**arguments)


def test_an_invalid_count_is_an_error() -> None:
    with pytest.raises(SwgrmError, match="count is 0"):
        MixedChainGenerator.batch_generate([3], count=0)


def test_a_path_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="it cannot be written"):
        MixedChainGenerator(dof=2).save_urdf(tmp_path / "file" / "robot.urdf")
