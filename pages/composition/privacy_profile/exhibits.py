"""The chart and the table of the section "δ over ε"."""

from typing import Any

from pages.composition.privacy_profile import figures, results, tables, text
from pages.composition.results import CompositionResult, csv_header
from pages.composition.total_epsilon.results import all_releases
from pages.framework.export.exhibit import Colours, Exhibit


def profile_chart(result: CompositionResult, colours: Colours) -> Exhibit:
    """Return the chart of δ over ε; a click takes its point as the page's ε and δ."""
    pinned = result.pinned
    figure = figures.profile_figure(
        results.profile_at(result),
        results.points_at(result),
        (result.setting, pinned and pinned.setting),
        pinned and results.list_profile(all_releases(pinned), results.axis_end(result)),
        text.subtitle(result),
        colours,
    )
    alternative = text.alternative_text(result)
    numbers, header = (lambda: tables.curves_frame(result)), _profile_csv_header(result)
    return Exhibit("profile", figure, alternative, numbers, header, picks=("epsilon", "delta"))


def deltas_table(result: CompositionResult, _: Colours) -> Exhibit:
    """Return the table of ε of the whole list at some δ."""
    html, alternative = tables.table_html(result), text.alternative_text(result)
    return Exhibit("profile_table", html, alternative, lambda: tables.table_frame(result), _profile_csv_header(result))


def _profile_csv_header(result: CompositionResult) -> dict[str, Any]:
    units = "delta exact to 9 digits and rounded up, or certified; by RDP and zCDP upper bounds"
    return csv_header(result, units, epsilon=repr(result.setting.epsilon))
