"""Builds the parts of the self-test through SolidWorks' API, and creates, saves and closes documents."""

from __future__ import annotations

import ntpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import pi, radians
from pathlib import Path
from typing import Any

from swgrm.errors import Cancelled, LostError, SolidWorksError
from swgrm.swconst_calls import (
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
from swgrm_addin.selftest.faces import find_edge, find_face, find_vertex
from swgrm_addin.selftest.parts import (
    AxisOf,
    Ball,
    Brick,
    Cone,
    CornerSystem,
    Disc,
    Hole,
    OffsetPlane,
    SetCentre,
    SetMass,
    SetMoments,
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
REFERENCES = (System, CornerSystem, OffsetPlane, AxisOf)
ABOUT_CENTRE = 0  # swMomentsOfInertiaReferenceFrame_e
VERTEX, X_EDGE, Y_EDGE = 1, 2, 4  # the marks of InsertCoordinateSystem


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


def add_features(document: Any, features: Iterable[object]) -> list[SolidWorksError]:
    """Add features to a part, in their order.

    Returns the errors of reference geometry, without which the part is still of use: older releases lack some calls.
    """
    errors: list[SolidWorksError] = []
    for feature in features:
        try:
            add_feature(document, feature)
        except SolidWorksError as error:
            if not isinstance(feature, REFERENCES) or isinstance(error, Cancelled | LostError):
                raise
            errors.append(error)
    return errors


def draw_on_first_plane(document: Any, draw: Callable[[Any], object]) -> None:
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


def cut_through(document: Any, *, only_selected: bool = False) -> None:
    """Cut the sketch through everything on both sides of its plane, so that no direction matters.

    In an assembly `only_selected` restricts it to the components that are selected.
    """
    scope = True, not only_selected, only_selected, False, False  # features, automatically, components, …, propagated
    _made(
        document.FeatureManager.FeatureCut4(
            False, False, False, THROUGH, THROUGH, 0.0, 0.0, False, False, False, False, 0.0, 0.0,
            False, False, False, False, False, *scope, FROM_PLANE, 0.0, False, False,
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
    draw_on_first_plane(document, lambda sketch: sketch.CreateCornerRectangle(box.x1, box.y1, 0.0, box.x2, box.y2, 0.0))
    _extruded(document, box.height, box.start)


def _disc(document: Any, disc: Disc) -> None:
    draw_on_first_plane(document, lambda sketch: sketch.CreateCircleByRadius(disc.x, disc.y, 0.0, disc.radius))
    _extruded(document, disc.height, disc.start)


def _hole(document: Any, hole: Hole) -> None:
    draw_on_first_plane(document, lambda sketch: sketch.CreateCircleByRadius(hole.x, hole.y, 0.0, hole.radius))
    cut_through(document)


def _slot(document: Any, slot: SlotCut) -> None:
    line = int(swSketchSlotCreationType_e.swSketchSlotCreationType_line)
    centres = int(swSketchSlotLengthType_e.swSketchSlotLengthType_CenterCenter)
    ends = slot.x1, slot.y1, 0.0, slot.x2, slot.y2, 0.0, 0.0, 0.0, 0.0
    draw_on_first_plane(document, lambda sketch: sketch.CreateSketchSlot(line, centres, slot.width, *ends, 1, False))
    cut_through(document)


def _ball(document: Any, ball: Ball) -> None:
    def draw(sketch: Any) -> None:
        r = ball.radius
        sketch.CreateCenterLine(0.0, -r, 0.0, 0.0, r, 0.0)
        sketch.CreateArc(0.0, 0.0, 0.0, 0.0, -r, 0.0, 0.0, r, 0.0, 1)
        sketch.CreateLine(0.0, r, 0.0, 0.0, -r, 0.0)

    draw_on_first_plane(document, draw)
    _revolved(document)


def _cone(document: Any, cone: Cone) -> None:
    def draw(sketch: Any) -> None:
        r, h = cone.radius, cone.height
        sketch.CreateCenterLine(0.0, 0.0, 0.0, 0.0, h, 0.0)
        sketch.CreateLine(0.0, 0.0, 0.0, r, 0.0, 0.0)
        sketch.CreateLine(r, 0.0, 0.0, 0.0, h, 0.0)
        sketch.CreateLine(0.0, h, 0.0, 0.0, 0.0, 0.0)

    draw_on_first_plane(document, draw)
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


def _corner_system(document: Any, system: CornerSystem) -> None:
    entities = {
        VERTEX: find_vertex(document, system.at),
        X_EDGE: find_edge(document, system.at, system.along_x),
        Y_EDGE: find_edge(document, system.at, system.along_y),
    }
    document.ClearSelection2(True)
    for mark, entity in entities.items():
        document.port.cast(entity, "IEntity").Select2(True, mark)
    _made(document.FeatureManager.InsertCoordinateSystem(False, False, False), "coordinate system at a vertex")


def _override(document: Any, change: Callable[[Any], object]) -> None:
    """Override mass properties of a document: `change` sets the options."""
    properties = _made(document.Extension.CreateMassProperty2(), "mass properties")
    options = properties.GetOverrideOptions()
    change(options)
    if not properties.SetOverrideOptions(options, ALL_CONFIGURATIONS, ()):
        raise SolidWorksError("SolidWorks did not override the mass properties.")


def set_mass(document: Any, mass: float) -> None:
    """Override the mass of a document [kg]."""

    def change(options: Any) -> None:
        options.OverrideMass = True
        options.SetOverrideMassValue(mass)

    _override(document, change)


def _set_centre(document: Any, centre: SetCentre) -> None:
    def change(options: Any) -> None:
        options.OverrideCenterOfMass = True
        options.SetOverrideCenterOfMassValue(tuple(centre), "")

    _override(document, change)


def _set_moments(document: Any, moments: SetMoments) -> None:
    xx, yy, zz, xy, xz, yz = moments

    def change(options: Any) -> None:
        options.OverrideMomentsOfInertia = True
        options.SetOverrideMomentsOfInertiaValue(ABOUT_CENTRE, (xx, xy, xz, xy, yy, yz, xz, yz, zz), "")

    _override(document, change)


MAKERS: Mapping[type, Callable[[Any, Any], None]] = {
    Brick: _box, Disc: _disc, Hole: _hole, SlotCut: _slot, Ball: _ball, Cone: _cone, System: _system,
    CornerSystem: _corner_system, OffsetPlane: _offset_plane, AxisOf: _axis,
    SetMass: lambda document, override: set_mass(document, override.mass), SetCentre: _set_centre,
    SetMoments: _set_moments,
}  # fmt: skip
