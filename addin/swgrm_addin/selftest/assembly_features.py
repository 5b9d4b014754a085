"""Features of an assembly: patterns and mirror images of components, cuts through one of them, configurations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from swgrm.errors import SolidWorksError
from swgrm.swconst_calls import swFeatureNameID_e, swFeatureSuppressionAction_e, swInConfigurationOpts_e
from swgrm_addin.selftest.documents import cut_through, draw_on_first_plane
from swgrm_addin.selftest.faces import in_assembly
from swgrm_addin.selftest.specs import SECOND, AssemblyCut, AssemblyFeature, MirrorImage, Pattern

Components = Mapping[str, Any]
SAME_SENSE = 0  # swMirrorComponentOrientation2_e: x and y are the mirrored ones
THIS_CONFIGURATION = int(swInConfigurationOpts_e.swThisConfiguration)
SUPPRESS = int(swFeatureSuppressionAction_e.swSuppressFeature)


def _created(document: Any, data: Any, what: str) -> None:
    if document.FeatureManager.CreateFeature(data) is None:
        raise SolidWorksError(f"SolidWorks made no {what}.")


def _definition(document: Any, kind: int, interface: str, what: str) -> Any:
    data = document.FeatureManager.CreateDefinition(int(kind))
    if data is None:
        raise SolidWorksError(f"SolidWorks made no data for a {what}.")
    return document.port.cast(data, interface)


def _add_pattern(document: Any, components: Components, pattern: Pattern) -> None:
    what = "linear pattern of a component"
    data = _definition(document, swFeatureNameID_e.swFmLocalLPattern, "ILocalLinearPatternFeatureData", what)
    data.SeedComponentArray = (components[pattern.component],)
    data.D1Axis = in_assembly(document, components, pattern.edge)
    data.D1Spacing = pattern.spacing
    data.D1TotalInstances = pattern.total
    _created(document, data, what)


def _add_mirror(document: Any, components: Components, mirror: MirrorImage) -> None:
    what = "mirror image of a component"
    data = _definition(document, swFeatureNameID_e.swFmMirrorComponent, "IMirrorComponentFeatureData", what)
    data.MirrorPlane = in_assembly(document, components, mirror.plane)
    data.ComponentsToInstanceAlignToComponentOrigin = (components[mirror.component],)
    data.ComponentOrientationsAlignToComponentOrigin = (SAME_SENSE,)
    _created(document, data, what)


def _add_cut(document: Any, components: Components, cut: AssemblyCut) -> None:
    draw_on_first_plane(document, lambda sketch: sketch.CreateCircleByRadius(cut.x, cut.y, 0.0, cut.radius))
    components[cut.component].Select4(True, None, False)
    cut_through(document, only_selected=True)
    document.ClearSelection2(True)


class FeatureKind(NamedTuple):
    """How a feature of an assembly is called, and the function that adds it."""

    title: str
    add: Callable[[Any, Components, Any], None]


FEATURES: Mapping[type[AssemblyFeature], FeatureKind] = {
    Pattern: FeatureKind("a linear pattern", _add_pattern),
    MirrorImage: FeatureKind("a mirror image", _add_mirror),
    AssemblyCut: FeatureKind("a cut through one component", _add_cut),
}


def add_configuration(document: Any, mate: Any) -> None:
    """Add a second configuration, in which a mate is suppressed, and show the first one again."""
    before = document.ConfigurationManager.ActiveConfiguration.Name
    if document.AddConfiguration3(SECOND, "", "", 0) is None:
        raise SolidWorksError("SolidWorks made no configuration.")
    if not mate.SetSuppression2(SUPPRESS, THIS_CONFIGURATION, ()):
        raise SolidWorksError("SolidWorks did not suppress a mate.")
    if not document.ShowConfiguration2(before):
        raise SolidWorksError("SolidWorks did not show the first configuration again.")
