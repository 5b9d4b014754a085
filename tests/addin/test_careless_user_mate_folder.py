"""A mate folder in SolidWorks makes joints, for users who never open a settings file."""

from __future__ import annotations

import pytest
from msgspec.structs import astuple, replace

from swgrm.capture import Capture, Document
from swgrm.capture.anonymize import anonymized
from swgrm.errors import SettingsError
from swgrm.settings import MateSettings, Settings
from swgrm_addin.pipeline import Understanding, understand
from swgrm_mocks.samples import sample

ELBOW = ("Coincident12", "Concentric11")  # between upper arm and forearm


def with_folder(folder: str, *names: str) -> Capture:
    def document(old: Document) -> Document:
        return replace(old, mates=tuple(replace(m, folder=folder) if m.name in names else m for m in old.mates))

    capture = sample("arm")
    assert set(names) <= {mate.name for document in capture.documents for mate in document.mates}
    return replace(capture, documents=tuple(map(document, capture.documents)))


def moving(done: Understanding) -> set[str]:
    return {name for name, frame in done.robot.joints.items() if not frame.is_rigid}


@pytest.mark.parametrize("folder", ["joints", "Joints", "dof", "robot/joints/left"])
@pytest.mark.parametrize("names", [ELBOW, ELBOW[:1]])
def test_only_the_pairs_of_its_mates_are_joints(folder: str, names: tuple[str, ...]) -> None:
    plain = understand(sample("arm"))
    done = understand(with_folder(folder, *names))
    assert moving(done) == {"forearm_joint"}
    one, other = (each.robot.joints["forearm_joint"].joint for each in (plain, done))
    assert one is not None
    assert other is not None
    assert one.type == other.type
    assert astuple(one.limits)[:2] == pytest.approx(astuple(other.limits)[:2], abs=1e-12)
    (finding,) = (each for each in done.findings if each.code == "joint-folder")
    assert "the pairs of components of its mates (1) are joints" in finding.message


def test_another_folder_decides_nothing_unless_the_settings_name_it() -> None:
    capture = with_folder("elbow", *ELBOW)
    assert len(moving(understand(capture))) == 6
    assert moving(understand(capture, Settings(mates=MateSettings(folder="elbow")))) == {"forearm_joint"}
    with pytest.raises(SettingsError, match=r"There is no mate folder `elbw`\. Did you mean `elbow`"):
        understand(capture, Settings(mates=MateSettings(folder="elbw")))


def test_the_settings_can_switch_the_folder_off() -> None:
    off = Settings(mates=MateSettings(folder=""))
    assert len(moving(understand(with_folder("joints", *ELBOW), off))) == 6


def test_an_anonymous_capture_keeps_the_folder_that_makes_joints_and_no_other_name() -> None:
    anonymous = anonymized(with_folder("secret/joints", *ELBOW))
    folders = {mate.folder for document in anonymous.documents for mate in document.mates}
    assert folders == {"", "joints"}
    assert len(moving(understand(anonymous))) == 1
