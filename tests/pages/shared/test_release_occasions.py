"""The program of a release that is one of many, of disjoint people, with totals, or of a mean of a hidden number."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpcore.families import FAMILIES
from pages.shared.release_program.program import ReleasePlan, Statistic
from pages.shared.release_program.steps import check, ledger, limit, run, write
from pages.shared.release_program.steps.check import ReleaseError, Source
from pages.shared.release_program.steps.ledger import Occasion
from tests.pages.shared.test_release_program import COUNT, TABLE, facts, plan_in, source_in
from tests.programs import at, downloaded

MONTHLY = replace(COUNT, name="Monthly", n_releases=3)
NORTH, SOUTH = replace(COUNT, name="North", group="A"), replace(COUNT, name="South", group="A")
HIDDEN = Statistic(
    "Mean",
    "hidden_mean",
    "laplace",
    1.0,
    2.0,
    2.0**0.5,
    False,
    40 * 5 / 95,
    "…",
    low=20.0,
    high=60.0,
    n_records=100,
    half_width_of_n=5.0,
)


def release(folder: Path, plan: dict[str, Any], *released: str, time: str = "", again: bool = False) -> ledger.Ledger:
    return ledger.ledger_of(folder, plan, again, Occasion(released, time))


def test_the_months_of_a_plan_cost_it_once_and_no_month_is_released_twice(tmp_path):
    plan = facts(MONTHLY)
    for place, month in enumerate(("2026-01", "2026-02")):
        ledger = release(tmp_path, plan, "Monthly", time=month)
        assert (ledger.number, ledger.epsilon, ledger.n_earlier["Monthly"]) == (place + 1, 1.0, place)
        with pytest.raises(ReleaseError, match=f"'Monthly' was released for '{month}' already"):
            release(tmp_path, plan, "Monthly", time=month)
    assert release(tmp_path, plan, "Monthly", time="2026-02", again=True).epsilon == 1.0  # it was one of the three
    with pytest.raises(ReleaseError, match=r"with it ε = 2 and δ = 0 in all"):
        release(tmp_path, plan, "Monthly", time="2026-03")
    assert release(tmp_path, plan, "Monthly", time="2026-03", again=True).epsilon == 2.0


def test_a_figure_that_a_plan_has_once_is_refused_a_second_time_whatever_else_is_left(tmp_path):
    plan = facts(MONTHLY, COUNT)
    release(tmp_path, plan, "Monthly", "Count", time="2026-01")
    assert release(tmp_path, plan, "Monthly", time="2026-02").epsilon == 1.0
    with pytest.raises(ReleaseError, match=r"with it ε = 2"):
        release(tmp_path, plan, "Monthly", "Count", time="2026-03")
    assert release(tmp_path, plan, "Monthly", time="2026-03").epsilon == 1.0


def test_another_plan_in_the_same_folder_costs_its_own_epsilon(tmp_path):
    release(tmp_path, facts(MONTHLY), "Monthly", time="2026-01")
    other = facts(replace(MONTHLY, scale=2.0))
    with pytest.raises(ReleaseError, match=r"with it ε = 2"):
        release(tmp_path, other, "Monthly", time="2026-02")
    assert release(tmp_path, other, "Monthly", time="2026-02", again=True).epsilon == 2.0
    assert release(tmp_path, facts(MONTHLY), "Monthly", time="2026-02").epsilon == 2.0
    same = facts(MONTHLY) | {"link": "https://example.org/other", "statement": "New words."}
    assert release(tmp_path, same, "Monthly", time="2026-03").epsilon == 2.0


def test_a_folder_of_an_earlier_version_counts_each_of_its_releases(tmp_path):
    for number in (1, 2):
        (tmp_path / f"release-{number}.json").write_text('{"epsilon": 0.5, "delta": 1e-7}')
    with pytest.raises(ReleaseError, match=r"with it ε = 2 and δ = 2e-7"):
        release(tmp_path, facts(MONTHLY), "Monthly", time="2026-01")


@pytest.mark.parametrize(
    ("statistics", "arguments", "sentence"),
    [
        ((MONTHLY,), [], "Say with --for which month or other time"),
        ((MONTHLY, COUNT), ["--for", "1"], "Name with --only each statistic that this run releases"),
        ((MONTHLY, COUNT), ["--only", "Yearly"], "The plan has no statistic 'Yearly'; it has 'Monthly' (3 times)"),
        ((NORTH, SOUTH), ["--only", "North"], "'North', 'South' are about disjoint people: release them together"),
        ((NORTH, SOUTH), [], "Add --where 'North=COLUMN=VALUE' --where 'South=COLUMN=VALUE'"),
        ((NORTH, SOUTH), ["--where", "v=1"], "another value for each"),
        ((NORTH, SOUTH), ["--where", "North=v=1", "--where", "South=v=1"], "another value for each"),
        ((NORTH, SOUTH), ["--where", "North=v=1", "--where", "South=id=1"], "another value for each"),
        ((NORTH, SOUTH), ["--where", "North=w=1"], "Write --where COLUMN=VALUE, not 'North=w=1'"),
    ],
)
def test_a_run_that_is_not_what_the_plan_allows_stops_in_a_sentence(tmp_path, statistics, arguments, sentence):
    with pytest.raises(ReleaseError) as stop:
        run.publish(facts(*statistics), [*source_in(tmp_path, "id,v\n1,1\n"), *arguments])
    assert sentence in str(stop.value)
    assert "\n" not in str(stop.value)
    assert not (tmp_path / "out").exists()


def sourced(folder: Path, plan: dict[str, Any], text: str, *arguments: str, **options: str) -> check.Source:
    return run.source_of(run.options_of([*source_in(folder, text, **options), *arguments]), plan)


def test_a_condition_takes_only_rows_with_its_value_whatever_is_in_the_names(tmp_path):
    plan = facts(replace(COUNT, name="v"), COUNT)
    text = 'id,v,v=a,"=x\ny"\n1,a,b,c\n2,b,b,c\n3,a,a,"d=e"\n'
    for option, kept in {
        "v=a": {"v": 2, "Count": 2},
        "v=v=a": {"v": 2, "Count": 3},
        "v=a=a": {"v": 1, "Count": 1},
        "Count==x\ny=d=e": {"v": 3, "Count": 1},
        "Count=v=": {"v": 3, "Count": 0},
    }.items():
        source = sourced(tmp_path, plan, text, "--where", option)
        assert {name: numbers[0] for name, numbers in limit.aggregates_of(plan, source).items()} == kept, option


def test_a_person_with_rows_of_several_disjoint_statistics_counts_in_one_of_them_at_random(tmp_path):
    plan, n = facts(NORTH, SOUTH, COUNT), 3000
    rows = [f"{person},{place}" for person in range(n) for place in ("n", "s", "s", "other")]
    where = ("--where", "North=v=n", "--where", "South=v=s")
    numbers = limit.aggregates_of(plan, sourced(tmp_path, plan, "\n".join(["id,v", *rows]), *where))
    assert numbers["North"][0] + numbers["South"][0] == n == numbers["Count"][0]
    assert abs(numbers["North"][0] - n / 3) < 5 * (n * 2 / 9) ** 0.5


def test_totals_add_up_the_cells_of_each_label_of_their_columns(tmp_path):
    plan = facts(replace(TABLE, n_totals=2))
    listed = {"categories": "x,y,half\na,b,1\na,c,1\nb,b,2\n"}
    source = sourced(tmp_path, plan, "id,x,y\n1,a,b\n2,a,c\n3,a,b\n", "--totals", "--totals", "half", **listed)
    run.checked_columns(plan, source)
    (numbers,) = limit.aggregates_of(plan, source).values()
    assert numbers == [2, 1, 0, 3, 3, 0]
    assert [row[:3] for row in write.numbers_rows(plan, source, [numbers])[1:]] == [
        *(["Table", "a · b", "2"], ["Table", "a · c", "1"], ["Table", "b · b", "0"]),
        *(["Table: grand total", "", "3"], ["Table: totals by half", "1", "3"], ["Table: totals by half", "2", "0"]),
    ]


def test_totals_whose_labels_look_alike_stay_apart(tmp_path):
    plan = facts(replace(TABLE, n_totals=1))
    listed = {"categories": "x,y\na · b,c\na,b · c\na,c\n"}
    source = sourced(tmp_path, plan, "id,x,y\n1,a · b,c\n2,a,b · c\n3,a,b · c\n", "--totals", "x", "y", **listed)
    (numbers,) = limit.aggregates_of(plan, source).values()
    assert numbers == [1, 2, 0, 1, 2, 0]
    assert len(write.numbers_rows(plan, source, [numbers])) == 7


@pytest.mark.parametrize(
    ("totals", "sentence"),
    [
        ([], "The plan has 1 set of totals of 'Table'"),
        (["--totals", "--totals", "x"], "The plan has 1 set of totals of 'Table'"),
        (["--totals", "z\n"], "has no column 'z\\n' for totals"),
    ],
)
def test_other_totals_than_those_of_the_plan_stop_in_a_sentence(tmp_path, totals, sentence):
    text, listed = "id,x,y\n1,a,b\n", "x,y\na,b\na,c\nb,b\n"
    with pytest.raises(ReleaseError) as stop:
        run.publish(facts(replace(TABLE, n_totals=1)), [*source_in(tmp_path, text, categories=listed), *totals])
    assert sentence in str(stop.value)
    assert "\n" not in str(stop.value)
    assert not (tmp_path / "out").exists()


def test_a_mean_of_a_hidden_number_never_stops_for_their_number_and_is_a_quotient(tmp_path):
    (statistic,) = facts(HIDDEN)["statistics"]
    unit = round(1 / limit.step_of(statistic))
    for values, aggregates in {(): [0, 0], (20.0, 1e9, 30.0): [3, -1 + 1 - 0.5], (40.0,): [1, 0]}.items():
        rows = [check.Entry(str(place), 0, value) for place, value in enumerate(values)]
        assert limit.aggregated(limit.tally_of(rows, statistic), statistic) == [unit * n for n in aggregates]
    for noisy, mean, is_known in [
        ((200, 50), 45.0, True),
        ((96, -48), 30.0, True),
        ((94, 0), 40.0, False),
        ((-3, 9), 40.0, False),
        ((100, 900), 60.0, True),
    ]:
        source, numbers = Source(tmp_path, "", {}, {}), [part * unit for part in noisy]
        plan = write.without_refuted(facts(HIDDEN), source, [numbers])
        assert ("Mean has no margin" in plan["statement"]) == (not is_known)
        (row, number) = write.mean_rows(plan["statistics"][0], *numbers)
        assert float(row[1]) == pytest.approx(mean, abs=0.005)
        assert (row[2] is not None) == is_known
        assert number == ("number of records", str(noisy[0]), 5.0)
        if row[2] is not None:
            assert row[2] == pytest.approx(40 * 5 / 95, rel=1e-5)


def release_plan(queries: str, more: str = "") -> Any:
    return plan_in(downloaded(f"/Plan?queries={queries}{more}"))


@pytest.mark.parametrize("row", ["mean:1,0,100,2000*hidden", "proportion:0.01,300*hidden", "mean:40,0,100,30*hidden"])
def test_a_mean_of_a_hidden_number_has_the_same_margin_in_both_files_and_in_the_statement(row):
    plan = release_plan(f"{row}=One;count:9=Two", "&promise=pure")
    (statistic, _), wanted = plan["statistics"], row.partition(":")[2].partition(",")[0]
    source, unit = Source(Path(), "", {}, {}), round(1 / limit.step_of(statistic))
    noisy = [5000 * unit, 100 * unit], [2000]
    mean, number = write.numbers_rows(plan, source, list(noisy))[1:3]
    assert mean[3] == wanted == f"{write.mechanism_facts(statistic)['half_width']:g}"
    assert number[3] == f"{check.width_up(statistic['half_width_of_n']):g}"
    assert f"One (margin {wanted} for at least" in plan["statement"]


def test_the_plan_of_a_program_has_the_rhythm_the_group_and_the_hidden_number_of_each_row():
    plan = release_plan("count:9*times:12=A;mean:1,0,100,300*hidden=B;proportion:0.1,300*hidden=C", "&periods=2")
    assert [each["n_releases"] for each in plan["statistics"]] == [24, 2, 2]
    assert [each["kind"] for each in plan["statistics"]] == ["count", "hidden_mean", "hidden_mean"]
    for each in plan["statistics"][1:]:
        noise = FAMILIES[each["noise"]].functions
        assert each["half_width_of_n"] == pytest.approx(float(noise.half_width(0.05, each["scale"])))
        assert "where there are at least 300 of them, wherever in its range the mean is" in each["note"]
    plan = release_plan("count:9*A=A;histogram:9,4*A=B;count:9=C")
    assert [each["group"] for each in plan["statistics"]] == ["A", "A", ""]
    totals = plan_in(downloaded("/Tables?margins=2"))["statistics"][0]
    assert (totals["n_totals"], totals["l1"]) == (2, 3.0)


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("/Plan?queries=own:5,1,1=a;own:5,3,2=b", "all queries are of numbers that you compute, so that there is"),
        ("/Plan?queries=count:5=a;own:5,3,2*A=*b*", "“\\*b\\*” is of a group, and no program can check whom"),
        ("/Plan?queries=count:5*A,times:2=a;count:5*A=b", "“a” is of a group and released several times"),
        ("/Plan?queries=count:5*A=a;count:5*A=b&periods=12", "“a” is of a group and released several times"),
        ("/Plan?queries=count:5=a;groups:60,3,1=b&promise=pure", "the plan leaves out “b”"),
        ("/Plan?queries=count:5*times:900=a;count:5*times:900=b", "run more than 1,000 times"),
    ],
)
def test_a_plan_that_no_program_releases_safely_says_why_in_one_sentence(setting, words):
    topic, result = at(setting)
    files = topic.open_section(result).downloads(result)
    assert files is not None
    assert files.files == ()
    assert words in files.text
    assert Counter(files.text)["."] == 1


def test_a_plan_of_a_program_is_the_same_one_in_another_theme(tmp_path):
    plan = ReleasePlan((MONTHLY,), 1.0, 0.0, "add_remove", "", "")
    keys = {ledger.plan_key(plan.facts(link)) for link in ("https://a/Plan?theme=dark", "https://a/Plan")}
    assert len(keys) == 1
    assert ledger.plan_key(replace(plan, epsilon=2.0).facts("")) not in keys
