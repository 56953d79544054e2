"""The section on where each estimator wins."""

import math
from collections.abc import Iterator, Sequence

from pages.denoising.claims import estimate_claims
from pages.denoising.code import risk_snippets
from pages.denoising.counts.parameters import TABLE
from pages.denoising.estimator_risk import figures, map_figures, text
from pages.denoising.estimator_risk.explanation import explanation_text
from pages.denoising.estimator_risk.parameters import DIMENSION, NONZERO, NORM, RISK_AGAINST
from pages.denoising.estimator_risk.results import EstimatorRisk, table_place
from pages.denoising.estimator_risk.text import SHORT_NAMES, share_percent, tunings
from pages.denoising.results import DenoisingResult
from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, Colours, Exhibit
from pages.framework.layout.section import Field, Fields, Part, Row, Section
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_nearest
from pages.framework.parameters.parameter import Parameter
from pages.shared.counts.parameters import NEIGHBOURS
from pages.shared.counts.table import contribution_fields
from pages.shared.shared_parameters import DELTA, EPSILON, SEED


def table_html(risk: EstimatorRisk) -> str:
    """Return every estimator at the setting, as HTML."""
    heads = ["Estimator", "Squared error left", "RMSE left", "Tuning"]
    rows = []
    for key, tuning in tunings(risk).items():
        rmse = f"{format_nearest(100 * math.sqrt(risk.shares[key]), 3)} %"
        rows.append([SHORT_NAMES[key], _share_cell(risk, key), rmse, tuning])
    return number_format.table_html("What each estimator leaves of the error", "cells", heads, rows)


def _share_cell(risk: EstimatorRisk, key: str) -> str:
    if key != "soft_sure":
        return share_percent(risk.shares[key])
    error = format_nearest(100 * risk.sure.standard_error, 2)
    return f"{format_nearest(100 * risk.shares[key], 3)} ± {error} %"


def risk_curves(result: DenoisingResult, colours: Colours) -> Exhibit:
    """Return the squared error that each estimator leaves, against size or share not 0."""
    risk = result.risk
    figure = figures.risk_figure(risk, result.pinned and result.pinned.risk, text.subtitle(risk), colours)
    picks = ("norm" if risk.along == "norm" else "nonzero", "")
    alternative = text.alternative_text(risk)
    return Exhibit("risk", figure, alternative, lambda: risk.curves, csv_header(risk), picks)


def winners_map(result: DenoisingResult, colours: Colours) -> Exhibit:
    """Return the map of the estimators that leave the least."""
    risk = result.risk
    subtitle = f"d = {risk.dimension:,}; the non-zero numbers are equal and positive"
    place = table_place(result.count, result.sigma)
    figure = map_figures.winners_figure(risk, result.pinned and result.pinned.risk, place, subtitle, colours)
    alternative, picks = text.map_alternative_text(risk), ("norm", "nonzero")
    confidential = CONFIDENTIAL_FIGURES if place is not None and result.values["table"] == "own" else ""
    return Exhibit("winners", figure, alternative, lambda: risk.winners, csv_header(risk), picks, confidential)


def estimators_table(result: DenoisingResult, _: Colours) -> Exhibit:
    """Return the table of all estimators at the setting."""
    risk = result.risk
    return Exhibit("where_table", table_html(risk), text.alternative_text(risk), risk.frame, csv_header(risk))


def csv_header(risk: EstimatorRisk) -> dict[str, str]:
    """Return the parameters and units for the top of a CSV."""
    units = "sizes in units of sigma; shares of the release’s squared error; standard_error of the simulated ones"
    vector = {"d": str(risk.dimension), "norm": repr(risk.norm), "nonzero": repr(risk.nonzero)}
    return vector | {"numbers_not_0": str(risk.n_nonzero), "seed": str(risk.seed), "units": units}


def controls(_: DenoisingResult) -> Sequence[Field | Parameter]:
    """Return the parameters that change the lead picture."""
    return DIMENSION, NORM, NONZERO, Field(RISK_AGAINST, "Horizontal axis")


def parts(result: DenoisingResult, colours: Colours) -> Iterator[Part]:
    """Yield the curves, the map of winners, every estimator in numbers, and what each assumes."""
    yield risk_curves(result, colours)
    yield text.comparison_text(result.risk)
    yield winners_map(result, colours)
    noise = EPSILON, DELTA, *contribution_fields(result.values), Field(NEIGHBOURS, "Neighbours")
    mark = () if result.counts is None else noise
    yield Fields((*mark, Field(TABLE, "Table"), SEED))
    yield text.table_place_text(result)
    yield Row((estimators_table(result, colours), text.assumptions_text(result.risk)))


SECTION = Section[DenoisingResult](
    controls=controls,
    parts=parts,
    key="where",
    name="Where each is best",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(risk_curves, winners_map, estimators_table),
    claims=estimate_claims,
    snippets=risk_snippets,
)
