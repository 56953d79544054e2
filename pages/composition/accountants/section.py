"""The section "Accountants": the ε of each accountant over the number of runs, and all in numbers."""

from collections.abc import Iterator
from typing import Any

from pages.composition.accountants import figures, results, tables, text
from pages.composition.accountants.explanation import EXPLANATION
from pages.composition.claims import accountant_claim
from pages.composition.parameters import RUNS, TOTALS_SCALE
from pages.composition.results import EDIT_LINK, CompositionResult, csv_header
from pages.composition.total_epsilon.code import list_snippets
from pages.composition.total_epsilon.results import all_releases
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Claim, Field, Part, Section
from pages.shared.shared_parameters import DELTA


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


def parts(result: CompositionResult, colours: Colours) -> Iterator[Part]:
    """Yield the accountants in a chart and a table, and how to read them."""
    yield totals_chart(result, colours)
    yield EDIT_LINK
    yield totals_table(result, colours)
    yield text.READING_TEXT


def claims(result: CompositionResult) -> Iterator[Claim]:
    """Yield the guarantees by the accountants of the answer."""
    totals, releases, delta = results.totals_at(result), all_releases(result), result.setting.delta
    keys = [key for key in ("exact", "rdp", "zcdp", "basic") if key in totals.epsilon]
    yield from (accountant_claim(key, releases, totals.first_epsilon(key), delta) for key in keys)


SECTION = Section[CompositionResult](
    controls=lambda _: (DELTA, RUNS, Field(TOTALS_SCALE, "Chart")),
    parts=parts,
    key="accountants",
    name="Accountants",
    answer_text=text.answer_text,
    explanation=lambda _: EXPLANATION,
    exhibits=(totals_chart, totals_table),
    claims=claims,
    snippets=lambda result: list_snippets(result, "exact"),
)
