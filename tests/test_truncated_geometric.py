"""Truncated geometric noise against its definition, a sum over all whole numbers, and simulation."""

import re

import mpmath
import numpy as np
import pytest
from scipy.stats import chisquare

from dpcore import geometric, truncated_geometric
from tests.oracle import ULP

INF = np.inf


def weights(bound, scale):
    """Pr(k), k = −N … N, with 50 digits."""
    with mpmath.workdps(50):
        ratio = mpmath.mpf(1) if scale == INF else mpmath.exp(-1 / mpmath.mpf(float(scale)))
        all_weights = [ratio ** abs(k) for k in range(-int(bound), int(bound) + 1)]
        total = mpmath.fsum(all_weights)
        return [weight / total for weight in all_weights]


def true_delta(epsilon, bound, scale, sensitivity):
    """Σ (Pr(k) − e^ε Pr(k − Δ))₊."""
    with mpmath.workdps(50):
        mass, factor, step = weights(bound, scale), mpmath.exp(mpmath.mpf(float(epsilon))), int(sensitivity)
        moved = [mpmath.mpf(0)] * step + mass
        total = mpmath.fsum(max(own - factor * other, 0) for own, other in zip(mass, moved, strict=False))
    assert isinstance(total, mpmath.mpf)
    return total


def some_settings(n, seed):
    rng = np.random.default_rng(seed)
    while n:
        sensitivity = float(rng.choice([1, 1, 2, 3, 7]))
        epsilon, delta = float(rng.choice([0, 10 ** rng.uniform(-3, 1.3)])), 10 ** rng.uniform(-9, -0.2)
        if truncated_geometric.bound_from_epsilon(max(epsilon, 1e-3), delta, sensitivity) < 200:
            bound = truncated_geometric.bound_from_epsilon(
                epsilon, max(delta, 0.01 if epsilon == 0 else 0), sensitivity
            )
            n -= 1
            yield epsilon, max(delta, 0.01 if epsilon == 0 else 0), sensitivity, bound, rng


def test_the_bound_is_the_least_whole_number_that_satisfies_the_guarantee():
    for epsilon, delta, sensitivity, bound, _ in some_settings(120, seed=1):
        scale = truncated_geometric.scale_from_epsilon(epsilon, sensitivity)
        assert true_delta(epsilon, bound, scale, sensitivity) <= delta
        if bound > sensitivity:
            assert true_delta(epsilon, bound - 1, scale, sensitivity) > min(delta, 0.5) * (1 - 1e-12)


def test_delta_is_the_sum_of_the_definition_rounded_up():
    for epsilon, _, sensitivity, bound, rng in some_settings(120, seed=2):
        scale = truncated_geometric.scale_from_epsilon(epsilon, sensitivity)
        at = epsilon * rng.choice([0, 0.2, 0.5, 0.9, 1, 1.3])
        true = true_delta(at, bound, scale, sensitivity)
        computed_delta = float(truncated_geometric.delta_from_bound(at, bound, scale, sensitivity))
        assert true <= computed_delta <= true * (1 + 60 * ULP * (1 + bound / scale))


def test_epsilon_inverts_delta_on_the_safe_side():
    for epsilon, _, sensitivity, bound, rng in some_settings(60, seed=3):
        scale = truncated_geometric.scale_from_epsilon(epsilon, sensitivity)
        delta = float(truncated_geometric.delta_from_bound(epsilon * rng.uniform(0, 1), bound, scale, sensitivity))
        satisfied_epsilon = truncated_geometric.epsilon_from_bound(min(delta * 1.001, 0.999), bound, scale, sensitivity)
        assert true_delta(satisfied_epsilon, bound, scale, sensitivity) <= min(delta * 1.001, 0.999)
        assert satisfied_epsilon <= 0 or true_delta(satisfied_epsilon * (1 - 1e-9), bound, scale, sensitivity) > min(
            delta, 0.998
        ) * (1 - 1e-9)
    assert truncated_geometric.epsilon_from_bound([0.001, 0.9], 4, 1).tolist() == [INF, 0]


def test_at_sensitivity_1_delta_is_the_probability_of_the_last_whole_number():
    for epsilon, _, sensitivity, bound, _ in some_settings(40, seed=4):
        scale = truncated_geometric.scale_from_epsilon(epsilon, sensitivity)
        last = truncated_geometric.pmf(bound, bound, scale)
        assert truncated_geometric.delta_from_bound(epsilon, bound, scale) == pytest.approx(last, rel=1e-9)
        moves = np.arange(1, sensitivity + 1)
        assert np.all(np.diff(truncated_geometric.delta_from_bound(epsilon, bound, scale, moves)) > 0)


@pytest.mark.parametrize(("bound", "scale"), [(4, 1.0), (1, 0.2), (30, 5.5), (30, 1e5), (12, INF), (200, 0.01)])
def test_the_distribution_and_the_moments_are_those_of_the_definition(bound, scale):
    k, mass = np.arange(-bound, bound + 1), np.array(weights(bound, scale), dtype=float)
    assert truncated_geometric.pmf(k, bound, scale) == pytest.approx(mass, rel=1e-12, abs=1e-300)
    assert truncated_geometric.pmf([-bound - 1, bound + 1], bound, scale).tolist() == [0, 0]
    assert truncated_geometric.cdf(k + 0.5, bound, scale) == pytest.approx(np.cumsum(mass), rel=1e-11, abs=1e-300)
    beyond = np.array([np.sum(mass[abs(k) > t]) for t in range(bound + 2)])
    tail = truncated_geometric.tail(np.arange(bound + 2.0), bound, scale)
    assert np.all(tail >= beyond * (1 - 1e-15))
    assert tail == pytest.approx(beyond, rel=1e-11, abs=1e-300)
    for significance in (1e-9, 0.05, 0.5):
        a = truncated_geometric.half_width(significance, bound, scale)
        assert beyond[int(a)] <= significance
        assert a == 0 or beyond[int(a) - 1] > significance * (1 - 1e-12)
    assert truncated_geometric.variance(bound, scale) == pytest.approx(np.sum(k**2 * mass), rel=1e-12)
    assert truncated_geometric.mean_absolute_error(bound, scale) == pytest.approx(np.sum(abs(k) * mass), rel=1e-12)


def test_without_a_bound_in_sight_it_is_geometric_noise():
    assert truncated_geometric.variance(10**5, 3.0) == pytest.approx(geometric.variance(3.0))
    assert truncated_geometric.half_width(0.05, 10**5, 3.0) == geometric.half_width(0.05, 3.0)


def test_the_half_width_is_the_least_whole_number_even_at_a_step_of_the_tail():
    rng = np.random.default_rng(2)
    bound = np.floor(10 ** rng.uniform(0, 6, 4000))
    scale = np.where(rng.random(4000) < 0.1, np.inf, 10 ** rng.uniform(-4, 8, 4000))
    at_step = truncated_geometric.tail(np.floor(rng.random(4000) * bound), bound, scale) * rng.choice(
        [1, 1 - 1e-15], 4000
    )
    for alpha in (np.clip(at_step, 1e-300, 0.9999), 10 ** rng.uniform(-300, -1e-6, 4000)):
        a = truncated_geometric.half_width(alpha, bound, scale)
        assert np.array_equal(a, np.floor(a))
        assert not np.any(np.signbit(a))
        assert np.all(truncated_geometric.tail(a, bound, scale) <= alpha)
        assert np.all((a == 0) | (truncated_geometric.tail(np.maximum(a - 1, 0), bound, scale) > alpha))
    for sensitivity in (1, 2, 5):
        delta = geometric.delta_from_scale(0.2, 3.0, sensitivity)
        assert truncated_geometric.delta_from_bound(0.2, 10**5, 3.0, sensitivity) == pytest.approx(delta)


@pytest.mark.parametrize(("bound", "scale"), [(4, 1.0), (4, INF), (20, 1e5), (100, 0.37), (300, 41.7)])
def test_forty_thousand_draws_follow_the_distribution(bound, scale):
    draws = truncated_geometric.sample(np.random.default_rng(5), bound, scale, 40_000)
    k = np.arange(-bound, bound + 1)
    counts, expected = (
        np.bincount((draws + bound).astype(int), minlength=k.size),
        np.array(weights(bound, scale), float),
    )
    many = expected * 40_000 > 20
    observed, expected_counts = (
        np.append(counts[many], np.sum(counts[~many])),
        np.append(expected[many], sum(expected[~many])),
    )
    used = expected_counts * 40_000 > 1
    assert (
        chisquare(observed[used], expected_counts[used] * np.sum(observed[used]) / np.sum(expected_counts[used])).pvalue
        > 1e-3
    )


def test_simulated_releases_identify_the_person_with_probability_delta():
    bound, scale = truncated_geometric.bound_from_epsilon(0.5, 0.05), truncated_geometric.scale_from_epsilon(0.5)
    delta = float(truncated_geometric.delta_from_bound(0.5, bound, scale))
    draws = truncated_geometric.sample(np.random.default_rng(6), bound, scale, 40_000)
    assert np.mean(draws == -bound) == pytest.approx(delta, abs=5 * np.sqrt(delta / 40_000))


def test_a_scale_that_is_almost_nothing_gives_no_noise():
    assert truncated_geometric.sample(np.random.default_rng(1), 3, [1e-3, 1e-7]).tolist() == [0, 0]
    assert truncated_geometric.variance(3, 1e-7) == 0


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: truncated_geometric.bound_from_epsilon(1, 0), "delta must be in [1e-300, 1), got 0"),
        (
            lambda: truncated_geometric.bound_from_epsilon(0, 1e-9),
            "sensitivity must be in the whole numbers with a bound of at most 1e6 at this epsilon and delta, got 1",
        ),
        (
            lambda: truncated_geometric.scale_from_epsilon(1, 1.5),
            "sensitivity must be in the whole numbers of [1, 1e6], got 1.5",
        ),
        (lambda: truncated_geometric.delta_from_bound(1, 2, 1, 3), "bound must be in [sensitivity, 1e6], got 2"),
        (lambda: truncated_geometric.pmf(0.5, 2, 1), "k must be in the whole numbers of [-1e15, 1e15], got 0.5"),
        (lambda: truncated_geometric.tail(1, 2.5, 1), "bound must be in the whole numbers of [1, 1e6], got 2.5"),
        (lambda: truncated_geometric.variance(2, 1e-9), "scale must be in [1e-7, inf], got 1e-09"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        call()
