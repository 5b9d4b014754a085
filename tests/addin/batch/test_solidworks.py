from __future__ import annotations

import sys

import pytest

from swgrm.errors import SolidWorksError
from swgrm_addin.batch import solidworks


@pytest.mark.parametrize(
    ("command", "program"),
    [
        (r'"C:\Program Files\SOLIDWORKS\SLDWORKS.exe" /automation', r"C:\Program Files\SOLIDWORKS\SLDWORKS.exe"),
        (r"C:\Program Files\SOLIDWORKS\sldworks.exe /automation", r"C:\Program Files\SOLIDWORKS\sldworks.exe"),
        (r"D:\sw 2025 -beta\SLDWORKS.EXE -Embedding", r"D:\sw 2025 -beta\SLDWORKS.EXE"),
        (r"C:\PROGRA~1\SW\sldworks.exe", r"C:\PROGRA~1\SW\sldworks.exe"),
    ],
)
def test_the_program_of_a_command_of_the_registry(command: str, program: str) -> None:
    assert solidworks.executable(command) == program


def test_a_command_without_a_program_is_named() -> None:
    with pytest.raises(SolidWorksError, match="not a program"):
        solidworks.executable("")


def test_solidworks_is_started_without_its_dialogs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solidworks, "program", lambda: "SLDWORKS.exe")
    commands: list[list[str]] = []
    monkeypatch.setattr(solidworks, "StartedInstance", commands.append)
    solidworks.start()
    assert commands == [["SLDWORKS.exe", "/r"]]


@pytest.mark.skipif(sys.platform == "win32", reason="there may be one")
@pytest.mark.parametrize("function", [solidworks.start, solidworks.attach])
def test_without_windows_there_is_no_solidworks(function: object) -> None:
    assert callable(function)
    with pytest.raises(SolidWorksError, match="SolidWorks is not installed on this machine"):
        function()
