"""The choice of mechanisms for a plan, the reverse question, and what each query costs."""

from collections.abc import Sequence

from dpcore.checks import EPSILON_RANGE, DomainError, option, scalar
from dpcore.composition import EpsilonBound
from dpcore.plan._losses import Queries
from dpcore.plan._search import scaled_plan, search
from dpcore.plan.candidates import candidates
from dpcore.plan.queries import MECHANISMS, MOST_QUERIES, PURE_MECHANISMS, Query, delta_left, plan_delta
from dpcore.plan.records import Marginal, Plan, ScaledPlan


def choose(queries: Sequence[Query], delta: float, mechanism: str | None = None) -> Plan:
    """Return the plan of the least total ε that the search finds: a mechanism for each query.

    Each wanted error fixes the scale of each mechanism that the query can have. The search begins with the plans in
    which all queries have the same mechanism, changes one query at a time while an estimate of the total falls, and
    compares the best plans by their exact totals. Its result is never worse than a plan of one mechanism for all, and
    the same at every call.

    Parameters
    ----------
    queries : from 1 to 200, made by `query`.
    delta : of the total guarantee, in [1e-300, 1); or 0 for pure ε-DP, by Laplace and geometric noise.
    mechanism : one of `MECHANISMS`, for every query whose own is not fixed; None to choose.

    Raises
    ------
    ValueError
        also where a query cannot have the mechanism, and where none has an answer for its error.

    Examples
    --------
    >>> from dpcore.plan import Table, query
    >>> plan = choose([query(5), query(8, Table(n_cells=36, is_joint=True))], delta=1e-6)
    >>> [noise.name for noise in plan.mechanisms], f"{plan.total.value:.4f}"
    (['Geometric', 'Geometric'], '1.3009')
    """
    listed, delta, forced = _check_arguments(queries, delta, mechanism)
    return search(listed, delta, forced).plan


def possible_mechanisms(query: Query, delta: float) -> tuple[str, ...]:
    """Return the mechanisms of `MECHANISMS` that a query can have; none where no noise has its error.

    Parameters
    ----------
    query : made by `query`.
    delta : as in `choose`.

    Examples
    --------
    >>> from dpcore.plan import Sum, query
    >>> "gaussian" in possible_mechanisms(query(5, Sum(high=3)), 1e-6), "gaussian" in possible_mechanisms(query(5), 0)
    (True, False)
    """
    return tuple(candidates(query, plan_delta(delta)))


def total_epsilon(queries: Sequence[Query], delta: float, mechanism: str | None = None) -> EpsilonBound:
    """Return the total ε of `choose`, alone.

    Parameters
    ----------
    queries, delta, mechanism : as in `choose`.

    Examples
    --------
    >>> from dpcore.plan import query
    >>> f"{total_epsilon([query(5)] * 10, 1e-6, 'gaussian').value:.6f}"
    '6.251312'
    """
    listed, delta, forced = _check_arguments(queries, delta, mechanism)
    return search(listed, delta, forced).choice.total


def scaled_to(queries: Sequence[Query], epsilon: float, delta: float, mechanism: str | None = None) -> ScaledPlan:
    """Return the least factor on all wanted errors with which the total is at most ε, and the plan at it.

    Fixed queries keep their noise. The total falls as the factor grows; with noise on the whole numbers it falls in
    steps, so that some of ε may be left.

    Parameters
    ----------
    queries, delta, mechanism : as in `choose`.
    epsilon : the total, in (0, 1e6].

    Returns
    -------
    The factor, rounded up by a relative 1e-5 at most, with a plan whose total is at most ε.

    Raises
    ------
    ValueError
        also where no factor up to 1e12 meets ε: the fixed queries alone cost more.

    Examples
    --------
    >>> from dpcore.plan import Sum, query
    >>> scaled = scaled_to([query(5), query(5, Sum(high=3))], epsilon=1.0, delta=1e-6)
    >>> f"{scaled.factor:.4f}, {scaled.plan.total.value:.4f}"
    '2.3966, 1.0000'
    """
    target_epsilon = scalar("epsilon", epsilon, f"(0, {EPSILON_RANGE.split(', ')[1]}")
    listed, delta, forced = _check_arguments(queries, delta, mechanism)
    return scaled_plan(listed, target_epsilon, delta, forced)


def marginal(queries: Sequence[Query], delta: float, mechanism: str | None = None) -> Marginal:
    """Return what each query costs within the plan of `choose`, whose mechanisms stay.

    Parameters
    ----------
    queries, delta, mechanism : as in `choose`.

    Returns
    -------
    ε without each query, and with twice its wanted error; a fixed query has the same noise at any error.

    Examples
    --------
    >>> from dpcore.plan import query
    >>> costs = marginal([query(5), query(50)], delta=1e-6)
    >>> costs.cost.round(3).tolist()
    [0.538, 0.059]
    """
    listed, delta, forced = _check_arguments(queries, delta, mechanism)
    return Marginal(search(listed, delta, forced).plan)


def _check_arguments(queries: Sequence[Query], delta: float, mechanism: str | None) -> tuple[Queries, float, str]:
    """Return the arguments, checked."""
    listed = tuple(queries)
    if not 1 <= len(listed) <= MOST_QUERIES:
        raise ValueError(f"queries must be from 1 to {MOST_QUERIES}, got {len(listed)}")
    delta = plan_delta(delta)
    if mechanism is not None:
        option("mechanism", mechanism, PURE_MECHANISMS if delta == 0 else MECHANISMS)
    if any(query.threshold_delta for query in listed) and not delta_left(listed, delta):
        raise DomainError("threshold_delta of all releases", f"less than delta = {delta:g} in all", "more")
    return listed, delta, mechanism or ""
