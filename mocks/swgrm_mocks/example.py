"""Two robots that together use every field of the model: for the tour, the documentation and the tests."""

from __future__ import annotations

import math

from msgspec.structs import replace

from swgrm.model import (
    Actuator,
    ActuatorType,
    Box,
    Calibration,
    Capsule,
    CompositeJoint,
    CompositeType,
    Coupling,
    CutLoop,
    Cylinder,
    Dynamics,
    Entity,
    EntityKind,
    Frame,
    Inertial,
    Joint,
    JointType,
    Limits,
    Link,
    LoopJoint,
    Mark,
    Material,
    Mesh,
    Mount,
    NamedPose,
    Patch,
    Pose,
    Relation,
    Robot,
    Safety,
    Segment,
    Sensor,
    Sphere,
    Tensor,
    Transmission,
    TransmissionEnd,
    UsedConvention,
    Why,
)

QUARTER_TURN_X = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))


def example_arm() -> Robot:
    """A small arm on a linear axis, with a coupled forearm, a ball wrist, a lead screw, and a closed loop."""
    return Robot(
        name="example_arm",
        frames=(*_base(), *_arm(), *_tool()),
        materials=(Material("grey", (0.6, 0.6, 0.6, 1.0)), Material("wood", texture="textures/wood.png")),
        transmissions=(
            Transmission(
                name="column_drive",
                type="transmission_interface/SimpleTransmission",
                joints=(TransmissionEnd("column_joint", ("PositionJointInterface",), props={"role": "joint1"}),),
                actuators=(TransmissionEnd("column_motor", (), 50.0),),
                props={"robotinfo.drive": "harmonic"},
            ),
        ),
        loop_joints=(
            LoopJoint(
                parent="base",
                child="guide",
                transform=Pose((0.0, 0.3, 0.05)),
                joint=Joint(type=JointType.PRISMATIC, name="guide_loop", axis=(1.0, 0.0, 0.0)),
            ),
        ),
        props={"robotinfo.serial_number": "EX-1"},
    )


_TENDON = Actuator(
    joint="index_joint",
    name="tendon",
    type=ActuatorType.POSITION,
    stiffness=20.0,
    damping=0.5,
    effort=3.0,
    gear=2.0,
)


def example_mechanism() -> Robot:
    """A hand on a universal joint: three fingers that one motor drives, a cut loop, and props that name joints."""
    linkage = LoopJoint(
        parent="palm",
        child="thumb",
        joint=Joint(
            type=JointType.REVOLUTE,
            name="linkage",
            axis=(1.0, 0.0, 0.0),
            props={"spring.joint": "thumb_joint"},
            references={"spring.joint": "joint"},
        ),
        transform=Pose((0.0, 0.0, 0.1)),
    )
    return Robot(
        name="example_mechanism",
        frames=_mechanism_frames(linkage),
        transmissions=(
            Transmission(
                name="tendon",
                joints=(
                    TransmissionEnd("index_joint", props={"at.link": "palm"}, references={"at.link": "link"}),
                    TransmissionEnd("middle_joint"),
                ),
                props={"end.joint": "middle_joint"},
                references={"end.joint": "joint"},
            ),
        ),
        relations=(Relation({"index_joint": 1.0, "middle_joint": 1.0, "thumb_joint": -2.0}, 0.1),),
        composite_joints=(
            CompositeJoint(name="palm_joint", type=CompositeType.UNIVERSAL, joints=("palm_joint_u", "palm_joint")),
            CompositeJoint(name="drive", type=CompositeType.SCREW, joints=("index_joint", "thumb_joint"), pitch=0.01),
        ),
        cut_loops=(CutLoop(loop=linkage, parent_frame="linkage_parent_side", child_frame="linkage_child_side"),),
        conventions=(UsedConvention(name="gearRatio", choice="numerator", is_set=True, mates=("GearMate1",)),),
        mount=Mount.FLOATING,
        poses=(NamedPose("home", {"index_joint": 0.2}),),
        actuators=(_TENDON,),
        ignored_contacts=(("index", "thumb"),),
        props={"gazebo.reference": "palm"},
        references={"gazebo.reference": "link"},
    )


def _mechanism_frames(linkage: LoopJoint) -> tuple[Frame, ...]:
    finger = Pose((0.0, 0.05, 0.1))
    close = Joint(type=JointType.REVOLUTE, axis=(1.0, 0.0, 0.0), dynamics=Dynamics(armature=0.001))
    return (
        Frame(id="base", props={"mount.link": "palm"}, references={"mount.link": "link"}),
        Frame(
            id="palm_u",
            parent="base",
            transform=Pose((0.0, 0.0, 0.2)),
            joint=Joint(type=JointType.REVOLUTE, name="palm_joint_u", axis=(1.0, 0.0, 0.0)),
            virtual=True,
        ),
        Frame(
            id="palm",
            parent="palm_u",
            joint=Joint(type=JointType.REVOLUTE, name="palm_joint", axis=(0.0, 1.0, 0.0)),
            links=(Link(name="palm", props={"touch.joint": "index_joint"}, references={"touch.joint": "joint"}),),
            sensors=(Sensor(name="touch", type="contact", params={"on.link": "palm"}, references={"on.link": "link"}),),
        ),
        Frame(id="index", parent="palm", transform=finger, joint=replace(close, name="index_joint")),
        Frame(id="middle", parent="palm", transform=finger, joint=replace(close, name="middle_joint")),
        Frame(id="thumb", parent="palm", transform=Pose((0.0, 0.0, 0.1)), joint=replace(close, name="thumb_joint")),
        Frame(id="linkage_parent_side", parent="palm", transform=linkage.transform, virtual=True),
        Frame(id="linkage_child_side", parent="thumb", virtual=True),
    )


def _base() -> tuple[Frame, ...]:
    return (
        Frame(
            id="base",
            name="Base plate",
            links=(
                Link(
                    name="base_plate",
                    inertial=Inertial(4.0, (0.0, 0.0, 0.01), Tensor(0.02, 0.001, -0.002, 0.05, 0.003, 0.06)),
                    visuals=(Box(size=(0.6, 0.3, 0.02), origin=Pose((0.0, 0.0, 0.01)), material="wood"),),
                    collisions=(Box(size=(0.6, 0.3, 0.02), origin=Pose((0.0, 0.0, 0.01))),),
                    entity=Entity(EntityKind.COMPONENT, "base_plate-1", "Default", "AbC="),
                    props={"flatsim.side": "left"},
                ),
            ),
            entity=Entity(EntityKind.COMPONENT, "base_plate-1", "Default"),
        ),
        Frame(
            id="floor",
            parent="base",
            entity=Entity(EntityKind.PLANE, "Floor@example_arm"),
            geometry=Patch((0.6, 0.3)),
        ),
        Frame(
            id="slide_axis",
            parent="base",
            transform=Pose((0.0, 0.0, 0.05), QUARTER_TURN_X),
            entity=Entity(EntityKind.AXIS, "Slide axis@example_arm"),
            geometry=Segment(0.5),
        ),
        Frame(
            id="datum",
            parent="base",
            transform=Pose((0.3, 0.15, 0.02)),
            entity=Entity(EntityKind.POINT, "Datum@example_arm"),
            geometry=Mark(),
        ),
    )


def _arm() -> tuple[Frame, ...]:
    return (
        Frame(
            id="slide",
            parent="base",
            transform=Pose((0.0, 0.0, 0.05)),
            joint=Joint(
                type=JointType.PRISMATIC,
                name="slide_joint",
                axis=(1.0, 0.0, 0.0),
                limits=Limits(-0.2, 0.2, 0.5, 100.0, 2.0),
                dynamics=Dynamics(5.0, 1.0),
                calibration=Calibration(0.0, 0.19),
                why=Why(
                    ("Coincident3", "Parallel1"),
                    "one slide along x",
                    "a slide: 5 of 6 freedoms are taken",
                    needs_check=True,
                ),
            ),
            links=(_rod("carriage", 0.04, 0.1, 1.5),),
        ),
        Frame(id="guide", parent="slide", transform=Pose((0.0, 0.3, 0.0))),
        Frame(
            id="column",
            parent="slide",
            transform=Pose((0.0, 0.0, 0.05)),
            joint=Joint(
                type=JointType.REVOLUTE,
                name="column_joint",
                limits=Limits(-2.9, 2.9, 2.0, 60.0),
                safety=Safety(100.0, 20.0, -2.8, 2.8),
                props={"flatsim.throttle_max": "0.2"},
            ),
            links=(_rod("column", 0.03, 0.3, 1.0), _cover()),
        ),
        Frame(
            id="forearm",
            parent="column",
            transform=Pose((0.0, 0.0, 0.3), QUARTER_TURN_X),
            joint=Joint(
                type=JointType.REVOLUTE,
                name="forearm_joint",
                coupling=Coupling("column_joint", -0.5, 0.1),
                limits=Limits(-1.5, 1.7),
            ),
            links=(_rod("forearm", 0.02, 0.25, 0.6),),
        ),
    )


def _tool() -> tuple[Frame, ...]:
    return (
        Frame(
            id="wrist",
            parent="forearm",
            transform=Pose((0.0, 0.0, 0.25)),
            joint=Joint(type=JointType.BALL, name="wrist_joint"),
            links=(
                Link(
                    name="wrist",
                    inertial=Inertial(0.2, (0.0, 0.0, 0.0), Tensor(2e-5, 0.0, 0.0, 2e-5, 0.0, 2e-5), QUARTER_TURN_X),
                    visuals=(Sphere(radius=0.02, material="grey"),),
                ),
            ),
        ),
        Frame(
            id="spindle",
            parent="wrist",
            transform=Pose((0.0, 0.0, 0.03)),
            joint=Joint(type=JointType.SCREW, name="spindle_joint", pitch=0.005, limits=Limits(0.0, 60.0)),
            links=(
                Link(
                    name="spindle",
                    inertial=Inertial(0.1, (0.0, 0.0, 0.02), Tensor(1e-5, 0.0, 0.0, 1e-5, 0.0, 4e-6)),
                    visuals=(Capsule(name="tip", radius=0.008, length=0.04, origin=Pose((0.0, 0.0, 0.02))),),
                ),
            ),
        ),
        Frame(
            id="tool0",
            parent="spindle",
            name="Tool",
            transform=Pose((0.0, 0.0, 0.05)),
            joint=Joint(type=JointType.FIXED, name="tool0_joint"),
            sensors=(
                Sensor(
                    name="eye",
                    type="camera",
                    id="0",
                    update_rate=30.0,
                    params={"camera.width": "640"},
                    props={"topic": "/eye"},
                ),
            ),
            entity=Entity(EntityKind.COORDINATE_SYSTEM, "tool0@spindle-1"),
            props={"note": "where tools are mounted"},
        ),
    )


def _cover() -> Link:
    mesh = Mesh(
        name="shell", uri="package://example_arm/meshes/cover.stl", scale=(0.001, 0.001, 0.001), material="grey"
    )
    return Link(
        name="cover", inertial=Inertial(0.2, (0.0, 0.0, 0.05), Tensor(4e-4, 0.0, 0.0, 4e-4, 0.0, 2e-4)), visuals=(mesh,)
    )


def _rod(name: str, radius: float, length: float, mass: float) -> Link:
    """A solid rod along z that starts at its frame's origin."""
    across = mass * (3 * radius**2 + length**2) / 12
    middle = Pose((0.0, 0.0, length / 2))
    return Link(
        name=name,
        inertial=Inertial(mass, middle.pos, Tensor(across, 0.0, 0.0, across, 0.0, mass * radius**2 / 2)),
        visuals=(Cylinder(radius=radius, length=length, origin=middle, material="grey"),),
        collisions=(Cylinder(radius=radius, length=length, origin=middle),),
    )
