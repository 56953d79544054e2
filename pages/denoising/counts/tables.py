"""Every estimator of counts in numbers and a few words, as a table."""

import math

from dpcore.denoise import ESTIMATORS
from pages.denoising.counts.results import Released
from pages.denoising.counts.text import WIDER
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_nearest

_TUNING = {
    "posterior_mean": "w = {}",
    "james_stein": "× {}",
    "james_stein_plus": "× {}",
    "soft_universal": "T = {}",
    "soft_sure": "T = {}",
    "wavelet_universal": "T = {}",
    "laplacian": "λ = {}",
}


_TAKES = {
    "none": "nothing",
    "posterior_mean": "w is known; hurts far above w",
    "james_stein": "3 or more; may flip signs",
    "james_stein_plus": "3 or more; no harm on average",
    "soft_universal": "most are near 0; else it hurts",
    "soft_sure": "some are near 0; else little gain",
    "non_negative": "none below 0; never hurts, lifts sums",
    "with_total": "none below 0; else it hurts",
    "wavelet_universal": "neighbours alike; else it hurts",
    "wavelet_sure": "neighbours alike; else little gain",
    "laplacian": "neighbours alike; smears peaks",
}


def table(now: Released) -> str:
    """The RMSE of every estimator, expected and true, as HTML."""
    heads = [
        "Estimator",
        "Rank",
        "Tuning",
        f"By the ranking, <span>at +{WIDER} % noise</span>",
        "By SURE",
        "True, <span>this release</span>",
        f"Mean, <span>{now.n_repeats} releases</span>",
        "Takes for granted; when it hurts",
    ]
    return number_format.table_html(
        "RMSE of every estimator", "verdicts cells", heads, [_row(now, key) for key in now.listed]
    )


def _row(now: Released, key: str) -> list[str]:
    outcome, words = now.outcomes[key], ESTIMATORS[key]
    rank = str(now.ranking.index(key) + 1) if key in now.ranking else "–"
    tuning = _TUNING[key].format(format_nearest(outcome.tuning)) if key in _TUNING else "–"
    flattered = ", flattered" if words.tuned else ""
    numbers = [_rmse(now.risk.get(key, math.nan), key in now.risk), f"{_rmse(outcome.by_sure)}{flattered}"]
    numbers += [_rmse(outcome.true), _rmse(now.rmse(key))]
    takes = "the total is true; else it hurts" if key == "with_total" and now.public_total else _TAKES[key]
    return [
        words.name,
        rank,
        "–" if math.isnan(outcome.tuning) else tuning,
        *numbers,
        takes,
    ]


def _rmse(value: float, asked: bool = True) -> str:
    if not asked:
        return "–"
    return "below 0" if math.isnan(value) else format_nearest(value)
