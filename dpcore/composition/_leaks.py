"""Releases whose guarantee fails with probability δᵢ: the remainder of δ for the other losses."""

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import DELTA_RANGE, Array, integer, number
from dpcore.composition._divergences import divergence, rho_of
from dpcore.composition._failures import broken_up, slack_down
from dpcore.composition._sampled_integral import quick_divergence
from dpcore.composition.releases import COUNT_RANGE, PURE_KINDS, Release, failure_of
from dpcore.rounding import round_up, total_up


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
        numbers = np.transpose([release.numbers for release in alike])
        counts = np.array([float(release.count) for release in alike])
        if is_quick and kind == "sampled":
            total = total + quick_divergence(order[..., None] - 1, *numbers) @ counts
        else:
            total = total + divergence(kind, order[..., None], numbers) @ counts
    return round_up(total, 32)
