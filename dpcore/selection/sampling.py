"""Exact samplers: the odds of a candidate are e^−γ of a fraction γ, and coins decide them in whole numbers only.

γ = ε(max u − u_r)/(2Δ) is computed from the doubles that are given as a fraction, without rounding. A coin of
probability e^−γ is that of [CKS20], Algorithm 1. So no probability depends on floating point, and no draw shows low
bits that others cannot have (Mironov 2012; Haney et al. 2022). With a seed that others may know, it is a trial still.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import POSITIVE_EPSILON_RANGE, SENSITIVITY_RANGE, generator, number, scalar, scalar_integer, shape
from dpcore.discrete_gaussian._coins import Unbounded, exponential_coin
from dpcore.selection.probabilities import CANDIDATES_RANGE, SCORES_RANGE

_MOST_COINS = 100_000  # that are tossed at once

Places = NDArray[np.int64]


def sample_permute_and_flip(
    rng: np.random.Generator,
    scores: ArrayLike,
    epsilon: float,
    sensitivity: float = 1.0,
    size: int | tuple[int, ...] | None = None,
) -> Places:
    """Draws of permute-and-flip: each candidate tosses its coin, and one of those with heads is taken, all alike.

    The first with heads in a random order is the same draw. The best candidate's coin always shows heads.

    Parameters
    ----------
    rng : the source of randomness.
    scores : u in [−1e15, 1e15], one list of at most 1e5 candidates.
    epsilon : in [1e-12, 1e6].
    sensitivity : Δ of each score, in [1e-100, 1e100].
    size : shape of the result; by default one draw.

    Returns
    -------
    Places in the list of candidates, from 0.

    Examples
    --------
    >>> draws = sample_permute_and_flip(np.random.default_rng(1), [0, -3, -5], epsilon=1.0, size=1000)
    >>> np.bincount(draws).tolist()
    [861, 108, 31]
    """
    return flipped_places(rng, *_exponents(rng, scores, epsilon, sensitivity), size)


def sample_exponential(
    rng: np.random.Generator,
    scores: ArrayLike,
    epsilon: float,
    sensitivity: float = 1.0,
    monotone: bool = False,
    size: int | tuple[int, ...] | None = None,
) -> Places:
    """Draws of the exponential mechanism: a candidate is proposed, all alike, until the coin of one shows heads.

    Parameters
    ----------
    rng : the source of randomness.
    scores : u in [−1e15, 1e15], one list of at most 1e5 candidates.
    epsilon : in [1e-12, 1e6].
    sensitivity : Δ of each score, in [1e-100, 1e100].
    monotone : whether a person changes all scores in one direction, for e^{ε u/Δ} instead of e^{ε u/(2Δ)}.
    size : shape of the result; by default one draw.

    Returns
    -------
    Places in the list of candidates, from 0.

    Examples
    --------
    >>> draws = sample_exponential(np.random.default_rng(1), [0, -3, -5], epsilon=1.0, size=1000)
    >>> np.bincount(draws).tolist()
    [757, 173, 70]
    """
    numerator, denominator = _exponents(rng, scores, epsilon, sensitivity)
    return proposed_places(rng, numerator * (2 if monotone else 1), denominator, size)


def flipped_places(
    rng: np.random.Generator, numerator: Unbounded, denominator: int, size: int | tuple[int, ...] | None
) -> Places:
    """Return draws of permute-and-flip for coins of probability e^−γ, γ = numerator/denominator ≥ 0, the least 0."""
    draws, m = shape("size", size), len(numerator)
    places = np.empty(int(np.prod(draws)), dtype=np.int64)
    step = max(_MOST_COINS // m, 1)
    for first in range(0, places.size, step):
        n = min(step, places.size - first)
        heads = exponential_coin(rng, np.tile(numerator, n), np.full(m * n, denominator, dtype=object)).reshape(n, m)
        chosen = rng.integers(0, np.count_nonzero(heads, axis=1))
        places[first : first + n] = np.argmax(np.cumsum(heads, axis=1) == chosen[:, np.newaxis] + 1, axis=1)
    return places.reshape(draws)[()]


def proposed_places(
    rng: np.random.Generator, numerator: Unbounded, denominator: int, size: int | tuple[int, ...] | None
) -> Places:
    """Return draws of the exponential mechanism for coins of probability e^−γ, γ = numerator/denominator ≥ 0."""
    draws, m = shape("size", size), len(numerator)
    places = np.zeros(int(np.prod(draws)), dtype=np.int64)
    pending = np.arange(places.size)
    while pending.size:
        proposed = rng.integers(0, m, pending.size)
        heads = exponential_coin(rng, numerator[proposed], np.full(pending.size, denominator, dtype=object))
        places[pending[heads]] = proposed[heads]
        pending = pending[~heads]
    return places.reshape(draws)[()]


def exponents(scores: Sequence[Fraction], rate: Fraction) -> tuple[Unbounded, int]:
    """Return γ = rate · (max score − score) of each candidate, as numerators and their one denominator."""
    unit = math.lcm(*(score.denominator for score in scores))
    best = max(scores)
    numerator = np.empty(len(scores), dtype=object)
    numerator[:] = [int((best - score) * unit) * rate.numerator for score in scores]
    return numerator, unit * rate.denominator


def _exponents(
    rng: np.random.Generator, scores: ArrayLike, epsilon: float, sensitivity: float
) -> tuple[Unbounded, int]:
    """Return γ = ε(max u − u)/(2Δ) of each candidate, as numerators and their one denominator."""
    generator("rng", rng)
    u = number("scores", scores, SCORES_RANGE)
    scalar_integer("the number of dimensions of scores", u.ndim, "[1, 1]")
    scalar_integer("the number of candidates", u.size, CANDIDATES_RANGE)
    rate = Fraction(scalar("epsilon", epsilon, POSITIVE_EPSILON_RANGE))
    rate /= 2 * Fraction(scalar("sensitivity", sensitivity, SENSITIVITY_RANGE))
    return exponents([Fraction(score) for score in u.tolist()], rate)
