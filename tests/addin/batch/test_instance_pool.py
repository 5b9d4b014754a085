from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from swgrm.errors import Cancelled, SolidWorksError
from swgrm_addin.batch.instance_pool import START_ATTEMPTS, InstancePool


class Licences:
    """Starts instances in memory, at most one per licence, and counts the starts."""

    def __init__(self, count: int) -> None:
        self.count, self.started, self.instances = count, 0, set[FakeInstance]()
        self.lock = threading.Lock()

    def start(self) -> FakeInstance:
        with self.lock:
            self.started += 1
            if len(self.instances) >= self.count:
                raise SolidWorksError("no licence")
            instance = FakeInstance(self)
            self.instances.add(instance)
            return instance


class FakeInstance:
    address = "fake:"

    def __init__(self, licences: Licences) -> None:
        self.licences, self.users, self.alive = licences, 0, True

    def is_alive(self) -> bool:
        return self.alive

    def end(self) -> None:
        self.alive = False
        with self.licences.lock:
            self.licences.instances.discard(self)


def use(pool: InstancePool, restart_every: int = 0, seconds: float = 0.0) -> FakeInstance:
    with pool.acquire("fake", restart_every) as pooled:
        instance = pooled.instance
        assert isinstance(instance, FakeInstance)
        assert instance.alive
        instance.users += 1
        assert instance.users == 1, "two documents on one instance"
        time.sleep(seconds)
        instance.users -= 1
        return instance


def test_all_documents_are_done_with_no_more_instances_than_licences() -> None:
    licences = Licences(2)
    pool = InstancePool({"fake": licences.start})
    with ThreadPoolExecutor(6) as executor:
        used = list(executor.map(lambda _: use(pool, 3, 0.002), range(60)))
    assert len(used) == 60
    pool.close()
    assert licences.instances == set()


def test_an_instance_is_replaced_after_restart_every_documents() -> None:
    licences = Licences(1)
    pool = InstancePool({"fake": licences.start})
    used = [use(pool, 3) for _ in range(7)]
    assert [used.index(instance) for instance in used] == [0, 0, 0, 3, 3, 3, 6]
    assert len(licences.instances) == 1
    pool.close()
    assert licences.instances == set()


def test_a_faulty_or_dead_instance_is_replaced() -> None:
    licences = Licences(1)
    pool = InstancePool({"fake": licences.start})
    first = use(pool)
    with pool.acquire("fake") as pooled:
        assert pooled.instance is first
        pooled.is_faulty = True
    second = use(pool)
    assert second is not first
    second.alive = False
    licences.instances.clear()
    assert use(pool) is not second
    with pytest.raises(KeyError), pool.acquire("fake"):
        raise KeyError
    assert licences.instances == set()


def test_a_solidworks_that_never_starts_is_not_tried_for_every_document() -> None:
    licences = Licences(0)
    pool = InstancePool({"fake": licences.start})
    for _ in range(10):
        with pytest.raises(SolidWorksError):
            use(pool)
    assert licences.started == START_ATTEMPTS
    pool.close()  # another run tries again
    with pytest.raises(SolidWorksError):
        use(pool)
    assert licences.started == START_ATTEMPTS + 1


def test_a_cancelled_start_leaves_no_instance_in_use() -> None:
    def cancelled() -> FakeInstance:
        raise Cancelled

    pool = InstancePool({"fake": cancelled})
    for _ in range(START_ATTEMPTS + 2):
        with pytest.raises(Cancelled):
            use(pool)


def test_concurrent_starts_that_fail_all_raise_the_error() -> None:
    pool = InstancePool({"fake": Licences(0).start})
    with ThreadPoolExecutor(4) as executor:
        for future in [executor.submit(use, pool) for _ in range(8)]:
            with pytest.raises(SolidWorksError):
                future.result(timeout=60)
