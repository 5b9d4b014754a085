"""USD with UsdPhysics, for Isaac Sim, Newton and MuJoCo: text layers, written and read without usd-core."""

from swgrm_exporters.format import Format

SUFFIX = ".usda"
FORMAT = Format(
    name="usd",
    title="USD with UsdPhysics, for Isaac Sim, Newton and MuJoCo",
    suffixes=(SUFFIX, ".usd", ".usdc"),
    reader="swgrm_exporters.usd.reader:read",
    writer="swgrm_exporters.usd.writer:write",
    options_type="swgrm_exporters.usd.options:UsdOptions",
    capabilities_of="swgrm_exporters.usd.capabilities:CAPABILITIES",
    mesh_uris="contained in its layers",
    self_contained=True,
)
