"""The data frames and HTML tables of the section "My releases"."""

import math

import pandas as pd

from pages.composition.results import CompositionResult
from pages.composition.total_epsilon.results import cost_at, periods_at
from pages.composition.total_epsilon.text import epsilon_or_none
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_nearest, percent
from pages.shared.releases import description


def lines_frame(result: CompositionResult) -> pd.DataFrame:
    """Return a row for each line of the list."""
    cost = cost_at(result)
    return pd.DataFrame(
        {
            "line": result.names,
            "release": [description(item) for item in result.items],
            "epsilon_alone": cost.alone,
            "epsilon_without": cost.without,
            "epsilon_saved": cost.saved,
        }
    )


def lines_table_html(result: CompositionResult) -> str:
    """Return what each line is, costs alone, and saves if it is left out, as a table."""
    cost = cost_at(result)
    heads = ["Line", "ε alone", "ε of the others", "ε saved", "Release"]  # a phone shows only the first columns
    rows = [
        [
            name,
            epsilon_or_none(alone),
            epsilon_or_none(without),
            _savings_text(saved, cost.savings_base),
            description(item),
        ]
        for name, item, alone, without, saved in zip(
            result.names, result.items, cost.alone, cost.without, cost.saved, strict=True
        )
    ]
    return number_format.table_html("What each line costs", "lines", heads, rows)


def _savings_text(saved: float, together: float) -> str:
    if math.isinf(saved):
        return "all"
    return (
        f"{format_nearest(saved)} ({percent(saved / together, 2)})"
        if 0 < together < math.inf
        else format_nearest(saved)
    )


def periods_frame(result: CompositionResult) -> pd.DataFrame:
    """Return a row for each period over which the whole list is run."""
    rows = periods_at(result).rows
    return pd.DataFrame(
        [(name, *values) for name, values in rows.items()],
        columns=["period", "epsilon", "epsilon_rdp", "epsilon_added"],
    )


def periods_table_html(result: CompositionResult) -> str:
    """Return the ε of the list if it is run repeatedly with fresh noise, as a table."""
    rows = [[name, *(epsilon_or_none(value) for value in values)] for name, values in periods_at(result).rows.items()]
    exact = "Exact ε" if periods_at(result).is_exact else "ε, least upper bound"
    heads = ["Whole list released", exact, "ε by RDP", "Basic composition over days, total δ fixed"]
    return number_format.table_html("ε of the whole list over time", "periods", heads, rows)
