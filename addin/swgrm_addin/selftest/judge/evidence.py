"""A run of the self-test as the judge uses it: steps by subject, captures, motions, and robots by convention."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from math import degrees
from pathlib import Path

import msgspec

from swgrm.capture import Capture, load
from swgrm.errors import FileError, SwgrmError
from swgrm.settings import ConventionSettings, Settings
from swgrm_addin.pipeline import Understanding, understand
from swgrm_addin.selftest.assemblies import ASSEMBLIES
from swgrm_addin.selftest.driving import ANGLE, SAME, Pair
from swgrm_addin.selftest.judge.fitting import FittedRobot, Transforms
from swgrm_addin.selftest.results import CAPTURES, RUN, Motion, RunRecord, StepResult
from swgrm_addin.selftest.specs import AssemblySpec

SAME_VALUE = 1e-9
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

    def misread(self, subject: str) -> list[str]:
        """The values of an assembly's mates that are not read as they were set."""
        return [
            f"{name} of a {mate.kind} mate: set {_number(mate.written[name])}, read {_number(value)}"
            for mate in self.run.values
            if mate.subject == subject
            for name, value in mate.read.items()
            if abs(value - mate.written[name]) > SAME_VALUE
        ]

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
    if doubt(motion):
        return None
    if motion.kind == "drive" or is_moved(motion):
        return robot.fit(_without_control(motion, motion.after)).is_reached
    # It was not moved although the control was: it must not be free to go there.
    wanted = _without_control(motion, motion.before) | {motion.pair[1]: motion.wanted}
    return not robot.fit(wanted).is_reached and robot.fit(_without_control(motion, motion.after)).is_reached


def is_moved(motion: Motion) -> bool:
    """Whether the driven component moved by the commanded change, in either sense."""
    return Pair(*motion.pair, motion.property).is_seen(motion.before, motion.after, motion.change)


def doubt(motion: Motion) -> str:
    """Why nothing follows from a motion: SolidWorks did not make what was commanded; "" if it did."""
    pair = Pair(*(motion.pair if motion.kind == "drive" else motion.control), motion.property)
    if abs(motion.change) < SAME[motion.property]:
        return f"{pair.moved} was where the drive should bring it, so that nothing could be seen"
    if pair.is_seen(motion.before, motion.after, motion.change):
        return ""
    seen = pair.change(motion.before, motion.after)
    amounts = (abs(motion.change), seen)
    commanded, moved = (f"{degrees(x):.4g}°" if motion.property == ANGLE else f"{1000 * x:.4g} mm" for x in amounts)
    free = ", which is free," if motion.kind == "trial" else ""
    return f"SolidWorks did not move {pair.moved}{free} as commanded: by {moved} instead of {commanded}"


def _without_control(motion: Motion, poses: Transforms) -> dict[str, tuple[float, ...]]:
    return {name: pose for name, pose in poses.items() if name != motion.control[1]}


def _number(value: float | bool) -> str:
    return str(value) if isinstance(value, bool) else f"{value:.6g}"


def understood(capture: Capture, choices: Choices) -> Understanding:
    """The capture understood with conventions, all others as built in."""
    conventions = msgspec.convert(dict(choices), ConventionSettings)
    return understand(capture, Settings(conventions=conventions))
