"""Unequal guarantees together: the optimum of Murtagh & Vadhan, certified from above on a lattice of losses.

Each release is at worst a randomised response (`optimal`), so that all lose Σ nᵢεᵢ − 2Σ mᵢεᵢ together, mᵢ ~ Bin(nᵢ,
1/(1 + e^{εᵢ})) lies. What the lies give back, 2Σ mᵢεᵢ, is summed on a lattice by fast Fourier transforms of the
distributions tilted by e^{cL}, with c where the answer has its mass, so that a tiny δ keeps its digits. Where the εᵢ
are multiples of a unit the lattice has that unit and nothing is rounded. Else each group's sum is split between the two
neighbouring points so that its total mass and that of e^{−L} stay ([Dor22]), which never lowers δ.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import EPSILON_RANGE, LEAST_DELTA, PURE_DELTA_RANGE, Array, number
from dpcore.composition._fourier import Part, circle_sum, upper_share
from dpcore.composition.cells import Corners
from dpcore.composition.closed_form import basic_epsilon, broadcast_releases
from dpcore.composition.releases import broken_up, failures, slack_down
from dpcore.rounding import ULP, round_up, total_up
from dpcore.tradeoff.losses import expected_gain, lies_told

_LEAST_EPSILON = 1e-100  # a smaller one counts as this
_MOST_PARTS = 64  # of the least ε, when a common unit is looked for
_WORK = 2**20  # lattice points times distinct ε


def optimal_unequal_delta(
    epsilon_total: ArrayLike, epsilon: ArrayLike, n_releases: ArrayLike = 1, delta: ArrayLike = 0.0
) -> Array:
    """Return the least δ of releases that satisfy (εᵢ, δᵢ)-DP, at every ε' (Murtagh & Vadhan 2016, Thm 1.5).

    See arXiv:1507.03113.

    1 − Π(1 − δᵢ)^{nᵢ} [1 − E(1 − e^{ε' − L})₊], L = Σ nᵢεᵢ − 2Σ mᵢεᵢ, mᵢ ~ Bin(nᵢ, 1/(1 + e^{εᵢ})).

    Parameters
    ----------
    epsilon_total : ε' of all releases together, in [0, 1e6], in nats.
    epsilon : of each release, in [0, 1e3], in nats, the releases on the last axis.
    n_releases : how often each is released, whole numbers in [1, 1e6].
    delta : δᵢ of each release, in [0, 1).

    Returns
    -------
    δ in [0, 1], rounded up. The excess is a relative 1e-6 at most where the εᵢ are whole multiples of a unit, not below
    1/64 of the least, and few enough of these cover what is uncertain; else it is of second order in the step of the
    lattice: 2e-4 at most in all lists tried of up to 20 distinct ε.

    Notes
    -----
    1 to 200 ms for each ε' and list; half a second where twenty ε are released a million times.

    Examples
    --------
    >>> print(f"{optimal_unequal_delta(2.76884260634, [0.1, 0.2, 0.3, 0.4, 0.5], 2):.6g}")
    0.001
    """
    total = number("epsilon_total", epsilon_total, EPSILON_RANGE)
    epsilon, n_releases, delta = broadcast_releases(epsilon, n_releases, delta)
    return broken_up(_each_delta(total, epsilon, n_releases), failures(delta, n_releases))[()]


def optimal_unequal_epsilon(
    delta_total: ArrayLike, epsilon: ArrayLike, n_releases: ArrayLike = 1, delta: ArrayLike = 0.0
) -> Array:
    """Return the least ε' of releases that satisfy (εᵢ, δᵢ)-DP, at every δ: the inverse of `optimal_unequal_delta`.

    Parameters
    ----------
    delta_total : δ of all releases together, in [0, 1).
    epsilon : of each release, in [0, 1e3], in nats, the releases on the last axis.
    n_releases : how often each is released, whole numbers in [1, 1e6].
    delta : δᵢ of each release, in [0, 1).

    Returns
    -------
    ε' ≥ 0 in nats, rounded up, at most Σ nᵢεᵢ; that sum where less than 1e-300 is left of δ, and ∞ where the releases
    fail with a probability above δ. The excess corresponds to that of `optimal_unequal_delta`: a relative 3e-6 at
    most in all lists tried.

    Examples
    --------
    >>> print(f"{optimal_unequal_epsilon(1e-3, [0.1, 0.2, 0.3, 0.4, 0.5], 2):.8f}")
    2.76884261
    """
    total = number("delta_total", delta_total, PURE_DELTA_RANGE)
    epsilon, n_releases, delta = broadcast_releases(epsilon, n_releases, delta)
    slack = slack_down(total, failures(delta, n_releases))
    return np.where(slack >= 0, _each_epsilon(np.maximum(slack, 0), epsilon, n_releases), np.inf)[()]


@dataclass(frozen=True)
class _Groups:
    """Distinct ε above 0, and how often each is released.

    Under P they give back X = 2Σ mᵢεᵢ of the most, Σ nᵢεᵢ. Tilted by e^{cL}, the mᵢ are Bin(nᵢ, 1/(1 + e^{(1+2c)εᵢ})).
    """

    epsilon: Array
    n_releases: Array

    @property
    def most(self) -> float:
        return total_up(self.epsilon.tolist(), self.n_releases.astype(np.int64).tolist())

    def log_mean(self, tilt: Array) -> Array:
        """ln E e^{−cX} at each c."""
        untilted, tilted = np.exp(-self.epsilon), np.exp(-(1 + 2 * tilt[..., None]) * self.epsilon)
        return np.sum(self.n_releases * (np.log1p(tilted) - np.log1p(untilted)), axis=-1)


def _pure_delta(total: float, epsilon: Array, n_releases: Array) -> float:
    groups = _groups(epsilon, n_releases)
    if groups.epsilon.size == 0 or total >= basic_epsilon(epsilon, n_releases):
        return 0.0
    tilts = _tilts(groups)
    tilt = tilts[np.argmin(groups.log_mean(tilts) + tilts * (groups.most - total))]
    return max(float(_corners(groups, float(tilt)).delta_at(np.array(total))), LEAST_DELTA)


def _pure_epsilon(delta: float, epsilon: Array, n_releases: Array) -> float:
    groups, basic = _groups(epsilon, n_releases), float(basic_epsilon(epsilon, n_releases))
    if groups.epsilon.size == 0 or delta < LEAST_DELTA:
        return basic
    tilts = _tilts(groups)
    reach = groups.log_mean(tilts) - math.log(delta) + tilts * np.log(tilts) - (1 + tilts) * np.log1p(tilts)
    tilt = tilts[np.argmin(reach / tilts)]  # of the bound by Rényi's divergence of order 1 + c
    return min(float(_corners(groups, float(tilt)).epsilon_at(np.array(delta))), basic)


_each_delta = np.vectorize(_pure_delta, signature="(),(n),(n)->()", otypes=[np.float64])
_each_epsilon = np.vectorize(_pure_epsilon, signature="(),(n),(n)->()", otypes=[np.float64])


def _groups(epsilon: Array, n_releases: Array) -> _Groups:
    distinct, place = np.unique(np.maximum(epsilon[epsilon > 0], _LEAST_EPSILON), return_inverse=True)
    return _Groups(distinct, np.bincount(place, n_releases[epsilon > 0], minlength=distinct.size).astype(np.float64))


def _tilts(groups: _Groups) -> Array:
    return np.geomspace(1e-3, 1e3 * (1 + 1 / groups.epsilon[0]), 600)


def _corners(groups: _Groups, tilt: float) -> Corners:
    """Return the certified profile by the lattice, which is close where the tilted losses have their mass."""
    lies = groups.n_releases / (1 + np.exp(np.minimum((1 + 2 * tilt) * groups.epsilon, 700)))
    mean = float(np.sum(2 * groups.epsilon * lies))
    spread = float(np.sqrt(np.sum(4 * groups.epsilon**2 * lies)))  # at most √2 of the deviation
    some = lies > 1e-26  # the other groups' lies are within `doubt`
    window = 20 * spread + 40 * float(np.max(groups.epsilon[some], initial=groups.epsilon[0]))
    groups, most, step, parts = _lattice(groups, window)
    size = 1 << max(math.ceil(window / step), 256).bit_length()
    first = max(math.floor((mean - 10 * spread) / step), 0)
    tilted, doubt, roundings = _tilted_masses(groups, some, parts, step, size, tilt)
    mass = round_up(np.maximum(np.roll(tilted, -(first % size)), 0) + doubt, roundings)
    return _profile(groups, tilt, mass, most, step, first)


def _lattice(groups: _Groups, window: float) -> tuple[_Groups, float, float, Array]:
    """Return the groups, their largest loss, the step of the lattice, and how many steps one lie of each group returns.

    These are whole numbers where the ε have a unit, to whose multiples they are then rounded up in their last digits.
    """
    parts = np.arange(1, _MOST_PARTS + 1)[:, None] * (groups.epsilon / groups.epsilon[0])
    whole = np.round(parts)
    fits = np.all(abs(parts - whole) <= 1e-13 * whole, axis=-1)
    units = whole[np.argmax(fits)]
    unit = round_up(float(np.max(groups.epsilon / units)), 2)  # ε rounded up, by 1e-13 of it
    if np.any(fits) and window / (2 * unit) * units.size <= 2 * _WORK:
        often = int(np.sum(units * groups.n_releases))
        return replace(groups, epsilon=unit * units), total_up([unit], [often]), 2 * unit, units
    step = window / min(max(_WORK // units.size, 2**12), 2**16)
    return groups, groups.most, step, 2 * groups.epsilon / step


def _tilted_masses(
    groups: _Groups, some: NDArray[np.bool_], parts: Array, step: float, size: int, tilt: float
) -> tuple[Array, float, float]:
    """Return the tilted mass at each lattice point modulo `size`, how far each may be off, and the roundings in it."""
    binomials, roundings = [], 100.0
    log_odds = (1 + 2 * tilt) * groups.epsilon
    for group_log_odds, n_releases, part in zip(log_odds[some], groups.n_releases[some], parts[some], strict=True):
        lies, chance = lies_told(float(group_log_odds), int(n_releases))
        returned = lies * part
        low = np.floor(returned)
        near = round_up(low + 1 - returned, 4) + returned * 4 * ULP * (part != np.round(part))
        share = upper_share(near * step, step)
        mass = [
            chance * share * np.exp(tilt * (returned - low) * step),
            chance * (1 - share) * np.exp(-tilt * (low + 1 - returned) * step),
        ]
        place, mass = np.concatenate([low, low + 1]).astype(np.int64), np.concatenate(mass)
        binomials.append(Part(place, mass, 1, 1 - float(np.sum(mass))))
        roundings += lies.size * (10 + 4 * float(group_log_odds))  # of the lies' probabilities, and of ε in these
    total = circle_sum(binomials, size)
    tilted, doubt = total.read()
    return np.roll(tilted, total.offset % size), doubt + 1e-19 * log_odds.size, roundings


def _profile(groups: _Groups, tilt: float, mass: Array, most: float, step: float, first: int) -> Corners:
    """Return the profile, whose δ are sums of positive terms of the tilted masses."""
    returned = (first + np.arange(mass.size)) * step
    centre = returned[np.argmax(mass)]
    power = tilt * (returned - centre)
    table = power <= 600
    mass = mass[table] * np.exp(np.maximum(power[table], -700))
    beyond = 1e-21 * math.exp(max(power[0], -700)) if first > 0 else 0.0  # losses above the window, by Chernoff's bound
    gain = np.append(0.0, expected_gain(np.cumsum(mass), step)) + beyond
    log_scale = float(groups.log_mean(np.array(tilt))) + tilt * centre
    roundings = 100 + 16 * (mass.size + abs(log_scale) + tilt * centre)
    with np.errstate(over="ignore", under="ignore"):
        delta = round_up(np.exp(log_scale) * gain, roundings)
    return Corners(most, step, first, np.minimum(np.maximum.accumulate(delta), 1))
