"""How mates are set, refused and read by a SolidWorks with its quirks."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from swgrm.solidworks.swconst import swMateType_e as Sw
from swgrm_mocks.modelling.mate_data import EditableMateData
from swgrm_mocks.modelling.model_mates import DRIVEN, ModelMate

KEPT_REVOLUTION = 0.001  # that a screw mate has whatever was set


def is_refused(mate: ModelMate, others: Sequence[ModelMate], quirks: Collection[str]) -> bool:
    """Whether SolidWorks makes nothing of a new mate, without a reason."""
    if mate.type == Sw.swMateSCREW and "screw-needs-to-be-alone" in quirks:
        pair = {pick.component for pick in mate.picks}
        held = [each for each in others if each.type == Sw.swMateCONCENTRIC]
        return any({pick.component for pick in each.picks} == pair for each in held)
    has_no_ratio = mate.type == Sw.swMateGEAR and not mate.values["gear_ratio_numerator"]
    return has_no_ratio and "gear-needs-ratio" in quirks


def set_values(mate: ModelMate, quirks: Collection[str]) -> None:
    """Change the values of a new mate as SolidWorks does.

    The ratio of a gear mate is set the other way round than it is read: measured by Thomas-Tai/ai-sw-bridge on 2024
    (three of three) and by sebxl/SolidWorks-KI on 2025.
    """
    values = mate.values
    if mate.type == Sw.swMateGEAR:
        names = "gear_ratio_numerator", "gear_ratio_denominator"
        values[names[0]], values[names[1]] = values[names[1]], values[names[0]]
    if mate.type == Sw.swMateSCREW and "screw-value-kept" in quirks:
        values["revolution_val"] = KEPT_REVOLUTION
    if mate.type == Sw.swMateDISTANCE and "flip-decides-side" in quirks:
        values["side_by_flip"] = True


def change_read_values(mate: ModelMate, quirks: Collection[str]) -> None:
    """Change what is read of a mate that was made, and what its limits mean."""
    values = mate.values
    if mate.type == Sw.swMateHINGE and values["angle_selection"] and "hinge-limits-derived" in quirks:
        low, high = values["min_val"], values["max_val"]
        mate.values = values | {"min_val": 0.0, "max_val": low - high, "angle": high}
    if mate.type == Sw.swMateDISTANCE and mate.terms.limits and "limit-through-zero" in quirks:
        low, high = mate.terms.limits
        mate.terms.limits = (-high, high) if low == 0 else mate.terms.limits


def collapse_range(mate: ModelMate, data: EditableMateData) -> None:
    """Make the range of a limit mate its new value, unless the range was written as well."""
    name = DRIVEN[mate.type]
    ends = f"minimum_{name}", f"maximum_{name}"
    if data.values.get("is_advanced_mate") and name in data.written and not data.written >= set(ends):
        data.values |= dict.fromkeys(ends, data.values[name])
