"""One HTML file that shows the robot in 3D, with its joints moving: opened by a double click, without a network."""

from swgrm_exporters.format import Format

SUFFIX = ".html"
FORMAT = Format(
    name="html",
    title="3D page",
    suffixes=(SUFFIX,),
    writer="swgrm_exporters.html.writer:write",
    options_type="swgrm_exporters.html.options:HtmlOptions",
    by_default=True,
    mesh_uris="contained in the file",
    self_contained=True,
)
