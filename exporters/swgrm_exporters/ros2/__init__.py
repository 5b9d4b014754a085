"""A ROS 2 description package: xacro, URDF, meshes, ros2_control, controllers, launch files and an RViz view."""

from swgrm_exporters.format import Format

FORMAT = Format(
    name="ros2",
    title="ROS 2 package",
    writer="swgrm_exporters.ros2.writer:write",
    options_type="swgrm_exporters.ros2.options:PackageOptions",
    capabilities_of="swgrm_exporters.urdf.writer:CAPABILITIES",
    mesh_uris="package://",
    self_contained=True,
    contains=("urdf",),
    uses=("mjcf",),
    folder_of="swgrm_exporters.ros2.layout:package_folder",
    names_in="swgrm_exporters.ros2.used_names:used_names",
    users_own=(
        "*_description/package.xml",
        "*_description/CMakeLists.txt",
        "*_description/launch/*",
        "*_description/config/*",
        "*_description/rviz/*",
        "*_description/worlds/*",
        "*_description/test/*",
        "*_description/mujoco/scene.xml",
        "*_description/urdf/*.urdf.xacro",
        "*_description/urdf/*.ros2_control.xacro",
    ),
)
