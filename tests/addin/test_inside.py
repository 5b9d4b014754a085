"""The add-in's buttons and automation on the mock in memory: what they do and show, and how they handle errors."""

from __future__ import annotations

import gc
import json
import re
import sys
import tempfile
import weakref
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.addin.inside import Bench, arm
from tests.addin.living import Collecting, living_objects

from swgrm.capture import Capture, decode, encode, load, save
from swgrm.errors import Cancelled, FileError, SolidWorksError, SwgrmError
from swgrm.findings import Finding, Result, Severity
from swgrm.processes.limits import ChildLimits
from swgrm.solidworks.swconst import swDocumentTypes_e
from swgrm.solidworks.swconst_calls import swMessageBoxBtn_e, swMessageBoxResult_e
from swgrm_addin.inside import messages, ribbon, subprocess_runner, working_capture
from swgrm_addin.inside.addin_folders import LOG_COUNT, close_log
from swgrm_addin.inside.commands import COMMANDS, Command
from swgrm_addin.inside.programs import AUTOMATION
from swgrm_addin.reader import read
from swgrm_exporters.formats import FORMATS
from swgrm_mocks.solidworks import Fault
from swgrm_mocks.solidworks.application import CommandGroup, CommandManager, CommandTabBox, ProgressBar

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the subprocesses are scripts of a POSIX system")

BUTTONS = [command.callback for command in COMMANDS]
YES_NO, YES_NO_CANCEL = swMessageBoxBtn_e.swMbYesNo, swMessageBoxBtn_e.swMbYesNoCancel
YES, CANCEL = swMessageBoxResult_e.swMbHitYes, swMessageBoxResult_e.swMbHitCancel
NO = swMessageBoxResult_e.swMbHitNo


def icon(command: Command) -> int:
    """The number of a command's icon; one in the menu only has that of another command."""
    return [each.callback for each in COMMANDS if not each.icon].index(command.icon or command.callback)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    bench = Bench(tmp_path, arm(tmp_path, monkeypatch))
    bench.behave("good")
    before = bench.world.state()
    yield bench
    bench.session.runner.stop()
    bench.session.review.stop()
    close_log()
    assert bench.world.state() == before, "SolidWorks is not as it was"
    assert bench.children() == [], "a child process was left behind"
    assert not list(bench.folders.work.glob("*")), "a capture was left behind"


def test_connecting_registers_the_commands_and_disconnecting_removes_them(bench: Bench) -> None:
    callbacks = object()
    for _ in range(2):  # also a second time, when SolidWorks remembers the group and the tabs
        bench.session.connect(7, callbacks)
        manager = bench.world.commands
        group = manager.groups[ribbon.GROUP]
        assert bench.world.callbacks is callbacks
        assert [item["callback"] for item in group.items] == BUTTONS
        assert [item["image"] for item in group.items] == [icon(command) for command in COMMANDS]
        assert [item["menu"] for item in group.items] == [
            ribbon.MENU_ONLY if c.icon else ribbon.EVERYWHERE for c in COMMANDS
        ]
        assert [item["id"] for item in group.items] == list(range(1, len(BUTTONS) + 1))
        assert {item["enable"] for item in group.items} < set(bench.session.callbacks())
        assert group.active
        assert group.settings["HasMenu"]
        for kind in (swDocumentTypes_e.swDocASSEMBLY, swDocumentTypes_e.swDocPART):
            (box,) = manager.tabs[kind, ribbon.TITLE].boxes
            shown = [group.CommandID(n) for n, command in enumerate(COMMANDS) if not command.icon]
            assert [number for number, _ in box.commands] == shown
        tabs = dict(manager.tabs)
        bench.session.disconnect(7)
        assert not manager.groups
        assert manager.tabs == tabs  # the user may have moved them
        assert manager.registry == {ribbon.GROUP: tuple(range(1, len(BUTTONS) + 1))}
    assert bench.world.messages == []


def test_a_session_is_released_with_its_last_reference(bench: Bench, tmp_path: Path) -> None:
    """Without the garbage collector: SolidWorks releases the callbacks after it has unloaded the add-in."""
    made = bench.new_session()
    callbacks = made.callbacks()
    made.connect(7, callbacks)
    made.programs.queue_capture("", str(tmp_path / "x.swcap"))
    for _ in range(3):
        bench.ui.wait()
    assert (tmp_path / "x.swcap").exists()
    made.disconnect(7)
    reference = weakref.ref(made)
    gc.disable()
    try:
        bench.world.callbacks = None
        del made, callbacks
        assert reference() is None
    finally:
        gc.enable()


def test_the_icons_that_the_ribbon_names_are_there(bench: Bench) -> None:
    bench.session.connect(7, object())
    settings = bench.world.commands.groups[ribbon.GROUP].settings
    for name in ("IconList", "MainIconList"):
        assert len(settings[name]) == len(ribbon.SIZES)
        assert all(Path(file).is_file() for file in settings[name])


def test_the_stored_layout_is_ignored_once_for_each_version_and_if_it_has_other_commands(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    ignored: list[bool] = []
    original = CommandManager.CreateCommandGroup2

    def recorded(manager: CommandManager, *args: Any) -> tuple[CommandGroup, int]:
        ignored.append(args[5])
        return original(manager, *args)

    monkeypatch.setattr(CommandManager, "CreateCommandGroup2", recorded)
    bench.session.connect(7, object())
    bench.session.connect(7, object())
    bench.session = bench.new_session()
    bench.session.connect(7, object())
    assert ignored == [True, False, False]
    monkeypatch.setattr(ribbon, "__version__", "99.0")
    bench.session.connect(7, object())
    bench.world.commands.registry[ribbon.GROUP] = (0, 1)
    bench.session.connect(7, object())
    bench.session.connect(7, object())
    assert ignored[3:] == [True, True, False]


def test_the_stored_layout_of_other_commands_is_removed_with_the_group(bench: Bench) -> None:
    bench.session.connect(7, object())
    bench.world.commands.registry[ribbon.GROUP] = (0, 1)
    bench.session.disconnect(7)
    assert bench.world.commands.registry == {}


@given(st.lists(st.sampled_from([*BUTTONS, "Other", "SelfTest"]), unique=True))
def test_other_commands_have_another_group(callbacks: list[str]) -> None:
    assert (ribbon.group_id(callbacks) == ribbon.GROUP) == (callbacks == BUTTONS)
    assert ribbon.group_id(callbacks) in range(ribbon.FIRST_GROUP, ribbon.FIRST_GROUP + ribbon.GROUPS)


@pytest.mark.parametrize(
    ("member", "has_menu", "tabs"),
    [
        ("ICommandManager.CreateCommandGroup2", False, 0),
        ("ICommandManager.AddCommandTab", True, 0),
        ("ICommandTabBox.AddCommands", True, 2),
        ("ICommandGroup.IconList", True, 2),
        ("ICommandGroup.HasToolbar", True, 2),
        ("ISldWorks.GetCommandManager", False, 0),
    ],
)
def test_a_ribbon_that_fails_is_shown_once_and_the_rest_of_the_add_in_works(
    bench: Bench, member: str, has_menu: bool, tabs: int
) -> None:
    bench.world.connection.faults = [Fault(1, times=10**6, member=member)]
    for _ in range(2):
        bench.session.connect(7, object())
        bench.ui.wait()
        bench.ui.wait()
        bench.session = bench.new_session()
    (message,) = bench.world.messages
    assert member in message
    assert str(bench.folders.log) in message
    assert bench.log().count(f"{member} reported 0x80004005") >= 2
    assert any(group.settings.get("HasMenu") for group in bench.world.commands.groups.values()) == has_menu
    assert len(bench.world.commands.tabs) == tabs
    bench.press("Help")
    assert len(bench.world.messages) == 2


def test_a_tab_whose_boxes_cannot_be_removed_is_replaced(bench: Bench) -> None:
    bench.session.connect(7, object())
    bench.world.connection.faults = [Fault(1, times=10**6, member="ICommandTab.RemoveCommandTabBox")]
    bench.session.connect(7, object())
    assert [len(tab.boxes) for tab in bench.world.commands.tabs.values()] == [1, 1]
    assert bench.world.messages == []


def test_a_document_in_a_folder_that_cannot_be_written_is_exported_to_the_users_own(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Libraries on a network and files in a vault can often only be read."""

    def refuse(*, dir: Path) -> None:  # noqa: A002 - the name in tempfile
        raise PermissionError(13, "Permission denied", str(dir))

    home = tmp_path / "home"
    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    monkeypatch.setattr(Path, "home", lambda: home)
    bench.press("ExportGRM")
    assert bench.jobs()[0]["default_folder"] == str(home / "swgrm" / "arm_grm")
    (home / "Documents").mkdir(parents=True)
    bench.behave("report")
    bench.world.button_answers[YES_NO] = YES
    bench.press("SaveCapture")
    (report,) = saved_reports(home / "Documents" / "swgrm")
    assert str(report) in bench.world.messages[-1]


def test_export_writes_beside_the_document_and_shows_a_summary(bench: Bench, tmp_path: Path) -> None:
    bench.press("ExportGRM")
    (job,) = bench.jobs()
    folder = job["default_folder"]
    assert (job["type"], Path(job["source"]).name, folder) == ("export", "arm.swcap", f"{tmp_path}/arm_grm")
    assert (job["folder"], job["formats"], job["settings"], job["edited"]) == ("", [], "", "refuse")
    (words,) = Path(f"{bench.python}.arguments").read_text().splitlines()
    assert json.loads(words) == ["-P", "-X", "utf8", "-m", "swgrm_addin.job_program"]
    (message,) = bench.world.messages
    for part in ("arm was exported", "3 links", "1 moving joint (1 revolute)", "1 sensor", "2.5 kg", "arm.urdf",
                  "1 finding needs attention", "elbow: It has no limits.", folder, "Open the folder now?"):  # fmt: skip
        assert part in message
    assert bench.ui.opened == []
    assert bench.world.progress.positions[-1] <= 100


def test_how_long_solidworks_waited_is_logged_and_shown(bench: Bench) -> None:
    bench.press("ExportGRM")
    waited = r"SolidWorks waited \d+\.\d\d s: \d+\.\d\d s for reading, \d+\.\d\d s for saving"
    assert re.search(rf"arm\.SLDASM: 2 components, \d{{3}} calls\. {waited}", bench.log())
    assert re.search(waited, bench.world.messages[-1])


def test_the_user_is_asked_before_edited_files_are_replaced(bench: Bench) -> None:
    bench.behave("edited")
    bench.press("ExportGRM")
    (question,) = bench.world.messages
    assert "arm_grm: files were edited, or not written by swgrm (1): arm.urdf." in question
    assert "Export anyway? A copy of each of them is kept as NAME.bak." in question
    assert len(bench.jobs()) == 1
    assert "Exporting arm failed" not in bench.log()
    bench.world.button_answers[YES_NO] = YES
    bench.press("ExportGRM")
    assert [job["edited"] for job in bench.jobs()] == ["refuse", "refuse", "keep"]
    assert "arm was exported" in bench.world.messages[-1]


def test_findings_about_a_format_that_nobody_named_are_not_shown() -> None:
    assert set(messages.COUNTED_FORMATS) == {form.name for form in FORMATS.values() if form.is_counted}
    found = Finding(Severity.WARNING, "robotinfo-coupling", "joint a", "It is passive.")
    assert messages.needs_attention([found]) != ""
    assert messages.needs_attention([replace(found, format="robotinfo")]) == ""


def test_an_export_with_errors_is_not_a_failure(bench: Bench) -> None:
    bench.behave("errors")
    bench.press("ExportGRM")
    (message,) = bench.world.messages
    assert message.startswith("arm was exported with errors.")


def test_the_folder_opens_on_request_and_is_used_again(bench: Bench, tmp_path: Path) -> None:
    bench.world.button_answers[YES_NO] = YES
    bench.session.programs.export("", str(tmp_path / "elsewhere ü"))
    assert bench.jobs()[-1]["folder"] == str(tmp_path / "elsewhere ü")
    bench.press("ExportGRM")
    assert bench.jobs()[-1]["folder"] == ""
    assert bench.jobs()[-1]["default_folder"] == str(tmp_path / "elsewhere ü")
    assert bench.ui.opened == [tmp_path / "elsewhere ü"]
    assert "OpenLastExport" in bench.enabled()
    bench.session = bench.new_session()
    bench.press("OpenLastExport")
    assert "does not exist any more" in bench.world.messages[-1]
    (tmp_path / "elsewhere ü").mkdir()
    bench.press("OpenLastExport")
    assert bench.ui.opened[-1] == tmp_path / "elsewhere ü"


def test_the_last_folder_is_not_used_if_its_parent_does_not_exist(bench: Bench, tmp_path: Path) -> None:
    bench.session.programs.export("", str(tmp_path / "stick" / "out"))
    bench.press("ExportGRM")
    assert bench.jobs()[-1]["default_folder"] == f"{tmp_path}/arm_grm"


def test_settings_are_written_on_the_first_press_opened_on_each_and_used(bench: Bench, tmp_path: Path) -> None:
    file = tmp_path / "arm.grm.yaml"
    bench.behave("quiet")
    bench.press("Settings")
    assert (bench.jobs()[-1]["type"], bench.jobs()[-1]["file"]) == ("settings", str(file))
    assert bench.ui.opened == [file]
    file.write_text("")
    bench.press("Settings")
    assert len(bench.jobs()) == 1
    assert bench.ui.opened == [file, file]
    bench.behave("good")
    bench.press("ExportGRM")
    assert bench.jobs()[-1]["settings"] == str(file)


def test_check_shows_the_findings(bench: Bench) -> None:
    bench.behave("findings")
    bench.press("Check")
    bench.behave("quiet")
    bench.press("Check")
    assert "arm: No." in bench.world.messages[0]
    assert "no problems were found" in bench.world.messages[1]


def saved_reports(folder: Path) -> list[Path]:
    return sorted(folder.glob("swgrm-report-*.zip"))


def capture_in(report: Path) -> Capture:
    with zipfile.ZipFile(report) as archive:
        return decode(archive.read("capture.swcap"))


def test_a_report_is_shown_and_saved_with_or_without_names(bench: Bench, tmp_path: Path) -> None:
    bench.session.runner.python = Path(sys.executable)
    bench.press("SaveCapture")
    assert "capture.swcap: what swgrm reads of the assembly, with its names and shapes" in bench.world.messages[-1]
    assert saved_reports(tmp_path) == [], "nothing is saved without consent"
    bench.world.button_answers |= {YES_NO: YES, YES_NO_CANCEL: YES}
    bench.press("SaveCapture")
    assert "log.txt: the end of the add-in's log" in bench.world.messages[-2]
    (report,) = saved_reports(tmp_path)
    assert bench.world.messages[-1].startswith(f"Saved {report}.")
    assert capture_in(report).anonymized
    assert not bench.folders.report.exists()
    bench.world.button_answers[YES_NO_CANCEL] = CANCEL
    bench.press("SaveCapture")
    assert saved_reports(tmp_path) == [report]


def test_help_shows_the_path_of_the_log(bench: Bench) -> None:
    bench.press("Help")
    assert str(bench.folders.log) in bench.world.messages[0]


def test_buttons_are_available_only_under_their_conditions(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    assert bench.enabled() == set(BUTTONS) - {"OpenLastExport"}
    assert bench.world.active is not None
    document = type(bench.world.active)
    with monkeypatch.context() as patched:
        patched.setattr(document, "GetPathName", lambda _: "")
        assert bench.enabled() == {"Check", "Help", "SelfTest"}
    with monkeypatch.context() as patched:
        patched.setattr(document, "GetType", lambda _: int(swDocumentTypes_e.swDocDRAWING))
        assert bench.enabled() == {"Help", "SelfTest"}
    with monkeypatch.context() as patched:
        patched.setattr(bench.world, "active", None)
        assert bench.enabled() == {"Help", "SelfTest"}


def test_while_one_export_runs_no_other_can_start(bench: Bench) -> None:
    bench.behave("hung")
    bench.session.callbacks()["ExportGRM"]()
    assert bench.enabled() == {"ExportGRM", "Help"}  # the former cancels
    bench.session.callbacks()["Check"]()
    assert "still busy (Exporting arm" in bench.world.messages[-1]
    with pytest.raises(SolidWorksError, match="still busy"):
        bench.session.programs.export("", "")
    bench.session.runner.stop()
    assert "ExportGRM" in bench.enabled()


def test_a_double_click_is_one_click(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second click arrives when the command has ended, or inside it, when SolidWorks updates its progress bar."""
    bench.session.double_click = 60.0
    press = bench.session.callbacks()["ExportGRM"]
    original = ProgressBar.UpdateProgress
    nested: list[object] = []

    def update(bar: ProgressBar, position: int) -> int:
        nested.append(press())
        return original(bar, position)

    monkeypatch.setattr(ProgressBar, "UpdateProgress", update)
    press()
    press()
    assert bench.enabled() == {"ExportGRM", "Help"}
    bench.session.runner.wait()
    assert nested
    assert len(bench.jobs()) == len(bench.world.messages) == 1
    assert bench.log().count("pressed again: Export GRM") == len(nested) + 1


def test_while_a_document_is_read_no_other_is(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = ProgressBar.UpdateProgress
    available: list[set[str]] = []

    def update(bar: ProgressBar, position: int) -> int:
        if not available:
            available.append(bench.enabled())
            bench.session.callbacks()["Check"]()
            with pytest.raises(SolidWorksError, match=r"swgrm is reading the active document\. Wait"):
                bench.session.programs.capture("", str(tmp_path / "x.swcap"))
        return original(bar, position)

    monkeypatch.setattr(ProgressBar, "UpdateProgress", update)
    bench.press("ExportGRM")
    assert available == [{"Help"}]
    assert ["swgrm is reading" in message for message in bench.world.messages] == [True, False]
    assert "was exported" in bench.world.messages[-1]


@pytest.mark.parametrize(
    ("behaviour", "message", "logged"),
    [
        ("sentence", "arm.swcap: it is damaged. Make it again.", "it is damaged"),
        ("crash", "ended unexpectedly (exit code 1)", "RuntimeError: the script failed"),
        ("killed", "ended unexpectedly (exit code -9)", "exit code -9"),
        ("babbling", "ended unexpectedly (exit code 0)", "exit code 0"),
        ("half", "ended unexpectedly (exit code 0)", "half of it"),
        ("wrong", "unexpected error", "ValidationError"),
    ],
)
def test_a_subprocess_that_fails_is_explained_and_the_next_export_works(
    bench: Bench, behaviour: str, message: str, logged: str
) -> None:
    bench.behave(behaviour)
    bench.press("ExportGRM")
    (shown,) = bench.world.messages
    assert message in shown
    assert str(bench.folders.log) in shown
    assert logged in bench.log()
    if behaviour != "wrong":
        assert load(bench.folders.failed).source.title == bench.world.active.title  # type: ignore[union-attr]
    with pytest.raises(SwgrmError, match=r"swgrm|failed|damaged"):
        bench.session.programs.export("", "")
    bench.behave("good")
    bench.press("ExportGRM")
    assert "was exported" in bench.world.messages[-1]


def test_a_subprocess_that_cannot_start_is_explained(bench: Bench) -> None:
    bench.python.unlink()
    bench.press("ExportGRM")
    assert "cannot be started" in bench.world.messages[0]
    assert "set-up program" in bench.world.messages[0]
    assert "cannot be started" in bench.log()


def test_a_subprocess_that_hangs_is_ended(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.behave("hung")
    monkeypatch.setattr(subprocess_runner, "PATIENCE", 0.5)
    bench.press("ExportGRM")
    assert "did not report progress" in bench.world.messages[0]
    assert "ended it" in bench.log()


def test_a_subprocess_without_memory_reports_it(bench: Bench) -> None:
    bench.behave("hungry")
    bench.ui.limits = ChildLimits(memory=1 << 30)
    bench.press("ExportGRM")
    assert "Out of memory" in bench.world.messages[0]
    assert "Out of memory" in bench.log()


def test_the_user_can_cancel(bench: Bench) -> None:
    bench.behave("hung")
    bench.session.callbacks()["ExportGRM"]()
    bench.world.progress.cancel_at = 20
    bench.session.runner.wait()
    assert "was cancelled" in bench.world.messages[0]
    bench.world.progress.cancel_at = None
    bench.behave("hung")
    original = bench.ui.wait

    def wait_and_cancel() -> None:
        bench.world.progress.cancel_at = 20
        original()

    bench.ui.wait = wait_and_cancel  # type: ignore[method-assign]
    with pytest.raises(Cancelled):
        bench.session.programs.export("", "")
    bench.world.progress.cancel_at = None


def test_the_export_button_cancels_what_runs_in_the_background(bench: Bench) -> None:
    bench.behave("hung")
    for button in ("ExportGRM", "Check"):
        bench.world.messages.clear()
        bench.session.callbacks()[button]()
        assert bench.session.runner.current
        assert "ExportGRM" in bench.enabled()
        assert "Check" not in bench.enabled()
        bench.world.button_answers[YES_NO] = NO
        bench.session.callbacks()["ExportGRM"]()
        assert bench.session.runner.current, "the user answered No"
        bench.world.button_answers[YES_NO] = YES
        bench.session.callbacks()["ExportGRM"]()
        assert not bench.session.runner.current
        assert "Cancel it?" in bench.world.messages[0]
        assert "was cancelled. Nothing was written." in bench.world.messages[-1]
        assert bench.ui.actions == []


def test_a_job_can_be_cancelled_while_its_progress_is_shown(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """SolidWorks handles messages in UpdateProgress, so that another command or program may cancel the job there."""
    bench.behave("hung")
    bench.session.callbacks()["ExportGRM"]()
    original = ProgressBar.UpdateProgress

    def update(bar: ProgressBar, position: int) -> int:
        if bench.session.runner.current:
            bench.session.runner.cancel(Cancelled("It was cancelled elsewhere."))
        return original(bar, position)

    monkeypatch.setattr(ProgressBar, "UpdateProgress", update)
    bench.session.runner.wait()
    assert bench.world.messages == ["It was cancelled elsewhere."]


def test_a_job_that_ended_before_the_answer_is_not_cancelled(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.behave("hung")
    bench.session.callbacks()["ExportGRM"]()

    def ask(_text: str, _buttons: int) -> int:
        bench.session.runner.stop()
        return int(YES)

    monkeypatch.setattr(bench.session, "_ask", ask)
    bench.session.callbacks()["ExportGRM"]()
    assert bench.world.messages == []


@pytest.mark.parametrize(
    ("refusing", "member"),
    [(CommandGroup, "Activate"), (CommandTabBox, "AddCommands")],
    ids=["Activate", "AddCommands"],
)
def test_what_solidworks_refuses_of_the_ribbon_is_shown_and_logged(
    bench: Bench, refusing: type[Any], member: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refusing, member, lambda *_: False)
    bench.session.connect(7, object())
    bench.ui.wait()
    (message,) = bench.world.messages
    assert f"{refusing.interfaces[0]}.{member}" in message
    assert f"{refusing.interfaces[0]}.{member}" in bench.log()


@pytest.mark.parametrize("button", ["ExportGRM", "Check", "Review"])
def test_nothing_remains_of_a_reading_that_was_cancelled(bench: Bench, button: str) -> None:
    bench.world.progress.cancel_at = 90  # while the shapes are read
    bench.press(button)
    bench.world.progress.cancel_at = None
    assert "Cancelled while reading" in bench.world.messages[0]
    assert list(bench.folders.work.iterdir()) == []
    assert bench.jobs() == []


def test_nothing_remains_of_a_document_that_was_never_saved(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def unsaved(*given: Any) -> Result[Capture]:
        result = read(*given)
        return result._replace(value=replace(result.value, source=replace(result.value.source, path="")))

    monkeypatch.setattr(working_capture, "read", unsaved)
    bench.press("ExportGRM")
    assert "has not been saved yet" in bench.world.messages[0]
    assert list(bench.folders.work.iterdir()) == []


@pytest.mark.parametrize(
    "member",
    [
        "ISldWorks.GetUserProgressBar",
        "IUserProgressBar.Start",
        "IUserProgressBar.UpdateProgress",
        "IUserProgressBar.End",
        "ISldWorks.CommandInProgress",
    ],
)
@pytest.mark.parametrize("kind", ["error", "null"])
def test_an_export_does_not_need_the_progress_bar(bench: Bench, member: str, kind: Literal["error", "null"]) -> None:
    bench.world.connection.faults = [Fault(1, kind, times=10**6, member=member)]
    bench.press("ExportGRM")
    assert "was exported" in bench.world.messages[0]
    bench.session.programs.export("", "")
    bench.world.progress.shown = False  # SolidWorks did not end it
    bench.world.command_in_progress = 0


@pytest.mark.parametrize("button", BUTTONS)
@pytest.mark.parametrize("fails", ["", "IModelDoc2.GetPathName", "IComponent2.GetChildren"])
def test_every_command_releases_what_it_used(bench: Bench, button: str, fails: str) -> None:
    bench.session.application.port.transport = Collecting()
    bench.behave("quiet")
    gc.collect()
    before = living_objects()
    bench.world.connection.faults = [Fault(1, times=10**6, member=fails)] if fails else []
    bench.session.callbacks()[button]()
    bench.world.connection.faults = []
    assert living_objects() == before
    bench.session.runner.stop()


def test_disconnecting_ends_the_subprocess(bench: Bench) -> None:
    bench.behave("hung")
    bench.session.connect(7, object())
    bench.session.callbacks()["ExportGRM"]()
    assert len(bench.children()) == 1
    bench.session.disconnect(7)
    assert bench.children() == []
    assert bench.ui.actions == []


@pytest.mark.parametrize("button", BUTTONS)
@pytest.mark.parametrize("error", [RuntimeError("a bug"), KeyboardInterrupt(), MemoryError(), SystemExit(3)])
def test_no_exception_in_a_callback_reaches_solidworks(
    bench: Bench, button: str, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(bench.session, f"_on_{button}", fail)
    bench.press(button)
    assert type(error).__name__ in bench.world.messages[0]
    assert "Traceback" in bench.log()
    monkeypatch.setattr(bench.session, "_satisfied", fail)
    for _ in range(3):
        assert bench.enabled() == set()
    assert bench.log().count(f"Can{button}") == 1


def test_an_error_in_any_call_to_solidworks_is_shown_or_logged(bench: Bench) -> None:
    """The n-th call fails, for every n: nothing is raised, an error is shown or logged, and the next press works."""
    bench.press("ExportGRM")
    calls, shown = bench.world.connection.count, len(bench.world.messages)
    for n in range(1, calls + 1, max(1, calls // 60)):
        bench.world.connection.faults = [Fault(bench.world.connection.count + n)]
        bench.press("ExportGRM")
        bench.world.connection.faults = []
        shown, before = len(bench.world.messages), shown
        assert shown > before or "0x80004005" in bench.log()
    bench.press("ExportGRM")
    assert "was exported" in bench.world.messages[-1]


def test_automation_reads_a_document_by_its_path_and_leaves_it_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    capture = arm(tmp_path, monkeypatch)
    bench = Bench(tmp_path, capture, opened=False)
    file = tmp_path / "out.swcap"
    assert bench.session.programs.capture(capture.source.path, str(file)) == "[]"
    assert load(file) == capture
    assert file.read_bytes() == encode(capture)
    assert list(bench.folders.work.iterdir()) == []
    assert "more" in bench.log().splitlines()[-1]
    assert bench.world.open == []
    with pytest.raises(FileError, match="does not exist"):
        bench.session.programs.capture(str(tmp_path / "none.SLDASM"), str(file))
    assert all(callable(getattr(bench.session.programs, method)) for method in AUTOMATION.values())
    close_log()


def test_automation_returns_the_findings_of_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(tmp_path, arm(tmp_path, monkeypatch))
    found = tuple(Finding(severity, "code", "wö", "A sentence.") for severity in Severity)
    monkeypatch.setattr(working_capture, "read", lambda *given: read(*given)._replace(findings=found))
    encoded = bench.session.programs.capture("", str(tmp_path / "out.swcap"))
    assert tuple(Finding.from_plain(one) for one in msgspec.json.decode(encoded)) == found
    close_log()


def test_the_log_is_rotated(bench: Bench) -> None:
    import logging

    for _ in range(60):
        logging.getLogger("swgrm.addin").info("x" * 100_000)
    files = sorted(path.name for path in bench.folders.folder.glob("swgrm.log*"))
    assert len(files) == LOG_COUNT + 1
    assert sum(path.stat().st_size for path in bench.folders.folder.glob("swgrm.log*")) < 6 << 20


def test_the_real_subprocess_writes_what_the_command_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings, Check and Export GRM of a sample: the subprocess writes the same files as the command alone."""
    from swgrm_addin.pipeline import export
    from swgrm_mocks import builder
    from swgrm_mocks.samples import sample

    monkeypatch.setattr(builder, "FOLDER", f"{tmp_path}/")
    capture = sample("gripper")
    bench = Bench(tmp_path, capture)
    bench.session.runner.python = Path(sys.executable)
    bench.press("Check")
    assert "no problems were found" in bench.world.messages[-1]
    bench.press("ExportGRM")
    assert "was exported" in bench.world.messages[-1], bench.log()
    save(capture, tmp_path / "gripper.swcap")
    export(str(tmp_path / "gripper.swcap"), tmp_path / "expected")
    assert contents(tmp_path / "gripper_grm") == contents(tmp_path / "expected")
    bench.press("Settings")
    assert bench.ui.opened == [tmp_path / "gripper.grm.yaml"]
    assert "joints" in (tmp_path / "gripper.grm.yaml").read_text("utf-8")
    bench.press("ExportGRM")
    assert "was exported" in bench.world.messages[-1], bench.log()
    assert 50 <= max(bench.world.progress.positions) <= 100
    (tmp_path / "gripper.grm.yaml").write_text("export: {folder: mine/out ü}", "utf-8")
    bench.press("ExportGRM")
    assert f"The files are in {tmp_path}/mine/out ü" in bench.world.messages[-1], bench.log()
    assert contents(tmp_path / "mine" / "out ü") == contents(tmp_path / "expected")
    close_log()


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_findings_of_one_kind_are_shown_once_with_the_places_of_the_others() -> None:
    alike = [Finding(Severity.WARNING, "c", f"part {n}", "No material.") for n in range(9)]
    notes = [Finding(Severity.NOTE, "n", "base", "As it is.")]
    text = messages.needs_attention(alike + notes)
    assert text.splitlines() == [
        "9 findings need attention:",
        "• part 0: No material. (and 8 more: part 1, part 2, part 3, part 4, part 5, part 6, …)",
    ]
