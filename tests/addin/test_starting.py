"""A SolidWorks that was started is waited for until it can open documents."""

from __future__ import annotations

import pytest

from swgrm.errors import BusyError, SolidWorksError
from swgrm_addin.starting import PAUSE, wait_until_started


class Starting:
    """A SolidWorks that is complete at the n-th look."""

    def __init__(self, looks: int, answer: object = False) -> None:
        self.looks, self.answer = looks, answer

    @property
    def StartupProcessCompleted(self) -> object:  # noqa: N802 - SolidWorks' name
        self.looks -= 1
        if self.looks > 0 and isinstance(self.answer, Exception):
            raise self.answer
        return self.looks <= 0 or self.answer


@pytest.mark.parametrize("answer", [False, BusyError("It is busy.")], ids=["incomplete", "busy"])
def test_the_end_of_the_start_is_waited_for(answer: object) -> None:
    reported: list[str] = []
    pauses: list[float] = []
    wait_until_started(Starting(4, answer), reported.append, sleep=pauses.append)
    assert reported == ["Waiting until SolidWorks has started."]
    assert pauses == [PAUSE] * 3
    wait_until_started(Starting(1), reported.append)
    assert len(reported) == 1
    with pytest.raises(SolidWorksError, match=r"not ready within 0 s\. Start it by hand"):
        wait_until_started(Starting(10**9), limit=0)
