"""The pictures and the table of the section on the user's own counts."""

from typing import Any

import pandas as pd

from dpcore.denoise import ESTIMATORS, EXTRA_VARIANCE
from pages.denoising.counts import figures, tables, text
from pages.denoising.counts.results import Released
from pages.denoising.results import DenoisingResult
from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, CONFIDENTIAL_PICTURE, Colours, Exhibit


def errors(result: DenoisingResult, colour: Colours) -> Exhibit | None:
    """The error of each estimator over the release's own; nothing where there is nothing to denoise."""
    now = result.denoisable_release
    if now is None:
        return None
    kept = None if result.pinned is None else result.pinned.denoisable_release
    said, under = text.verdicts(now), text.subtitle(result, now)
    figure = figures.errors_figure(now, kept, said, under, colour)
    said, header, confidential = text.errors_alternative(now), _header(result, now), _confidential(now)
    return Exhibit("errors", figure, said, lambda: now.frame, header, confidential=confidential)


def values(result: DenoisingResult, colour: Colours) -> Exhibit | None:
    """True counts, the release, and what one estimator makes of it."""
    now = result.denoisable_release
    if now is None:
        return None
    figure = figures.values_figure(now, text.values_subtitle(result, now), colour)
    header = _header(result, now) | {"estimator": ESTIMATORS[now.drawn].name}
    said, confidential = text.values_alternative(now), CONFIDENTIAL_PICTURE if now.is_own else ""
    return Exhibit("denoised", figure, said, lambda: _numbers(now), header, confidential=confidential)


def table(result: DenoisingResult, _: Colours) -> Exhibit | None:
    """Every estimator in numbers and words."""
    now = result.denoisable_release
    if now is None:
        return None
    said, header, confidential = text.errors_alternative(now), _header(result, now), _confidential(now)
    return Exhibit("estimators", tables.table(now), said, lambda: now.frame, header, confidential=confidential)


def _confidential(now: Released) -> str:
    """What is said of the errors of a release of the user's own table."""
    return CONFIDENTIAL_FIGURES if now.is_own else ""


def _numbers(now: Released) -> pd.DataFrame:
    return now.counts.frame.assign(released=now.noisy, denoised=now.denoised)


def _header(result: DenoisingResult, now: Released) -> dict[str, Any]:
    """The parameters and units for the top of a CSV."""
    asked = result.setting
    shared = {key: value for key, value in asked.header.items() if key != "l2_sensitivity"}
    own = {
        "counts": now.counts.source,
        "order": "a series" if now.series else "none",
        "cells per person": asked.per_person,
        "most in one cell": asked.per_cell,
        "neighbours": asked.neighbours,
        "sigma": repr(now.sigma),
        "prior_sd": repr(now.prior_sd),
        "total": "public" if now.public_total else "of the release",
        "releases": now.n_repeats,
        "rmse": f"in counts; rmse_ranked_by at a noise of sqrt({1 + EXTRA_VARIANCE:g}) sigma; empty if below 0",
        "seed": now.seed,
    }
    pinned = {} if result.pinned is None else {"pinned": text.place(result.pinned, now)}
    return {"warning": text.TRIAL} | shared | own | pinned
