"""Completion in the shell: what is offered, and where it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest
from tests.commands import swgrm

PROGRAM = "import sys; sys.argv[0] = 'swgrm'; from swgrm_addin.cli import main; main()"


def completed(**variables: str) -> list[str]:
    environment = {**os.environ, **variables}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_bash_completes_commands_and_options() -> None:
    assert completed(_SWGRM_COMPLETE="bash_complete", COMP_WORDS="swgrm re", COMP_CWORD="1") == [
        "plain,review",
        "plain,report",
        "plain,register",
    ]
    options = completed(_SWGRM_COMPLETE="bash_complete", COMP_WORDS="swgrm export --ver", COMP_CWORD="2")
    assert options == ["plain,--verbose"]


def test_powershell_completes_the_word_at_the_cursor() -> None:
    asked = {"_SWGRM_COMPLETE": "powershell_complete"}
    assert completed(**asked, COMP_LINE="swgrm exp", COMP_WORD="exp") == ["export", "explain"]
    assert "--verbose" in completed(**asked, COMP_LINE="swgrm export --", COMP_WORD="--")
    assert completed(**asked, COMP_LINE="swgrm export --settings", COMP_WORD="") == []  # PowerShell lists the files


@pytest.mark.skipif(not shutil.which("bash"), reason="the script is for bash")
def test_the_script_is_installed_once(tmp_path: Path) -> None:
    with patch.dict(os.environ, {"SHELL": "/bin/bash", "HOME": str(tmp_path)}), patch.object(sys, "platform", "linux"):
        (tmp_path / ".bashrc").write_text("alias x=y")
        for _ in range(2):
            assert "is in" in swgrm("--install-completion").stdout
        script = swgrm("--show-completion").stdout
    text = (tmp_path / ".bashrc").read_text()
    assert text.startswith("alias x=y\n")
    assert text.count(script.strip()) == 1
    subprocess.run(["bash", "-n", tmp_path / ".bashrc"], check=True)


def test_powershell_has_a_script_that_the_user_adds() -> None:
    with patch.object(sys, "platform", "win32"):
        assert "swgrm --show-completion | Out-String | Invoke-Expression" in swgrm("--install-completion").stdout
        assert "Register-ArgumentCompleter -Native -CommandName swgrm" in swgrm("--show-completion").stdout


@pytest.mark.parametrize("words", ["export ar", "diff old.urdf ar", "settings mock:arm --from ar", "capture ar"])
def test_bash_completes_the_names_of_sources(words: str) -> None:
    number = str(len(words.split()))
    asked = {"_SWGRM_COMPLETE": "bash_complete", "COMP_WORDS": f"swgrm {words}", "COMP_CWORD": number}
    assert completed(**asked) == ["file,ar"]


def test_bash_completes_the_last_of_several_formats() -> None:
    words = "swgrm export mock:arm --format urdf,m"
    asked = {"_SWGRM_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": "4"}
    assert completed(**asked) == ["plain,urdf,moveit", "plain,urdf,mjcf"]


def test_zsh_gets_what_the_script_needs() -> None:
    with patch.dict(os.environ, {"SHELL": "/bin/zsh"}), patch.object(sys, "platform", "linux"):
        assert swgrm("--show-completion").stdout.startswith("(( $+functions[compdef] ))")


def test_an_unknown_shell_is_named() -> None:
    with patch.dict(os.environ, {"SHELL": "/bin/tcsh"}), patch.object(sys, "platform", "linux"):
        result = swgrm("--show-completion")
    assert (result.returncode, "your shell is `tcsh`" in result.stderr) == (2, True)
