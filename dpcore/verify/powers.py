"""What the best attack catches, enclosed: the power 1 − f(α) of trade-off functions, and what a positive test says.

Each function takes the false-alarm rate α in [0, 1]. With a `prior` π in (0, 1) it gives, in place of the power, how
sure a positive test makes: π · power/(π · power + (1 − π) α), or 0 where no test is ever positive.

The loss of truncated noise never falls as its draw grows, so that a threshold is the best test (Neyman and Pearson): it
catches Pr(noise > t − Δ) where Pr(noise > t) = α. The draws that the other data set cannot give are above every t.
"""

import functools
from collections.abc import Callable

import numpy as np
from flint import arb

from dpcore.checks import EPSILON_RANGE, PROBABILITY_RANGE, refuse, scalar_integer
from dpcore.verify import formulas
from dpcore.verify.formulas import LEAST_BITS, Enclosure, Number, ball, enclosed, exact

_POSITIVE, _NOISE_RANGE, _COUNT_RANGE = "(0, inf)", "[1e-300, 1e300]", "[1, 1e15]"
_MOST_BITS = 1 << 10  # with which a root is found in a tenth of a second
_FAR = 200  # beyond it Φ(−t) is below e^{−20000}, and every α above 0 that is a double


def gaussian_power(
    alpha: Number, sigma: Number, l2_sensitivity: Number = 1.0, n_releases: int = 1, prior: Number | None = None
) -> Enclosure:
    """Φ(Φ⁻¹(α) + μ) with μ = √k Δ₂/σ: of the trade-off function of Gaussian noise (Dong, Roth & Su 2022).

    Parameters
    ----------
    alpha, prior : see above.
    sigma, l2_sensitivity : positive, in query units.
    n_releases : k, how often it is released; a whole number in [1, 1e15].

    Examples
    --------
    >>> print(f"{gaussian_power(0.05, sigma=4.225).high:.6f}")
    0.079541
    """
    arguments = exact("sigma", sigma, _POSITIVE), exact("l2_sensitivity", l2_sensitivity, _POSITIVE)
    k = scalar_integer("n_releases", n_releases, _COUNT_RANGE)

    def power(alpha: arb) -> arb:
        if alpha == 0:
            return alpha
        noise, moved = (ball(number) for number in arguments)
        t = formulas.root(lambda t: alpha - formulas.upper_tail(t), arb(-_FAR), arb(_FAR))
        return formulas.upper_tail(t - arb(k).sqrt() * moved / noise)

    return power_or_posterior(power, alpha, prior)


def laplace_power(alpha: Number, theta: Number, prior: Number | None = None) -> Enclosure:
    """e^θ α, 1 − e^{−θ}/(4α) and 1 − e^{−θ}(1 − α), the least of them: of Laplace noise with θ = Δ₁/b.

    The middle one for α between e^{−θ}/2 and ½, between which it touches the others (Dong, Roth & Su 2022).

    Parameters
    ----------
    alpha, prior : see above.
    theta : in [0, 1e6].

    Examples
    --------
    >>> print(f"{laplace_power(0.05, theta=1).high:.6f}")
    0.135914
    """
    argument = exact("theta", theta, EPSILON_RANGE)

    def power(alpha: arb) -> arb:
        rest = (-ball(argument)).exp()
        if 2 * alpha < rest:
            return alpha / rest
        if alpha > 0.5:
            return 1 - rest * (1 - alpha)
        return 1 - rest / (4 * alpha)

    return power_or_posterior(power, alpha, prior)


def geometric_power(alpha: Number, scale: Number, l1_sensitivity: int = 1, prior: Number | None = None) -> Enclosure:
    """Return the least over k = 0 … Δ of 1 − q^{Δ−k}(1 − α q^{−k}), q = e^{−1/s}: of two-sided geometric noise (own).

    Parameters
    ----------
    alpha, prior : see above.
    scale : s in [1e-7, 1e150].
    l1_sensitivity : Δ, a whole number in [1, 1e15].

    Examples
    --------
    >>> print(f"{geometric_power(0.05, scale=5, l1_sensitivity=5).high:.6f}")
    0.135914
    """
    argument = exact("scale", scale, "[1e-7, 1e150]")
    steps = scalar_integer("l1_sensitivity", l1_sensitivity, _COUNT_RANGE)

    def power(alpha: arb) -> arb:
        if alpha == 0:
            return alpha
        step = 1 / ball(argument)
        middle = -(alpha.log() + (1 + (-step).exp()).log()) / step
        best = int(min(max(float(middle.mid()), 0.0), float(steps)))
        lines = {min(max(k, 0), steps) for k in (best - 1, best, best + 1)}  # the least of all is among these
        caught = [1 - (-(steps - k) * step).exp() * (1 - alpha * (k * step).exp()) for k in sorted(lines)]
        return functools.reduce(lambda least, value: least.min(value), caught)

    return power_or_posterior(power, alpha, prior)


def epsilon_delta_power(alpha: Number, epsilon: Number, delta: Number = 0.0, prior: Number | None = None) -> Enclosure:
    """min(1, δ + e^ε α, 1 − e^{−ε}(1 − δ − α)): of all that satisfies (ε, δ)-DP (Wasserman & Zhou 2010).

    Parameters
    ----------
    alpha, prior : see above.
    epsilon : in [0, 1e6].
    delta : in [0, 1].

    Examples
    --------
    >>> print(f"{epsilon_delta_power(0.05, epsilon=1, delta=1e-6).high:.6f}")
    0.135915
    """
    e, d = exact("epsilon", epsilon, EPSILON_RANGE), exact("delta", delta, PROBABILITY_RANGE)

    def power(alpha: arb) -> arb:
        growth, broken = ball(e).exp(), ball(d)
        return arb(1).min(broken + growth * alpha).min(1 - (1 - broken - alpha) / growth)

    return power_or_posterior(power, alpha, prior)


def generalized_gaussian_power(
    alpha: Number, scale: Number, p: Number, sensitivity: Number = 1.0, prior: Number | None = None
) -> Enclosure:
    """Pr(X > t − Δ) at the t with Pr(X > t) = α: of noise whose loss falls as its draw grows (p ≥ 1).

    Parameters
    ----------
    alpha, prior : see above.
    scale, sensitivity : b and Δ in [1e-300, 1e300], in query units.
    p : shape, in [1, 100].

    Examples
    --------
    >>> print(f"{generalized_gaussian_power(0.05, scale=2, p=3).high:.4f}")
    0.2336
    """
    arguments = exact("scale", scale, _NOISE_RANGE), exact("sensitivity", sensitivity, _NOISE_RANGE)
    shape = exact("p", p, "[1, 100]")

    def power(alpha: arb) -> arb:
        if alpha == 0:
            return alpha
        shift, form = ball(arguments[1]) / ball(arguments[0]), ball(shape)
        t = formulas.root(lambda t: alpha - formulas.shaped_tail(t, form), arb(-_FAR * 5), arb(_FAR * 5))
        return formulas.shaped_tail(t - shift, form)

    return power_or_posterior(power, alpha, prior)


def power_or_posterior(power: Callable[[arb], arb], alpha: Number, prior: Number | None) -> Enclosure:
    """Return the power at α by a formula of intervals or, with a prior, what a positive test says."""
    false, sure = exact("alpha", alpha, PROBABILITY_RANGE), None if prior is None else exact("prior", prior, "(0, 1)")
    if sure is None or false == 0 == power(ball(false)):
        return Enclosure(1.0, 1.0, LEAST_BITS) if false == 1 else enclosed(power, false, most_bits=_MOST_BITS)

    def after(alpha: arb, prior: arb) -> arb:
        caught = prior * (power(alpha) if false < 1 else 1)
        return caught / (caught + (1 - prior) * alpha)

    return enclosed(after, false, sure, most_bits=_MOST_BITS)


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
    """Return the least over m of Pr(k > m − Δ) + (α − Pr(k > m)) Pr(m − Δ)/Pr(m).

    The noise is on |k| ≤ N with the scale Δ/ε.

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
