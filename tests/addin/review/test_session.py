"""A review without a browser: changes of the settings file, refusals, undo, orphans, and edits by others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.grm.inference.looking import at, bearing
from tests.grm.inference.test_mirror_images import ACROSS_X, image_of
from tests.lookups import joint_of, limits_of

from swgrm.capture import encode
from swgrm.errors import SwgrmError
from swgrm_addin.pipeline import read, understand
from swgrm_addin.review.changes import Edit, edited, flip, negated
from swgrm_addin.review.session import OrphanedSettings, ReviewSession
from swgrm_addin.settings_file import read_settings
from swgrm_exporters.formats import read as read_robot
from swgrm_mocks.builder import STEEL, Assembly, Part
from swgrm_mocks.solids import box, cylinder

TEXT = """# my arm
joints:
    forearm_joint:   # hits the cable
        upper: 45 deg   # measured

# the end
"""


@pytest.fixture(name="file")
def _file(tmp_path: Path) -> Path:
    path = tmp_path / "arm.grm.yaml"
    path.write_text(TEXT)
    return path


Opener = Callable[..., ReviewSession]


@pytest.fixture(name="reviewed")
def _reviewed() -> Iterator[Opener]:
    """Opens sessions, and closes them at the end of the test."""
    with ExitStack() as stack:

        def opened(source: str, settings: Path, folder: Path | None = None) -> ReviewSession:
            return stack.enter_context(closing(ReviewSession(source, settings, folder)))

        yield opened


def joint_in(model: dict[str, Any], name: str) -> dict[str, Any]:
    joint: dict[str, Any] = next(
        frame["joint"] for frame in model["scene"]["frames"] if frame.get("joint", {}).get("name") == name
    )
    return joint


def test_a_change_is_written_and_shown_and_every_other_byte_stays(file: Path, reviewed: Opener) -> None:
    session = reviewed("mock:arm", file)
    model = session.change([Edit(("joints", "forearm_joint", "upper"), "30 deg")])
    assert file.read_text() == TEXT.replace("45 deg", "30 deg")
    assert joint_in(model, "forearm_joint")["upper"] == pytest.approx(0.5235987755982988)
    assert (model["review"]["undo"], model["review"]["redo"]) == (1, 0)
    alone = understand(read("mock:arm"), read_settings(file)).robot
    assert limits_of(joint_of(alone, "forearm_joint"))[1] == pytest.approx(0.5235987755982988)


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (Edit(("joints", "forearm_joint", "upper"), "-999 deg"), "above its upper limit"),
        (Edit(("joints", "forearm_joint", "uper"), "1 deg"), "uper"),
        (Edit(("joints", "forearm_joint", "upper"), "1 kg"), "angle"),
        (Edit(("joints", "no_such_joint", "upper"), "1 deg"), "no_such_joint"),
        (Edit(("base", "root"), "no-such-part"), "no-such-part"),
        (Edit((), 1), "name of a setting"),
        (Edit(("nonsense",), {"a": 1}), "nonsense"),
    ],
)
def test_a_change_that_cannot_be_is_refused_and_nothing_changes(
    file: Path, reviewed: Opener, edit: Edit, sentence: str
) -> None:
    session = reviewed("mock:arm", file)
    before = session.model
    with pytest.raises(SwgrmError, match=sentence):
        session.change([edit])
    assert file.read_text() == TEXT
    assert session.model == before


def test_undo_and_redo_give_back_the_bytes_and_an_absent_file(tmp_path: Path, reviewed: Opener) -> None:
    file = tmp_path / "arm.grm.yaml"
    session = reviewed("mock:arm", file)
    texts = []
    for value in ("10 deg", "20 deg", "30 deg"):
        session.change([Edit(("joints", "forearm_joint", "upper"), value)])
        texts.append(file.read_text())
    for text in reversed([None, *texts[:-1]]):
        session.undo()
        assert (file.read_text() if file.exists() else None) == text
    with pytest.raises(SwgrmError, match="nothing to undo"):
        session.undo()
    for text in texts:
        session.redo()
        assert file.read_text() == text
    with pytest.raises(SwgrmError, match="nothing to redo"):
        session.redo()
    session.undo()
    session.change([Edit(("joints", "forearm_joint", "upper"), "5 deg")])
    assert session.model["review"]["redo"] == 0


def test_flip_keeps_the_range_where_it_is(file: Path, reviewed: Opener) -> None:
    session = reviewed("mock:arm", file)
    before = joint_in(session.model, "forearm_joint")
    after = joint_in(session.flip("forearm_joint"), "forearm_joint")
    assert (after["lower"], after["upper"]) == pytest.approx((-before["upper"], -before["lower"]))
    again = joint_in(session.flip("forearm_joint"), "forearm_joint")
    assert (again["lower"], again["upper"]) == pytest.approx((before["lower"], before["upper"]))
    assert again["axis"] == before["axis"]


@given(st.floats(-1e3, 1e3, allow_nan=False), st.sampled_from([" deg", " mm", "", " rad"]))
def test_negated_twice_is_the_same_quantity(value: float, unit: str) -> None:
    text = f"{value}{unit}"
    once = negated(text)
    assert float(str(once).removesuffix(unit) or 0) == -value
    assert float(str(negated(once)).removesuffix(unit)) == value


def test_flip_of_a_joint_without_settings_only_flips() -> None:
    assert flip({}, "elbow") == [Edit(("joints", "elbow", "flip"), True)]
    assert edited("", flip({}, "elbow")) == "joints:\n  elbow:\n    flip: true\n"
    with pytest.raises(SwgrmError, match="not a number"):
        flip({"joints": {"elbow": {"zero": "left"}}}, "elbow")


def test_a_change_that_orphans_settings_names_them_and_takes_them_along(file: Path, reviewed: Opener) -> None:
    session = reviewed("mock:arm", file)
    join = Edit(("links", "join"), [["upper_arm-1", "forearm-1"]])
    with pytest.raises(OrphanedSettings, match="forearm_joint") as caught:
        session.change([join])
    assert caught.value.orphans == (("joints", "forearm_joint"),)
    assert file.read_text() == TEXT
    model = session.change([join], with_orphans=True)
    assert "forearm_joint:" not in file.read_text()
    assert len([frame for frame in model["scene"]["frames"] if "joint" in frame]) == 5
    session.undo()
    assert file.read_text() == TEXT


def test_an_edit_by_another_program_is_taken_over_and_an_error_is_told_once(file: Path, reviewed: Opener) -> None:
    session = reviewed("mock:arm", file)
    assert not session.changed_outside()
    file.write_text(TEXT.replace("45", "20"))
    assert session.changed_outside()
    assert joint_in(session.model, "forearm_joint")["upper"] == pytest.approx(0.3490658503988659)
    file.write_text("joints: [")
    with pytest.raises(SwgrmError):
        session.changed_outside()
    assert not session.changed_outside()
    assert joint_in(session.model, "forearm_joint")["upper"] == pytest.approx(0.3490658503988659)
    file.unlink()
    assert session.changed_outside()
    assert joint_in(session.model, "forearm_joint")["upper"] > 1


def test_renamed_joints_keep_their_key_and_can_be_explained(tmp_path: Path, reviewed: Opener) -> None:
    session = reviewed("mock:arm", tmp_path / "arm.grm.yaml")
    model = session.change([Edit(("joints", "forearm_joint", "name"), "elbow")])
    assert model["review"]["keys"]["elbow"] == "forearm_joint"
    assert any("coincident" in line for line in session.explain("forearm_joint"))


def test_structural_changes_infer_anew_and_meshes_stay(tmp_path: Path, reviewed: Opener) -> None:
    session = reviewed("mock:arm", tmp_path / "arm.grm.yaml")
    meshes = dict(session.meshes)
    model = session.change([Edit(("base", "root"), "flange-1")])
    assert model["review"]["root"] == "flange-1"
    model = session.change([Edit(("links", "leaveOut"), ["ISO 4762 M6x20-1"])])
    assert "ISO 4762 M6x20-1" not in model["review"]["components"]
    drawn = [
        shape["mesh"]
        for frame in model["scene"]["frames"]
        for link in frame.get("links", [])
        for shape in link.get("visuals", [])
    ]
    assert set(drawn) <= set(session.meshes)
    assert set(meshes) <= set(session.meshes)
    ignored = next(mate["name"] for mate in model["review"]["mates"] if mate["type"] == "angle")
    model = session.change([Edit(("mates", "ignore"), [ignored])])
    assert ignored not in [mate["name"] for mate in model["review"]["mates"]]


def test_reviewed_is_kept_in_the_settings_and_changes_nothing_else(tmp_path: Path, reviewed: Opener) -> None:
    session = reviewed("mock:arm", tmp_path / "arm.grm.yaml")
    before = session.model["scene"]
    after = session.change([Edit(("joints", "forearm_joint", "reviewed"), True)])
    assert after["scene"] == before
    assert after["review"]["settings"]["joints"]["forearm_joint"]["reviewed"] is True


def test_export_writes_what_is_shown(tmp_path: Path, reviewed: Opener) -> None:
    session = reviewed("mock:arm", tmp_path / "arm.grm.yaml", tmp_path / "out")
    session.change([Edit(("joints", "forearm_joint", "upper"), "30 deg")])
    session.export()
    robot = read_robot(tmp_path / "out" / "arm.urdf")
    assert limits_of(joint_of(robot, "forearm_joint"))[1] == pytest.approx(0.5235987755982988)
    nowhere = reviewed("mock:arm", tmp_path / "other.grm.yaml")
    assert not nowhere.model["review"]["canExport"]
    with pytest.raises(SwgrmError, match="-o FOLDER"):
        nowhere.export()


def test_a_robot_file_can_be_reviewed_too(tmp_path: Path, reviewed: Opener) -> None:
    first = reviewed("mock:gripper", tmp_path / "g.grm.yaml", tmp_path / "out")
    first.export()
    session = reviewed(str(tmp_path / "out" / "gripper.urdf"), tmp_path / "gripper.grm.yaml")
    name = next(iter(first.understanding.robot.joints))
    model = session.change([Edit(("joints", name, "effort"), 5)])
    assert joint_in(model, name)["effort"] == 5
    assert session.meshes


def test_settings_that_remember_their_components_are_orphans_too(tmp_path: Path, reviewed: Opener) -> None:
    """What the page writes has `between`, so that a joint that is gone is no error; it is taken along all the same."""
    file = tmp_path / "arm.grm.yaml"
    text = "joints:\n  forearm_joint:\n    between: [upper_arm-1, forearm-1]\n    upper: 30 deg\n"
    file.write_text(text)
    session = reviewed("mock:arm", file)
    join = [Edit(("links", "join"), [["upper_arm-1", "forearm-1"]])]
    with pytest.raises(OrphanedSettings, match="`forearm_joint` would have nothing to apply to") as caught:
        session.change(join)
    assert caught.value.orphans == (("joints", "forearm_joint"),)
    assert file.read_text() == text
    session.change(join, with_orphans=True)
    assert "forearm_joint" not in file.read_text()
    session.undo()
    assert file.read_text() == text


def test_a_limit_needs_no_inference(tmp_path: Path, reviewed: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    session = reviewed("mock:arm", tmp_path / "arm.grm.yaml")
    monkeypatch.setattr("swgrm.inference.infer", lambda *_: pytest.fail("inferred anew"))
    between = Edit(("joints", "forearm_joint", "between"), ["upper_arm-1", "forearm-1"])
    session.change([between, Edit(("joints", "forearm_joint", "upper"), "20 deg")])
    assert joint_in(session.model, "forearm_joint")["upper"] == pytest.approx(0.3490658503988659)
    session.change([Edit(("joints", "forearm_joint", "name"), "elbow")])
    assert session.model["review"]["keys"]["elbow"] == "forearm_joint"


def test_links_and_sensors_can_be_orphans_too(tmp_path: Path, reviewed: Opener) -> None:
    session = reviewed("mock:arm", tmp_path / "arm.grm.yaml")
    session.change([Edit(("links", "rename", "flange"), "tip")])
    session.change([Edit(("sensors", "eye", "type"), "camera"), Edit(("sensors", "eye", "at"), "flange-1/tool0")])
    with pytest.raises(OrphanedSettings, match="`flange`, `eye` would have nothing"):
        session.change([Edit(("links", "leaveOut"), ["flange-1"])])
    session.change([Edit(("links", "leaveOut"), ["flange-1"])], with_orphans=True)
    text = (tmp_path / "arm.grm.yaml").read_text()
    assert "eye" not in text
    assert "tip" not in text


@pytest.mark.parametrize("source", ["mock:arm", "mock:traps", "mock:bad_day"])
def test_after_a_change_mass_and_findings_are_those_of_a_new_understanding(
    source: str, tmp_path: Path, reviewed: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = reviewed(source, tmp_path / "x.grm.yaml")
    with monkeypatch.context() as patched:
        patched.delattr("swgrm.mass.links.solid")  # no part is weighed again
        session.change([Edit(("robot", "name"), "other")])
    new = understand(read(source), read_settings(session.settings))
    assert session.understanding.robot == new.robot
    assert session.understanding.findings == new.findings


def test_parts_are_explained_and_guesses_about_them_corrected(tmp_path: Path, reviewed: Opener) -> None:
    """An arm that a screw clamps and a mirrored wheel: what the page offers for each changes the robot."""
    assembly = Assembly("cart")
    chassis = assembly.part(Part("chassis", box(0.3, 0.2, 0.1), STEEL)).fixed()
    screw = assembly.part(Part("ISO 4762 M6x20", cylinder(0.003, 0.02), STEEL).from_toolbox())
    arm = assembly.part(Part("arm", box(0.2, 0.05, 0.05), STEEL))
    bearing(assembly, chassis, screw, np.zeros(3))
    bearing(assembly, screw, arm, np.zeros(3))
    wheel = assembly.part(Part("wheel", cylinder(0.05, 0.02), STEEL), at(0.2))
    bearing(assembly, chassis, wheel, np.array([0.2, 0, 0]))
    assembly.part(wheel.file, image_of(wheel))  # type: ignore[arg-type] # a part
    assembly.mirror(ACROSS_X, wheel)
    (tmp_path / "cart.swcap").write_bytes(encode(assembly.capture()))
    session = reviewed(str(tmp_path / "cart.swcap"), tmp_path / "cart.grm.yaml")
    inference = session.understanding.inference
    assert inference is not None
    assert inference.mobility == 2
    assert session.model["review"]["images"] == {"wheel-2": False}
    assert any("only the fastener `ISO 4762 M6x20-1` ties them" in line for line in session.explain("arm-1"))
    model = session.change([Edit(("mirrors", "wheel-2"), "tied")])
    assert model["review"]["images"] == {"wheel-2": True}
    session.change([Edit(("fasteners", "ISO 4762 M6x20-1"), "pivot")])
    inference = session.understanding.inference
    assert inference is not None
    assert inference.mobility == 2  # the arm, and both wheels together
    assert "arm_joint" in session.understanding.robot.joints


# ---- the file belongs to the user


def renamed(text: str) -> str:
    """The text as a person changes it in an editor: another name of the robot, and a comment."""
    return text.replace("# my arm\n", "# my arm, measured again\nrobot: {name: typed}\n")


def test_undo_takes_back_the_change_and_keeps_what_was_typed_since(file: Path, reviewed: Opener) -> None:
    session = reviewed("mock:arm", file)
    session.change([Edit(("joints", "forearm_joint", "upper"), "30 deg")])
    session.change([Edit(("joints", "shoulder_joint", "flip"), True)])
    file.write_text(renamed(file.read_text()))
    assert session.changed_outside()
    for _ in range(2):
        session.undo()
    assert file.read_text() == renamed(TEXT)
    for _ in range(2):
        model = session.redo()
    assert "typed" in file.read_text()
    assert joint_in(model, "forearm_joint")["upper"] == pytest.approx(0.5235987755982988)
    assert model["review"]["settings"]["joints"]["shoulder_joint"] == {"flip": True}


def test_undo_of_the_change_that_made_the_file_keeps_what_was_typed_since(tmp_path: Path, reviewed: Opener) -> None:
    file = tmp_path / "arm.grm.yaml"
    session = reviewed("mock:arm", file)
    session.change([Edit(("joints", "forearm_joint", "upper"), "30 deg")])
    file.write_text(f"{file.read_text()}robot: {{name: typed}}\n")
    model = session.undo()
    assert model["review"]["settings"].get("joints") in (None, {})
    assert model["review"]["settings"]["robot"] == {"name": "typed"}


@pytest.mark.parametrize("step", ["change", "undo"])
def test_what_an_editor_saves_in_the_same_moment_is_kept(
    file: Path, reviewed: Opener, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    session = reviewed("mock:arm", file)
    edit = Edit(("joints", "forearm_joint", "upper"), "30 deg")
    if step == "undo":
        session.change([edit])
    understood = session._understood

    def saved_meanwhile(data: bytes | None) -> Any:
        result = understood(data)
        if "typed" not in file.read_text():
            file.write_text(renamed(file.read_text()))
        return result

    monkeypatch.setattr(session, "_understood", saved_meanwhile)
    if step == "change":
        session.change([edit])
        assert file.read_text() == renamed(TEXT.replace("45 deg", "30 deg"))
    else:
        session.undo()
        assert file.read_text() == renamed(TEXT)


def test_a_read_only_settings_file_is_refused(file: Path, reviewed: Opener) -> None:
    session = reviewed("mock:arm", file)
    file.chmod(0o444)
    with pytest.raises(SwgrmError, match="read-only"):
        session.change([Edit(("joints", "forearm_joint", "upper"), "30 deg")])
    assert file.read_text() == TEXT
