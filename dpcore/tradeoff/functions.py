"""Curves of Python functions and through points, and searches over α for what has no closed form.

Points must be convex, or are replaced by their lower convex hull.
"""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit

from dpcore.checks import PROBABILITY_RANGE, Array, DomainError, number
from dpcore.roots import bisect
from dpcore.rounding import ULP
from dpcore.tradeoff.curve import (
    LARGEST_LOGIT,
    NO_GUARANTEE,
    SMALLEST_LOGIT,
    Curve,
    Function,
    Lines,
    SmallestMu,
    corner_mu,
    lines_curve,
    mu_up,
    no_mu,
    quantile,
)
from dpcore.tradeoff.forms import grown, lower, upper

MOST_POINTS = 1_000_000


_TOLERANCE = 1e-12  # by which rounded values may violate a rule of trade-off functions


def points_curve(alpha: ArrayLike, beta: ArrayLike, name: str = "points", *, hull: bool = False) -> Curve:
    """Return the piecewise linear curve through points (α, β), to which the trivial tests (0, 1) and (1, 0) belong.

    Parameters
    ----------
    alpha, beta : at least two points, at most 10⁶, in any order, each in [0, 1] with β ≤ 1 − α.
    name : names the curve in messages.
    hull : take the lower convex hull of the points; otherwise points that are not convex are refused.

    Raises
    ------
    ValueError
        naming the curve, the α and the violated rule.

    Examples
    --------
    >>> f"{points_curve([0.1, 0.4], [0.6, 0.2])(0.25):.4f}"
    '0.4000'
    """
    alpha = number(f"alpha of {name}", alpha, PROBABILITY_RANGE).ravel()
    beta = number(f"beta of {name}", beta, PROBABILITY_RANGE).ravel()
    if alpha.shape != beta.shape:
        raise ValueError(f"{name} must have as many alpha as beta, got {alpha.size} and {beta.size}")
    if not 2 <= alpha.size <= MOST_POINTS:
        raise ValueError(f"{name} must have from 2 to {MOST_POINTS:,} points, got {alpha.size}")
    order = np.lexsort((-beta, alpha))
    alpha, beta = alpha[order], beta[order]
    _require_bounds(name, alpha, beta)
    if not hull:
        _require_shape(name, alpha, beta)
    if alpha[0] > 0:
        alpha, beta = np.append(0.0, alpha), np.append(1.0, beta)
    alpha, beta = np.append(alpha, 1.0), np.append(beta, 0.0)
    hull_points = lower_hull(alpha, beta)
    alpha, beta = alpha[hull_points], beta[hull_points]
    run, drop = np.diff(alpha), -np.diff(beta)
    falls = drop > 0
    if not falls.any():  # f = 0: no test errs
        return lines_curve(NO_GUARANTEE, name)
    start, end = np.flatnonzero(falls), np.flatnonzero(falls) + 1
    run, drop = run[falls], drop[falls]
    epsilon = np.log(drop) - np.log(run)
    delta = 1 - beta[start] - alpha[start] / run * drop + 4 * ULP * (alpha[start] > 0)
    mirrored = 1 - alpha[end] - beta[end] / drop * run + 4 * ULP * (beta[end] > 0)
    doubt = ULP * (1 + abs(np.log(drop)) + abs(np.log(run)))
    epsilon = epsilon + doubt * ((delta == 0) & (epsilon > 0)) - doubt * ((mirrored == 0) & (epsilon < 0))  # pure ends
    steeper = np.append(np.inf, np.minimum.accumulate(epsilon)[:-1])
    lines = Lines(epsilon, np.clip(delta, 0, 1), np.clip(mirrored, 0, 1))
    lines = Lines(*(part[epsilon < steeper] for part in (lines.epsilon, lines.delta, lines.mirrored)))
    curve = lines_curve(lines, name)
    if lines.delta[0] > 0 or lines.mirrored[-1] > 0:
        return curve
    corners = alpha[start[1:]], 1 - alpha[start[1:]], beta[start[1:]], 1 - beta[start[1:]]
    return replace(curve, find_mu=lambda: corner_mu(*corners))


def lower_hull(alpha: Array, beta: Array) -> NDArray[np.intp]:
    """Indices of the corners of the lower convex hull of points sorted by α; of equal α, the last counts.

    Andrew's monotone chain, on lists, which are faster than arrays entry by entry.

    Examples
    --------
    >>> lower_hull(np.array([0, 0.2, 0.5, 1]), np.array([1, 0.9, 0.2, 0])).tolist()
    [0, 2, 3]
    """
    indices = np.flatnonzero(np.append(np.diff(alpha) > 0, True))
    x: list[float] = []
    y: list[float] = []
    chain: list[int] = []
    for point, a, b in zip(indices.tolist(), alpha[indices].tolist(), beta[indices].tolist(), strict=True):
        while len(x) > 1 and (y[-1] - y[-2]) * (a - x[-2]) >= (x[-1] - x[-2]) * (b - y[-2]):
            x.pop()
            y.pop()
            chain.pop()
        x.append(a)
        y.append(b)
        chain.append(point)
    return np.array(chain, np.intp)


def _require_bounds(name: str, alpha: Array, beta: Array) -> None:
    """Refuse β above 1 − α, which is worse than guessing."""
    over = beta > 1 - alpha + _TOLERANCE
    if over.any():
        i = int(np.argmax(over))
        where, allowed = f"beta of {name} at alpha = {alpha[i]:.12g}", f"[0, {1 - alpha[i]:.12g}] (1 - alpha)"
        raise DomainError(where, allowed, float(f"{beta[i]:.12g}"))


def _require_shape(name: str, alpha: Array, beta: Array) -> None:
    """Refuse β that rises or bulges above a chord, for points sorted by α."""
    rises = np.diff(beta) > _TOLERANCE
    if rises.any():
        i = int(np.argmax(rises)) + 1
        raise ValueError(
            f"beta of {name} at alpha = {alpha[i]:.12g} must be non-increasing, "
            f"got {beta[i]:.12g} after {beta[i - 1]:.12g} at alpha = {alpha[i - 1]:.12g}"
        )
    run = np.diff(alpha)
    wide = np.maximum(run[1:] + run[:-1], 5e-324)
    chord = (beta[:-2] * run[1:] + beta[2:] * run[:-1]) / wide
    bulges = (beta[1:-1] > chord + _TOLERANCE) & (run[1:] > 0) & (run[:-1] > 0)
    if bulges.any():
        i = int(np.argmax(bulges)) + 1
        raise ValueError(
            f"{name} must be convex, got {beta[i]:.12g} at alpha = {alpha[i]:.12g}, above the chord of its neighbours, "
            f"{chord[i - 1]:.12g}"
        )


def function_curve(f: Function, name: str = "function", power: Function | None = None) -> Curve:
    """Return the curve of a Python function of arrays of α.

    Parameters
    ----------
    f : maps an array of α in [0, 1] to β; it is tried on 4,000 points dense near both ends.
    name : names the curve in messages.
    power : 1 − f, for its digits where f is near 1; 1 − f(α) if left out, which is right to 1e-16 only.

    Raises
    ------
    ValueError
        naming the curve, the α and the violated rule.

    Notes
    -----
    δ(ε) = max over α of 1 − f(α) − e^ε α is found by narrowing a bracket, which can't miss, since the maximand is
    concave. The smallest μ is the largest found on a grid of 2,000 points, refined about its best.

    Examples
    --------
    >>> f"{function_curve(lambda alpha: (1 - np.sqrt(alpha)) ** 2)(0.25):.4f}"
    '0.2500'
    """
    grid = expit(np.concatenate([[-np.inf], np.linspace(-37, LARGEST_LOGIT, 4000), [np.inf]]))
    tried = np.asarray(f(grid), np.float64)
    if tried.shape != grid.shape:
        raise ValueError(f"{name} must return one beta per alpha, got shape {tried.shape} for {grid.shape}")
    bad = ~((tried >= 0) & (tried <= 1))
    if bad.any():
        i = int(np.argmax(bad))
        raise DomainError(f"beta of {name} at alpha = {grid[i]:.12g}", "[0, 1]", float(f"{tried[i]:.12g}"))
    _require_bounds(name, grid, tried)
    _require_shape(name, grid, tried)

    def beta(alpha: Array) -> Array:
        return lower(np.clip(f(alpha), 0, 1 - alpha), np.where(alpha > 0, 2.0, 0.0))

    def strength(alpha: Array) -> Array:
        strengths = 1 - np.asarray(f(alpha), np.float64) if power is None else np.asarray(power(alpha), np.float64)
        return upper(np.clip(strengths, alpha, 1), np.where(alpha > 0, 2.0, 0.0))

    def delta(epsilon: Array) -> Array:
        at, best = zoom(lambda alpha: strength(alpha) - grown(alpha, epsilon[..., None]), epsilon.shape, 401)
        noise = 0 if power else 1e-15  # of 1 − f(α) near α = 0, where it can hide so small a peak
        doubt = 8 * ULP * np.minimum(grown(at, epsilon), 1) + noise
        return upper(np.maximum(best + doubt, strength(np.zeros(1))[0]), np.asarray(4.0))

    def least_alpha(target: Array) -> Array:
        """f⁻¹, the least α with f(α) ≤ β, by bisection on the logit of α."""
        low, high = np.full(target.shape, SMALLEST_LOGIT), np.full(target.shape, LARGEST_LOGIT)
        low, _ = bisect(lambda logit_alpha: beta(expit(logit_alpha)) <= target, low, high, 70)
        first, last = beta(np.array([0.0, expit(LARGEST_LOGIT)]))
        return np.where(first <= target, 0.0, np.where(last > target, 1.0, expit(low)))[()]

    def find_mu() -> SmallestMu:
        start = float(tried[0])
        if start < 1:
            return no_mu(1 - start, 0.0)
        reached = float(grid[int(np.argmax(tried <= 0))])
        if reached < 1 - 1e-9:
            return no_mu(1 - reached, reached)

        low, step, known = SMALLEST_LOGIT, 40.0, "over all α"
        if power is None:  # 1 − f(α) has no digits where f is near 1
            least = float(grid[max(int(np.argmax(1 - tried >= 1e-8)), 1)])
            low, step, known = float(logit(least)), 6.0, f"from α = {least:.4g} on; below it 1 − f has too few digits"
        alpha, best = _widest(beta, strength, low, LARGEST_LOGIT)
        ends = np.array([low, low + step, LARGEST_LOGIT - 6, LARGEST_LOGIT])
        first, second, last_but_one, last = _mu_needed(beta, strength, expit(ends))
        for grows, end in ((first > second * (1 + 1e-6), 0.0), (last > last_but_one * (1 + 1e-6), 1.0)):
            if grows and best <= max(first, last) * (1 + 1e-6):
                reason = f"no finite μ exists: the μ that is needed grows without end towards α = {end:.0f}"
                return SmallestMu(math.inf, end, reason)
        return SmallestMu(mu_up(best), alpha, f"G_μ touches the curve here, the largest μ found {known}")

    def inverse_delta(epsilon: Array) -> Array:
        """Return the profile of f⁻¹, max over α of 1 − α − e^ε f(α), which needs no inverse."""
        _, best = zoom(lambda alpha: 1 - alpha - grown(beta(alpha), epsilon[..., None]), epsilon.shape, 401)
        return upper(np.clip(best + 1e-15, 0, 1), np.asarray(4.0))

    def inverse() -> Curve:
        return replace(function_curve(least_alpha, f"inverse of {name}"), delta=inverse_delta, inverse=lambda: curve)

    curve = Curve(name, beta, strength, delta, inverse, find_mu)
    return curve


def mu_above(curve: Curve, least: float) -> SmallestMu:
    """Return the least μ with G_μ below every test whose α and β are at least `least`."""

    def beta(alpha: Array) -> Array:
        return np.maximum(curve.beta(alpha), least)

    def power(alpha: Array) -> Array:
        return np.minimum(curve.power(alpha), 1 - least)

    last = max(float(curve.inverse().beta(np.array([least]))[0]), least)  # the α whose β is `least`
    alpha = np.array([least, last])
    if curve.lines is not None:
        corners = curve.lines.vertices()[0]
        alpha = np.append(alpha, corners[(corners >= least) & (corners <= last)])
    needed = _mu_needed(beta, power, alpha)
    at, best = float(alpha[int(np.argmax(needed))]), float(np.max(needed))
    if curve.lines is None:
        low, high = logit(least), min(float(logit(last)), LARGEST_LOGIT)
        place, widest = _widest(beta, power, float(low), high)
        at, best = (place, widest) if widest > best else (at, best)
    return SmallestMu(mu_up(best), at, f"G_μ lies beneath the curve where α and β are at least {least:.4g}")


def _mu_needed(beta: Function, power: Function, alpha: Array) -> Array:
    """Φ⁻¹(1 − α) − Φ⁻¹(f(α)), or −∞ where α or f(α) is 0."""
    miss, hit = beta(alpha), power(alpha)
    with np.errstate(invalid="ignore"):
        return np.where((miss > 0) & (alpha > 0), -quantile(alpha, 1 - alpha) - quantile(miss, hit), -np.inf)


def _widest(beta: Function, power: Function, low: float, high: float) -> tuple[float, float]:
    """Return the largest μ needed over a range of logit(α), and its α: the best of a grid, refined."""
    alpha, best = zoom(lambda alpha: _mu_needed(beta, power, alpha), (), 2000, low, high)
    return float(alpha), float(best)


def zoom(
    objective: Function,
    shape: tuple[int, ...],
    n_points: int = 65,
    first: float = SMALLEST_LOGIT,
    last: float = LARGEST_LOGIT,
) -> tuple[Array, Array]:
    """Return the largest value of a function of α that rises, then falls, and its α, by finer grids on logit(α)."""
    low, high = np.full(shape, first), np.full(shape, last)
    place, best = low, np.full(shape, -np.inf)
    for _ in range(12):
        grid = low[..., None] + (high - low)[..., None] * np.linspace(0, 1, n_points)
        values = objective(expit(grid))
        at = np.argmax(values, axis=-1)[..., None]
        top = np.take_along_axis(values, at, -1)[..., 0]
        place = np.where(top > best, np.take_along_axis(grid, at, -1)[..., 0], place)
        best = np.maximum(top, best)
        low = np.take_along_axis(grid, np.maximum(at - 1, 0), -1)[..., 0]
        high = np.take_along_axis(grid, np.minimum(at + 1, n_points - 1), -1)[..., 0]
        n_points = 65
    return expit(place), best
