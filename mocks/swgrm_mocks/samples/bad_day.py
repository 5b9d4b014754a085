"""The sample arm on a bad day: read from a SolidWorks that has a dozen of the mock's quirks at once."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from swgrm.capture import Capture, Component, MassProperties, Mate, PartShape
from swgrm.solidworks.swconst import swMateType_e
from swgrm.transforms import column_matrix
from swgrm_mocks.builder import FOLDER, make_persistent_id
from swgrm_mocks.samples import arm

NAME = "Magnetic1"
MAGNETIC = Mate(
    NAME, "MateMagnetic", 900, make_persistent_id(900, NAME), int(swMateType_e.swMateMAGNETIC)
)  # SolidWorks returns no entities for it


def build() -> Capture:
    """The capture of the arm, with a magnetic mate, and with the masses that part documents return."""
    capture = arm.build()
    old, path = capture.source.path, f"{FOLDER}bad_day.SLDASM"
    components = {component.name: component for component in capture.components}
    documents = [
        replace(document, path=path, mates=(_magnetic(capture), *document.mates)) if document.path == old else document
        for document in capture.documents
    ]
    return replace(
        capture,
        source=replace(capture.source, path=path, title="bad_day.SLDASM"),
        components=tuple(_with_magnet(component) for component in capture.components),
        documents=tuple(sorted(documents, key=lambda document: (document.path, document.configuration))),
        shapes=tuple(_with_legacy(shape, components.get(shape.through)) for shape in capture.shapes),
    )


def _magnetic(capture: Capture) -> Mate:
    """The magnetic mate, between the entities of the first mate."""
    root = next(document for document in capture.documents if document.path == capture.source.path)
    return replace(MAGNETIC, entities=root.mates[0].entities)


def _with_magnet(component: Component) -> Component:
    has_mates = component.name in ("base-1", "shoulder-1")
    return replace(component, mates=tuple(sorted((*component.mates, NAME)))) if has_mates else component


def _with_legacy(shape: PartShape, through: Component | None) -> PartShape:
    """The shape with what IMassProperty returns: the mass properties in the coordinates of the part."""
    if shape.mass is None or through is None or through.transform is None:
        return shape
    return replace(shape, legacy_mass=in_part(shape.mass, column_matrix(through.transform)))


def in_part(mass: MassProperties, T_root_part: np.ndarray) -> MassProperties:
    """Mass properties, given in root coordinates, in those of the part."""
    R, t = T_root_part[:3, :3], T_root_part[:3, 3]
    moments = R.T @ np.asarray(mass.moments).reshape(3, 3) @ R
    return replace(
        mass,
        center_of_mass=tuple((R.T @ (np.asarray(mass.center_of_mass) - t)).tolist()),
        principal_axes=tuple((np.asarray(mass.principal_axes).reshape(3, 3) @ R).ravel().tolist()),
        moments=tuple(moments.ravel().tolist()),
    )
