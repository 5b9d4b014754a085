"""Writes a ROS 2 description package: xacro and URDF, meshes, hardware, controllers, launch files and a test."""

from __future__ import annotations

import re
from importlib.resources import files as resources
from pathlib import Path

from msgspec.structs import replace

from swgrm.findings import Findings
from swgrm.model import Mesh, Robot
from swgrm.storage.files import write_bytes
from swgrm_exporters.format import Target
from swgrm_exporters.lowering.bodies import has_mass
from swgrm_exporters.mjcf.options import MjcfOptions
from swgrm_exporters.mjcf.scene import scene
from swgrm_exporters.numbers import Numbers
from swgrm_exporters.ros2.control import control_file
from swgrm_exporters.ros2.controllers import controllers_file, controllers_of
from swgrm_exporters.ros2.description import RobotDescription, described
from swgrm_exporters.ros2.gazebo import bridge_file, gazebo_file, world_file
from swgrm_exporters.ros2.layout import PackageLayout, layout_of
from swgrm_exporters.ros2.lumping import WORLD
from swgrm_exporters.ros2.manifest import TEST_DEPENDENCIES, build_file, dependencies, installing, manifest
from swgrm_exporters.ros2.options import PackageOptions
from swgrm_exporters.ros2.robot_macro import macro, main_file
from swgrm_exporters.ros2.rviz import view
from swgrm_exporters.ros2.sensing import PlacedSensor, placed_sensors
from swgrm_exporters.urdf.options import MeshPaths, UrdfOptions
from swgrm_exporters.xmlwriting import written

ABOUT = "The robot {}: description, meshes, hardware, controllers and launch files"
BASE_LINK = "base_link"
FOLDERS = ("config", "launch", "mujoco", "rviz", "urdf", "worlds")  # that the package installs
TEMPLATES = {
    "display.launch.py": "launch",
    "control.launch.py": "launch",
    "gazebo.launch.py": "launch",
    "test_description.py": "test",
}
FOLDER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")  # what CMake reads as one word


def write(
    robot: Robot,
    target: Target,
    options: PackageOptions,
    findings: Findings,
    *,
    urdf: UrdfOptions,
    mjcf: MjcfOptions,
) -> list[Path]:
    """Write the package into the target's folder, which has the mesh files."""
    layout = layout_of(robot.name)
    urdf = _with_base_link(_with_package_names(urdf, layout.package, findings), robot)
    description = described(robot, target, findings, urdf, mjcf)
    if description.tree.find("ros2_control") is not None:
        findings.add("ros2-control-replaced", f"robot {robot.name}")
    sensors = placed_sensors(description.tree, robot)
    controllers = controllers_of(description, sensors)
    uses = dependencies(controllers, sensors)
    files = {
        **_models(description, sensors, robot, findings, Numbers(urdf.precision)),
        "package.xml": manifest(layout.package, ABOUT.format(robot.name), options, uses, TEST_DEPENDENCIES),
        "CMakeLists.txt": build_file(layout.package, installing(_folders(robot, target.folder))),
        layout.controllers: controllers_file(controllers, options.update_rate),
        layout.bridge: bridge_file(sensors),
        layout.world: world_file(layout.name, sensors),
        layout.view: view(description.root),
        **_templates(layout),
    }
    for path, data in files.items():
        write_bytes(target.folder / path, data)
    return [*(target.folder / path for path in files), *description.mjcf.meshes]


def _models(
    description: RobotDescription,
    sensors: tuple[PlacedSensor, ...],
    robot: Robot,
    findings: Findings,
    numbers: Numbers,
) -> dict[str, bytes]:
    """The files that describe the robot itself."""
    layout, model = description.layout, description.mjcf
    return {
        layout.urdf: description.urdf,
        layout.xacro: main_file(description, robot.mount),
        layout.macro: macro(description, sensors, numbers),
        layout.control: control_file(description, sensors, numbers),
        layout.gazebo: gazebo_file(description, sensors, findings),
        f"mujoco/{layout.name}.xml": model.data,
        "mujoco/scene.xml": written(scene(model.model, f"{layout.name}.xml", model.floor, Numbers(6))),
    }


def _templates(layout: PackageLayout) -> dict[str, bytes]:
    """The launch files and the test."""
    folder = resources("swgrm_exporters.ros2") / "templates"
    texts = {f"{place}/{name}": (folder / f"{name}.txt").read_text("utf-8") for name, place in TEMPLATES.items()}
    return {
        path: text.replace("@package@", layout.package).replace("@name@", layout.name).encode()
        for path, text in texts.items()
    }


def _with_package_names(options: UrdfOptions, package: str, findings: Findings) -> UrdfOptions:
    """The URDF options with `package://` names; reports the user's choices that this overrides."""
    default = UrdfOptions()
    for key, given, unset, value in (
        ("meshPaths", options.mesh_paths, default.mesh_paths, MeshPaths.PACKAGE),
        ("package", options.package, default.package, package),
    ):
        if given not in (unset, value):
            findings.add("setting-overridden", f"urdf.{key}", value=value, given=given)
    return replace(options, mesh_paths=MeshPaths.PACKAGE, package=package)


def _with_base_link(options: UrdfOptions, robot: Robot) -> UrdfOptions:
    """The URDF options with an empty base_link above a root with mass (KDL warns of one), unless the user decides.

    A root that is called `world` stays the root, because Gazebo holds the robot by it.
    """
    names = {*robot.by_id, *(link.name for _, link in robot.links())}
    is_world = WORLD in (robot.root.id, *(link.name for link in robot.root.links))
    if options.dummy_root is not None or BASE_LINK in names or is_world or not has_mass(robot, robot.root):
        return options
    return replace(options, dummy_root=BASE_LINK)


def _folders(robot: Robot, package: Path) -> list[str]:
    """The folders that the package installs: its own, and those of mesh and texture files that are in it.

    A file that is not there may have any name, also one that is a command of CMake.
    """
    shapes = (shape for _, link in robot.links() for shape in (*link.visuals, *link.collisions))
    names = [shape.uri for shape in shapes if isinstance(shape, Mesh)] + [each.texture for each in robot.materials]
    folders = {name.partition("/")[0] for name in names if "/" in name and "://" not in name}
    return sorted({*FOLDERS, *(name for name in folders if FOLDER.fullmatch(name) and (package / name).is_dir())})
