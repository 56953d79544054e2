import re
import tracemalloc

import mpmath
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import gammainc
from scipy.stats import chi2, ncx2

from dpcore.denoise import (
    james_stein,
    james_stein_risk,
    posterior_mean,
    posterior_mean_risk,
    unchanged,
)
from tests.statistics_of_samples import standard_errors

TRUTHS = {
    "zero": np.zeros(8),
    "sparse": np.array([9.0, -4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    "dense": np.linspace(2, 6, 8),
}
ESTIMATORS = {
    "unchanged": unchanged,
    "posterior mean": lambda noisy, sigma: posterior_mean(noisy, sigma, prior_sd=1.5),
    "James-Stein": lambda noisy, sigma: james_stein(noisy, sigma, positive_part=False),
    "positive part": james_stein,
}


def true_risk(dimension, norm, positive_part):
    """E‖fŷ − y‖² at σ = 1, over the density of r = ‖ŷ‖ and E[cos(ŷ, y) | r], a ratio of Bessel functions."""
    d, n = mpmath.mpf(dimension), mpmath.mpf(norm)
    order, centre = d / 2 - 1, mpmath.sqrt(d + n * n)

    def integrand(r):
        factor = 1 - (d - 2) / r**2
        density = r * mpmath.exp(order * mpmath.log(r / n) - (r * r + n * n) / 2)
        aligned = 2 * factor * r * n * mpmath.besseli(order + 1, r * n)
        return density * (factor**2 * r * r * mpmath.besseli(order, r * n) - aligned)

    least = max(np.sqrt(dimension - 2) if positive_part else 0.0, float(str(centre)) - 11)
    places = [least, *(centre + z for z in (-5, 0, 5, 11) if centre + z > least)]
    return n * n + mpmath.quad(integrand, places, method="gauss-legendre")


@pytest.mark.parametrize("positive_part", [True, False])
@pytest.mark.parametrize(("dimension", "norm"), [(3, 0.01), (3, 7), (20, 2.1), (1000, 8)])
def test_james_steins_risk_is_that_of_its_definition_by_quadrature(dimension, norm, positive_part):
    with mpmath.workdps(17):
        true = true_risk(dimension, norm, positive_part)
        assert abs(james_stein_risk(dimension, norm, 1.0, positive_part) / true - 1) < 1e-13


@pytest.mark.parametrize(("dimension", "mean"), [(1000, 100.0), (10_000, 300.0), (10_000, 400.0)])
def test_far_out_the_positive_part_still_saves_what_the_noncentral_chi_square_says(dimension, mean):
    def density(square):  # of ‖ŷ‖², with what Stein's estimate is lower by there
        return (square - 2 * dimension + (dimension - 2) ** 2 / square) * ncx2.pdf(square, dimension, 2 * mean)

    low = dimension + 2 * mean - 12 * np.sqrt(2 * dimension + 8 * mean)
    saved = -quad(density, max(low, 1), dimension - 2, epsabs=0, epsrel=1e-8)[0]
    plain, positive = (james_stein_risk(dimension, np.sqrt(2 * mean), 1, flag) for flag in (False, True))
    assert plain - positive == pytest.approx(saved, rel=1e-5)


@pytest.mark.parametrize("dimension", [3, 4, 10, 30, 100, 300, 1000])
def test_james_steins_mean_error_over_many_releases_agrees_with_its_risk(dimension):
    rng = np.random.default_rng(dimension)
    for share in (0, 0.3, 1, 5):  # of ‖y‖ in σ√d
        truth = rng.normal(size=dimension)
        truth *= share * 2 * np.sqrt(dimension) / np.linalg.norm(truth)
        noisy = truth + 2 * rng.normal(size=(200_000 // dimension, dimension))
        for positive_part in (True, False):
            error = np.sum((james_stein(noisy, 2, positive_part).value - truth) ** 2, axis=-1)
            risk = james_stein_risk(dimension, np.linalg.norm(truth), 2, positive_part)
            assert standard_errors(error - risk) < 4.5


@pytest.mark.parametrize("truth", TRUTHS.values(), ids=TRUTHS)
@pytest.mark.parametrize("estimator", ESTIMATORS.values(), ids=ESTIMATORS)
def test_sure_is_the_true_error_on_average_with_a_sigma_for_each_release(estimator, truth):
    rng = np.random.default_rng(1)
    sigma = np.repeat([0.5, 2.0, 3.0], 12_000).reshape(3, 12_000)
    noisy = truth + sigma[..., None] * rng.normal(size=(*sigma.shape, truth.size))
    estimate = estimator(noisy, sigma)
    error = np.sum((estimate.value - truth) ** 2, axis=-1)
    assert estimate.value.shape == noisy.shape
    assert estimate.sure.shape == estimate.tuning.shape == sigma.shape
    for excess in estimate.sure - error:
        assert standard_errors(excess) < 4


def test_releases_with_their_own_sigma_are_denoised_as_they_are_alone():
    rng = np.random.default_rng(2)
    noisy, sigma = 3 * rng.normal(size=(2, 3, 5)), np.array([0.5, 1.0, 4.0])
    for estimator in ESTIMATORS.values():
        estimate = estimator(noisy, sigma)
        for i in np.ndindex(2, 3):
            alone = estimator(noisy[i], sigma[i[1]])
            assert estimate.value[i] == pytest.approx(alone.value, rel=1e-12)
            assert estimate.sure[i] == pytest.approx(alone.sure, rel=1e-12, abs=1e-12)
            assert estimate.tuning[i] == pytest.approx(alone.tuning, rel=1e-12, nan_ok=True)


def test_the_risk_of_james_stein_at_the_origin_is_2_variances_and_less_with_positive_part():
    dimension = np.array([3, 4, 10, 1000, 1e6, 1e9])
    x = dimension / 2 - 1
    assert james_stein_risk(dimension, 0, 3, positive_part=False) == pytest.approx(18 + 0 * x, rel=1e-14)
    assert james_stein_risk(dimension, 0, 3) == pytest.approx(9 * (2 - 2 * gammainc(x + 1, x)), rel=1e-13)


def test_the_risk_grows_with_the_norm_up_to_the_releases_and_the_positive_part_never_costs():
    norm = np.concatenate([[0], np.geomspace(1e-3, 1e6, 300), [1e20, 1e100]])
    for dimension in (3, 4, 7, 50, 1e4, 1e6, 1e9):
        plain, positive = (james_stein_risk(dimension, norm, 1, flag) for flag in (False, True))
        assert np.all(np.diff(plain) >= -1e-13 * plain[1:])
        assert np.all(np.diff(positive) >= -1e-13 * positive[1:])
        assert np.all(positive <= plain)
        assert np.all(plain <= dimension)
        assert positive[0] < 0.9 * plain[0]
        assert plain[-1] == pytest.approx(dimension, rel=1e-14)


def test_the_risk_of_the_positive_part_is_continuous_where_the_poisson_sum_changes_steps():
    mean = 56.25 * (1 + np.array([-3e-9, -1e-9, 1e-9, 3e-9]))  # half of ‖y‖²: steps of 1 on the left, of 2 on the right
    for dimension in (40, 300, 2000):
        saved = np.subtract(*(james_stein_risk(dimension, np.sqrt(2 * mean), 1, flag) for flag in (False, True)))
        assert saved == pytest.approx(np.full(4, saved[0]), rel=1e-6, abs=1e-12 * dimension)


def bayes_risk(dimension: float, sigma: float, prior_sd: float) -> float:
    """Return the risk of the posterior mean on average over its prior, dσ²w²/(w² + σ²)."""
    return dimension * sigma**2 * prior_sd**2 / (prior_sd**2 + sigma**2)


@pytest.mark.parametrize("dimension", [3, 40, 1000])
@pytest.mark.parametrize("prior_sd", [0.1, 1.0, 7.0])
def test_james_steins_bayes_risk_is_its_risk_averaged_over_the_prior(dimension, prior_sd):
    share = (np.arange(1500) + 0.5) / 1500
    norm = prior_sd * np.sqrt(chi2.ppf(share, dimension))
    plain, positive = (james_stein_risk(dimension, norm, 2, flag).mean() for flag in (False, True))
    price = 1 + 2 * 2**2 / (dimension * prior_sd**2)
    assert plain == pytest.approx(price * bayes_risk(dimension, 2, prior_sd), rel=1e-3)
    assert positive <= plain


def test_the_posterior_means_risk_averages_to_the_bayes_risk_and_hurts_beyond_the_stated_norm():
    share = (np.arange(1500) + 0.5) / 1500
    norm = 1.5 * np.sqrt(chi2.ppf(share, 6))
    assert posterior_mean_risk(6, norm, 2, 1.5).mean() == pytest.approx(bayes_risk(6, 2, 1.5), rel=1e-3)
    edge = np.sqrt(6 * (2**2 + 2 * 1.5**2))
    assert posterior_mean_risk(6, edge, 2, 1.5) == pytest.approx(6 * 2**2, rel=1e-12)
    assert posterior_mean_risk(6, 1.01 * edge, 2, 1.5) > 6 * 2**2
    assert posterior_mean_risk(6, 3, 2, [0, 1e100]) == pytest.approx([9, 24], rel=1e-12)


def test_the_posterior_means_error_over_many_releases_agrees_with_its_risk():
    truth, rng = TRUTHS["sparse"], np.random.default_rng(3)
    noisy = truth + 2 * rng.normal(size=(50_000, truth.size))
    error = np.sum((posterior_mean(noisy, 2, 3).value - truth) ** 2, axis=-1)
    assert standard_errors(error - posterior_mean_risk(truth.size, np.linalg.norm(truth), 2, 3)) < 4


def test_james_stein_shrinks_by_the_factor_of_the_paper_and_reports_it():
    noisy = np.array([[3.0, 4.0, 0.0, 12.0], [0.1, 0.2, 0.3, 0.1]])
    factor = 1 - 2 * 4 / np.array([169, 0.15])
    plain, positive = james_stein(noisy, 2, positive_part=False), james_stein(noisy, 2)
    assert plain.tuning == pytest.approx(factor, rel=1e-12)
    assert plain.value == pytest.approx(factor[:, None] * noisy, rel=1e-12)
    assert positive.tuning == pytest.approx([factor[0], 0], rel=1e-12)
    assert np.all(positive.value[1] == 0)
    assert positive.sure[1] == pytest.approx(0.15 - 4 * 4, rel=1e-12)


def test_a_release_of_zeros_stays_zeros():
    for positive_part in (True, False):
        estimate = james_stein(np.zeros(5), 2, positive_part)
        assert np.all(estimate.value == 0)
        assert estimate.tuning == 0
        assert estimate.sure == -5 * 2**2


def test_unchanged_gives_a_copy():
    noisy = np.ones(3)
    estimate = unchanged(noisy, 1)
    noisy[0] = 7
    assert estimate.value.tolist() == [1, 1, 1]
    assert np.isnan(estimate.tuning)


def test_answers_are_finite_at_the_ends_of_the_domain():
    for size in (0, 1e-100, 1e-10, 1e100):
        for sigma in (1e-50, 1e100):
            for estimator in ESTIMATORS.values():
                estimate = estimator(np.full(4, size), sigma)
                assert np.all(np.isfinite(estimate.value))
                assert np.isfinite(estimate.sure)
            for positive_part in (True, False):
                risk = james_stein_risk([3, 1e9], size, sigma, positive_part)
                assert np.all((risk > 0) & (risk < np.inf))
            assert np.isfinite(posterior_mean_risk(1e9, size, sigma, [0, size])).all()


def test_the_risks_scale_with_the_unit_and_broadcast():
    dimension, norm = np.array([[3], [10]]), np.array([0.0, 2.0, 11.0])
    risks = james_stein_risk(dimension, norm, 1)
    assert risks.shape == (2, 3)
    assert james_stein_risk(dimension, 1e30 * norm, 1e30) == pytest.approx(1e60 * risks, rel=1e-12)
    assert james_stein_risk(10, 2.0, 1) == pytest.approx(risks[1, 1], rel=1e-14)


def test_a_release_of_a_million_numbers_needs_less_than_50_megabytes():
    noisy = np.random.default_rng(4).normal(size=1_000_000)
    tracemalloc.start()
    try:
        james_stein(noisy, 1)
        assert tracemalloc.get_traced_memory()[1] < 50e6
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: james_stein([1.0, 2.0], 1), "dimension must be in [3, 1e9], got 2"),
        (lambda: unchanged(3.0, 1), "dimension must be in [1, 1e9], got 0"),
        (lambda: unchanged(np.zeros((2, 0)), 1), "dimension must be in [1, 1e9], got 0"),
        (lambda: unchanged([1.0, np.nan], 1), "noisy must be in [-1e100, 1e100], got nan"),
        (lambda: unchanged([1.0], 0), "sigma must be in [1e-50, 1e100], got 0"),
        (
            lambda: unchanged([1.0, 2.0], [1, 2]),
            "sigma must be one number or an array that broadcasts to the shape () of the releases, got shape (2,)",
        ),
        (lambda: posterior_mean([1.0], 1, -1), "prior_sd must be in [0, 1e100], got -1"),
        (
            lambda: posterior_mean(np.zeros((3, 2)), 1, [1, 2]),
            "prior_sd must be one number or an array that broadcasts to the shape (3,) of the releases, got shape (2,)",
        ),
        (lambda: posterior_mean_risk(0, 1, 1, 1), "dimension must be in [1, 1e9], got 0"),
        (lambda: posterior_mean_risk(1, -1, 1, 1), "norm must be in [0, 1e100], got -1"),
        (lambda: posterior_mean_risk(1.5, 1, 1, 1), "dimension must be in the whole numbers of [1, 1e9], got 1.5"),
        (lambda: posterior_mean_risk(2, 1, 1, np.inf), "prior_sd must be in [0, 1e100], got inf"),
        (lambda: james_stein_risk(2, 1, 1), "dimension must be in [3, 1e9], got 2"),
        (lambda: james_stein_risk(3, 1, -1), "sigma must be in [1e-50, 1e100], got -1"),
        (lambda: james_stein_risk(3, np.nan, 1), "norm must be in [0, 1e100], got nan"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        call()
