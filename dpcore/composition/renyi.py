"""Lists of releases by Rényi differential privacy and by zCDP: sums, and the best order for (ε, δ).

The Rényi divergences τ(α) of independent releases add ([Mir17] Prop. 1), and so does ρ ([BS16] Lemma 1.7); both also
hold when a query depends on earlier answers, if the noise of each is fixed in advance. Each τ is the
largest of both directions.

A guarantee with δ > 0 has no finite τ. However, every (ε, δ)-DP mechanism is a post-processing of a mechanism that
reveals everything with probability δ, and is randomised response with ε-DP otherwise ([KOV15], proof of Thm 3.3: the
worst mechanism has these four answers). So with probability Π(1 − δᵢ) nothing is revealed in this way, and the list
consists of ε-DP mechanisms. If these and the other releases satisfy (ε, δ′)-DP, then δ = 1 − (1 − δ′)Π(1 − δᵢ).
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, Array, interval_bounds, number, option
from dpcore.composition._leaks import (
    delta_left,
    of_runs,
    pure_sum,
    rdp_without_leaks,
    rho_without_leaks,
    with_leaks,
)
from dpcore.composition._orders import at_best_order
from dpcore.composition.conversions import (
    CONVERSIONS,
    TOTAL_RHO_RANGE,
    RdpBound,
    as_delta,
    delta_from_rho,
    epsilon_at_order,
    epsilon_from_rho,
    log_delta_at_order,
)
from dpcore.composition.releases import Release, failure_of
from dpcore.composition.sampled import ORDER_RANGE
from dpcore.rounding import round_up

_LEAST_DELTA = interval_bounds(DELTA_RANGE)[0]


def rdp(releases: Sequence[Release], order: ArrayLike) -> Array:
    """τ(α) of all releases together: the sum over the list of `count` times the release's own.

    With a = α − 1 and r(y) = e^y − 1 − y, e^{aτ} − 1 is of Laplace noise [α r(aε) + a r(−αε)]/(2α − 1) ([Mir17]
    Prop. 6); of an ε-DP guarantee p r(aε) + (1 − p) r(−aε) + aε tanh(ε/2), p = 1/(1 + e^{−ε}), which is randomised
    response, the worst of them ([Mir17] Prop. 5). Of an exponential mechanism, whose losses have a range of ε,
    aτ = αS(αε) − aS(aε) − S(ε), S(u) = ln(sinh(u/2)/(u/2)): the largest over the two-point losses t and t − ε
    ([DDR20]); it is at most α ε²/8. A Gaussian has α/2z², ρ-zCDP ρα, a step of DP-SGD `subsampled_gaussian_rdp`.

    Parameters
    ----------
    order : α in [1.000001, 1e7].

    Returns
    -------
    τ in nats, of the shape of `order`: never below the formula, above it by a relative 1e-12 at most (a step of DP-SGD:
    as its own function says); ∞ if a guarantee has δ > 0. An ε in (0, 1e-90) counts as 1e-90.

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
    return rdp_without_leaks(releases, order) + (np.inf if failure_of(releases) > 0 else 0.0)


def rdp_epsilon(
    releases: Sequence[Release], delta: ArrayLike, conversion: str = "tight", n_runs: ArrayLike = 1
) -> RdpBound:
    """Return the least ε at δ by Rényi differential privacy, over every real order in [1.00001, 9e6].

    Never above the sum of all ε, where every release has one. Formulas: `rdp` and `dpcore.composition.conversions`. Any
    order gives a true guarantee; the chosen one gives the least ε to about 1e-8, or 1e-3 where sampling is sparse.

    Parameters
    ----------
    delta : in [1e-300, 1).
    conversion : `"tight"` or `"standard"`.
    n_runs : how often the whole list is run, whole numbers in [1, 1e6], which broadcast with `delta`.

    Returns
    -------
    ε in nats, an upper bound, and the order that gives it: ∞ where the plain sum of all ε is no larger. ε is ∞ where
    the δ of the guarantees use up δ.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release, laplace_release, guarantee_release
    >>> releases = [laplace_release(0.2, 5), gaussian_release(4, 5), guarantee_release(0.5, count=3)]
    >>> best = rdp_epsilon(releases, delta=1e-6)
    >>> f"{best.value:.4f} at {best.order:.1f}"
    '4.6702 at 8.2'
    """
    delta, runs = of_runs(delta, n_runs)
    option("conversion", conversion, CONVERSIONS)
    left = delta_left(releases, delta, runs)
    pure = pure_sum(releases, left, runs)
    target, times = (array.ravel()[:, None] for array in (np.where(left >= _LEAST_DELTA, left, 0.5), runs))

    def epsilon(order: Array, is_quick: bool = False) -> Array:
        divergence = round_up(times * rdp_without_leaks(releases, order, is_quick), 2)
        return epsilon_at_order(order - 1, divergence, target, conversion)

    best = at_best_order(epsilon, partial(epsilon, is_quick=True) if _has_steps(releases) else None)
    value, order = (array.reshape(delta.shape) for array in best)
    value = np.where(left >= _LEAST_DELTA, np.maximum(value, 0), np.inf)
    return RdpBound(np.minimum(value, pure), np.where(value < pure, order, np.inf))


def rdp_delta(releases: Sequence[Release], epsilon: ArrayLike, conversion: str = "tight") -> RdpBound:
    """Return the least δ at ε by Rényi differential privacy; else as `rdp_epsilon`.

    Parameters
    ----------
    epsilon : in [0, 1e6] nats.
    conversion : `"tight"` or `"standard"`.

    Returns
    -------
    δ in [0, 1], an upper bound, and the order that gives it: ∞ where ε is at least the sum of all ε, so that δ is that
    of the guarantees alone.

    Examples
    --------
    >>> from dpcore.composition import laplace_release
    >>> f"{rdp_delta([laplace_release(0.1, count=100)], epsilon=4.984174).value:.4g}"
    '1e-06'
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    option("conversion", conversion, CONVERSIONS)
    target = epsilon.ravel()[:, None]

    def log_delta(order: Array, is_quick: bool = False) -> Array:
        return log_delta_at_order(order - 1, rdp_without_leaks(releases, order, is_quick), target, conversion)

    best = at_best_order(log_delta, partial(log_delta, is_quick=True) if _has_steps(releases) else None)
    log, order = (array.reshape(epsilon.shape) for array in best)
    enough = epsilon >= pure_sum(releases, np.ones(()), np.ones(()))
    value = with_leaks(releases, np.where(enough, 0, as_delta(log)))
    return RdpBound(value, np.where(enough, np.inf, order))


def _has_steps(releases: Sequence[Release]) -> bool:
    return any(release.kind == "sampled" for release in releases)


def rho(releases: Sequence[Release]) -> float:
    """ρ of all releases together, rounded up: the sum of count times 1/2z² (Gaussian), ε − 1 + e^{−ε} (Laplace),
    ε tanh(ε/2) (a guarantee), the smaller of that and ε²/8 (an exponential mechanism), or ρ itself.

    ρ is the largest τ(α)/α. For Laplace noise and randomised response it is the limit at α = 1, the mean of the loss:
    with y = (α − ½)², aτ is the logarithm of cosh(ε√y) + sinh(ε√y)/2√y, or of cosh(ε√y), over its value at y = ¼;
    these are products over their zeros, all real and negative, so the logarithms are concave in y, and
    aτ/(y − ¼) = τ/α falls. Both are below the ε²/2 of [BS16] Prop. 1.4. ε²/8: Cesar & Rogers, arXiv:2004.07223.

    Returns
    -------
    ρ, never below the formula; ∞ if a guarantee has δ > 0 or a sample leaves records out, which no ρ describes.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release, laplace_release
    >>> f"{rho([gaussian_release(1), laplace_release(0.1, count=100)]):.6f}"
    '0.983742'
    """
    return np.inf if failure_of(releases) > 0 else rho_without_leaks(releases)


def zcdp_epsilon(
    releases: Sequence[Release], delta: ArrayLike, conversion: str = "tight", n_runs: ArrayLike = 1
) -> Array:
    """Return the least ε at δ by zCDP: `epsilon_from_rho` of `rho`, the δ of guarantees apart; else as `rdp_epsilon`.

    Parameters
    ----------
    delta : in [1e-300, 1).
    conversion : `"tight"` or `"standard"`.
    n_runs : how often the whole list is run, whole numbers in [1, 1e6], which broadcast with `delta`.

    Returns
    -------
    ε in nats, an upper bound, at most the sum of all ε; ∞ if a sample leaves records out, or the guarantees use up δ.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release
    >>> print(f"{zcdp_epsilon([gaussian_release(2, count=4)], delta=1e-6):.6f}")
    5.221534
    """
    delta, runs = of_runs(delta, n_runs)
    left, total = delta_left(releases, delta, runs), round_up(runs * rho_without_leaks(releases), 2)
    known = (total <= interval_bounds(TOTAL_RHO_RANGE)[1]) & (left >= _LEAST_DELTA)
    value = epsilon_from_rho(np.where(left >= _LEAST_DELTA, left, 0.5), np.where(known, total, 0.0), conversion)
    return np.minimum(np.where(known, value, np.inf), pure_sum(releases, left, runs))[()]


def zcdp_delta(releases: Sequence[Release], epsilon: ArrayLike, conversion: str = "tight") -> Array:
    """Return the least δ at ε by zCDP: `delta_from_rho` of `rho`, the δ of guarantees apart; else as `rdp_delta`.

    Parameters
    ----------
    epsilon : in [0, 1e6] nats.
    conversion : `"tight"` or `"standard"`.

    Returns
    -------
    δ in [0, 1], an upper bound; 1 if a sample leaves records out, which no ρ describes.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release
    >>> print(f"{zcdp_delta([gaussian_release(2, count=4)], epsilon=5.221534):.4g}")
    1e-06
    """
    epsilon, total = number("epsilon", epsilon, EPSILON_RANGE), rho_without_leaks(releases)
    known = total <= interval_bounds(TOTAL_RHO_RANGE)[1]
    value = delta_from_rho(epsilon, total, conversion) if known else np.ones(epsilon.shape)
    value = with_leaks(releases, np.where(epsilon >= pure_sum(releases, np.ones(()), np.ones(())), 0.0, value))
    return value[()]
