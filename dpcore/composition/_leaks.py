"""Releases whose guarantee fails with probability δᵢ: the remainder of δ for the other losses."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import DELTA_RANGE, Array, integer, number
from dpcore.composition._divergences import divergence, rho_of
from dpcore.composition._sampled_integral import quick_divergence
from dpcore.composition.closed_form import basic_epsilon
from dpcore.composition.releases import COUNT_RANGE, PURE_KINDS, Release, own_delta
from dpcore.rounding import round_down, round_up


def with_leaks(releases: Sequence[Release], delta: Array) -> Array:
    """1 − (1 − δ′)Π(1 − δᵢ), rounded up: δ of the list if it is δ′ when no guarantee fails."""
    log_kept = log_intact(releases)
    return np.minimum(round_up(-np.expm1(log_kept), 4) + round_up(np.exp(log_kept), 4) * delta, 1)


def of_runs(delta: ArrayLike, n_runs: ArrayLike) -> tuple[Array, Array]:
    """Return δ and the number of runs, checked and broadcast to one shape."""
    delta, runs = np.broadcast_arrays(number("delta", delta, DELTA_RANGE), integer("n_runs", n_runs, COUNT_RANGE))
    return delta, runs


def log_intact(releases: Sequence[Release]) -> float:
    """Σ ln(1 − δᵢ), rounded down: the log of the probability that no guarantee fails."""
    return round_up(sum(release.count * np.log1p(-own_delta(release)) for release in releases), 32)


def delta_left(releases: Sequence[Release], delta: Array, runs: ArrayLike = 1) -> Array:
    """δ′ with 1 − (1 − δ′)Π(1 − δᵢ) = δ over all runs, rounded down; at most 0 where nothing is left."""
    log_kept = np.asarray(runs) * log_intact(releases)
    left = round_down(delta + np.expm1(log_kept), 4) * np.exp(np.minimum(-log_kept, 40))
    return np.where(log_kept < 0, left, delta)


def pure_sum(releases: Sequence[Release], delta: Array, runs: ArrayLike = 1) -> Array:
    """Σ ε where every release has a pure ε and the guarantees fail with probability at most δ or Σδᵢ ≤ δ; else ∞."""
    if any(release.kind not in PURE_KINDS for release in releases):
        return np.full(delta.shape, np.inf)
    runs = np.asarray(runs)
    once = float(basic_epsilon([release.numbers[0] for release in releases], [release.count for release in releases]))
    total = np.where(runs == 1, once, round_up(runs * once))
    added = runs * math.fsum(release.count * own_delta(release) for release in releases)
    return np.where((delta >= added) | (delta_left(releases, delta, runs) >= 0), total, np.inf)


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
