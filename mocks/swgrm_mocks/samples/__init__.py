"""The sample assemblies that the mock SolidWorks can open, by name: `mock:NAME` on the command line."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

from swgrm.capture import Capture
from swgrm.errors import SwgrmError, nearest


class Sample(NamedTuple):
    """A sample: its description, and the module that builds it."""

    description: str
    module: str
    quirks: tuple[str, ...] = ()  # of the mock SolidWorks that has it open

    def build(self) -> Capture:
        """The capture of the sample."""
        make: Callable[[], Capture] = import_module(f"swgrm_mocks.samples.{self.module}").build
        return make()


SAMPLES = {
    "arm": Sample("six-axis arm with tool, camera and IMU frames, bolts and custom properties", "arm"),
    "gripper": Sample("parallel gripper, two fingers on one pinion: racks and gears as couplings", "gripper"),
    "four_bar": Sample("four-bar linkage: one closed loop", "four_bar"),
    "mobile_base": Sample("differential drive with casters: no component is fixed", "mobile_base"),
    "stewart": Sample("Stewart platform: six legs with ball joints", "stewart"),
    "lead_screw": Sample("lead-screw stage on twin rails: a screw mate and a limit", "lead_screw"),
    "differential": Sample("bevel differential: relations of three joints", "differential"),
    "planetary": Sample("planetary gear with a fixed ring: gears on a carrier that turns", "planetary"),
    "spline_quill": Sample("quill in a ball screw nut and a spline nut: a relation of three joints", "spline_quill"),
    "traps": Sample("one assembly with every difficult case of real assemblies", "traps"),
}
BAD_DAYS = {
    "bad_day": Sample(
        "the arm in a mock SolidWorks that has fifteen quirks of the real one at once",
        "bad_day",
        (
            "assembly-as-component",
            "colours-of-lightweight-only",
            "directions-filled",
            "document-null",
            "entity-null",
            "faces-as-lines",
            "flag-not-read-back",
            "mass-zero",
            "older-release",
            "only-configuration-unnamed",
            "other-file",
            "progress-fails",
            "selection-adds",
            "title-without-extension",
            "triangles-empty",
        ),
    ),
}
"""Samples for which the mock SolidWorks has quirks; their captures are those without."""


def known(name: str) -> Sample:
    """A sample; raises SwgrmError if the name is unknown."""
    every = SAMPLES | BAD_DAYS
    if name not in every:
        names = ", ".join(every)
        raise SwgrmError(f"There is no sample `{name}`.{nearest(name, list(every))} The samples are {names}.")
    return every[name]


def sample(name: str) -> Capture:
    """The capture of a sample; raises SwgrmError if the name is unknown."""
    return known(name).build()
