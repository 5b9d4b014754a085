"""Records the answer of every member that is called: its value, or its HRESULT; each distinct answer once."""

from __future__ import annotations

import time
from typing import Any

import msgspec

from swgrm.solidworks.api_slice import ComError, Member
from swgrm.storage.privacy import FOLDER, without_folders
from swgrm_addin.port import Transport

MOST_ANSWERS = 40  # distinct ones that are kept per member
LONGEST = 24  # values of an array that are kept
OF_FOLDERS = {  # members whose texts are folders, of which not even the last name is kept
    "ISldWorks.GetCurrentWorkingDirectory",
    "ISldWorks.SetCurrentWorkingDirectory",
}


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer of SolidWorks: to which arguments, the value or the HRESULT, and how often it came."""

    arguments: tuple[Any, ...]
    value: Any = None
    hresult: str = ""
    count: int = 1


class MemberRecord(msgspec.Struct):
    """The calls of one member: how many, how long they took in total, and its distinct answers, the first ones."""

    calls: int = 0
    seconds: float = 0.0
    failures: int = 0
    answers: list[Answer] = []


class Recorder:
    """A transport that carries the calls to another one, and records them."""

    def __init__(self, inner: Transport) -> None:
        self.inner = inner
        self.members: dict[str, MemberRecord] = {}

    def invoke(self, target: Any, member: Member, args: tuple[Any, ...]) -> Any:
        """Call a member, and record its answer."""
        return self._recorded(member.full_name, args, lambda: self.inner.invoke(target, member, args))

    def query(self, target: Any, interface: str) -> Any:
        """QueryInterface, whose answer is recorded, too."""
        return self._recorded("QueryInterface", (interface,), lambda: self.inner.query(target, interface))

    def release(self) -> None:
        """Release objects that only cycles of references keep."""
        self.inner.release()

    def take(self) -> dict[str, MemberRecord]:
        """What was recorded since the last time."""
        taken, self.members = self.members, {}
        return taken

    def _recorded(self, name: str, args: tuple[Any, ...], action: Any) -> Any:
        record = self.members.setdefault(name, MemberRecord())
        record.calls += 1
        start = time.perf_counter()
        try:
            value = action()
        except ComError as error:
            record.seconds += time.perf_counter() - start
            record.failures += 1
            self._add(record, Answer(_shown_of(name, args), hresult=f"0x{error.hresult:08X}"))
            raise
        record.seconds += time.perf_counter() - start
        self._add(record, Answer(_shown_of(name, args), _shown_of(name, value)))
        return value

    @staticmethod
    def _add(record: MemberRecord, answer: Answer) -> None:
        for number, known in enumerate(record.answers):
            if _same(known, answer):
                record.answers[number] = msgspec.structs.replace(known, count=known.count + 1)
                return
        if len(record.answers) < MOST_ANSWERS:
            record.answers.append(answer)


def _same(first: Answer, second: Answer) -> bool:
    return (first.arguments, first.value, first.hresult) == (second.arguments, second.value, second.hresult)


def _shown_of(member: str, value: Any) -> Any:
    """Arguments or an answer of a member as data for JSON."""
    if member not in OF_FOLDERS:
        return shown(value)
    if isinstance(value, tuple):
        return tuple(_shown_of(member, item) for item in value)
    return FOLDER if isinstance(value, str) and value else shown(value)


def shown(value: Any) -> Any:
    """A value as data for JSON: long arrays shortened, objects as "<object>", texts without folders."""
    if isinstance(value, bool | int | float | None):
        return value
    if isinstance(value, str):
        return without_folders(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return f"<{len(value)} bytes>"
    if isinstance(value, tuple | list):
        if len(value) > LONGEST:
            return (*(shown(item) for item in value[:LONGEST]), f"<{len(value)} values>")
        return tuple(shown(item) for item in value)
    return "<object>"
