"""States of components, components that features make, and whether what was selected stays so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from swgrm.capture import Component
from swgrm.capture.index import LIGHTWEIGHT, SUPPRESSED
from swgrm_addin.selftest.judge.checks import Check, judged
from swgrm_addin.selftest.judge.evidence import Evidence

State = tuple[str, Callable[[Component], bool]]
STATES: Mapping[str, Mapping[str, State]] = {  # by assembly and component
    "B2.states": {
        "slider-1": ("suppressed", lambda c: c.suppression == SUPPRESSED),
        "slider-2": ("hidden", lambda c: c.visible == 0),
        "peg-1": ("an envelope", lambda c: c.envelope),
    },
    "B2.lightweight": {"slider-1": ("lightweight", lambda c: c.suppression in LIGHTWEIGHT)},
    "B2.pattern": {
        "peg-1": ("an ordinary component", lambda c: not c.pattern_instance),
        "peg-2": ("an instance of a pattern", lambda c: c.pattern_instance),
        "peg-3": ("an instance of a pattern", lambda c: c.pattern_instance),
    },
    "B2.mirror": {
        "peg-1": ("an ordinary component", lambda c: not c.mirrored),
        "peg-2": ("a mirror image", lambda c: c.mirrored),
    },
    "B2.cut": {
        "slider-1": ("cut by the assembly", lambda c: c.assembly_features),
        "slider-2": ("not cut by the assembly", lambda c: not c.assembly_features),
    },
}


def state_checks(evidence: Evidence) -> Iterator[Check]:
    """Whether each component is read in the state that it was given."""
    for spec in evidence.specs:
        capture = evidence.capture(spec.file)
        by_name = {each.name: each for each in capture.components} if capture else {}
        for name, (state, has) in STATES.get(spec.id, {}).items() if capture else ():
            component = by_name.get(name)
            hypotheses, verdict = judged(f"{name} is read as {state}", component is not None and has(component))
            seen = _shown(component) if component is not None else "it was not read"
            yield Check(f"{spec.id}/{name}", "states of components", spec.settles, hypotheses, seen, verdict)
        if spec.virtual_on is not None and capture is not None:
            virtual = [each.name for each in capture.components if each.virtual]
            hypotheses, verdict = judged("the part that was created in the assembly is virtual", len(virtual) == 1)
            seen = ", ".join(virtual) or "no component is virtual"
            yield Check(f"{spec.id}/virtual", "states of components", spec.settles, hypotheses, seen, verdict)


def _shown(component: Component) -> str:
    ticks = {
        "envelope": component.envelope, "instance of a pattern": component.pattern_instance,
        "mirrored": component.mirrored, "cut": component.assembly_features,
    }  # fmt: skip
    told = [name for name, is_so in ticks.items() if is_so]
    return ", ".join([f"suppression {component.suppression}", f"visible {component.visible}", *told])
