"""The mean of numbers that each person sends with noise of their own: variances as published, and by simulation."""

import numpy as np
import pytest

from dpcore import local

ONE_SIGMA = 0.31731050786291415


def piecewise_variance(x, epsilon):
    half = np.exp(epsilon / 2)
    return x**2 / (half - 1) + (half + 3) / (3 * (half - 1) ** 2)


def duchi_variance(x, epsilon):
    return ((np.exp(epsilon) + 1) / (np.exp(epsilon) - 1)) ** 2 - x**2


@pytest.mark.parametrize("epsilon", [0.2, 0.7, 1.5, 4.0])
def test_the_errors_are_those_of_the_published_variances_at_the_worst_number(epsilon):
    x = np.linspace(-1, 1, 201)
    taken = 1 - np.exp(-epsilon / 2)
    both = taken * piecewise_variance(x, epsilon) + (1 - taken) * duchi_variance(x, epsilon)
    worst = {
        "laplace": 8 / epsilon**2,
        "duchi": duchi_variance(x, epsilon).max(),
        "piecewise": piecewise_variance(x, epsilon).max(),
        "hybrid": min(both.max(), duchi_variance(x, epsilon).max()),
    }
    for method, variance in worst.items():
        size = local.mean_half_width(epsilon, 100, method, significance=ONE_SIGMA)
        assert size == pytest.approx(np.sqrt(variance / 100), rel=1e-9)
    assert local.mean_half_width(epsilon, 100, significance=ONE_SIGMA) == pytest.approx(
        np.sqrt(min(worst.values()) / 100), rel=1e-9
    )


def test_a_known_mean_bounds_the_worst_numbers():
    size = local.mean_half_width(1.0, 100, "duchi", 75, 0, 100, ONE_SIGMA)
    assert size == pytest.approx(50 * np.sqrt(duchi_variance(0.5, 1.0) / 100), rel=1e-9)
    ends = local.mean_half_width(1.0, 100, "piecewise", [0, 30], 0, 100, ONE_SIGMA)
    assert ends == pytest.approx(50 * np.sqrt(piecewise_variance(1, 1.0) / 100), rel=1e-9)
    low = local.mean_half_width([0.2, 3.0], 100, "hybrid", 100, 0, 100, ONE_SIGMA)
    assert low[0] == pytest.approx(50 * np.sqrt(duchi_variance(1, 0.2) / 100), rel=1e-9)
    assert low[1] == local.mean_half_width(3.0, 100, "hybrid", None, 0, 100, ONE_SIGMA)


@pytest.mark.parametrize("method", local.NUMBER_METHODS)
@pytest.mark.parametrize("epsilon", [0.4, 2.0])
def test_reports_have_their_number_as_expectation_and_the_variance_of_the_method(method, epsilon):
    rng, draws = np.random.default_rng(11), 200_000
    for x in (-1.0, 0.3, 1.0):
        reports = local.sample_numbers(rng, np.full(draws, 50 * (x + 1)), epsilon, method, 0, 100) / 50 - 1
        taken = 1 - np.exp(-epsilon / 2) if epsilon > 1 else 0.0
        variance = {
            "laplace": 8 / epsilon**2,
            "duchi": duchi_variance(x, epsilon),
            "piecewise": piecewise_variance(x, epsilon),
            "hybrid": taken * piecewise_variance(x, epsilon) + (1 - taken) * duchi_variance(x, epsilon),
        }[method]
        assert abs(reports.mean() - x) < 4.5 * np.sqrt(variance / draws)
        assert reports.var() == pytest.approx(variance, rel=0.03)


@pytest.mark.parametrize("method", ["duchi", "piecewise"])
def test_no_report_is_more_than_e_to_the_epsilon_as_probable_for_another_number(method):
    rng, epsilon, draws = np.random.default_rng(4), 1.0, 400_000
    ends = [local.sample_numbers(rng, np.full(draws, x), epsilon, method) for x in (-1.0, 1.0)]
    edges = np.linspace(min(end.min() for end in ends), max(end.max() for end in ends) + 1e-9, 12)
    counts = np.array([np.histogram(end, edges)[0] for end in ends], float)
    seen = counts.min(axis=0) > 1000
    assert seen.any()
    assert (counts[:, seen].max(axis=0) / counts[:, seen].min(axis=0)).max() < np.exp(epsilon) * 1.06


def test_the_least_number_of_people_is_enough_and_one_fewer_is_not():
    for method in (*local.NUMBER_METHODS, "best"):
        people = local.mean_least_people(2.0, [0.5, 2], method, None, 0, 100)
        assert (local.mean_half_width([0.5, 2], people, method, None, 0, 100) <= 2).all()
        assert (local.mean_half_width([0.5, 2], people - 1, method, None, 0, 100) > 2).all()
    assert local.mean_least_people(1e15, 1e6) == 1


def test_the_whole_domain_has_finite_answers():
    for method in (*local.NUMBER_METHODS, "best"):
        sizes = local.mean_half_width([1e-12, 1, 1e6], [[1], [1e12]], method, None, -1e15, 1e15, 1e-300)
        assert np.isfinite(sizes).all()
        assert np.isfinite(local.mean_least_people(1e-15, [1e-12, 1e6], method, None, -1e15, 1e15, 1e-300)).all()
        if method != "best":
            reports = [
                local.sample_numbers(np.random.default_rng(1), [-1.0, 0.0, 1.0], e, method) for e in (1e-12, 1e6)
            ]
            assert np.isfinite(reports).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: local.mean_half_width(1, 10, "median"), "method must be in"),
        (lambda: local.mean_half_width(1, 10, low=1, high=1), "high must be in the numbers above `low`, got 1"),
        (lambda: local.mean_half_width(1, 10, mean=2), r"mean must be in \[low, high\], got 2"),
        (lambda: local.mean_least_people(0, 1), r"half_width must be in \[1e-15, 1e15\], got 0"),
        (lambda: local.sample_numbers(np.random.default_rng(), [2], 1), r"values must be in \[-1.0, 1.0\], got 2"),
        (lambda: local.sample_numbers(np.random.default_rng(), [2], 1, low=3, high=2), "high must be in"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
