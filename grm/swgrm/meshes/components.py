"""Connected components of a graph given by its edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Indices = NDArray[np.int64]


def connected(count: int, edges: Indices) -> Indices:
    """The number of the component of each of `count` nodes; components are numbered by their first nodes."""
    return np.unique(first_nodes(count, edges), return_inverse=True)[1].astype(np.int64)


def first_nodes(count: int, edges: Indices) -> Indices:
    """The first node of the component of each of `count` nodes.

    Every node refers to a node of its component that is not behind it. A round lets the roots of each edge (k, 2)
    refer to the lower one, and then every node to its root (Shiloach and Vishkin 1982): about log(count) rounds.
    """
    root = np.arange(count)
    while True:
        one, other = root[edges[:, 0]], root[edges[:, 1]]
        if np.array_equal(one, other):
            return root
        np.minimum.at(root, np.maximum(one, other), np.minimum(one, other))
        while not np.array_equal(above := root[root], root):
            root = above
