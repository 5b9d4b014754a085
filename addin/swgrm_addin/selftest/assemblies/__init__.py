"""The assemblies of the self-test: mates whose motion is known, or which distinguish two conventions."""

from __future__ import annotations

from swgrm_addin.selftest.assemblies.couplings import COUPLINGS
from swgrm_addin.selftest.assemblies.hinges import HINGES
from swgrm_addin.selftest.assemblies.masses import MASSES
from swgrm_addin.selftest.assemblies.single_mates import SINGLE_MATES
from swgrm_addin.selftest.assemblies.sliders import SLIDERS
from swgrm_addin.selftest.assemblies.states import STATES
from swgrm_addin.selftest.assemblies.subassemblies import SUBASSEMBLIES
from swgrm_addin.selftest.specs import AssemblySpec, Unsettled

ASSEMBLIES: tuple[AssemblySpec, ...] = (
    *HINGES, *SINGLE_MATES, *SLIDERS, *COUPLINGS, *SUBASSEMBLIES, *STATES, *MASSES,
)  # fmt: skip

UNSETTLED = (
    Unsettled("A10.path", "a path mate", "U11", "SolidWorks' API has no data interface that creates a path mate"),
    Unsettled("A10.magnetic", "a magnetic mate", "U11", "it needs connection points, which only a person can place"),
    Unsettled(
        "D1.idle", "the time of calls in OnIdleNotify", "U9",
        "it needs a sink for SolidWorks' events, which the add-in does not have: it uses a timer, which is timed",
    ),
    Unsettled(
        "D2.twice", "a command group that is created twice", "F13",
        "SolidWorks has crashed at start on a group that had changed, and a self-test must not risk that",
    ),
)  # fmt: skip
