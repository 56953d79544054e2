"""The ε of Gaussian noise with the same tail as Laplace noise ([Liu19] Fig. 5).

Units, rounding and references are those of `dpcore.gaussian`.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erfinv, log_ndtr, ndtri_exp

from dpcore.checks import Array, number
from dpcore.normal import mills_ratio


def laplace_tail_sigma(t: ArrayLike, laplace_scale: ArrayLike) -> Array:
    """Return the σ whose tail at t is that of Laplace noise, 2Φ(−t/σ) = e^{−t/b}:
    σ = t/q(e^{−t/b}) ([Liu19] Fig. 5, own).

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
    root = root + (log_ndtr(-root) + far + np.log(2)) * mills_ratio(root)
    return np.where(x < np.log(2), np.sqrt(2) * erfinv(-np.expm1(-near)) / near, root / far)
