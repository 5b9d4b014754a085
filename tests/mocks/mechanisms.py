"""Small mechanisms of the mock that models, without COM: components at poses, and mates by their geometry."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swgrm.solidworks.swconst import swMateType_e as Sw
from swgrm_mocks.builder import AssemblyComponent, pose
from swgrm_mocks.mates import LocalEntity, plane, shaft
from swgrm_mocks.modelling.assembly_model import AssemblyModel
from swgrm_mocks.modelling.creating import new_model
from swgrm_mocks.modelling.mate_data import defaults
from swgrm_mocks.modelling.model_mates import ModelMate
from swgrm_mocks.modelling.new_mate import Pick
from swgrm_mocks.modelling.part_model import PartModel

Array = NDArray[np.float64]
X, Y, Z, P0 = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)
Side = tuple[AssemblyComponent, LocalEntity]


class Mechanism:
    """An assembly with a fixed base."""

    def __init__(self, T: Array | None = None, conventions: dict[str, str] | None = None) -> None:
        model = new_model("mechanism", conventions or {}, is_part=False)
        assert isinstance(model, AssemblyModel)
        self.assembly = model
        self.base = self.add("base", T).fixed()

    def add(self, name: str, T: Array | None = None) -> AssemblyComponent:
        """Adds a component."""
        return self.assembly.part(PartModel(name, f"C:\\{name}.SLDPRT"), pose() if T is None else T)

    def try_mate(
        self, kind: int, *sides: Side, frames: bool = False, references: tuple[str, ...] = (), **values: Any
    ) -> tuple[int, ModelMate]:
        """Adds a mate; returns swAddMateError_e, and the mate."""
        picks = [Pick(component.name, entity, np.eye(4) if frames else None) for component, entity in sides]
        mate = ModelMate(int(kind), defaults(kind) | values, picks, references)
        return self.assembly.add_mate(mate), mate

    def mate(self, kind: int, *sides: Side, **values: Any) -> ModelMate:
        """Adds a mate that must succeed."""
        status, mate = self.try_mate(kind, *sides, **values)
        assert status == 1
        return mate

    def hinge(self, one: AssemblyComponent, other: AssemblyComponent, at: Any = P0, own: Any = P0) -> None:
        """Adds the mates of a hinge about z of both."""
        self.mate(Sw.swMateCONCENTRIC, (one, shaft(at, Z, 0.01)), (other, shaft(own, Z, 0.01)), mate_alignment=0)
        self.mate(Sw.swMateCOINCIDENT, (one, plane(at, Z)), (other, plane(own, Z)), mate_alignment=0)

    def slider(self, one: AssemblyComponent, other: AssemblyComponent) -> None:
        """Adds the mates of a slider along x of both."""
        for normal in (Y, Z):
            self.mate(Sw.swMateCOINCIDENT, (one, plane(P0, normal)), (other, plane(P0, normal)), mate_alignment=0)

    def drive(self, mate: ModelMate, value: float) -> bool:
        """Drives a distance or angle."""
        name = "angle" if "angle" in mate.values else "distance"
        return self.assembly.modify(mate, mate.values | {name: value}, mate.picks)

    def off(self) -> float:
        """How far the mates are from being satisfied [m or rad]."""
        _, system = self.assembly.system()
        from swgrm.inference.geometry.equations import MateEquations

        stack = [*system.held, *(value.at(target) for value, target in system.values)]
        residuals = system._residuals(MateEquations.stack(stack) if stack else None, system.poses)
        return float(np.abs(residuals).max(initial=0.0))

    def turned(self, component: AssemblyComponent) -> float:
        """The rotation of a component about z [rad]."""
        T = component.T_assembly_self
        return math.atan2(T[1, 0], T[0, 0])
