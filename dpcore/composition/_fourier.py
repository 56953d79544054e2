"""Sums of independent privacy losses on a grid: the steps that every composition by Fourier transforms goes through.

`transform_less_one` and `log_polar` turn the masses of one release into ln φ and its angle, which are multiplied by the
number of releases and added up over all of them; `common_unit` finds the grid on which nothing has to be rounded, and
`expected_gain` sums the masses up to δ. Three accountants use them, which differ in what they certify:

* `transforms` tilts the losses, for the digits of a δ far out, and proves the rounding of its transforms. One tilt is
  sharp near one ε: a whole profile would take several of them, each with transforms of its own.
* `tradeoff.losses` reads a whole profile, in both directions, from one transform without a tilt. Its δ has an absolute
  doubt of some 1e-14 in place of a proof, so it is no substitute for the former, and is faster for a curve.
* `unequal` multiplies the transforms of whole binomial distributions, one for each distinct ε, so it raises none of
  them to a power, and bounds their rounding by their norms.
"""

import math

import numpy as np
from numpy.fft import rfft
from numpy.typing import NDArray
from scipy.signal import lfilter

from dpcore.checks import Array

Complex = NDArray[np.complex128]
Places = NDArray[np.int64]
_SAME = 1e-10  # of the largest loss: what is less is rounding


def power_of_two(value: float, least: float = 1.0) -> int:
    """Return the least power of two that is at least `value`, and at least `least`."""
    return 2 ** math.ceil(math.log2(max(value, least)))


def common_unit(losses: Array, most_multiples: int) -> float:
    """Return the greatest number of which all losses are multiples, but for rounding, by Euclid's algorithm.

    It is 0 where the largest loss would be more than so many multiples of it, and ∞ where no loss differs from 0.
    """
    distinct = np.unique(np.abs(losses))[::-1].tolist()
    if not distinct or distinct[0] == 0:
        return math.inf
    largest = unit = distinct[0]
    for loss in distinct:
        rest = loss
        while rest > _SAME * largest:
            unit, rest = rest, abs(math.remainder(unit, rest))
        if unit < largest / most_multiples:
            return 0.0
    return largest / round(largest / unit)


def transform_less_one(place: Places, mass: Array, size: int) -> tuple[Complex, Array]:
    """Return φ − Σ mass at all frequencies, and the masses elsewhere than at the place 0, modulo `size`.

    The masses at the place 0 add nothing to it and are left out, so that it keeps the digits of rare losses.
    """
    elsewhere = np.asarray(np.bincount(np.mod(place, size), mass, size), np.float64)
    elsewhere[0] = 0
    return rfft(elsewhere) - float(np.sum(elsewhere)), elsewhere


def log_polar(less_one: Complex) -> tuple[Array, Array, Array]:
    """Return |φ|, ln |φ| and the angle of φ from φ − 1; near 1 the logarithm keeps the digits of φ − 1.

    ln |φ| is −∞ at a frequency of which nothing is left.
    """
    length, angle = np.abs(1 + less_one), np.angle(1 + less_one)
    excess = np.maximum(2 * less_one.real + less_one.real**2 + less_one.imag**2, -0.9)  # |φ|² − 1
    with np.errstate(divide="ignore"):
        return length, np.where(length < 0.5, np.log(length), np.log1p(excess) / 2), angle


def expected_gain(beyond: Array, interval: float) -> Array:
    """Return E(1 − e^{ε − L})₊ at places one interval h apart, in decreasing order of ε, from Pr(L > ε) at each.

    δ(ε) = e^{−h} δ(ε + h) + (1 − e^{−h}) Pr(L > ε), a sum of positive terms, from δ = 0 above the first place.
    """
    fall = -math.expm1(-interval)
    return np.asarray(lfilter([fall], [1.0, fall - 1], beyond))
