"""The least noise multiplier of DP-SGD that meets a risk: Poisson sampling, add or remove one record, certified.

z = σ/C is the noise multiplier, q the sampling rate, T the number of steps. The risk is that of the curve below those
of both directions (a record added, a record removed), which is symmetric (`dpcore.tradeoff.subsampled_gaussian_curve`).
What is returned was checked by certified bounds of `dpcore.composition`, so that z is never below the exact one. It was
at most 0.5 % above it wherever that was tried, but where q T is at most 0.1 and the limit is next to what a blind guess
reaches, it may be well above. No z below 0.3 is returned: there, single steps reveal who takes part.
"""

import math
from collections.abc import Sequence

from numpy.typing import ArrayLike

from dpcore.checks import LEAST_DELTA, Array, integer, interval_bounds, number
from dpcore.composition import COUNT_RANGE, NOISE_RANGE, RATE_RANGE, sampled_release
from dpcore.composition.bounds import elementwise
from dpcore.composition.dp_sgd import clt_log_noise, log_mu
from dpcore.risk._least_scale import Target, least_scale, power_target
from dpcore.risk.guarantees import ProfilePoint, risk_bound
from dpcore.risk.noises import mu_at_point

LEAST_NOISE_MULTIPLIER = 0.3  # below it, a single step may reveal that a record takes part
_MOST_NOISE = interval_bounds(NOISE_RANGE)[1]
_LOG_NOISE_ENDS = math.log(LEAST_NOISE_MULTIPLIER), math.log(_MOST_NOISE)


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
