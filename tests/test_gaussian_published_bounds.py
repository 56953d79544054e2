"""The σ of published closed forms, the δ for which they are solved, and the lower bound."""

import mpmath
import numpy as np
import pytest
from flint import arb, ctx, fmpq

from dpcore.gaussian import (
    analytic_sigma,
    classical_delta,
    classical_sigma,
    classical_tight_sigma,
    lower_bound_sigma,
    pdp_delta,
    pdp_sigma,
)
from dpcore.verify import formulas
from tests import oracle
from tests.gaussian_cases import EDGES, larger_tail_twice, sigma_excesses
from tests.oracle import GREATEST_DELTA, ULP

# Closed forms


def classical_in_arb(epsilon: float, delta: float, constant: arb) -> arb:
    return (2 * (constant / arb(delta)).log()).sqrt() / arb(epsilon)


@pytest.mark.parametrize("tight", [False, True])
def test_classical_sigmas_are_their_formulas_rounded_up(tight):
    epsilon, delta = oracle.random_pairs(1000, seed=11)
    epsilon, delta = np.append(epsilon, EDGES[0]), np.append(delta, EDGES[1])
    sigma = (classical_tight_sigma if tight else classical_sigma)(epsilon, delta)
    with ctx.workprec(200):
        constant = (2 * arb(fmpq(8, 9)).exp() / arb.pi()).sqrt() if tight else arb(1.25)
        true = [classical_in_arb(*pair, constant) for pair in zip(epsilon, delta, strict=True)]
    excess = [oracle.relative_excess(*pair) for pair in zip(sigma, true, strict=True)]
    assert min(excess) >= 0
    assert max(excess) <= 18 * ULP


def larger_tail_twice_slope(epsilon: arb, mu: arb) -> arb:
    return 2 * oracle.density(epsilon / mu - mu / 2) * (epsilon / mu + mu / 2)


def test_pdp_sigma_makes_twice_the_larger_tail_of_the_loss_equal_to_delta_rounded_up():
    epsilon, delta = oracle.random_pairs(1000, seed=12)
    epsilon, delta = np.append(epsilon, EDGES[0]), np.append(delta, EDGES[1])
    excess = sigma_excesses(larger_tail_twice, larger_tail_twice_slope, epsilon, delta, pdp_sigma(epsilon, delta))
    assert min(excess) >= 0
    assert max(excess) <= 18 * ULP


def test_pdp_sigma_is_proposition_11_of_liu():
    for epsilon, delta in ((0.1, 1e-6), (1, 0.05), (20, 0.3), (3, 0.8)):
        with mpmath.workprec(200):
            q = mpmath.sqrt(2) * mpmath.erfinv(1 - mpmath.mpf(delta))
            true = (mpmath.sqrt(q**2 + 2 * mpmath.mpf(epsilon)) + q) / (2 * mpmath.mpf(epsilon))
            assert 0 <= pdp_sigma(epsilon, delta) / true - 1 <= 18 * ULP


# Lower bound


def true_limit_of_lower_bound(epsilon: float) -> arb:
    """½ − e^ε Φ(−√(2ε)), from the definition."""
    precision = 256 + int(max(0, -2 * np.log2(epsilon)))
    with ctx.workprec(precision):
        e = arb(float(epsilon))
        return arb(0.5) - e.exp() * formulas.upper_tail((2 * e).sqrt())


def test_lower_bound_is_sensitivity_over_root_two_epsilon_where_it_holds_and_0_elsewhere():
    epsilon, _ = oracle.random_pairs(3000, seed=26)
    rng = np.random.default_rng(27)
    limit = [true_limit_of_lower_bound(e) for e in epsilon]
    delta = np.clip(np.array([float(x) for x in limit]) * rng.choice([0.3, 1 - 1e-13, 1 + 1e-13, 1.5], 3000), 1e-300, 1)
    delta = np.minimum(delta, GREATEST_DELTA)
    sensitivity = 10 ** rng.uniform(-5, 5, 3000)
    sigma = lower_bound_sigma(epsilon, delta, sensitivity)
    holds = np.array([arb(float(d)) <= x for d, x in zip(delta, limit, strict=True)])
    assert 0.2 < holds.mean() < 0.8
    assert np.all(sigma[~holds] == 0)
    assert sigma[holds] == pytest.approx((sensitivity / np.sqrt(2 * epsilon))[holds], rel=1e-14, abs=0)
    for s, e, d in zip(sigma[holds], epsilon[holds], sensitivity[holds], strict=True):
        with ctx.workprec(4000):
            assert arb(s) ** 2 * 2 * arb(e) <= arb(d) ** 2


def test_lower_bound_is_never_above_the_true_sigma_just_inside_its_condition():
    epsilon, _ = oracle.random_pairs(600, seed=28)
    limit = np.array([float(true_limit_of_lower_bound(e)) for e in epsilon])
    for n_ulps in (-6, -2, -1, 0, 1, 2, 6):
        delta = np.clip(limit * (1 + n_ulps * ULP), 1e-300, 0.5)
        bound = lower_bound_sigma(epsilon, delta)
        has_bound = bound > 0
        for e, s, d in zip(epsilon[has_bound], bound[has_bound], delta[has_bound], strict=True):
            assert oracle.interval(formulas.gaussian, e, s) >= arb(float(d))


def test_printed_condition_of_the_lower_bound_admits_a_case_that_refutes_it():
    printed_limit = 0.5 - np.exp(-3) / np.sqrt(4 * np.pi)
    assert printed_limit > 0.4
    assert analytic_sigma(1, 0.4) < 0.6 < 1 / np.sqrt(2)
    assert oracle.mpmath_delta(1, 0.6) < 0.4
    assert lower_bound_sigma(1, 0.4) == 0


# δ of the closed forms


def true_classical(epsilon: arb, mu: arb) -> arb:
    return arb(5) / 4 * (-((epsilon / mu) ** 2) / 2).exp()


FORMULAS = pytest.mark.parametrize(
    ("delta_of", "true_of", "sigma_of"),
    [(pdp_delta, larger_tail_twice, pdp_sigma), (classical_delta, true_classical, classical_sigma)],
)


@FORMULAS
def test_delta_of_a_formula_is_never_below_the_true_value_and_close_to_it(delta_of, true_of, sigma_of):
    epsilon, delta = oracle.random_pairs(2000, seed=7)
    epsilon = np.maximum(epsilon, 1e-280)  # so that σ fits a double
    sensitivity = 10 ** np.random.default_rng(8).uniform(-9, 9, 2000)
    sigma = sigma_of(epsilon, delta, sensitivity)
    computed_delta = delta_of(epsilon, sigma, sensitivity)
    for e, s, size, value in zip(epsilon, sigma, sensitivity, computed_delta, strict=True):
        true = oracle.interval(true_of, e, s, size)
        assert oracle.is_at_least(value, true)
        square = (e * (s / size)) ** 2 if delta_of is classical_delta else 2
        with ctx.workprec(256):
            assert value == 1 or oracle.relative_excess(value, true) <= (14 + 4 * square) * ULP


@FORMULAS
def test_delta_of_a_formula_inverts_its_sigma_and_is_1_where_the_formula_requires_more(delta_of, true_of, sigma_of):
    epsilon, delta = np.array([[0.01], [0.5], [3]]), np.array([1e-200, 1e-6, 0.3])
    assert delta_of(epsilon, sigma_of(epsilon, delta, 7), 7) == pytest.approx(np.tile(delta, (3, 1)), rel=1e-10, abs=0)
    assert delta_of(0.1, 1e-3) == 1
    assert true_of(arb("0.1"), arb(1000)) > 1


@FORMULAS
def test_the_corners_of_the_domain_give_a_probability(delta_of, true_of, sigma_of):
    epsilon = np.array([0, 1e-300, 1, 1e6])[:, None, None]
    sigma = np.array([5e-324, 1e-150, 1, 1e150, 1.7e308])[:, None]
    delta = delta_of(epsilon, sigma, np.array([1e-300, 1, 1.7e308]))
    assert np.all((delta > 0) & (delta <= 1))
    assert delta[0].tolist() == np.ones((5, 3)).tolist()
    assert true_of(arb(1), 1 / arb(10) ** 150) < sigma_of(1, 1e-300)
