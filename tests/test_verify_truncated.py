"""Enclosures of truncated noise: that they hold the truth, agree with dpcore, and prove or refute its guarantees."""

import re
from decimal import Decimal

import mpmath
import numpy as np
import pytest

from dpcore import truncated_geometric, truncated_laplace, verify
from tests.oracle import random_pairs


def noises(seed, n=40):
    """ε, δ and a sensitivity."""
    rng = np.random.default_rng(seed)
    epsilon, delta = random_pairs(n, seed)
    rows = zip(np.maximum(epsilon, 1e-6), np.clip(delta, 1e-290, 0.4), rng.integers(1, 30, n), strict=True)
    return [(float(e), float(d), int(moved)) for e, d, moved in rows]


def test_the_delta_of_truncated_laplace_noise_is_in_its_enclosure_or_above_by_rounding():
    rng = np.random.default_rng(1)
    for epsilon, delta, moved in noises(seed=2):
        bound = float(truncated_laplace.bound_from_epsilon(epsilon, delta, moved))
        scale = float(truncated_laplace.scale_from_epsilon(epsilon, moved))
        assert verify.proved(verify.truncated_laplace_delta(epsilon, bound, scale, moved), delta)
        assert verify.truncated_laplace_delta(epsilon, max(bound * (1 - 1e-9), moved), scale, moved).low > delta * 0.999
        at = epsilon * float(rng.uniform(0, 1.2))
        enclosure = verify.truncated_laplace_delta(at, bound, scale, moved)
        value = float(truncated_laplace.delta_from_bound(at, bound, scale, moved))
        assert enclosure.low <= value <= enclosure.high * (1 + 1e-13 * (2 + bound / scale)) + 1e-299


def test_the_delta_of_truncated_geometric_noise_is_in_its_enclosure_or_above_by_rounding():
    rng = np.random.default_rng(2)
    for epsilon, delta, moved in noises(seed=3):
        if truncated_laplace.bound_from_epsilon(epsilon, delta, moved) > 1e5:
            continue
        bound = int(truncated_geometric.bound_from_epsilon(epsilon, delta, moved))
        scale = float(truncated_geometric.scale_from_epsilon(epsilon, moved))
        assert verify.proved(verify.truncated_geometric_delta(epsilon, bound, scale, moved), delta)
        if bound > moved:
            assert verify.truncated_geometric_delta(epsilon, bound - 1, scale, moved).low > delta * (1 - 1e-9)
        at = epsilon * float(rng.uniform(0, 1.2))
        enclosure = verify.truncated_geometric_delta(at, bound, scale, moved)
        value = float(truncated_geometric.delta_from_bound(at, bound, scale, moved))
        assert enclosure.low <= value <= enclosure.high * (1 + 1e-13 * (2 + bound / scale)) + 1e-299


@pytest.mark.parametrize(("bound", "scale", "moves"), [(4, 1.0, 1), (9, 2.5, 4), (3, 0.7, 3)])
def test_the_enclosures_of_truncated_geometric_noise_are_sums_over_all_whole_numbers(bound, scale, moves):
    with mpmath.workdps(40):
        weight = {k: mpmath.exp(-abs(k) / mpmath.mpf(scale)) for k in range(-bound, bound + 1)}
        total = sum(weight.values())
        for epsilon in (0.0, 0.3, moves / scale / 2, moves / scale, 5.0):
            growth = mpmath.exp(mpmath.mpf(epsilon))
            gains = (weight.get(k, 0) - growth * weight.get(k + moves, 0) for k in range(-bound - moves, bound + 1))
            true = sum(gain for gain in gains if gain > 0) / total
            enclosure = verify.truncated_geometric_delta(epsilon, bound, scale, moves)
            assert enclosure.low <= true <= enclosure.high
        for half_width in (0, 1.5, bound - 1, bound, bound + 3):
            share = sum(part for k, part in weight.items() if abs(k) > half_width) / total
            enclosure = verify.truncated_geometric_tail(half_width, bound, scale, 3)
            assert enclosure.low <= 1 - (1 - share) ** 3 <= enclosure.high


def test_numbers_that_move_together_identify_unless_none_of_them_does():
    low = verify.truncated_geometric_delta(1, 4, 1.0).low
    enclosure = verify.truncated_geometric_delta(3, 4, 1.0, n_moved=3)
    assert enclosure.low == pytest.approx(1 - (1 - low) ** 3, rel=1e-14)


def test_the_tail_of_truncated_laplace_noise_is_that_of_its_density():
    with mpmath.workdps(30):
        density = 2 - 2 * mpmath.exp(-2.5)
        for half_width in (0, 1.2, 4.9):
            share = 2 * (mpmath.exp(-mpmath.mpf(half_width) / 2) - mpmath.exp(-2.5)) / density
            enclosure = verify.truncated_laplace_tail(half_width, 5, 2, n_cells=2)
            assert enclosure.low == pytest.approx(float(1 - (1 - share) ** 2), rel=1e-12)
    assert verify.truncated_laplace_tail(5, 5, 2).high == 0


@pytest.mark.parametrize(("epsilon", "bound", "moves"), [(1.0, 4, 1), (0.3, 9, 4), (5.0, 3, 3), (0.0, 6, 2)])
def test_the_power_of_truncated_geometric_noise_is_that_of_the_most_likely_outcomes(epsilon, bound, moves):
    for alpha in (0.0, 1e-9, 0.05, 0.37, 0.5, 0.8, 1.0):
        with mpmath.workdps(40):
            weight = {k: mpmath.exp(-abs(k) * mpmath.mpf(epsilon) / moves) for k in range(-bound, bound + 1)}
            total, power, left = sum(weight.values()), mpmath.mpf(0), mpmath.mpf(alpha)
            for k in range(bound + moves, -bound - 1, -1):  # the outcomes that the other data set makes likelier first
                own, other = weight.get(k, 0) / total, weight.get(k - moves, 0) / total
                power += other * (min(left / own, 1) if own else 1)
                left = max(left - own, 0)
        enclosure = verify.truncated_geometric_power(alpha, epsilon, bound, moves)
        assert enclosure.low * (1 - 1e-15) <= power <= enclosure.high * (1 + 1e-15)


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.01), (0.2, 0.4), (6.0, 1e-9), (1e-30, 0.1), (1.0, 0.5)])
def test_the_power_of_truncated_laplace_noise_is_that_of_a_threshold(epsilon, delta):
    with mpmath.workdps(80):
        e, growth = mpmath.mpf(epsilon), mpmath.expm1(mpmath.mpf(epsilon))
        bound = mpmath.log1p(growth / (2 * mpmath.mpf(delta))) / e
        half = -2 * mpmath.expm1(-e * bound)

        def beyond(x):
            far = (mpmath.exp(-e * min(abs(x), bound)) - mpmath.exp(-e * bound)) / half
            return far if x >= 0 else 1 - far

        for t in (bound, min(bound / 3 + 1, bound), mpmath.mpf(1), mpmath.mpf("0.4"), mpmath.mpf(0), -bound / 2):
            alpha = Decimal(mpmath.nstr(beyond(t), 80))
            enclosure = verify.truncated_laplace_power(alpha, epsilon, Decimal(delta))
            assert enclosure.low * (1 - 1e-15) <= beyond(t - 1) <= enclosure.high * (1 + 1e-15)


def test_uniform_truncated_laplace_noise_adds_delta_to_every_power():
    assert verify.truncated_laplace_power(0.3, 0, Decimal("0.2")).high == pytest.approx(0.5, rel=1e-15)
    assert verify.truncated_laplace_power(0.9, 0, Decimal("0.2")).low == 1
    assert verify.truncated_laplace_power(0, 1, 0.01, prior=0.1).low == 1  # no false positive, and some true ones


def test_powers_of_truncated_noise_at_the_ends_of_the_domain_are_enclosed():
    for alpha in (0, 1e-300, 0.5, 1 - 2**-53, 1):
        for epsilon in (0, 1e-300, 1, 1e6):
            for enclosure in (
                verify.truncated_laplace_power(alpha, epsilon, 1e-300),
                verify.truncated_geometric_power(alpha, epsilon, 10**6, 10**6),
            ):
                assert alpha * (1 - 1e-15) <= enclosure.low <= enclosure.high <= 1
                assert enclosure.high - enclosure.low <= 1e-15


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: verify.truncated_laplace_delta(1, 0.5, 1), "bound must be in [sensitivity, inf), got 0.5"),
        (lambda: verify.truncated_geometric_power(0.1, 1, 2, 3), "bound must be in [sensitivity, 1e6], got 2"),
        (lambda: verify.truncated_laplace_power(0.1, 1, 0), "delta must be in (0, 0.5], got 0"),
        (lambda: verify.truncated_geometric_delta(1, 2, 1, 3), "bound must be in [sensitivity, 1e6], got 2"),
        (
            lambda: verify.truncated_geometric_delta(1, 4, 1, 1, 2),
            "n_moved must be in [1, epsilon scale / sensitivity], got 2",
        ),
    ],
)
def test_enclosures_of_truncated_noise_refuse_what_is_no_such_noise(call, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        call()
