"""The scales for one statistic, and the guarantees of a scale, against the definitions in mpmath."""

import re

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from dpcore import gaussian, roots
from dpcore.generalized_gaussian import (
    _loss,
    adp_scale,
    delta_from_scale,
    epsilon_from_scale,
    exact_pdp_scale,
    isf,
    pdp_delta_from_scale,
    pdp_scale_disjoint,
    pure_scale,
)

ULP = 2.0**-52
EXACT = {adp_scale: delta_from_scale, exact_pdp_scale: pdp_delta_from_scale}
SCALES = (adp_scale, exact_pdp_scale, pdp_scale_disjoint)
EDGE_EPSILON = np.array([1e-12, 1e-6, 1e-3, 1.0, 30.0, 1e6])[:, None]
EDGE_DELTA = np.array([1e-300, 1e-100, 1e-9, 0.1, 0.5, 0.9, 1 - 2.0**-53])
EDGE_P = (1.0, 1 + 2.0**-52, 1 + 1e-12, 1.0001, 1.5, 2.0, 3.0, 10.0, 64.0, 100.0)


@pytest.fixture(autouse=True)
def fifty_digits():
    with mpmath.workdps(45):
        yield


def tail(x, p):
    """Pr(X > x) for b = 1."""
    beyond = mpmath.gammainc(1 / p, abs(x) ** p) / mpmath.gamma(1 / p) / 2
    return beyond if x >= 0 else 1 - beyond


def truth(function, epsilon, scale, p):
    """δ for Δ = 1 by bisection for the point where the loss is ε, and −b ∂δ/∂b by a difference quotient."""

    def profile(s: mpmath.mpf):
        low, high = mpf(10) ** -400, mpf(1)
        while (high + s / 2) ** p - abs(high - s / 2) ** p < epsilon:
            low, high = high, 4 * high
            if float(high - s / 2) > 1e5:
                return mpf(0)  # the tail there is below e^{−10⁵}
        while high - low > mpf(10) ** -40 * high:
            middle = (low + high) / 2 if high < 4 * low else (low * high) ** mpf(0.5)
            if (middle + s / 2) ** p - abs(middle - s / 2) ** p < epsilon:
                low = middle
            else:
                high = middle
        u, t = high - s / 2, high + s / 2
        return tail(u, p) + (
            tail(t, p) if function in (exact_pdp_scale, pdp_delta_from_scale) else -mpmath.exp(epsilon) * tail(t, p)
        )

    epsilon, p, s = mpf(float(epsilon)), mpf(float(p)), 1 / mpf(float(scale))
    step = mpf(10) ** -20
    delta = profile(s)
    return delta, (profile(s * (1 + step)) - delta) / step


def cases(n, seed):
    """Guarantees over the domain: (ε, δ, p), with clusters near p = 1, for tiny ε, tiny δ and δ near 1."""
    rng = np.random.default_rng(seed)
    epsilon, delta = 10 ** rng.uniform(-3, 2, n), 10 ** rng.uniform(-12, -0.1, n)
    kind = rng.integers(0, 5, n)
    epsilon[kind == 1] = 10 ** rng.uniform(-6, -2, (kind == 1).sum())
    epsilon[kind == 2] = 10 ** rng.uniform(2, 6, (kind == 2).sum())
    delta[kind == 3] = 10 ** rng.uniform(-300, -12, (kind == 3).sum())
    delta[kind == 4] = 1 - 10 ** rng.uniform(-12, -0.3, (kind == 4).sum())
    p = np.choose(
        rng.integers(0, 3, n), [1 + 10 ** rng.uniform(-4, -1, n), rng.uniform(1.1, 4, n), rng.uniform(4, 64, n)]
    )
    return epsilon, delta, p


@pytest.mark.parametrize("scale_of", EXACT)
def test_exact_scale_satisfies_its_guarantee_and_hardly_more_by_mpmath(scale_of):
    for epsilon, delta, p in zip(*cases(10, seed=1), strict=True):
        scale = float(scale_of(epsilon, delta, p))
        guarantee, slope = truth(scale_of, epsilon, scale, p)
        assert guarantee <= mpf(float(delta))
        assert (mpf(float(delta)) - guarantee) / slope < 5e-14 + 50 * ULP * float(delta / slope)


@pytest.mark.parametrize("profile_of", EXACT.values())
def test_delta_of_a_scale_is_its_definition_rounded_up_by_mpmath(profile_of):
    rng = np.random.default_rng(2)
    for epsilon, delta, p in zip(*cases(14, seed=2), strict=True):
        scale = float(adp_scale(epsilon, delta, p) * rng.uniform(0.8, 1.25))
        computed = float(profile_of(epsilon, scale, p))
        guarantee, slope = truth(profile_of, epsilon, scale, p)
        assert guarantee <= computed
        assert computed - guarantee <= max(1e-13 * slope, 1e-11 * guarantee, mpf(10) ** -320)


def test_epsilon_of_a_scale_is_its_definition_rounded_up_by_mpmath():
    for epsilon, delta, p in zip(*cases(10, seed=3), strict=True):
        scale = float(adp_scale(epsilon, delta, p))
        computed = float(epsilon_from_scale(delta, scale, p))
        if computed > 0:
            assert truth(adp_scale, computed, scale, p)[0] <= mpf(float(delta))
            assert truth(adp_scale, computed * (1 - 1e-12) - 1e-13, scale, p)[0] >= mpf(float(delta)) * (
                1 - mpf(10) ** -12
            )


def test_disjoint_scale_is_the_root_of_corollary_9_rounded_up():
    for epsilon, delta, p in zip(*cases(50, seed=4), strict=True):
        scale = mpf(float(pdp_scale_disjoint(epsilon, delta, p)))
        u = mpf(float(isf(delta / 2, 1.0, p))) if delta / 2 >= 1e-300 else mpf(0)
        p, epsilon, delta = mpf(float(p)), mpf(float(epsilon)), mpf(float(delta))
        for _ in range(3):
            both = 2 * tail(u, p)
            u += (both - delta) * mpmath.gamma(1 + 1 / p) * mpmath.exp(u**p)
        true = 1 / ((epsilon + u**p) ** (1 / p) - u)
        assert 0 <= scale / true - 1 < 3e-14


def test_disjoint_scale_holds_for_the_noise_of_its_definition():
    p, b = 3, float(pdp_scale_disjoint(1, 0.05, 3, 2.0))
    x = b * np.random.default_rng(5).standard_gamma(1 / p, 400_000) ** (1 / p)
    broken = np.mean((3 * x**2 * 2 + 3 * x * 4 + 8) > b**p)  # Σ_j C(3, j) x^{3−j} Δ^j with Δ = 2
    assert broken == pytest.approx(0.05, abs=0.0015)


def test_few_steps_come_close(monkeypatch):
    exact = delta_from_scale([0.3, 1], [1.0, 2.0], 3), epsilon_from_scale([1e-3, 0.05], [1.0, 2.0], 3)
    monkeypatch.setattr(roots, "MOST_STEPS", 3)
    assert delta_from_scale([0.3, 1], [1.0, 2.0], 3) == pytest.approx(exact[0], rel=0.1)
    assert epsilon_from_scale([1e-3, 0.05], [1.0, 2.0], 3) == pytest.approx(exact[1], rel=0.1)


def test_one_step_of_the_scale_comes_close(monkeypatch):
    exact = adp_scale([0.3, 1], [1e-3, 0.05], 3), exact_pdp_scale([0.3, 1], [1e-3, 0.05], 3)
    monkeypatch.setattr(_loss, "_MOST_STEPS", 1)
    assert adp_scale([0.3, 1], [1e-3, 0.05], 3) == pytest.approx(exact[0], rel=0.01)
    assert exact_pdp_scale([0.3, 1], [1e-3, 0.05], 3) == pytest.approx(exact[1], rel=0.01)


PINNED = (
    # p next to 1 and a δ far below (p − 1)ε, once on the wrong side of the noise's centre: too small by a relative 4e-7
    (adp_scale, 4.4790224102413755e-12, 6.794632290427007e-247, 1.000000487993897),
    (adp_scale, 7.126730051631528e-12, 3.7550210134531177e-98, 1.0000000000005638),
    # δ in units of the density below the rounding of s, so that any u near the centre once seemed right
    (adp_scale, 1e-3, 1e-200, 1 + 2.0**-52),
    (adp_scale, 1.0, 1e-280, 1 + 2.0**-50),
    (adp_scale, 0.5855312382012053, 1.1502814310904393e-265, 1.000000000000034),
    # t so near v that 1/v − (v/t)^{p−1}/t cancelled
    (adp_scale, 1.3965371695967224e-12, 1.4665508728828156e-218, 3.8412771978945943),
    # 1 − δ of a u ≥ 0, once left over from 2 M(v)
    (exact_pdp_scale, 1.7236476164603246e-12, 0.9999999999976886, 1.0329251890860223),
    (exact_pdp_scale, 2.3457208866772796e-12, 0.9999999999986559, 1.0008561925877535),
    # where SciPy's gammaincc is wrong by 70 roundings
    (adp_scale, 0.4062379158244235, 0.00030760828519343285, 1.0173007168346875),
)


@pytest.mark.parametrize(("scale_of", "epsilon", "delta", "p"), PINNED)
def test_hard_guarantees_that_random_search_found_are_kept_and_hardly_more(scale_of, epsilon, delta, p):
    scale = float(scale_of(epsilon, delta, p))
    assert truth(scale_of, epsilon, scale, p)[0] <= mpf(delta)
    assert truth(scale_of, epsilon, scale * (1 - 1e-13), p)[0] >= mpf(delta)


def test_disjoint_scale_of_large_p_is_right_although_the_rounding_of_u_counts_90_fold():
    rng = np.random.default_rng(7)
    for epsilon, delta, p in zip(
        10 ** rng.uniform(-3, 0, 60), 10 ** rng.uniform(-12, -0.5, 60), rng.uniform(80, 100, 60), strict=True
    ):
        scale, u = mpf(float(pdp_scale_disjoint(epsilon, delta, p))), mpf(float(isf(delta / 2, 1.0, p)))
        for _ in range(3):
            u += (2 * tail(u, mpf(p)) - mpf(delta)) * mpmath.gamma(1 + 1 / mpf(p)) * mpmath.exp(u ** mpf(p))
        true = 1 / ((mpf(epsilon) + u ** mpf(p)) ** (1 / mpf(p)) - u)
        assert 0 < float(scale / true - 1) < 5e-14


# From random search: p-th powers beyond the doubles were NaN, and an infinite mass once passed for a solution.
@pytest.mark.parametrize(
    ("delta", "shift", "p"),
    [
        (0.5, 1e3, 80.0),
        (1 - 2.0**-53, 1e6 * (1 - 1e-12), 4.918155457479242),
        (0.9999999662595922, 1e6 * (1 - 1e-12), 2.4154429147025613),
        (1e-300, 1e3, 99.0),
    ],
)
def test_epsilon_of_tiny_scales_is_finite_and_its_definition_rounded_up(delta, shift, p):
    scale = 1 / shift
    computed = float(epsilon_from_scale(delta, scale, p))
    s, shape, target = 1 / mpf(scale), mpf(p), mpf(delta)
    low, high = -(mpf(800) ** (1 / shape)), mpf(800) ** (1 / shape)
    while high - low > mpf(10) ** -15:
        u = (low + high) / 2
        # e^{ε} Pr(X > t) next to e^{−|u|^p} times the first term of the Mills ratio, which is all that is left of it
        far = mpmath.exp(-(abs(u) ** shape)) * (u + s) ** (1 - shape) / shape / (2 * mpmath.gamma(1 + 1 / shape))
        low, high = (u, high) if tail(u, shape) - far > target else (low, u)
    true = (high + s) ** shape - abs(high) ** shape
    assert 0 <= float(computed / true - 1) < 5e-12


# Limits


def test_p_2_is_the_gaussian_mechanism():
    root = np.sqrt(2)
    for ours, theirs in (
        (adp_scale, gaussian.analytic_sigma),
        (exact_pdp_scale, gaussian.exact_pdp_sigma),
        (pdp_scale_disjoint, gaussian.pdp_sigma),
    ):
        assert ours(EDGE_EPSILON, EDGE_DELTA, 2) == pytest.approx(root * theirs(EDGE_EPSILON, EDGE_DELTA), rel=6e-14)
    assert adp_scale(0, EDGE_DELTA, 2) == pytest.approx(root * gaussian.analytic_sigma(0, EDGE_DELTA), rel=6e-14)
    epsilon, b = np.array([0.0, 0.1, 1, 5])[:, None], np.array([0.3, 1, 10])
    assert delta_from_scale(epsilon, b, 2) == pytest.approx(gaussian.delta_from_sigma(epsilon, b / root), rel=1e-11)
    assert pdp_delta_from_scale(epsilon, b, 2) == pytest.approx(
        gaussian.pdp_delta_from_sigma(epsilon, b / root), rel=1e-11
    )
    delta = np.array([1e-20, 1e-3, 0.2])[:, None]
    assert epsilon_from_scale(delta, b, 2) == pytest.approx(gaussian.epsilon_from_sigma(delta, b / root), rel=1e-12)


def test_p_1_is_laplace_and_p_near_1_tends_to_it():
    laplace = 1 / (EDGE_EPSILON - 2 * np.log1p(-EDGE_DELTA))
    assert adp_scale(EDGE_EPSILON, EDGE_DELTA, 1) == pytest.approx(laplace, rel=6e-14)
    assert adp_scale(EDGE_EPSILON, EDGE_DELTA, 1 + 1e-13) == pytest.approx(laplace, rel=1e-10)
    assert pdp_scale_disjoint(EDGE_EPSILON, EDGE_DELTA, 1) == pytest.approx(
        np.broadcast_to(1 / EDGE_EPSILON, (6, 7)), rel=6e-14
    )
    assert exact_pdp_scale(2.0, [1e-9, 0.5], 1) == pytest.approx([0.5, 0.5], rel=6e-14)
    assert exact_pdp_scale(2.0, [1e-9, 0.5], 1 + 1e-13) == pytest.approx([0.5, 0.5], rel=1e-10)
    assert delta_from_scale([0.5, 1.0, 2.0], 1.0, 1) == pytest.approx([1 - np.exp(-0.25), 0, 0], rel=1e-12)
    assert list(pdp_delta_from_scale([1.0, 2.0], 1.0, 1)) == [0, 0]
    assert epsilon_from_scale([0.1, 0.9], 0.5, 1) == pytest.approx([2 + 2 * np.log(0.9), 0], rel=1e-13)


def test_p_1_answers_pure_epsilon_and_other_p_say_why_not():
    answer = pure_scale(0.5, 1, 3)
    assert answer.scale == pytest.approx(6, rel=1e-15)
    assert answer.scale >= 6
    refusal = pure_scale(0.5, 1.5)
    assert refusal.scale == np.inf
    assert "p = 1.5" in refusal.reason
    assert "unbounded domain" in refusal.reason


# Relations


@pytest.mark.parametrize("p", EDGE_P)
@pytest.mark.parametrize("scale_of", SCALES)
def test_the_corners_of_the_domain_give_finite_scales_that_fall_with_epsilon_and_delta(scale_of, p):
    scale = scale_of(EDGE_EPSILON, EDGE_DELTA, p)
    assert np.all(np.isfinite(scale) & (scale > 0))
    assert np.all(np.diff(scale, axis=0) <= 1e-13 * scale[1:])
    assert np.all(np.diff(scale, axis=1) <= 1e-13 * scale[:, 1:])


def test_the_exact_scales_are_ordered():
    epsilon, delta, p = cases(300, seed=6)
    assert np.all(adp_scale(epsilon, delta, p) <= exact_pdp_scale(epsilon, delta, p) * (1 + 1e-12))
    assert np.all(exact_pdp_scale(epsilon, delta, p) <= pdp_scale_disjoint(epsilon, delta, p) * (1 + 1e-12))


def test_epsilon_0_is_twice_the_central_quantile_rounded_up():
    """At δ = 1e-300 the scale was too small by a relative 4e-14: the last digits of ln δ were those of δ."""
    for delta in (1e-300, 1e-9, 0.3, 0.9):
        for p in (1.2, 2.0, 7.0):
            scale = float(adp_scale(0.0, delta, p))
            half = mpf(1) / 2 / mpf(scale)
            centre = mpmath.gammainc(1 / mpf(p), 0, half ** mpf(p)) / mpmath.gamma(1 / mpf(p))
            assert 0 <= float((mpf(delta) - centre) / mpf(delta)) < 1e-13
            assert delta_from_scale(0.0, min(scale, 1e12), p) >= min(delta, 1e-13)


def test_sensitivity_scales_the_scale_and_arguments_broadcast():
    for scale_of in SCALES:
        assert scale_of(1, 0.1, 3, 5.0) == pytest.approx(5 * scale_of(1, 0.1, 3), rel=1e-13)
        assert scale_of([[1], [2]], [0.1, 0.2, 0.3], 3).shape == (2, 3)
    assert delta_from_scale(1, 4.0, 3, 2.0) == pytest.approx(delta_from_scale(1, 2.0, 3, 1.0), rel=1e-12)
    assert epsilon_from_scale([0.1, 0.2], [[1.0], [2.0]], 3).shape == (2, 2)


def test_epsilon_is_0_where_delta_suffices_and_profiles_reach_their_ends():
    assert epsilon_from_scale(0.9, 10.0, 3) == 0
    assert 0.99 < delta_from_scale(0, 1e-6, 3) <= 1
    assert pdp_delta_from_scale(0, 1.0, 3) == 1
    for p in EDGE_P[::2]:
        result = delta_from_scale(EDGE_EPSILON, np.array([1e-6, 1e-2, 1, 1e4, 1e12]), p)
        assert np.all((result >= 0) & (result <= 1))
        result = pdp_delta_from_scale(EDGE_EPSILON, np.array([1e-6, 1e-2, 1, 1e4, 1e12]), p)
        assert np.all((result >= 0) & (result <= 1))
        result = epsilon_from_scale(EDGE_DELTA[:, None], np.array([1e-2, 1, 1e4]), p)
        assert np.all(np.isfinite(result) & (result >= 0))


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (adp_scale, (-1, 0.1, 2), "epsilon must be in [0, 1e6], got -1"),
        (adp_scale, (1, 0, 2), "delta must be in [1e-300, 1), got 0"),
        (adp_scale, (1, 0.1, 0.5), "p must be in [1, 100], got 0.5"),
        (exact_pdp_scale, (0, 0.1, 2), "epsilon must be in [1e-12, 1e6], got 0"),
        (pdp_scale_disjoint, (1, 0.1, 2, 0), "sensitivity must be in [1e-300, 1e280], got 0"),
        (pure_scale, (0, 1), "epsilon must be in [1e-12, 1e6], got 0"),
        (delta_from_scale, (1, 0, 2), "scale must be in [1e-300, 1e300], got 0"),
        (delta_from_scale, (1, 1e13, 2), "scale must be in [1e-6, 1e12] times the sensitivity, got 10000000000000"),
        (
            epsilon_from_scale,
            (0.5, 1e-4, 80),
            "scale must be in the scales with (sensitivity/scale)^p of at most 1e300, got 0.0001",
        ),
        (
            adp_scale,
            (0, 1e-300, 2, 1e280),
            "sensitivity must be in a range that leaves the scale at most 1e300, got 1e+280",
        ),
        (pure_scale, ([1, 2], 1), "epsilon must be one number in [1e-12, 1e6], got [1, 2]"),
        (epsilon_from_scale, (1, 1, 2), "delta must be in [1e-300, 1), got 1"),
        (pdp_delta_from_scale, ("1", 1, 2), "epsilon must be in [0, 1e6], got '1'"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(function, arguments, message):
    with pytest.raises(ValueError, match="^" + re.escape(message) + "$"):
        function(*arguments)
