"""The noises that the queries of a plan can have, and the plans of one mechanism for all."""

from collections.abc import Sequence

from dpcore.checks import DomainError
from dpcore.families import FAMILIES
from dpcore.plan.candidates import Candidate, Chooser, candidates
from dpcore.plan.queries import MECHANISMS, PURE_MECHANISMS, Query

Queries = tuple[Query, ...]
Noise = Candidate | Chooser
Options = Sequence[dict[str, Noise]]
Keys = tuple[str, ...]


def plan_options(queries: Queries, delta: float, forced: str, factor: float) -> list[dict[str, Noise]]:
    """Return the noises that each query can have; refuse a query that has none.

    Raises
    ------
    ValueError
        where no noise has the wanted error of a query.
    """
    options = []
    for query in queries:
        possible = candidates(query, delta, factor)
        if forced and not (query.statistic.is_choice or query.mechanism or query.epsilon):
            possible = {key: candidate for key, candidate in possible.items() if key == forced}
        if not possible:
            kind = f" of {forced} noise" if forced else ""
            given = float(f"{query.half_width * factor:g}")
            raise DomainError(f"half_width of {query.name}", f"the range{kind} that can be released", given)
        options.append(possible)
    return options


def uniform_plans(options: Options, delta: float) -> dict[str, Keys]:
    """Return the plans of one mechanism for all queries that are not fixed, as far as every query has such noise."""
    plans = {key: _uniform(options, key) for key in (PURE_MECHANISMS if delta == 0 else MECHANISMS)}
    return {key: keys for key, keys in plans.items() if keys is not None}


def _uniform(options: Options, key: str) -> Keys | None:
    """Return the plan of one mechanism for all queries that are not fixed, or None where a query has no such noise.

    A choice has no noise: the first of its mechanisms stands there.
    """
    keys = []
    for possible in options:
        name = key if key in possible else FAMILIES[key].continuous or key
        if name not in possible and len(possible) > 1 and not possible.keys().isdisjoint(MECHANISMS):
            return None
        keys.append(name if name in possible else next(iter(possible)))
    return tuple(keys)
