"""One sampled Gaussian step: the contour integral compared with the closed form."""

import mpmath
import numpy as np
import pytest

from dpcore.composition import (
    _sampled_moments,
    certified_delta,
    certified_epsilon,
    certified_profile,
    epsilon,
    exact_delta,
    exact_epsilon,
    guarantee_release,
    sampled_release,
)
from dpcore.composition._normalize import Whole


def one_step_delta(epsilon: float, noise: float, rate: float) -> float:
    """Return the larger of both directions for one sampled step: each loss is monotone in the noise."""
    with mpmath.workdps(50):
        z, q, e = mpmath.mpf(noise), mpmath.mpf(rate), mpmath.mpf(epsilon)

        def delta(loss: mpmath.mpf) -> mpmath.mpf:
            t, mu = loss * z, 1 / z
            return mpmath.ncdf(mu / 2 - t) - mpmath.exp(loss) * mpmath.ncdf(-mu / 2 - t)

        remove = q * delta(mpmath.log1p(mpmath.expm1(e) / q))
        spent = (1 - q) * mpmath.expm1(e) / q
        add = (1 - spent) * q * delta(e - mpmath.log1p(-spent)) if spent < 1 else mpmath.mpf(0)
        return float(max(remove, add))


@pytest.fixture
def without_closed_form(monkeypatch):
    """A single sampled step is computed by the contour integral too, whose test the closed form is then."""
    monkeypatch.setattr(Whole, "single_step", None)


@pytest.mark.parametrize(
    ("noise", "rate", "epsilon"),
    [
        (1, 0.5, 0.8),
        (2, 0.3, 0.1),
        (0.5, 0.1, 4.0),
        (0.5, 0.9999, 5.0),
        (5, 0.9, 0.6),
        (30, 0.5, 0.1),
        (0.08, 0.976, 94),
    ],
)
@pytest.mark.usefixtures("without_closed_form")
def test_the_integral_of_one_sampled_step_has_the_value_of_the_closed_form(noise, rate, epsilon):
    expected = one_step_delta(epsilon, noise, rate)
    estimate = exact_delta([sampled_release(noise, rate)], epsilon)
    assert estimate.converged
    assert estimate.value == pytest.approx(expected, rel=1e-9)
    assert abs(estimate.value - expected) <= 2 * estimate.error + 1e-13 * expected


@pytest.mark.parametrize(
    ("noise", "rate", "delta"),
    [
        (0.067, 0.37, 0.37 * (1 - 10**-9.7)),
        (0.08, 0.2, 0.2 * (1 - 1e-12)),  # δ is all but q from the first nats on to 78
        (0.03, 1e-4, 1e-4 * (1 - 1e-10)),
        (0.0123, 0.003, 0.001),
        (0.5, 0.001, 1e-5),
        (14.426187475794176, 1.0226596515813139e-06, 2.875986743950225e-288),
    ],
)
@pytest.mark.usefixtures("without_closed_form")
def test_the_error_of_epsilon_covers_the_truth_where_delta_hardly_falls(noise, rate, delta):
    estimate = exact_epsilon([sampled_release(noise, rate)], delta)
    value, error = float(estimate.value), float(estimate.error) + 1e-15 * float(estimate.value)
    assert one_step_delta(value + error, noise, rate) <= delta * (1 + 1e-15)
    assert value <= error or one_step_delta(value - error, noise, rate) >= delta * (1 - 1e-15)


def test_a_single_step_has_its_closed_form_at_every_delta_and_rate():
    """The contour integral did not converge at the first of these, and ε was 12 times the truth at small δ."""
    rng = np.random.default_rng(31)
    settings = [(1.0, 0.01, 1e-5), (0.819, 1.4856e-7, 8.57e-20)]
    settings += [tuple(10 ** rng.uniform([-1.5, -9, -120], [2, -0.01, -0.5])) for _ in range(60)]
    for noise, rate, delta in settings:
        releases = [sampled_release(float(noise), float(rate)), guarantee_release(0.0)]  # the second one loses nothing
        estimate = exact_epsilon(releases, delta)
        assert estimate.converged
        assert estimate.error <= 1e-11 * estimate.value
        value, bound = float(estimate.value), certified_epsilon(releases[:1], delta)
        assert (bound.value, bound.error) == (value, 0)
        assert one_step_delta(value, noise, rate) <= delta
        if value == 0:
            continue
        assert one_step_delta(value * (1 - 1e-13) - 1e-15 * rate, noise, rate) >= delta * (1 - 1e-13)
        least = value - float(estimate.error)
        assert least <= 0 or one_step_delta(least, noise, rate) >= delta * (1 - 1e-15)
        exact = one_step_delta(value, noise, rate)
        for at in (exact_delta(releases, value).value, certified_delta(releases[:1], value).value):
            assert exact <= at * (1 + 1e-15)
            assert at <= exact * (1 + 1e-11)
    profile = certified_profile([sampled_release(0.819, 1.4856e-7)], [[0.0, 1e-4], [0.5, 800.0]])
    expected = [one_step_delta(epsilon, 0.819, 1.4856e-7) for epsilon in (0.0, 1e-4, 0.5, 800.0)]
    np.testing.assert_allclose(profile.value.ravel(), expected, rtol=1e-11, atol=1e-300)
    assert not np.any(profile.error)


@pytest.mark.parametrize("delta", [1e-5 + 1e-9, 1e-5 + (1 - 1e-5) * 0.2 * (1 - 1e-12)])
def test_the_error_of_a_single_step_counts_the_rounding_of_what_guarantees_leave_of_delta(delta):
    estimate = exact_epsilon([sampled_release(0.3, 0.2), guarantee_release(0.0, 1e-5)], delta)
    with mpmath.workdps(50):
        broken = mpmath.mpf(1e-5)
        left = float((mpmath.mpf(delta) - broken) / (1 - broken))
    low, high = float(estimate.value - estimate.error), float(estimate.value + estimate.error)
    assert one_step_delta(high, 0.3, 0.2) <= left * (1 + 1e-15)
    assert low <= 0 or one_step_delta(low, 0.3, 0.2) >= left * (1 - 1e-15)


def test_a_single_step_at_the_least_rates_costs_nothing_or_what_its_delta_needs():
    least = sampled_release(1.0, 5e-324)
    assert exact_epsilon([least], 1e-300).value == 0
    assert 0 < exact_delta([least], 1e-20).value <= 1e-300
    assert 0 < exact_delta([sampled_release(1.0, 1e-310)], 0.5).value <= 1e-300


@pytest.mark.parametrize(
    ("noise", "rate", "epsilon"), [(0.0117698796, 4.0825369e-06, 0), (0.02113448, 0.20623359, 669.00284)]
)
@pytest.mark.usefixtures("without_closed_form")
def test_the_error_of_delta_covers_the_truth_where_the_noise_is_little(noise, rate, epsilon):
    estimate = exact_delta([sampled_release(noise, rate)], epsilon)
    assert abs(estimate.value - one_step_delta(epsilon, noise, rate)) <= estimate.error


@pytest.mark.usefixtures("without_closed_form")
def test_the_error_is_large_if_no_number_of_nodes_is_enough():
    release, delta = sampled_release(28.78, 0.002614), 7.61e-154
    estimate = exact_epsilon([release], delta)
    assert not estimate.converged
    assert estimate.error > 1e-6
    assert estimate.value <= estimate.error
    assert exact_delta([release], 1.0).error < 1e-6


@pytest.mark.usefixtures("without_closed_form")
def test_a_step_with_too_many_nodes_has_only_the_bound_by_moments(monkeypatch):
    monkeypatch.setattr(_sampled_moments, "MOST_NODES", 40)
    release = sampled_release(0.2718, 0.1415)  # which no other test uses: its nodes are kept
    estimate = exact_delta([release], 3.0)
    assert one_step_delta(3.0, 0.2718, 0.1415) <= estimate.value == estimate.error
    assert not estimate.converged
    estimate = exact_epsilon([release], 1e-6)
    assert one_step_delta(float(estimate.value), 0.2718, 0.1415) <= 1e-6
    assert estimate.value == estimate.error
    assert not estimate.converged


@pytest.mark.parametrize("accountant", ["best", "basic", "certified"])
@pytest.mark.parametrize(
    ("delta", "noise", "rate"),
    [(4.866e-11, 400322.8, 5.983e-05), (3.0e-145, 198567.9, 2.03e-09), (1.538e-8, 3646.2, 0.0335), (1e-5, 1, 0.01)],
)
def test_no_accountant_says_less_than_the_closed_form_where_epsilon_is_tiny(accountant, delta, noise, rate):
    """Basic composition lost the digits of a tiny ε: it was up to a relative 1.4e-9 too small, and so was the best."""
    bound = epsilon([sampled_release(noise, rate)], delta, accountant)
    assert bound.kind == "certified" or accountant == "best"
    assert bound.value >= exact_epsilon([sampled_release(noise, rate)], delta).value
    assert one_step_delta(float(bound.value), noise, rate) <= delta
