"""Trade-off curves of truncated Laplace and geometric noise: with probability δ an outcome identifies the person."""

import numpy as np

from dpcore import truncated_geometric, truncated_laplace
from dpcore.checks import Array, scalar, scalar_integer
from dpcore.rounding import TINY, ULP
from dpcore.tradeoff.curve import Curve, no_mu
from dpcore.tradeoff.forms import EPSILON_RANGE, grown, lower, upper
from dpcore.tradeoff.profile_curves import profile_curve

_STEPS_RANGE = "[1, 10000]"


def truncated_laplace_curve(epsilon: float, delta: float, name: str | None = None) -> Curve:
    """Return the curve of truncated Laplace noise of (ε, δ)-DP:
    1 − δ − e^ε α, then a hyperbola, then e^{−ε}(1 − δ − α) (own).

    With g = δ/(e^ε − 1) the middle is (½ + g)² e^{−ε}/(α + g) − g, from α = e^{−ε}(½ − δ) to ½. f(0) = 1 − δ: without a
    false positive an attack finds the person with probability δ.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    delta : in [1e-300, 0.5].

    Examples
    --------
    >>> curve = truncated_laplace_curve(1, 0.01)
    >>> f"{curve(0):.4f} {curve(0.05):.4f} {curve(0.3):.4f}"
    '0.9900 0.8541 0.3020'
    """
    epsilon, delta = scalar("epsilon", epsilon, EPSILON_RANGE), scalar("delta", delta, "[1e-300, 0.5]")
    bound, scale = truncated_laplace.bound_from_epsilon(epsilon, delta), truncated_laplace.scale_from_epsilon(epsilon)

    def miss(alpha: Array) -> tuple[Array, Array]:
        """β, and an error that its rounding does not exceed."""
        with np.errstate(over="ignore", under="ignore"):
            risen, shrunk, growth = (
                grown(alpha, np.asarray(epsilon)),
                np.exp(-epsilon),
                np.expm1(epsilon) / delta,
            )  # 1/g
            # Divided by g, or not, whichever is the smaller number: g is infinite at ε = 0 and may be below any double.
            g = 1 / max(growth, 1.0)
            first = shrunk / 4 if growth > 1 else -np.expm1(-epsilon) / (4 * delta)
            whole = np.maximum(alpha + g if growth > 1 else 1 + alpha * growth, TINY)
            middle = (first + g * (shrunk * (1 - delta) - alpha)) / whole
            doubt = 8 * ULP * (first + g * (shrunk * (1 - delta) + alpha)) / whole + TINY
        steep, flat = 1 - delta - risen, shrunk * np.maximum(1 - delta - alpha, 0)
        value = np.where(risen <= 0.5 - delta, steep, np.where(alpha >= 0.5, flat, middle))
        return np.maximum(value, 0), np.where(risen <= 0.5 - delta, 8 * ULP, doubt)

    def beta(alpha: Array) -> Array:
        value, doubt = miss(alpha)
        return lower(np.maximum(value - doubt, 0), np.asarray(8.0))

    def power(alpha: Array) -> Array:
        value, doubt = miss(alpha)
        risen = grown(alpha, np.asarray(epsilon))
        return upper(np.where(risen <= 0.5 - delta, delta + risen, 1 - value + doubt), np.asarray(8.0))

    def epsilon_at(target: Array) -> Array:
        inner = np.clip(target, 1e-300, 1 - ULP)
        value = truncated_laplace.epsilon_from_bound(inner, bound, scale)
        return np.where(target < delta, np.inf, np.where(target == 1, 0.0, np.minimum(value, epsilon)))[()]

    curve = Curve(
        name or f"truncated Laplace ε = {epsilon:.4g}, δ = {delta:.4g}",
        beta,
        power,
        lambda at: truncated_laplace.delta_from_bound(at, bound, scale),
        lambda: curve,
        lambda: no_mu(delta, 0.0),
        epsilon_at,
    )
    return curve


def truncated_geometric_curve(epsilon: float, bound: float, sensitivity: float = 1.0, name: str | None = None) -> Curve:
    """Return the curve of truncated geometric noise of scale Δ/ε up to ±N: lines of the slopes e^{±ε(1 − 2m/Δ)}.

    At Δ = 1 it is f_{ε,δ} with δ = Pr(noise = N), the curve of the worst mechanism of (ε, δ)-DP.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    bound : N, a whole number in [1, 1e6], and at least Δ.
    sensitivity : Δ, a whole number in [1, 10,000].

    Examples
    --------
    >>> f"{truncated_geometric_curve(1, 4)(0.05):.4f}"
    '0.8555'
    """
    epsilon, steps = scalar("epsilon", epsilon, EPSILON_RANGE), scalar_integer("sensitivity", sensitivity, _STEPS_RANGE)
    bound = scalar_integer("bound", bound, truncated_geometric.TRUNCATION_RANGE)
    loss = epsilon * (1 - 2 * np.arange(steps // 2 + 1) / steps)
    scale = truncated_geometric.scale_from_epsilon(epsilon, steps)
    delta = truncated_geometric.delta_from_bound(loss, bound, scale, steps)
    words = name or f"truncated geometric ε = {epsilon:.4g}, N = {bound:.0f}"
    places = np.unique(loss, return_index=True)[1]
    return profile_curve(loss[places], delta[places], words)
