"""Mass properties of components: as SolidWorks calculates them, as the user set them, and with a selection."""

from __future__ import annotations

from typing import Any

from swgrm_addin.selftest.assemblies.common import FIXED, LEVER, PLATE
from swgrm_addin.selftest.specs import AssemblySpec, At, ComponentSpec

ROTATED = At(0.1, 0.2, 0.3, 30.0, 40.0, 50.0)


def weighed(name: str, title: str, part: str, **more: Any) -> AssemblySpec:
    """A plate, and a component at a rotated pose."""
    components = PLATE, ComponentSpec(f"{part}-1", ROTATED, fixed=True)
    return AssemblySpec(f"C1.{name}", title, "F9, U6", components, **more)


MASSES = (
    weighed(
        "component", "mass of a block at a rotated pose", "block", truth={"block-1": FIXED},
        probes=("selection", "notation"),
    ),
    weighed("selected", "mass of a block while another component is selected", "block", selected="plate-1"),
    weighed("override", "the mass of a part that the user set", "weight"),
    weighed("centre", "the centre of mass of a part that the user set", "offcentre"),
    weighed("moments", "the moments of inertia of a part that the user set", "stiff"),
    AssemblySpec(
        "C1.sub", "an assembly whose mass the user set", "F9, U6", (PLATE, LEVER._replace(fixed=True)), is_kept=True,
        mass=1.5,
    ),
    weighed("sub-override", "the mass of a sub-assembly that the user set", "C1_sub"),
)  # fmt: skip
