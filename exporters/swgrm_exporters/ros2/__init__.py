"""A ROS 2 package: a folder with the URDF file, its meshes, a launch file and an RViz view."""

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
    users_own=("package.xml", "CMakeLists.txt", "launch/*", "config/*", "rviz/*"),
)
