"""What a user may decide about meshes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from swgrm.meshes.collision import Collision


class MeshOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """The options of meshes, with their defaults."""

    format: Literal["stl", "glb", "dae", "obj"] = "stl"  # STL: a file per colour, the colours in the robot
    collision: Collision = Collision.AUTO
    faces: int = 500  # triangles per part that `simplify` leaves
    visual_faces: Annotated[int, msgspec.Meta(ge=4)] | None = None  # triangles per part for the eye; none: all
    links: Mapping[str, Collision] = {}  # another way for some components, by name or pattern
    hidden: bool = False  # show components that are hidden in SolidWorks
