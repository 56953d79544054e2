"""The most groups of consecutive cells that reach a total: beside all partitions of small tables."""

from itertools import combinations

import numpy as np
import pytest

from dpcore.tables import consecutive_groups


def most_groups(counts: list[int], least: int) -> int:
    """Return the most parts of a partition into consecutive cells of which each reaches the total; 0 for none."""
    best = 0
    for n_ends in range(len(counts)):
        for ends in combinations(range(1, len(counts)), n_ends):
            parts = np.split(np.array(counts), ends)
            if all(part.sum() >= least for part in parts):
                best = max(best, len(parts))
    return best


@pytest.mark.parametrize("seed", range(30))
def test_there_are_no_more_groups_that_reach_the_total(seed):
    rng = np.random.default_rng(seed)
    counts, least = rng.integers(0, 12, 9).tolist(), int(rng.integers(1, 25))
    groups = consecutive_groups(counts, least)
    totals = np.bincount(groups, counts)
    assert np.all(np.diff(groups) >= 0)
    if sum(counts) >= least:
        assert totals.min() >= least
        assert totals.size == most_groups(counts, least)
    else:
        assert totals.tolist() == [sum(counts)]


def test_cells_that_all_reach_it_stay_alone_and_cells_left_over_join_the_last():
    assert consecutive_groups([10, 20, 30], 10).tolist() == [0, 1, 2]
    assert consecutive_groups([10, 20, 3], 10).tolist() == [0, 1, 1]
    assert consecutive_groups([], 10).tolist() == []
    assert consecutive_groups([0, 0], 0).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("counts", "least", "name"), [([-1.0], 1, "counts"), ([1.0], -1, "least"), ([np.nan], 1, "counts")]
)
def test_what_is_no_count_is_refused(counts, least, name):
    with pytest.raises(ValueError, match=name):
        consecutive_groups(counts, least)
