"""All shares of a question: within which error they are at once, and what an office that is trusted would publish."""

import numpy as np
from numpy.typing import ArrayLike

from dpcore import laplace
from dpcore.checks import POSITIVE_EPSILON_RANGE, RECORDS_RANGE, Array, integer, number
from dpcore.local.shares import OPTIONS_RANGE, half_width
from dpcore.rounding import round_up

_TOGETHER_RANGE = "[1e-290, 1)"  # of a significance that up to 1e9 shares divide


def simultaneous_half_width(
    epsilon: ArrayLike,
    n_options: ArrayLike,
    n_people: ArrayLike,
    method: str = "best",
    significance: ArrayLike = 0.05,
) -> Array:
    """The half-width within which the estimates of all d shares are at once, whatever these are: that of α/d for each.

    It is the union bound, for the share whose error is largest.

    Parameters
    ----------
    epsilon, n_options, n_people, method : as for `half_width`, by the normal approximation.
    significance : α in [1e-290, 1), of all shares together.

    Returns
    -------
    The half-width, as a share of 1; above 1 where nothing is learnt.

    Examples
    --------
    >>> simultaneous_half_width(2, [2, 20], 50_000).round(4).tolist(), half_width(2, [2, 20], 50_000).round(4).tolist()
    ([0.0043, 0.013], [0.0037, 0.0084])
    """
    together = number("significance", significance, _TOGETHER_RANGE)
    return half_width(
        epsilon, n_options, n_people, method, None, together / integer("n_options", n_options, OPTIONS_RANGE)
    )


def curator_half_width(
    epsilon: ArrayLike, n_options: ArrayLike, n_people: ArrayLike, significance: ArrayLike = 0.05
) -> Array:
    """(Δ₁/ε) ln(1/α)/n: the half-width of a share that a trusted office publishes, with Laplace noise on its counts.

    Neighbouring surveys differ in the answer of one person. Of d > 2 options that moves one count up and another down,
    so that Δ₁ = 2 for all counts together. Of two options one count is enough, with Δ₁ = 1: how many answer is known,
    and the other count is the rest.

    Parameters
    ----------
    epsilon : ε of the release, in [1e-12, 1e6].
    n_options : d, a whole number in [2, 1e9].
    n_people : n, a whole number in [1, 1e12].
    significance : α in [1e-300, 1).

    Returns
    -------
    The half-width, as a share of 1, rounded up.

    Examples
    --------
    >>> (100 * curator_half_width([0.5, 2], [[2], [20]], 50_000)).round(5).tolist()
    [[0.01198, 0.003], [0.02397, 0.00599]]
    """
    n_options, n_people = integer("n_options", n_options, OPTIONS_RANGE), integer("n_people", n_people, RECORDS_RANGE)
    epsilon = number("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    scale = laplace.scale_from_epsilon(epsilon, 0.0, np.where(n_options == 2, 1.0, 2.0))
    return round_up(laplace.half_width(significance, scale) / n_people, 2)
