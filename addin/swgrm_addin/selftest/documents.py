"""Builds the parts of the self-test through SolidWorks' API, and creates, saves and closes documents."""

from __future__ import annotations

import ntpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from math import dist, hypot, pi, radians
from pathlib import Path
from typing import Any

from swgrm.errors import CallError, Cancelled, LostError, SolidWorksError
from swgrm.solidworks.swconst_calls import (
    swEndConditions_e,
    swRefPlaneReferenceConstraints_e,
    swSaveAsOptions_e,
    swSketchSlotCreationType_e,
    swSketchSlotLengthType_e,
    swUserPreferenceIntegerValue_e,
    swUserPreferenceOption_e,
    swUserPreferenceStringValue_e,
)
from swgrm_addin.selftest.entities import AXIS
from swgrm_addin.selftest.faces import distance_from_line, find_edge, find_face, find_vertex, solid_bodies
from swgrm_addin.selftest.parts import (
    DENSITY,
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
    solid_of,
)
from swgrm_addin.selftest.planes import drawing_plane, features

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
SAME_VOLUME, SAME_POINT = 1e-4, 1e-6  # of a volume; [m]
VERTEX, X_EDGE, Y_EDGE = 1, 2, 4  # the marks of InsertCoordinateSystem


def new_document(application: Any, ending: str) -> Any:
    """A new part or assembly from the user's default template.

    Where the template is not a file, as on installations that 3DEXPERIENCE manages, NewDocument makes nothing or asks
    the user; NewPart and NewAssembly do not.
    """
    template = application.GetUserPreferenceStringValue(TEMPLATES[ending])
    if Path(template).is_file():
        document = application.NewDocument(template, 0, 0.0, 0.0)
    else:
        document = application.NewPart() if ending == PART else application.NewAssembly()
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


def check_solid(document: Any, part: str) -> None:
    """Raise an error unless a part has the volume and the centroid of its table."""
    expected, volume, moments = solid_of(part), 0.0, [0.0, 0.0, 0.0]
    for body in solid_bodies(document):
        *centre, own = body.GetMassProperties(DENSITY)[:4]
        volume += own
        moments = [moment + own * at for moment, at in zip(moments, centre, strict=True)]
    if abs(volume - expected.volume) > SAME_VOLUME * expected.volume:
        raise SolidWorksError(
            f"SolidWorks made a part of {1e9 * volume:.7g} mm³ instead of {1e9 * expected.volume:.7g}."
        )
    centre = [moment / volume for moment in moments]
    if dist(centre, expected.centre) > SAME_POINT:
        raise SolidWorksError(
            f"SolidWorks made a part with its middle at {_mm(centre)} instead of {_mm(expected.centre)}."
        )


def _mm(point: Sequence[float]) -> str:
    return "(" + ", ".join(f"{round(1000 * value, 4) + 0.0:g}" for value in point) + ") mm"


def draw_on_plane(document: Any, *draw: Callable[[Any], Any]) -> None:
    """Draw a sketch on the plane of x and y, without snapping; it is selected afterwards.

    Nothing is drawn on the screen meanwhile: SolidWorks 2026 ended in six of seven runs that did.
    """
    drawing_plane(document).Select2(False, 0)
    sketch = document.SketchManager
    with undrawn(document):
        sketch.InsertSketch(True)
        sketch.AddToDB = True
        try:
            if not sketch.AddToDB:
                raise SolidWorksError("SolidWorks does not take AddToDB, without which what is drawn snaps.")
            for segment in draw:
                made(document, segment(sketch), "segment of a sketch")
        finally:
            sketch.AddToDB = False
            sketch.InsertSketch(True)


@contextmanager
def undrawn(document: Any) -> Iterator[None]:
    """Switch off what SolidWorks draws of a document while it works, and put it back; what fails is left as it is."""
    before: list[tuple[Any, str]] = []
    view, manager = document.ActiveView, document.FeatureManager
    switches = [(manager, "EnableFeatureTree"), (manager, "EnableFeatureTreeWindow")]
    switches += [(view, "EnableGraphicsUpdate")] if view is not None else []
    try:
        for owner, name in (*switches, (document.SketchManager, "DisplayWhenAdded")):
            with suppress(CallError):
                if getattr(owner, name):
                    setattr(owner, name, False)
                    before.append((owner, name))
        yield
    finally:
        for owner, name in reversed(before):
            with suppress(CallError):
                setattr(owner, name, True)


def made(document: Any, feature: Any, what: str) -> Any:
    """What SolidWorks made; if it made nothing, its command is ended, which else blocks later documents."""
    if feature is None:
        document.SetPickMode()
        raise SolidWorksError(f"SolidWorks made no {what}.")
    return feature


def _extruded(document: Any, height: float, start: float) -> None:
    begins = FROM_OFFSET if start else FROM_PLANE
    made(
        document,
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
    made(
        document,
        document.FeatureManager.FeatureCut4(
            False, False, False, THROUGH, THROUGH, 0.0, 0.0, False, False, False, False, 0.0, 0.0,
            False, False, False, False, False, *scope, FROM_PLANE, 0.0, False, False,
        ),
        "cut",
    )  # fmt: skip


def _revolved(document: Any) -> None:
    made(
        document,
        document.FeatureManager.FeatureRevolve2(
            True, True, False, False, False, False, 0, 0, 2 * pi, 0.0, False, False, 0.0, 0.0, 0, 0.0, 0.0,
            True, True, True,
        ),
        "revolved feature",
    )  # fmt: skip


def _line(x1: float, y1: float, x2: float, y2: float) -> Callable[[Any], Any]:
    return lambda sketch: sketch.CreateLine(x1, y1, 0.0, x2, y2, 0.0)


def _centre_line(y1: float, y2: float) -> Callable[[Any], Any]:
    return lambda sketch: sketch.CreateCenterLine(0.0, y1, 0.0, 0.0, y2, 0.0)


def circle(x: float, y: float, radius: float) -> Callable[[Any], Any]:
    """What draws a circle."""
    return lambda sketch: sketch.CreateCircleByRadius(x, y, 0.0, radius)


def _box(document: Any, box: Brick) -> None:
    """Four lines: CreateCornerRectangle has made squares in SolidWorks 2025, and ended SolidWorks 2026."""
    draw_on_plane(
        document,
        _line(box.x1, box.y1, box.x2, box.y1),
        _line(box.x2, box.y1, box.x2, box.y2),
        _line(box.x2, box.y2, box.x1, box.y2),
        _line(box.x1, box.y2, box.x1, box.y1),
    )
    _extruded(document, box.height, box.start)


def _disc(document: Any, disc: Disc) -> None:
    draw_on_plane(document, circle(disc.x, disc.y, disc.radius))
    _extruded(document, disc.height, disc.start)


def _hole(document: Any, hole: Hole) -> None:
    draw_on_plane(document, circle(hole.x, hole.y, hole.radius))
    cut_through(document)


def _slot(document: Any, slot: SlotCut) -> None:
    line = int(swSketchSlotCreationType_e.swSketchSlotCreationType_line)
    centres = int(swSketchSlotLengthType_e.swSketchSlotLengthType_CenterCenter)
    # The third point lies beside the second centre, at half the width from the centre line.
    length = hypot(slot.x2 - slot.x1, slot.y2 - slot.y1)
    across = (slot.y1 - slot.y2) / length, (slot.x2 - slot.x1) / length
    third = slot.x2 + across[0] * slot.width / 2, slot.y2 + across[1] * slot.width / 2
    points = slot.x1, slot.y1, 0.0, slot.x2, slot.y2, 0.0, *third, 0.0
    draw_on_plane(document, lambda sketch: sketch.CreateSketchSlot(line, centres, slot.width, *points, 1, False))
    cut_through(document)


def _ball(document: Any, ball: Ball) -> None:
    r = ball.radius
    draw_on_plane(
        document,
        _centre_line(-r, r),
        lambda sketch: sketch.CreateArc(0.0, 0.0, 0.0, 0.0, -r, 0.0, 0.0, r, 0.0, 1),
        _line(0.0, r, 0.0, -r),
    )
    _revolved(document)


def _cone(document: Any, cone: Cone) -> None:
    r, h = cone.radius, cone.height
    draw_on_plane(
        document, _centre_line(0.0, h), _line(0.0, 0.0, r, 0.0), _line(r, 0.0, 0.0, h), _line(0.0, h, 0.0, 0.0)
    )
    _revolved(document)


def _system(document: Any, system: System) -> None:
    turns = tuple(radians(turn) for turn in system.turns)
    feature = document.FeatureManager.CreateCoordinateSystemUsingNumericalValues(
        True, system.x, system.y, system.z, True, *turns
    )
    _check_system(document, made(document, feature, "coordinate system"), (system.x, system.y, system.z))


def _check_system(document: Any, feature: Any, at: Sequence[float]) -> None:
    """Raise an error, and delete it, if a coordinate system is not where it was asked for."""
    data = document.port.cast(feature.GetDefinition(), "ICoordinateSystemFeatureData")
    origin = data.Transform.ArrayData[9:12]
    if dist(origin, at) > SAME_POINT:
        delete(document, feature)
        raise SolidWorksError(f"SolidWorks made a coordinate system at {_mm(origin)} instead of {_mm(at)}.")


def delete(document: Any, feature: Any) -> None:
    """Delete a feature."""
    feature.Select2(False, 0)
    is_deleted = document.Extension.DeleteSelection2(0)
    document.ClearSelection2(True)
    if not is_deleted:
        raise SolidWorksError(f"SolidWorks did not delete {feature.Name}.")


def _offset_plane(document: Any, plane: OffsetPlane) -> None:
    drawing_plane(document).Select2(False, 0)
    kind = int(swRefPlaneReferenceConstraints_e.swRefPlaneReferenceConstraint_Distance)
    made(document, document.FeatureManager.InsertRefPlane(kind, plane.distance, 0, 0.0, 0, 0.0), "plane")


def _axis(document: Any, axis: AxisOf) -> None:
    face = find_face(document, "cylinder", radius=axis.radius)
    document.port.cast(face, "IEntity").Select2(False, 0)
    made(document, document.InsertAxis2(True) or None, "axis")
    feature = [each for each in features(document) if each.GetTypeName2() == AXIS][-1]
    ends = document.port.cast(feature.GetSpecificFeature2(), "IRefAxis").GetRefAxisParams()
    line = face.GetSurface().CylinderParams[:6]
    if max(distance_from_line(line, ends[:3]), distance_from_line(line, ends[3:6])) > SAME_POINT:
        delete(document, feature)
        raise SolidWorksError("SolidWorks made an axis that is not the axis of the face.")


def _corner_system(document: Any, system: CornerSystem) -> None:
    entities = {
        VERTEX: find_vertex(document, system.at),
        X_EDGE: find_edge(document, system.at, system.along_x),
        Y_EDGE: find_edge(document, system.at, system.along_y),
    }
    document.ClearSelection2(True)
    for mark, entity in entities.items():
        document.port.cast(entity, "IEntity").Select2(True, mark)
    feature = document.FeatureManager.InsertCoordinateSystem(False, False, False)
    _check_system(document, made(document, feature, "coordinate system at a vertex"), system.at)


def _override(document: Any, change: Callable[[Any], object]) -> None:
    """Override mass properties of a document: `change` sets the options."""
    properties = made(document, document.Extension.CreateMassProperty2(), "mass properties")
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
