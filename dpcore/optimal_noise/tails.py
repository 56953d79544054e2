"""The least half-width and the least tail of any noise for one number, in closed form.

Let T(x) = Pr(noise ≥ x) of symmetric noise. A move by Δ gives T(x − Δ) ≤ e^ε T(x) + δ, so that T(x) ≤ α/2 implies
T(x − nΔ) ≤ U_n = e^{nε} α/2 + δ(e^{nε} − 1)/(e^ε − 1). If 2x ≤ (m + n)Δ, then T(x − mΔ) + T(x − nΔ) ≥ 1, since the
one is 1 less what lies beyond the other. So U_m + U_n ≥ 1 is necessary. Noise that is not symmetric has the same
half-widths as its equal mixture with its mirror image. On the whole numbers and at Δ = 1 the bounds are reached.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import exprel

from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, SENSITIVITY_RANGE, SIGNIFICANCE_RANGE, Array, number
from dpcore.rounding import ULP, round_down, round_up

_THRESHOLD_RANGE = "[0, 1e150]"
_ROUNDINGS = 64


def least_half_width(
    significance: ArrayLike, epsilon: ArrayLike, delta: ArrayLike, sensitivity: ArrayLike = 1.0
) -> Array:
    """jΔ/2 for the largest j with U_m + U_{j−m} < 1, m = ⌊j/2⌋: no noise of (ε, δ)-DP has a smaller half-width (own).

    Parameters
    ----------
    significance : α in [1e-300, 1).
    epsilon : in [0, 1e6].
    delta : in [1e-300, 1).
    sensitivity : Δ in [1e-100, 1e100], in query units.

    Returns
    -------
    a ≥ 0 in query units, rounded down: Pr(|noise| > t) > α for all t < a. It rises in steps of Δ/2, so that it is close
    to the least half-width where that is many times Δ, and 0 where ε is large.

    Examples
    --------
    >>> print(least_half_width(0.05, epsilon=[0.1, 1, 3], delta=0.01))
    [16.   2.5  0.5]
    """
    alpha, epsilon = number("significance", significance, SIGNIFICANCE_RANGE), number("epsilon", epsilon, EPSILON_RANGE)
    delta, sensitivity = number("delta", delta, DELTA_RANGE), number("sensitivity", sensitivity, SENSITIVITY_RANGE)
    with np.errstate(under="ignore"):
        shrink = np.exp(-epsilon)
        start = alpha * -np.expm1(-epsilon) / 2 + delta * shrink  # times e^ε/(e^ε − 1) it is U_0 + δ/(e^ε − 1)
        odd = (1 - delta) * shrink / (1 + shrink) - alpha / 2
        steps = [_n_steps(room, start, epsilon) for room in ((1 - alpha) / 2, odd)]
    halves = np.maximum(2 * steps[0], 2 * steps[1] + 1)
    return round_down(np.maximum(halves, 0) / 2 * sensitivity, 4)[()]


def _n_steps(room: Array, start: Array, epsilon: Array) -> Array:
    """Return the largest whole n with U_n < U_0 + room, rounded down; −1 where room is not positive."""
    small = np.minimum(epsilon, 1.0)
    slope = np.maximum(room, 0) * exprel(-small) / start
    excess = slope * small
    near = slope * np.where(excess > 0, np.log1p(excess) / np.where(excess > 0, excess, 1), 1)
    far = np.log1p(np.maximum(room, 0) * -np.expm1(-epsilon) / start) / np.maximum(epsilon, 1.0)
    real = np.where(epsilon <= 1, near, far) * (1 - _ROUNDINGS * ULP) - _ROUNDINGS * ULP
    return np.where(room > 0, np.maximum(np.ceil(real) - 1, 0), -1.0)


def least_tail(t: ArrayLike, epsilon: ArrayLike, delta: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return a lower bound on Pr(|noise| > t) of any noise of (ε, δ)-DP (own).

    It is the α with U_m + U_n = 1, m + n = ⌊2t/Δ⌋ + 1.

    Parameters
    ----------
    t : in [0, 1e150], in query units.
    epsilon, delta, sensitivity : as in `least_half_width`.

    Returns
    -------
    α in [0, 1], rounded down; 0 where noise with no error beyond ±t may exist.

    Examples
    --------
    >>> print(least_tail([0, 2, 5], epsilon=1, delta=0.01).round(4))
    [0.5325 0.062  0.    ]
    """
    t, epsilon = number("t", t, _THRESHOLD_RANGE), number("epsilon", epsilon, EPSILON_RANGE)
    delta, sensitivity = number("delta", delta, DELTA_RANGE), number("sensitivity", sensitivity, SENSITIVITY_RANGE)
    total = np.floor(round_up(2 * t / sensitivity, 4)) + 1
    less, more = np.floor(total / 2), np.ceil(total / 2)
    with np.errstate(under="ignore", over="ignore"):
        step = np.exp(-(more - less) * epsilon)
        spent = delta * (_shrunk_sum(more, epsilon) + step * _shrunk_sum(less, epsilon))
        whole = np.exp(-more * epsilon)
        doubt = (_ROUNDINGS + 8 * np.minimum(more * epsilon, 1e3)) * ULP * (whole + spent)
        return np.clip(2 * (whole - spent - doubt) / (1 + step) * (1 - 8 * ULP), 0, 1)[()]


def _shrunk_sum(n: Array, epsilon: Array) -> Array:
    """Return (1 − e^{−nε})/(e^ε − 1): the sum of e^{−kε} over k = 1 … n."""
    return n * np.exp(-epsilon) * exprel(-n * epsilon) / exprel(-epsilon)
