"""The largest probability of appearing against its recursion, and the split among k groups against composition."""

import mpmath
import numpy as np
import pytest

from dpcore.composition import optimal_delta
from dpcore.unknown_groups import Split, best_split, least_size, optimal_keep_probability


def recursion(epsilon, delta, n):
    """π₀ … π_n with 50 digits, as published."""
    with mpmath.workdps(50):
        growth, broken, values = mpmath.exp(mpmath.mpf(epsilon)), mpmath.mpf(delta), [mpmath.mpf(0)]
        for _ in range(n):
            last = values[-1]
            values.append(min(growth * last + broken, 1 - (1 - last - broken) / growth, mpmath.mpf(1)))
    return values


@pytest.mark.parametrize(
    ("epsilon", "delta", "probabilities"),
    [
        (1, 1e-6, {10: 0.0128183081, 13: 0.257473707, 14: 0.699887099, 16: 0.959384639, 27: 0.999999904, 28: 1}),
        (0.5, 1e-8, {33: 0.225839958, 34: 0.372347152, 40: 0.968306724}),
    ],
)
def test_the_check_values_of_keep_or_drop(epsilon, delta, probabilities):
    computed = optimal_keep_probability(list(probabilities), epsilon, delta)
    np.testing.assert_allclose(computed, list(probabilities.values()), rtol=5e-9)


def test_the_closed_form_is_the_recursion_rounded_down():
    rng = np.random.default_rng(seed=1)
    for _ in range(60):
        epsilon = float(rng.choice([0, 10 ** rng.uniform(-4, 2)]))
        delta = float(10 ** rng.uniform(-12, -0.05))
        true = recursion(epsilon, delta, 400)
        computed = optimal_keep_probability(np.arange(401), epsilon, delta)
        assert all(value <= exact for value, exact in zip(computed.tolist(), true, strict=True))
        assert all(value >= exact * (1 - 1e-12) for value, exact in zip(computed.tolist(), true, strict=True))
        assert (computed[1:] >= computed[:-1] * (1 - 1e-12)).all()


def test_very_large_groups_and_very_small_numbers():
    assert optimal_keep_probability(1e15, 0, 1e-16) == pytest.approx(0.1)
    assert optimal_keep_probability(1e15, [0, 1e-300, 1e-14, 1e6], 0.1).tolist() == [1, 1, 1, 1]
    assert optimal_keep_probability([0, 1, 2], 1e6, 1e-300).tolist() == pytest.approx([0, 1e-300, 1])
    # Of 2e14 people at ε = 1e-14, both phases: Σ δ e^{iε} is δ (e² − 1)/ε.
    assert optimal_keep_probability(2e14, 1e-14, 1e-16) == pytest.approx(0.01 * np.expm1(2), rel=1e-9)


def test_the_least_size_is_the_first_with_the_probability():
    assert least_size(Split(np.array([1.0, 1.0]), np.array(1e-6)), [0.5, 0.95]).tolist() == [14, 16]
    rng = np.random.default_rng(seed=2)
    epsilon, delta, wanted = 10 ** rng.uniform(-3, 1, 50), 10 ** rng.uniform(-10, -1, 50), rng.uniform(0, 1, 50)
    size = least_size(Split(epsilon, delta), wanted)
    assert (optimal_keep_probability(size, epsilon, delta) >= wanted).all()
    assert (optimal_keep_probability(size - 1, epsilon, delta) < wanted).all()
    with pytest.raises(ValueError, match=r"probability must be in those of groups of up to 1e15 people, got 0.5"):
        least_size(Split(np.array(0.0), np.array(1e-20)), 0.5)


@pytest.mark.parametrize(
    ("epsilon", "delta", "k", "basic", "best"),
    [
        (1, 1e-6, 1, (14, 16), (14, 16)),
        (1, 1e-6, 3, (40, 47), (40, 47)),
        (1, 1e-5, 10, (109, 132), (109, 132)),
        (1, 1e-6, 30, (395, 464), (319, 371)),
        (2, 1e-8, 5, (47, 53), (47, 53)),
    ],
)
def test_the_check_values_of_k_groups(epsilon, delta, k, basic, best):
    for probability, first, last in zip((0.5, 0.95), basic, best, strict=True):
        split = best_split(epsilon, delta, k, probability)
        assert least_size(Split(np.array(epsilon / k), np.array(delta / k)), probability) == first
        assert least_size(split, probability) == last


def test_a_split_satisfies_the_guarantee_and_is_no_worse_than_equal_parts():
    rng = np.random.default_rng(seed=3)
    epsilon, delta, k = 10 ** rng.uniform(-2, 1, 30), 10 ** rng.uniform(-12, -0.1, 30), rng.integers(1, 200, 30)
    wanted = rng.choice([0.5, 0.95, 1], 30)
    split = best_split(epsilon, delta, k, wanted)
    assert (optimal_delta(epsilon, split.epsilon, k, split.delta) <= delta * (1 + 1e-14)).all()
    basic = least_size(Split(epsilon / k, delta / k), wanted)
    assert (least_size(split, wanted) <= basic).all()
    assert (least_size(split, wanted) < basic).any()


def test_a_split_of_no_epsilon_divides_delta():
    split = best_split(0, 0.19, [1, 2])
    assert split.epsilon.tolist() == [0, 0]
    assert split.delta.tolist() == pytest.approx([0.19, 0.1])
    with pytest.raises(ValueError, match=r"groups_per_person must be in the whole numbers of \[1, 1e4\], got 1.5"):
        best_split(1, 1e-6, 1.5)
