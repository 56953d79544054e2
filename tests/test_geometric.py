import re

import mpmath
import numpy as np
import pytest
from scipy.stats import chisquare, dlaplace

from dpcore import geometric, laplace
from dpcore.tradeoff import geometric_curve
from tests.oracle import ULP


def true_delta(epsilon, scale, steps):
    """Σ max(0, Pr(k) − e^ε Pr(k − Δ)) with the whole lattice up to Δ summed and the geometric tails in closed form."""
    epsilon, r, e = mpmath.mpf(float(epsilon)), mpmath.exp(-1 / mpmath.mpf(float(scale))), mpmath.mpf(0)
    head = (1 - r) / (1 + r)
    for k in range(1, int(steps)):
        e += max(0, head * (r**k - mpmath.exp(epsilon) * r ** (int(steps) - k)))
    return min(1, e + max(0, (1 - mpmath.exp(epsilon) * r ** int(steps)) / (1 + r)))


def some_mechanisms(n, seed):
    """ε, s and Δ with ε above, below and next to each corner of the profile."""
    rng = np.random.default_rng(seed)
    steps = rng.choice([1, 1, 2, 3, 4, 7, 10, 31], n).astype(float)
    scale = 10 ** rng.uniform(-2, 5, n)
    corner = np.abs(steps - 2 * np.floor(rng.uniform(0, steps))) / scale
    spread = rng.choice([0, 1e-15, 1e-9, 1e-2, 0.5], n) * rng.uniform(-1, 1, n)
    return corner * (1 + spread), scale, steps


def test_delta_is_the_sum_of_its_definition_never_below_it_and_at_most_40_roundings_above():
    epsilon, scale, steps = some_mechanisms(500, seed=1)
    delta = geometric.delta_from_scale(epsilon, scale, steps)
    positive = 0
    for e, s, d, value in zip(epsilon, scale, steps, delta, strict=True):
        true = true_delta(e, s, d)
        if true == 0:
            assert value == 0
        else:
            positive += 1
            assert 0 <= mpmath.mpf(value) / true - 1 <= 40 * ULP
    assert positive > 200


def test_at_sensitivity_1_the_profile_is_the_printed_closed_form():
    theta, epsilon = 2.0, np.linspace(0, 2, 41)
    printed = (1 - np.exp(epsilon - theta)) / (1 + np.exp(-theta))
    assert geometric.delta_from_scale(epsilon, 1 / theta) == pytest.approx(printed, rel=1e-13, abs=1e-300)


@pytest.mark.parametrize("steps", [1, 2, 5, 40, 10_000])
def test_the_profile_is_that_of_its_trade_off_curve(steps):
    epsilon = np.linspace(0, 3, 61)
    curve = geometric_curve(2.5, steps)
    # the curve's lines lose digits of a vanishing δ, never on the unsafe side
    expected = np.asarray(curve.delta(epsilon))
    assert geometric.delta_from_scale(epsilon, steps / 2.5, steps) == pytest.approx(expected, rel=1e-11, abs=1e-14)


def test_for_a_large_sensitivity_the_profile_is_laplaces():
    epsilon = np.linspace(0, 1.4, 15)
    delta = geometric.delta_from_scale(epsilon, 1e9 / 1.5, 1e9)
    assert delta == pytest.approx(laplace.delta_from_scale(epsilon, 1 / 1.5), rel=1e-7)


def test_epsilon_inverts_delta_and_is_never_below_the_true_value():
    epsilon, scale, steps = some_mechanisms(300, seed=2)
    delta = geometric.delta_from_scale(epsilon, scale, steps)
    back = geometric.epsilon_from_scale(np.minimum(delta, 1 - ULP), scale, steps)
    for d, s, n, e in zip(np.minimum(delta, 1 - ULP), scale, steps, back, strict=True):
        if e < n / s:
            assert true_delta(e, s, n) <= d
        if e > 0:
            lower = max(0.0, e - 40 * ULP * (1 + n / s))
            assert true_delta(lower, s, n) >= mpmath.mpf(d) * (1 - 60 * ULP)
    assert np.count_nonzero(delta > 0) > 150
    assert np.all(geometric.epsilon_from_scale(0, scale, steps) >= steps / scale)
    assert np.all(geometric.epsilon_from_scale(0, scale, steps) <= steps / scale * (1 + 2 * ULP))
    assert geometric.epsilon_from_scale(0.9, 100.0, 3) == 0


@pytest.mark.parametrize(
    ("delta", "scale"), [(0.998709108405613, 0.15031997739004874), (0.999999969970651, 0.057733003575838694)]
)
def test_epsilon_at_a_delta_next_to_1_is_rounded_up(delta, scale):
    """Found against interval arithmetic: ε was below the true value by up to 2e-12, more than its margin."""
    epsilon = float(geometric.epsilon_from_scale(delta, scale, 3))
    assert true_delta(epsilon, scale, 3) <= delta
    assert true_delta(epsilon - 3e-10, scale, 3) > delta


def test_scale_satisfies_its_guarantee_and_is_the_least():
    rng = np.random.default_rng(3)
    steps = rng.choice([1, 2, 3, 10, 25], 250).astype(float)
    epsilon, delta = 10 ** rng.uniform(-6, 2, 250), 10 ** rng.uniform(-30, -0.01, 250)
    epsilon[:50] = 0
    scale = geometric.scale_from_epsilon(epsilon, delta, steps)
    for e, d, n, s in zip(epsilon, delta, steps, scale, strict=True):
        assert true_delta(e, s, n) <= d
        assert true_delta(e, s * (1 - 5e-14), n) > d
    pure = geometric.scale_from_epsilon(epsilon[50:], 0, steps[50:])
    assert np.all(geometric.delta_from_scale(epsilon[50:], pure, steps[50:]) == 0)
    assert pure == pytest.approx(steps[50:] / epsilon[50:], rel=1e-14)
    chosen = (steps == 1) & (delta > 1e-3)
    closed = 1 / np.log((np.exp(epsilon[chosen]) + delta[chosen]) / (1 - delta[chosen]))
    assert scale[chosen] == pytest.approx(closed, rel=1e-11)


@pytest.mark.parametrize(
    ("significance", "scale"), [(2.4003438076491442e-225, 1e18), (2.0234373592377584e-254, 1e9 / 0.0005412993926078701)]
)
def test_a_half_width_beyond_the_whole_doubles_is_rounded_up(significance, scale):
    """Found against interval arithmetic: a step more is lost there in the roundings, and 8 of these were missing."""
    computed = mpmath.mpf(float(geometric.half_width(significance, scale)))
    level, s = mpmath.mpf(significance), mpmath.mpf(scale)
    assert true_tail(computed, s) <= level < true_tail(computed * (1 - 20 * ULP), s)


def test_extremes_are_finite_and_safe():
    assert geometric.scale_from_epsilon(0, 1e-130) == pytest.approx(5e129, rel=1e-12)
    assert geometric.delta_from_scale(0, 1e-7, 1e15) == 1
    assert geometric.epsilon_from_scale(0.5, 1e-7, 1e15) <= 1e22 * (1 + ULP)
    assert 0 < geometric.delta_from_scale(0, 1e150, 1) < 1e-149
    assert geometric.variance(1e-7) == 0
    assert geometric.mean_absolute_error(1e-7) == 0
    assert geometric.tail(1e300, 1.0) == 5e-324


def test_the_distribution_is_that_of_scipy():
    k, scale = np.arange(-40, 41), np.array([[0.3], [1], [7]])
    assert geometric.pmf(k, scale) == pytest.approx(dlaplace.pmf(k, 1 / scale), rel=1e-13)
    assert geometric.cdf(k, scale) == pytest.approx(dlaplace.cdf(k, 1 / scale), rel=1e-13)
    assert geometric.cdf(k + 0.5, scale) == pytest.approx(dlaplace.cdf(k, 1 / scale), rel=1e-13)
    weight = geometric.pmf(np.arange(-3000, 3001), scale)
    assert geometric.variance(scale)[:, 0] == pytest.approx((weight * np.arange(-3000, 3001.0) ** 2).sum(1), rel=1e-12)
    assert geometric.mean_absolute_error(scale)[:, 0] == pytest.approx(
        (weight * abs(np.arange(-3000, 3001.0))).sum(1), rel=1e-12
    )


def test_tail_is_the_sum_over_the_support():
    scale = np.array([0.05, 0.4, 1, 3, 20])
    for t in (0, 0.7, 1, 2.999, 3, 17):
        beyond = np.arange(int(t) + 1, 3000)
        direct = 2 * geometric.pmf(beyond[:, None], scale).sum(0)
        assert geometric.tail(t, scale) == pytest.approx(direct, rel=1e-12)


def true_tail(a, scale):
    r = mpmath.exp(-1 / mpmath.mpf(float(scale)))
    return 2 * r ** (int(a) + 1) / (1 + r)


def test_half_width_is_the_least_whole_number_by_brute_force_over_the_support():
    rng = np.random.default_rng(4)
    scale, significance = 10 ** rng.uniform(-1.5, 2, 400), 10 ** rng.uniform(-6, 0, 400)
    half_width = geometric.half_width(significance, scale)
    tails = geometric.tail(np.arange(3000)[:, None], scale)
    assert half_width.tolist() == np.argmax(tails <= significance, axis=0).tolist()


def test_half_width_at_the_steps_of_the_tail_takes_the_safe_side_and_is_exact_off_them():
    rng = np.random.default_rng(5)
    scale, a = 10 ** rng.uniform(-1, 3, 1500), np.floor(10 ** rng.uniform(0, 3, 1500)) - 1
    steps = geometric.tail(a, scale)
    roundings = rng.choice([-16, -8, -6, -5, -4, -3, -2, -1, 0, 1], 1500) * ULP * (1 + a / scale)
    roundings[::5] = rng.choice([-1e-9, 1e-9], 300)
    near = np.clip(steps * (1 + roundings), 1e-300, 1 - ULP)
    for significance, s, computed in zip(near, scale, geometric.half_width(near, scale), strict=True):
        assert true_tail(computed, s) <= significance
        slack = 1 + 60 * ULP * (1 + computed / s)
        assert computed == 0 or true_tail(computed - 1, s) * slack > significance


def test_the_published_ceiling_is_often_one_too_many():
    assert geometric.half_width(0.01, 1.0) == 4
    assert np.ceil(np.log(100)) == 5


def test_a_million_draws_follow_the_distribution():
    draws = geometric.sample(np.random.default_rng(6), 1.7, 10**6)
    k = np.arange(-12, 13)
    counts = np.array([np.count_nonzero(draws == place) for place in k])
    expected = geometric.pmf(k, 1.7)
    rest = 1 - expected.sum()
    counts, expected = np.append(counts, 10**6 - counts.sum()), np.append(expected, rest) * 10**6
    assert chisquare(counts, expected).pvalue > 1e-3
    assert geometric.sample(np.random.default_rng(6), [1.0, 2.0]).shape == (2,)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: geometric.scale_from_epsilon(0), "epsilon must be in [1e-130, 1e6] at this delta, got 0"),
        (
            lambda: geometric.scale_from_epsilon(1, 0, 1.5),
            "l1_sensitivity must be in the whole numbers of [1, 1e15], got 1.5",
        ),
        (lambda: geometric.delta_from_scale(1, 0), "scale must be in [1e-7, 1e150], got 0"),
        (lambda: geometric.epsilon_from_scale(1, 1), "delta must be in [0, 1), got 1"),
        (lambda: geometric.pmf(0.5, 1), "k must be in the whole numbers of [-1e15, 1e15], got 0.5"),
        (lambda: geometric.tail(-1, 1), "t must be in [0, inf), got -1"),
        (lambda: geometric.half_width(1, 1), "significance must be in [1e-300, 1), got 1"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        call()
