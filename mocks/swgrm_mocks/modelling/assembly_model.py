"""The assembly that is being modelled: its components, its mates as they were defined, and their solution."""

from __future__ import annotations

from collections import deque
from copy import copy
from typing import Any

import numpy as np
from msgspec.structs import replace

from swgrm.capture import Capture, Document
from swgrm.capture.index import SUPPRESSED
from swgrm.inference.mates.coupling_numbers import LENGTHS
from swgrm.settings import ConventionSettings
from swgrm.solidworks.swconst_calls import swAddMateError_e as Status
from swgrm.transforms import Array
from swgrm_mocks.builder import Assembly, AssemblyComponent
from swgrm_mocks.modelling.assembly_units import AssemblyUnits
from swgrm_mocks.modelling.mate_building import BUILDERS, FINISHERS
from swgrm_mocks.modelling.mate_records import directions, mate_record
from swgrm_mocks.modelling.mate_solver import Limit, MateSystem
from swgrm_mocks.modelling.mate_systems import terms_between
from swgrm_mocks.modelling.mate_terms import DrivenValue, MateTerms
from swgrm_mocks.modelling.model_mates import ALIGNED, ANTI_ALIGNED, CLOSEST, DRIVEN, TYPE_NAMES, ModelMate
from swgrm_mocks.modelling.new_mate import NewMate, Pick, WrongSelection

ILL_DEFINED = 47  # swFeatureError_e: ill-defined or over-defined


class AssemblyModel(Assembly):
    """An assembly file that is being modelled."""

    def __init__(self, name: str, path: str, conventions: ConventionSettings) -> None:
        super().__init__(name)
        self.path = path
        self.conventions = conventions
        self.model_mates: list[ModelMate] = []
        self.configurations = ["Default"]
        self.suppressed_in: dict[str, set[int]] = {"Default": set()}

    def add_configuration(self, name: str) -> None:
        """Adds a configuration like the active one, and activates it."""
        self.configurations.append(name)
        self.suppressed_in[name] = set(self.suppressed_in[self.configuration])
        self.configuration = name

    def add_mate(self, mate: ModelMate) -> int:
        """Adds a mate and solves; returns swAddMateError_e, and leaves everything as it was unless it succeeded."""
        before = self._poses()
        try:
            mate.terms = self._terms(mate)
        except WrongSelection:
            return int(Status.swAddMateError_IncorrectSelections)
        if not self._with_alignment(mate):
            self._restore(before)
            return int(Status.swAddMateError_OverDefinedAssembly)
        finish = FINISHERS.get(mate.type)
        if finish:
            finish(self._new(mate), mate.terms)
        mate.id = self.next_id()
        mate.name = mate.name or f"{TYPE_NAMES[mate.type].removeprefix('Mate')}{mate.id}"
        self.model_mates.append(mate)
        return int(Status.swAddMateError_NoError)

    def keep_failed(self, mate: ModelMate) -> None:
        """Leaves a mate that was refused in the tree; it holds nothing."""
        mate.error = ILL_DEFINED
        if mate not in self.model_mates:
            mate.id = self.next_id()
            mate.name = f"{TYPE_NAMES[mate.type].removeprefix('Mate')}{mate.id}"
            self.model_mates.append(mate)

    def _with_alignment(self, mate: ModelMate) -> bool:
        """Solves with a new mate; if its directions are the wrong way round, turns a component over and repeats."""
        before = self._poses()
        if self._solve(mate) and self._is_aligned(mate):
            return True
        for number in range(min(2, len(mate.picks))):
            self._restore(before)
            if self._turn_over(mate, number):
                mate.terms = self._terms(mate)
                if self._solve(mate) and self._is_aligned(mate):
                    return True
        return False

    def _is_aligned(self, mate: ModelMate) -> bool:
        wanted = mate.values.get("mate_alignment", CLOSEST)
        ends = directions(self, mate)
        if wanted not in (ALIGNED, ANTI_ALIGNED) or len(ends) < 2:
            return True
        along = float(ends[0] @ ends[1])
        return abs(along) < 0.9 or (along > 0) == bool(wanted == ALIGNED)

    def _turn_over(self, mate: ModelMate, number: int) -> bool:
        """Turns a component that is not fixed by 180° about its entity; whether there is one."""
        units = AssemblyUnits(self)
        unit, _ = units.where[mate.picks[number].component]
        if units.grounded[unit]:
            return False
        pick = mate.picks[number]
        T = self.pose_of(pick.component)
        point = T[:3, :3] @ np.array(pick.entity.point) + T[:3, 3]
        direction = T[:3, :3] @ np.array(pick.entity.direction or (0.0, 0.0, 1.0))
        axis = np.eye(3)[int(np.argmin(np.abs(direction)))]
        axis = np.cross(direction, axis)
        axis /= np.linalg.norm(axis)
        half_turn = np.eye(4)
        half_turn[:3, :3] = 2 * np.outer(axis, axis) - np.eye(3)
        half_turn[:3, 3] = point - half_turn[:3, :3] @ point
        units.poses[unit] = half_turn @ units.poses[unit]
        units.write_back()
        return True

    def modify(self, mate: ModelMate, values: dict[str, Any], picks: list[Pick]) -> bool:
        """Changes the definition of a mate and solves; whether it succeeded, else everything is as it was."""
        before = self._poses()
        old = mate.values, mate.picks, copy(mate.terms), dict(mate.off)
        driven = DRIVEN.get(mate.type)
        others = {key for key in values if key != driven and values[key] != mate.values[key]}
        mate.values, mate.picks = values, picks
        try:
            if others - {"flip_dimension"} or picks != old[1]:
                mate.terms = self._terms(mate)
            elif "flip_dimension" in others and mate.terms.value is not None and mate.terms.limits is None:
                value = mate.terms.value
                mate.terms.value = DrivenValue(value.equation, -value.side, value.normal)
        except WrongSelection:
            mate.values, mate.picks, mate.terms, mate.off = old
            return False
        if driven:
            mate.terms.target = values[driven]
        if self._solve(mate):
            return True
        self._restore(before)
        mate.values, mate.picks, mate.terms, mate.off = old
        return False

    def rebuild(self) -> bool:
        """Solves all mates from where the components are; whether they all hold."""
        return self._solve(None)

    def _terms(self, mate: ModelMate) -> MateTerms:
        new = self._new(mate)
        if mate.type not in BUILDERS:
            raise WrongSelection("the API cannot build this mate")
        terms = BUILDERS[mate.type](new)
        mate.picks = new.picks
        return terms

    def _new(self, mate: ModelMate) -> NewMate:
        def turns(first: str, second: str) -> Array:
            units = AssemblyUnits(self)
            system, _ = self._system(units, without=mate)
            return system.relative_rotations(units.where[first][0], units.where[second][0])

        return NewMate(
            mate.type, mate.values, list(mate.picks), self.pose_of, self.conventions,
            LENGTHS.get(self.linear_unit, LENGTHS[0]), mate.references, self._carriers(), turns,
        )  # fmt: skip

    def pose_of(self, component: str) -> Array:
        """The pose of a component at any depth; the assembly's own is the identity."""
        if not component:
            return np.eye(4)
        head, _, rest = component.partition("/")
        found = next(child for child in self.children if child.name == head)
        for name in rest.split("/") if rest else ():
            found = found / name
        return found.T_assembly_self

    def active_mates(self) -> list[ModelMate]:
        """The mates that are not suppressed in the active configuration."""
        hidden = self.suppressed_in[self.configuration]
        out = {child.name for child in self.children if child.states.get("suppression") == SUPPRESSED}
        return [
            mate
            for mate in self.model_mates
            if mate.id not in hidden
            and mate.error != ILL_DEFINED
            and not any(pick.component.partition("/")[0] in out for pick in mate.picks)
        ]

    def _carriers(self) -> dict[str, str]:
        """The component that carries each one: the next one towards the fixed ones, by the mates."""
        near: dict[str, set[str]] = {}
        for mate in self.active_mates():
            names = {pick.component for pick in mate.picks} if mate.terms.held else set()
            for name in names:
                near.setdefault(name, set()).update(names - {name})
        start = ["", *(child.name for child in self.children if child.is_fixed)]
        carried, queue = dict.fromkeys(start, ""), deque(start)
        while queue:
            at = queue.popleft()
            for name in sorted(near.get(at, ())):
                if name not in carried:
                    carried[name] = "" if at in start else at
                    queue.append(name)
        return carried

    def system(self) -> tuple[AssemblyUnits, MateSystem]:
        """The bodies of the assembly, and what its mates require of them."""
        units = AssemblyUnits(self)
        return units, self._system(units)[0]

    def _system(
        self, units: AssemblyUnits, new: ModelMate | None = None, without: ModelMate | None = None
    ) -> tuple[MateSystem, list[tuple[ModelMate, str, MateTerms]]]:
        system = MateSystem(units.poses, units.grounded)
        used = []
        for prefix, assembly in units.assemblies:
            own = [*assembly.active_mates(), *([new] if new and not prefix and new not in self.model_mates else [])]
            for mate in own:
                if mate is without:
                    continue
                terms = terms_between(mate, prefix, units)
                used.append((mate, prefix, terms))
                system.held += terms.held
                if terms.coupling:
                    system.couplings.append(terms.coupling)
                if terms.value and terms.limits:
                    system.limits.append(Limit(terms.value, *terms.limits))
                elif terms.value and mate is not new:
                    system.values.append((terms.value, mate.terms.target))
        return system, used

    def _solve(self, changed: ModelMate | None) -> bool:
        """Solves, with the value of a changed mate driven from where it is to its target; keeps the result."""
        units = AssemblyUnits(self)
        system, used = self._system(units, new=changed)
        drives = []
        for mate, prefix, terms in used:
            if mate is changed and terms.value is not None and not prefix:
                low, high = terms.limits or (-np.inf, np.inf)
                drives.append((terms.value, float(np.clip(mate.terms.target, low, high))))
        if not system.solve(drives):
            return False
        units.poses = system.poses
        units.write_back()
        for mate, prefix, terms in used:
            if terms.coupling:
                mate.off[prefix] = terms.coupling.off
            if terms.value is not None and terms.limits is not None and not prefix:
                target = mate.terms.target = terms.value.measured(system.poses, sum(terms.limits) / 2)
                mate.values = mate.values | {DRIVEN[mate.type]: target}
        return True

    def _poses(self) -> list[tuple[AssemblyComponent, Array, dict[str, Array]]]:
        return [(child, child.T_assembly_self, dict(child.poses)) for child in self.children]

    @staticmethod
    def _restore(poses: list[tuple[AssemblyComponent, Array, dict[str, Array]]]) -> None:
        for child, T, inner in poses:
            child.T_assembly_self, child.poses = T, inner

    def document(self, configuration: str) -> Document:
        """Its record, with the mates where the components are now."""
        self._capture_mates(configuration)
        return replace(super().document(configuration), read_in=self.configuration)

    def capture(self) -> Capture:
        """The capture that reading the assembly would give."""
        self._capture_mates(self.configuration)
        return super().capture()

    def _capture_mates(self, configuration: str) -> None:
        self.mates, self._mates_by_component = [], {}
        for mate in self.model_mates:
            record = mate_record(self, mate, configuration)
            self.mates.append(record)
            for entity in record.entities:
                self._mates_by_component.setdefault(entity.component or "", set()).add(record.name)
