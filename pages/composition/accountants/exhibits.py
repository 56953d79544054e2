"""The charts and tables of the section "Accountants"."""

from typing import Any

from pages.composition.accountants import figures, results, tables, text
from pages.composition.results import CompositionResult, csv_header
from pages.framework.export.exhibit import Colours, Exhibit


def totals_chart(result: CompositionResult, colours: Colours) -> Exhibit:
    """Return the chart of ε by each accountant over the number of runs."""
    pinned = result.pinned
    figure = figures.totals_figure(
        results.totals_over_runs(result),
        pinned and results.totals_over_runs(pinned),
        (result.setting.runs, pinned and pinned.setting.runs),
        results.last_decade(result),
        result.values["totals"],
        text.subtitle(result),
        colours,
    )
    alternative = text.alternative_text(result)
    return Exhibit(
        "accountants", figure, alternative, lambda: tables.totals_frame(result), _accountants_csv_header(result)
    )


def totals_table(result: CompositionResult, _: Colours) -> Exhibit:
    """Return the table of ε by each accountant at the page's number of runs."""
    html, alternative = tables.table_html(result), text.alternative_text(result)
    return Exhibit(
        "accountants_table", html, alternative, lambda: tables.table_frame(result), _accountants_csv_header(result)
    )


def _accountants_csv_header(result: CompositionResult) -> dict[str, Any]:
    return csv_header(
        result,
        "exact to 9 digits and rounded up, or certified; clt an estimate of either sign; all others upper bounds",
    )
