"""Curves of Python functions, and searches over α for what has no closed form."""

import math
from dataclasses import replace

import numpy as np
from scipy.special import expit, logit

from dpcore.checks import Array, DomainError
from dpcore.roots import bisect
from dpcore.rounding import ULP
from dpcore.tradeoff.curve import LARGEST_LOGIT, SMALLEST_LOGIT, Curve, Function, SmallestMu, mu_up, no_mu, quantile
from dpcore.tradeoff.forms import grown, lower, upper
from dpcore.tradeoff.points import require_bounds, require_shape


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
    require_bounds(name, grid, tried)
    require_shape(name, grid, tried)

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
    """Return the largest value of a function of α that rises and then falls, and its α,
    by narrowing a grid on logit(α).
    """
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
