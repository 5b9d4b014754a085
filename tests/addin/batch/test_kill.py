from __future__ import annotations

import random
import subprocess
import time
from collections import Counter

from tests.batches import World, tree
from tests.full import IS_FULL

from swgrm_addin.batch.journal import DocumentFinished, read_journal

KILLS = 25 if IS_FULL else 6
SEED = 10


def test_a_run_killed_at_random_moments_and_resumed_gives_the_same_result(world: World) -> None:
    for number in range(3 * KILLS // 5 + 3):
        world.robot(f"robot{number}")
    for number in range(KILLS // 5 + 1):
        world.mock(f"mock{number}")
    world.mock("wrong", serves="nothing")
    (world.documents / "small.swcap.data").touch()
    expected = world.folder / "expected"
    begin = time.monotonic()
    assert world.run("--jobs", "2", out=expected).returncode == 1
    per_document = (time.monotonic() - begin) / len(world.results(expected))

    chance = random.Random(SEED)  # noqa: S311 - moments, not secrets
    finished_at_kill = []
    for _ in range(KILLS):
        run = subprocess.Popen(
            world.command("--jobs", "2", "--resume"),
            env=world.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wanted = steps(world) + chance.randint(0, 5)  # of the journal; then a moment anywhere in the next step
        while steps(world) < wanted and run.poll() is None:
            time.sleep(0.005)
        time.sleep(chance.uniform(0, per_document))
        run.kill()
        run.wait()
        finished_at_kill.append(len(exports(world)))
    assert world.run("--jobs", "2", "--resume").returncode == 1
    print(f"{KILLS} kills; documents exported by each: {finished_at_kill}")  # noqa: T201 - a figure to look at

    assert tree(world.out) == tree(expected)
    results = world.results(expected)
    assert set(exports(world)) == {name for name, result in results.items() if result == "exported"}
    assert set(exports(world).values()) == {1}, "a complete document was exported again"
    assert {name: "failed" if result == "failed" else "exported" for name, result in world.results().items()} == results


def steps(world: World) -> int:
    journal = world.out / "batch.journal"
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def exports(world: World) -> Counter[str]:
    """How often each document was exported, from the journal."""
    records = read_journal(world.out / "batch.journal")
    finished = (record.result for record in records if isinstance(record, DocumentFinished))
    return Counter(result.document for result in finished if result.status == "exported")
