"""A close estimate of the totals of many lists of the same releases at once, by one contour integral.

It is the integral of `dpcore.composition.contour` at one real part c for all lists whose saddle points are near c, with
K(s) of each release once: sums of them are those of the lists. Where noise has atoms, |e^K| does not decay; a Gaussian
window of a small share of the spread of the losses ends it, which smooths δ(ε)e^{cε} over as much; Gaussian noise in
every list ends it sooner. It is no bound.
"""

import math
from collections.abc import Sequence

import numpy as np

from dpcore.checks import Array
from dpcore.composition import Release, log_moments
from dpcore.plan._estimate import ORDERS, POLES_BEND, Saddles, order_moments, saddles

_WINDOW = 0.03  # the standard deviation of the window, in that of the losses
_WINDOW_END = 5.0  # standard deviations of the window in s, where the nodes end
_FAINT = 20.0  # nodes that have decayed by e^−20 do not count
_SPREADS, _DECAY = 12.0, 16.0  # the period of the trapezoid rule in spreads, and in 1/c: what is beyond is e^−16
_APART = 4  # orders between two c
_MOST_TURNS = 9e5  # the imaginary part of s is below 1e6
_PURE = 1 - 1e-9  # from so near to the sum of pure ε, it is taken to be that
_CLOSE, _LEAST = 2e-5, 1e-3  # of ε, and in nats: after a step so short, what is left is its square
_MOST_STEPS, _LONGEST = 8, 2.0  # of Newton's steps, and the longest in spreads


def list_saddles(releases: Sequence[Release], counts: Array, delta: float) -> Saddles:
    """Return the quick estimates of the lists in which each release is so many times, of shape (n, n_releases)."""
    return saddles(*_sums(releases, counts), delta)


def close_epsilons(releases: Sequence[Release], counts: Array, delta: float) -> Array:
    """Return an estimate of ε at δ of each list, 0 of an empty one.

    Of 100 random plans each it was off by at most 0.005 % at δ = 1e-6, 0.06 % at 1e-4 and 0.01, and 1.4 % at 0.1.

    Parameters
    ----------
    releases : with all their runs.
    counts : how many times each is in a list, of shape (n, n_releases).
    delta : 0, or in [1e-300, 1).

    Examples
    --------
    >>> from dpcore.composition import gaussian_release, laplace_release
    >>> releases = [laplace_release(0.2, 5), gaussian_release(4.0, 5)]
    >>> close_epsilons(releases, np.array([[1, 1], [0, 1]]), 1e-6).round(3).tolist()
    [3.161, 2.55]
    """
    moments, pure = _sums(releases, counts)
    epsilon, place = saddles(moments, pure, delta)
    is_open = (epsilon < pure * _PURE) & counts.any(axis=1)
    nearest = np.minimum((place + _APART // 2) // _APART * _APART, ORDERS.size - 1)
    for order in np.unique(nearest[is_open]).tolist() if delta > 0 else []:
        rows = np.flatnonzero(is_open & (nearest == order))
        bend = np.maximum(moments[rows, 2, order], 0) + POLES_BEND[order]
        solved = _solved(releases, counts[rows], delta, float(ORDERS[order]), bend, epsilon[rows])
        epsilon[rows] = np.minimum(solved, pure[rows])
    return np.where(counts.any(axis=1), epsilon, 0.0)


def _sums(releases: Sequence[Release], counts: Array) -> tuple[Array, Array]:
    """Return K, K′ and K″ of each list, and its sum of pure ε, ∞ where a release has none."""
    moments, pure = order_moments(tuple(releases))
    with np.errstate(invalid="ignore"):  # ∞ times 0
        return np.tensordot(counts, moments, 1), np.where(counts > 0, counts * pure, 0.0).sum(axis=1)


def _solved(releases: Sequence[Release], counts: Array, delta: float, c: float, bend: Array, epsilon: Array) -> Array:
    """Return the ε at which the integral along c + it is δ, by Newton's steps from the quick estimates."""
    spread = math.sqrt(float(bend.max()))
    window = _WINDOW * math.sqrt(float(bend.min()))
    distance = 2 * math.pi / (_SPREADS * spread + _DECAY / c)
    counts = counts * np.array([release.count for release in releases])
    gaussian = [release.numbers[0] ** -2 if release.kind == "gaussian" else 0.0 for release in releases]
    end = min(_WINDOW_END / window, math.sqrt(2 * _FAINT / max(float((counts @ gaussian).min()), 1e-200)))
    t = distance * np.arange(int(min(end, _MOST_TURNS) / distance) + 2)
    s = c + 1j * t
    logs = counts @ log_moments(releases, s)
    level = np.real(logs[:, 0])
    exponents = logs - level[:, None] - (window * t) ** 2 / 2
    is_seen = np.real(exponents).max(axis=0) > -_FAINT
    t, s, exponents = t[is_seen], s[is_seen], exponents[:, is_seen]
    nodes = np.exp(exponents) / (s * (1 + s))
    nodes[:, 0] /= 2
    for _ in range(_MOST_STEPS):
        turned = nodes * np.exp(-1j * np.multiply.outer(epsilon, t))
        total, slope = np.real(turned).sum(axis=1), np.imag(turned) @ t
        with np.errstate(divide="ignore", invalid="ignore"):  # where rounding has made a sum ≤ 0
            miss = level - c * epsilon + np.log(total * distance / math.pi) - math.log(delta)
            step = miss / (c - slope / total)
        step = np.where(np.isfinite(step), np.clip(step, -_LONGEST * spread, _LONGEST * spread), -1 / c)
        epsilon = np.maximum(epsilon + step, 0)
        if np.all(abs(step) <= _CLOSE * (_LEAST + epsilon)):
            break
    return epsilon
