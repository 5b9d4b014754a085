"""Wrong files, wrong assemblies and files of one's own: a sentence with a remedy, and nothing half-written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.addin.migration.test_migration_law import assert_same, codes, migrated, random_robot
from tests.classic import Options, assembly_of
from tests.classic_files import classic_csv, classic_urdf
from tests.commands import swgrm
from tests.docs.from_classic import FOLDER, arm, write
from tests.same_numbers import must_have_same_numbers, must_have_same_values

from swgrm.capture import load
from swgrm.errors import FileError
from swgrm.kinematics.pose_math import compose
from swgrm.model import Coupling, Dynamics, Inertial, JointType, Limits, Pose
from swgrm_addin.migration.migrating import migrate, read_old
from swgrm_addin.migration.old_robot import OldJoint, OldLink, old_robot
from swgrm_addin.sources import Source
from swgrm_exporters.yamltext import parse
from swgrm_mocks.builder import Assembly


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files of the documentation."""
    return Path(shutil.copytree(FOLDER, tmp_path / "files"))


def test_the_files_of_the_documentation_are_as_they_are_made(folder: Path, tmp_path: Path) -> None:
    write(tmp_path / "made")
    for file in (tmp_path / "made").iterdir():  # if one differs, run python -m tests.docs.from_classic
        kept = folder / file.name
        if file.suffix == ".swcap":
            must_have_same_values(load(file), load(kept))
        else:
            must_have_same_numbers(file.read_text("utf-8"), kept.read_text("utf-8"))


def refused(folder: Path, old: str | Path, *more: str) -> str:
    """The sentence of a refusal; no file was written or changed."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    done = swgrm("settings", folder / "arm.swcap", "--from", old, *more)
    assert done.returncode == 2, done.stdout
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    return done.stderr


BROKEN_CSV = {
    "another table": ("a,b\n1,2\n", "no column `Link Name`"),
    "empty": ("", "no links"),
    "a word for a number": (classic_csv(arm()).replace(",40,1.5,", ",x,1.5,"), "`x` in the column Limit Effort"),
    "a missing link": (classic_csv(arm()).replace("fore_link", "gone_link", 1), "parent `fore_link` of `slide_link`"),
    "a name twice": (classic_csv(arm()).replace("\nslide_link", "\nfore_link"), "two links are called `fore_link`"),
    "a joint twice": (classic_csv(arm()).replace(",elbow,", ",shoulder,"), "are both called `shoulder`"),
    "a huge cell": (classic_csv(arm()).replace("arm-1", "a" * 200_000, 1), "line 3: it is not a table"),
    "two roots": (classic_csv(arm()).replace(",upper_link,0,0,-1", ",,0,0,-1"), "2 links"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "words"), BROKEN_CSV.values(), ids=BROKEN_CSV)
def test_a_broken_table_is_refused(folder: Path, text: str, words: str) -> None:
    (folder / "broken.csv").write_text(text, "utf-8", newline="")
    assert words in refused(folder, folder / "broken.csv")


def test_wrong_files_are_refused(folder: Path) -> None:
    (folder / "broken.urdf").write_text(classic_urdf(arm())[:800], "utf-8")
    (folder / "list.yaml").write_text("- 1\n", "utf-8")
    (folder / "tab.yaml").write_text("base:\n\tx", "utf-8")
    (folder / "child.yaml").write_text("base: column_1\njoints:\n  - parent: column_1\n", "utf-8")
    (folder / "text.yaml").write_text(
        "base: column_1\njoints:\n  - {parent: column_1, child: arm_1, type: revolute, lower: low}\n", "utf-8"
    )
    (folder / "axis.yaml").write_text(
        "base: column_1\njoints:\n  - {parent: column_1, child: arm_1, axis_dir: [1, 2]}\n", "utf-8"
    )
    (folder / "names.yaml").write_text("base: column_1\nlink_names: [a]\njoints: []\n", "utf-8")
    for old, words in {
        "arm.swcap": "Name a URDF", "missing.urdf": "no such file", "broken.urdf": "not XML", "list.yaml": "no `base`",
        "tab.yaml": "tab", "child.yaml": "joint 1", "text.yaml": "`lower: low` is not a number",
        "axis.yaml": "`axis_dir` is not three numbers", "names.yaml": "`link_names`",
    }.items():  # fmt: skip
        assert words in refused(folder, folder / old), old
    assert "--masses needs --from" in swgrm("settings", folder / "arm.swcap", "--masses").stderr
    assert "--from is empty" in swgrm("settings", folder / "arm.swcap", "--from", "").stderr
    assert (
        "robot file"
        in swgrm("settings", folder / "arm_description.urdf", "--from", folder / "arm_description.urdf").stderr
    )


def test_the_robot_of_another_assembly_is_refused_with_both_names(folder: Path) -> None:
    done = swgrm("settings", "mock:lead_screw", "--from", folder / "arm_description.csv", "-o", folder / "x.yaml")
    assert done.returncode == 2
    assert "its components are column-1, arm-1" in done.stderr
    assert "the assembly has carriage-1" in done.stderr
    assert not (folder / "x.yaml").exists()


def test_an_unknown_component_is_a_finding_with_the_nearest_name(folder: Path) -> None:
    text = classic_csv(arm()).replace(",slide-1,", ",slyde-1,")
    (folder / "old.csv").write_text(text, "utf-8", newline="")
    done = swgrm("settings", folder / "arm.swcap", "--from", folder / "old.csv")
    assert done.returncode == 0
    assert "`slyde-1`" in done.stdout
    assert "Did you mean `slide-1`?" in done.stdout
    assert "leaveOut: [slide-1" not in (folder / "arm.grm.yaml").read_text("utf-8")


def test_a_settings_file_of_ones_own_is_kept(folder: Path) -> None:
    own = folder / "arm.grm.yaml"
    text = "# mine\nrobot:   {name: mine}  # keep\njoints:\n    arm_1_joint: {name: schulter, lower: -1}\r\n"
    own.write_text(text, "utf-8", newline="")
    assert "--complete" in refused(folder, folder / "arm_description.urdf")
    done = swgrm("settings", folder / "arm.swcap", "--from", folder / "arm_description.urdf", "--complete", "--masses")
    assert done.returncode == 0, done.stderr
    new = own.read_bytes().decode()
    assert new.startswith("# mine\nrobot:   {name: mine}  # keep\n")
    assert "{name: schulter, lower: -1, " in new
    for kept in ("robot.name", "joints.arm_1_joint.name", "joints.arm_1_joint.lower"):
        assert f"setting {kept}" in done.stdout
    again = swgrm("settings", folder / "arm.swcap", "--from", folder / "arm_description.urdf", "--complete", "--masses")
    assert again.returncode == 0
    assert own.read_bytes().decode() == new


def test_without_a_file_the_settings_are_printed(folder: Path) -> None:
    done = swgrm("settings", "mock:lead_screw", "--from", folder / "arm.joints.yaml")
    assert done.returncode == 2
    (folder / "x.csv").write_text(
        "Link Name,Parent,Joint Name,Joint Type,SW Components\nframe_link,,,,frame-1\n"
        "slider,frame_link,s,prismatic,carriage-1\n", "utf-8",
    )  # fmt: skip
    printed = swgrm("settings", "mock:lead_screw", "--from", folder / "x.csv")
    assert printed.returncode == 0
    assert "rename:\n    base: frame_link\n" in printed.stdout
    assert "old-left-out" in printed.stderr


def test_spreadsheets_may_have_saved_the_table(folder: Path) -> None:
    """Semicolons, decimal commas, a byte-order mark."""
    import csv
    import io

    rows = csv.reader(io.StringIO(classic_csv(arm())))
    text = "\r\n".join(";".join(cell.replace(".", ",") for cell in row) for row in rows)
    (folder / "german.csv").write_text(text, "utf-8-sig", newline="")
    assert read_old(folder / "german.csv").links == read_old(folder / "arm_description.csv").links


def test_joints_without_names_keep_their_numbers_and_get_no_names(folder: Path) -> None:
    text = classic_csv(arm())
    for name in ("shoulder", "reach", "camera_mount"):
        assert f",{name}," in text
        text = text.replace(f",{name},", ",,")
    (folder / "unnamed.csv").write_text(text, "utf-8", newline="")
    settings = {}
    for file in ("arm_description.csv", "unnamed.csv"):
        done = migrate(read_old(folder / file), Source("arm", load(folder / "arm.swcap")))
        settings[file] = parse(done.text)["joints"]
    named, unnamed = settings.values()
    assert {each.pop("name", None) for each in named.values()} == {"shoulder", "elbow", "reach", None}
    assert {each.pop("name", None) for each in unnamed.values()} == {"elbow", None}
    assert unnamed.pop("slide_link__camera_link") == named.pop("camera_mount")  # without a mate: it must have a name
    assert unnamed == named


def test_another_table_beside_a_urdf_is_not_used(folder: Path) -> None:
    alone = folder / "alone.urdf"
    alone.write_text(classic_urdf(arm()), "utf-8")
    expected = read_old(alone).links
    for text in ("time,torque\n0,1\n", "", "x" * 200_000):
        (folder / "alone.csv").write_text(text, "utf-8")
        assert read_old(alone).links == expected
    (folder / "alone.csv").write_text(classic_csv(arm()), "utf-8", newline="")
    assert read_old(alone).knows_components


# ---- where the mates do not agree


def test_limits_type_and_axis_that_differ_are_findings_with_both_values() -> None:
    old = random_robot(1)
    moving = next(link for link in old.links if link.joint and link.joint.type != "fixed")
    assert moving.joint is not None
    assembly = assembly_of(old)

    def with_joint(joint: OldJoint) -> list[str]:
        links = tuple(link._replace(joint=joint) if link.name == moving.name else link for link in old.links)
        done, _ = migrated(old._replace(links=links), assembly.capture())
        return [finding.message for finding in done.findings if finding.where == f"joint {joint.name}"]

    axis = {(1.0, 0.0, 0.0): (0.0, 1.0, 0.0)}.get(moving.joint.axis or (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert any("90° and" in text for text in with_joint(moving.joint._replace(axis=axis)))
    kind = "continuous" if moving.joint.type == "prismatic" else "prismatic"
    assert any(f"{kind} in the old robot" in text for text in with_joint(moving.joint._replace(type=kind)))
    assert any("planar in the old robot" in text for text in with_joint(moving.joint._replace(type="planar")))
    follows = moving.joint._replace(coupling=Coupling("nobody"))
    if moving.joint.type != "fixed":
        assert any("`nobody`, which was not found" in text for text in with_joint(follows))


def test_a_base_that_has_changed_is_found_by_its_coordinate_system_and_joints() -> None:
    """The column was made heavier on one side since: its frame is still that of the old robot."""
    old = arm()
    root = old.root
    assert root.inertial is not None
    heavier = root._replace(inertial=Inertial(root.inertial.mass, (0.02, 0.01, 0.1), root.inertial.tensor))
    done, robot = migrated(old, assembly_of(old._replace(links=(heavier, *old.links[1:]))).capture())
    assert_same(old, robot)
    assert codes(done) == {"old-mass"}
    elsewhere = assembly_of(old._replace(links=(heavier._replace(coordinate_system=""), *old.links[1:])))
    blind = old._replace(links=(root._replace(coordinate_system=""), *old.links[1:]))
    assert "old-base" in codes(migrated(blind, elsewhere.capture())[0])


def test_limits_of_mates_are_compared() -> None:
    """The carriage has a limit mate from -100 to 200 mm; the old robot counts the other way, and has other limits."""
    from swgrm_addin.pipeline import read

    source = read("mock:lead_screw")

    def of(limits: Limits) -> set[str]:
        joint = OldJoint("s", "prismatic", limits=limits, direction=(-1.0, 0.0, 0.0), dynamics=Dynamics(0.1, 0.2))
        links = [OldLink("frame", components=("frame-1",)), OldLink("slider", "frame", joint, ("carriage-1",)),
                 OldLink("screw", "frame", OldJoint("t", "continuous"), ("lead_screw-1",))]  # fmt: skip
        done = migrate(old_robot("x", "x", links), source)
        assert "flip: true" in done.text
        assert "damping: 0.1" in done.text
        return {
            finding.message for finding in done.findings if finding.code == "old-limits" and "joint s" in finding.where
        }

    assert not of(Limits(-0.2, 0.1))
    assert any("are -0.3 to 0.1, those of the mates -0.2 to 0.1" in text for text in of(Limits(-0.3, 0.1)))
    assert any("are none, those of the mates" in text for text in of(Limits()))


def test_one_link_of_parts_that_move_is_joined_and_reported() -> None:
    old = random_robot(3)
    first, *rest = old.links
    child = next(link for link in rest if link.joint and link.joint.type != "fixed" and link.parent == first.name)
    others = [
        link._replace(parent=first.name) if link.parent == child.name else link for link in rest if link is not child
    ]
    both = first._replace(components=(*first.components, *child.components), inertial=None)
    done = migrate(
        old_robot("x", "x", [both, *others])._replace(numbers_are_current=False),
        Source("a", assembly_of(old).capture()),
    )
    assert "old-link-split" in {finding.code for finding in done.findings}
    assert f"join: [[{', '.join(both.components)}" in done.text


def test_a_joint_in_what_is_one_body_is_defined() -> None:
    """The old robot turns where the mates of today hold: its numbers define the joint."""
    old = random_robot(1)
    name = next(link.name for link in old.links if link.joint and link.joint.type in ("continuous", "revolute"))
    held = old._replace(
        links=tuple(
            link._replace(joint=link.joint._replace(type="fixed")) if link.name == name and link.joint else link
            for link in old.links
        )
    )
    done, robot = migrated(old, assembly_of(held).capture())
    assert "old-type" in codes(done)
    found = robot.frame(name).joint
    assert found is not None
    assert found.type is JointType.REVOLUTE


@pytest.mark.parametrize("place", [(0.1, 0.3, 0.2), (0.0, 0.2, 0.0)], ids=["elsewhere", "on the same axis"])
def test_twins_are_told_apart_by_their_places_or_ambiguous(place: tuple[float, float, float]) -> None:
    """Two equal parts on the same parent, and names that tell nothing."""
    old = arm()
    base, upper = old.links[:2]
    assert upper.joint is not None
    assert upper.joint.origin is not None
    joint = upper.joint._replace(name="twin", origin=compose(upper.joint.origin, Pose(place)))
    twin = upper._replace(name="twin_link", joint=joint, components=("arm-2",), coordinate_system="")
    pair = old_robot("x", "x", [base, upper._replace(coordinate_system=""), twin])
    capture = assembly_of(pair).capture()
    blind = pair._replace(links=tuple(link._replace(components=()) for link in pair.links))
    done, robot = migrated(blind, capture)
    assert_same(pair, robot)
    assert not codes(done)
    without = blind._replace(numbers_are_current=False)
    found = [each for each in migrate(without, Source("a", capture)).findings if each.code == "old-link-ambiguous"]
    assert [finding.where for finding in found] == ["link upper_link", "link twin_link"]
    assert all("arm-1, arm-2" in finding.message for finding in found)


def test_a_root_without_parts_is_urdfs_empty_link() -> None:
    old = arm()
    base, *rest = old.links
    below = base._replace(parent="world", joint=OldJoint("world_joint", "fixed", Pose()))
    done, robot = migrated(old_robot("x", "x", [OldLink("world"), below, *rest]), assembly_of(old).capture())
    assert_same(old._replace(name="x"), robot)
    assert "dummyRoot: world" in done.text


def test_a_frame_without_parts_is_a_coordinate_system_or_a_finding() -> None:
    old = arm()
    tool = OldLink(
        "tool", "slide_link", OldJoint("tool_joint", "fixed", old.links[1].joint and old.links[1].joint.origin)
    )
    more = old_robot(
        old.name, old.source, [*old.links, tool, tool._replace(name="other", joint=OldJoint("o", "fixed"))]
    )
    assembly: Assembly = assembly_of(old, options=Options())
    assembly.coordinate_system("tool", assembly.children[0].T_assembly_self)
    done, robot = migrated(more, assembly.capture())
    assert "tool" in robot.by_id
    assert [finding.where for finding in done.findings if finding.code == "old-frame-link"] == ["link other"]


def test_parts_of_unknown_mass_are_matched_by_the_tree() -> None:
    old = random_robot(5)
    blind = old._replace(links=tuple(link._replace(components=()) for link in old.links))
    weightless = old._replace(links=tuple(link._replace(inertial=None) for link in old.links))
    done = migrate(blind, Source("a", assembly_of(weightless).capture()))
    assert done.links >= 1


def test_names_in_any_script_and_of_any_case_are_matched() -> None:
    old = arm()
    names = {
        "base_link": "Säule",
        "upper_link": "腕",
        "fore_link": "Arm (2)",
        "slide_link": "SLIDE",
        "camera_link": "cam",
    }
    links = [link._replace(components=(f"{names[link.name]}-1",)) for link in old.links]
    capture = assembly_of(old_robot(old.name, old.source, links)).capture()
    spelt = [link._replace(components=(link.components[0].lower().replace(" ", "_"),)) for link in links]
    done, _ = migrated(old_robot(old.name, old.source, spelt), capture)
    assert done.links == 5
    assert not codes(done)


def test_every_link_must_have_one_place() -> None:
    with pytest.raises(FileError, match="its own ancestor"):
        old_robot("x", "x", [OldLink("a"), OldLink("b", "c"), OldLink("c", "b")])
    with pytest.raises(FileError, match="every link has a parent"):
        old_robot("x", "x", [OldLink("b", "c"), OldLink("c", "b")])
    with pytest.raises(FileError, match="no name"):
        old_robot("x", "x", [OldLink("")])
    with pytest.raises(FileError, match="Did you mean `base_link`"):
        old_robot("x", "x", [OldLink("base_link"), OldLink("b", "base_lnk")])
