"""Limits of the records of a person."""

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from dpcore import discrete_gaussian, gaussian, geometric, laplace
from dpcore.clipping import (
    NOISES,
    LimitedTable,
    best_limit,
    contribution_error,
    geometric_records,
    zipf_records,
)
from dpcore.clipping.noise import noise_of, with_normal_error
from tests.clipping_cases import delta_of


@pytest.mark.parametrize("noise", NOISES)
def test_a_contribution_limit_drops_records_and_costs_noise(noise):
    records, limits = [1, 1, 2, 5, 20], np.array([1, 2, 5, 20])
    error = contribution_error(records, limits, 1.0, LimitedTable(noise, 30))
    assert error.dropped.tolist() == [24, 21, 15, 0]
    assert error.dropped_share[0] == pytest.approx(24 / 29)
    assert np.all(np.diff(error.noise_scale) > 0)
    assert error.total_error == pytest.approx(np.hypot(error.dropped, error.total_deviation))
    assert error.cell_bias == pytest.approx(-error.dropped / 30)
    assert np.all(error.all_half_width > error.cell_half_width)


def test_noise_of_a_contribution_limit_is_for_all_cells_of_a_person():
    limits = np.array([1, 4, 9])
    l1, l2 = (contribution_error([9], limits, 0.5, LimitedTable(noise, 20)) for noise in ("laplace", "gaussian"))
    assert l1.noise_scale == pytest.approx(limits / 0.5)
    assert l2.noise_scale / l2.noise_scale[0] == pytest.approx(np.sqrt(limits))
    same_cell = contribution_error([9], limits, 0.5, LimitedTable("gaussian", 20, "one_cell"))
    assert same_cell.noise_scale / same_cell.noise_scale[0] == pytest.approx(limits)
    assert contribution_error([9], 9, 0.5, LimitedTable("gaussian", 4)).noise_scale == same_cell.noise_scale[2]


def test_weights_lose_as_much_as_random_dropping_and_add_no_variance():
    tables = (LimitedTable(n_cells=30, dropping=way) for way in ("random", "weight"))
    random, weighted = (contribution_error([5, 20], 5, 1.0, table) for table in tables)
    assert random.dropped == weighted.dropped == 15
    assert random.cell_deviation**2 - weighted.cell_deviation**2 == pytest.approx(20 * 0.25 * 0.75 / 30)


@pytest.mark.parametrize(
    "records", [[1, 1, 2, 5, 20], np.random.default_rng(1).geometric(0.002, 300), zipf_records(1.5, 3000, 900)]
)
@pytest.mark.parametrize("error", ["total_error", "cell_half_width"])
def test_the_best_limit_is_the_best_of_all(records, error):
    best = best_limit(records, 1.0, LimitedTable(n_cells=50), error)
    limits = np.unique(np.clip(np.concatenate([[best], np.arange(1, 301), best + np.arange(-50, 51)]), 1, 5000))
    limits = np.union1d(limits, np.arange(300, 5001, 20))
    sizes = getattr(contribution_error(records, limits, 1.0, LimitedTable(n_cells=50)), error)
    assert sizes[limits == best] <= sizes.min() * (1 + 1e-9)


@pytest.mark.parametrize("error", ["cell_error", "all_half_width"])
def test_the_best_limit_of_noise_on_the_whole_numbers_is_the_best_of_all(error):
    """The noise of few limits is computed: of the others a smaller limit's noise shows that they are worse."""
    table = LimitedTable("discrete_gaussian", 40, delta=0.5)
    records = zipf_records(1.5, 70, 900)
    sizes = getattr(contribution_error(records, np.arange(1, 71), 5.0, table), error)
    assert best_limit(records, 5.0, table, error) == np.argmin(sizes) + 1


def test_the_best_limit_for_a_half_width_is_that_at_its_significance():
    records, table = geometric_records(30, 10_000), LimitedTable(n_cells=200)
    limits = np.arange(1, 400)
    for error, alpha in [("cell_half_width", 0.05), ("cell_half_width", 1e-9), ("all_half_width", 1e-9)]:
        best = best_limit(records, 0.5, table, error, alpha)
        sizes = getattr(contribution_error(records, limits, 0.5, table, alpha), error)
        assert best == limits[np.argmin(sizes)]
        assert (best == best_limit(records, 0.5, table, error)) == (alpha == 0.05)


def test_distributions_of_records_have_their_people_and_means():
    assert zipf_records(1.2, 500, 1000).n_people.sum() == pytest.approx(1000)
    many = geometric_records(3, 1000)
    assert (many.n_people.sum(), many.records @ many.n_people) == pytest.approx((1000, 3000), rel=1e-5)
    assert geometric_records(1, 7).n_people.tolist() == [7]


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize(("limit", "epsilon"), [(3, 3.0), (6, 20.0), (11, 30.0)])
def test_the_half_width_of_a_cell_counts_what_random_dropping_adds(noise, limit, epsilon):
    """Everybody is in every cell, so that all cells have the same bias."""
    rng, n, people, cells = np.random.default_rng(3), 20_000, 60, 12
    table = LimitedTable(noise, cells, delta=delta_of(noise, 0.01))
    error = contribution_error(np.full(people, cells), limit, epsilon, table, 0.1)
    dropped = rng.binomial(people, 1 - limit / cells, n)
    family = {"laplace": laplace, "gaussian": gaussian, "geometric": geometric, "discrete_gaussian": discrete_gaussian}
    sample = family.get(noise, laplace).sample(
        rng, error.noise_scale, size=n
    )  # truncated Laplace noise is taken as Laplace noise
    sizes = abs(sample - dropped)
    assert np.sqrt(np.mean(sizes**2)) == pytest.approx(float(error.cell_error), rel=0.02)
    spread = 4 * np.sqrt(0.09 / n)
    assert np.mean(sizes > error.cell_half_width + 0.5) <= 0.1 + spread
    assert np.mean(sizes > error.cell_half_width - 0.8) >= 0.1 - spread


@pytest.mark.parametrize("t", [0.0, 1.0, 7.0])
@pytest.mark.parametrize("scale", [0.01, 1.0, 40.0])
def test_the_tail_of_laplace_noise_with_a_normal_error_is_the_integral_of_its_definition(scale, t):
    noise = noise_of("laplace", np.array([1 / scale]), 1e-6, np.ones(1))
    tail = with_normal_error("laplace", noise, np.array([2.0]))

    def density(size: float) -> float:
        return float(stats.laplace.pdf(size, scale=scale) * stats.norm.sf((t - size) / 2))

    true = quad(density, -30, 30, points=[0.0, t], limit=400, epsabs=1e-13)[0] + stats.laplace.sf(30, scale=scale)
    assert tail.upper(np.array([t]))[0] == pytest.approx(true, rel=1e-6)
    assert tail.deviation[0] == pytest.approx(np.sqrt(2 * scale**2 + 4))
