"""URDF: one test for each requirement of its specification (docs/requirements.md)."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.lookups import joint_of, present

import swgrm
from swgrm import Calibration, Limits, Robot, Safety
from swgrm.errors import SettingsError
from swgrm.model import Transmission, TransmissionEnd
from swgrm_mocks.builder import STEEL, Assembly, Part, pose
from swgrm_mocks.mates import plane, shaft
from swgrm_mocks.solids import box


def turntable(**properties: str) -> Assembly:
    """A disc that rotates on a bed; the properties are custom properties of the disc's part, dots as `__`."""
    assembly = Assembly("machine")
    bed = assembly.part(Part("bed", box(1, 1, 0.1), STEEL)).fixed()
    part = Part("disc", box(0.2, 0.2, 0.1), STEEL)
    for name, value in properties.items():
        part.custom_property(name.replace("__", "."), value)
    disc = assembly.part(part, pose(x=0.3, z=0.1))
    assembly.concentric(bed.at(shaft((0.3, 0, 0), (0, 0, 1), 0.01)), disc.at(shaft((0, 0, 0), (0, 0, 1), 0.01)))
    assembly.coincident(bed.at(plane((0, 0, 0.05), (0, 0, 1))), disc.at(plane((0, 0, -0.05), (0, 0, -1))), alignment=1)
    return assembly


def exported(tmp_path: Path, assembly: Assembly, settings: str = "") -> tuple[Robot, str, set[str]]:
    """The robot of an assembly, its URDF, and the codes of the findings."""
    swgrm.save_capture(assembly.capture(), tmp_path / "machine.swcap")
    if settings:
        (tmp_path / "machine.grm.yaml").write_text(settings)
    done = swgrm.export(str(tmp_path / "machine.swcap"), tmp_path / "out", formats=("urdf",))
    return done.robot, (tmp_path / "out" / "machine.urdf").read_text(), {each.code for each in done.findings}


# ---- transmission, safety controller, calibration and limits from SolidWorks

DRIVE = """
joints:
  disc_joint:
    effort: 40 Nm
    acceleration: 90 deg/s²
    safetyController: {kVelocity: 10, kPosition: 15, softLowerLimit: -90 deg, softUpperLimit: 1.5}
    calibration: {rising: 10 deg}
    transmission: {hardwareInterface: hardware_interface/EffortJointInterface, mechanicalReduction: 50, actuator: m1}
"""
INTERFACE = ("hardware_interface/EffortJointInterface",)


def check_drive(robot: Robot, urdf: str) -> None:
    joint = joint_of(robot, "disc_joint")
    assert joint.limits.effort == 40.0
    assert joint.limits.acceleration == pytest.approx(3.14159265 / 2)
    assert present(joint.safety).k_velocity == 10.0
    assert present(joint.safety).soft_lower_limit == pytest.approx(-3.14159265 / 2)
    assert present(present(joint.calibration).rising) == pytest.approx(0.1745329252)
    assert robot.transmissions == (
        Transmission(
            name="disc_joint_transmission",
            type="transmission_interface/SimpleTransmission",
            joints=(TransmissionEnd("disc_joint", INTERFACE),),
            actuators=(TransmissionEnd("m1", INTERFACE, 50.0),),
        ),
    )
    assert '<transmission name="disc_joint_transmission">' in urdf
    assert "<mechanicalReduction>50</mechanicalReduction>" in urdf
    assert '<safety_controller soft_lower_limit="-1.5707' in urdf
    assert '<calibration rising="0.17453' in urdf


def test_transmission_safety_and_calibration_are_given_in_the_settings(tmp_path: Path) -> None:
    robot, urdf, _ = exported(tmp_path, turntable(), DRIVE)
    check_drive(robot, urdf)


def test_transmission_safety_and_calibration_are_given_as_custom_properties(tmp_path: Path) -> None:
    assembly = turntable(
        joint__limit__effort="40 Nm",
        joint__acceleration="90 deg/s²",
        joint__safety_controller__k_velocity="10",
        joint__safety_controller__k_position="15",
        joint__safety_controller__soft_lower_limit="-90 deg",
        joint__safetyController__softUpperLimit="1.5",
        joint__calibration__rising="10 deg",
        joint__transmission__hardwareInterface=INTERFACE[0],
        joint__transmission__mechanicalReduction="50",
        joint__transmission__actuator="m1",
        joint__flatsim__side="left",
    )
    assembly.custom_property("joint.disc_joint.damping", "0.5")
    robot, urdf, codes = exported(tmp_path, assembly)
    check_drive(robot, urdf)
    assert present(joint_of(robot, "disc_joint").dynamics).damping == 0.5
    assert joint_of(robot, "disc_joint").props == {"flatsim.side": "left"}
    assert not [key for _, link in robot.links() for key in (*link.props, *robot.props) if key.startswith("joint.")]
    assert "property-wrong" not in codes


def test_settings_take_precedence_over_custom_properties(tmp_path: Path) -> None:
    assembly = turntable(joint__effort="1 Nm", joint__velocity="2")
    robot, _, _ = exported(tmp_path, assembly, "joints: {disc_joint: {effort: 5}}")
    assert joint_of(robot, "disc_joint").limits == Limits(velocity=2.0, effort=5.0)


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("joint.effort", "5 mm", "`5 mm` is not a torque"),
        ("joint.efort", "5", "There is no such key. Did you mean `effort`?"),
        ("joint.safety_controller.k_velosity", "5", "Did you mean `kVelocity`?"),
        ("joint.velocity", "fast", "`fast` is not a number"),
    ],
)
def test_a_custom_property_that_cannot_be_used_is_reported(key: str, value: str, sentence: str) -> None:
    assembly = turntable(**{key.replace(".", "__"): value})
    understanding = swgrm.understand(assembly.capture())
    (finding,) = (each for each in understanding.findings if each.code == "property-wrong")
    assert (finding.where, key in finding.message) == ("link disc-1", True)
    assert sentence in finding.message
    assert joint_of(understanding.robot, "disc_joint").limits == Limits()


def test_a_custom_property_of_a_joint_that_does_not_exist_is_reported() -> None:
    assembly = turntable()
    assembly.custom_property("joint.disk_joint.effort", "5")
    findings = [each for each in swgrm.understand(assembly.capture()).findings if each.code == "property-wrong"]
    assert ["Did you mean `disc_joint`?" in each.message for each in findings] == [True]


def test_drive_settings_follow_the_joint_when_it_is_renamed(tmp_path: Path) -> None:
    settings = "joints: {disc_joint: {name: spin, flip: true, transmission: {}, safetyController: {kVelocity: 1}}}"
    robot, _, _ = exported(tmp_path, turntable(), settings)
    assert joint_of(robot, "spin").safety == Safety(1.0)
    assert robot.transmissions[0].joints[0].name == "spin"


def test_calibration_in_the_settings_may_have_one_edge(tmp_path: Path) -> None:
    robot, _, _ = exported(tmp_path, turntable(), "joints: {disc_joint: {calibration: {falling: 0.5}}}")
    assert joint_of(robot, "disc_joint").calibration == Calibration(falling=0.5)


def test_a_material_gets_a_texture_from_the_settings(tmp_path: Path) -> None:
    robot, urdf, _ = exported(tmp_path, turntable())
    material = robot.materials[0].name
    settings = f"materials: {{{material}: {{texture: package://machine/wood.png, rgba: [1, 0, 0, 1]}}}}"
    robot, urdf, _ = exported(tmp_path, turntable(), settings)
    assert robot.materials[0].rgba == (1.0, 0.0, 0.0, 1.0)
    assert '<texture filename="package://machine/wood.png"/>' in urdf
    with pytest.raises(SettingsError, match=f"no material `{material}x`. Did you mean `{material}`"):
        exported(tmp_path, turntable(), settings.replace(material, f"{material}x"))
