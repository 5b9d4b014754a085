"""Builds the parts of the self-test through SolidWorks' API, and creates, saves and closes documents."""

from __future__ import annotations

import ntpath
from collections.abc import Callable, Iterator, Mapping
from math import pi, radians
from pathlib import Path
from typing import Any

from swgrm.errors import SolidWorksError
from swgrm.swconst import (
    swEndConditions_e,
    swRefPlaneReferenceConstraints_e,
    swSaveAsOptions_e,
    swSketchSlotCreationType_e,
    swSketchSlotLengthType_e,
    swUserPreferenceIntegerValue_e,
    swUserPreferenceOption_e,
    swUserPreferenceStringValue_e,
)
from swgrm_addin.selftest.entities import FRONT
from swgrm_addin.selftest.faces import find_face
from swgrm_addin.selftest.parts import (
    AxisOf,
    Ball,
    Brick,
    Cone,
    Disc,
    Hole,
    OffsetPlane,
    SetMass,
    SlotCut,
    System,
)

PART, ASSEMBLY = ".SLDPRT", ".SLDASM"
TEMPLATES = {
    PART: int(swUserPreferenceStringValue_e.swDefaultTemplatePart),
    ASSEMBLY: int(swUserPreferenceStringValue_e.swDefaultTemplateAssembly),
}
BLIND, THROUGH = int(swEndConditions_e.swEndCondBlind), int(swEndConditions_e.swEndCondThroughAll)
FROM_PLANE, FROM_OFFSET = 0, 3  # swStartConditions_e
SILENT = int(swSaveAsOptions_e.swSaveAsOptions_Silent)
UNITS, NO_OPTION = (
    int(swUserPreferenceIntegerValue_e.swUnitsLinear),
    int(swUserPreferenceOption_e.swDetailingNoOptionSpecified),
)
ALL_CONFIGURATIONS = 2  # swInConfigurationOpts_e


def new_document(application: Any, ending: str) -> Any:
    """A new part or assembly from the user's default template."""
    template = application.GetUserPreferenceStringValue(TEMPLATES[ending])
    document = application.NewDocument(template, 0, 0.0, 0.0)
    if document is None:
        kind = "part" if ending == PART else "assembly"
        raise SolidWorksError(
            f"SolidWorks created no {kind} from its default template ({ntpath.basename(template) or 'none is set'}). "
            "Set the default templates in its options (System Options > Default Templates)."
        )
    return document


def save(document: Any, folder: Path, name: str) -> str:
    """Save a document in the self-test's folder; returns its path."""
    path = str(folder / name)
    done, errors, _ = document.Extension.SaveAs3(path, 0, SILENT, None, None, 0, 0)
    if not done:
        raise SolidWorksError(f"SolidWorks did not save {name} (swFileSaveError_e {errors}).")
    return path


def set_unit(document: Any, unit: int) -> None:
    """Set the linear unit of a document: swLengthUnit_e."""
    document.Extension.SetUserPreferenceInteger(UNITS, NO_OPTION, unit)


def features(document: Any) -> Iterator[Any]:
    """The features of a document, in the order of its tree."""
    feature = document.FirstFeature()
    while feature is not None:
        yield feature
        feature = feature.GetNextFeature()


def default_plane(document: Any, number: int) -> Any:
    """The default plane: FRONT, TOP or RIGHT, whatever the language calls it."""
    planes = [feature for feature in features(document) if feature.GetTypeName2() == "RefPlane"]
    return planes[number]


def add_feature(document: Any, feature: object) -> None:
    """Add a feature to a part."""
    MAKERS[type(feature)](document, feature)


def _sketch(document: Any, draw: Callable[[Any], object]) -> None:
    """Draw a sketch on the first default plane, without snapping; it is selected afterwards."""
    default_plane(document, FRONT).Select2(False, 0)
    sketch = document.SketchManager
    sketch.InsertSketch(True)
    sketch.AddToDB = True
    try:
        draw(sketch)
    finally:
        sketch.AddToDB = False
    sketch.InsertSketch(True)


def _made(feature: Any, what: str) -> Any:
    if feature is None:
        raise SolidWorksError(f"SolidWorks made no {what}.")
    return feature


def _extruded(document: Any, height: float, start: float) -> None:
    begins = FROM_OFFSET if start else FROM_PLANE
    _made(
        document.FeatureManager.FeatureExtrusion3(
            True, False, False, BLIND, BLIND, height, 0.0, False, False, False, False, 0.0, 0.0,
            False, False, False, False, True, True, True, begins, start, False,
        ),
        "extrusion",
    )  # fmt: skip


def _cut(document: Any) -> None:
    """Cut the sketch through everything on both sides of its plane, so that no direction matters."""
    _made(
        document.FeatureManager.FeatureCut4(
            False, False, False, THROUGH, THROUGH, 0.0, 0.0, False, False, False, False, 0.0, 0.0,
            False, False, False, False, False, True, True, False, False, False, FROM_PLANE, 0.0, False, False,
        ),
        "cut",
    )  # fmt: skip


def _revolved(document: Any) -> None:
    _made(
        document.FeatureManager.FeatureRevolve2(
            True, True, False, False, False, False, 0, 0, 2 * pi, 0.0, False, False, 0.0, 0.0, 0, 0.0, 0.0,
            True, True, True,
        ),
        "revolved feature",
    )  # fmt: skip


def _box(document: Any, box: Brick) -> None:
    _sketch(document, lambda sketch: sketch.CreateCornerRectangle(box.x1, box.y1, 0.0, box.x2, box.y2, 0.0))
    _extruded(document, box.height, box.start)


def _disc(document: Any, disc: Disc) -> None:
    _sketch(document, lambda sketch: sketch.CreateCircleByRadius(disc.x, disc.y, 0.0, disc.radius))
    _extruded(document, disc.height, disc.start)


def _hole(document: Any, hole: Hole) -> None:
    _sketch(document, lambda sketch: sketch.CreateCircleByRadius(hole.x, hole.y, 0.0, hole.radius))
    _cut(document)


def _slot(document: Any, slot: SlotCut) -> None:
    line = int(swSketchSlotCreationType_e.swSketchSlotCreationType_line)
    centres = int(swSketchSlotLengthType_e.swSketchSlotLengthType_CenterCenter)
    ends = slot.x1, slot.y1, 0.0, slot.x2, slot.y2, 0.0, 0.0, 0.0, 0.0
    _sketch(document, lambda sketch: sketch.CreateSketchSlot(line, centres, slot.width, *ends, 1, False))
    _cut(document)


def _ball(document: Any, ball: Ball) -> None:
    def draw(sketch: Any) -> None:
        r = ball.radius
        sketch.CreateCenterLine(0.0, -r, 0.0, 0.0, r, 0.0)
        sketch.CreateArc(0.0, 0.0, 0.0, 0.0, -r, 0.0, 0.0, r, 0.0, 1)
        sketch.CreateLine(0.0, r, 0.0, 0.0, -r, 0.0)

    _sketch(document, draw)
    _revolved(document)


def _cone(document: Any, cone: Cone) -> None:
    def draw(sketch: Any) -> None:
        r, h = cone.radius, cone.height
        sketch.CreateCenterLine(0.0, 0.0, 0.0, 0.0, h, 0.0)
        sketch.CreateLine(0.0, 0.0, 0.0, r, 0.0, 0.0)
        sketch.CreateLine(r, 0.0, 0.0, 0.0, h, 0.0)
        sketch.CreateLine(0.0, h, 0.0, 0.0, 0.0, 0.0)

    _sketch(document, draw)
    _revolved(document)


def _system(document: Any, system: System) -> None:
    turns = tuple(radians(turn) for turn in system.turns)
    _made(
        document.FeatureManager.CreateCoordinateSystemUsingNumericalValues(
            True, system.x, system.y, system.z, True, *turns
        ),
        "coordinate system",
    )


def _offset_plane(document: Any, plane: OffsetPlane) -> None:
    default_plane(document, FRONT).Select2(False, 0)
    kind = int(swRefPlaneReferenceConstraints_e.swRefPlaneReferenceConstraint_Distance)
    _made(document.FeatureManager.InsertRefPlane(kind, plane.distance, 0, 0.0, 0, 0.0), "plane")


def _axis(document: Any, axis: AxisOf) -> None:
    face = find_face(document, "cylinder", radius=axis.radius)
    document.port.cast(face, "IEntity").Select2(False, 0)
    if not document.InsertAxis2(True):
        raise SolidWorksError("SolidWorks made no axis.")


def _override(document: Any, override: SetMass) -> None:
    properties = document.Extension.CreateMassProperty2()
    options = _made(properties, "mass properties").GetOverrideOptions()
    options.OverrideMass = True
    options.SetOverrideMassValue(override.mass)
    if not properties.SetOverrideOptions(options, ALL_CONFIGURATIONS, ()):
        raise SolidWorksError("SolidWorks did not set the mass of the part.")


MAKERS: Mapping[type, Callable[[Any, Any], None]] = {
    Brick: _box, Disc: _disc, Hole: _hole, SlotCut: _slot, Ball: _ball, Cone: _cone, System: _system,
    OffsetPlane: _offset_plane, AxisOf: _axis, SetMass: _override,
}  # fmt: skip
