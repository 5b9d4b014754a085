"""The quirks of real SolidWorks that the mock can have, each with the fact that it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from swgrm.capture import EntityGeometry, MateEntity
from swgrm.swconst import swCurveTypes_e, swMateType_e

CADDER = "Peak-Design/CADder-SW-Bridge, SolidWorks 2022"
HELP = "vendor's API help"
XCAD = "xarial/xcad, SwMassProperty.cs"


class Quirk(NamedTuple):
    """A way in which real SolidWorks differs from its documentation, or from what one expects."""

    fact: str
    source: str
    costs: str = ""  # the code of the finding that it leads to; "": nothing is lost; "refused": one sentence


QUIRKS: Mapping[str, Quirk] = {
    "assembly-as-component": Quirk(
        "The assembly's own planes and axes come with a component that is named like the assembly; in the document of "
        "a sub-assembly, with none.",
        f"{CADDER}, all seven recordings; MateReader.cs",
    ),
    "colours-of-lightweight-only": Quirk(
        "GetModelMaterialPropertyValues returns nothing for components that are resolved.",
        f"{HELP}, IComponent2.GetModelMaterialPropertyValues",
    ),
    "directions-filled": Quirk(
        "Every entity has eight numbers; the direction of points and spheres is (1, 0, 0).",
        f"{CADDER}, recordings",
    ),
    "document-null": Quirk(
        "GetModelDoc2 returns nothing for a component whose state is resolved, until it is resolved again.",
        f"{HELP}, resolved mode that SolidWorks 2023 optimizes",
    ),
    "entity-null": Quirk(
        "MateEntity returns nothing, as for magnetic and path mates.",
        f"{CADDER}, MateReader.cs",
        "not-read",
    ),
    "errors-with-document": Quirk(
        "OpenDoc6 reports an error and a warning although it returns the document.",
        f"{HELP}, ISldWorks.OpenDoc6",
        "opened-with-problem",
    ),
    "faces-as-lines": Quirk(
        "Plane faces of parallel mates arrive as lines along their normal.",
        f"{CADDER}, corpus 06",
    ),
    "flag-not-read-back": Quirk(
        "CommandInProgress reads as false after it was set.",
        f"{HELP} describes it as something to set only",
    ),
    "in-place-is-mate": Quirk(
        "An in-place mate is an IMate2; asking for IMateInPlace fails with E_NOINTERFACE.",
        f"{HELP}, table of IFeature.GetTypeName2",
        "default-used",
    ),
    "mass-zero": Quirk(
        "Recalculate succeeds, and mass, volume and surface area are zero until the model is rebuilt.",
        f"{XCAD}, ValidateCalculations",
        "mass-not-calculated",
    ),
    "older-release": Quirk(
        "An older release does not have some members: DISP_E_UNKNOWNNAME.",
        f"{HELP}, lines `Availability`",
        "default-used",
    ),
    "only-configuration-unnamed": Quirk(
        "Where a document has one configuration only, its name is not accepted, and the empty text is.",
        f"{HELP}, IFeature.IsSuppressed2 and IPartDoc.GetMaterialPropertyName2",
    ),
    "other-file": Quirk(
        "A part of the same name in another folder is loaded.",
        f"{HELP}, order in which OpenDoc6 searches for referenced files",
        "other-file",
    ),
    "override-inertia-wrong": Quirk(
        "IMassProperty2 returns wrong principal axes where the moments are overridden, since 2022 SP1.",
        "xarial/cad-plus 107",
    ),
    "part-inertia-wrong": Quirk(
        "IMassProperty2 returns wrong principal moments and axes for a part document; IMassProperty is right.",
        f"{XCAD}; xarial/cad-plus 107 and 108",
    ),
    "progress-fails": Quirk(
        "UpdateProgress fails while SolidWorks shows a progress bar of its own.",
        f"{CADDER}, SwProgressBar.cs",
        "default-used",
    ),
    "selection-adds": Quirk(
        "IMassProperty2 begins with what is selected; SelectedItems adds to it, and selects its items.",
        f"{HELP}, IMassProperty2.SelectedItems",
    ),
    "title-without-extension": Quirk(
        "Titles have no extension where Windows hides the extensions of known file types.",
        "xarial/codestack, IModelDoc2.GetTitle",
    ),
    "triangles-empty": Quirk(
        "GetTessTriangles returns nothing for a body that was never drawn.",
        f"{CADDER}, MateReader.cs",
    ),
    "unknown-entities": Quirk(
        "Lines of sketches arrive as entities of kind 13 with zeros; their curve can be read by their reference.",
        f"{CADDER}, corpus 16",
    ),
    "view-only": Quirk(
        "A document that is still loading, or in Large Design Review, is open for viewing only.",
        f"{HELP}, IModelDoc2.IsOpenedViewOnly",
        "refused",
    ),
}
NEWER_MEMBERS = frozenset(  # that the quirk `older-release` takes away
    {
        "IComponent2.IsSpeedPak",
        "IModelDoc2.IsOpenedViewOnly",
        "IModelDocExtension.ToolboxPartType",
        "ISelectionMgr.SuspendSelectionList",
        "ISldWorks.GetCurrentWorkingDirectory",
    }
)
POINTS, LINE, PLANE, UNKNOWN, SKETCH = (0, 5), 1, 3, 13, 0


def known_quirks(names: Iterable[str]) -> frozenset[str]:
    """The names as a set; raises ValueError for one that is not in the table."""
    chosen = frozenset(names)
    if unknown := chosen - set(QUIRKS):
        raise ValueError(f"The mock does not have the quirks {', '.join(sorted(unknown))}.")
    return chosen


def quirky_entity(entity: MateEntity, mate: int | None, quirks: frozenset[str]) -> MateEntity:
    """An entity of a mate of that type as a SolidWorks with these quirks describes it."""
    if "faces-as-lines" in quirks and mate == swMateType_e.swMatePARALLEL and entity.type == PLANE:
        entity = replace(entity, type=LINE)
    if "directions-filled" in quirks and entity.type != UNKNOWN and entity.params:
        filled = (*entity.params, *[0.0] * 8)[:8]
        if entity.type in POINTS:
            filled = (*filled[:3], 1.0, 0.0, 0.0, *filled[6:])
        entity = replace(entity, params=filled)
    if "unknown-entities" in quirks and entity.type == LINE and entity.component == "":
        line = EntityGeometry(int(swCurveTypes_e.LINE_TYPE), entity.params[:6])
        entity = replace(entity, type=UNKNOWN, selection_type=SKETCH, params=(0.0,) * 8, geometry=line)
    return entity
