"""The process that exports documents for the batch, one after another, so that libraries are loaded once.

    python -m swgrm_addin.batch.export_process

Every line of standard input is a JSON list: the arguments of one `swgrm export`. Progress and result are JSON lines on
standard error, as `--events` writes them, and `{"exit": CODE}` after each document. After a document that fails the
process ends with the exit code of `swgrm export`, so that nothing of a failure reaches the next document.
"""

from __future__ import annotations

import json
import sys

from swgrm_addin.batch.records import SUCCESS
from swgrm_addin.cli import app, keep_to_one_thread
from swgrm_addin.cli.running import run
from swgrm_addin.parent_watchdog import TaskInput


def main() -> int:
    """Export documents until standard input ends or a document fails; returns the exit code."""
    keep_to_one_thread()
    tasks = TaskInput()
    while (line := tasks.next()) is not None:
        arguments = json.loads(line)
        code = run(lambda arguments=arguments: app(arguments))  # type: ignore[misc]
        if code not in SUCCESS:
            return code
        sys.stderr.write(json.dumps({"exit": code}) + "\n")
        sys.stderr.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
