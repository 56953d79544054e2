"""Sums of guarantees: what releases that satisfy (ε, δ)-DP cost together, by formulas of ε, δ and how often alone.

The releases stand on the last axis of `epsilon`, `n_releases` and `delta`, which broadcast; a single number is one
release.
Queries may be chosen adaptively, the parameters are fixed beforehand. No formula is always the least: take the minimum,
with `basic_epsilon` in it, which the advanced ones often exceed.
"""

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import PURE_DELTA_RANGE, Array, integer, number
from dpcore.composition._failures import failures, slack_down
from dpcore.composition.releases import COUNT_RANGE, PURE_RANGE
from dpcore.rounding import round_down, round_up, total_up

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

    Parameters
    ----------
    delta_total : δ of all releases together, in [0, 1).
    epsilon : in [0, 1e3], in nats, the releases on the last axis.
    n_releases : how often each is released, whole numbers in [1, 1e6].
    delta : of each release, in [0, 1).

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
    """ε, how often and δ of releases on a last axis of their own, checked.

    Examples
    --------
    >>> [part.shape for part in broadcast_releases([0.1, 0.2], 3, 0)]
    [(2,), (2,), (2,)]
    """
    epsilons = np.atleast_1d(number("epsilon", epsilon, PURE_RANGE))
    often, broken = integer("n_releases", n_releases, COUNT_RANGE), number("delta", delta, PURE_DELTA_RANGE)
    first, second, third = np.broadcast_arrays(epsilons, often, broken)
    return first, second, third
