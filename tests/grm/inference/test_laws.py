"""Laws of inference: what must not change the robot, whatever the assembly."""

import random
import re
from collections.abc import Callable

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.full import IS_FULL
from tests.grm.inference.cases import understood_cases
from tests.lookups import present
from tests.robots import random_tree

from swgrm import dumps
from swgrm.capture import Capture, Component, Document, Mate, MateEntity
from swgrm.inference import Inference, infer
from swgrm.inference.geometry.equations import rows_on
from swgrm.inference.geometry.twists import Array, exponential
from swgrm.inference.mates.equation_system import assemble
from swgrm.inference.mates.table import relations_of
from swgrm.inference.mates.types import PlacedEntity, PlacedMate
from swgrm.inference.mechanism.joint_chain import name_of, twists_of
from swgrm.inference.mechanism.twist_space import twist_spaces
from swgrm.model import Limits, Robot
from swgrm.settings import BaseSettings, Settings
from swgrm.transforms import column_matrix
from swgrm.typevars import T
from swgrm_mocks.builder import transform_array
from swgrm_mocks.realise import RealisationOptions, realise
from swgrm_mocks.samples import SAMPLES, sample

SEEDS = range(60 if IS_FULL else 12)
replace = msgspec.structs.replace


def capture_of(seed: int, fasteners: int = 0) -> Capture:
    return realise(random_tree(seed), seed, RealisationOptions(fasteners=fasteners)).capture()


def root_path(capture: Capture) -> str:
    return capture.source.path


def with_root(capture: Capture, change: Callable[[Document], Document]) -> Capture:
    """The capture with its root document changed."""
    documents = tuple(change(d) if d.path == root_path(capture) else d for d in capture.documents)
    return replace(capture, documents=documents)


def shuffled(capture: Capture, seed: int) -> Capture:
    """Components, documents and mates in another order."""
    chance = random.Random(seed)  # noqa: S311 - tests, not secrets

    def mix(items: tuple[T, ...]) -> tuple[T, ...]:
        return tuple(chance.sample(items, len(items)))

    documents = tuple(replace(d, mates=mix(d.mates), placements=mix(d.placements)) for d in mix(capture.documents))
    return replace(capture, components=mix(capture.components), documents=documents)


def moved(capture: Capture, T: Array) -> Capture:
    """The whole assembly somewhere else in its space."""

    def entity(e: MateEntity) -> MateEntity:
        numbers = np.array(e.params)
        numbers[:3] = T[:3, :3] @ numbers[:3] + T[:3, 3]
        if len(numbers) >= 6:
            numbers[3:6] = T[:3, :3] @ numbers[3:6]
        return replace(e, params=tuple(numbers.tolist()))

    def transform(numbers: tuple[float, ...]) -> tuple[float, ...]:
        return transform_array(T @ column_matrix(numbers))

    def document(d: Document) -> Document:
        placements = tuple(replace(p, transform=transform(present(p.transform))) for p in d.placements)
        return replace(d, placements=placements,
                       mates=tuple(replace(m, entities=tuple(map(entity, m.entities))) for m in d.mates))  # fmt: skip

    components = tuple(replace(c, transform=transform(present(c.transform))) for c in capture.components)
    return with_root(replace(capture, components=components), document)


def same(one: Robot, other: Robot, tolerance: float = 1e-9) -> None:
    """The same frames and joints, apart from the pose of the base."""
    root = one.root.id
    for a, b in zip(one.frames, other.frames, strict=True):
        assert (a.id, a.parent) == (b.id, b.parent)
        if a.parent not in (None, root):
            assert np.allclose(a.transform.matrix, b.transform.matrix, atol=tolerance), a.id
        assert (a.joint is None) == (b.joint is None)
        if a.joint and b.joint:
            assert (a.joint.type, a.joint.name) == (b.joint.type, b.joint.name)
            assert np.allclose(a.joint.axis, b.joint.axis, atol=tolerance)
            for p, q in zip(
                msgspec.structs.astuple(a.joint.limits), msgspec.structs.astuple(b.joint.limits), strict=True
            ):
                assert p == q or abs(p - q) < tolerance


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.trap("R5")
def test_order_does_not_change_a_byte(seed: int) -> None:
    capture = capture_of(seed, fasteners=1)
    assert dumps(infer(shuffled(capture, seed)).robot) == dumps(infer(capture).robot)


@pytest.mark.parametrize("seed", SEEDS)
def test_moving_the_assembly_changes_nothing_but_its_place(seed: int) -> None:
    capture = capture_of(seed)
    T = exponential(np.random.default_rng(seed).normal(size=6))
    same(infer(capture).robot, infer(moved(capture, T)).robot, 1e-8)


@pytest.mark.parametrize(
    "seed", sorted({*SEEDS, 42})
)  # 42: of two parts of a body, one has more mates, one more partners
def test_mates_twice_are_mates_once(seed: int) -> None:
    capture = capture_of(seed)

    def twice(d: Document) -> Document:
        return replace(d, mates=d.mates + tuple(replace(m, name=m.name + " again") for m in d.mates))

    same(infer(capture).robot, infer(with_root(capture, twice)).robot)


def renamed(capture: Capture) -> Capture:
    """Every component called something else, in any script, in the same order."""

    def new(name: str) -> str:
        return "/".join("座標 é" + part for part in name.split("/")) if name else name

    def component(c: Component) -> Component:
        return replace(c, name=new(c.name))

    def document(d: Document) -> Document:
        def entities(m: Mate) -> tuple[MateEntity, ...]:
            return tuple(replace(e, component=new(present(e.component))) for e in m.entities)

        return replace(
            d, mates=tuple(replace(m, entities=entities(m)) for m in d.mates),
            placements=tuple(replace(p, name=new(p.name)) for p in d.placements),
        )  # fmt: skip

    return replace(
        capture,
        components=tuple(map(component, capture.components)),
        documents=tuple(map(document, capture.documents)),
    )


def shape_of(seen: Inference) -> list[tuple[str, int, int]]:
    return [(name_of(joint.chain), joint.parent, joint.child) for joint in seen.tree.joints]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.trap("N1")
def test_names_do_not_matter(seed: int) -> None:
    capture = capture_of(seed)
    assert shape_of(infer(renamed(capture))) == shape_of(infer(capture))


@pytest.mark.parametrize("seed", SEEDS)
def test_another_base_inverts_joints_and_changes_none(seed: int) -> None:
    capture = capture_of(seed)
    seen = infer(capture)
    leaf = max(seen.tree.bodies)
    other = infer(capture, Settings(base=BaseSettings(root=seen.body_name(leaf))))
    assert other.tree.root == leaf

    def edges(i: Inference) -> list[tuple[int, int, str]]:
        return sorted((min(j.parent, j.child), max(j.parent, j.child), name_of(j.chain)) for j in i.tree.joints)

    assert edges(other) == edges(seen)


UNDERSTOOD = [case.mate for case in understood_cases() if case.mate]


@settings(max_examples=300 if IS_FULL else 60, deadline=None)
@given(chosen=st.lists(st.sampled_from(range(len(UNDERSTOOD))), min_size=1, max_size=4), seed=st.integers(0, 2**32 - 1))
def test_rank_and_nullity_are_six(chosen: list[int], seed: int) -> None:
    """Of any mates between two bodies, wherever they act: the rank of their rows, computed from the rows alone."""
    chance = np.random.default_rng(seed)
    mates = [carried(UNDERSTOOD[k], exponential(chance.normal(size=6))) for k in chosen]
    equations = assemble([(k, related) for k, mate in enumerate(mates) for related in relations_of(mate)])
    rows = rows_on(equations, np.ones(len(equations), dtype=np.intp))
    rank = np.linalg.matrix_rank(rows, tol=1e-7)
    (space,) = twist_spaces(equations, np.zeros(len(equations), dtype=np.intp), 1)
    assert rank + space.dimension == 6
    assert np.linalg.matrix_rank(space.basis) == space.dimension
    assert np.abs(rows @ space.basis).max(initial=0.0) < 1e-9


@pytest.mark.parametrize("seed", SEEDS)
def test_a_pairs_chain_moves_as_its_rows_allow(seed: int) -> None:
    """The chain has as many independent twists as the rows leave free, and none of them violates a row."""
    for pair in infer(capture_of(seed)).mechanism.pairs.values():
        rows = rows_on(pair.local, np.ones(len(pair.rows), dtype=np.intp))
        twists = twists_of(pair.chain)
        rank = np.linalg.matrix_rank(rows, tol=1e-7)
        held = rank + (1 if pair.is_refined else 0)  # a screw mate couples two motions that the rows leave free
        assert np.linalg.matrix_rank(twists) == len(twists) == 6 - held
        assert np.abs(rows @ twists.T).max(initial=0.0) < 1e-6


def carried(mate: PlacedMate, T: Array) -> PlacedMate:
    """A mate that acts elsewhere."""

    def moved_entity(entity: PlacedEntity) -> PlacedEntity:
        point, direction = T[:3, :3] @ entity.point + T[:3, 3], T[:3, :3] @ entity.direction
        return replace(entity, point=tuple(point.tolist()), direction=tuple(direction.tolist()))

    return replace(mate, entities=tuple(map(moved_entity, mate.entities)))


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_a_reason_names_limits_if_and_only_if_the_joint_has_them(name: str) -> None:
    for joint_name, frame in infer(sample(name)).robot.joints.items():
        joint = present(frame.joint)
        reason = present(joint.why).reason
        has_limits = joint.limits != Limits()
        assert has_limits == bool(re.search(r"\b(limits|range)\b", reason)), (joint_name, reason)
