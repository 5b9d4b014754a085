"""A capture file that is written while a document is read: triangles as they come, and the JSON at the end.

Such a file is for a process that reads it soon. Therefore it is not compressed, not checked by reading it back and not
flushed to the disk, and its JSON is encoded once.
"""

from __future__ import annotations

import contextlib
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from types import TracebackType

import msgspec

from swgrm.capture.file import JSON, array_name, check_keys, put, readable_text
from swgrm.capture.records import Capture
from swgrm.storage.files import reading, write_errors, writing

ShapeKey = tuple[str, ...]  # path, configuration, variant


class CaptureStream:
    """A context in which the file is written; unless it is finished, its end removes the file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seconds = 0.0  # that writing took
        self._entries: dict[ShapeKey, zipfile.ZipInfo] = {}
        self._is_finished = False
        with write_errors(path):
            self._file = path.open("w+b")
            self._archive = zipfile.ZipFile(self._file, "w")

    def __enter__(self) -> CaptureStream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError, ValueError):  # a full disk, an entry that was interrupted
            self._archive.close()
        with contextlib.suppress(OSError):
            self._file.close()
        if not self._is_finished:
            self.path.unlink(missing_ok=True)

    def keep(self, key: ShapeKey, faces: Sequence[bytes]) -> bytes:
        """Write the triangles of a shape, face by face; returns the empty bytes that its record gets instead."""
        with self._timed():
            if data := b"".join(faces):
                name = array_name(len(self._entries))
                put(self._archive, name, data, compressed=False)
                self._entries[key] = self._archive.getinfo(name)
        return b""

    def finish(self, capture: Capture) -> None:
        """Write the JSON, and complete the file."""
        with self._timed():
            check_keys(capture, self.path)
            self._number(capture)
            put(self._archive, JSON, msgspec.json.encode(capture), compressed=False)
            self._archive.close()
            self._file.close()
            self._is_finished = True

    def _number(self, capture: Capture) -> None:
        """Name each array after the index of its shape; arrays of shapes that were left out are not listed."""
        keys = [(shape.path, shape.configuration, shape.variant) for shape in capture.shapes]
        listed = [(number, self._entries[key]) for number, key in enumerate(keys) if key in self._entries]
        for number, info in listed:
            if info.filename != array_name(number):
                info.filename = array_name(number)
                self._file.seek(info.header_offset)
                self._file.write(info.FileHeader())
        self._archive.filelist = [info for _, info in listed]

    @contextlib.contextmanager
    def _timed(self) -> Iterator[None]:
        start = perf_counter()
        with write_errors(self.path):
            yield
        self.seconds += perf_counter() - start


def save_streamed(source: Path, path: Path | str) -> None:
    """Write the capture in the file of a stream to another file, as `save` writes it, one array at a time."""
    with (
        reading(source) as file,
        zipfile.ZipFile(file) as given,
        writing(path) as out,
        zipfile.ZipFile(out, "w") as archive,
    ):
        put(archive, JSON, readable_text(given.read(JSON), path), compressed=True)
        for name in sorted(set(given.namelist()) - {JSON}, key=lambda name: (len(name), name)):
            put(archive, name, given.read(name), compressed=True)
