"""A plan for several releases: wanted errors in, one mechanism for each query and the total ε out, or the reverse.

`query` describes one question: its sensitivity, the error that is wanted, and what is fixed of its noise. `choose`
returns the mechanism of each query for which the total ε at δ is least, as far as its search sees; `total_epsilon` is
that total alone; `scaled_to` answers the reverse question, by which factor all wanted errors must grow for a given
total; `marginal` says what each query costs.

The total is that of `dpcore.composition.epsilon`, the exact accountant, of the releases' own losses. ε is in nats, δ a
probability, errors and scales are in query units. Bad input raises `ValueError`: `name must be in RANGE, got VALUE`.

References
----------
[DR14] Dwork & Roth 2014. [Dor22] Doroshenko et al., arXiv:2207.04380. [McS09] McSherry 2009, Theorem 4 (parallel
composition).
"""

from dpcore.plan.choice import choose, marginal, possible_mechanisms, scaled_to, total_epsilon
from dpcore.plan.queries import KIND_ARGUMENTS, KINDS, MECHANISMS, PURE_MECHANISMS, Query, query
from dpcore.plan.records import Marginal, Plan, ScaledPlan

__all__ = [
    "KINDS",
    "KIND_ARGUMENTS",
    "MECHANISMS",
    "PURE_MECHANISMS",
    "Marginal",
    "Plan",
    "Query",
    "ScaledPlan",
    "choose",
    "marginal",
    "possible_mechanisms",
    "query",
    "scaled_to",
    "total_epsilon",
]
