"""The trade-off curves of truncated noise, against tests of their likelihood ratio."""

import re

import mpmath
import numpy as np
import pytest

from dpcore import truncated_geometric, truncated_laplace
from dpcore.tradeoff import epsilon_delta_curve, laplace_curve, truncated_geometric_curve, truncated_laplace_curve


def best_tests(own, other):
    """α and β of the tests that reject where the ratio is largest, one for each number of cells."""
    with np.errstate(divide="ignore", invalid="ignore"):
        order = np.argsort(np.where(own > 0, other / own, np.inf))[::-1]
    return np.append(0, np.cumsum(own[order])), 1 - np.append(0, np.cumsum(other[order]))


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.1), (0.0, 0.2), (0.3, 0.01), (4.0, 0.4), (1.0, 0.5)])
def test_the_curve_of_truncated_laplace_noise_is_that_of_its_best_tests(epsilon, delta):
    bound, scale = truncated_laplace.bound_from_epsilon(epsilon, delta), truncated_laplace.scale_from_epsilon(epsilon)
    edges = np.unique(np.append(np.linspace(-bound, bound + 1, 20_001), [1 - float(bound), 0, 1, float(bound)]))
    own, other = (np.diff(truncated_laplace.cdf(edges - move, bound, scale)) for move in (0, 1))
    alpha, beta = best_tests(own, other)
    curve = truncated_laplace_curve(epsilon, delta)
    at = np.append(np.linspace(0, 1, 101), [1e-9, 1e-3, 0.999])
    assert curve(at) == pytest.approx(np.interp(at, alpha, beta), abs=1e-4)
    assert curve.power(at) == pytest.approx(1 - curve(at), abs=1e-13)
    assert curve(0) == pytest.approx(1 - delta)
    assert curve.inverse() is curve
    assert curve(curve(0.2)) == pytest.approx(0.2, abs=1e-12)


def test_every_line_of_the_profile_touches_the_curve_of_truncated_laplace_noise():
    curve, alpha = truncated_laplace_curve(1.5, 0.05), np.linspace(0, 1, 2001)
    assert curve.delta is not None
    assert curve.epsilon is not None
    for epsilon in (0.0, 0.4, 1.0, 1.5, 3.0):
        delta = float(curve.delta(np.asarray(epsilon)))
        gap = curve(alpha) - (1 - delta - np.exp(epsilon) * alpha)
        assert np.min(gap) == pytest.approx(0, abs=2e-4)
        assert np.min(gap) > -1e-12
    assert float(curve.epsilon(np.asarray(curve.delta(np.asarray(0.4))))) == pytest.approx(0.4)
    assert curve.epsilon(np.array([0.01, 0.05, 1.0])) == pytest.approx([np.inf, 1.5, 0])


def test_without_delta_it_is_laplace_noise_and_no_gaussian_lies_below_it():
    alpha = np.linspace(0, 1, 51)
    assert truncated_laplace_curve(2, 1e-12)(alpha) == pytest.approx(laplace_curve(2)(alpha), abs=1e-10)
    mu = truncated_laplace_curve(1, 0.01).find_mu()
    assert (mu.mu, mu.alpha) == (np.inf, 0)
    assert np.all(np.isfinite(truncated_laplace_curve(1000, 1e-300)(alpha)))


@pytest.mark.parametrize(("epsilon", "bound", "moves"), [(1.0, 4, 1), (1.0, 6, 3), (0.0, 5, 2), (3.0, 9, 4)])
def test_the_curve_of_truncated_geometric_noise_is_that_of_its_best_tests(epsilon, bound, moves):
    scale, k = truncated_geometric.scale_from_epsilon(epsilon, moves), np.arange(-bound, bound + moves + 1)
    own, other = (truncated_geometric.pmf(k - move, bound, scale) for move in (0, moves))
    alpha, beta = best_tests(own, other)
    curve, at = truncated_geometric_curve(epsilon, bound, moves), np.linspace(0, 1, 201)
    assert curve(at) == pytest.approx(np.interp(at, alpha, beta), abs=1e-9)


def test_truncated_geometric_noise_that_moves_by_1_is_the_worst_of_its_guarantee():
    delta = float(truncated_geometric.pmf(4, 4, 1.0))
    at = np.linspace(0, 1, 101)
    assert truncated_geometric_curve(1, 4)(at) == pytest.approx(epsilon_delta_curve(1, delta)(at), abs=1e-12)


@pytest.mark.parametrize("epsilon", [0.0, 1e-6, 0.01, 1.0, 5.0, 30.0, 600.0, 1000.0])
@pytest.mark.parametrize("delta", [1e-300, 1e-299, 1e-9, 0.01, 0.5])
def test_the_curve_of_truncated_laplace_noise_is_below_its_formula_for_every_delta(epsilon, delta):
    curve, alpha = truncated_laplace_curve(epsilon, delta), np.append(0, np.logspace(-300, 0, 31))
    with mpmath.workdps(700):
        growth, spread = mpmath.exp(epsilon), mpmath.mpf(delta)
        for at, beta, power in zip(alpha.tolist(), curve(alpha), curve.power(alpha), strict=True):
            if at * growth <= 0.5 - spread:
                true = 1 - spread - growth * at
            elif at >= 0.5:
                true = max((1 - spread - at) / growth, 0)
            elif epsilon == 0:
                true = 1 - spread - at
            else:
                g = spread / (growth - 1)
                true = (mpmath.mpf(0.5) + g) ** 2 / growth / (at + g) - g
            assert 0 <= beta <= true
            assert 1 >= power >= 1 - true
            assert beta == pytest.approx(float(true), rel=1e-12, abs=1e-13)


@pytest.mark.parametrize(
    ("bound", "text"), [([], "one number in [1, 1e6], got []"), (2.5, "in the whole numbers of [1, 1e6], got 2.5")]
)
def test_the_bound_of_a_curve_is_one_whole_number(bound, text):
    with pytest.raises(ValueError, match=f"^bound must be {re.escape(text)}$"):
        truncated_geometric_curve(1, bound)
