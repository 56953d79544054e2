"""Coins of an exact probability e^{−γ} or n/d, from uniform whole numbers alone ([CKS20] Algorithm 1)."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

_DIGIT = 1 << 16

Bits = NDArray[np.bool_]
Whole = NDArray[np.int64]
Unbounded = NDArray[np.object_]  # of Python's whole numbers


def exponential_coin(rng: np.random.Generator, numerator: Unbounded, denominator: Unbounded) -> Bits:
    """Heads with probability e^{−γ}, γ = numerator/denominator ≥ 0: ⌊γ⌋ coins of probability 1/e, one of the rest."""
    heads = _all_heads(rng, np.minimum(numerator // denominator, 2**62).astype(np.int64))
    left = np.flatnonzero(heads)
    heads[left] = coin(rng, numerator[left] % denominator[left], denominator[left], less_by_digits)
    return heads


def _all_heads(rng: np.random.Generator, times: Whole) -> Bits:
    """Return heads with probability e^{−times}, which is whether as many coins of probability 1/e all show heads."""
    heads = np.ones(len(times), dtype=bool)
    going, tossed = np.flatnonzero(times > 0), 0
    while len(going):
        toss = inverse_e(rng, len(going))
        heads[going[~toss]] = False
        tossed += 1
        going = going[toss & (times[going] > tossed)]
    return heads


def inverse_e(rng: np.random.Generator, n: int) -> Bits:
    ones = np.ones(n, dtype=np.int64)
    return coin(rng, ones, ones, less_by_draw)


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


def less_by_draw(rng: np.random.Generator, numerator: Whole, denominator: Whole) -> Bits:
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
