"""The scale b of (ε, δ)-pDP for several statistics with independent generalized Gaussian noise ([Liu19] Prop. 8).

With b = 1 and s_k = Δ_k/b, statistic k contributes (z_k + s_k)^p − z_k^p to the bound on the privacy loss, z_k = |X_k|:
at least s_k^p, and W(z_k) = (z_k + s_k)^p − z_k^p − s_k^p beyond. The promise is Pr(Σ_k W_k > ε − Σ_k s_k^p) ≤ δ (own
form of Eq. 13, for every real p ≥ 1). Units as in `scales`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import ArrayLike
from scipy.interpolate import CubicSpline

from dpcore.checks import Array, number
from dpcore.generalized_gaussian._tails import SHAPE_RANGE, half_norm, mills_ratio
from dpcore.generalized_gaussian.distribution import sample
from dpcore.generalized_gaussian.scales import DELTA_RANGE, SENSITIVITY_RANGE, pdp_scale_disjoint

EPSILON_RANGE = "[1e-6, 1e6]"
MOST_STATISTICS = 64
MOST_DRAWS = 10_000_000
_EXCESS = 5e-7
_N_KNOTS = 400
_FARTHEST = 1e5  # beyond it no noise of any p ≥ 1 has a probability that a double can hold


def _endpoint_rule(n_nodes: int, reach: float) -> tuple[Array, Array]:
    """Nodes and weights of tanh-sinh quadrature on [0, 1], whatever the integrand's powers at the ends."""
    place = np.linspace(-reach, reach, n_nodes)
    angle = np.pi * np.sinh(place)
    weights = np.pi * np.cosh(place) / (4 * np.cosh(angle / 2) ** 2) * (place[1] - place[0])
    nodes = 1 / (1 + np.exp(-angle))
    return nodes.astype(np.float64), weights.astype(np.float64)


_NODES, _WEIGHTS = _endpoint_rule(40, 2.9)


@cache
def _grid(n: int) -> tuple[Array, Array]:
    """n Chebyshev nodes on [0, 1] and the matrix from values there to coefficients."""
    nodes = chebyshev.chebpts1(n)
    return (1 + nodes) / 2, np.asarray(np.linalg.inv(chebyshev.chebvander(nodes, n - 1)), dtype=np.float64)


def pdp_scale(epsilon: ArrayLike, delta: ArrayLike, p: ArrayLike, sensitivities: ArrayLike) -> Array:
    """b with Pr(Σ_k [(|X_k| + Δ_k)^p − |X_k|^p] > b^p ε) = δ: a b of (ε, δ)-pDP for r statistics ([Liu19] Prop. 8).

    The tail of the sum is found one statistic after the other by quadrature, its logarithm kept on a Chebyshev grid.

    Parameters
    ----------
    epsilon : in [1e-6, 1e6].
    delta : in [1e-300, 1), of probabilistic DP.
    p : shape, in [1, 100].
    sensitivities : Δ_k in [0, 1e280], one to 64 of them, in query units, the largest positive; they do not broadcast.

    Returns
    -------
    b in query units: never below the true value, above it by a relative 1e-6 at most. One statistic gives
    `pdp_scale_disjoint`; p = 1 gives Laplace's ΣΔ_k/ε.
    """
    epsilon, delta = number("epsilon", epsilon, EPSILON_RANGE), number("delta", delta, DELTA_RANGE)
    p, sensitivities = number("p", p, SHAPE_RANGE), _statistics(sensitivities)
    epsilon, delta, p = np.broadcast_arrays(epsilon, delta, p)
    rows = zip(epsilon.ravel().tolist(), delta.ravel().tolist(), p.ravel().tolist(), strict=True)
    return np.array([_scale(*row, sensitivities) for row in rows]).reshape(p.shape)[()]


def _statistics(sensitivities: ArrayLike) -> Array:
    """The positive sensitivities, the largest first."""
    sensitivities = number("sensitivities", sensitivities, "[0, 1e280]")
    if sensitivities.ndim != 1 or not 1 <= sensitivities.size <= MOST_STATISTICS:
        raise ValueError(f"sensitivities must be 1 to {MOST_STATISTICS} numbers, got shape {sensitivities.shape}")
    number("the largest of sensitivities", np.max(sensitivities), SENSITIVITY_RANGE)
    return np.sort(sensitivities[sensitivities > 0])[::-1]


def _scale(epsilon: float, delta: float, p: float, sensitivities: Array) -> float:
    """The root of ln Pr − ln δ in ln b."""
    largest, n = sensitivities[0], sensitivities.size
    if n == 1:
        return float(pdp_scale_disjoint(epsilon, delta, p, largest))
    share = sensitivities / largest
    if p == 1:
        return float(largest * (np.sum(share) * (1 + _EXCESS) / epsilon))
    breaks = _breaks(delta, p)

    def gap(log_scale: float) -> float:
        return _log_tail(epsilon, p, share * np.exp(-log_scale), breaks) - np.log(delta)

    alone = np.log(pdp_scale_disjoint(epsilon, delta, p))
    low = max(
        float(alone), float(np.log(np.sum(share**p) / epsilon) / p)
    )  # below it the promise fails without any noise
    high = alone + 0.7 * np.log(np.sum(share**2)) + 1e-3
    now = gap(high)
    while now > 0:
        low, high = high, 2 * high - alone
        now = gap(high)
    kept = max(np.exp(np.log(delta) + now), 1e-300)
    guess = high + alone - np.log(pdp_scale_disjoint(epsilon, kept, p))  # one statistic's curve through this point
    return float(largest * np.exp(_root(gap, low - 1e-6, high, now, guess)) * (1 + _EXCESS))


def _root(gap: Callable[[float], float], low: float, high: float, at_high: float, x: float) -> float:
    """Where `gap`, positive at low, falls to 0: from x by secants kept within the bracket, to 1e-8 or better."""
    last, at_last = high, at_high
    if not low < x < high:
        x = (low + high) / 2
    while True:
        now = gap(x)
        low, high = (x, high) if now > 0 else (low, x)
        step = -now * (x - last) / (now - at_last) if now != at_last else np.inf
        close = abs(step * (x - last)) < 1e-8
        last, at_last, x = x, now, x + step
        if close or high - low < 1e-9:
            return min(max(x, low), high)
        if not low < x < high:
            x = (low + high) / 2


def _breaks(delta: float, p: float) -> Array:
    """Ends of the panels of quadrature in z: even in z^{p/2}, up to where less than 1e-10 δ is left of the noise."""
    most = np.sqrt(23 - np.log(delta))
    return np.linspace(0, most, 1 + int(np.ceil(most / 2.5))) ** (2 / p)


def _log_tail(epsilon: float, p: float, shifts: Array, breaks: Array) -> float:
    """ln Pr(Σ_k W_k > ε − Σ_k s_k^p), by adding one statistic after the other to that of the largest s.

    The tail of a partial sum is a function of ζ, the z of the first statistic that would reach this sum alone. It is
    kept up to a sum that is exceeded less than 1e-10 of the time that matters.
    """
    room = epsilon - np.sum(shifts**p)
    if room <= 0:
        return 0.0
    first = shifts[0]
    with np.errstate(all="ignore"):
        nodes, to_coefficients = _grid(48 if _is_smooth(p) else 128)
        most = min(room, _excess(breaks[-1], first, p))
        farthest = _distance(np.array([most]), first, p)[0]
        tail = _tail(to_coefficients @ _log_two_tails(farthest * nodes, p), first, farthest, p)
        for s in shifts[1:-1]:
            if most < room:
                further = np.minimum(most + np.linspace(0, 1, 10) * _excess(breaks[-1], s, p), room)
                tails = _added(tail, further, s, p, breaks)
                most = further[np.argmax(np.append(tails[:-1] < -(breaks[-1] ** p), True))]
                farthest = _distance(np.array([most]), first, p)[0]
            tails = _added(tail, _excess(farthest * nodes, first, p), s, p, breaks)
            tail = _tail(to_coefficients @ tails, first, farthest, p)
        return float(_added(tail, np.array([room]), shifts[-1], p, breaks)[0])


def _is_smooth(p: float) -> bool:
    """Whether tails are smooth enough in ζ for the smaller grid, and ζ in the sum for a spline."""
    return 2 <= p <= 8


def _tail(coefficients: Array, first: float, farthest: float, p: float) -> Callable[[Array], Array]:
    """ln Pr(rest > sum) as a function of the sum, from its Chebyshev series in ζ; a spline is several times faster."""
    if _is_smooth(p):
        zeta = np.linspace(0, 1, _N_KNOTS) ** 3
        knots = _excess(farthest * zeta, first, p)
        spline = CubicSpline(knots, chebyshev.chebval(2 * zeta - 1, coefficients))
        return lambda sums: spline(np.clip(sums, 0, knots[-1]))

    def series(sums: Array) -> Array:
        zeta = np.minimum(_distance(sums, first, p) / farthest, 1)
        return np.asarray(chebyshev.chebval(2 * zeta - 1, coefficients), dtype=np.float64)

    return series


def _added(tail: Callable[[Array], Array], sums: Array, s: float, p: float, breaks: Array) -> Array:
    """ln Pr(W(z) + rest > sum) = ln [Pr(z > z*) + ∫_0^{z*} f(z) Pr(rest > sum − W(z)) dz] with W(z*) = sum."""
    reach = np.minimum(_distance(sums, s, p), breaks[-1])
    ends = np.minimum(breaks, reach[:, None])
    widths = np.diff(ends, axis=1)[:, :, None]
    z = ends[:, :-1, None] + widths * _NODES
    log_rest = tail(sums[:, None, None] - _excess(z, s, p))
    total = np.sum(widths[:, :, 0] * (np.exp(np.minimum(log_rest, 0) - z**p) @ _WEIGHTS), axis=1)
    return np.log(np.maximum(total / half_norm(np.asarray(p)) + np.exp(_log_two_tails(reach, p)), 1e-320))


def _log_two_tails(z: Array, p: float) -> Array:
    """ln Pr(|X| > z)."""
    power, shape = z**p, np.full_like(z, p)
    norm = half_norm(shape)
    return np.log(mills_ratio(z, power, shape, norm) / norm) - power


def _excess(z: Array | float, s: float, p: float) -> Array:
    """W(z) = (z + s)^p − z^p − s^p."""
    small, large = np.minimum(z, s), np.maximum(z, s)
    return large**p * np.expm1(p * np.log1p(small / large)) - small**p


def _distance(excess: Array, s: float, p: float) -> Array:
    """The z with W(z) = `excess`, by Newton's method on ln W over ln z, which is convex for p > 2 and concave below."""
    excess = np.maximum(excess, 1e-300)
    near = excess / (p * s ** (p - 1))
    far = (excess / (p * s)) ** (1 / (p - 1))
    z = np.minimum(np.minimum(near, far) if p > 2 else np.maximum(near, far), _FARTHEST)
    for _ in range(7):
        small, large = np.minimum(z, s), np.maximum(z, s)
        growth = np.expm1((p - 1) * np.log1p(small / large))
        top = large ** (p - 1)
        slope = p * z * np.where(z < s, top * (growth + 1) - small ** (p - 1), top * growth)
        now = large * top * np.expm1(p * np.log1p(small / large)) - small**p
        step = np.log(now / excess) * now / slope
        z = np.minimum(z * np.exp(-step), _FARTHEST)
        if np.all(abs(step) < 1e-8):
            break
    return z


@dataclass(frozen=True)
class MonteCarloScale:
    """A simulated scale and its standard error, both in query units."""

    scale: float
    standard_error: float


def pdp_scale_monte_carlo(
    epsilon: float, delta: float, p: float, sensitivities: ArrayLike, rng: np.random.Generator, n: int
) -> MonteCarloScale:
    """The b of `pdp_scale` as [Liu19] finds it: from n simulated draws of the noise. Not a guarantee.

    With X = b z one set of draws of z serves every b: b is where a share δ of the draws breaks the promise, found by
    bisection. The standard error is that of the share, √(δ(1 − δ)/n), over its slope in b.

    Parameters
    ----------
    epsilon : in [1e-6, 1e6].
    delta : in [10/n, 1 − 10/n].
    p : shape, in [1, 100].
    sensitivities : as in `pdp_scale`.
    rng : a NumPy random generator.
    n : number of draws, in [1000, 1e7].
    """
    epsilon, p = float(number("epsilon", epsilon, EPSILON_RANGE)), float(number("p", p, SHAPE_RANGE))
    n = int(number("n", n, f"[1000, {MOST_DRAWS}]"))
    delta = float(number("delta", delta, f"[{10 / n:.6g}, {1 - 10 / n:.6g}]"))
    sensitivities = _statistics(sensitivities)
    share = sensitivities / sensitivities[0]
    z = abs(sample(rng, p, 1.0, (share.size, n)))
    error = np.sqrt(delta * (1 - delta) / n)
    middle, low, high = (
        _simulated_scale(epsilon, min(max(target, 1 / n), 1 - 1 / n), p, share, z)
        for target in (delta, delta + error, delta - error)
    )
    return MonteCarloScale(float(middle * sensitivities[0]), float((high - low) / 2 * sensitivities[0]))


def _simulated_scale(epsilon: float, delta: float, p: float, share: Array, z: Array) -> float:
    low, high = np.log(1e-8), np.log(1e300) / 2
    for _ in range(60):
        middle = (low + high) / 2
        with np.errstate(over="ignore", under="ignore"):
            s = share * np.exp(-middle)
            total = sum(_excess(row, float(shift), p) + shift**p for row, shift in zip(z, s, strict=True))
        if np.mean(total > epsilon) > delta:
            low = middle
        else:
            high = middle
    return float(np.exp(high))
