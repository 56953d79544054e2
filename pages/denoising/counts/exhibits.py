"""The section on the user's own counts: its pictures, its table, and how they follow each other."""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from dpcore.denoise import ESTIMATORS, EXTRA_VARIANCE
from pages.denoising.counts import advice_text, figures, tables, text
from pages.denoising.counts import explanation as counts_explanation
from pages.denoising.counts.parameters import ESTIMATOR, ORDER, PRIOR_SD, SIGNAL, TABLE, TOTAL
from pages.denoising.counts.results import Released
from pages.denoising.results import DenoisingResult
from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, CONFIDENTIAL_PICTURE, Colours, Exhibit
from pages.framework.layout.section import Field, Fields, Part, Row
from pages.framework.parameters.kinds import Parameter
from pages.framework.parameters.number_format import escape_markdown
from pages.shared.counts.parameters import NEIGHBOURS, PER_CELL, PER_PERSON
from pages.shared.shared_parameters import DELTA, EPSILON, SEED


def answer(result: DenoisingResult) -> tuple[str, ...]:
    """What denoising wins back of these counts, what it costs, and what has changed since a setting was pinned."""
    now, kept = result.released, result.pinned
    if now is None:
        return (escape_markdown(result.problem), text.MENDING) if result.problem else text.MISSING
    said = text.drowned() if now.drowned else text.answer(now)
    return said if kept is None else (*said, text.compared(now, kept.released))


def strip(result: DenoisingResult) -> Sequence[Field | Parameter]:
    """What changes the lead picture."""
    trial = result.released is not None and result.released.trial
    table = () if trial else (Field(TABLE, "Table"), Field(ORDER, "Order"))
    return EPSILON, DELTA, PER_PERSON, Field(SIGNAL, "Counts"), *table, SEED


def parts(result: DenoisingResult, colour: Colours) -> Iterator[Part]:
    """Who wins, which one to use, the counts themselves, and every estimator in numbers."""
    now = _drawn(result)
    if now is None:
        return
    yield errors(result, colour)
    yield Fields((PER_CELL, Field(NEIGHBOURS, "Neighbours"), PRIOR_SD, Field(TOTAL, "Total of the counts")))
    yield Row(advice_text.which(now))
    yield Fields((Field(ESTIMATOR, "Draw the counts denoised by"),))
    yield values(result, colour)
    yield table(result, colour)


def explanation(result: DenoisingResult) -> str:
    """How the section's numbers are computed, in Markdown with TeX."""
    now = _drawn(result)
    return "" if now is None else counts_explanation.explanation(result, now)


def errors(result: DenoisingResult, colour: Colours) -> Exhibit | None:
    """The error of each estimator over the release's own; nothing where there is nothing to denoise."""
    now = _drawn(result)
    if now is None:
        return None
    kept = None if result.pinned is None else _drawn(result.pinned)
    said, under = text.verdicts(now), text.subtitle(result, now)
    figure = figures.errors_figure(now, kept, said, under, colour)
    said, header, confidential = text.errors_alternative(now), _header(result, now), _confidential(now)
    return Exhibit("errors", figure, said, lambda: now.frame, header, confidential=confidential)


def values(result: DenoisingResult, colour: Colours) -> Exhibit | None:
    """True counts, the release, and what one estimator makes of it."""
    now = _drawn(result)
    if now is None:
        return None
    figure = figures.values_figure(now, text.values_subtitle(result, now), colour)
    header = _header(result, now) | {"estimator": ESTIMATORS[now.drawn].name}
    said, confidential = text.values_alternative(now), CONFIDENTIAL_PICTURE if now.is_own else ""
    return Exhibit("denoised", figure, said, lambda: _numbers(now), header, confidential=confidential)


def table(result: DenoisingResult, _: Colours) -> Exhibit | None:
    """Every estimator in numbers and words."""
    now = _drawn(result)
    if now is None:
        return None
    said, header, confidential = text.errors_alternative(now), _header(result, now), _confidential(now)
    return Exhibit("estimators", tables.table(now), said, lambda: now.frame, header, confidential=confidential)


def _confidential(now: Released) -> str:
    """What is said of the errors of a release of the user's own table."""
    return CONFIDENTIAL_FIGURES if now.is_own else ""


def _drawn(result: DenoisingResult) -> Released | None:
    """The release, where there is one that can be denoised."""
    return None if result.released is None or result.released.drowned else result.released


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


ALL = (errors, values, table)
