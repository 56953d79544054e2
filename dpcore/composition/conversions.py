"""From zCDP and Rényi differential privacy to (ε, δ), and back: two conversions, named apart.

With a = α − 1 and L = ln(1/δ), a mechanism whose Rényi divergence at the order α is at most τ satisfies (ε, δ)-DP for
`"standard"`: ε = τ + L/a ([Mir17] Prop. 3); `"tight"`: ε = τ + ln(1 − 1/α) + (L − ln α)/a ([CKS20] Prop. 12), which is
never above it. ρ-zCDP is τ = ρα at every α ([BS16]). Every α > 1 gives a true guarantee: a poor one is only loose. What
was published before 2020 rests on the standard conversion.

The best order of a zCDP guarantee, by Newton steps that converge from where they begin.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import wrightomega

from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, Array, PlainRecord, number, option, refuse
from dpcore.rounding import TINY, round_down, round_sum_down, round_sum_up, round_up


def best_at_delta(rho: Array, log: Array) -> Array:
    """a with ρa² + ln(1 + a) = L: rising and convex in ln a, so Newton's method comes down from above."""
    with np.errstate(divide="ignore", over="ignore"):  # ρ = 0 leaves the other bound
        more = np.minimum(np.sqrt(log / rho), np.expm1(log))
    for _ in range(8):
        square, count = rho * more * more, np.log1p(more)
        more = more * np.exp((log - square - count) / (2 * square + more / (1 + more)))
    return more


def best_at_epsilon(rho: Array, epsilon: Array) -> Array:
    """a with 2ρa − ln(1 + 1/a) = ε − ρ: rising and concave in a, so Newton's method comes up from below.

    It starts from the larger of two lower bounds: ln(1 + 1/a) is at least −ln a, and at least 1/(1 + a).
    """
    rest = epsilon - rho
    root = np.hypot(2 * rho + rest, np.sqrt(8 * rho))
    gap = 2 * rho - rest
    slow = np.where(gap < 0, (root - gap) / (4 * rho), 2 * (1 + rest) / (np.maximum(gap, 0) + root))
    more = np.maximum(slow, wrightomega(np.log(2 * rho) + rest) / (2 * rho))
    for _ in range(12):
        more = np.maximum(more, 1e-300)  # for ρ far above ε, where δ is 1
        more = more - (2 * rho * more - np.log1p(1 / more) - rest) / (2 * rho + 1 / (more * (1 + more)))
    return np.maximum(more, 1e-300)


def best_at_target(epsilon: Array, log: Array, standard: Array) -> Array:
    """1/a of the largest ρ: the root of (L − ln(1 + a))(1/a² + 2/a) − ln(1 + 1/a) = ε, rising and convex in 1/a."""
    inverse = np.maximum(1 / np.expm1(log), np.sqrt(standard / log))  # from below, so that one step leads above
    for _ in range(20):
        left = log - np.log1p(1 / inverse)
        excess = left * inverse * (inverse + 2) - np.log1p(inverse) - epsilon
        inverse = inverse - excess / (1 + 2 * left * (1 + inverse))
    return inverse


CONVERSIONS = ("tight", "standard")
TOTAL_RHO_RANGE = "[0, 1e15]"  # of many releases together
_ORDER_RANGE = "(1, 1e300]"


@dataclass(frozen=True)
class RdpBound(PlainRecord):
    """The ε or δ that follows from Rényi differential privacy, and the order α at which it does."""

    value: Array
    order: Array


def epsilon_at_order(more: Array, divergence: Array, delta: Array, conversion: str) -> Array:
    """ε of the order α = 1 + `more`, rounded up; may lie below 0, where ε = 0 holds."""
    log = -np.log(delta)
    if conversion == "standard":
        return round_up(divergence + log / more, 4)
    gain, count = np.log1p(1 / more), np.log1p(more)
    value = divergence - gain + (log - count) / more
    return round_sum_up(value, divergence + gain + (log + count) / more, 4)


def log_delta_at_order(more: Array, divergence: Array, epsilon: Array, conversion: str) -> Array:
    """ln δ of the order α = 1 + `more`, rounded up; may lie above 0, where δ = 1 holds."""
    log = round_sum_up(more * (divergence - epsilon), more * (divergence + epsilon), 4)
    if conversion == "standard":
        return log
    gain, count = more * np.log1p(1 / more), np.log1p(more)
    return round_sum_up(log - gain - count, gain + count, 4)


def as_delta(log: Array) -> Array:
    """Return the δ of a logarithm, rounded up, at most 1; one too small for a double is the smallest one, 5e-324."""
    return np.minimum(round_up(np.exp(np.minimum(log, 0)), 4) + TINY, 1)


def epsilon_from_rdp(delta: ArrayLike, order: ArrayLike, divergence: ArrayLike, conversion: str = "tight") -> RdpBound:
    """Return the least ε at δ that a curve τ(α) guarantees, over the orders that are given (formulas: see the module).

    Parameters
    ----------
    order : α > 1, along the last axis.
    divergence : τ(α) in [0, inf] nats, of the shape of `order` or of (..., n_orders).
    delta : in [1e-300, 1), which broadcasts with all but the last axis of `divergence`.
    conversion : `"tight"` or `"standard"`.

    Returns
    -------
    ε in nats and the order that gives it; ε is rounded up, at least 0, and ∞ where every τ is.

    Examples
    --------
    >>> import numpy as np
    >>> best = epsilon_from_rdp(1e-6, np.arange(2, 64), np.arange(2, 64) / 2)  # a Gaussian with σ = Δ₂
    >>> f"{best.value:.6f} at {best.order:g}"
    '5.222429 at 6'
    """
    order, divergence, delta = _curve(order, divergence, "delta", delta, DELTA_RANGE, conversion)
    values = epsilon_at_order(order - 1, divergence, delta, conversion)
    best = np.argmin(values, axis=-1, keepdims=True)
    return RdpBound(np.maximum(_values_at(values, best), 0), _values_at(order, best))


def delta_from_rdp(epsilon: ArrayLike, order: ArrayLike, divergence: ArrayLike, conversion: str = "tight") -> RdpBound:
    """Return the least δ at ε that a curve τ(α) guarantees; `"tight"`: δ = e^{a(τ − ε)} (1 − 1/α)^a / α, a = α − 1.

    Parameters
    ----------
    order, divergence, conversion : as in `epsilon_from_rdp`.
    epsilon : in [0, 1e6] nats, which broadcasts with all but the last axis of `divergence`.

    Returns
    -------
    δ and the order that gives it; δ is rounded up, in [5e-324, 1].

    Examples
    --------
    >>> import numpy as np
    >>> best = delta_from_rdp(5, np.arange(2, 64), np.arange(2, 64) / 2)  # a Gaussian with σ = Δ₂
    >>> f"{best.value:.3e} at {best.order:g}"
    '3.041e-06 at 6'
    """
    order, divergence, epsilon = _curve(order, divergence, "epsilon", epsilon, EPSILON_RANGE, conversion)
    logs = log_delta_at_order(order - 1, divergence, epsilon, conversion)
    best = np.argmin(logs, axis=-1, keepdims=True)
    return RdpBound(as_delta(_values_at(logs, best)), _values_at(order, best))


def _curve(
    order: ArrayLike, divergence: ArrayLike, name: str, value: ArrayLike, interval: str, conversion: str
) -> tuple[Array, Array, Array]:
    order = np.atleast_1d(number("order", order, _ORDER_RANGE))
    divergence = number("divergence", divergence, "[0, inf]")
    value = number(name, value, interval)[..., None]
    option("conversion", conversion, CONVERSIONS)
    order, divergence, value = np.broadcast_arrays(order, divergence, value)
    n_orders = np.array(order.shape[-1])
    refuse("number of orders", n_orders, n_orders == 0, "[1, inf)")
    return order, divergence, value


def _values_at(values: Array, place: NDArray[np.intp]) -> Array:
    return np.take_along_axis(values, place, axis=-1)[..., 0][()]


def epsilon_from_rho(delta: ArrayLike, rho: ArrayLike, conversion: str = "tight") -> Array:
    """Return the least ε at δ that ρ-zCDP guarantees: the least over α of `"tight"`, or ρ + 2√(ρL), L = ln(1/δ).

    The best a = α − 1 of the tight conversion is the root of ρa² + ln(1 + a) = L ([CKS20] Cor. 13).

    Parameters
    ----------
    rho : in [0, 1e15], of all releases together.
    delta : in [1e-300, 1).
    conversion : `"tight"` ([CKS20]) or `"standard"` ([BS16] Prop. 1.3).

    Returns
    -------
    ε in nats: at least 0, never below the formula, and above it by a relative 1e-13 at most where it exceeds 1e-3.

    Examples
    --------
    >>> print(f"{epsilon_from_rho(1e-10, 2.556226):.4f}")  # the US Census of 2020, by persons
    17.1436
    >>> print(f"{epsilon_from_rho(1e-10, 2.556226, 'standard'):.4f}")
    17.9002
    """
    rho, delta = np.broadcast_arrays(number("rho", rho, TOTAL_RHO_RANGE), number("delta", delta, DELTA_RANGE))
    option("conversion", conversion, CONVERSIONS)
    log = -np.log(delta)
    if conversion == "standard":
        return round_up(rho + 2 * np.sqrt(rho * log), 8)[()]
    value = epsilon_at_order(more := best_at_delta(rho, log), rho * (1 + more), delta, conversion)
    return np.where(rho > 0, np.maximum(value, 0), 0)[()]


def delta_from_rho(epsilon: ArrayLike, rho: ArrayLike, conversion: str = "tight") -> Array:
    """Return the least δ at ε that ρ-zCDP guarantees: the least over α of `"tight"`, or e^{−(ε − ρ)²/4ρ}, 1 for ε ≤ ρ.

    The best α of the tight conversion is the root of (2α − 1)ρ + ln(1 − 1/α) = ε ([CKS20] Cor. 13).

    Parameters
    ----------
    rho : in [0, 1e15], of all releases together.
    epsilon : in [0, 1e6] nats.
    conversion : as in `epsilon_from_rho`.

    Returns
    -------
    δ in [0, 1], rounded up; 0 for ρ = 0 alone, 5e-324 where it is too small for a double.

    Examples
    --------
    >>> print(f"{delta_from_rho(5.22153444, 0.5):.4g}")
    1e-06
    """
    rho, epsilon = np.broadcast_arrays(number("rho", rho, TOTAL_RHO_RANGE), number("epsilon", epsilon, EPSILON_RANGE))
    option("conversion", conversion, CONVERSIONS)
    least = np.maximum(rho, 1e-100)  # so that no square of an order leaves the doubles
    if conversion == "standard":
        above = np.maximum(epsilon - rho, 0)
        log = round_sum_up(-above / least * above / 4, (epsilon + rho) / least * above, 4)
    else:
        more = best_at_epsilon(least, epsilon)
        log = log_delta_at_order(more, least * (1 + more), epsilon, conversion)
    return np.where(rho > 0, as_delta(log), 0)[()]


def rho_from_epsilon(epsilon: ArrayLike, delta: ArrayLike, conversion: str = "tight") -> Array:
    """Return the largest ρ whose zCDP guarantees (ε, δ), by either conversion; inverts `epsilon_from_rho`.

    `"standard"`: ρ = (√(L + ε) − √L)², L = ln(1/δ). `"tight"`: the largest over a = α − 1 of
    ρ = (ε + ln(1 + 1/a) − (L − ln(1 + a))/a)/(1 + a).

    Parameters
    ----------
    epsilon : in [0, 1e6] nats.
    delta : in [1e-300, 1).
    conversion : as in `epsilon_from_rho`.

    Returns
    -------
    ρ in [0, 1e6], rounded down: `epsilon_from_rho` of it is at most ε.

    Examples
    --------
    >>> print(f"{rho_from_epsilon(8.922207, 1e-10):.5f}")  # Gboard's Spanish model, 2022
    0.81000
    """
    epsilon, delta = np.broadcast_arrays(number("epsilon", epsilon, EPSILON_RANGE), number("delta", delta, DELTA_RANGE))
    option("conversion", conversion, CONVERSIONS)
    log = -np.log(delta)
    standard = (epsilon / (np.sqrt(log + epsilon) + np.sqrt(log))) ** 2
    if conversion == "standard":
        return np.minimum(round_down(standard, 64), 1e6)[()]
    inverse = best_at_target(epsilon, log, standard)
    gain, count = np.log1p(inverse), np.log1p(1 / inverse)
    size = epsilon + gain + (log + count) * inverse
    rho = round_sum_down(epsilon + gain - (log - count) * inverse, size, 16) * (inverse / (1 + inverse))
    return np.clip(rho, 0, 1e6)[()]
