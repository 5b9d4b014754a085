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
    contains=("urdf", "mjcf"),
    folder_of="swgrm_exporters.ros2.layout:package_folder",
    users_own=(
        "*/package.xml",
        "*/CMakeLists.txt",
        "*/launch/*",
        "*/config/*",
        "*/rviz/*",
        "*/worlds/*",
        "*/test/*",
        "*/mujoco/scene.xml",
        "*/urdf/*.urdf.xacro",
        "*/urdf/*.ros2_control.xacro",
    ),
)
