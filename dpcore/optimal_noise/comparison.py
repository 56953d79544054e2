"""The least noise of any shape beside the best generalized Gaussian, truncated Laplace and staircase noise."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import staircase, truncated_laplace
from dpcore.calibrations import GENERALIZED_ADP
from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, Array, number, option, scalar
from dpcore.generalized_gaussian.optimal_shape import Best, best_p, size
from dpcore.optimal_noise.known import MOST_BOUND, has_least_cost
from dpcore.optimal_noise.real import least_cost

_COSTS = {"variance": "variance", "mean_error": "mean_absolute_error"}


def closed_form_frame(epsilon: ArrayLike, delta: ArrayLike, measure: str = "variance") -> pd.DataFrame:
    """Return the cost of the best p, of truncated Laplace and of staircase noise of (ε, δ)-DP, at sensitivity 1.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    delta : in [1e-300, 1).
    measure : "variance" or "mean_error", E|noise|.

    Returns
    -------
    Columns epsilon, delta, p (the best shape), best (its size), truncated (infinite where the noise ends beyond 1e150),
    and staircase (which satisfies pure ε-DP; infinite below ε = 1e-12): a row for each place, in the order of the
    broadcast arguments.

    Examples
    --------
    >>> frame = closed_form_frame([0.1, 5], 0.01)
    >>> [[round(size, 3) for size in row] for row in frame[["best", "truncated", "staircase"]].to_numpy().tolist()]
    [[88.607, 66.289, 199.917], [0.079, 0.079, 0.03]]
    """
    columns = _columns(epsilon, delta, measure)
    return pd.DataFrame(columns | {"staircase": _staircase_cost(columns["epsilon"], measure)})


def _columns(epsilon: ArrayLike, delta: ArrayLike, measure: str) -> dict[str, Array]:
    """Return the columns that both frames have."""
    option("measure", measure, tuple(_COSTS))
    epsilon, delta = number("epsilon", epsilon, EPSILON_RANGE), number("delta", delta, DELTA_RANGE)
    epsilon, delta = (part.ravel() for part in np.broadcast_arrays(*np.atleast_1d(epsilon, delta)))
    p = best_p(GENERALIZED_ADP, measure, epsilon, delta)
    best = size(measure, GENERALIZED_ADP.scale(epsilon, delta, p), p)
    return {
        "epsilon": epsilon,
        "delta": delta,
        "p": p,
        "best": best,
        "truncated": _truncated_cost(epsilon, delta, measure),
    }


def _truncated_cost(epsilon: ArrayLike, delta: ArrayLike, measure: str) -> Array:
    """Return the cost of truncated Laplace noise, infinite where that ends beyond 1e150."""
    bound, scale = truncated_laplace.bound_from_epsilon(epsilon, delta), truncated_laplace.scale_from_epsilon(epsilon)
    cost = getattr(truncated_laplace, _COSTS[measure])(np.minimum(bound, MOST_BOUND), scale)
    return np.where(bound <= MOST_BOUND, cost, np.inf)


def _staircase_cost(epsilon: Array, measure: str) -> Array:
    theta = np.maximum(epsilon, 1e-12)
    gamma_of = staircase.mean_error_gamma if measure == "mean_error" else staircase.variance_gamma
    return np.where(epsilon >= 1e-12, getattr(staircase, _COSTS[measure])(theta, gamma_of(theta)), np.inf)


def floor_frame(
    epsilon: ArrayLike,
    delta: ArrayLike,
    measure: str = "variance",
    most_rows: int = 4000,
) -> pd.DataFrame:
    """Return the least cost of any noise of (ε, δ)-DP beside the best p and truncated Laplace noise, at sensitivity 1.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    delta : in [1e-300, 1).
    measure : "variance" or "mean_error", E|noise|.
    most_rows : of each linear program, as in `least_cost`.

    Returns
    -------
    Columns epsilon, delta, p (the best shape), best (its size), truncated (that of truncated Laplace noise), lower and
    upper (the bounds of `least_cost`, which are NaN where ε > 12 or δ > ½): a row for each place, in the order of the
    broadcast arguments.

    Examples
    --------
    >>> row = floor_frame(0.1, 0.01).iloc[0]
    >>> print(f"best p {row.best:.2f}, truncated Laplace {row.truncated:.2f}, any noise at least {row.lower:.1f}")
    best p 88.61, truncated Laplace 66.29, any noise at least 66.2
    """
    columns = _columns(epsilon, delta, measure)
    places = zip(*(columns[key].tolist() for key in ("epsilon", "delta")), strict=True)
    bounds = [_bounds(at, target, measure, most_rows) for at, target in places]
    lower, upper = np.array(bounds).reshape(-1, 2).T
    return pd.DataFrame(columns | {"lower": lower, "upper": upper})


def floor_beside(best: Best, epsilon: float, delta: float, most_rows: int = 4000) -> dict[str, float]:
    """Return a row of `floor_frame` where the best p is known, in less time.

    Parameters
    ----------
    best : of `GENERALIZED_ADP` at this (ε, δ), by "variance" or "mean_error".
    epsilon : in [0, 1e6].
    delta : in [1e-300, 1).
    most_rows : of a linear program, as in `least_cost`.

    Examples
    --------
    >>> from dpcore.generalized_gaussian.optimal_shape import best_against
    >>> row = floor_beside(best_against(GENERALIZED_ADP, "variance", 1, 1e-6, p=2), 1, 1e-6)
    >>> print(f"best p {row['best']:.3f}, any noise at least {row['lower']:.3f}")
    best p 2.000, any noise at least 1.918
    """
    option("best.measure", best.measure, tuple(_COSTS))
    epsilon, delta = scalar("epsilon", epsilon, EPSILON_RANGE), scalar("delta", delta, DELTA_RANGE)
    truncated = float(_truncated_cost(epsilon, delta, best.measure))
    lower, upper = _bounds(epsilon, delta, best.measure, most_rows)
    row = {"epsilon": epsilon, "delta": delta, "p": best.p, "best": float(size(best.measure, best.scale, best.p))}
    return row | {"truncated": truncated, "lower": lower, "upper": upper}


def _bounds(epsilon: float, delta: float, measure: str, most_rows: int) -> tuple[float, float]:
    """Return the bounds of `least_cost`, NaN beyond its ε and δ."""
    if not has_least_cost(epsilon, delta):
        return np.nan, np.nan
    least = least_cost(epsilon, delta, 1.0, _COSTS[measure], most_rows=most_rows)
    return least.lower, least.upper
