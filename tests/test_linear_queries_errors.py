"""Half-widths of published numbers beside the normal law, simulation and convolution; draws that never change."""

import re

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import gamma, norm

from dpcore import accuracy, composition, discrete_gaussian, gaussian, geometric, laplace
from dpcore.linear_queries import (
    NOISES,
    STRATEGIES,
    error,
    half_widths,
    largest_half_width,
    largest_half_widths,
    noise_scale,
    release,
    sample,
    workload,
)
from dpcore.linear_queries.errors import added
from dpcore.linear_queries.spreads import _whole_gaussian
from dpcore.linear_queries.tallies import tallies
from dpcore.linear_queries.weighted_sums import added_noise, laplace_half_widths, wider
from dpcore.linear_queries.whole_sums import chernoff_half_widths, whole_half_widths
from tests.linear_factors import factors
from tests.linear_query_options import own_options
from tests.test_linear_queries import OWN

NAMES = [name for name in STRATEGIES if name != "best"]


def sum_of_equal(n, t):
    """Pr(|sum of n Laplace variables| > t): a difference of two Gamma variables, by quadrature over one of them."""
    return 2 * quad(lambda y: gamma.pdf(y, n) * gamma.sf(y + t, n), 0, 200, limit=400, epsabs=1e-14)[0]


@pytest.mark.parametrize("name", ["running_totals", "window", "year_to_date", "ranges", "own"])
@pytest.mark.parametrize("strategy", NAMES)
@pytest.mark.parametrize("publication", ["once", "as_it_goes"])
def test_the_factors_have_the_product_and_the_errors_of_the_strategy(name, strategy, publication):
    own = np.vstack([OWN, np.eye(12, dtype=int)]) if name == "own" else name
    for noise, degree in (("gaussian", 2), ("laplace", 1)):
        options = own_options(own, strategy, window=5, branching=3, bands=4)
        errors = error(own, strategy, 12, publication=publication, noise=noise, **options)
        sums, weights = factors(errors.workload, strategy, *errors.options)
        assert weights @ sums == pytest.approx(errors.workload.matrix(), abs=1e-9)
        sensitivity = np.linalg.norm(sums, degree, axis=0).max()
        assert errors.sensitivity == pytest.approx(sensitivity, rel=1e-12)
        assert errors.each == pytest.approx(sensitivity * np.linalg.norm(weights, axis=1), rel=1e-8)
        noises = np.random.default_rng(4).normal(size=len(sums))
        on_numbers = added(errors.workload, strategy, errors.options, lambda size, drawn=noises: drawn[:size])
        assert on_numbers == pytest.approx(weights @ noises, abs=1e-9)
        if publication == "as_it_goes":
            last = 12 - (sums[:, ::-1] != 0).argmax(axis=1)
            assert np.all(np.diff(last) >= 0)
            assert abs(weights[last > errors.workload.end[:, np.newaxis]]).max(initial=0) < 1e-9


def test_normal_errors_are_all_inside_at_once_at_the_level_of_each():
    """Šidák's inequality, for correlated errors: two running totals by their exact law."""
    months = error("running_totals", "per_period", 2)
    level = float(accuracy.each_significance(0.1, 2))
    half = half_widths(months, 1, 1e-6, level) / noise_scale(months, 1, 1e-6)
    first, both = half
    joint = quad(lambda x: norm.pdf(x) * (norm.cdf(both - x) - norm.cdf(-both - x)), -first, first)[0]
    assert 0.9 < joint < 0.93
    assert half_widths(months, 1, 1e-6, 1e-11).shape == (2,)
    with pytest.raises(ValueError, match=re.escape("significance must be in [1e-9, 0.999], got 1e-11")):
        half_widths(error("each", "tree", 2, noise="laplace"), 1, significance=1e-11)


def test_gaussian_half_widths_are_those_of_the_normal_law():
    months = error("running_totals", "square_root", 36, 3)
    sigma = noise_scale(months, 0.7, 1e-7)
    assert sigma == pytest.approx(gaussian.analytic_sigma(0.7, 1e-7, months.sensitivity))
    expected = norm.isf(0.05) * gaussian.analytic_sigma(0.7, 1e-7) * months.each
    assert half_widths(months, 0.7, 1e-7, 0.1) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("n", [2, 3, 12])
@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-6])
def test_sums_of_equal_laplace_variables_have_their_exact_tail(n, alpha):
    t = laplace_half_widths(tallies([np.full(n, 2.5)]), alpha)[0]
    assert sum_of_equal(n, t / 2.5) == pytest.approx(alpha, rel=1e-4)
    months = error("running_totals", "per_period", n, noise="laplace")
    assert half_widths(months, 2.0, 0, alpha)[n - 1] == pytest.approx(t / 2.5 * noise_scale(months, 2.0))
    assert half_widths(months, 2.0, 0, alpha)[0] == pytest.approx(laplace.half_width(alpha, 0.5))


def test_sums_of_two_laplace_variables_of_any_weights_have_their_exact_tail():
    """Pr(|aX + bY| > t) = (a² e^{−t/a} − b² e^{−t/b})/(a² − b²)."""
    for b in (0.9, 0.2, 1e-3, 1e-6):
        for alpha in (0.3, 0.05, 1e-4):
            t = laplace_half_widths(tallies([np.array([b, 1.0])]), alpha)[0]
            tail = (np.exp(-t) - b * b * np.exp(-t / b)) / (1 - b * b)
            assert alpha * (1 - 1e-3) <= tail <= alpha * (1 + 1e-9)


def test_half_widths_of_trees_with_laplace_noise_beside_a_simulation():
    months = error("running_totals", "tree", 12, noise="laplace")
    sums, weights = factors(months.workload, "tree", *months.options)
    noise = np.random.default_rng(8).laplace(scale=noise_scale(months, 1.0), size=(200_000, len(sums))) @ weights.T
    share = (abs(noise) > half_widths(months, 1.0)).mean(axis=0)
    assert np.all(abs(share - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 200_000))


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("name", ["running_totals", "window", "ranges", "year_to_date"])
@pytest.mark.parametrize("publication", ["once", "as_it_goes"])
def test_the_largest_half_width_is_that_of_all_numbers(noise, name, publication):
    delta = 1e-6 if "gaussian" in noise else 0
    for strategy in STRATEGIES[:4] if noise in ("discrete_gaussian", "geometric") else NAMES:
        options = own_options(name, strategy, window=5, branching=3, bands=4)
        errors = error(name, strategy, 14, 3, noise=noise, publication=publication, **options)
        for alpha in (0.05, 1e-7):
            largest = largest_half_width(errors, 0.7, delta, alpha)
            exactness = 1e-10 if alpha > 1e-3 else 1e-6  # tails are known to about 1e-12
            assert largest == pytest.approx(half_widths(errors, 0.7, delta, alpha).max(), rel=exactness)


def test_the_series_is_one_release_of_a_composition():
    months = error("running_totals", "normalized_square_root", 36, 2)
    assert composition.epsilon([release(months, 1, 1e-6)], 1e-6).value == pytest.approx(1, rel=1e-6)
    assert release(error("ranges", "tree", 8, noise="laplace"), 0.5).numbers == (0.5, 0.0)


@pytest.mark.parametrize("strategy", NAMES)
@pytest.mark.parametrize("noise", ["gaussian", "laplace"])
def test_a_published_number_never_changes(strategy, noise):
    delta = 1e-6 if noise == "gaussian" else 0
    counts = np.random.default_rng(5).integers(0, 50, 12)
    options = own_options("window", strategy, window=4, bands=3)
    months = error("window", strategy, 12, noise=noise, publication="as_it_goes", **options)
    whole = sample(np.random.default_rng(7), months, counts, 1, delta)
    for t in (1, 4, 11):
        early = sample(np.random.default_rng(7), months, counts[:t], 1, delta)
        assert early.size == t
        assert early == pytest.approx(whole[:t], abs=1e-9)


def test_draws_have_the_errors_of_the_numbers():
    months = error("running_totals", "normalized_square_root", 6)
    counts, rng = np.arange(6), np.random.default_rng(4)
    one_by_one = np.array([sample(rng, months, counts, 2, 1e-5) for _ in range(4000)])
    expected = gaussian.analytic_sigma(2, 1e-5) * months.each
    for draws in (one_by_one - np.cumsum(counts), sample(rng, months, counts, 2, 1e-5, 4000) - np.cumsum(counts)):
        assert np.all(abs(draws.std(axis=0) / expected - 1) < 4 / np.sqrt(2 * 4000))
        assert np.all(abs(draws.mean(axis=0)) < 4 * expected / np.sqrt(4000))
    early = error("running_totals", "normalized_square_root", 6, publication="as_it_goes")
    assert sample(rng, early, counts[:4], 2, 1e-5, (3, 2)).shape == (3, 2, 4)


def test_bad_input_is_refused():
    months = error("running_totals", "tree", 12)
    rng = np.random.default_rng(1)
    for call, message in [
        (lambda: half_widths(months, 1), "delta must be in [1e-300, 1), got 0"),
        (lambda: half_widths(months, 0, 1e-6), "epsilon must be in [1e-12, 1e6], got 0"),
        (lambda: half_widths(months, 1, 1e-6, 1), "significance must be in [1e-12, 0.999], got 1"),
        (lambda: sample(rng, months, [1, 2], 1, 1e-6), "the number of counts must be in [12, 12], got 2"),
        (lambda: sample(rng, months, 3, 1, 1e-6), "the number of dimensions of counts must be in [1, 1], got 0"),
        (
            lambda: half_widths(error("ranges", "tree", 500, noise="laplace"), 1),
            "twice the number of published numbers times n must be in [1, 4e6], got 125250000",
        ),
    ]:
        with pytest.raises(ValueError, match=re.escape(message)):
            call()
    assert workload("each", 2).matrix().tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("noise", ["discrete_gaussian", "geometric"])
@pytest.mark.parametrize("scale", [0.3, 3.0])
def test_whole_sums_have_their_exact_tail(noise, scale):
    """By convolution of the probabilities, one summand after the other."""
    family = discrete_gaussian if noise == "discrete_gaussian" else geometric
    one = family.pmf(np.arange(-200, 201), scale)
    several = one
    for n in (2, 3, 4):
        several = np.convolve(several, one)
        distance = abs(np.arange(several.size) - several.size // 2)
        for alpha in (0.5, 0.05, 1e-5):
            weights = [np.ones(n), np.full(n, 2.5), np.array([0.9] * (n - 1) + [1])]
            t, longer, other = whole_half_widths(tallies(weights), alpha, noise, scale)
            assert several[distance > t].sum() <= alpha
            assert t == 0 or several[distance > t - 1].sum() > alpha
            assert longer == pytest.approx(2.5 * t)
            bound = chernoff_half_widths(tallies([np.ones(n)]), alpha, noise, scale)[0]
            assert several[distance > bound].sum() <= alpha
            assert other < bound


@pytest.mark.parametrize("noise", ["discrete_gaussian", "geometric"])
@pytest.mark.parametrize(
    "weights", [(1, 0.7, 0.33), (1, 0.05, 0.03), (1, 0.999), (2.5, 1.25, 0.625), (1, 1 / 3, 1 / 3)]
)
def test_whole_sums_of_any_weights_have_at_most_their_tail(noise, weights):
    """By all outcomes: exact where the weights are multiples of the least one, else a little wider than needed."""
    family = discrete_gaussian if noise == "discrete_gaussian" else geometric
    is_exact = all(abs(weight / weights[-1] % 1) < 1e-9 for weight in weights)
    for scale, excess in ((0.2, np.inf), (0.7, 1.5), (2.0, 1.2)):
        most = int(16 * scale + 8)
        sums, chances = np.zeros(1), np.ones(1)
        for weight in weights:
            sums = np.add.outer(sums, weight * np.arange(-most, most + 1)).ravel()
            chances = np.multiply.outer(chances, family.pmf(np.arange(-most, most + 1), scale)).ravel()
        distance = abs(sums).round(9)
        order = np.argsort(-distance)
        for alpha in (0.3, 0.05, 1e-5):
            t = whole_half_widths(tallies([np.array(weights)]), alpha, noise, scale)[0]
            assert chances[distance > t + 1e-9].sum() <= alpha
            least = distance[order][np.searchsorted(np.cumsum(chances[order]), alpha)]
            if is_exact:
                assert t == pytest.approx(least, rel=1e-8, abs=1e-9)
            elif least and alpha < 0.3:
                assert t <= least * excess


@pytest.mark.parametrize("noise", ["discrete_gaussian", "geometric"])
def test_all_running_totals_at_once_have_the_half_widths_of_a_direct_convolution(noise):
    """By adding one summand after the other, cut at ±600, where less than 1e-12 of the mass is lost."""
    family, n = (discrete_gaussian if noise == "discrete_gaussian" else geometric), 40
    for scale, places in ((0.7, 60), (5.0, 250)):
        one = family.pmf(np.arange(-places, places + 1), scale)
        rows = tallies([np.ones(size) for size in range(1, n + 1)])
        for alpha in (0.3, 0.05, 1e-6):
            found, several = whole_half_widths(rows, alpha, noise, scale), np.ones(1)
            for t in found:
                several = np.convolve(several, one)
                spare = max(several.size // 2 - 600, 0)
                several = several[spare : several.size - spare]
                distance = abs(np.arange(several.size) - several.size // 2)
                assert several[distance > t].sum() <= alpha
                assert t == 0 or several[distance > t - 1].sum() > alpha * (1 - 2e-4)


@pytest.mark.parametrize("name", ["each", "running_totals", "window", "cumulated_distribution"])
@pytest.mark.parametrize("strategy", ["per_period", "binary_tree", "square_root", "banded", "tree"])
def test_the_numbers_of_a_longer_series_have_the_same_noise(name, strategy):
    """Of series that share what is computed of the longer one; a tree does so as it goes."""
    for n in (1, 5, 13, 64, 65, 100):
        errors = error(name, strategy, n, publication="as_it_goes", **own_options(name, strategy, window=5))
        longer = wider(errors.workload, strategy, errors.options)
        assert longer.n == (64 if n <= 64 else 128)
        found, expected = (
            -np.sort(-abs(factors(numbers, strategy, *errors.options)[1][:n]), axis=1)
            for numbers in (longer, errors.workload)
        )
        width = min(found.shape[1], expected.shape[1])
        assert found[:, :width] == pytest.approx(expected[:, :width], abs=1e-12)
        assert not found[:, width:].any()
        assert not expected[:, width:].any()
        rows, place = added_noise(errors.workload, strategy, errors.options).tallies
        assert (place.size, len(rows.values)) == (n, place.max() + 1)
    at_the_end = error("running_totals", "tree", 13)
    assert wider(at_the_end.workload, "tree", at_the_end.options).n == 13
    assert wider(workload("running_totals", 1000), "per_period", at_the_end.options).n == 1000


def test_the_largest_of_many_ranges_is_sought_without_the_others():
    ranges = error("ranges", "tree", 45, noise="laplace", branching=4)  # of 1,035, of which not all are computed
    assert largest_half_width(ranges, 0.7) == pytest.approx(half_widths(ranges, 0.7).max(), rel=1e-10)


def test_the_scales_that_were_computed_are_forgotten_where_they_are_many(monkeypatch):
    monkeypatch.setattr("dpcore.linear_queries.spreads._MOST_KNOWN", 0)
    first = _whole_gaussian(1.0, 1e-6).sigmas(np.array([2.0, 3.0])).tolist()
    assert _whole_gaussian(1.0, 1e-6).sigmas(np.array([3.0, 2.0, 3.0])).tolist() == [first[1], *first]


@pytest.mark.parametrize("noise", NOISES)
def test_the_largest_half_widths_over_persons_are_those_of_each(noise):
    delta = 1e-6 if "gaussian" in noise else 0
    for strategy in ("per_period", "tree"):
        months = error("running_totals", strategy, 14, 3, noise=noise, per_cell=2, total=9)
        found = largest_half_widths(months, [[1, 4], [14, 99]], 0.7, delta, 0.01)
        for k, size in zip((1, 4, 14, 99), found.ravel(), strict=True):
            alone = error("running_totals", strategy, 14, k, noise=noise, per_cell=2, total=9)
            assert size == pytest.approx(largest_half_width(alone, 0.7, delta, 0.01), rel=1e-12)
    with pytest.raises(ValueError, match=re.escape("contributions must be in [1, 1000], got 0")):
        largest_half_widths(months, 0, 1, delta)


@pytest.mark.parametrize("noise", ["discrete_gaussian", "geometric"])
def test_whole_noise_of_a_series(noise):
    delta = 1e-6 if noise == "discrete_gaussian" else 0.0
    alike = {"discrete_gaussian": "gaussian", "geometric": "laplace"}[noise]
    for strategy in ("per_period", "per_number", "tree", "binary_tree"):
        months = error("running_totals", strategy, 12, 2, noise=noise, per_cell=2, total=3)
        smooth = error("running_totals", strategy, 12, 2, noise=alike, per_cell=2, total=3)
        assert months.sensitivity == pytest.approx(smooth.sensitivity)
        assert noise_scale(months, 1, delta) == pytest.approx(noise_scale(smooth, 1, delta), rel=0.1)
        ratio = half_widths(months, 1, delta) / half_widths(smooth, 1, delta)
        assert np.all((ratio > 0.95) & (ratio < 1.1 + 1 / half_widths(smooth, 1, delta)))
    assert error("running_totals", "best", 12, noise=noise).strategy in ("per_period", "per_number", "tree")
    for strategy in ("per_period", "tree"):
        large, smooth = (error("running_totals", strategy, 12, noise=kind, per_cell=100_000) for kind in (noise, alike))
        scales = [noise_scale(errors, 1, delta) for errors in (large, smooth)]
        ratio = half_widths(large, 1, delta) / half_widths(smooth, 1, delta)
        assert ratio == pytest.approx(scales[0] / scales[1], rel=1e-4)
        assert np.all(ratio >= scales[0] / scales[1] * (1 - 1e-6))
    months = error("running_totals", "binary_tree", 4, noise=noise, publication="as_it_goes")
    published = sample(np.random.default_rng(1), months, [5, 6, 7], 1, delta)
    assert published == pytest.approx(published.round())
    assert release(months, 1, delta).numbers == (1, delta)
    for call, message in [
        (lambda: error("each", "square_root", 3, noise=noise), "strategy must be in per_period, per_number, tree"),
        (lambda: error("each", "tree", 3, noise=noise, per_cell=0.5), "per_cell must be in [1, 1e9], got 0.5"),
        (lambda: sample(np.random.default_rng(1), months, [0.5], 1, delta), "counts must be in the whole numbers of"),
    ]:
        with pytest.raises(ValueError, match=re.escape(message)):
            call()


def test_long_moves_of_discrete_gaussian_noise_are_those_of_zcdp():
    """√30 is the longest move of which the worst is known; zCDP is never below it, nor below the even move."""
    for epsilon in (0.01, 1.0, 20.0):
        known, beyond = _whole_gaussian(epsilon, 1e-6).sigmas(np.array([30.0, 31.0]))
        assert known * np.sqrt(31 / 30) < beyond < 1.2 * known
        assert discrete_gaussian.delta_from_sigma(epsilon, beyond, np.sqrt(31), 31) <= 1e-6
        assert composition.epsilon_from_rho(1e-6, 31 / (2 * beyond**2)) == pytest.approx(epsilon, rel=1e-9)
