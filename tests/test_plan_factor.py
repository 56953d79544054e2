"""The reverse question of a plan: the one factor on all wanted errors that a total ε allows."""

import numpy as np
import pytest

from dpcore import gaussian
from dpcore.plan import MECHANISMS, Count, Mean, Own, Sum, Table, _search, choose, query, scaled_to


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 20.0])
@pytest.mark.parametrize("mechanism", [None, "laplace", "gaussian"])
def test_a_scaled_plan_uses_the_budget_and_never_more(epsilon, mechanism):
    queries = [query(30, Sum(high=7)), query(0.5, Mean(high=80, n_records=1000))]
    scaled = scaled_to(queries, epsilon, 1e-6, mechanism)
    total = float(scaled.plan.total.value)
    assert total <= epsilon
    assert total == pytest.approx(epsilon, rel=1e-4)
    assert scaled.plan.half_widths == pytest.approx([30 * scaled.factor, 0.5 * scaled.factor], rel=1e-9)


def test_a_scaled_plan_is_found_where_the_estimate_overflows_on_the_way():
    """The factor of the first step had no estimate, and the search went on for ever."""
    queries = [query(922, Own()), query(0.0017, Mean(high=80, n_records=1000))]
    total = float(scaled_to(queries, 0.0134, 1e-300, "gaussian").plan.total.value)
    assert 0.0134 * (1 - 1e-4) < total <= 0.0134


def test_a_scaled_plan_of_whole_numbers_is_at_a_step():
    scaled = scaled_to([query(5), query(50)], 0.3, 1e-6)
    assert float(scaled.plan.total.value) <= 0.3
    smaller = choose([query(5 * scaled.factor * 0.95), query(50 * scaled.factor * 0.95)], 1e-6)
    assert float(smaller.total.value) > 0.3
    queries = [query(7), query(19)]
    best = scaled_to(queries, 0.11, 1e-6)
    assert float(best.plan.total.value) <= 0.11
    assert best.factor <= min(scaled_to(queries, 0.11, 1e-6, key).factor for key in MECHANISMS) * (1 + 1e-5)
    narrow = scaled_to([query(5)], 40.0, 1e-6)
    assert float(narrow.plan.total.value) <= 40
    assert narrow.plan.half_widths == 0
    wide = scaled_to([query(100)] * 3, 0.1, 1e-6, "discrete_gaussian")
    assert float(wide.plan.total.value) <= 0.1
    with pytest.raises(ValueError, match=r"^epsilon must be in \[0.0\d*, 1e6\] with this noise"):
        scaled_to([query(1000)] * 3, 1e-4, 1e-6, "discrete_gaussian")


def test_a_budget_of_pure_noise_is_shared_by_the_errors():
    scaled = scaled_to([query(5, Own()), query(10, Own())], 1.0, 0)
    assert scaled.factor == pytest.approx(np.log(20) * (1 / 5 + 1 / 10), rel=2e-6)


def test_a_budget_that_no_noise_can_use_up_is_met_by_the_narrowest_noise():
    narrow = scaled_to([query(5, Own(), mechanism="laplace")], 5e3, 1e-6)
    assert 900 < float(narrow.plan.total.value) <= 1000.001
    both = scaled_to([query(5), query(3, Sum(high=2))], 4e3, 1e-6)
    assert float(both.plan.total.value) <= 4e3


def test_the_factor_meets_the_budget_wherever_the_estimate_leads_it():
    rng = np.random.default_rng(8)
    for _ in range(6):
        queries = [query(float(rng.uniform(1, 9)), Sum(high=float(rng.uniform(1, 5)))) for _ in range(2)]
        budget = float(10 ** rng.uniform(-2, 1.5))
        scaled = scaled_to(queries, budget, 1e-9)
        assert budget * (1 - 1e-3) <= float(scaled.plan.total.value) <= budget
    most = scaled_to([query(5, Own())], 999.9, 0)
    assert float(most.plan.total.value) == pytest.approx(999.9, rel=1e-5)


@pytest.mark.parametrize(
    ("epsilon", "delta", "half_widths"),
    [(0.06, 0, [168, 79, 565]), (0.119, 1e-6, [375, 36, 131]), (2.5, 1e-6, [3, 700]), (0.1, 0.3, [1.2, 1.6, 40])],
)
def test_just_below_the_factor_the_mechanisms_of_whole_numbers_cost_more(epsilon, delta, half_widths):
    queries = [*(query(half_width) for half_width in half_widths), query(9, Sum(high=3))]
    scaled = scaled_to(queries, epsilon, delta)
    assert float(scaled.plan.total.value) <= epsilon
    below = _search.releases_at(tuple(queries), scaled.plan.keys, scaled.factor * (1 - 2e-5))
    assert below is not None
    assert float(_search.total(queries, below, delta).value) > epsilon


def test_a_budget_that_whole_numbers_cannot_use_up_is_met_by_any_small_factor():
    scaled = scaled_to([query(288)], 3.679, 1e-6)
    assert float(scaled.plan.total.value) <= 3.679
    assert scaled.plan.half_widths == 0


def test_a_factor_near_the_one_from_which_delta_alone_is_enough_takes_few_totals(monkeypatch):
    totals, exact_total = [], _search.total
    monkeypatch.setattr(_search, "total", lambda *arguments: totals.append(exact_total(*arguments)) or totals[-1])
    scaled = scaled_to([query(10, mechanism="gaussian")], epsilon=1e-3, delta=0.3)
    assert len(totals) <= 20
    assert 0.9e-3 < float(scaled.plan.total.value) <= 1e-3


def test_a_budget_below_the_fixed_noise_is_refused():
    with pytest.raises(ValueError, match=r"^epsilon must be in \[2.*, 1e6\] with this noise, got 1$"):
        scaled_to([query(epsilon=2), query(5)], 1, 0)


@pytest.mark.parametrize("budget", [1e-3, 1e-2])
def test_a_small_budget_is_met_where_the_noise_of_the_wanted_errors_cannot_grow_so_far(budget):
    tables = [query(6 + i, Table(n_cells=60, cells_per_person=3)) for i in range(2)]
    scaled = scaled_to([query(5), *tables], budget, 1e-6)
    assert budget * (1 - 1e-3) <= float(scaled.plan.total.value) <= budget


def test_two_hundred_queries_have_a_plan_and_a_factor():
    queries = [query(40 + place, Sum(high=1 + place % 7) if place % 2 else Count()) for place in range(200)]
    forced = choose(queries, 1e-6, "gaussian")
    ratios = [1 + place % 7 if place % 2 else 1 for place in range(200)] / np.array([n.scale for n in forced.noises])
    exact = gaussian.epsilon_from_sigma(1e-6, 1 / np.linalg.norm(ratios))
    assert float(forced.total.value) == pytest.approx(float(exact), rel=1e-9)
    assert float(choose(queries, 1e-6).total.value) <= float(exact) * (1 + 1e-9)
    assert 0.999 < float(scaled_to(queries, 1.0, 1e-6).plan.total.value) <= 1
