"""The error of an estimator, estimated from the release alone, also for estimators tuned on that release.

Stein's estimate is too low where SURE itself chose the tuning. The coupled bootstrap splits a release into two parts
whose noises are independent, denoises one and measures the result against the other: whatever was chosen on the one
part is judged on noise that it has never seen.
"""

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array, generator, number, scalar_integer
from dpcore.denoise._release import checked_release
from dpcore.denoise.selection import Structure, each_estimate, estimator_keys, n_axes
from dpcore.tables.release import chunks

EXTRA_VARIANCE = 0.3  # of trials on tables and series with 0.1, 0.3 and 1 the share that ranks best
PAIRS_RANGE = "[1, 1000]"
_NUMBER_RANGE, _SIGMA_RANGE = "[-1e70, 1e70]", "[1e-50, 1e70]"  # so that squares of squared errors are finite
_CHUNK = 2**15  # numbers of an array held at a time, so that its copies stay in the cache, unless one pair is longer


def coupled_risk(
    rng: np.random.Generator,
    noisy: ArrayLike,
    sigma: ArrayLike,
    structure: Structure = None,
    prior_sd: ArrayLike | None = None,
    total: ArrayLike | None = None,
    keys: Sequence[str] | None = None,
    basis: str | None = None,
    n_pairs: int = 10,
) -> dict[str, Array]:
    r"""Return the risk of each estimator at a little more noise, (1 + α)σ² with α = `EXTRA_VARIANCE`, by its key.

    With ω ~ N(0, I), ŷ⁺ = ŷ + √α σω and ŷ⁻ = ŷ − σω/√α have independent noises, so that for every estimator g

        E[‖ŷ⁻ − g(ŷ⁺)‖² − ‖σω‖²/α − dσ²] = E‖g(ŷ⁺) − y‖²,

    where g knows that ŷ⁺ has variance (1 + α)σ². Returned is the mean over draws of ω, each with its opposite: one
    number for each release, in squared query units, which may be negative. It is unbiased also where g chose its
    tuning on ŷ⁺, and costs no privacy: it is made of the release alone. See Oliveira, Lei & Tibshirani 2022,
    "Unbiased risk estimation in the normal means problem via coupled bootstrap techniques".

    Parameters
    ----------
    noisy : ŷ in [-1e70, 1e70], as in `estimates`.
    sigma : in [1e-50, 1e70], one number or one for each release.
    rng : the source of ω. All estimators meet the same ω.
    structure, prior_sd, total, basis : as in `estimates`.
    keys : which estimators; None for all that apply but trend filtering, which takes far longer than the others.
    n_pairs : of draws of ω and −ω, in [1, 1000]. Fewer suffice for a longer release.

    Examples
    --------
    >>> risks = coupled_risk(np.random.default_rng(1), [9.0, -1.0, 0.5, 0.2], 1, n_pairs=1000)
    >>> [round(float(risks[key]), 1) for key in ("none", "james_stein_plus", "soft_universal", "soft_sure")]
    [5.3, 5.2, 3.3, 2.5]
    """
    generator("rng", rng)
    axes = n_axes(structure)
    noisy, sigma = number("noisy", noisy, _NUMBER_RANGE), number("sigma", sigma, _SIGMA_RANGE)
    noisy, sigma = checked_release(noisy, sigma, axes)
    n_pairs = scalar_integer("n_pairs", n_pairs, PAIRS_RANGE)
    sizes = noisy.shape[-axes:]
    keys = estimator_keys(sizes, structure, prior_sd, repeatable=True) if keys is None else tuple(keys)
    spread, dimension = sigma.reshape(*sigma.shape, *(1,) * axes), prod(sizes)
    risk = {key: np.zeros(sigma.shape) for key in keys}
    for _, n_drawn in chunks(n_pairs, 2 * max(noisy.size, 1), _CHUNK):
        noise = spread * rng.standard_normal((n_drawn, *noisy.shape))
        both = np.concatenate([noise, -noise])
        plus, more = noisy + EXTRA_VARIANCE**0.5 * both, sigma * (1 + EXTRA_VARIANCE) ** 0.5
        both *= 2 / EXTRA_VARIANCE**0.5
        for key, estimate in each_estimate(plus, more, structure, prior_sd, total, keys, basis):
            left = noisy - estimate.value
            factors = (array.reshape(*plus.shape[:-axes], dimension) for array in (left, left - both))
            terms = np.vecdot(*factors)  # ‖ŷ⁻ − g‖² − ‖σω‖²/α without its cancellation
            risk[key] += terms.sum(axis=0) / (2 * n_pairs)
    return {key: error - dimension * sigma**2 for key, error in risk.items()}
