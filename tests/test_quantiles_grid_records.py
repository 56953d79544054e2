"""The least number of people on a grid, beside the errors and cliffs of recorded samples."""

import re

import numpy as np
import pytest

from dpcore import quantiles
from dpcore.clipping import lognormal
from dpcore.quantiles import Grid

DAYS = np.arange(0.0, 601, 2)
WAITING = lognormal(np.log(30), 0.8, 1)


def recorded(values, n, grid):
    """Return a typical sample with each value at the nearest candidate."""
    shares = (np.arange(n) + 0.5) / n
    sample = np.quantile(values, shares) if isinstance(values, np.ndarray) else values.quantile(shares)
    return grid[np.argmin(abs(sample[:, np.newaxis] - grid), axis=1)]


@pytest.mark.parametrize("values", [WAITING, np.random.default_rng(1).normal(70, 25, 41)])
@pytest.mark.parametrize("mechanism", ["permute_and_flip", "exponential"])
@pytest.mark.parametrize(("quantile", "loss", "error"), [(0.5, 1.0, 3), (0.9, 0.7, 12.5), (0.25, 3.0, 2)])
def test_the_least_number_has_the_error_and_one_fewer_has_not(values, mechanism, quantile, loss, error):
    options = Grid(DAYS, mechanism), 0.1, "replace"
    n = quantiles.least_records(values, quantile, error, loss, *options)
    reached, missed = (
        float(quantiles.half_width(recorded(values, people, DAYS), quantile, loss, *options)) for people in (n, n - 1)
    )
    assert reached <= error < missed


@pytest.mark.parametrize(("quantile", "loss"), [(0.5, 0.3), (0.9, 1.0), (0.02, 1.0)])
def test_the_least_number_without_a_cliff_has_none_and_one_fewer_has(quantile, loss):
    n = quantiles.records_without_cliff(WAITING, quantile, loss, Grid(DAYS), 1e-2)
    reached, missed = (
        sum(quantiles.cliff_probability(recorded(WAITING, people, DAYS), quantile, loss, Grid(DAYS)))
        for people in (n, n - 1)
    )
    assert reached <= 1e-2 < missed


def test_the_order_and_repetitions_of_candidates_have_no_effect():
    shuffled = np.append(DAYS[::-1], DAYS[:5])
    n = quantiles.least_records(WAITING, 0.5, 4, 1.0, Grid(DAYS))
    assert quantiles.least_records(WAITING, 0.5, 4, 1.0, Grid(shuffled)) == n
    assert quantiles.least_records(WAITING, 0.5, 1e-9, 1.0, Grid(30.0)) == 1


def test_what_no_number_reaches_is_refused():
    with pytest.raises(ValueError, match=re.escape("error must be in [1, 1e16], got 0.5")):
        quantiles.least_records(WAITING, 0.5, 0.5, 1e-9, Grid([29, 31]))
    with pytest.raises(ValueError, match=r"probability must be in \[0\.9\d*, 1\), got 0\.001"):
        quantiles.records_without_cliff(WAITING, 0.5, 1e-9, Grid(DAYS * 1e4))
    with pytest.raises(ValueError, match=re.escape("error must be in (0, 1e16], got 0")):
        quantiles.least_records(WAITING, 0.5, 0, 1, Grid(DAYS))
