import re
from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from flint import acb, arb, ctx

from dpcore.composition import (
    Release,
    discrete_gaussian_release,
    exponential_release,
    gaussian_release,
    geometric_release,
    guarantee_release,
    laplace_release,
    log_moment,
    log_moments,
    profile_release,
    sampled_release,
    truncated_laplace_release,
    zcdp_release,
)
from dpcore.composition.moments import characteristic_function, tabled


def mean(function: Callable[[arb], acb], low: float, high: float, step: float) -> acb:
    """Return the integral of a smooth function that vanishes at both ends, by the trapezoid rule."""
    total = acb(0)
    for k in range(int((high - low) / step) + 1):
        total += function(arb(low) + k * arb(step))
    return total * arb(step)


def sampled_moment(noise: float, rate: float, order: complex) -> complex:
    """ln E e^{αℓ} over u ~ N(0, z²), from the definition, to 60 digits."""
    with ctx.workprec(200):
        z, q = arb(noise), arb(rate)
        density = 1 / (z * (2 * arb.pi()).sqrt())
        real, imaginary = complex(order).real, complex(order).imag
        power = acb(real, imaginary)

        def term(u: arb) -> acb:
            x = q * ((2 * u - 1) / (2 * z * z)).expm1()
            excess = (power * x.log1p()).expm1() - power * x
            return (-((u / z) ** 2) / 2).exp() * density * excess

        reach = 13 * noise
        step = min(0.3 * noise, 0.3 * noise**2) / (1 + abs(imaginary) / 20)
        return complex(mean(term, min(real, 0) - reach, max(real, 1) + reach, step).log1p())


SAMPLED = [  # z, q, s
    (4, 0.01, 1),
    (1, 0.01, 6.727 + 3j),
    (1, 0.01, 0.5 + 20j),
    (0.3, 0.2, 1.5 + 2j),
    (0.2, 0.001, 0.7),
    (0.5, 1 - 1e-9, 2 + 1j),
    (2, 0.999, 0.01 + 4j),
    (3, 1e-7, 2 + 5j),
    (20, 0.3, 30 + 40j),
    (30, 0.01, 2000),
]


@pytest.mark.parametrize("s", [2.0, np.geomspace(1e-2, 1e3, 12), 1.5 + 1j * np.linspace(0, 40, 9).reshape(3, 3)])
def test_the_moments_of_several_releases_are_those_of_each(s):
    releases = [
        gaussian_release(0.5),
        laplace_release(0.1),
        guarantee_release(2, 1e-3),
        laplace_release(700),
        geometric_release(0.3, 7),
        sampled_release(1, 0.1),
        discrete_gaussian_release(0.5, 2),
        sampled_release(1, 1),
        discrete_gaussian_release(1, 3),
        discrete_gaussian_release(300, 10_000, 4),
        truncated_laplace_release(0.3, 1e-5),
        profile_release([0.3, 1], [0.1, 1e-3]),
        profile_release(2, 0.1),
    ]
    together = log_moments(releases, s)
    assert together.shape == (len(releases), *np.shape(s))
    assert np.iscomplexobj(together) == np.iscomplexobj(s)
    for release, moments in zip(releases, together, strict=True):
        assert np.exp(moments - log_moment(release, s)) == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize(
    ("s", "message"),
    [
        (0, r"s must be in \[1e-6, 1e6\], got 0"),
        (1 + 1e7j, "imaginary part of s must be"),
        (0j, "real part of s must be in"),
    ],
)
def test_the_moments_of_several_releases_refuse_what_those_of_one_refuse(s, message):
    with pytest.raises(ValueError, match=message):
        log_moments([gaussian_release(1)], s)
    with pytest.raises(ValueError, match="kind must be"):
        log_moments([zcdp_release(0.1)], 1)


@pytest.mark.parametrize(("noise", "rate", "s"), SAMPLED)
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_a_sampled_step_has_the_moments_of_its_definition(noise, rate, s, direction):
    sign = 1 if direction == "remove" else -1
    start = 1 if direction == "remove" else 0
    level = sampled_moment(noise, rate, start + sign * complex(s).real).real
    release = sampled_release(noise, rate)
    assert log_moment(release, complex(s).real, direction).real == pytest.approx(level, rel=1e-13, abs=4e-16 * rate)
    moments = np.exp(log_moment(release, s, direction) - level)
    assert moments == pytest.approx(np.exp(sampled_moment(noise, rate, start + sign * s) - level), abs=2e-14)


@pytest.mark.parametrize(
    ("rate", "noise", "order", "tau"),
    [
        (0.01, 4, 2, 6.4494250942e-6),
        (0.01, 4, 1.5, 4.83549317563e-6),
        (0.01, 4, 32, 1.05263606591e-4),
        (0.01, 1, 2.5, 2.17575332282e-4),
    ],
)
def test_the_moments_are_the_rényi_divergences_of_the_reference(rate, noise, order, tau):
    divergence = log_moment(sampled_release(noise, rate), order - 1).real / (order - 1)
    assert divergence == pytest.approx(tau, rel=2e-12)


@pytest.mark.parametrize("s", [1e-3, 0.5, 3.0, 1 + 2j, 0.1 + 30j])
def test_laplace_noise_and_guarantees_have_the_moments_of_their_definitions(s):
    epsilon = 0.7

    def laplace(x: mpmath.mpf) -> mpmath.mpc:  # P around 0, Q around 1
        return mpmath.exp(-epsilon * abs(x)) * mpmath.exp(s * epsilon * (abs(x - 1) - abs(x))) * epsilon / 2

    expected = complex(mpmath.log(mpmath.quad(laplace, [-60, -10, 0, 0.5, 1, 11, 60])))
    truth = np.exp(epsilon) / (1 + np.exp(epsilon))
    response = truth * np.exp(s * epsilon) + (1 - truth) * np.exp(-s * epsilon)
    for direction in ("remove", "add"):
        moment = log_moment(laplace_release(epsilon), s, direction)
        assert np.exp(moment) == pytest.approx(np.exp(expected), rel=1e-13)
        moment = log_moment(guarantee_release(epsilon, 1e-3, 5), s, direction)
        assert np.exp(moment) == pytest.approx(response, rel=1e-13)
        assert log_moment(exponential_release(epsilon), s, direction) == moment


def test_gaussian_noise_has_the_moments_of_its_loss_and_so_has_a_sample_of_everybody():
    s = np.array([[0.5, 2 + 1j]])
    moment = log_moment(gaussian_release(0.5), s)
    assert moment.shape == (1, 2)
    assert moment == pytest.approx(2 * s * (s + 1))
    assert np.array_equal(log_moment(sampled_release(0.5, 1), s), moment)


def test_the_kind_of_zcdp_has_no_moments():
    with pytest.raises(ValueError, match=re.escape("kind must be in gaussian, laplace, geometric, discrete_gaussian")):
        log_moment(zcdp_release(0.1), 1)


@pytest.mark.parametrize(
    ("s", "direction", "message"),
    [
        (0j, "remove", "real part of s must be in [1e-6, 1e6], got 0"),
        ([1, [2]], "remove", "s must be in [1e-6, 1e6], got [1, [2]]"),
        (1 + 1e7j, "remove", "imaginary part of s must be in [-1e6, 1e6], got 10000000"),
        (1, "both", "direction must be in remove, add, got 'both'"),
    ],
)
def test_an_argument_out_of_its_domain_is_refused(s, direction, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        log_moment(gaussian_release(1), s, direction)


@pytest.mark.parametrize("s", [1e6, 1 + 1e6j])
def test_a_step_that_would_take_too_many_nodes_is_refused(s):
    with pytest.raises(ValueError, match="at most 65536 nodes"):
        log_moment(sampled_release(0.01, 0.5), s)


@pytest.mark.parametrize(
    ("sigma", "steps", "s"),
    [(0.96, 1, 1944.1), (0.5, 2, 0.7), (0.45, 3, 1e-6), (0.02, 5, 12.3), (0.7, 1, 20.5 + 7j), (0.9, 3, 2 - 11.3j)],
)
def test_narrow_discrete_gaussian_noise_has_the_moments_of_its_losses(sigma, steps, s):
    def exponents(order: complex) -> list[mpmath.mpc]:
        mean = round(complex(order).real * steps)
        k = range(mean - 30, mean + 31)
        square = 2 * mpmath.mpf(sigma) ** 2
        return [(mpmath.mpmathify(order) * (steps * steps + 2 * steps * m) - m * m) / square for m in k]

    with mpmath.workdps(40):
        moment, at_real, at_zero = (mpmath.log(sum(map(mpmath.exp, exponents(order)))) for order in (s, s.real, 0))
        level, share = float(mpmath.re(at_real - at_zero)), complex(mpmath.exp(moment - at_real))
    release = discrete_gaussian_release(sigma, steps)
    assert log_moment(release, s.real).real == pytest.approx(level, rel=1e-13)
    assert np.exp(log_moment(release, s) - level) == pytest.approx(share, abs=1e-14 + 1e-15 * level)


@pytest.mark.parametrize("release", [sampled_release(0.7, 0.02), laplace_release(0.3), guarantee_release(2)])
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_tables_and_equidistant_nodes_hold_the_same_moments(release: Release, direction):
    log_moments = tabled(release.kind, release.numbers[:2], direction, -13, 9)
    expected = log_moment(release, 2.0 ** (np.arange(-13, 10) / 4), direction)
    assert log_moments == pytest.approx(expected.real, rel=1e-12, abs=1e-17)
    log_moments = characteristic_function(release.kind, release.numbers, direction, 1.5, 0.3, 50)
    assert log_moments is not None
    nodes = log_moments.log
    assert nodes is not None
    expected = log_moment(release, 1.5 + 0.3j * np.arange(50), direction) - log_moment(release, 1.5, direction)
    assert np.exp(nodes) == pytest.approx(np.exp(expected), abs=1e-14)


def test_beyond_the_nodes_that_a_table_takes_stands_the_moment_without_sampling():
    assert tabled("sampled", (0.01, 0.5), "remove", 72, 72) == pytest.approx(2.0**18 * (2.0**18 + 1) / 2e-4)
    assert characteristic_function("sampled", (0.01, 0.5), "remove", 2.0**18, 1.0, 32) is None
