"""The queries of a budget with their shares and half-widths: as an HTML table and as a data frame."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from dpcore.queries import Budget
from pages.accuracy.budget.parameters import BudgetItem, item_names
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_down, format_input_down, format_input_up, format_up


def budget_html(items: Sequence[BudgetItem], shares: Budget, significance: float, pinned: Budget | None = None) -> str:
    """Return each query's share and half-widths, the totals, and what a pinned setting had, as an HTML table."""
    level = f"<span>level {format_input_up(significance)}</span>"
    heads = ["Query", "Sensitivity", "ε", "δ", f"Laplace ±, {level}", "Gaussian ±", "Gaussian ±, exact total"]
    heads += [] if pinned is None else ["Laplace ±, pinned"]
    body = []
    for place, (item, name) in enumerate(zip(items, item_names(items), strict=True)):
        cells = [
            format_input_down(item.numbers[0]),
            _share_cell(shares, item, place),
            format_down(float(shares.delta[place])),
        ]
        sizes = (shares.laplace, shares.gaussian, shares.shrunk, *([] if pinned is None else [pinned.laplace]))
        body.append([name, *cells, *(_finite_or_dash(float(part[place])) for part in sizes)])
    epsilon, delta = format_up(float(shares.total_epsilon)), format_up(float(shares.total_delta))
    none = [""] * (3 if pinned is None else 4)
    body.append(["Total, basic composition", "", epsilon, delta, *none])
    body.append(["Total of the Gaussians, exact", "", _finite_or_dash(float(shares.exact_epsilon)), delta, *none])
    return number_format.table_html("The budget", "readings", heads, body)


def _share_cell(shares: Budget, item: BudgetItem, place: int) -> str:
    return format_down(float(shares.epsilon[place])) + (" locked" if item.locked else "")


def _finite_or_dash(value: float) -> str:
    return "–" if np.isinf(value) else format_up(value)


def budget_frame(items: Sequence[BudgetItem], shares: Budget) -> pd.DataFrame:
    """Return the table as a data frame."""
    sizes, weights, locked = np.array([item.numbers for item in items]).T
    return pd.DataFrame(
        {
            "query": item_names(items),
            "sensitivity": sizes,
            "weight": weights,
            "locked_epsilon": locked,
            "epsilon": shares.epsilon,
            "delta": shares.delta,
            "laplace_accuracy": shares.laplace,
            "gaussian_accuracy": shares.gaussian,
            "gaussian_accuracy_exact_total": shares.shrunk,
        }
    )
