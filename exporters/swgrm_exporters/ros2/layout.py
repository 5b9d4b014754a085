"""The names in a ROS 2 description package: of the package, its files and its macros."""

from __future__ import annotations

import re
from typing import NamedTuple

from swgrm_exporters.names import ros_legal

ENDING = "_description"
LONGEST = 100  # characters of a name, to which endings are added
HARDWARE = ("mock", "gz", "mujoco")  # what the xacro argument `sim` may be


class PackageLayout(NamedTuple):
    """The names in the description package of a robot; paths are relative to the package's folder."""

    name: str  # of the robot, as ROS allows it: `arm`

    @property
    def package(self) -> str:
        """The package and its folder: `arm_description`."""
        return f"{self.name}{ENDING}"

    @property
    def urdf(self) -> str:
        """The plain URDF file, without hardware."""
        return f"urdf/{self.name}.urdf"

    @property
    def xacro(self) -> str:
        """The file to expand, with the arguments `prefix` and `sim`."""
        return f"urdf/{self.name}.urdf.xacro"

    @property
    def macro(self) -> str:
        """The macro `NAME_robot` with links and joints."""
        return f"urdf/{self.name}_macro.xacro"

    @property
    def control(self) -> str:
        """The macro `NAME_ros2_control` with the hardware."""
        return f"urdf/{self.name}.ros2_control.xacro"

    @property
    def gazebo(self) -> str:
        """The macro `NAME_gazebo` with sensors and plugins."""
        return f"urdf/{self.name}.gazebo.xacro"

    @property
    def controllers(self) -> str:
        """The parameters of the controller manager and of its controllers."""
        return "config/controllers.yaml"

    @property
    def bridge(self) -> str:
        """The topics between Gazebo and ROS."""
        return "config/gz_bridge.yaml"

    @property
    def world(self) -> str:
        """Gazebo's world, with the systems that the sensors need."""
        return f"worlds/{self.name}.sdf"

    @property
    def view(self) -> str:
        """RViz's view."""
        return f"rviz/{self.name}.rviz"


def layout_of(name: str) -> PackageLayout:
    """The layout of the package of a robot of that name."""
    legal = package_name(name)
    return PackageLayout(legal.removesuffix(ENDING) if legal != ENDING.strip("_") else legal)


def package_folder(name: str) -> str:
    """The folder of the package of a robot of that name."""
    return layout_of(name).package


def package_name(name: str) -> str:
    """A legal name of a ROS 2 package: lower case letters, digits, single underscores, a letter first."""
    legal = re.sub(r"[^a-z0-9]+", "_", ros_legal(name).lower()).strip("_")
    named = legal if re.match(r"[a-z]", legal) else f"robot_{legal}"
    return named[:LONGEST].rstrip("_")
