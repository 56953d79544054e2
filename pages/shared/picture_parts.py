"""Parts that pictures of several topics share: the axis of the distance from the truth, and 100 people in a square."""

from typing import Any

import numpy as np

from pages.framework.chart.theme import hairline, transparent
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


N_PEOPLE, SIDE = 100, 10


def people_square(number: int, name: str, colours: Colours, *, left: int = 0, size: int = 8) -> dict[str, Any]:
    """Return the trace of 100 people, row by row from above, of whom the first `number` are filled."""
    order = np.arange(N_PEOPLE)
    shades = np.where(order < number, colours["analytic"], transparent(colours["quiet"], 0.3))
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": left + order % SIDE,
        "y": SIDE - 1 - order // SIDE,
        "marker": {"color": shades.tolist(), "size": size},
        "customdata": (order < number).astype(int),
    }
