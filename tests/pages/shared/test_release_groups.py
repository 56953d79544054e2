"""Groups whose names are confidential too, in the program of a release: which appear, and what is never told."""

import csv
import json
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dpcore import unknown_groups
from pages.shared.release_program.steps import check, limit, noise, run, write
from pages.shared.release_program.steps.check import Entry, ReleaseError
from tests.pages.shared.test_release_program import HOSTILE, plan_in
from tests.programs import at, downloaded, namespace_of

GAUSSIAN = "/Tables?section=appear&threshold_noise=gaussian&per_person=3&contribution=limited"


def plan_at(setting: str) -> dict[str, Any]:
    plan = plan_in(downloaded(setting))
    assert [each["kind"] for each in plan["statistics"]] == ["groups"]
    return plan


def arguments_in(folder: Path, text: str, *options: str) -> list[str]:
    (folder / "data.csv").write_text(text, encoding="utf-8")
    return [str(folder / "data.csv"), "--person", "id", "--out", str(folder / "out"), *options]


@pytest.mark.parametrize(("k", "c"), [(1, 1), (1, 3), (3, 1), (30, 1), (4, 2)])
@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 1e-6), (0.2, 1e-8), (4.0, 1e-3)])
def test_the_delta_of_truncated_noise_is_that_of_dpcore(k, c, epsilon, delta):
    release = unknown_groups.threshold(epsilon, delta, k, "truncated_geometric", c)
    scale, threshold, bound = float(release.scale), float(release.threshold), int(release.bound)
    exact = unknown_groups.delta_from_threshold(epsilon, scale, threshold, k, release.noise, c, bound=bound)
    known = {"threshold": threshold, "bound": bound}
    statistic = {"name": "G", "groups": known, "scale": scale, "max_cells": k, "max_in_cell": c, "max_in_all": k * c}
    assert noise.truncated_delta(statistic, epsilon) == pytest.approx(float(exact), rel=1e-6)
    assert noise.truncated_delta(statistic, epsilon) <= delta * (1 + 1e-9)
    with pytest.raises(ReleaseError, match="is below the noise of one person"):
        noise.truncated_delta(statistic | {"groups": known | {"threshold": bound}}, epsilon)


@pytest.mark.parametrize(("k", "c", "total"), [(3, 3, 3), (3, 3, 8), (5, 2, 7), (20, 10, 30)])
def test_the_delta_of_truncated_noise_with_a_limit_in_all_is_that_of_dpcore(k, c, total):
    for epsilon, delta in ((1.0, 1e-6), (0.2, 1e-8), (4.0, 1e-3)):
        release = unknown_groups.threshold(epsilon, delta, k, "truncated_geometric", c, total=total)
        scale, threshold, bound = float(release.scale), float(release.threshold), int(release.bound)
        place = epsilon, scale, threshold, k, release.noise, c
        exact = unknown_groups.delta_from_threshold(*place, bound=bound, total=total)
        limits = {"max_cells": k, "max_in_cell": c, "max_in_all": total}
        groups = {"threshold": threshold, "bound": bound}
        stated = noise.truncated_delta({"name": "G", "groups": groups, "scale": scale, **limits}, epsilon)
        assert stated == pytest.approx(float(exact), rel=1e-6)
        assert stated <= delta * (1 + 1e-9)


def test_the_program_keeps_no_more_of_a_person_than_the_limit_in_all_for_which_its_noise_is():
    capped = f"{GAUSSIAN}&per_cell=3&per_total=4"
    statistic = plan_at(capped)["statistics"][0]
    assert [statistic[key] for key in ("max_cells", "max_in_cell", "max_in_all", "l1")] == [3, 3, 4, 4.0]
    assert statistic["l2"] == pytest.approx(10**0.5)
    rows = [Entry("a", (name,)) for name in "abcdef"] * 3
    unit = round(1 / limit.step_of(statistic))
    for _ in range(100):
        kept = limit.aggregated(limit.tally_of(limit.limited(rows, statistic), statistic), statistic)
        assert sum(kept.values()) == 4 * unit
        assert sum(count**2 for count in kept.values()) <= 10 * unit**2


@pytest.mark.parametrize(
    "setting",
    [
        f"{GAUSSIAN}&per_cell=4&per_total=2&n_periods=3",
        "/Plan?promise=delta&queries=groups:90,3,4*cap:2,periods:3=Groups",
    ],
)
def test_groups_of_several_years_have_the_limit_of_each_year_and_of_all_together(setting, tmp_path):
    plan = plan_at(setting)
    (statistic,) = plan["statistics"]
    limits = [statistic[key] for key in ("max_cells", "max_in_cell", "max_in_period", "max_in_all", "l1")]
    assert limits == [3, 4, 2, 6, 6.0]
    assert statistic["l2"] == pytest.approx(20**0.5)  # 4 in one group and 2 in another one
    dates = ["2024-05-01", "2025-06-01", "2026-07-01", "2026-08-01"]
    rows = "\n".join(f"a,{code},{date}" for code in "uvwxyz" for date in dates)
    arguments = arguments_in(tmp_path, f"id,code,date\n{rows}\n", "--column=code")
    source = run.source_of(run.options_of([*arguments, "--period=date"]), plan)
    run.checked_columns(plan, source)
    for _ in range(100):
        kept = limit.limited(limit.entries_of(statistic, source, []), statistic)
        groups, years = Counter(entry.cell for entry in kept), Counter(entry.period for entry in kept)
        assert len(groups) <= 3
        assert max(groups.values()) <= 4
        assert set(years.values()) == {2}
    with pytest.raises(ReleaseError, match="A person has at most 2 records in each of 3 periods: name with --period"):
        run.publish(plan, arguments)
    more = arguments_in(tmp_path, f"id,code,date\n{rows}\nb,u,2027-01-01\n", "--column=code", "--period=date")
    with pytest.raises(ReleaseError, match="are of 4, such as '2024', '2025'"):
        run.publish(plan, more)


def test_noise_beyond_its_bound_is_drawn_again_and_groups_below_the_threshold_are_gone():
    numbers = iter([99, -99, -5, 12, 5, 0])
    fake: Any = SimpleNamespace(
        m=SimpleNamespace(make_laplace=lambda *_: lambda _: next(numbers)),
        atom_domain=lambda **_: None,
        absolute_distance=lambda **_: None,
    )
    statistic = {"scale": 1.0, "noise": "truncated_geometric", "max_in_cell": 1}
    draws = noise.truncated_draws(fake, statistic | {"groups": {"bound": 5, "threshold": 6.0}})
    assert draws({"a": 10, "b": 1, "c": 6}) == {"b": 6, "c": 6}
    assert next(numbers, None) is None


@pytest.mark.parametrize("kind", ["gaussian", "laplace"])
def test_the_delta_of_a_threshold_is_that_of_dpcore_and_within_the_plan(kind):
    statistic = plan_at(GAUSSIAN.replace("=gaussian", f"={kind}"))["statistics"][0]
    known, growth = statistic["groups"], noise.growth_of(statistic)
    most, step = noise.limit_in_steps(statistic, growth), limit.step_of(statistic)
    delta = noise.threshold_delta(statistic, most, statistic["scale"] * growth / step)
    exact = unknown_groups.delta_from_threshold(100, statistic["scale"], known["threshold"], 3, kind)
    assert delta == pytest.approx(float(exact), rel=1e-4)
    assert delta <= float(exact) <= known["delta"]


def test_a_count_at_opendps_threshold_does_not_appear():
    statistic = plan_at(GAUSSIAN)["statistics"][0]
    most = noise.limit_in_steps(statistic, 1.0)
    assert most * limit.step_of(statistic) >= statistic["groups"]["threshold"]
    assert noise.above({"at": most, "above": most + 1, "far below": -10 * most}, most) == {"above": most + 1}
    grown = noise.limit_in_steps(statistic, 1.5) * limit.step_of(statistic)
    assert grown - 1 == pytest.approx(1.5 * (statistic["groups"]["threshold"] - 1), rel=2e-6)
    assert grown - 1 > 1.5 * (statistic["groups"]["threshold"] - 1)


def test_a_person_is_in_groups_chosen_at_random_and_in_no_more_than_the_limit():
    statistic = plan_at(GAUSSIAN)["statistics"][0]
    rows = [Entry("a", (name,)) for name in "abcdef"] * 3
    tallies = [limit.tally_of(limit.limited(rows, statistic), statistic) for _ in range(200)]
    kept = [limit.aggregated(tally, statistic) for tally in tallies]
    unit = round(1 / limit.step_of(statistic))
    assert all(sorted(counts.values()) == [unit] * 3 for counts in kept)
    assert {json.loads(name)[0] for counts in kept for name in counts} == set("abcdef")
    assert len({tuple(sorted(counts)) for counts in kept}) > 5


def test_groups_are_written_in_the_order_of_their_names_and_the_others_are_not_mentioned(tmp_path):
    plan = plan_at(GAUSSIAN)
    unit = round(1 / limit.step_of(plan["statistics"][0]))
    source = run.source_of(run.options_of(arguments_in(tmp_path, "id\n1\n", "--column=code")), plan)
    rows = write.numbers_rows(plan, source, [{'["b", "x"]': 70 * unit, '["a", "y"]': 50 * unit}])
    assert [row[:3] for row in rows[1:]] == [["Groups", "a · y", "50"], ["Groups", "b · x", "70"]]
    assert write.numbers_rows(plan, source, [{}]) == rows[:1]


@pytest.mark.parametrize("text", [text for text in HOSTILE if text != "\x00"])
def test_names_of_groups_are_data_and_no_formulas(tmp_path, text):
    plan = plan_at(GAUSSIAN)
    data = tmp_path / "rows.csv"
    with data.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["id", "code"], [1, text], [2, text]])
    options = [str(data), "--person", "id", "--column", "code"]
    source = run.source_of(run.options_of(options), plan)
    (counts,) = limit.aggregates_of(plan, source).values()
    assert [json.loads(name) for name in counts] == [[text]]
    (row,) = write.numbers_rows(plan, source, [counts])[1:]
    assert not row[1].startswith(check.FORMULA_STARTS)
    assert "\n" not in row[1]
    assert float(row[2]) == 2


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        ("id,code\n1,a\n", (), "Name the column or columns of 'Groups' with --column"),
        ("id,code\n1,a\n", ("--column", "name"), "The file has no column 'name'"),
        ("id,code\n", ("--column", "code"), "has no rows"),
    ],
)
def test_a_file_that_breaks_the_plan_of_groups_stops_in_a_sentence(tmp_path, text, options, sentence):
    with pytest.raises(ReleaseError, match=sentence):
        run.publish(plan_at(GAUSSIAN), arguments_in(tmp_path, text, *options))
    assert not (tmp_path / "out").exists()


def test_groups_from_a_list_are_refused(tmp_path):
    (tmp_path / "list.csv").write_text("code\na\n", encoding="utf-8")
    with pytest.raises(ReleaseError, match="its groups have no list"):
        run.publish(
            plan_at(GAUSSIAN), arguments_in(tmp_path, "id,code\n1,a\n", "--categories", str(tmp_path / "list.csv"))
        )


@pytest.mark.parametrize(
    "setting",
    [
        "/Tables?section=appear",
        GAUSSIAN,
        "/Tables?section=appear&threshold_noise=laplace&per_person=5&per_cell=2&epsilon=0.5&contribution=limited",
        "/Tables?section=appear&fixed=no&threshold=60",
        f"{GAUSSIAN}&per_cell=3&per_total=3",
    ],
)
def test_the_program_has_the_noise_and_the_threshold_of_the_page(setting):
    plan, (_, result) = plan_at(setting), at(setting)
    (statistic,), release = plan["statistics"], result.appearance.shown_release
    shown = statistic["noise"], statistic["scale"], statistic["groups"]["threshold"]
    assert shown == (release.noise, float(release.scale), float(release.threshold))
    assert (statistic["max_cells"], statistic["max_in_cell"]) == (int(release.groups_per_person), release.contributions)
    assert (plan["epsilon"], plan["delta"]) == (result.appearance.epsilon, result.appearance.delta)
    assert (noise.sampler_of(statistic) == noise.OPENDP) == (release.noise != "truncated_geometric")


def test_a_plan_has_unknown_groups_with_their_share_of_delta():
    setting = "/Plan?promise=delta&queries=groups:60,3,1=Codes;count:5=b"
    plan, (_, result) = plan_in(downloaded(setting)), at(setting)
    codes, part = plan["statistics"][0], result.planned_queries[0]
    assert codes["scale"] == part.noise.scale
    assert codes["groups"]["threshold"] == pytest.approx(part.threshold, rel=1e-3)
    assert codes["groups"]["delta"] == part.query.statistic.threshold_delta < plan["delta"]
    assert (codes["max_cells"], codes["max_in_cell"]) == (3, 1)


@pytest.mark.parametrize(
    "setting",
    [
        "/Tables?section=appear&contribution=unlimited",
        "/Tables?section=appear&contribution=limited&per_cell=0.5",
    ],
)
def test_no_program_of_groups_where_a_condition_is_denied_or_the_plan_is_not_for_it(setting):
    topic, result = at(setting)
    assert topic.open_section(result).downloads(result) is None


def test_the_program_has_the_steps_of_groups():
    program = namespace_of(downloaded(GAUSSIAN))
    assert program["above"]({"a": 2, "b": 3}, 2) == {"b": 3}
