"""The GRM file as a format."""

from swgrm_exporters.format import Format

SUFFIX = ".grm.json"
FORMAT = Format(
    name="grm",
    title="Generalized Robot Model",
    suffixes=(SUFFIX,),
    reader="swgrm_exporters.grm.file:read",
    writer="swgrm_exporters.grm.file:write",
    options_type="swgrm_exporters.grm.file:GrmOptions",
    by_default=True,
)
