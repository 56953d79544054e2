"""Sums of guarantees by formulas: of ε, δ and how often alone, of losses that are finitely many, and of ρ and τ(α).

The releases stand on the last axis of `epsilon`, `n_releases` and `delta`, which broadcast; a single number is one
release.
Queries may be chosen adaptively, the parameters are fixed beforehand. No formula is always the least: take the minimum,
with `basic_epsilon` in it, which the advanced ones often exceed.

Of guarantees alone the total loss has finitely many values, and δ(ε) is a sum over them ([KOV15] Thm 3.3).

Where guarantees fail with probability δᵢ, ρ and τ(α) are those of the list if none fails, for what remains of δ;
formulas and sources are in `dpcore.composition.renyi`. Every τ is written with terms of one sign near a = α − 1 = 0 and
ε = 0, where the textbook forms cancel, and with the exponential taken out where aε is large; both are right to a
relative 1e-13, by which they are rounded up.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from dpcore.checks import DELTA_RANGE, PURE_DELTA_RANGE, Array, integer, number
from dpcore.composition._normalize import Whole
from dpcore.composition._sampled_integral import (
    exp_remainder,
    quick_divergence,
    sinh_remainder,
    subsampled_gaussian_rdp,
)
from dpcore.composition.releases import (
    COUNT_RANGE,
    PURE_RANGE,
    Release,
    broken_up,
    failure_of,
    failures,
    slack_down,
)
from dpcore.rounding import ULP, round_down, round_up, total_up
from dpcore.tradeoff.losses import lies_told

_exact_sums = np.vectorize(total_up, signature="(n),(n)->()", otypes=[np.float64])


def basic_epsilon(epsilon: ArrayLike, n_releases: ArrayLike = 1) -> Array:
    """Σ nᵢεᵢ over the last axis ([DR14] Thm 3.16), which goes with `basic_delta`.

    Parameters
    ----------
    epsilon : in [0, 1e3], in nats, the releases on the last axis.
    n_releases : how often each is released, whole numbers in [1, 1e6].

    Returns
    -------
    The least double that is not below the exact sum.

    Examples
    --------
    >>> print(f"{basic_epsilon([0.5, 1], [10, 1]):.1f}")
    6.0
    """
    epsilon, n_releases, _ = broadcast_releases(epsilon, n_releases, 0.0)
    return _exact_sums(epsilon, n_releases.astype(np.int64))[()]


def basic_delta(delta: ArrayLike, n_releases: ArrayLike = 1) -> Array:
    """Σ nᵢδᵢ over the last axis, at most 1 ([DR14] Thm 3.16).

    Parameters
    ----------
    delta : in [0, 1), the releases on the last axis.
    n_releases : how often each is released, whole numbers in [1, 1e6].

    Returns
    -------
    The least double that is not below the exact sum.

    Examples
    --------
    >>> print(f"{basic_delta(1e-8, 100):.3g}")
    1e-06
    """
    _, n_releases, delta = broadcast_releases(0.0, n_releases, delta)
    return np.minimum(_exact_sums(delta, n_releases.astype(np.int64)), 1.0)[()]


def advanced_epsilon(
    delta_total: ArrayLike, epsilon: ArrayLike, n_releases: ArrayLike = 1, delta: ArrayLike = 0.0
) -> Array:
    """√(2s ln(1/δ')) + Σ nᵢεᵢ(e^{εᵢ} − 1), s = Σ nᵢεᵢ², δ' = δ − Σ nᵢδᵢ: Dwork, Rothblum & Vadhan ([DR14] Thm 3.20).

    For unequal ε it is the same proof: Hoeffding's inequality for losses in [−εᵢ, εᵢ] whose means are at most
    εᵢ(e^{εᵢ} − 1).

    Parameters
    ----------
    delta_total : δ of all releases together, in [0, 1).
    epsilon : in [0, 1e3], in nats, the releases on the last axis.
    n_releases : how often each is released, whole numbers in [1, 1e6].
    delta : of each release, in [0, 1).

    Returns
    -------
    ε rounded up, above the formula by a relative 1e-13 at most (where δ' itself does not cancel); ∞ where nothing is
    left for δ', and where kεe^ε passes the largest double (no ε up to 685). It is often above `basic_epsilon`.

    Examples
    --------
    >>> print(f"{advanced_epsilon(1e-6, 0.1, 100):.6f}")
    6.308231
    """
    delta_total = number("delta_total", delta_total, PURE_DELTA_RANGE)
    epsilon, n_releases, delta = broadcast_releases(epsilon, n_releases, delta)
    slack = round_down(np.maximum(delta_total - _exact_sums(delta, n_releases.astype(np.int64)), 0), 2)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        drift = np.sum(n_releases * epsilon * np.expm1(epsilon), axis=-1)
        total = drift + np.sqrt(2 * np.sum(n_releases * epsilon**2, axis=-1) * -np.log(slack))
        up = round_up(total, 16 + epsilon.shape[-1])
    return np.where(slack > 0, up, np.inf)[()]


def kairouz_epsilon(
    delta_total: ArrayLike, epsilon: ArrayLike, n_releases: ArrayLike = 1, delta: ArrayLike = 0.0
) -> Array:
    """Return the closed form of Kairouz, Oh & Viswanath ([KOV15] Thm 3.4 for equal, 3.5 for unequal releases).

    min{Σ nᵢεᵢ, m + √(2s ln(e + √s/δ')), m + √(2s ln(1/δ'))}, m = Σ nᵢεᵢ tanh(εᵢ/2), s = Σ nᵢεᵢ², where
    1 − δ = (1 − δ') Π(1 − δᵢ)^{nᵢ}.

    Arguments as in `advanced_epsilon`.

    Returns
    -------
    ε rounded up, above the formula by a relative 1e-13 at most (where δ' itself does not cancel); Σ nᵢεᵢ where nothing
    is left for δ', so also where δ is 1 − Π(1 − δᵢ), and ∞ where δ is less than that.

    Examples
    --------
    >>> print(f"{kairouz_epsilon(1e-6, 0.1, 100):.6f}")
    5.756106
    """
    delta_total = number("delta_total", delta_total, PURE_DELTA_RANGE)
    epsilon, n_releases, delta = broadcast_releases(epsilon, n_releases, delta)
    slack = slack_down(delta_total, failures(delta, n_releases))
    square = np.sum(n_releases * epsilon**2, axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_slack = np.log(np.maximum(slack, 0))
        reach = np.minimum(-log_slack, np.logaddexp(1.0, np.log(square) / 2 - log_slack))
        spread = np.where(square > 0, np.sqrt(2 * square * reach), 0.0)
    drift = np.sum(n_releases * epsilon * np.tanh(epsilon / 2), axis=-1)
    closed = round_up(drift + spread, 16 + epsilon.shape[-1])
    basic = _exact_sums(epsilon, n_releases.astype(np.int64))
    return np.where(slack >= 0, np.minimum(basic, closed), np.inf)[()]


def broadcast_releases(epsilon: ArrayLike, n_releases: ArrayLike, delta: ArrayLike) -> tuple[Array, Array, Array]:
    """ε, how often and δ of releases on a last axis of their own, checked."""
    epsilons = np.atleast_1d(number("epsilon", epsilon, PURE_RANGE))
    often, broken = integer("n_releases", n_releases, COUNT_RANGE), number("delta", delta, PURE_DELTA_RANGE)
    first, second, third = np.broadcast_arrays(epsilons, often, broken)
    return first, second, third


MOST_LOSSES = 2**20


def _losses(together: Whole) -> tuple[Array, Array, Array]:
    """Total losses in rising order, and of each how likely a larger or equal one is under P, and ln of that under Q."""
    loss, mass = np.zeros(1), np.ones(1)
    for release in together.runs:
        epsilon, count = release.numbers[0], release.count
        n_lies, chance = lies_told(epsilon, count)
        n_lies, chance = n_lies[chance > 0], chance[chance > 0]
        loss = np.add.outer(loss, (count - 2 * n_lies) * epsilon).ravel()
        mass = np.multiply.outer(mass, chance).ravel()
    order = np.argsort(loss)[::-1]
    loss, mass = loss[order], mass[order]
    with np.errstate(divide="ignore"):
        log_other = np.logaddexp.accumulate(np.log(mass) - loss)
    return loss[::-1], np.cumsum(mass)[::-1], log_other[::-1]


def lattice_delta(together: Whole, epsilon: Array) -> tuple[Array, Array]:
    """δ(ε) = P(L > ε) − e^ε Q(L > ε), and its error."""
    loss, ours, log_theirs = _losses(together)
    first = np.searchsorted(loss, epsilon, side="right")
    inside, near = first < loss.size, epsilon < round_up(loss[-1], 8)
    first = np.minimum(first, loss.size - 1)
    value = np.where(inside, np.maximum(ours[first] - np.exp(np.minimum(epsilon + log_theirs[first], 0)), 0), 0)
    return value, np.where(near, ours[first], 0) * _rounding_error(loss)


def lattice_epsilon(together: Whole, delta: Array, doubt: Array) -> tuple[Array, Array, Array]:
    """ε(δ), how far it is off where δ is right to a relative `doubt`, and the relative error of δ there."""
    loss, ours, log_theirs = _losses(together)
    corner = np.maximum(ours - np.exp(loss + log_theirs), 0)  # δ at each loss, where a term of it is 0

    def epsilon(delta: Array) -> Array:
        first = np.minimum(loss.size - np.searchsorted(corner[::-1], delta, side="left"), loss.size - 1)
        with np.errstate(divide="ignore"):
            return np.log(np.maximum(ours[first] - delta, 0)) - log_theirs[first]

    value = epsilon(delta)
    above = ours[np.minimum(np.searchsorted(loss, value, side="right"), loss.size - 1)]
    relative = above / delta * _rounding_error(loss) + doubt
    most, least = epsilon(np.maximum(delta * (1 - relative), 0)), epsilon(delta * (1 + relative))
    return value, np.maximum(most - np.maximum(value, 0), np.maximum(value, 0) - np.maximum(least, 0)), relative


def _rounding_error(loss: Array) -> float:
    return 8 * ULP * (10 + np.sqrt(loss.size) + np.max(abs(loss)))


_LEAST_EPSILON = 1e-90  # below it cubes leave the doubles


def divergence(kind: str, order: Array, numbers: Array) -> Array:
    """τ(α), rounded up, of each column of `numbers`, those of `Release`; of an (ε, δ)-guarantee that of its ε alone.

    That of geometric and of truncated noise is bounded by τ of every ε-DP guarantee, that of a profile by τ of its
    largest ε, and that of discrete Gaussian noise by the continuous one's ([CKS20] Thm 14).
    """
    first = numbers[0]
    if kind == "sampled":
        return subsampled_gaussian_rdp(order, first, numbers[1])
    if kind == "gaussian":
        return round_up(order / (2 * first * first), 8)
    if kind == "zcdp":
        return round_up(order * first, 4)
    if kind == "discrete_gaussian":
        return round_up(order * numbers[1] * numbers[1] / (2 * first * first), 8)
    epsilon = np.maximum(first, _LEAST_EPSILON)
    value = _OWN_DIVERGENCES.get(kind, _guarantee_divergence)(order, epsilon)
    return np.where(first > 0, np.minimum(round_up(value, 512), epsilon), 0)


def _rho_of(release: Release) -> float:
    """Return the least known ρ, rounded up: of an (ε, δ) guarantee that of its ε alone, ∞ of a sampled release."""
    number = release.numbers[0]
    if release.kind == "zcdp":
        return number
    if release.kind in ("gaussian", "sampled"):
        return round_up(1 / (2 * number * number), 8) if release.is_gaussian else np.inf
    if release.kind == "discrete_gaussian":
        return round_up((release.numbers[1] / number) ** 2 / 2, 8)
    if release.kind == "laplace":
        return round_up(float(exp_remainder(np.array(-number))), 32)
    pure = round_up(number * np.tanh(number / 2), 8)
    return min(pure, number * number / 8) if release.kind == "exponential" else pure


def _laplace(order: Array, epsilon: Array) -> Array:
    more, width = order - 1, 2 * order - 1
    power = more * epsilon
    near = order * exp_remainder(np.minimum(power, 1)) + more * exp_remainder(-order * epsilon)
    far = epsilon + np.log1p(more / width * np.expm1(-width * epsilon)) / more
    return np.where(power < 1, np.log1p(near / width) / more, far)


def _guarantee_divergence(order: Array, epsilon: Array) -> Array:
    more = order - 1
    power = more * epsilon
    small = np.minimum(power, 1)
    near = expit(epsilon) * exp_remainder(small) + expit(-epsilon) * exp_remainder(-small)
    far = epsilon + np.log1p(expit(-epsilon) * np.expm1(-2 * power)) / more
    return np.where(power < 1, np.log1p(near + power * np.tanh(epsilon / 2)) / more, far)


def _exponential(order: Array, epsilon: Array) -> Array:
    """aτ = a[S(αε) − S(aε)] + [S(αε) − S(ε)], both terms positive."""
    more = order - 1
    total = _log_sinhc_rise(more * epsilon, 1 / more) + _log_sinhc_rise(epsilon, more) / more
    return np.minimum(total, order * epsilon * epsilon / 8)


def _log_sinhc_rise(u: Array, ratio: Array) -> Array:
    """S(u + ratio · u) − S(u) > 0, S(u) = ln(sinh(u/2)/(u/2)).

    With x = u/2 and y = ratio · x its exponential is [cosh y + coth x sinh y]/(1 + ratio).
    """
    x = u / 2
    y = ratio * x
    near, small = np.minimum(x, 1), np.minimum(y, 30)
    half, quarter = np.sinh(small / 2), np.sinh(near / 2)
    excess = (near * 2 * quarter * quarter - sinh_remainder(near)) / np.sinh(near)  # x coth x − 1
    excess = np.where(x < 1, excess, x / np.tanh(x) - 1)
    rise = 2 * half * half + sinh_remainder(small) / np.tanh(x) + ratio * excess
    far = y - np.log1p(ratio) - np.log(-np.expm1(-2 * x))  # without e^{−60}
    return np.where(y < 30, np.log1p(rise / (1 + ratio)), far)


_OWN_DIVERGENCES = {"laplace": _laplace, "exponential": _exponential}  # less than that of every ε-DP guarantee


def with_leaks(releases: Sequence[Release], delta: Array) -> Array:
    """1 − (1 − δ′)Π(1 − δᵢ), rounded up: δ of the list if it is δ′ when no guarantee fails."""
    return broken_up(delta, failure_of(releases))


def of_runs(delta: ArrayLike, n_runs: ArrayLike) -> tuple[Array, Array]:
    """Return δ and the number of runs, checked and broadcast to one shape."""
    delta, runs = np.broadcast_arrays(number("delta", delta, DELTA_RANGE), integer("n_runs", n_runs, COUNT_RANGE))
    return delta, runs


def delta_left(releases: Sequence[Release], delta: Array, runs: Array) -> Array:
    """δ′ with 1 − (1 − δ′)Π(1 − δᵢ) = δ over all runs, rounded down; negative where the guarantees exceed δ."""
    return slack_down(delta, of_each_run(lambda n_runs: failure_of(releases, n_runs), runs))


def pure_sum(releases: Sequence[Release], left: Array, runs: Array) -> Array:
    """Return Σ ε of all runs, rounded up; ∞ where one has no pure ε, or where `left` of δ is below 0."""
    if not all(release.has_epsilon for release in releases):
        return np.full(left.shape, np.inf)
    return np.where(left >= 0, epsilon_sum(releases, runs), np.inf)


def epsilon_sum(releases: Sequence[Release], runs: Array) -> Array:
    """Σ ε over all runs of releases with a pure ε, rounded up from the exact sum."""
    once = sum((Fraction(release.numbers[0]) * release.count for release in releases), Fraction(0))
    return of_each_run(lambda n_runs: total_up([once], [int(n_runs)]), runs)


def of_each_run(value: Callable[[float], float], runs: Array) -> Array:
    """Return the value at each number of runs, computed once for those that occur more than once."""
    distinct, place = np.unique(runs, return_inverse=True)
    return np.array([value(n_runs) for n_runs in distinct.tolist()])[place].reshape(runs.shape)


def rho_without_leaks(releases: Sequence[Release]) -> float:
    """ρ of the list, given that no guarantee fails, rounded up."""
    return float(round_up(sum(release.count * _rho_of(release) for release in releases), 32))


def rdp_without_leaks(releases: Sequence[Release], order: Array, is_quick: bool = False) -> Array:
    """τ of the list, given that no guarantee fails; all releases of a kind are computed in one call.

    If it is to be quick, τ of steps of DP-SGD is `quick_divergence`, which is no bound.
    """
    total = np.zeros(order.shape)
    for kind in dict.fromkeys(release.kind for release in releases):  # in an order that no hash decides
        alike = [release for release in releases if release.kind == kind]
        numbers = np.transpose([release.numbers[:2] for release in alike])
        counts = np.array([float(release.count) for release in alike])
        if is_quick and kind == "sampled":
            total = total + quick_divergence(order[..., None] - 1, *numbers) @ counts
        else:
            total = total + divergence(kind, order[..., None], numbers) @ counts
    return round_up(total, 32)
