"""The server of the review page: on this computer only, for one page that knows a secret.

A browser may be on any web site while this runs, so every request is checked: the host that it names (against DNS
rebinding), its origin, and a token that only the page has. The token is exchanged for a one-time secret in the
fragment of the address, which is never sent and does not stay in the history.
"""

from __future__ import annotations

import hmac
import queue
import re
import secrets
import shutil
import socket
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec

from swgrm.errors import SwgrmError
from swgrm_addin.jobs import PageExportEvent, ReviewEvent, SelectionEvent
from swgrm_addin.review.changes import Edit
from swgrm_addin.review.session import OrphanedSettings, ReviewSession
from swgrm_exporters.html.page import served_page

LARGEST = 1 << 20  # [bytes] of a request
PERIOD = 0.5  # [s] between looks at the settings file
HEARTBEAT = 1.0  # [s]
IDLE = 10.0  # [s] after the last page has gone, the server ends
HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}


OPENER = """<!doctype html><meta charset="utf-8"><title>swgrm</title>
<meta http-equiv="refresh" content="0; url={address}"><a href="{address}">Open the review</a>
"""
OnEvent = Callable[[ReviewEvent], object]
Request = socket.socket | tuple[bytes, socket.socket]


class ChangeRequest(msgspec.Struct, forbid_unknown_fields=True):
    """What the page sends to change settings."""

    edits: list[Edit]
    with_orphans: bool = msgspec.field(default=False, name="withOrphans")


class JointRequest(msgspec.Struct, forbid_unknown_fields=True):
    """What the page sends about one joint, by its key in the settings."""

    joint: str


class SecretRequest(msgspec.Struct, forbid_unknown_fields=True):
    """The one-time secret of the address."""

    secret: str


class NoRequest(msgspec.Struct, forbid_unknown_fields=True):
    """An empty request."""


class ReviewServer(ThreadingHTTPServer):
    """Serves one review on a free port of the loopback interface until its page is closed."""

    daemon_threads = True
    allow_reuse_address = False
    request_queue_size = 256  # connections that wait to be accepted; five, the default, refuse a page that hurries

    def __init__(self, session: ReviewSession, idle: float = IDLE, on_event: OnEvent | None = None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.session, self.idle = session, idle
        self.on_event: OnEvent = on_event or bool  # what happens on the page, for the program that started this
        session.highlights = on_event is not None
        self.port = int(self.server_address[1])
        self.hosts = {f"127.0.0.1:{self.port}", f"localhost:{self.port}"}
        self.token, self.secret = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        self.streams: set[queue.Queue[dict[str, Any]]] = set()
        self.seen = time.monotonic()
        self.exporting = threading.Lock()
        self.ended = threading.Event()
        self._opener: Path | None = None

    def server_bind(self) -> None:
        """Bind the port for this program only: Windows otherwise lets another program bind it, too."""
        if sys.platform == "win32":
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        super().server_bind()

    @property
    def address(self) -> str:
        """The address to open; it works once."""
        return f"http://127.0.0.1:{self.port}/#{self.secret}"

    def opener(self) -> Path:
        """A file that only this user can read, and that leads a browser to the address.

        The command line of a browser can be read by every user of the machine, so the secret must not be in it. The
        file is removed as soon as the page has used the secret.
        """
        folder = Path(tempfile.mkdtemp(prefix="swgrm-review-"))  # readable for its owner only
        self._opener = folder / "review.html"
        self._opener.touch(0o600)
        self._opener.write_text(OPENER.format(address=self.address), "utf-8")
        return self._opener

    def _remove_opener(self) -> None:
        if self._opener is not None:
            shutil.rmtree(self._opener.parent, ignore_errors=True)
            self._opener = None

    def run(self) -> None:
        """Serve until the page has been closed for a while, or `stop` is called; then close the session."""
        watch = threading.Thread(target=self._watch, daemon=True)
        watch.start()
        try:
            self.serve_forever(poll_interval=0.1)
        finally:
            self.ended.set()
            self._remove_opener()
            self.server_close()
            watch.join(5)
            self.session.close()

    def handle_error(self, request: Request, client_address: object) -> None:
        """Print nothing about a page that was closed while it was answered."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)

    def stop(self) -> None:
        """End `run`."""
        threading.Thread(target=self.shutdown, daemon=True).start()

    def tell(self, event: dict[str, Any]) -> None:
        """Send an event to every page."""
        for stream in list(self.streams):
            stream.put(event)

    def session_started(self, secret: str) -> bool:
        """Whether the secret is that of the address, which then is used up."""
        right = bool(self.secret) and hmac.compare_digest(secret.encode(), self.secret.encode())
        if right:
            self.secret = ""
            self._remove_opener()
        return right

    def _watch(self) -> None:
        """Follow edits of the settings file by other programs, and end when nobody looks any more."""
        while not self.ended.wait(PERIOD):
            try:
                if self.session.changed_outside():
                    self.tell({"model": self.session.model})
            except (SwgrmError, OSError) as error:
                self.tell({"error": str(error)})
            if not self.secret and not self.streams and time.monotonic() - self.seen > self.idle:
                self.stop()
                return


class _Handler(BaseHTTPRequestHandler):
    server: ReviewServer
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "swgrm", ""
    timeout = 60

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the base class's name
        """Log nothing: an address with its secret must not reach a log."""

    def do_GET(self) -> None:
        if not self._is_from_here():
            return
        if self.path == "/":
            nonce = secrets.token_urlsafe(16)
            text, policy = served_page(nonce)
            self._send(HTTPStatus.OK, "text/html; charset=utf-8", text.encode(), {"Content-Security-Policy": policy})
        elif not self._has_token():
            self._refuse(HTTPStatus.FORBIDDEN, "This page is not signed in. Start `swgrm review` again.")
        elif self.path == "/model":
            self._answer(self.server.session.model)
        elif self.path == "/events":
            self._stream()
        elif (found := re.fullmatch(r"/mesh/([0-9a-f]{20})", self.path)) and found[1] in self.server.session.meshes:
            self._send(HTTPStatus.OK, "application/octet-stream", zlib.decompress(self.server.session.meshes[found[1]]))
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "There is nothing here.")

    def do_POST(self) -> None:
        if not self._is_from_here():
            return None
        if self.headers.get("Content-Type") != "application/json":
            return self._refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Send JSON.")
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch(r"[0-9]{1,9}", length) or int(length) > LARGEST:
            return self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The request is too long.")
        body = self.rfile.read(int(length))
        if self.path == "/session":
            return self._sign_in(body)
        if not self._has_token():
            return self._refuse(HTTPStatus.FORBIDDEN, "This page is not signed in. Start `swgrm review` again.")
        if self.path not in _ACTIONS:
            return self._refuse(HTTPStatus.NOT_FOUND, "There is nothing here.")
        return self._act(body)

    def _act(self, body: bytes) -> None:
        """Do what the page asks for; every error is answered with a sentence."""
        kind, action = _ACTIONS[self.path]
        try:
            self._answer(action(self.server, msgspec.json.decode(body, type=kind)))
        except msgspec.DecodeError as error:
            self._refuse(HTTPStatus.BAD_REQUEST, f"The request cannot be read: {error}")
        except OrphanedSettings as error:
            self._answer({"error": str(error), "orphans": error.orphans}, HTTPStatus.CONFLICT)
        except ConnectionError:  # the page was closed
            raise
        except (SwgrmError, OSError) as error:
            self._answer({"error": str(error)}, HTTPStatus.UNPROCESSABLE_ENTITY)
        except Exception as error:  # noqa: BLE001 - the page shows a sentence, whatever happens
            problem = f"Unexpected error in swgrm ({type(error).__name__}: {error}). Please report it."
            self._answer({"error": problem}, HTTPStatus.INTERNAL_SERVER_ERROR)

    def _sign_in(self, body: bytes) -> None:
        try:
            secret = msgspec.json.decode(body, type=SecretRequest).secret
        except msgspec.DecodeError as error:
            return self._refuse(HTTPStatus.BAD_REQUEST, f"The request cannot be read: {error}")
        if not self.server.session_started(secret):
            return self._refuse(HTTPStatus.FORBIDDEN, "This address was used already. Start `swgrm review` again.")
        self.server.seen = time.monotonic()
        return self._answer({"token": self.server.token})

    def _is_from_here(self) -> bool:
        """Refuse requests that another web site, or a name that another site controls, has caused."""
        origins = {f"http://{host}" for host in self.server.hosts}
        if self.headers.get("Host", "") not in self.server.hosts:
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST, "This is not the host of the review.")
            return False
        site = "none" if self._is_opened() else self.headers.get("Sec-Fetch-Site", "none")
        if self.headers.get("Origin", next(iter(origins))) not in origins or site not in ("none", "same-origin"):
            self._refuse(HTTPStatus.FORBIDDEN, "Another site may not use the review.")
            return False
        return True

    def _is_opened(self) -> bool:
        """Whether a tab opens the page, as the file of `opener` does; without the secret it can do nothing."""
        wanted = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
        is_page = self.command == "GET" and self.path == "/"
        return is_page and all(self.headers.get(name) == value for name, value in wanted.items())

    def _has_token(self) -> bool:
        given = self.headers.get("X-Swgrm-Token", "")
        if not hmac.compare_digest(given.encode(), self.server.token.encode()):
            return False
        self.server.seen = time.monotonic()
        return True

    def _stream(self) -> None:
        """Send events as lines of JSON, and empty lines in between, until the page is closed."""
        events: queue.Queue[dict[str, Any]] = queue.Queue()
        self.server.streams.add(events)
        self.close_connection = True
        try:
            self.send_response(HTTPStatus.OK)
            for name, value in {**HEADERS, "Content-Type": "application/x-ndjson", "Connection": "close"}.items():
                self.send_header(name, value)
            self.end_headers()
            while not self.server.ended.is_set():
                try:
                    line = msgspec.json.encode(events.get(timeout=HEARTBEAT))
                except queue.Empty:
                    line = b""
                self.wfile.write(line + b"\n")
                self.wfile.flush()
        except OSError:  # the page was closed
            pass
        finally:
            self.server.streams.discard(events)
            self.server.seen = time.monotonic()

    def _answer(self, data: object, status: HTTPStatus = HTTPStatus.OK) -> None:
        self._send(status, "application/json", msgspec.json.encode(data))

    def _refuse(self, status: HTTPStatus, sentence: str) -> None:
        self.close_connection = True  # what the client still sends is not read
        self._answer({"error": sentence}, status)

    def _send(self, status: HTTPStatus, kind: str, data: bytes, more: dict[str, str] | None = None) -> None:
        self.send_response(status)
        length = {"Content-Type": kind, "Content-Length": str(len(data))}
        for name, value in {**HEADERS, **length, **(more or {})}.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)


def _changed(server: ReviewServer, model: dict[str, Any]) -> dict[str, Any]:
    """The new model, for the page that asked; other pages get its version, and ask for it themselves."""
    server.tell({"version": model["review"]["version"]})
    return model


def _exported(server: ReviewServer) -> dict[str, Any]:
    """Export, one at a time, with progress and the end as events: the answer may reach a page before its events."""
    if not server.exporting.acquire(blocking=False):
        raise SwgrmError("An export is running already.")
    try:
        done = server.session.export(lambda step, share: server.tell({"progress": step, "share": round(share, 3)}))
    except (SwgrmError, OSError) as error:
        server.tell({"error": str(error)})
        raise
    finally:
        server.exporting.release()
    result = {"robot": done.robot.name, "files": len(done.files), "folder": str(server.session.export_folder)}
    server.tell({"exported": result})
    server.on_event(PageExportEvent(str(server.session.export_folder)))
    return result


def _selected(server: ReviewServer, joint: str) -> dict[str, Any]:
    """Tell SolidWorks' add-in which components the joint that is selected has; none without a joint."""
    components = server.session.components(joint)
    server.on_event(SelectionEvent(tuple(components)))
    return {"components": components}


_ACTIONS: dict[str, tuple[type[msgspec.Struct], Callable[[ReviewServer, Any], Any]]] = {
    "/change": (ChangeRequest, lambda s, r: _changed(s, s.session.change(r.edits, with_orphans=r.with_orphans))),
    "/flip": (JointRequest, lambda s, r: _changed(s, s.session.flip(r.joint))),
    "/explain": (JointRequest, lambda s, r: {"lines": s.session.explain(r.joint)}),
    "/select": (JointRequest, lambda s, r: _selected(s, r.joint)),
    "/undo": (NoRequest, lambda s, _: _changed(s, s.session.undo())),
    "/redo": (NoRequest, lambda s, _: _changed(s, s.session.redo())),
    "/export": (NoRequest, lambda s, _: _exported(s)),
}
