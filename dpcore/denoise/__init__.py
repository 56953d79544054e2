"""Denoising a Gaussian release: what can be won back from ŷ = y + N(0, σ²I) alone, at no cost in privacy.

`shrinkage` pulls the whole release towards the origin, `thresholding` makes small coordinates 0, `projection` gives
counts back what they obey, `wavelets` thresholds a series or an image in a basis in which few numbers hold
it. All public names stand here.
"""

from dpcore.denoise.estimate import Estimate
from dpcore.denoise.projection import non_negative, non_negative_risk, with_total
from dpcore.denoise.shrinkage import (
    bayes_risk,
    james_stein,
    james_stein_bayes_risk,
    james_stein_risk,
    posterior_mean,
    posterior_mean_risk,
    unchanged,
)
from dpcore.denoise.thresholding import (
    soft_threshold,
    soft_threshold_bound,
    soft_threshold_risk,
    sure_soft,
    universal_soft,
    universal_threshold,
)
from dpcore.denoise.wavelets import WAVELETS, wavelet

__all__ = [
    "WAVELETS",
    "Estimate",
    "bayes_risk",
    "james_stein",
    "james_stein_bayes_risk",
    "james_stein_risk",
    "non_negative",
    "non_negative_risk",
    "posterior_mean",
    "posterior_mean_risk",
    "soft_threshold",
    "soft_threshold_bound",
    "soft_threshold_risk",
    "sure_soft",
    "unchanged",
    "universal_soft",
    "universal_threshold",
    "wavelet",
    "with_total",
]
