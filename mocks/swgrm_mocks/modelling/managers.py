"""ISketchManager and IFeatureManager of the mock, and IMathUtility."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from swgrm.solidworks.swconst_calls import swEndConditions_e as End
from swgrm.solidworks.swconst_calls import swFeatureTreeFolderType_e as FolderType
from swgrm.solidworks.swconst_calls import swRefPlaneReferenceConstraints_e as PlaneConstraint
from swgrm.solidworks.swconst_calls import swSketchSlotCreationType_e as SlotCreation
from swgrm.solidworks.swconst_calls import swSketchSlotLengthType_e as SlotLength
from swgrm.transforms import Array
from swgrm_mocks.builder import pose
from swgrm_mocks.modelling import profiles
from swgrm_mocks.modelling.component_features import DEFINITIONS, MirrorData, PatternData, cut_components
from swgrm_mocks.modelling.part_model import PartModel, Sketch
from swgrm_mocks.modelling.profiles import ProfileSegment
from swgrm_mocks.modelling.selected_frames import marked_frame, selected_plane
from swgrm_mocks.modelling.solid_faces import NotModelled
from swgrm_mocks.modelling.triangulation import SAME
from swgrm_mocks.solidworks.dispatch import Fault, MockObject
from swgrm_mocks.solidworks.features import FolderRecord, MockFeature
from swgrm_mocks.solidworks.references import MathTransform

if TYPE_CHECKING:
    from swgrm_mocks.modelling.live_documents import LiveDocument

# What SolidWorks draws while it works: members of the view, the feature manager and the sketch manager
DRAWN = ("EnableGraphicsUpdate", "EnableFeatureTree", "EnableFeatureTreeWindow", "DisplayWhenAdded")
START_OFFSET = 3  # swStartConditions_e
VERTEX_MARK, X_MARK, Y_MARK = 1, 2, 4
SEED_MARK, ALONG_MARK = 1, 2  # of patterns and mirror images


class DrawnSegment(MockObject):
    """ISketchSegment of something that was drawn."""

    interfaces: ClassVar = ("ISketchSegment",)


class SketchManager(MockObject):
    """ISketchManager: draws into the open sketch; coordinates are those of the sketch, in metres."""

    interfaces: ClassVar = ("ISketchManager",)

    def __init__(self, document: LiveDocument) -> None:
        self.document = document

    def AddToDB(self) -> bool:
        return self.document.adds_to_db

    def put_AddToDB(self, value: bool) -> None:
        """Sketch relations are never added by the mock, and nothing snaps unless it has that quirk."""
        self.document.adds_to_db = value and "add-to-db-ignored" not in self.document.session.quirks

    def DisplayWhenAdded(self) -> bool:
        return self.document.drawn.get("DisplayWhenAdded", True)

    def put_DisplayWhenAdded(self, value: bool) -> None:
        self.document.drawn["DisplayWhenAdded"] = value

    def InsertSketch(self, _update: bool) -> None:
        """Opens a sketch on the selected plane or planar face, or closes the open one."""
        document = self.document
        if document.sketch is not None:
            document.closed_sketch, document.sketch = document.sketch, None
            return
        T = selected_plane(document.selection)
        if T is not None:
            document.sketch = Sketch(T)
            document.selection = []

    def CreateLine(self, x1: float, y1: float, _z1: float, x2: float, y2: float, _z2: float) -> DrawnSegment | None:
        return self._draw(ProfileSegment((x1, y1), (x2, y2)))

    def CreateCenterLine(
        self, x1: float, y1: float, _z1: float, x2: float, y2: float, _z2: float
    ) -> DrawnSegment | None:
        if self.document.sketch is None or math.dist((x1, y1), (x2, y2)) < SAME:
            return None
        self.document.sketch.axes.append(ProfileSegment((x1, y1), (x2, y2)))
        return DrawnSegment()

    def CreateArc(
        self, xc: float, yc: float, _zc: float, x1: float, y1: float, _z1: float, x2: float, y2: float, _z2: float,
        direction: int,
    ) -> DrawnSegment | None:  # fmt: skip
        return self._draw(profiles.arc((xc, yc), (x1, y1), (x2, y2), direction))

    def CreateCircleByRadius(self, x: float, y: float, _z: float, radius: float) -> DrawnSegment | None:
        if "sketch-snaps" in self.document.session.quirks:
            x, radius = 0.0, radius + abs(x)
        return self._draw(*profiles.circle(x, y, radius).segments) if radius > 0 else None

    def CreateSketchSlot(self, creation: int, length: int, width: float, *numbers: Any) -> DrawnSegment | None:
        """Draws a straight slot between the centres of its ends, or between its ends."""
        (x1, y1), (x2, y2) = np.array(numbers[:2]), np.array(numbers[3:5])
        if creation == SlotCreation.swSketchSlotCreationType_center_line:
            x1, y1 = 2 * np.array(numbers[:2]) - np.array(numbers[3:5])
        elif creation != SlotCreation.swSketchSlotCreationType_line:
            return None
        reach = math.dist((x1, y1), (x2, y2))
        beside = abs((x2 - x1) * (numbers[7] - y1) - (y2 - y1) * (numbers[6] - x1)) / reach
        if "slot-by-third-point" in self.document.session.quirks and abs(beside - width / 2) > SAME:
            return None
        if length == SlotLength.swSketchSlotLengthType_FullLength:
            inward = np.subtract((x2, y2), (x1, y1)) / reach * width / 2
            x1, y1, x2, y2 = x1 + inward[0], y1 + inward[1], x2 - inward[0], y2 - inward[1]
        return self._draw(*profiles.slot(float(x1), float(y1), float(x2), float(y2), width))

    def _draw(self, *segments: ProfileSegment) -> DrawnSegment | None:
        session, drawn = self.document.session, self.document.drawn
        if "sketching-crashes" in session.quirks and not all(drawn.get(name) is False for name in DRAWN):
            session.connection.faults = [Fault(session.connection.count, "death")]
        is_empty = any(s.center is None and math.dist(s.start, s.end) < SAME for s in segments)
        if self.document.sketch is None or is_empty:
            return None
        self.document.sketch.segments += segments
        return DrawnSegment()


class ModelledFeature(MockFeature):
    """IFeature of a boss, cut, revolution or folder."""

    def put_Name(self, name: str) -> None:
        live = self.document.live
        assert live is not None  # noqa: S101 - modelled features are of modelled documents
        live.rename(self.record.id, self.record.name, name)
        self.record = self.record._replace(name=name)


class FeatureManager(MockObject):
    """IFeatureManager."""

    interfaces: ClassVar = ("IFeatureManager",)

    def __init__(self, document: LiveDocument) -> None:
        self.document = document

    def EnableFeatureTree(self) -> bool:
        return self.document.drawn.get("EnableFeatureTree", True)

    def put_EnableFeatureTree(self, value: bool) -> None:
        self.document.drawn["EnableFeatureTree"] = value

    def EnableFeatureTreeWindow(self) -> bool:
        return self.document.drawn.get("EnableFeatureTreeWindow", True)

    def put_EnableFeatureTreeWindow(self, value: bool) -> None:
        self.document.drawn["EnableFeatureTreeWindow"] = value

    def GetFeatures(self, top_level_only: bool) -> tuple[MockFeature, ...]:
        return self.document.view.FeatureManager().GetFeatures(top_level_only)

    def FeatureExtrusion3(self, *arguments: Any) -> ModelledFeature | None:
        single, _flip, reverse, end1, end2, depth1, depth2 = arguments[:7]
        start, offset, flip_start = arguments[20:23]
        low = (-offset if flip_start else offset) if start == START_OFFSET else 0.0
        if end1 == End.swEndCondMidPlane:
            span = (-depth1 / 2, depth1 / 2)
        elif end1 != End.swEndCondBlind or (not single and end2 != End.swEndCondBlind):
            return None
        else:
            span = (0.0 if single else -depth2, depth1)
        return self._extrude("Extrusion", "Boss-Extrude", _shifted(span, low, reverse=reverse), is_cut=False)

    def FeatureCut4(self, *arguments: Any) -> ModelledFeature | None:
        """A cut goes against the normal of its sketch unless it is reversed."""
        single, outside, reverse, end1, end2, depth1, depth2 = arguments[:7]
        ends = {int(End.swEndCondBlind): depth1, int(End.swEndCondThroughAll): math.inf}
        if outside:
            return None
        if end1 == End.swEndCondThroughAllBoth:
            span = (-math.inf, math.inf)
        elif end1 == End.swEndCondMidPlane:
            span = (-depth1 / 2, depth1 / 2)
        elif end1 not in ends or (not single and end2 not in ends):
            return None
        else:
            back = {int(End.swEndCondBlind): depth2, int(End.swEndCondThroughAll): math.inf}.get(end2, 0.0)
            span = (-ends[end1], 0.0 if single else back)
        return self._extrude("Cut", "Cut-Extrude", _shifted(span, 0.0, reverse=reverse), is_cut=True)

    def _extrude(self, kind: str, name: str, span: tuple[float, float], *, is_cut: bool) -> ModelledFeature | None:
        model, sketch = self.document.model, self.document.take_sketch()
        if sketch is None:
            return None
        try:
            if isinstance(model, PartModel):
                model.extrude(sketch, *span, is_cut=is_cut)
            elif not is_cut or not self._cut_components(sketch, span):
                return None
        except NotModelled:
            return None
        return self._feature(kind, name)

    def _cut_components(self, sketch: Sketch, span: tuple[float, float]) -> bool:
        """Cuts the selected components of an assembly; whether there are any."""
        from swgrm_mocks.modelling.live_assemblies import LiveAssembly

        chosen = self.document.selected_components() if isinstance(self.document, LiveAssembly) else []
        if "refused-cut-blocks" in self.document.session.quirks:
            self.document.refuse_cut()
            return False
        cut_components(sketch, span, chosen)
        return bool(chosen)

    def CreateDefinition(self, kind: int) -> PatternData | MirrorData | None:
        marks = {mark for _, mark in self.document.selection}
        if "definition-needs-selection" in self.document.session.quirks and not marks >= {SEED_MARK, ALONG_MARK}:
            return None
        return DEFINITIONS[kind]() if kind in DEFINITIONS else None

    def CreateFeature(self, data: PatternData | MirrorData) -> ModelledFeature | None:
        from swgrm_mocks.modelling.live_assemblies import LiveAssembly

        if not isinstance(self.document, LiveAssembly) or not data.make(self.document):
            return None
        return self._feature(data.kind, data.name)

    def FeatureRevolve2(self, *arguments: Any) -> ModelledFeature | None:
        single, solid, thin, cut = arguments[:4]
        angle = arguments[8]
        part, sketch = self.document.model, self.document.take_sketch()
        is_full = single and solid and not thin and not cut and abs(abs(angle) - 2 * math.pi) < 1e-9
        if not isinstance(part, PartModel) or sketch is None or not is_full:
            return None
        try:
            part.revolve(sketch)
        except NotModelled:
            return None
        return self._feature("Revolution", "Revolve")

    def _feature(self, kind: str, name: str) -> ModelledFeature:
        number = self.document.model.next_id()
        self.document.touch()
        return ModelledFeature(self.document.view, kind, FolderRecord(f"{name}{number}", number))

    def CreateCoordinateSystemUsingNumericalValues(
        self, moves: bool, x: float, y: float, z: float, turns: bool, ax: float, ay: float, az: float
    ) -> MockFeature | None:
        """Angles in radians about the fixed axes x, y and z, in this order."""
        at = (x, y, z) if moves else (0.0, 0.0, 0.0)
        angles = np.degrees((ax, ay, az)) if turns else (0.0, 0.0, 0.0)
        return self.document.add_geometry("Coordinate System", "coordinate_system", pose(*at, *map(float, angles)))

    def InsertCoordinateSystem(self, x_flipped: bool, y_flipped: bool, z_flipped: bool) -> MockFeature | None:
        """At the vertex with mark 1, with x along the edge with mark 2 and y along the edge with mark 4."""
        T = marked_frame(self.document.selection, VERTEX_MARK, X_MARK, Y_MARK)
        if "system-at-origin" in self.document.session.quirks:
            T = np.eye(4)
        if T is None:
            return None
        signs = np.array([-1.0 if flipped else 1.0 for flipped in (x_flipped, y_flipped, z_flipped)])
        if np.prod(signs) > 0:
            T[:3, :3] *= signs
        return self.document.add_geometry("Coordinate System", "coordinate_system", T)

    def InsertRefPlane(self, first: int, distance: float, *_others: Any) -> MockFeature | None:
        """A plane at a distance from the selected one, along its normal."""
        T = selected_plane(self.document.selection)
        if T is None or not first & PlaneConstraint.swRefPlaneReferenceConstraint_Distance:
            return None
        T = T.copy()
        sign = -1.0 if first & PlaneConstraint.swRefPlaneReferenceConstraint_OptionFlip else 1.0
        T[:3, 3] += sign * distance * T[:3, 2]
        return self.document.add_geometry("Plane", "plane", T)

    def InsertFeatureTreeFolder2(self, kind: int) -> ModelledFeature | None:
        """A folder with the selected mates."""
        if kind != FolderType.swFeatureTreeFolder_Containing:
            return None
        name = self.document.put_into_folder()
        if name is None:
            return None
        return ModelledFeature(self.document.view, "FtrFolder", FolderRecord(name, -1))


def _shifted(span: tuple[float, float], offset: float, *, reverse: bool) -> tuple[float, float]:
    low, high = (-span[1], -span[0]) if reverse else span
    return low + offset, high + offset


class MathUtility(MockObject):
    """IMathUtility."""

    interfaces: ClassVar = ("IMathUtility",)

    def CreateTransform(self, numbers: tuple[float, ...]) -> MathTransform | None:
        """The rotation is made orthonormal, as SolidWorks does."""
        if len(numbers) != 16:
            return None
        rotation: Array = np.array(numbers[:9], float).reshape(3, 3)
        U, _, Vt = np.linalg.svd(rotation)
        nearest = U @ np.diag([1.0, 1.0, np.linalg.det(U @ Vt)]) @ Vt
        return MathTransform((*nearest.ravel().tolist(), *map(float, numbers[9:12]), 1.0, 0.0, 0.0, 0.0))
