"""The map of what the best p leaves: the least size of noise of any shape beside that of the best p."""

import numpy as np
import pandas as pd

from pages.framework.chart.theme import bands, compact
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters.number_format import format_up
from pages.generalized_gaussian.optimal_shape.map_figures import RAMPS, MapPoint, figure_of_map

LEVELS = (25, 50, 70, 75, 80, 85, 90, 95, 99)  # percent of the size of the best p, the contours of the map


def remaining_map_figure(
    frame: pd.DataFrame, point: MapPoint, pinned: MapPoint | None, title: str, subtitle: str, colours: Colours
) -> Figure:
    """Draw the share of a frame of (ε, δ) as filled contours, with the current setting."""
    epsilon, delta = np.unique(frame["epsilon"]), np.unique(frame["delta"])
    share, reached = (  # a row for each δ
        frame[key].to_numpy().reshape(len(epsilon), len(delta)).T for key in ("share", "reached")
    )
    band = np.interp(share, [0, *LEVELS, 100], np.arange(-1, len(LEVELS) + 1))
    field = {"type": "contour", "x": compact(epsilon), "y": compact(delta), "z": compact(band)}
    field |= bands(LEVELS, tuple(reversed(RAMPS[colours["purple"]])), colours)
    field |= {
        "name": "share of the best p",
        "showlegend": False,
        "customdata": compact(share),
        "text": [[f"{format_up(most, 3)} %" for most in row] for row in reached],
        "hovertemplate": "ε ≈ %{x:.3g}, δ ≈ %{y:.3g}<br>any noise: at least %{customdata:.3g} % of the best p<br>"
        "reached: %{text}<br>click to set both<extra></extra>",
    }
    return figure_of_map([field], [], point, pinned, (title, subtitle), colours)
