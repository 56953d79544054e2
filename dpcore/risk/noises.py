"""μ = Δ₂/σ, θ = Δ₁/b or θ = Δ/s of the least Gaussian, Laplace or geometric noise that meets a risk, rounded down.

Units, directions and sources are those of `dpcore.risk`. θ is also the ε of the pure guarantee that the noise
satisfies. f of Laplace noise is 1 − e^θ α for α < e^{−θ}/2, then e^{−θ}/(4α) up to 1/2, then e^{−θ}(1 − α) ([DRS22]).
That of geometric noise, θ/Δ being the loss of a unit step, is piecewise linear (`dpcore.tradeoff.geometric`). It lies
between that of the pure guarantee, at Δ = 1, and that of Laplace noise.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erfinv, ndtri

from dpcore import gaussian, geometric
from dpcore.checks import LEAST_DELTA, Array, integer
from dpcore.risk.guarantees import ProfilePoint, epsilon_at_point, risk_bound
from dpcore.roots import Rows, safe_root
from dpcore.rounding import TINY, round_down, round_sum_down, round_up
from dpcore.tradeoff import geometric_power

_LEAST_LOSS = 1e-100  # below this the loss of a scale that a double holds says nothing


def mu_from_risk(kind: str, limit: ArrayLike, conditions: Sequence[ArrayLike] = ()) -> Array:
    """Return the largest μ at which Gaussian noise keeps a risk within its limit, rounded down.

    2Φ⁻¹((1 + η)/2) = 2√2 erf⁻¹(η) for an advantage η, and Φ⁻¹(power) − Φ⁻¹(α) for a power at α.

    Parameters
    ----------
    kind, limit, conditions : as in `dpcore.risk.epsilon_from_risk`. Rare outcomes of Gaussian noise leave no doubt: it
        has no answer for "outcome", nor for a posterior at α = 0.

    Returns
    -------
    μ ≥ 0, to a few roundings of |Φ⁻¹(power)| + |Φ⁻¹(α)|; 0 (no noise is enough) at the limit of a blind guess.

    Examples
    --------
    >>> f"{mu_from_risk('advantage', 0.1):.6f} {mu_from_risk('power', 0.05, [0.01]):.6f}"
    '0.251323 0.681494'
    """
    bound = risk_bound(kind, limit, conditions, limits_outcomes=False)
    if not isinstance(bound, ProfilePoint):
        return mu_at_point(bound.power, bound.alpha)
    if kind == "advantage":
        mu = round_down(np.sqrt(8) * erfinv(bound.delta), 16)
        return np.maximum(mu - 4 * TINY, 0)[()]  # of a subnormal number `round_down` moves nothing
    some = bound.delta >= LEAST_DELTA
    sigma = gaussian.analytic_sigma(bound.epsilon, np.where(some, bound.delta, 0.5))
    return np.where(some, round_down(1 / sigma, 2), 0.0)[()]


def mu_at_point(power: ArrayLike, alpha: ArrayLike) -> Array:
    """μ of the Gaussian curve that passes a point, rounded down."""
    reached, start = ndtri(power), ndtri(alpha)
    return np.maximum(round_sum_down(reached - start, abs(reached) + abs(start), 8), 0)[()]


def laplace_theta_from_risk(kind: str, limit: ArrayLike, conditions: Sequence[ArrayLike] = ()) -> Array:
    """Return the largest θ at which Laplace noise keeps a risk within its limit, rounded down.

    −2 ln(1 − η) for an advantage η. For a power at α it is ln(power/α) if power ≤ 1/2, −ln(4α(1 − power)) if
    α ≤ 1/2 < power, and ln((1 − α)/(1 − power)) if α > 1/2. For a success it is |ln((1 − π)/π)| − 2 ln(1 − δ), where δ
    is the gain over blind guesses, divided by the smaller of π and 1 − π.

    Parameters
    ----------
    kind, limit, conditions : as in `dpcore.risk.epsilon_from_risk`.

    Returns
    -------
    θ ≥ 0; of "success" as there, of others 0 (no noise is enough) at the limit of a blind guess.

    Examples
    --------
    >>> f"{laplace_theta_from_risk('advantage', 0.1):.6f} {laplace_theta_from_risk('outcome', 0.2, [0.1]):.6f}"
    '0.210721 0.810930'
    """
    bound = risk_bound(kind, limit, conditions)
    if isinstance(bound, ProfilePoint):
        return round_down(bound.epsilon - 2 * np.log1p(-bound.delta), 8)[()]
    return bound.unless_every_outcome(_laplace_theta(bound.power, bound.alpha))


def _laplace_theta(power: Array, alpha: Array) -> Array:
    """θ of the Laplace curve that passes a point, rounded down."""
    gain = power - alpha
    outer = np.log1p(gain / np.where(power <= 0.5, alpha, 1 - power))
    first, last = np.log(4 * (1 - power)), np.log(alpha)  # their product may be too small for a double
    middle = round_sum_down(-first - last, 1 + abs(first) + abs(last), 4)
    theta = np.where((power > 0.5) & (alpha <= 0.5), middle, round_down(outer, 8))
    return np.maximum(theta, 0)[()]


def geometric_theta_from_risk(
    kind: str, limit: ArrayLike, conditions: Sequence[ArrayLike] = (), sensitivity: ArrayLike = 1.0
) -> Array:
    """Return the largest θ at which geometric noise keeps a risk within its limit, rounded down.

    At Δ = 1 it is ε of `dpcore.risk.epsilon_from_risk`, ln((1 + η)/(1 − η)) for an advantage η.

    Parameters
    ----------
    kind, limit, conditions : as in `dpcore.risk.epsilon_from_risk`.
    sensitivity : Δ, a whole number in [1, 1e15].

    Returns
    -------
    θ ≥ 0, as of `laplace_theta_from_risk`. The scale is s = Δ/θ.

    Examples
    --------
    >>> f"{geometric_theta_from_risk('power', 0.8, [0.3]):.6f} {geometric_theta_from_risk('power', 0.8, [0.3], 5):.6f}"
    '1.252763 1.423472'
    """
    bound = risk_bound(kind, limit, conditions)
    steps = integer("sensitivity", sensitivity, geometric.SENSITIVITY_RANGE)
    if isinstance(bound, ProfilePoint):
        epsilon, delta, steps = np.broadcast_arrays(*bound, steps)
        some = epsilon + delta >= _LEAST_LOSS
        scale = geometric.scale_from_epsilon(np.where(some, epsilon, 1.0), delta, steps)
        return np.where(some, round_down(steps / scale, 2), 0.0)[()]
    return bound.unless_every_outcome(_geometric_theta(bound.power, bound.alpha, steps))


def _geometric_theta(power: Array, alpha: Array, steps: Array) -> Array:
    """θ of the geometric curve that passes a point, between those of a pure guarantee and of Laplace noise."""
    power, alpha, steps = np.broadcast_arrays(power, alpha, steps)
    shape, power, alpha, steps = power.shape, power.ravel(), alpha.ravel(), steps.ravel()
    theta = epsilon_at_point(power, alpha)  # the answer at Δ = 1
    rows = np.flatnonzero((steps > 1) & (theta > 0))
    power, alpha, steps, low = power[rows], alpha[rows], steps[rows], theta[rows]
    high = np.maximum(round_up(_laplace_theta(power, alpha), 32), low)

    def power_excess(places: Rows, inverse: Array) -> Array:
        tested = np.maximum(1 / inverse, low[places])
        gain = geometric_power(alpha[places], tested, steps[places]) - power[places]
        return np.where(tested > low[places], gain, 0.0)  # the lower end meets the risk

    theta[rows] = np.maximum(1 / safe_root(power_excess, 1 / high, 1 / high), low)
    return theta.reshape(shape)[()]
