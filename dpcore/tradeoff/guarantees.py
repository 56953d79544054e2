"""Many releases of the same guarantee in closed form: the privacy losses of randomised responses are binomial."""

import math
from functools import lru_cache

import numpy as np
from scipy.linalg import get_blas_funcs

from dpcore.checks import Array
from dpcore.rounding import round_up, total_up

(_SOLVE,) = get_blas_funcs(["tbsv"], dtype=np.float64)  # solves a triangular system with few diagonals


def repeated_guarantee(epsilon: float, count: int) -> tuple[Array, Array]:
    """Return the exact profile of pure ε-DP kept k = `count` times, at its corners ε' = (k − 2i)ε, rounded up.

    δ(ε') = Σ_{m<i} w_m (1 − e^{−2(i−m)ε}), w_m = Pr(Bin(k, 1/(1 + e^ε)) = m): Kairouz, Oh & Viswanath,
    arXiv:1311.0776, Thm 3.3. Between its corners it is linear in e^ε', so they are all of it.

    Returns
    -------
    ε' in [0, 1e6] and δ, at 21,000 corners at most, those with δ > 1e-300; the last is kε where that is at most 1e6.
    """
    index, gain = guarantee_corners(epsilon, count)
    corner = (gain > 1e-300) & (2 * index <= count)
    total = np.nextafter((count - 2 * index[corner]) * epsilon, np.inf)
    total, delta = np.append(total, total_up([epsilon], [count])), np.append(gain[corner], 0.0)
    return total[total <= 1e6], delta[total <= 1e6]


@lru_cache(maxsize=32)
def guarantee_corners(epsilon: float, count: int) -> tuple[Array, Array]:
    """Return the corners i of the profile of `repeated_guarantee`, at ε' = (k − 2i)ε, and δ there, rounded up.

    δ is right to a relative 8n·2⁻⁵² for n corners. The first has δ = 0, or in truth below 1e-340; those left out at the
    end (where ε' is low) have 1 − δ < 1e-20. For ε' below 0 too it is E(1 − e^{ε' − L})₊. The arrays are read-only.
    """
    lies, mass = lies_told(epsilon, count)
    gain = expected_gain(np.cumsum(mass), 2 * epsilon)  # at the corner after each
    gain = np.minimum(round_up(np.maximum.accumulate(gain), 8 * lies.size + 100), 1)
    index, gain = np.append(lies[0], lies + 1), np.append(0.0, gain)
    index.setflags(write=False)
    gain.setflags(write=False)
    return index, gain


def expected_gain(beyond: Array, interval: float) -> Array:
    """Return E(1 − e^{ε − L})₊ at places one interval h apart, in decreasing order of ε, from Pr(L > ε) at each.

    δ(ε) = e^{−h} δ(ε + h) + (1 − e^{−h}) Pr(L > ε), a sum of positive terms, from δ = 0 above the first place. This is
    a system of equations with two diagonals, which is solved from its first row on.
    """
    fall = -math.expm1(-interval)
    diagonals = np.full((2, beyond.size), fall - 1, order="F")
    diagonals[0] = 1
    return np.asarray(_SOLVE(1, diagonals, fall * beyond, lower=1, diag=1))


def lies_told(epsilon: float, count: int) -> tuple[Array, Array]:
    """Numbers of lies in so many randomised responses, and the probabilities of these where they are at least 1e-300.

    The ratios of neighbours, multiplied from the mode on, are right to a few roundings each; factorials are not.
    """
    odds = math.exp(min(epsilon, 700.0))  # beyond, nobody ever lies
    mean = count / (1 + odds)
    spread = 40 * math.sqrt(mean) + 800  # by Chernoff's bound, below it lies e^−800
    rest = 10 * math.sqrt(mean) + 100  # and above this e^−48, which a sum near 1 does not notice
    mode = math.floor(mean + 1 / (1 + odds))
    down = np.arange(float(mode), max(mode - spread, 0.0), -1.0)
    up = np.arange(float(mode), min(mode + rest, float(count)))
    below = np.cumprod(down / (count - down + 1) * odds)[::-1]
    above = np.cumprod((count - up) / (up + 1) / odds)
    mass = np.concatenate([below, [1.0], above])
    return np.arange(mode - below.size, mode + above.size + 1.0), mass / np.sum(mass)
