"""The sum of all losses of releases on a grid, tilted, and the parameters of a certified value: tilt and cells.

The choice of parameters need not be certified: every tilt and every grid gives an upper bound, good ones a near one.
They are read from rough losses, a few hundred atoms to a release.

The cells of each release (`cells`, which round every δ up) get the masses w_l = m_l e^{clh}/M(c), tilted such that the
target ε lies in the middle of the sum and not in its tail. With φ the Fourier transform of w, Φ = Π φⁿ that of
all releases together, and g_i = e^{−cih}(1 − e^{−ih}), i ≥ 1, the gain of a loss that is i cells above ε,

    δ(jh) = M(c) e^{−c(j+1)h} D_j + broken,  D_j = Σ_{i≥1} w_{j+i} g_i e^{ch},  where the transform of D is Φ G and
    G(ω) = Σ_{i≥1} g_i e^{ch+iωi} = e^{iω} (1 − e^{−h}) / ((1 − e^{−ch+iω})(1 − e^{−(c+1)h+iω})).

Between two neighbouring multiples of h, δ is linear in e^ε. The result is an upper bound for three reasons:

* *Aliasing rounds up.* A transform of N cells adds up all losses that differ by multiples of N cells. As G is the sum
  of all i ≥ 1, each loss above ε counts with its own gain, and the aliases only add to it: no bound is needed.
* *Rounding.* `CircleSum.read` bounds the error of the transforms, and the bound is added to D. As D is of the order
  of 1, this error is relative to δ, however small δ is.
* *Masses.* No w M is too small: each is raised by the relative rounding of its exponent, and so is M. This cannot
  decrease any δ.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpcore.checks import Array
from dpcore.composition._coarse_losses import (
    CoarseLosses,
    best_order,
    coarse_losses,
    delta_bound,
    epsilon_bound,
    log_gain,
    log_tail,
)
from dpcore.composition._fourier import CircleSum, Complex, Part, Places, circle_sum, common_unit, power_of_two
from dpcore.composition.cells import loss_cells, unit
from dpcore.composition.releases import EXTREMES, LATTICE, SPREAD, Release, failure_up
from dpcore.roots import bisect
from dpcore.rounding import TINY, ULP, round_down, round_sum_up, round_up

_FEWEST_CELLS = 64  # of the circle
MOST_CELLS = 2**19  # a quarter of a second in one direction
_NEAR = 0.01  # of a window: how far below its start the answer may lie
LOG_ALIAS = -18.0  # ln of what aliasing may add to δ, of δ
_WIDER = math.sqrt(2)
_ATOMIC = EXTREMES, LATTICE  # losses that are all masses of their own
_HALVINGS = 30  # of the logarithm of an order, which is between two of a hundred decades
_NOTHING = 57.0  # e^−57 in each of 2e7 releases is less than a rounding


@dataclass(frozen=True)
class Tilt:
    """The parameters of a sum: the order c of the tilt e^{cl}, the width of a cell and that of all.

    `keenest` is the best order of Chernoff's bound (the tilt's own order, where cells round nothing or that is higher),
    at which the cells' effect on the moments is measured as well. `log_moment` and `keenest_log_moment` are ln M there.
    `log_tail` is ln of the probability that each release may give up at the ends of its losses, `least` the least width
    that the limit on cells allows. From ε = `start` on the circle is wide enough for what is above.
    `rounded` is whether any loss lies between two multiples of the cells' width.
    """

    order: float
    interval: float
    window: float
    log_tail: float
    least: float
    spread: float
    log_moment: float
    start: float
    rounded: bool
    keenest: float
    keenest_log_moment: float

    @property
    def n_cells(self) -> int:
        """The number of cells of the circle."""
        return power_of_two(self.window / self.interval, _FEWEST_CELLS)


class Circle(NamedTuple):
    """The order of a tilt, the width of a circle against aliasing under it, and the ε from which on that is enough.

    `keenest` is the best order of Chernoff's bound for a sum that is refined until it will do, else 0.
    """

    order: float
    width: float
    start: float
    keenest: float = 0.0


def epsilon_tilt(releases: Sequence[Release], direction: str, log_delta: float, excess: float) -> Tilt:
    """Return the tilt for the ε at a δ; `excess` is relative to ε, or to a tenth of the loss's spread if larger."""
    coarse = coarse_losses(releases, direction, log_tail(releases, log_delta))
    circle = _circle(coarse, log_delta)
    epsilon = max(best_order(coarse, epsilon_bound(log_delta))[1], 0.0)
    tolerance = excess * max(0.9 * epsilon, coarse.spread)  # to begin with
    return with_cells(releases, coarse, circle, log_delta, tolerance / (circle.keenest + 1))


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
    circle = _circle(coarse, log_delta)
    return with_cells(releases, coarse, circle, log_delta, excess / (circle.keenest * (circle.keenest + 1)))


def finer_tilt(tilt: Tilt, ratio: float) -> Tilt | None:
    """Return the tilt with parts of these cells, for `ratio` of their excess; None if there is no need or room."""
    if ratio >= 0.95 or tilt.interval <= 1.01 * tilt.least:
        return None
    interval = max(0.9 * math.sqrt(max(ratio, 1e-3)) * tilt.interval, tilt.least)
    interval = tilt.interval / math.ceil(tilt.interval / interval)
    return replace(tilt, interval=interval)


def reaching_tilt(tilt: Tilt, epsilon: float) -> Tilt | None:
    """Return the tilt with a circle that is wide enough from a smaller ε on; None if there is no need."""
    more = tilt.start - epsilon
    if more < _NEAR * tilt.window:
        return None
    window = tilt.window + more
    least = max(tilt.least, window / MOST_CELLS)
    interval = tilt.interval * math.ceil(least / tilt.interval)
    return replace(tilt, window=window, least=least, interval=interval, start=epsilon)


def _circle(coarse: CoarseLosses, log_delta: float) -> Circle:
    """Return the circle for a δ, of a sum that is refined.

    Aliasing adds e^{−cw} from below, of 1, and what the tilted loss has beyond the window w, of D: the best order of
    the bound is often too high for the second, as rare large losses then take over. For a large δ the order is low, so
    that little is lost to rounding.
    """
    spread = coarse.spread
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
    # ln of how far a D is below the largest
    lost = np.maximum(log_moment + log_gain(order) - order * epsilon - goal, 0)
    beyond = np.min((above - log_moment[:, None] + (lost + 7 - LOG_ALIAS)[:, None]) / step, axis=1) - epsilon
    window = np.maximum((-LOG_ALIAS - goal) / order, beyond)
    window = np.where((lost < 12) | (order == order[-1]), window, math.inf)
    chosen = int(np.argmin(window))
    more = 10 * spread if log_delta > -0.7 else 0
    return Circle(float(order[chosen]), float(window[chosen]) + more, epsilon - more, best)


def with_cells(
    releases: Sequence[Release],
    coarse: CoarseLosses,
    circle: Circle,
    log_delta: float,
    tolerance: float,
    most_cells: tuple[int, int] = (MOST_CELLS, MOST_CELLS),
) -> Tilt:
    """Return the width of the cells for a tolerated excess in ε, (Σ n h²/12)(c + 1) to first order, and their number.

    There are at most so many cells on the circle, and in the losses of all releases. What is refined until it will do
    begins with cells as wide as the rough losses allow, which need not spread evenly over them.
    """
    order, width, start, keenest = circle
    span = sum(float(np.ptp(np.maximum(loss, lowest(order)))) for loss, _, _ in coarse.lines)
    least = max(width / most_cells[0], span / most_cells[1])
    atoms = np.array([_unit(release) for release in releases if _has_atoms(release)])
    shared_unit = common_unit(atoms, MOST_CELLS) if atoms.size else 0.0
    smooth = sum(release.count for release in releases if release.losses not in _ATOMIC)
    interval = max(_interval(tolerance, max(smooth, 1)), least)
    shared = shared_unit > max(least, 0.0 if smooth == 0 else interval / 16)
    if shared:
        interval = shared_unit if smooth == 0 else shared_unit / math.ceil(shared_unit / interval)
    else:
        interval = max(_interval(tolerance, sum(release.count for release in releases)), least)
        while keenest and order * interval < 2 and coarse.rounded(order, _WIDER * interval) < tolerance:
            interval *= _WIDER
    interval = interval if smooth == 0 else min(interval, max(3 / order, least))
    rounded = smooth > 0 or not shared
    if rounded:
        order = min(order, 3 / interval)  # beyond, a single cell would outweigh all that is above it
    keenest = max(order, min(keenest, 12 / interval)) if rounded else order  # beyond, rounding of masses would show
    moment, keenest_moment = coarse.log_moment(np.array([order, keenest])).tolist()
    tail = log_tail(releases, log_delta)
    return Tilt(order, interval, width, tail, least, coarse.spread, moment, start, rounded, keenest, keenest_moment)


def lowest(order: float) -> float:
    """Return the loss below which all counts for nothing under a tilt."""
    return -_NOTHING / order


def _interval(tolerance: float, n_rounded: float) -> float:
    error_per_cell = tolerance / n_rounded
    return math.sqrt(12 * error_per_cell) + 2 * error_per_cell  # h²/12 for small h, h/2 for large


def _has_atoms(release: Release) -> bool:
    return release.losses in (*_ATOMIC, SPREAD) and release.numbers[0] > 0


def _unit(release: Release) -> float:
    """Return a number of nats of which all losses that have a mass of their own are multiples."""
    return unit(release.kind, release.numbers) if release.losses == LATTICE else release.numbers[0]


MOST_PLACES = 2.0**52


@dataclass(frozen=True)
class TiltedSum:
    """All releases in one direction: D on a circle of cells by their places, and the tilted probabilities w, `total`.

    `doubt` is the part of D that was added for rounding, `rise` what rounding up to cells added to ln M, over c(c + 1),
    at the tilt's order or, where that is more, at its `keenest`. `below` is by how much the sum of the losses may be
    placed too low: δ at ε is that of the circle at ε − `below`.
    """

    gain: Array
    doubt: float
    total: CircleSum
    log_scale: float
    rise: float
    broken: float
    below: float
    tilt: Tilt

    def delta(self, place: NDArray[np.int64]) -> Array:
        """δ at ε = h · place + `below`, rounded up."""
        lift = self.tilt.order * self.tilt.interval * (place + 1).astype(np.float64)
        exponent = round_sum_up(self.log_scale - lift, abs(self.log_scale) + abs(lift) + 1, 8)
        gained = np.exp(np.minimum(exponent + np.log(self.gain[(place - self.total.offset) % self.gain.size]), 0))
        return np.minimum(round_up(self.broken + gained + TINY, 8), 1)

    def between(self, epsilon: Array) -> tuple[Array, Array]:
        """δ at any ε, linear in e^ε between the places, and by how much the cells made it too large, to first order."""
        width = self.tilt.interval
        below = np.minimum(round_down(epsilon, 4) - self.below, MOST_PLACES * width)  # no larger: δ is no less
        place = np.floor(below / width).astype(np.int64)
        over = np.clip(below - place * width, 0, width)
        share = np.exp(over - width) * np.expm1(-over) / math.expm1(-width)
        delta = round_up(self.delta(place) * (1 - share) + self.delta(place + 1) * share, 8)
        return np.minimum(delta, 1), np.minimum(self.rise * self.density(place) / width, 1)

    def unsure(self, epsilon: Array) -> Array:
        """Return the part of δ that may be rounding."""
        lift = self.tilt.order * (epsilon + self.tilt.interval)
        return np.minimum(np.exp(np.minimum(self.log_scale - lift, 700)) * 2 * self.doubt, 1)

    def bend(self, epsilon: Array) -> Array:
        """Return the chord's excess over δ in a cell, for few releases: an eighth of the second difference of δ."""
        if not self.tilt.rounded:
            return np.zeros(epsilon.shape)
        place = np.floor(np.minimum(epsilon / self.tilt.interval, MOST_PLACES)).astype(np.int64)
        values = self.delta(place[..., None] + np.arange(-1, 3))
        return np.max(abs(np.diff(values, 2, axis=-1)), axis=-1) / 8

    def beyond(self, epsilon: Array) -> Array:
        """Return an upper bound on δ at any ε, also outside the circle: Chernoff's bound with the order of the tilt."""
        exponent = self.log_scale - self.tilt.order * (epsilon - self.below) + log_gain(np.array(self.tilt.order))
        exponent = round_sum_up(exponent, abs(self.log_scale) + self.tilt.order * epsilon + 1, 8)
        return np.minimum(round_up(self.broken + np.exp(np.minimum(exponent, 0)) + TINY, 8), 1)

    def density(self, place: Places) -> Array:
        """h · p(ε) just above ε = h · place: of six neighbouring cells, their tilted mean."""
        near = place[..., None] + np.arange(-2, 4) - self.total.offset
        chance = np.maximum(np.mean(self.total.masses_at(near), axis=-1), 0)
        factor = np.exp(np.minimum(self.log_scale - self.tilt.order * self.tilt.interval * (place + 1), 700))
        return np.minimum(chance * factor, 1)

    def highest(self, log_delta: float) -> float:
        """Return an ε at which δ is no more than this: Chernoff's bound with the tilt's order."""
        order = self.tilt.order
        return (self.log_scale - log_delta + float(log_gain(np.array(order)))) / order


@dataclass(frozen=True)
class Atoms:
    """The log masses of one release by place, the probability of an infinite loss, by how much a loss may be placed
    too low, and the number of runs.
    """

    place: Places
    log_mass: Array
    broken: float
    below: float
    count: int


def atoms(releases: Sequence[Release], direction: str, tilt: Tilt) -> list[Atoms]:
    """Return the masses of each release in one direction on the grid of a tilt."""
    release_atoms = []
    for release in releases:
        cells = loss_cells(release, direction, tilt.interval, tilt.log_tail, lowest(tilt.order))
        with np.errstate(divide="ignore"):
            log_mass = [cells.log_mass + np.log1p(-cells.up), cells.log_mass + np.log(cells.up)]
        place, log_mass = np.concatenate([cells.place, cells.place + 1]), np.concatenate(log_mass)
        is_possible = log_mass > -math.inf
        release_atoms.append(Atoms(place[is_possible], log_mass[is_possible], cells.broken, cells.below, release.count))
    return release_atoms


def tilted_sum(releases: Sequence[Atoms], tilt: Tilt) -> TiltedSum:
    """Return the sum of all losses of the releases, on the grid and with the tilt given."""
    size, tau = tilt.n_cells, tilt.order * tilt.interval
    weights = [_tilted_masses(atoms, tau, size) for atoms in releases]
    parts = [Part(atoms.place, weight, atoms.count) for atoms, (weight, _) in zip(releases, weights, strict=True)]
    log_moments = [atoms.count * log_moment for atoms, (_, log_moment) in zip(releases, weights, strict=True)]
    total = circle_sum(parts, size)
    gain, doubt = total.read(*_gain_transform(tau, tilt.interval, total.frequency, size))
    log_scale = round_sum_up(math.fsum(log_moments), math.fsum(map(abs, log_moments)), 8)
    rise = max(math.fsum(log_moments) - tilt.log_moment, 0.0) / (tilt.order * (1 + tilt.order))
    if tilt.keenest > tilt.order:
        keenest = math.fsum(atoms.count * _log_moment(atoms, tilt.keenest * tilt.interval) for atoms in releases)
        rise = max(rise, (keenest - tilt.keenest_log_moment) / (tilt.keenest * (1 + tilt.keenest)))
    rise += 8 * ULP * tilt.interval * sum(atoms.count for atoms in releases)  # the masses were rounded up themselves
    broken = failure_up([atoms.broken for atoms in releases], [atoms.count for atoms in releases])
    below = math.fsum(atoms.count * atoms.below for atoms in releases)
    return TiltedSum(np.maximum(gain, 0) + doubt, doubt, total, log_scale, rise, broken, below, tilt)


def _log_moment(atoms: Atoms, tau: float) -> float:
    """ln Σ m_l e^{τl}, to nearest."""
    exponent = atoms.log_mass + tau * atoms.place
    most = float(np.max(exponent))
    return most + math.log(float(np.sum(np.exp(exponent - most))))


def _tilted_masses(part: Atoms, tau: float, size: int) -> tuple[Array, float]:
    """Return the masses times e^{clh}, each rounded up, over their sum M(c), and ln M(c), rounded up."""
    lift = tau * part.place
    exponent = part.log_mass + lift
    most = float(np.max(exponent))
    weight = np.exp(exponent - most)
    total = float(np.sum(weight))
    log_moment = most + math.log(total)
    rounding = 2 * ULP * (12 + abs(part.log_mass) + abs(lift) + abs(log_moment) + np.ptp(part.place) / size)
    weight = weight / total * (1 + rounding)
    total = float(np.sum(weight))
    return weight / total, log_moment + math.log(total) + 24 * ULP


def _gain_transform(tau: float, interval: float, frequency: Places, size: int) -> tuple[Complex, float]:
    """G at frequencies, and the largest of all absolute values, which is G(0), as no g_i is negative."""
    half_turn = math.pi / size * frequency
    turned = np.empty(frequency.size, np.complex128)  # e^{iω} − 1, with all digits also where it is near 0
    turned.real, turned.imag = -2 * np.sin(half_turn) ** 2, 2 * np.sin(half_turn) * np.cos(half_turn)

    def less_one(tau: float) -> Complex:
        """e^{iω − τ} − 1."""
        return math.expm1(-tau) + math.exp(-tau) * turned

    gain = (1 + turned) * -math.expm1(-interval) / (less_one(tau) * less_one(tau + interval))
    return gain, math.expm1(-interval) / (math.expm1(-tau) * -math.expm1(-tau - interval)) * (1 + 1e-9)
