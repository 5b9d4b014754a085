"""Reads the configuration that the classic URDF exporter saved in a document, as an attribute feature."""

from __future__ import annotations

from typing import Any

from swgrm.capture import SavedConfiguration
from swgrm_addin.reader.walk import Walk

ATTRIBUTE = "Attribute"
CLASSIC = "URDF Export Configuration"  # the names begin so; " (v1.3)" and others follow


def read_saved_configuration(walk: Walk, feature: Any) -> SavedConfiguration | None:
    """The saved configuration in an attribute feature; None if the attribute is another program's."""
    specific = feature.GetSpecificFeature2()
    if specific is None:
        return None
    attribute = walk.port.cast(specific, "IAttribute")
    name = attribute.GetName()
    if not name.startswith(CLASSIC):
        return None
    data, version = attribute.GetParameter("data"), attribute.GetParameter("exporterVersion")
    if data is None:
        return None
    return SavedConfiguration(name, data.GetStringValue(), 0.0 if version is None else version.GetDoubleValue())
