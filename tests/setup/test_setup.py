"""The set-up program and what it installs, without anything else: install, use, upgrade, repair, remove."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import time
import winreg
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.com.host import Host, running_host
from tests.com.playing import assert_exported, connected, document, messages, next_message, pressed, solidworks
from tests.com.prepare import NAME
from tests.setup.review_page import ReviewPage

from swgrm import __version__
from swgrm_addin.inside.commands import COMMANDS, ICONS
from swgrm_addin.inside.identity import CLSID

DIST = Path(__file__).parents[2] / "dist"
USUAL = Path(os.environ["PROGRAMFILES"]) / "swgrm"
ODD = Path("C:\\Prógramme für alle\\swgrm é 1")
# Where programs and their data are installed; not the user's folder, which may contain links to large folders.
FOLDERS = [
    *(Path(os.environ[name]) for name in ("PROGRAMFILES", "PROGRAMDATA", "LOCALAPPDATA")),
    Path("C:\\users\\Public"),
    ODD.parent,
]
HIVES = {"HKLM": winreg.HKEY_LOCAL_MACHINE, "HKCU": winreg.HKEY_CURRENT_USER}
IN_USE, FOREIGN = 3, 4
NEXT = "99.0.0"
HEAVY = {"numpy", "scipy", "lxml", "trimesh", "yaml", "swgrm_exporters", "swgrm_mocks"}


def install(folder: Path = USUAL, version: str = __version__) -> int:
    program = DIST / f"swgrm-{version}-setup.exe"
    return run(f'"{program}" /S /D={folder}')  # NSIS requires /D= last and without quotes


def listed_version() -> str:
    """The version in Windows' list of apps; "" if it is not there."""
    try:
        with winreg.OpenKey(HIVES["HKLM"], r"Software\Microsoft\Windows\CurrentVersion\Uninstall\swgrm") as key:
            return str(winreg.QueryValueEx(key, "DisplayVersion")[0])
    except FileNotFoundError:
        return ""


def uninstall(folder: Path = USUAL) -> None:
    """Runs the uninstaller, which continues in a copy of itself, and waits for its end."""
    assert run(f'"{folder / "uninstall.exe"}" /S') == 0
    for _ in range(600):
        if not folder.exists():
            time.sleep(1)
            return
        time.sleep(0.2)
    raise AssertionError(f"{folder} is still there: {[path.name for path in folder.iterdir()]}")


def run(command: str) -> int:
    return subprocess.run(command, timeout=600, check=False, stdin=subprocess.PIPE).returncode


def doctor(folder: Path = USUAL) -> dict[str, str]:
    """The status of each check."""
    command = [str(folder / "python.exe"), "-X", "utf8", "-m", "swgrm_addin", "doctor", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=600, check=False)
    results = json.loads(done.stdout)
    sys.stdout.write(done.stdout)
    return {result["name"]: result["status"] for result in results}


def state() -> dict[str, object]:
    """All files where programs and their data are installed, and the Software keys of the registry."""
    files = {
        str(path): path.stat().st_size for folder in FOLDERS for path in folder.rglob("*") if "Temp" not in path.parts
    }
    return files | {f"{name}\\{path}": values for name in HIVES for path, values in keys(name, "Software")}


def keys(hive: str, path: str) -> Iterator[tuple[str, object]]:
    try:
        with winreg.OpenKey(HIVES[hive], path) as key:
            subkeys, count, _ = winreg.QueryInfoKey(key)
            values = [winreg.EnumValue(key, index) for index in range(count)]
            names = [winreg.EnumKey(key, index) for index in range(subkeys)]
    except OSError:  # some keys of Windows are protected, and some of Wine cannot be opened
        return
    yield path, values
    for name in names:
        yield from keys(hive, f"{path}\\{name}")


def differences(before: dict[str, object], after: dict[str, object]) -> list[str]:
    return sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))


@pytest.fixture
def installed() -> Path:
    """The folder of an installation of this version by the set-up program."""
    if listed_version() != __version__:
        assert install() == 0
    return USUAL


@contextmanager
def altered(folder: Path, code: str) -> Iterator[None]:
    """Code that the installed Python runs when it starts: in the host, or in the subprocess that exports."""
    prelude = """
        import sys
        is_host, is_subprocess = sys.executable.lower().endswith("host.exe"), "swgrm_addin.job_program" in sys.orig_argv
    """
    file = folder / "Lib" / "site-packages" / "sitecustomize.py"
    file.write_text(textwrap.dedent(prelude) + textwrap.dedent(code), "utf-8")
    try:
        yield
    finally:
        file.unlink()


def log_of(host: Host) -> Path:
    """The path of the log that Help shows."""
    found = re.search(r"log: (.*swgrm\.log)", pressed(host, "Help"))
    assert found is not None
    return Path(found[1])


def broken_checks(folder: Path = USUAL) -> set[str]:
    """The names of the checks that are broken."""
    return {name for name, how in doctor(folder).items() if how == "broken"}


def test_from_installing_to_removing() -> None:
    """Silent install, doctor, a native host presses Export GRM, uninstall; then all files and keys are as before."""
    with solidworks():  # the tests' server registers the standard interfaces of automation, permanently
        pass
    before = state()
    assert install() == 0
    assert broken_checks() == {"SolidWorks"}
    python = str(USUAL / "python.exe")
    with document() as folder, solidworks(python=python), connected() as host:
        assert host.call("control", "Items").split() == [command.callback for command in COMMANDS]
        assert sorted(host.call("control", "Tabs").split()) == [f"1:{len(ICONS)}", f"2:{len(ICONS)}"]
        assert host.call("callbacks", "CanExportGRM") == "1"
        message = pressed(host, "ExportGRM")
        assert "was exported" in message, message
        assert_exported(folder / f"{NAME}_grm", python)
    changed = differences(before, state())
    assert any(key.startswith("HKLM") for key in changed)
    assert any(key.startswith(str(USUAL)) for key in changed)
    uninstall()
    assert differences(before, state()) == []
    sys.stdout.write(f"{len(before):,} files and keys as before; {len(changed):,} had been added or changed\n")


def test_no_large_libraries_are_loaded_into_the_host(installed: Path) -> None:
    code = """
        if is_host:
            from swgrm_addin.inside.programs import Programs
            Programs.version = lambda _: " ".join(sorted({name.partition(".")[0] for name in sys.modules}))
    """
    with altered(installed, code), document(), solidworks(), connected() as host:
        assert "was exported" in pressed(host, "ExportGRM")
        libraries, packages = host.modules(), set(host.call("addin", "Version").split())
    sys.stdout.write(
        f"{', '.join(sorted(Path(library).name for library in libraries))}\n{' '.join(sorted(packages))}\n"
    )
    assert str(installed / "python313.dll").lower() in [library.lower() for library in libraries]
    assert not {part.lower() for library in libraries for part in Path(library).parts} & HEAVY
    assert {"swgrm", "swgrm_addin", "msgspec", "pythoncom", "comtypes"} <= packages
    assert not packages & HEAVY


def test_the_review_page_is_served_until_the_host_ends(installed: Path, tmp_path: Path) -> None:
    """The button Review: the page answers to its token only, writes the settings, and ends with the host."""
    opened = tmp_path / "opened.txt"
    code = f"""
        if is_host:
            from pathlib import Path
            from swgrm_addin.inside.windows import WindowsUserInterface
            WindowsUserInterface.open = lambda _, path: Path({str(opened)!r}).write_text(str(path))
    """
    with altered(installed, code), document() as folder, solidworks(), connected() as host:
        host.call("callbacks", "Review")
        for _ in range(600):
            host.do("pump", "200")
            if opened.exists() and opened.read_text():
                break
        page = ReviewPage(opened.read_text())
        token = page.signed_in()
        status, model = page.ask("GET", "/model", token)
        assert (status, model["review"]["file"]) == (200, f"{NAME}.grm.yaml")
        joint = next(iter(model["review"]["between"]))
        edits = [{"path": ["joints", joint, "reviewed"], "value": True}]
        assert page.ask("POST", "/change", token, edits=edits)[0] == 200
        assert "reviewed: true" in (folder / f"{NAME}.grm.yaml").read_text("utf-8")
    assert page.has_ended()


def test_the_review_page_ends_when_its_host_is_killed(installed: Path, tmp_path: Path) -> None:
    code = """
        import sys
        from swgrm.processes.protocol import encode
        from swgrm_addin.jobs import ReviewJob, start_program
        child = start_program()
        child.send(encode(ReviewJob(source="mock:four_bar", settings=sys.argv[1])))
        for line in child.lines():
            print(line.decode(), flush=True)
    """
    command = [str(installed / "python.exe"), "-c", textwrap.dedent(code), str(tmp_path / "x.grm.yaml")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as host:
        try:
            assert host.stdout is not None
            page = ReviewPage(json.loads(host.stdout.readline())["file"])
            assert page.ask("GET", "/model", page.signed_in())[0] == 200
        finally:
            host.kill()
    assert page.has_ended()


def test_a_subprocess_that_dies_or_does_not_start_fails_only_its_export(installed: Path) -> None:
    with document(), solidworks(), connected() as host:
        log = log_of(host)
        before = len(messages(host))
        host.call("callbacks", "ExportGRM")
        process = re.findall(r"process (\d+):", log.read_text("utf-8"))[-1]
        run(f"taskkill /F /PID {process}")
        assert "ended unexpectedly" in next_message(host, before)
        assert "exit code" in log.read_text("utf-8")
        (installed / "python.exe").rename(installed / "away.exe")
        assert "cannot be started" in pressed(host, "ExportGRM")
        assert "cannot be started" in log.read_text("utf-8")
        (installed / "away.exe").rename(installed / "python.exe")
        assert host.call("callbacks", "CanExportGRM") == "1"


FAULTS = {  # in the subprocess: a part of the message, and of the log
    "time.sleep(600)": ("did not report progress", "ended it"),
    "sys.stderr.write('no DLL for it'); os._exit(3)": ("ended unexpectedly (exit code 3)", "no DLL for it"),
    "pipeline.export = lambda *_, **__: bytearray(1 << 62)": ("Out of memory", "Out of memory"),
    "pipeline.export = lambda *_, **__: 1 / 0": ("Unexpected error in swgrm (ZeroDivisionError", "ZeroDivisionError"),
}


@pytest.mark.parametrize("fault", FAULTS, ids=["hangs", "fails at start", "uses too much memory", "raises"])
def test_a_subprocess_that_fails_is_explained_and_the_next_export_works(installed: Path, fault: str) -> None:
    code = f"""
        if is_host:
            from swgrm_addin.inside import subprocess_runner
            subprocess_runner.PATIENCE = {5.0 if "sleep" in fault else 900.0}
        if is_subprocess:
            import os, time
            from swgrm_addin import pipeline
            {fault}
    """
    message, cause = FAULTS[fault]
    with altered(installed, code), document() as folder, solidworks(), connected() as host:
        log = log_of(host)
        before = log.read_text("utf-8")
        shown = pressed(host, "ExportGRM")
        assert message in shown, shown
        assert str(log) in shown
        assert cause in log.read_text("utf-8").removeprefix(before)
        assert host.call("callbacks", "CanExportGRM") == "1"
        assert not (folder / f"{NAME}_grm").exists()


def test_an_exception_in_any_callback_leaves_the_host_alive(installed: Path) -> None:
    code = """
        if is_host:
            from swgrm_addin.inside.session import Session
            def fail(self, *_):
                raise RuntimeError("raised by the test")
            for name in [*vars(Session)]:
                if name.startswith("_on_") or name == "_satisfied":
                    setattr(Session, name, fail)
    """
    with altered(installed, code), document(), solidworks(), connected() as host:
        for command in COMMANDS:
            assert "RuntimeError: raised by the test" in pressed(host, command.callback)
            assert host.call("callbacks", command.enabled) == "0"
        assert host.call("addin", "Version") == __version__


def test_while_it_is_loaded_nothing_is_replaced_or_removed(installed: Path) -> None:
    with running_host(900) as host:
        assert host.do("create", CLSID) == "0x00000000"
        before = state()
        assert install(version=NEXT) == IN_USE
        run(f'"{installed / "uninstall.exe"}" /S _?={installed}')
        assert differences(before, state()) == []
        assert host.do("release", "addin") == "0x00000000 0"
    assert broken_checks() == {"SolidWorks"}


def test_a_new_version_replaces_an_old_and_damaged_one(installed: Path) -> None:
    (installed / "python313.dll").unlink()
    shutil.rmtree(installed / "Lib" / "site-packages" / "msgspec")
    (installed / "Lib" / "of_an_older_version.py").write_text("")
    (installed / "older.dll").write_text("")
    assert install(version=NEXT) == 0
    assert listed_version() == NEXT
    assert not (installed / "Lib" / "of_an_older_version.py").exists()
    assert not (installed / "older.dll").exists()
    assert broken_checks() == {"SolidWorks"}


def test_uninstalling_twice_changes_nothing_more(tmp_path: Path) -> None:
    if not listed_version():
        assert install() == 0
    again = shutil.copy(USUAL / "uninstall.exe", tmp_path)
    uninstall()
    before = state()
    assert run(f'"{again}" /S _?={USUAL}') == 0
    assert differences(before, state()) == []


def test_user_and_folder_names_may_have_spaces_and_letters_beyond_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    user = Path("C:\\users\\Jürgen Größe")
    places = {"USERPROFILE": user, "LOCALAPPDATA": user / "AppData" / "Local", "TEMP": user / "Temp ü"}
    for name, place in (places | {"TMP": places["TEMP"]}).items():
        place.mkdir(parents=True, exist_ok=True)
        monkeypatch.setenv(name, str(place))
    assert install(ODD) == 0
    assert broken_checks(ODD) == {"SolidWorks"}
    python = str(ODD / "python.exe")
    with document() as folder, solidworks(python=python), connected() as host:
        assert str(user) in pressed(host, "Help")
        assert "was exported" in pressed(host, "ExportGRM")
        assert_exported(folder / f"{NAME}_grm", python)
    assert (places["LOCALAPPDATA"] / "swgrm").exists()
    uninstall(ODD)
    assert not (places["LOCALAPPDATA"] / "swgrm").exists()
    shutil.rmtree(user)


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.dll").write_text("")
    before = state()
    assert install(tmp_path) == FOREIGN
    assert differences(before, state()) == []
    assert (tmp_path / "mine.dll").exists()
