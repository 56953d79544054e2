"""The scale for several statistics against direct quadrature, simulation and the cases with a closed form."""

import re
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from mpmath import mpf
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import gamma

from dpcore.generalized_gaussian import convolution, pdp_scale, pdp_scale_disjoint, pdp_scale_monte_carlo, sf

PAPER = (1.0, 0.1, 0.05)


def loss(z, s, p):
    return (z + s) ** p - z**p


def distance(value, s, p):
    """Return the z at which the loss is `value`, or a z beyond all noise."""
    if loss(1e4, s, p) < value:
        return 1e4
    root = brentq(lambda z: loss(z, s, p) - value, 0, 1e4, xtol=1e-15)
    return float(np.asarray(root))


def two_statistics(epsilon, p, s, t):
    """Pr((|X| + s)^p − |X|^p + (|Y| + t)^p − |Y|^p > ε) for b = 1, by integration over X."""

    def other(x):
        left = epsilon - loss(x, s, p)
        if left <= t**p:
            return 1.0
        return 2 * sf(distance(left, t, p), 1.0, p)

    room = epsilon - t**p
    top = min(distance(room, s, p), 60 ** (1 / p))

    def integrand(x):
        return np.exp(-(x**p)) / gamma(1 + 1 / p) * other(x)

    points = np.append(np.linspace(0, top, 7), top - top * 10.0 ** -np.arange(2, 9, 2))
    points = np.unique(points)
    inner = sum(quad(integrand, a, b, epsrel=1e-8, epsabs=0)[0] for a, b in pairwise(points))
    return inner + 2 * sf(top, 1.0, p)


@pytest.mark.parametrize(
    ("epsilon", "delta", "p", "second"),
    [
        (1, 0.05, 2, 0.5),
        (0.01, 1e-6, 3, 1),
        (5, 0.3, 1.3, 0.1),
        (1, 1e-9, 7, 0.01),
        (30, 0.01, 1.1, 1),
        (1, 0.9, 3, 1e-3),
    ],
)
def test_scale_of_two_statistics_satisfies_its_guarantee_and_hardly_more_by_quadrature(epsilon, delta, p, second):
    scale = float(pdp_scale(epsilon, delta, p, [second, 1]))
    assert two_statistics(epsilon, p, 1 / scale, second / scale) <= delta
    less = scale * (1 - 1e-6)
    assert two_statistics(epsilon, p, 1 / less, second / less) >= delta


@pytest.mark.parametrize(
    ("p", "epsilon", "delta", "published"),
    [
        (2, 1, 0.05, 3.261),
        (2, 0.5, 0.01, 7.904),
        (3, 1, 0.05, 4.814),
        (3, 0.5, 0.01, 12.824),
        (4, 1, 0.05, 6.005),
        (4, 0.5, 0.01, 17.067),
    ],
)
def test_the_papers_three_statistics_give_the_monte_carlo_values(p, epsilon, delta, published):
    assert pdp_scale(epsilon, delta, p, PAPER) == pytest.approx(published, rel=3e-3)


def test_monte_carlo_agrees_within_its_standard_error():
    estimate = pdp_scale_monte_carlo(np.random.default_rng(1), 1, 0.05, 3, (2.0, 0.2, 0.1), 40_000)
    exact = pdp_scale(1, 0.05, 3, (2.0, 0.2, 0.1))
    assert abs(estimate.scale - exact) < 4 * estimate.standard_error
    assert 0.002 < estimate.standard_error / exact < 0.02


def test_standard_error_is_the_spread_of_repeated_simulations():
    rng = np.random.default_rng(2)
    runs = [pdp_scale_monte_carlo(rng, 1, 0.1, 2, (1, 0.5), 1000) for _ in range(30)]
    scales, errors = [run.scale for run in runs], [run.standard_error for run in runs]
    assert np.std(scales) == pytest.approx(np.mean(errors), rel=0.5)


def test_one_statistic_gives_the_disjoint_scale_and_zeros_do_not_count():
    alone = float(pdp_scale_disjoint(1, 0.05, 3, 2.0))
    assert pdp_scale(1, 0.05, 3, [2.0]) == pytest.approx(alone, rel=1e-13)
    assert pdp_scale(1, 0.05, 3, [0.0, 2.0, 0.0]) == pytest.approx(alone, rel=1e-13)
    assert pdp_scale(1, 0.05, 3, [1e-9, 2.0]) == pytest.approx(alone, rel=2e-6)


def test_p_1_is_laplace_and_p_near_1_tends_to_it():
    assert pdp_scale(0.5, 0.05, 1, PAPER) == pytest.approx(1.15 / 0.5, rel=1e-6)
    assert pdp_scale(0.5, 0.05, 1, PAPER) >= 2.3
    assert pdp_scale(0.5, 0.05, 1 + 1e-6, PAPER) == pytest.approx(2.3, rel=1e-4)


@pytest.mark.parametrize("excess", [1e-15, 1e-9, 1e-5, 1e-3])
def test_the_guarantee_of_three_statistics_near_p_1_holds_in_a_simulation_with_40_digits(excess):
    epsilon, delta, p = 0.1, 0.2, 1 + excess
    scale = float(pdp_scale(epsilon, delta, p, [1, 1, 1]))
    draws = np.random.default_rng(8).gamma(1 / p, size=(1000, 3)) ** (1 / p)
    with mpmath.workdps(40):
        power, shift = mpf(p), 1 / mpf(scale)
        losses = [sum((mpf(z) + shift) ** power - mpf(z) ** power for z in row) for row in draws.tolist()]
        broken = np.mean([loss > mpf(epsilon) for loss in losses])
    assert broken <= delta + 4 * np.sqrt(delta * (1 - delta) / 1000)
    assert 30 < scale * (1 + 1e-12) < 30 * (1 + 20 * excess) + 2e-5


@pytest.mark.parametrize("p", [1.0, 1 + 2.0**-52, 1 + 1e-12, 1 + 1e-9, 1.01, 1.7, 2, 9, 100])
@pytest.mark.parametrize("delta", [1e-300, 1e-6, 0.2, 0.999, 1 - 2.0**-53])
def test_the_enclosures_upper_end_satisfies_the_guarantee_by_its_inequality_in_40_digits(p, delta):
    share = np.array([1.0, 0.6, 1e-3])
    low, high = convolution._enclosure(np.array([0.1]), np.array([delta]), np.array([p]), share)
    assert low[0] <= high[0]
    with mpmath.workdps(40):
        power, scale = mpf(p), mpf(float(high[0]))
        norm = sum(mpf(s) ** power for s in share.tolist()) ** (1 / power) / scale
        start, end = mpf(10) ** -400, mpf(10) ** 6  # of ‖z‖, at which the bound of the loss is 0.1
        while end - start > start * mpf(10) ** -30:
            middle = (start * end) ** mpf(0.5) if end > 4 * start else (start + end) / 2
            if (middle + norm) ** power - middle**power < mpf(0.1):
                start = middle
            else:
                end = middle
        assert start > mpf(10) ** 5 or mpmath.gammainc(3 / power, start**power, regularized=True) <= mpf(delta)


PINNED = (
    # the noise's excess cancelled next to p = 1, and its inverse ran out of steps: a NaN
    (0.001, 0.001, 1.001, (1, 1, 1)),
    (1, 1e-6, 1.001, (1,) * 8),
    (1, 1e-6, 100, (1,) * 8),
    # sensitivities more than 1e300 apart
    (1, 0.1, 3, (1e200, 1e-200)),
    # where finer grids still change the tail's last digits: the enclosure
    (1, 1 - 1e-9, 2, (1, 1)),
    (1e-6, 1e-300, 1.5, np.linspace(0.1, 1, 64)),
)


@pytest.mark.parametrize(("epsilon", "delta", "p", "sensitivities"), PINNED)
def test_hard_guarantees_that_random_search_found_have_a_scale_within_the_enclosure(epsilon, delta, p, sensitivities):
    share = np.sort(np.asarray(sensitivities, float))[::-1] / np.max(sensitivities)
    low, high = convolution._enclosure(np.array([epsilon]), np.array([delta]), np.array([p]), share)
    scale = pdp_scale(epsilon, delta, p, sensitivities) / np.max(sensitivities)
    assert low[0] * (1 - 1e-8) <= scale <= high[0] * (1 + 1e-8)


def test_finer_grids_change_the_scale_within_its_margin(monkeypatch):
    cases = (
        (0.01, 1e-6, 1.05, np.ones(3)),
        (1, 0.3, 20, [1, 0.1, 0.01]),
        (1e3, 1e-9, 60, np.ones(4)),
        (5, 0.9, 3, [1, 1, 1]),
    )
    coarse = [pdp_scale(*case) for case in cases]
    monkeypatch.setattr(convolution, "n_nodes", lambda p: np.full(np.shape(p), 300))
    monkeypatch.setattr(convolution, "_NODES", convolution._endpoint_rule(110, 3.15)[0])
    monkeypatch.setattr(convolution, "_WEIGHTS", convolution._endpoint_rule(110, 3.15)[1])
    for case, scale in zip(cases, coarse, strict=True):
        assert scale == pytest.approx(pdp_scale(*case), rel=4e-7 if case[2] == 3 else 5e-6)


def test_the_cost_of_a_scale_is_bounded_by_its_grid():
    points = convolution._n_points(np.array([1e-6, 1e-14, 1e-300]), np.array([3.0, 1.5, 1.5]), 64)
    assert (points <= convolution.MOST_POINTS).tolist() == [True, True, False]
    assert (
        pdp_scale(1, 1e-300, 1.5, np.ones(64))
        == convolution._enclosure(np.ones(1), np.array([1e-300]), np.array([1.5]), np.ones(64))[1]
    )


def test_a_root_beside_a_plateau_is_found_within_its_bracket():
    for place in (0.01, 0.3, 0.97):
        root = convolution._root(lambda x, place=place: min(2.0, 50 * (place - x)), 0.0, 1.0, 50 * (place - 1))
        assert root == pytest.approx(place, abs=1e-8)


def test_twenty_four_equal_statistics_at_p_2_agree_with_simulation():
    estimate = pdp_scale_monte_carlo(np.random.default_rng(3), 1, 0.05, 2, np.ones(24), 1000)
    assert abs(estimate.scale - pdp_scale(1, 0.05, 2, np.ones(24))) < 4 * estimate.standard_error


def test_scale_grows_with_p_and_falls_with_epsilon_and_delta_on_a_grid():
    p = pdp_scale(1, 0.05, np.linspace(1.5, 6, 5), PAPER)
    epsilon = pdp_scale(np.geomspace(0.1, 10, 4), 0.05, 3, PAPER)
    delta = pdp_scale(1, np.geomspace(1e-6, 0.3, 4), 3, PAPER)
    assert np.all(np.diff(p) > 0)
    assert np.all(np.diff(epsilon) < 0)
    assert np.all(np.diff(delta) < 0)


def test_extremes_give_finite_scales_above_that_of_the_largest_statistic():
    for epsilon, delta, p in ((1e-6, 1e-100, 64), (1e6, 0.5, 2), (1, 1e-300, 3), (1, 1 - 1e-9, 5)):
        scale = pdp_scale(epsilon, delta, p, [1, 0.5])
        assert np.isfinite(scale)
        assert scale >= pdp_scale_disjoint(epsilon, delta, p)
    assert pdp_scale([[1], [2]], [0.1, 0.2], 3, [1e200, 1e199]).shape == (2, 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 0.1, 2, [1, 1]), "epsilon must be in [1e-6, 1e6], got 0"),
        ((1, 0.1, 2, [1, -1]), "sensitivities must be in [0, 1e280], got -1"),
        ((1, 0.1, 2, []), "sensitivities must be 1 to 64 numbers, got shape (0,)"),
        ((1, 0.1, 2, 1.0), "sensitivities must be 1 to 64 numbers, got shape ()"),
        ((1, 0.1, 2, [0, 0]), "the largest of sensitivities must be in [1e-300, 1e280], got 0"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(arguments, message):
    with pytest.raises(ValueError, match="^" + re.escape(message) + "$"):
        pdp_scale(*arguments)


def test_too_few_draws_for_delta_are_refused():
    with pytest.raises(ValueError, match=re.escape("delta must be in [0.01, 0.99], got 0.001")):
        pdp_scale_monte_carlo(np.random.default_rng(4), 1, 0.001, 2, [1, 1], 1000)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"epsilon": [1, 2]}, "epsilon must be one number in [1e-6, 1e6], got [1, 2]"),
        ({"p": "3"}, "p must be in [1, 100], got '3'"),
        ({"n": None}, "n must be in [1000, 5000000], got None"),
        ({"n": 1000.5}, "n must be in the whole numbers of [1000, 5000000], got 1000.5"),
        ({"rng": 4}, "rng must be a numpy.random.Generator, got 4"),
    ],
)
def test_simulation_refuses_bad_input_in_one_sentence(changed, message):
    arguments = {
        "epsilon": 1,
        "delta": 0.1,
        "p": 2,
        "sensitivities": [1, 1],
        "rng": np.random.default_rng(4),
        "n": 1000,
    }
    with pytest.raises(ValueError, match="^" + re.escape(message) + "$"):
        pdp_scale_monte_carlo(**(arguments | changed))
