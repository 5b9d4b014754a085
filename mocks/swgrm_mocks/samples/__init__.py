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

    def build(self) -> Capture:
        """Returns the capture of the sample."""
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


def sample(name: str) -> Capture:
    """Returns the capture of a sample; raises SwgrmError if the name is unknown."""
    if name not in SAMPLES:
        known = ", ".join(SAMPLES)
        raise SwgrmError(f"There is no sample `{name}`.{nearest(name, list(SAMPLES))} The samples are {known}.")
    return SAMPLES[name].build()
