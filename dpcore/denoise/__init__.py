"""Denoising a Gaussian release: what can be won back from ŷ = y + N(0, σ²I) alone, at no cost in privacy.

`shrinkage` pulls the whole release towards the origin, `thresholding` makes small coordinates 0, `projection` gives
counts back what they obey; `smoothing`, `tree_wavelets` and `filtering` use the graph whose nodes the numbers belong
to. All public names stand here.
"""

from dpcore.denoise.estimate import Estimate
from dpcore.denoise.filtering import trend_filtering
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
from dpcore.denoise.smoothing import laplacian_smoothing
from dpcore.denoise.thresholding import (
    soft_threshold,
    soft_threshold_bound,
    soft_threshold_risk,
    sure_soft,
    universal_soft,
    universal_threshold,
)
from dpcore.denoise.tree_wavelets import graph_wavelet

__all__ = [
    "Estimate",
    "bayes_risk",
    "graph_wavelet",
    "james_stein",
    "james_stein_bayes_risk",
    "james_stein_risk",
    "laplacian_smoothing",
    "non_negative",
    "non_negative_risk",
    "posterior_mean",
    "posterior_mean_risk",
    "soft_threshold",
    "soft_threshold_bound",
    "soft_threshold_risk",
    "sure_soft",
    "trend_filtering",
    "unchanged",
    "universal_soft",
    "universal_threshold",
    "with_total",
]
