"""The closed forms against the same definitions in mpmath, which carries so many digits that nothing cancels."""

import re

import mpmath
import numpy as np
import pytest
from mpmath import mpf
from scipy.special import gammainccinv, gammaincinv, ndtri

from dpcore import verify
from dpcore.tradeoff import (
    epsilon_delta,
    epsilon_delta_power,
    gaussian,
    gaussian_power,
    generalized_gaussian,
    generalized_gaussian_power,
    geometric,
    geometric_power,
    laplace,
    laplace_power,
)
from tests.oracle import mpmath_upper_tail

TABLE = """
    1.0000000000 0.9076377519 0.8540010552 0.8107852300 0.7735791962 0.7404889772 0.7104752348 0.6828883689
    0.6572875447 0.6333559978 0.6108563084 0.5896046545 0.5694549941 0.5502888381 0.5320083619 0.5145316046
    0.4977890266 0.4817209820 0.4662758214 0.4514084439 0.4370791723 0.4232528681 0.4098982255 0.3969872025
    0.3844945564 0.3723974632 0.3606752006 0.3493088835 0.3382812416 0.3275764304 0.3171798704 0.3070781087
    0.2972587003 0.2877101051 0.2784215977 0.2693831893 0.2605855587 0.2520199920 0.2436783284 0.2355529131
    0.2276365547 0.2199224878 0.2124043388 0.2050760958 0.1979320814 0.1909669276 0.1841755545 0.1775531493
    0.1710951484 0.1647972211 0.1586552539 0.1526653374 0.1468237531 0.1411269626 0.1355715965 0.1301544453
    0.1248724502 0.1197226955 0.1147024006 0.1098089140 0.1050397066 0.1003923662 0.0958645924 0.0914541921
    0.0871590747 0.0829772492 0.0789068198 0.0749459839 0.0710930285 0.0673463289 0.0637043461 0.0601656256
    0.0567287967 0.0533925714 0.0501557444 0.0470171936 0.0439758806 0.0410308527 0.0381812448 0.0354262826
    0.0327652865 0.0301976767 0.0277229801 0.0253408386 0.0230510191 0.0208534277 0.0187481260 0.0167353529
    0.0148155531 0.0129894138 0.0112579145 0.0096223948 0.0080846496 0.0066470682 0.0053128444 0.0040863131
    0.0029735303 0.0019833765 0.0011300058 0.0004399602 0.0000000000
"""
EDGE_ALPHA = np.array([0, 5e-324, 1e-300, 1e-20, 0.3, 0.5, 0.7, 1 - 2.0**-53, 1])


def some_alpha(n, rng):
    parts = 10 ** rng.uniform(-300, 0, n), rng.random(n), 1 - 10 ** rng.uniform(-15.6, 0, n)
    return np.clip(rng.permutation(np.concatenate(parts)), 1e-300, 1 - 2.0**-53)


def some_epsilon(alpha, rng):
    """Over the whole domain, and near where e^ε α is about 1."""
    epsilon = np.where(rng.random(alpha.size) < 0.5, 10 ** rng.uniform(-12, 6, alpha.size), 20 * rng.random(alpha.size))
    near = -np.log(alpha) + rng.normal(size=alpha.size) * 10 ** rng.uniform(-16, 1, alpha.size)
    return np.where(rng.random(alpha.size) < 0.4, np.clip(near, 0, 1e6), epsilon)


def errors(values, true):
    """Relative errors of values whose truth is a normal double."""
    pairs = zip(values.tolist(), true, strict=True)
    return np.array([float((mpf(value) - t) / t) if t > mpf(10) ** -290 else 0.0 for value, t in pairs])


def assert_safe(beta, power, true, rtol):
    """β is not above, power not below the truth, and both are within rtol of it; `true` lists the pairs."""
    true_beta, true_power = zip(*true, strict=True)
    assert all(mpf(b) <= t for b, t in zip(beta.tolist(), true_beta, strict=True))
    assert all(mpf(w) >= t for w, t in zip(power.tolist(), true_power, strict=True))
    assert np.min(errors(beta, true_beta)) >= -rtol
    assert np.max(errors(power, true_power)) <= rtol


@pytest.fixture(autouse=True)
def sixty_digits():
    with mpmath.workdps(60):
        yield


# Published values


def test_g1_is_the_table_of_the_r_help_page_to_every_printed_digit():
    printed = TABLE.split()
    beta = gaussian(np.arange(101) / 100, 1)
    assert [f"{value:.10f}" for value in beta] == printed
    assert [f"{value:.7f}" for value in gaussian([0.05, 0.1, 0.25, 0.5], 1)] == [
        "0.7404890",
        "0.6108563",
        "0.3723975",
        "0.1586553",
    ]


def test_epsilon_delta_and_laplace_are_the_published_values():
    beta = epsilon_delta([0.05, 0.1, 0.25, 0.5], 1, 0.01)
    assert [f"{value:.7f}" for value in beta] == ["0.8540859", "0.7181718", "0.3104295", "0.1802609"]
    assert [f"{value:.7f}" for value in laplace([0.1839397, 0.25, 0.5], 1)] == ["0.5000001", "0.3678794", "0.1839397"]
    assert laplace(0.1839397, 1) == pytest.approx(0.5, abs=1e-6)


# The definitions in mpmath


def gaussian_truth(alpha, mu):
    """Φ(t − μ) and its rest, at the t with Φ(−t) = α by Newton's method on log Φ."""
    small = min(mpf(alpha), 1 - mpf(alpha))
    t = mpf(float(-ndtri(float(small))))
    for _ in range(6):
        tail = mpmath_upper_tail(t)
        slope = mpmath.exp(-t * t / 2) / mpmath.sqrt(2 * mpmath.pi)
        t += mpmath.log(tail / small) * tail / slope
    t = (t if alpha <= 0.5 else -t) - mpf(mu)
    return mpmath_upper_tail(-t), mpmath_upper_tail(t)


def test_gaussian_is_its_definition_rounded_down_and_its_power_rounded_up():
    rng = np.random.default_rng(1)
    alpha = some_alpha(150, rng)
    mu = np.where(rng.random(alpha.size) < 0.5, 10 ** rng.uniform(-8, 2, alpha.size), rng.uniform(0, 38, alpha.size))
    true = [gaussian_truth(*pair) for pair in zip(alpha.tolist(), mu.tolist(), strict=True)]
    assert_safe(gaussian(alpha, mu), gaussian_power(alpha, mu), true, rtol=1e-11)


def epsilon_delta_truth(alpha, epsilon, delta):
    alpha, epsilon, delta = mpf(alpha), mpf(epsilon), mpf(delta)
    beta = max(mpf(0), 1 - delta - mpmath.exp(epsilon) * alpha, mpmath.exp(-epsilon) * (1 - delta - alpha))
    return beta, 1 - beta if beta < 0.5 else delta + mpmath.exp(epsilon) * alpha


def epsilon_delta_cases():
    rng = np.random.default_rng(2)
    alpha = some_alpha(150, rng)
    epsilon, n = some_epsilon(alpha, rng), alpha.size
    small, large = 10 ** rng.uniform(-300, 0, n), 1 - 10 ** rng.uniform(-16, 0, n)
    beside = np.clip(1 - alpha + rng.normal(size=n) * 10 ** rng.uniform(-17, -1, n), 0, 1)
    return alpha, epsilon, np.choose(rng.integers(0, 4, n), [np.zeros(n), small, large, beside])


def test_epsilon_delta_is_its_definition_rounded_down_and_its_power_rounded_up():
    alpha, epsilon, delta = epsilon_delta_cases()
    with mpmath.workdps(900):  # for 1 − β next to 1
        rows = zip(alpha.tolist(), epsilon.tolist(), delta.tolist(), strict=True)
        true = [min_power(epsilon_delta_truth(*row), *row) for row in rows]
        beta, power = epsilon_delta(alpha, epsilon, delta), epsilon_delta_power(alpha, epsilon, delta)
        assert all(mpf(b) <= t[0] for b, t in zip(beta.tolist(), true, strict=True))
        assert all(mpf(w) >= t[1] for w, t in zip(power.tolist(), true, strict=True))
        assert max(float(t[0] - b) for b, t in zip(beta.tolist(), true, strict=True)) <= 1e-14
        assert np.max(errors(power, [t[1] for t in true])) <= 1e-14


def min_power(true, alpha, epsilon, delta):
    return true[0], min(mpf(1), mpf(delta) + mpmath.exp(mpf(epsilon)) * mpf(alpha), 1 - true[0])


def test_the_flat_end_of_epsilon_delta_keeps_its_digits():
    alpha, epsilon = 1 - 2.0 ** -np.arange(2, 50), 30.0
    assert epsilon_delta(alpha, epsilon, 0) == pytest.approx(np.exp(-30) * (1 - alpha), rel=1e-14, abs=0)
    assert epsilon_delta(0.25, 3, 0.75 - 2.0**-40) == pytest.approx(np.exp(-3) * 2.0**-40, rel=1e-14, abs=0)


def laplace_truth(alpha, theta):
    alpha, theta = mpf(alpha), mpf(theta)
    if alpha < mpmath.exp(-theta) / 2:
        return 1 - mpmath.exp(theta) * alpha, mpmath.exp(theta) * alpha
    beta = mpmath.exp(-theta) / (4 * alpha) if alpha <= 0.5 else mpmath.exp(-theta) * (1 - alpha)
    return beta, 1 - beta


def test_laplace_is_its_definition_rounded_down_and_its_power_rounded_up():
    rng = np.random.default_rng(3)
    alpha = some_alpha(150, rng)
    theta = some_epsilon(alpha, rng)
    true = [laplace_truth(*pair) for pair in zip(alpha.tolist(), theta.tolist(), strict=True)]
    assert_safe(laplace(alpha, theta), laplace_power(alpha, theta), true, rtol=1e-14)


def geometric_truth(alpha, theta, sensitivity):
    """Cumulative sums over the support, outcomes called by their likelihood ratio (Neyman and Pearson)."""
    q = mpmath.exp(-mpf(theta) / sensitivity)
    unit = (1 - q) / (1 + q)
    both_tails = [(q ** (sensitivity + 1) * unit / (1 - q), q * unit / (1 - q))]
    inner = [(q ** abs(k) * unit, q ** abs(k - sensitivity) * unit) for k in range(sensitivity + 1)]
    outcomes = [(p, r) for p, r in (*both_tails, *[(r, p) for p, r in both_tails], *inner) if p]
    outcomes.sort(key=lambda pair: pair[1] / pair[0], reverse=True)
    left, power = mpf(alpha), mpf(0)
    for p, r in outcomes:
        power += r * min(left / p, mpf(1))
        left -= min(left, p)
    return 1 - power, power


@pytest.mark.parametrize("sensitivity", [1, 2, 3, 7, 40])
def test_geometric_is_the_best_test_over_the_support(sensitivity):
    rng = np.random.default_rng(sensitivity)
    alpha = some_alpha(15, rng)
    theta = np.where(rng.random(alpha.size) < 0.5, rng.uniform(0.01, 60, alpha.size), -np.log(alpha))
    with mpmath.workdps(700):
        rows = zip(alpha.tolist(), theta.tolist(), strict=True)
        true = [geometric_truth(a, t, sensitivity) for a, t in rows]
        beta, power = geometric(alpha, theta, sensitivity), geometric_power(alpha, theta, sensitivity)
        assert all(mpf(b) <= t[0] for b, t in zip(beta.tolist(), true, strict=True))
        assert all(mpf(w) >= t[1] for w, t in zip(power.tolist(), true, strict=True))
        assert np.max(errors(power, [t[1] for t in true])) <= 1e-12
        assert max(float(t[0] - b) for b, t in zip(beta.tolist(), true, strict=True)) <= 1e-12
        assert beta[theta < 60] == pytest.approx([float(t[0]) for t in np.array(true, object)[theta < 60]], abs=1e-13)


def test_geometric_never_guarantees_too_much_where_two_of_its_lines_meet():
    """Found by random search: 1 − α q^{−k} cancels there, and β was up to 10⁶⁷ times too large."""
    for alpha, theta, sensitivity in (
        (6.62448338358243e-164, 563.5997742930426, 3),
        (2.980313097037974e-70, 480.2667844453945, 3),
        (1.4369747149846034e-255, 586.7966587022357, 2),
        (8.588077089146674e-180, 412.3149418823508, 1),
    ):
        with mpmath.workdps(700):
            true, _ = geometric_truth(alpha, theta, sensitivity)
            assert mpf(float(geometric(alpha, theta, sensitivity))) <= true


def test_geometric_at_sensitivity_1_is_pure_dp_and_tends_to_laplace():
    alpha = np.array([0, 1e-9, 0.01, 0.3, 0.5, 0.9, 1])
    assert geometric(alpha, 2.0) == pytest.approx(epsilon_delta(alpha, 2, 0), rel=1e-12, abs=0)
    assert geometric_power(alpha, 2.0) == pytest.approx(epsilon_delta_power(alpha, 2, 0), rel=1e-12, abs=0)
    for sensitivity, rtol in ((1e3, 1e-6), (1e15, 1e-12)):
        assert geometric(alpha, 2.0, sensitivity) == pytest.approx(laplace(alpha, 2), rel=rtol, abs=0)


def noise_tail(x, p):
    """Pr(X > x) for x ≥ 0 and density ∝ exp(−x^p)."""
    return mpmath.gammainc(1 / p, x**p, mpmath.inf) / (2 * mpmath.gamma(1 / p))


def generalized_gaussian_truth(alpha, p, shift):
    p, small = mpf(p), min(mpf(alpha), 1 - mpf(alpha))
    if small < 0.25:
        t = mpf(float(gammainccinv(1 / float(p), 2 * float(small)) ** (1 / float(p))))
    else:
        t = mpf(float(gammaincinv(1 / float(p), 1 - 2 * float(small)) ** (1 / float(p))))
    for _ in range(8):  # Newton's method on the logarithm of the tail
        tail = noise_tail(t, p)
        t = abs(t + mpmath.log(tail / small) * tail / (mpmath.exp(-(t**p)) / (2 * mpmath.gamma(1 + 1 / p))))
    x = (t if alpha <= 0.5 else -t) - mpf(shift)
    tail = noise_tail(abs(x), p)
    return (tail, 1 - tail) if x < 0 else (1 - tail, tail)


def test_generalized_gaussian_is_its_definition_rounded_down_and_its_power_rounded_up():
    rng = np.random.default_rng(5)
    alpha = some_alpha(20, rng)
    n = alpha.size
    p = np.choose(
        rng.integers(0, 3, n), [1 + 10 ** rng.uniform(-12, 0, n), rng.uniform(1, 5, n), rng.uniform(1, 20, n)]
    )
    shift = np.where(rng.random(n) < 0.5, 10 ** rng.uniform(-12, 0.5, n), rng.uniform(0, 3, n))
    with mpmath.workdps(40):
        rows = zip(alpha.tolist(), p.tolist(), shift.tolist(), strict=True)
        true = [generalized_gaussian_truth(*row) for row in rows]
        beta = generalized_gaussian(alpha, 1, p, shift)
        assert_safe(beta, generalized_gaussian_power(alpha, 1, p, shift), true, rtol=1e-9)


@pytest.mark.parametrize("p", [1.3, 3, 8.5])
def test_generalized_gaussian_is_the_quadrature_of_its_density(p):
    norm = 2 * mpmath.gamma(1 + 1 / mpf(p))
    for threshold, shift in ((0.2, 0.7), (1.1, 0.4), (-0.3, 0.5)):
        with mpmath.workdps(16):
            tails = [
                mpmath.quad(lambda x: mpmath.exp(-(abs(x) ** p)) / norm, cut)
                for cut in (
                    [threshold, max(threshold, 0) + 0.5, 3, 30] if threshold > 0 else [threshold, 0, 1, 3, 30],
                    sorted({threshold - shift, *[c for c in (0, 1, 3, 30) if c > threshold - shift]}),
                )
            ]
        alpha, power = (float(mpmath.nstr(tail, 25)) for tail in tails)
        assert generalized_gaussian(alpha, 2, p, 2 * shift) == pytest.approx(1 - power, rel=1e-9)
        assert generalized_gaussian_power(alpha, 2, p, 2 * shift) == pytest.approx(power, rel=1e-9)


def test_generalized_gaussian_is_laplace_at_p_1_and_gaussian_at_p_2():
    alpha = np.array([0, 1e-200, 1e-9, 0.1, 0.3, 0.5, 0.6, 0.99, 1])
    assert generalized_gaussian(alpha, 2, 1, 3) == pytest.approx(laplace(alpha, 1.5), rel=1e-9, abs=0)
    assert generalized_gaussian(alpha, 2, 2, 3) == pytest.approx(gaussian(alpha, np.sqrt(4.5)), rel=1e-9, abs=0)
    assert generalized_gaussian_power(alpha, 2, 2, 3) == pytest.approx(
        gaussian_power(alpha, np.sqrt(4.5)), rel=1e-9, abs=0
    )


# Relations and edges

FORMS = {
    "gaussian": (gaussian, gaussian_power, [(0,), (1e-300,), (1.0,), (1e6,)]),
    "epsilon_delta": (epsilon_delta, epsilon_delta_power, [(0, 0), (0, 1), (1, 1e-300), (1, 0.3), (1e6, 0), (1e6, 1)]),
    "laplace": (laplace, laplace_power, [(0,), (5e-324,), (1.0,), (700,), (1e6,)]),
    "geometric": (geometric, geometric_power, [(0, 3), (5e-324, 2), (1, 1), (1, 1e15), (700, 2), (1e6, 7)]),
    "generalized_gaussian": (
        generalized_gaussian,
        generalized_gaussian_power,
        [(1, 1, 1e-300), (1, 1.5, 1), (1e-300, 2, 1e300), (5e-324, 3, 1.0), (1, 100, 1), (1e-3, 100, 1), (1e3, 100, 1)],
    ),
}
EVERY = [(name, arguments) for name, (_, _, rows) in FORMS.items() for arguments in rows]


@pytest.mark.parametrize(("name", "arguments"), EVERY)
def test_every_form_stays_between_nothing_and_blind_guessing(name, arguments):
    form, power, _ = FORMS[name]
    beta, hit = form(EDGE_ALPHA, *arguments), power(EDGE_ALPHA, *arguments)
    assert np.all((beta >= 0) & (beta <= 1 - EDGE_ALPHA))
    assert np.all((hit >= EDGE_ALPHA) & (hit <= 1))
    assert np.all(beta + hit <= 1 + 1e-12) or name == "generalized_gaussian"
    assert (beta[-1], hit[-1]) == (0, 1)
    if name != "epsilon_delta":
        assert (beta[0], hit[0]) == (1, 0)


def test_at_alpha_0_the_first_power_is_delta():
    delta = np.array([0, 1e-300, 0.3, 0.9999999994369119, 1 - 2.0**-53, 1])
    for epsilon in (0, 9.499886287941158e-12, 1, 1e6):
        assert epsilon_delta_power(0, epsilon, delta).tolist() == delta.tolist()
        assert epsilon_delta(0, epsilon, delta) == pytest.approx(1 - delta, abs=1e-14)
    assert epsilon_delta_power([1e-9, 0.5], 1e-4, 1).tolist() == [1, 1]


def test_no_difference_leaves_blind_guessing():
    alpha = np.array([1e-300, 0.1, 0.5, 0.9, 1 - 2.0**-53])
    for beta in (gaussian(alpha, 0), laplace(alpha, 0), epsilon_delta(alpha, 0, 0), geometric(alpha, 0, 5)):
        assert beta == pytest.approx(1 - alpha, rel=1e-12, abs=0)
    for hit in (gaussian_power(alpha, 0), laplace_power(alpha, 0), geometric_power(alpha, 0, 5)):
        assert hit == pytest.approx(alpha, rel=1e-11, abs=0)


@pytest.mark.parametrize(
    ("form", "arguments"),
    [
        (gaussian, (1.3,)),
        (epsilon_delta, (1, 0.05)),
        (laplace, (2,)),
        (geometric, (2, 3)),
        (generalized_gaussian, (1, 3, 1)),
    ],
)
def test_every_form_is_its_own_inverse(form, arguments):
    alpha = np.array([0.002, 0.1, 0.3, 0.5, 0.7])
    assert form(form(alpha, *arguments), *arguments) == pytest.approx(alpha, rel=1e-9)


@pytest.mark.parametrize("name", FORMS)
def test_arguments_broadcast_and_scalars_give_scalars(name):
    form, power, rows = FORMS[name]
    for function in (form, power):
        result = function(np.full((2, 1), 0.2), *[np.full(3, row) for row in rows[2]])
        assert result.shape == (2, 3)
        alone = function(0.2, *rows[2])
        assert np.ndim(alone) == 0
        assert result == pytest.approx(np.full((2, 3), alone), rel=1e-12, abs=0)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: gaussian(1.5, 1), "alpha must be in [0, 1], got 1.5"),
        (lambda: gaussian(np.nan, 1), "alpha must be in [0, 1], got nan"),
        (lambda: gaussian_power(0.5, -1), "mu must be in [0, 1e6], got -1"),
        (lambda: epsilon_delta(0.5, 2e6, 0), "epsilon must be in [0, 1e6], got 2000000"),
        (lambda: epsilon_delta_power(0.5, 1, 2), "delta must be in [0, 1], got 2"),
        (lambda: laplace(0.5, np.inf), "theta must be in [0, 1e6], got inf"),
        (lambda: laplace_power(0.5, -1), "theta must be in [0, 1e6], got -1"),
        (lambda: geometric(0.5, 1, 1.5), "sensitivity must be in the whole numbers of [1, 1e15], got 1.5"),
        (lambda: geometric_power(0.5, 1, 0), "sensitivity must be in [1, 1e15], got 0"),
        (lambda: generalized_gaussian(0.5, 1, 0.9), "p must be in [1, 100], got 0.9"),
        (lambda: generalized_gaussian(0.5, 0, 2), "scale must be in (0, inf), got 0"),
        (lambda: generalized_gaussian_power(0.5, 1, 2, 0), "sensitivity must be in [1e-300, inf), got 0"),
    ],
)
def test_an_argument_out_of_its_range_is_refused(call, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        call()


@pytest.mark.parametrize("alpha", [5e-324, 1e-320, 1e-315, 2.3e-308, 9e-301])
@pytest.mark.parametrize("mu", [0.2367, 1.0, 30.0])
def test_the_power_of_gaussian_noise_is_not_understated_where_a_false_alarm_rate_is_next_to_0(alpha, mu):
    assert float(gaussian_power(alpha, mu)) >= verify.gaussian_power(alpha, 1.0, mu).low
