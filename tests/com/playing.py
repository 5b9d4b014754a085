"""What the add-in's tests share: a process that plays SolidWorks, a host that loads it, and an expected export."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.com.addin_server import APPLICATION, CONTROL
from tests.com.host import Host, running_host
from tests.com.prepare import DOCUMENTS, NAME
from tests.contract.transports import running

from swgrm_addin.com.registration import registered
from swgrm_addin.inside.identity import CLSID

OK, TRUE = "0x00000000", "-1"
DATA = Path(__file__).parents[2] / "build" / "combench"
CAPTURE, EXPECTED = DATA / f"{NAME}.swcap", DATA / "expected"
SERVER = Path(__file__).with_name("addin_server.py")
NUMBER = re.compile(r"-?\d+\.?\d*(?:[eE][-+]?\d+)?")
SEPARATOR = "\x01"


@contextmanager
def document() -> Iterator[Path]:
    """The folder in which the mock's document lies, for a while."""
    folder = Path(DOCUMENTS)
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@contextmanager
def solidworks(*how: str, python: str = sys.executable) -> Iterator[subprocess.Popen[str]]:
    """A process that plays SolidWorks."""
    command = [python, "-X", "utf8", str(SERVER), str(CAPTURE), *how]
    with registered(APPLICATION), registered(CONTROL), running(command) as server:
        yield server


@contextmanager
def connected() -> Iterator[Host]:
    """A native host with the application and the add-in; at the end all of it is gone again, and nothing is held."""
    with running_host(1200) as host:
        assert host.do("app", APPLICATION, "local") == OK
        assert host.do("control", CONTROL) == OK
        assert host.do("create", CLSID) == OK
        assert host.do("connect", "42") == f"{OK} {TRUE}"
        assert host.do("fetch", "Callbacks") == OK
        before = host.call("control", "State")
        yield host
        assert host.call("control", "State") == before
        assert host.do("disconnect") == f"{OK} {TRUE}"
        assert host.call("control", "Groups") == "0"
        assert host.call("control", "Tabs") == ""
        assert host.do("release", "addin") == f"{OK} 0"


def messages(host: Host) -> list[str]:
    """What the user was told so far."""
    text = host.call("control", "Messages")
    return text.split(SEPARATOR) if text else []


def pressed(host: Host, button: str) -> str:
    """Press a button, and pump messages until the user is told something: that."""
    before = len(messages(host))
    host.call("callbacks", button)
    return told(host, before)


def told(host: Host, before: int, seconds: float = 900) -> str:
    """Pump messages until the user was told more than so many things: the last."""
    for _ in range(int(seconds * 5)):
        said = messages(host)
        if len(said) > before:
            return said[-1]
        host.do("pump", "200")
    raise AssertionError("the user was told nothing")


def assert_exported(folder: Path) -> None:
    """The files are those of the expected export; text is equal but for the last digits of numbers."""
    made = {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
    assert set(made) == {path.relative_to(EXPECTED) for path in EXPECTED.rglob("*") if path.is_file()}
    assert len(made) > 3
    for name, path in made.items():
        if name.suffix not in (".stl", ".dae", ".glb", ".obj") and not name.name.startswith(".swgrm"):
            ours, theirs = path.read_text("utf-8"), (EXPECTED / name).read_text("utf-8")
            assert NUMBER.sub("#", ours) == NUMBER.sub("#", theirs), name
            numbers = zip(NUMBER.findall(ours), NUMBER.findall(theirs), strict=True)
            assert all(math.isclose(float(a), float(b), rel_tol=1e-9, abs_tol=1e-9) for a, b in numbers), name
