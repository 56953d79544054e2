"""Releases whose guarantee fails with probability δᵢ: the remainder of δ for the other losses.

The Rényi divergence and the ρ of one run of a release; formulas and sources in `dpcore.composition.renyi`.

Every τ is written with terms of one sign near a = α − 1 = 0 and ε = 0, where the textbook forms cancel, and with the
exponential taken out where aε is large; both are right to a relative 1e-13, by which they are rounded up.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from dpcore.checks import DELTA_RANGE, Array, integer, number
from dpcore.composition._failures import broken_up, slack_down
from dpcore.composition._sampled_integral import exp_remainder, quick_divergence, sinh_remainder
from dpcore.composition.releases import COUNT_RANGE, PURE_KINDS, Release, failure_of
from dpcore.composition.sampled import subsampled_gaussian_rdp
from dpcore.rounding import round_up, total_up

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
    value = _OF_PURE_KINDS[kind](order, epsilon)
    return np.where(first > 0, np.minimum(round_up(value, 512), epsilon), 0)


def rho_of(release: Release) -> float:
    """Return the least known ρ, rounded up; of an (ε, δ)-guarantee that of its ε alone;
    ∞ for a sample of less than all.
    """
    number = release.numbers[0]
    if release.kind == "zcdp":
        return number
    if release.kind in ("gaussian", "sampled"):
        every = release.kind == "gaussian" or release.numbers[1] == 1
        return round_up(1 / (2 * number * number), 8) if every else np.inf
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


_OF_PURE_KINDS = {
    "laplace": _laplace,
    "geometric": _guarantee_divergence,
    "guarantee": _guarantee_divergence,
    "exponential": _exponential,
    "truncated_laplace": _guarantee_divergence,
    "profile": _guarantee_divergence,
}


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
    """Σ ε of all runs, rounded up from the exact sum, where every release has a pure ε and `left` of δ is at least 0;
    else ∞.
    """
    if any(release.kind not in PURE_KINDS for release in releases):
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
    return float(round_up(sum(release.count * rho_of(release) for release in releases), 32))


def rdp_without_leaks(releases: Sequence[Release], order: Array, is_quick: bool = False) -> Array:
    """τ of the list, given that no guarantee fails; all releases of a kind are computed in one call.

    If it is to be quick, τ of steps of DP-SGD is `quick_divergence`, which is no bound.
    """
    total = np.zeros(order.shape)
    for kind in {release.kind for release in releases}:
        alike = [release for release in releases if release.kind == kind]
        numbers = np.transpose([release.numbers[:2] for release in alike])
        counts = np.array([float(release.count) for release in alike])
        if is_quick and kind == "sampled":
            total = total + quick_divergence(order[..., None] - 1, *numbers) @ counts
        else:
            total = total + divergence(kind, order[..., None], numbers) @ counts
    return round_up(total, 32)
