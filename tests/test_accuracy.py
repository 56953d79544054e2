import mpmath
import numpy as np
import pandas as pd
import pytest
from flint import arb
from scipy.special import erfinv
from scipy.stats import binom, norm

from dpcore.accuracy import (
    each_significance,
    gaussian_accuracy,
    gaussian_sigma_from_accuracy,
    sampling_half_width,
    staircase_epsilon,
)
from dpcore.gaussian import analytic_sigma, classical_sigma
from dpcore.verify import formulas
from tests import oracle
from tests.oracle import GREATEST_DELTA, ULP, Numbers

EDGE_SIGNIFICANCE = (1e-300, 1e-17, 0.05, np.nextafter(0.5, 0), 0.5, np.nextafter(0.5, 1), 0.99, GREATEST_DELTA)


def share_beyond(accuracy: arb, precision: arb) -> arb:
    """Pr(|N(0, σ²)| > a) with `precision` = 1/σ."""
    return 2 * formulas.upper_tail(accuracy * precision)


def share_slope(accuracy: arb, precision: arb) -> arb:
    """−d share/d log a."""
    return 2 * accuracy * precision * oracle.density(accuracy * precision)


def some_significance(n: int, seed: int) -> Numbers:
    rng = np.random.default_rng(seed)
    significance = 10 ** rng.uniform(-300, 0, n)
    significance[: n // 3] = rng.uniform(0, 1, n // 3)
    significance[n // 3 : n // 2] = 1 - 10 ** rng.uniform(-16, -1, n // 2 - n // 3)
    return np.append(np.clip(significance, 1e-300, GREATEST_DELTA), EDGE_SIGNIFICANCE)


def excesses(accuracy: Numbers, significance: Numbers, sigma: Numbers) -> list[float]:
    """(a − a*)/a* for the true accuracy a* of σ, which is also (σ* − σ)/σ* for the true σ* of a."""
    rows = zip(accuracy, significance, sigma, strict=True)
    return [oracle.sigma_excess(share_beyond, share_slope, a, share, s) for a, share, s in rows]


def test_accuracy_at_epsilon_1_and_delta_1e_6_is_the_published_value_rounded_up():
    accuracy = gaussian_accuracy(analytic_sigma(1, 1e-6), 0.05)
    assert np.ceil(accuracy * 1000) / 1000 == 8.281


def test_accuracy_is_never_below_the_true_value_and_at_most_10_roundings_above():
    significance = some_significance(4000, seed=1)
    sigma = 10 ** np.random.default_rng(2).uniform(-280, 300, len(significance))
    excess = excesses(gaussian_accuracy(sigma, significance), significance, sigma)
    assert min(excess) >= 0
    assert max(excess) <= 10 * ULP


def test_sigma_from_accuracy_is_never_above_the_true_value_and_at_most_10_roundings_below():
    significance = some_significance(4000, seed=3)
    accuracy = 10 ** np.random.default_rng(4).uniform(-300, 290, len(significance))
    excess = excesses(accuracy, significance, gaussian_sigma_from_accuracy(accuracy, significance))
    assert min(excess) >= 0
    assert max(excess) <= 10 * ULP


@pytest.mark.parametrize("significance", [1e-250, 1e-17, 1e-5, 0.05, 0.5, 0.999])
def test_accuracy_is_sigma_root_2_inverse_erf_by_mpmath(significance):
    with mpmath.workdps(300):
        true = 3 * mpmath.sqrt(2) * mpmath.erfinv(1 - mpmath.mpf(significance))
        assert 0 <= gaussian_accuracy(3, significance) / true - 1 <= 10 * ULP


def test_share_of_releases_beyond_the_accuracy_is_the_significance():
    significance = np.array([1e-200, 1e-5, 0.05, 0.5, 0.9])
    accuracy = gaussian_accuracy(2.5, significance)
    assert 2 * norm.sf(accuracy, scale=2.5) == pytest.approx(significance, rel=1e-11, abs=0)


def test_accuracy_of_the_classical_sigma_is_theorem_1_of_the_accuracy_note():
    epsilon, delta, significance, sensitivity = 0.3, 1e-5, 0.05, 4.0
    theorem = 2 * sensitivity / epsilon * np.sqrt(np.log(1.25 / delta)) * erfinv(1 - significance)
    sigma = classical_sigma(epsilon, delta, sensitivity)
    assert gaussian_accuracy(sigma, significance) == pytest.approx(theorem, rel=1e-13, abs=0)


def test_sigma_from_accuracy_inverts_accuracy_on_the_safe_side():
    significance = some_significance(1000, seed=5)
    sigma = 10 ** np.random.default_rng(6).uniform(-290, 280, len(significance))
    back = gaussian_sigma_from_accuracy(gaussian_accuracy(sigma, significance), significance)
    assert back == pytest.approx(sigma, rel=1e-14, abs=0)
    target = np.minimum(sigma, 1e290)
    assert np.all(
        gaussian_accuracy(gaussian_sigma_from_accuracy(target, significance), significance) <= target * (1 + 10 * ULP)
    )


def test_rounding_stays_safe_among_subnormal_numbers():
    significance = np.linspace(0.01, 0.99, 99)
    tail = norm.isf(significance / 2)
    for n_units in (1, 2, 3, 10):
        size = n_units * 5e-324
        assert np.all(np.rint(gaussian_accuracy(size, significance) / 5e-324) >= n_units * tail)
        assert np.all(np.rint(gaussian_sigma_from_accuracy(size, significance) / 5e-324) <= n_units / tail)


def test_accuracy_grows_with_sigma_and_falls_with_significance():
    significance = np.geomspace(1e-300, 0.999, 500)
    assert np.all(np.diff(gaussian_accuracy(1, significance)) < 0)
    assert np.all(np.diff(gaussian_sigma_from_accuracy(1, significance)) > 0)
    assert gaussian_accuracy(6, 0.05) == pytest.approx(3 * gaussian_accuracy(2, 0.05), rel=6e-15, abs=0)


@pytest.mark.parametrize("function", [gaussian_accuracy, gaussian_sigma_from_accuracy])
def test_arguments_broadcast_and_may_be_scalars_lists_series_or_empty(function):
    first, second = np.array([[1.0], [2], [3]]), np.array([0.1, 0.3, 0.5, 0.7])
    assert function(first, second).shape == (3, 4)
    assert function(first, second)[1, 2] == pytest.approx(function(2, 0.5), rel=1e-14, abs=0)
    from_series = function(pd.Series([1, 2]), 0.3)
    assert function([1, 2], 0.3) == pytest.approx(from_series, rel=1e-14, abs=0)
    assert np.shape(function(np.array(1.0), np.array(0.3))) == ()
    assert function([], 0.3).shape == function(1, []).shape == (0,)


@pytest.mark.parametrize("function", [gaussian_accuracy, gaussian_sigma_from_accuracy])
@pytest.mark.parametrize(("significance", "text"), [(0, "0"), (1, "1"), (np.nan, "nan"), (9e-301, "9e-301")])
def test_significance_outside_its_range_is_refused(function, significance, text):
    with pytest.raises(ValueError, match=rf"^significance must be in \[1e-300, 1\), got {text}$"):
        function(1, significance)


@pytest.mark.parametrize(("sigma", "text"), [(0, "0"), (-1, "-1"), (2e300, r"2e\+300"), (np.nan, "nan")])
def test_sigma_outside_its_range_is_refused(sigma, text):
    with pytest.raises(ValueError, match=rf"^sigma must be in \(0, 1e300\], got {text}$"):
        gaussian_accuracy(sigma, 0.05)


@pytest.mark.parametrize(("accuracy", "text"), [(0, "0"), (-1, "-1"), (2e290, r"2e\+290"), (np.nan, "nan")])
def test_accuracy_outside_its_range_is_refused(accuracy, text):
    with pytest.raises(ValueError, match=rf"^accuracy must be in \(0, 1e290\], got {text}$"):
        gaussian_sigma_from_accuracy(accuracy, 0.05)


def test_the_largest_arguments_do_not_overflow():
    assert np.isfinite(gaussian_accuracy(1e300, 1e-300))
    assert np.isfinite(gaussian_sigma_from_accuracy(1e290, GREATEST_DELTA))


def test_the_significance_of_each_is_rounded_down_by_a_few_roundings_at_most():
    rng = np.random.default_rng(7)
    significance = some_significance(1500, seed=8)
    n_cells = np.floor(10 ** rng.uniform(0, 15, len(significance)))
    per_cell = each_significance(significance, n_cells)
    with mpmath.workdps(400):
        for share, alpha, m in zip(per_cell, significance, n_cells, strict=True):
            true = -mpmath.expm1(mpmath.log1p(-mpmath.mpf(float(alpha))) / int(m))
            lost = true - mpmath.mpf(float(share))
            assert 0 <= lost <= 10 * ULP * true + 2e-323
            assert 0 < share < 1


def test_all_of_m_independent_errors_are_within_the_half_width_of_each_significance():
    for m in (1, 12, 1000):
        per_cell = each_significance(0.05, m)
        assert (1 - per_cell) ** m == pytest.approx(0.95, rel=1e-12)
        assert 0.05 / m <= per_cell <= 0.0513 / m
    assert each_significance(0.3, 1) == 0.3
    assert each_significance(1e-300, 1e15) == pytest.approx(1e-315, rel=1e-7)


def test_each_significance_broadcasts_and_refuses_a_fraction_of_a_cell():
    assert each_significance([[0.1], [0.2]], [1, 2, 3]).shape == (2, 3)
    with pytest.raises(ValueError, match=r"^n_cells must be in the whole numbers of \[1, 1e15\], got 1.5$"):
        each_significance(0.05, 1.5)
    with pytest.raises(ValueError, match=r"^significance must be in \[1e-300, 1\), got 1$"):
        each_significance(1, 12)


def test_the_sampling_error_is_that_of_hoeffdings_bound_and_covers_the_worst_population():
    significance, n = np.array([1e-300, 1e-6, 0.05, 0.99]), np.array([1, 17, 1000, 1e12])
    exact = [
        mpmath.sqrt(mpmath.log(2 / mpmath.mpf(float(a))) / (2 * mpmath.mpf(float(m))))
        for a, m in zip(significance, n, strict=True)
    ]
    values = sampling_half_width(significance, 3.0, n)
    assert all(3 * bound <= value <= 3 * bound * (1 + 1e-14) for bound, value in zip(exact, values, strict=True))
    half_width = float(sampling_half_width(0.05, 1, 100))
    for share in np.linspace(0, 1, 21):  # shares of successes in a population
        misses = binom.cdf(np.ceil(100 * (share - half_width)) - 1, 100, share) + binom.sf(
            np.floor(100 * (share + half_width)), 100, share
        )
        assert misses <= 0.05


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((0, 1, 10), "significance must be in"),
        ((0.05, 0, 10), "width must be in"),
        ((0.05, 1, 0.5), "n_records must be in"),
    ],
)
def test_the_sampling_error_refuses_what_is_no_level_range_or_number_of_records(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        sampling_half_width(*arguments)


def test_a_ragged_list_is_refused_by_the_standard_sentence():
    with pytest.raises(ValueError, match=r"^significance must be in \[1e-300, 1\), got \[0.1, \[0.2\]\]$"):
        staircase_epsilon(3, [0.1, [0.2]])
