"""What a run of the self-test records inside SolidWorks, for the judge: one file, `run.json`, beside the captures."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

RUN, RAW, CAPTURES, LOG = "run.json", "raw", "captures", "log.txt"  # in the folder of a run
Outcome = Literal["done", "failed", "skipped"]


class StepResult(msgspec.Struct, frozen=True):
    """A step: what it belongs to, what it does, and how it ended."""

    subject: str  # such as "A6.radii", "part block"
    what: str
    outcome: Outcome
    problem: str = ""
    seconds: float = 0.0


class Motion(msgspec.Struct, frozen=True):
    """The poses of an assembly before and after it was moved: IMathTransform.ArrayData by component."""

    subject: str
    what: str  # such as "angle = 40°"
    kind: Literal["drive", "trial"]
    before: dict[str, tuple[float, ...]]
    after: dict[str, tuple[float, ...]]
    pair: tuple[str, str]  # the base, and the component that is driven
    property: str  # "Angle" or "Distance"
    change: float  # that was commanded [rad or m]
    way: str = ""  # by which SolidWorks took it; "" if it was not seen
    wanted: tuple[float, ...] = ()  # of a trial: where the component goes if it is free
    control: tuple[str, str] = ("", "")  # of a trial: a base, and a component that is free


class ReadBackValues(msgspec.Struct, frozen=True):
    """The values of a mate as they were set and as they are read."""

    subject: str
    kind: str
    written: dict[str, float | bool]
    read: dict[str, float | bool]


class Timing(msgspec.Struct, frozen=True):
    """How long calls took in a context: "automation", "automation, command in progress", "button", "timer"."""

    context: str
    member: str
    calls: int
    seconds: float


class Observation(msgspec.Struct, frozen=True):
    """Something that was seen, by the name of its check."""

    check: str
    value: str


class ProbeResult(msgspec.Struct, frozen=True):
    """The answers to questions about an assembly or a part, by name; the judge has the hypotheses."""

    check: str  # such as "B2.cut/cut"
    title: str
    settles: str
    answers: dict[str, Any]


class Records:
    """What the steps of a run add to its record."""

    def __init__(self) -> None:
        self.motions: list[Motion] = []
        self.timings: list[Timing] = []
        self.observations: list[Observation] = []
        self.probes: list[ProbeResult] = []
        self.values: list[ReadBackValues] = []


class LoadedModule(msgspec.Struct, frozen=True):
    """A module in the process of this run: file name and version, no folder."""

    name: str
    version: str


class Environment(msgspec.Struct, frozen=True):
    """Where the self-test ran."""

    solidworks: str = ""  # RevisionNumber
    language: str = ""
    swgrm: str = ""
    python: str = ""
    system: str = ""
    inside: bool = False  # inside SolidWorks; else from another process
    mock: bool = False
    date: str = ""
    modules: tuple[LoadedModule, ...] = ()


class RunRecord(msgspec.Struct, frozen=True):
    """A run of the self-test."""

    environment: Environment
    steps: tuple[StepResult, ...] = ()
    motions: tuple[Motion, ...] = ()
    timings: tuple[Timing, ...] = ()
    observations: tuple[Observation, ...] = ()
    probes: tuple[ProbeResult, ...] = ()
    stopped: str = ""  # why the run ended early; "" if it did not
    values: tuple[ReadBackValues, ...] = ()
    left_behind: tuple[str, ...] = ()  # what could not be put back
