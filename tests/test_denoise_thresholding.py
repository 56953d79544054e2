import re
import tracemalloc

import mpmath
import numpy as np
import pytest

from dpcore.denoise import (
    soft_threshold,
    soft_threshold_bound,
    soft_threshold_risk,
    sureshrink,
    universal_soft,
    universal_threshold,
)
from tests.statistics_of_samples import standard_errors

TRUTHS = {
    "zero": np.zeros(10),
    "sparse": np.array([9.0, -4.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    "dense": np.linspace(-6, 6, 10),
}


def true_risk(mean, threshold):
    """E(soft(X) − μ)² for X ~ N(μ, 1), by quadrature over the noise on both sides of the zeros."""

    def outside(z, sign):
        return (z - sign * threshold) ** 2 * mpmath.npdf(z)

    low, high = -threshold - mean, threshold - mean
    killed = mean**2 * (mpmath.ncdf(high) - mpmath.ncdf(low))
    above = mpmath.quad(lambda z: outside(z, 1), [high, max(high, 0) + 3, max(high, 0) + 12])
    below = mpmath.quad(lambda z: outside(z, -1), [min(low, 0) - 12, min(low, 0) - 3, low])
    return killed + above + below


def closed_form(mean, threshold):
    """Donoho & Johnstone's closed form, with digits to spare for all that cancels in it."""
    m, t = mpmath.mpf(float(mean)), mpmath.mpf(float(threshold))
    inside = mpmath.ncdf(t - m) - mpmath.ncdf(-t - m)
    edges = (t - m) * mpmath.npdf(t + m) + (t + m) * mpmath.npdf(t - m)
    return 1 + t**2 + (m**2 - 1 - t**2) * inside - edges


@pytest.mark.parametrize("threshold", [0.0, 0.7, 2.5, 6.0])
@pytest.mark.parametrize("mean", [0.0, 0.4, 2.5, 3.0, 9.0])
def test_the_risk_is_its_definition_by_quadrature(mean, threshold):
    with mpmath.workdps(16):
        true = true_risk(mpmath.mpf(mean), mpmath.mpf(threshold))
    assert soft_threshold_risk(mean, 1, threshold) == pytest.approx(float(true), rel=1e-12)


def test_the_risk_keeps_its_digits_where_the_textbook_form_loses_them_all():
    sizes = [0, 1e-9, 1e-3, 0.5, 1, 2, 5, 5.0001, 8, 12, 1e3, 1e6 - 1, 1e6, 1e6 + 3, 1e9]
    with mpmath.workdps(90):
        for threshold in sizes:
            risks = soft_threshold_risk(sizes, 1, threshold)
            assert np.all(risks >= 0)
            assert np.all(risks <= 1 + threshold**2)
            for mean, risk in zip(sizes, risks, strict=True):
                true = closed_form(mean, threshold)
                if true > 1e-30:
                    assert abs(risk / true - 1) < 1e-11
                else:
                    assert risk < 1e-29


def test_the_risk_is_even_grows_with_the_mean_and_scales_with_the_unit():
    mean = np.linspace(0, 12, 500)
    for threshold in (0.5, 3, 5):
        risks = soft_threshold_risk(mean, 1, threshold)
        assert np.all(np.diff(risks) >= -1e-13)
        assert soft_threshold_risk(-mean, 1, threshold) == pytest.approx(risks, rel=1e-14)
        assert soft_threshold_risk(mean * 1e30, 1e30, threshold * 1e30) == pytest.approx(risks * 1e60, rel=1e-10)
    assert soft_threshold_risk(mean, 2, 0) == pytest.approx(np.full(500, 4.0), rel=1e-14)
    assert soft_threshold_risk([[0], [1]], 1, [1, 2, 3]).shape == (2, 3)


def test_the_mean_error_over_many_releases_agrees_with_the_sum_of_the_risks():
    rng = np.random.default_rng(1)
    for truth in TRUTHS.values():
        noisy = truth + 1.5 * rng.normal(size=(60_000, truth.size))
        for threshold in (1.0, 4.0):
            error = np.sum((soft_threshold(noisy, 1.5, threshold).value - truth) ** 2, axis=-1)
            assert standard_errors(error - np.sum(soft_threshold_risk(truth, 1.5, threshold))) < 4


@pytest.mark.parametrize("truth", TRUTHS.values(), ids=TRUTHS)
def test_sure_is_the_true_error_on_average_with_a_sigma_and_a_threshold_for_each_release(truth):
    rng = np.random.default_rng(2)
    sigma, threshold = np.array([[0.5], [2.0]]), np.array([[0.3], [3.0]])
    noisy = truth + sigma[..., None] * rng.normal(size=(2, 20_000, truth.size))
    for estimate in (soft_threshold(noisy, sigma, threshold), universal_soft(noisy, sigma)):
        assert estimate.value.shape == noisy.shape
        assert estimate.sure.shape == estimate.tuning.shape == (2, 20_000)
        for excess in estimate.sure - np.sum((estimate.value - truth) ** 2, axis=-1):
            assert standard_errors(excess) < 4


@pytest.mark.parametrize("dimension", [1, 2, 3, 10, 64, 1000, 10**6, 10**9])
def test_the_universal_thresholds_risk_keeps_to_theorem_12_whatever_the_coordinates_are(dimension):
    threshold = universal_threshold(2.0, dimension)
    mean = np.concatenate([np.linspace(0, threshold + 20, 20_001), [1e3, 1e9]])
    bound = (2 * np.log(dimension) + 1) * (2.0**2 / dimension + np.minimum(mean**2, 2.0**2))  # d of them are the sum
    assert np.all(soft_threshold_risk(mean, 2.0, threshold) <= bound * (1 + 1e-14))


def test_the_bound_is_that_of_the_vector_and_above_its_risk():
    rng = np.random.default_rng(3)
    mean = np.where(rng.random((4, 5, 60)) < 0.2, rng.normal(0, 8, size=(4, 5, 60)), 0)
    sigma = np.array([0.5, 1, 2, 4, 8])
    bound = soft_threshold_bound(mean, sigma)
    assert bound.shape == (4, 5)
    risk = soft_threshold_risk(mean, sigma[:, None], universal_threshold(sigma, 60)[:, None]).sum(axis=-1)
    assert np.all(risk <= bound)
    assert soft_threshold_bound([0.0, 1.0, -7.0], 2) == pytest.approx((2 * np.log(3) + 1) * (4 + 0 + 1 + 4), rel=1e-14)


def test_the_universal_threshold_costs_its_square_in_every_coordinate_of_a_dense_vector():
    truth, rng = np.full(64, 50.0), np.random.default_rng(4)
    noisy = truth + rng.normal(size=(4000, 64))
    error = np.sum((universal_soft(noisy, 1).value - truth) ** 2, axis=-1)
    assert standard_errors(error - 64 * (1 + 2 * np.log(64))) < 4


def test_the_universal_threshold_leaves_the_stated_noise():
    dimension = np.array([2, 10, 64, 1e4, 1e9])
    with mpmath.workdps(30):
        left = [float(2 * d * mpmath.ncdf(-mpmath.sqrt(2 * mpmath.log(d)))) for d in dimension]
    assert np.all(np.array(left) <= 1 / np.sqrt(np.pi * np.log(dimension)))
    assert universal_threshold(3, 1) == 0


def test_the_threshold_chosen_has_the_least_sure_of_all_up_to_the_universal_one():
    rng = np.random.default_rng(5)
    truth = np.where(rng.random((40, 30)) < 0.3, 4.0, 0)
    noisy = truth + 2 * rng.normal(size=(40, 30))
    noisy[0] = 3.0
    noisy[1] = np.round(noisy[1]) + 0.5  # ties
    noisy[2] = 1000.0
    noisy[3, ::2] = -noisy[3, 1::2]
    noisy[4] = 2 * np.sqrt(1.94 * np.cumsum(1 / np.arange(30, 0, -1)))  # each more made 0 gains, up to the limit
    estimate, top = sureshrink(noisy, 2), universal_threshold(2, 30)
    assert np.all((estimate.tuning >= 0) & (estimate.tuning <= top))
    fine = np.linspace(0, top, 3001)
    for release, tuning, sure in zip(noisy, estimate.tuning, estimate.sure, strict=True):
        of_grid = soft_threshold(np.broadcast_to(release, (3001, 30)), 2, fine).sure
        near = [soft_threshold(release, 2, t).sure for t in np.abs(release) if t <= top]
        assert sure <= of_grid.min() + 1e-9
        assert sure == pytest.approx(min(of_grid[0], *near, np.inf), rel=1e-12, abs=1e-9)
        assert soft_threshold(release, 2, tuning).sure == pytest.approx(sure, rel=1e-12, abs=1e-9)
    assert estimate.tuning[2] == 0
    assert soft_threshold(noisy[4], 2, np.abs(noisy[4]).max()).sure < estimate.sure[4]


def test_a_sigma_for_each_release_chooses_the_threshold_that_it_chooses_alone():
    rng = np.random.default_rng(6)
    noisy, sigma = 3 * rng.normal(size=(2, 3, 7)), np.array([0.5, 1.0, 4.0])
    estimate = sureshrink(noisy, sigma)
    for i in np.ndindex(2, 3):
        alone = sureshrink(noisy[i], sigma[i[1]])
        assert estimate.value[i] == pytest.approx(alone.value, rel=1e-12)
        assert (estimate.tuning[i], estimate.sure[i]) == pytest.approx((alone.tuning, alone.sure), rel=1e-12)


@pytest.mark.parametrize(("dimension", "optimism"), [(10, 2.77), (100, 6.14), (1000, 10.6)])
def test_sure_at_its_own_threshold_is_optimistic_by_the_stated_amount(dimension, optimism):
    noisy = 3 * np.random.default_rng(7).normal(size=(1_000_000 // dimension, dimension))
    estimate = sureshrink(noisy, 3)
    excess = (np.sum(estimate.value**2, axis=-1) - estimate.sure) / 3**2
    assert standard_errors(excess - optimism) < 4
    assert excess.mean() > 0.5 * optimism


def test_sure_leaves_the_release_of_a_dense_vector_unchanged():
    noisy = 100 + np.random.default_rng(8).normal(size=(50, 20))
    estimate = sureshrink(noisy, 1)
    assert np.all(estimate.value == noisy)
    assert np.all(estimate.sure == 20)


def test_threshold_0_leaves_the_release_unchanged_and_counts_no_new_zeros():
    estimate = soft_threshold([[0.0, -2.0, 3.0]], 2, 0)
    assert estimate.value.tolist() == [[0.0, -2.0, 3.0]]
    assert estimate.sure.tolist() == [12.0]
    chosen = sureshrink(np.zeros(4), 1)
    assert (chosen.tuning, chosen.sure, chosen.value.tolist()) == (0, 4, [0, 0, 0, 0])
    assert sureshrink([0.0, 0.0, 0.0, 1.5, 5.0], 1).tuning == 1.5


def test_answers_are_finite_at_the_ends_of_the_domain():
    noisy = np.array([0, 1e-100, -1e-100, 1e100, -1e100, 1e-50])
    for sigma in (1e-50, 1e100):
        for estimate in (soft_threshold(noisy, sigma, 1e100), universal_soft(noisy, sigma), sureshrink(noisy, sigma)):
            assert np.all(np.isfinite(estimate.value))
            assert np.isfinite(estimate.sure)
        risk = soft_threshold_risk(noisy[:, None], sigma, [0, 1e-100, 1e100])
        assert np.all((risk >= 0) & (risk < np.inf))
        assert np.isfinite(soft_threshold_bound(noisy, sigma))


def test_a_release_of_a_million_numbers_needs_less_than_100_megabytes():
    noisy = np.random.default_rng(9).normal(size=1_000_000)
    tracemalloc.start()
    try:
        sureshrink(noisy, 1)
        assert tracemalloc.get_traced_memory()[1] < 100e6
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: soft_threshold([1.0], 1, -1), "threshold must be in [0, 1e100], got -1"),
        (
            lambda: soft_threshold([1.0, 2.0], 1, [1, 2]),
            "threshold must be one number or an array that broadcasts to the shape () of the releases, got shape (2,)",
        ),
        (lambda: universal_threshold(1, 0), "dimension must be in [1, 1e9], got 0"),
        (lambda: universal_soft([], 1), "dimension must be in [1, 1e9], got 0"),
        (lambda: sureshrink(["a"], 1), "noisy must be in [-1e100, 1e100], got ['a']"),
        (lambda: sureshrink([1.0], np.inf), "sigma must be in [1e-50, 1e100], got inf"),
        (lambda: soft_threshold_risk(np.nan, 1, 1), "mean must be in [-1e100, 1e100], got nan"),
        (lambda: soft_threshold_risk(1, 1, -2), "threshold must be in [0, 1e100], got -2"),
        (lambda: soft_threshold_bound(3.0, 1), "dimension must be in [1, 1e9], got 0"),
        (
            lambda: soft_threshold_bound([3.0, 1.0], [1, 2]),
            "sigma must be one number or an array that broadcasts to the shape () of the releases, got shape (2,)",
        ),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        call()
