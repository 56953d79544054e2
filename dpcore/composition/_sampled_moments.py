"""The moment generating function of one step of DP-SGD's privacy loss, by quadrature over the Gaussian noise.

Noise u ~ N(0, z²) on a Poisson sample of rate q: with x = q expm1((2u − 1)/2z²), ℓ = ln1p x is the loss of the mixture
against plain noise, E e^{αℓ} is M(α − 1) for "remove" and M(−α) for "add" ([MTZ19]). As E x = 0, the excess M − 1 =
E[expm1(αℓ) − αx] is a sum of terms ≥ 0, which keeps its digits where q is small.

The trapezoid rule converges like e^{−2πd/step} on integrands that are analytic in a strip of half-width d; the step
follows from three of them: the Gaussian and its curvature under the tilt, the zeros of 1 + x at a distance of πz² from
the real axis as far as they weigh, and the frequency t/z² of e^{itℓ}.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from dpcore.checks import Array

_DIGITS = 40.0  # e^−40 is below a rounding
MOST_NODES = 2**16
_LAST_STEP = 1e-9  # of the distance of two nodes: after such a step what is left is below rounding
_ROOT_TWO_PI = math.sqrt(2 * math.pi)


@dataclass(frozen=True)
class Tilted:
    """The loss ℓ at the nodes of the quadrature, their weights under e^{αℓ}, which add up to 1, and how likely it is
    there that the person is in the sample.
    """

    loss: Array
    weight: Array
    share: Array


def log_excess(noise_multiplier: float, sampling_rate: float, order: Array, most: int = MOST_NODES) -> Array:
    """ln E e^{αℓ} at real orders α, all > 0 or all < 0; inf where the quadrature would take too many nodes."""
    u, step = _nodes(noise_multiplier, sampling_rate, order, most)
    if u.size == 0:
        return np.full(order.shape, np.inf)
    loss, log_density = _loss(u, noise_multiplier, sampling_rate), _log_density(u, noise_multiplier)
    log_next = _log_density(u - 1, noise_multiplier)
    tilt = order[:, None] * loss
    tilted_density = log_density + tilt
    peak = np.maximum(np.max(tilted_density, axis=-1, keepdims=True), 0)
    density = np.exp(log_density)
    moved = sampling_rate * (np.exp(log_next) - density)  # x times the density
    moved = np.where(abs(log_next - log_density) < 1, density * np.expm1(np.minimum(loss, 1)), moved)
    scale = np.exp(-peak)
    near = density * np.expm1(np.minimum(tilt, 1))
    grown = np.where(tilt < 1, near * scale, np.exp(tilted_density - peak) - density * scale)
    excess = np.sum(grown - order[:, None] * scale * moved, axis=-1) * step
    peak = peak[:, 0]
    with np.errstate(over="ignore", invalid="ignore"):
        small = np.log1p(excess * np.exp(np.minimum(peak, 1)))
        return np.where(peak < 1, small, peak + np.log(excess + np.exp(-peak)))


def tilted(noise_multiplier: float, sampling_rate: float, order: float, reach: float) -> Tilted | None:
    """Return the measure under e^{αℓ} for transforms E e^{itℓ} with |t| ≤ `reach`; None if it has too many nodes."""
    u, step = _nodes(noise_multiplier, sampling_rate, np.array([order]), MOST_NODES)
    if u.size == 0:
        return None
    turns = reach / (2 * math.pi)
    place = u / step + turns * _loss(u, noise_multiplier, sampling_rate)
    n_nodes = math.ceil(place[-1] - place[0])
    if not n_nodes < MOST_NODES:
        return None
    u, density = _spread(u, place, step, turns, noise_multiplier, sampling_rate)
    loss = _loss(u, noise_multiplier, sampling_rate)
    exponent = _log_density(u, noise_multiplier) + order * loss - np.log(density)
    weight = np.exp(exponent - np.max(exponent))
    has_weight = weight > 1e-20
    share = _shares(u[has_weight], noise_multiplier, sampling_rate)
    return Tilted(loss[has_weight], weight[has_weight] / np.sum(weight[has_weight]), share)


def _spread(u: Array, place: Array, step: float, turns: float, noise: float, rate: float) -> tuple[Array, Array]:
    """Return nodes u at which v(u) = u/step + turns · ℓ(u) is whole, closer where e^{itℓ} turns, and dv/du there."""
    whole = np.arange(math.ceil(place[0]), place[-1])
    nodes = np.interp(whole, place, u)
    for _ in range(6):
        slope = 1 / step + turns * _shares(nodes, noise, rate) / noise**2
        short = nodes / step + turns * _loss(nodes, noise, rate) - whole
        nodes = nodes - short / slope
        if np.max(abs(short), initial=0) < _LAST_STEP:  # Newton's method is quadratic
            break
    return nodes, 1 / step + turns * _shares(nodes, noise, rate) / noise**2


def _shares(u: Array, noise: float, rate: float) -> Array:
    return expit((u - 0.5) / noise / noise + (math.log(rate) - math.log1p(-rate)))


def _loss(u: Array, noise: float, rate: float) -> Array:
    exponent = (u - 0.5) / noise / noise
    far = np.logaddexp(np.log1p(-rate), math.log(rate) + exponent)
    return np.where(abs(exponent) < 0.5, np.log1p(rate * np.expm1(np.clip(exponent, -0.5, 0.5))), far)


def _log_density(u: Array, noise: float) -> Array:
    return -((u / noise) ** 2) / 2 - math.log(noise * _ROOT_TWO_PI)


def _nodes(noise: float, rate: float, order: Array, most: int) -> tuple[Array, float]:
    """Return equidistant u that cover all orders, and their distance; no u where there would be too many."""
    low, high = _window(noise, rate, float(order[np.argmax(abs(order))]))
    step = _step(noise, rate, order, high)
    if not (high - low) / step < most:
        return np.empty(0), step
    return low + step * np.arange(math.ceil((high - low) / step) + 1.0), step


def _step(noise: float, rate: float, order: Array, high: float) -> float:
    least = float(np.min(order))
    share = min(_share(high, noise, rate), 0.5)
    curvature = 1 / noise**2 + max(-least, 0.0) * share * (1 - share) / noise**4
    gaussian = 2 * math.pi / math.sqrt(2 * (_DIGITS + 2) * curvature)
    zero = 0.5 + noise**2 * (math.log1p(-rate) - math.log(rate))  # 1 + x = 0 at this u, plus or minus iπz²
    shift = 0.8 * math.pi * noise**2
    if shift > math.sqrt(2 * (_DIGITS + 2) / curvature):  # farther than the rule needs
        return gaussian
    grown = np.where(order > 0, order * (order - 1) / (2 * noise**2) + order * math.log(rate), 0)
    there = -(zero**2 - shift**2) / (2 * noise**2) + order * (math.log(2) + math.log1p(-rate))
    digits = _DIGITS + 6 + float(np.max(there + 1.2 * np.maximum(-order, 0) - np.maximum(grown, 0)))
    return min(gaussian, 2 * math.pi * shift / digits) if digits > 0 else gaussian


def _window(noise: float, rate: float, order: float) -> tuple[float, float]:
    """Return the interval in which e^{αℓ} times the density, or a term 1 or αx of it, is above e^−44 of its maximum."""
    wide = 9.5 * noise
    if order < 0:  # one peak, at the only root of u = α p(u)
        return _root(noise, rate, order) - wide, 1 + wide
    top, before = order * _share(order, noise, rate), order
    while before - top > 0.1 * noise:  # from above to the largest root
        top, before = order * _share(top, noise, rate), top
    low, before = order * _share(0.0, noise, rate), 0.0
    while low - before > 0.1 * noise:  # from below to the least one
        low, before = order * _share(low, noise, rate), low
    least = max(_exponent(low, noise, rate, order), 0.0) - 44
    if _exponent(top, noise, rate, order) > least:
        high = _crossing(top, order + wide, least, noise, rate, order)
    else:  # the upper peak weighs nothing
        high = _crossing(low, top, least, noise, rate, order)
    return -wide, max(high, 1 + wide)


def _share(u: float, noise: float, rate: float) -> float:
    """p(u), the chance that a person took part where the noisy sum is u: dℓ/du = p/z²."""
    odds = (u - 0.5) / noise / noise + math.log(rate) - math.log1p(-rate)
    return 1 / (1 + math.exp(-odds)) if odds > -700 else 0.0


def _exponent(u: float, noise: float, rate: float, order: float) -> float:
    return -((u / noise) ** 2) / 2 + order * float(_loss(np.array(u), noise, rate))


def _crossing(low: float, high: float, level: float, noise: float, rate: float, order: float) -> float:
    """Return, right to one z, the point at which the exponent falls to a level, by bisection of plain numbers."""
    while high - low > noise:
        middle = (low + high) / 2
        above = _exponent(middle, noise, rate, order) > level
        low, high = (middle, high) if above else (low, middle)
    return high


def _root(noise: float, rate: float, order: float) -> float:
    low, high = order, 0.0
    while high - low > 0.05 * noise:
        middle = (low + high) / 2
        below = middle < order * _share(middle, noise, rate)
        low, high = (middle, high) if below else (low, middle)
    return low
