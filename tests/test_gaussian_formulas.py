"""The δ of the published formulas: what `pdp_sigma` and `classical_sigma` are solved for."""

import numpy as np
import pytest
from flint import arb, ctx

from dpcore.gaussian import classical_delta, classical_sigma, pdp_delta, pdp_sigma
from tests import oracle
from tests.gaussian_cases import larger_tail_twice
from tests.oracle import ULP


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
