"""The privacy losses of one release on a grid of cells of one width, rounded up by connecting the dots.

L = ln dP/dQ is the loss under P. A cell holds the losses from kh up to (k + 1)h, p of P and q of Q. *Connecting the
dots* (Doroshenko et al. 2022, arXiv:2207.04380) puts b = (p − e^{kh} q)/(1 − e^{−h}) of p at (k + 1)h and p − b at kh.
It rounds every δ up, for the following reason. δ(t) = E f(L) with f(l) = (1 − e^{t−l})₊, which is a convex function of
e^{−l} for every t. The rule preserves the means of 1 and of e^{−L} in the cell, so it replaces f by its chord, which
lies above f. The same holds for a sum of losses, whichever of them is replaced, because the others only shift t.

The argument needs three properties, and the rounding ensures each of them for the computed numbers: no p is too small,
no b is too small, and no loss lies above the end of its cell. The mass below the lowest cell is moved up into it, and
the mass above the highest cell counts as an infinite loss. Where a loss is an end of a cell but for rounding, it is
taken to be that end, and what it may lie above it is `below`: all of δ moves by so much. A share of it one cell further
would be seen where its mass is far above the wanted δ, however small the share.

Finitely many losses, each with its mass, are those of noise on the whole numbers that moves by a whole number of steps,
and of the pair that a profile stands for.

Geometric noise of scale b that moves by s steps has the losses (|k − s| − |k|)/b, which are the multiples
ε(1 − 2m/s), m = 0 … s, of ε = s/b. Discrete Gaussian noise has the losses s(s − 2k)/(2σ²), of which those beyond 40σ
are left out: all of them together have less than e^−799. The profile that is linear in α = e^ε between points (αᵢ, δᵢ)
has the loss εᵢ with αᵢ times the change of its slope there, and −εᵢ with e^{−εᵢ} times that.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_ndtr, ndtri_exp

from dpcore.checks import Array
from dpcore.composition.releases import EXTREMES, LISTED, SPREAD, Release, own_delta
from dpcore.rounding import ULP, round_down, round_sum_up, round_up

_REACH = 40.0  # in σ


@dataclass(frozen=True)
class Cells:
    """The losses of one release on a grid: the mass of each cell, and how it is shared between the cell's two ends.

    Attributes
    ----------
    place : k of the cell from kh to (k + 1)h; a cell may occur more than once.
    log_mass : ln of P's mass in it, rounded up.
    up : the share of it that goes to (k + 1)h, rounded up; the rest goes to kh.
    broken : the probability of an infinite loss.
    below : nats, rounded up: by how much a loss that is at an end of a cell may be placed too low.
    """

    place: NDArray[np.int64]
    log_mass: Array
    up: Array
    broken: float
    below: float = 0.0


def loss_cells(release: Release, direction: str, interval: float, log_tail: float, lowest: float = -math.inf) -> Cells:
    """Return the cells of a release in one direction; every δ computed from them is at least the exact one.

    `interval` is in nats. `log_tail` is ln of a probability, at most ln ½, that may be moved at either end: to the
    lowest cell, or to infinity. Losses of DP-SGD and of Gaussian noise below `lowest`, a number below 0, need no cells,
    they are moved up to it; and so are those of Laplace noise that are further below its largest loss.
    """
    if release.losses == SPREAD:
        return _laplace_cells(release.numbers[0], own_delta(release), interval, lowest)
    if release.losses in LISTED:
        return _lattice_cells(release, interval)
    if release.losses == EXTREMES:
        epsilon, delta = (*release.numbers, 0.0)[:2]
        return _guarantee_cells(epsilon, delta, interval)
    noise, rate = pair_numbers(release)
    return _sampled_cells(noise, rate, direction, interval, log_tail, lowest)


def pair_numbers(release: Release) -> tuple[float, float]:
    """Noise multiplier and sampling rate of a Gaussian, sampled or not; zCDP is refused."""
    if release.kind == "zcdp":
        need = "a pair of distributions to compose, which zCDP alone does not give"
        raise ValueError(f"releases must have {need}, got {release.numbers[0]:g}-zCDP")
    noise, rate = (*release.numbers, 1.0)[:2]
    return noise, rate


def _guarantee_cells(epsilon: float, delta: float, interval: float) -> Cells:
    """Return the losses of an (ε, δ) guarantee: ε with e^ε/(1 + e^ε), −ε with the rest, and ∞ with δ ([KOV15])."""
    likely = math.log1p(-delta) - math.log1p(math.exp(-epsilon))
    place, up, below = _atoms(np.array([epsilon, -epsilon]), interval)
    log_mass = np.asarray([likely, likely - epsilon], np.float64)
    return Cells(place, round_sum_up(log_mass, 1 + epsilon - log_mass, 8), up, delta, below)


def _lattice_cells(release: Release, interval: float) -> Cells:
    """Return finitely many losses as cells; those of a common unit stay where they are."""
    losses = lattice_losses(release.kind, release.numbers)
    place, up, below = _atoms(losses.loss, interval)
    return Cells(place, losses.log_mass, up, own_delta(release), below)


def _atoms(loss: Array, interval: float) -> tuple[NDArray[np.int64], Array, float]:
    """Return place, share at its upper end, and by how much one may be placed too low, of losses right to 4 ULP."""
    end, doubt = np.rint(loss / interval), 8 * ULP * (abs(loss) + interval)
    at_end = abs(loss - end * interval) <= doubt
    place = np.where(at_end, end, np.floor(loss / interval))
    over = np.clip(loss - place * interval, 0, interval)
    whole = -math.expm1(-interval)
    up = np.minimum(round_sum_up(-np.expm1(-over), abs(loss) + interval, 4) / whole, 1)
    return place.astype(np.int64), np.where(at_end, 0, up), 2 * float(np.max(doubt * at_end))


def truncated_shares(epsilon: float, delta: float) -> tuple[float, float]:
    """ln of the mass at the loss ε, ½ − δ, and of the factor 1 + 2δ/(e^ε − 1) of the density below it."""
    return math.log1p(-2 * delta) - math.log(2), math.log1p(2 * delta * math.exp(-epsilon) / -math.expm1(-epsilon))


def _laplace_cells(epsilon: float, delta: float, interval: float, lowest: float) -> Cells:
    """ε with ½ − δ, −ε with e^{−ε} of that, ∞ with δ, else the density e^{(l − ε)/2}/4 times 1 + 2δ/(e^ε − 1).

    Of losses up to l there is at most e^{(l − ε)/2}/2 times that factor: so much is moved up to the first cell.
    """
    outer, more = truncated_shares(epsilon, delta)
    place, up, below = _atoms(np.array([epsilon, -epsilon]), interval)
    end = outer - epsilon
    if lowest > -2 * epsilon:
        place[1], up[1] = math.floor((epsilon + lowest) / interval), 0.0
        end = (float(place[1]) * interval - epsilon) / 2 - math.log(2) + more
    cell = np.arange(place[1], place[0] + 1)
    start = cell * interval
    low, high = np.maximum(start, -epsilon), np.minimum(start + interval, epsilon)
    inner = (start > -epsilon) & (start + interval < epsilon)  # a width known to all its digits
    width: Array = np.where(inner, interval, round_sum_up(np.maximum(high - low, 0), epsilon, 8))
    inside = (high - epsilon) / 2 + np.log(-np.expm1(-width / 2)) - math.log(2) + more
    log_mass: Array = np.concatenate([[outer, end], inside]).astype(np.float64)
    share = round_sum_up(-np.expm1(np.minimum(start - (low + high) / 2, 0)), abs(start) + interval, 4)
    return Cells(
        np.concatenate([place, cell]),
        round_sum_up(log_mass, 1 + epsilon + abs(log_mass), 8),
        np.concatenate([up, np.minimum(share / -math.expm1(-interval), 1)]),
        delta,
        below,
    )


def sampled_reach(noise: float, rate: float, direction: str, log_tail: float) -> tuple[float, float]:
    """Return the ends of the output, by increasing loss, that leave out no more than the tail at either side."""
    low = float(ndtri_exp(log_tail))
    if direction == "add":  # the output with its sign turned, so that the loss grows with it
        return low, -low
    members = -float(ndtri_exp(min(log_tail - math.log(2 * rate), -math.log(2))))
    return low, max(1 / noise + members, -float(ndtri_exp(log_tail - math.log(2))))


def sampled_loss(noise: float, rate: float, direction: str, output: Array) -> Array:
    """ln(1 − q + q e^{μx − μ²/2}) with μ = 1/z; for "add" −1 times that of −x."""
    sign = 1 if direction == "remove" else -1
    exponent = sign * output / noise - 0.5 / noise**2
    near = np.log1p(rate * np.expm1(np.clip(exponent, -1, 1)))
    far = np.logaddexp(_log_unsampled(rate), math.log(rate) + exponent)
    return sign * np.where(abs(exponent) < 1, near, far)


def _log_unsampled(rate: float) -> float:
    return math.log1p(-rate) if rate < 1 else -math.inf


def _sampled_cells(noise: float, rate: float, direction: str, interval: float, log_tail: float, lowest: float) -> Cells:
    """Return the losses of N(0, 1), mixed with N(±μ, 1) at the rate, by normal distributions at the cells' edges.

    In one direction the mixture is P, b (1 − e^{−h}) = q p₁ − (e^{kh} − 1 + q) p₀; in the other it is Q, and
    b (1 − e^{−h}) = (1 − (1 − q) e^{kh}) p₀ − q e^{kh} p₁, with p₀ and p₁ the masses of the two normals: nothing
    cancels more than the loss itself does.
    """
    removing = direction == "remove"
    ends = sampled_loss(noise, rate, direction, np.array(sampled_reach(noise, rate, direction, log_tail)))
    first = math.floor(max(ends[0], lowest) / interval)
    place = np.arange(first, max(math.ceil(ends[1] / interval), 1) + 1)
    loss = place * interval
    edge, doubt, log_excess = _edges(noise, rate, loss if removing else -loss)
    if not removing:
        edge = -edge
    edge = edge - doubt  # so no loss lies above the end of its cell
    outer, shifted = edge, edge - (1 / noise if removing else -1 / noise)
    low0, high0 = _normal_masses(outer, 0.0)
    low1, high1 = _normal_masses(shifted, 2 * ULP / noise)
    log_rate = math.log(rate)
    log_mass = np.logaddexp(_log_unsampled(rate) + high0, log_rate + high1) if removing else high0
    log_mass = log_mass + 4 * ULP
    start = loss[:-1]
    gain = log_rate + high1 if removing else log_excess[:-1] + start + high0
    cost = log_excess[:-1] + low0 if removing else log_rate + start + low1
    gain, cost = np.exp(gain - log_mass), np.exp(cost - log_mass)
    if removing:  # the lowest cell begins below all losses, where e^{kh} − 1 + q < 0
        with np.errstate(divide="ignore"):
            log_lack = np.log(np.maximum(-np.expm1(np.minimum(start, 1)) - rate, 0))
        gain = gain + np.exp(np.minimum(high0 + log_lack - log_mass, 1))
    signed = loss if removing else -loss
    slope = np.exp(np.minimum(log_excess - signed, 0)) / noise
    moved = slope * doubt
    unsure = 8 * ULP * (gain + cost) * (1 + abs(start) + abs(log_mass) + abs(log_rate))
    slack = unsure + 2 * (moved[:-1] + moved[1:])
    up = np.clip((gain - cost + slack) / -math.expm1(-interval), 0, 1)
    below = _log_probability(-outer[:1], -shifted[:1], rate, removing)
    above = float(np.exp(_log_probability(outer[-1:], shifted[-1:], rate, removing))[0])
    return Cells(np.append(place[:-1], place[0]), np.append(log_mass, below), np.append(up, 0.0), above)


def _log_probability(outer: Array, shifted: Array, rate: float, mixed: bool) -> Array:
    """Return ln P(output > x) of a step, rounded up."""
    tails = log_ndtr(-outer), log_ndtr(-shifted)
    log_chance = np.logaddexp(_log_unsampled(rate) + tails[0], math.log(rate) + tails[1]) if mixed else tails[0]
    return np.where(log_chance > -math.inf, round_sum_up(log_chance, 1 - np.maximum(log_chance, -1e300), 8), log_chance)


def _edges(noise: float, rate: float, loss: Array) -> tuple[Array, Array, Array]:
    """Return the output x of a loss, −∞ if none, what x may be off by, and ln(e^loss − 1 + q).

    ln(1 − q + q e^{μx − μ²/2}) is the loss at x.

    (x − μ/2) μ = ln(1 + (e^loss − 1)/q), or loss − ln q + ln(1 − (1 − q) e^{−loss}) where the first would lose digits.
    """
    log_rate, near = math.log(rate), abs(loss) < 0.7
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        gain = np.expm1(np.clip(loss, -0.7, 0.7))
        unsampled = (1 - rate) * np.exp(np.minimum(-loss, 700))
        first = np.log(np.maximum(1 + gain / rate, 0))
        first = np.where(gain / rate > -0.5, np.log1p(np.maximum(gain / rate, -0.5)), first)
        far = loss - log_rate + np.where(unsampled < 1, np.log1p(-np.minimum(unsampled, 1)), -math.inf)
        height = np.where(near, first, far)
        log_excess = height + log_rate
        lost = np.where(near, abs(gain), unsampled * (1 + abs(loss)) * np.exp(np.clip(loss, -700, 700)))
        lost = np.where(lost > 0, lost * np.exp(-np.maximum(log_excess, -700)), 0)
        unsure = abs(height) + np.where(near, 0, abs(loss) + abs(log_rate)) + lost
        doubt = 8 * ULP * (unsure * noise + 1 / noise)
    edge = height * noise + 0.5 / noise
    real = height > -math.inf
    return np.where(real, edge, -math.inf), np.where(real, doubt, 0), log_excess


def _normal_masses(edge: Array, blur: float) -> tuple[Array, Array]:
    """ln of the standard normal's mass between neighbouring edges, which may be off by `blur`, rounded down and up.

    The difference of two tails is taken at the side where they are small; only a cell around 0 has edges on both sides.
    """
    left, right = edge[:-1], edge[1:]
    upper = left + right > 0
    tail = log_ndtr(-abs(edge))
    large, small = np.where(upper, tail[:-1], tail[1:]), np.where(upper, tail[1:], tail[:-1])
    outward, inward = np.where(upper, -left, right), np.where(upper, -right, left)
    middle = np.flatnonzero((left < 0) & (right > 0))
    large[middle], small[middle] = log_ndtr(outward[middle]), log_ndtr(inward[middle])
    large = np.maximum(large, -1e7)  # a cell between infinite edges is as good as empty
    share = -np.expm1(np.minimum(small - large, 0))
    error = ULP * (8 + 4 * abs(large)) + 2 * blur * (1 + np.maximum(-outward, 0).clip(max=1e7))
    with np.errstate(divide="ignore"):
        return large + np.log(np.maximum(share - error, 0)), large + np.log(share + error)


@dataclass(frozen=True)
class LatticeLosses:
    """Losses in nats, and the natural logarithm of the mass of each under P, rounded up; the sum is 1, or 1 − δ."""

    loss: Array
    log_mass: Array


@lru_cache(256)
def lattice_losses(kind: str, numbers: tuple[float, ...]) -> LatticeLosses:
    """Return the losses of one run of a release whose losses are `LISTED`, from the largest to the smallest."""
    if kind == "profile":
        return _profile(np.array(numbers[::2]), np.array(numbers[1::2]))
    return _geometric(*numbers) if kind == "geometric" else _discrete_gaussian(*numbers)


def unit(kind: str, numbers: tuple[float, ...]) -> float:
    """Return a number of nats of which all losses of such a release are multiples."""
    first, steps = numbers
    return first / steps if kind == "geometric" else steps / (2 * first * first)


def _geometric(epsilon: float, steps: float) -> LatticeLosses:
    """Return e^{0}/(1 + r) for ε, r^s/(1 + r) for −ε, and (1 − r) r^m/(1 + r) for ε(1 − 2m/s), 0 < m < s."""
    rate = epsilon / steps
    inner = np.arange(1, steps)
    log_inner = np.log(-math.expm1(-rate)) - rate * inner
    loss = epsilon * (1 - 2 * np.arange(steps + 1) / steps)
    log_mass = np.concatenate([[0.0], log_inner, [-epsilon]]) - math.log1p(math.exp(-rate))
    return LatticeLosses(loss, round_sum_up(log_mass, 1 + abs(log_mass), 16))


def _discrete_gaussian(sigma: float, steps: float) -> LatticeLosses:
    """Return e^{−k²/(2σ²)}/θ(σ) for s(s − 2k)/(2σ²), |k| ≤ 40σ, where θ(σ) is the sum of the numerators."""
    k = np.arange(-math.ceil(_REACH * sigma), math.ceil(_REACH * sigma) + 1.0)
    exponent = (k / sigma) ** 2 / 2
    log_mass = -exponent - math.log(math.fsum(np.exp(-exponent)))
    loss = steps * (steps - 2 * k) / (2 * sigma * sigma)
    return LatticeLosses(loss, round_sum_up(log_mass, 1 + abs(log_mass) + exponent, 8))


def _profile(epsilon: Array, delta: Array) -> LatticeLosses:
    """Return the losses ±ε of the lower convex hull of points, whose ε fall, and of those at −ε."""
    hull: list[tuple[float, float, float]] = []  # ε, δ, and −dδ/dα times α after it
    for at, most in zip(epsilon.tolist(), delta.tolist(), strict=True):
        while hull and _fall(at, most, *hull[-1][:2]) <= hull[-1][2]:
            hull.pop()
        after = _fall(at, most, *hull[-1][:2]) * math.exp(at - hull[-1][0]) if hull else 0.0
        hull.append((at, most, after))
    while (1 - hull[-1][1]) * expit(hull[-1][0]) < hull[-1][2]:  # the chord to −ε
        hull.pop()
    loss, most, after = np.array(hull).T
    before = np.append(_fall(loss[1:], most[1:], loss[:-1], most[:-1]), (1 - most[-1]) * expit(loss[-1]))
    log_mass = np.log(before - after + 32 * ULP * before)
    log_mass = np.concatenate([log_mass, (log_mass - loss)[::-1]])
    loss = np.concatenate([loss, -loss[::-1]])
    return LatticeLosses(loss, round_sum_up(log_mass, 1 + abs(log_mass) + abs(loss), 8))


def _fall(low: Any, more: Any, high: Any, less: Any) -> Any:
    """−dδ/dα times α at the higher of two ε, between points with `more` and `less` of δ."""
    return (more - less) / -np.expm1(low - high)


@dataclass(frozen=True)
class Corners:
    """δ at the corners ε' = most − (first + i)·step, i = 0, 1, …; `delta` never falls and is rounded up.

    `most` is the largest loss, rounded up; δ is 0 there, and has its first value at all ε' between it and the first
    corner. What comes after the last corner counts as 1.
    """

    most: float
    step: float
    first: int
    delta: Array

    def delta_at(self, epsilon: Array) -> Array:
        """δ at each ε' ≥ 0, rounded up: by what a relative 2e-15 or moving ε' by 8·2⁻⁵² of `most` would move it."""
        lost = round_up(self.most, 8) - epsilon  # so much that no rounding takes ε' for beyond a corner
        place = np.ceil(lost / self.step) - self.first
        after = np.clip(place, 1, self.delta.size - 1).astype(np.int64)
        below = np.clip(lost - (self.first + after - 1) * self.step, 0, self.step)
        rate = np.where(place < 1, 0.0, np.minimum(np.expm1(-below) / math.expm1(-self.step), 1))
        near = round_up(self.delta[after - 1] * (1 - rate) + self.delta[after] * rate, 8)
        return np.where(epsilon >= self.most, 0.0, np.where(place > after, 1.0, np.minimum(near, 1)))

    def epsilon_at(self, delta: Array) -> Array:
        """ε' ≥ 0 at each δ, rounded up: by what moving δ by 8·2⁻⁵² of it or ε' by as much of `most` would move it."""
        after = np.clip(np.searchsorted(self.delta, delta), 1, self.delta.size - 1)
        low, high = self.delta[after - 1], self.delta[after]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            rate = (delta - low - 8 * ULP * delta) / (high - low)
        rate = np.clip(np.where(high > low, rate, 0), 0, 1)
        below = round_down(-np.log1p(rate * math.expm1(-self.step)), 8)
        value = round_up(self.most, 8) - (self.first + after - 1) * self.step - below
        is_most = (delta < self.delta[0]) | (delta == 0)  # where δ is 0 by rounding alone it is not 0
        return np.where(is_most, self.most, np.clip(value, 0, self.most))
