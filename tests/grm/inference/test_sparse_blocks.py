"""Large blocks are solved with sparse matrices, with the same result as with dense ones."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from scipy.sparse import csr_array
from tests.bench.bench_inference import Hinge, Z, assembly, ring, scissor, truss
from tests.closed_chains import random_chain
from tests.grm.inference.looking import O, X, Y, codes
from tests.grm.inference.test_mechanisms import Linkage
from tests.noise import noisy

from swgrm.capture import Capture
from swgrm.inference import Inference, infer
from swgrm.inference.geometry.twists import Array
from swgrm.inference.mechanism import loop_blocks
from swgrm.inference.mechanism.joint_chain import name_of, twists_of
from swgrm.inference.mechanism.sparse_rows import DampedRows
from swgrm.inference.mechanism.sparse_stack import SparseRowStack, damped_rows, sparse_rows_of
from swgrm_mocks.mates import plane, shaft
from swgrm_mocks.samples import sample

DENSE, SPARSE = 1e18, 0.0


def solved(capture: Capture, limit: float) -> Inference:
    """The inference, with all blocks dense or all sparse."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop_blocks, "DENSE", limit)
        return infer(capture)


def check(capture: Capture) -> Inference:
    """Check that dense and sparse give the same bodies, pairs, chains, twists, loops and redundant mates."""
    dense, sparse = (solved(capture, limit) for limit in (DENSE, SPARSE))
    one, other = dense.mechanism, sparse.mechanism
    assert (one.labels == other.labels).all()
    assert one.mobility == other.mobility
    assert one.pairs.keys() == other.pairs.keys()
    for edge, pair in one.pairs.items():
        same = other.pairs[edge]
        assert name_of(pair.chain) == name_of(same.chain), edge
        together = np.linalg.matrix_rank(np.concatenate([twists_of(pair.chain), twists_of(same.chain)]), tol=1e-6)
        assert together == len(twists_of(pair.chain)), edge
    shape = [[(loop.edges, loop.mobility, loop.is_infinitesimal) for loop in each.loops] for each in (one, other)]
    assert shape[0] == shape[1]
    assert codes(dense) == codes(sparse)
    return sparse


def framework(seed: int) -> Capture:
    """Bars hinged in a plane: a strip of random bodies, each hinged to one or two bodies near it."""
    chance = np.random.default_rng(seed)
    count = int(chance.integers(5, 25))
    hinges: list[Hinge] = []
    for body in range(1, count):
        near = chance.permutation(np.arange(max(0, body - 3), body))[: 2 if chance.random() < 0.7 else 1]
        for other in near.tolist():
            x, y = chance.normal(size=2) * 0.2
            hinges.append((other, body, (0.1 * body + float(x), float(y), 0.0), Z))
    return assembly(count, hinges)


def coaxial(count: int) -> Capture:
    """Parts on one axis, each hinged to the next and to the one after it: the second hinges are redundant."""
    return assembly(count, [(k, k + step, (0.0, 0.0, 0.0), Z) for step in (1, 2) for k in range(count - step)])


AXES = ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0))
POINTS = ((0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.1, 0.1, 0.0), (0.0, 0.0, 0.1), (0.2, 0.1, 0.0))


def degenerate(seed: int, change: str) -> Capture:
    """Bodies with hinges at few points along few axes; some of their mates are left out, or of random types."""
    chance = np.random.default_rng(seed)
    count = int(chance.integers(3, 9))
    hinges: list[Hinge] = []
    for body in range(1, count):
        for other in chance.permutation(body)[: int(chance.integers(1, 4))].tolist():
            error = 1e-6 * float(chance.normal()) if seed % 4 == 3 else 0.0
            x, y, z = POINTS[int(chance.integers(len(POINTS)))]
            hinges.append((other, body, (x + error, y, z), AXES[int(chance.integers(1 if seed % 2 else 4))]))
    capture = assembly(count, hinges)
    if change == "none":
        return capture
    document = capture.documents[0]
    kept = tuple(mate for mate in document.mates if chance.random() < 0.7)
    if change == "types":
        chance.integers(len(document.mates))
        kept = tuple(replace(mate, type=int(chance.integers(0, 7))) for mate in document.mates)
    return replace(capture, documents=(replace(document, mates=kept),))


@pytest.mark.parametrize(
    ("seed", "change"), [(11, "none"), (29, "left out"), (56, "types"), (91, "types"), *((s, "none") for s in range(8))]
)
def test_degenerate_blocks_move_as_dense(seed: int, change: str) -> None:
    """Directions that are held by a few tolerances only, or by less than one, though the geometry is exact."""
    check(degenerate(seed, change))


@pytest.mark.parametrize("count", [7, 8, 9, 30, 40])
def test_many_directions_near_the_cut_are_told_apart(count: int) -> None:
    values = np.concatenate([np.geomspace(0.05, 0.98, count), np.geomspace(1.02, 1e5, 200)])
    free, tightest = damped_rows(csr_array(np.diag(values)), 1.0).null_space()
    assert free.shape[1] == count
    assert tightest == pytest.approx(1.02, rel=1e-3)


def test_a_step_is_cut_off_exactly_where_rows_do_not_hold() -> None:
    values = np.array([0.02, 0.94, 1.4, 5.0, 1e4])
    step = damped_rows(csr_array(np.diag(values)), 1.0).step(np.ones(5))
    assert step == pytest.approx(np.where(values >= 1, -1 / values, 0.0), rel=1e-6, abs=1e-12)


@pytest.mark.parametrize(
    "capture",
    [random_chain(3567).assembly.capture(), degenerate(29, "left out"), framework(9), sample("stewart")],
    ids=["nearly a slide", "degenerate", "framework", "stewart"],
)
def test_every_basis_of_the_free_rates_gives_the_same_joints(capture: Capture) -> None:
    """A decomposition gives some basis, with signs and directions that depend on the processor."""
    numbers = []
    for seed in (0, 1, 2):
        chance = np.random.default_rng(seed)
        with pytest.MonkeyPatch.context() as patch:
            real = loop_blocks.BlockBatch.null_spaces

            def turned(self: loop_blocks.BlockBatch, *at: Array) -> tuple[list[Array], Array]:
                free, tightest = real(self, *at)  # noqa: B023 - called in this turn of the loop
                turns = [np.linalg.qr(chance.normal(size=(f.shape[1],) * 2))[0] for f in free]  # noqa: B023 - as above
                return [f @ Q for f, Q in zip(free, turns, strict=True)], tightest

            patch.setattr(loop_blocks.BlockBatch, "null_spaces", turned)
            seen = infer(capture)
        chains = [joint.chain for joint in (*seen.tree.joints, *seen.tree.loops)]
        numbers.append(np.concatenate([[*s.axis, *s.point, s.pitch] for chain in chains for s in chain]))
    assert np.allclose(numbers[1], numbers[0], rtol=1e-9, atol=1e-9)
    assert np.allclose(numbers[2], numbers[0], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("noise", [0.0, 1e-10, 1e-8])
def test_chains_that_nearly_slide_are_as_dense(noise: float) -> None:
    """A seed in which the two once went to opposite sides, and found other pitches there: -130 m per radian.

    Its cylindrical pairs slide far and hardly turn. How much they turn per metre changes, so they are no screws.
    """
    seen = check(noisy(random_chain(3567).assembly.capture(), noise, 3))
    assert [name_of(pair.chain) for pair in seen.mechanism.pairs.values()] == ["revolute"] * 2 + ["cylindrical"] * 3


@pytest.mark.parametrize("noise", [0.0, 1e-8])
@pytest.mark.parametrize("lead", [0.0005, 0.004, 0.05])
def test_a_loop_that_leaves_a_pair_one_screw_makes_it_a_screw(lead: float, noise: float) -> None:
    """The counter-case: a shaft beside a threaded one, that an Oldham coupling turns and moves along with it."""
    bar = Linkage("base", "thread", "shaft").c("base", "shaft", (0, 0.005, 0), X)
    base, thread = bar.of("base", "thread")
    bar.assembly.screw(base.at(shaft(O, X, 0.01)), thread.at(shaft(O, X, 0.01)), lead=lead)
    for kind, normal in (("coincident", X), ("parallel", Y)):
        getattr(bar.assembly, kind)(*(part.at(plane(O, normal)) for part in bar.of("thread", "shaft")))
    seen = check(noisy(bar.assembly.capture(), noise, 3))
    (chain,) = (joint.chain for joint in seen.tree.joints if seen.body_name(joint.child) == "shaft-1")
    assert name_of(chain) == "screw"
    assert abs(chain[0].pitch) == pytest.approx(lead / (2 * np.pi), rel=1e-4)


@given(st.integers(0, 10_000))
def test_random_frameworks_move_as_dense(seed: int) -> None:
    check(framework(seed))


@given(st.integers(0, 10_000), st.sampled_from([0.0, 1e-10, 1e-8]))
def test_random_closed_chains_move_as_dense_with_noise_too(seed: int, noise: float) -> None:
    check(noisy(random_chain(seed).assembly.capture(), noise, seed))


@pytest.mark.parametrize("name", ["stewart", "four_bar", "gripper", "traps"])
def test_samples_are_as_dense(name: str) -> None:
    check(sample(name))


@pytest.mark.parametrize("make", [scissor, truss, ring, coaxial])
@pytest.mark.parametrize("noise", [0.0, 1e-8])
def test_one_block_is_as_dense(make: Callable[[int], Capture], noise: float) -> None:
    check(noisy(make(40), noise, 1))


def test_redundant_pairs_of_a_large_block_are_left_out() -> None:
    seen = check(coaxial(50))
    assert seen.mobility == 49
    assert len(codes(seen)["mate-redundant"]) == 2 * 48  # a concentric and a coincident mate of each second hinge
    assert seen.tree.loops == ()


def test_a_large_block_is_solved_sparsely_and_a_small_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    real = DampedRows.__init__

    def counted(self: DampedRows, system: object, size: int, *others: object) -> None:
        made.append(size)
        real(self, system, size, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(DampedRows, "__init__", counted)
    assert infer(scissor(20)).mobility == 1
    assert made == []
    assert infer(scissor(500)).mobility == 1
    assert 499 in made  # its joints
    assert 3000 in made  # the twists of its bodies


@given(st.integers(0, 10_000))
def test_free_directions_of_sparse_rows_are_those_of_a_dense_decomposition(seed: int) -> None:
    chance = np.random.default_rng(seed)
    m, bodies = int(chance.integers(1, 60)), int(chance.integers(1, 8))
    rows = np.repeat(np.arange(m), 2)
    places = chance.integers(0, bodies, 2 * m)
    matrix = sparse_rows_of(chance.normal(size=(2 * m, 6)) * 1e5, rows, places, (m, 6 * bodies)).tocsr()
    if chance.random() < 0.5:
        matrix[:, -6:] = 1e-9 * matrix[:, -6:]  # a body that only noise holds
    _, values, Vt = np.linalg.svd(matrix.toarray())
    rank = int((values >= 1.0).sum())
    free, tightest = damped_rows(matrix, 1.0).null_space()
    assert free.shape == (6 * bodies, 6 * bodies - rank)
    assert np.allclose(free @ free.T, Vt[rank:].T @ Vt[rank:], atol=1e-6)
    assert tightest >= 1.0
    assert SparseRowStack(matrix, np.zeros((m, 2), dtype=np.intp)).rank == rank
