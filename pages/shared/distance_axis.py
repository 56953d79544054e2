"""The axis of the distance from the truth, which pictures of tails share, and the mark of one distance on it."""

from typing import Any

from pages.framework.chart.theme import hairline
from pages.framework.export.exhibit import Colours
from pages.framework.parameters import number_format


def distance_axis(end: float) -> dict[str, Any]:
    """Return the axis of the distance from the truth, from 0 to `end`."""
    return {
        "range": [0, end],
        "title": {"text": "distance |t| from the truth (query units)"},
        "unifiedhovertitle": {"text": "|t| = %{x:.4~g}"},
    }


def mark_distance(figure: dict[str, Any], colours: Colours, t: float) -> None:
    """Mark the distance t on an axis that reaches it, as a handle."""
    if t <= figure["xaxis"]["range"][1]:
        hairline(figure, colours, t, f"t = {number_format.format_input_up(t)}", "t")
