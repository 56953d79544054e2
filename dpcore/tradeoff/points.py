"""Trade-off curves through points, which must be convex or are replaced by their lower convex hull."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import Array, DomainError, number
from dpcore.rounding import ULP
from dpcore.tradeoff.curve import NO_GUARANTEE, Curve, Lines, corner_mu, lines_curve
from dpcore.tradeoff.forms import PROBABILITY

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
    alpha = number(f"alpha of {name}", alpha, PROBABILITY).ravel()
    beta = number(f"beta of {name}", beta, PROBABILITY).ravel()
    if alpha.shape != beta.shape:
        raise ValueError(f"{name} must have as many alpha as beta, got {alpha.size} and {beta.size}")
    if not 2 <= alpha.size <= MOST_POINTS:
        raise ValueError(f"{name} must have from 2 to {MOST_POINTS:,} points, got {alpha.size}")
    order = np.lexsort((-beta, alpha))
    alpha, beta = alpha[order], beta[order]
    require_bounds(name, alpha, beta)
    if not hull:
        require_shape(name, alpha, beta)
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


def require_bounds(name: str, alpha: Array, beta: Array) -> None:
    """Refuse β above 1 − α, which is worse than guessing."""
    over = beta > 1 - alpha + _TOLERANCE
    if over.any():
        i = int(np.argmax(over))
        where, allowed = f"beta of {name} at alpha = {alpha[i]:.12g}", f"[0, {1 - alpha[i]:.12g}] (1 - alpha)"
        raise DomainError(where, allowed, float(f"{beta[i]:.12g}"))


def require_shape(name: str, alpha: Array, beta: Array) -> None:
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
