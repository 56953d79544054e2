"""Mechanisms for one statistic with bounds side by side: their scales, what they really keep, their errors.

The statistic's true value s lies in [c₀, c₁], `low` and `high`; neighbours move it by at most Δ (`sensitivity`). Three
kinds of noise stay inside the bounds: the truncated one, whose scale b the paper and the exponential mechanism's
sensitivity Δ_u only bound; the boundary-inflated truncated one (BIT); and unbounded noise of (ε, δ)-DP, clipped, which
is BIT noise of that scale. All but the last satisfy pure ε-DP at the given ε; the last satisfies (ε, δ)-DP.

ε (`epsilon`) is in nats, lengths are in query units, p in [1, 100]. Scales and ε are rounded up, errors to the nearest.

References
----------
[Liu19] F. Liu, IEEE TKDE 31(4), 2019, doi:10.1109/TKDE.2018.2845388: Def. 5 and 7, Eq. 7–8 and 15–16, Lemma 10.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import Array
from dpcore.generalized_gaussian.bounded import (
    boundary_inflated_loss,
    exact_boundary_inflated_scale,
    exact_truncated_scale,
    truncated_loss,
    truncated_scale,
)
from dpcore.generalized_gaussian.bounded_distributions import (
    boundary_inflated_masses,
    boundary_inflated_moments,
    boundary_inflated_pdf,
    truncated_moments,
    truncated_pdf,
)
from dpcore.generalized_gaussian.exponential import LEAST_SHARE, bounded_exponential_scale, lemma_exponential_scale
from dpcore.generalized_gaussian.scales import adp_scale
from dpcore.roots import multisect

__all__ = [
    "BIT",
    "CLIPPED",
    "EXPONENTIAL",
    "LEMMA",
    "MECHANISMS",
    "PUBLISHED",
    "TRUNCATED",
    "BoundedNoise",
    "bounded_sensitivity",
    "clipping_width",
    "densities",
    "end_masses",
    "errors",
    "satisfied_epsilon",
    "scales",
]


@dataclass(frozen=True)
class BoundedNoise:
    """A noise within bounds and the formula of its scale; `clipped`: what falls outside goes to the nearer bound."""

    key: str
    name: str
    clipped: bool


TRUNCATED = BoundedNoise("truncated", "truncated, exact", False)
PUBLISHED = BoundedNoise("published", "truncated, published", False)
BIT = BoundedNoise("bit", "BIT, exact", True)
CLIPPED = BoundedNoise("clipped", "(ε, δ) noise, clipped", True)
EXPONENTIAL = BoundedNoise("exponential", "exponential, exact Δᵤ", False)
LEMMA = BoundedNoise("lemma", "exponential, Lemma 10", False)
MECHANISMS = (TRUNCATED, PUBLISHED, BIT, CLIPPED, EXPONENTIAL, LEMMA)


def bounded_sensitivity(sensitivity: ArrayLike, low: ArrayLike, high: ArrayLike) -> Array:
    """Return how far neighbours can move a statistic within bounds: Δ, at most W = c₁ − c₀, counted as 1e-9 W or more.

    Examples
    --------
    >>> bounded_sensitivity([0.5, 30], 0, 10).tolist()
    [0.5, 10.0]
    """
    width = np.subtract(high, low)
    return np.clip(sensitivity, LEAST_SHARE * width, width)


def scales(
    epsilon: ArrayLike, delta: ArrayLike, p: ArrayLike, low: ArrayLike, high: ArrayLike, sensitivity: ArrayLike
) -> pd.DataFrame:
    """Return the scale b of every mechanism, a column each by its key; a row for each entry of the broadcast arguments.

    Parameters
    ----------
    epsilon : in [1e-30, 1e6].
    delta : of the clipped noise, in [1e-300, 1).
    p : shape, in [1, 100]; Lemma 10 speaks of whole p, and its column is NaN at others.
    low, high : c₀ < c₁ in query units, 1e-100 to 1e100 apart.
    sensitivity : Δ > 0 in query units, taken as `bounded_sensitivity` says.

    Examples
    --------
    >>> row = scales(1, 1e-6, 2, 0, 10, 1).iloc[0]
    >>> f"truncated b = {row[TRUNCATED.key]:.3f}, published {row[PUBLISHED.key]:.3f}"
    'truncated b = 3.901, published 6.481'
    """
    epsilon, delta, p, low, high, sensitivity = (
        np.ravel(array) for array in np.broadcast_arrays(epsilon, delta, p, low, high, sensitivity)
    )
    width, moved = high - low, bounded_sensitivity(sensitivity, low, high)
    is_whole, along = p == np.floor(p), (..., np.newaxis)  # the published formulas sum over the last axis
    lemma = np.full(p.shape, np.nan)
    part = (array[is_whole] for array in (epsilon, p, moved[along], low[along], high[along]))
    lemma[is_whole] = lemma_exponential_scale(*part)
    return pd.DataFrame(
        {
            TRUNCATED.key: exact_truncated_scale(epsilon, p, width, moved),
            PUBLISHED.key: truncated_scale(epsilon, p, moved[along], width[along]),
            BIT.key: exact_boundary_inflated_scale(epsilon, p, width, moved),
            CLIPPED.key: adp_scale(epsilon, delta, p, moved),
            EXPONENTIAL.key: bounded_exponential_scale(epsilon, p, moved[along], width[along]),
            LEMMA.key: lemma,
        }
    )


def satisfied_epsilon(scale: dict[str, float], p: float, width: float, moved: float) -> dict[str, float]:
    """Return the least ε of pure DP that each mechanism keeps, by its key, whatever its scale was calibrated to.

    Rounded up as in `truncated_loss` and `boundary_inflated_loss`. Clipped noise whose scale is far below the width may
    keep an ε far above 1e6, about (width/b)^p, infinite where a double can't hold it (see `checks.EPSILON_RANGE`).

    Examples
    --------
    >>> epsilons = satisfied_epsilon({"truncated": 4.0, "bit": 4.0}, p=2, width=10, moved=1)
    >>> {key: f"{epsilon:.3f}" for key, epsilon in epsilons.items()}
    {'truncated': '0.944', 'bit': '1.279'}
    """
    by_key = {}
    for loss, clipped in ((truncated_loss, False), (boundary_inflated_loss, True)):
        keys = [mechanism.key for mechanism in _mechanisms_with_scale(scale) if mechanism.clipped == clipped]
        by_key |= dict(zip(keys, loss([scale[key] for key in keys], p, width, moved).tolist(), strict=True))
    return by_key


def clipping_width(epsilon: float, scale: float, p: float, moved: float) -> float:
    """Return the width of the bounds up to which noise of this scale, clipped, satisfies pure ε-DP, to a relative 1e-6.

    In wider bounds BIT noise of pure ε needs a larger b. 0 where the scale keeps ε between no bounds, and infinite
    where it does between bounds 1e9 Δ wide.

    Parameters
    ----------
    epsilon : in [1e-30, 1e6].
    scale : b in query units, from 1e-150 to 1e150 times Δ.
    p : shape, in [1, 100].
    moved : Δ > 0, in query units, which the width is at least.

    Examples
    --------
    >>> f"{clipping_width(1, scale=6, p=2, moved=1):.3f}"
    '17.546'
    """
    least, most = 0.0, np.log(1 / LEAST_SHARE)

    def breaks(log_width: Array) -> NDArray[np.bool_]:
        widths = np.minimum(np.exp(log_width), 1 / LEAST_SHARE)  # e^{ln 1e9} may round beyond the domain
        return boundary_inflated_loss(scale / moved, p, widths, 1.0) > epsilon

    low, high = multisect(breaks, least, most, n_parts=64, n_rounds=5)
    if low == least and breaks(low):
        return 0.0
    return np.inf if high == most and not breaks(high) else float(moved * np.exp(low))


def errors(value: ArrayLike, scale: dict[str, float], p: float, low: float, high: float) -> pd.DataFrame:
    """Bias and root mean squared error at each true value, as columns KEY_bias and KEY_rmse, in query units.

    Parameters
    ----------
    scale : b of each mechanism, by its key.
    p, low, high : as in `scales`.
    value : true values in [low, high].

    Examples
    --------
    >>> row = errors([0.0], {"truncated": 4.0}, 2, 0, 10).iloc[0]
    >>> f"bias {row['truncated_bias']:.3f}, RMSE {row['truncated_rmse']:.3f}"
    'bias 2.253, RMSE 2.821'
    """
    columns = {"value": np.ravel(value).astype(float)}
    for mechanism in _mechanisms_with_scale(scale):
        moments = boundary_inflated_moments if mechanism.clipped else truncated_moments
        around_value = moments(columns["value"], scale[mechanism.key], p, low, high)
        columns[f"{mechanism.key}_bias"] = around_value.bias
        columns[f"{mechanism.key}_rmse"] = np.sqrt(around_value.mse)
    return pd.DataFrame(columns)


def densities(x: ArrayLike, value: float, scale: dict[str, float], p: float, low: float, high: float) -> pd.DataFrame:
    """Return the density of each mechanism's release at x in [low, high], a column each by its key, per query unit.

    The masses at the bounds are not in it: `end_masses` has them. There the density is its limit from inside.

    Examples
    --------
    >>> density = densities([2.0], 2, {"truncated": 4.0}, 2, 0, 10)["truncated"]
    >>> f"{density[0]:.4f}"
    '0.1861'
    """
    x = np.ravel(x).astype(float)
    inside = np.clip(x, np.nextafter(low, high), np.nextafter(high, low))
    columns = {
        mechanism.key: (boundary_inflated_pdf if mechanism.clipped else truncated_pdf)(
            inside, value, scale[mechanism.key], p, low, high
        )
        for mechanism in _mechanisms_with_scale(scale)
    }
    return pd.DataFrame({"x": x, **columns})


def end_masses(
    value: float, scale: dict[str, float], p: float, low: float, high: float
) -> dict[str, tuple[Array, Array]]:
    """Return the probabilities that a clipped mechanism releases c₀ and c₁ themselves, by its key.

    Examples
    --------
    >>> low, high = end_masses(2, {"bit": 4.0}, 2, 0, 10)["bit"]
    >>> f"{low:.4f} {high:.4f}"
    '0.2398 0.0023'
    """
    return {
        mechanism.key: boundary_inflated_masses(value, scale[mechanism.key], p, low, high)
        for mechanism in _mechanisms_with_scale(scale)
        if mechanism.clipped
    }


def _mechanisms_with_scale(scale: dict[str, float]) -> list[BoundedNoise]:
    return [mechanism for mechanism in MECHANISMS if mechanism.key in scale]
