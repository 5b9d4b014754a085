"""Builds the assemblies of the self-test: components, poses, states and mates; and moves them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import cos, radians, sin
from typing import Any

from swgrm.errors import SolidWorksError
from swgrm.swconst import swComponentSolvingOption_e, swComponentSuppressionState_e
from swgrm.swconst_calls import (
    swAddMateError_e,
    swComponentVisibilityState_e,
    swFeatureTreeFolderType_e,
    swInsertNewPartErrorCode_e,
)
from swgrm_addin.selftest.faces import in_assembly
from swgrm_addin.selftest.specs import CLOSEST, KINDS, At, ComponentSpec, MateRecipe

RESOLVED = int(swComponentSuppressionState_e.swComponentFullyResolved)
SUPPRESSED = int(swComponentSuppressionState_e.swComponentSuppressed)
LIGHTWEIGHT = int(swComponentSuppressionState_e.swComponentLightweight)
RIGID = int(swComponentSolvingOption_e.swComponentRigidSolving)
FLEXIBLE = int(swComponentSolvingOption_e.swComponentFlexibleSolving)
HIDDEN = int(swComponentVisibilityState_e.swComponentHidden)
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


def moved(before: Transform, by: At) -> Transform:
    """A transform after a motion in the assembly's axes, about the component's own origin."""
    R = rotation(by)
    rows = [sum(before[3 * row + k] * R[column][k] for k in range(3)) for row in range(3) for column in range(3)]
    return (*rows, before[9] + by.x, before[10] + by.y, before[11] + by.z, *before[12:])


def put_transform(application: Any, component: Any, values: Transform) -> None:
    """Set the pose of a component."""
    made = application.GetMathUtility().CreateTransform(values)
    if made is None:
        raise SolidWorksError("SolidWorks made no transform.")
    component.Transform2 = made


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
        component.Select4(False, None, False)
        assembly.CompConfigProperties6(RESOLVED, FLEXIBLE, True, False, "", False, False, 0)
    document.ClearSelection2(True)
    return component


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


def _lighten(_document: Any, component: Any) -> None:
    component.SetSuppression2(LIGHTWEIGHT)


def _hide(_document: Any, component: Any) -> None:
    component.Visible = HIDDEN


def _enclose(document: Any, component: Any) -> None:
    component.Select4(False, None, False)
    assembly = document.port.cast(document, "IAssemblyDoc")
    assembly.CompConfigProperties6(RESOLVED, RIGID, True, False, "", False, True, 0)
    document.ClearSelection2(True)


STATES: Mapping[str, Callable[[Any, Any], None]] = {
    "suppressed": _suppress, "lightweight": _lighten, "hidden": _hide, "envelope": _enclose,
}  # fmt: skip


def add_mate(document: Any, components: Mapping[str, Any], spec: MateRecipe) -> Any:
    """Create a mate; returns its feature. If SolidWorks refuses, the error names its reason."""
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
        raise SolidWorksError(f"SolidWorks refused a {spec.kind} mate: {_refusal(created)}.")
    return feature


def _refusal(data: Any) -> str:
    status = data.ErrorStatus
    known = {int(each): each.name.removeprefix("swAddMateError_") for each in swAddMateError_e}
    return known.get(status, f"error {status}")


def set_value(document: Any, mate: Any, interface: str, name: str, value: float) -> None:
    """Change the distance or angle of a mate, and rebuild."""
    definition = mate.GetDefinition()
    if definition is None:
        raise SolidWorksError("SolidWorks returned no definition of the mate.")
    data = document.port.cast(definition, interface)
    setattr(data, name, value)
    if not mate.ModifyDefinition(data, document, None):
        raise SolidWorksError("SolidWorks did not change the mate.")
    document.EditRebuild3()


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
    return component
