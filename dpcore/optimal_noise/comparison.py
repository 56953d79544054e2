"""The least noise of any shape beside the best shape of the generalized Gaussian family and truncated Laplace noise."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import truncated_laplace
from dpcore.calibrations import GENERALIZED_ADP
from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, inside, number, option
from dpcore.generalized_gaussian.optimal_shape import best_p, size
from dpcore.optimal_noise._program import PROGRAM_DELTA_RANGE, PROGRAM_EPSILON_RANGE
from dpcore.optimal_noise.real import least_cost

_COSTS = {"variance": "variance", "mean_error": "mean_absolute_error"}


def floor_frame(epsilon: ArrayLike, delta: ArrayLike, measure: str = "variance", most_rows: int = 4000) -> pd.DataFrame:
    """The least cost of any noise of (ε, δ)-DP beside the best p and truncated Laplace noise, at sensitivity 1.

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
    option("measure", measure, tuple(_COSTS))
    epsilon, delta = number("epsilon", epsilon, EPSILON_RANGE), number("delta", delta, DELTA_RANGE)
    epsilon, delta = (part.ravel() for part in np.broadcast_arrays(*np.atleast_1d(epsilon, delta)))
    p = best_p(GENERALIZED_ADP, measure, epsilon, delta)
    noise = truncated_laplace.bound_from_epsilon(epsilon, delta), truncated_laplace.scale_from_epsilon(epsilon)
    solved = inside(epsilon, PROGRAM_EPSILON_RANGE) & inside(delta, PROGRAM_DELTA_RANGE)
    bounds = np.full((2, epsilon.size), np.nan)
    for place in np.flatnonzero(solved):
        least = least_cost(float(epsilon[place]), float(delta[place]), 1.0, _COSTS[measure], 0.0, most_rows)
        bounds[:, place] = least.lower, least.upper
    columns = {
        "epsilon": epsilon,
        "delta": delta,
        "p": p,
        "best": size(measure, GENERALIZED_ADP.scale(epsilon, delta, p), p),
        "truncated": getattr(truncated_laplace, _COSTS[measure])(*noise),
        "lower": bounds[0],
        "upper": bounds[1],
    }
    return pd.DataFrame(columns)
