"""What Laplace's tail costs in Gaussian noise ([Liu19] Fig. 5).

Units, rounding and references are those of `dpcore.gaussian`.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erfinv, log_ndtr, ndtri_exp

from dpcore.checks import Array, number
from dpcore.gaussian.published_bounds import pdp_epsilon
from dpcore.normal import mills_ratio_kernel
from dpcore.rounding import round_up


def laplace_tail_sigma(t: ArrayLike, laplace_scale: ArrayLike) -> Array:
    """The σ whose tail at t is that of Laplace noise, 2Φ(−t/σ) = e^{−t/b}: σ = t/q(e^{−t/b}) ([Liu19] Fig. 5, own).

    Parameters
    ----------
    t : distance from the truth, at least 0, in query units; at 0 the limit, b √(2/π).
    laplace_scale : b in [1e-150, 1e150], in query units.

    Returns
    -------
    σ in query units, to a relative 2e-15.

    Examples
    --------
    >>> print(f"{laplace_tail_sigma(t=3, laplace_scale=1):.4f}")  # tail e⁻³ at 3
    1.5292
    """
    t, scale = number("t", t, "[0, 1e150]"), number("laplace_scale", laplace_scale, "[1e-150, 1e150]")
    return scale / _quantile_slope(t / scale)


def _quantile_slope(x: Array) -> Array:
    """−Φ⁻¹(e^{−x}/2)/x; at x = 0 its limit √(π/2). SciPy's ndtri_exp is off by 5e-13, so a step of Newton's follows."""
    near = np.clip(x, 1e-290, 1)
    far = np.maximum(x, np.log(2))
    root = -ndtri_exp(-far - np.log(2))
    root = root + (log_ndtr(-root) + far + np.log(2)) * mills_ratio_kernel(root)
    return np.where(x < np.log(2), np.sqrt(2) * erfinv(-np.expm1(-near)) / near, root / far)


def relative_privacy_cost(
    t: ArrayLike,
    epsilon: ArrayLike,
    delta: ArrayLike,
    l1_sensitivity: ArrayLike = 1.0,
    l2_sensitivity: ArrayLike = 1.0,
) -> Array:
    """ε₂/ε₁ at the same tail at t: Laplace noise of ε₁-DP against the pDP Gaussian of (ε₂, δ) ([Liu19] Fig. 5).

    In closed form (own): σ = t/q(e^{−tε₁/Δ₁}), q(x) = −Φ⁻¹(x/2), has Laplace's tail, and Eq. 17 asks for that σ at
    ε₂ = Δ₂ (q(δ) + Δ₂/(2σ))/σ. Above 1 the Gaussian pays more privacy for the same tail.

    Parameters
    ----------
    t : distance from the truth in [0, 1e150], in query units; at 0 the limit.
    epsilon : ε₁ of the Laplace mechanism in [1e-100, 1e6].
    delta : in [1e-300, 1), of probabilistic DP.
    l1_sensitivity, l2_sensitivity : Δ₁ and Δ₂ in [1e-40, 1e40], in query units.

    Returns
    -------
    ε₂/ε₁, dimensionless, rounded up: above the true value by a relative 1e-14 at most.

    Examples
    --------
    >>> print(f"{relative_privacy_cost(t=3, epsilon=1, delta=0.01):.4f}")
    1.8982
    """
    epsilon = number("epsilon", epsilon, "[1e-100, 1e6]")
    l1 = number("l1_sensitivity", l1_sensitivity, "[1e-40, 1e40]")
    sigma = laplace_tail_sigma(t, l1 / epsilon)
    cost = pdp_epsilon(delta, sigma, number("l2_sensitivity", l2_sensitivity, "[1e-40, 1e40]"))
    return round_up(cost / epsilon, 16)
