"""The table of every estimator of counts."""

import math

from dpcore.denoise import ESTIMATORS
from pages.denoising.counts.results import CountsRelease
from pages.denoising.counts.text import EXTRA_NOISE_PERCENT
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_nearest

_TUNING_FORMS = {
    "posterior_mean": "w = {}",
    "james_stein": "× {}",
    "james_stein_plus": "× {}",
    "soft_universal": "T = {}",
    "soft_sure": "T = {}",
    "wavelet_universal": "T = {}",
    "laplacian": "λ = {}",
}
_ASSUMPTIONS = {
    "none": "nothing",
    "posterior_mean": "w is known; harm far above w",
    "james_stein": "3 or more; may flip signs",
    "james_stein_plus": "3 or more; no harm on average",
    "soft_universal": "most are near 0; else harm",
    "soft_sure": "some are near 0; else little gain",
    "non_negative": "none below 0; no harm, raises sums",
    "with_total": "none below 0; else harm",
    "wavelet_universal": "neighbours similar; else harm",
    "wavelet_sure": "neighbours similar; else little gain",
    "laplacian": "neighbours similar; flattens peaks",
}


def table_html(release: CountsRelease) -> str:
    """Return the RMSE of every estimator, estimated and true, as HTML."""
    heads = [
        "Estimator",
        "Rank",
        "Tuning",
        f"Ranking, <span>at +{EXTRA_NOISE_PERCENT} % noise</span>",
        "SURE",
        "True, <span>this release</span>",
        f"Mean, <span>{release.n_repeats} releases</span>",
        "Assumption; when it does harm",
    ]
    rows = [_estimator_row(release, key) for key in release.table_keys]
    return number_format.table_html("RMSE of every estimator", "verdicts cells", heads, rows)


def _estimator_row(release: CountsRelease, key: str) -> list[str]:
    outcome, words = release.outcomes[key], ESTIMATORS[key]
    rank = str(release.ranking.index(key) + 1) if key in release.ranking else "–"
    tuning = _TUNING_FORMS[key].format(format_nearest(outcome.tuning)) if key in _TUNING_FORMS else "–"
    bias = ", too optimistic" if words.tuned else ""
    ranked_by = _rmse_cell(release.ranking_rmse[key]) if key in release.ranking_rmse else "–"
    numbers = [ranked_by, f"{_rmse_cell(outcome.rmse_by_sure)}{bias}"]
    numbers += [_rmse_cell(outcome.rmse), _rmse_cell(release.mean_rmse(key))]
    takes = "the total is true; else harm" if key == "with_total" and release.public_total else _ASSUMPTIONS[key]
    return [words.name, rank, "–" if math.isnan(outcome.tuning) else tuning, *numbers, takes]


def _rmse_cell(value: float) -> str:
    return "below 0" if math.isnan(value) else format_nearest(value)
