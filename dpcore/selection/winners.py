"""How good a private choice is: the probability that it is the best, its expected gap, and which ε is enough.

Of counts, a gap is how many fewer a candidate has than the best. Where several share the best score, each is right.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import (
    POSITIVE_EPSILON_RANGE,
    SENSITIVITY_RANGE,
    Array,
    interval_bounds,
    number,
    option,
    refuse,
    scalar,
    scalar_integer,
)
from dpcore.composition import Release, exponential_release, guarantee_release
from dpcore.roots import bisect, positive_mean
from dpcore.selection.probabilities import SCORES_RANGE, exponential, permute_and_flip, report_noisy_max

MECHANISMS = ("permute_and_flip", "exponential", "report_noisy_max")
_TOP_RANGE = "[1, 10]"
_HALVINGS = 60
_ROUNDING = 1e-12  # of the computed probabilities


def winner_probability(
    scores: ArrayLike,
    epsilon: ArrayLike,
    sensitivity: ArrayLike = 1.0,
    mechanism: str = "permute_and_flip",
    monotone: bool = False,
) -> Array:
    """Return the probability that the candidate that is chosen has the best score.

    Parameters
    ----------
    scores : u in [−1e15, 1e15], candidates along the last axis: counts, or gaps with a minus.
    epsilon : in [1e-12, 1e6].
    sensitivity : Δ of each score, in [1e-100, 1e100].
    mechanism : one of `MECHANISMS`.
    monotone : whether a person changes all scores in one direction, so that half the noise is enough.

    Returns
    -------
    The probability, rounded down, of the common shape of ε, Δ and the axes of scores before the last.

    Examples
    --------
    >>> districts = [120, 113, 98, 97, 60]
    >>> winner_probability(districts, [0.1, 0.5, 1], monotone=True).round(4).tolist()
    [0.6827, 0.9849, 0.9995]
    >>> f"{winner_probability(districts, 0.5, mechanism='report_noisy_max', monotone=True):.4f}"
    '0.9585'
    """
    chance = chosen(mechanism, scores, epsilon, sensitivity, monotone)
    u = np.asarray(scores, np.float64)
    best = u == u.max(axis=-1, keepdims=True)
    wrong = np.where(best, 0, chance).sum(axis=-1) * (1 + _ROUNDING)
    return np.maximum(1 - wrong - _ROUNDING / 100, 0)[()]


def expected_gap(
    scores: ArrayLike,
    epsilon: ArrayLike,
    sensitivity: ArrayLike = 1.0,
    mechanism: str = "permute_and_flip",
    monotone: bool = False,
) -> Array:
    """Return E[max u − u of the chosen candidate]: how much worse the choice is on average, rounded up.

    Parameters
    ----------
    scores, epsilon, sensitivity, mechanism, monotone : as in `winner_probability`.

    Returns
    -------
    The gap in the unit of the scores.

    Examples
    --------
    >>> expected_gap([0, -3, -5, -5, -9], 1.0).round(4).item()
    0.7281
    """
    chance = chosen(mechanism, scores, epsilon, sensitivity, monotone)
    u = np.asarray(scores, np.float64)
    return ((chance * (u.max(axis=-1, keepdims=True) - u)).sum(axis=-1) * (1 + _ROUNDING))[()]


def top_probability(
    scores: ArrayLike,
    n_chosen: int,
    epsilon: float,
    sensitivity: float = 1.0,
    mechanism: str = "permute_and_flip",
    monotone: bool = False,
) -> float:
    """Return the probability that m candidates, chosen one after the other, are the best m, in any order.

    Each is chosen among those that are left, with ε/m, so that all together satisfy ε-DP ("peeling", [DR14]). Where
    several share the m-th best score, each of them is right.

    Parameters
    ----------
    scores : u in [−1e15, 1e15], one list.
    n_chosen : m, a whole number in [1, 10], at most the number of candidates.
    epsilon : of all choices together, in [1e-12, 1e6].
    sensitivity, mechanism, monotone : as in `winner_probability`.

    Returns
    -------
    The probability, rounded down.

    Examples
    --------
    >>> f"{top_probability([120, 113, 98, 97, 60], 2, 1.0, monotone=True):.4f}"
    '0.9995'
    """
    u = np.sort(np.atleast_1d(number("scores", scores, SCORES_RANGE)).ravel())[::-1]
    m = scalar_integer("n_chosen", n_chosen, _TOP_RANGE)
    refuse("n_chosen", np.asarray(float(m)), np.asarray(m > u.size), f"[1, {u.size}]")
    own_epsilon = scalar("epsilon", epsilon, POSITIVE_EPSILON_RANGE) / m
    distinct, first, ties = np.unique(-u[u >= u[m - 1]], return_index=True, return_counts=True)
    reached = {(0,) * distinct.size: 1.0}  # by how many of each good score were chosen
    for _ in range(m):
        rest: dict[tuple[int, ...], float] = {}
        for taken, probability in reached.items():
            places = np.concatenate([np.arange(start, start + n) for start, n in zip(first, taken, strict=True)])
            chance = chosen(mechanism, np.delete(u, places.astype(int)), own_epsilon, sensitivity, monotone)
            for level, share in _shares(chance, ties, taken):
                after = (*taken[:level], taken[level] + 1, *taken[level + 1 :])
                rest[after] = rest.get(after, 0.0) + probability * share
        reached = rest
    return max(sum(reached.values()) * (1 - 2 * m * _ROUNDING), 0.0)


def least_epsilon(
    scores: ArrayLike,
    probability: float,
    sensitivity: float = 1.0,
    mechanism: str = "permute_and_flip",
    monotone: bool = False,
) -> float:
    """Return the least ε with which the best candidate is chosen with a wanted probability.

    Parameters
    ----------
    scores : u in [−1e15, 1e15], one list.
    probability : in [0, 1).
    sensitivity, mechanism, monotone : as in `winner_probability`.

    Returns
    -------
    ε in [1e-12, 1e6], rounded up: its probability was computed.

    Raises
    ------
    ValueError
        `probability must be in [0, 0.62], got 0.9` where the best score is too close to the next for any ε.

    Examples
    --------
    >>> f"{least_epsilon([120, 113, 98, 97, 60], 0.95, monotone=True):.4f}"
    '0.3305'
    """
    probability = scalar("probability", probability, "[0, 1)")
    u = np.atleast_1d(number("scores", scores, SCORES_RANGE)).ravel()
    least, most = interval_bounds(POSITIVE_EPSILON_RANGE)

    def is_enough(epsilon: Array) -> NDArray[np.bool_]:
        return winner_probability(u, epsilon, sensitivity, mechanism, monotone) >= probability

    reached = float(winner_probability(u, most, sensitivity, mechanism, monotone))
    refuse("probability", np.asarray(probability), np.asarray(reached < probability), f"[0, {reached:.6g}]")
    return float(bisect(is_enough, least, most, _HALVINGS, positive_mean)[1])


def release_of_choice(mechanism: str, epsilon: float, count: int = 1) -> Release:
    """Return the release of a choice with ε-DP, for `dpcore.composition`.

    The losses of the exponential mechanism have a range of ε. Those of permute-and-flip have a wider one: of two
    candidates that are equal at first, two choices with ε = 0.5 each have 1,500 times the δ at ε = 0.97 that two
    exponential mechanisms have. It is composed as any mechanism that satisfies ε-DP, and so is the largest noisy score.

    Parameters
    ----------
    mechanism : one of `MECHANISMS`.
    epsilon : in [0, 1e3].
    count : how often something is chosen, in [1, 1e6].

    Examples
    --------
    >>> release_of_choice("exponential", 0.5).kind, release_of_choice("permute_and_flip", 0.5, 3).kind
    ('exponential', 'guarantee')
    """
    option("mechanism", mechanism, MECHANISMS)
    return (exponential_release if mechanism == "exponential" else guarantee_release)(epsilon, count=count)


def chosen(
    mechanism: str, scores: ArrayLike, epsilon: ArrayLike, sensitivity: ArrayLike, monotone: bool = False
) -> Array:
    """Return the probability of each candidate by a mechanism of `MECHANISMS`."""
    option("mechanism", mechanism, MECHANISMS)
    if mechanism == "permute_and_flip":
        known = number("sensitivity", sensitivity, SENSITIVITY_RANGE)
        return permute_and_flip(scores, epsilon, known / 2 if monotone else known)
    return {"exponential": exponential, "report_noisy_max": report_noisy_max}[mechanism](
        scores, epsilon, sensitivity, monotone
    )


def _shares(chance: Array, ties: NDArray[np.intp], taken: tuple[int, ...]) -> Iterator[tuple[int, float]]:
    """Yield the levels of good scores of which some candidates are left, and the probability to choose one of these.

    The candidates that are left are in the order of their scores.
    """
    start = 0
    for level, (n, gone) in enumerate(zip(ties, taken, strict=True)):
        if n > gone:
            yield level, float(chance[start : start + n - gone].sum())
        start += n - gone
