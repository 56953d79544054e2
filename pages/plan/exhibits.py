"""The charts and the table of the page."""

from pages.framework.export.exhibit import Colours, Exhibit
from pages.plan import figures, tables, text
from pages.plan.results import PlanResult


def plan_chart(result: PlanResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the errors, wanted and reached, and of what each query adds; nothing without a plan."""
    if result.plan is None:
        return None
    figure = figures.plan_figure(result, text.subtitle(result), colours)
    alternative, header = text.alternative_text(result), text.csv_header(result)
    return Exhibit("plan", figure, alternative, lambda: tables.plan_frame(result), header)


def plan_table(result: PlanResult, _: Colours) -> Exhibit:
    """Return the table of the noise, the errors and the cost of each query."""
    html, alternative = tables.plan_table_html(result), text.alternative_text(result)
    return Exhibit("plan_table", html, alternative, lambda: tables.plan_frame(result), text.csv_header(result))
