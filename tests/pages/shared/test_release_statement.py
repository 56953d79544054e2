"""What the program of a release says of its numbers: digits, marks, limits and joins, and what its files have."""

import csv
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pages.plan.figures import scale_text
from pages.shared.release_program.steps import check, ledger, run, write
from pages.shared.release_program.steps.check import ReleaseError, Source
from tests.pages.shared.test_release_choice import LARGEST, MEDIAN
from tests.pages.shared.test_release_groups import GAUSSIAN
from tests.pages.shared.test_release_program import BY_OPENDP, COUNT, MEAN, SUM, TABLE, facts, plan_in
from tests.pages.shared.test_release_series import SERIES
from tests.programs import at, downloaded

NOWHERE = Path("nowhere.csv")
VISITS = replace(TABLE, max_cells=3, max_in_cell=4, max_in_all=12, n_periods=3, max_in_period=4)


def by_person(**more: Any) -> Source:
    return Source(NOWHERE, "id", {}, {}, **more)


def counted(statistic: Any, **more: Any) -> str:
    return write.counted_of(facts(statistic)["statistics"][0], by_person(**more), "person")


@pytest.mark.parametrize(
    ("statistic", "more", "words"),
    [
        (TABLE, {}, "each person once"),
        (VISITS, {}, "of each person at most 4 in each of 3 years, chosen at random where there are more"),
        (VISITS, {"periods": {"Table": "year"}}, "of each person at most 4 in each of 3 periods, chosen"),
        (replace(VISITS, max_in_cell=1, max_in_all=3, n_periods=1), {}, "of each person each once, chosen"),
        (
            replace(TABLE, max_cells=2, max_in_cell=2, max_in_all=3),
            {},
            "at most 2 categories, each at most 2 times, at",
        ),
        (replace(COUNT, max_in_all=3, max_in_cell=3), {}, "at most 3 records of each person"),
        (MEAN, {"joins": {"Mean": "mean"}}, "the mean of each person’s mean, cut to "),
        (MEAN, {}, "the mean of each person’s value, cut to "),
        (replace(SUM, high=5000.0), {}, "the sum of each person’s total, cut to 0 to 5,000"),
        (replace(SUM, max_in_all=3), {}, "the sum of at most 3 values of each person, cut to "),
    ],
)
def test_what_a_statistic_counts_of_a_person_is_said_with_its_limits(statistic, more, words):
    assert counted(statistic, **more).startswith(words) or words in counted(statistic, **more)


def test_medians_groups_and_candidates_say_what_they_count():
    (median,), (groups,), (largest,) = (plan_in(downloaded(each))["statistics"] for each in (MEDIAN, GAUSSIAN, LARGEST))
    joined = by_person(joins={median["name"]: "mean"})
    assert write.counted_of(median, joined, "patient").startswith("the median of each patient’s mean, cut to ")
    assert " groups, " in write.counted_of(groups, by_person(), "person")
    assert "chosen at random where there are more" in write.counted_of(largest, by_person(), "person")


def test_the_statement_says_what_is_counted_behind_the_paragraph_on_the_numbers():
    plan = facts(COUNT, MEAN)
    source = by_person(joins={"Mean": "mean"}, conditions={"Count": (("ward", "A"),)})
    text = write.counted_text(plan, source)
    assert "Count: each person once (rows with ward = A); Mean: the mean of each person’s mean" in text
    assert "unusable" not in text
    assert "Records beyond these limits are not counted, and what is outside a range counts as its end, so" in text
    assert "Records beyond these limits are not counted, so that" in write.counted_text(facts(COUNT), by_person())
    assert "Rows with unusable entries, and records beyond" in write.counted_text(
        plan, replace(source, leaves_out_bad=True)
    )
    assert write.with_counted("Sizes.\n\nAttack.", text) == f"Sizes.\n\n{text}\n\nAttack."


@pytest.mark.parametrize(("wide", "shown"), [(20 * (1 + 2**-20), 20), (20.0001, 20.01), (16.4213, 16.43), (4e4, 4e4)])
def test_a_half_width_is_rounded_up_once_and_the_excess_of_the_grid_is_none(wide, shown):
    assert check.width_up(wide) == shown


@pytest.mark.parametrize(
    ("number", "width", "text"),
    [
        (52.02013890538365, 1.0, "52.02"),
        (2665794.9650878906, 40000.0, "2665800"),
        (521.98, 20.0, "522.0"),
        (507.0, 20.0, "507"),
        (-0.004, 20.0, "0.0"),
        (0.123456789, None, "0.123456789"),
        (1e-7 / 3, 1e-6, "0.00000003"),
    ],
)
def test_a_number_has_the_digits_that_its_half_width_leaves(number, width, text):
    assert write.digits_text(number, width) == text
    if width is not None:
        assert abs(float(text) - number) <= width / 100


def test_a_count_that_its_noise_could_have_made_of_nobody_has_a_mark(tmp_path):
    (tmp_path / "list.csv").write_text("group\na\nb\nc\n", encoding="utf-8")
    statistic = replace(TABLE, half_width=20.0)
    source = Source(NOWHERE, "", {}, {statistic.name: tmp_path / "list.csv"})
    rows = write.numbers_rows(facts(statistic), source, [[21, 20, -30]])
    may_be_empty = f"{write.MAY_BE_EMPTY}; counted: each person once"
    assert [row[-1] for row in rows] == ["mark", "counted: each person once", may_be_empty, may_be_empty]
    (row,) = write.numbers_rows(facts(replace(SUM, half_width=20.0)), by_person(), [[0]])[1:]
    assert write.MAY_BE_EMPTY not in row[-1]


def test_every_number_says_in_the_csv_what_it_counts_in_words_of_plan_and_options(tmp_path):
    (tmp_path / "list.csv").write_text("group\na\nb\nc\n", encoding="utf-8")
    costs = replace(SUM, max_in_all=12, max_in_cell=12, high=1000.0)
    source = by_person(conditions={"Sum": (("ward", "A"),)})
    source = replace(source, categories={"Table": tmp_path / "list.csv"})
    plan = facts(replace(VISITS, half_width=20.0), costs)
    rows = write.numbers_rows(plan, source, [[21, 22, 23], [0]])
    limits = write.limits_of(plan, source)
    assert [row[-1] for row in rows[1:]] == [f"counted: {limits['Table']}"] * 3 + [f"counted: {limits['Sum']}"]
    assert "at most 12 values of each person, cut to 0 to 1,000 (rows with ward = A)" in rows[-1][-1]


def test_a_series_as_it_goes_counts_the_earliest_periods_any_other_those_drawn_at_random():
    (plain,) = facts(SERIES)["statistics"]
    plain |= {"max_cells": 3, "max_in_cell": 1, "max_in_all": 3, "n_cells": 36}
    said = [write.counted_of(plain | more, by_person(), "person") for more in ({}, {"is_ongoing": True})]
    words = "of each person at most 3 periods, each once, "
    assert said == [
        f"{words}chosen at random where there are more",
        f"{words}the earliest where there are more; no row that was added after its period was published",
    ]


def test_the_files_have_no_empty_unit_no_empty_time_and_the_costs_by_their_names(tmp_path):
    plan = facts(replace(COUNT, adds=0.4), replace(SUM, adds=0.60001))
    rows = [["statistic", "number", "unit", "mark"], ["Count", "7", "", ""]]
    limits = write.limits_of(plan, by_person())
    write.written(ledger.ledger_of(tmp_path, plan, False), plan, rows, BY_OPENDP, limits)
    said = json.loads((tmp_path / "release-1.json").read_text(encoding="utf-8"))
    assert "time" not in said
    assert said["limits"] == limits
    assert said["releases_in_the_plan"] == {"Count": 1, "Sum": 1}
    for each, statistic in zip(said["mechanisms"], plan["statistics"], strict=True):
        assert each["epsilon_alone"] == check.up(statistic["l1"] / statistic["scale"])
        assert each["epsilon_it_adds"] == check.up(statistic["adds"]) >= statistic["adds"]
        assert "" not in each.values()
        assert "epsilon" not in each
    with (tmp_path / "release-1.csv").open(encoding="utf-8") as file:
        assert next(csv.reader(file)) == ["statistic", "number", "mark"]


def test_a_choice_costs_its_own_and_gaussian_noise_a_rho_alone():
    (median,), (groups,) = (plan_in(downloaded(each))["statistics"] for each in (MEDIAN, GAUSSIAN))
    assert write.mechanism_facts(median)["epsilon_alone"] == check.up(median["choice"]["epsilon"])
    of_groups = write.mechanism_facts(groups)
    assert of_groups["rho_alone"] == check.up((groups["l2"] / groups["scale"]) ** 2 / 2)
    assert "epsilon" not in of_groups


@pytest.mark.parametrize(("noise", "other"), [("gaussian", "l1"), ("laplace", "l2")])
def test_the_sensitivity_of_a_series_is_told_in_the_norm_of_its_noise_alone(noise, other):
    rows = f"each:25,36,12,1@{noise}=Visits"
    (series,) = plan_in(downloaded(f"/Plan?promise=delta&queries={rows}"))["statistics"]
    told, norm = write.mechanism_facts(series), {"l1": "l2", "l2": "l1"}[other]
    assert other not in told
    assert told[norm] == pytest.approx({"l1": 12.0, "l2": math.sqrt(12)}[norm])


def test_a_threshold_is_one_number_rounded_up_in_the_table_the_statement_and_the_files():
    setting = "/Plan?promise=delta&queries=groups:70,12,1=Codes;each:25,36,12,1=Visits"
    result, plan = at(setting)[1], plan_in(downloaded(setting))
    told = write.mechanism_facts(plan["statistics"][0])
    used = plan["statistics"][0]["groups"]["threshold"]
    assert used <= told["threshold"] <= used * 1.001
    shown = f"{told['threshold']:g}"
    assert f"groups whose noisy count reaches {shown}, each with" in plan["statement"]
    assert f"whose noisy count is at least {shown} appear" in told["note"]
    assert scale_text(result.planned_queries[0]).endswith(f"τ = {shown}")


def test_what_an_earlier_version_wrote_of_a_folder_still_counts(tmp_path):
    plan = facts(replace(COUNT, n_releases=2))
    key = ledger.plan_key(plan)
    for number in (1, 2):
        record = {"epsilon": 1.0, "delta": 0.0, "plan": key, "time": f"{number}", "released": ["Count"]}
        text = json.dumps(record | {"limits": {"Count": 2}})
        (tmp_path / f"release-{number}.json").write_text(text, encoding="utf-8")
    with pytest.raises(ReleaseError, match="with it ε = 2 and δ = 0 in all"):
        ledger.ledger_of(tmp_path, plan, False, ledger.Occasion(("Count",), "3"))


@pytest.mark.parametrize(
    ("statistic", "sentence"),
    [
        (SERIES, "names no file: give a CSV file of the periods, in their order, one on each line below a heading, or "
                 "the first month of the series, such as 2026-01"),
        (TABLE, "names no file: give a CSV file of the categories, one on each line below a heading"),
    ],
)  # fmt: skip
def test_a_month_or_a_list_that_cannot_be_read_names_its_option_and_the_form(tmp_path, statistic, sentence):
    (tmp_path / "data.csv").write_text("id,v\n1,2\n", encoding="utf-8")
    arguments = [str(tmp_path / "data.csv"), "--person", "id", "--column", "v", "--categories", "Jan 2023"]
    with pytest.raises(ReleaseError, match=f"--categories '{statistic.name}=Jan 2023' {sentence}"):
        run.publish(facts(statistic), arguments)
