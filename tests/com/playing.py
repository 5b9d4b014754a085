"""Shared by the add-in's tests: a mock SolidWorks process, a host that loads the add-in, and an expected export."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial import cKDTree
from tests.com.addin_server import APPLICATION, CONTROL, progids
from tests.com.addin_server import NAME as SERVER_NAME
from tests.com.host import Host, running_host
from tests.com.prepare import DOCUMENTS, NAME
from tests.contract.transports import running

from swgrm.meshes.files import load
from swgrm_addin.inside import ribbon
from swgrm_addin.inside.identity import CLSID
from swgrm_addin.inside.session import DOUBLE_CLICK
from swgrm_mocks.testing.com_registration import registered

OK, TRUE = "0x00000000", "-1"
DATA = Path(__file__).parents[2] / "build" / "combench"
CAPTURE, EXPECTED = DATA / f"{NAME}.swcap", DATA / "expected"
SERVER = Path(__file__).with_name("addin_server.py")  # a script: an installed Python does not find `tests`
NUMBER = re.compile(r"-?\d+\.?\d*(?:[eE][-+]?\d+)?")
SEPARATOR = "\x01"
LIST_OF_FILES = Path(".swgrm.json")


@contextmanager
def document() -> Iterator[Path]:
    """The folder of the mock's document, which exists within the context."""
    folder = Path(DOCUMENTS)
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@contextmanager
def solidworks(*how: str, python: str = sys.executable, name: str = SERVER_NAME) -> Iterator[subprocess.Popen[str]]:
    """A mock SolidWorks process."""
    application, control = progids(name)
    command = [python, "-X", "utf8", str(SERVER), name, str(CAPTURE), *how]
    with registered(application), registered(control), running(command) as server:
        yield server


@contextmanager
def connected() -> Iterator[Host]:
    """A native host with the application and the add-in; at the end everything is released."""
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
        assert len(host.call("control", "Tabs").split()) == len(ribbon.DOCUMENTS)  # the user may have moved them
        assert host.do("release", "addin") == f"{OK} 0"
        host.call("control", "Forget")
        host.do("pump", "200")
        for what in ("callbacks", "control", "app"):
            assert host.do("release", what) == f"{OK} 0", what


def messages(host: Host) -> list[str]:
    """The messages shown to the user so far."""
    text = host.call("control", "Messages")
    return text.split(SEPARATOR) if text else []


def pressed(host: Host, button: str) -> str:
    """Press a button, and pump messages until one is shown; returns it. Not so soon that it is a double click."""
    host.do("pump", str(round(1100 * DOUBLE_CLICK)))
    before = len(messages(host))
    host.call("callbacks", button)
    return next_message(host, before)


def next_message(host: Host, before: int, seconds: float = 900) -> str:
    """Pump messages until more than `before` are shown to the user; returns the last."""
    for _ in range(int(seconds * 5)):
        shown = messages(host)
        if len(shown) > before:
            return shown[-1]
        host.do("pump", "200")
    raise AssertionError("no message was shown")


def assert_exported(folder: Path, python: str = sys.executable) -> None:
    """The files are those of the expected export, the robot is the same, and files differ in last digits at most."""
    made, expected = files(folder), files(EXPECTED)
    assert set(made) == set(expected)
    assert {path.suffix for path in made} == {".json", ".urdf", ".yml", ".stl", ".obj", ".html"}
    robots = [str(place / f"{NAME}.grm.json") for place in (EXPECTED, folder)]
    command = [python, "-X", "utf8", "-m", "swgrm_addin", "diff", *robots]
    found = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=300, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
    page = Path(f"{NAME}.html")  # has the robot and the meshes of the other files, encoded
    for name in made.keys() - {LIST_OF_FILES, page}:  # the list has the hashes of the others
        same = same_shape if name.suffix in (".stl", ".obj") else same_text
        assert same(made[name], expected[name]), name
    equal = sum(made[name].read_bytes() == expected[name].read_bytes() for name in made)
    sys.stdout.write(f"{len(made)} files, {equal} of them equal byte for byte; {found.stdout}")


def files(folder: Path) -> dict[Path, Path]:
    """The contents of all files below a folder, by relative path."""
    return {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}


def same_text(ours: Path, theirs: Path) -> bool:
    """Whether two texts are equal except for the last digits of numbers."""
    one, other = ours.read_text("utf-8"), theirs.read_text("utf-8")
    if NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return False
    numbers = zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=1e-9, abs_tol=1e-9) for a, b in numbers)


def same_shape(ours: Path, theirs: Path) -> bool:
    """Whether two mesh files are the same solid: corners, area and volume, except for the last digits.

    The triangles of a flat side may be others: the last digits of its corners decide how a convex hull cuts it.
    """
    one, other = (load(path).triangles for path in (ours, theirs))
    near = (cKDTree(a.reshape(-1, 3)).query(b.reshape(-1, 3))[0].max() < 1e-6 for a, b in ((one, other), (other, one)))
    return all(near) and bool(np.allclose(measures(one), measures(other), rtol=1e-6, atol=0))


def measures(triangles: Any) -> tuple[float, float]:
    """The area and volume of a solid: ½ Σ |(b-a)×(c-a)| and ⅙ Σ a·(b×c)."""
    a, b, c = np.moveaxis(triangles, 1, 0)
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2
    return float(area), float(np.einsum("ij,ij", a, np.cross(b, c)) / 6)
