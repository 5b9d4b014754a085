"""The problem that inference solves: the components of an assembly as nodes with poses, and the mates between them.

Node 0 is the assembly itself; the others are the components at any depth, in the order of their names.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from swgrm.capture import Capture, Component, Document, Index, name_order
from swgrm.errors import SettingsError, nearest
from swgrm.findings import Findings
from swgrm.inference.geometry.twists import Array
from swgrm.inference.mates.types import PlacedMate
from swgrm.model import JointType
from swgrm.solidworks.swconst import swComponentSolvingOption_e as Solving
from swgrm.solidworks.swconst import swComponentSuppressionState_e as Suppression
from swgrm.solidworks.swconst import swDocumentTypes_e as DocumentType
from swgrm.transforms import column_matrix

GROUND = 0
ASSEMBLY = "assembly"  # how the settings name the assembly itself
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)


class AssemblyNode(Struct, frozen=True, eq=False):
    """The assembly, or a component in it."""

    name: str  # Name2; "" for the assembly
    component: Component | None
    document: Document | None
    T: Array  # (4, 4) T_assembly_component
    holder: int  # the node of the sub-assembly that holds it
    is_fixed: bool

    @property
    def is_assembly(self) -> bool:
        """Whether it holds other nodes."""
        return self.component is None or self.component.is_assembly

    @property
    def part(self) -> tuple[str, str]:
        """The file and configuration that it is an instance of."""
        return (self.component.path, self.component.configuration) if self.component else ("", "")

    @property
    def solving(self) -> Solving | int | None:
        """Whether SolidWorks solves a sub-assembly as rigid or as flexible; None for the assembly itself."""
        return self.component.solving if self.component else None

    @property
    def where(self) -> str:
        """How findings name it."""
        return f"component {self.name}" if self.name else "assembly"

    @property
    def quoted(self) -> str:
        """How sentences name it."""
        return f"`{self.name}`" if self.name else "the assembly"


class DefinedJoint(NamedTuple):
    """A joint that the settings define: its name, its two nodes, its type, and its geometry in the assembly's space."""

    name: str
    parent: int
    child: int
    type: JointType
    axis: Array  # (3,) unit; not used for a ball joint
    point: Array  # (3,) on the axis; the centre of a ball joint
    origin: Array | None  # (3,) where the joint's frame is wanted


class InferenceProblem(Struct, frozen=True, eq=False):
    """What inference starts from; the mates refer to nodes by their number."""

    nodes: tuple[AssemblyNode, ...]
    mates: tuple[PlacedMate, ...]
    defined: tuple[DefinedJoint, ...] = ()

    @property
    def index(self) -> dict[str, int]:
        """The nodes by name."""
        return {node.name: number for number, node in enumerate(self.nodes)}

    def node_of(self, component: str, at: tuple[str, ...] = ()) -> int:
        """The node of a component that the settings name at that place."""
        found = self.find(component)
        if found is None:
            known = [node.name for node in self.nodes]
            raise SettingsError(f"There is no component `{component}`.{nearest(component, known)}", at)
        return found

    def find(self, component: str) -> int | None:
        """The node of a component, or of the `assembly` itself; None if there is no such component."""
        return GROUND if component == ASSEMBLY else self.index.get(component) or None

    def name_of(self, number: int) -> str:
        """How the settings name a node."""
        return self.nodes[number].name or ASSEMBLY


def as_assembly(capture: Capture) -> Capture:
    """The capture of a part as that of an assembly that holds nothing else; that of an assembly as it is."""
    source = capture.source
    if source.type != DocumentType.swDocPART or capture.components:
        return capture
    name = (source.name or "part") + "-1"
    resolved = int(Suppression.swComponentResolved)
    one = Component(name, source.path, source.configuration, 1, b"", resolved, 1, -1, IDENTITY)
    return msgspec.structs.replace(capture, components=(one,))


def read_components(index: Index, leave_out: Collection[str], findings: Findings) -> tuple[AssemblyNode, ...]:
    """The assembly and its components as nodes; components that cannot be used are findings."""
    names = frozenset(leave_out)
    _check_left_out(index.capture, names)
    nodes = [AssemblyNode("", None, index.root, np.eye(4), GROUND, is_fixed=True)]
    numbers = {"": GROUND}
    fixed: dict[int, set[str]] = {}  # of each assembly node, the components that are fixed in it
    for component in sorted(index.capture.components, key=lambda c: name_order(c.name)):
        if (
            component.parent not in numbers
            or (names and _names(component) & names)
            or not _is_usable(component, findings)
        ):
            continue
        holder = numbers[component.parent]
        if holder not in fixed:
            document = nodes[holder].document
            fixed[holder] = {p.name for p in document.placements if p.fixed} if document else set()
        numbers[component.name] = len(nodes)
        T = column_matrix(component.transform or IDENTITY)
        is_fixed = component.leaf in fixed[holder]
        nodes.append(AssemblyNode(component.name, component, index.document(component), T, holder, is_fixed))
    return _without_fixed_flexible(nodes, findings)


def _without_fixed_flexible(nodes: Sequence[AssemblyNode], findings: Findings) -> tuple[AssemblyNode, ...]:
    """The nodes; a flexible sub-assembly is not fixed unless nothing else in its assembly is.

    SolidWorks solves the parts of a flexible sub-assembly by their mates, whether it is fixed or not.
    """

    def is_flexible(node: AssemblyNode) -> bool:
        return node.solving == Solving.swComponentFlexibleSolving

    grounded = {node.holder for node in nodes if node.component and node.is_fixed and not is_flexible(node)}
    result = []
    for node in nodes:
        frees = node.is_fixed and is_flexible(node) and node.holder in grounded
        if frees:
            findings.add("fixed-flexible", node.where)
        result.append(replace(node, is_fixed=False) if frees else node)
    return tuple(result)


def _names(component: Component) -> set[str]:
    """The names by which the settings may leave a component out: SolidWorks' own, and as files spell it."""
    return {component.name, re.sub(r"[^0-9A-Za-z_]+", "_", component.name)}


def _check_left_out(capture: Capture, names: frozenset[str]) -> None:
    if unknown := sorted(names.difference(*(_names(component) for component in capture.components))) if names else []:
        known = [component.name for component in capture.components]
        problem = f"There is no component `{unknown[0]}` to leave out.{nearest(unknown[0], known)}"
        raise SettingsError(problem, ("links", "leaveOut"))


def _is_usable(component: Component, findings: Findings) -> bool:
    where = f"component {component.name}"
    if component.transform is None or component.suppression == Suppression.swComponentSuppressed:
        findings.add("suppressed", where)
    elif component.envelope:
        findings.add("envelope", where)
    elif not all(map(math.isfinite, component.transform)):
        findings.add("no-pose", where)
    else:
        return True
    return False


def held_nodes(nodes: Sequence[AssemblyNode]) -> dict[int, list[int]]:
    """The nodes that the assembly and each sub-assembly hold directly."""
    held: dict[int, list[int]] = defaultdict(list)
    for number, node in enumerate(nodes):
        if number != GROUND:
            held[node.holder].append(number)
    return held
