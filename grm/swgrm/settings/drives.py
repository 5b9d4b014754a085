"""The drive of a joint in the settings: safety controller, calibration and transmission, as URDF has them."""

from __future__ import annotations

from msgspec.structs import replace

from swgrm.model import Calibration, Robot, Safety, Transmission, TransmissionEnd
from swgrm.settings.schema import JointSettings, TransmissionSettings
from swgrm.settings.units import Quantity, quantity


def with_drive(robot: Robot, name: str, decided: JointSettings, position: str) -> Robot:
    """The robot with what is decided about a joint's drive; `position` is the kind of quantity of its position."""
    import swgrm.edit as edit

    def at(value: Quantity, *path: str) -> float:
        return quantity(value, position, ("joints", name, *path))

    if (safety := decided.safety_controller) is not None:
        lower = at(safety.soft_lower_limit, "safetyController", "softLowerLimit")
        upper = at(safety.soft_upper_limit, "safetyController", "softUpperLimit")
        robot = edit.set_safety(robot, name, Safety(safety.k_velocity, safety.k_position, lower, upper))
    if (marks := decided.calibration) is not None:
        rising = None if marks.rising is None else at(marks.rising, "calibration", "rising")
        falling = None if marks.falling is None else at(marks.falling, "calibration", "falling")
        robot = edit.set_calibration(robot, name, Calibration(rising, falling))
    if decided.transmission is not None:
        new = _transmission(name, decided.transmission)
        others = tuple(each for each in robot.transmissions if each.name != new.name)
        robot = replace(robot, transmissions=(*others, new))
    return robot


def _transmission(joint: str, decided: TransmissionSettings) -> Transmission:
    interfaces = decided.hardware_interface
    names = (interfaces,) if isinstance(interfaces, str) else interfaces
    actuator = TransmissionEnd(decided.actuator or f"{joint}_motor", names, decided.mechanical_reduction)
    return Transmission(
        name=decided.name or f"{joint}_transmission",
        type=decided.type,
        joints=(TransmissionEnd(joint, names),),
        actuators=(actuator,),
    )
