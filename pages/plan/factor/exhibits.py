"""The chart of the section "Total against error"."""

import pandas as pd

from pages.framework.export.exhibit import Colours, Exhibit
from pages.plan.factor import figures, text
from pages.plan.factor.results import factor_curve
from pages.plan.results import PlanResult
from pages.plan.text import csv_header, subtitle


def factor_chart(result: PlanResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the total along the factor; nothing without a plan."""
    if result.plan is None:
        return None
    curve = factor_curve(result)
    figure = figures.factor_figure(result, curve, subtitle(result), colours)
    numbers = pd.DataFrame({"factor": curve.factor, "epsilon": curve.epsilon})
    return Exhibit("factor", figure, text.alternative_text(result), numbers, csv_header(result))
