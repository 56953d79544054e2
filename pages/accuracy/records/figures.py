"""The figure of the least number of records against ε."""

from collections.abc import Sequence

from pages.accuracy.figures import (
    Mark,
    curve_traces,
    epsilon_layout,
    mark_pinned_epsilon,
    mark_value,
    pinned_trace,
    with_line_styles,
)
from pages.accuracy.results import Curve, PinnedCurves
from pages.framework.chart.theme import decades, log_axis
from pages.framework.export.exhibit import Colours, Figure


def records_figure(
    records: Sequence[Curve],
    current_epsilon: float,
    n_records: float,
    subtitle: str,
    colours: Colours,
    pinned: PinnedCurves | None = None,
) -> Figure:
    """Draw the least number of records against ε, with the current ε and n."""
    most = max(float(curve.value.max()) for curve in records)
    figure = epsilon_layout(
        "Records that the accuracy requires",
        with_line_styles(subtitle, records),
        log_axis("records n", *decades(0, 3, most, n_records)),
        Mark(current_epsilon, None, (), ""),
        colours,
    )
    traces = [] if pinned is None else [pinned_trace(curve.epsilon, curve.value, colours) for curve in pinned.curves]
    traces += [trace for curve in records for trace in curve_traces(curve, curve.value, "n ≈ %{y:.4g}", colours)]
    if pinned is not None:
        mark_pinned_epsilon(figure, pinned.epsilon, colours)
    style = {"color": colours["quiet"], "width": 1, "dash": "dash"}
    mark_value(figure, n_records, f"n = {n_records:,.0f}", style)
    return {"data": traces, "layout": figure}
