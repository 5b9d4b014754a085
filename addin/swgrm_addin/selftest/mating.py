"""Builds the assemblies of the self-test: components, poses, states and mates; and moves them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import cos, radians, sin
from typing import Any

from swgrm.capture.index import LIGHTWEIGHT as LIGHT
from swgrm.errors import SolidWorksError
from swgrm.solidworks.api_slice import interfaces
from swgrm.solidworks.swconst import swComponentSolvingOption_e, swComponentSuppressionState_e
from swgrm.solidworks.swconst_calls import (
    swAddMateError_e,
    swComponentVisibilityState_e,
    swFeatureTreeFolderType_e,
    swInsertNewPartErrorCode_e,
)
from swgrm_addin.selftest.documents import delete
from swgrm_addin.selftest.faces import in_assembly
from swgrm_addin.selftest.planes import features
from swgrm_addin.selftest.specs import CLOSEST, KINDS, At, ComponentSpec, MateRecipe

RESOLVED = int(swComponentSuppressionState_e.swComponentFullyResolved)
SUPPRESSED = int(swComponentSuppressionState_e.swComponentSuppressed)
LIGHTWEIGHT = int(swComponentSuppressionState_e.swComponentLightweight)
RIGID = int(swComponentSolvingOption_e.swComponentRigidSolving)
FLEXIBLE = int(swComponentSolvingOption_e.swComponentFlexibleSolving)
HIDDEN = int(swComponentVisibilityState_e.swComponentHidden)
SAME_PLACE = 1e-9  # [m], or of a unit vector
MATED_MARK = 1  # of what AddMate5 mates
Transform = tuple[float, ...]  # IMathTransform.ArrayData


def rotation(pose: At) -> list[list[float]]:
    """R of a pose: the rotations about the fixed axes x, y, z in this order."""
    (cx, sx), (cy, sy), (cz, sz) = ((cos(radians(turn)), sin(radians(turn))) for turn in pose[3:])
    return [
        [cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx],
        [sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx],
        [-sy, cy * sx, cy * cx],
    ]


def transform(pose: At) -> Transform:
    """A pose as IMathTransform.ArrayData, for row vectors: the transposed rotation, the position, the scale."""
    R = rotation(pose)
    rows = [R[column][row] for row in range(3) for column in range(3)]
    return (*rows, pose.x, pose.y, pose.z, 1.0, 0.0, 0.0, 0.0)


def put_transform(application: Any, component: Any, values: Transform) -> None:
    """Set the pose of a component."""
    made = application.GetMathUtility().CreateTransform(values)
    if made is None:
        raise SolidWorksError("SolidWorks made no transform.")
    component.Transform2 = made
    taken = component.Transform2
    if taken is None or max(abs(a - b) for a, b in zip(taken.ArrayData, values, strict=True)) > SAME_PLACE:
        raise SolidWorksError(f"SolidWorks did not put {component.Name2} where it belongs.")


def poses(components: Mapping[str, Any]) -> dict[str, Transform]:
    """The transforms of the components that have one."""
    found = {name: component.Transform2 for name, component in components.items()}
    return {name: each.ArrayData for name, each in found.items() if each is not None}


def add_component(application: Any, document: Any, path: str, spec: ComponentSpec) -> Any:
    """Insert a component at its pose, fixed or free, rigid or flexible."""
    assembly = document.port.cast(document, "IAssemblyDoc")
    component = assembly.AddComponent5(path, 0, "", False, "", spec.pose.x, spec.pose.y, spec.pose.z)
    if component is None:
        raise SolidWorksError(f"SolidWorks inserted no component for {spec.file}.")
    if component.Name2 != spec.name:
        raise SolidWorksError(f"SolidWorks named a component {component.Name2}, not {spec.name}.")
    component.Select4(False, None, False)
    assembly.UnfixComponent()
    put_transform(application, component, transform(spec.pose))
    if spec.fixed:
        component.Select4(False, None, False)
        assembly.FixComponent()
    if spec.configuration:
        component.ReferencedConfiguration = spec.configuration
    if spec.flexible:
        _set_options(document, component, solving=FLEXIBLE, is_envelope=False)
        if component.Solving != FLEXIBLE:
            raise SolidWorksError(f"SolidWorks did not make {spec.name} flexible.")
    document.ClearSelection2(True)
    return component


def _set_options(document: Any, component: Any, *, solving: int, is_envelope: bool) -> None:
    """Set the options of a component, in the configuration that it has."""
    component.Select4(False, None, False)
    assembly = document.port.cast(document, "IAssemblyDoc")
    name = component.ReferencedConfiguration
    is_done = assembly.CompConfigProperties6(RESOLVED, solving, True, bool(name), name, False, is_envelope, 0)
    document.ClearSelection2(True)
    if not is_done:
        raise SolidWorksError(f"SolidWorks did not take the options of {component.Name2}.")


def inner_component(components: Mapping[str, Any], name: str) -> Any:
    """A component of a sub-assembly by its name in the assembly, such as "sub-1/lever-1"."""
    found = components[name.partition("/")[0]]
    for depth in range(2, name.count("/") + 2):
        wanted = "/".join(name.split("/")[:depth])
        found = next((each for each in found.GetChildren() if each.Name2 == wanted), None)
        if found is None:
            raise SolidWorksError(f"SolidWorks returned no component {wanted}.")
    return found


def set_state(document: Any, component: Any, state: str) -> None:
    """Suppress or hide a component, make it lightweight, or make it an envelope."""
    STATES[state](document, component)


def _suppress(_document: Any, component: Any) -> None:
    component.SetSuppression2(SUPPRESSED)
    _check(component.GetSuppression2() == SUPPRESSED, component, "suppressed")


def _lighten(_document: Any, component: Any) -> None:
    component.SetSuppression2(LIGHTWEIGHT)
    _check(is_lightweight(component), component, "lightweight")


def is_lightweight(component: Any) -> bool:
    """Whether a component is lightweight; SetSuppression2 reports success also where nothing was changed."""
    return component.GetSuppression2() in LIGHT


def _hide(_document: Any, component: Any) -> None:
    component.Visible = HIDDEN
    _check(component.Visible == HIDDEN, component, "hidden")


def _enclose(document: Any, component: Any) -> None:
    _set_options(document, component, solving=RIGID, is_envelope=True)
    _check(component.IsEnvelope(), component, "an envelope")


def _check(is_so: bool, component: Any, state: str) -> None:
    if not is_so:
        raise SolidWorksError(f"SolidWorks did not make {component.Name2} {state}.")


STATES: Mapping[str, Callable[[Any, Any], None]] = {
    "suppressed": _suppress, "lightweight": _lighten, "hidden": _hide, "envelope": _enclose,
}  # fmt: skip


class MateRefusedError(SolidWorksError):
    """Raised if SolidWorks makes no mate; `status` is its reason (swAddMateError_e)."""

    def __init__(self, kind: str, status: int) -> None:
        self.kind, self.status = kind, status
        super().__init__(kind, status)  # pickle calls the class with these

    def __str__(self) -> str:
        return f"SolidWorks refused a {self.kind} mate: {_reason(self.status)}."

    @property
    def is_over_defined(self) -> bool:
        """Whether the mate contradicts the others, or adds nothing to them."""
        return self.status == swAddMateError_e.swAddMateError_OverDefinedAssembly


def _reason(status: int) -> str:
    if status == swAddMateError_e.swAddMateError_NoError:
        return "no reason given"
    known = {int(each): each.name.removeprefix("swAddMateError_") for each in swAddMateError_e}
    return known.get(status, f"error {status}")


def add_mate(document: Any, components: Mapping[str, Any], spec: MateRecipe) -> Any:
    """Create a mate; returns its feature. If SolidWorks refuses, the error names its reason, and no mate is left."""
    count = sum(1 for _ in mates(document))
    try:
        make = _add_selected if spec.kind == "coordinate" else _create
        feature = make(document, components, spec)
    except MateRefusedError:
        left = [*mates(document)][count:]
        for refused in reversed(left):
            delete(document, refused)
        if left:
            document.EditRebuild3()
        raise
    return feature


def mates(document: Any) -> Iterator[Any]:
    """The features of the mates of an assembly, in the order of its tree."""
    for group in features(document):
        if group.GetTypeName2() == "MateGroup":
            feature = group.GetFirstSubFeature()
            while feature is not None:
                if feature.GetTypeName2().startswith("Mate"):
                    yield feature
                feature = feature.GetNextSubFeature()


def _create(document: Any, components: Mapping[str, Any], spec: MateRecipe) -> Any:
    kind, port = KINDS[spec.kind], document.port
    assembly = port.cast(document, "IAssemblyDoc")
    created = assembly.CreateMateData(int(kind.number))
    if created is None:
        raise SolidWorksError(f"SolidWorks made no data for a {spec.kind} mate.")
    data = port.cast(created, kind.interface)
    for name, entities, number, is_single in spec.picked:
        objects = tuple(in_assembly(document, components, entity) for entity in entities)
        value = objects[0] if is_single else objects
        if number is None:
            setattr(data, name, value)
        else:
            getattr(data, f"Set{name}")(number, value)
    alignment = {"MateAlignment": CLOSEST} if kind.is_aligned else {}
    for name, value in (alignment | dict(spec.values)).items():
        setattr(data, name, value)
    feature = assembly.CreateMate(data)
    if feature is None:
        raise MateRefusedError(spec.kind, port.cast(created, "IMateFeatureData").ErrorStatus)
    return feature


def _add_selected(document: Any, components: Mapping[str, Any], spec: MateRecipe) -> Any:
    """Mate what is selected with AddMate5: a mate of coordinate systems has no data that could be created."""
    assembly, status = document.port.cast(document, "IAssemblyDoc"), 0
    nothing = (False, *(0.0,) * 8, False, False, 0)  # flip, numbers of other mates, position only, lock, width option
    for number in (KINDS[spec.kind].number, KINDS["coincident"].number):
        document.ClearSelection2(True)
        for entity in spec.picked[0].entities:
            in_assembly(document, components, entity).Select2(True, MATED_MARK)
        mate, status = assembly.AddMate5(int(number), CLOSEST, *nothing)
        document.ClearSelection2(True)
        if mate is not None:
            return [*mates(document)][-1]
    raise MateRefusedError(spec.kind, status)


def values_read(document: Any, mate: Any, spec: MateRecipe) -> dict[str, float | bool]:
    """The values of a mate's data as they are read, of those that the recipe sets."""
    kind = KINDS[spec.kind]
    readable = [name for name, _ in spec.values if ("get", name) in interfaces()[kind.interface].members]
    definition = mate.GetDefinition() if readable else None
    if definition is None:
        return {}
    data = document.port.cast(definition, kind.interface)
    return {name: getattr(data, name) for name in readable}


def add_folder(document: Any, mates: list[Any]) -> None:
    """Put mates into a folder."""
    for number, mate in enumerate(mates):
        mate.Select2(number > 0, 0)
    kind = int(swFeatureTreeFolderType_e.swFeatureTreeFolder_Containing)
    if document.FeatureManager.InsertFeatureTreeFolder2(kind) is None:
        raise SolidWorksError("SolidWorks made no folder around the mates.")
    document.ClearSelection2(True)


def add_virtual_part(document: Any, face: Any) -> Any:
    """Create a virtual part on a face; returns its component."""
    assembly = document.port.cast(document, "IAssemblyDoc")
    error, component = assembly.InsertNewVirtualPart(face)
    if error != swInsertNewPartErrorCode_e.swInsertNewPartError_NoError or component is None:
        raise SolidWorksError(f"SolidWorks created no virtual part (swInsertNewPartErrorCode_e {error}).")
    if not document.IsEditingSelf():  # the new part is edited: the assembly would take no mates
        assembly.EditAssembly()
    if not document.IsEditingSelf():
        raise SolidWorksError("SolidWorks edits the virtual part instead of the assembly.")
    return component
