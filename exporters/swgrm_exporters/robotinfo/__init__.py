"""Robot Raconteur's RobotInfo: written, read, and checked against what the programs that read it accept."""

from swgrm_exporters.format import Format

FORMAT = Format(
    name="robotinfo",
    title="Robot Raconteur RobotInfo",
    suffixes=(".yml", ".yaml"),
    reader="swgrm_exporters.robotinfo.reader:read",
    writer="swgrm_exporters.robotinfo.writer:write",
    options_type="swgrm_exporters.robotinfo.options:RobotInfoOptions",
    capabilities_of="swgrm_exporters.robotinfo.writer:CAPABILITIES_OF_READERS",
    is_counted=True,
    by_default=True,
    mesh_uris="",
)
