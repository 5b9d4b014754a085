from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.batches import World, small_capture, tree

from swgrm import load
from swgrm_addin.pipeline import export

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither such limits nor such signals")


def started(world: World, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        world.command(*arguments), env=world.environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )


def wait_for(text: str, path: Path) -> None:
    for _ in range(1200):
        if path.exists() and text in path.read_text():
            return
        time.sleep(0.05)
    raise AssertionError(f"{text} is not in {path}")


def test_every_kind_of_document_becomes_a_folder(world: World) -> None:
    world.robot("robot")
    world.mock("hinge")
    shutil.copy(world.documents / "small.swcap.data", world.documents / "captured.swcap")
    before = tree(world.documents)
    result = world.run("--jobs", "2")
    assert result.returncode == 0, result.stderr
    assert "3 exported" in result.stdout
    assert result.stderr.count("exported ") == 3
    assert load(world.out / "robot" / "robot.grm.json").name == "robot"
    inferred = load(world.out / "hinge" / "four_bar.grm.json")
    assert inferred == load(world.out / "captured" / "four_bar.grm.json")
    assert tree(world.documents) == before, "the documents' folder is never written"
    hinge = world.report()["hinge.mock.json"]
    assert (hinge["summary"]["robot"], hinge["summary"]["links"], hinge["summary"]["joints"]) == ("four_bar", 4, 3)
    assert str(world.documents / "small.swcap.data") in hinge["inputs"]


def test_a_document_read_by_an_instance_gives_what_a_plain_export_gives(world: World) -> None:
    world.mock("traps", "mock:traps")
    assert world.run().returncode == 0
    export("mock:traps", world.folder / "direct", formats=("grm",))
    assert tree(world.out / "traps") == tree(world.folder / "direct")
    assert world.report()["traps.mock.json"]["summary"]["findings"]


def test_unchanged_documents_are_skipped(world: World) -> None:
    world.robot("same")
    world.robot("edited")
    world.robot("lost")
    world.mock("referring")
    assert world.run().returncode == 0
    before = tree(world.out)
    result = world.run("--resume")
    assert (result.returncode, result.stdout.splitlines()[0]) == (0, "4 unchanged")
    world.robot("edited").write_bytes(world.robot("same").read_bytes())
    (world.out / "lost" / "lost.grm.json").unlink()
    with (world.documents / "small.swcap.data").open("ab") as file:
        file.write(b"\0")
    world.robot("fresh")
    again = world.run("--resume")
    assert again.returncode == 0, again.stderr
    assert world.results() == {
        "same.grm.json": "unchanged",
        "edited.grm.json": "exported",
        "lost.grm.json": "exported",
        "referring.mock.json": "exported",
        "fresh.grm.json": "exported",
    }
    after = tree(world.out)
    assert {name: after[name] for name in before if "edited" not in name} == {
        name: data for name, data in before.items() if "edited" not in name
    }
    assert world.run("--format", "grm,urdf").stdout.startswith("5 exported")  # without --resume, all is done


def test_a_document_whose_reference_changed_while_it_was_read_is_exported_again(world: World) -> None:
    world.mock("slow", seconds=2)
    run = started(world)
    wait_for("open", world.log)
    time.sleep(0.1)
    (world.documents / "small.swcap.data").write_bytes(small_capture())
    run.communicate(timeout=600)
    assert run.returncode == 0
    assert world.run("--resume").stdout.startswith("1 exported")
    assert world.run("--resume").stdout.startswith("1 unchanged")


def test_settings_are_used_and_a_change_of_them_causes_an_export(world: World) -> None:
    world.mock("own")
    world.mock("other")
    own, default = world.documents / "own.grm.yaml", world.folder / "all.yaml"
    own.write_text("robot: {name: its_own}")
    default.write_text("robot: {name: for_all}")
    assert world.run("--settings", default).returncode == 0
    assert load(world.out / "own" / "its_own.grm.json").name == "its_own"
    assert load(world.out / "other" / "for_all.grm.json").name == "for_all"
    own.write_text("robot: {name: renamed}")
    assert world.run("--settings", default, "--resume").stdout.startswith("1 exported, 1 unchanged")
    assert (world.out / "own" / "renamed.grm.json").is_file()
    assert not (world.out / "own" / "its_own.grm.json").exists()
    own.write_text("rowbot: {}")
    assert world.run("--settings", default, "--resume").returncode == 1
    assert "Did you mean `robot`?" in world.report()["own.mock.json"]["failures"][0]["message"]


def test_a_document_that_fails_is_explained_and_stops_no_other(world: World) -> None:
    world.robot("good")
    world.robot("bad").write_text("{")
    result = world.run()
    assert result.returncode == 1
    assert world.results() == {"bad.grm.json": "failed", "good.grm.json": "exported"}
    failure = world.report()["bad.grm.json"]["failures"]
    assert len(failure) == 1
    assert failure[0]["kind"] == "FileError"
    assert "bad.grm.json" in failure[0]["message"]
    assert failure[0]["message"] in result.stderr
    assert not (world.out / "bad").exists()


def test_a_configuration_is_read_in_every_document_and_a_missing_one_is_an_error(world: World) -> None:
    world.mock("mock")
    (world.documents / "captured.swcap").write_bytes(small_capture())
    world.robot("robot")  # has none
    assert world.run("--configuration", "Default").returncode == 0
    result = world.run("--configuration", "Long", "--resume")
    assert result.returncode == 1
    assert world.results() == {"captured.swcap": "failed", "mock.mock.json": "failed", "robot.grm.json": "exported"}
    assert "captured in configuration `Default`, not `Long`" in result.stderr
    assert "configuration `Long` is not the active one (`Default`)" in result.stderr
    assert world.run("--configuration", "Default", "--resume").returncode == 0


FAULTS = {  # by kind: the status of the document, the number of attempts, and a part of the message
    "hang": ("failed", 1, "longer than the time limit of 25 s"),
    "crash": ("failed", 2, "was lost"),
    "busy": ("failed", 2, "stayed busy"),
    "licence": ("failed", 2, "the licence was lost"),
}


def test_faults_of_solidworks_fail_only_their_document(world: World) -> None:
    for kind in FAULTS:
        world.mock(kind, fault={"kind": kind}, patience=1)
        if kind != "hang":
            world.mock(f"{kind}-once", fault={"kind": kind, "times": 1, "mark": f"../{kind}"}, patience=1)
    world.mock("busy-briefly", fault={"kind": "busy", "calls": 5})
    world.mock("zz-after")
    result = world.run("--timeout", "25", "--jobs", "2")
    assert result.returncode == 1
    report = world.report()
    for kind, (status, attempts, text) in FAULTS.items():
        document = report[f"{kind}.mock.json"]
        assert document["status"] == status
        assert [text in failure["message"] for failure in document["failures"]] == [True] * attempts
        assert all(failure["remedy"] for failure in document["failures"])
    for kind in FAULTS.keys() - {"hang"}:
        document = report[f"{kind}-once.mock.json"]
        assert (document["status"], len(document["failures"])) == ("exported", 1)
    assert report["busy-briefly.mock.json"]["failures"] == [], "calls that a busy SolidWorks rejects are repeated"
    assert report["busy-briefly.mock.json"]["status"] == report["zz-after.mock.json"]["status"] == "exported"
    instances = [
        line.split()[0] for line in world.log.read_text().splitlines() if "zz-after" in line or "hang." in line
    ]
    assert len(set(instances)) == 2, "the instance that hung was replaced"


def test_an_instance_is_replaced_after_restart_every_documents(world: World) -> None:
    for number in range(5):
        world.mock(f"m{number}")
    assert world.run("--restart-every", "2").returncode == 0
    opened = [line.split() for line in world.log.read_text().splitlines() if " open " in line]
    instances = [instance for instance, _, _ in opened]
    assert [instances.count(instance) for instance in dict.fromkeys(instances)] == [2, 2, 1]


@posix
def test_more_jobs_than_licences_share_the_instances(world: World) -> None:
    licences = world.folder / "licences"
    licences.mkdir()
    (licences / "one").write_bytes(b"")
    for number in range(4):
        world.mock(f"m{number}")
    result = world.run("--jobs", "3", SWGRM_MOCK_LICENCES=str(licences))
    assert result.returncode == 0, result.stderr
    assert len({line.split()[0] for line in world.log.read_text().splitlines()}) == 1
    (licences / "one").unlink()
    result = world.run(SWGRM_MOCK_LICENCES=str(licences))
    assert result.returncode == 1
    assert set(world.results().values()) == {"failed"}
    assert "could not get a licence" in result.stderr


@posix
def test_a_full_disk_fails_only_the_document_that_does_not_fit(world: World) -> None:
    world.robot("small")
    large = json.loads(world.robot("large").read_text())
    large["rootFrame"]["children"] += [{"id": f"f{number}", "name": "x" * 2000} for number in range(100)]
    (world.documents / "large.grm.json").write_text(json.dumps(large))
    result = world.run(limit="ulimit -f 100")  # [KiB] that a file may have
    assert result.returncode == 1
    assert world.results() == {"large.grm.json": "failed", "small.grm.json": "exported"}
    assert "cannot be written: file too large" in world.report()["large.grm.json"]["failures"][0]["message"]
    assert not list(world.out.rglob("*.part"))
    assert not list(world.out.rglob(".swgrm-part-*"))


@posix
def test_a_journal_that_cannot_be_written_ends_the_run_with_an_error(world: World) -> None:
    for number in range(4):
        world.robot(f"robot{number}" + "x" * 100)
    result = world.run(limit="ulimit -f 1")
    assert result.returncode == 2
    assert "--resume" in result.stderr
    assert "Traceback" not in result.stderr


@posix
def test_a_device_or_a_pipe_fails_only_its_document(world: World) -> None:
    world.robot("good")
    (world.documents / "endless.swcap").symlink_to("/dev/zero")
    os.mkfifo(world.documents / "pipe.swcap")
    assert world.run().returncode == 1
    assert world.results() == {"endless.swcap": "failed", "good.grm.json": "exported", "pipe.swcap": "failed"}
    assert "it is a device or a pipe" in world.report()["pipe.swcap"]["failures"][0]["message"]


def test_a_folder_that_cannot_be_written_fails_only_its_document(world: World) -> None:
    world.robot("good")
    world.robot("blocked")
    world.out.mkdir()
    (world.out / "blocked").write_bytes(b"a file is here")
    result = world.run()
    assert result.returncode == 1
    assert world.results() == {"blocked.grm.json": "failed", "good.grm.json": "exported"}
    assert "it is a file, not a folder" in result.stderr
    assert (world.out / "blocked").read_bytes() == b"a file is here"


def test_an_output_folder_that_cannot_be_created_is_a_usage_error(world: World) -> None:
    world.robot("robot")
    (world.folder / "file").write_bytes(b"")
    result = world.run(out=world.folder / "file" / "out")
    assert result.returncode == 2
    assert "cannot be" in result.stderr
    assert "Traceback" not in result.stderr


def test_an_input_that_is_deleted_during_the_run_is_reported(world: World) -> None:
    world.mock("a-slow", seconds=2)
    world.mock("b-other", serves="gone.data", seconds=0)
    world.robot("c-deleted")
    run = started(world)
    wait_for("open", world.log)
    (world.documents / "c-deleted.grm.json").unlink()
    _, output = run.communicate(timeout=600)
    assert run.returncode == 1
    assert world.results() == {
        "a-slow.mock.json": "exported",
        "b-other.mock.json": "failed",
        "c-deleted.grm.json": "failed",
    }
    assert "c-deleted.grm.json: no such file" in output
    assert "gone.data: no such file" in output


@posix
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_stopped_by_the_user_it_cleans_up_and_prints_how_to_resume(world: World, how: signal.Signals) -> None:
    world.robot("a-done")
    world.mock("b-hanging", fault={"kind": "hang"})
    world.robot("c-missing")
    run = started(world)
    wait_for("open", world.log)
    run.send_signal(how)
    _, output = run.communicate(timeout=120)
    assert run.returncode == 130
    assert "--resume" in output
    assert world.left_behind() == []
    assert world.results() == {
        "a-done.grm.json": "exported",
        "b-hanging.mock.json": "missing",
        "c-missing.grm.json": "missing",
    }
    world.mock("b-hanging")
    assert world.run("--resume").returncode == 0
    assert world.results()["a-done.grm.json"] == "unchanged"


@posix
def test_a_second_run_in_the_same_folder_is_refused(world: World) -> None:
    world.mock("slow", fault={"kind": "hang"})
    run = started(world)
    wait_for("open", world.log)
    second = world.run("--resume")
    assert second.returncode == 2
    assert "another run" in second.stderr
    run.terminate()
    run.communicate(timeout=120)


@posix
def test_of_several_runs_that_start_at_once_in_the_same_folder_one_works(world: World) -> None:
    for number in range(3):
        world.mock(f"slow{number}", seconds=2)
    runs = [started(world, "--resume") for _ in range(3)]
    output = [run.communicate(timeout=600)[1] for run in runs]
    assert sorted(run.returncode for run in runs) == [0, 2, 2], output
    assert sum("another run" in text for text in output) == 2
    assert set(world.results().values()) == {"exported"}
    assert world.log.read_text().count(" open ") == 3


def test_documents_that_need_solidworks_fail_with_an_error_without_it(world: World) -> None:
    for number in range(5):
        (world.documents / f"arm{number}.SLDASM").write_bytes(b"")
    (world.documents / "~$arm0.SLDASM").write_bytes(b"")
    result = world.run()
    assert result.returncode == 1
    assert list(world.results().values()) == ["failed"] * 5
    assert result.stderr.count("SolidWorks") >= 5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--pattern", "*.none"], "the folder contains no document to export"),
        (["--settings", "none.yaml"], "the settings file does not exist"),
        (["--scheduler", "tcp://127.0.0.1:9"], "No Dask scheduler answers"),
        (["--jobs", "0"], "jobs"),
        (["--format", "udrf"], "no format `udrf`"),
    ],
)
def test_usage_errors_are_sentences(world: World, arguments: list[str], message: str) -> None:
    world.robot("robot")
    result = world.run(*arguments)
    assert result.returncode == 2, result.stderr
    assert message in result.stderr
    assert "Traceback" not in result.stderr
