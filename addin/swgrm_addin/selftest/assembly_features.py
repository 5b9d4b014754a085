"""Features of an assembly: patterns and mirror images of components, cuts through one of them, configurations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from swgrm.errors import SolidWorksError
from swgrm.solidworks.swconst_calls import swFeatureNameID_e, swFeatureSuppressionAction_e, swInConfigurationOpts_e
from swgrm_addin.selftest.documents import circle, cut_through, draw_on_plane, made
from swgrm_addin.selftest.faces import in_assembly
from swgrm_addin.selftest.specs import SECOND, AssemblyCut, AssemblyFeature, MirrorImage, Pattern

Components = Mapping[str, Any]
SEED_MARK, ALONG_MARK = 1, 2  # of the component, and of the edge or plane
SAME_SENSE = 0  # swMirrorComponentOrientation2_e: x and y are the mirrored ones
THIS_CONFIGURATION = int(swInConfigurationOpts_e.swThisConfiguration)
SUPPRESS = int(swFeatureSuppressionAction_e.swSuppressFeature)


def _definition(document: Any, kind: int, interface: str, what: str, component: Any, along: Any) -> Any:
    """The data of a feature of a component along an edge or in a plane, which must be selected with their marks."""
    mark = document.SelectionManager.CreateSelectData()
    mark.Mark = SEED_MARK
    document.ClearSelection2(True)
    along.Select2(True, ALONG_MARK)
    component.Select4(True, mark, False)
    data = made(document, document.FeatureManager.CreateDefinition(int(kind)), f"data for a {what}")
    return document.port.cast(data, interface)


def _create(document: Any, data: Any, what: str) -> None:
    made(document, document.FeatureManager.CreateFeature(data), what)
    document.ClearSelection2(True)


def _add_pattern(document: Any, components: Components, pattern: Pattern) -> None:
    what, seed = "linear pattern of a component", components[pattern.component]
    edge = document.port.cast(in_assembly(document, components, pattern.edge), "IEntity")
    kind, interface = swFeatureNameID_e.swFmLocalLPattern, "ILocalLinearPatternFeatureData"
    data = _definition(document, kind, interface, what, seed, edge)
    data.SeedComponentArray = (seed,)
    data.D1Axis = edge
    data.D1Spacing = pattern.spacing
    data.D1TotalInstances = pattern.total
    _create(document, data, what)


def _add_mirror(document: Any, components: Components, mirror: MirrorImage) -> None:
    what, seed = "mirror image of a component", components[mirror.component]
    plane = in_assembly(document, components, mirror.plane)
    kind, interface = swFeatureNameID_e.swFmMirrorComponent, "IMirrorComponentFeatureData"
    data = _definition(document, kind, interface, what, seed, plane)
    data.MirrorPlane = plane
    data.ComponentsToInstanceAlignToComponentOrigin = (seed,)
    data.ComponentOrientationsAlignToComponentOrigin = (SAME_SENSE,)
    _create(document, data, what)


def _add_cut(document: Any, components: Components, cut: AssemblyCut) -> None:
    draw_on_plane(document, circle(cut.x, cut.y, cut.radius))
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
