"""The losses of all releases together, by Fourier transforms of tilted masses, with their rounding bounded.

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
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.checks import Array
from dpcore.composition._coarse_losses import log_gain
from dpcore.composition._failures import failure_up
from dpcore.composition._fourier import CircleSum, Complex, Part, Places, circle_sum
from dpcore.composition.cells import loss_cells
from dpcore.composition.releases import Release
from dpcore.composition.tilts import Tilt, lowest
from dpcore.rounding import TINY, ULP, round_down, round_sum_up, round_up

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
        """Return the excess of the chord over a cell above δ, for few releases:
        an eighth of the second difference of δ.
        """
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
    weights = [_tilted(atoms, tau, size) for atoms in releases]
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


def _tilted(part: Atoms, tau: float, size: int) -> tuple[Array, float]:
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
