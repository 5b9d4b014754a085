"""The program of child processes that do jobs: `python -m swgrm_addin.job_program`.

It does the jobs of its standard input one after another, so that libraries are loaded once, and
answers with events on its standard output; `swgrm.processes.protocol` describes both.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from swgrm.errors import SolidWorksError, SwgrmError
from swgrm.findings import Finding
from swgrm.model import JointType
from swgrm.processes.protocol import Job
from swgrm.processes.serving import Answers, serve
from swgrm_addin import pipeline
from swgrm_addin.cli import keep_to_one_thread
from swgrm_addin.jobs import (
    AnyJob,
    CheckJob,
    ExportJob,
    ExportResult,
    JudgeJob,
    JudgeResult,
    PageEvent,
    ReportContent,
    ReportJob,
    ReportResult,
    ReviewJob,
    SettingsJob,
    WaitJob,
)
from swgrm_addin.pipeline import Export, Understanding, checked, read, understand

PAUSE = 0.5  # [s] between two looks at a SolidWorks that starts


def export(job: ExportJob, answers: Answers) -> ExportResult:
    """Export a source."""
    from swgrm_addin.settings_file import settings_for

    decided = settings_for(job.source, Path(job.settings) if job.settings else None, job.options)
    folder = Path(job.folder) if job.folder else decided.export_folder
    if folder is None:
        if not job.default_folder:
            raise SwgrmError("No folder to write into: neither the job nor the settings name one.")
        folder = Path(job.default_folder)
    done = pipeline.export(
        job.source,
        folder,
        formats=job.formats or decided.formats,
        settings=decided,
        configuration=job.configuration,
        instance=job.instance,
        progress=answers.progress,
        edited=job.edited,
    )
    _report(done.findings, answers)
    return _summary(done, folder)


def _summary(done: Export, folder: Path) -> ExportResult:
    frames, links = done.robot.frames, [link for frame in done.robot.frames for link in frame.links]
    joints = Counter(str(frame.joint.type) for frame in frames if frame.joint)
    del joints[str(JointType.FIXED)]
    return ExportResult(
        robot=done.robot.name,
        folder=str(folder),
        links=len(links),
        joints=dict(joints),
        sensors=sum(len(frame.sensors) for frame in frames),
        mass=sum(link.inertial.mass for link in links if link.inertial),
        files=tuple(map(str, done.files)),
        references=done.references,
        reading=done.reading,
    )


def check(job: CheckJob, answers: Answers) -> None:
    """Check a source."""
    _report(checked(_understanding(job.source, job.settings, answers)), answers)


def _understanding(source: str, settings: str, answers: Answers) -> Understanding:
    """A source, read and understood with its settings."""
    from swgrm_addin.settings_file import settings_for

    decided = settings_for(source, Path(settings) if settings else None)
    answers.progress("reading", 0.0)
    found = read(source)
    answers.progress("inferring the joints", 0.5)
    return understand(found, decided)


def _report(findings: Iterable[Finding], answers: Answers) -> None:
    for finding in findings:
        answers.finding(finding)


def settings(job: SettingsJob, answers: Answers) -> None:
    """Write the settings file of a source; one that exists is never replaced."""
    from swgrm.storage.files import write_bytes
    from swgrm_addin.settings_draft import check_unwritten, draft, inferred

    check_unwritten(Path(job.file))
    text = draft(inferred(_understanding(job.source, "", answers)), job.source)
    write_bytes(Path(job.file), text.encode())


def report(job: ReportJob, _: Answers) -> ReportResult:
    """Write the report of a problem; an older one is replaced."""
    from swgrm.storage.files import write_bytes
    from swgrm_addin.support_report import packed, report_files

    files = report_files(job.source, "", with_names=job.with_names)
    write_bytes(Path(job.file), packed(files))
    contents = [ReportContent(file.name, file.what, len(file.data)) for file in files]
    return ReportResult(tuple(contents))


def judge(job: JudgeJob, _: Answers) -> JudgeResult:
    """Judge a self-test."""
    from swgrm_addin.selftest.command import judge_folder
    from swgrm_addin.selftest.judge.checks import Verdict

    made = judge_folder(Path(job.folder), Path(job.file))
    refuted = tuple(each.key for each in made.conventions if each.verdict is Verdict.REFUTED)
    return JudgeResult({str(verdict): made.count(verdict) for verdict in Verdict}, refuted)


def review(job: ReviewJob, answers: Answers) -> None:
    """Serve the review page until it is closed."""
    from swgrm_addin.review.server import ReviewServer
    from swgrm_addin.review.session import ReviewSession

    folder = Path(job.folder) if job.folder else None
    session = ReviewSession(job.source, Path(job.settings), folder)
    server = ReviewServer(session, on_event=answers.emit)
    answers.emit(PageEvent(str(server.opener())))
    server.run()


def wait(job: WaitJob, _: Answers) -> None:
    """Wait until SolidWorks is ready; the parent has a time limit."""
    from swgrm_addin.com.reach import by_process
    from swgrm_addin.starting import is_started

    while True:
        try:
            if is_started(by_process(job.process)):
                return
        except SolidWorksError:  # it is not in the running object table yet
            pass
        time.sleep(PAUSE)


RUNNERS: Mapping[type[Job], Callable[[Any, Answers], object]] = {
    ExportJob: export,
    CheckJob: check,
    SettingsJob: settings,
    ReportJob: report,
    JudgeJob: judge,
    ReviewJob: review,
    WaitJob: wait,
}


def main() -> int:
    """Do jobs until standard input ends or one fails; returns the exit code."""
    keep_to_one_thread()
    return serve(AnyJob, lambda job, answers: RUNNERS[type(job)](job, answers))


if __name__ == "__main__":
    sys.exit(main())
