"""The pictures and the table of the section on where each estimator wins."""

from pages.denoising.estimator_risk import figures, map_figures, tables, text
from pages.denoising.estimator_risk.results import EstimatorRisk, table_place
from pages.denoising.results import DenoisingResult
from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, Colours, Exhibit


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
    return Exhibit("where_table", tables.table_html(risk), text.alternative_text(risk), risk.frame, csv_header(risk))


def csv_header(risk: EstimatorRisk) -> dict[str, str]:
    """Return the parameters and units for the top of a CSV."""
    units = "sizes in units of sigma; shares of the release’s squared error; standard_error of the simulated ones"
    vector = {"d": str(risk.dimension), "norm": repr(risk.norm), "nonzero": repr(risk.nonzero)}
    return vector | {"numbers_not_0": str(risk.n_nonzero), "seed": str(risk.seed), "units": units}
