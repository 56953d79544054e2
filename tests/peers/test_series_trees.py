"""The errors of trees of sums beside OpenDP's b-ary trees with consistent counts, from its own noise."""

import numpy as np
import opendp.prelude as dp
import pytest

from dpcore.linear_queries import error

N_CELLS, N_DRAWS, SCALE = 64, 400, 100.0


@pytest.mark.parametrize("branching", [2, 4, 8])
def test_all_ranges_of_a_tree_have_the_error_of_opendps_tree(branching):
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
    tree = dp.t.make_b_ary_tree(*space, leaf_count=N_CELLS, branching_factor=branching)
    consistent = dp.t.make_consistent_b_ary_tree(branching_factor=branching, TIA=int, TOA=float)
    noisy = tree >> dp.m.then_laplace(scale=SCALE)
    first, end = np.triu_indices(N_CELLS + 1, 1)
    squares = np.empty(N_DRAWS)
    for draw in range(N_DRAWS):
        totals = np.append(0.0, np.cumsum(np.array(consistent(noisy([0] * N_CELLS)))[:N_CELLS]))
        squares[draw] = ((totals[end] - totals[first]) ** 2).mean()
    planned = error("ranges", "tree", N_CELLS, branching=branching, noise="laplace")
    assert planned.sensitivity == pytest.approx(tree.map(1), rel=1e-12)
    expected = 2 * (planned.root_mean_square * SCALE / planned.sensitivity) ** 2  # of Laplace noise, 2b²
    spread = squares.std() / np.sqrt(N_DRAWS)
    assert squares.mean() == pytest.approx(expected, abs=5 * spread)
    assert spread < 0.1 * expected
