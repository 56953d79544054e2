"""One factor on all noise scales of a list of releases, so that together they meet a risk; certified.

Every scale grows in proportion: the noise multiplier of Gaussian noise and of DP-SGD, σ of discrete Gaussian noise, and
1/ε of Laplace, geometric and exponential mechanisms and of pure guarantees. A guarantee with a δ of its own and ρ-zCDP
name no noise whose scale could change: they are refused. The risk is that of the curve below those of both directions.
What is returned was checked by `dpcore.composition.certified_delta`: the factor is never below the exact one.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, Array, interval_bounds, number
from dpcore.composition import NOISE_RANGE, PURE_RANGE, Release
from dpcore.composition._normalize import joined, pure_total
from dpcore.composition.bounds import elementwise
from dpcore.composition.releases import PURE_KINDS, SIGMA_RANGE
from dpcore.risk._least_scale import Target, least_scale, power_target
from dpcore.risk.guarantees import (
    ADVANTAGE_RANGE,
    ANY_ALPHA_RANGE,
    at_rates,
    loss_of_any_test,
    posterior_point,
    power_point,
    reconstruction_point,
    success_point,
)
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
    return elementwise(lambda epsilon: _pure_factor(epsilon, listed), number("epsilon", epsilon, EPSILON_RANGE))


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


def _log_ends(releases: Sequence[Release]) -> tuple[float, float]:
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


def _pure_factor(epsilon: float, releases: Sequence[Release]) -> float:
    """Return the factor at which pure guarantees sum up to ε."""
    low, high = map(math.exp, _log_ends(releases))
    factor = max(round_up(pure_total(releases) / epsilon, 8), low) if epsilon > 0 else math.inf
    return factor if factor <= high else math.inf


def noise_factor_from_advantage(advantage: ArrayLike, releases: Sequence[Release]) -> Array:
    """Return the least factor on all noise scales at which the membership advantage, δ(0), is at most η, rounded up.

    Parameters
    ----------
    advantage : η in [0, 1).
    releases : from 1 to 400, none of kind "zcdp", none a guarantee with δ above 0.

    Returns
    -------
    A factor in [1e-6, 1e6], within the ranges of the scales: the least of these where less would be enough too, and inf
    where none is enough. Below 1 the noise may shrink.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release, laplace_release
    >>> print(f"{noise_factor_from_advantage(0.1, [gaussian_release(4), laplace_release(0.2)]):.3f}")
    1.283
    """
    return _factor_at_profile(np.zeros(()), number("advantage", advantage, ADVANTAGE_RANGE), releases)


def noise_factor_from_power(power: ArrayLike, alpha: ArrayLike, releases: Sequence[Release]) -> Array:
    """Return the least factor on all noise scales at which the best test at the rate α has at most this power.

    Parameters
    ----------
    power : the most that the true positive rate may be, in [alpha, 1).
    alpha : the false positive rate, in [1e-300, 1).
    releases : as in `noise_factor_from_advantage`.

    Returns
    -------
    A factor, as of `noise_factor_from_advantage`.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release
    >>> print(f"{noise_factor_from_power(0.05, 0.01, [gaussian_release(1, count=4)]):.3f}")
    2.935
    """
    return _factor_at_point(power_point(power, alpha), releases)


def noise_factor_from_posterior(
    posterior: ArrayLike, prior: ArrayLike, alpha: ArrayLike, releases: Sequence[Release]
) -> Array:
    """Return the least factor on all noise scales at which a positive test raises a prior at most so far, rounded up.

    Parameters
    ----------
    posterior, prior, alpha : as in `dpcore.risk.epsilon_from_posterior`. α = 0 stands for any test, which lists of pure
        guarantees alone have an answer for: that of basic composition.
    releases : as in `noise_factor_from_advantage`.

    Returns
    -------
    A factor, as of `noise_factor_from_advantage`.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release
    >>> print(f"{noise_factor_from_posterior(0.2, 0.1, 0.05, [gaussian_release(1)]):.2f}")
    2.32
    """
    any_test, alpha = loss_of_any_test(posterior, prior), number("alpha", alpha, ANY_ALPHA_RANGE)
    power, rate = posterior_point(*at_rates(posterior, prior, alpha))
    listed = scaled_releases(joined(releases), 1.0)
    return elementwise(
        lambda alpha, epsilon, power, rate: (
            _factor(power_target(power, rate), listed) if alpha > 0 else _pure_factor(epsilon, listed)
        ),
        alpha,
        any_test,
        power,
        rate,
    )


def noise_factor_from_success(success: ArrayLike, prior: ArrayLike, releases: Sequence[Release]) -> Array:
    """Return the least factor on all noise scales at which at most this share of guesses is right, rounded up.

    Parameters
    ----------
    success, prior : as in `dpcore.risk.mu_from_success`.
    releases : as in `noise_factor_from_advantage`.

    Returns
    -------
    A factor, as of `noise_factor_from_advantage`.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release
    >>> print(f"{noise_factor_from_success(0.55, 0.5, [gaussian_release(1)]):.3f}")
    3.979
    """
    return _factor_at_profile(*success_point(success, prior), releases)


def noise_factor_from_reconstruction(success: ArrayLike, baseline: ArrayLike, releases: Sequence[Release]) -> Array:
    """Return the least factor on all noise scales at which a right guess is at most so likely, rounded up.

    Parameters
    ----------
    success, baseline : as in `dpcore.risk.mu_from_reconstruction`.
    releases : as in `noise_factor_from_advantage`.

    Returns
    -------
    A factor, as of `noise_factor_from_advantage`.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release
    >>> print(f"{noise_factor_from_reconstruction(0.2, 0.05, [gaussian_release(1)]):.3f}")
    1.245
    """
    return _factor_at_point(reconstruction_point(success, baseline), releases)


def noise_factor_from_epsilon(epsilon: ArrayLike, delta: ArrayLike, releases: Sequence[Release]) -> Array:
    """Return the least factor on all noise scales at which the releases together satisfy (ε, δ)-DP, rounded up.

    Parameters
    ----------
    epsilon : in [0, 1e6], in nats.
    delta : in [1e-300, 1).
    releases : as in `noise_factor_from_advantage`.

    Returns
    -------
    A factor, as of `noise_factor_from_advantage`.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release
    >>> print(f"{noise_factor_from_epsilon(1, 1e-6, [gaussian_release(1, count=4)]):.2f}")
    8.45
    """
    return _factor_at_profile(number("epsilon", epsilon, EPSILON_RANGE), number("delta", delta, DELTA_RANGE), releases)


def _factor_at_profile(epsilon: Array, delta: Array, releases: Sequence[Release]) -> Array:
    listed = scaled_releases(joined(releases), 1.0)
    return elementwise(lambda epsilon, delta: _factor(Target(delta, start=epsilon), listed), epsilon, delta)


def _factor_at_point(point: tuple[Array, Array], releases: Sequence[Release]) -> Array:
    listed = scaled_releases(joined(releases), 1.0)
    return elementwise(lambda power, alpha: _factor(power_target(power, alpha), listed), *point)


def _factor(target: Target, releases: Sequence[Release]) -> float:
    """Return the factor that meets a target, the smaller one of what the profile and what basic composition need."""
    ends = _log_ends(releases)
    x = least_scale(lambda x: scaled_releases(releases, math.exp(x)), target, 0.0, ends)
    by_sum = _pure_factor(target.pure_epsilon, releases)
    return by_sum if x is None else min(by_sum, math.exp(x))


INVERSES = {
    "advantage": noise_factor_from_advantage,
    "power": noise_factor_from_power,
    "posterior": noise_factor_from_posterior,
    "success": noise_factor_from_success,
    "reconstruction": noise_factor_from_reconstruction,
}
"""The inverses by the kind of the risk; that of "outcome" is the posterior's."""
