"""The curve object: a trade-off function f from closed forms, from points, from a privacy profile or from a function.

f(α) is the least type II error of any test of "which of two neighbouring data sets?" whose type I error is α: convex,
non-increasing, 0 ≤ f(α) ≤ 1 − α. A piecewise linear curve is held as its supporting lines, one per slope −e^ε: the line
says f(α) ≥ 1 − δ − e^ε α, and, seen from the other axis, f(α) ≥ e^ε (1 − α − δ'), where δ and δ' are the privacy
profiles of f and of its inverse at ε and −ε. Both intercepts are kept, so neither end of the curve loses digits.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, ndtri

from dpcore.checks import PROBABILITY_RANGE, Array, number, scalar, scalar_integer
from dpcore.rounding import ULP, round_sum_down, round_up
from dpcore.tradeoff.forms import grown, lower, upper

Function = Callable[[Array], Array]
TOUCHES = "G_μ touches the curve at a corner and stays beneath it elsewhere"
SMALLEST_LOGIT, LARGEST_LOGIT = -690.0, 36.0  # α from 1e-300 to the last double below 1


@dataclass(frozen=True)
class SmallestMu:
    """The least μ with f ≥ G_μ, rounded up; ∞ if there is none.

    `alpha` is the type I error at which G_μ touches f (where f leaves every G_μ, if μ is ∞) and `reason` says in a
    sentence why that is the least.
    """

    mu: float
    alpha: float
    reason: str


@dataclass(frozen=True)
class Lines:
    """Supporting lines by decreasing slope: `epsilon` (log of the slope's size), `delta` and `mirrored` (intercepts).

    Line i: f(α) ≥ 1 − delta − e^epsilon α = e^epsilon (1 − α − mirrored).
    """

    epsilon: Array
    delta: Array
    mirrored: Array

    def vertices(self) -> tuple[Array, Array, Array, Array]:
        """α, 1 − α, β and 1 − β of the corners, the two ends included; no one is one minus another."""
        step = -np.expm1(np.diff(self.epsilon))
        rise = np.diff(self.delta) / step
        fall = -np.diff(self.mirrored) / step
        power, specificity = self.delta[:-1] + rise, self.mirrored[1:] + fall
        steep, flat = self.epsilon[:-1], self.epsilon[1:]
        alpha = np.where(steep > 0, np.exp(-np.maximum(steep, 0)) * rise, 1 - specificity)
        beta = np.where(flat < 0, np.exp(np.minimum(flat, 0)) * fall, 1 - power)
        first, last = self.delta[0], self.mirrored[-1]
        return (
            np.concatenate([[0.0], alpha, [1 - last]]),
            np.concatenate([[1.0], specificity, [last]]),
            np.concatenate([[1 - first], beta, [0.0]]),
            np.concatenate([[first], power, [1.0]]),
        )

    def mirror(self) -> "Lines":
        """Return the lines of the inverse curve."""
        return Lines(-self.epsilon[::-1], self.mirrored[::-1], self.delta[::-1])


NO_GUARANTEE = Lines(np.array([0.0]), np.array([1.0]), np.array([1.0]))  # f ≥ 0: no guarantee


@dataclass(frozen=True)
class Curve:
    """A trade-off function: what to call it, and what can be computed of it. Made by the functions `…_curve`.

    `beta` and `power` map α to f(α), rounded down, and 1 − f(α), rounded up. `delta` maps ε ≥ 0 to the privacy profile
    of f; `inverse` makes the curve of the exchanged errors; `lines` is there if the curve is piecewise linear.
    `mu` is that of a Gaussian, `rho` that of zCDP, and `pure_epsilon` the least ε in [0, 1e6] for which the curve
    guarantees pure ε-DP, so that no single outcome says more; None where there is none.
    """

    name: str
    beta: Function
    power: Function
    delta: Function
    inverse: Callable[[], "Curve"]
    find_mu: Callable[[], SmallestMu]
    epsilon: Function | None = None
    lines: Lines | None = None
    mu: float | None = None
    rho: float | None = None
    pure_epsilon: float | None = None

    def __call__(self, alpha: ArrayLike) -> Array:
        """f(α) for α in [0, 1]."""
        return self.beta(number("alpha", alpha, PROBABILITY_RANGE))

    def named(self, name: str) -> "Curve":
        """Return the same curve under another name."""
        return replace(self, name=name)

    def points(self, n_points: int = 401, smallest_alpha: float = 1e-12) -> pd.DataFrame:
        """Columns alpha, beta and power at 0, at 1, at every corner, and at points dense near both ends.

        Between `smallest_alpha` and one minus it the points are even in logit(α), which is even in log α at the low end
        and in log(1 − α) at the high one.
        """
        smallest_alpha = scalar("smallest_alpha", smallest_alpha, "[1e-300, 0.5)")
        n_points = scalar_integer("n_points", n_points, "[2, 1e6]")
        low = math.log(smallest_alpha) - math.log1p(-smallest_alpha)
        alpha = [np.array([0.0, 1.0]), expit(np.linspace(low, min(-low, LARGEST_LOGIT), n_points))]
        if self.lines is not None:
            alpha.append(self.lines.vertices()[0])
        alpha = np.unique(np.concatenate(alpha))
        return pd.DataFrame({"alpha": alpha, "beta": self.beta(alpha), "power": self.power(alpha)})


def lines_curve(lines: Lines, name: str) -> Curve:
    """Return the curve of given supporting lines, each of which must touch it."""
    alpha, specificity, _, _ = lines.vertices()
    breaks = np.maximum.accumulate(alpha[1:-1])
    mirrored_breaks = np.maximum.accumulate(specificity[-2:0:-1])
    last = len(lines.epsilon) - 1
    doubt = 8 + 2 * abs(lines.epsilon)

    def place(alpha: Array) -> NDArray[np.intp]:
        low = np.searchsorted(breaks, alpha)
        high = last - np.searchsorted(mirrored_breaks, 1 - alpha)
        return np.where(alpha > 0.5, high, low)

    def beta(alpha: Array) -> Array:
        i = place(alpha)
        epsilon, delta, mirrored = lines.epsilon[i], lines.delta[i], lines.mirrored[i]
        exact = (alpha == 0) & (delta == 0)
        steep = round_sum_down(1 - delta - grown(alpha, epsilon), np.where(exact, 0.0, doubt[i]))
        flat = np.exp(np.minimum(epsilon, 0)) * np.maximum(1 - alpha - mirrored - 2 * ULP * (mirrored > 0), 0)
        return np.where(epsilon > 0, np.maximum(steep, 0), lower(flat, np.where(exact, 0, doubt[i])))[()]

    def power(alpha: Array) -> Array:
        i = place(alpha)
        return upper(lines.delta[i] + grown(alpha, lines.epsilon[i]), np.where(alpha > 0, doubt[i], 0.0))

    def delta(epsilon: Array) -> Array:
        i = np.maximum(len(lines.epsilon) - np.searchsorted(lines.epsilon[::-1], epsilon) - 1, 0)
        steeper = lines.epsilon[i] >= epsilon
        flatter = np.append(lines.epsilon[1:], -np.inf)[i]
        share = np.where(
            steeper, np.expm1(np.minimum(epsilon - lines.epsilon[i], 0)) / np.expm1(flatter - lines.epsilon[i]), 0
        )
        return upper(
            lines.delta[i] + (np.append(lines.delta[1:], 1.0)[i] - lines.delta[i]) * share,
            np.where(share > 0, 8.0, 0.0),
        )

    def epsilon(delta: Array) -> Array:
        i = np.maximum(np.searchsorted(lines.delta, delta, side="right") - 1, 0)
        flatter = np.append(lines.epsilon[1:], -np.inf)[i]
        rise = np.append(lines.delta[1:], 1.0)[i] - lines.delta[i]
        share = np.clip((delta - lines.delta[i]) / np.where(rise > 0, rise, 1), 0, 1)
        left = 1 + share * np.expm1(flatter - lines.epsilon[i])  # e^{ε − ε_i}
        with np.errstate(divide="ignore"):
            values = np.maximum(lines.epsilon[i] + np.log(left), 0)
        doubt = np.where((values > 0) & (share > 0), 8 * ULP * (values + 1 / np.maximum(left, ULP)), 0)
        most = max(lines.epsilon[0], 0.0)  # the steepest line is a guarantee itself
        return np.where(delta < lines.delta[0], np.inf, np.minimum(values + doubt, most))[()]

    return Curve(
        name,
        beta,
        power,
        delta,
        lambda: lines_curve(lines.mirror(), f"inverse of {name}"),
        lambda: _lines_mu(lines),
        epsilon,
        lines,
        pure_epsilon=_pure_epsilon(lines),
    )


def _pure_epsilon(lines: Lines) -> float | None:
    steepest = max(float(lines.epsilon[0]), -float(lines.epsilon[-1]))
    return steepest if lines.delta[0] == 0 and lines.mirrored[-1] == 0 and steepest <= 1e6 else None


def _lines_mu(lines: Lines) -> SmallestMu:
    if lines.delta[0] > 0:
        return no_mu(float(lines.delta[0]), 0.0)
    if lines.mirrored[-1] > 0:
        return no_mu(float(lines.mirrored[-1]), 1 - float(lines.mirrored[-1]))
    return corner_mu(*(part[1:-1] for part in lines.vertices()))


def corner_mu(alpha: Array, specificity: Array, beta: Array, power: Array) -> SmallestMu:
    """Return the least μ of a piecewise linear curve from (0, 1) to (1, 0): convex, G_μ touches it at a corner."""
    if not alpha.size:
        return SmallestMu(0.0, 0.5, "f(α) = 1 − α is G₀ itself")
    mu = -quantile(alpha, specificity) - quantile(beta, power)
    best = int(np.argmax(mu))
    lost = "no finite μ can be given: a corner of the curve is too near an axis for a double"
    return SmallestMu(mu_up(float(mu[best])), float(alpha[best]), lost if mu[best] == np.inf else TOUCHES)


def no_mu(certain: float, alpha: float) -> SmallestMu:
    """Return the answer where f, or its inverse, starts at 1 − `certain` < 1."""
    which, error = ("f(0)", "positive") if alpha == 0 else ("the inverse curve at 0", "negative")
    side = f"without a false {error}"
    reason = (
        f"no finite μ exists: {which} is 1 − {certain:.4g}, below 1: an attack {side} succeeds with probability "
        f"{certain:.4g}, while every G_μ starts at 1"
    )
    return SmallestMu(math.inf, alpha, reason)


def mu_up(mu: float) -> float:
    """Return a μ rounded up by what its two quantiles may be off."""
    return round_up(max(mu, 0.0), 64) + 64 * ULP


def quantile(small: Array, rest: Array) -> Array:
    """Φ⁻¹ of a probability of which the rest to 1 is also known."""
    return np.where(small < 0.5, ndtri(small), -ndtri(rest))
