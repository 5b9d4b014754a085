"""MJCF, the model format of MuJoCo: `NAME.xml` with the robot, and `scene.xml` that puts it on a floor."""

from swgrm_exporters.format import Format

FORMAT = Format(
    name="mjcf",
    title="MJCF, the model of MuJoCo",
    suffixes=(".xml",),
    reader="swgrm_exporters.mjcf.reader:read",
    writer="swgrm_exporters.mjcf.writer:write",
    options_type="swgrm_exporters.mjcf.options:MjcfOptions",
    capabilities_of="swgrm_exporters.mjcf.options:CAPABILITIES",
    self_contained=True,
    users_own=("scene.xml",),
)
