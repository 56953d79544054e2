"""The data frame and the HTML table of the published guarantees."""

from html import escape

import pandas as pd

from pages.composition.published import results
from pages.composition.published.deployment import Deployment
from pages.composition.published.details_text import releases_link
from pages.composition.published.results import Restatement
from pages.composition.published.text import NOT_RECORDED, content_text, epsilon_or_dash, printed_text
from pages.composition.results import CompositionResult
from pages.framework.parameters.number_format import cell_html, format_down, format_input_up, format_up

_HEADS = (
    *("Guarantee", "Printed ε", "Standard conversion", "Tight conversion", "Exact", "at δ", "Unit of privacy"),
    *("Period", "Neighbours", "Defined by", "One year, basic composition", "Source"),
)


def guarantees_frame(result: CompositionResult) -> pd.DataFrame:
    """Return a row for each guarantee."""
    return pd.DataFrame([_csv_row(row) for row in results.restatements_at(result)])


def _csv_row(row: Restatement) -> dict[str, object]:
    deployment, year = row.deployment, results.composed_year(row.deployment)
    return {
        "guarantee": deployment.name,
        "epsilon_printed": deployment.printed_epsilon,
        "delta_printed": deployment.delta,
        "unit": deployment.unit,
        "period": deployment.period,
        "adjacency": deployment.adjacency,
        "mechanism": deployment.mechanism or NOT_RECORDED,
        "accounting": deployment.accounting or NOT_RECORDED,
        "made_of": content_text(deployment),
        "delta": row.delta,
        "epsilon_standard": row.standard,
        "epsilon_tight": row.tight,
        "epsilon_exact": row.exact,
        "exact_is": _kind_of_exact(deployment),
        "epsilon_shuffled_at_least": row.at_least,
        "epsilon_proved": row.proved,
        "epsilon_year": year and year.epsilon,
        "delta_year": year and year.delta,
        "source": deployment.source,
        "url": deployment.url,
        "note": deployment.note,
    }


def _kind_of_exact(deployment: Deployment) -> str:
    """Return what kind of number the exact ε is."""
    if deployment.kind == "zcdp":
        return "an estimate: a single Gaussian release with this rho"
    if deployment.kind == "guarantee":
        return "as published, not checked"
    bound = "a certified upper bound under Poisson sampling"
    return bound if deployment.is_covered else f"{bound}, which this training did not use"


def table_html(result: CompositionResult) -> str:
    """Return every guarantee with its unit, its period, its content and its ε by each conversion, as a table."""
    head = "".join(f"<th scope='col'>{name}</th>" for name in _HEADS)
    body = "".join(_row_html(row) for row in results.restatements_at(result))
    return (
        "<div class='scroll guarantees' role='region' aria-label='Published guarantees' tabindex='0'>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _row_html(row: Restatement) -> str:
    deployment = row.deployment
    conversions = [_conversion_cell(row, value) for value in (row.standard, row.tight)]
    epsilons = [printed_text(deployment), *conversions, _exact_cell(row), format_input_up(row.delta)]
    origin = [
        *(deployment.unit, deployment.period, deployment.adjacency, content_text(deployment), _year_cell(deployment)),
    ]
    source = f"<a href='{escape(deployment.url)}' target='_blank' rel='noopener'>{escape(deployment.source)}</a>"
    cells_html = "".join([*map(cell_html, epsilons), *(f"<td>{escape(cell)}</td>" for cell in origin)])
    name = f"<a href='{escape(releases_link(deployment).address)}'>{escape(deployment.name)}</a>"
    return f"<tr><th scope='row'>{name}</th>{cells_html}<td>{source}</td></tr>"


def _conversion_cell(row: Restatement, value: float) -> str:
    """Return an ε by a conversion, marked where the conversion does not apply to the deployment."""
    return epsilon_or_dash(value) if row.deployment.is_covered else f"{epsilon_or_dash(value)} if Poisson"


def _exact_cell(row: Restatement) -> str:
    """Return the exact ε, marked as an estimate of a ρ, or with the bounds of shuffled batches beside it."""
    if row.deployment.kind == "zcdp":
        return f"{epsilon_or_dash(row.exact)} est."
    if row.deployment.is_covered:
        return epsilon_or_dash(row.exact)
    shuffled = f"at least {format_down(row.at_least)}, at most {format_up(row.proved)}"
    return f"{_conversion_cell(row, row.exact)}; shuffled: {shuffled}"


def _year_cell(deployment: Deployment) -> str:
    year = results.composed_year(deployment)
    return "–" if year is None else f"{format_up(year.epsilon)} at δ = {format_input_up(year.delta)}"
