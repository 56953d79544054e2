"""Lists of releases by Rényi differential privacy and by zCDP: sums, and the best order for (ε, δ).

The Rényi divergences τ(α) of independent releases add ([Mir17] Prop. 1), and so does ρ ([BS16] Lemma 1.7); both also
hold when a query is chosen in the light of earlier answers, if the noise of each is fixed in advance. Each τ is the
largest of both directions.

A promise with δ > 0 has no finite τ. But whatever keeps (ε, δ)-DP can be had from a mechanism that with probability δ
tells all, and else is randomised response, which keeps ε-DP ([KOV15], proof of Thm 3.3: its worst mechanism has these
four answers). So with probability Π(1 − δᵢ) nothing is told and what is left is a list of ε-DP mechanisms,
and δ = 1 − (1 − δ′)Π(1 − δᵢ) where those keep (ε, δ′)-DP with the other releases.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from dpcore._normal import ULP
from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, Array, number, option
from dpcore.composition._divergences import divergence, rho_of
from dpcore.composition.conversions import (
    CONVERSIONS,
    AtBestOrder,
    as_delta,
    epsilon_at_order,
    epsilon_from_rho,
    log_delta_at_order,
)
from dpcore.composition.releases import Release
from dpcore.composition.sampled import ORDER_RANGE

_LEAST, _MOST = np.log(1e-5), np.log(9e6)  # of α − 1
_PURE = ("laplace", "promise", "exponential")


def rdp(releases: Sequence[Release], order: ArrayLike) -> Array:
    """τ(α) of all releases together: the sum over the list of `count` times the release's own.

    With a = α − 1 and r(y) = e^y − 1 − y, e^{aτ} − 1 is of Laplace noise [α r(aε) + a r(−αε)]/(2α − 1) ([Mir17]
    Prop. 6); of an ε-DP promise p r(aε) + (1 − p) r(−aε) + aε tanh(ε/2), p = 1/(1 + e^{−ε}), which is randomised
    response, the worst of them ([Mir17] Prop. 5). Of an exponential mechanism, whose losses have a range of ε,
    aτ = αS(αε) − aS(aε) − S(ε), S(u) = ln(sinh(u/2)/(u/2)): the largest over the two-point losses t and t − ε
    ([DDR20]); it is at most α ε²/8. A Gaussian has α/2z², ρ-zCDP ρα, a step of DP-SGD `subsampled_gaussian_rdp`.

    Parameters
    ----------
    order : α in [1.000001, 1e7].

    Returns
    -------
    τ in nats, of the shape of `order`: never below the formula, above it by a relative 1e-12 at most (a step of DP-SGD:
    as its own function says); ∞ if a promise has δ > 0. An ε in (0, 1e-90) counts as 1e-90.

    References
    ----------
    [DDR20] Dong, Durfee & Rogers, ICML 2020, arXiv:1909.13830.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release, laplace_release
    >>> f"{rdp([laplace_release(1), gaussian_release(2, count=4)], order=2):.6f}"
    '1.619124'
    """
    order = number("order", order, ORDER_RANGE)
    return _without_leaks(releases, order) + (np.inf if _log_kept(releases) < 0 else 0.0)


def rdp_epsilon(releases: Sequence[Release], delta: ArrayLike, conversion: str = "tight") -> AtBestOrder:
    """The least ε at δ by Rényi differential privacy, over every real order in [1.00001, 9e6].

    Never above the sum of all ε, where every release has one. Formulas: `rdp` and `dpcore.composition.conversions`. Any
    order gives a true promise; the one found gives the least ε to a relative 1e-8 or so, 1e-3 where sampling is sparse.

    Parameters
    ----------
    delta : in [1e-300, 1).
    conversion : `"tight"` or `"standard"`.

    Returns
    -------
    ε in nats, an upper bound, and the order that gives it: ∞ where the plain sum of all ε is no larger. ε is ∞ where
    the δ of the promises use up δ.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release, laplace_release, promise_release
    >>> releases = [laplace_release(0.2, 5), gaussian_release(4, 5), promise_release(0.5, count=3)]
    >>> best = rdp_epsilon(releases, delta=1e-6)
    >>> f"{best.value:.4f} at {best.order:.1f}"
    '4.6703 at 6.8'
    """
    delta = number("delta", delta, DELTA_RANGE)
    option("conversion", conversion, CONVERSIONS)
    left, pure = _left(releases, delta), _pure_sum(releases, delta)
    target = np.where(left > 0, left, 0.5).ravel()[:, None]

    def epsilon(order: Array) -> Array:
        return epsilon_at_order(order - 1, _without_leaks(releases, order), target, conversion)

    value, order = (each.reshape(delta.shape) for each in _best(epsilon))
    value = np.where(left > 0, np.maximum(value, 0), np.inf)
    return AtBestOrder(np.minimum(value, pure)[()], np.where(value < pure, order, np.inf)[()])


def rdp_delta(releases: Sequence[Release], epsilon: ArrayLike, conversion: str = "tight") -> AtBestOrder:
    """The least δ at ε by Rényi differential privacy; else as `rdp_epsilon`.

    Parameters
    ----------
    epsilon : in [0, 1e6] nats.
    conversion : `"tight"` or `"standard"`.

    Returns
    -------
    δ in [0, 1], an upper bound, and the order that gives it: ∞ where ε is at least the sum of all ε, so that δ is that
    of the promises alone.

    Examples
    --------
    >>> from dpcore.composition import laplace_release
    >>> f"{rdp_delta([laplace_release(0.1, count=100)], epsilon=4.984174).value:.4g}"
    '1e-06'
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    option("conversion", conversion, CONVERSIONS)
    target = epsilon.ravel()[:, None]

    def log_delta(order: Array) -> Array:
        return log_delta_at_order(order - 1, _without_leaks(releases, order), target, conversion)

    log, order = (each.reshape(epsilon.shape) for each in _best(log_delta))
    enough = epsilon >= _pure_sum(releases, np.ones(()))
    kept = np.exp(_log_kept(releases))
    leak = -np.expm1(_log_kept(releases)) * (1 + 4 * ULP)
    value = np.minimum(leak + kept * (1 + 4 * ULP) * np.where(enough, 0, as_delta(log)), 1)
    return AtBestOrder(value[()], np.where(enough, np.inf, order)[()])


def rho(releases: Sequence[Release]) -> float:
    """ρ of all releases together, rounded up: the sum of count times 1/2z² (Gaussian), ε − 1 + e^{−ε} (Laplace),
    ε tanh(ε/2) (a promise), the smaller of that and ε²/8 (an exponential mechanism), or ρ itself.

    ρ is the largest τ(α)/α. For Laplace noise and randomised response it is the limit at α = 1, the mean of the loss:
    with y = (α − ½)², aτ is the logarithm of cosh(ε√y) + sinh(ε√y)/2√y, or of cosh(ε√y), over its value at y = ¼;
    these are products over their zeros, all real and negative, so the logarithms are concave in y, and
    aτ/(y − ¼) = τ/α falls. Both are below the ε²/2 of [BS16] Prop. 1.4. ε²/8: Cesar & Rogers, arXiv:2004.07223.

    Returns
    -------
    ρ, never below the formula; ∞ if a promise has δ > 0 or a sample leaves records out, which no ρ describes.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release, laplace_release
    >>> f"{rho([gaussian_release(1), laplace_release(0.1, count=100)]):.6f}"
    '0.983742'
    """
    return np.inf if _log_kept(releases) < 0 else _rho_without_leaks(releases)


def zcdp_epsilon(releases: Sequence[Release], delta: ArrayLike, conversion: str = "tight") -> Array:
    """The least ε at δ by zCDP: `epsilon_from_rho` of `rho`, the δ of promises apart; else as `rdp_epsilon`.

    Parameters
    ----------
    delta : in [1e-300, 1).
    conversion : `"tight"` or `"standard"`.

    Returns
    -------
    ε in nats, an upper bound, at most the sum of all ε; ∞ if a sample leaves records out, or the promises use up δ.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release
    >>> print(f"{zcdp_epsilon([gaussian_release(2, count=4)], delta=1e-6):.6f}")
    5.221534
    """
    delta = number("delta", delta, DELTA_RANGE)
    left, total = _left(releases, delta), _rho_without_leaks(releases)
    known = np.isfinite(total) & (left > 0)
    value = epsilon_from_rho(total if np.isfinite(total) else 0.0, np.where(left > 0, left, 0.5), conversion)
    return np.minimum(np.where(known, value, np.inf), _pure_sum(releases, delta))[()]


def _log_kept(releases: Sequence[Release]) -> float:
    """Σ ln(1 − δᵢ), rounded down: the log of the probability that no promise tells all."""
    return sum(each.count * np.log1p(-each.numbers[1]) for each in releases if each.kind == "promise") * (1 + 32 * ULP)


def _left(releases: Sequence[Release], delta: Array) -> Array:
    """δ′ with 1 − (1 − δ′)Π(1 − δᵢ) = δ, rounded down; at most 0 where nothing is left."""
    log_kept = _log_kept(releases)
    return (delta + np.expm1(log_kept)) * (1 - 4 * ULP) * np.exp(min(-log_kept, 40)) if log_kept < 0 else delta


def _pure_sum(releases: Sequence[Release], delta: Array) -> Array:
    """Σ ε where every release has one and the δ of the promises, added or taken together, are at most δ; else ∞."""
    if any(each.kind not in _PURE for each in releases):
        return np.full(delta.shape, np.inf)
    total = math.fsum(each.count * each.numbers[0] for each in releases) * (1 + 2 * ULP)
    added = math.fsum(each.count * each.numbers[1] for each in releases if each.kind == "promise")
    return np.where((delta >= added) | (_left(releases, delta) >= 0), total, np.inf)


def _rho_without_leaks(releases: Sequence[Release]) -> float:
    return float(sum(each.count * rho_of(each) for each in releases) * (1 + 32 * ULP))


def _without_leaks(releases: Sequence[Release], order: Array) -> Array:
    """τ of the list, of a promise what is left of it when nothing is told; all releases of a kind in one call."""
    total = np.zeros(order.shape)
    for kind in {each.kind for each in releases}:
        alike = [each for each in releases if each.kind == kind]
        numbers = np.transpose([each.numbers for each in alike])
        total = total + divergence(kind, order[..., None], numbers) @ np.array([float(each.count) for each in alike])
    return total * (1 + 32 * ULP)


def _best(objective: Callable[[Array], Array]) -> tuple[Array, Array]:
    """The least value of each row that was met, and its order.

    aε and ln δ are convex in a = α − 1, as aτ is, so that ε and ln δ have one valley in u = ln a. It is enclosed on a
    wide grid, then on one for all rows together, then on four of each row's own: the valley of sparse sampling has one
    steep side. At last comes the least place of the parabola through three places.
    """
    u = np.linspace(_LEAST, _MOST, 16)[None]
    least = np.argmin(objective(1 + np.exp(u)), axis=1)
    low, high = u[0, max(least.min() - 1, 0)], u[0, min(least.max() + 1, 15)]
    u = np.linspace(low, high, int(4 * (high - low)) + 2)[None]
    values = objective(1 + np.exp(u))
    for _ in range(4):
        middle, step, _ = _valley(u, values)
        u = np.clip(middle + step * np.linspace(-1, 1, 9), _LEAST, _MOST)
        values = objective(1 + np.exp(u))
    middle, step, shift = _valley(u, values)
    order = 1 + np.exp(np.clip(middle + step * [0, 1] * shift, _LEAST, _MOST))
    values = objective(order)
    best = np.argmin(values, axis=1, keepdims=True)
    return np.take_along_axis(values, best, 1)[:, 0], np.take_along_axis(order, best, 1)[:, 0]


def _valley(u: Array, values: Array) -> tuple[Array, Array, Array]:
    """The place of each row's least value, the step of its grid, and how many steps on the parabola's bottom is."""
    u, last = np.broadcast_to(u, values.shape), values.shape[1] - 1
    best = np.argmin(values, axis=1, keepdims=True)
    before, least, after = (np.take_along_axis(values, np.clip(best + side, 0, last), 1) for side in (-1, 0, 1))
    bend = before - 2 * least + after
    shift = np.divide((before - after) / 2, bend, out=np.zeros_like(bend), where=bend > 0)
    return np.take_along_axis(u, best, 1), u[:, 1:2] - u[:, :1], np.clip(shift, -1, 1)
