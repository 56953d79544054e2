"""Certified δ and ε of a list of releases by the distribution of their losses, at any δ down to 1e-300.

`cells` rounds the losses of one release up, `transforms` sums them with their rounding bounded, `tilts` chooses the
grid. Rounding up multiplies the moments M(s) by 1 + v s(s + 1), v = h²/12 for losses that spread evenly over the cells
and in general as ln M(c) says before and after it. In the contour integral of δ the factor s(s + 1) cancels, so to
first order δ rises by p(ε) Σ n v and ε by this over e^ε Q(L > ε), with p the density of the sum: this estimates the
excess.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from dpcore import gaussian as gaussian_mechanism
from dpcore._normal import TINY, ULP
from dpcore.checks import DELTA_RANGE, Array, number, one
from dpcore.composition._listed import broken_total, directions, gaussian_mu, joined, pure_total
from dpcore.composition.releases import Release
from dpcore.composition.tilts import Tilt, delta_tilt, epsilon_tilt, finer_tilt, reaching_tilt
from dpcore.composition.transforms import TiltedSum, atoms, tilted_sum

EXCESS_RANGE = "[1e-6, 1]"
TOTAL_RANGE = "[0, 1e13]"
Answer = tuple[float, float, float]  # the bound, its excess, the width of a cell


@dataclass(frozen=True)
class Certified:
    """A proved bound, and how far it may lie above the truth.

    Attributes
    ----------
    bound : ε or δ, never below the truth.
    excess : an estimate of bound − truth, to first order in the squared width of a cell and with what the rounding of
        the transforms may be; 0 where nothing was rounded.
    interval : the width of a cell in nats; 0 for Gaussians alone, which need none.
    """

    bound: Array
    excess: Array
    interval: Array


def certified_epsilon(releases: Sequence[Release], delta: ArrayLike, excess: float = 2e-3) -> Certified:
    """The least ε at which the releases together keep (ε, δ)-DP, in both directions, rounded up by a known amount.

    Exact for Gaussians alone, whose μ² add up ([DRS22]), and but for rounding for promises whose ε have a common
    divisor; else by connected dots (see the module). ∞ only where the promises' own δ leave nothing of δ.

    Parameters
    ----------
    releases : from 1 to 20, none of kind "zcdp".
    delta : in [1e-300, 1).
    excess : wanted, in [1e-6, 1], relative to ε (or to a tenth of the spread of the loss, if larger). The cells, of
        which there are at most 2²⁰, may not suffice for it: the result says what was reached.

    Returns
    -------
    Arrays of the shape of delta.

    Examples
    --------
    >>> from dpcore.composition import sampled_release
    >>> found = certified_epsilon([sampled_release(4, 0.01, 10_000)], 1e-5)
    >>> bool(0.9468668 <= found.bound <= 0.9468668 * 1.002)
    True
    """
    releases = joined(releases)
    excess = one("excess", excess, EXCESS_RANGE)
    return _each(number("delta", delta, DELTA_RANGE), lambda each: _epsilon(releases, each, excess))


def certified_delta(releases: Sequence[Release], epsilon: ArrayLike, excess: float = 1e-2) -> Certified:
    """The least δ at which the releases together keep (ε, δ)-DP, in both directions, rounded up by a known amount.

    As `certified_epsilon`, but `excess` is relative to δ; where δ is below 1e-300 it is only an upper bound.

    Parameters
    ----------
    releases : from 1 to 20, none of kind "zcdp".
    epsilon : in [0, 1e13] nats.
    excess : wanted, in [1e-6, 1].

    Examples
    --------
    >>> from dpcore.composition import promise_release
    >>> found = certified_delta([promise_release(0.1, count=100)], 4.77456758811)
    >>> f"{found.bound:.6g}"
    '1e-06'
    """
    releases = joined(releases)
    excess = one("excess", excess, EXCESS_RANGE)
    return _each(number("epsilon", epsilon, TOTAL_RANGE), lambda each: _delta(releases, each, excess))


def _each(values: Array, answer: Callable[[float], Answer]) -> Certified:
    answers = np.array([answer(float(each)) for each in values.ravel()]).reshape((*values.shape, 3))
    return Certified(answers[..., 0][()], answers[..., 1][()], answers[..., 2][()])


def _epsilon(releases: Sequence[Release], delta: float, excess: float) -> Answer:
    mu = gaussian_mu(releases)
    if mu is not None:
        return float(gaussian_mechanism.epsilon_from_sigma(delta, 1.0, mu)), 0.0, 0.0
    left = (delta - broken_total(releases)) * (1 - 4 * ULP)
    if left <= 0:
        return math.inf, 0.0, 0.0
    pure = pure_total(releases)
    if pure == 0:
        return 0.0, 0.0, 0.0
    found = max(_epsilon_in(releases, direction, delta, math.log(left), excess) for direction in directions(releases))
    return found if found[0] < pure else (pure, found[1], found[2])


def _epsilon_in(releases: Sequence[Release], direction: str, delta: float, log_left: float, excess: float) -> Answer:
    tilt = epsilon_tilt(releases, direction, log_left, excess)

    def answer(total: TiltedSum) -> tuple[float, float]:
        place, epsilon = _crossing(total, delta, log_left)
        if epsilon <= 0:
            return 0.0, 0.0
        beside = total.delta(np.array([place, place + 1]))
        return epsilon, total.rise * float(total.density(np.array(place))) / max(float(beside[0] - beside[1]), TINY)

    found, risen, total = _refined(
        releases, direction, tilt, answer, lambda found: excess * max(found, tilt.spread / 10), reaching_tilt
    )
    if found <= 0:
        return 0.0, 0.0, total.tilt.interval
    place = np.array(math.floor(found / total.tilt.interval))
    beside = total.delta(place + np.arange(2))
    fall = max(float(beside[0] - beside[1]), TINY) / total.tilt.interval
    risen = max(risen, float(total.bend(np.array(found))) / fall) + float(total.unsure(np.array(found))) / fall
    return found, min(risen, found), total.tilt.interval


def _refined(
    releases: Sequence[Release],
    direction: str,
    tilt: Tilt,
    answer: Callable[[TiltedSum], tuple[float, float]],
    wanted: Callable[[float], float],
    wider: Callable[[Tilt, float], Tilt | None] = lambda *_: None,
) -> tuple[float, float, TiltedSum]:
    """The least answer and the sum it was read from, on finer and finer grids until one will do or no finer one may be.

    Where the answer asks for a wider circle it gets one first. Next to the largest loss of all a finer grid can be the
    worse one, as its circle is narrower.
    """
    total = tilted_sum(atoms(releases, direction, tilt), tilt)
    found, risen = answer(total)
    best = found, risen, total
    while (other := wider(total.tilt, found) or finer_tilt(total.tilt, wanted(found) / max(risen, TINY))) is not None:
        if (other.interval, other.n_cells) == (total.tilt.interval, total.tilt.n_cells):  # wide enough as it is
            total = replace(total, tilt=other)
            continue
        total = tilted_sum(atoms(releases, direction, other), other)
        found, risen = answer(total)
        best = (found, risen, total) if found < best[0] else best
    return best


def _crossing(total: TiltedSum, delta: float, log_left: float) -> tuple[int, float]:
    """The last place at which δ is above the wanted one, and the ε after it that reaches it, as δ is linear in e^ε."""
    width, n_cells = total.tilt.interval, total.tilt.n_cells
    last = math.ceil(total.highest(log_left) / width) + n_cells // 16
    place = np.arange(last - n_cells + 1, last + 1)
    values = np.append(1.0, total.delta(place))  # no δ is above 1, as for the place before
    index = int(np.flatnonzero(values > delta)[-1])
    share = (delta - values[index + 1]) / (values[index] - values[index + 1])
    end = float(place[index]) * width
    return int(place[index]) - 1, end + math.log1p(share * math.expm1(-width)) + 8 * ULP * (abs(end) + width)


def _delta(releases: Sequence[Release], epsilon: float, excess: float) -> Answer:
    mu = gaussian_mu(releases)
    if mu is not None and epsilon <= 1e6:
        return float(gaussian_mechanism.delta_from_sigma(epsilon, 1.0, mu)), 0.0, 0.0
    if epsilon >= pure_total(releases):
        return broken_total(releases), 0.0, 0.0
    return max(_delta_in(releases, direction, epsilon, excess) for direction in directions(releases))


def _delta_in(releases: Sequence[Release], direction: str, epsilon: float, excess: float) -> Answer:
    def answer(total: TiltedSum) -> tuple[float, float]:
        found, risen = total.between(np.array(epsilon))
        return float(found), float(risen)

    tilt = delta_tilt(releases, direction, epsilon, excess)
    found, risen, total = _refined(releases, direction, tilt, answer, lambda found: excess * found)
    risen = max(risen, float(total.bend(np.array(epsilon)))) + float(total.unsure(np.array(epsilon)))
    return found, min(risen, found), total.tilt.interval
