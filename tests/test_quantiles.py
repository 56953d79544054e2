"""A released quantile beside its definition: the guarantee, the distribution, the half-widths, ties and the cliff."""

import re
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from scipy.integrate import quad

from dpcore import quantiles
from dpcore.checks import interval_bounds
from dpcore.clipping import exponential, lognormal, normal, pareto, uniform
from dpcore.clipping.distributions import Data
from dpcore.quantiles import Range
from dpcore.quantiles.release import rank_sensitivity
from tests.statistics_of_samples import assert_frequencies

NUMBERS = np.arange(1.0, 1001)
NEIGHBOURS = ("add_remove", "replace")
SMALL = [1.0, 3.0, 3.0, 4.0, 9.0]


def density(points, values, quantile, epsilon, low, high, neighbours):
    """Return the density of the exponential mechanism at points by its definition, normalised by quadrature."""
    sensitivity = max(quantile, 1 - quantile) if neighbours == "add_remove" else 1.0
    values = np.clip(values, low, high)

    def weight(v):
        return np.exp(-epsilon * abs(np.count_nonzero(values < v) - quantile * values.size) / (2 * sensitivity))

    corners = sorted({low, high, *values.tolist()})
    total = sum(quad(weight, *ends)[0] for ends in pairwise(corners))
    return np.array([weight(v) / total for v in points])


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize("quantile", [0.0, 0.5, 0.83, 1.0])
def test_the_distribution_is_the_quadrature_of_its_definition(quantile, neighbours):
    for values, epsilon in product((SMALL, [5.0], [-7.0, 4.0, 20.0], [0.0, 10.0, 10.0]), (1e-12, 0.7, 9.0)):
        edges, probabilities = quantiles.released_distribution(values, quantile, epsilon, Range(0, 10), neighbours)
        middle = (edges[1:] + edges[:-1]) / 2
        exact = density(middle, values, quantile, epsilon, 0.0, 10.0, neighbours)
        assert probabilities / np.diff(edges) == pytest.approx(exact, rel=1e-9)
        assert probabilities.sum() == pytest.approx(1, rel=1e-14)
        assert (edges[0], edges[-1]) == (0, 10)


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize("quantile", [0.0, 0.3, 0.5, 0.9])
def test_the_sensitivity_of_the_rank_is_the_greatest_over_all_small_data(quantile, neighbours):
    """|n_below − qn| at every point, for all data of up to 4 values among 4, and every neighbour."""
    points = np.array([0.5, 1.5, 2.5, 3.5, 4.5])
    moved = 0.0
    for n in range(1, 5):
        for values in product(range(1, 5), repeat=n):
            larger = [(*values, new) for new in range(1, 5)]
            changed = [(*values[1:], new) for new in range(1, 5)]
            own = abs((np.array(values) < points[:, np.newaxis]).sum(1) - quantile * n)
            for neighbour in larger if neighbours == "add_remove" else changed:
                others = abs((np.array(neighbour) < points[:, np.newaxis]).sum(1) - quantile * len(neighbour))
                moved = max(moved, float(abs(own - others).max()))
    assert moved == pytest.approx(rank_sensitivity(quantile, neighbours), rel=1e-12)


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize("quantile", [0.0, 0.5, 0.8])
def test_densities_of_neighbouring_data_differ_by_at_most_e_to_the_epsilon(quantile, neighbours):
    """Their losses have a range of ε too, which is what `exponential_release` composes."""
    epsilon, points, greatest, widest = 0.7, np.linspace(0.05, 9.95, 100), 0.0, 0.0
    values = np.array([1.0, 3.0, 4.0, 4.0, 9.0])

    def log_density(data):
        edges, probabilities = quantiles.released_distribution(data, quantile, epsilon, Range(0, 10), neighbours)
        return np.log(probabilities / np.diff(edges))[np.searchsorted(edges, points, side="right") - 1]

    for place, new in product(range(5), (0.0, 2.0, 4.0, 5.0, 10.0)):
        removed = np.delete(values, place)
        neighbour = removed if neighbours == "add_remove" else np.append(removed, new)
        loss = log_density(values) - log_density(neighbour)
        greatest, widest = max(greatest, abs(loss).max()), max(widest, np.ptp(loss))
    assert greatest <= epsilon * (1 + 1e-12)
    assert widest <= epsilon * (1 + 1e-12)
    assert widest > 0.49 * epsilon  # half of it where all ranks move one way, as of a minimum


def test_the_check_values_of_a_thousand_numbers():
    half = quantiles.half_width(NUMBERS, 0.5, [0.01, 0.1, 1], Range(0, 10_000))
    assert half == pytest.approx([7575.36, 29.957196, 2.995373], rel=1e-6)
    assert quantiles.half_width(NUMBERS, 0.9, 1, Range(0, 10_000)) == pytest.approx(5.432363, rel=2e-7)
    assert quantiles.half_width(NUMBERS, 0.9, 0.1, Range(0, 10_000)) == pytest.approx(8185, abs=0.5)
    above = quantiles.cliff_probability(NUMBERS, 0.9, [0.1, 1], Range(0, 10_000)).above
    assert above == pytest.approx([0.4919, 1.8e-21], rel=0.02)
    assert above[0] == pytest.approx(0.4919, abs=5e-5)


def test_waiting_times_have_the_published_half_widths_in_one_sample_of_many():
    """±.037 and ±.169 of one sample of 12,400; samples differ by a fifth, as the distances at the median do."""
    known = lognormal(np.log(30), 0.8, 12_400)
    typical = quantiles.half_width(known, 0.5, [0.5, 0.1], Range(0, 600))
    density_at_median = 1 / (30 * 0.8 * np.sqrt(2 * np.pi))
    assert typical == pytest.approx(np.log(20) / np.array([0.5, 0.1]) / (12_400 * density_at_median), rel=0.01)
    rng = np.random.default_rng(3)
    samples = [
        quantiles.half_width(rng.lognormal(np.log(30), 0.8, 12_400), 0.5, [0.5, 0.1], Range(0, 600)) for _ in range(40)
    ]
    least, greatest = np.min(samples, axis=0), np.max(samples, axis=0)
    assert np.all((least < [0.037, 0.169]) & (greatest > [0.037, 0.169]))
    assert np.all((least < typical) & (typical < greatest))


def test_the_error_of_a_median_in_ranks_does_not_depend_on_n():
    for n in (100, 1000, 100_000):
        assert quantiles.rank_half_width(np.arange(n), 0.5, [0.5, 1], Range(-1, n)) == pytest.approx([6, 3], abs=1)


def test_the_cliff_grows_with_the_range_and_goes_with_epsilon():
    cliffs = [
        quantiles.cliff_probability(NUMBERS, 0.9, 0.1, Range(0, high)).above
        for high in (1000, 1001, 2000, 10_000, 1e15)
    ]
    assert cliffs[0] == 0
    assert np.all(np.diff(cliffs) > 0)
    assert quantiles.cliff_probability(NUMBERS, 0.1, 0.1, Range(-9000, 1000)) == pytest.approx((cliffs[3], 0), rel=0.15)
    maximum = quantiles.cliff_probability(NUMBERS, 1.0, [0.1, 1], Range(0, 10_000)).above
    assert np.all(maximum > 0.99)  # why a maximum cannot be published


def simulated(values, quantile, epsilon, low, high, n, neighbours):
    edges, probabilities = quantiles.released_distribution(values, quantile, epsilon, Range(low, high), neighbours)
    rng = np.random.default_rng(12)
    place = rng.choice(probabilities.size, n, p=probabilities)
    return edges[place] + np.diff(edges)[place] * rng.random(n)


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize(("quantile", "epsilon"), [(0.5, 0.02), (0.5, 1), (0.9, 0.05), (0.25, 0.3)])
def test_half_widths_and_bias_are_those_of_simulated_releases(quantile, epsilon, neighbours):
    rng, n = np.random.default_rng(10), 100_000
    values = rng.lognormal(3, 0.8, 500).round()
    draws = simulated(values, quantile, epsilon, 0, 600, n, neighbours)
    truth = np.quantile(values, quantile)
    setting = (values, quantile, epsilon, Range(0, 600))
    for significance in (0.5, 0.05, 0.01):
        half = quantiles.half_width(*setting, significance, neighbours)
        within = np.mean(abs(draws - truth) <= half)
        assert abs(within - (1 - significance)) < 4 * np.sqrt(significance * (1 - significance) / n)
        rank = abs(np.searchsorted(np.sort(values), draws) - quantile * 500)
        bound = quantiles.rank_half_width(*setting, significance, neighbours)
        assert np.mean(rank > bound + 1e-9) < significance + 4 * np.sqrt(significance / n)
        assert np.mean(rank > bound - 1e-9) > significance - 4 * np.sqrt(significance / n)
    expected = quantiles.bias(*setting, neighbours)
    assert abs((draws - truth).mean() - expected) < 4 * draws.std() / np.sqrt(n)
    below, above = quantiles.cliff_probability(*setting, neighbours)
    for share, drawn in ((below, np.mean(draws < values.min())), (above, np.mean(draws > values.max()))):
        assert abs(share - drawn) < 4 * np.sqrt(share / n) + 1e-9


def test_half_widths_are_just_on_the_safe_side_of_the_exact_distribution():
    for values, quantile, epsilon, high in ((SMALL, 0.5, 0.7, 10), (SMALL, 0.8, 3.0, 1000), ([5.0], 0.5, 1.0, 10)):
        known = [0.0, *values, float(high)]
        rate = epsilon / (2 * max(quantile, 1 - quantile))
        rows = [
            (Fraction(a), Fraction(b), Fraction(float(np.exp(-rate * abs(k - quantile * len(values))))))
            for k, (a, b) in enumerate(pairwise(known))
        ]
        total = sum((b - a) * w for a, b, w in rows)
        truth = Fraction(float(np.quantile(values, quantile)))
        for significance in (0.5, 0.05, 1e-9):
            half = Fraction(float(quantiles.half_width(values, quantile, epsilon, Range(0, high), significance)))
            for distance, is_enough in ((half, True), (half * (1 - Fraction(1, 10**9)), False)):
                low, top = truth - distance, truth + distance
                outside = sum((b - a - max(min(b, top) - max(a, low), 0)) * w for a, b, w in rows) / total
                assert (outside <= Fraction(significance) * (1 + Fraction(1, 10**15))) == is_enough


def test_many_equal_values_and_one_value_do_not_underflow():
    equal = np.full(1_000_000, 5.0)
    assert quantiles.half_width(equal, 0.5, [1e-6, 1, 1e6], Range(0, 10)) == pytest.approx(4.75, rel=1e-4)
    assert quantiles.half_width([5.0], 0.5, [1e-12, 1e6], Range(0, 10)) == pytest.approx(4.75, rel=1e-6)
    tied = np.random.default_rng(2).lognormal(3, 0.8, 1_000_000)
    tied[:800_000] = 30.0
    for epsilon in (1e-12, 1e-3, 1.0, 1e6):
        edges, probabilities = quantiles.released_distribution(tied, 0.5, epsilon, Range(0, 600))
        assert edges.size == np.unique(tied[tied < 600]).size + 2
        assert probabilities.sum() == pytest.approx(1, rel=1e-9)
    assert quantiles.half_width(tied, 0.5, 1.0, Range(0, 600)) < 0.01
    smallest = quantiles.half_width(NUMBERS, 0.5, 1.0, Range(0, 10_000), [1e-300, 0.999])
    assert smallest[0] == pytest.approx(9499.5, rel=1e-3)
    assert 0 < smallest[1] < 0.01


@pytest.mark.parametrize("epsilon", [1e-3, 1.0, 40.0, 3000.0])
@pytest.mark.parametrize("quantile", [0.0, 0.5, 1.0])
def test_no_weight_is_lost_where_most_intervals_underflow(quantile, epsilon):
    """The widest interval may be far from the quantile, and the ones next to it tiny."""
    values = np.concatenate([np.linspace(0, 1, 2000), 500 + 1e-9 * np.arange(2000)])
    edges, chance = quantiles.released_distribution(values, quantile, epsilon, Range(-1e14, 1e15))
    below = np.searchsorted(np.sort(values), edges[:-1], side="right")
    score = np.log(np.diff(edges)) - epsilon * abs(below - quantile * 4000) / (2 * max(quantile, 1 - quantile))
    weights = np.exp(score - score.max())
    assert chance == pytest.approx(weights / weights.sum(), rel=1e-8, abs=1e-320)


def test_arguments_broadcast():
    half = quantiles.half_width(NUMBERS, [[0.5], [0.9]], [0.1, 1, 2], Range(0, [2000, 3000, 4000]), 0.1)
    assert half.shape == (2, 3)
    assert half[1, 2] == quantiles.half_width(NUMBERS, 0.9, 2, Range(0, 4000), 0.1)
    assert quantiles.cliff_probability(NUMBERS, [0.5, 0.9], 1, Range(0, 2000)).below.shape == (2,)
    assert quantiles.bias(NUMBERS, 0.5, 1, Range(0, [2000, 3000])).shape == (2,)


@pytest.mark.parametrize(
    "known", [lognormal(3, 0.8, 99), normal(5, 2, 100), exponential(3, 50), pareto(3, 2, 70), uniform(-1, 4, 64)]
)
def test_a_distribution_is_its_typical_sample(known):
    shares = (np.arange(known.n) + 0.5) / known.n
    sample = known.quantile(shares)
    assert known.n_below(sample) / known.n == pytest.approx(shares, rel=1e-9)
    half = quantiles.half_width(known, 0.5, 1.0, Range(-10, 100))
    assert half == quantiles.half_width(sample, 0.5, 1.0, Range(-10, 100))


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize(("quantile", "error", "significance"), [(0.5, 10, 0.05), (0.9, 3.0, 0.01), (0.1, 40, 0.3)])
def test_the_least_epsilon_is_just_enough(quantile, error, significance, neighbours):
    epsilon = quantiles.least_epsilon(NUMBERS, quantile, error, Range(0, 10_000), significance, neighbours)
    half = quantiles.half_width(
        NUMBERS, quantile, [epsilon * (1 - 1e-9), epsilon], Range(0, 10_000), significance, neighbours
    )
    assert half[0] > error
    assert half[1] == pytest.approx(error, rel=1e-7)
    assert half[1] <= error * (1 + 1e-12)


def test_any_epsilon_is_enough_for_an_error_as_wide_as_the_range():
    assert quantiles.least_epsilon(NUMBERS, 0.5, 1e5, Range(0, 10_000)) == pytest.approx(1e-12)


@pytest.mark.parametrize("known", [lognormal(np.log(30), 0.8, 12), NUMBERS, Data(NUMBERS)])
def test_the_least_n_is_enough_and_half_of_it_is_not(known):
    n = quantiles.least_records(known, 0.5, 5.0, 0.5, Range(0, 1200))
    values = known.sorted if isinstance(known, Data) else known

    def half(size):
        shares = (np.arange(size) + 0.5) / size
        sample = np.quantile(values, shares) if isinstance(values, np.ndarray) else values.quantile(shares)
        return quantiles.half_width(sample, 0.5, 0.5, Range(0, 1200))

    assert half(n) <= 5 * (1 + 1e-12)
    assert half(n - 1) > 5
    assert half(n // 2) > 5
    assert quantiles.least_records(known, 0.5, 1e4, 0.5, Range(0, 1200)) == 1


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
def test_draws_from_a_range_have_the_probabilities_and_are_uniform_in_each_interval(neighbours):
    points, probabilities = quantiles.released_distribution(SMALL, 0.8, 0.7, Range(0, 10), neighbours)
    draws = quantiles.sample(np.random.default_rng(5), SMALL, 0.8, 0.7, Range(0, 10), neighbours, (40, 100))
    assert draws.shape == (40, 100)
    halves = np.sort(np.append(points, (points[1:] + points[:-1]) / 2))
    assert_frequencies(np.searchsorted(halves, draws.ravel()) - 1, np.repeat(probabilities / 2, 2))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: quantiles.half_width([], 0.5, 1, Range(0, 1)),
            "the number of values must be in [1, 1e12], got 0",
        ),
        (
            lambda: quantiles.half_width(normal(0, 1, 10**8), 0.5, 1, Range(0, 1)),
            "the number of values must be in [1, 1e7]",
        ),
        (lambda: quantiles.half_width([1], 1.5, 1, Range(0, 1)), "quantile must be in [0, 1], got 1.5"),
        (lambda: quantiles.half_width([1], 0.5, 0, Range(0, 1)), "epsilon must be in [1e-12, 1e6], got 0"),
        (lambda: quantiles.half_width([1], 0.5, 1, Range(2, 2)), "high must be in (low, 1e15], got 2"),
        (
            lambda: quantiles.half_width([1], 0.5, 1, Range(0, 1), 0),
            "significance must be in [1e-300, 1), got 0",
        ),
        (
            lambda: quantiles.released_distribution([1], 0.5, 1, Range(0, 1), "swap"),
            "neighbours must be in add_remove, replace, got 'swap'",
        ),
        (
            lambda: quantiles.least_epsilon([1, 2], 0.5, 0.4, Range(0, 5)),
            "error must be in [0.475, 1e16], got 0.4",
        ),
        (lambda: quantiles.least_epsilon([1, 2], 0.5, 0, Range(0, 5)), "error must be in (0, 1e16], got 0"),
        (lambda: quantiles.least_records([1, 2], 0.5, 0.1, 1e-6, Range(0, 5)), "error must be in ["),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        call()


def test_the_refused_error_names_the_least_that_a_million_values_reach():
    with pytest.raises(ValueError, match=r"^error must be in") as refusal:
        quantiles.least_records([1, 2], 0.5, 0.1, 1e-6, Range(0, 5))
    bounds = re.search(r"\[.*\]", str(refusal.value))
    assert bounds
    reached = interval_bounds(bounds[0])[0]
    assert reached == pytest.approx(
        quantiles.half_width(np.quantile([1, 2], (np.arange(10**6) + 0.5) / 10**6), 0.5, 1e-6, Range(0, 5)),
        rel=1e-5,
    )


def test_the_half_width_of_few_values_is_that_of_halving(monkeypatch):
    rng = np.random.default_rng(4)
    for quantile, epsilon, alpha in ((0.5, 0.1, 0.05), (0.9, 2.0, 1e-6), (0.01, 0.01, 0.5), (0.5, 30.0, 1e-12)):
        values = np.append(rng.normal(50, 9, 40).round(1), [3.0, 3.0, 77.7])
        known = values, quantile, epsilon, Range(0, 100), alpha
        found = float(quantiles.half_width(*known))
        with monkeypatch.context() as patch:
            patch.setattr("dpcore.quantiles.intervals._FEW_EDGES", 0)
            halved = float(quantiles.half_width(*known))
        assert found == pytest.approx(halved, rel=1e-6)
