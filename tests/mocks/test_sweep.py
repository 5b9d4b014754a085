"""Writing many robots: complete, independent of the number of workers, and with clear errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from swgrm.errors import SwgrmError
from swgrm_exporters.formats import read
from swgrm_mocks import MixedChainGenerator
from swgrm_mocks.synthetic.sweep import write_robots


def test_the_result_does_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    batch = MixedChainGenerator.batch_generate([3, 5], count=3, prismatic_prob_range=[0.2, 0.4], seed=1)
    calls: list[tuple[int, int]] = []
    one = write_robots(batch, tmp_path / "one", workers=1)
    two = write_robots(batch, tmp_path / "two", workers=2, progress=lambda done, total: calls.append((done, total)))
    assert [file.name for file in one] == [file.name for file in two]
    assert len(one) == 2 * 2 * 3 + 1
    assert all(a.read_bytes() == b.read_bytes() for a, b in zip(one, two, strict=True))
    assert calls == [(done, 12) for done in range(1, 13)]


def test_the_index_describes_each_robot(tmp_path: Path) -> None:
    batch = MixedChainGenerator.batch_generate([4], count=2, seed=9)
    write_robots(batch, tmp_path, ("urdf", "grm", "robotinfo"))
    for entry, (generator, _) in zip(json.loads((tmp_path / "index.json").read_bytes()), batch, strict=True):
        assert (entry["dof"], entry["seed"]) == (4, generator.seed)
        assert entry["total_chain_length"] == generator.get_statistics()["total_chain_length"]
        robots = [read(tmp_path / name) for name in entry["files"]]
        assert [len(robot.joints) for robot in robots] == [4, 4, 4]


def test_an_error_in_a_worker_is_raised(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    batch = MixedChainGenerator.batch_generate([2], count=12, seed=1)
    for workers in (1, 2):
        with pytest.raises(SwgrmError, match="it cannot be written"):
            write_robots(batch, tmp_path / "file" / "folder", workers=workers)


def test_an_unknown_format_is_an_error_before_anything_is_written(tmp_path: Path) -> None:
    batch = MixedChainGenerator.batch_generate([2], seed=1)
    with pytest.raises(SwgrmError, match=r"There is no format `urfd`\. Did you mean `urdf`"):
        write_robots(batch, tmp_path / "new", ("urfd",))
    assert not (tmp_path / "new").exists()
