"""Choices among generalized Gaussian noises: each promise side by side, and the shape p that needs the least noise.

For one statistic a `Guarantee` gives the scale b of every p; for several, `along_several` has that of [Liu19] Prop. 8.
How large noise of a given b is, is measured by its `size`. Frames are tidy, for curves; ε is in nats; Δ, b and sizes
are in query units (the variance in squared ones). Arguments broadcast; scales are rounded up.

References
----------
[Liu19] F. Liu, IEEE TKDE 31(4), 2019, doi:10.1109/TKDE.2018.2845388.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore._normal import ULP
from dpcore.checks import Array, number
from dpcore.generalized_gaussian.convolution import pdp_scale
from dpcore.generalized_gaussian.distribution import mean_absolute_error, pdf, tail_quantile, variance
from dpcore.generalized_gaussian.scales import SHAPE_RANGE, adp_scale, exact_pdp_scale, pdp_scale_disjoint
from dpcore.generalized_gaussian.simulation import pdp_scale_monte_carlo

SIZES = ("scale", "deviation", "mean_error", "accuracy")
MOST_P = 64.0
_N_COARSE, _N_FINE, _N_ZOOMS = 41, 9, 3
_PLACES = np.linspace(0, np.sqrt(np.log(MOST_P)), _N_COARSE)  # t with p = e^{t²}: dense next to p = 1
_FLAT = 1e-11  # below which a relative difference of sizes does not decide against p = 1 or the largest p


@dataclass(frozen=True)
class Guarantee:
    """A promise to one statistic: its name, what it promises, the least b that it asks for, and where that stands.

    `scale(epsilon, delta, p, sensitivity)` takes ε from `least_epsilon` on.
    """

    key: str
    name: str
    promise: str
    scale: Callable[..., Array]
    least_epsilon: float
    source: str


ADP = Guarantee("adp", "(ε, δ)-DP", "(ε, δ)-DP", adp_scale, 0.0, "definition of (ε, δ)-DP, solved for b")
EXACT_PDP = Guarantee("exact_pdp", "exact pDP", "(ε, δ)-pDP", exact_pdp_scale, 1e-12, "definition of pDP, solved for b")
DISJOINT = Guarantee("disjoint", "Corollary 9", "(ε, δ)-pDP", pdp_scale_disjoint, 1e-12, "Liu 2019, Corollary 9")
GUARANTEES = (ADP, EXACT_PDP, DISJOINT)


def size(measure: str, p: ArrayLike, scale: ArrayLike, significance: ArrayLike = 0.05) -> Array:
    """How large noise of shape p and scale b is: b^k s(p), with s(p) the size for b = 1.

    Parameters
    ----------
    measure : "scale" (s = 1), "deviation" (s² = Γ(3/p)/Γ(1/p)), "mean_error" (s = Γ(2/p)/Γ(1/p)), "accuracy" (s with
        Pr(|X| > s) = α for b = 1), for all of which k = 1; or "variance", for which k = 2.
    p : shape, in [1, 100].
    scale : b > 0, in query units.
    significance : α in [1e-300, 1), which "accuracy" alone takes.

    Returns
    -------
    The size in query units (squared for the variance), above the true value by a relative 1e-13 at most and not below
    it; infinite where a double can't hold it.
    """
    scale = number("scale", scale, "(0, inf]")
    with np.errstate(over="ignore", under="ignore"):
        return scale ** _power(measure) * _unit_size(measure, p, significance)


def _power(measure: str) -> int:
    return 2 if measure == "variance" else 1


def _unit_size(measure: str, p: ArrayLike, significance: ArrayLike) -> Array:
    p = number("p", p, SHAPE_RANGE)
    significance = number("significance", significance, "[1e-300, 1)")
    if measure == "scale":
        return np.ones_like(p)
    if measure == "deviation":
        unit = np.sqrt(variance(p, 1.0))
    elif measure == "variance":
        unit = variance(p, 1.0)
    elif measure == "mean_error":
        unit = mean_absolute_error(p, 1.0)
    else:
        unit = tail_quantile(significance, 1 - significance, p)
    return unit * (1 + 128 * ULP)


def best_p(
    guarantee: Guarantee, measure: str, epsilon: ArrayLike, delta: ArrayLike, significance: float = 0.05
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
    """
    epsilon, delta = np.broadcast_arrays(np.asarray(epsilon, np.float64), np.asarray(delta, np.float64))
    shape, epsilon, delta = epsilon.shape, epsilon.reshape(-1, 1), delta.reshape(-1, 1)

    def cost(t: Array) -> Array:
        p = np.exp(t * t)
        unit = np.log(_unit_size(measure, p, significance))
        return _power(measure) * np.log(guarantee.scale(epsilon, delta, p)) + unit

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
    guarantee: Guarantee, measure: str, epsilon: ArrayLike, delta: ArrayLike, significance: float = 0.05
) -> pd.DataFrame:
    """The best p over (ε, δ), and the size of its noise over that of Laplace (p = 1) and Gaussian (p = 2) noise.

    Columns epsilon, delta, p, of_laplace, of_gaussian: of_laplace = 0.9 says that it saves 10 % against Laplace noise
    of the same promise. Arguments as in `best_p`; a row each, in the order of the broadcast arguments.
    """
    epsilon, delta = (part.ravel() for part in np.broadcast_arrays(epsilon, delta))
    p = best_p(guarantee, measure, epsilon, delta, significance)
    unit, power = _unit_size(measure, p, significance), _power(measure)
    scale = guarantee.scale(epsilon, delta, p)
    columns = {"epsilon": epsilon, "delta": delta, "p": p}
    for name, rival in (("of_laplace", 1.0), ("of_gaussian", 2.0)):
        ratio = unit / _unit_size(measure, rival, significance)
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
    guarantee: Guarantee, measure: str, epsilon: float, delta: float, p: float, significance: float = 0.05
) -> Best:
    """The best p at one (ε, δ) beside a given p. Arguments as in `best_p`; shares are in [0, 1)."""
    row = best_frame(guarantee, measure, [epsilon], [delta], significance).iloc[0]
    shapes = np.array([row["p"], p])
    least, now = np.log(guarantee.scale(epsilon, delta, shapes)) * _power(measure) + np.log(
        _unit_size(measure, shapes, significance)
    )
    saved = max(-float(np.expm1(least - now)), 0.0)
    return Best(measure, float(row["p"]), saved, 1 - float(row["of_laplace"]), 1 - float(row["of_gaussian"]))


def along(
    guarantee: Guarantee,
    epsilon: ArrayLike,
    delta: ArrayLike,
    p: ArrayLike,
    sensitivity: ArrayLike = 1.0,
    significance: float = 0.05,
) -> pd.DataFrame:
    """The noise that a promise to one statistic needs: columns epsilon, delta, p, and every one of `SIZES`.

    Arguments as in `adp_scale`, significance as in `size`; a row each, in the order of the broadcast arguments.
    """
    epsilon, delta, p, sensitivity = (
        part.ravel() for part in np.broadcast_arrays(*np.atleast_1d(epsilon, delta, p, sensitivity))
    )
    return _sizes(epsilon, delta, p, guarantee.scale(epsilon, delta, p, sensitivity), significance)


def along_each(
    guarantee: Guarantee,
    at: dict[str, float],
    grids: dict[str, Array],
    sensitivity: float = 1.0,
    significance: float = 0.05,
) -> dict[str, pd.DataFrame]:
    """Several frames of `along` in one solve: for each of `grids`, its quantity varied, the others as in `at`.

    The keys are "epsilon", "delta" and "p"; `at` has all of them.
    """
    parts = {
        key: np.concatenate([grid if name == key else np.full(len(grid), at[key]) for name, grid in grids.items()])
        for key in ("epsilon", "delta", "p")
    }
    whole = along(guarantee, **parts, sensitivity=sensitivity, significance=significance)
    ends = np.cumsum([0, *(len(grid) for grid in grids.values())])
    return {key: whole.iloc[ends[place] : ends[place + 1]] for place, key in enumerate(grids)}


def along_several(
    epsilon: ArrayLike, delta: ArrayLike, p: ArrayLike, sensitivities: ArrayLike, significance: float = 0.05
) -> pd.DataFrame:
    """The noise of each of several statistics under [Liu19] Prop. 8: columns of `along`, arguments of `pdp_scale`."""
    epsilon, delta, p = (part.ravel() for part in np.broadcast_arrays(*np.atleast_1d(epsilon, delta, p)))
    return _sizes(epsilon, delta, p, pdp_scale(epsilon, delta, p, sensitivities), significance)


def _sizes(epsilon: Array, delta: Array, p: Array, scale: Array, significance: float) -> pd.DataFrame:
    sizes = {measure: size(measure, p, scale, significance) for measure in SIZES if measure != "scale"}
    return pd.DataFrame({"epsilon": epsilon, "delta": delta, "p": p, "scale": scale} | sizes)


def simulated(
    epsilon: float,
    delta: float,
    p: float,
    sensitivities: ArrayLike,
    rng: np.random.Generator,
    n: int,
    significance: float = 0.05,
) -> pd.DataFrame:
    """One row of `along_several` as [Liu19] finds it, from n draws, and for each size its standard error beside.

    Not a guarantee. Arguments as in `pdp_scale_monte_carlo`; the error of the column x is in x_error.
    """
    found = pdp_scale_monte_carlo(epsilon, delta, p, sensitivities, rng, n)
    one = np.ones(1)
    row = _sizes(epsilon * one, delta * one, p * one, found.scale * one, significance)
    for measure in SIZES:
        row[f"{measure}_error"] = row[measure] * (found.standard_error / found.scale)
    return row


def matched_scales(
    match: str,
    guarantee: Guarantee,
    epsilon: float,
    delta: float,
    p: float,
    others: ArrayLike,
    sensitivity: float = 1.0,
) -> Array:
    """The b of noises of other shapes that share something with the noise of shape p that a promise needs.

    Parameters
    ----------
    match : "scale" (the same b), "variance" (the same variance) or "guarantee" (the same promise).
    guarantee, epsilon, delta, p, sensitivity : of the noise that is matched, as in `along`.
    others : the other shapes, in [1, 100].
    """
    others = number("others", others, SHAPE_RANGE)
    if match == "guarantee":
        return guarantee.scale(epsilon, delta, others, sensitivity)
    scale = guarantee.scale(epsilon, delta, p, sensitivity)
    if match == "scale":
        return np.full(others.shape, scale)[()]
    return scale * np.sqrt(variance(p, 1.0) / variance(others, 1.0))


def densities(p: ArrayLike, scale: ArrayLike, reach: float, n: int = 401) -> pd.DataFrame:
    """The densities of several noises from −reach to reach: columns p, scale, x, pdf, n rows for each noise."""
    p, scale = np.broadcast_arrays(np.atleast_1d(p), np.atleast_1d(scale))
    x = reach * np.linspace(-1, 1, n)
    with np.errstate(under="ignore"):
        values = pdf(x / scale[:, None], p[:, None], 1.0) / scale[:, None]
    return pd.DataFrame(
        {"p": np.repeat(p, n), "scale": np.repeat(scale, n), "x": np.tile(x, p.size), "pdf": values.ravel()}
    )
