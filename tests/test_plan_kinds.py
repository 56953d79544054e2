"""The kinds of query: unknown groups, series, quantiles, the largest, and numbers that belong to some kinds."""

import re

import numpy as np
import pytest

from dpcore import composition, linear_queries, quantiles, selection, unknown_groups
from dpcore.clipping import lognormal
from dpcore.plan import (
    Largest,
    Mean,
    Own,
    Quantile,
    Series,
    Sum,
    Table,
    UnknownGroups,
    choose,
    marginal,
    possible_mechanisms,
    query,
    scaled_to,
    total_epsilon,
)
from dpcore.plan.candidates import Chooser

WAITING = lognormal(np.log(30), 0.8, 2000)
GROUPS = query(60, UnknownGroups(3, threshold_delta=2e-7), name="diagnoses")
MONTHS = query(40, Series(36, 4), name="visits")
MEDIAN = query(1, Quantile(WAITING, 0.5, 0, 600), name="median wait")
WINNER = query(15, Largest(23), name="largest district")
MIXED = (GROUPS, MONTHS, MEDIAN, WINNER, query(10), query(2000, Sum(high=500)))


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
@pytest.mark.parametrize(("k", "c"), [(1, 1), (3, 1), (2, 4)])
def test_unknown_groups_have_the_wanted_size_and_their_exact_delta_is_below_that_of_the_plan(noise, k, c):
    asked = query(150 * c, UnknownGroups(k, c, 2e-7), mechanism=noise)
    plan = choose([asked], 1e-6)
    release = plan.thresholds[0]
    assert unknown_groups.least_size(release, 0.95) == pytest.approx(150 * c, abs=1)
    assert plan.half_widths[0] == pytest.approx(150 * c, rel=1e-9)
    exact = unknown_groups.delta_from_threshold(
        plan.total.value, release.scale, release.threshold, k, noise, contributions=c
    )
    assert 2e-8 < exact <= 1e-6


def test_the_total_of_unknown_groups_is_that_of_the_releases_that_stand_for_them():
    plan = choose([GROUPS, query(10, n_releases=3)], 1e-6)
    release = plan.thresholds[0]
    assert plan.thresholds.keys() == {0}
    stated = [*unknown_groups.dominating_releases(release), *plan.releases[1:]]
    total, joint = (float(composition.epsilon(lines, 1e-6).value) for lines in (plan.lines, stated))
    assert total == pytest.approx(float(plan.total.value), rel=1e-5)
    assert 0.99 * total < joint < total
    often = choose([query(60, UnknownGroups(3, threshold_delta=5e-8), n_releases=4)], 1e-6)
    assert float(composition.epsilon(often.lines, 1e-6).value) == pytest.approx(float(often.total.value), rel=1e-5)


@pytest.mark.parametrize("noise", ["laplace", "gaussian", "geometric", "discrete_gaussian"])
@pytest.mark.parametrize(("scale", "k", "c"), [(3.7, 1, 1), (20.0, 5, 2)])
def test_a_threshold_of_noise_reveals_a_person_as_often_as_is_said(noise, scale, k, c):
    for delta in (1e-12, 1e-6, 0.05):
        release = unknown_groups.threshold_of_noise(scale, delta, k, noise, c)
        revealed = unknown_groups.dominating_releases(release)[-1].numbers[1]
        assert revealed <= delta * (1 + 1e-9)
        lower = unknown_groups.ThresholdRelease(
            noise,
            release.scale,
            release.threshold - 1.01,
            release.bound,
            release.groups_per_person,
            release.contributions,
            "at_least",
        )
        assert unknown_groups.dominating_releases(lower)[-1].numbers[1] > delta


@pytest.mark.parametrize("noise", ["laplace", "gaussian", "geometric"])
def test_a_limit_in_all_is_one_on_the_groups_and_the_records_of_a_threshold(noise):
    for total, k, c in ((1, 1, 1), (3, 3, 3), (9, 5, 4), (100, 5, 4)):
        limited = unknown_groups.threshold_of_noise(20.0, 1e-7, 5, noise, 4, total)
        alone = unknown_groups.threshold_of_noise(20.0, 1e-7, k, noise, c)
        assert limited.threshold == alone.threshold
        assert (limited.groups_per_person, limited.contributions, limited.total) == (k, c, total)
    with pytest.raises(ValueError, match="total must be left out of noise discrete_gaussian, got 3"):
        unknown_groups.threshold_of_noise(20.0, 1e-7, 5, "discrete_gaussian", 4, 3)


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
@pytest.mark.parametrize(("k", "c", "cap", "periods"), [(3, 4, 5, 1), (3, 4, 2, 1), (3, 4, 2, 3), (30, 1, 4, 1)])
def test_groups_with_a_limit_in_all_cost_what_the_worst_person_moves_and_exact_delta_is_within(
    noise, k, c, cap, periods
):
    statistic = UnknownGroups(k, c, 2e-7, cap, periods)
    plan, free = (choose([query(400, of, mechanism=noise)], 1e-6) for of in (statistic, UnknownGroups(k, c, 2e-7)))
    asked, release = plan.queries[0], plan.thresholds[0]
    amounts = np.diff([min(c * place, cap * periods) for place in range(k + 1)])
    assert (asked.l1, asked.l2) == pytest.approx((np.sum(amounts), np.sqrt(np.sum(amounts**2))), rel=1e-12)
    assert unknown_groups.least_size(release, 0.95) == pytest.approx(400, abs=1)
    assert release.total == cap * periods
    settings = release.scale, release.threshold, k, noise
    exact = unknown_groups.delta_from_threshold(plan.total.value, *settings, contributions=c, total=cap * periods)
    assert exact <= 1e-6
    assert 1.01 * float(plan.total.value) < float(free.total.value)


def test_a_limit_in_all_that_all_others_reach_changes_nothing_and_years_need_one():
    free, idle = (choose([query(400, UnknownGroups(3, 4, 2e-7, cap))], 1e-6) for cap in (None, 12))
    assert float(idle.total.value) == pytest.approx(float(free.total.value), rel=1e-12)
    assert idle.thresholds[0].threshold == free.thresholds[0].threshold
    for statistic, words in (
        (UnknownGroups(n_periods=2), "n_periods without a cap must be in [1, 1], got 2"),
        (UnknownGroups(cap=2.5), "cap must be in the whole numbers of [1, 1e15], got 2.5"),
        (UnknownGroups(cap=10**12, n_periods=10**5), "cap in all periods must be in [1, 1e15], got 1e+17"),
    ):
        with pytest.raises(ValueError, match=f"^{re.escape(words)}$"):
            query(60, statistic)


@pytest.mark.parametrize("published", ["each", "running_totals", "window", "year_to_date"])
@pytest.mark.parametrize(("k", "neighbours"), [(1, "add_remove"), (5, "replace")])
def test_a_series_has_the_errors_and_the_release_of_its_strategy(published, k, neighbours):
    series = Series(24, k, 2, published, 6 if published in ("window", "year_to_date") else None)
    for noise in ("gaussian", "laplace"):
        plan = choose([query(200, series, neighbours=neighbours, mechanism=noise)], 1e-6)
        own = float(plan.mechanisms[0].epsilon)
        errors = series.strategy_errors(noise, neighbours)
        delta = 1e-6 if noise == "gaussian" else 0.0
        assert linear_queries.half_widths(errors, own, delta).max() == pytest.approx(200, rel=1e-3)
        assert plan.half_widths[0] == pytest.approx(200, rel=1e-9)
        stated = composition.certified_epsilon([linear_queries.release(errors, own, delta)], 1e-6).value
        assert float(plan.total.value) <= float(stated) * (1 + 1e-6)


def test_laplace_noise_on_each_period_is_composed_exactly():
    each = choose([query(40, Series(36, 4, published="each"), mechanism="laplace")], 1e-6)
    assert (each.releases[0].kind, each.releases[0].count) == ("laplace", 4)


def test_a_quantile_has_the_wanted_error_by_the_exponential_mechanism_or_on_a_grid():
    plan = choose([MEDIAN], 1e-6)
    assert plan.keys == ("exponential",)
    own = plan.noises[0].scale
    assert quantiles.half_width(WAITING, 0.5, [own, 0.99 * own], quantiles.Range(0, 600))[1] > 1
    assert plan.half_widths[0] == pytest.approx(1, abs=1e-6)
    assert 0.99 * own < float(plan.total.value) <= own
    grid = choose([query(2, Quantile(WAITING, 0.9, 0, 600, 1))], 1e-6)
    assert grid.keys == ("permute_and_flip",)
    assert float(grid.half_widths[0]) <= 2
    given = quantiles.half_width(WAITING, 0.9, grid.noises[0].scale, quantiles.Grid(np.arange(601)))
    assert given == grid.half_widths[0]
    chooser = grid.mechanisms[0]
    assert chooser == grid.noises[0]
    assert (chooser.name, chooser.symbol, chooser.whole) == ("Permute-and-flip", "ε", False)


def test_many_choices_have_the_mechanism_whose_losses_have_a_smaller_range():
    """One release by permute-and-flip needs less ε; of many, exponential mechanisms compose to less."""
    once, often = (choose([query(10, Largest(23), n_releases=n)], 1e-6) for n in (1, 100))
    assert (once.keys, often.keys) == (("permute_and_flip",), ("exponential",))
    scaled = scaled_to([query(10, Largest(23), n_releases=100)], 5.0, 1e-6).plan
    assert (scaled.keys, 4.99 < float(scaled.total.value) <= 5) == (("exponential",), True)
    stated = composition.epsilon([composition.exponential_release(often.noises[0].scale, 100)], 1e-6)
    assert float(often.total.value) == float(stated.value)


@pytest.mark.parametrize("mechanism", ["exponential", "permute_and_flip"])
@pytest.mark.parametrize(("neighbours", "is_monotone"), [("add_remove", True), ("replace", False)])
def test_the_largest_of_several_is_within_its_error_whatever_the_counts_are(mechanism, neighbours, is_monotone):
    asked = query(12, Largest(6, 2), 0.1, neighbours=neighbours, mechanism=mechanism)
    plan = choose([asked], 0)
    epsilon = plan.noises[0].scale
    probability = {"exponential": selection.exponential, "permute_and_flip": selection.permute_and_flip}[mechanism]
    rng = np.random.default_rng(7)
    lists = [[0, *[-12.01] * 5], [0, 0, -11, *[-12.01] * 3], *(-rng.uniform(0, 40, (20, 6)))]
    chances = []
    for scores in lists:
        u = np.asarray(scores) - np.max(scores)
        options = {"monotone": is_monotone} if mechanism == "exponential" else {}
        sensitivity = 1.0 if is_monotone and mechanism == "permute_and_flip" else 2.0
        chances.append(probability(u, epsilon, sensitivity, **options)[u < -12].sum())
    assert max(chances) <= 0.1
    assert chances[0] == pytest.approx(0.1, rel=0.01)
    assert plan.half_widths[0] == pytest.approx(12)


def test_all_kinds_together_are_planned_and_scaled_to_a_total():
    plan = choose(MIXED, 1e-6)
    assert plan.half_widths == pytest.approx([60, 40, 1, 15, 10, 2000], rel=0.03)
    assert all(value >= float(plan.total.value) * (1 - 1e-9) for value in (b.value for b in plan.uniform.values()))
    listed = composition.epsilon(plan.lines, 1e-6).value
    assert float(listed) == pytest.approx(float(plan.total.value), rel=2e-3)
    assert (marginal(MIXED, 1e-6).doubled < float(plan.total.value)).all()
    scaled = scaled_to(MIXED, 1.5, 1e-6)
    assert 1.49 < float(scaled.plan.total.value) <= 1.5
    assert choose(MIXED[1:], 0, "laplace").keys[:3] == ("laplace", "exponential", "permute_and_flip")


def test_what_unknown_groups_cost_has_the_delta_of_their_threshold_in_it():
    for queries in ([GROUPS, query(10)], [GROUPS, GROUPS, query(10), MONTHS]):
        costs = marginal(queries, 1e-6)
        assert costs.estimated_cost == pytest.approx(costs.cost, rel=1e-2)


def test_fixed_mechanisms_and_epsilons_of_choices_stay():
    fixed = query(statistic=Largest(5), epsilon=0.3, mechanism="exponential")
    plan = choose([fixed, query(5)], 1e-6)
    assert (plan.keys[0], plan.noises[0].scale) == ("exponential", 0.3)
    assert possible_mechanisms(query(statistic=Quantile([1, 2, 3], low=0, high=9), epsilon=1), 0) == ("exponential",)


def test_a_statistic_without_a_mechanism_has_none():
    near = query(0.01, Quantile([10.0, 20.0], low=0, high=100))
    assert possible_mechanisms(near, 1e-6) == ()
    assert possible_mechanisms(query(1e-5, Largest(3)), 1e-6) == ()
    assert possible_mechanisms(GROUPS, 0) == possible_mechanisms(GROUPS, 1e-7) == ()
    assert possible_mechanisms(query(0.5, GROUPS.statistic), 1e-6) == ()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: choose([GROUPS] * 6, 1e-6),
            "threshold_delta of all releases must be in less than delta = 1e-06 in all, got 'more'",
        ),
        (
            lambda: query(9, UnknownGroups(), neighbours="replace"),
            "neighbours must be in add_remove, got 'replace'",
        ),
        (lambda: query(9, UnknownGroups(0)), "groups_per_person must be in [1, 1e4], got 0"),
        (lambda: query(9, UnknownGroups(), 0.6), "significance must be in [1e-300, 0.5), got 0.6"),
        (lambda: query(9, Series(0)), "n must be in [1, 1000], got 0"),
        (
            lambda: query(9, Series(published="ranges")),
            "published must be in each, running_totals, window, year_to_date, got 'ranges'",
        ),
        (lambda: query(statistic=Largest(3), scale=2), "scale must be left out of kind largest, got 2"),
        (
            lambda: query(9, Quantile([1, 2]), mechanism="permute_and_flip"),
            "mechanism must be in exponential, got 'permute_and_flip'",
        ),
        (lambda: Quantile([1, 2], step=0).candidates, "step must be in (0, 1e15], got 0"),
        (lambda: Quantile([1, 2], low=3, high=3, step=1).candidates, "high must be in (low, 1e15], got 3"),
    ],
)
def test_what_cannot_be_planned_is_refused_in_a_sentence(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        call()


def test_cells_of_own_sensitivities_belong_to_a_joint_error():
    with pytest.raises(ValueError, match="n_cells must be left out of kind own without is_joint"):
        query(1.0, Own(n_cells=3))


def test_no_mean_whose_count_is_private_is_whole():
    private = Mean(low=0, high=10, n_records=500, is_n_public=False)
    assert not query(0.4, private).whole
    with pytest.raises(ValueError, match="whole must be False"):
        query(0.4, private, whole=True)
    with pytest.raises(ValueError, match=r"mechanism must be in laplace, .*got 'geometric'$"):
        query(0.4, private, mechanism="geometric")


def test_a_choice_has_its_epsilon_and_a_query_the_kind_of_its_statistic():
    chosen = choose([MEDIAN, WINNER], 1e-6)
    choices = [noise for noise in chosen.noises if isinstance(noise, Chooser)]
    assert [noise.epsilon for noise in choices] == [noise.scale for noise in choices]
    assert len(choices) == 2
    assert WINNER.kind == WINNER.statistic.kind


def test_an_even_split_gives_each_query_what_the_one_that_needs_most_requires():
    queries = [query(5), query(60, Sum(high=3)), query(40, Series(36, 4, published="each")), MEDIAN, WINNER]
    for delta in (0.0, 1e-6):
        alone = [
            min(
                float(total_epsilon([one], part, key).value)
                for part, key in ((0.0, None), (delta / 5, "gaussian"))
                if part or not key
            )
            for one in queries
        ]
        even = choose(queries, delta).even_split
        assert even is not None
        assert even == pytest.approx(5 * max(alone), rel=1e-9)
        assert even > float(choose(queries, delta).total.value)


def test_an_even_split_has_the_errors_of_a_known_total_and_leaves_thresholds_their_delta():
    scaled = scaled_to([query(5), query(50)], 1.0, 0).plan
    assert scaled.even_split == pytest.approx(2 * float(total_epsilon([query(5 * scaled.factor)], 0).value), rel=1e-9)
    groups = choose([GROUPS, query(1000)], 1e-6)
    threshold_alone = choose([query(60, UnknownGroups(3, threshold_delta=2e-7), mechanism="gaussian")], 6e-7)
    assert groups.even_split == pytest.approx(2 * float(threshold_alone.total.value), rel=1e-6)


def test_there_is_no_even_split_where_noise_is_fixed_or_people_are_disjoint():
    assert choose([query(epsilon=0.5), query(5)], 0).even_split is None
    assert choose([query(5, group="a"), query(9, group="a")], 0).even_split is None
    whole = choose([query(9, mechanism="discrete_gaussian"), query(9, mechanism="discrete_gaussian")], 1e-6)
    assert whole.even_split == pytest.approx(2 * float(total_epsilon([whole.queries[0]], 5e-7).value), rel=1e-9)


@pytest.mark.parametrize(
    ("per_month", "cap", "years"), [(1, 4, 1), (3, 4, 1), (5, 4, 1), (1, 4, 3), (2, 40, 1), (1, 0.5, 2)]
)
def test_a_limit_in_all_bounds_what_a_person_adds_to_a_series(per_month, cap, years):
    """The best person for the noise fills cells with c as far as N·P and k allow, and one more with the rest."""
    series = Series(36, 12, float(per_month), "each", cap=cap, cap_years=years)
    amounts = np.minimum(np.maximum(min(12 * per_month, cap * years) - per_month * np.arange(12), 0), per_month)
    asked = query(200, series)
    assert asked.l2 == pytest.approx(np.sqrt(np.sum(amounts**2)), rel=1e-12)
    pure = asked.seen_by("laplace")
    assert pure.l1 == pytest.approx(np.sum(amounts), rel=1e-12)
    assert pure.l1 >= np.sum(amounts)
    assert pure.largest == pytest.approx(amounts.max(), rel=1e-12)
    assert pure.n_moved == 0
    table = query(200, Table(36, 12, float(per_month), cap, years))
    assert asked.l2 >= table.l2 * (1 - 1e-12)


def test_years_without_a_limit_in_all_are_refused():
    with pytest.raises(ValueError, match="cap_years without a cap must be in"):
        query(20, Series(36, 12, cap_years=3))
