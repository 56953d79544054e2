"""Lists of releases by Rényi differential privacy and by zCDP: sums, and the best order for (ε, δ).

The Rényi divergences τ(α) of independent releases add ([Mir17] Prop. 1), and so does ρ ([BS16] Lemma 1.7); both also
hold when a query depends on earlier answers, if the noise of each is fixed in advance. Each τ is the
largest of both directions.

A guarantee with δ > 0 has no finite τ. However, every (ε, δ)-DP mechanism is a post-processing of a mechanism that
reveals everything with probability δ, and is randomised response with ε-DP otherwise ([KOV15], proof of Thm 3.3: the
worst mechanism has these four answers). So with probability Π(1 − δᵢ) nothing is revealed in this way, and the list
consists of ε-DP mechanisms. If these and the other releases satisfy (ε, δ′)-DP, then δ = 1 − (1 − δ′)Π(1 − δᵢ).

One search finds the best order: every list of releases, every training and every curve is searched here, so that the
same question has the same answer.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import EPSILON_RANGE, LEAST_DELTA, Array, interval_bounds, number, option
from dpcore.composition._normalize import pure_total
from dpcore.composition._sampled_integral import ORDER_RANGE, NotQuickError
from dpcore.composition.closed_form import (
    delta_left,
    of_runs,
    pure_sum,
    rdp_without_leaks,
    rho_without_leaks,
    with_leaks,
)
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
from dpcore.rounding import round_up


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
    target, times = (array.ravel()[:, None] for array in (np.where(left >= LEAST_DELTA, left, 0.5), runs))

    def epsilon(order: Array, is_quick: bool = False) -> Array:
        divergence = round_up(times * rdp_without_leaks(releases, order, is_quick), 2)
        return epsilon_at_order(order - 1, divergence, target, conversion)

    best = at_best_order(epsilon, partial(epsilon, is_quick=True) if has_steps(releases) else None)
    value, order = (array.reshape(delta.shape) for array in best)
    value = np.where(left >= LEAST_DELTA, np.maximum(value, 0), np.inf)
    return RdpBound(np.minimum(value, pure), np.where(value < pure, order, np.inf))


def rdp_delta(releases: Sequence[Release], epsilon: ArrayLike, conversion: str = "tight") -> RdpBound:
    """Return the least δ at ε by Rényi differential privacy; else as `rdp_epsilon`.

    Parameters
    ----------
    epsilon : in [0, 1e6] nats.

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

    best = at_best_order(log_delta, partial(log_delta, is_quick=True) if has_steps(releases) else None)
    log, order = (array.reshape(epsilon.shape) for array in best)
    enough = epsilon >= pure_total(releases)
    value = with_leaks(releases, np.where(enough, 0, as_delta(log)))
    return RdpBound(value, np.where(enough, np.inf, order))


def has_steps(releases: Sequence[Release]) -> bool:
    """Return whether a list has steps of DP-SGD, which take longer than other releases."""
    return any(release.kind == "sampled" for release in releases)


def rho(releases: Sequence[Release]) -> float:
    """Return ρ of all releases together, rounded up: the sum of the ρ of each times its count.

    It is 1/2z² (Gaussian), ε − 1 + e^{−ε} (Laplace), ε tanh(ε/2) (a guarantee), the smaller of that and ε²/8 (an
    exponential mechanism), or ρ itself.

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
    known = (total <= interval_bounds(TOTAL_RHO_RANGE)[1]) & (left >= LEAST_DELTA)
    value = epsilon_from_rho(np.where(left >= LEAST_DELTA, left, 0.5), np.where(known, total, 0.0), conversion)
    return np.minimum(np.where(known, value, np.inf), pure_sum(releases, left, runs))[()]


def zcdp_delta(releases: Sequence[Release], epsilon: ArrayLike, conversion: str = "tight") -> Array:
    """Return the least δ at ε by zCDP: `delta_from_rho` of `rho`, the δ of guarantees apart; else as `rdp_delta`.

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
    value = with_leaks(releases, np.where(epsilon >= pure_total(releases), 0.0, value))
    return value[()]


_LEAST, _MOST = np.log(1e-5), np.log(9e6)  # of α − 1
_COARSE, _PARTS, _ROUNDS = 16, 8, 4  # points of the first grid, the parts of each of its steps, later grids
_WIDE_GRID = np.linspace(_LEAST, _MOST, _COARSE)[None]
_FINE_GRID = np.linspace(_LEAST, _MOST, (_COARSE - 1) * _PARTS + 1)[None]
_WINDOW = np.linspace(-1, 1, 9)
_FIRST = 9  # points of the first grid that are computed before it is looked whether the valley is beyond
Objective = Callable[[Array], Array]


def at_best_order(objective: Objective, quick: Objective | None = None) -> tuple[Array, Array]:
    """Return the least value of each row that was met beside its best order, and its order.

    `objective` maps orders of shape (1, k) or (n_rows, k) to values of shape (n_rows, k). `quick` does so in less time
    to fewer digits, or raises `NotQuickError`: it only shows where the best order is. It takes few orders at once.
    """
    try:
        orders = _beside_best(quick or objective, quick is not None)
    except NotQuickError:
        orders = _beside_best(objective, False)
    if not len(orders):
        return np.zeros(0), np.zeros(0)
    values = objective(orders)
    best = np.argmin(values, axis=1, keepdims=True)
    return np.take_along_axis(values, best, 1)[:, 0], np.take_along_axis(orders, best, 1)[:, 0]


def _beside_best(objective: Objective, is_quick: bool) -> Array:
    """Return the best order of each row that a last grid has, and the one at the bottom of a parabola.

    aε and ln δ are convex in a = α − 1, as aτ is, so that ε and ln δ have one valley in u = ln a. It is enclosed on a
    wide grid, then on one with an eighth of its step, whose places are the same for every row, so that the result of a
    row does not depend on the other rows; then on four of each row's own: the valley of sparse sampling
    has one steep side. At last comes the least place of the parabola through three places.
    """
    values = _up_to_valley(objective, _WIDE_GRID, range(_FIRST, _COARSE + 1) if is_quick else [_FIRST + 1, _COARSE])
    least = np.argmin(values, axis=1)
    if not least.size:
        return np.zeros((0, 2))
    low, high = max(int(least.min()) - 1, 0), min(int(least.max()) + 1, _COARSE - 1)
    u = _FINE_GRID[:, low * _PARTS : high * _PARTS + 1]
    values = _up_to_valley(objective, u, [*range(_PARTS + 1, u.size, _PARTS // 2), u.size] if is_quick else [u.size])
    u = u[:, : values.shape[1]]
    for _ in range(_ROUNDS):
        middle, step, _ = _valley(u, values)
        u = np.clip(middle + step * _WINDOW, _LEAST, _MOST)
        values = objective(1 + np.exp(u))
    middle, step, shift = _valley(u, values)
    return 1 + np.exp(np.clip(middle + step * [0, 1] * shift, _LEAST, _MOST))


def _up_to_valley(objective: Objective, u: Array, ends: Sequence[int]) -> Array:
    """Return the values at a grid's first places, up to one of the ends, before which every row has its least value."""
    values = objective(1 + np.exp(u[:, : ends[0]]))
    for start, end in pairwise(ends):
        if not np.any(values[:, -1] <= np.min(values, axis=1)):
            break
        values = np.hstack([values, objective(1 + np.exp(u[:, start:end]))])
    return values


def _valley(u: Array, values: Array) -> tuple[Array, Array, Array]:
    """Return the place of each row's least value, the step of its grid, and the steps to the bottom of the parabola."""
    rows, best, last = np.arange(len(values)), np.argmin(values, axis=1), values.shape[1] - 1
    before, least, after = (values[rows, np.clip(best + side, 0, last)] for side in (-1, 0, 1))
    bend = before - 2 * least + after
    shift = np.divide((before - after) / 2, bend, out=np.zeros_like(bend), where=bend > 0)
    middle = u[rows if len(u) > 1 else 0, best]
    return middle[:, None], u[:, 1:2] - u[:, :1], np.maximum(np.minimum(shift, 1), -1)[:, None]
