"""A client of the review page, as the browser is one: it exchanges the secret of the address for a token."""

from __future__ import annotations

import http.client
import json
import re
import time
from contextlib import closing
from http import HTTPStatus
from pathlib import Path
from typing import Any

SECONDS = 30.0  # that a server may take to end


class ReviewPage:
    """The page that a file leads to, as a browser opens it; the address in the file has a secret."""

    def __init__(self, file: str) -> None:
        addresses = re.findall(r"http://127\.0\.0\.1:(\d+)/#([\w-]+)", Path(file).read_text("utf-8"))
        self.port, self.secret = int(addresses[0][0]), addresses[0][1]

    def ask(self, method: str, path: str, token: str = "", **body: object) -> tuple[int, Any]:
        """The status and the data of an answer."""
        headers = {"Content-Type": "application/json", "X-Swgrm-Token": token}
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)) as connection:
            connection.request(method, path, json.dumps(body) if method == "POST" else None, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())

    def signed_in(self) -> str:
        """The token for the secret, which works once; without it and for guesses, the server refuses."""
        for guess in ("", "guess"):
            assert self.ask("GET", "/model", guess)[0] == HTTPStatus.FORBIDDEN
            assert self.ask("POST", "/session", secret=guess)[0] == HTTPStatus.FORBIDDEN
        status, data = self.ask("POST", "/session", secret=self.secret)
        assert status == HTTPStatus.OK
        assert self.ask("POST", "/session", secret=self.secret)[0] == HTTPStatus.FORBIDDEN
        return str(data["token"])

    def has_ended(self) -> bool:
        """Whether nobody answers any more, now or soon."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            try:
                self.ask("GET", "/model")
            except (OSError, http.client.HTTPException):  # refused, or ended in the middle of an answer
                return True
            time.sleep(0.2)
        return False
