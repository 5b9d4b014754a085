"""SDF, the Simulation Description Format of Gazebo and Drake: `writer.dumps` and `reader.loads` convert text."""

from swgrm_exporters.format import Format

SUFFIX = ".sdf"
FORMAT = Format(
    name="sdf",
    title="SDF, the robot description of Gazebo and Drake",
    suffixes=(SUFFIX,),
    reader="swgrm_exporters.sdf.reader:read",
    writer="swgrm_exporters.sdf.writer:write",
    options_type="swgrm_exporters.sdf.options:SdfOptions",
    capabilities_of="swgrm_exporters.sdf.capabilities:CAPABILITIES",
    mesh_uris="relative to the file or model://, as the option `meshPaths` selects",
    users_own=("model.config",),
)
