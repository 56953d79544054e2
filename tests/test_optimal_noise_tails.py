"""The least half-width and the least tail of any noise, against linear programs and against noise that exists."""

import re

import numpy as np
import pytest

from dpcore import gaussian, laplace, truncated_geometric, truncated_laplace
from dpcore.optimal_noise import least_half_width, least_tail
from dpcore.optimal_noise._program import pmf_delta, solve


@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, 0.2), (0.5, 0.05), (1.0, 0.01), (2.0, 0.001)])
def test_the_least_tail_at_whole_numbers_is_the_optimum_of_the_linear_program(epsilon, delta):
    reach = int(truncated_geometric.bound_from_epsilon(epsilon, delta)) + 5
    for t in range(4):
        best = solve(epsilon, delta, 1, reach, lambda k, t=t: (k > t).astype(np.float64))
        assert best is not None
        share = 2 * np.sum(best.pmf[t + 1 :])
        assert float(least_tail(t, epsilon, delta)) == pytest.approx(share, rel=1e-7, abs=1e-12)
        assert best.bound.at(delta) == pytest.approx(share, rel=1e-5, abs=1e-9)


def test_no_noise_is_below_the_least_half_width_or_the_least_tail():
    rng = np.random.default_rng(1)
    epsilon, delta = 10 ** rng.uniform(-8, 2, 500), 10 ** rng.uniform(-12, -0.31, 500)
    alpha, sensitivity = 10 ** rng.uniform(-6, -0.1, 500), 10 ** rng.uniform(-3, 3, 500)
    bound = truncated_laplace.bound_from_epsilon(epsilon, delta, sensitivity)
    noise = bound, truncated_laplace.scale_from_epsilon(epsilon, sensitivity)
    lower = least_half_width(alpha, epsilon, delta, sensitivity)
    assert np.all(lower <= truncated_laplace.half_width(alpha, *noise))
    assert np.all(lower <= laplace.half_width(alpha, sensitivity / epsilon))
    assert np.all(lower <= gaussian.half_width(alpha, gaussian.analytic_sigma(epsilon, delta, sensitivity)))
    t = bound * rng.uniform(0, 1.2, 500)
    assert np.all(least_tail(t, epsilon, delta, sensitivity) <= truncated_laplace.tail(t, *noise))


def test_the_half_width_of_truncated_geometric_noise_on_whole_numbers_is_the_least():
    for epsilon, delta in ((0.1, 0.01), (1.0, 1e-6), (0.5, 0.05)):
        bound, scale = truncated_geometric.bound_from_epsilon(epsilon, delta), 1 / epsilon
        for alpha in (0.3, 0.05, 1e-3):
            least = truncated_geometric.half_width(alpha, bound, scale)
            assert np.ceil(least_half_width(alpha, epsilon, delta)) >= least - 1


def test_the_least_half_width_is_where_the_least_tail_falls_to_the_significance():
    rng = np.random.default_rng(2)
    epsilon, delta, alpha = 10 ** rng.uniform(-6, 1, 300), 10 ** rng.uniform(-9, -1, 300), rng.uniform(1e-4, 0.9, 300)
    half_width = least_half_width(alpha, epsilon, delta, 3.0)
    below = np.where(half_width > 0, half_width - 1, 0)
    assert np.all((half_width == 0) | (least_tail(below, epsilon, delta, 3.0) > alpha * (1 - 1e-9)))
    assert np.all(least_tail(half_width + 1, epsilon, delta, 3.0) <= alpha * (1 + 1e-9))


def test_the_least_half_width_is_finite_at_the_ends_of_its_domain():
    epsilon, delta = np.meshgrid([0, 1e-300, 1e-9, 1, 800, 1e6], [1e-300, 1e-9, 0.5, 0.999])
    for alpha in (1e-300, 0.05, 0.999):
        assert np.all(np.isfinite(least_half_width(alpha, epsilon, delta, 1e3)))
        assert np.all(least_tail(alpha, epsilon, delta) <= 1)
    assert least_tail(1e150, 0.0, 1e-9, 1e-100) == 0
    assert least_half_width(0.05, 1e6, 0.1) == 0


def test_noise_has_its_delta_by_brute_force():
    pmf = truncated_geometric.pmf(np.arange(9), 8, 3.0)
    whole = np.append(pmf[:0:-1], pmf)
    for moves, delta in enumerate(pmf_delta(pmf, 0.7, 3), start=1):
        own, other = np.append(whole, np.zeros(moves)), np.append(np.zeros(moves), whole)
        assert delta == pytest.approx(np.sum(np.maximum(own - np.exp(0.7) * other, 0)), rel=1e-12)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: least_half_width(0.05, 1, 0), "delta must be in [1e-300, 1), got 0"),
        (lambda: least_half_width(0, 1, 0.1), "significance must be in [1e-300, 1), got 0"),
        (lambda: least_tail(-1, 1, 0.1), "t must be in [0, 1e150], got -1"),
        (lambda: least_tail(1, -1, 0.1), "epsilon must be in [0, 1e6], got -1"),
    ],
)
def test_bad_input_is_refused(call, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        call()
