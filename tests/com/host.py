"""The native host of the bench, controlled line by line."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROGRAM = Path(sys.prefix).with_name("host") / "host.exe"


class Host:
    """A running host."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def do(self, *words: str, separator: str = " ") -> str:
        """Give a command; the answer after its name, such as '0x00000000 -1'."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(separator.join(words) + "\n")
        self.process.stdin.flush()
        verb, _, answer = self.process.stdout.readline().strip().partition(" ")
        assert words[0].startswith(verb), f"{words}: {verb} {answer}"
        return answer

    def call(self, target: str, name: str, *arguments: str) -> str:
        """Call a method by name; its result. The call must succeed."""
        answer = self.do(f"call {target} {name}", *arguments, separator="\t")
        assert answer.startswith("0x00000000"), answer
        return answer.removeprefix("0x00000000").strip()

    def modules(self) -> list[str]:
        """The paths of the DLLs in the host's process."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("modules\n")
        self.process.stdin.flush()
        found = []
        while (line := self.process.stdout.readline().strip()).startswith("module "):
            found.append(line.split(" ", 2)[2])
        return found


@contextmanager
def running_host(seconds: float = 120) -> Iterator[Host]:
    """A host that is killed after a time limit, so that no test waits forever for an answer."""
    with subprocess.Popen(
        [str(PROGRAM)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        limit = threading.Timer(seconds, process.kill)
        limit.start()
        try:
            yield Host(process)
            assert process.stdin is not None
            process.stdin.close()
            assert process.wait(20) == 0
        finally:
            limit.cancel()
            process.kill()
