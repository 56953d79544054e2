"""The least noise of DP-SGD, and the least factor on all noise of a list of releases, that meet a risk; certified.

DP-SGD: Poisson sampling, add or remove one record; z = σ/C is the noise multiplier, q the sampling rate, T the number
of steps. It was at most 0.5 % above the exact z wherever that was tried, but where q T is at most 0.1 and the limit is
next to what a blind guess reaches, it may be well above. No z below 0.3 is returned: there, single steps reveal who
takes part.

In a list every scale grows in proportion: the noise multiplier of Gaussian noise and of DP-SGD, σ of discrete Gaussian
noise, and 1/ε of Laplace, geometric and exponential mechanisms and of pure guarantees. A guarantee with a δ of its own
and ρ-zCDP name no noise whose scale could change: they are refused.

The risk is that of the curve below those of both directions (a record added, a record removed), which is symmetric
(`dpcore.tradeoff.subsampled_gaussian_curve`). What is returned was checked by certified bounds of `dpcore.composition`:
it is never below the exact one.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from numpy.typing import ArrayLike

from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, LEAST_DELTA, Array, integer, interval_bounds, number
from dpcore.composition import COUNT_RANGE, NOISE_RANGE, PURE_RANGE, RATE_RANGE, Release, sampled_release
from dpcore.composition._normalize import joined, pure_total
from dpcore.composition.bounds import elementwise
from dpcore.composition.dp_sgd import clt_log_noise, log_mu
from dpcore.risk._least_scale import Target, least_scale, power_target
from dpcore.risk.guarantees import ProfilePoint, risk_bound
from dpcore.risk.noises import mu_at_point
from dpcore.rounding import round_up

LEAST_NOISE_MULTIPLIER = 0.3  # below it, a single step may reveal that a record takes part
_MOST_NOISE = interval_bounds(NOISE_RANGE)[1]
_LOG_NOISE_ENDS = math.log(LEAST_NOISE_MULTIPLIER), math.log(_MOST_NOISE)
_LEAST_FACTOR, _MOST_FACTOR = 1e-6, 1e6


def noise_factor_from_pure(epsilon: ArrayLike, releases: Sequence[Release]) -> Array:
    """Σ kᵢεᵢ/ε: the least factor on all noise scales at which pure guarantees together satisfy ε-DP, rounded up.

    That is basic composition: pure guarantees together may reach the sum of their ε.

    Parameters
    ----------
    epsilon : in [0, 1e6], in nats.
    releases : as in `noise_factor_from_risk`.

    Returns
    -------
    A factor, as of `noise_factor_from_risk`; inf at ε = 0, and where a release satisfies no pure ε-DP.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release, laplace_release
    >>> print(f"{noise_factor_from_pure(0.5, [laplace_release(0.2, count=5)]):.4f}")
    2.0000
    >>> noise_factor_from_pure([0.5, 1], [laplace_release(0.2), gaussian_release(4)]).tolist()
    [inf, inf]
    """
    listed = scaled_releases(joined(releases), 1.0)
    return elementwise(lambda epsilon: _pure_factor(epsilon, listed), number("epsilon", epsilon, EPSILON_RANGE))


def scaled_releases(releases: Sequence[Release], factor: float) -> tuple[Release, ...]:
    """Return the releases with every noise scale multiplied by a factor.

    Parameters
    ----------
    releases : as in `noise_factor_from_risk`.
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
    if release.scale_range:
        low, high = interval_bounds(release.scale_range)
        return replace(release, numbers=(min(max(first * factor, low), high), *rest))
    if not release.has_epsilon or (release.kind == "guarantee" and rest[0] > 0):
        raise ValueError(f"releases must be noise with a scale, got {release.kind} {release.numbers}")
    return replace(release, numbers=(min(first / factor, interval_bounds(PURE_RANGE)[1]), *rest))


def _log_ends(releases: Sequence[Release]) -> tuple[float, float]:
    """ln of the least and of the largest factor that keeps every scale in its range."""
    low, high = _LEAST_FACTOR, _MOST_FACTOR
    for release in releases:
        first = release.numbers[0]
        if release.scale_range:
            least, most = interval_bounds(release.scale_range)
            low, high = max(low, least / first), min(high, most / first)
        else:
            low = max(low, first / interval_bounds(PURE_RANGE)[1])
    return math.log(low), math.log(high)


def _pure_factor(epsilon: float, releases: Sequence[Release]) -> float:
    """Return the factor at which pure guarantees sum up to ε."""
    low, high = map(math.exp, _log_ends(releases))
    factor = max(round_up(pure_total(releases) / epsilon, 8), low) if epsilon > 0 else math.inf
    return factor if factor <= high else math.inf


def noise_factor_from_risk(
    kind: str, limit: ArrayLike, conditions: Sequence[ArrayLike], releases: Sequence[Release]
) -> Array:
    """Return the least factor on all noise scales at which releases together keep a risk within its limit, rounded up.

    Parameters
    ----------
    kind, limit, conditions : as in `dpcore.risk.epsilon_from_risk`. A risk of every outcome is met by lists of pure
        guarantees alone: by basic composition.
    releases : from 1 to 400, none of kind "zcdp", none a guarantee with δ above 0.

    Returns
    -------
    A factor in [1e-6, 1e6], within the ranges of the scales: the least of these where less would be enough too, and inf
    where none is enough. Below 1 the noise may shrink.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release, laplace_release
    >>> print(f"{noise_factor_from_risk('advantage', 0.1, (), [gaussian_release(4), laplace_release(0.2)]):.3f}")
    1.283
    """
    bound = risk_bound(kind, limit, conditions)
    listed = scaled_releases(joined(releases), 1.0)
    if isinstance(bound, ProfilePoint):
        return _factor_at_profile(*bound, listed)

    def at_point(power: float, alpha: float, loss: float) -> float:
        return _factor(power_target(power, alpha), listed) if math.isnan(loss) else _pure_factor(loss, listed)

    return elementwise(at_point, *bound)


def noise_factor_from_epsilon(epsilon: ArrayLike, delta: ArrayLike, releases: Sequence[Release]) -> Array:
    """Return the least factor on all noise scales at which the releases together satisfy (ε, δ)-DP, rounded up.

    Parameters
    ----------
    epsilon : in [0, 1e6], in nats.
    delta : in [1e-300, 1).
    releases : as in `noise_factor_from_risk`.

    Returns
    -------
    A factor, as of `noise_factor_from_risk`.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release
    >>> print(f"{noise_factor_from_epsilon(1, 1e-6, [gaussian_release(1, count=4)]):.2f}")
    8.45
    """
    epsilon, delta = number("epsilon", epsilon, EPSILON_RANGE), number("delta", delta, DELTA_RANGE)
    return _factor_at_profile(epsilon, delta, scaled_releases(joined(releases), 1.0))


def _factor_at_profile(epsilon: Array, delta: Array, releases: Sequence[Release]) -> Array:
    return elementwise(lambda epsilon, delta: _factor(Target(delta, start=epsilon), releases), epsilon, delta)


def _factor(target: Target, releases: Sequence[Release]) -> float:
    """Return the factor that meets a target, the smaller one of what the profile and what basic composition need."""
    ends = _log_ends(releases)
    x = least_scale(lambda x: scaled_releases(releases, math.exp(x)), target, 0.0, ends)
    by_sum = _pure_factor(target.pure_epsilon, releases)
    return by_sum if x is None else min(by_sum, math.exp(x))


def dp_sgd_noise_multiplier_from_risk(
    kind: str, limit: ArrayLike, conditions: Sequence[ArrayLike], sampling_rate: ArrayLike, steps: ArrayLike
) -> Array:
    """Return the noise multiplier at which DP-SGD keeps a risk within its limit, rounded up.

    Parameters
    ----------
    kind, limit, conditions : as in `dpcore.risk.mu_from_risk`.
    sampling_rate : q = expected batch / number of records, in (0, 1].
    steps : T, a whole number in [1, 1e6].

    Returns
    -------
    z in [0.3, 1e6]; 0.3 where less would be enough too, and inf where 1e6 is not enough.

    Examples
    --------
    >>> print(f"{dp_sgd_noise_multiplier_from_risk('advantage', 0.1, (), sampling_rate=0.002, steps=10_000):.3f}")
    1.025
    >>> print(f"{dp_sgd_noise_multiplier_from_risk('power', 0.05, [0.01], sampling_rate=0.002, steps=10_000):.3f}")
    0.638
    """
    bound = risk_bound(kind, limit, conditions, limits_outcomes=False)
    training = number("sampling_rate", sampling_rate, RATE_RANGE), integer("steps", steps, COUNT_RANGE)
    if isinstance(bound, ProfilePoint):
        return elementwise(_noise_at_profile, *bound, *training)
    return elementwise(_noise_at_point, bound.power, bound.alpha, *training)


def _noise_at_profile(epsilon: float, delta: float, rate: float, steps: float) -> float:
    return _noise(Target(delta, start=epsilon), log_mu(epsilon, max(delta, LEAST_DELTA)), rate, steps)


def _noise_at_point(power: float, alpha: float, rate: float, steps: float) -> float:
    mu = float(mu_at_point(power, alpha))
    return _noise(power_target(power, alpha), math.log(max(mu, 1e-12)), rate, steps)


def _noise(target: Target, log_mu_of_target: float, rate: float, steps: float) -> float:
    """z of a target, sought from that of the central limit theorem on."""

    def noise(x: float) -> float:
        return min(max(math.exp(x), LEAST_NOISE_MULTIPLIER), _MOST_NOISE)

    x = least_scale(
        lambda x: (sampled_release(noise(x), rate, int(steps)),),
        target,
        clt_log_noise(log_mu_of_target, rate, steps),
        _LOG_NOISE_ENDS,
    )
    return math.inf if x is None else noise(x)
