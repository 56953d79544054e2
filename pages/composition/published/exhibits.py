"""The chart and the table of the section "Published"."""

from typing import Any

from pages.composition.published import figures, results, tables, text
from pages.composition.results import CompositionResult
from pages.framework.export.exhibit import Colours, Exhibit


def guarantees_chart(result: CompositionResult, colours: Colours) -> Exhibit:
    """Return the chart of the printed ε of every guarantee, and of its ε by each conversion today."""
    pinned = result.pinned
    figure = figures.guarantees_figure(
        results.restatements_at(result),
        result.setting.epsilon,
        pinned and (results.restatements_at(pinned), pinned.setting.epsilon),
        text.subtitle(result),
        colours,
    )
    alternative = text.alternative_text(result)
    return Exhibit(
        "published", figure, alternative, lambda: tables.guarantees_frame(result), _published_csv_header(result)
    )


def guarantees_table(result: CompositionResult, _: Colours) -> Exhibit:
    """Return the table of every guarantee with its unit, its period and its ε by each conversion."""
    html, alternative = tables.table_html(result), text.alternative_text(result)
    return Exhibit(
        "promises", html, alternative, lambda: tables.guarantees_frame(result), _published_csv_header(result)
    )


def _published_csv_header(result: CompositionResult) -> dict[str, Any]:
    setting = result.setting
    header = {"epsilon": repr(setting.epsilon), "delta": repr(setting.delta), "at_delta": result.values["at_delta"]}
    return header | {"units": "epsilon in nats; delta a probability; a year: basic composition of all its periods"}
