"""The pictures and the table of the section on the user's own counts."""

from typing import Any

import pandas as pd

from dpcore.denoise import ESTIMATORS, EXTRA_VARIANCE
from pages.denoising.counts import figures, tables, text
from pages.denoising.counts.results import CountsRelease
from pages.denoising.results import DenoisingResult
from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, CONFIDENTIAL_PICTURE, Colours, Exhibit, Figure


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
    return _errors_exhibit("estimators", tables.table_html(release), result, release)


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
