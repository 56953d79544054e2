"""How good it is to take what is ranked first, and the errors of estimators, by repeated or split releases.

`simulate_errors` repeats releases of a truth that is known. It is not for real data: a truth that is not public would
leak through every number.

`coupled_risk` needs the release alone, and does not flatter estimators that were tuned on it. Stein's estimate is too
low where SURE itself chose the tuning. The coupled bootstrap splits a release into two parts whose noises are
independent, denoises one and measures the result against the other: whatever was chosen on the one part is judged on
noise that it has never seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import Array, generator, number, record, scalar, scalar_integer
from dpcore.denoise.projection import checked_release
from dpcore.denoise.selection import NOTHING, Knowledge, each_estimate, estimator_keys
from dpcore.tables.release import Progress, chunks

EXTRA_VARIANCE = 0.3  # of trials on tables and series with 0.1, 0.3 and 1 the share that ranks best
PAIRS_RANGE = "[1, 1000]"
_NUMBER_RANGE, _SIGMA_RANGE = "[-1e70, 1e70]", "[1e-50, 1e70]"  # so that squares of squared errors are finite
_BOOTSTRAP_CHUNK = 2**15  # as `_CHUNK`, for copies that stay in the processor's cache


def coupled_risk(
    rng: np.random.Generator,
    noisy: ArrayLike,
    sigma: ArrayLike,
    knowledge: Knowledge = NOTHING,
    keys: Sequence[str] | None = None,
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
    knowledge : of y, as in `estimates`.
    keys : which estimators; None for all that apply but trend filtering, which takes far longer than the others.
    n_pairs : of draws of ω and −ω, in [1, 1000]. Fewer suffice for a longer release.

    Examples
    --------
    >>> risks = coupled_risk(np.random.default_rng(1), [9.0, -1.0, 0.5, 0.2], 1, n_pairs=1000)
    >>> [round(float(risks[key]), 1) for key in ("none", "james_stein_plus", "soft_universal", "soft_sure")]
    [5.3, 5.2, 3.3, 2.5]
    """
    generator("rng", rng)
    record("knowledge", knowledge, Knowledge)
    axes = knowledge.n_axes
    noisy, sigma = number("noisy", noisy, _NUMBER_RANGE), number("sigma", sigma, _SIGMA_RANGE)
    noisy, sigma = checked_release(noisy, sigma, axes)
    n_pairs = scalar_integer("n_pairs", n_pairs, PAIRS_RANGE)
    sizes = noisy.shape[-axes:]
    keys = estimator_keys(sizes, knowledge, repeatable=True) if keys is None else tuple(keys)
    spread, dimension = sigma.reshape(*sigma.shape, *(1,) * axes), prod(sizes)
    risk = {key: np.zeros(sigma.shape) for key in keys}
    for _, n_drawn in chunks(n_pairs, 2 * max(noisy.size, 1), _BOOTSTRAP_CHUNK):
        noise = spread * rng.standard_normal((n_drawn, *noisy.shape))
        both = np.concatenate([noise, -noise])
        plus, more = noisy + EXTRA_VARIANCE**0.5 * both, sigma * (1 + EXTRA_VARIANCE) ** 0.5
        both *= 2 / EXTRA_VARIANCE**0.5
        for key, estimate in each_estimate(plus, more, knowledge, keys):
            left = noisy - estimate.value
            factors = (array.reshape(*plus.shape[:-axes], dimension) for array in (left, left - both))
            terms = np.vecdot(*factors)  # ‖ŷ⁻ − g‖² − ‖σω‖²/α without its cancellation
            risk[key] += terms.sum(axis=0) / (2 * n_pairs)
    return {key: error - dimension * sigma**2 for key, error in risk.items()}


RANKING_REPEATS_RANGE = "[2, 100000]"
TRUTH_RANGE = "[-1e70, 1e70]"  # so that squares of squared errors are finite
_CHUNK = 2**17  # numbers of an array held at a time, unless one release is longer
_ROUNDING = 1e-9  # errors that differ by a smaller share are those of one and the same estimate


@dataclass(frozen=True)
class RankingErrors:
    """What comes of using, in each release, the estimator that one estimate of the risks ranks first.

    Errors are ‖value − y‖² as in `SimulatedErrors`.

    Attributes
    ----------
    chosen : the share of releases in which each estimator is ranked first, in the order of `SimulatedErrors.keys`.
    right : the share of releases in which what is ranked first is truly best.
    better, worse : the shares in which it is better, and worse, than the release itself.
    error, error_standard_error : its mean error.
    gain, gain_standard_error : the mean of the release's own error less that.
    estimated : the mean of the least estimate. SURE's is of this error; that of the coupled bootstrap is of the error
        at a noise of (1 + `EXTRA_VARIANCE`)σ².
    """

    chosen: Array
    right: float
    better: float
    worse: float
    error: float
    error_standard_error: float
    gain: float
    gain_standard_error: float
    estimated: float


@dataclass(frozen=True)
class SimulatedErrors:
    """Errors of estimators, and of the one that is ranked first, over repeated releases; see `simulate_errors`.

    Errors are ‖value − y‖², sums over the coordinates in squared query units. Arrays are in the order of `keys`.

    Attributes
    ----------
    keys : of the estimators.
    error, error_standard_error : the mean over the releases and the standard error of this mean.
    sure : the mean of SURE.
    optimism, optimism_standard_error : the mean of error − SURE: 0 for an unbiased estimate, above 0 where what SURE
        estimated was too good.
    gain, gain_standard_error : the mean of the release's own error − this error, on the same releases.
    truly_best : the share of releases in which its error is the least; equal errors count for each that has them.
    release_error : the mean error of the releases themselves.
    least : the mean error of the truly best of each release, which nobody can choose without the truth.
    by_sure : what comes of following SURE.
    by_coupled : the result of following `coupled_risk`; None where it was not requested.
    n_repeats : the number of releases.
    """

    keys: tuple[str, ...]
    error: Array
    error_standard_error: Array
    sure: Array
    optimism: Array
    optimism_standard_error: Array
    gain: Array
    gain_standard_error: Array
    truly_best: Array
    release_error: float
    least: float
    by_sure: RankingErrors
    by_coupled: RankingErrors | None
    n_repeats: int

    def rmse_reductions(self, expected_error: float, most: bool = False) -> Array:
        """Return the share of the release's root mean square error that each estimator removes, on the safe side.

        `expected_error` is dσ², the expected error of the release. The share is 1 − √r with the smaller of two bounds
        of the ratio r of mean errors, each two standard errors up: by the gain on the same releases, which is sharp
        where the gain is small, and by the error. A negative share is an increase. With `most` it is the other end of
        the interval: 1 − √r with the larger of the two bounds that are two standard errors down, 0 at least.
        """
        side = -2 if most else 2
        by_gain = 1 - (self.gain - side * self.gain_standard_error) / self.release_error
        by_error = (self.error + side * self.error_standard_error) / expected_error
        ratio = np.maximum(np.maximum(by_gain, by_error), 0) if most else np.minimum(by_gain, by_error)
        return 1 - np.sqrt(ratio)


def simulate_errors(
    rng: np.random.Generator,
    truth: ArrayLike,
    sigma: float,
    n_repeats: int = 200,
    knowledge: Knowledge = NOTHING,
    keys: Sequence[str] | None = None,
    progress: Progress | None = None,
    n_pairs: int = 0,
) -> SimulatedErrors:
    """Release y many times, denoise each release by every estimator, and compare what it says with what is true.

    Parameters
    ----------
    truth : y in [-1e70, 1e70], along one axis, or two for an image.
    sigma : in [1e-50, 1e70], in query units.
    rng : the source of randomness. All estimators meet the same releases.
    n_repeats : in [2, 100,000].
    knowledge : of y, as in `estimates`.
    keys : which estimators, in this order; None for all that apply but trend filtering, which takes far longer than
        the others.
    progress : called with the finished share now and then; an exception that it raises ends the repeats.
    n_pairs : of draws for `coupled_risk`, in [0, 1000]; 0 to follow SURE alone.

    Examples
    --------
    >>> simulation = simulate_errors(np.random.default_rng(1), [20.0, 0, 0, 0, 0, 0, 0, 0], 1, n_repeats=500)
    >>> place = simulation.error.argmin()
    >>> print(simulation.keys[place], simulation.error[place].round(1), "not", round(simulation.release_error, 1))
    soft_sure 4.1 not 8.0
    >>> round(simulation.by_sure.error, 1), round(simulation.by_sure.estimated, 1), round(simulation.by_sure.better, 2)
    (4.2, 1.0, 0.93)
    """
    generator("rng", rng)
    truth = number("truth", truth, TRUTH_RANGE)
    sigma, n_repeats = (
        scalar("sigma", sigma, "[1e-50, 1e70]"),
        scalar_integer("n_repeats", n_repeats, RANKING_REPEATS_RANGE),
    )
    n_pairs = scalar_integer("n_pairs", n_pairs, "[0, 1000]")
    repeatable = estimator_keys(truth.shape, knowledge, repeatable=True)
    keys = repeatable if keys is None else tuple(keys)
    scalar_integer("number of keys", len(keys), "[1, 1000]")
    release_error, (error, sure, risk) = np.empty(n_repeats), np.empty((3, len(keys), n_repeats))
    for start, n_rows in chunks(n_repeats, truth.size, _CHUNK):
        rows = slice(start, start + n_rows)
        noisy = truth + sigma * rng.standard_normal((n_rows, *truth.shape))
        release_error[rows] = _square(noisy - truth)
        for n_done, (key, estimate) in enumerate(each_estimate(noisy, sigma, knowledge, keys), 1):
            error[keys.index(key), rows], sure[keys.index(key), rows] = _square(estimate.value - truth), estimate.sure
            if progress is not None:
                progress((start + n_rows * n_done / len(keys) / (1 + 2 * n_pairs)) / n_repeats)
        if n_pairs:
            risks = coupled_risk(rng, noisy, sigma, knowledge, keys, n_pairs)
            risk[:, rows] = [risks[key] for key in keys]
            if progress is not None:
                progress((start + n_rows) / n_repeats)
    return _summary(keys, error, sure, release_error, risk if n_pairs else None)


def _square(rows: Array) -> Array:
    flat = rows.reshape(len(rows), -1)
    return np.vecdot(flat, flat)


def _summary(
    keys: tuple[str, ...], error: Array, sure: Array, release_error: Array, risk: Array | None
) -> SimulatedErrors:
    truly_best = error <= error.min(axis=0) * (1 + _ROUNDING)
    return SimulatedErrors(
        keys=keys,
        error=error.mean(axis=1),
        error_standard_error=_standard_error(error),
        sure=sure.mean(axis=1),
        optimism=(error - sure).mean(axis=1),
        optimism_standard_error=_standard_error(error - sure),
        gain=(release_error - error).mean(axis=1),
        gain_standard_error=_standard_error(release_error - error),
        truly_best=truly_best.mean(axis=1),
        release_error=float(release_error.mean()),
        least=float(error.min(axis=0).mean()),
        by_sure=_ranking_errors(sure, error, truly_best, release_error),
        by_coupled=None if risk is None else _ranking_errors(risk, error, truly_best, release_error),
        n_repeats=error.shape[1],
    )


def _ranking_errors(risk: Array, error: Array, truly_best: NDArray[np.bool_], release_error: Array) -> RankingErrors:
    first = np.argmin(risk, axis=0)
    followed = np.take_along_axis(error, first[None], axis=0)[0]
    gained, least_seen = release_error - followed, _ROUNDING * release_error
    return RankingErrors(
        chosen=np.bincount(first, minlength=len(risk)) / error.shape[1],
        right=float(np.take_along_axis(truly_best, first[None], axis=0).mean()),
        better=float(np.mean(gained > least_seen)),
        worse=float(np.mean(gained < -least_seen)),
        error=float(followed.mean()),
        error_standard_error=float(_standard_error(followed)),
        gain=float(gained.mean()),
        gain_standard_error=float(_standard_error(gained)),
        estimated=float(risk.min(axis=0).mean()),
    )


def _standard_error(values: Array) -> Array:
    return values.std(axis=-1, ddof=1) / values.shape[-1] ** 0.5
