"""Coarse losses of a list of releases: a few hundred atoms a release, to see where a certified answer lies."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array
from dpcore.composition._fourier import upper_share
from dpcore.composition.cells import (
    lattice_losses,
    pair_numbers,
    sampled_loss,
    sampled_reach,
    truncated_shares,
)
from dpcore.composition.releases import EXTREMES, LISTED, SPREAD, Release, own_delta

_NODES = np.polynomial.legendre.leggauss(100)


@dataclass(frozen=True)
class CoarseLosses:
    """Of each release atoms near its losses, the logarithms of their masses, and how often it runs."""

    lines: list[tuple[Array, Array, int]]

    def moments(self, order: float) -> tuple[float, float]:
        """Mean and variance of the sum of the losses, tilted by e^{cl}."""
        mean, variance = 0.0, 0.0
        for loss, log_mass, count in self.lines:
            exponent = log_mass + order * loss
            weight = np.exp(exponent - np.max(exponent))
            weight /= np.sum(weight)
            centre = float(np.sum(weight * loss))
            mean += count * centre
            variance += count * float(np.sum(weight * (loss - centre) ** 2))
        return mean, variance

    @cached_property
    def spread(self) -> float:
        """The standard deviation of the sum of the losses."""
        return math.sqrt(self.moments(0.0)[1])

    def log_delta_at_saddle(self, order: float) -> float:
        """Return about ln δ at ε = K′(c), the saddle of its integrand: e^{K(c) − cε}/(c(c + 1)√(2πK″(c)))."""
        mean, variance = self.moments(order)
        log_moment = float(self.log_moment(np.array([order]))[0])
        spread = max(variance, 1e-300)
        return log_moment - order * mean - math.log(order * (order + 1)) - math.log(2 * math.pi * spread) / 2

    def log_moment(self, order: Array) -> Array:
        """ln E e^{cL} of the sum, for each of an array of orders."""
        total = np.zeros(order.size)
        for loss, log_mass, count in self.lines:
            exponent = order[:, None] * loss + log_mass
            most = np.max(exponent, axis=1)
            total += count * (most + np.log(np.sum(np.exp(exponent - most[:, None]), axis=1)))
        return total

    def rounded(self, order: float, interval: float) -> float:
        """Return the increase of ln E e^{cL} of the sum by rounding up to cells, divided by c(c + 1)."""
        total = 0.0
        for loss, log_mass, count in self.lines:
            exponent = log_mass + order * loss
            weight = np.exp(exponent - np.max(exponent))
            over = loss - np.floor(loss / interval) * interval
            up = upper_share(over, interval)
            added = up * np.exp(order * (interval - over)) + (1 - up) * np.exp(-order * over) - 1
            total += count * math.log1p(max(float(np.sum(weight * added)) / float(np.sum(weight)), 0.0))
        return total / (order * (order + 1))

    def orders(self, n_orders: int) -> Array:
        """Orders from where all losses together hardly matter to where the largest alone decides.

        Losses too small for their inverse, or beside others a hundred decades larger, decide nothing.
        """
        largest = np.array([float(np.max(abs(loss))) for loss, _, _ in self.lines])
        count = np.array([float(count) for _, _, count in self.lines])
        least = max(np.min(largest[largest > 0]), 1e-100 * np.max(largest), 1e-200)
        return np.geomspace(1e-6 / max(float(np.sum(count * largest)), 1e-200), 1e5 / least, n_orders)

    def sure(self) -> float:
        """Return an ε below which δ is 1 but for 1e-16: 1 − δ ≤ E e^{s(ε − L)}, 0 < s ≤ 1."""
        order = np.linspace(0.02, 1, 50)
        return float(np.max((-37 - self.log_moment(-order)) / order))

    def log_chance_of_largest(self) -> float:
        """ln of the probability that the loss of every run is its largest, not rounded to a safe side."""
        return math.fsum(count * float(log_mass[np.argmax(loss)]) for loss, log_mass, count in self.lines)

    def log_advantage(self) -> float:
        """ln of what δ(0) is at most, as that of each release adds up."""
        advantages = [
            count * float(np.sum(np.exp(log_mass[loss > 0]) * -np.expm1(-loss[loss > 0])))
            for loss, log_mass, count in self.lines
        ]
        return math.log(min(max(math.fsum(advantages), 1e-300), 1.0))


def log_tail(releases: Sequence[Release], log_delta: float) -> float:
    return min(log_delta, 0.0) - 35 - math.log(sum(release.count for release in releases))


def coarse_losses(releases: Sequence[Release], direction: str, log_tail: float) -> CoarseLosses:
    return CoarseLosses([(*_atoms(release, direction, log_tail), release.count) for release in releases])


def _atoms(release: Release, direction: str, log_tail: float) -> tuple[Array, Array]:
    epsilon = release.numbers[0]
    if release.losses == EXTREMES:
        log_unbroken = math.log1p(-own_delta(release))
        likely = log_unbroken - math.log1p(math.exp(-epsilon))
        return np.array([epsilon, -epsilon]), np.array([likely, likely - epsilon])
    if release.losses in LISTED:
        losses, step = lattice_losses(release.kind, release.numbers), 1
        if release.kind == "discrete_gaussian":  # at distances of up to σ its sums are right to nine digits
            step = max(int(min(release.numbers[0], losses.loss.size / 16)), 1)
        return losses.loss[::step], losses.log_mass[::step] + math.log(step)
    if release.losses == SPREAD:
        part, weight = _NODES
        outer, more = truncated_shares(epsilon, own_delta(release))
        inner = (part - 1) * epsilon / 2 + np.log(weight * epsilon / 4) + more
        return np.append(part, [1, -1]) * epsilon, np.append(inner, [outer, outer - epsilon])
    noise, rate = pair_numbers(release)
    low, high = sampled_reach(noise, rate, direction, log_tail)
    output = np.linspace(low, high, min(math.ceil((high - low) / 0.2), 4000))
    log_mass = -(output**2) / 2
    if direction == "remove":
        with np.errstate(divide="ignore"):
            log_mass = np.logaddexp(np.log1p(-rate) + log_mass, math.log(rate) - (output - 1 / noise) ** 2 / 2)
    log_mass = log_mass + math.log((output[1] - output[0]) / math.sqrt(2 * math.pi))
    return sampled_loss(noise, rate, direction, output), log_mass


def epsilon_bound(log_delta: float) -> Callable[[Array, Array], Array]:
    """ε from one order: δ ≤ M(c) e^{−cε} max of e^{−cu}(1 − e^{−u}) ([CKS20] Proposition 12, c = α − 1)."""
    return lambda order, log_moment: (log_moment - log_delta + log_gain(order)) / order


def delta_bound(epsilon: ArrayLike) -> Callable[[Array, Array], Array]:
    return lambda order, log_moment: log_moment - order * np.asarray(epsilon) + log_gain(order)


def log_gain(order: Array) -> Array:
    return -np.log1p(order) - order * np.log1p(1 / order)


def best_order(coarse: CoarseLosses, bound: Callable[[Array, Array], Array]) -> tuple[float, float]:
    """Return the order at which a bound is least, and the least: it falls and then rises."""
    order = coarse.orders(40)
    for _ in range(3):
        best = int(np.argmin(bound(order, coarse.log_moment(order))))
        order = np.geomspace(order[max(best - 1, 0)], order[min(best + 1, order.size - 1)], 16)
    values = bound(order, coarse.log_moment(order))
    best = int(np.argmin(values))
    return float(order[best]), float(values[best])
