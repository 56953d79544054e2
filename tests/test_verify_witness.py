"""A witness of `dpcore.verify` that shares nothing with it: the definitions, by quadrature and by sums with mpmath.

The enclosures of `dpcore.verify`, by which "Verify" proves and which `tests.oracle` takes for the truth, come from
closed forms: Φ, Γ and e^x at the place where the privacy loss is ε. Here there is no such place and no tail: noise has
its density or its probabilities, and δ(ε) is what the definition says, the integral of max(0, f(x) − e^ε f(x − Δ)).
"""

from collections.abc import Callable, Sequence
from itertools import pairwise, product
from typing import Any

import mpmath
import pytest
from mpmath import mpf

from dpcore import verify
from dpcore.verify.formulas import Enclosure

DIGITS = 30
Real = Any  # a number of mpmath
Density = Callable[[Real], Real]


@pytest.fixture(autouse=True)
def digits():
    with mpmath.workdps(DIGITS):
        yield


def holds(interval: Enclosure, true: Real) -> bool:
    """Return whether an enclosure holds the truth, which quadrature knows to a relative 1e-20,
    and is narrow about it.
    """
    doubt = mpf("1e-20") * true
    return (
        interval.low <= true + doubt
        and true - doubt <= interval.high
        and interval.high - interval.low <= 1e-12 * interval.high
    )


def gaussian(sigma: float) -> Density:
    return lambda x: mpmath.exp(-((x / sigma) ** 2) / 2) / (sigma * mpmath.sqrt(2 * mpmath.pi))


def shaped(p: float, scale: float) -> Density:
    """Generalized Gaussian noise: Laplace noise at p = 1."""
    whole = 2 * scale * mpmath.gamma(1 + 1 / mpf(p))
    return lambda x: mpmath.exp(-(abs(x / scale) ** mpf(p))) / whole


def change(function: Callable[[Real], Real], low: Real, high: Real) -> Real:
    """Return the place between two others at which a function changes its sign, by halving."""
    is_positive = function(low) > 0
    for _ in range(4 * DIGITS):
        middle = (low + high) / 2
        low, high = (middle, high) if (function(middle) > 0) == is_positive else (low, middle)
    return high


def integral(value: Density, is_in: Callable[[Real], Real], reach: float, kinks: Sequence[float]) -> Real:
    """Return the integral of a value over where another one is positive, from −reach to reach."""
    steps = [mpf(reach) * place / 60 for place in range(-60, 61)]
    places = sorted({*steps, *(mpf(kink) for kink in kinks)})
    changes = [change(is_in, low, high) for low, high in pairwise(places) if is_in(low) * is_in(high) < 0]
    pieces = sorted({*steps[::10], *(mpf(point) for point in kinks), *changes})
    inside = (piece for piece in pairwise(pieces) if is_in((piece[0] + piece[1]) / 2) > 0)
    return mpmath.fsum(mpmath.quad(value, piece) for piece in inside)


def hockey_stick(density: Density, epsilon: float, moved: float, reach: float) -> Real:
    """δ(ε) of noise whose neighbour is moved: ∫ max(0, f(x) − e^ε f(x − Δ)) dx."""

    def excess(x: Real) -> Real:
        return density(x) - mpmath.exp(mpf(epsilon)) * density(x - moved)

    return integral(excess, excess, reach, (0, moved / 2, moved))


def loss_beyond(density: Density, epsilon: float, moved: float, reach: float) -> Real:
    """Pr(|ln f(x)/f(x − Δ)| > ε) of a draw x of the noise."""

    def beyond(x: Real) -> Real:
        return abs(mpmath.log(density(x) / density(x - moved))) - mpf(epsilon)

    return integral(density, beyond, reach, (0, moved / 2, moved))


SETTINGS = [(1.0, 4.225, 1.0), (0.0, 3.0, 2.0), (0.25, 10.0, 1.0), (4.0, 0.5, 1.0)]


@pytest.mark.parametrize(("epsilon", "sigma", "moved"), SETTINGS)
def test_gaussian_noise_has_the_delta_of_its_density(epsilon, sigma, moved):
    reach = 15 * sigma + moved
    true = hockey_stick(gaussian(sigma), epsilon, moved, reach)
    assert holds(verify.gaussian_delta(epsilon, sigma, moved), true)
    assert holds(verify.composition_delta(epsilon, [("gaussian", (sigma * 2 / moved,), 4)]), true)
    assert holds(verify.gaussian_pdp_delta(epsilon, sigma, moved), loss_beyond(gaussian(sigma), epsilon, moved, reach))


@pytest.mark.parametrize(("epsilon", "scale", "moved"), [(0.5, 1.0, 1.0), (0.0, 2.0, 3.0), (1.75, 0.5, 1.0)])
def test_laplace_noise_has_the_delta_of_its_density(epsilon, scale, moved):
    true = hockey_stick(shaped(1, scale), epsilon, moved, 80 * scale)
    assert holds(verify.laplace_delta(epsilon, scale, moved), true)


@pytest.mark.parametrize("p", [1.5, 3.0])
@pytest.mark.parametrize(("epsilon", "scale", "moved"), [(1.0, 3.0, 1.0), (0.0, 2.0, 1.0)])
def test_generalized_gaussian_noise_has_the_deltas_of_its_density(epsilon, scale, moved, p):
    density, reach = shaped(p, scale), scale * 90 ** (1 / p) + moved
    true = hockey_stick(density, epsilon, moved, reach)
    assert holds(verify.generalized_gaussian_delta(epsilon, scale, p, moved), true)
    true = loss_beyond(density, epsilon, moved, reach)
    assert holds(verify.generalized_gaussian_pdp_delta(epsilon, scale, p, moved), true)


@pytest.mark.parametrize(("epsilon", "scale", "moved"), [(0.3, 2.5, 1), (0.0, 4.0, 3), (1.1, 1.75, 2)])
def test_geometric_noise_has_the_delta_of_its_probabilities(epsilon, scale, moved):
    weights = {k: mpmath.exp(-abs(mpf(k)) / scale) for k in range(-500, 501)}
    whole = (1 + mpmath.exp(-1 / mpf(scale))) / (1 - mpmath.exp(-1 / mpf(scale)))
    left = (weights[k] - mpmath.exp(mpf(epsilon)) * weights[k - moved] for k in range(-500 + moved, 501))
    true = mpmath.fsum(max(loss, 0) for loss in left) / whole
    assert holds(verify.geometric_delta(epsilon, scale, moved), true)


@pytest.mark.parametrize(("epsilon", "theta", "gamma"), [(0.7, 1.3, 0.6), (0.0, 0.5, 0.3), (2.0, 2.5, 0.25)])
def test_staircase_noise_has_the_delta_of_its_density(epsilon, theta, gamma):
    fall = mpmath.exp(-mpf(theta))
    height = (1 - fall) / (2 * (gamma + fall * (1 - mpf(gamma))))

    def density(x: Real) -> Real:
        step = mpmath.floor(abs(x))
        return height * fall ** (step if abs(x) - step < gamma else step + 1)

    corners = sorted({k + part for k in range(-200, 201) for part in (0, mpf(gamma), 1 - mpf(gamma))})
    pieces = (((low + high) / 2, high - low) for low, high in pairwise(corners))
    excess = ((density(x) - mpmath.exp(mpf(epsilon)) * density(x - 1), width) for x, width in pieces)
    true = mpmath.fsum(max(surplus, 0) * width for surplus, width in excess)
    assert holds(verify.staircase_delta(epsilon, theta, gamma), true)


@pytest.mark.parametrize(("epsilon", "sigma", "moved"), [(1.0, 0.6, 1), (0.2, 3.0, 4), (0.0, 2.0, 3)])
def test_discrete_gaussian_noise_has_the_delta_of_its_probabilities(epsilon, sigma, moved):
    weights = {k: mpmath.exp(-((mpf(k) / sigma) ** 2) / 2) for k in range(-90, 91)}
    left = (weights[k] - mpmath.exp(mpf(epsilon)) * weights[k - moved] for k in range(-90 + moved, 91))
    true = mpmath.fsum(max(loss, 0) for loss in left) / mpmath.fsum(weights.values())
    assert holds(verify.discrete_gaussian_delta(epsilon, sigma, moved), true)


@pytest.mark.parametrize("n_cells", [1, 64])
def test_a_tail_is_what_the_density_has_beyond_the_half_width(n_cells):
    def together(inside: Real) -> Real:
        return 1 - inside**n_cells

    for noise, interval, reach in (
        (gaussian(2.0), verify.gaussian_tail(5.5, 2.0, n_cells), 5.5),
        (shaped(1, 2.0), verify.laplace_tail(5.5, 2.0, n_cells), 5.5),
        (shaped(3, 4.0), verify.generalized_gaussian_tail(5.5, 4.0, 3, n_cells), 5.5),
    ):
        assert holds(interval, together(2 * mpmath.quad(noise, [0, reach / 3, reach])))
    weights = [mpmath.exp(-mpf(k) / 2) for k in range(400)]
    inside = (2 * mpmath.fsum(weights[:6]) - 1) / (2 * mpmath.fsum(weights) - 1)
    assert holds(verify.geometric_tail(5.5, 2.0, n_cells), together(inside))
    weights = [mpmath.exp(-((mpf(k) / 2) ** 2) / 2) for k in range(90)]
    inside = (2 * mpmath.fsum(weights[:6]) - 1) / (2 * mpmath.fsum(weights) - 1)
    assert holds(verify.discrete_gaussian_tail(5.5, 2.0, n_cells), together(inside))


@pytest.mark.parametrize("threshold", [-0.5, 0.75, 2.5])
def test_a_power_is_what_the_moved_density_has_beyond_the_threshold_of_the_false_positives(threshold):
    def beyond(density: Density, start: float) -> Real:
        kinks = sorted({mpf(start), mpf(max(start, 0)), mpf(max(start, 1)), mpf(10), mpf(40), mpf(160)})
        return mpmath.fsum(mpmath.quad(density, piece) for piece in pairwise(kinks))

    for density, power in (
        (gaussian(2.0), lambda alpha: verify.gaussian_power(alpha, 2.0)),
        (shaped(1, 2.0), lambda alpha: verify.laplace_power(alpha, 0.5)),
        (shaped(3, 2.0), lambda alpha: verify.generalized_gaussian_power(alpha, 2.0, 3)),
    ):
        alpha, true = float(beyond(density, threshold)), beyond(lambda x, f=density: f(x - 1), threshold)
        computed = power(alpha)  # of the double next to α, so that the power is another by some roundings
        assert computed.low * (1 - 1e-14) <= true <= computed.high * (1 + 1e-14)


def test_releases_together_have_the_delta_of_their_losses():
    epsilon, noise, guarantees = 0.8, 1.5, ((0.3, 1e-3), (0.5, 0.0), (0.5, 0.0))
    mu = 1 / mpf(noise)

    def left(other: Real) -> Real:
        """E max(0, 1 − e^{ε − L}) of a Gaussian loss beside another one."""
        least = mpf(epsilon) - other
        loss = gaussian(float(mu)) if mu == float(mu) else lambda x: mpmath.npdf(x, 0, mu)
        return mpmath.quad(lambda x: loss(x - mu**2 / 2) * (1 - mpmath.exp(least - x)), [least, least + 1, least + 12])

    power_left, total = mpf(1), mpf(0)
    for signs in product((1, -1), repeat=len(guarantees)):
        weight = mpf(1)
        for sign, (loss, _) in zip(signs, guarantees, strict=True):
            weight /= 1 + mpmath.exp(-sign * mpf(loss))
        total += weight * left(mpmath.fsum(sign * mpf(loss) for sign, (loss, _) in zip(signs, guarantees, strict=True)))
    for _, delta in guarantees:
        power_left *= 1 - mpf(delta)
    parts = [("gaussian", (noise,), 1), ("guarantee", (0.3, 1e-3), 1), ("guarantee", (0.5, 0), 2)]
    assert holds(verify.composition_delta(epsilon, parts), 1 - power_left * (1 - total))


def test_a_renyi_bound_has_the_divergences_of_the_densities():
    epsilon, order = 2.0, 3.5

    def divergence(density: Density) -> Real:
        places = [-300, -100, -30, -8, 0, 1, 8, 30, 100, 300]
        power = mpmath.quad(lambda x: density(x) ** order * density(x - 1) ** (1 - mpf(order)), places)
        return mpmath.log(power) / (order - 1)

    q = mpmath.exp(mpf("0.5")) / (1 + mpmath.exp(mpf("0.5")))
    by_response = mpmath.log(q**order * (1 - q) ** (1 - mpf(order)) + (1 - q) ** order * q ** (1 - mpf(order)))
    tau = divergence(gaussian(2.0)) + 2 * divergence(shaped(1, 4.0)) + by_response / (order - 1)
    tau += order * mpf("0.125")  # ρ-zCDP is that the divergence is at most αρ
    a = mpf(order)
    true = mpmath.exp((a - 1) * (tau - epsilon)) * (1 - 1 / a) ** a / (a - 1)
    parts = [("gaussian", (2.0,), 1), ("laplace", (0.25,), 2), ("guarantee", (0.5, 0), 1), ("zcdp", (0.125,), 1)]
    assert holds(verify.renyi_delta(epsilon, order, parts), true)
