"""The exact probability that each candidate is chosen, of three mechanisms, and exact draws of two.

The integrals are sums over Gauss–Legendre points of positive terms, on panels on which the integrands are nearly
polynomials; nothing cancels, and powers of e are taken of differences to the best score, so that nothing overflows.

Draws: the odds of a candidate are e^−γ of a fraction γ, and coins decide them in whole numbers only.
γ = ε(max u − u_r)/(2Δ) is computed from the doubles that are given as a fraction, without rounding. A coin of
probability e^−γ is that of [CKS20], Algorithm 1. So no probability depends on floating point, and no draw shows low
bits that others cannot have (Mironov 2012; Haney et al. 2022). With a seed that others may know, it is a trial still.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import roots_legendre

from dpcore.checks import (
    POSITIVE_EPSILON_RANGE,
    SENSITIVITY_RANGE,
    Array,
    generator,
    number,
    scalar,
    scalar_integer,
    shape,
)
from dpcore.discrete_gaussian.sampling import Unbounded, exponential_coin

SCORES_RANGE = "[-1e15, 1e15]"
CANDIDATES_RANGE = "[1, 1e5]"  # of their number
_NOISY_CANDIDATES_RANGE = "[1, 500]"
_POINTS = roots_legendre(32)
_FEW_POINTS = roots_legendre(12)  # on panels no wider than the noise
_LEAST_PANEL = 1e-6  # on a narrower one, points next to 1 would be rounded to it
_FORGOTTEN = 1e-17  # a part of all that no double shows
_FAR = 45.0  # e^−45 is less than that
_MOST_ENTRIES = 1_000_000  # of a matrix at a time


def permute_and_flip(scores: ArrayLike, epsilon: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """q_r ∫₀¹ Π_{s≠r}(1 − t q_s) dt with q_s = e^{ε(u_s − max u)/(2Δ)}: candidate r by permute-and-flip ([MS20]).

    The candidates come in a random order, and the first whose coin of probability q shows heads is chosen. With an
    arrival time t of r that is uniform on [0, 1], r is chosen if no other came before and showed heads. It is the
    largest of scores with exponential noise of scale 2Δ/ε ([DKS21]), satisfies ε-DP, and for any scores its expected
    gap to the best is at most that of the exponential mechanism. For monotone scores, ε-DP holds with half the Δ.

    Parameters
    ----------
    scores : u in [−1e15, 1e15], at most 1e5 candidates along the last axis.
    epsilon : in [1e-12, 1e6].
    sensitivity : Δ of each score, in [1e-100, 1e100].

    Returns
    -------
    Probabilities in the shape of the scores; their sum along the last axis is 1. Relative error 1e-12.

    Examples
    --------
    >>> permute_and_flip([0, -3, -5, -5, -9], epsilon=1).round(8).tolist()
    [0.81619304, 0.1052051, 0.03686257, 0.03686257, 0.00487673]
    """
    return _by_rows(_permute_and_flip, _gaps(scores, epsilon, sensitivity, monotone=False))


def exponential(scores: ArrayLike, epsilon: ArrayLike, sensitivity: ArrayLike = 1.0, monotone: bool = False) -> Array:
    """e^{ε u_r/(2Δ)}/Σ e^{ε u_s/(2Δ)}: candidate r by the exponential mechanism ([MT07]); ε u/Δ if monotone.

    It satisfies ε-DP, and its losses have a range of ε ([DDR20]).

    Parameters
    ----------
    scores, epsilon, sensitivity : as in `permute_and_flip`.
    monotone : whether a person changes all scores in one direction.

    Returns
    -------
    Probabilities in the shape of the scores; their sum along the last axis is 1.

    Examples
    --------
    >>> exponential([0, -3, -5, -5, -9], epsilon=1).round(8).tolist()
    [0.71509829, 0.15956, 0.05869884, 0.05869884, 0.00794402]
    >>> exponential([120, 110], epsilon=0.1, monotone=True).round(4).tolist()
    [0.7311, 0.2689]
    """
    weight = np.exp(-_gaps(scores, epsilon, sensitivity, monotone))
    return weight / weight.sum(axis=-1, keepdims=True)


def report_noisy_max(
    scores: ArrayLike, epsilon: ArrayLike, sensitivity: ArrayLike = 1.0, monotone: bool = False
) -> Array:
    """∫ f(y − u_r) Π_{s≠r} F(y − u_s) dy: candidate r has the largest score with Laplace noise of scale b = 2Δ/ε.

    Only the candidate is released, not its noisy score. It satisfies ε-DP, with b = Δ/ε if monotone ([DR14],
    Claim 3.9).

    Parameters
    ----------
    scores, epsilon, sensitivity, monotone : as in `exponential`, of at most 500 candidates.

    Returns
    -------
    Probabilities in the shape of the scores; their sum along the last axis is 1. Absolute error 1e-14.

    Examples
    --------
    >>> report_noisy_max([0, -3, -5, -5, -9], epsilon=1).round(4).tolist()
    [0.7238, 0.1613, 0.054, 0.054, 0.0069]
    """
    gap = _gaps(scores, epsilon, sensitivity, monotone)
    scalar_integer("the number of candidates", gap.shape[-1], _NOISY_CANDIDATES_RANGE)
    return _by_rows(_loudest, gap)


def _gaps(scores: ArrayLike, epsilon: ArrayLike, sensitivity: ArrayLike, monotone: bool) -> Array:
    """Return how far each score is below the best, in units of the noise."""
    u = number("scores", scores, SCORES_RANGE)
    scalar_integer("the number of candidates", u.shape[-1] if u.ndim else 0, CANDIDATES_RANGE)
    epsilon = number("epsilon", epsilon, POSITIVE_EPSILON_RANGE)[..., np.newaxis]
    sensitivity = number("sensitivity", sensitivity, SENSITIVITY_RANGE)[..., np.newaxis]
    return (u.max(axis=-1, keepdims=True) - u) * (epsilon / ((1 if monotone else 2) * sensitivity))


def _by_rows(mechanism: Callable[[Array, Array], Array], gap: Array) -> Array:
    """Return a mechanism's probabilities of each list of candidates; equal scores are computed once."""
    rows = []
    for row in gap.reshape(-1, gap.shape[-1]):
        distinct, place, ties = np.unique(row, return_inverse=True, return_counts=True)
        rows.append(mechanism(distinct, ties.astype(np.float64))[place])
    return np.array(rows).reshape(gap.shape)


def _permute_and_flip(gap: Array, ties: Array) -> Array:
    """Return the probabilities of permute-and-flip for distinct gaps, of which the first is 0."""
    heads = np.exp(-gap)
    n_likely = int(np.count_nonzero(heads * ties.sum() > _FORGOTTEN))
    q, n_alike = heads[:n_likely], ties[:n_likely]
    corners = np.append(0, 2.0 ** np.arange(-1, 7)) / (heads @ ties)
    t, weight = _points(np.append(corners[corners < 1 - _LEAST_PANEL], 1.0), _POINTS)
    none_before = np.zeros_like(t)
    for part in _parts(n_likely, t.size):
        none_before += np.log1p(-np.multiply.outer(t, q[part])) @ n_alike[part]
    mass = weight * np.exp(none_before)
    others = np.full(heads.size, mass.sum())
    for part in _parts(n_likely, t.size):
        others[part] = mass @ (1 / (1 - np.multiply.outer(t, q[part])))
    return heads * others


def _loudest(gap: Array, ties: Array) -> Array:
    """Return the probabilities of the largest noisy score for distinct gaps, of which the first is 0.

    Beyond `_FAR` below the best score, no candidate is the largest; beyond `_FAR` + ln m above it, none is.
    """
    highest = _FAR + np.log(ties.sum())
    corners = np.concatenate([-gap[gap < _FAR], np.arange(-_FAR, highest), [highest]])
    y, weight = _points(np.unique(corners), _FEW_POINTS)
    all_below = np.zeros_like(y)
    for part in _parts(gap.size, y.size):
        height = np.add.outer(y, gap[part])
        tail = np.exp(-np.abs(height)) / 2
        all_below += np.where(height < 0, height - np.log(2), np.log1p(-tail)) @ ties[part]
    mass = weight * np.exp(all_below)
    loudest = np.empty(gap.size)
    for part in _parts(gap.size, y.size):
        tail = np.exp(-np.maximum(np.add.outer(y, gap[part]), 0)) / 2
        loudest[part] = mass @ (tail / (1 - tail))  # f/F, which is 1 below the score
    return loudest


def _points(corners: Array, rule: tuple[Array, Array]) -> tuple[Array, Array]:
    """Return the Gauss–Legendre points of each panel between corners, and their weights."""
    half, middle = np.diff(corners) / 2, (corners[1:] + corners[:-1]) / 2
    points = middle[:, np.newaxis] + np.multiply.outer(half, rule[0])
    return points.ravel(), np.multiply.outer(half, rule[1]).ravel()


def _parts(n_columns: int, n_rows: int) -> list[slice]:
    """Return the parts of the columns that are computed at a time."""
    step = max(_MOST_ENTRIES // n_rows, 1)
    return [slice(first, min(first + step, n_columns)) for first in range(0, n_columns, step)]


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
    rng, scores, epsilon, sensitivity, size : as in `sample_permute_and_flip`.
    monotone : whether a person changes all scores in one direction, for e^{ε u/Δ} instead of e^{ε u/(2Δ)}.

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
