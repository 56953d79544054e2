"""The least noise of any shape beside the best generalized Gaussian, truncated Laplace and staircase noise."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import staircase, truncated_laplace
from dpcore.calibrations import GENERALIZED_ADP
from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, SHAPE_RANGE, Array, inside, number, option
from dpcore.generalized_gaussian.optimal_shape import best_p, size
from dpcore.optimal_noise._program import PROGRAM_DELTA_RANGE, PROGRAM_EPSILON_RANGE
from dpcore.optimal_noise.known import MOST_BOUND
from dpcore.optimal_noise.real import least_cost

_COSTS = {"variance": "variance", "mean_error": "mean_absolute_error"}


def closed_form_frame(
    epsilon: ArrayLike, delta: ArrayLike, measure: str = "variance", p: ArrayLike | None = None
) -> pd.DataFrame:
    """The cost of the best p, of truncated Laplace and of staircase noise of (ε, δ)-DP, at sensitivity 1.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    delta : in [1e-300, 1).
    measure : "variance" or "mean_error", E|noise|.
    p : the best shapes in [1, 100], where `best_p` has found them already.

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
    option("measure", measure, tuple(_COSTS))
    epsilon, delta = number("epsilon", epsilon, EPSILON_RANGE), number("delta", delta, DELTA_RANGE)
    shapes = number("p", 1.0 if p is None else p, SHAPE_RANGE)
    epsilon, delta, shapes = (part.ravel() for part in np.broadcast_arrays(*np.atleast_1d(epsilon, delta, shapes)))
    if p is None:
        shapes = best_p(GENERALIZED_ADP, measure, epsilon, delta)
    bound, scale = truncated_laplace.bound_from_epsilon(epsilon, delta), truncated_laplace.scale_from_epsilon(epsilon)
    cost = getattr(truncated_laplace, _COSTS[measure])(np.minimum(bound, MOST_BOUND), scale)
    columns = {
        "epsilon": epsilon,
        "delta": delta,
        "p": shapes,
        "best": size(measure, GENERALIZED_ADP.scale(epsilon, delta, shapes), shapes),
        "truncated": np.where(bound <= MOST_BOUND, cost, np.inf),
        "staircase": _staircase_cost(epsilon, measure),
    }
    return pd.DataFrame(columns)


def _staircase_cost(epsilon: Array, measure: str) -> Array:
    theta = np.maximum(epsilon, 1e-12)
    gamma_of = staircase.mean_error_gamma if measure == "mean_error" else staircase.variance_gamma
    return np.where(epsilon >= 1e-12, getattr(staircase, _COSTS[measure])(theta, gamma_of(theta)), np.inf)


def floor_frame(
    epsilon: ArrayLike,
    delta: ArrayLike,
    measure: str = "variance",
    most_rows: int = 4000,
    p: ArrayLike | None = None,
) -> pd.DataFrame:
    """The least cost of any noise of (ε, δ)-DP beside the best p and truncated Laplace noise, at sensitivity 1.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    delta : in [1e-300, 1).
    measure : "variance" or "mean_error", E|noise|.
    most_rows : of each linear program, as in `least_cost`.
    p : as in `closed_form_frame`.

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
    frame = closed_form_frame(epsilon, delta, measure, p).drop(columns="staircase")
    epsilons, deltas = (frame[key].to_numpy() for key in ("epsilon", "delta"))
    solved = inside(epsilons, PROGRAM_EPSILON_RANGE) & inside(deltas, PROGRAM_DELTA_RANGE)
    solved &= np.isfinite(frame["truncated"].to_numpy())
    bounds = np.full((2, epsilons.size), np.nan)
    for place in np.flatnonzero(solved):
        least = least_cost(float(epsilons[place]), float(deltas[place]), 1.0, _COSTS[measure], 0.0, most_rows)
        bounds[:, place] = least.lower, least.upper
    return frame.assign(lower=bounds[0], upper=bounds[1])
