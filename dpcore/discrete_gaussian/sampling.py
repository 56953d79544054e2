"""The exact sampler of [CKS20], Algorithms 1–3: whole numbers only, so that no rounding changes a probability.

σ² is the exact square of the double σ, a fraction. A coin of probability e^{−γ} tosses coins of probability γ/K, and
these compare uniform digits with those of a fraction, digit by digit until they differ. All draws that are not decided
go through a step together. Exact is what is drawn from `rng`: with a seed that others may know, it is a trial still.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import Array, generator, number, shape

_DIGIT = 1 << 16

Bits = NDArray[np.bool_]
Whole = NDArray[np.int64]
Unbounded = NDArray[np.object_]  # of Python's whole numbers


SIGMA_RANGE = "[1e-4, 1e14]"


def sample(rng: np.random.Generator, sigma: ArrayLike, size: int | tuple[int, ...] | None = None) -> Array:
    """Exact draws of the noise ([CKS20] Algorithm 3), from uniform whole numbers of `rng` alone.

    Parameters
    ----------
    rng : the source of randomness.
    sigma : in [1e-4, 1e14], beyond which a double no longer holds every whole number that may be drawn.
    size : shape of the result, to which that of `sigma` broadcasts; by default the shape of `sigma`.

    Examples
    --------
    >>> draws = sample(np.random.default_rng(seed=1), sigma=2, size=1000)
    >>> print(draws.shape, all(draws == draws.round()))
    (1000,) True
    """
    generator("rng", rng)
    sigma = number("sigma", sigma, SIGMA_RANGE)
    draws = shape("size", size, sigma.shape)
    distinct, kind = np.unique(sigma, return_inverse=True)
    kinds = np.broadcast_to(kind.reshape(sigma.shape), draws).ravel()
    scale = np.floor(distinct).astype(np.int64) + 1
    constants = _constants(distinct, scale)
    samples = np.zeros(len(kinds), dtype=np.int64)
    pending = np.arange(len(kinds))
    while len(pending):
        kind = kinds[pending]
        candidate = _discrete_laplace(rng, scale[kind])
        unit, square, denominator = constants[:, kind]
        # e^{−γ} with γ = (|y| − σ²/t)²/(2σ²) = (|y|tb² − a²)²/(2a²b²t²)
        accepted = exponential_coin(rng, (abs(candidate).astype(object) * unit - square) ** 2, denominator)
        samples[pending[accepted]] = candidate[accepted]
        pending = pending[~accepted]
    return samples.reshape(draws).astype(float)[()]


def _constants(sigma: Array, scale: Whole) -> Unbounded:
    """With σ = a/b and the scale t: tb², a² and 2a²b²t², a column for each σ."""
    constants = np.zeros((3, len(sigma)), dtype=object)
    for place, (value, t) in enumerate(zip(sigma.tolist(), scale.tolist(), strict=True)):
        a, b = value.as_integer_ratio()
        constants[:, place] = t * b * b, a * a, 2 * (a * b * t) ** 2
    return constants


def _discrete_laplace(rng: np.random.Generator, scale: Whole) -> Whole:
    """Draws y with probability ∝ e^{−|y|/t} for the whole scale t ([CKS20] Algorithm 2 with s = 1)."""
    draws = np.zeros(len(scale), dtype=np.int64)
    pending = np.arange(len(scale))
    while len(pending):
        t = scale[pending]
        part = rng.integers(0, t)
        begun = coin(rng, part, t, _less_by_draw)
        pending, later, part, t = pending[~begun], pending[begun], part[begun], t[begun]
        size = part + t * _heads_in_a_row(rng, len(later))
        negative = rng.integers(0, 2, len(later)) == 1
        again = negative & (size == 0)  # or 0 would come twice as often as it should
        draws[later] = np.where(negative, -size, size)
        pending = np.concatenate([pending, later[again]])
    return draws


def _heads_in_a_row(rng: np.random.Generator, n: int) -> Whole:
    """Return the number of heads of coins with probability 1/e before the first tail."""
    heads = np.zeros(n, dtype=np.int64)
    going = np.arange(n)
    while len(going):
        going = going[_inverse_e(rng, len(going))]
        heads[going] += 1
    return heads


def exponential_coin(rng: np.random.Generator, numerator: Unbounded, denominator: Unbounded) -> Bits:
    """Heads with probability e^{−γ}, γ = numerator/denominator ≥ 0: ⌊γ⌋ coins of probability 1/e, one of the rest."""
    heads = _all_heads(rng, np.minimum(numerator // denominator, 2**62).astype(np.int64))
    left = np.flatnonzero(heads)
    heads[left] = coin(rng, numerator[left] % denominator[left], denominator[left], less_by_digits)
    return heads


def exponential_heads(rng: np.random.Generator, distance: Whole, scale: Unbounded) -> Bits:
    """Heads with probability e^{−distance/scale}, the scale a fraction: its numerators, and its denominators."""
    return exponential_coin(rng, distance.astype(object) * scale[1], scale[0])


def _all_heads(rng: np.random.Generator, times: Whole) -> Bits:
    """Return heads with probability e^{−times}, which is whether as many coins of probability 1/e all show heads."""
    heads = np.ones(len(times), dtype=bool)
    going, tossed = np.flatnonzero(times > 0), 0
    while len(going):
        toss = _inverse_e(rng, len(going))
        heads[going[~toss]] = False
        tossed += 1
        going = going[toss & (times[going] > tossed)]
    return heads


def _inverse_e(rng: np.random.Generator, n: int) -> Bits:
    """Return n coins that show heads with probability 1/e."""
    ones = np.ones(n, dtype=np.int64)
    return coin(rng, ones, ones, _less_by_draw)


def coin(rng: np.random.Generator, numerator: NDArray, denominator: NDArray, less: Callable[..., Bits]) -> Bits:
    """Heads with probability e^{−γ}, γ = numerator/denominator in [0, 1] ([CKS20] Algorithm 1).

    Coins of probability γ/1, γ/2, … are tossed until one shows tails: at an odd one with probability 1 − γ + γ²/2 − ….
    """
    heads = np.ones(len(numerator), dtype=bool)
    going, k = np.arange(len(numerator)), 1
    while len(going):
        going = going[less(rng, numerator[going], denominator[going] * k)]
        k += 1
        heads[going] = k % 2 == 1
    return heads


def _less_by_draw(rng: np.random.Generator, numerator: Whole, denominator: Whole) -> Bits:
    """Heads with probability numerator/denominator, where these are below 2⁶³."""
    return rng.integers(0, denominator) < numerator


def less_by_digits(rng: np.random.Generator, numerator: Unbounded, denominator: Unbounded) -> Bits:
    """Return heads with probability numerator/denominator for whole numbers of any size, digit by digit."""
    less = np.zeros(len(numerator), dtype=bool)
    going, rest = np.arange(len(numerator)), numerator
    while len(going):
        digits = (rest * _DIGIT) // denominator[going]
        uniform = rng.integers(0, _DIGIT, len(going))
        less[going] = uniform < digits
        same = np.asarray(uniform == digits, dtype=bool)
        rest = (rest * _DIGIT)[same] % denominator[going[same]]
        going = going[same]
    return less
