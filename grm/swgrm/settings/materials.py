"""Materials in the settings: another colour or a texture."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from swgrm.errors import SettingsError, nearest
from swgrm.model import Material, Robot
from swgrm.settings.schema import MaterialSettings


def with_materials(robot: Robot, decided: Mapping[str, MaterialSettings]) -> Robot:
    """The robot with the looks that are decided; a material that it does not have is a SettingsError."""
    known = [material.name for material in robot.materials]
    for name in decided:
        if name not in known:
            hint = nearest(name, known) or f" It has: {', '.join(known) or 'none'}."
            raise SettingsError(f"materials: the robot has no material `{name}`.{hint}", ("materials", name))

    def look(old: Material) -> Material:
        new = decided.get(old.name)
        return old if new is None else replace(old, rgba=new.rgba or old.rgba, texture=new.texture or old.texture)

    return replace(robot, materials=tuple(map(look, robot.materials))) if decided else robot
