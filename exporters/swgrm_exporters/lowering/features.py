"""What a robot may have besides its tree, that a format may have no place for."""

from __future__ import annotations

from enum import StrEnum


class Feature(StrEnum):
    """A kind of data; the value is what one of it is called."""

    COLOURS = "colour"
    TEXTURES = "texture"
    COLLISIONS = "collision shape"
    SENSORS = "sensor"
    DYNAMICS = "damping and friction"
    EFFORT = "limit of effort and velocity"
    ACCELERATION = "limit of acceleration"
    SAFETY = "safety controller"
    CALIBRATION = "calibration"
    TRANSMISSIONS = "transmission"
    COMPOSITES = "name of a composite joint"
    PROPS = "prop"

    def words(self, count: int) -> str:
        """What so many of it are called."""
        return _PLURALS.get(self, f"{self.value}s") if count != 1 else self.value


_PLURALS = {
    Feature.DYNAMICS: "dampings and frictions",
    Feature.EFFORT: "limits of effort and velocity",
    Feature.ACCELERATION: "limits of acceleration",
    Feature.COMPOSITES: "names of composite joints",
}
ALL_FEATURES = frozenset(Feature)
