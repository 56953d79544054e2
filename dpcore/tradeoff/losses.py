"""Privacy losses of many releases together: distributions of losses, convolved by Fourier transforms on a grid.

Each loss is split between the two multiples of the interval beside it such that P and Q both keep their mass: the
connect-the-dots method (Doroshenko et al. 2022, arXiv:2207.04380), which rounds every δ up. What leaves the window of
the grid is bounded by Chernoff's inequality and counts as a violated guarantee. So every δ errs upwards, but for the
rounding of the transforms, for which 1e-14 and one ULP per release are added (more than was ever measured).

The sum is that of `dpcore.composition._fourier`, which says in what its three accountants differ.

Time and memory do not grow with the number of releases: the window is as wide as their sum spreads, in 2²⁰ cells at
most.

Equal guarantees need no grid: the losses of randomised responses are binomial.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import get_blas_funcs

from dpcore.checks import Array
from dpcore.composition._fourier import Part, circle_sum, common_unit, power_of_two, upper_share
from dpcore.composition.releases import failure_up
from dpcore.rounding import ULP, round_up, total_up
from dpcore.tradeoff.curve import Curve, Function, Lines
from dpcore.tradeoff.pure_mechanisms import profile_lines

(_SOLVE,) = get_blas_funcs(["tbsv"], dtype=np.float64)  # solves a triangular system with few diagonals


def repeated_guarantee(epsilon: float, count: int) -> tuple[Array, Array]:
    """Return the exact profile of pure ε-DP kept k = `count` times, at its corners ε' = (k − 2i)ε, rounded up.

    δ(ε') = Σ_{m<i} w_m (1 − e^{−2(i−m)ε}), w_m = Pr(Bin(k, 1/(1 + e^ε)) = m): Kairouz, Oh & Viswanath,
    arXiv:1311.0776, Thm 3.3. Between its corners it is linear in e^ε', so they are all of it.

    Returns
    -------
    ε' in [0, 1e6] and δ, at 21,000 corners at most, those with δ > 1e-300; the last is kε where that is at most 1e6.
    """
    index, gain = guarantee_corners(epsilon, count)
    corner = (gain > 1e-300) & (2 * index <= count)
    total = np.nextafter((count - 2 * index[corner]) * epsilon, np.inf)
    total, delta = np.append(total, total_up([epsilon], [count])), np.append(gain[corner], 0.0)
    return total[total <= 1e6], delta[total <= 1e6]


def guarantee_corners(epsilon: float, count: int) -> tuple[Array, Array]:
    """Return the corners i of the profile of `repeated_guarantee`, at ε' = (k − 2i)ε, and δ there, rounded up.

    δ is right to a relative 8n·2⁻⁵² for n corners. The first has δ = 0, or in truth below 1e-340; those left out at the
    end (where ε' is low) have 1 − δ < 1e-20. For ε' below 0 too it is E(1 − e^{ε' − L})₊.
    """
    lies, mass = lies_told(epsilon, count)
    gain = expected_gain(np.cumsum(mass), 2 * epsilon)  # at the corner after each
    gain = np.minimum(round_up(np.maximum.accumulate(gain), 8 * lies.size + 100), 1)
    index, gain = np.append(lies[0], lies + 1), np.append(0.0, gain)
    return index, gain


def expected_gain(beyond: Array, interval: float) -> Array:
    """Return E(1 − e^{ε − L})₊ at places one interval h apart, in decreasing order of ε, from Pr(L > ε) at each.

    δ(ε) = e^{−h} δ(ε + h) + (1 − e^{−h}) Pr(L > ε), a sum of positive terms, from δ = 0 above the first place. This is
    a system of equations with two diagonals, which is solved from its first row on.
    """
    fall = -math.expm1(-interval)
    diagonals = np.full((2, beyond.size), fall - 1, order="F")
    diagonals[0] = 1
    return np.asarray(_SOLVE(1, diagonals, fall * beyond, lower=1, diag=1))


def lies_told(epsilon: float, count: int) -> tuple[Array, Array]:
    """Numbers of lies in so many randomised responses, and the probabilities of these where they are at least 1e-300.

    The ratios of neighbours, multiplied from the mode on, are right to a few roundings each; factorials are not.
    """
    odds = math.exp(min(epsilon, 700.0))  # beyond, nobody ever lies
    mean = count / (1 + odds)
    spread = 40 * math.sqrt(mean) + 800  # by Chernoff's bound, below it lies e^−800
    rest = 10 * math.sqrt(mean) + 100  # and above this e^−48, which a sum near 1 does not notice
    mode = math.floor(mean + 1 / (1 + odds))
    down = np.arange(float(mode), max(mode - spread, 0.0), -1.0)
    up = np.arange(float(mode), min(mode + rest, float(count)))
    below = np.cumprod(down / (count - down + 1) * odds)[::-1]
    above = np.cumprod((count - up) / (up + 1) / odds)
    mass = np.concatenate([below, [1.0], above])
    return np.arange(mode - below.size, mode + above.size + 1.0), mass / np.sum(mass)


MOST_LINES = 6000  # of a composed curve: some 400 to a standard deviation of the loss
_FEWEST_CELLS, _MOST_CELLS = 2**16, 2**20  # 2²⁰ take a quarter of a second and 60 MB
_MOST_ATOMS = 20_000  # more than these cost more than a table of 4,000 guarantees
_UNLIKELY = 1e-16  # the chance that is given up for a narrow window
_ROUNDING = 1e-14


@dataclass(frozen=True)
class Losses:
    """The privacy losses of one release by decreasing size, their probabilities, and that of an infinite one."""

    loss: Array
    mass: Array
    broken: float

    def log_moment(self, order: Array) -> Array:
        """ln Σ mass e^{order · loss}, for each of an array of orders."""
        exponent = order[:, None] * self.loss
        most = np.max(exponent, axis=1)
        return most + np.log(np.sum(self.mass * np.exp(exponent - most[:, None]), axis=1))


Releases = Sequence[tuple[Losses, int]]


def tabled(curve: Curve, n_releases: int) -> Lines:
    """Return the lines of a curve, or those of its profile if it has none, or too many to sum over.

    The profile is taken at 4,000 ε, half even and half even in ln ε: of many releases, small losses count. A loss below
    `least`, a hundredth of the advantage, adds less than 1e-4 of the variance by being rounded.
    """
    if curve.lines is not None and curve.lines.epsilon.size <= _MOST_ATOMS:
        return curve.lines
    delta, inverse_delta = curve.delta, curve.inverse().delta
    reach = max(_last_epsilon(delta, n_releases), _last_epsilon(inverse_delta, n_releases))
    least = 1e-2 * min(float(delta(np.zeros(1))[0]), 1.0) * min(reach, 1.0)
    epsilon = np.union1d(np.geomspace(max(least, 1e-300), reach, 2000), np.linspace(0, reach, 2000))
    return profile_lines(epsilon, delta(epsilon), inverse_delta(epsilon))


def _last_epsilon(delta: Function, n_releases: int) -> float:
    """Return an ε beyond which so many releases have next to no loss."""
    epsilon = np.geomspace(1e-14, 1e6, 600)  # each 8 % above the last, by which the table may reach too far
    values = delta(epsilon)
    return float(epsilon[int(np.argmax(values <= values[-1] + _UNLIKELY / n_releases))])


def losses(lines: Lines, n_releases: int) -> Losses:
    """Return the losses of a piecewise linear curve: one per line, between the two corners that it joins.

    Losses too unlikely to matter are rounded up, the largest of all to infinity, as the window must hold all others.
    """
    _, _, beta, power = lines.vertices()
    mass = np.maximum(np.where(lines.epsilon >= 0, np.diff(power), -np.diff(beta)), 0)  # of the two, the exact one
    far = int(np.searchsorted(np.cumsum(mass), _UNLIKELY / n_releases, side="right"))
    end = mass.size - int(np.searchsorted(np.cumsum(mass[::-1]), _UNLIKELY / n_releases, side="right"))
    inner = mass[far : max(end, far)].copy()
    inner[-1:] += np.sum(mass[far + inner.size :])
    return Losses(lines.epsilon[far : far + inner.size], inner, float(lines.delta[0] + np.sum(mass[:far])))


def profiles(forward: Releases, backward: Releases) -> tuple[Array, Array, Array]:
    """Return the profiles of the releases together, seen in both directions, at the same multiples of an interval.

    Returns
    -------
    ε in [0, 1e6], δ of `forward` and δ of `backward`, none of them below the truth.
    """
    nothing = np.array([1e6]), np.ones(1), np.ones(1)
    if any(part.loss.size == 0 for part, _ in (*forward, *backward)):
        return nothing
    low = -max(_most(_negated(releases))[0] for releases in (forward, backward))
    high = max(0.0, *(_most(releases)[0] for releases in (forward, backward)))
    interval, start, cells = _grid(forward, low, high)
    places = np.arange(max(start, 0), start + cells)
    places = places[:: math.ceil(places.size / MOST_LINES)]
    epsilon = places.astype(np.float64) * interval
    places, epsilon = places[epsilon <= 1e6], epsilon[epsilon <= 1e6]
    if not places.size:
        return nothing
    delta = _delta(forward, interval, start, cells)[places - start]
    inverse_delta = delta if backward is forward else _delta(backward, interval, start, cells)[places - start]
    return epsilon, delta, inverse_delta


def _negated(releases: Releases) -> Releases:
    return [(Losses(-part.loss, part.mass, part.broken), n) for part, n in releases]


def _most(releases: Releases) -> tuple[float, float]:
    """Return what the sum of the losses exceeds with a negligible chance, by Chernoff, and the order it took."""
    most = sum(n * float(np.max(part.loss)) for part, n in releases)
    largest = max(1e-290, *(float(np.max(abs(part.loss))) for part, _ in releases))
    n_releases = sum(n for _, n in releases)
    # The best order lies between 37/(n · largest), for losses that are all the largest, and 37/largest · ln n or so.
    order = np.geomspace(0.1 / (n_releases * largest), 1e4 / largest, 120)
    bound = (np.sum([n * part.log_moment(order) for part, n in releases], axis=0) - math.log(_UNLIKELY)) / order
    best = int(np.argmin(bound))
    return min(most, float(bound[best])), float(order[best])


def _grid(releases: Releases, low: float, high: float) -> tuple[float, int, int]:
    """Return the interval of the cells of the losses, the number of the first cell, and how many cells there are.

    Connecting dots adds a variance of interval²/6 per release, which these cells keep below 5e-5 of the whole, also for
    a million of them. Losses that are all multiples of a unit need no finer grid, and are exact then. Besides, all the
    roundings together move the sum by 5√n intervals with a chance of e^−50 only (Hoeffding), for which there is room.
    """
    width = max(high - low, 1e-9 * (abs(high) + abs(low)), 1e-290)
    units = [common_unit(part.loss, _MOST_CELLS) for part, _ in releases]
    unit = common_unit(np.array([unit for unit in units if 0 < unit < math.inf]), _MOST_CELLS)
    exact = 1.1 * width / _MOST_CELLS <= unit < math.inf
    n_rounded = sum(n for (_, n), own_unit in zip(releases, units, strict=True) if own_unit == 0 or not exact)
    room = math.ceil(min(n_rounded, 5 * math.sqrt(n_rounded))) + 3
    cells = min(max(power_of_two(1000 * math.sqrt(n_rounded)), _FEWEST_CELLS), _MOST_CELLS)
    interval = width / (cells - 2 * room)
    if exact:
        interval = unit / math.ceil(unit / interval) if n_rounded else unit
        cells = power_of_two(width / interval + 2 * room)
    return interval, math.floor(low / interval) - room, cells


def _delta(releases: Releases, interval: float, start: int, cells: int) -> Array:
    """δ at the cells from `start` on: E(1 − e^{ε − L})₊ of the sum L of all losses, rounded up."""
    on_grid = [(_on_grid(part, interval), n) for part, n in releases]
    parts = (Part(np.rint(part.loss / interval).astype(np.int64), part.mass, n, part.broken) for part, n in on_grid)
    total = circle_sum(parts, cells)
    mass = np.roll(np.maximum(total.masses, 0), (total.offset - start) % cells)
    beyond = np.cumsum(mass[::-1])[::-1] - mass
    gain = expected_gain(beyond[::-1], interval)[::-1]
    failure = failure_up([part.broken for part, _ in releases], [n for _, n in releases])
    doubt = _mass_beyond(on_grid, (start + cells) * interval) + _ROUNDING + sum(n for _, n in releases) * ULP
    return np.minimum(round_up(gain, 2 * cells) + failure + doubt, 1)


def _on_grid(part: Losses, interval: float) -> Losses:
    """Return the losses moved to the two multiples of the interval next to each, in shares that never lessen δ."""
    place = np.floor(part.loss / interval)
    share = upper_share(part.loss - place * interval, interval)
    mass = np.concatenate([part.mass * (1 - share), part.mass * share])
    loss = np.concatenate([place, place + 1]) * interval
    return Losses(loss[mass > 0], mass[mass > 0], part.broken)


def _mass_beyond(releases: Releases, end: float) -> float:
    """Return a bound on the chance that the sum of the losses lies beyond the last cell, where it is understated."""
    if sum(n * float(np.max(part.loss)) for part, n in releases) < end:
        return 0.0
    order = _most(releases)[1]
    exponent = sum(n * float(part.log_moment(np.array([order]))[0]) for part, n in releases) - order * end
    return math.exp(min(exponent, 0.0))
