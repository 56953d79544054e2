"""Where to look for an answer: the tilt of the losses and the cells that a certified value is computed with.

Nothing here is certified, and nothing need be: every tilt and every grid gives an upper bound, good ones a near one.
All is read from rough losses, a few hundred atoms to a release.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpcore.checks import Array
from dpcore.composition.cells import pair_numbers, sampled_loss, sampled_reach
from dpcore.composition.releases import Release

MOST_CELLS = 2**19  # a quarter of a second in one direction
_NODES = np.polynomial.legendre.leggauss(100)
_LOG_ALIAS = -18.0  # ln of what aliasing may add to δ, of δ


@dataclass(frozen=True)
class Tilt:
    """How to sum: the order c of the tilt e^{cl}, the cells' width, their number, and their width together.

    `log_tail` is ln of the probability that each release may give up at the ends of its losses, `least` the least width
    that the limit on cells allows.
    """

    order: float
    interval: float
    n_cells: int
    window: float
    log_tail: float
    least: float
    spread: float
    log_moment: float


@dataclass(frozen=True)
class Rough:
    """Atoms near the losses of the releases, one pair of arrays to a release, and how often each runs."""

    loss: list[Array]
    log_mass: list[Array]
    count: Array

    def moments(self, order: float) -> tuple[float, float]:
        """Mean and variance of the sum of the losses, tilted by e^{cl}."""
        mean, variance = 0.0, 0.0
        for loss, log_mass, count in zip(self.loss, self.log_mass, self.count, strict=True):
            exponent = log_mass + order * loss
            weight = np.exp(exponent - np.max(exponent))
            weight /= np.sum(weight)
            centre = float(np.sum(weight * loss))
            mean += count * centre
            variance += count * float(np.sum(weight * (loss - centre) ** 2))
        return mean, variance

    def log_moment(self, order: Array) -> Array:
        """ln E e^{cL} of the sum, for each of an array of orders."""
        total = np.zeros(order.size)
        for loss, log_mass, count in zip(self.loss, self.log_mass, self.count, strict=True):
            exponent = order[:, None] * loss + log_mass
            most = np.max(exponent, axis=1)
            total += count * (most + np.log(np.sum(np.exp(exponent - most[:, None]), axis=1)))
        return total


def epsilon_tilt(releases: Sequence[Release], direction: str, log_delta: float, excess: float) -> Tilt:
    """The tilt for the ε at a δ; `excess` is relative to ε, or to a tenth of the spread of the loss if larger."""
    rough = _rough(releases, direction, _log_tail(releases, log_delta))
    order, window, spread, best = _order(rough, log_delta)
    epsilon = max(_best(rough, _epsilon_bound(log_delta))[1], 0.0)
    tolerance = excess * max(0.9 * epsilon, spread)  # to begin with
    return _with_cells(releases, direction, rough, order, window, spread, log_delta, tolerance / (best + 1))


def delta_tilt(releases: Sequence[Release], direction: str, epsilon: float, excess: float) -> Tilt:
    """The tilt for the δ at an ε; `excess` is relative to δ."""
    rough = _rough(releases, direction, _log_tail(releases, -720.0))
    log_delta = min(max(_best(rough, _delta_bound(epsilon))[1], -720.0), 0.0)
    rough = _rough(releases, direction, _log_tail(releases, log_delta))
    order, window, spread, best = _order(rough, log_delta)
    return _with_cells(releases, direction, rough, order, window, spread, log_delta, excess / (best * (best + 1)))


def finer_tilt(tilt: Tilt, ratio: float) -> Tilt | None:
    """The tilt with parts of these cells, for an excess that is `ratio` of theirs; None if there is no need or room."""
    if ratio >= 0.95 or tilt.interval <= 1.01 * tilt.least:
        return None
    interval = max(0.9 * math.sqrt(max(ratio, 1e-3)) * tilt.interval, tilt.least)
    interval = tilt.interval / math.ceil(tilt.interval / interval)
    return replace(tilt, interval=interval, n_cells=_power_of_two(tilt.window / interval))


def widened(tilt: Tilt, times: int) -> Tilt:
    """The tilt on a circle so many times as wide."""
    return replace(tilt, window=times * tilt.window, n_cells=_power_of_two(times * tilt.window / tilt.interval))


def _log_tail(releases: Sequence[Release], log_delta: float) -> float:
    return min(log_delta, 0.0) - 35 - math.log(sum(release.count for release in releases))


def _rough(releases: Sequence[Release], direction: str, log_tail: float) -> Rough:
    pairs = [_atoms(release, direction, log_tail) for release in releases]
    count = np.array([release.count for release in releases], float)
    return Rough([loss for loss, _ in pairs], [log_mass for _, log_mass in pairs], count)


def _atoms(release: Release, direction: str, log_tail: float) -> tuple[Array, Array]:
    epsilon = release.numbers[0]
    if release.kind in ("promise", "exponential"):
        kept = math.log1p(-release.numbers[1]) if release.kind == "promise" else 0.0
        likely = kept - math.log1p(math.exp(-epsilon))
        return np.array([epsilon, -epsilon]), np.array([likely, likely - epsilon])
    if release.kind == "laplace":
        part, weight = _NODES
        inner = (part - 1) * epsilon / 2 + np.log(weight * epsilon / 4)
        return np.append(part, [1, -1]) * epsilon, np.append(inner, [-math.log(2), -epsilon - math.log(2)])
    noise, rate = pair_numbers(release)
    output = _outputs(*sampled_reach(noise, rate, direction, log_tail))
    log_mass = -(output**2) / 2
    if direction == "remove":
        with np.errstate(divide="ignore"):
            log_mass = np.logaddexp(np.log1p(-rate) + log_mass, math.log(rate) - (output - 1 / noise) ** 2 / 2)
    log_mass = log_mass + math.log((output[1] - output[0]) / math.sqrt(2 * math.pi))
    return sampled_loss(noise, rate, direction, output), log_mass


def _outputs(low: float, high: float) -> Array:
    return np.linspace(low, high, min(math.ceil((high - low) / 0.1), 8000))


def _epsilon_bound(log_delta: float) -> Callable[[Array, Array], Array]:
    """ε from one order: δ ≤ M(c) e^{−cε} max of e^{−cu}(1 − e^{−u}) ([CKS20] Proposition 12, c = α − 1)."""
    return lambda order, log_moment: (log_moment - log_delta + _log_gain(order)) / order


def _delta_bound(epsilon: float) -> Callable[[Array, Array], Array]:
    return lambda order, log_moment: log_moment - order * epsilon + _log_gain(order)


def _log_gain(order: Array) -> Array:
    return -np.log1p(order) - order * np.log1p(1 / order)


def _best(rough: Rough, bound: Callable[[Array, Array], Array]) -> tuple[float, float]:
    """The order at which a bound is least, and the least: it falls and then rises."""
    largest = np.array([float(np.max(abs(loss))) for loss in rough.loss])
    order = np.geomspace(1e-6 / float(np.sum(rough.count * largest)), 1e5 / np.min(largest[largest > 0]), 40)
    for _ in range(3):
        best = int(np.argmin(bound(order, rough.log_moment(order))))
        order = np.geomspace(order[max(best - 1, 0)], order[min(best + 1, order.size - 1)], 16)
    values = bound(order, rough.log_moment(order))
    best = int(np.argmin(values))
    return float(order[best]), float(values[best])


def _order(rough: Rough, log_delta: float) -> tuple[float, float, float, float]:
    """The order of the tilt, the window that aliasing needs, the spread of the loss, and the best order of the bound.

    Aliasing adds e^{−cw} from below, of 1, and what the tilted loss has beyond the window w, of D: the best order of
    the bound is often too high for the second, as rare large losses then take over. For a large δ the order is low, so
    that little is lost to rounding.
    """
    spread = math.sqrt(rough.moments(0.0)[1])
    goal = min(log_delta, -3.0)
    best, epsilon = _best(rough, _epsilon_bound(goal))
    if epsilon < 0:  # δ(0) is below the goal: look there
        best, goal = _best(rough, _delta_bound(0.0))
        epsilon = 0.0
    if log_delta > -0.7 and spread > 0:
        best = min(best, 0.5 / spread)
    order = best * np.geomspace(0.2, 1, 9)
    step = best * np.geomspace(0.02, 20, 16)
    here = rough.log_moment(order)
    above = rough.log_moment((order[:, None] + step).ravel()).reshape(order.size, step.size)
    lost = np.maximum(here + _log_gain(order) - order * epsilon - goal, 0)  # ln of how far a D is below the largest
    beyond = np.min((above - here[:, None] + (lost + 7 - _LOG_ALIAS)[:, None]) / step, axis=1) - epsilon
    window = np.maximum((-_LOG_ALIAS - goal) / order, beyond)
    window = np.where((lost < 12) | (order == order[-1]), window, math.inf)
    chosen = int(np.argmin(window))
    return float(order[chosen]), float(window[chosen]) + (10 * spread if log_delta > -0.7 else 0), spread, best


def _with_cells(
    releases: Sequence[Release],
    direction: str,
    rough: Rough,
    order: float,
    window: float,
    spread: float,
    log_delta: float,
    tolerance: float,
) -> Tilt:
    """The width of the cells for a tolerated excess in ε, (Σ n h²/12)(c + 1) to first order, and their number."""
    span = sum(float(np.ptp(loss)) for loss in rough.loss)
    least = max(window, span) / MOST_CELLS
    unit = _unit([release.numbers[0] for release in releases if _has_atoms(release)])
    smooth = sum(release.count for release in releases if release.kind not in ("promise", "exponential"))
    interval = max(_interval(tolerance, max(smooth, 1)), least)
    if unit > max(least, 0.0 if smooth == 0 else interval / 16):
        interval = unit if smooth == 0 else unit / math.ceil(unit / interval)
    else:
        interval = max(_interval(tolerance, sum(release.count for release in releases)), least)
    interval = interval if smooth == 0 else min(interval, max(3 / order, least))
    order = min(order, 3 / interval)  # beyond, a single cell would outweigh all that is above it
    moment = float(rough.log_moment(np.array([order]))[0])
    n_cells = _power_of_two(window / interval)
    return Tilt(order, interval, n_cells, window, _log_tail(releases, log_delta), least, spread, moment)


def _power_of_two(value: float) -> int:
    return 2 ** math.ceil(math.log2(max(value, 64)))


def _interval(tolerance: float, n_rounded: float) -> float:
    each = tolerance / n_rounded
    return math.sqrt(12 * each) + 2 * each  # h²/12 for small h, h/2 for large


def _has_atoms(release: Release) -> bool:
    return release.kind in ("promise", "exponential", "laplace") and release.numbers[0] > 0


def _unit(atoms: Sequence[float]) -> float:
    """The greatest number of which all are multiples, but for rounding; 0 if there is none worth a grid."""
    largest = unit = max(atoms, default=0.0)
    for atom in atoms:
        rest = atom
        while rest > 1e-10 * largest:  # Euclid's algorithm; what is less is rounding
            unit, rest = rest, abs(math.remainder(unit, rest))
    return largest / round(largest / unit) if unit > largest / MOST_CELLS else 0.0
