"""The total ε against a common factor on all wanted errors."""

from dataclasses import dataclass, replace

import numpy as np

from dpcore.checks import Array
from dpcore.plan import possible_mechanisms, total_epsilon
from pages.plan.results import PlanResult

_FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0)


@dataclass(frozen=True)
class FactorCurve:
    """Factors, and the total ε of the best plan at each; NaN where a query has no noise."""

    factor: Array
    epsilon: Array


def factor_curve(result: PlanResult) -> FactorCurve:
    """Return the total along the factor, at the errors of the list."""
    factors = np.array(_FACTORS)
    return FactorCurve(factors, np.array([total_at(result, factor) for factor in factors.tolist()]))


def total_at(result: PlanResult, factor: float) -> float:
    """Return the total of the best plan where all wanted errors of the list are `factor` times as large."""
    delta = result.setting.plan_delta
    queries = [
        replace(row.query, half_width=row.item.target * factor) for row in result.planned_rows if row.query is not None
    ]
    if not queries or not all(possible_mechanisms(query, delta) for query in queries):
        return float("nan")
    return float(total_epsilon(queries, delta).value)
