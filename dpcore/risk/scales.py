"""The noise scales of a list of releases times one factor, and the factor at which pure guarantees add up to an ε."""

import math
from collections.abc import Sequence
from dataclasses import replace

from numpy.typing import ArrayLike

from dpcore.checks import EPSILON_RANGE, Array, interval_bounds, number
from dpcore.composition import NOISE_RANGE, PURE_RANGE, Release
from dpcore.composition._elementwise import elementwise
from dpcore.composition._normalize import joined, pure_total
from dpcore.composition.releases import PURE_KINDS, SIGMA_RANGE
from dpcore.rounding import round_up

_LEAST_FACTOR, _MOST_FACTOR = 1e-6, 1e6
_RANGES = {"gaussian": NOISE_RANGE, "sampled": NOISE_RANGE, "discrete_gaussian": SIGMA_RANGE}


def noise_factor_from_pure(epsilon: ArrayLike, releases: Sequence[Release]) -> Array:
    """Σ kᵢεᵢ/ε: the least factor on all noise scales at which pure guarantees together satisfy ε-DP, rounded up.

    That is basic composition: pure guarantees together may reach the sum of their ε.

    Parameters
    ----------
    epsilon : in [0, 1e6], in nats.
    releases : as in `noise_factor_from_advantage`.

    Returns
    -------
    A factor, as of `noise_factor_from_advantage`; inf at ε = 0, and where a release satisfies no pure ε-DP.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release, laplace_release
    >>> print(f"{noise_factor_from_pure(0.5, [laplace_release(0.2, count=5)]):.4f}")
    2.0000
    >>> noise_factor_from_pure([0.5, 1], [laplace_release(0.2), gaussian_release(4)]).tolist()
    [inf, inf]
    """
    listed = scaled_releases(joined(releases), 1.0)
    return elementwise(lambda epsilon: pure_factor(epsilon, listed), number("epsilon", epsilon, EPSILON_RANGE))


def scaled_releases(releases: Sequence[Release], factor: float) -> tuple[Release, ...]:
    """Return the releases with every noise scale multiplied by a factor.

    Parameters
    ----------
    releases : as in `noise_factor_from_advantage`.
    factor : above 0, such that every scale stays in its range; it is cut to that.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release, laplace_release
    >>> [release.numbers[0] for release in scaled_releases([gaussian_release(4), laplace_release(0.2)], 2)]
    [8.0, 0.1]
    """
    return tuple(_scaled(release, factor) for release in releases)


def _scaled(release: Release, factor: float) -> Release:
    first, *rest = release.numbers
    if release.kind in _RANGES:
        low, high = interval_bounds(_RANGES[release.kind])
        return replace(release, numbers=(min(max(first * factor, low), high), *rest))
    if release.kind not in PURE_KINDS or (release.kind == "guarantee" and rest[0] > 0):
        raise ValueError(f"releases must be noise with a scale, got {release.kind} {release.numbers}")
    return replace(release, numbers=(min(first / factor, interval_bounds(PURE_RANGE)[1]), *rest))


def log_ends(releases: Sequence[Release]) -> tuple[float, float]:
    """ln of the least and of the largest factor that keeps every scale in its range."""
    low, high = _LEAST_FACTOR, _MOST_FACTOR
    for release in releases:
        first = release.numbers[0]
        if release.kind in _RANGES:
            least, most = interval_bounds(_RANGES[release.kind])
            low, high = max(low, least / first), min(high, most / first)
        else:
            low = max(low, first / interval_bounds(PURE_RANGE)[1])
    return math.log(low), math.log(high)


def pure_factor(epsilon: float, releases: Sequence[Release]) -> float:
    """Return the factor at which pure guarantees sum up to ε."""
    low, high = map(math.exp, log_ends(releases))
    factor = max(round_up(pure_total(releases) / epsilon, 8), low) if epsilon > 0 else math.inf
    return factor if factor <= high else math.inf
