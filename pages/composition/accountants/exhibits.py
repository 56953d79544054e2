"""The section on accountants: each over the number of runs, and all in numbers."""

from typing import Any

from pages.composition.accountants import figures, results, text
from pages.composition.results import CompositionResult, header
from pages.framework.export.exhibit import Colours, Exhibit


def over_runs(result: CompositionResult, colour: Colours) -> Exhibit:
    """ε by each accountant over the number of runs."""
    kept = result.pinned
    figure = figures.totals_figure(
        results.along(result),
        kept and results.along(kept),
        (result.setting.runs, kept and kept.setting.runs),
        results.last_decade(result),
        result.values["totals"],
        text.subtitle(result),
        colour,
    )
    said = text.alternative(result)
    return Exhibit("accountants", figure, said, lambda: text.drawn_frame(result), _header(result))


def in_numbers(result: CompositionResult, _: Colours) -> Exhibit:
    """ε by each accountant at the page's number of runs."""
    html, said = text.table_html(result), text.alternative(result)
    return Exhibit("accountants_table", html, said, lambda: text.table_frame(result), _header(result))


def _header(result: CompositionResult) -> dict[str, Any]:
    return header(
        result,
        "exact to 9 digits and rounded up, or certified; clt an estimate of either sign; all others upper bounds",
    )
