"""The phrases that name the estimators in the sentences of the page."""

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
