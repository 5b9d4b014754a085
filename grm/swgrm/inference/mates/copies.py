"""Components without mates (patterned, mirrored) get the mates of another instance of their part, the seed.

A copy c of a seed s is mated as s is, with everything carried by M = T_c T_s⁻¹, the transform of the pattern. The
partner of a mate stays, or becomes the component of the same part that is where M carries the partner, so that whole
limbs follow. A mate is never carried out of the document that contains it. Gears, racks and couplers are carried, too,
to partners that reach the copy: the planets of a pattern mesh with the same sun.

The features of patterns tell which seed a copy has. Where there are none, as in captures of older versions, it is the
nearest one whose partner reaches the copy. A copy of a fixed seed is fixed. A copy of a seed that is suppressed, and
so has no place from which its mates could be carried, is held by the seed's partner. A component far from all others
is a spare instance, not a copy.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from swgrm.capture import Index
from swgrm.findings import Findings
from swgrm.inference.geometry.twists import Array
from swgrm.inference.mates.component_boxes import ComponentBoxes
from swgrm.inference.mates.patterns import SuppressedSeeds, find_pattern_seeds
from swgrm.inference.mates.types import COUPLINGS, GeometryKind, MateType, PlacedEntity, PlacedMate
from swgrm.inference.problem import GROUND, AssemblyNode, InferenceProblem
from swgrm.transforms import inverse

SAME_PLACE = 1e-5  # [m] between a component and where a partner is carried
SAME_DIRECTION = 1e-6  # of the components of a direction


def with_copied_mates(problem: InferenceProblem, index: Index, findings: Findings) -> InferenceProblem:
    """The problem with mates for the components that have none, copied from their seeds."""
    ends = [{entity.node for entity in mate.entities} for mate in problem.mates]
    mated = set[int]().union(*[nodes for nodes in ends if len(nodes) > 1])
    if all(node.is_fixed or (number in mated and not node.is_assembly) for number, node in enumerate(problem.nodes)):
        return problem  # every part has mates of its own
    copies = _Copies(problem, index)
    for copy in copies.in_order():
        carried = copies.carry_by_pattern(copy) or copies.carry_from_nearest(copy) or copies.hold(copy)
        if carried is not None:
            copies.add(copy, carried)
            findings.add("copy", problem.nodes[copy].where, twin=carried.seed)
            for name in carried.uncoupled:
                findings.add("copy-uncoupled", problem.nodes[copy].where, mate=name, twin=carried.seed)
        elif copies.find_seeds(copy):
            findings.add("copy-undecided", problem.nodes[copy].where)
    is_changed = len(copies.mates) > len(problem.mates)
    return replace(problem, mates=tuple(copies.mates)) if is_changed else problem


class CarriedMates(NamedTuple):
    """The mates of a seed, carried to a copy of it."""

    seed: str
    mates: list[PlacedMate]
    is_near: bool | None  # whether one of the partners reaches the copy; None: unknown
    uncoupled: tuple[str, ...] = ()  # the couplings of the seed whose partner does not reach the copy


class _Copies:
    """The components of a problem by their parts, and the mates that connect each to the outside."""

    def __init__(self, problem: InferenceProblem, index: Index) -> None:
        self.problem, self.nodes = problem, problem.nodes
        self.numbers = problem.index
        self.origins = np.array([node.T[:3, 3] for node in problem.nodes])  # (n, 3)
        self.boxes = ComponentBoxes(index, problem.nodes)
        self.lines = [_line(problem.nodes, number) for number in range(len(problem.nodes))]
        self.mates = list(problem.mates)  # with those that are copied
        self.pattern_seeds = find_pattern_seeds(problem, index)
        self.suppressed = SuppressedSeeds(problem, index)
        self.outer = self._outer_mates()
        self.siblings: dict[tuple[int, tuple[str, str]], list[int]] = defaultdict(list)  # by holder and part
        for number, node in enumerate(problem.nodes):
            if number != GROUND:
                self.siblings[node.holder, node.part].append(number)

    def _outer_mates(self) -> dict[int, list[int]]:
        """The mates that connect each node, or a node that it holds, to something outside it."""
        outer: dict[int, list[int]] = defaultdict(list)
        for index, mate in enumerate(self.problem.mates):
            lines = [self.lines[entity.node] for entity in mate.entities]
            for node in set[int]().union(*lines) - {GROUND}:
                if not all(node in line for line in lines):
                    outer[node].append(index)
        return outer

    def in_order(self) -> list[int]:
        """The components that nothing holds; seeds before the instances that patterns of patterns make of them."""
        waiting = [
            number
            for number, node in enumerate(self.nodes)
            if number != GROUND and not node.is_fixed and not self.outer[number] and node.part[0]
        ]
        waiting.sort(key=lambda number: (self._generation(number), number))
        return waiting

    def _generation(self, number: int) -> int:
        """How many patterns a component comes from, one after the other."""
        generation, passed = 0, {number}
        while number in self.pattern_seeds:
            number = self.numbers.get(self.pattern_seeds[number], GROUND)
            if number in passed:
                break
            passed.add(number)
            generation += 1
        return generation

    def add(self, copy: int, carried: CarriedMates) -> None:
        """Add the mates of a copy, which from now on may be a seed itself."""
        self.outer[copy] += range(len(self.mates), len(self.mates) + len(carried.mates))
        self.mates += carried.mates

    def carry_by_pattern(self, copy: int) -> CarriedMates | None:
        """The mates of a copy as its pattern makes it; None if the capture has no such pattern."""
        name = self.pattern_seeds.get(copy)
        seed = self.numbers.get(name) if name else None
        if not name:
            return None
        if seed is None:
            partner = self.suppressed.partner_of(name)
            return self._lock(copy, name, partner) if partner is not None else None
        if self.nodes[seed].is_fixed:
            return self._lock(copy, name, self.nodes[seed].holder)
        carried = self._carry(copy, seed, is_pattern=True)
        return carried if any(mate.type not in COUPLINGS for mate in carried.mates) else None

    def hold(self, copy: int) -> CarriedMates | None:
        """A copy of a suppressed component, held by the nearest partner of such a component that reaches the copy."""
        node = self.nodes[copy]
        options = []
        for name in self.suppressed.of_part(node.holder, node.part):
            partner = self.suppressed.partner_of(name)
            gap = self.boxes.gap(partner, copy) if partner else None
            if partner and gap is not None and gap <= self.boxes.size(copy):
                options.append((gap, name, partner))
        if not options:
            return None
        _, name, partner = min(options)
        return self._lock(copy, name, partner)

    def _lock(self, copy: int, seed: str, partner: int) -> CarriedMates:
        """One mate that holds a copy in its partner."""
        x, y, z = self.nodes[copy].T[:3, 3].tolist()
        entities = tuple(PlacedEntity(GeometryKind.COMPONENT, node, (x, y, z)) for node in (partner, copy))
        name = f"{seed} (for {self.nodes[copy].name})"
        mate = PlacedMate(name, MateType.LOCK, entities, self.nodes[copy].holder, copied_to=copy)
        return CarriedMates(seed, [mate], is_near=True)

    def find_seeds(self, copy: int) -> list[int]:
        """The components of the same part in the same document that have mates, the nearest one first."""
        node = self.nodes[copy]
        seeds = [number for number in self.siblings[node.holder, node.part] if self.outer[number]]
        return self._sort_by_distance(seeds, node.T)

    def _sort_by_distance(self, numbers: Sequence[int], T: Array) -> list[int]:
        """Components by the distances of their origins from that of T; of equally far ones, the first."""
        if len(numbers) < 2:
            return list(numbers)
        distances = np.linalg.norm(self.origins[list(numbers)] - T[:3, 3], axis=1)
        # Rounded, so that noise does not decide between neighbours at the same distance.
        order = np.lexsort((numbers, np.round(distances, 9)))
        return [numbers[position] for position in order.tolist()]

    def _distance(self, number: int, T: Array) -> float:
        """The distance [m] of a component's origin from that of T."""
        return float(np.linalg.norm(self.origins[number] - T[:3, 3]))

    def carry_from_nearest(self, copy: int) -> CarriedMates | None:
        """The mates of the nearest seed whose partner reaches the copy; None if that does not decide.

        Where boxes are not known, and for sub-assemblies, the nearest seed is copied if all are mated in the same way.
        """
        seeds = self.find_seeds(copy)
        is_part = not self.nodes[copy].is_assembly
        nearest = None
        for seed in seeds if is_part else ():
            carried = self._carry(copy, seed)
            if carried.is_near:
                return carried
            nearest = nearest or carried
        if nearest is not None and (nearest.is_near is False or self._is_spare(copy)):
            return None
        if seeds and len({self._signature(seed) for seed in seeds}) == 1:
            return nearest or self._carry(copy, seeds[0])
        return None

    def _carry(self, copy: int, seed: int, *, is_pattern: bool = False) -> CarriedMates:
        """The mates of a seed, moved to a copy; in a pattern, a partner stays unless it is repeated, too."""
        nodes = self.nodes
        M = nodes[copy].T @ inverse(nodes[seed].T)
        carried: list[PlacedMate] = []
        are_near: list[bool | None] = []
        for index in self.outer[seed]:
            mate = self.mates[index]
            if mate.type in COUPLINGS:
                continue  # carried below: a coupling holds nothing
            entities = []
            for entity in mate.entities:
                if seed in self.lines[entity.node]:
                    node = self._inner_node(copy, seed, entity.node)
                else:
                    node, is_near = self._find_partner(copy, seed, entity.node, mate.owner, M, is_pattern=is_pattern)
                    are_near.append(is_near)
                entities.append(_move(entity, M, node))
            if len({entity.node for entity in entities}) > 1:
                carried.append(_copy_mate(mate, tuple(entities), copy, seed, nodes[copy].name))
        couplings, uncoupled = self._carry_couplings(copy, seed, M, is_pattern=is_pattern)
        is_near = True if True in are_near else False if False in are_near else None
        return CarriedMates(nodes[seed].name, carried + couplings, is_near, tuple(uncoupled))

    def _carry_couplings(
        self, copy: int, seed: int, M: Array, *, is_pattern: bool
    ) -> tuple[list[PlacedMate], list[str]]:
        """The couplings of a seed for a copy, and the names of those whose partner does not reach the copy."""
        carried: list[PlacedMate] = []
        uncoupled: list[str] = []
        for index in self.outer[seed]:
            mate = self.mates[index]
            if mate.type not in COUPLINGS:
                continue
            entities = []
            reaches_all = True
            for entity in mate.entities:
                if seed in self.lines[entity.node]:
                    entities.append(_move(entity, M, self._inner_node(copy, seed, entity.node)))
                    continue
                node, _ = self._find_partner(copy, seed, entity.node, mate.owner, M, is_pattern=is_pattern)
                reaches_all &= self._reaches(node, copy, entity.node, seed) is not False
                moved = _move(entity, M, node)
                # A partner that stays, as a sun gear, has its own axis, unless the copy is turned against it.
                is_kept = node == entity.node and np.allclose(moved.direction, entity.direction, atol=SAME_DIRECTION)
                entities.append(entity if is_kept else moved)
            if not reaches_all:
                uncoupled.append(mate.name)
            elif len({entity.node for entity in entities}) > 1:
                references = tuple(
                    self._inner_node(copy, seed, node) if seed in self.lines[node] else node for node in mate.references
                )
                coupling = _copy_mate(mate, tuple(entities), copy, seed, self.nodes[copy].name)
                carried.append(replace(coupling, references=references))
        return carried, uncoupled

    def _inner_node(self, copy: int, seed: int, node: int) -> int:
        """The node of a copy that corresponds to a node of its seed."""
        inner_name = self.nodes[node].name[len(self.nodes[seed].name) :]
        return self.numbers.get(self.nodes[copy].name + inner_name, copy)

    def _is_spare(self, copy: int) -> bool:
        """Whether a component without a pattern or a mirror lies farther from all others than these are apart.

        It is asked where no boxes tell how near a partner is.
        """
        component = self.nodes[copy].component
        if component is None or component.pattern_instance or component.mirrored:
            return False
        placed = [self.origins[number] for number in range(1, len(self.nodes)) if number != copy]
        placed += [np.array(entity.point) for mate in self.mates for entity in mate.entities]
        points = np.array(placed)
        extent = float(np.linalg.norm(np.ptp(points, axis=0)))
        distance = float(np.linalg.norm(points - self.origins[copy], axis=1).min())
        return extent > SAME_PLACE and distance > extent

    def _find_partner(
        self, copy: int, seed: int, partner: int, owner: int, M: Array, *, is_pattern: bool
    ) -> tuple[int, bool | None]:
        """The component that takes the place of a seed's partner for a copy, and whether it reaches the copy."""
        if partner == GROUND:
            return GROUND, None
        expected = M @ self.nodes[partner].T
        alike = self._sort_by_distance(self._alike(partner, owner), expected)
        # A component exactly where the partner is carried to: limbs that are copied as a whole.
        if self._distance(alike[0], expected) < SAME_PLACE:
            return alike[0], is_pattern or self._reaches(alike[0], copy, partner, seed)
        if is_pattern:
            return partner, True
        # The partner itself, as the plate of a bolt pattern; then others of its part, as the next plate.
        for number in (partner, *alike):
            if self._reaches(number, copy, partner, seed):
                return number, True
        return alike[0], self._reaches(partner, copy, partner, seed)

    def _reaches(self, number: int, copy: int, partner: int, seed: int) -> bool | None:
        """Whether a component is as near to a copy as a seed's partner is to the seed, within the size of the copy."""
        gap, usual = self.boxes.gap(number, copy), self.boxes.gap(partner, seed)
        if gap is None or usual is None:
            return None
        return gap <= usual + self.boxes.size(copy)

    def _alike(self, partner: int, owner: int) -> list[int]:
        """The components at the same place in the document that contains the mate, of the same parts at every level."""
        line = []
        while partner != owner and partner != GROUND:
            line.append(partner)
            partner = self.nodes[partner].holder
        holders = [owner]
        for number in reversed(line):
            part = self.nodes[number].part
            holders = [sibling for holder in holders for sibling in self.siblings[holder, part]]
        return list(holders)

    def _signature(self, seed: int) -> tuple[object, ...]:
        """How a seed is mated, in its own frame."""
        T = inverse(self.nodes[seed].T)
        signature = []
        for index in self.outer[seed]:
            mate = self.mates[index]
            places, partners = [], []
            for entity in mate.entities:
                if seed in self.lines[entity.node]:
                    point = np.round(T[:3, :3] @ entity.point + T[:3, 3], 6)
                    direction = np.round(T[:3, :3] @ entity.direction, 6)
                    places.append((entity.kind, *point.tolist(), *direction.tolist()))
                else:
                    partners.append(self.nodes[entity.node].part)
            signature.append((mate.type, tuple(sorted(partners)), repr(sorted(places))))
        return tuple(sorted(set(signature)))


def _line(nodes: Sequence[AssemblyNode], number: int) -> frozenset[int]:
    """A node and all that hold it."""
    line = {number}
    while number != GROUND:
        number = nodes[number].holder
        line.add(number)
    return frozenset(line)


def _copy_mate(mate: PlacedMate, entities: tuple[PlacedEntity, ...], copy: int, seed: int, name: str) -> PlacedMate:
    """A mate of a seed as a mate of a copy, which has a name."""
    return replace(
        mate,
        name=f"{mate.name} (for {name})",
        entities=entities,
        as_filed=None,
        source=None,
        copied_to=copy,
        copied_from=seed,
    )


def _move(entity: PlacedEntity, M: Array, node: int) -> PlacedEntity:
    """An entity moved by M, as one of another node."""
    x, y, z = (M[:3, :3] @ entity.point + M[:3, 3]).tolist()
    i, j, k = (M[:3, :3] @ entity.direction).tolist()
    return replace(entity, node=node, point=(x, y, z), direction=(i, j, k))
