import re
import tracemalloc

import mpmath
import numpy as np
import pytest
from scipy.optimize import brentq

from dpcore.denoise import non_negative, non_negative_risk, with_total
from tests.statistics_of_samples import standard_errors

TRUTHS = {
    "zero": np.zeros(8),
    "sparse": np.array([12.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    "dense": np.linspace(1, 7, 8),
}


@pytest.mark.parametrize("truth", TRUTHS.values(), ids=TRUTHS)
def test_sure_is_the_true_error_on_average_with_a_sigma_for_each_release(truth):
    rng = np.random.default_rng(1)
    sigma = np.array([[0.5], [2.0], [5.0]])
    noisy = truth + sigma[..., None] * rng.normal(size=(3, 20_000, truth.size))
    totals = {"a public one": truth.sum(), "a wrong one": truth.sum() + 3, "its own": None}
    for estimate in (non_negative(noisy, sigma), *(with_total(noisy, sigma, total) for total in totals.values())):
        assert estimate.value.shape == noisy.shape
        assert estimate.sure.shape == (3, 20_000)
        assert np.all(np.isnan(estimate.tuning))
        for excess in estimate.sure - np.sum((estimate.value - truth) ** 2, axis=-1):
            assert standard_errors(excess) < 4 or np.all(np.abs(excess) < 1e-9)


def test_a_projection_onto_a_set_with_the_truth_never_increases_the_distance_to_it():
    rng = np.random.default_rng(2)
    for truth in TRUTHS.values():
        noisy = truth + 3 * rng.normal(size=(5000, truth.size))
        released = np.sum((noisy - truth) ** 2, axis=-1)
        for estimate in (non_negative(noisy, 3), with_total(noisy, 3, truth.sum())):
            assert np.all(np.sum((estimate.value - truth) ** 2, axis=-1) <= released * (1 + 1e-12))


def test_the_releases_own_total_makes_a_single_release_worse_where_noise_lowered_it():
    truth, noisy = np.array([0.0, 10.0]), np.array([-5.0, 9.0])
    estimate = with_total(noisy, 1)
    assert estimate.value.tolist() == [0, 4]
    assert np.sum((estimate.value - truth) ** 2) > np.sum((noisy - truth) ** 2)


def test_the_projection_adds_up_to_the_total_and_is_the_one_shift_that_does():
    rng = np.random.default_rng(3)
    noisy = rng.normal(size=(60, 9)) * 10 ** rng.uniform(-2, 4, size=(60, 1))
    noisy[0] = 3.0
    noisy[1] = np.round(noisy[1])
    total = 10 ** rng.uniform(-3, 4, size=60)
    estimate = with_total(noisy, 1, total)
    assert estimate.value.sum(axis=-1) == pytest.approx(total, rel=1e-9)
    for release, value, sum_ in zip(noisy, estimate.value, total, strict=True):
        low, high = release.min() - sum_, release.max()
        shift = brentq(lambda t, r=release, s=sum_: np.maximum(r - t, 0).sum() - s, low, high, xtol=1e-13)
        assert value == pytest.approx(np.maximum(release - shift, 0), abs=1e-9 * np.abs(release).max())


def test_the_projection_is_the_nearest_point_of_the_set():
    rng = np.random.default_rng(4)
    noisy = 4 * rng.normal(size=6)
    nearest = with_total(noisy, 1, 5).value
    others = 5 * rng.dirichlet(np.full(6, 0.5), size=20_000)
    assert np.all(np.sum((others - noisy) ** 2, axis=-1) >= np.sum((nearest - noisy) ** 2))
    assert np.all((others - nearest) @ (noisy - nearest) <= 1e-12)


def test_the_divergence_is_the_number_left_above_0_less_one_for_a_given_total():
    noisy, step = np.array([5.0, -3.0, 1.0, 2.5, 0.2]), 1e-6
    for total, expected in ((None, 3), (12.0, 4 - 1), (1.0, 1 - 1), (0.0, 0)):
        shifts = [with_total(noisy + step * e, 1, total).value - with_total(noisy, 1, total).value for e in np.eye(5)]
        divergence = np.trace(shifts) / step
        assert divergence == pytest.approx(expected, abs=1e-6)
        estimate = with_total(noisy, 2, total)
        moved = np.sum((estimate.value - noisy) ** 2)
        assert estimate.sure == pytest.approx(-5 * 4 + moved + 2 * 4 * divergence, abs=1e-4)


def test_the_total_of_the_release_is_preserved_and_a_negative_total_gives_zeros():
    noisy = np.array([[4.0, -1.0, 0.5], [-4.0, 1.0, 0.5], [1.0, 2.0, 3.0]])
    estimate = with_total(noisy, 1)
    assert estimate.value == pytest.approx(np.array([[3.5, 0, 0], [0, 0, 0], [1, 2, 3]]), abs=1e-12)
    assert estimate.sure == pytest.approx([-3 + 1.5 + 2, -3 + 17.25, 3], abs=1e-12)
    assert np.all(with_total(noisy, 1, 0).value == 0)


def test_a_total_and_a_sigma_for_each_release_do_what_they_do_alone():
    rng = np.random.default_rng(5)
    noisy, sigma, total = 3 * rng.normal(size=(2, 3, 7)), np.array([0.5, 1.0, 4.0]), np.array([[2.0], [9.0]])
    for estimate, totals in ((with_total(noisy, sigma, total), total), (with_total(noisy, sigma), None)):
        for i in np.ndindex(2, 3):
            alone = with_total(noisy[i], sigma[i[1]], None if totals is None else totals[i[0], 0])
            assert estimate.value[i] == pytest.approx(alone.value, abs=1e-12)
            assert estimate.sure[i] == pytest.approx(alone.sure, abs=1e-9)


def test_non_negative_counts_have_the_stated_upward_bias():
    noisy = 2 * np.random.default_rng(6).normal(size=200_000)
    excess = non_negative(noisy, 2).value - 2 / np.sqrt(2 * np.pi)
    assert standard_errors(excess) < 4


@pytest.mark.parametrize("mean", [-30.0, -2.0, -1e-3, 0.0, 1e-9, 0.3, 2.0, 8.0, 30.0])
def test_the_risk_of_non_negative_is_its_definition_by_quadrature(mean):
    with mpmath.workdps(30):
        mu = mpmath.mpf(mean)
        points = sorted({max(-mu, mpmath.mpf(-14)), mpmath.mpf(0), mpmath.mpf(14)} | {max(-mu, 0) + 14})
        above = mpmath.quad(lambda z: z * z * mpmath.npdf(z), [p for p in points if p >= max(-mu, -14)])
        true = mu**2 * mpmath.ncdf(-mu) + above
    assert non_negative_risk(mean, 1) == pytest.approx(float(true), rel=1e-13)
    assert non_negative_risk(mean * 1e30, 1e30) == pytest.approx(float(true) * 1e60, rel=1e-13)


def test_the_mean_error_over_many_releases_agrees_with_the_sum_of_the_risks():
    rng = np.random.default_rng(7)
    for truth in TRUTHS.values():
        noisy = truth + 3 * rng.normal(size=(50_000, truth.size))
        error = np.sum((non_negative(noisy, 3).value - truth) ** 2, axis=-1)
        assert standard_errors(error - np.sum(non_negative_risk(truth, 3))) < 4


def test_for_counts_the_risk_grows_from_half_the_releases_to_all_of_it():
    risk = non_negative_risk(np.linspace(0, 10, 1000), 3)
    assert risk[0] == pytest.approx(4.5, rel=1e-15)
    assert np.all(np.diff(risk) >= -1e-14)
    assert np.all(risk <= 9)


def test_answers_are_finite_at_the_ends_of_the_domain():
    noisy = np.array([[0, 1e-100, -1e-100, 1e100, -1e100], [1e-50, 1, -1, 0, 0], [1e100] * 5])
    for sigma in (1e-50, 1e100):
        for estimate in (
            non_negative(noisy, sigma),
            *(with_total(noisy, sigma, t) for t in (None, 0, 1e-100, 3, 1e100)),
        ):
            assert np.all(np.isfinite(estimate.value))
            assert np.all(estimate.value >= 0)
            assert np.all(np.isfinite(estimate.sure))
        assert np.all(np.isfinite(non_negative_risk(noisy, sigma)))
    assert with_total(noisy[0], 1, 3).value.tolist() == [0, 0, 0, 3, 0]


def test_a_release_of_a_million_numbers_needs_less_than_100_megabytes():
    noisy = np.random.default_rng(8).normal(size=1_000_000)
    tracemalloc.start()
    try:
        with_total(noisy, 1, 1000)
        assert tracemalloc.get_traced_memory()[1] < 100e6
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: non_negative([], 1), "dimension must be in [1, 1e9], got 0"),
        (lambda: non_negative([1e101], 1), "noisy must be in [-1e100, 1e100], got 1e+101"),
        (lambda: with_total([1.0], 1, -1), "total must be in [0, 1e100], got -1"),
        (
            lambda: with_total([1.0, 2.0], 1, [1, 2]),
            "total must be one number or an array that broadcasts to the shape () of the releases, got shape (2,)",
        ),
        (lambda: with_total([1.0], -1), "sigma must be in [1e-50, 1e100], got -1"),
        (lambda: non_negative_risk(np.nan, 1), "mean must be in [-1e100, 1e100], got nan"),
        (lambda: non_negative_risk(1, 0), "sigma must be in [1e-50, 1e100], got 0"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        call()
