"""Certified δ at many ε at once: in each direction one tilted sum serves all ε but those whose δ is far smaller.

Tilts that serve many ε: where δ keeps its digits under one tilt, and what cells that takes. Nothing is certified.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import Array, number, scalar, scalar_integer
from dpcore.composition._coarse_losses import CoarseLosses, coarse_losses, delta_bound, epsilon_bound, log_tail
from dpcore.composition._normalize import directions, gaussian_mu, joined, pure_total
from dpcore.composition._single_step import single_step, step_delta
from dpcore.composition.bounds import EpsilonBound
from dpcore.composition.distribution import EXCESS_RANGE, TOTAL_RANGE, certified_bound, certified_delta
from dpcore.composition.releases import Release, failure_of
from dpcore.composition.tilts import LOG_ALIAS, Circle, Tilt, TiltedSum, atoms, finer_tilt, tilted_sum, with_cells

LEAST = -720.0  # ln of the least δ
SEEN = 37.0  # −ln of a δ that is not seen beside 1
_MOST_LOST = 14.0  # −ln of what a D may be, of the largest
_LAST_ALIAS = 12.0  # −ln of what aliasing may add to the last δ, of it


@dataclass(frozen=True)
class Stretch:
    """A tilt, and the last ε that it serves; `sure` is the ε below which δ is 1 but for 1e-16."""

    tilt: Tilt
    high: float
    sure: float


@dataclass(frozen=True)
class Bounds:
    """ln of Chernoff's bound on δ: a row for each order c, a column for each ε; and ln M(c)."""

    order: Array
    epsilon: Array
    log_moment: Array
    bound: Array

    def used(self) -> Array:
        """Return orders as many as these, but only between those that are best at some ε."""
        best = np.argmin(self.bound, axis=0)
        first, last = max(int(np.min(best)) - 1, 0), min(int(np.max(best)) + 1, self.order.size - 1)
        return np.geomspace(self.order[first], self.order[last], self.order.size)

    def served(self, most: float, fall: float) -> tuple[NDArray[np.intp], Array, Array]:
        """Return the orders that serve most ε, ln δ at each of these, and −ln of the first D, the largest there may be.

        An order serves those ε up to which its D never is below e^{−14} of that.
        """
        level = np.clip(np.min(self.bound, axis=0), LEAST, most)
        lost = (self.bound - level)[:, level >= level[0] - fall]
        within = lost <= max(_MOST_LOST, float(np.min(lost[:, 0])) + 1)
        served = np.sum(np.logical_and.accumulate(within, axis=1), axis=1)
        best = np.flatnonzero(served == np.max(served))
        few = np.unique(best[np.linspace(0, best.size - 1, 8).astype(np.intp)])
        return few, level[: int(np.max(served))], lost[few, 0]


def stretch(
    releases: Sequence[Release],
    direction: str,
    ends: tuple[float, float],
    fall: float,
    excess: float,
    most_cells: tuple[int, int],
) -> Stretch:
    """Return a tilt for as many of the ε in an interval as it keeps the digits of δ for, from the first one on.

    D, which is δ without its factor M(c) e^{−cε}, is right to 1e-15 of the largest there may be: where it is e^{−14} of
    that, nine digits are left. How large it is follows from Chernoff's bound on δ, and from δ(0) adding up at most.

    `ends` are the first ε and the last one, `fall` is ln of what the last δ may be below the first one, and `excess` is
    wanted at the last ε whose δ is seen beside that; `most_cells` are on the circle, and in the losses of all releases.
    """
    losses = coarse_losses(releases, direction, log_tail(releases, LEAST))
    bounds = _bounds(losses, ends, _bounds(losses, ends, losses.orders(60)).used())
    served, level, lost = bounds.served(losses.log_advantage(), fall)
    n_visible = int(np.count_nonzero(level >= level[0] - SEEN)) - 1
    keenest = float(bounds.order[int(np.argmin(bounds.bound[:, n_visible]))])
    tolerance = 0.5 * excess / (keenest * (keenest + 1))
    coarse = coarse_losses(releases, direction, log_tail(releases, float(level[-1])))  # as far as cells will go
    windows = _windows(coarse, bounds.order[served], float(bounds.epsilon[0]), float(level[-1]), lost)
    best = int(np.argmin(windows))
    circle = Circle(float(bounds.order[served[best]]), float(windows[best]), float(bounds.epsilon[0]))
    tilt = with_cells(releases, coarse, circle, float(level[-1]), tolerance, most_cells)
    return Stretch(tilt, float(bounds.epsilon[level.size - 1]), losses.sure())


def _windows(losses: CoarseLosses, order: Array, low: float, last: float, lost: Array) -> Array:
    """Return for each order the width that the circle needs so that aliasing from below and above does not matter."""
    step = order[:, None] * np.geomspace(0.02, 20, 16)
    above = losses.log_moment((order[:, None] + step).ravel()).reshape(step.shape) - losses.log_moment(order)[:, None]
    beyond = np.min((above + (lost + 7 - LOG_ALIAS)[:, None]) / step, axis=1) - low
    return np.maximum((_LAST_ALIAS - last) / order, beyond)


def places(releases: Sequence[Release], direction: str, count: int) -> Array:
    """Return some ε from where δ leaves 1, or its first value, to where it is no longer seen: even, and in ln δ."""
    losses = coarse_losses(releases, direction, log_tail(releases, LEAST))
    bounds = _bounds(losses, (0.0, math.inf), losses.orders(60))
    order = bounds.used()
    log_moment, low, most = losses.log_moment(order), max(losses.sure(), 0.0), losses.log_advantage()
    high = max(float(np.min(epsilon_bound(most - SEEN)(order, log_moment))), low)
    even = np.linspace(low, high, count // 2)
    epsilon = np.union1d(even[::8], low + (high - low) * np.geomspace(1e-6, 1, 100))
    bound = delta_bound(epsilon)(order[:, None], log_moment[:, None])
    level = np.maximum.accumulate(-np.minimum(np.min(bound, axis=0), most))
    falls = np.append(True, np.diff(level) > 0)
    return np.union1d(even, np.interp(np.linspace(level[0], level[-1], count // 2), level[falls], epsilon[falls]))


def _bounds(losses: CoarseLosses, ends: tuple[float, float], order: Array) -> Bounds:
    """Return the bounds on δ by some orders, at ε from where δ is no longer 1 to where it is 1e-312."""
    log_moment = losses.log_moment(order)
    high = max(min(ends[1], float(np.min(epsilon_bound(LEAST)(order, log_moment)))), ends[0])
    epsilon = np.linspace(max(ends[0], min(losses.sure(), high)), high, 33)
    bound = delta_bound(epsilon)(order[:, None], log_moment[:, None])
    return Bounds(order, epsilon, log_moment, bound)


MOST_CELLS_RANGE = "[1024, 1e6]"
_PARTS = 1, 4, 4, 4  # by which the cells of each tilt are fewer
_FALL = SEEN, -LEAST, -LEAST, -LEAST  # ln of what δ may fall by


def certified_profile(
    releases: Sequence[Release], epsilon: ArrayLike, excess: float = 1e-2, most_cells: int = 2**18
) -> EpsilonBound:
    """δ at many ε at once: bounds as those of `certified_delta`, by up to four sums in each direction for all ε.

    Within a second or so of processor time, whatever the releases: the cells may be wider than those of
    `certified_delta`, and the smallest δ are only bounds. The result says what was reached.

    Parameters
    ----------
    releases : from 1 to 400, none of kind "zcdp".
    epsilon : in [0, 1e13] nats.
    excess : wanted, in [1e-6, 1], relative to δ, where δ is not below 1e-16 of the largest.
    most_cells : in [1024, 1e6], for each direction; a list of many releases has fewer. Time and memory grow with it.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release, laplace_release
    >>> certified = certified_profile([gaussian_release(2), laplace_release(0.5)], [0.0, 1.0, 2.0])
    >>> bool(np.all(np.diff(certified.value) < 0))
    True
    """
    releases, epsilon = joined(releases), number("epsilon", epsilon, TOTAL_RANGE)
    excess = scalar("excess", excess, EXCESS_RANGE)
    cells = 2 ** math.floor(math.log2(scalar_integer("most_cells", most_cells, MOST_CELLS_RANGE)))
    pure = pure_total(releases)
    if gaussian_mu(releases) is not None or pure == 0 or not epsilon.size:
        return certified_delta(releases, epsilon, excess)
    step = single_step(releases)
    if step is not None:
        nothing = np.zeros(epsilon.shape)[()]
        return certified_bound(step_delta(epsilon, *step)[()], nothing)
    distinct, back = np.unique(epsilon.ravel(), return_inverse=True)
    largest = np.zeros((2, distinct.size))
    largest[0] = failure_of(releases)
    inside = distinct < pure
    if inside.any():
        for direction in directions(releases):
            answer = _profile_in(releases, direction, distinct[inside], excess, cells, largest[0, inside])
            largest[:, inside] = np.where(answer[0] > largest[0, inside], answer, largest[:, inside])
    return certified_bound(*(part[back].reshape(epsilon.shape)[()] for part in largest))


def profile_places(releases: Sequence[Release], count: int) -> Array:
    """Return at most this many increasing ε at which the profile is of interest: none where δ is 1 or nearly 0.

    The first one is 0 or where δ is 1 but for 1e-16, the last where it is 1e-16 of δ(0) or less.
    """
    by_direction = [places(releases, direction, count) for direction in directions(releases)]
    farthest = max(by_direction, key=lambda places_in_one: float(places_in_one[-1]))
    return farthest[farthest >= max(float(places_in_one[0]) for places_in_one in by_direction)]


def _profile_in(
    releases: Sequence[Release], direction: str, epsilon: Array, excess: float, cells: int, enough: Array
) -> Array:
    """Return bounds and their errors at increasing ε, from the smallest up, until the bounds are small enough."""
    bound, risen = np.ones((2, epsilon.size))
    start = 0
    room = min(8 / (len(releases) + 2), 1)
    for parts, fall in zip(_PARTS, _FALL, strict=True):
        most = 2 ** math.floor(math.log2(cells * room / parts)), cells // parts
        ends = float(epsilon[start]), float(epsilon[-1])
        part = stretch(releases, direction, ends, fall, excess, most)
        rest = epsilon[start:]
        total = _refine_sum(releases, direction, part, rest, excess)
        delta, above = total.between(rest)
        truth = np.maximum(delta - above - total.unsure(rest), total.broken)
        served = max(int(np.searchsorted(rest, part.high, side="right")), 1)
        truth[served:] = total.broken  # a bound is enough there, whatever the value on the circle
        truth[rest < part.sure] = 1
        least = np.minimum.accumulate(np.minimum(np.minimum(delta, total.beyond(rest)), bound[start:]))
        bound[start:], risen[start:] = least, np.maximum(least - truth, 0)
        start += served
        if np.all(bound[start:] <= enough[start:]):
            break
    return np.array([bound, risen])


def _refine_sum(releases: Sequence[Release], direction: str, part: Stretch, epsilon: Array, excess: float) -> TiltedSum:
    """Return the sum on a grid as fine as is wanted, or may be."""
    tilt, visible_epsilon = part.tilt, epsilon[(epsilon >= part.sure) & (epsilon <= part.high)]
    total = tilted_sum(atoms(releases, direction, tilt), tilt)
    delta, risen = total.between(visible_epsilon)
    allowed_excess = excess * delta
    counts = delta > max(1e-16 * np.max(delta, initial=0), 1e-300)
    ratio = float(np.min(allowed_excess[counts] / np.maximum(allowed_excess, risen)[counts], initial=1))
    finer = finer_tilt(tilt, ratio)
    return total if finer is None else tilted_sum(atoms(releases, direction, finer), finer)
