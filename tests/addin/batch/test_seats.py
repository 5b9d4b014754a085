from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from swgrm.errors import Cancelled, SolidWorksError
from swgrm_addin.batch.seats import TRIES, Seats


class Licences:
    """Seats in memory, as many as there are licences; they know how often they were used, and by how many at once."""

    def __init__(self, count: int) -> None:
        self.count, self.started, self.seats = count, 0, set[Fake]()
        self.lock = threading.Lock()

    def start(self) -> Fake:
        with self.lock:
            self.started += 1
            if len(self.seats) >= self.count:
                raise SolidWorksError("no licence")
            seat = Fake(self)
            self.seats.add(seat)
            return seat


class Fake:
    address = "fake:"

    def __init__(self, licences: Licences) -> None:
        self.licences, self.users, self.most, self.alive = licences, 0, 0, True

    def is_alive(self) -> bool:
        return self.alive

    def end(self) -> None:
        self.alive = False
        with self.licences.lock:
            self.licences.seats.discard(self)


def use(seats: Seats, restart_every: int = 0, seconds: float = 0.0) -> Fake:
    with seats.lend("fake", restart_every) as lent:
        seat = lent.seat
        assert isinstance(seat, Fake)
        assert seat.alive
        seat.users += 1
        assert seat.users == 1, "two documents on one seat"
        time.sleep(seconds)
        seat.users -= 1
        return seat


def test_no_more_seats_than_licences_and_all_documents_are_done() -> None:
    licences = Licences(2)
    seats = Seats({"fake": licences.start})
    with ThreadPoolExecutor(6) as pool:
        used = list(pool.map(lambda _: use(seats, 3, 0.002), range(60)))
    assert len(used) == 60
    seats.close()
    assert licences.seats == set()


def test_a_seat_serves_so_many_documents() -> None:
    licences = Licences(1)
    seats = Seats({"fake": licences.start})
    used = [use(seats, 3) for _ in range(7)]
    assert [used.index(seat) for seat in used] == [0, 0, 0, 3, 3, 3, 6]
    assert len(licences.seats) == 1
    seats.close()
    assert licences.seats == set()


def test_a_spoilt_or_dead_seat_is_replaced() -> None:
    licences = Licences(1)
    seats = Seats({"fake": licences.start})
    first = use(seats)
    with seats.lend("fake") as lent:
        assert lent.seat is first
        lent.is_spoilt = True
    second = use(seats)
    assert second is not first
    second.alive = False
    licences.seats.clear()
    assert use(seats) is not second
    with pytest.raises(KeyError), seats.lend("fake"):
        raise KeyError
    assert licences.seats == set()


def test_a_solidworks_that_never_starts_is_not_tried_for_every_document() -> None:
    licences = Licences(0)
    seats = Seats({"fake": licences.start})
    for _ in range(10):
        with pytest.raises(SolidWorksError):
            use(seats)
    assert licences.started == TRIES
    seats.close()  # another run tries again
    with pytest.raises(SolidWorksError):
        use(seats)
    assert licences.started == TRIES + 1


def test_a_start_that_is_cancelled_leaves_no_seat_taken() -> None:
    def cancelled() -> Fake:
        raise Cancelled

    seats = Seats({"fake": cancelled})
    for _ in range(TRIES + 2):
        with pytest.raises(Cancelled):
            use(seats)


def test_several_that_start_at_once_and_fail_all_learn_it() -> None:
    seats = Seats({"fake": Licences(0).start})
    with ThreadPoolExecutor(4) as pool:
        for future in [pool.submit(use, seats) for _ in range(8)]:
            with pytest.raises(SolidWorksError):
                future.result(timeout=60)
