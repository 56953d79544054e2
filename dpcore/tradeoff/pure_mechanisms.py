"""Trade-off curves of privacy profiles, of an (ε, δ) guarantee, of Laplace and of geometric noise; μ of pure ε-DP.

The curve of a profile is the largest of its supporting lines.
"""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erfinv, ndtri_exp

from dpcore.checks import EPSILON_RANGE, PROBABILITY_RANGE, Array, number, scalar, scalar_integer
from dpcore.rounding import round_sum_up, round_up
from dpcore.tradeoff import forms
from dpcore.tradeoff.curve import NO_GUARANTEE, TOUCHES, Curve, Lines, SmallestMu, lines_curve, mu_up
from dpcore.tradeoff.forms import upper


def profile_curve(
    epsilon: ArrayLike, delta: ArrayLike, name: str = "profile", inverse_delta: ArrayLike | None = None
) -> Curve:
    """Return the curve of a privacy profile: f(α) = max over i of f_{ε_i, δ_i}(α) ([DRS22]).

    Every (ε_i, δ_i) is a guarantee, so f is what they guarantee together; points that guarantee nothing beyond the
    others drop out. For a profile known as a function give a grid of it: between the points the curve then guarantees a
    little less than the whole profile, never more.

    Parameters
    ----------
    epsilon : in [0, 1e6], in any order, at most 10⁵ of them.
    delta : in [0, 1], as many.
    inverse_delta : the profile of the inverse curve at the same ε, if it is another.

    Examples
    --------
    >>> f"{profile_curve([0, 1], [0.3, 0.01])(0.1):.4f}"
    '0.7182'
    """
    epsilon = number(f"epsilon of {name}", epsilon, EPSILON_RANGE).ravel()
    delta = number(f"delta of {name}", delta, PROBABILITY_RANGE).ravel()
    behind = (
        delta if inverse_delta is None else number(f"inverse_delta of {name}", inverse_delta, PROBABILITY_RANGE).ravel()
    )
    if epsilon.shape != delta.shape or behind.shape != delta.shape or not 1 <= epsilon.size <= 100_000:
        raise ValueError(
            f"{name} must have from 1 to 100,000 epsilon and as many delta, got {epsilon.size} and {delta.size}"
        )
    return lines_curve(profile_lines(epsilon, delta, behind), name)


def profile_lines(epsilon: Array, delta: Array, inverse_delta: Array) -> Lines:
    """Return the lines of the guarantees of two profiles at the same ε: each at ε and, from the other axis, at −ε."""
    shrunk = np.exp(-epsilon)
    return _envelope(
        np.concatenate([epsilon, -epsilon]),
        np.concatenate([delta, shrunk * inverse_delta - np.expm1(-epsilon)]),
        np.concatenate([shrunk * delta - np.expm1(-epsilon), inverse_delta]),
    )


def _envelope(epsilon: Array, delta: Array, mirrored: Array) -> Lines:
    """Return the lines, out of many, that touch the largest of all: the lower hull of the points (e^ε, δ).

    The horizontal line f ≥ 0 and the vertical one α ≥ 0 stand at the ends. A line is judged on the intercept that is
    small for its slope: δ if it is steeper than 1, the mirrored one if it is not.
    """
    order = np.lexsort((mirrored, delta, -epsilon))
    order = order[np.append(True, np.diff(epsilon[order]) < 0)]
    slope = [math.inf, *epsilon[order].tolist(), -math.inf]
    ahead = [0.0, *delta[order].tolist(), 1.0]
    behind = [1.0, *mirrored[order].tolist(), 0.0]

    indices: list[int] = []

    def above(left: int, middle: int, right: int) -> bool:
        width = math.expm1(slope[right] - slope[left])
        if slope[middle] >= 0:
            share = math.expm1(slope[middle] - slope[left]) / width
            return ahead[middle] >= ahead[left] + (ahead[right] - ahead[left]) * share
        back = math.expm1(slope[right] - slope[middle]) / width
        return behind[middle] >= behind[right] + (behind[left] - behind[right]) * back

    for point in range(len(slope)):
        while len(indices) > 1 and above(indices[-2], indices[-1], point):
            indices.pop()
        indices.append(point)
    touching = indices[1:-1]
    if not touching:  # f = 0: no test errs
        return NO_GUARANTEE
    return Lines(*(np.array(part)[touching] for part in (slope, ahead, behind)))


def symmetrised_curve(curve: Curve, name: str | None = None) -> Curve:
    """max(f, f⁻¹): what f guarantees once neighbouring data sets can be exchanged ([DRS22]); its own inverse.

    A curve that is not its own inverse must be piecewise linear.

    Examples
    --------
    >>> from dpcore.tradeoff import points_curve
    >>> f"{symmetrised_curve(points_curve([0, 0.2], [1, 0.3]))(0.3):.4f}"
    '0.2625'
    """
    inverse, words = curve.inverse(), name or f"{curve.name}, symmetrised"
    if inverse is curve:
        return curve.named(words)
    if curve.lines is None:
        raise ValueError(f"curve must be piecewise linear or its own inverse, got {curve.name}")
    forth, back = curve.lines, curve.lines.mirror()
    both = _envelope(
        np.concatenate([forth.epsilon, back.epsilon]),
        np.concatenate([forth.delta, back.delta]),
        np.concatenate([forth.mirrored, back.mirrored]),
    )
    return lines_curve(both, words)


MOST_STEPS = 10_000


_LEAST_STEP = 1e-300  # Below this θ/Δ, where doubles lose relative precision, the pure guarantee stands for the curve.


def epsilon_delta_curve(epsilon: float, delta: float = 0.0, name: str | None = None) -> Curve:
    """f_{ε,δ}, the curve of (ε, δ)-DP ([DRS22]), for ε in [0, 1e6] and δ in [0, 1]; pure ε-DP at δ = 0.

    Examples
    --------
    >>> f"{epsilon_delta_curve(1, 1e-5)(0.05):.4f}"
    '0.8641'
    """
    epsilon, delta = scalar("epsilon", epsilon, EPSILON_RANGE), scalar("delta", delta, PROBABILITY_RANGE)
    words = f"({epsilon:.4g}, {delta:.4g})-DP" if delta else f"{epsilon:.4g}-DP"
    curve = profile_curve([epsilon], [delta], name or words)
    if delta > 0:
        return curve
    corner = 1 / (1 + math.exp(min(epsilon, 700)))
    return replace(curve, find_mu=lambda: SmallestMu(float(mu_from_epsilon(epsilon)), corner, TOUCHES))


def laplace_curve(theta: float, name: str | None = None) -> Curve:
    """Return the curve of Laplace noise with Δ₁/b = θ in [0, 1e6]; δ(ε) = 1 − e^{(ε−θ)/2} below θ, 0 from there on.

    Examples
    --------
    >>> f"{laplace_curve(1)(0.05):.4f}"
    '0.8641'
    """
    theta = scalar("theta", theta, EPSILON_RANGE)

    def delta(epsilon: Array) -> Array:
        gap = np.minimum((epsilon - theta) / 2, 0)
        return upper(-np.expm1(gap), np.where(gap < 0, 4.0, 0.0))

    def epsilon(delta: Array) -> Array:
        with np.errstate(divide="ignore"):
            value = np.maximum(theta + 2 * np.log1p(-delta), 0)
        rounded = np.minimum(round_sum_up(value, np.asarray(theta + 1), 8), theta)  # θ itself is guaranteed
        return np.where((value > 0) & (delta > 0), rounded, value)[()]

    curve = Curve(
        name or f"Laplace θ = {theta:.4g}",
        lambda alpha: forms.laplace(alpha, theta),
        lambda alpha: forms.laplace_power(alpha, theta),
        delta,
        lambda: curve,
        lambda: SmallestMu(
            float(mu_from_laplace(theta)), math.exp(-theta / 2) / 2, "μ = 2Φ⁻¹(1 − ½e^{−θ/2}), where α = β"
        ),
        epsilon,
        pure_epsilon=theta,
    )
    return curve


def geometric_curve(theta: float, sensitivity: float = 1.0, name: str | None = None) -> Curve:
    """Return the curve of two-sided geometric noise: Δ + 1 lines.

    θ = Δ/scale is in [0, 1e6], Δ a whole number in [1, 10,000].

    Its pure ε is θ itself. No δ(ε) that is read from it is too small, and a relative 1e-12 is the most by which one is
    too large beyond what moving ε by a few roundings does, which is much where ε is next to θ.

    Examples
    --------
    >>> f"{geometric_curve(1, 5)(0.05):.4f}"
    '0.8641'
    """
    theta = scalar("theta", theta, EPSILON_RANGE)
    steps = scalar_integer("sensitivity", sensitivity, f"[1, {MOST_STEPS}]")
    step = theta / steps
    words = name or f"geometric θ = {theta:.4g}"
    if step < _LEAST_STEP:
        return epsilon_delta_curve(theta, 0.0, words)
    lines = _geometric_lines(theta, steps)
    k = np.arange(float(steps), -1, -1)

    def find_mu() -> SmallestMu:
        rest = np.log1p(np.exp(-step))
        alpha, beta = -k[:-1] * step - rest, -(steps - k[:-1] + 1) * step - rest  # logarithms, at the corners
        mu = -ndtri_exp(alpha) - ndtri_exp(beta)
        best = int(np.argmax(mu))
        return SmallestMu(mu_up(float(mu[best])), math.exp(alpha[best]), TOUCHES)

    curve = replace(
        lines_curve(lines, words),
        beta=lambda alpha: forms.geometric(alpha, theta, steps),
        power=lambda alpha: forms.geometric_power(alpha, theta, steps),
        inverse=lambda: curve,
        find_mu=find_mu,
    )
    return curve


def _geometric_lines(theta: float, steps: int) -> Lines:
    """Return the lines of `geometric_curve`: for k = Δ … 0 the loss (2k − Δ)θ/Δ, where δ = 1 − e^{−(Δ − k)θ/Δ}.

    Every loss is computed from θ and Δ, not from a rounded θ/Δ, and rounded away from 0. So the two outermost lines
    stand at ±θ exactly, and no line stands nearer to 0 than its loss. Both intercepts are rounded up, by more than the
    rounding of the loss can change the larger one of the two; the outermost ones are 0 exactly.
    """
    k = np.arange(float(steps), -1, -1)
    size = np.minimum(round_up(abs(2 * k - steps) * theta / steps, 2), theta)
    intercept = np.minimum(round_up(-np.expm1(-k * theta / steps), 8), 1)
    return Lines(np.copysign(size, 2 * k - steps), intercept[::-1], intercept)


def mu_from_laplace(theta: ArrayLike) -> Array:
    """Return the smallest μ of Laplace noise, 2Φ⁻¹(1 − ½e^{−θ/2}), rounded up (own; mathematics of R `fdp::est_gdp`).

    Parameters
    ----------
    theta : Δ₁/b in [0, 1e6].

    Examples
    --------
    >>> f"{mu_from_laplace(1):.4f}"
    '1.0301'
    """
    theta = number("theta", theta, EPSILON_RANGE)
    return mu_at_middle(-np.expm1(-theta / 2), -theta / 2 - np.log(2))


def mu_from_epsilon(epsilon: ArrayLike) -> Array:
    """Return the smallest μ of pure ε-DP, −2Φ⁻¹(1/(1 + e^ε)), rounded up (own).

    Parameters
    ----------
    epsilon : in [0, 1e6], in nats.

    Examples
    --------
    >>> f"{mu_from_epsilon(1):.4f}"
    '1.2320'
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    return mu_at_middle(np.tanh(epsilon / 2), -np.logaddexp(0, epsilon))


def mu_at_middle(advantage: Array, log_error: Array | float) -> Array:
    """−2Φ⁻¹(α) where α = β: from 1 − 2α, or from log α where α is small; rounded up."""
    near = np.sqrt(8) * erfinv(np.minimum(advantage, 0.5))
    return round_up(np.where(advantage < 0.5, near, -2 * ndtri_exp(log_error)), 32)[()]
