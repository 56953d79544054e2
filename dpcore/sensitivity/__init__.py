"""The sensitivity of a query: how far its answer may differ between two neighbouring data sets.

Two data sets are neighbours if one has a person's data that the other lacks (`"add_remove"`), or if the data of one
person are replaced by those of another (`"replace"`). The ℓ_p sensitivity Δ_p is the largest ‖q(D) − q(D′)‖_p over all
neighbours D and D′ (Dwork & Roth 2014, Def. 3.1 for p = 1 and Def. 3.8 for p = 2). Δ₁ calibrates Laplace noise, Δ₂
Gaussian noise, and Δ_p generalized Gaussian noise.

Every kind of query returns the same record, a `Sensitivity`:

* `query_sensitivity`: a count, sum, mean, proportion or histogram of data in which a person has up to N records;
* `table_sensitivity`: a table of counts with contribution limits, where totals may be released beside the cells;
* `capped_sensitivity`: counts by place in which a person counts for a limited total;
* `statistics_sensitivity` and `bounds_sensitivity`: several statistics with known sensitivities or known bounds.

A contribution limit protects a person only if it is enforced on the data before the query is answered. Sensitivities
are in query units and never below the true value. Bad input raises `ValueError`: `name must be in RANGE, got VALUE`.
"""

from dpcore.sensitivity.queries import (
    LEAST_WIDTH,
    PER_PERSON_RANGE,
    QUERIES,
    QUERY_ARGUMENTS,
    bounds_sensitivity,
    query_sensitivity,
    statistics_sensitivity,
)
from dpcore.sensitivity.tables import (
    CAP_RANGE,
    ENDS,
    MARGINS_RANGE,
    NEIGHBOURS,
    PER_CELL_RANGE,
    PERIODS_RANGE,
    Sensitivity,
    capped_sensitivity,
    table_sensitivity,
)

__all__ = [
    "CAP_RANGE",
    "ENDS",
    "LEAST_WIDTH",
    "MARGINS_RANGE",
    "NEIGHBOURS",
    "PERIODS_RANGE",
    "PER_CELL_RANGE",
    "PER_PERSON_RANGE",
    "QUERIES",
    "QUERY_ARGUMENTS",
    "Sensitivity",
    "bounds_sensitivity",
    "capped_sensitivity",
    "query_sensitivity",
    "statistics_sensitivity",
    "table_sensitivity",
]
