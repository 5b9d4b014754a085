"""The review's server: what it answers, and everything that it refuses."""

from __future__ import annotations

import base64
import http.client
import json
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from swgrm.processes.protocol import encode
from swgrm_addin.jobs import PageEvent, ReviewJob, start_program
from swgrm_addin.review.server import _ACTIONS, LARGEST, ReviewServer
from swgrm_addin.review.session import ReviewSession

JSON = {"Content-Type": "application/json"}


class ServedReview:
    """A running server and requests to it."""

    def __init__(self, folder: Path, idle: float = 60.0) -> None:
        self.session = ReviewSession("mock:four_bar", folder / "four_bar.grm.yaml", folder / "out")
        self.server = ReviewServer(self.session, idle)
        self.thread = threading.Thread(target=self.server.run)
        self.thread.start()

    def ask(
        self, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in {"Host": f"127.0.0.1:{self.server.port}", **(headers or {})}.items():
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, dict(answer.getheaders()), data

    def post(self, path: str, data: object, **headers: str) -> tuple[int, Any]:
        token = {"X-Swgrm-Token": self.server.token, **JSON, **headers}
        status, _, answer = self.ask("POST", path, token, json.dumps(data).encode())
        return status, json.loads(answer)

    def end(self) -> None:
        self.server.stop()
        self.thread.join(20)
        assert not self.thread.is_alive()


@pytest.fixture(name="served")
def _served(tmp_path: Path) -> Iterator[ServedReview]:
    served = ServedReview(tmp_path)
    yield served
    served.end()


def test_an_unexpected_error_is_answered(served: ServedReview) -> None:
    nested = b'{"edits": [{"path": ["joints"], "value": ' + b"[" * 900 + b"]" * 900 + b"}]}"
    headers = {"X-Swgrm-Token": served.server.token, **JSON}
    status, _, answer = served.ask("POST", "/change", headers, nested)
    assert status == 500
    assert json.loads(answer)["error"].startswith("Unexpected error in swgrm (RecursionError: ")
    assert served.post("/flip", {"joint": "crank_joint"})[0] == 200, "the review continues"


def test_a_length_with_thousands_of_digits_is_refused(served: ServedReview) -> None:
    headers = {"X-Swgrm-Token": served.server.token, **JSON, "Content-Length": "9" * 5000}
    assert served.ask("POST", "/change", headers)[0] == 413


def test_a_page_that_is_closed_while_it_is_answered_prints_nothing(
    served: ServedReview, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answered = threading.Event()

    def closed(*_: object, **__: object) -> None:
        answered.set()
        raise BrokenPipeError

    monkeypatch.setattr("swgrm_addin.review.server._Handler._send", closed)
    with pytest.raises(http.client.HTTPException):
        served.post("/undo", {})
    assert answered.wait(10)
    assert capsys.readouterr().err == ""


def test_it_listens_on_loopback_only(served: ServedReview) -> None:
    assert served.server.server_address[0] == "127.0.0.1"
    assert served.server.address.startswith(f"http://127.0.0.1:{served.server.port}/#")
    with (
        pytest.raises(ConnectionRefusedError),
        socket.create_connection(("127.0.0.2", served.server.port), 5),
    ):  # not all interfaces
        pass


def test_each_review_has_another_free_port_and_other_secrets(served: ServedReview, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = ServedReview(tmp_path / "other")
    try:
        assert other.server.port != served.server.port
        assert min(other.server.port, served.server.port) >= 1024
        secrets = [served.server.token, served.server.secret, other.server.token, other.server.secret]
        assert len(set(secrets)) == len(secrets)
        assert all(len(base64.urlsafe_b64decode(secret)) * 8 == 192 for secret in secrets)
    finally:
        other.end()


def test_no_other_program_can_take_the_port(served: ServedReview) -> None:
    assert served.server.socket.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR) == 0
    for reuse in (0, 1):
        with socket.socket() as other:
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, reuse)
            with pytest.raises(OSError, match=r"in use|WinError 100(48|13)"):
                other.bind(("127.0.0.1", served.server.port))


def test_the_shell_has_no_data_and_a_strict_policy(served: ServedReview) -> None:
    status, headers, body = served.ask("GET", "/")
    assert status == 200
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "connect-src 'self'" in policy
    assert re.search(r"script-src 'nonce-([\w-]{22})';", policy)
    assert "unsafe" not in policy
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert not {"Set-Cookie", "Access-Control-Allow-Origin"} & headers.keys()
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Frame-Options"] == "DENY"
    assert b"crank" not in body
    assert served.server.token.encode() not in body
    other = served.ask("GET", "/")[1]["Content-Security-Policy"]
    assert other != policy  # a nonce is used once


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "localhost:1", ""])
def test_another_host_is_refused(served: ServedReview, host: str) -> None:
    assert served.ask("GET", "/", {"Host": host})[0] == 421
    assert served.ask("GET", "/model", {"Host": host, "X-Swgrm-Token": served.server.token})[0] == 421


def test_localhost_is_the_same_host(served: ServedReview) -> None:
    assert served.ask("GET", "/", {"Host": f"localhost:{served.server.port}"})[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_another_site_is_refused(served: ServedReview, headers: dict[str, str]) -> None:
    assert served.ask("GET", "/", headers)[0] == 403
    assert served.post("/change", {"edits": []}, **headers)[0] == 403


def test_the_own_site_is_answered(served: ServedReview) -> None:
    origin = f"http://127.0.0.1:{served.server.port}"
    assert served.ask("GET", "/", {"Origin": origin, "Sec-Fetch-Site": "same-origin"})[0] == 200
    assert served.ask("GET", "/", {"Origin": origin.replace("http:", "https:")})[0] == 403
    assert served.ask("GET", "/", {"Origin": f"http://127.0.0.1:{served.server.port - 1}"})[0] == 403


def test_cookies_and_addresses_are_no_tokens(served: ServedReview) -> None:
    token = served.server.token
    assert served.ask("GET", "/model", {"Cookie": f"X-Swgrm-Token={token}"})[0] == 403
    assert served.ask("GET", f"/model?X-Swgrm-Token={token}")[0] == 403
    assert served.ask("GET", "/model", {"X-Swgrm-Token": served.server.secret})[0] == 403


@pytest.mark.parametrize("path", [*_ACTIONS, "/session"])
def test_no_get_changes_anything(served: ServedReview, path: str) -> None:
    secret = served.server.secret
    assert served.ask("GET", path, {"X-Swgrm-Token": served.server.token, **JSON})[0] == 404
    assert served.server.secret == secret
    assert not served.session.settings.exists()
    assert not (served.session.settings.parent / "out").exists()


@pytest.mark.parametrize("token", ["", "wrong", "ä"])
def test_without_the_token_nothing_is_told(served: ServedReview, token: str) -> None:
    given = {"X-Swgrm-Token": token.encode().decode("latin-1")}
    for path in ("/model", "/events", "/mesh/" + "0" * 20):
        assert served.ask("GET", path, given)[0] == 403
    for path in ("/change", "/undo", "/redo", "/flip", "/export", "/explain"):
        assert served.ask("POST", path, {**given, **JSON}, b"{}")[0] == 403


def test_the_secret_of_the_address_works_once(served: ServedReview) -> None:
    secret = served.server.address.partition("#")[2]
    assert served.ask("POST", "/session", JSON, b'{"secret": "guess"}')[0] == 403
    status, _, body = served.ask("POST", "/session", JSON, json.dumps({"secret": secret}).encode())
    assert (status, json.loads(body)) == (200, {"token": served.server.token})
    assert served.ask("POST", "/session", JSON, json.dumps({"secret": secret}).encode())[0] == 403
    assert served.ask("POST", "/session", JSON, b'{"secret": ""}')[0] == 403
    assert served.ask("POST", "/session", JSON, b"[1, 2")[0] == 400


@pytest.mark.parametrize(
    "path", ["/mesh/../../etc/passwd", "/%2e%2e/etc/passwd", "/mesh/" + "0" * 20, "/web/page.css", "//x"]
)
def test_there_are_no_paths_to_files(served: ServedReview, path: str) -> None:
    assert served.ask("GET", path, {"X-Swgrm-Token": served.server.token})[0] == 404


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "application/json; charset=x"])
def test_only_json_is_taken(served: ServedReview, kind: str) -> None:
    headers = {"X-Swgrm-Token": served.server.token, "Content-Type": kind}
    assert served.ask("POST", "/undo", headers, b"{}")[0] == 415


@pytest.mark.parametrize("length", [str(LARGEST + 1), "-1", "many", "1e3"])
def test_a_request_that_is_too_long_is_refused_unread(served: ServedReview, length: str) -> None:
    headers = {"X-Swgrm-Token": served.server.token, **JSON, "Content-Length": length}
    assert served.ask("POST", "/undo", headers)[0] == 413


@pytest.mark.parametrize(
    "edit",
    [
        {"path": ["export", "folder"], "value": "elsewhere"},
        {"path": ["export"], "value": {"folder": "elsewhere"}},
        {"path": ["urdf", "packageName"], "value": "x"},
    ],
)
def test_the_page_decides_about_the_robot_and_not_about_files(served: ServedReview, edit: dict[str, object]) -> None:
    status, answer = served.post("/change", {"edits": [edit]})
    assert (status, "cannot change the section" in answer["error"]) == (422, True)
    assert not served.session.settings.exists()
    assert served.session.export_folder == served.session.folder
    assert served.post("/export", {"folder": "elsewhere"})[0] == 400


def test_a_change_that_is_refused_leaves_the_file_as_it_was(served: ServedReview) -> None:
    served.session.settings.write_text("# mine\n")
    assert served.post("/change", {"edits": [{"path": ["joints", "crank_joint", "upper"], "value": "x"}]})[0] == 422
    assert served.session.settings.read_text() == "# mine\n"


def test_wrong_requests_are_sentences(served: ServedReview) -> None:
    assert served.post("/change", {"edits": [{"path": 3}]})[0] == 400
    assert served.post("/change", {"edits": [], "folder": "/etc"})[0] == 400
    assert served.post("/nothing", {})[0] == 404
    status, answer = served.post("/change", {"edits": [{"path": ["joints", "nobody", "upper"], "value": "1 deg"}]})
    assert status == 422
    assert "nobody" in answer["error"]
    status, answer = served.post("/undo", {})
    assert (status, answer["error"]) == (422, "There is nothing to undo.")
    assert served.ask("PUT", "/model", {})[0] == 501


def test_a_change_goes_through_the_whole_server(served: ServedReview) -> None:
    status, model = served.post("/change", {"edits": [{"path": ["joints", "crank_joint", "upper"], "value": "90 deg"}]})
    assert status == 200
    assert model["review"]["undo"] == 1
    assert served.session.settings.read_text() == "joints:\n  crank_joint:\n    upper: 90 deg\n"
    status, _, mesh = served.ask(
        "GET", f"/mesh/{next(iter(served.session.meshes))}", {"X-Swgrm-Token": served.server.token}
    )
    assert (status, mesh[:2] != b"") == (200, True)
    assert served.post("/flip", {"joint": "crank_joint"})[0] == 200
    assert "lower: -90 deg" in served.session.settings.read_text()
    assert any("crank" in line for line in served.post("/explain", {"joint": "crank_joint"})[1]["lines"])
    assert served.post("/undo", {})[0] == 200
    assert served.post("/redo", {})[0] == 200
    status, done = served.post("/export", {})
    assert (status, done["robot"]) == (200, "four_bar")
    assert Path(done["folder"], "four_bar.urdf").is_file()


def test_orphans_are_a_question(served: ServedReview) -> None:
    served.post("/change", {"edits": [{"path": ["joints", "rocker_joint", "upper"], "value": "90 deg"}]})
    join = {"edits": [{"path": ["links", "join"], "value": [["rocker-1", "frame-1"]]}]}
    status, answer = served.post("/change", join)
    assert (status, answer["orphans"]) == (409, [["joints", "rocker_joint"]])
    assert served.post("/change", {**join, "withOrphans": True})[0] == 200


def test_events_follow_the_file_and_errors(served: ServedReview) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.server.port, timeout=30)
    connection.request("GET", "/events", headers={"X-Swgrm-Token": served.server.token})
    stream = connection.getresponse()
    served.session.settings.write_text("joints:\n  crank_joint:\n    upper: 10 deg\n")
    assert json.loads(next(line for line in iter(stream.readline, None) if line.strip()))["model"]["review"]
    served.session.settings.write_text("joints: [")
    assert "error" in json.loads(next(line for line in iter(stream.readline, None) if line.strip()))
    connection.close()


def test_it_ends_when_the_page_is_gone(tmp_path: Path) -> None:
    served = ServedReview(tmp_path, idle=0.5)
    time.sleep(1.5)
    assert served.thread.is_alive()  # nobody has come yet
    secret = served.server.address.partition("#")[2]
    served.ask("POST", "/session", JSON, json.dumps({"secret": secret}).encode())
    with socket.create_connection(("127.0.0.1", served.server.port)) as page:
        lines = [
            "GET /events HTTP/1.1",
            f"Host: 127.0.0.1:{served.server.port}",
            f"X-Swgrm-Token: {served.server.token}",
        ]
        page.sendall("\r\n".join([*lines, "", ""]).encode())
        assert page.recv(100)
        time.sleep(2)
        assert served.thread.is_alive()  # a page listens
    served.thread.join(20)
    assert not served.thread.is_alive()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")
def test_the_command_ends_with_ctrl_c(tmp_path: Path) -> None:
    start = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell's background ignores it
        "from swgrm_addin.__main__ import main; main()"
    )
    words = ["review", "mock:four_bar", "--no-browser", "--settings", str(tmp_path / "x.grm.yaml")]
    command = [sys.executable, "-c", start, *words]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as run:
        assert run.stdout is not None
        port = port_of(run.stdout.readline())
        socket.create_connection(("127.0.0.1", port), 20).close()
        run.send_signal(signal.SIGINT)
        assert run.wait(20) == 130
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), 5)


@pytest.mark.skipif(sys.platform == "win32", reason="tests/setup ends the host there")
def test_the_job_ends_with_its_host(tmp_path: Path) -> None:
    job = ReviewJob(source="mock:four_bar", settings=str(tmp_path / "x.grm.yaml"))
    with start_program() as child:
        child.send(encode(job))
        page = msgspec.json.decode(next(child.lines()), type=PageEvent)
        port = int(re.findall(r"http://127\.0\.0\.1:(\d+)/#", Path(page.file).read_text("utf-8"))[0])
        socket.create_connection(("127.0.0.1", port), 20).close()
        child.close_input()
        assert child.popen.wait(20) == 130
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), 5)


def port_of(address: str) -> int:
    return int(address.removeprefix("http://127.0.0.1:").partition("/#")[0])


def test_two_pages_and_one_export_at_a_time(served: ServedReview) -> None:
    assert served.server.exporting.acquire(blocking=False)
    status, answer = served.post("/export", {})
    assert (status, answer["error"]) == (422, "An export is running already.")
    served.server.exporting.release()


@pytest.mark.parametrize("is_possible", [True, False])
def test_the_last_event_of_an_export_is_its_end(served: ServedReview, tmp_path: Path, is_possible: bool) -> None:
    """The answer may reach a page before the events: the last of them is what the page goes on showing."""
    events: queue.Queue[dict[str, Any]] = queue.Queue()
    served.server.streams.add(events)
    if not is_possible:
        served.session.folder = tmp_path / "file"
        served.session.folder.touch()
    status, answer = served.post("/export", {})
    told = list(events.queue)
    assert status == (200 if is_possible else 422)
    assert [key for event in told[:-1] for key in event if key not in ("progress", "share")] == []
    assert told[-1] == ({"exported": answer} if is_possible else {"error": answer["error"]})


# ---- other users of the machine, and pages in a hurry


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
def test_the_secret_is_in_a_file_of_the_user_alone_until_it_is_used(served: ServedReview) -> None:
    file = served.server.opener()
    assert served.server.address in file.read_text("utf-8")
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    secret = served.server.address.partition("#")[2]
    assert served.post("/session", {"secret": secret})[0] == 200
    assert not file.parent.exists()


def test_the_browser_is_not_started_with_the_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.commands import swgrm

    opened: list[str] = []

    def open_page(address: str) -> bool:
        opened.append(address)
        return True

    run = ReviewServer.run

    def run_shortly(server: ReviewServer) -> None:
        threading.Timer(0.2, server.stop).start()
        run(server)

    monkeypatch.setattr("webbrowser.open", open_page)
    monkeypatch.setattr(ReviewServer, "run", run_shortly)
    printed = swgrm("review", "mock:arm", "--settings", tmp_path / "arm.grm.yaml").stdout
    secret = re.search(r"http://127\.0\.0\.1:\d+/#(\S+)", printed)
    assert secret is not None
    assert len(opened) == 1
    assert opened[0].startswith("file://")
    assert secret[1] not in opened[0]


def test_a_tab_may_open_the_page_from_the_file_and_nothing_else(served: ServedReview) -> None:
    opening = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert served.ask("GET", "/", opening)[0] == 200
    token = {"X-Swgrm-Token": served.server.token, **JSON}
    for headers in ({"Sec-Fetch-Dest": "iframe"}, {"Sec-Fetch-Mode": "no-cors"}, {"Origin": "https://evil.example"}):
        assert served.ask("GET", "/", {**opening, **headers})[0] == 403
    assert served.ask("GET", "/model", {**opening, **token})[0] == 403
    assert served.ask("POST", "/undo", {**opening, **token}, b"{}")[0] == 403


def test_many_requests_at_once_are_answered(served: ServedReview) -> None:
    answers: queue.Queue[int] = queue.Queue()

    def ask() -> None:
        answers.put(served.ask("GET", "/")[0])

    threads = [threading.Thread(target=ask) for _ in range(200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [answers.get_nowait() for _ in threads] == [200] * 200
