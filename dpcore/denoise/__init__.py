"""Denoising a Gaussian release: what can be won back from ŷ = y + N(0, σ²I) alone, at no cost in privacy.

`shrinkage` pulls the whole release towards the origin, `thresholding` makes small coordinates 0, `projection` gives
counts back what they obey; `wavelets` thresholds a series, an image or numbers on a graph in a basis in which few
numbers hold it; `filtering` smooths numbers at the nodes of a graph. `selection` says what each is, and ranks them by
Stein's estimate or by `coupled_risk`; `repeats` has that, and tells how good the ranking is where the truth is known.
`sparse` has what each leaves of the error of a vector with a given norm and share of zeros. `experiments` has
Experiments 5.1 and 5.2 of Balle & Wang 2018. All public names stand here.
"""

from dpcore.denoise.experiments import (
    MEAN_DIMENSION_RANGE,
    MEAN_MECHANISMS,
    MEAN_RECORDS_RANGE,
    MEAN_REPEATS_RANGE,
    MeanDraws,
    least_delta_removing,
    mean_draws,
    mean_errors,
    mean_estimation,
    mean_estimation_orderings,
    mean_sensitivity,
    variance_ratio,
    variance_ratios,
)
from dpcore.denoise.filtering import laplacian_smoothing, trend_filtering
from dpcore.denoise.projection import Estimate, non_negative, non_negative_risk, with_total
from dpcore.denoise.repeats import (
    EXTRA_VARIANCE,
    RANKING_REPEATS_RANGE,
    TRUTH_RANGE,
    RankingErrors,
    SimulatedErrors,
    coupled_risk,
    simulate_errors,
)
from dpcore.denoise.selection import ESTIMATORS, STRUCTURES, Estimator, Knowledge, best, estimates, estimator_keys
from dpcore.denoise.shrinkage import james_stein, james_stein_risk, posterior_mean, posterior_mean_risk, unchanged
from dpcore.denoise.sparse import SimulatedRisk, simulated_sureshrink, sparse_shares, sureshrink_shares
from dpcore.denoise.thresholding import (
    soft_threshold,
    soft_threshold_bound,
    soft_threshold_risk,
    sureshrink,
    universal_soft,
    universal_threshold,
)
from dpcore.denoise.wavelets import WAVELETS, graph_wavelet, wavelet

__all__ = [
    "ESTIMATORS",
    "EXTRA_VARIANCE",
    "MEAN_DIMENSION_RANGE",
    "MEAN_MECHANISMS",
    "MEAN_RECORDS_RANGE",
    "MEAN_REPEATS_RANGE",
    "RANKING_REPEATS_RANGE",
    "STRUCTURES",
    "TRUTH_RANGE",
    "WAVELETS",
    "Estimate",
    "Estimator",
    "Knowledge",
    "MeanDraws",
    "RankingErrors",
    "SimulatedErrors",
    "SimulatedRisk",
    "best",
    "coupled_risk",
    "estimates",
    "estimator_keys",
    "graph_wavelet",
    "james_stein",
    "james_stein_risk",
    "laplacian_smoothing",
    "least_delta_removing",
    "mean_draws",
    "mean_errors",
    "mean_estimation",
    "mean_estimation_orderings",
    "mean_sensitivity",
    "non_negative",
    "non_negative_risk",
    "posterior_mean",
    "posterior_mean_risk",
    "simulate_errors",
    "simulated_sureshrink",
    "soft_threshold",
    "soft_threshold_bound",
    "soft_threshold_risk",
    "sparse_shares",
    "sureshrink",
    "sureshrink_shares",
    "trend_filtering",
    "unchanged",
    "universal_soft",
    "universal_threshold",
    "variance_ratio",
    "variance_ratios",
    "wavelet",
    "with_total",
]
