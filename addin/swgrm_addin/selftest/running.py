"""Runs the self-test in SolidWorks step by step; a step that fails is a result, and the next one follows."""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Generator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from swgrm.errors import Cancelled, SolidWorksError, SwgrmError
from swgrm_addin.reader.opening import release_objects
from swgrm_addin.selftest.assemblies import ASSEMBLIES
from swgrm_addin.selftest.assembling import AssemblySteps, Step
from swgrm_addin.selftest.bench import Bench, is_fatal, problem_of
from swgrm_addin.selftest.documents import PART, add_features, check_solid
from swgrm_addin.selftest.environment import environment
from swgrm_addin.selftest.measuring import measuring_steps
from swgrm_addin.selftest.parts import PARTS
from swgrm_addin.selftest.planes import plane_texts
from swgrm_addin.selftest.results import RUN, Observation, Outcome, Records, RunRecord, StepResult
from swgrm_addin.selftest.specs import AssemblySpec

logger = logging.getLogger("swgrm.selftest")
CANCELLED = "it was cancelled"


class Progress(NamedTuple):
    """The step that begins, and the share of the steps that are done (0 to 1)."""

    what: str
    done: float
    follows_capture: bool = False  # the step before read a document, which shows a progress bar of its own


class SelfTest:
    """A run of the self-test: `run` yields before each step, and puts everything back when it ends or is closed."""

    def __init__(
        self, application: Any, folder: Path, *, out_of_process: bool, mock: bool = False, only: Collection[str] = ()
    ) -> None:
        self.bench = Bench(application, folder, out_of_process=out_of_process)
        self.only, self.mock = only, mock
        self.context = "automation" if out_of_process else "timer"
        self.results: list[StepResult] = []
        self.records = Records()
        self.stopped = CANCELLED
        self.left_behind: tuple[str, ...] = ()

    @property
    def release(self) -> str:
        """The version of SolidWorks, once documents were read."""
        return str(self.bench.application.port.release)

    def check(self) -> None:
        """Raise an error if the self-test must not start now."""
        chosen(self.only)
        self.bench.check_saved()

    def steps(self) -> list[Step]:
        """All steps in their order."""
        assemblies = chosen(self.only)
        found = [Step(f"part {name}", "build it", partial(self._build, name)) for name in parts_of(assemblies)]
        for spec in assemblies:
            found += AssemblySteps(self.bench, spec, self.records).steps()
        return [*found, *measuring_steps(self, assemblies)]

    def run(self) -> Generator[Progress, None, None]:
        """Run the steps; if it is closed before its end, the rest is left out."""
        try:
            self.bench.prepare()
            steps = self.steps()
            for number, step in enumerate(steps):
                follows = number > 0 and steps[number - 1].what.startswith("capture")
                yield Progress(f"{step.subject}: {step.what}", number / len(steps), follows)
                if not self._attempt(step):
                    return
            self.stopped = ""
        except SwgrmError as error:
            self.stopped = CANCELLED if isinstance(error, Cancelled) else problem_of(error)
            release_objects(self.bench.application, error)
        finally:
            self.bench.begin("end")
            self.left_behind = tuple(self.bench.clean_up())
            self._write()

    def _attempt(self, step: Step) -> bool:
        """Run a step, and record how it ended; returns whether the run goes on."""
        self.bench.begin(step.subject)
        start, problem, goes_on = time.perf_counter(), "", True
        outcome: Outcome = "done"
        if reason := "" if step.always else self._obstacle(step):
            outcome, problem = "skipped", reason
        else:
            try:
                step.action()
            except Cancelled:
                raise
            except Exception as error:  # noqa: BLE001 - a step that fails is a result
                outcome, problem, goes_on = "failed", problem_of(error), not is_fatal(error)
                self.stopped = self.stopped if goes_on else problem
                release_objects(self.bench.application, error)
        self._record(step, outcome, problem, time.perf_counter() - start)
        return goes_on

    def _record(self, step: Step, outcome: Outcome, problem: str, seconds: float) -> None:
        self.results.append(StepResult(step.subject, step.what, outcome, problem, round(seconds, 6)))
        logger.log(
            logging.INFO if outcome == "done" else logging.WARNING,
            "%s: %s: %s %s", step.subject, step.what, outcome, problem,
        )  # fmt: skip

    def _obstacle(self, step: Step) -> str:
        """Why a step cannot run: an earlier one of its subject that it needs did not succeed."""
        own = [each for each in self.results if each.subject == step.subject]
        needed = {"": [], "document": own[:1], "mates": own}[step.needs]
        failed = next((each for each in needed if each.outcome != "done"), None)
        return f"it needs a step that did not succeed: {failed.what}" if failed else ""

    def _build(self, name: str) -> None:
        errors: list[SolidWorksError] = []

        def build(document: Any) -> None:
            if not self.records.observations:
                self.records.observations.append(Observation("documents.planes", plane_texts(document)))
            errors.extend(add_features(document, PARTS[name]))
            check_solid(document, name)

        self.bench.create(name, PART, build)
        if errors:
            raise errors[0]  # the part can be used all the same

    def _write(self) -> None:
        run = RunRecord(
            environment(self.bench.application, inside=not self.bench.out_of_process, mock=self.mock),
            tuple(self.results), tuple(self.records.motions), tuple(self.records.timings),
            tuple(self.records.observations), tuple(self.records.probes), self.stopped, tuple(self.records.values),
            self.left_behind,
        )  # fmt: skip
        self.bench.begin("")
        (self.bench.folder / RUN).write_bytes(msgspec.json.format(msgspec.json.encode(run), indent=1))


def chosen(only: Collection[str]) -> list[AssemblySpec]:
    """The assemblies to build: all, or those with the ids, and those that they contain."""
    by_file = {spec.file: spec for spec in ASSEMBLIES}
    unknown = sorted(set(only) - {spec.id for spec in ASSEMBLIES})
    if unknown:
        raise SolidWorksError(f"The self-test has no assembly {', '.join(unknown)}.")
    wanted = {spec.id for spec in ASSEMBLIES if not only or spec.id in only}
    for spec in ASSEMBLIES:
        if spec.id in wanted:
            wanted |= {by_file[each.file].id for each in spec.components if each.file in by_file}
    return [spec for spec in ASSEMBLIES if spec.id in wanted]


def parts_of(assemblies: Collection[AssemblySpec]) -> list[str]:
    """The parts that assemblies need, and those that are captured on their own."""
    used = {component.file for spec in assemblies for component in spec.components}
    return [name for name in PARTS if name in used]
