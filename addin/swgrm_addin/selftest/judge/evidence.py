"""A run of the self-test as the judge uses it: steps by subject, captures, motions, and robots by convention."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

import msgspec

from swgrm.capture import Capture, load
from swgrm.errors import FileError, SwgrmError
from swgrm.settings import ConventionSettings, Settings
from swgrm_addin.pipeline import Understanding, understand
from swgrm_addin.selftest.assemblies import ASSEMBLIES
from swgrm_addin.selftest.judge.fitting import FittedRobot, is_same_pose
from swgrm_addin.selftest.results import CAPTURES, RUN, Motion, RunRecord, StepResult
from swgrm_addin.selftest.specs import AssemblySpec

Choices = Mapping[str, str]  # convention → choice


class Evidence:
    """What a run recorded in its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            self.run = msgspec.json.decode((folder / RUN).read_bytes(), type=RunRecord)
        except (OSError, msgspec.DecodeError) as error:
            raise FileError(folder / RUN, f"it is not the record of a self-test ({error})") from None
        self._captures: dict[str, Capture | None] = {}
        self._robots: dict[tuple[str, tuple[tuple[str, str], ...]], FittedRobot] = {}

    @cached_property
    def specs(self) -> list[AssemblySpec]:
        """The assemblies that the run has steps of."""
        subjects = {step.subject for step in self.run.steps}
        return [spec for spec in ASSEMBLIES if spec.id in subjects]

    def steps(self, subject: str) -> list[StepResult]:
        """The steps of a subject."""
        return [step for step in self.run.steps if step.subject == subject]

    def obstacle(self, subject: str) -> str:
        """The first step of a subject that did not succeed, with its problem; "" if all did."""
        failed = next((step for step in self.steps(subject) if step.outcome != "done"), None)
        return f"{failed.what}: {failed.problem}" if failed else "" if self.steps(subject) else "it was not run"

    def motions(self, subject: str) -> list[Motion]:
        """The motions of an assembly."""
        return [motion for motion in self.run.motions if motion.subject == subject]

    def capture(self, name: str) -> Capture | None:
        """A capture by the name of its file; None if there is none."""
        if name not in self._captures:
            file = self.folder / CAPTURES / f"{name}.swcap"
            self._captures[name] = load(file) if file.exists() else None
        return self._captures[name]

    def captures(self) -> Iterator[Capture]:
        """All captures of assemblies."""
        for spec in self.specs:
            capture = self.capture(spec.file)
            if capture is not None:
                yield capture

    def robot(self, spec: AssemblySpec, choices: Choices) -> FittedRobot | None:
        """The robot that is inferred from an assembly's capture with these conventions; None if it cannot be."""
        key = spec.id, tuple(sorted(choices.items()))
        if key not in self._robots:
            capture = self.capture(spec.file)
            if capture is None:
                return None
            try:
                robot = understood(capture, choices).robot
            except SwgrmError:
                return None
            poses = {each.name: each.transform for each in capture.components if each.transform}
            self._robots[key] = FittedRobot(robot, poses)
        return self._robots[key]

    def fits(self, spec: AssemblySpec, motion: Motion, choices: Choices) -> bool | None:
        """Whether a motion is one that the robot can make; None if the motion shows nothing."""
        if self.capture(spec.file) is None:
            return None
        robot = self.robot(spec, choices)
        if robot is None:
            return False
        return fits_robot(robot, motion)


def fits_robot(robot: FittedRobot, motion: Motion) -> bool | None:
    """Whether a robot can make a motion; None if the motion shows nothing."""
    return robot.fit(motion.after).is_reached if motion.kind == "drive" else _fits_nudge(robot, motion)


def _fits_nudge(robot: FittedRobot, motion: Motion) -> bool | None:
    """A nudged component that stays must be free to be there; one that returns must not."""
    if motion.control and not is_same_pose(motion.after[motion.control], motion.commanded[motion.control]):
        return None  # even a free component does not stay, so that nothing follows from one that returns
    own = motion.moved
    wanted, after = (
        {name: pose for name, pose in poses.items() if name != motion.control}
        for poses in ({**motion.before, **motion.commanded}, motion.after)
    )
    reachable = robot.fit(wanted).is_reached
    if is_same_pose(motion.after[own], motion.commanded[own]):
        return reachable
    return not reachable and robot.fit(after).is_reached


def understood(capture: Capture, choices: Choices) -> Understanding:
    """The capture understood with conventions, all others as built in."""
    conventions = msgspec.convert(dict(choices), ConventionSettings)
    return understand(capture, Settings(conventions=conventions))
