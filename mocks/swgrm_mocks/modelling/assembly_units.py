"""The bodies that the mate solver moves: parts, rigid sub-assemblies, and the parts of flexible ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from swgrm.capture.index import SUPPRESSED
from swgrm.transforms import Array, inverse
from swgrm_mocks.builder import Assembly, AssemblyComponent

if TYPE_CHECKING:
    from swgrm_mocks.modelling.assembly_model import AssemblyModel

FLEXIBLE = 1


class AssemblyUnits:
    """The bodies of an assembly with their poses; body 0 is the assembly itself."""

    def __init__(self, assembly: AssemblyModel) -> None:
        self.assembly = assembly
        self.grounded = [True]
        self.where: dict[str, tuple[int, Array]] = {"": (0, np.eye(4))}  # of each component: its body, T_body_component
        self.assemblies: list[tuple[str, Any]] = [("", assembly)]  # whose mates move something
        self._poses = [np.eye(4)]
        for child in assembly.children:
            if child.states.get("suppression") != SUPPRESSED:
                self._add(child)
        self.poses: Array = np.stack(self._poses)

    def _add(self, child: AssemblyComponent) -> None:
        T = child.T_assembly_self
        if child.states.get("solving") != FLEXIBLE:
            body = self._new(T, is_grounded=child.is_fixed)
            self._attach(child.name, child.file, body, np.eye(4), child.poses)
            return
        body = self._new(T, is_grounded=child.is_fixed)
        self.where[child.name] = body, np.eye(4)
        self.assemblies.append((child.name, child.file))
        assert isinstance(child.file, Assembly)  # noqa: S101 - only a sub-assembly is flexible
        for inner in child.file.children:
            T_inner = child.poses.get(inner.name, inner.T_assembly_self)
            name = f"{child.name}/{inner.name}"
            if inner.is_fixed:
                self._attach(name, inner.file, body, T_inner, inner.poses)
            else:
                self._attach(name, inner.file, self._new(T @ T_inner, is_grounded=False), np.eye(4), inner.poses)

    def _new(self, T: Array, *, is_grounded: bool) -> int:
        self._poses.append(T)
        self.grounded.append(is_grounded)
        return len(self._poses) - 1

    def _attach(self, name: str, file: Any, body: int, T: Array, poses: dict[str, Array]) -> None:
        """Notes that a component, and everything in it, moves with a body."""
        self.where[name] = body, T
        if isinstance(file, Assembly):
            for inner in file.children:
                T_inner = poses.get(inner.name, inner.T_assembly_self)
                self._attach(f"{name}/{inner.name}", inner.file, body, T @ T_inner, inner.poses)

    def write_back(self) -> None:
        """Gives the components the poses of their bodies."""
        for child in self.assembly.children:
            if child.name not in self.where:
                continue
            body, _ = self.where[child.name]
            child.T_assembly_self = self.poses[body]
            if child.states.get("solving") == FLEXIBLE:
                for inner in child.file.children:  # type: ignore[union-attr] # an assembly
                    own, T = self.where[f"{child.name}/{inner.name}"]
                    child.poses[inner.name] = inverse(self.poses[body]) @ self.poses[own] @ T
