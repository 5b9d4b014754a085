"""Capture files: what is written is read back, and any other input is one clear error."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.assemblies import assemblies

from swgrm.capture import Capture, decode, encode, load, save
from swgrm.capture.file import JSON
from swgrm.errors import FileError
from swgrm_mocks.builder import Assembly
from swgrm_mocks.samples import SAMPLES, sample

ARM = encode(sample("lead_screw"))


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_round_trips_through_its_file(name: str, tmp_path: Path) -> None:
    capture = sample(name)
    save(capture, tmp_path / "a.swcap")
    assert load(tmp_path / "a.swcap") == capture
    assert (tmp_path / "a.swcap").read_bytes() == encode(capture)


@given(assemblies(depth=1))
@settings(max_examples=30)
def test_any_capture_round_trips_through_its_file(assembly: Assembly) -> None:
    capture = assembly.capture()
    assert decode(encode(capture)) == capture


def entries(data: bytes = ARM) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(content: dict[str, bytes], **extra: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {**content, **extra}.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def changed(path: str, value: object) -> bytes:
    """The file with one value of its JSON replaced, given the path of its keys."""
    content = entries()
    tree = json.loads(content[JSON])
    *parents, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    branch = tree
    for key in parents:
        branch = branch[key]
    branch[last] = value
    return packed({**content, JSON: json.dumps(tree).encode()})


FIRST = "triangles/00000.f32"
HOSTILE = {
    "nothing": (b"", "not a capture"),
    "no zip": (b"PK\x03\x04 but not really", "not a capture"),
    "no json": (packed({"readme.txt": b"hello"}), "does not contain capture.json"),
    "broken json": (packed({JSON: b'{"version": 1,'}), "truncated"),
    "not utf-8": (packed({JSON: b'{"version": 1, "source": "\xff\xfe"}'}), "capture.json"),
    "a list": (packed({JSON: b"[]"}), "expected `object`"),
    "deep": (packed({JSON: b'{"version":1,"source":' + b"[" * 200_000}), "capture.json"),
    "newer": (changed("version", 99), "newer swgrm"),
    "unknown key": (changed("source.colour", "red"), "unknown field `colour`"),
    "wrong type": (changed("components.0.name", 5), "components[0].name"),
    "short transform": (changed("components.0.transform", [1.0, 2.0]), "length >= 16"),
    "negative triangles": (changed("shapes.0.bodies.0.faces.0.triangles", -1), ">= 0"),
    "too many triangles": (changed("shapes.0.bodies.0.faces.0.triangles", 10**15), "larger than"),
    "one triangle more": (changed("shapes.0.bodies.0.faces.0.triangles", 10**4), "bytes that its faces require"),
    "triangles in the json": (changed("shapes.0.triangles", "AAAA"), "the JSON contains triangles"),
    "orphan": (changed("components.0.name", "missing-1/part-1"), "component `missing-1/part-1` is missing"),
    "twice": (changed("components.0.name", json.loads(entries()[JSON])["components"][1]["name"]), "occurs twice"),
    "out of range": (packed({**entries(), JSON: entries()[JSON].replace(b"1.0,", b"1e999,", 1)}), "capture.json"),
    "path outside": (packed(entries(), **{"../../evil": b"x"}), "not those of a capture"),
    "absolute path": (packed(entries(), **{"/etc/passwd": b"x"}), "not those of a capture"),
    "missing array": (packed({n: d for n, d in entries().items() if n != FIRST}), "not those of a capture"),
    "short array": (packed({**entries(), FIRST: b"abc"}), "bytes that its faces require"),
    "bomb": (packed({JSON: b" " * (300 << 20)}), "larger than"),
    "unlisted bomb": (packed(entries(), **{"triangles/99999.f32": bytes(50 << 20)}), "not those of a capture"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_input_is_an_error_that_names_the_problem(name: str) -> None:
    data, sentence = HOSTILE[name]
    with pytest.raises(FileError) as caught:
        decode(data, "hostile.swcap")
    assert str(caught.value).startswith("hostile.swcap: ")
    assert sentence in str(caught.value)


def test_a_damaged_file_is_an_error() -> None:
    flipped = bytearray(ARM)
    flipped[len(ARM) // 2] ^= 0xFF
    for damaged in (ARM[: len(ARM) // 2], bytes(flipped)):
        with pytest.raises(FileError):
            decode(damaged, "hostile.swcap")


@given(st.data())
@settings(max_examples=300)
def test_a_randomly_damaged_file_is_a_capture_or_a_file_error(data: st.DataObject) -> None:
    damaged = bytearray(ARM)
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, len(ARM) - 1))] = data.draw(st.integers(0, 255))
    end = data.draw(st.integers(0, len(ARM)))
    try:
        assert isinstance(decode(bytes(damaged[:end] if data.draw(st.booleans()) else damaged), "x"), Capture)
    except FileError as error:
        assert "x: " in str(error)  # noqa: PT017 - both outcomes are valid


def test_a_capture_that_cannot_be_read_back_is_not_written(tmp_path: Path) -> None:
    from msgspec.structs import replace

    capture = sample("lead_screw")
    bad = replace(capture, components=(replace(capture.components[0], transform=(float("nan"),) * 16),))
    with pytest.raises(FileError):
        save(bad, tmp_path / "a.swcap")
    assert list(tmp_path.iterdir()) == []
