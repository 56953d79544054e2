"""Sums of independent privacy losses on a circle of cells: the one path of every composition by Fourier transforms.

Losses between two cells are shared by them (`upper_share`, the connected dots of Doroshenko et al. 2022). `circle_sum`
takes the masses of all releases on a grid to the transform of their sum: φ of a part that runs once is multiplied, of
one that runs n times raised to the power n by ln |φ| and its angle. It is read back with a bound on its rounding
(`CircleSum.read`); δ is `tradeoff.losses.expected_gain` of it. `common_unit` finds the grid that rounds nothing.

Two accountants use it, which differ in the window that they lay around their answer, as they know different things:

* `tilts` tilts the losses, for the digits of a δ far out. One tilt is sharp near one ε: a whole profile takes
  several of them. Its window is where Chernoff's bounds on what aliasing adds are small.
* `tradeoff.losses` reads a whole profile of any curve, in both directions, from one sum without a tilt. Its δ has an
  absolute doubt of some 1e-14, and its window holds all losses but for 1e-16.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.fft import irfft, rfft
from numpy.typing import NDArray

from dpcore.checks import Array
from dpcore.rounding import TINY, ULP

Complex = NDArray[np.complex128]
Places = NDArray[np.int64]
_SAME = 1e-10  # of the largest loss: what is less is rounding
_FEW_TERMS = 2**18  # of sums that take less time than a transform
_DROPPED = 64.0  # a frequency that has at most e^−64 of the sum counts for nothing


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


def upper_share(over: Array, interval: float) -> Array:
    """Return the share of a mass that goes to the upper end of its cell, of a loss that is `over` above the lower end.

    It keeps the means of 1 and of e^{−L}, so that δ is rounded up: δ is convex in e^{−L}.
    """
    return np.clip(np.expm1(-over) / math.expm1(-interval), 0, 1)


@dataclass(frozen=True)
class Part:
    """The masses of one release at their places on a grid, how often it runs, and what the masses lack of 1."""

    place: Places
    mass: Array
    count: int
    lost: float = 0.0


@dataclass(frozen=True)
class PartError:
    """The error of a transform: `together` in ‖·‖₂ over all frequencies, plus `everywhere` at every frequency."""

    together: float
    everywhere: float


@dataclass(frozen=True)
class CircleSum:
    """The transform Φ = Π φⁿ of the sum of all parts on a circle of cells, whose first one is at the place `offset`.

    `transform` has Φ at the frequencies with the numbers `frequency`, increasing. At the others |Φ| is at most
    e^`log_dropped`, and 0 is taken for it.

    `bounds` are what bounds its rounding: U = Π(|φ| + A + b)ⁿ, the error relative to U that powers and products leave,
    and for each part n, (A, b) and |φ| + A + b.
    """

    transform: Complex
    frequency: Places
    size: int
    offset: int
    log_dropped: float
    bounds: tuple[Array, Array, list[tuple[int, PartError, Array]]]

    @property
    def masses(self) -> Array:
        """The probabilities of the sum in all cells of the circle, to nearest: some may be just below 0."""
        return self._inverse(self.transform)

    def masses_at(self, place: Places) -> Array:
        """Return the probabilities of the sum in some cells of the circle; few of few frequencies are summed up."""
        if place.size * self.frequency.size > _FEW_TERMS:
            return self.masses[place % self.size]
        turn = 2 * math.pi / self.size * (np.multiply.outer(place, self.frequency) % self.size)
        doubled = np.where(self.frequency % (self.size // 2) == 0, 1, 2)  # with the frequency of the opposite sign
        return (np.exp(1j * turn) @ (doubled * self.transform)).real / self.size

    def read(self, gain: Complex | Array | float = 1.0, most_gain: float = 1.0) -> tuple[Array, float]:
        """Return the inverse transform of Φ times `gain`, and by how much any value of it may be off.

        `gain` is that at the frequencies of `transform`; at no other one is its absolute value more than `most_gain`.

        With u = 2⁻⁵³ and η = 10 u log₂ N, all values of a transform of N cells are together off by less than η ‖x‖ √N
        in ‖·‖₂, η ‖x‖ for the inverse (Higham 2002, Accuracy and Stability, Theorem 24.2, whose constant is below 7).
        The masses but for the likeliest have transforms with errors e, ‖e‖ ≤ A, and b = 64u Σ of these masses. As
        |xⁿ − yⁿ| ≤ n |x − y| max(|x|, |y|)ⁿ⁻¹, Φ is off by Σ n (|e| + b) U/(|φ| + A + b) and, relative to U, by 16u
        Σ n |ln φ| of powers and 4u of each product; a value by the sum of that with |gain| over all ω, over N, of which
        that with e is at most A times the ‖·‖₂ of the rest (Cauchy–Schwarz), and by the last transform's part. What
        was dropped is off by U at most.
        """
        product = self.transform * gain
        upper, relative, errors = self.bounds
        upper, size, length = upper * abs(gain), self.size, abs(product)
        doubt = float(np.sum(upper * np.minimum(np.expm1(relative), 2)) + 32 * ULP * np.sum(length)) * 2 / size
        for count, error, part_upper in errors:
            ratios = upper / part_upper
            doubt += count * error.everywhere * float(np.sum(ratios)) * 2 / size
            doubt += count * error.together * math.sqrt(2 * float(np.sum(ratios * ratios))) / size
        doubt += _transform_error(size) * math.sqrt(2 / size * float(np.sum(length * length)))
        n_dropped = size // 2 + 1 - self.frequency.size
        doubt += n_dropped * math.exp(self.log_dropped) * most_gain * 2 / size
        return self._inverse(product), doubt * (1 + 1e-9) + TINY

    def _inverse(self, values: Complex) -> Array:
        """Return the inverse transform of values at the frequencies of `transform`."""
        everywhere = np.zeros(self.size // 2 + 1, np.complex128)
        everywhere[self.frequency] = values
        return irfft(everywhere, self.size)


def circle_sum(parts: Iterable[Part], size: int) -> CircleSum:
    """Return the sum of the losses of all parts on a circle of so many cells.

    Many runs leave next to nothing of most frequencies, U ≤ e^−64, which are dropped before powers are taken.
    """
    frequency = np.arange(size // 2 + 1)
    log_length, phase, log_upper, relative = (np.zeros(frequency.size) for _ in range(4))
    product, upper_product = np.ones(frequency.size, np.complex128), np.ones(frequency.size)
    errors: list[tuple[int, PartError, Array]] = []
    offset, log_dropped, has_powers = 0, -_DROPPED, False
    for part in parts:
        mode = int(part.place[int(np.argmax(part.mass))])
        offset += part.count * mode
        less_one, elsewhere = transform_less_one(part.place - mode, part.mass, size)
        less_one = less_one[frequency] - part.lost
        error = _part_error(elsewhere, part.lost)
        upper = np.abs(1 + less_one) + error.together + error.everywhere
        log_dropped += part.count * math.log1p(error.together + error.everywhere)  # no |φ| is more than 1
        errors.append((part.count, error, upper))
        if part.count == 1:
            product *= 1 + less_one
            upper_product *= upper
            relative += 2 * ULP
            continue
        has_powers = True
        log_upper += part.count * np.log(upper)
        matters = log_upper > -_DROPPED
        if np.count_nonzero(matters) < frequency.size // 2:
            log_length, phase, log_upper, relative, upper_product = (
                values[matters] for values in (log_length, phase, log_upper, relative, upper_product)
            )
            frequency, product, less_one = frequency[matters], product[matters], less_one[matters]
            errors = [(count, error, upper[matters]) for count, error, upper in errors]
        _, part_log_length, angle = log_polar(less_one)
        log_length += part.count * part_log_length
        phase += part.count * angle
        relative += 8 * ULP * part.count * (abs(part_log_length) + abs(angle))
    if has_powers:
        product *= np.exp(log_length + 1j * phase)
        upper_product *= np.exp(log_upper)
    return CircleSum(product, frequency, size, offset, log_dropped, (upper_product, relative, errors))


def _part_error(elsewhere: Array, lost: float) -> PartError:
    """Return the error of the transform, from the masses outside the place with the largest mass.

    Where masses do not add up to 1, what they lack is the difference of 1 and a sum that is near 1.
    """
    size, lifted = elsewhere.size, float(np.sum(elsewhere)) + (lost != 0)
    return PartError(_transform_error(size) * math.sqrt(size * float(np.sum(elsewhere**2))), 32 * ULP * lifted)


def _transform_error(size: int) -> float:
    return 5 * ULP * math.log2(size)
