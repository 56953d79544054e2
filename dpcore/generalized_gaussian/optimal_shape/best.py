"""The shape p whose noise is the smallest under one guarantee, and what it saves against Laplace and Gaussian noise.

Arguments broadcast; ε is in nats.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.interpolate import CubicSpline

from dpcore.calibrations import GENERALIZED_ADP, Calibration
from dpcore.checks import DELTA_RANGE, SHAPE_RANGE, SIGNIFICANCE_RANGE, Array, number, scalar
from dpcore.generalized_gaussian.optimal_shape.sizes import power_of, unit_size

MOST_P = 64.0
_N_COARSE = 41
_ZOOMS = (129,), (9, 9, 9)  # shapes of each finer grid, to the same step: in one call for few places, in three for many
_FEW = 10
_NODES = 17, 36  # of ε and δ, from which a map is interpolated
_PLACES = np.linspace(0, np.sqrt(np.log(MOST_P)), _N_COARSE)  # t with p = e^{t²}: dense next to p = 1
_NEAR_ONE = np.linspace(0, _PLACES[2], _ZOOMS[0][0])
_NEXT_TO_ONE = _NEAR_ONE[1] / 2.0 ** np.arange(1, 9)  # where a grid misses that the cost first falls from p = 1 on
_COARSE = np.append(np.exp(_PLACES[:-1] ** 2), MOST_P)
_FLAT = 1e-11  # below which a relative difference of sizes does not decide against p = 1 or the largest p


def best_p(
    guarantee: Calibration, measure: str, epsilon: ArrayLike, delta: ArrayLike, significance: float | None = None
) -> Array:
    """Return the p in [1, 64] at which the noise that a guarantee to one statistic needs is smallest (own).

    A grid of 41 shapes, dense next to 1, finds the best; finer grids between its neighbours and a parabola refine
    it. Its noise is above the least by less than a relative 1e-8, unless two optima lie between the same neighbours;
    optima are flat, so p itself is known to a relative 1e-4 only. p is 1 or 64 where that end is as good to 1e-11.

    Parameters
    ----------
    guarantee : one of `GUARANTEES`.
    measure : "variance", "deviation", "mean_error" or "accuracy" of `size`.
    epsilon : from `guarantee.least_epsilon` to 1e6.
    delta : in [1e-300, 1).
    significance : α of "accuracy" alone, in [1e-300, 1); 0.05 by default.

    Examples
    --------
    >>> from dpcore.generalized_gaussian.optimal_shape import ADP
    >>> [f"{p:.2f}" for p in best_p(ADP, "variance", [0.01, 1], 0.001)]
    ['1.68', '1.01']
    """
    epsilon, delta = np.broadcast_arrays(
        number("epsilon", epsilon, guarantee.domain), number("delta", delta, DELTA_RANGE)
    )
    significance = _one_level(significance)
    p, _, _, _ = _search(guarantee, measure, epsilon.reshape(-1, 1), delta.reshape(-1, 1), significance)
    return p.reshape(epsilon.shape)[()]


def _one_level(significance: float | None) -> float | None:
    return None if significance is None else scalar("significance", significance, SIGNIFICANCE_RANGE)


def _search(
    guarantee: Calibration,
    measure: str,
    epsilon: Array,
    delta: Array,
    significance: float | None,
    others: ArrayLike = (),
) -> tuple[Array, Array, Array, Array]:
    """Return for each row of one ε and one δ the best p, its b, the logarithm of its size, and those of other shapes.

    A call takes longer than what it solves for: of few places the first has the others too, and the finer grid next to
    p = 1, where the best p mostly lies.
    """
    is_few = len(epsilon) <= _FEW

    def scale_and_cost(p: Array) -> tuple[Array, Array]:
        scale = guarantee.scale(epsilon, delta, p)
        return scale, power_of(measure) * np.log(scale) + np.log(unit_size(measure, p, significance))

    shapes = np.concatenate([_COARSE, others, np.exp(np.append(_NEAR_ONE, _NEXT_TO_ONE) ** 2) if is_few else []])
    scales, costs = scale_and_cost(shapes)
    coarse, other_costs, near_one = np.split(costs, [_N_COARSE, _N_COARSE + np.size(others)], axis=1)
    scale_of_one, scale_of_most = scales[:, :1], scales[:, _N_COARSE - 1 : _N_COARSE]
    places, costs = np.broadcast_to(_PLACES, coarse.shape), coarse
    for n in _ZOOMS[not is_few]:
        before, _, after = _around_least(places, costs)
        if is_few and np.all(before == 0):
            costs = near_one[:, : _NEAR_ONE.size]
            places = np.broadcast_to(_NEAR_ONE, costs.shape)
            break
        places = np.linspace(before, after, n, axis=1)[:, :, 0]
        _, costs = scale_and_cost(np.exp(places**2))
    if is_few and np.all(np.min(near_one, axis=1) >= coarse[:, 0] - _FLAT) and np.all(np.argmin(coarse, axis=1) == 0):
        return np.ones((len(costs), 1)), scale_of_one, coarse[:, :1], other_costs
    (before, middle, after), (left, centre, right) = _around_least(places, costs), _around_least(costs, costs)
    with np.errstate(divide="ignore", invalid="ignore"):
        shift = (after - before) / 4 * (left - right) / (left - 2 * centre + right)
    vertex = middle + np.where(abs(shift) <= (after - before) / 2, shift, 0)
    inside = np.exp(vertex**2)
    scale, inside_cost = scale_and_cost(inside)
    is_most = coarse[:, -1:] <= inside_cost + _FLAT
    is_one = coarse[:, :1] <= np.minimum(inside_cost, coarse[:, -1:]) + _FLAT
    p = np.where(is_one, 1.0, np.where(is_most, MOST_P, inside))
    scale = np.where(is_one, scale_of_one, np.where(is_most, scale_of_most, scale))
    return p, scale, np.where(is_one, coarse[:, :1], np.where(is_most, coarse[:, -1:], inside_cost)), other_costs


def _around_least(values: Array, costs: Array) -> tuple[Array, Array, Array]:
    """Return the values before, at and after the least cost of each row; next to an end, those next to it."""
    at = np.clip(np.argmin(costs, axis=1, keepdims=True), 1, costs.shape[1] - 2)
    before, middle, after = (np.take_along_axis(values, at + side, axis=1) for side in (-1, 0, 1))
    return before, middle, after


def best_frame(
    guarantee: Calibration, measure: str, epsilon: ArrayLike, delta: ArrayLike, significance: float | None = None
) -> pd.DataFrame:
    """Return the best p over (ε, δ), and the size of its noise over that of Laplace (p = 1) and Gaussian (p = 2) noise.

    Columns epsilon, delta, p, of_laplace, of_gaussian: of_laplace = 0.9 says that it saves 10 % against Laplace noise
    of the same guarantee. Arguments as in `best_p`; a row each, in the order of the broadcast arguments.

    Examples
    --------
    >>> from dpcore.generalized_gaussian.optimal_shape import ADP
    >>> frame = best_frame(ADP, "variance", 0.01, 0.001)
    >>> f"{1 - frame['of_laplace'][0]:.1%} less variance than Laplace noise"
    '37.9% less variance than Laplace noise'
    """
    epsilon, delta = (part.ravel() for part in np.broadcast_arrays(*np.atleast_1d(epsilon, delta)))
    p = best_p(guarantee, measure, epsilon, delta, significance)
    return _beside_rivals(guarantee, measure, epsilon, delta, p, significance)


def _beside_rivals(
    guarantee: Calibration, measure: str, epsilon: Array, delta: Array, p: Array, significance: float | None
) -> pd.DataFrame:
    """Return the columns of `best_frame`: the best p at each place, with its error over that of both rivals."""
    shapes = np.stack([p, np.ones_like(p), np.full_like(p, 2.0)])
    size = guarantee.scale(epsilon, delta, shapes) ** power_of(measure) * unit_size(measure, shapes, significance)
    of_laplace, of_gaussian = np.minimum(size[0] / size[1:], 1)
    columns = {"epsilon": epsilon, "delta": delta, "p": p, "of_laplace": of_laplace, "of_gaussian": of_gaussian}
    return pd.DataFrame(columns)


def best_map(
    guarantee: Calibration, measure: str, epsilon: ArrayLike, delta: ArrayLike, significance: float | None = None
) -> pd.DataFrame:
    """`best_frame` at every place of a fine grid of ε and δ, each in ascending order, for a picture: a row each.

    Under (ε, δ)-DP log b is smooth in log ε and log δ: it is interpolated from 17 · 36 places by cubic splines for each
    of 41 shapes, and the least of those and a parabola give p. On a grid of ε from 1e-3 to 10 and δ from 1e-12 to 0.5
    its noise is above the least by less than a relative 1e-3, and p is mostly known to 0.1 %, and to a few
    percent where the optimum is flattest. Under probabilistic DP p jumps:
    there it is found as in `best_p`, but where all corners of a block of four by four places have p = 1, or all have
    the largest p, the whole block is taken to have it.

    Examples
    --------
    >>> from dpcore.generalized_gaussian.optimal_shape import ADP
    >>> best_map(ADP, "variance", [0.01, 1], [1e-6, 0.001])["p"].round(2).tolist()
    [1.0, 1.68, 1.0, 1.01]
    """
    epsilon, delta = (np.atleast_1d(np.asarray(part, np.float64)) for part in (epsilon, delta))
    wide, tall = (part.ravel() for part in np.broadcast_arrays(epsilon[:, np.newaxis], delta))
    if wide.size <= np.prod(_NODES):
        return best_frame(guarantee, measure, wide, tall, significance)
    search = _smooth_best if guarantee is GENERALIZED_ADP else _jumping_best
    p = search(guarantee, measure, epsilon, delta, significance).ravel()
    return _beside_rivals(guarantee, measure, wide, tall, p, significance)


def _smooth_best(
    guarantee: Calibration, measure: str, epsilon: Array, delta: Array, significance: float | None
) -> Array:
    """Return the best p on a grid from interpolated scales."""
    shapes = np.exp(_PLACES**2)
    e, d = (np.log(axis[-1] / axis[0]) * np.linspace(1, 0, n) for axis, n in zip((epsilon, delta), _NODES, strict=True))
    e, d = np.log(epsilon[-1]) - e, np.log(delta[-1]) - d**1.5 / d[0] ** 0.5  # closer for large δ
    log_scale = np.log(guarantee.scale(np.exp(e)[:, None, None], np.exp(d)[:, None], shapes))
    log_scale = CubicSpline(d, CubicSpline(e, log_scale)(np.log(epsilon)), axis=1)(np.log(delta))
    cost = power_of(measure) * log_scale + np.log(unit_size(measure, shapes, significance))
    cost = cost.reshape(-1, _N_COARSE)
    places = np.broadcast_to(_PLACES, cost.shape)
    (_, middle, after), (left, centre, right) = _around_least(places, cost), _around_least(cost, cost)
    bend = left - 2 * centre + right
    shift = np.where(bend > 0, (left - right) / 2 / np.where(bend > 0, bend, 1), np.sign(left - right))
    return np.exp((middle + (after - middle) * np.clip(shift, -1, 1)) ** 2)


def _jumping_best(
    guarantee: Calibration, measure: str, epsilon: Array, delta: Array, significance: float | None
) -> Array:
    """Return the best p on a grid, searched for where it is not the same end all round."""
    (rows, row), (columns, column) = _blocks(len(epsilon)), _blocks(len(delta))
    corners = best_p(guarantee, measure, epsilon[rows, np.newaxis], delta[columns], significance)
    stacked = np.stack([corners[:-1, :-1], corners[:-1, 1:], corners[1:, :-1], corners[1:, 1:]])
    alike = (stacked == 1).all(axis=0) | (stacked == MOST_P).all(axis=0)
    at = row[:, np.newaxis], column
    p, searched = stacked[0][at], ~alike[at]
    wide, tall = np.broadcast_arrays(epsilon[:, np.newaxis], delta)
    p[searched] = best_p(guarantee, measure, wide[searched], tall[searched], significance)
    return p


def _blocks(n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the corners of blocks that cover a grid of n places, and the number of the block of each place."""
    corners = np.unique(np.append(np.arange(0, n, 4), n - 1)).astype(np.intp)
    return corners, np.clip(np.searchsorted(corners, np.arange(n), side="right") - 1, 0, len(corners) - 2)


@dataclass(frozen=True)
class Best:
    """The best p by a measure, its b at Δ = 1, and the share that it saves of the noise of one p, of p = 1 and of 2."""

    measure: str
    p: float
    scale: float
    saved: float
    saved_of_laplace: float
    saved_of_gaussian: float


def best_against(
    guarantee: Calibration, measure: str, epsilon: float, delta: float, p: float, significance: float | None = None
) -> Best:
    """Return the best p at one (ε, δ) beside a given p. Arguments as in `best_p`; shares are in [0, 1).

    Examples
    --------
    >>> from dpcore.generalized_gaussian.optimal_shape import ADP
    >>> best = best_against(ADP, "variance", 0.01, 0.001, p=2)
    >>> f"p = {best.p:.2f} saves {best.saved:.1%} of the variance of p = 2"
    'p = 1.68 saves 2.3% of the variance of p = 2'
    """
    epsilon, delta = scalar("epsilon", epsilon, guarantee.domain), scalar("delta", delta, DELTA_RANGE)
    others, level = (scalar("p", p, SHAPE_RANGE), 1.0, 2.0), _one_level(significance)
    at = np.array([[epsilon]]), np.array([[delta]])
    best, scale, log_size, other_sizes = _search(guarantee, measure, *at, level, others)
    saved = np.maximum(-np.expm1(log_size - other_sizes[0]), 0.0)[0]
    return Best(measure, float(best[0, 0]), float(scale[0, 0]), *(float(part) for part in saved))
