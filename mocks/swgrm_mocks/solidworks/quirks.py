"""The quirks of real SolidWorks that the mock can have, each with the fact that it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from swgrm.capture import EntityGeometry, MateEntity
from swgrm.solidworks.swconst import swCurveTypes_e, swMateType_e

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
    "component-nodes-named": Quirk(
        "A component in the feature tree is named as the tree shows it, bolt<2>, not like the component, bolt-2.",
        "not seen; which of the two names IFeature.Name returns is not documented",
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
    "exploded": Quirk(
        "In an exploded assembly, Transform2 returns the exploded poses.",
        "Thomas-Tai/ai-sw-bridge, exploded.json, SolidWorks 2024",
        "exploded",
    ),
    "faces-as-lines": Quirk(
        "Plane faces of parallel mates arrive as lines along their normal.",
        f"{CADDER}, corpus 06",
    ),
    "feature-without-number": Quirk(
        "GetFeatureId of a face returns 0.",
        "not seen; what the numbers are is not documented",
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
    "mass-object-cached": Quirk(
        "An object of mass properties returns the values of its first selection, whatever is selected later.",
        "osrbot/solidworks_urdf_exporter_pro, SolidWorks 2023: a fault in the cache; what exactly is kept is not known",
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
    "pattern-selections": Quirk(
        "The definition of a component pattern returns its seeds only while its selections are accessed.",
        f"{HELP}, ILocalLinearPatternFeatureData.SeedComponentArray",
    ),
    "progress-fails": Quirk(
        "UpdateProgress fails while SolidWorks shows a progress bar of its own.",
        f"{CADDER}, SwProgressBar.cs",
        "default-used",
    ),
    "read-only-hollow": Quirk(
        "An assembly that is opened read-only has one feature and no mates; the document of each component is the "
        "assembly.",
        "jsk-ros-pkg/solidworks_urdf_exporter2, swcom.py, SolidWorks 2024; three other sources did not see it",
        "opened-for-writing",
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
MCP = "hjbaard/SolidWorks-MCP, SolidWorks 2026"
BRIDGE = "Thomas-Tai/ai-sw-bridge, SolidWorks 2024"
THENAR = "nickthelegend/thenar-arms, SolidWorks 2026"
KI = "sebxl/SolidWorks-KI, SolidWorks 2025"
AMORY = "amorygalili/solidworks-mcp, SolidWorks 2026"
SWCLI = "YJBeetle/SWCLI, SolidWorks 2025"
# What only documents that are being modelled show; `costs` is not used.
BUILDING: Mapping[str, Quirk] = {
    "add-to-db-ignored": Quirk("AddToDB reads as false after it was set.", f"{SWCLI}, a hosted Windows"),
    "axis-elsewhere": Quirk(
        "InsertAxis2 returns true, and the axis is not that of the selected face.",
        f"{AMORY}: the answer is a bare truth value, and an axis pointed the other way",
    ),
    "closed-late": Quirk(
        "GetOpenDocumentByName returns a document once more after it was closed.", "lqepoch, SolidWorks 2022"
    ),
    "coordinate-data-missing": Quirk(
        "CreateMateData makes no data for mates of coordinate systems; AddMate5 makes the mate.",
        f"{HELP}, IAssemblyDoc.CreateMateData",
    ),
    "definition-ignored": Quirk(
        "ModifyDefinition of a distance or angle mate returns true and changes nothing; its dimension can be set.",
        f"{BRIDGE}, screw mates",
    ),
    "definition-needs-selection": Quirk(
        "CreateDefinition makes nothing unless what the feature uses is selected with its marks.",
        f"{HELP}, ILocalLinearPatternFeatureData; {KI}; {MCP}",
    ),
    "drives-ignored": Quirk("Values of distance and angle mates can be written, and nothing moves.", THENAR),
    "edits-the-new-part": Quirk(
        "A part that is created in place stays the one that is edited; until EditAssembly the assembly refuses "
        "components and mates.",
        f"{BRIDGE}; {MCP}",
    ),
    "every-third-drive-ignored": Quirk("Some writes of a mate's value are ignored; the same write again takes.", MCP),
    "flip-decides-side": Quirk(
        "A distance mate of faces puts a component outside the other one, or inside if it is flipped, wherever it was.",
        f"{MCP}, tests/test_assembly.py",
    ),
    "gear-needs-ratio": Quirk("CreateMate returns nothing for a gear mate without a ratio.", BRIDGE),
    "hinge-limits-derived": Quirk(
        "The limits of a hinge mate are not read as they were set: 0 and minimum − maximum, at the maximum.",
        f"{BRIDGE}, DEFERRED.md",
    ),
    "limit-through-zero": Quirk(
        "A limit distance whose minimum is 0 is a distance without a sign: the component may pass through 0.",
        "sources disagree",
    ),
    "mated-parts-stay": Quirk("A mated component whose Transform2 is written stays where it was.", CADDER),
    "options-refused": Quirk(
        "CompConfigProperties6 returns false and changes nothing.", f"{HELP}, IAssemblyDoc.CompConfigProperties6"
    ),
    "placement-ignored": Quirk("Writing Transform2 moves no component.", BRIDGE),
    "plane-before-front": Quirk("A template has a plane before the three default ones.", MCP),
    "range-collapses": Quirk(
        "If the value of a limit mate is changed, its range becomes that value, unless it is set again as well.",
        THENAR,
    ),
    "redundant-mates-refused": Quirk(
        "A mate that adds nothing is refused as over-defining, and stays in the tree with error 47.", BRIDGE
    ),
    "refused-cut-blocks": Quirk(
        "A cut that is refused leaves its command running: NewDocument and NewPart fail until SetPickMode.", SWCLI
    ),
    "resolved-while-open": Quirk(
        "A component stays resolved while the document of its part is open; SetSuppression2 returns success.",
        f"{MCP}; {AMORY}",
    ),
    "screw-needs-to-be-alone": Quirk(
        "CreateMate returns nothing, with the status NoError, for a screw mate after a concentric one.", BRIDGE
    ),
    "screw-value-kept": Quirk("RevolutionVal of a screw mate is 0.001, whatever was set.", BRIDGE),
    "sketch-snaps": Quirk(
        "A circle snaps to what is near: it has another centre and radius.", f"{SWCLI}, a hosted Windows"
    ),
    "sketching-crashes": Quirk(
        "SolidWorks ends while something is drawn, unless views, feature tree and new segments are not drawn.",
        f"{MCP} SP4.0, 6 of 7 runs",
    ),
    "slot-by-third-point": Quirk(
        "The third point of a straight slot is at half its width beside the centre line; else nothing is drawn.", MCP
    ),
    "system-at-origin": Quirk(
        "InsertCoordinateSystem makes a system at the origin if it does not understand what is selected.", AMORY
    ),
    "template-not-a-file": Quirk("The default templates are not files; NewDocument makes nothing of them.", MCP),
    "toggle-ignored": Quirk("SetUserPreferenceToggle changes nothing, without an error.", SWCLI),
    "z-up": Quirk("The default planes are those of a template with z up: Front has the normal x, Top z.", MCP),
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
    if unknown := chosen - {*QUIRKS, *BUILDING}:
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
