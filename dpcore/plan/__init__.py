"""A plan for several releases: wanted errors in, one mechanism for each query and the total ε out, or the reverse.

`query` describes one question: what is asked, a record of its kind (`Count`, `Table`, `Quantile`, `Series`, …), the
error that is wanted, and what is fixed of its noise. `choose` returns the mechanism of each query for which the total ε
at δ is least, as far as its search sees; `total_epsilon` is that total alone; `scaled_to` answers the reverse question,
by which factor all wanted errors must grow for a given total; `marginal` says what each query costs.

The total is that of `dpcore.composition.epsilon`, the exact accountant, of the releases' own losses. ε is in nats, δ a
probability, errors and scales are in query units. Bad input raises `ValueError`: `name must be in RANGE, got VALUE`.

References
----------
[DR14] Dwork & Roth 2014. [Dor22] Doroshenko et al., arXiv:2207.04380. [McS09] McSherry 2009, Theorem 4 (parallel
composition).
"""

from dpcore.plan.candidates import Candidate, Chooser
from dpcore.plan.choice import choose, marginal, possible_mechanisms, scaled_to, total_epsilon
from dpcore.plan.choices import CHOICE_MECHANISMS, Largest, Quantile
from dpcore.plan.queries import MECHANISMS, PURE_MECHANISMS, Query, query
from dpcore.plan.records import Marginal, Plan, ScaledPlan
from dpcore.plan.statistics import Count, Histogram, Mean, Own, Proportion, Series, Statistic, Sum, Table, UnknownGroups

__all__ = [
    "CHOICE_MECHANISMS",
    "MECHANISMS",
    "PURE_MECHANISMS",
    "Candidate",
    "Chooser",
    "Count",
    "Histogram",
    "Largest",
    "Marginal",
    "Mean",
    "Own",
    "Plan",
    "Proportion",
    "Quantile",
    "Query",
    "ScaledPlan",
    "Series",
    "Statistic",
    "Sum",
    "Table",
    "UnknownGroups",
    "choose",
    "marginal",
    "possible_mechanisms",
    "query",
    "scaled_to",
    "total_epsilon",
]
