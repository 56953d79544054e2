"""The pictures and the table of the section on the user's own counts."""

import math
from typing import Any

import pandas as pd

from dpcore.denoise import ESTIMATORS, EXTRA_VARIANCE
from pages.denoising import figures
from pages.denoising.counts import text
from pages.denoising.counts.results import CountsRelease
from pages.denoising.counts.text import EXTRA_NOISE_PERCENT
from pages.denoising.results import DenoisingResult
from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, CONFIDENTIAL_PICTURE, Colours, Exhibit, Figure
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


def errors(result: DenoisingResult, colours: Colours) -> Exhibit | None:
    """Return the error of each estimator relative to the release's; None if there is nothing to denoise."""
    release = result.denoisable_release
    if release is None:
        return None
    pinned = None if result.pinned is None else result.pinned.denoisable_release
    verdicts, subtitle = text.verdict_texts(release), f"{text.subtitle(result, release)}; bold: ranks first"
    figure = figures.errors_figure(release, pinned, verdicts, subtitle, colours)
    return _errors_exhibit("errors", figure, result, release)


def values(result: DenoisingResult, colours: Colours) -> Exhibit | None:
    """Return the picture of the true counts, the release, and its denoised version."""
    release = result.denoisable_release
    if release is None:
        return None
    figure = figures.values_figure(release, text.values_subtitle(result, release), colours)
    header = csv_header(result, release) | {"estimator": ESTIMATORS[release.displayed_key].name}
    alternative, confidential = text.values_alternative_text(release), CONFIDENTIAL_PICTURE if release.is_own else ""
    return Exhibit("denoised", figure, alternative, lambda: _counts_frame(release), header, confidential=confidential)


def table(result: DenoisingResult, _: Colours) -> Exhibit | None:
    """Return the table of all estimators."""
    release = result.denoisable_release
    if release is None:
        return None
    return _errors_exhibit("estimators", table_html(release), result, release)


def _errors_exhibit(name: str, picture: Figure | str, result: DenoisingResult, release: CountsRelease) -> Exhibit:
    """Return an exhibit of the errors, which are confidential for the user's own table."""
    alternative, header = text.errors_alternative_text(release), csv_header(result, release)
    confidential = CONFIDENTIAL_FIGURES if release.is_own else ""
    return Exhibit(name, picture, alternative, lambda: release.frame, header, confidential=confidential)


def _counts_frame(release: CountsRelease) -> pd.DataFrame:
    return release.counts.frame.assign(released=release.noisy_counts, denoised=release.denoised_counts)


def csv_header(result: DenoisingResult, release: CountsRelease) -> dict[str, Any]:
    """Return the parameters and units for the top of a CSV."""
    setting = result.setting
    shared = {key: value for key, value in setting.csv_header.items() if key != "l2_sensitivity"}
    own = {
        "counts": release.counts.source,
        "order": "a series" if release.is_series else "none",
        "cells per person": setting.per_person,
        "most in one cell": setting.per_cell,
        "neighbours": setting.neighbours,
        "sigma": repr(release.sigma),
        "prior_sd": repr(release.prior_sd),
        "total": "public" if release.public_total else "of the release",
        "releases": release.n_repeats,
        "rmse": f"in counts; rmse_ranked_by at a noise of sqrt({1 + EXTRA_VARIANCE:g}) sigma; empty if below 0",
        "seed": release.seed,
    }
    pinned = {} if result.pinned is None else {"pinned": text.setting_text(result.pinned, release)}
    return {"warning": text.TRIAL_WARNING} | shared | own | pinned
