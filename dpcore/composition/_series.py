"""The sum over the nodes of `dpcore.composition._integral`, and what its value is off by.

S = Re Σ terms e^{−ikhε}. A list of steps of DP-SGD has runs in which nobody was sampled, whose losses are all next to
n ln(1 − q): their part of the terms hardly decays, but it is of no account where that is far from ε. A smooth window
that ends the sum averages δ over a short stretch around ε only.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfc

from dpcore.checks import Array
from dpcore.composition._normalize import Whole
from dpcore.composition.moments import Complex, characteristic_function
from dpcore.rounding import ULP

_SOFT = 0.085  # the window's half-width, of the nodes' end: it is e^−34 there
_SPREAD = 30.0  # over the end: from their mean so far reach the losses of unsampled runs that have not decayed there


@dataclass(frozen=True)
class Value:
    """ε, S, what it is off by the end of the nodes and by rounding, and how fast ln δ falls in ε."""

    epsilon: Array
    total: Array
    error: Array
    rounding: Array
    fall: Array


@dataclass(frozen=True)
class Series:
    """The terms of S at t = 0, h, …, but for e^{−itε}, and what the end of the nodes leaves out.

    There is a row for each number of runs, or one row for all: the last axis of ε is that of several rows.

    Attributes
    ----------
    half : where a window ends the terms, what S would be of half as many nodes; without any window empty.
    is_windowed : in which rows a window ends the terms.
    beyond : all that may be beyond, at most; of it, if a window may end the terms,
    loose : what is not of the runs in which nobody was sampled,
    still : and what is, whose loss is about `place`.
    """

    terms: Complex
    half: Complex
    is_windowed: NDArray[np.bool_]
    distance: float
    c: float
    beyond: Array
    loose: Array
    still: Array
    place: Array

    def windowed(self, rows: NDArray[np.bool_]) -> "Series":
        """Return the series in some rows of which the terms end so smoothly that only δ near ε has a part in them."""
        size = self.terms.shape[1]
        terms, half = (
            self.terms[:, :n] * np.where(rows[:, None], erfc((np.arange(n) / n - 0.5) / _SOFT) / 2, 1)
            for n in (size, size // 2)
        )
        return replace(self, terms=terms, half=half, is_windowed=rows)

    def value(self, epsilon: Array) -> Value:
        """Return S at each ε, with its error."""
        total, slope = self.summed(epsilon)
        if self.half.size:
            half, _ = replace(self, terms=self.half).summed(epsilon)
            apart = np.maximum(self.distance * self.terms.shape[1] * abs(epsilon - self.place) - _SPREAD, 0)
            left = self.loose + 2 * abs(total - half) + self.still * np.exp(-((_SOFT * apart / 2) ** 2))
            left = np.where(self.is_windowed, left, self.beyond)
        else:
            left = np.broadcast_to(self.beyond, epsilon.shape)
        size, turned_size = self._sizes
        rounding = 2 * ULP * (size + turned_size * abs(epsilon))
        falls = (slope > 0) & (total > 1e-300 * slope)
        fall = np.divide(slope, total, out=np.full(total.shape, self.c), where=falls)
        return Value(epsilon, total, left, rounding, fall)

    @cached_property
    def _stretches(self) -> tuple[Complex, Array, Array]:
        """Return the terms, then the terms times s, as short stretches, and t within a stretch and at their starts."""
        n_rows, count = self.terms.shape
        inner = 2 ** (int(math.log2(count)) // 2)
        s = self.c + 1j * self.distance * np.arange(count)
        stretches = np.concatenate([self.terms, self.terms * s], axis=1).reshape(n_rows, -1, inner)
        return stretches, self.distance * np.arange(inner), self.distance * inner * np.arange(count // inner)

    def summed(self, epsilon: Array) -> tuple[Array, Array]:
        """Return S, and the sum of the terms times s, which is −e^{cε} d(e^{−cε} S)/dε, at each ε."""
        stretches, fine, coarse = self._stretches
        turn = np.exp(-1j * np.multiply.outer(coarse, epsilon))
        inner = np.exp(-1j * np.multiply.outer(fine, epsilon))
        if len(stretches) == 1:
            parts = stretches[0] @ inner.reshape(fine.size, -1)
        else:
            of_row = inner.reshape(fine.size, -1, len(stretches)).transpose(2, 0, 1)
            parts = (stretches @ of_row).transpose(1, 2, 0)
        total, slope = np.sum(np.real(turn * parts.reshape(2, *turn.shape)), axis=1)
        return total, slope

    @cached_property
    def _sizes(self) -> tuple[Array, Array]:
        """Return Σ |terms| and Σ t |terms|, on which the errors of S and of its slope depend."""
        size = abs(self.terms)
        return np.sum(size, axis=1), self.distance * np.sum(size * np.arange(size.shape[1]), axis=1)


def series(together: Whole, n_runs: Array, direction: str, c: float, distance: float, count: int) -> Series | None:
    """Return the first terms for each number of runs; None where a step of DP-SGD would take too many nodes."""
    t, end = distance * np.arange(count), distance * count
    place = 0.0
    log_terms = together.square * t * ((2 * c + 1) * 1j - t) / 2
    log_most = log_still = np.full(1, -together.square * end**2 / 2)
    for kind, numbers, n in together.runs:
        function = characteristic_function(kind, numbers, direction, c, distance, count)
        if function is None:
            return None
        log_terms = log_terms + n * function.log
        place += n * function.place
        log_most, log_still = log_most + n * function.most, log_still + n * function.still
    s, times = c + 1j * t, n_runs[:, None]
    terms = np.exp(times * log_terms) / (s * (1 + s)) * (distance / math.pi)
    terms[:, 0] /= 2
    most, still, scale = np.exp(times * log_most), np.exp(times * log_still), 1 / (math.pi * end)
    loose = most * -np.expm1(times * (log_still - log_most))
    if together.square or any(kind != "sampled" for kind, _, _ in together.runs):
        loose = np.full(most.shape, math.inf)  # no window
    beyond, loose, still = (np.max(error, axis=1) * scale for error in (most, loose, still))
    return Series(
        terms, terms[:, :0], np.zeros(n_runs.shape, np.bool_), distance, c, beyond, loose, still, n_runs * place
    )
