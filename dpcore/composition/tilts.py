"""The parameters of a certified value: the tilt of the losses, and the cells.

Nothing here is certified, and nothing need be: every tilt and every grid gives an upper bound, good ones a near one.
All is read from rough losses, a few hundred atoms to a release.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpcore.composition._coarse_losses import (
    CoarseLosses,
    best_order,
    coarse_losses,
    delta_bound,
    epsilon_bound,
    log_gain,
    log_tail,
)
from dpcore.composition._fourier import common_unit, power_of_two
from dpcore.composition._lattice_losses import LATTICE_KINDS, unit
from dpcore.composition.releases import Release
from dpcore.roots import bisect

_FEWEST_CELLS = 64  # of the circle
MOST_CELLS = 2**19  # a quarter of a second in one direction
_NEAR = 0.01  # of a window: how far below its start the answer may lie
LOG_ALIAS = -18.0  # ln of what aliasing may add to δ, of δ
_WIDER = math.sqrt(2)
_ATOMIC_KINDS = ("guarantee", "exponential", *LATTICE_KINDS)  # whose losses are all masses of their own
_HALVINGS = 30  # of the logarithm of an order, which is between two of a hundred decades
_NOTHING = 57.0  # e^−57 in each of 2e7 releases is less than a rounding


@dataclass(frozen=True)
class Tilt:
    """The parameters of a sum: the order c of the tilt e^{cl}, the width of a cell, their number and whole width.

    `keenest` is the best order of Chernoff's bound (the tilt's own order, where cells round nothing or that is higher),
    at which the cells' effect on the moments is measured as well. `log_moment` and `keenest_log_moment` are ln M there.
    `log_tail` is ln of the probability that each release may give up at the ends of its losses, `least` the least width
    that the limit on cells allows. From ε = `start` on the circle is wide enough for what is above.
    `rounded` is whether any loss lies between two multiples of the cells' width.
    """

    order: float
    interval: float
    n_cells: int
    window: float
    log_tail: float
    least: float
    spread: float
    log_moment: float
    start: float
    rounded: bool
    keenest: float
    keenest_log_moment: float


def epsilon_tilt(releases: Sequence[Release], direction: str, log_delta: float, excess: float) -> Tilt:
    """Return the tilt for the ε at a δ; `excess` is relative to ε,
    or to a tenth of the spread of the loss if larger.
    """
    coarse = coarse_losses(releases, direction, log_tail(releases, log_delta))
    order, window, start, spread, best = _order(coarse, log_delta)
    epsilon = max(best_order(coarse, epsilon_bound(log_delta))[1], 0.0)
    tolerance = excess * max(0.9 * epsilon, spread)  # to begin with
    tolerance /= best + 1
    return with_cells(
        releases, coarse, order, (window, start), spread, log_delta, tolerance, refined=True, keenest=best
    )


def epsilon_cost(releases: Sequence[Release], direction: str, log_delta: float, excess: float) -> tuple[int, float]:
    """Return how many cells the first circle for the ε at a δ has, and how much its cells add to ε, to first order."""
    tilt = epsilon_tilt(releases, direction, log_delta, excess)
    coarse = coarse_losses(releases, direction, tilt.log_tail)
    return tilt.n_cells, coarse.rounded(tilt.order, tilt.interval) * (tilt.order + 1)


def saddle_epsilon(releases: Sequence[Release], direction: str, log_delta: float) -> float:
    """Return about the ε at a small δ, as a saddle point says (`CoarseLosses.log_delta_at_saddle`); it is no bound."""
    coarse = coarse_losses(releases, direction, log_tail(releases, log_delta))
    orders = coarse.orders(2)
    low, high = bisect(
        lambda log_order: np.array(coarse.log_delta_at_saddle(math.exp(float(log_order))) <= log_delta),
        math.log(orders[0]),
        math.log(orders[1]),
        _HALVINGS,
    )
    return coarse.moments(math.exp(float((low + high) / 2)))[0]


def delta_tilt(releases: Sequence[Release], direction: str, epsilon: float, excess: float) -> Tilt:
    """Return the tilt for the δ at an ε; `excess` is relative to δ."""
    coarse = coarse_losses(releases, direction, log_tail(releases, -720.0))
    log_delta = min(max(best_order(coarse, delta_bound(epsilon))[1], -720.0), 0.0)
    coarse = coarse_losses(releases, direction, log_tail(releases, log_delta))
    order, window, start, spread, best = _order(coarse, log_delta)
    tolerance = excess / (best * (best + 1))
    return with_cells(
        releases, coarse, order, (window, start), spread, log_delta, tolerance, refined=True, keenest=best
    )


def finer_tilt(tilt: Tilt, ratio: float) -> Tilt | None:
    """Return the tilt with parts of these cells, for an excess that is `ratio` of theirs;
    None if there is no need or room.
    """
    if ratio >= 0.95 or tilt.interval <= 1.01 * tilt.least:
        return None
    interval = max(0.9 * math.sqrt(max(ratio, 1e-3)) * tilt.interval, tilt.least)
    interval = tilt.interval / math.ceil(tilt.interval / interval)
    return replace(tilt, interval=interval, n_cells=power_of_two(tilt.window / interval, _FEWEST_CELLS))


def reaching_tilt(tilt: Tilt, epsilon: float) -> Tilt | None:
    """Return the tilt with a circle that is wide enough from a smaller ε on; None if there is no need."""
    more = tilt.start - epsilon
    if more < _NEAR * tilt.window:
        return None
    window = tilt.window + more
    least = max(tilt.least, window / MOST_CELLS)
    interval = tilt.interval * math.ceil(least / tilt.interval)
    n_cells = power_of_two(window / interval, _FEWEST_CELLS)
    return replace(tilt, window=window, least=least, interval=interval, n_cells=n_cells, start=epsilon)


def _order(coarse: CoarseLosses, log_delta: float) -> tuple[float, float, float, float, float]:
    """Return the order of the tilt, the window that aliasing needs from which ε on, the loss's spread,
    the bound's best order.

    Aliasing adds e^{−cw} from below, of 1, and what the tilted loss has beyond the window w, of D: the best order of
    the bound is often too high for the second, as rare large losses then take over. For a large δ the order is low, so
    that little is lost to rounding.
    """
    spread = math.sqrt(coarse.moments(0.0)[1])
    goal = min(log_delta, -3.0)
    best, epsilon = best_order(coarse, epsilon_bound(goal))
    if epsilon < 0:  # δ(0) is below the goal: look there
        best, goal = best_order(coarse, delta_bound(0.0))
        epsilon = 0.0
    if log_delta > -0.7 and spread > 0:
        best = min(best, 0.5 / spread)
    order = best * np.geomspace(0.2, 1, 9)
    step = best * np.geomspace(0.02, 20, 16)
    log_moment = coarse.log_moment(order)
    above = coarse.log_moment((order[:, None] + step).ravel()).reshape(order.size, step.size)
    lost = np.maximum(
        log_moment + log_gain(order) - order * epsilon - goal, 0
    )  # ln of how far a D is below the largest
    beyond = np.min((above - log_moment[:, None] + (lost + 7 - LOG_ALIAS)[:, None]) / step, axis=1) - epsilon
    window = np.maximum((-LOG_ALIAS - goal) / order, beyond)
    window = np.where((lost < 12) | (order == order[-1]), window, math.inf)
    chosen = int(np.argmin(window))
    more = 10 * spread if log_delta > -0.7 else 0
    return float(order[chosen]), float(window[chosen]) + more, epsilon - more, spread, best


def with_cells(
    releases: Sequence[Release],
    coarse: CoarseLosses,
    order: float,
    window: tuple[float, float],
    spread: float,
    log_delta: float,
    tolerance: float,
    most_cells: tuple[int, int] = (MOST_CELLS, MOST_CELLS),
    refined: bool = False,
    keenest: float = 0.0,
) -> Tilt:
    """Return the width of the cells for a tolerated excess in ε, (Σ n h²/12)(c + 1) to first order, and their number.

    `window` is the width of the circle and the ε from which on it is enough. There are at most so many cells on the
    circle, and in the losses of all releases. What is `refined` until it will do begins with cells as wide as the rough
    losses allow, which need not spread evenly over them.
    """
    width, start = window
    span = sum(float(np.ptp(np.maximum(loss, lowest(order)))) for loss in coarse.loss)
    least = max(width / most_cells[0], span / most_cells[1])
    atoms = np.array([_unit(release) for release in releases if _has_atoms(release)])
    shared_unit = common_unit(atoms, MOST_CELLS) if atoms.size else 0.0
    smooth = sum(release.count for release in releases if release.kind not in _ATOMIC_KINDS)
    interval = max(_interval(tolerance, max(smooth, 1)), least)
    shared = shared_unit > max(least, 0.0 if smooth == 0 else interval / 16)
    if shared:
        interval = shared_unit if smooth == 0 else shared_unit / math.ceil(shared_unit / interval)
    else:
        interval = max(_interval(tolerance, sum(release.count for release in releases)), least)
        while refined and order * interval < 2 and coarse.rounded(order, _WIDER * interval) < tolerance:
            interval *= _WIDER
    interval = interval if smooth == 0 else min(interval, max(3 / order, least))
    rounded = smooth > 0 or not shared
    if rounded:
        order = min(order, 3 / interval)  # beyond, a single cell would outweigh all that is above it
    keenest = max(order, min(keenest, 12 / interval)) if rounded else order  # beyond, rounding of masses would show
    moment, keenest_moment = coarse.log_moment(np.array([order, keenest])).tolist()
    n_cells = power_of_two(width / interval, _FEWEST_CELLS)
    tail = log_tail(releases, log_delta)
    return Tilt(order, interval, n_cells, width, tail, least, spread, moment, start, rounded, keenest, keenest_moment)


def lowest(order: float) -> float:
    """Return the loss below which all counts for nothing under a tilt."""
    return -_NOTHING / order


def _interval(tolerance: float, n_rounded: float) -> float:
    error_per_cell = tolerance / n_rounded
    return math.sqrt(12 * error_per_cell) + 2 * error_per_cell  # h²/12 for small h, h/2 for large


def _has_atoms(release: Release) -> bool:
    return release.kind in (*_ATOMIC_KINDS, "laplace", "truncated_laplace") and release.numbers[0] > 0


def _unit(release: Release) -> float:
    """Return a number of nats of which all losses that have a mass of their own are multiples."""
    return unit(release.kind, release.numbers) if release.kind in LATTICE_KINDS else release.numbers[0]
