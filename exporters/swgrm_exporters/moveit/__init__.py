"""A MoveIt configuration package beside the ROS 2 package: SRDF, planning groups, disabled collisions, launch files."""

from swgrm_exporters.format import Format

FORMAT = Format(
    name="moveit",
    title="MoveIt configuration package",
    writer="swgrm_exporters.moveit.writer:write",
    options_type="swgrm_exporters.moveit.options:MoveitOptions",
    mesh_uris="",
    needs=("ros2", "urdf"),
    folder_of="swgrm_exporters.moveit.writer:package_folder",
    users_own=(
        "*_moveit_config/package.xml",
        "*_moveit_config/CMakeLists.txt",
        "*_moveit_config/launch/*",
        "*_moveit_config/config/*.yaml",
        "*_moveit_config/config/*.rviz",
    ),
)
