"""Series, running totals and ranges: sums of cells under one guarantee, and which noisy sums to make them of.

A workload W has the published numbers as rows over n periods or cells; a strategy R says which sums of cells receive
noise; the answers are L(Rx + noise) with LR = W. `error` has the errors as multiples of the noise at sensitivity 1, for
persons in one period or in several, `largest_errors` over how many, `lower_bound` what no strategy goes below.
`half_widths` (or `half_widths_of_scale`), `largest_half_width` (`largest_half_widths` over how many), `best_errors` of
several strategies (`lower_half_widths` in less time), `simultaneous_half_widths` of all numbers at once (also of a
scale) and `least_epsilon` read these errors at (ε, δ), `sample` draws a trial, `release` is the whole series for
`composition`; `root_coefficients` has R of a square root, `optimum_sums` that of the optimum.

Bad input raises `ValueError`: `name must be in RANGE, got VALUE`. All public names stand here.

References
----------
[CSS11] Chan, Shi & Song 2011, Private and continual release of statistics, ACM TISSEC 14(3). [LM15] Li, Miklau, Hay,
McGregor & Rastogi 2015, The matrix mechanism, VLDB Journal 24. [FHU23] Fichtenberger, Henzinger & Upadhyay 2023,
Constant matters, arXiv:2202.11205. [HKU25] Henzinger, Kalinin & Upadhyay 2025, Normalized square root,
arXiv:2509.14334. [DMRST22] Denisov, McMahan, Rush, Smith & Thakurta 2022, arXiv:2202.08312. [H15] Honaker 2015,
Efficient use of differentially private binary trees. [S67] Šidák 1967, Rectangular confidence regions for the means of
multivariate normal distributions, JASA 62. [CKS20] Canonne, Kamath & Steinke 2020, arXiv:2004.00010.
"""

from dpcore.linear_queries.errors import (
    NOISES,
    STRATEGIES,
    Errors,
    error,
    largest_errors,
    optimum_sums,
    root_coefficients,
)
from dpcore.linear_queries.least_epsilons import best_errors, least_epsilon
from dpcore.linear_queries.optimum import LowerBound, lower_bound
from dpcore.linear_queries.simultaneous import (
    Simultaneous,
    simultaneous_half_widths,
    simultaneous_half_widths_of_scale,
)
from dpcore.linear_queries.spreads import (
    half_widths,
    half_widths_of_scale,
    largest_half_width,
    largest_half_widths,
    lower_half_widths,
    noise_scale,
    release,
    sample,
)
from dpcore.linear_queries.workloads import WORKLOADS, Workload, workload

__all__ = [
    "NOISES",
    "STRATEGIES",
    "WORKLOADS",
    "Errors",
    "LowerBound",
    "Simultaneous",
    "Workload",
    "best_errors",
    "error",
    "half_widths",
    "half_widths_of_scale",
    "largest_errors",
    "largest_half_width",
    "largest_half_widths",
    "least_epsilon",
    "lower_bound",
    "lower_half_widths",
    "noise_scale",
    "optimum_sums",
    "release",
    "root_coefficients",
    "sample",
    "simultaneous_half_widths",
    "simultaneous_half_widths_of_scale",
    "workload",
]
