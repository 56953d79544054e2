"""Tilts that serve many ε: where δ keeps its digits under one tilt, and what cells that takes. Nothing is certified."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpcore.checks import Array
from dpcore.composition._rough import Rough, delta_bound, epsilon_bound, log_tail, rough_losses
from dpcore.composition.releases import Release
from dpcore.composition.tilts import LOG_ALIAS, Tilt, with_cells

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
        """Orders more closely, where the best ones are."""
        best = np.argmin(self.bound, axis=0)
        first, last = max(int(np.min(best)) - 1, 0), min(int(np.max(best)) + 1, self.order.size - 1)
        return np.geomspace(self.order[first], self.order[last], self.order.size)

    def served(self, most: float, fall: float) -> tuple[int, int, Array]:
        """The order that serves most ε, how many, and −ln of its D at each of them, of the largest there may be.

        Those orders tie whose D never is below e^{−14}: of them, that with the largest D where it is least.
        """
        level = np.clip(np.min(self.bound, axis=0), LEAST, most)
        lost = (self.bound - level)[:, level >= level[0] - fall]
        within = lost <= max(_MOST_LOST, float(np.min(lost[:, 0])) + 1)
        served = np.sum(np.logical_and.accumulate(within, axis=1), axis=1)
        n_served = int(np.max(served))
        worst = np.where(served == n_served, np.max(lost[:, :n_served], axis=1), math.inf)
        best = int(np.argmin(worst))
        return best, n_served, level[:n_served]


def stretch(
    releases: Sequence[Release],
    direction: str,
    ends: tuple[float, float],
    fall: float,
    excess: float,
    most_cells: tuple[int, int],
) -> Stretch:
    """A tilt for as many of the ε in an interval as it keeps the digits of δ for, from the first one on.

    D, which is δ without its factor M(c) e^{−cε}, is right to 1e-15 of the largest there may be: where it is e^{−14} of
    that, nine digits are left. How large it is follows from Chernoff's bound on δ, and from δ(0) adding up at most.

    Parameters
    ----------
    ends : the first ε and the last one.
    fall : ln of what the last δ may be below the first one.
    excess : wanted, relative to δ, at the last ε whose δ is seen beside the first one.
    most_cells : on the circle, and in the losses of all releases.
    """
    rough = rough_losses(releases, direction, log_tail(releases, LEAST))
    bounds = _bounds(rough, ends, _bounds(rough, ends, rough.orders(60)).used())
    best, n_served, level = bounds.served(rough.log_advantage(), fall)
    order, low, last = float(bounds.order[best]), float(bounds.epsilon[0]), float(level[-1])
    step = order * np.geomspace(0.02, 20, 24)
    above = rough.log_moment(order + step) - bounds.log_moment[best]
    lost = float(bounds.bound[best, 0] - level[0])
    beyond = float(np.min((above + lost + 7 - LOG_ALIAS) / step)) - low
    window = max((_LAST_ALIAS - last) / order, beyond)
    seen = int(np.count_nonzero(level >= level[0] - SEEN)) - 1
    keenest = float(bounds.order[int(np.argmin(bounds.bound[:, seen]))])
    tolerance = 0.8 * excess / (keenest * (keenest + 1))
    spread = math.sqrt(rough.moments(0.0)[1])
    tilt = with_cells(releases, direction, rough, order, window, spread, last, tolerance, most_cells)
    return Stretch(tilt, float(bounds.epsilon[n_served - 1]), rough.sure())


def reach(releases: Sequence[Release], direction: str) -> tuple[float, float]:
    """The ε from which δ is no longer 1, and the ε at which it is no longer seen beside 1 or the first δ."""
    rough = rough_losses(releases, direction, log_tail(releases, LEAST))
    bounds = _bounds(rough, (0.0, math.inf), rough.orders(60))
    log_delta = min(rough.log_advantage(), 0.0) - SEEN
    high = float(np.min(epsilon_bound(log_delta)(bounds.used(), rough.log_moment(bounds.used()))))
    return max(rough.sure(), 0.0), max(high, 0.0)


def _bounds(rough: Rough, ends: tuple[float, float], order: Array) -> Bounds:
    """At some orders, and at ε that matter: from where δ is no longer 1 to where it is 1e-312."""
    log_moment = rough.log_moment(order)
    high = max(min(ends[1], float(np.min(epsilon_bound(LEAST)(order, log_moment)))), ends[0])
    epsilon = np.linspace(max(ends[0], min(rough.sure(), high)), high, 33)
    bound = np.transpose([delta_bound(float(each))(order, log_moment) for each in epsilon])
    return Bounds(order, epsilon, log_moment, bound)
