"""Questions to SolidWorks about an assembly that is open, beside its capture: what its answers mean is judged later."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from swgrm.errors import CallError
from swgrm.solidworks.swconst_calls import (
    swBodyType_e,
    swMassPropertyMoment_e,
    swUserPreferenceOption_e,
    swUserPreferenceToggle_e,
)
from swgrm_addin.selftest.mating import LIGHTWEIGHT, RESOLVED

Components = Mapping[str, Any]
Answers = dict[str, Any]
ABOUT_CENTRE = int(swMassPropertyMoment_e.swMassPropertyMomentAboutCenterOfMass)
NOTATION = int(swUserPreferenceToggle_e.swUsePositiveInertiaTensorNotation)
NO_OPTION = int(swUserPreferenceOption_e.swDetailingNoOptionSpecified)
SOLID = int(swBodyType_e.swSolidBody)


class Probe(NamedTuple):
    """A question: its title, and the function that asks about a document and its components."""

    title: str
    ask: Callable[[Any, Components], Answers]


def _asked(question: Callable[[], Any]) -> Any:
    """The answer, or how the call failed."""
    try:
        return question()
    except CallError as error:
        return f"{error.member} reported {error.problem}"


def _selection(document: Any, components: Components) -> Answers:
    """Whether SelectedItems replaces the user's selection or adds to it, and what the put changes."""
    user, weighed = components["plate-1"], components["block-1"]
    user.Select4(False, None, False)
    manager = document.SelectionManager
    answers: Answers = {"flag before": document.GetSaveFlag(), "selected before": manager.GetSelectedObjectCount2(-1)}
    properties = document.Extension.CreateMassProperty2()
    properties.UseSystemUnits = True
    answers["items at first"] = len(properties.SelectedItems)
    properties.SelectedItems = (weighed,)
    answers["items after the put"] = len(properties.SelectedItems)
    properties.Recalculate()
    answers["mass"] = properties.Mass
    answers["selected after"] = manager.GetSelectedObjectCount2(-1)
    answers["flag after"] = document.GetSaveFlag()
    document.ClearSelection2(True)
    return answers


def _notation(document: Any, components: Components) -> Answers:
    """The nine moments with the option for the notation of inertia tensors on and off."""
    extension = document.Extension
    before = extension.GetUserPreferenceToggle(NOTATION, NO_OPTION)
    answers: Answers = {"transform": components["block-1"].Transform2.ArrayData}
    try:
        for name, value in (("on", True), ("off", False)):
            extension.SetUserPreferenceToggle(NOTATION, NO_OPTION, value)
            properties = extension.CreateMassProperty2()
            properties.UseSystemUnits = True
            properties.SelectedItems = (components["block-1"],)
            properties.Recalculate()
            answers[name] = properties.GetMomentOfInertia(ABOUT_CENTRE)
    finally:
        extension.SetUserPreferenceToggle(NOTATION, NO_OPTION, before)
    return answers


def _suppression(document: Any, components: Components) -> Answers:
    """Whether a lightweight component can be resolved and made lightweight again, and what the save flag is then."""
    component = components["slider-1"]
    answers: Answers = {"at first": component.GetSuppression2(), "flag before": document.GetSaveFlag()}
    for name, state in (("resolved", RESOLVED), ("lightweight", LIGHTWEIGHT)):
        answers[f"return of {name}"] = component.SetSuppression2(state)
        answers[name] = component.GetSuppression2()
    answers["flag after"] = document.GetSaveFlag()
    return answers


def _marks(component: Any) -> Any:
    return component.GetBodies3(SOLID)[1]


def _cut(_document: Any, components: Components) -> Answers:
    """What HasAssemblyFeatures and the marks of GetBodies3 are, for the instance that is cut and the other one."""
    answers: Answers = {}
    for name, component in (("cut", components["slider-1"]), ("other", components["slider-2"])):
        answers[f"HasAssemblyFeatures of the {name} one"] = _asked(component.HasAssemblyFeatures)
        answers[f"marks of the {name} one"] = _asked(partial(_marks, component))
    return answers


PROBES: Mapping[str, Probe] = {
    "selection": Probe("is the mass that of the selected items", _selection),
    "notation": Probe("what the signs of the moments are", _notation),
    "suppression": Probe("can a lightweight component be resolved and made lightweight again", _suppression),
    "cut": Probe("which instance is cut by the assembly", _cut),
}
