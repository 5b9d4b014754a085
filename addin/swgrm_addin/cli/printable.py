"""Output in which no name of a file, component or robot can control the terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

# Control characters but tab and line feed, and those that change the direction or the line of a text.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_COLOURS = re.compile(r"(\x1b\[[0-9;]*m)")  # of our own output; a name can have these, too, and change colours at most


def printable(text: str) -> str:
    """The text with control characters as they are written in Python; colours stay."""
    if not _CONTROL.search(text):
        return text
    parts = _COLOURS.split(text)  # every second one is a colour
    parts[::2] = [_CONTROL.sub(lambda found: ascii(found[0])[1:-1], part) for part in parts[::2]]
    return "".join(parts)


class PrintableStream:
    """A text stream that writes what is printable; all else is that of the stream itself."""

    def __init__(self, stream: TextIO) -> None:
        self.rich_proxied_file = stream  # rich writes to this one: its bars move the cursor

    def write(self, text: str) -> int:
        """Write the text."""
        return self.rich_proxied_file.write(printable(text))

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the stream has
        return getattr(self.rich_proxied_file, name)


@contextmanager
def printable_output() -> Iterator[None]:
    """A context in which standard output and standard error write what is printable."""
    streams = {name: getattr(sys, name) for name in ("stdout", "stderr")}
    for name, stream in streams.items():
        if stream is not None:  # `>&-`
            setattr(sys, name, PrintableStream(stream))
    try:
        yield
    finally:
        for name, stream in streams.items():
            setattr(sys, name, stream)
