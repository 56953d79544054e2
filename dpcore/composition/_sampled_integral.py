"""The Rényi divergence of Gaussian noise on a sample of the records, for either kind of sample.

That of a step of DP-SGD is an integral, by the trapezoidal rule with nodes where its mass is.

Throughout c = 1/z = `shift`, a = α − 1 = `more`, q = `rate`; w is the noise in units of σ, s = (w − c/2)c the loss of
the whole Gaussian, x = q(e^s − 1), ℓ = ln(1 + x) the loss of the step, r(y) = e^y − 1 − y.

Every Rényi divergence of this package is a sum of remainders, e^y and sinh y without their first terms, all of them
positive; they are accurate where the subtraction loses all digits.

Two kinds of sample, with two neighbouring relations, which are never mixed. A Poisson sample (each record joins with
probability q, on its own) goes with adding or removing one record; a sample of fixed size, without replacement, goes
with replacing one. `noise_multiplier` is σ/Δ₂, with Δ₂ the sensitivity under the *same* relation: replacing a record
moves a clipped sum by twice as much as removing it.

References
----------
[WBK19] Wang, Balle & Kasiviswanathan, arXiv:1808.00087.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln, logsumexp

from dpcore.checks import Array, number
from dpcore.composition.releases import NOISE_RANGE, RATE_RANGE
from dpcore.rounding import round_sum_up, round_up

ORDER_RANGE = "[1.000001, 1e7]"
FIXED_ORDER_RANGE = "[1.000001, 1e4]"  # its bound is a sum of as many terms
_LEAST_RATE = 1e-120  # below it the squares of the losses leave the doubles


def subsampled_gaussian_rdp(order: ArrayLike, noise_multiplier: ArrayLike, sampling_rate: ArrayLike) -> Array:
    """τ(α) = ln E_Q[(dP/dQ)^α] / (α − 1), Q = N(0, z²), P = (1 − q)Q + q N(1, z²): a step of DP-SGD ([MTZ19] §3.3).

    The other direction is smaller ([MTZ19] Thm 5), so this holds for adding and for removing a record.

    Parameters
    ----------
    order : α in [1.000001, 1e7], any real number.
    noise_multiplier : z = σ/Δ₂ in [1e-3, 1e6], Δ₂ of adding or removing a record.
    sampling_rate : q in (0, 1], of a Poisson sample; a rate below 1e-120 counts as 1e-120.

    Returns
    -------
    τ in nats: never below the true value. Above it by a relative 1e-12 at most, or where that is more by as much as
    moving z by a relative 10 · 2⁻⁵² does: near the order from which on the largest loss decides.

    Notes
    -----
    With ℓ = ln dP/dQ and a = α − 1, E_Q[(dP/dQ)^α] − 1 = E_P[a r(−ℓ) + r(aℓ)], r(y) = e^y − 1 − y: nothing cancels.
    The integrand is analytic for |Im w| < πz, w = z-score, so the trapezoidal rule is exact to rounding.

    Examples
    --------
    >>> f"{subsampled_gaussian_rdp(order=2, noise_multiplier=4, sampling_rate=0.01):.10e}"
    '6.4494250942e-06'
    """
    order = number("order", order, ORDER_RANGE)
    noise = number("noise_multiplier", noise_multiplier, NOISE_RANGE)
    rate = np.maximum(number("sampling_rate", sampling_rate, RATE_RANGE), _LEAST_RATE)
    shape = np.broadcast_shapes(order.shape, noise.shape, rate.shape)
    order, noise, rate = (np.broadcast_to(array, shape).ravel() for array in (order, noise, rate))
    whole = round_up(order / (2 * noise * noise), 8)  # all records: what no sample exceeds
    divergence, part = whole.copy(), rate < 1
    if part.any():
        more, shift, rate = order[part] - 1, 1 / noise[part], rate[part]
        divergence[part] = np.minimum(whole[part], _sampled_divergence(more, shift, rate))
    return divergence.reshape(shape)[()]


def gaussian_without_replacement_rdp(order: ArrayLike, noise_multiplier: ArrayLike, sampling_rate: ArrayLike) -> Array:
    """Return an upper bound on τ(α) of Gaussian noise on samples of one size, replacing a record ([WBK19] Thm 27).

    (α − 1)τ(α) ≤ ln[1 + q² C(α, 2) min(4(e^{1/z²} − 1), 2e^{1/z²}) + 2 Σ_{j ≥ 3} q^j C(α, j) e^{j(j − 1)/2z²}] at whole
    α; between them the chord, since (α − 1)τ(α) is convex; and never more than without a sample, α/2z².

    Parameters
    ----------
    order : α in [1.000001, 1e4].
    noise_multiplier : z = σ/Δ₂ in [1e-3, 1e6], Δ₂ of *replacing* a record: for a sum clipped to norm C that is 2C, so
        it is half of the noise multiplier of the same noise in `subsampled_gaussian_rdp`. Not to be mixed.
    sampling_rate : q = m/n in (0, 1], m of n records without replacement.

    Returns
    -------
    τ in nats, an upper bound, often loose.

    Examples
    --------
    >>> f"{gaussian_without_replacement_rdp(order=2, noise_multiplier=4, sampling_rate=0.01):.6e}"
    '2.579745e-05'
    """
    order = number("order", order, FIXED_ORDER_RANGE)
    noise = number("noise_multiplier", noise_multiplier, NOISE_RANGE)
    rate = np.maximum(number("sampling_rate", sampling_rate, RATE_RANGE), _LEAST_RATE)
    below = np.floor(order)
    share = order - below
    chord = (1 - share) * _fixed_size_sum(below, noise, rate) + share * _fixed_size_sum(below + 1, noise, rate)
    return round_up(np.minimum(chord / (order - 1), order / (2 * noise * noise)), 8)


def _fixed_size_sum(order: Array, noise: Array, rate: Array) -> Array:
    """Return the logarithm above at whole α, rounded up by what its exponents may lose; 0 at α = 1."""
    order, noise, rate = np.broadcast_arrays(order, noise, rate)
    total = np.zeros(order.shape)
    for at in np.ndindex(order.shape):
        most, inverse, log_rate = float(order[at]), 1 / float(noise[at]) ** 2, np.log(float(rate[at]))
        term = np.arange(2, most + 1)
        choices = gammaln(most + 1) - gammaln(term + 1) - gammaln(most - term + 1)
        logs = choices + term * log_rate + term * (term - 1) / 2 * inverse + np.log(2)
        logs[:1] += min(0.0, np.log(-2 * np.expm1(-inverse)))
        size = gammaln(most + 1) - term * log_rate + term * term * inverse
        total[at] = np.logaddexp(0, logsumexp(round_sum_up(logs, 16 + size, 4)))
    return total


_COEFFICIENTS = [1 / math.factorial(k) for k in range(19, 2, -2)]  # of x¹⁶ … x⁰ in (sinh x − x)/x³


def sinh_remainder(x: Array) -> Array:
    """sinh x − x for |x| ≤ 700, to a relative 16 · 2⁻⁵²."""
    near = np.abs(x) < 1.5
    return np.where(near, _sinh_series(np.where(near, x, 0.0)), np.sinh(x) - x)


def exp_remainder(y: Array) -> Array:
    """e^y − 1 − y ≥ 0 for y ≤ 709, to a relative 16 · 2⁻⁵²: near 0 as 2 sinh²(y/2) + (sinh y − y)."""
    remainder, near = np.array(np.expm1(y) - y), np.abs(y) < 1
    small = y[near]
    half = np.sinh(small / 2)
    remainder[near] = 2 * half * half + _sinh_series(small)
    return remainder


def _sinh_series(x: Array) -> Array:
    square = x * x
    total = _COEFFICIENTS[0] * square
    for coefficient in _COEFFICIENTS[1:-1]:
        total += coefficient
        total *= square
    return (total + _COEFFICIENTS[-1]) * square * x


_LOG_ROOT_TWO_PI = np.log(2 * np.pi) / 2
_REACH = 9.0  # a bell ends where it is e^{−40}
_NEAR = 20.0  # up to where the terms are doubles without a logarithm: aℓ ≤ 20(20 + 9)
_SMOOTH = 5.0  # up to where, z ≥ 1/5, every integrand is smooth enough for few nodes
_FAR = 24.0  # from where on the empty stretch between two bells costs more than looking for them
_DEPTH = 36.0  # what is below e^{−36} of the top counts for nothing
_MOST_NODES = 500_000  # of many integrals at once, for the memory
_AT_ONCE = 2000  # integrals, for the same reason
_QUICK_SHIFT, _QUICK_RATE = 2.5, 1e-12  # the largest c and the least q of quick sums
_QUICK_NODES, _QUICK_TERMS = 400, 40_000  # of an integral or of all of them, for them to be quick


class NotQuickError(Exception):
    """Integrals of which another rule takes less time."""


def quick_divergence(more: Array, noise: Array, rate: Array) -> Array:
    """τ to about ten digits, not rounded up, by one row of nodes for all integrals, or raise `NotQuickError`.

    It only shows where the best order is. The arguments broadcast.
    """
    shift, n_integrals = 1 / noise, np.broadcast(more, noise, rate).size
    steepest, length = np.max(shift, initial=0), np.max(np.maximum(2, 1 + more) * shift, initial=0) + 2 * _REACH
    if not 0 < steepest <= _QUICK_SHIFT or length * steepest > 600 or np.min(rate) < _QUICK_RATE:
        raise NotQuickError
    n_nodes = int(np.ceil(length / min(0.4, 0.35 / steepest)))
    if n_nodes > _QUICK_NODES and n_nodes * n_integrals > _QUICK_TERMS:
        raise NotQuickError
    w, spacing = length * (np.arange(n_nodes) + 0.5) / n_nodes - _REACH, length / n_nodes
    shift, a = shift[..., None], more[..., None]
    loss = np.log1p(rate[..., None] * np.expm1((w - shift / 2) * shift))
    log_density = loss - w * w / 2
    density, power = np.exp(log_density), a * loss
    top = np.maximum(np.max(log_density + power, axis=-1, keepdims=True), 0)
    scale = np.exp(-top)
    far = np.exp(log_density + power - top) - scale * density * (1 + power)
    near = scale * density * _quick_remainder(np.minimum(power, 1))
    total = np.sum(np.where(power < 1, near, far) + scale * a * density * _quick_remainder(-loss), axis=-1)
    return np.logaddexp(0, top[..., 0] + np.log(total * spacing) - _LOG_ROOT_TWO_PI) / more


def _quick_remainder(y: Array) -> Array:
    """e^y − 1 − y to about ten digits."""
    return np.where(abs(y) < 2e-5, y * y * (0.5 + y / 6), np.expm1(y) - y)


def _sampled_divergence(more: Array, shift: Array, rate: Array) -> Array:
    """τ for one-dimensional arrays of one length, rounded up."""
    near = (np.maximum(2, 1 + more) * shift <= _NEAR) & (shift <= _SMOOTH)
    divergence = np.empty(more.shape)
    for start in range(0, len(more), _AT_ONCE):
        part = np.arange(start, min(start + _AT_ONCE, len(more)))
        for at, integrals in ((part[near[part]], _by_shared_nodes), (part[~near[part]], _by_own_nodes)):
            if at.size:
                divergence[at] = integrals(more[at], shift[at], rate[at])
    return divergence


def _by_shared_nodes(more: Array, shift: Array, rate: Array) -> Array:
    """τ where the whole integrand is near 0, with the same nodes, and one density, for all orders of a step."""
    steps, own = np.unique(shift + 1j * rate, return_inverse=True)
    shifts, rates = steps.real, steps.imag
    length = np.zeros(len(steps))
    np.maximum.at(length, own, np.maximum(2, 1 + more) * shift + 2 * _REACH)
    spacing = np.minimum(0.4, 0.35 / shifts)
    n_nodes = int(np.ceil((length / spacing).max()))
    w = length[:, None] * (np.arange(n_nodes) + 0.5) / n_nodes - _REACH
    logs, loss, size, slope = _density(w, shifts[:, None], rates[:, None])
    weight, a = np.exp(logs) * length[:, None] / n_nodes, more[:, None]
    terms = weight[own] * (a * exp_remainder(-loss)[own] + exp_remainder(a * loss[own]))
    total = terms.sum(1)
    return _divergence(np.log(total), np.vecdot(terms, size[own] + a * slope[own]) / total, more)


def _divergence(log_excess: Array, size: Array, more: Array) -> Array:
    """Return τ, rounded up by the mean error of the terms, from `log_excess` = ln(A − 1) + ln √2π."""
    return round_up(np.logaddexp(0, round_sum_up(log_excess - _LOG_ROOT_TWO_PI, 200 + 4 * size)) / more, 8)


def _by_own_nodes(more: Array, shift: Array, rate: Array) -> Array:
    low, high = _windows(more, shift, rate)
    kink = shift / 2 + (np.log1p(-rate) - np.log(rate)) / shift  # where both parts of P weigh the same
    inside = (low - 1 < kink[:, None]) & (kink[:, None] < high + 1)
    step = np.where(inside, np.minimum(0.4, 0.35 / shift[:, None]), 0.4)
    nodes = np.ceil((high - low) / step).astype(np.int64)
    parts = np.cumsum(nodes.sum(1)) // _MOST_NODES
    selection = (parts == part for part in np.unique(parts))
    return np.concatenate([_integral(low[at], high[at], nodes[at], more[at], shift[at], rate[at]) for at in selection])


def _integral(low: Array, high: Array, nodes: NDArray[np.int64], more: Array, shift: Array, rate: Array) -> Array:
    """τ from the midpoint rule in every window, rounded up by the error of each term, weighed as the term is."""
    counts = nodes.ravel()
    step = ((high - low) / np.maximum(nodes, 1)).ravel()
    window = np.repeat(np.arange(counts.size), counts)
    row = window // nodes.shape[1]
    place = np.arange(len(window)) - np.repeat(np.cumsum(counts) - counts, counts)
    w = low.ravel()[window] + (place + 0.5) * step[window]
    logs, size = _log_terms(w, more[row], shift[row], rate[row])
    starts = np.cumsum(nodes.sum(1)) - nodes.sum(1)
    top = np.maximum.reduceat(logs, starts)
    terms = np.exp(logs - top[row]) * step[window]
    total = np.add.reduceat(terms, starts)
    return _divergence(top + np.log(total), np.add.reduceat(terms * size, starts) / total, more)


def _loss(w: Array, shift: Array, rate: Array) -> tuple[Array, Array]:
    """Return s, the loss of the whole Gaussian at z-score w, and the loss ℓ = ln(1 − q + q e^s) of the sample."""
    s = (w - shift / 2) * shift
    near = np.log1p(rate * np.expm1(np.minimum(s, 700)))
    return s, np.where(s > 700, s + np.log(rate), near)


def _remainder(loss: Array, more: Array) -> tuple[Array, Array]:
    """Return a ℓ, and a r(−ℓ) + r(aℓ) without the part that overflows."""
    power = more * loss
    return power, more * exp_remainder(-loss) + exp_remainder(np.minimum(power, 700))


def _density(w: Array, shift: Array, rate: Array) -> tuple[Array, Array, Array, Array]:
    """Return ln of P's density times √2π, ℓ, and how many roundings both may carry: once, and for each unit of a."""
    s, loss = _loss(w, shift, rate)
    above = s > 0
    square = np.where(above, w - shift, w) ** 2 / 2
    lift = np.where(above, np.where(s > 700, np.log(rate), loss - s), loss)  # of P's density over the nearer bell's
    s = np.maximum(s, 0)
    return lift - square, loss, square + np.minimum(s, 300), s * np.minimum(np.maximum(loss, 0) + rate, 1)


def _log_terms(w: Array, more: Array, shift: Array, rate: Array) -> tuple[Array, Array]:
    """Log of P's density times a r(−ℓ) + r(aℓ), but for √2π, and how many roundings it may carry."""
    density, loss, size, slope = _density(w, shift, rate)
    power, remainder = _remainder(loss, more)
    with np.errstate(divide="ignore"):  # at ℓ = 0
        return density + np.where(power > 700, power, np.log(remainder)), size + more * slope


def _windows(more: Array, shift: Array, rate: Array) -> tuple[Array, Array]:
    """Return lower and upper ends of three intervals, disjoint or empty, with all but e^{−36} of the integrand.

    With c = 1/z its logarithm is −w²/2 + ln g, g = (1 + x)^α − 1 − αx, and ln g has the slope ν(x) c, ν between 2 and
    α, wherever x is far above 0. So all tops are between 0 and max(2, α)c, about; where that is far, they are sought.
    """
    furthest = np.maximum(2, 1 + more) * shift
    low, high = np.full((len(shift), 3), -_REACH), np.full((len(shift), 3), -_REACH)
    high[:, 2] = furthest + _REACH
    far = furthest > _FAR
    if far.any():
        low[far], high[far] = _far_windows(more[far], shift[far], rate[far])
    return low, high


def _far_windows(more: Array, shift: Array, rate: Array) -> tuple[Array, Array]:
    """Intervals about the top near 0 and those with w = ν c, each as long as the integrand lasts."""
    middle = np.stack([np.zeros_like(shift), *_tops(more, shift, rate)], axis=1)
    arguments = more[:, None], shift[:, None], rate[:, None]
    probes = middle + np.array([-1.5, 0.0, 1.5])[:, None, None]
    top = np.max(_log_terms(probes, *arguments)[0], axis=(0, 2))
    ends = middle + np.array([-_REACH, _REACH])[:, None, None]
    while True:
        logs, _ = _log_terms(ends, *arguments)
        top = np.maximum(top, np.max(logs, axis=(0, 2)))
        longer = logs > (top - _DEPTH)[:, None]
        if not longer.any():
            return _disjoint(*ends)
        ends = np.where(longer, ends + (ends - middle) / 2, ends)


def _tops(more: Array, shift: Array, rate: Array) -> Array:
    """Return places near the lowest and the highest w with w = ν c, where ν = x g′(x)/g(x).

    If α > 2, ν rises, and repeating w ← ν c finds them from 2c and from αc; else ν falls, and they are one.
    """
    ends = np.sort([2 * shift, (1 + more) * shift], axis=0)
    rising = more >= 1
    for _ in range(6):
        middle = (ends[0] + ends[1]) / 2
        _, loss = _loss(np.where(rising, ends, middle), shift, rate)
        power, remainder = _remainder(loss, more)
        slope = -np.expm1(-loss) * np.expm1(np.minimum(power, 700)) / remainder
        top = (1 + more) * slope * shift
        halves = np.where(top[0] > middle, [middle, ends[1]], [ends[0], middle])  # where ν falls: the only top
        ends = np.where(rising, top, halves)
    return ends


def _disjoint(low: Array, high: Array) -> tuple[Array, Array]:
    order = np.argsort(low, axis=1)
    low, high = np.take_along_axis(low, order, 1), np.take_along_axis(high, order, 1)
    for k in (1, 2):
        joined = low[:, k] <= high[:, k - 1] + 1
        high[:, k] = np.where(joined, np.maximum(high[:, k], high[:, k - 1]), high[:, k])
        low[:, k] = np.where(joined, low[:, k - 1], low[:, k])
        high[:, k - 1] = np.where(joined, low[:, k - 1], high[:, k - 1])
    return low, high
