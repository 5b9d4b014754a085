"""Connected components, held to scipy's."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from swgrm.meshes.components import connected


@given(st.integers(1, 40).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.tuples(*[st.integers(0, n - 1)] * 2)))))
def test_components_are_those_of_scipy(graph: tuple[int, list[tuple[int, int]]]) -> None:
    count, edges = graph
    pairs = np.array(edges, np.int64).reshape(-1, 2)
    matrix = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    assert connected(count, pairs).tolist() == connected_components(matrix, directed=False)[1].tolist()


def test_a_long_chain_takes_few_rounds() -> None:
    order = np.random.default_rng(1).permutation(100_000)
    assert not connected(len(order), np.column_stack([order[:-1], order[1:]])).any()
