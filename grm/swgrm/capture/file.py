"""The file format of captures, NAME.swcap: a zip with capture.json and one array of triangles per shape.

Files are treated as untrusted input: only entries that the JSON lists are read, up to fixed sizes. Arrays that are not
compressed are mapped into memory instead of read, so that a large file needs little memory.
"""

from __future__ import annotations

import errno
import io
import mmap
import os
import struct
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import IO, BinaryIO

import msgspec
from msgspec.structs import replace

from swgrm.capture.records import BYTES_PER_TRIANGLE, VERSION, Capture, PartShape
from swgrm.errors import FileError
from swgrm.storage.files import reading, writing

JSON = "capture.json"
LARGEST_JSON = 256 << 20  # [bytes]
LARGEST_MESHES = 1 << 30  # [bytes] of all shapes together
ARCHIVE_ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError)
REMEDY = "Make the capture again with `swgrm capture`"
LOCAL_HEADER = 30  # [bytes] of an entry in the zip
LENGTHS = 26  # [bytes] in the header before the lengths of the name and of the extra field, which follow it
CHUNK = 1 << 20  # [bytes]


class _Version(msgspec.Struct):
    version: int


def save(capture: Capture, path: Path | str, *, compressed: bool = True) -> None:
    """Writes a capture to a file, mesh by mesh; files that are read soon and removed need no compression."""
    text = _text(capture, path)
    with writing(path) as file:
        _write(capture, text, file, compressed=compressed)


def load(path: Path | str) -> Capture:
    """Reads a capture from a file; raises FileError for any problem with it."""
    with reading(path) as file:
        return _read(file, path, _Map(file, Path(path)))


def unload(capture: Capture) -> None:
    """Let the operating system drop the triangles of a mapped file from memory; it reads them again when needed."""
    sources = (getattr(shape.triangles, "obj", None) for shape in capture.shapes)
    mapped = next((source for source in sources if isinstance(source, mmap.mmap)), None)
    if mapped is not None and hasattr(mmap, "MADV_DONTNEED"):  # Windows takes such memory back by itself
        mapped.madvise(mmap.MADV_DONTNEED)


def encode(capture: Capture, path: Path | str = "capture") -> bytes:
    """The bytes of the file; they depend on the capture only."""
    buffer = io.BytesIO()
    _write(capture, _text(capture, path), buffer)
    return buffer.getvalue()


def decode(data: bytes, path: Path | str = "capture") -> Capture:
    """The capture in the bytes of a file; raises FileError."""
    return _read(io.BytesIO(data), path)


class _Map:
    """The content of a file, mapped into memory once it is needed; the mapping ends with the last view of it."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self.file, self.path = file, path
        self._content: memoryview | None = None

    def entry(self, info: zipfile.ZipInfo) -> memoryview | None:
        """The data of an entry that is not compressed; None if the file system cannot map files."""
        try:
            self._content = self._content or self._mapped()
        except OSError:
            return None
        self.file.seek(info.header_offset + LENGTHS)  # not in the map, which would load the pages around it
        start = info.header_offset + LOCAL_HEADER + sum(struct.unpack("<HH", self.file.read(4)))
        return self._content[start : start + info.file_size]

    def _mapped(self) -> memoryview:
        """The whole file. It is opened again, because on Windows mapping moves the position in an open file to 0."""
        with self.path.open("rb") as file:
            if not os.path.sameopenfile(file.fileno(), self.file.fileno()):
                raise FileNotFoundError(errno.ENOENT, "another file has its name now", str(self.path))
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def _text(capture: Capture, path: Path | str) -> bytes:
    """The JSON of a capture, without its triangles; raises FileError for what could not be read back."""
    bare = replace(capture, shapes=tuple(replace(shape, triangles=b"") for shape in capture.shapes))
    return readable_text(msgspec.json.encode(bare), path)


def readable_text(encoded: bytes, path: Path | str) -> bytes:
    """The JSON of a capture with indentation and all numbers as in files; raises FileError as `_text`."""
    return msgspec.json.format(msgspec.json.encode(_parsed(encoded, path)), indent=1) + b"\n"


def _write(capture: Capture, text: bytes, file: IO[bytes], *, compressed: bool = True) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        put(archive, JSON, text, compressed=compressed)
        for number, shape in enumerate(capture.shapes):
            if shape.triangles:
                put(archive, array_name(number), shape.triangles, compressed=compressed)


def _read(file: IO[bytes], path: Path | str, mapped: _Map | None = None) -> Capture:
    try:
        with zipfile.ZipFile(file) as archive:
            capture = _parsed(_json(archive, path), path)
            _check_entries(archive, capture, path)
            shapes = tuple(
                replace(shape, triangles=_array(archive, number, shape, path, mapped))
                for number, shape in enumerate(capture.shapes)
            )
    except ARCHIVE_ERRORS as error:
        raise FileError(path, f"it is not a capture file, or it is damaged ({error})", remedy=REMEDY) from error
    return replace(capture, shapes=shapes)


def put(archive: zipfile.ZipFile, name: str, data: bytes, *, compressed: bool) -> None:
    """Add an entry that is the same on every machine and at any time."""
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.create_system, info.external_attr = 3, 0o644 << 16
    archive.writestr(info, data, zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED, 6)


def _json(archive: zipfile.ZipFile, path: Path | str) -> bytes:
    if JSON not in archive.namelist():
        raise FileError(path, f"it does not contain {JSON}", remedy=REMEDY)
    if archive.getinfo(JSON).file_size > LARGEST_JSON:
        raise FileError(path, f"its {JSON} is larger than the limit of {LARGEST_JSON:,} bytes")
    with archive.open(JSON) as file:
        return file.read(LARGEST_JSON)


def _parsed(text: bytes, path: Path | str) -> Capture:
    try:
        version = msgspec.json.decode(text, type=_Version).version
        if version > VERSION:
            raise FileError(
                path,
                f"a newer swgrm wrote it (format {version}, not {VERSION})",
                remedy="Update swgrm",
            )
        capture = msgspec.json.decode(text, type=Capture)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        problem, _, place = str(error).partition(" - at ")
        raise FileError(path, problem.lower(), place=f"{JSON} {place}".strip(), remedy=REMEDY) from error
    check_keys(capture, path)
    return capture


def check_keys(capture: Capture, path: Path | str) -> None:
    """Raises FileError for duplicate keys and for components without their parent."""
    _check_unique((c.name for c in capture.components), "component", path)
    _check_unique((f"{d.path} ({d.configuration})" for d in capture.documents), "document", path)
    _check_unique((f"{s.path} ({s.configuration}) {s.variant}" for s in capture.shapes), "shape", path)
    names = {component.name for component in capture.components}
    for component in capture.components:
        if component.parent and component.parent not in names:
            raise FileError(path, f"the sub-assembly of component `{component.name}` is missing", remedy=REMEDY)


def _check_unique(names: Iterable[str], kind: str, path: Path | str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise FileError(path, f"{kind} `{name}` occurs twice", remedy=REMEDY)
        seen.add(name)


def _check_entries(archive: zipfile.ZipFile, capture: Capture, path: Path | str) -> None:
    """Raises FileError unless the entries are those that the JSON lists and are small enough together."""
    sizes = {array_name(n): _size(shape) for n, shape in enumerate(capture.shapes) if _size(shape)}
    if sum(sizes.values()) > LARGEST_MESHES:
        raise FileError(path, f"its meshes are larger than the limit of {LARGEST_MESHES:,} bytes")
    found = sorted(archive.namelist())
    if found != sorted([JSON, *sizes]):
        unexpected = sorted(set(found) ^ {JSON, *sizes}) or ["duplicate entry"]
        raise FileError(path, f"its entries are not those of a capture file: {unexpected[0]}", remedy=REMEDY)
    for name, size in sizes.items():
        if archive.getinfo(name).file_size != size:
            raise FileError(path, f"{name} does not have the {size:,} bytes that its faces require", remedy=REMEDY)


def _array(
    archive: zipfile.ZipFile, number: int, shape: PartShape, path: Path | str, mapped: _Map | None
) -> bytes | memoryview:
    """The triangles of a shape: read, or as a view of the file."""
    if shape.triangles:
        raise FileError(
            path,
            "the JSON contains triangles",
            place=f"shape {number}",
            remedy=REMEDY,
        )
    size = _size(shape)
    if not size:
        return b""
    info = archive.getinfo(array_name(number))
    with archive.open(info) as file:
        if mapped is not None and info.compress_type == zipfile.ZIP_STORED and info.compress_size == size:
            view = mapped.entry(info)
            while view is not None and file.read(CHUNK):  # to check that it is not damaged, without keeping it
                pass
            if view is not None:
                return view
        data = file.read(size)
    if len(data) != size:
        raise FileError(path, f"{array_name(number)} ends too early", remedy=REMEDY)
    return data


def _size(shape: PartShape) -> int:
    return BYTES_PER_TRIANGLE * sum(face.triangles for body in shape.bodies for face in body.faces)


def array_name(number: int) -> str:
    """The entry with the triangles of a shape, given its index."""
    return f"triangles/{number:05d}.f32"
