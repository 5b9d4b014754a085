"""URDF, the Unified Robot Description Format of ROS: `writer.dumps` and `reader.loads` convert text."""

from swgrm_exporters.format import Format

FORMAT = Format(
    name="urdf",
    title="URDF, the robot description of ROS",
    suffixes=(".urdf", ".xacro"),
    reader="swgrm_exporters.urdf.reader:read",
    writer="swgrm_exporters.urdf.writer:write",
    options_type="swgrm_exporters.urdf.options:UrdfOptions",
    capabilities_of="swgrm_exporters.urdf.writer:CAPABILITIES",
    by_default=True,
    mesh_uris="relative to the file, absolute or package://, as the option `meshPaths` selects",
)
