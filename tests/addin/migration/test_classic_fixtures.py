"""The classic exporter's own robots, realised as mates: the export with the produced settings is the same robot."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from tests.classic import Options, assembly_of
from tests.commands import swgrm
from tests.fingertip import as_capture, graph

from swgrm.capture import Capture, save
from swgrm_addin.migration.migrating import migrate, read_old
from swgrm_addin.pipeline import understand
from swgrm_addin.settings_file import settings_from_text
from swgrm_addin.sources import Source

PAGE = Path(__file__).parents[3] / "docs" / "from-classic.md"
ROBOTS = ("3_DOF_ARM", "ORIGINAL_3_DOF_ARM")

pytestmark = pytest.mark.fixtures


def explained() -> list[str]:
    """The patterns of the page's table of differences."""
    table = re.search(
        r"<!-- classic-differences -->(.*?)<!-- /classic-differences -->", PAGE.read_text("utf-8"), re.DOTALL
    )
    assert table is not None
    return re.findall(r"^\| `(.+?)` \| \S", table[1], re.MULTILINE)


def realised(folder: Path, name: str, **options: object) -> Capture:
    old = read_old(folder / f"{name}_description.urdf")
    return assembly_of(old, name, Options(**options)).capture()  # type: ignore[arg-type]


def differences(fixtures: Path, name: str, work: Path, *arguments: str) -> list[str]:
    """The lines of `swgrm diff` between the old URDF and the export, and the findings of the settings."""
    folder = fixtures / "classic_exporter" / name
    urdf = folder / f"{name}_description.urdf"
    save(realised(folder, name, meshes=folder / "meshes"), work / f"{name}.swcap")
    made = swgrm("settings", work / f"{name}.swcap", "--from", urdf, *arguments)
    assert made.returncode == 0, made.stderr
    assert made.stdout.splitlines()[1:] == ["no findings"]
    swgrm("export", work / f"{name}.swcap", "-o", work / "out", "--format", "urdf")
    done = swgrm("diff", urdf, work / "out" / f"{name}_description.urdf", "--verbose")
    return done.stdout.splitlines()


def test_every_difference_is_explained_on_the_page(fixtures: Path, tmp_path: Path) -> None:
    patterns, used = explained(), set()
    for number, name in enumerate(ROBOTS):
        work = tmp_path / name
        work.mkdir()
        for line in differences(fixtures, name, work, *(["--masses"] if number else [])):
            fitting = [pattern for pattern in patterns if fnmatchcase(line, pattern)]
            assert len(fitting) == 1, line
            used.update(fitting)
    assert used == {*patterns}, "the page explains differences that do not exist"


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("ending", ["urdf", "csv"])
@pytest.mark.parametrize("systems", [True, False], ids=["drawn", "not drawn"])
def test_kinematics_and_inertials_are_the_same(
    fixtures: Path, name: str, ending: str, systems: bool, tmp_path: Path
) -> None:
    """With the exporter's coordinate systems in the assembly and without them, from its URDF and from its table."""
    folder = fixtures / "classic_exporter" / name
    capture = realised(folder, name, coordinate_systems=systems)
    source = Source(f"{name}.swcap", capture)
    done = migrate(read_old(folder / f"{name}_description.{ending}"), source, masses=True)
    assert not done.findings
    from swgrm_exporters.formats import write

    robot = understand(source, settings_from_text(tmp_path / "x.grm.yaml", done.text)).robot
    write(robot, tmp_path / "new.urdf")
    same = swgrm("diff", "--no-shapes", folder / f"{name}_description.urdf", tmp_path / "new.urdf")
    assert same.stdout == "the same\n"


def test_sw2robots_settings_give_its_tree(fixtures: Path) -> None:
    """The real file beside its graph: three components, one fixed joint, one hinge."""
    source = Source("fingertip.swcap", as_capture(graph(fixtures)))
    done = migrate(read_old(fixtures / "fingertip" / "fingertip.joints.yaml"), source)
    assert not done.findings
    robot = understand(source, settings_from_text(Path("x.grm.yaml"), done.text)).robot
    front, back = robot.frame("fingertip_front_2"), robot.frame("fingertip_back_1")
    assert (robot.root.id, front.parent, back.parent) == ("base_link", "base_link", "fingertip_front_2")
    assert (front.joint_name, back.joint_name) == (
        "screwlock_male_hard_jointbase_v4_1__fingertip_front_2",
        "fingertip_front_2__fingertip_back_1",
    )
