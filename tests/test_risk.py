"""The closed inverses of a risk: published values, the same definitions in mpmath, and the way back by the curves."""

import re

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from dpcore import gaussian as gaussian_noise
from dpcore import risk
from dpcore import tradeoff as forward

# Kulynych et al. 2024, with mpmath to 12 digits: limit, conditions, μ, Laplace θ, ε of an (ε, 1e-5) guarantee, its σ.
PUBLISHED = [
    ("advantage", (0.01,), 0.0250669390161, 0.020100671707, 0.01998086453, 131.9097373),
    ("advantage", (0.1,), 0.25132269371, 0.210721031316, 0.2006525135, 16.25549751),
    ("advantage", (0.3,), 0.770640932815, 0.713349887877, 0.6190238237, 5.781879164),
    ("power", (0.05, 0.01), 0.681494247089, 1.60943791243, 1.609237892, 2.423865417),
    ("power", (0.2, 0.05), 0.803232393379, 1.38629436112, 1.38624436, 2.77338784),
]
ULP = 2.0**-52


def inverse(prefix, kind, limit, *arguments):
    """Return an inverse of dpcore.risk: its arguments are the conditions of the kind, and then what else it takes."""
    n_conditions = len(risk.CONDITIONS[kind])
    return getattr(risk, f"{prefix}_from_risk")(kind, limit, arguments[:n_conditions], *arguments[n_conditions:])


@pytest.mark.parametrize(("kind", "target", "mu", "theta", "epsilon", "sigma"), PUBLISHED)
def test_the_inverses_give_the_published_values(kind, target, mu, theta, epsilon, sigma):
    assert inverse("mu", kind, *target) == pytest.approx(mu, rel=1e-11)
    assert inverse("laplace_theta", kind, *target) == pytest.approx(theta, rel=1e-11)
    detour = inverse("epsilon", kind, *target, 1e-5)
    assert detour == pytest.approx(epsilon, rel=1e-9)
    assert gaussian_noise.analytic_sigma(detour, 1e-5) == pytest.approx(sigma, rel=1e-9)


def test_a_posterior_gives_the_published_values():
    assert inverse("mu", "posterior", 0.2, 0.1, 0.05) == pytest.approx(0.431514004463, rel=1e-11)
    for prefix in ("epsilon", "laplace_theta", "geometric_theta"):
        assert inverse(prefix, "outcome", 0.2, 0.1) == pytest.approx(0.810930216216, rel=1e-11)


def targets(rng, n):
    """Points with power above α, over many magnitudes and at both ends."""
    alpha = np.concatenate([10 ** rng.uniform(-200, -0.3, n), rng.uniform(0.01, 0.99, n)])
    share = np.concatenate([10 ** rng.uniform(-9, 0, n), rng.uniform(0, 1, n)])
    return np.clip(alpha + (1 - alpha) * share, alpha, 1 - 1e-12), alpha


def assert_just_below(values, true, doubt):
    """None above the truth, and none further below it than `doubt` of the size of what it is computed from."""
    for value, exact, size in zip(values.tolist(), true, doubt, strict=True):
        assert mpf(value) <= exact
        assert mpf(value) >= exact - mpf(40 * ULP) * size


def quantile(p):
    """Φ⁻¹ of a probability of at most 1/2, by its complement where it is larger, at 60 digits."""
    if p > mpf(1) / 2:
        return -quantile(1 - p)
    start = -mpmath.sqrt(max(-2 * mpmath.log(2 * p), mpf(10) ** -40))
    return mpmath.findroot(lambda x: mpmath.log(mpmath.ncdf(x)) - mpmath.log(p), start, tol=1e-60)


def test_mu_agrees_with_mpmath_and_is_never_above_it():
    rng = np.random.default_rng(31)
    power, alpha = targets(rng, 20)
    eta = np.concatenate([10 ** rng.uniform(-15, 0, 30), 1 - 10 ** rng.uniform(-15, -1, 10)])
    with mpmath.workdps(60):
        pairs = [(quantile(mpf(p)), quantile(mpf(a))) for p, a in zip(power.tolist(), alpha.tolist(), strict=True)]
        true, size = [p - a for p, a in pairs], [abs(p) + abs(a) for p, a in pairs]
        assert_just_below(inverse("mu", "power", power, alpha), true, size)
        true = [mpmath.sqrt(8) * mpmath.erfinv(mpf(x)) for x in eta.tolist()]
        assert_just_below(inverse("mu", "advantage", eta), true, true)
        for subnormal in (5e-324, 2e-323, 1e-310):
            assert mpf(float(inverse("mu", "advantage", subnormal))) <= mpmath.sqrt(8) * mpmath.erfinv(mpf(subnormal))


def laplace_theta(power, alpha):
    if power <= mpf(1) / 2:
        return mpmath.log(power / alpha)
    if alpha <= mpf(1) / 2:
        return -mpmath.log(4 * alpha * (1 - power))
    return mpmath.log((1 - alpha) / (1 - power))


def test_theta_and_epsilon_agree_with_mpmath_and_are_never_above_it():
    power, alpha = targets(np.random.default_rng(32), 60)
    delta = (power - alpha) / 3
    with mpmath.workdps(60):
        numbers = [tuple(map(mpf, row)) for row in zip(power.tolist(), alpha.tolist(), delta.tolist(), strict=True)]
        true = [laplace_theta(p, a) for p, a, _ in numbers]
        assert_just_below(inverse("laplace_theta", "power", power, alpha), true, [1 + abs(value) for value in true])
        true = [mpmath.log(1 + (p - a) / min(a, 1 - p)) for p, a, _ in numbers]
        assert_just_below(inverse("epsilon", "power", power, alpha), true, true)
        true = [mpmath.log(1 + (p - a - d) / min(a, 1 - p)) for p, a, d in numbers]
        size = [1 + value + (p - a) / min(a, 1 - p) for value, (p, a, _) in zip(true, numbers, strict=True)]
        assert_just_below(inverse("epsilon", "power", power, alpha, delta), true, size)


def test_the_advantage_of_laplace_noise_and_of_a_guarantee_agrees_with_mpmath():
    eta = np.concatenate([10 ** np.random.default_rng(33).uniform(-15, 0, 30), [1 - 1e-15]])
    with mpmath.workdps(60):
        numbers = [mpf(x) for x in eta.tolist()]
        true = [-2 * mpmath.log(1 - x) for x in numbers]
        assert_just_below(inverse("laplace_theta", "advantage", eta), true, true)
        true = [mpmath.log((1 + x) / (1 - x)) for x in numbers]
        assert_just_below(inverse("epsilon", "advantage", eta), true, true)
        true = [mpmath.log((1 + x - 2 * mpf(y)) / (1 - x)) for x, y in zip(numbers, (eta / 3).tolist(), strict=True)]
        assert_just_below(inverse("epsilon", "advantage", eta, eta / 3), true, true)


CURVES = {
    "mu": forward.gaussian_curve,
    "laplace_theta": forward.laplace_curve,
    "geometric_theta": forward.geometric_curve,
    "epsilon": forward.epsilon_delta_curve,
}
RISKS = [
    ("advantage", 0.1),
    ("advantage", 0.8),
    ("power", 0.05, 0.01),
    ("power", 0.9, 0.3),
    ("power", 0.98, 0.9),
    ("posterior", 0.2, 0.1, 0.05),
    ("posterior", 0.9, 0.5, 0.1),
    ("success", 0.55, 0.5),
    ("success", 0.92, 0.1),
    ("success", 0.95, 0.8),
    ("reconstruction", 0.2, 0.05),
]
NOISES = [("mu",), ("laplace_theta",), ("geometric_theta", 1.0), ("geometric_theta", 5.0), ("epsilon", 1e-3)]


@pytest.mark.parametrize("noise", NOISES, ids=str)
@pytest.mark.parametrize("target", RISKS, ids=str)
def test_the_curve_of_the_answer_reaches_the_limit_and_does_not_exceed_it(target, noise):
    kind, limit, *conditions = target
    prefix, *options = noise
    answer = inverse(prefix, kind, limit, *conditions, *options)
    reached = risk.Risk(kind, limit, tuple(conditions)).reached(CURVES[prefix](float(answer), *options))
    assert reached == pytest.approx(limit, rel=1e-11)
    assert reached <= limit * (1 + 1e-13)


@pytest.mark.parametrize("curve", [forward.laplace_curve(1.2), forward.geometric_curve(1.2, 4)], ids=["l", "g"])
def test_the_inverses_agree_with_the_definition_on_a_fine_grid(curve):
    alpha = np.union1d(np.linspace(0, 1, 400_001), [] if curve.lines is None else curve.lines.vertices()[0])
    power = 1 - curve.beta(alpha)
    prefix, options = ("laplace_theta", ()) if curve.lines is None else ("geometric_theta", (4,))
    assert inverse(prefix, "advantage", np.max(power - alpha), *options) == pytest.approx(1.2, abs=1e-5)
    for prior in (0.3, 0.5, 0.6):
        right = np.max(prior * power + (1 - prior) * (1 - alpha))
        assert inverse(prefix, "success", right, prior, *options) == pytest.approx(1.2, abs=1e-4)
    for rate in (0.02, 0.3, 0.6):
        reached = np.interp(rate, alpha, power)
        assert inverse(prefix, "power", reached, rate, *options) == pytest.approx(1.2, abs=1e-5)
        after = forward.posterior(rate, reached, 0.3)
        assert inverse(prefix, "posterior", after, 0.3, rate, *options) == pytest.approx(1.2, abs=1e-5)
    some = alpha > 0
    any_test = np.max(forward.posterior(alpha[some], power[some], 0.3))
    assert inverse(prefix, "posterior", any_test, 0.3, 0.0, *options) == pytest.approx(1.2, abs=1e-5)


def test_risks_whose_parts_a_double_cannot_hold_are_met_from_below():
    for prefix in ("epsilon", "laplace_theta", "geometric_theta"):
        for posterior in (1 - 1e-10, 0.01, 1 - ULP):
            true = mpmath.log(posterior) - mpmath.log1p(-posterior) + 300 * mpmath.log(10)
            assert true * (1 - 16 * ULP) <= inverse(prefix, "outcome", posterior, 1e-300) <= true
    power = 1 - 5 * ULP
    true = -mpmath.log(4 * (1 - power)) + 300 * mpmath.log(10)
    assert true * (1 - 16 * ULP) <= inverse("laplace_theta", "power", power, 1e-300) <= true


def test_geometric_noise_lies_between_a_pure_guarantee_and_laplace_noise():
    power, alpha = np.array([0.05, 0.6, 0.9, 0.97]), np.array([0.01, 0.2, 0.3, 0.8])
    steps = np.array([1, 2, 7, 1000, 1e9])[:, None]
    theta = inverse("geometric_theta", "power", power, alpha, steps)
    assert theta.shape == (5, 4)
    assert theta[0] == pytest.approx(inverse("epsilon", "power", power, alpha), rel=1e-13)
    assert theta[-1] == pytest.approx(inverse("laplace_theta", "power", power, alpha), rel=1e-8)
    assert np.all((theta >= theta[0] * (1 - 1e-13)) & (theta <= theta[-1] * (1 + 1e-8)))
    by_advantage = inverse("geometric_theta", "advantage", 0.1, steps[:, 0])
    assert by_advantage[[1, 3]] == pytest.approx(inverse("laplace_theta", "advantage", 0.1), rel=1e-13)
    assert by_advantage[0] < by_advantage[2] < by_advantage[1]


def test_arguments_broadcast():
    assert inverse("mu", "power", [[0.2], [0.4]], [0.01, 0.05, 0.1]).shape == (2, 3)
    assert inverse("epsilon", "posterior", [0.2, 0.3], 0.1, [[0.0], [0.05]]).shape == (2, 2)
    assert inverse("epsilon", "success", [0.7, 0.8], 0.5, [[0.0], [1e-5]]).shape == (2, 2)
    assert inverse("geometric_theta", "posterior", 0.2, 0.1, [0.0, 0.05]).shape == (2,)


def test_a_limit_that_a_blind_guess_reaches_leaves_no_information():
    for prefix in CURVES:
        assert inverse(prefix, "advantage", 0.0) == 0
        assert inverse(prefix, "power", 0.3, 0.3) == 0
        assert inverse(prefix, "posterior", 0.3, 0.3, 0.1) == pytest.approx(0, abs=1e-14)
        assert inverse(prefix, "success", 0.5, 0.5) == 0
        assert inverse(prefix, "reconstruction", 0.01, 0.01) == 0
    assert inverse("mu", "success", 0.75, 0.25) == 0
    assert inverse("epsilon", "advantage", 1e-5, 1e-5) == 0


def test_a_pure_guarantee_may_have_the_loss_of_the_prior_without_any_gain_for_the_attacker():
    for prefix in ("laplace_theta", "geometric_theta", "epsilon"):
        assert inverse(prefix, "success", 0.75, 0.25) == pytest.approx(np.log(3), rel=1e-13)
        assert inverse(prefix, "success", 0.75, 0.75) == pytest.approx(np.log(3), rel=1e-13)
        assert inverse(prefix, "success", 0.99, 0.01) == pytest.approx(np.log(99), rel=1e-13)  # 1 − 0.01 in doubles


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: inverse("mu", "advantage", 1), "advantage must be in [0, 1), got 1"),
        (lambda: inverse("mu", "power", 0.005, 0.01), "power must be in [alpha, 1), got 0.005"),
        (lambda: inverse("mu", "power", 1, 0.01), "power must be in (0, 1), got 1"),
        (lambda: inverse("mu", "power", 0.1, 0), "alpha must be in [1e-300, 1), got 0"),
        (lambda: inverse("mu", "posterior", 0.05, 0.1, 0.05), "posterior must be in [prior, 1), got 0.05"),
        (
            lambda: inverse("mu", "posterior", 0.9, 0.5, 0.2),
            "posterior must be in [prior, prior / (prior + (1 - prior) alpha)), got 0.9",
        ),
        (lambda: inverse("mu", "posterior", 0.2, 0.1, 0), "alpha must be in [1e-300, 1), got 0"),
        (lambda: inverse("mu", "success", 0.8, 0.1), "success must be in [max(prior, 1 - prior), 1), got 0.8"),
        (lambda: inverse("mu", "success", 0.8, 0.9), "success must be in [max(prior, 1 - prior), 1), got 0.8"),
        (lambda: inverse("mu", "reconstruction", 0.1, 0.2), "success must be in [baseline, 1), got 0.1"),
        (lambda: inverse("epsilon", "advantage", 0.1, 0.2), "advantage must be in [delta, 1), got 0.1"),
        (lambda: inverse("epsilon", "power", 0.1, 0.05, 0.06), "power must be in [alpha + delta, 1), got 0.1"),
        (
            lambda: inverse("epsilon", "reconstruction", 0.1, 0.05, 0.06),
            "success must be in [baseline + delta, 1), got 0.1",
        ),
        (
            lambda: inverse("epsilon", "success", 0.5, 0.5, 0.1),
            "success must be in [guess + delta (1 - guess), 1), got 0.5",
        ),
        (
            lambda: inverse("epsilon", "posterior", 0.2, 0.1, 0.0, 1e-5),
            "alpha must be in [1e-300, 1) where delta is above 0, got 0",
        ),
        (
            lambda: inverse("epsilon", "posterior", 0.2, 0.1, 0.05, 0.5),
            "posterior must be in [prior (alpha + delta) / (alpha + prior delta), 1), got 0.2",
        ),
        (lambda: inverse("geometric_theta", "power", 0.1, 0.05, 1.5), "sensitivity must be in the whole numbers of"),
        (lambda: inverse("laplace_theta", "posterior", 0.2, 0.1, 1), "alpha must be in [0, 1), got 1"),
    ],
)
def test_a_target_that_no_noise_meets_or_that_needs_none_is_refused_with_its_range(call, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}"):
        call()
