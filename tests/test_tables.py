import numpy as np
import pytest

from dpcore import tables


def test_a_count_is_distinguishable_where_its_band_leaves_out_zero():
    assert tables.distinguishable([0, 8, 8.280218, 9], 8.280218).tolist() == [False, False, False, True]


def test_a_cell_that_is_empty_passes_for_one_no_more_often_than_the_significance_level():
    rng = np.random.default_rng(20261121)
    noise = rng.normal(scale=4.224679, size=200_000)
    share = np.mean(tables.distinguishable(np.maximum(noise, 0), 8.280218))
    assert share == pytest.approx(0.025, abs=0.0015)
