"""The shape p whose noise is the smallest under one promise, and what it saves against Laplace and Gaussian noise.

Arguments broadcast; ε is in nats.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore.calibrations import Calibration
from dpcore.checks import DELTA_RANGE, SIGNIFICANCE_RANGE, Array, number, one
from dpcore.generalized_gaussian._tails import SHAPE_RANGE
from dpcore.generalized_gaussian.choices.sizes import power_of, unit_size

MOST_P = 64.0
_N_COARSE, _N_FINE, _N_ZOOMS = 41, 9, 3
_PLACES = np.linspace(0, np.sqrt(np.log(MOST_P)), _N_COARSE)  # t with p = e^{t²}: dense next to p = 1
_FLAT = 1e-11  # below which a relative difference of sizes does not decide against p = 1 or the largest p


def best_p(
    guarantee: Calibration, measure: str, epsilon: ArrayLike, delta: ArrayLike, significance: float = 0.05
) -> Array:
    """The p in [1, 64] at which the noise that a promise to one statistic needs is smallest (own).

    A grid of 41 shapes, dense next to 1, finds the best; three finer grids between its neighbours and a parabola refine
    it. Its noise is above the least by less than a relative 1e-8, unless two optima lie between the same neighbours;
    optima are flat, so p itself is known to a relative 1e-4 only. p is 1 or 64 where that end is as good to 1e-11.

    Parameters
    ----------
    guarantee : one of `GUARANTEES`.
    measure : "variance", "deviation", "mean_error" or "accuracy" of `size`.
    epsilon : from `guarantee.least_epsilon` to 1e6.
    delta : in [1e-300, 1).
    significance : α of "accuracy", in [1e-300, 1).

    Examples
    --------
    >>> from dpcore.generalized_gaussian.choices import ADP
    >>> [f"{p:.2f}" for p in best_p(ADP, "variance", [0.01, 1], 0.001)]
    ['1.68', '1.01']
    """
    epsilon, delta = np.broadcast_arrays(
        number("epsilon", epsilon, guarantee.domain), number("delta", delta, DELTA_RANGE)
    )
    significance = one("significance", significance, SIGNIFICANCE_RANGE)
    shape, epsilon, delta = epsilon.shape, epsilon.reshape(-1, 1), delta.reshape(-1, 1)

    def cost(t: Array) -> Array:
        p = np.exp(t * t)
        unit = np.log(unit_size(measure, p, significance))
        return power_of(measure) * np.log(guarantee.scale(epsilon, delta, p)) + unit

    coarse = cost(_PLACES)
    places, found = np.broadcast_to(_PLACES, coarse.shape), coarse
    for _ in range(_N_ZOOMS):
        before, _, after = _around_least(places, found)
        places = np.linspace(before, after, _N_FINE, axis=1)[:, :, 0]
        found = cost(places)
    (before, middle, after), (left, here, right) = _around_least(places, found), _around_least(found, found)
    with np.errstate(divide="ignore", invalid="ignore"):
        shift = (after - before) / 4 * (left - right) / (left - 2 * here + right)
    vertex = middle + np.where(abs(shift) <= (after - before) / 2, shift, 0)
    inside, inside_cost = np.exp(vertex**2), cost(vertex)
    p = np.where(coarse[:, -1:] <= inside_cost + _FLAT, MOST_P, inside)
    p = np.where(coarse[:, :1] <= np.minimum(inside_cost, coarse[:, -1:]) + _FLAT, 1.0, p)
    return p.reshape(shape)[()]


def _around_least(values: Array, found: Array) -> tuple[Array, Array, Array]:
    """The values before, at and after the least of `found` in each row; next to an end, those next to it."""
    at = np.clip(np.argmin(found, axis=1, keepdims=True), 1, found.shape[1] - 2)
    before, middle, after = (np.take_along_axis(values, at + side, axis=1) for side in (-1, 0, 1))
    return before, middle, after


def best_frame(
    guarantee: Calibration, measure: str, epsilon: ArrayLike, delta: ArrayLike, significance: float = 0.05
) -> pd.DataFrame:
    """The best p over (ε, δ), and the size of its noise over that of Laplace (p = 1) and Gaussian (p = 2) noise.

    Columns epsilon, delta, p, of_laplace, of_gaussian: of_laplace = 0.9 says that it saves 10 % against Laplace noise
    of the same promise. Arguments as in `best_p`; a row each, in the order of the broadcast arguments.

    Examples
    --------
    >>> from dpcore.generalized_gaussian.choices import ADP
    >>> frame = best_frame(ADP, "variance", 0.01, 0.001)
    >>> f"{1 - frame['of_laplace'][0]:.1%} less variance than Laplace noise"
    '37.9% less variance than Laplace noise'
    """
    epsilon, delta = (part.ravel() for part in np.broadcast_arrays(*np.atleast_1d(epsilon, delta)))
    p = best_p(guarantee, measure, epsilon, delta, significance)
    unit, power = unit_size(measure, p, significance), power_of(measure)
    scale = guarantee.scale(epsilon, delta, p)
    columns = {"epsilon": epsilon, "delta": delta, "p": p}
    for name, rival in (("of_laplace", 1.0), ("of_gaussian", 2.0)):
        ratio = unit / unit_size(measure, rival, significance)
        columns[name] = np.minimum((scale / guarantee.scale(epsilon, delta, rival)) ** power * ratio, 1)
    return pd.DataFrame(columns)


@dataclass(frozen=True)
class Best:
    """The best p by a measure, and the share that it saves of the noise of one p, of p = 1 and of p = 2."""

    measure: str
    p: float
    saved: float
    saved_of_laplace: float
    saved_of_gaussian: float


def best_against(
    guarantee: Calibration, measure: str, epsilon: float, delta: float, p: float, significance: float = 0.05
) -> Best:
    """The best p at one (ε, δ) beside a given p. Arguments as in `best_p`; shares are in [0, 1).

    Examples
    --------
    >>> from dpcore.generalized_gaussian.choices import ADP
    >>> best = best_against(ADP, "variance", 0.01, 0.001, p=2)
    >>> f"p = {best.p:.2f} saves {best.saved:.1%} of the variance of p = 2"
    'p = 1.68 saves 2.3% of the variance of p = 2'
    """
    epsilon, delta = one("epsilon", epsilon, guarantee.domain), one("delta", delta, DELTA_RANGE)
    p = one("p", p, SHAPE_RANGE)
    row = best_frame(guarantee, measure, [epsilon], [delta], significance).iloc[0]
    shapes = np.array([row["p"], p])
    least, now = np.log(guarantee.scale(epsilon, delta, shapes)) * power_of(measure) + np.log(
        unit_size(measure, shapes, significance)
    )
    saved = max(-float(np.expm1(least - now)), 0.0)
    return Best(measure, float(row["p"]), saved, 1 - float(row["of_laplace"]), 1 - float(row["of_gaussian"]))
