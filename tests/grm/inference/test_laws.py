"""Laws of inference: what must not change the robot, whatever the assembly."""

import random

import msgspec
import numpy as np
import pytest
from tests.full import IS_FULL
from tests.round_trip import random_tree

from swgrm import dumps
from swgrm.capture import Capture, Component, Document, Mate
from swgrm.inference import Inference, Options, infer
from swgrm.inference.chains import name_of
from swgrm.inference.geometry import Array, exponential
from swgrm.inference.problem import column_matrix
from swgrm.model import Robot
from swgrm_mocks.builder import transform_array
from swgrm_mocks.realise import RealisationOptions, realise

SEEDS = range(60 if IS_FULL else 12)
replace = msgspec.structs.replace


def capture_of(seed: int, **manner: object) -> Capture:
    return realise(random_tree(seed), seed, RealisationOptions(**manner)).capture()


def root_path(capture: Capture) -> str:
    return capture.source.path


def with_root(capture: Capture, change: object) -> Capture:
    """The capture with its root document changed."""
    documents = tuple(change(d) if d.path == root_path(capture) else d for d in capture.documents)
    return replace(capture, documents=documents)


def shuffled(capture: Capture, seed: int) -> Capture:
    """Components, documents and mates in another order."""
    chance = random.Random(seed)  # noqa: S311 - tests, not secrets

    def mix(items: tuple) -> tuple:
        return tuple(chance.sample(items, len(items)))

    documents = tuple(replace(d, mates=mix(d.mates), placements=mix(d.placements)) for d in mix(capture.documents))
    return replace(capture, components=mix(capture.components), documents=documents)


def moved(capture: Capture, T: Array) -> Capture:
    """The whole assembly somewhere else in its space."""

    def entity(e: object) -> object:
        numbers = np.array(e.params)
        numbers[:3] = T[:3, :3] @ numbers[:3] + T[:3, 3]
        if len(numbers) >= 6:
            numbers[3:6] = T[:3, :3] @ numbers[3:6]
        return replace(e, params=tuple(numbers.tolist()))

    def transform(numbers: tuple[float, ...]) -> tuple[float, ...]:
        return transform_array(T @ column_matrix(numbers))

    def document(d: Document) -> Document:
        placements = tuple(replace(p, transform=transform(p.transform)) for p in d.placements)
        return replace(d, placements=placements,
                       mates=tuple(replace(m, entities=tuple(map(entity, m.entities))) for m in d.mates))  # fmt: skip

    components = tuple(replace(c, transform=transform(c.transform)) for c in capture.components)
    return with_root(replace(capture, components=components), document)


def same(one: Robot, other: Robot, tolerance: float = 1e-9) -> None:
    """The same frames and joints, but for where the base stands."""
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
        def entities(m: Mate) -> tuple:
            return tuple(replace(e, component=new(e.component)) for e in m.entities)

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
    other = infer(capture, Options(root=seen.problem.nodes[seen.tree.bodies[leaf].main].name))
    assert other.tree.root == leaf

    def edges(i: Inference) -> list[tuple[int, int, str]]:
        return sorted((min(j.parent, j.child), max(j.parent, j.child), name_of(j.chain)) for j in i.tree.joints)

    assert edges(other) == edges(seen)


@pytest.mark.parametrize("seed", SEEDS)
def test_rank_and_nullity_are_six(seed: int) -> None:
    for pair in infer(capture_of(seed)).mechanism.pairs.values():
        twists = np.concatenate([move.twists for move in pair.chain]) if pair.chain else np.zeros((0, 6))
        assert np.linalg.matrix_rank(twists) == len(twists) == pair.freedom.dimension
