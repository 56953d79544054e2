"""Random plans of all kinds: the total is never below what neighbouring data cost, and each ± is what it says."""

from collections import Counter
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from dpcore import linear_queries, quantiles, selection, unknown_groups
from dpcore.checks import Array
from dpcore.mechanism import Mechanism
from dpcore.plan import Chooser, Histogram, Largest, Mean, Plan, Proportion, Quantile, Series, Table, choose, scaled_to
from dpcore.quantiles.distribution import sample_of
from tests.plan_oracle import ALPHA, KINDS, largest_loss, least_delta, n_periods_of, n_records_of, random_queries

N_PLANS, SEED = 60, 57
DELTAS = (1e-6, 1e-3, 0.0, 1e-8)
LOOSE = {"quantile", "largest", "groups", "hidden"}
"""Kinds whose neighbouring data in the oracle are not the worst: of those the total may be well above it."""
YEARLY = ("count", "sum", "mean", "hidden", "share", "histogram", "table", "groups", "series", "quantile")
"""Kinds that can have a limit on one person in each of several periods."""


@cache
def random_plan(number: int) -> Plan:
    """Return one of the plans; every third is that of a known total."""
    rng, delta = np.random.default_rng([SEED, number]), DELTAS[number % len(DELTAS)]
    queries = random_queries(rng, delta)
    return scaled_to(queries, 1.5, delta).plan if number % 3 == 2 else choose(queries, delta)


def kinds_of(plan: Plan) -> list[str]:
    return [query.name.split()[0] for query in plan.queries]


def is_tight(plan: Plan) -> bool:
    """Return whether the total can't be well above what neighbouring data cost.

    Of a table and a series with a limit in all only the norms of what one person moves are used, which is more.
    """
    limited = (query.statistic for query in plan.queries if isinstance(query.statistic, Table | Series))
    return LOOSE.isdisjoint(kinds_of(plan)) and not any(of.cap for of in limited)


def test_the_random_plans_have_every_kind_and_every_mechanism():
    kinds = Counter(kind for number in range(N_PLANS) for kind in kinds_of(random_plan(number)))
    keys = {key for number in range(N_PLANS) for key in random_plan(number).keys}
    assert kinds.keys() == set(KINDS)
    queries = [query for number in range(N_PLANS) for query in random_plan(number).queries]
    assert {query.name.split()[0] for query in queries if n_periods_of(query.statistic) > 1} == set(YEARLY)
    assert keys >= {"laplace", "gaussian", "geometric", "discrete_gaussian", "exponential", "permute_and_flip"}


@pytest.mark.parametrize("number", range(N_PLANS))
def test_the_total_of_a_random_plan_is_never_below_what_neighbouring_data_cost(number):
    plan = random_plan(number)
    stated = float(plan.total.value)
    if plan.delta == 0:
        exact = largest_loss(plan)
        assert stated >= exact * (1 - 1e-12)
        assert stated <= exact * (1 + 1e-9) or not is_tight(plan)
    else:
        assert least_delta(plan, stated) <= plan.delta * (1 + 1e-9)
        assert least_delta(plan, 0.98 * stated) > plan.delta or not is_tight(plan)
    assert plan.even_split is None or plan.even_split >= 0.999 * stated


@pytest.mark.parametrize("number", range(N_PLANS))
def test_the_errors_of_a_random_plan_are_within_what_is_stated_as_often_as_is_said(number):
    plan, rng = random_plan(number), np.random.default_rng(number)
    for place, query in enumerate(plan.queries):
        missed = _missed(plan, place, rng)
        spread = 4 * np.sqrt(ALPHA * (1 - ALPHA) / missed.size)
        assert missed.mean() <= ALPHA + spread, query.name
        is_exact = plan.keys[place] in ("laplace", "gaussian") and kinds_of(plan)[place] != "groups"
        is_exact &= query.width == 0 or plan.half_widths[place] <= query.width / 4
        assert missed.mean() >= ALPHA - spread or not is_exact, query.name


def _missed(plan: Plan, place: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return for each of many draws whether the error is above what the plan states of a query."""
    asked, noise, stated = plan.queries[place], plan.noises[place], float(plan.half_widths[place]) * (1 + 1e-12)
    of = asked.statistic
    if isinstance(noise, Chooser):
        return _choice_errors(rng, noise, 1500) > stated
    mechanism = plan.mechanism(place)
    assert isinstance(mechanism, Mechanism)
    if place in plan.thresholds:  # a group of a whole number of people
        return np.isnan(unknown_groups.sample(rng, plan.thresholds[place], int(np.ceil(stated)), 20_000))
    if isinstance(of, Series):
        errors = of.strategy_errors(noise.family, asked.neighbours)
        scale = (float(mechanism.epsilon), plan.delta if noise.family == "gaussian" else 0.0)
        off = abs(linear_queries.sample(rng, errors, np.zeros(of.n_periods), *scale, 20_000))
        return off[:, int(np.argmax(errors.each))] > stated
    if isinstance(of, Mean | Proportion) and not of.is_n_public:
        count, centred = of.n_records + noise.sample(rng, 20_000), of.n_records + noise.sample(rng, 20_000)
        return abs(centred / count - 1) * asked.width / 2 > stated  # the mean is the highest value
    n_joint = int(of.n_cells or 1) if isinstance(of, Histogram | Table) and of.is_joint else 1
    return np.any(abs(noise.sample(rng, (6000, n_joint))) > stated, axis=1)


def _choice_errors(rng: np.random.Generator, noise: Chooser, size: int) -> Array:
    """Return how far draws of a choice are off: of the largest, on the counts where that is worst."""
    asked, of = noise.query, noise.query.statistic
    if isinstance(of, Quantile):
        outputs = quantiles.Grid(of.candidates, noise.family)
        options = of.quantile, noise.epsilon / n_records_of(of), outputs, asked.neighbours
        values = sample_of(of.values).sorted
        return abs(quantiles.sample(rng, values, *options, size) - np.quantile(values, of.quantile))
    assert isinstance(of, Largest)
    lead = float(noise.half_width(ALPHA)) * (1 + 1e-9)
    scores = np.append(0.0, np.full(of.n_candidates - 1, -lead))
    is_monotone = asked.neighbours == "add_remove"
    if noise.family == "permute_and_flip":
        moved = of.per_candidate / (2 if is_monotone else 1)
        drawn = selection.sample_permute_and_flip(rng, scores, noise.epsilon, moved, size)
    else:
        drawn = selection.sample_exponential(rng, scores, noise.epsilon, of.per_candidate, is_monotone, size)
    return -scores[drawn]
