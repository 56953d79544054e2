"""The noise of a release that is denoised against the recommended noise left as it is: which, and in which words."""

import math
from dataclasses import dataclass

from dpcore import tables
from dpcore.calibrations import DP
from dpcore.families import FAMILIES
from dpcore.mechanism import Mechanism
from dpcore.recommendation import GUARANTEES, recommend
from dpcore.sensitivity import Sensitivity
from pages.framework.parameters.number_format import format_nearest, format_up
from pages.shared.formulas import in_words

ESTIMATOR_PHRASES = {
    "none": "the release as it is",
    "posterior_mean": "the posterior mean",
    "james_stein_plus": "James–Stein (positive part)",
    "soft_universal": "soft thresholding at σ√(2 ln d)",
    "soft_sure": "soft thresholding by SURE",
    "non_negative": "clipping at 0",
    "with_total": "clipping at 0 with preserved total",
    "wavelet_universal": "wavelet thresholding at σ√(2 ln m)",
    "wavelet_sure": "wavelet thresholding by SURE",
    "graph_wavelet": "graph wavelets",
    "laplacian": "Laplacian smoothing",
    "trend_filtering": "graph trend filtering",
}


_RELEASABLE = tuple(family.calibration.key for family in FAMILIES.values() if family.is_sampled_safely)
_ROUNDING = 1e-9  # of a percentage


def recommended_noise(epsilon: float, delta: float, sensitivity: Sensitivity, significance: float) -> Mechanism | None:
    """Return the noise that Tables recommends, that of the least variance of two; α is that of one count.

    One is for pure ε-DP, the other for (ε, δ)-DP; None where neither fits.
    """
    noises = tables.mechanisms(epsilon, delta, sensitivity, keys=_RELEASABLE)
    best = [recommend(noises, guarantee, bool(sensitivity.whole), significance) for guarantee in GUARANTEES]
    return min((choice.mechanism for choice in best if choice), key=lambda noise: noise.variance, default=None)


@dataclass(frozen=True)
class Comparison:
    """Gaussian noise, denoised by one estimator, against the recommended noise left as it is.

    `gain` is the share of the RMSE that the estimator removes, two standard errors below what was found and two above.
    `rmse` is that of the denoised noise, `spread` two standard errors of it, infinite where nothing shows it. `other`
    is the noise that is compared, None where that is the Gaussian noise itself; `undenoised_rmse` is its RMSE.
    """

    estimator: str
    rmse: float
    spread: float
    other: Mechanism | None
    undenoised_rmse: float
    gain: tuple[float, float]

    @property
    def pays(self) -> bool:
        """Whether denoising is better by more than the spread, and by 1 % at least."""
        return self.estimator != "none" and 100 * self.gain[0] + _ROUNDING >= 1


def recommendation_text(comparison: Comparison, scope: str) -> str:
    """Return which estimator to use, by how much the RMSE is less, and than what; `scope` says of what, as a clause."""
    other = comparison.other
    guarantee = "" if other is None or other.guarantee == DP else f" ({other.guarantee})"
    than = "" if other is None else f" than {in_words(other)} noise{guarantee}"
    name = ESTIMATOR_PHRASES[comparison.estimator]
    return f"With {DP}, use {name}: {_percent_range(comparison)} less RMSE{than}{scope}."


def _percent_range(comparison: Comparison) -> str:
    """Return by how many percent the RMSE is less: from what is certain to what is possible."""
    least, most = math.floor(100 * comparison.gain[0] + _ROUNDING), math.ceil(100 * comparison.gain[1] - _ROUNDING)
    return f"{least} %" if most <= least else f"{least}–{most} %"


def refusal_text(comparison: Comparison, counts: str = "", scope: str = "") -> str:
    """Return not to denoise, in numbers and for which guarantees; `what` is denoised, `scope` is as above."""
    begin, other = f"Do not denoise{counts}", comparison.other
    if other is None:
        if comparison.estimator == "none":
            return f"{begin}: judged by the release alone, no estimator reduces its error, with {DP}."
        if not math.isfinite(comparison.spread):
            return f"{begin}: one number does not show whether denoising reduces its error, with {DP}."
        low, high = (-100 * share for share in comparison.gain[::-1])
        change = f"by {_signed(math.floor(low + _ROUNDING))} to {_signed(math.ceil(high - _ROUNDING))} %"
        return f"{begin}: {ESTIMATOR_PHRASES[comparison.estimator]} changes the RMSE {change}{scope}, with {DP}."
    name, least = in_words(other), format_nearest(comparison.undenoised_rmse, 3)
    gaussian = f"{'' if comparison.estimator == 'none' else 'denoised '}Gaussian noise"
    either = f" ±{format_up(comparison.spread, 2)}" if math.isfinite(comparison.spread) else ""
    spread = f"{format_nearest(comparison.rmse, 3)}{either}{scope}"
    if comparison.rmse < comparison.undenoised_rmse:
        rest = f"not certainly below {least} of {name} noise ({other.guarantee})"
        return f"{begin}: {gaussian} ({DP}) has RMSE {spread}, {rest}."
    if other.guarantee == DP:
        return f"{begin}: with {DP}, {name} noise has RMSE {least}, {gaussian} {spread}."
    return f"{begin}: {name} noise ({other.guarantee}) has RMSE {least}, {gaussian} ({DP}) {spread}."


def _signed(percent: int) -> str:
    return f"{'+' if percent > 0 else '−' if percent < 0 else ''}{abs(percent)}"
