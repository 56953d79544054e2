"""The scale b of (ε, δ)-pDP for several statistics with independent generalized Gaussian noise ([Liu19] Prop. 8).

With b = 1 and s_k = Δ_k/b, statistic k contributes (z_k + s_k)^p − z_k^p to the bound on the privacy loss, z_k = |X_k|:
at least s_k^p, and W(z_k) = (z_k + s_k)^p − z_k^p − s_k^p beyond. The guarantee is Pr(Σ_k W_k > ε − Σ_k s_k^p) ≤ δ (own
form of Eq. 13, for every real p ≥ 1). Units as in `scales`.

Two scales enclose the least one, with Δ_p = (Σ Δ_k^p)^{1/p} (own). The lower is Δ_p/ε^{1/p}, at which Σ s_k^p alone is
ε, or Corollary 9's for the largest statistic, whose part of the loss is below the whole. The upper is Corollary 9's for
one statistic of sensitivity Δ_p and noise ‖X‖_p: ‖z + s‖_p^p − ‖z‖_p^p ≤ (‖z‖_p + ‖s‖_p)^p − ‖z‖_p^p (Minkowski), which
grows with ‖z‖_p, and ‖z‖_p^p has a gamma distribution (shape r/p), at every p ≥ 1. For p → 1 both tend to ΣΔ_k/ε.

`pdp_scale_monte_carlo` is the scale as [Liu19] finds it, by simulated noise. It is no guarantee.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import ArrayLike
from scipy.interpolate import CubicSpline
from scipy.special import gammainccinv

from dpcore.checks import DELTA_RANGE, SHAPE_RANGE, Array, generator, number, scalar, scalar_integer
from dpcore.generalized_gaussian._loss import crossing
from dpcore.generalized_gaussian._tails import half_norm, mills_ratio
from dpcore.generalized_gaussian.distribution import sample
from dpcore.generalized_gaussian.scales import SENSITIVITY_RANGE, pdp_scale_disjoint
from dpcore.rounding import round_up

EPSILON_RANGE = "[1e-6, 1e6]"
MOST_STATISTICS = 64
MOST_POINTS = 1_600_000  # of quadrature, for one tail: about 0.2 s of processor time, and a scale takes about ten
_CLOSE = 1e-6  # relative; the enclosure's upper end is the answer where its ends agree so
_N_KNOTS, _N_TABLE = 4000, 1500  # of splines: dense enough for z^p at p = 100
_DOUBT = 5e-10  # times r², of a tail's logarithm, on top of the margin of b: what finer grids changed it by
_MARGIN = 5e-7  # of b
_LEAST_REST = 1e-2  # of 1 − δ, for that doubt to be small against it
_LEAST_SHARE = 1e-9  # of the largest sensitivity: a smaller one counts as that, which b hardly feels
_NEVER = 1e-10  # of δ: what is rarer is left out


def _endpoint_rule(n_nodes: int, reach: float) -> tuple[Array, Array]:
    """Return nodes and weights of tanh-sinh quadrature on [0, 1], whatever the integrand's powers at the ends."""
    place = np.linspace(-reach, reach, n_nodes)
    angle = np.pi * np.sinh(place)
    weights = np.pi * np.cosh(place) / (4 * np.cosh(angle / 2) ** 2) * (place[1] - place[0])
    nodes = 1 / (1 + np.exp(-angle))
    return nodes.astype(np.float64), weights.astype(np.float64)


_NODES, _WEIGHTS = _endpoint_rule(60, 3.1)  # from 1e-15 on: where Δ_k differ, the rest steps next to the end of a panel


@lru_cache(16)
def _grid(n: int) -> tuple[Array, Array, Array]:
    """Return n Chebyshev nodes on [0, 1], the knots of a spline there, and the matrix from values at nodes to knots."""
    nodes, knots = chebyshev.chebpts1(n), np.linspace(0, 1, _N_KNOTS)
    to_coefficients = np.linalg.inv(chebyshev.chebvander(nodes, n - 1))
    return (1 + nodes) / 2, knots, np.asarray(chebyshev.chebvander(2 * knots - 1, n - 1) @ to_coefficients)


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
    b in query units: not below the true value, above it by a relative 1e-6 at most for p in [1.1, 8] and else by 2e-5,
    and by what moving ln δ by 5e-10 r² does (measured against finer grids; the enclosure alone is proved). One
    statistic gives `pdp_scale_disjoint`; p = 1 gives Laplace's ΣΔ_k/ε.

    Where that would take more than about two seconds, b is the upper end of the enclosure that the module describes,
    which satisfies the guarantee too: where (r − 1) n_nodes(p) _n_panels(δ) > 26 666, which is so for 64 statistics
    with δ < 1e-17 for p < 2 and δ < 1e-52 for other p. So it is for δ > 0.99.

    Examples
    --------
    >>> f"{pdp_scale(1, 0.05, 3, [1.0, 0.1, 0.05]):.4f}"
    '4.8157'
    """
    epsilon, delta = number("epsilon", epsilon, EPSILON_RANGE), number("delta", delta, DELTA_RANGE)
    p, sensitivities = number("p", p, SHAPE_RANGE), _checked_sensitivities(sensitivities)
    epsilon, delta, p = np.broadcast_arrays(epsilon, delta, p)
    shape, epsilon, delta, p = p.shape, epsilon.ravel(), delta.ravel(), p.ravel()
    if sensitivities.size == 1:
        return pdp_scale_disjoint(epsilon, delta, p, sensitivities[0]).reshape(shape)[()]
    share = np.maximum(sensitivities / sensitivities[0], _LEAST_SHARE)
    low, high = _enclosure(epsilon, delta, p, share)
    cheap = (_n_points(delta, p, share.size) <= MOST_POINTS) & (delta <= 1 - _LEAST_REST)
    for row in np.flatnonzero(cheap & (high > low * (1 + _CLOSE))):
        high[row] = _scale(epsilon[row], delta[row], p[row], share, float(low[row]), float(high[row]))
    return (sensitivities[0] * high).reshape(shape)[()]


def _checked_sensitivities(sensitivities: ArrayLike) -> Array:
    """Return the positive sensitivities, the largest first."""
    sensitivities = number("sensitivities", sensitivities, "[0, 1e280]")
    if sensitivities.ndim != 1 or not 1 <= sensitivities.size <= MOST_STATISTICS:
        raise ValueError(f"sensitivities must be 1 to {MOST_STATISTICS} numbers, got shape {sensitivities.shape}")
    number("the largest of sensitivities", np.max(sensitivities), SENSITIVITY_RANGE)
    return np.sort(sensitivities[sensitivities > 0])[::-1]


def _enclosure(epsilon: Array, delta: Array, p: Array, share: Array) -> tuple[Array, Array]:
    """Return two b between which the least one lies, for sensitivities `share`, the largest of which is 1."""
    with np.errstate(all="ignore"):
        norm = np.sum(share ** p[:, np.newaxis], axis=1) ** (1 / p)
        # SciPy's quantile is right to 1e-13; ‖z‖^p counts as 1e-300 at least, where it would underflow
        power = np.maximum(gammainccinv(share.size / p, delta) * (1 + 1e-12), 1e-300)
        high = round_up(norm / crossing(power ** (1 / p), epsilon, p).s, 64 + share.size)
        low = np.maximum(norm / epsilon ** (1 / p), pdp_scale_disjoint(epsilon, delta, p)) * (1 - 1e-12)
    return low, high


def n_nodes(p: ArrayLike) -> Array:
    """Return the number of Chebyshev nodes for the tail of a sum: more near p = 1, where z^p is hardly smooth at 0."""
    return np.where(np.less(p, 2), 192, 128)


def _n_panels(delta: ArrayLike) -> Array:
    """Panels of quadrature in z, of length 4 in z^{p/2}, up to where less than 1e-10 δ is left of the noise."""
    return np.ceil(_farthest(delta) / 4)


def _farthest(delta: ArrayLike) -> Array:
    """Return z^{p/2} of the distance z beyond which less than 1e-10 δ is left of the noise."""
    return np.sqrt(-np.log(_NEVER) - np.log(delta))


def _n_points(delta: Array, p: Array, n_statistics: int) -> Array:
    return (n_statistics - 1) * n_nodes(p) * _n_panels(delta) * _NODES.size


def _scale(epsilon: float, delta: float, p: float, share: Array, low: float, high: float) -> float:
    """Return the root of `_misfit` in ln b, rounded up, but no higher than the enclosure."""
    breaks = np.linspace(0, _farthest(delta), 1 + int(_n_panels(delta))) ** (2 / p)

    def misfit(log_scale: float) -> float:
        log_tail = _log_tail(epsilon, p, share * np.exp(-log_scale), breaks)
        return _misfit(log_tail + _DOUBT * share.size**2, delta, share.size)

    start, end = float(np.log(low)), float(np.log(high))
    root = _root(misfit, start, end, misfit(end))
    return min(float(np.exp(root)) * (1 + (_MARGIN if 1.1 <= p <= 8 else 20 * _MARGIN)), high)


def _root(function: Callable[[float], float], low: float, high: float, at_high: float) -> float:
    """Return the root of a falling function, given its value at `high`, or the nearer end if no root is inside.

    It stands beside `dpcore.roots` and SciPy's `root_scalar` as each value takes a convolution: it asks for 4.6 of them
    where Brent's method takes 5.9. These are secants, and the middle of the bracket where they leave it or hardly
    shrink it. What a secant's step leaves is about
    the product of the last two steps over the span in which the function bends, for which the bracket stands.
    """
    last, at_last, x, width, span = high, at_high, low, np.inf, min(high - low, 1.0)
    while True:
        value = function(x)
        low, high = (x, high) if value > 0 else (low, x)
        step = -value * (x - last) / (value - at_last) if value != at_last else np.inf
        close = abs(step * (x - last)) < 1e-8 * span
        last, at_last, x = x, value, x + step
        if close or high - low < 1e-8:
            return min(max(x, low), high)
        if not low < x < high or high - low > width / 2:
            x, width = (low + high) / 2, high - low


def _misfit(log_tail: float, delta: float, n: int) -> float:
    """Return ln Pr − ln δ, or for δ > 1/2 the n-th root of 1 − δ less that of 1 − Pr, both nearly straight in ln b."""
    if delta <= 0.5:
        return log_tail - float(np.log(delta))
    return (1 - delta) ** (1 / n) - max(-float(np.expm1(log_tail)), 0.0) ** (1 / n)


def _log_tail(epsilon: float, p: float, shifts: Array, breaks: Array) -> float:
    """Return ln Pr(Σ_k W_k > ε − Σ_k s_k^p), by adding one statistic after the other to the largest.

    The tail of a partial sum is kept up to a sum that is exceeded less than 1e-10 of the time that matters.
    """
    room = epsilon - np.sum(shifts**p)
    if room <= 0:
        return 0.0
    never = -(breaks[-1] ** p)
    with np.errstate(all="ignore"):
        distance = _distances(shifts[0], p, breaks[-1])
        most = min(room, float(excess(breaks[-1], shifts[0], p)))
        tail = _tail(lambda sums: _log_two_tails(distance(sums), p), most, p)
        for s in shifts[1:-1]:
            added = _adder(tail, s, p, breaks)
            if most < room:
                further = np.minimum(most + np.linspace(0, 1, 10) * excess(breaks[-1], s, p), room)
                most = float(further[np.argmax(np.append(added(further)[:-1] < never, True))])
            tail = _tail(added, most, p)
        return float(_adder(tail, shifts[-1], p, breaks)(np.array([room]))[0])


def _tail(function: Callable[[Array], Array], most: float, p: float) -> Callable[[Array], Array]:
    """Return a logarithmic tail over sums up to `most`, as a spline in x = (sum/most)^{1/m}.

    W grows like z^{p−1}, so that x is about z with m = p − 1; m ≥ 2 makes the nodes dense at 0 where p is next to 1.
    """
    m = max(2.0, p - 1)
    nodes, knots, to_knots = _grid(int(n_nodes(p)))
    spline = CubicSpline(knots, to_knots @ function(np.maximum(most * nodes**m, 1e-280)))
    return lambda sums: spline(np.clip(sums / most, 0, 1) ** (1 / m))


def _adder(tail: Callable[[Array], Array], s: float, p: float, breaks: Array) -> Callable[[Array], Array]:
    """Return ln Pr(W(z) + rest > W(z*)) = ln [Pr(z > z*) + ∫_0^{z*} f(z) Pr(rest > W(z*) − W(z)) dz] over W(z*)."""
    distance = _distances(s, p, breaks[-1])

    def added(sums: Array) -> Array:
        reach = np.minimum(distance(sums), breaks[-1])
        ends = np.minimum(breaks, reach[:, None])
        widths = np.diff(ends, axis=1)[:, :, None]
        z = ends[:, :-1, None] + widths * _NODES
        log_rest = tail(sums[:, None, None] - excess(z, s, p))
        total = np.sum(widths[:, :, 0] * (np.exp(np.minimum(log_rest, 0) - z**p) @ _WEIGHTS), axis=1)
        return np.log(np.maximum(total / half_norm(np.asarray(p)) + np.exp(_log_two_tails(reach, p)), 1e-320))

    return added


def _log_two_tails(z: Array, p: float) -> Array:
    """Return ln Pr(|X| > z)."""
    power, shape = z**p, np.full_like(z, p)
    norm = half_norm(shape)
    return np.log(mills_ratio(z, power, shape, norm) / norm) - power


def excess(z: Array | float, s: float, p: float) -> Array:
    """W(z) = (z + s)^p − z^p − s^p: with y ≤ 1 the smaller over the larger of z and s, two terms that do not cancel."""
    large = np.maximum(z, s)
    y = np.minimum(z, s) / large
    return large**p * ((1 + y) * np.expm1((p - 1) * np.log1p(y)) - y * np.expm1((p - 1) * np.log(y)))


def _distances(s: float, p: float, most: float) -> Callable[[Array], Array]:
    """Return the z with W(z) = sum as a function of sums: ln z is a smooth function of ln W, straight at both ends."""
    z = np.geomspace(1e-16 * min(s, 1), 1.01 * most, _N_TABLE)
    sums = excess(z, s, p)
    is_normal = sums > 1e-290  # below, W underflows for large p, where sums are next to 0 in any case
    spline = CubicSpline(np.log(sums[is_normal]), np.log(z[is_normal]))
    return lambda sums: np.exp(spline(np.log(sums)))


MOST_DRAWS = 10_000_000  # of one statistic's noise: 80 MB, of which sampling holds three


@dataclass(frozen=True)
class MonteCarloScale:
    """A simulated scale and its standard error, both in query units."""

    scale: float
    standard_error: float


def pdp_scale_monte_carlo(
    rng: np.random.Generator, epsilon: float, delta: float, p: float, sensitivities: ArrayLike, n: int
) -> MonteCarloScale:
    """Return the b of `pdp_scale` as [Liu19] finds it: from n simulated draws of the noise. Not a guarantee.

    With X = b z one set of draws of z serves every b: b is where a share δ of the draws violates the guarantee, found
    by bisection. The standard error is that of the share, √(δ(1 − δ)/n), over its slope in b.

    Parameters
    ----------
    epsilon : in [1e-6, 1e6].
    delta : in [10/n, 1 − 10/n].
    p : shape, in [1, 100].
    sensitivities : as in `pdp_scale`.
    rng : a NumPy random generator.
    n : number of draws of the noise of all r statistics, in [1000, 1e7/r].

    Examples
    --------
    >>> estimate = pdp_scale_monte_carlo(np.random.default_rng(1), 1, 0.05, 3, [1.0, 0.1, 0.05], 10_000)
    >>> f"{estimate.scale:.1f}, {estimate.standard_error:.2f}"
    '4.8, 0.05'
    """
    epsilon, p = scalar("epsilon", epsilon, EPSILON_RANGE), scalar("p", p, SHAPE_RANGE)
    sensitivities = _checked_sensitivities(sensitivities)
    n = scalar_integer("n", n, f"[1000, {MOST_DRAWS // sensitivities.size}]")
    delta = scalar("delta", delta, f"[{10 / n:.6g}, {1 - 10 / n:.6g}]")
    generator("rng", rng)
    share = sensitivities / sensitivities[0]
    z = abs(sample(rng, 1.0, p, (share.size, n)))
    error = np.sqrt(delta * (1 - delta) / n)
    middle, low, high = (
        _simulated_scale(epsilon, min(max(target, 1 / n), 1 - 1 / n), p, share, z)
        for target in (delta, delta + error, delta - error)
    )
    return MonteCarloScale(float(middle * sensitivities[0]), float((high - low) / 2 * sensitivities[0]))


def _simulated_scale(epsilon: float, delta: float, p: float, share: Array, z: Array) -> float:
    """Return b by bisection over log b, without the draws that certainly violate or satisfy the guarantee."""
    low, high = np.log(1e-8), np.log(1e300) / 2
    n, n_breaking = z.shape[1], 0
    for _ in range(60):
        middle = (low + high) / 2
        with np.errstate(all="ignore"):
            s = share * np.exp(-middle)
            total = sum(excess(row, float(shift), p) + shift**p for row, shift in zip(z, s, strict=True))
        breaking = total > epsilon
        n_here = n_breaking + np.count_nonzero(breaking)
        if n_here / n > delta:
            low, z = middle, z[:, ~(total <= epsilon)]
        else:
            high, z, n_breaking = middle, z[:, ~breaking], n_here
    return float(np.exp(high))
