"""The xacro files of a package: the macro with the robot's links and joints, and the file that uses all macros."""

from __future__ import annotations

from swgrm.kinematics.pose_math import compose
from swgrm.model import Mount, Pose
from swgrm_exporters.numbers import Numbers
from swgrm_exporters.ros2.description import RobotDescription
from swgrm_exporters.ros2.gazebo import optical_frame
from swgrm_exporters.ros2.layout import HARDWARE
from swgrm_exporters.ros2.lumping import WORLD
from swgrm_exporters.ros2.sensing import PlacedSensor
from swgrm_exporters.ros2.xacro_macros import (
    NAMESPACE,
    PREFIX,
    commented,
    element,
    escaped,
    macro_file,
    prefixed,
    where,
)
from swgrm_exporters.urdf.elements import add_origin
from swgrm_exporters.xmlwriting import Node

OPTICAL = Pose(rot=(-0.5, 0.5, -0.5, 0.5))  # z ahead, x to the right, in a frame with x ahead and z up
MAIN_COMMENT = (
    "xacro NAME.urdf.xacro prefix:=left_ sim:=mock|gz|mujoco expands this robot. Edits of this file are kept."
)
MACRO_COMMENT = "Links and joints, written by every export. Include this file to use the robot in a cell of your own."


def macro(description: RobotDescription, sensors: tuple[PlacedSensor, ...], numbers: Numbers) -> bytes:
    """The file with the macro `NAME_robot`."""
    content = prefixed(description.tree)
    for placed in sensors:
        if placed.sensor.type == "camera":
            content += _optical(placed, numbers)
    return macro_file(f"{description.layout.name}_robot", "prefix:=''", content, MACRO_COMMENT)


def _optical(placed: PlacedSensor, numbers: Numbers) -> list[Node]:
    """The link and joint of a camera's optical frame, in which ROS has its images."""
    name = f"{PREFIX}{optical_frame(placed)}"
    joint = element("joint", {"name": f"{name}_joint", "type": "fixed"})
    add_origin(joint, compose(placed.pose, OPTICAL), numbers)
    joint.append(element("parent", {"link": f"{PREFIX}{escaped(placed.link)}"}))
    joint.append(element("child", {"link": name}))
    return [element("link", {"name": name}), joint]


def main_file(description: RobotDescription, mount: Mount) -> bytes:
    """The file to expand."""
    layout, name = description.layout, description.layout.name
    root = element("robot", {"xmlns:xacro": NAMESPACE, "name": escaped(description.robot.name)})
    arguments = {"prefix": "", "sim": HARDWARE[0], "controllers": ""}
    root.extend(element("xacro:arg", {"name": key, "default": value}) for key, value in arguments.items())
    root.extend(element("xacro:property", {"name": key, "value": f"$(arg {key})"}) for key in arguments)
    root.extend(_refusals())
    for path in (layout.macro, layout.control, layout.gazebo):
        root.append(element("xacro:include", {"filename": path.partition("/")[2]}))
    root.append(element(f"xacro:{name}_robot", {"prefix": PREFIX}))
    model = {"prefix": PREFIX, "sim": "${sim}", "model": f"${{{_beside('mujoco/scene.xml')}}}"}
    root.append(element(f"xacro:{name}_ros2_control", model))
    controllers = f"${{controllers or {_beside(layout.controllers)}}}"
    in_gazebo = [element(f"xacro:{name}_gazebo", {"prefix": PREFIX, "controllers": controllers})]
    if mount is Mount.FIXED and description.tree.find(f"link[@name='{WORLD}']") is None:
        in_gazebo = [*_fixed_to_world(description.root), *in_gazebo]
    root.append(where("sim == 'gz'", *in_gazebo))
    return commented(root, MAIN_COMMENT.replace("NAME", name))


def _beside(path: str) -> str:
    """The expression for a file of the package, wherever that is."""
    return f"xacro.abs_filename('../{path}')"


def _refusals() -> list[Node]:
    """Stops at arguments that cannot be."""
    known = ", ".join(f"'{each}'" for each in HARDWARE)
    unknown = f"xacro.fatal('sim is ' + str(sim) + ': use one of {', '.join(HARDWARE)}')"
    prefix = "xacro.fatal('the joints of the model for MuJoCo have no prefix: use sim:=mock or sim:=gz')"
    return [
        where(f"sim not in [{known}]", element("fatal", text=f"${{{unknown}}}")),
        where("sim == 'mujoco' and prefix != ''", element("fatal", text=f"${{{prefix}}}")),
    ]


def _fixed_to_world(base: str) -> list[Node]:
    """The joint that holds the base in Gazebo."""
    joint = element(
        "joint",
        {"name": f"{PREFIX}{WORLD}_joint", "type": "fixed"},
        element("parent", {"link": WORLD}),
        element("child", {"link": f"{PREFIX}{escaped(base)}"}),
    )
    return [element("link", {"name": WORLD}), joint]
