"""The curves of DP-SGD and of other releases of sampled records."""

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution

from dpcore.composition import exact_delta, sampled_release
from dpcore.tradeoff import (
    gaussian_curve,
    smallest_delta,
    smallest_epsilon,
    smallest_mu,
    subsampled_gaussian_curve,
)


def test_dp_sgd_has_the_published_power():
    """Reference .1606 / .0483 / .0137 by simulation, which 10⁶ runs know to ± .0004 / .0002 / .0001 (one σ)."""
    curve = subsampled_gaussian_curve(0.5, 0.002, 10_000)
    power = curve.power(np.array([1e-2, 1e-3, 1e-4]))
    assert power == pytest.approx([0.1606, 0.0483, 0.0137], abs=5e-4)
    assert power == pytest.approx([0.16056, 0.04791, 0.01347], abs=2e-5)
    tiny = np.array([1e-12, 1e-8, 1e-5])
    assert np.all(curve(tiny) <= 1 - tiny)


def test_dp_sgd_is_the_truth_and_not_the_central_limit():
    curve = subsampled_gaussian_curve(1, 0.01, 1000)
    assert smallest_epsilon(curve, 1e-5) == pytest.approx(1.828237, rel=5e-5)  # the CLT says 1.618
    bound = smallest_mu(curve)
    assert bound.mu == np.inf
    assert bound.reason.startswith(
        "no finite μ can be proved: the error of the numerical composition leaves f(0) = 1 − "
    )
    assert 1 < smallest_mu(curve, 1e-3).mu / 0.4 < 3


@pytest.mark.parametrize(
    ("sigma", "rate", "steps", "exact"),
    [
        (4, 0.01, 10_000, 0.946866800764),
        (1.3, 250 / 60_000, 3600, 0.852979522270),
        (0.6, 0.01, 1000, 7.433613821),
        (0.6, 0.001, 10_000, 2.456145416),
        (10, 0.01, 100_000, 1.203372682),
    ],
)
def test_dp_sgd_is_never_below_its_contour_integral_and_at_most_2e_4_above(sigma, rate, steps, exact):
    bound = smallest_epsilon(subsampled_gaussian_curve(sigma, rate, steps), 1e-5)
    assert exact <= bound <= exact * (1 + 2e-4)


@pytest.mark.parametrize("rate", [0.99, 1 - 1e-9])
def test_dp_sgd_of_nearly_all_records_is_nearly_the_gaussian(rate):
    """Found by random search: dp-accounting took the logarithm of a negative number here."""
    bound = smallest_epsilon(subsampled_gaussian_curve(0.3, rate, 3), 1e-6)
    assert bound == pytest.approx(float(smallest_epsilon(gaussian_curve(np.sqrt(3) / 0.3), 1e-6)), rel=5e-3)


def test_dp_sgd_of_the_rarest_records_shows_them_with_that_chance():
    """Reference by dp-accounting at an interval of 5e-4, whose own error at ε = 0 is a third of δ."""
    bound = smallest_delta(subsampled_gaussian_curve(0.2, 1e-9, 1_000_000), [0, 1, 6])
    assert bound[0] < 6e-4
    assert bound[1:] == pytest.approx([2.73587e-5, 1.34956e-6], rel=6e-4)
    assert smallest_delta(subsampled_gaussian_curve(0.2, 1e-300, 5), 0) <= 5e-300


@pytest.mark.parametrize(
    ("sigma", "rate", "steps"),
    [
        (0.5, 0.002, 10_000),
        (170.0, 0.005, 320_000),
        (0.3, 1 - 1e-9, 3),
        (0.7, 0.7, 600),
        (50.0, 6e-5, 40_000),
        (1e4, 0.5, 1_000_000),
    ],
)
def test_dp_sgd_is_just_above_its_contour_integral_at_every_epsilon(sigma, rate, steps):
    curve = subsampled_gaussian_curve(sigma, rate, steps)
    far = float(smallest_epsilon(curve, 1e-11))
    epsilon = np.concatenate([[0], far * np.geomspace(1e-3, 1, 8)])
    exact = exact_delta([sampled_release(sigma, rate, steps)], epsilon)
    bound = smallest_delta(curve, epsilon)
    is_converged = exact.converged
    assert np.count_nonzero(is_converged) >= 5
    assert np.all(bound[is_converged] >= (exact.value - 2 * exact.error)[is_converged] * (1 - 1e-13))
    assert bound[is_converged] == pytest.approx(exact.value[is_converged], rel=8e-3)


def test_dp_sgd_of_rarer_records_has_one_line_of_their_chance():
    curve = subsampled_gaussian_curve(1, 1e-20, 10)
    assert smallest_delta(curve, [0, 3]) == pytest.approx(10 * 1e-20 * 0.38292492254802624, rel=1e-12)
    assert curve(0.25) == pytest.approx(0.75, rel=1e-15)


def test_dp_sgd_is_googles_accountant():
    single = privacy_loss_distribution.from_gaussian_mechanism(
        2.0, sampling_prob=0.1, value_discretization_interval=1e-4
    )
    epsilon = np.array([0.0, 0.2, 0.5, 1.0])
    expected = np.array(single.self_compose(20).get_delta_for_epsilon(epsilon.tolist()))
    bound = smallest_delta(subsampled_gaussian_curve(4.0, 0.1, 20, 2.0), epsilon)
    assert bound == pytest.approx(expected, rel=1e-3)


def test_without_sampling_it_is_the_gaussian():
    curve = subsampled_gaussian_curve(3.0, 1, 16, 1.5)
    assert curve.mu == pytest.approx(2, rel=1e-14)
    assert curve.name == "subsampled Gaussian σ = 3, rate 1, 16 steps"
