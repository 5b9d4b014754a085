"""The button Review on the mock in memory: the page opens, joints are highlighted, everything ends as it was."""

from __future__ import annotations

import http.client
import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.addin.inside import SUBPROCESSES, Bench

from swgrm_addin.inside import highlight
from swgrm_addin.inside.addin_folders import close_log
from swgrm_addin.inside.orders import KEPT
from swgrm_mocks import builder
from swgrm_mocks.mates import plane, shaft
from swgrm_mocks.samples import sample
from swgrm_mocks.solids import box
from swgrm_mocks.solidworks import Fault
from swgrm_mocks.solidworks.documents import Project

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the subprocesses are scripts of a POSIX system")

ADDRESS = "http://127.0.0.1:1/#secret"
PAGE: dict[str, object] = {"type": "page", "file": ADDRESS}


def script(*events: dict[str, object], then: str = "sys.stdin.read()") -> str:
    """A child process that emits these events, then does that, and then has done its job."""
    lines = "".join(f"print({json.dumps(json.dumps(event))}, flush=True)\n" for event in events)
    return f"{lines}{then}\nanswer()"


@pytest.fixture(name="bench")
def _bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    monkeypatch.setattr(builder, "FOLDER", f"{tmp_path}/")
    assembly = builder.Assembly("arm")
    base = assembly.part(builder.Part("base", box(0.1, 0.1, 0.1))).fixed()
    link = assembly.part(builder.Part("link", box(0.1, 0.1, 0.3)), builder.pose(z=0.2))
    assembly.concentric(base.at(shaft((0, 0, 0), (0, 0, 1), 0.01)), link.at(shaft((0, 0, 0), (0, 0, 1), 0.01)))
    assembly.coincident(base.at(plane((0, 0, 0.05), (0, 0, 1))), link.at(plane((0, 0, -0.15), (0, 0, -1))), alignment=1)
    yield from ended(Bench(tmp_path, assembly.capture()))


def ended(bench: Bench) -> Iterator[Bench]:
    """The bench; afterwards SolidWorks is as it was, and nothing is left behind."""
    before = bench.world.state()
    yield bench
    bench.session.disconnect(7)
    close_log()
    assert bench.world.state() == before, "SolidWorks is not as it was"
    assert bench.children() == [], "a child process was left behind"
    assert not list(bench.folders.work.glob("*")), "a capture was left behind"


def until(bench: Bench, condition: Callable[[], object], seconds: float = 20) -> None:
    """Let the timers tick until the condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, bench.log()
        bench.ui.wait()


def behave(bench: Bench, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setitem(SUBPROCESSES, "review", text)
    bench.behave("review")


def project(bench: Bench) -> Project:
    """The document that is open in SolidWorks, with its state."""
    assert bench.world.active is not None
    found: Project = bench.world.active.project
    return found


def lit(bench: Bench) -> set[str]:
    """The components that SolidWorks highlights."""
    return {component for component, _ in project(bench).highlighted}


def test_the_page_opens_and_other_commands_stay_available(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    behave(bench, monkeypatch, script(PAGE))
    bench.press("Review")
    until(bench, lambda: bench.ui.opened)
    assert bench.ui.opened == [ADDRESS]
    (job,) = bench.jobs()
    assert (job["type"], Path(job["source"]).name) == ("review", "arm.swcap")
    assert (job["settings"], job["folder"]) == (f"{tmp_path}/arm.grm.yaml", f"{tmp_path}/arm_grm")
    assert {"ExportGRM", "Check", "Review"} < bench.enabled()
    assert bench.world.messages == []


def test_pressed_again_it_reads_again_and_replaces_the_page(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    behave(bench, monkeypatch, script(PAGE))
    bench.press("Review")
    (first,) = bench.children()
    bench.press("Review")
    (second,) = bench.children()
    assert first != second
    assert len(list(bench.folders.work.glob("*"))) == 1


def test_components_of_the_selected_joint_are_highlighted_until_the_page_ends(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    selected = [["base-1"], ["link-1", "no such-1"]]
    events: list[dict[str, object]] = [{"type": "selection", "components": names} for names in selected]
    behave(bench, monkeypatch, script(PAGE, *events, then="time.sleep(1.5)"))
    project(bench).selection = ["something of the user's"]
    before = bench.world.state()
    bench.press("Review")
    until(bench, lambda: lit(bench) == {"link-1"})
    bench.session.programs.queue_highlight(bench.session.review.document, ())
    until(bench, lambda: not lit(bench))
    bench.session.programs.queue_highlight(bench.session.review.document, ["base-1"])
    until(bench, lambda: lit(bench) == {"base-1"})
    until(bench, lambda: not bench.session.review.document)
    assert bench.world.state() == before
    project(bench).selection = []


def test_highlights_do_not_push_out_the_states_of_other_orders(bench: Bench, tmp_path: Path) -> None:
    orders = bench.session.programs
    ticket = orders.queue_capture("", str(tmp_path / "x.swcap"))
    until(bench, lambda: json.loads(orders.state(ticket))["state"] == "done")
    for _ in range(KEPT + 1):
        last = orders.queue_highlight("", ["link-1"])
    until(bench, lambda: json.loads(orders.state(last))["state"] == "done")
    assert json.loads(orders.state(ticket))["state"] == "done"


def test_highlights_wait_for_the_end_of_a_command(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    behave(bench, monkeypatch, script(PAGE))
    bench.press("Review")
    bench.behave("hung")
    bench.session.callbacks()["ExportGRM"]()
    bench.session.programs.queue_highlight(bench.session.review.document, ["link-1"])
    for _ in range(10):
        bench.ui.wait()
    assert not lit(bench)
    bench.session.runner.stop()
    until(bench, lambda: lit(bench))


@pytest.mark.parametrize("member", ["ISldWorks.GetOpenDocumentByName", "IFace2.Highlight", "IComponent2.GetBodies3"])
def test_a_highlight_that_fails_is_only_logged(bench: Bench, monkeypatch: pytest.MonkeyPatch, member: str) -> None:
    behave(bench, monkeypatch, script(PAGE))
    bench.press("Review")
    bench.world.connection.faults = [Fault(1, times=10**6, member=member)]
    bench.session.programs.queue_highlight(bench.session.review.document, ["link-1"])
    until(bench, lambda: f"highlighting: SolidWorks failed: {member}" in bench.log())
    bench.world.connection.faults = []
    assert bench.world.messages == []


def test_a_document_that_was_closed_is_not_highlighted(bench: Bench) -> None:
    shown = highlight.Highlight(bench.application)
    shown.show("C:\\no such document.SLDASM", ["link-1"])
    shown.clear()
    assert not lit(bench)


def test_components_of_sub_assemblies_are_found(tmp_path: Path) -> None:
    bench = Bench(tmp_path, sample("mobile_base"))
    document = project(bench).capture.source.path
    shown = highlight.Highlight(bench.application)
    names = [component.name for component in project(bench).capture.components]
    for name in names:
        shown.show(document, [name])
        inside = {each for each in names if each == name or each.startswith(f"{name}/")}
        assert lit(bench) <= inside
        assert lit(bench) or any(each.startswith(f"{name}/") for each in names)
    shown.clear()
    assert not lit(bench)
    close_log()


def test_an_export_of_the_page_is_the_last_export(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    behave(bench, monkeypatch, script({"type": "page-export", "folder": "/robots/arm"}, then=""))
    bench.press("Review")
    until(bench, lambda: not bench.session.review.document)
    assert "OpenLastExport" in bench.enabled()
    assert bench.folders.read_history().last == "/robots/arm"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fail('FileError', 'arm.grm.yaml: line 3 is wrong.', 2)", "arm.grm.yaml: line 3 is wrong."),
        ("os._exit(3)", "ended unexpectedly (exit code 3)"),
        ("print('{ not JSON', flush=True)", "ended unexpectedly (exit code 0)"),
    ],
)
def test_a_review_that_fails_is_explained(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    behave(bench, monkeypatch, text)
    bench.press("Review")
    until(bench, lambda: bench.world.messages)
    assert message in bench.world.messages[0]
    assert "Review" in bench.enabled()


def test_a_python_that_cannot_be_started_is_explained(bench: Bench) -> None:
    bench.press("Review")
    assert "cannot be started" in bench.world.messages[0]


def test_the_real_subprocess_serves_the_page_and_ends_with_the_add_in(bench: Bench, tmp_path: Path) -> None:
    """The whole way: the button, the server, a joint that is selected on the page, and its components in SolidWorks."""
    bench.session.review.python = Path(sys.executable)
    bench.press("Review")
    until(bench, lambda: bench.ui.opened)
    page = Path(str(bench.ui.opened[0])).read_text("utf-8")  # the secret is on no command line
    port, secret = re.findall(r"http://127\.0\.0\.1:(\d+)/#([\w-]+)", page)[0]
    connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=60)

    def ask(path: str, token: str = "", method: str = "POST", **body: object) -> Any:
        headers = {"Content-Type": "application/json", "X-Swgrm-Token": token}
        connection.request(method, path, json.dumps(body) if method == "POST" else None, headers)
        return json.loads(connection.getresponse().read())

    token = ask("/session", secret=secret)["token"]
    review = ask("/model", token, "GET")["review"]
    assert review["highlights"]
    joint, between = next(iter(review["between"].items()))
    assert sorted(ask("/select", token, joint=joint)["components"]) == sorted(between) == ["base-1", "link-1"]
    until(bench, lambda: lit(bench) == {"base-1", "link-1"})
    assert ask("/select", token, joint="")["components"] == []
    until(bench, lambda: not lit(bench))
    ask("/export", token)
    until(bench, lambda: bench.folders.read_history().last == f"{tmp_path}/arm_grm")
    assert (tmp_path / "arm_grm" / "arm.html").exists()
    connection.close()
    assert len(bench.children()) == 1
    bench.session.review.stop()
    assert bench.children() == []
