"""Solids for mesh tests, made by trimesh, and their capture records."""

from __future__ import annotations

import numpy as np
import trimesh

from swgrm.capture import Face, PartBody, PartShape


def solid(kind: str, size: float = 1.0) -> np.ndarray:
    """The triangles of a solid that is not symmetric about its origin.  # (n, 3, 3)."""
    made = {
        "box": lambda: trimesh.creation.box((1, 2, 3)),
        "cylinder": lambda: trimesh.creation.cylinder(radius=0.4, height=1.5, sections=24),
        "ball": lambda: trimesh.creation.icosphere(subdivisions=2),
        "ring": lambda: trimesh.creation.annulus(r_min=0.3, r_max=0.8, height=0.4, sections=24),
    }[kind]()
    triangles: np.ndarray = (np.asarray(made.triangles) + np.array([0.3, -0.2, 0.1])) * size
    return triangles


def shape(*faces_given: tuple[np.ndarray, tuple[float, ...] | None], name: str = "part") -> PartShape:
    """A captured shape of one body with a face for each of the given triangles and appearances."""
    faces = tuple(Face(len(triangles), look) for triangles, look in faces_given)
    data = np.concatenate([triangles for triangles, _ in faces_given]).astype("<f4").tobytes()
    body = PartBody("body", 0, faces=faces)
    return PartShape(rf"C:\parts\{name}.SLDPRT", "Default", bodies=(body,), triangles=data)


def look(red: float, green: float, blue: float, transparency: float = 0.0) -> tuple[float, ...]:
    """An appearance as in the capture."""
    return (red, green, blue, 1.0, 1.0, 0.5, 0.3, transparency, 0.0)
