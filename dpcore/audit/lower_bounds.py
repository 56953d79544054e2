"""The conclusions from a confidence band: the least ε and μ, and the curves that it contradicts."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from dpcore._records import PlainRecord
from dpcore.audit.bands import Band
from dpcore.checks import Array, number
from dpcore.rounding import ULP, round_down, round_sum_down


@dataclass(frozen=True)
class LowerBound(PlainRecord):
    """A proved lower bound, and the `alpha_high`, `beta_high` of the point that proves it."""

    value: Array
    alpha: Array
    beta: Array


def epsilon_lower(band: Band, delta: ArrayLike) -> LowerBound:
    """ε = max over points of ln((1 − δ − β)/α) and ln((1 − δ − α)/β), at least 0: (ε', δ)-DP is refuted for ε' < ε.

    (ε, δ)-DP guarantees 1 − β ≤ e^ε α + δ and 1 − α ≤ e^ε β + δ for every test ([KOV15] Thm 2.1; [JUO20] §3). Both
    ratios fall in α and in β, so upper bounds on these give a lower bound on ε.

    Parameters
    ----------
    delta : in [0, 1); the result has its shape.

    Examples
    --------
    >>> from dpcore.audit import attack_from_counts, band
    >>> region = band(None, attack_from_counts(3, 1000, 200, 1000), confidence=0.95)
    >>> f"{epsilon_lower(region, 1e-6).value:.4f}"
    '4.4832'
    """
    room = 1 - number("delta", delta, "[0, 1)")[..., None]
    alpha, beta = band.alpha_high, band.beta_high
    return _greatest(band, np.maximum(_log_ratio(room, beta, alpha), _log_ratio(room, alpha, beta)))


def _log_ratio(room: Array, first: Array, other: Array) -> Array:
    return round_down(np.log(np.maximum(round_down((room - first - 4 * ULP) / other, 4), 1)), 4)


def mu_lower(band: Band) -> LowerBound:
    """μ = max over points of Φ⁻¹(1 − α) − Φ⁻¹(β), at least 0: μ'-GDP is refuted for μ' < μ ([DRS22]).

    G_μ(α) = Φ(Φ⁻¹(1 − α) − μ) ≤ β solved for μ falls in α and in β, so upper bounds on these give a lower bound on μ.

    Examples
    --------
    >>> from dpcore.audit import attack_from_counts, band
    >>> region = band(None, attack_from_counts(3, 1000, 200, 1000), confidence=0.95)
    >>> f"{mu_lower(region).value:.4f}"
    '3.1279'
    """
    mu_high, mu_low = -ndtri(band.alpha_high), -ndtri(band.beta_high)
    return _greatest(band, np.maximum(round_sum_down(mu_high + mu_low, abs(mu_high) + abs(mu_low), 8), 0))


def _greatest(band: Band, value: Array) -> LowerBound:
    best = np.argmax(value, axis=-1)
    return LowerBound(np.max(value, axis=-1), band.alpha_high[best], band.beta_high[best])


def is_contradicted(band: Band, f: Callable[[Array], Array], symmetric: bool = True) -> NDArray[np.bool_]:
    """Return where a point proves that the guarantee f is violated: β_high < f(α_high), or with α and β exchanged.

    f does not increase and α ≤ α_high, so f(α) ≥ f(α_high) > β_high ≥ β: the attack does what f excludes. Neighbouring
    data sets can be exchanged, so a guarantee for both orders also excludes α < f(β) ([DRS22]).

    Parameters
    ----------
    f : the guaranteed trade-off function on arrays of α, rounded down by its maker if at all.
    symmetric : whether f is guaranteed in both orders, as f-DP does.

    Examples
    --------
    >>> from dpcore.tradeoff import epsilon_delta
    >>> from dpcore.audit import attack_from_counts, band
    >>> region = band(None, attack_from_counts(3, 1000, 200, 1000), confidence=0.95)
    >>> is_contradicted(region, lambda alpha: epsilon_delta(alpha, 1, 0)).tolist()
    [True]
    """
    broken = band.beta_high < f(band.alpha_high)
    return broken | (band.alpha_high < f(band.beta_high)) if symmetric else broken
