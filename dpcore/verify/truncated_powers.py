"""The enclosures of what the best attack on truncated noise catches; α and the prior are those of `verify.powers`.

The loss of truncated noise never falls as its draw grows, so that a threshold is the best test (Neyman and Pearson): it
catches Pr(noise > t − Δ) where Pr(noise > t) = α. The draws that the other data set cannot give are above every t.
"""

import functools

import numpy as np
from flint import arb

from dpcore.checks import EPSILON_RANGE, refuse, scalar_integer
from dpcore.verify.enclosures import Enclosure, Number, ball, exact
from dpcore.verify.powers import power_or_posterior

_STEPS_RANGE = "[1, 1e6]"


def truncated_laplace_power(alpha: Number, epsilon: Number, delta: Number, prior: Number | None = None) -> Enclosure:
    """Pr(X > t − Δ) at the t with Pr(X > t) = α: of truncated Laplace noise of (ε, δ)-DP, whose δ is reached at α = 0.

    Parameters
    ----------
    alpha, prior : see `dpcore.verify.powers`.
    epsilon : in [0, 1e6].
    delta : in (0, 0.5].

    Examples
    --------
    >>> print(f"{truncated_laplace_power(0.05, epsilon=1, delta=0.01).high:.6f}")
    0.145914
    """
    e, d = exact("epsilon", epsilon, EPSILON_RANGE), exact("delta", delta, "(0, 0.5]")

    def true_positive_rate(alpha: arb) -> arb:
        growth, broken = ball(e), ball(d)
        steep = broken + growth.exp() * alpha  # the line from t = A down to t = Δ
        if e == 0:
            return steep.min(arb(1))
        end = 2 * broken / (growth.expm1() + 2 * broken)  # e^{−A/b}
        near = end + 2 * alpha * (1 - end)  # e^{−t/b}, 0 ≤ t ≤ Δ
        middle = 1 - (end * (1 - 2 * alpha) + (-growth).exp() * (1 - 2 * broken)) / (2 * near)
        flat = (1 - (-growth).exp() * (1 - broken - alpha)).min(arb(1))
        return _piece_at(steep, middle, flat, growth.exp() * alpha - (0.5 - broken), alpha - 0.5)

    return power_or_posterior(true_positive_rate, alpha, prior)


def _piece_at(steep: arb, middle: arb, flat: arb, past_steep: arb, past_middle: arb) -> arb:
    """Return the piece of the curve that holds at α, or the union of all pieces that may hold there."""
    pieces = [] if past_steep > 0 else [steep]
    pieces += [] if past_steep < 0 or past_middle > 0 else [middle]
    pieces += [] if past_middle < 0 else [flat]
    return functools.reduce(lambda whole, piece: whole.union(piece), pieces)


def truncated_geometric_power(
    alpha: Number, epsilon: Number, bound: int, sensitivity: int = 1, prior: Number | None = None
) -> Enclosure:
    """Return the least over m of Pr(k > m − Δ) + (α − Pr(k > m)) Pr(m − Δ)/Pr(m):
    of noise on |k| ≤ N with the scale Δ/ε.

    Parameters
    ----------
    alpha, prior : see `dpcore.verify.powers`.
    epsilon : in [0, 1e6].
    bound : N, a whole number in [1, 1e6], and at least Δ.
    sensitivity : Δ, a whole number in [1, 1e6].

    Examples
    --------
    >>> print(f"{truncated_geometric_power(0.05, epsilon=1, bound=4).high:.6f}")
    0.144462
    """
    e, end = exact("epsilon", epsilon, EPSILON_RANGE), scalar_integer("bound", bound, _STEPS_RANGE)
    moved = scalar_integer("sensitivity", sensitivity, _STEPS_RANGE)
    refuse("bound", np.asarray(end), np.asarray(end < moved), "[sensitivity, 1e6]")

    def true_positive_rate(alpha: arb) -> arb:
        if e == 0:
            return (alpha + ball(moved) / (2 * end + 1)).min(arb(1))
        step = ball(e) / moved
        whole = -(-step).expm1() - 2 * (-step).exp() * (-end * step).expm1()

        def beyond(m: int) -> arb:
            """Pr(k > m), 0 ≤ m."""
            return -(-(m + 1) * step).exp() * (-max(end - m, 0) * step).expm1() / whole

        def exceeds(m: int) -> bool:
            """Return whether Pr(k > m) is certainly above α, by the lower tail where that is the smaller one."""
            return beyond(m) > alpha if m >= 0 else beyond(-m - 1) < 1 - alpha

        def line(m: int) -> arb:
            tail, moved_tail = (beyond(k) if k >= 0 else 1 - beyond(-k - 1) for k in (m, m - moved))
            slope = ((abs(m) - abs(m - moved)) * step).exp() if m - moved >= -end else arb(0)
            return moved_tail + (alpha - tail) * slope

        low, high = -end - 1, end  # Pr(k > low) is above α
        while high - low > 1:
            m = (low + high) // 2
            low, high = (m, high) if exceeds(m) else (low, m)
        return line(high).min(line(min(high + 1, end))).min(arb(1))

    return power_or_posterior(true_positive_rate, alpha, prior)
