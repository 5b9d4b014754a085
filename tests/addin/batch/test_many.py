from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

from tests.batches import World, small_capture
from tests.full import IS_FULL

from swgrm_mocks.samples import SAMPLES

GOOD = 180 if IS_FULL else 14


def entry(name: str, data: bytes) -> bytes:
    """A zip with one entry."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(name, data)
    return buffer.getvalue()


def altered(**changes: object) -> bytes:
    """The small capture with other values at its top."""
    with zipfile.ZipFile(io.BytesIO(small_capture())) as archive:
        return entry("capture.json", json.dumps(json.loads(archive.read("capture.json")) | changes).encode())


def mock(serves: str = "small.swcap.data", **more: object) -> bytes:
    return json.dumps({"serves": serves, **more}).encode()


BROKEN = {  # twenty broken documents: the content, and a part of the message
    "hangs.mock.json": (mock(fault={"kind": "hang"}), "longer than the time limit"),
    "crashes.mock.json": (mock(fault={"kind": "crash"}), "was lost"),
    "busy.mock.json": (mock(fault={"kind": "busy"}, patience=1), "stayed busy"),
    "unlicensed.mock.json": (mock(fault={"kind": "licence"}), "licence"),
    "no-reference.mock.json": (mock("not-there.data"), "no such file"),
    "no-sample.mock.json": (mock("mock:amr"), "Did you mean `arm`?"),
    "no-json.mock.json": (b"SERVES ARM", "not a mock assembly"),
    "odd-key.mock.json": (mock(speed=1), "not a mock assembly"),
    "empty.mock.json": (b"", "not a mock assembly"),
    "no-text.mock.json": (b"\xff\xfe\x00", "not a mock assembly"),
    "empty.swcap": (b"", "empty.swcap"),
    "no-zip.swcap": (b"PK\3\4" + bytes(100), "no-zip.swcap"),
    "cut-off.swcap": (small_capture()[:-200], "cut-off.swcap"),
    "stranger.swcap": (entry("readme.txt", b"hello"), "does not contain capture.json"),
    "no-json.swcap": (entry("capture.json", b"{"), "capture.json"),
    "newer.swcap": (altered(version=99), "newer swgrm"),
    "odd-key.swcap": (altered(colour="red"), "colour"),
    "wrong-type.swcap": (altered(components=3), "array"),
    "needs-solidworks.SLDASM": (b"", "SolidWorks is not installed on this machine"),
    "no-robot.grm.json": (b'{"robotName": "r"}', "rootFrame"),
}


def test_of_two_hundred_assemblies_the_good_ones_are_exported_and_the_others_explained(world: World) -> None:
    assert len(BROKEN) == 20
    samples = [*(f"mock:{name}" for name in SAMPLES), "small.swcap.data"]
    for number in range(GOOD):
        serves = samples[number % len(samples)]
        if number % 5 == 4:
            Path(world.documents / f"good{number}.swcap").write_bytes(small_capture())
        else:
            world.mock(f"good{number}", serves)
    for name, (data, _) in BROKEN.items():
        (world.documents / name).write_bytes(data)
    result = world.run("--jobs", "2", "--timeout", "30")  # a document hangs
    report = world.report()
    unexpected = {name: it["failures"] for name, it in report.items() if (it["status"] == "failed") != (name in BROKEN)}
    assert unexpected == {}
    assert result.returncode == 1
    assert result.stdout.startswith(f"{GOOD} exported, 20 failed")
    for name, (_, text) in BROKEN.items():
        failure = report[name]["failures"][-1]
        assert text in failure["message"], name
        assert f"failed   {name}: {failure['message']}" in result.stderr
    assert all((Path(it["folder"]) / ".swgrm.json").is_file() == (it["status"] == "exported") for it in report.values())
