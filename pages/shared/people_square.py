"""A square of 100 people, some of whom are filled: a risk in natural frequencies."""

from typing import Any

import numpy as np

from pages.framework.chart.theme import transparent
from pages.framework.export.exhibit import Colours

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
