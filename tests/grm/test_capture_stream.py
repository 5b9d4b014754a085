"""Captures that are written while a document is read: the same content, little memory, and nothing half-written."""

from __future__ import annotations

import math
import mmap
import os
import pickle
import tracemalloc
import zipfile
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from swgrm.capture import Capture, CaptureStream, Face, PartBody, encode, load, save, save_streamed, unload
from swgrm.capture.file import JSON
from swgrm.errors import Cancelled, FileError
from swgrm_mocks.samples import SAMPLES, sample

TRIANGLES = 2_000  # of each part


def bare(capture: Capture) -> Capture:
    return replace(capture, shapes=tuple(replace(shape, triangles=b"") for shape in capture.shapes))


def streamed(capture: Capture, file: Path, *, backwards: bool = False) -> Path:
    """The file of a stream that gets the shapes in the order of the capture or in the opposite one."""
    with CaptureStream(file) as stream:
        for shape in reversed(capture.shapes) if backwards else capture.shapes:
            assert stream.keep((shape.path, shape.configuration, shape.variant), [shape.triangles]) == b""
        stream.finish(bare(capture))
    return file


def heavy(parts: int) -> Capture:
    """A capture of that many parts with different triangles."""
    given = sample("four_bar")
    body = PartBody("body", 0, faces=(Face(TRIANGLES),))
    numbers = np.arange(9 * TRIANGLES, dtype="<f4")
    shapes = [
        replace(given.shapes[0], path=f"{n:05}.sldprt", bodies=(body,), triangles=(numbers + n).tobytes())
        for n in range(parts)
    ]
    return replace(given, shapes=tuple(shapes))


@pytest.mark.parametrize("name", SAMPLES)
def test_a_stream_has_the_content_of_a_saved_file(name: str, tmp_path: Path) -> None:
    capture = sample(name)
    for backwards in (False, True):
        file = streamed(capture, tmp_path / "stream.swcap", backwards=backwards)
        assert load(file) == capture
        save_streamed(file, tmp_path / "saved.swcap")
        assert load(tmp_path / "saved.swcap") == capture


def test_the_triangles_of_shapes_that_were_left_out_are_not_listed(tmp_path: Path) -> None:
    capture = heavy(4)
    fewer = replace(capture, shapes=capture.shapes[1:3])
    with CaptureStream(tmp_path / "a.swcap") as stream:
        for shape in capture.shapes:
            stream.keep((shape.path, shape.configuration, shape.variant), [shape.triangles])
        stream.finish(bare(fewer))
    assert load(tmp_path / "a.swcap") == fewer
    with zipfile.ZipFile(tmp_path / "a.swcap") as archive:
        assert archive.testzip() is None
        assert sorted(archive.namelist()) == [JSON, "triangles/00000.f32", "triangles/00001.f32"]


def test_the_json_is_encoded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[object] = []
    original = msgspec.json.encode

    def encode_counted(value: object) -> bytes:
        encoded.append(value)
        return original(value)

    monkeypatch.setattr(msgspec.json, "encode", encode_counted)
    streamed(sample("four_bar"), tmp_path / "a.swcap")
    assert len(encoded) == 1


@pytest.mark.parametrize("kind", [KeyboardInterrupt, Cancelled])
def test_an_unfinished_stream_leaves_nothing(tmp_path: Path, kind: type[BaseException]) -> None:
    def interrupted() -> None:
        with CaptureStream(tmp_path / "a.swcap") as stream:
            stream.keep(("a", "b", ""), [b"x" * 36])
            raise kind

    with pytest.raises(kind):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_a_file_error_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    def kept() -> None:
        with CaptureStream(tmp_path / "a.swcap") as stream:
            monkeypatch.setattr(zipfile.ZipFile, "writestr", full)
            stream.keep(("a", "b", ""), [b"x" * 36])

    with pytest.raises(FileError, match=r"a\.swcap: it cannot be written: no space left on device"):
        kept()
    assert list(tmp_path.iterdir()) == []


def test_a_stream_in_no_folder_is_a_file_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="it cannot be written"):
        CaptureStream(tmp_path / "missing" / "a.swcap")


def test_keys_that_occur_twice_are_an_error(tmp_path: Path) -> None:
    capture = sample("four_bar")
    twice = replace(capture, components=(*capture.components, capture.components[0]))
    with pytest.raises(FileError, match="occurs twice"):
        streamed(twice, tmp_path / "a.swcap")
    assert list(tmp_path.iterdir()) == []


def test_a_stream_needs_the_memory_of_one_part(tmp_path: Path) -> None:
    parts, size = 40, 36 * TRIANGLES
    faces = [bytes(size // 2), bytes(size // 2)]
    with CaptureStream(tmp_path / "a.swcap") as stream:
        tracemalloc.start()
        for number in range(parts):
            stream.keep((str(number), "", ""), faces)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 3 * size


def test_loading_arrays_that_are_not_compressed_does_not_read_them(tmp_path: Path) -> None:
    save(heavy(40), tmp_path / "a.swcap", compressed=False)
    tracemalloc.start()
    capture = load(tmp_path / "a.swcap")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40 * 36 * TRIANGLES / 2
    assert capture == heavy(40)
    assert np.frombuffer(capture.shapes[3].triangles, "<f4")[1] == 4.0


def test_mapped_triangles_are_passed_on_as_bytes(tmp_path: Path) -> None:
    save(heavy(2), tmp_path / "a.swcap", compressed=False)
    shape = load(tmp_path / "a.swcap").shapes[1]
    (tmp_path / "a.swcap").unlink()  # the view remains
    for copy in (pickle.loads(pickle.dumps(shape)), deepcopy(shape)):  # noqa: S301 - our own
        assert copy == shape
        assert type(copy.triangles) is bytes
    assert hash(shape) == hash(heavy(2).shapes[1])


def test_mapped_triangles_leave_the_memory_and_can_still_be_read(tmp_path: Path) -> None:
    save(heavy(400), tmp_path / "a.swcap", compressed=False)
    capture = load(tmp_path / "a.swcap")
    assert capture == heavy(400)  # which reads all of them
    before = file_pages()
    unload(capture)
    assert file_pages() < before - 400 * 36 * TRIANGLES / 2
    assert capture == heavy(400)
    unload(heavy(1))  # in memory: nothing to do


def file_pages() -> float:
    """The memory of this process that is mapped from files [bytes], as Linux reports it."""
    status = Path("/proc/self/status")
    if not status.exists():
        pytest.skip("it is counted on Linux")
    return int(status.read_text("ascii", "replace").partition("RssFile:")[2].split()[0]) * 1024


def test_mapping_may_move_the_position_in_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it does on Windows."""
    mapped = mmap.mmap

    def moving(file: int, *more: Any, **named: Any) -> mmap.mmap:
        os.lseek(file, 0, os.SEEK_SET)
        return mapped(file, *more, **named)

    save(heavy(5), tmp_path / "a.swcap", compressed=False)
    monkeypatch.setattr("mmap.mmap", moving)
    assert load(tmp_path / "a.swcap") == heavy(5)


def test_a_file_that_is_replaced_while_it_is_loaded_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(heavy(2), tmp_path / "a.swcap", compressed=False)
    check = os.path.sameopenfile
    monkeypatch.setattr("os.path.sameopenfile", lambda one, other: not check(one, other))
    capture = load(tmp_path / "a.swcap")
    assert capture == heavy(2)
    assert type(capture.shapes[0].triangles) is bytes


def test_a_file_that_cannot_be_mapped_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError(19, "No such device")

    save(heavy(2), tmp_path / "a.swcap", compressed=False)
    monkeypatch.setattr("mmap.mmap", refused)
    assert load(tmp_path / "a.swcap") == heavy(2)


def test_triangles_that_are_a_view_of_memory_are_not_unloaded() -> None:
    capture = heavy(1)
    shape = replace(capture.shapes[0], triangles=memoryview(capture.shapes[0].triangles))
    unload(replace(capture, shapes=(shape,)))
    assert shape == heavy(1).shapes[0]


def test_what_could_not_be_read_back_is_not_saved_for_others(tmp_path: Path) -> None:
    capture = sample("four_bar")
    first = capture.components[0]
    odd = replace(first, transform=(math.nan,) * 16)
    file = streamed(replace(capture, components=(odd, *capture.components[1:])), tmp_path / "a.swcap")
    with pytest.raises(FileError, match="expected `float`, got `null`"):
        save_streamed(file, tmp_path / "b.swcap")
    assert not (tmp_path / "b.swcap").exists()


def test_mapped_triangles_are_saved_as_others(tmp_path: Path) -> None:
    save(heavy(2), tmp_path / "a.swcap", compressed=False)
    assert encode(load(tmp_path / "a.swcap")) == encode(heavy(2))


def test_a_damaged_array_that_is_not_compressed_is_an_error(tmp_path: Path) -> None:
    save(heavy(2), tmp_path / "a.swcap", compressed=False)
    data = bytearray((tmp_path / "a.swcap").read_bytes())
    data[data.index(np.float32(77.0).tobytes())] ^= 1
    (tmp_path / "a.swcap").write_bytes(data)
    with pytest.raises(FileError, match="it is damaged"):
        load(tmp_path / "a.swcap")
