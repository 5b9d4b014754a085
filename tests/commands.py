"""The command `swgrm` in this process, which is much faster than one of its own."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from swgrm_addin.cli import main


class CommandResult(NamedTuple):
    """How a command ended: its exit code, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def swgrm(*arguments: str | Path, cwd: Path | None = None) -> CommandResult:
    """Runs the command as a user would, with its handling of errors."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    with (
        patch.object(sys, "argv", ["swgrm", *map(str, arguments)]),
        patch.dict(os.environ, {"NO_COLOR": "1"}),
        contextlib.chdir(cwd or Path.cwd()),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
    return CommandResult(code, out.getvalue(), err.getvalue())
