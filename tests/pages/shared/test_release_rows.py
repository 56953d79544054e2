"""What the program of a release makes of the rows of a person, of dates, and of rows that a statistic can't use."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from pages.framework import link
from pages.framework.layout.page import load_page
from pages.framework.rendering import render
from pages.shared.release_program.program import Statistic
from pages.shared.release_program.steps import check, limit, lists, run, write
from pages.shared.release_program.steps.check import ReleaseError, Source
from pages.shared.site_map import PAGES
from tests.pages.shared.test_release_program import COUNT, MEAN, SUM, TABLE, facts, plan_in, plan_in_any
from tests.programs import SETTINGS, downloaded

SUM_OF_COSTS = replace(SUM, name="costs: sum", high=1000.0)
MEAN_OF_AGES = replace(MEAN, name="age: mean", n_records=2, is_number_public=False)
MEDIAN = "/A_median?contribution=once&fixed=yes&curator=office&others=none"


def source_of(folder: Path, text: str, plan: dict[str, Any], *options: str, categories: str = "") -> Source:
    """Return the source of a file, after the checks of its columns."""
    (folder / "data.csv").write_text(text, encoding="utf-8")
    (folder / "list.csv").write_text(categories, encoding="utf-8")
    arguments = [str(folder / "data.csv"), "--person", "id", *options]
    arguments += ["--categories", str(folder / "list.csv")] if categories else []
    source = run.source_of(run.options_of(arguments), plan)
    run.checked_columns(plan, source)
    return source


def in_units(plan: dict[str, Any], source: Source) -> list[float]:
    """Return the one exact number of each statistic."""
    numbers = limit.aggregates_of(plan, source)
    return [numbers[each["name"]][0] * limit.step_of(each) for each in plan["statistics"]]


VISITS = "id,v\na,100\nb,20\na,300\na,100\nb,4000\n"


def test_a_sum_adds_all_values_of_a_person_up_before_it_clips_them(tmp_path):
    plan = facts(SUM_OF_COSTS)
    assert in_units(plan, source_of(tmp_path, VISITS, plan, "--column=v")) == [500 + 1000]


@pytest.mark.parametrize(("how", "total"), [("sum", 1500), ("mean", 500 / 3 + 1000)])
def test_a_sum_is_joined_as_the_user_says(tmp_path, how, total):
    plan = facts(SUM_OF_COSTS)
    source = source_of(tmp_path, VISITS, plan, "--column=v", f"--join={how}")
    assert in_units(plan, source) == pytest.approx([total], abs=1e-3)


@pytest.mark.parametrize("statistic", [MEAN_OF_AGES, SUM_OF_COSTS])
def test_people_with_several_values_stop_what_takes_one_of_each_unless_it_is_said_how_to_join(tmp_path, statistic):
    plan = facts(statistic)
    source = source_of(tmp_path, VISITS, plan, "--column=v", "--join=same")
    with pytest.raises(ReleaseError) as stop:
        limit.aggregates_of(plan, source)
    assert f"Person 'a' has 2 different values of {statistic.name!r}, and 1 more people have several" in str(stop.value)
    assert f"--join '{statistic.name}=mean'" in str(stop.value)


def test_a_value_that_is_the_same_in_all_rows_of_a_person_is_one_value(tmp_path):
    plan = facts(MEAN_OF_AGES)
    source = source_of(tmp_path, "id,v\na,10\na,10\na,10\nb,30\n", plan, "--column=v")
    assert in_units(plan, source) == pytest.approx([20.0])
    with_words = run.with_join(plan["statistics"][0], source)
    assert with_words["note"] == "All values of a person are the same, cut to 0 to 100."


def test_another_way_to_join_is_refused(tmp_path):
    with pytest.raises(ReleaseError, match="joined by sum, mean, same; 'first' was given"):
        source_of(tmp_path, VISITS, facts(SUM), "--column=v", "--join=first")


def test_the_mean_of_a_person_is_a_value_that_a_quantile_on_steps_can_be():
    (median,) = plan_in(downloaded(MEDIAN))["statistics"]
    choice = median["choice"]
    values = [choice["low"] + choice["step"] * 1.4, choice["low"] - 5, choice["low"] + 1e9]
    on_steps = [limit.on_steps(value, median) for value in values]
    assert on_steps == [choice["low"] + choice["step"], *values[1:]]  # those beyond the range are cut, and told
    fine = median | {"choice": choice | {"is_fine": True}}
    assert [limit.on_steps(value, fine) for value in values] == values


def test_all_rows_that_cannot_be_used_are_said_at_once_with_their_lines(tmp_path):
    plan = facts(SUM_OF_COSTS, replace(TABLE, name="Place"))
    rows = 'id,v,place\na,1,x\na,,x\n"b\nb",2,nowhere\nc,20 min,x\n,3,y\n'
    columns = "--column=costs: sum=v", "--column=Place=place"
    (tmp_path / "places.csv").write_text("place\nx\ny\nz\n", encoding="utf-8")
    options = *columns, f"--categories=Place={tmp_path / 'places.csv'}"
    with pytest.raises(ReleaseError) as stop:
        limit.aggregates_of(plan, source_of(tmp_path, rows, plan, *options))
    for words in (
        *("4 rows can’t be used (3 for 'costs: sum', 2 for 'Place')", "line 3 has '' for 'costs: sum'"),
        *("line 4 has 'nowhere' for 'Place'", "line 6 has '20 min' for 'costs: sum'", "line 7 has nobody"),
    ):
        assert words in str(stop.value)
    assert str(stop.value).count("line 7 has nobody") == 1  # of two statistics
    left_out = source_of(tmp_path, rows, plan, *options, "--leave-out-bad-rows")
    problems: list[limit.Problem] = []
    tallies = limit.tallies_of(plan, left_out, problems)
    assert len(problems) == 5
    assert limit.aggregates_of(plan, left_out, tallies)["Place"] == [2, 0, 0]
    assert in_units(facts(SUM_OF_COSTS), left_out) == [1 + 2]


@pytest.mark.parametrize("option", ["--leave-out-bad-rows", "--where=v=1"])
@pytest.mark.parametrize(
    ("low", "neighbours", "is_refused"), [(5.0, "replace", True), (0.0, "replace", False), (5.0, "add_remove", False)]
)
def test_nobody_may_lack_a_value_where_that_would_change_a_sum_by_more_than_another(
    tmp_path, option, low, neighbours, is_refused
):
    plan = facts(replace(SUM, low=low)) | {"neighbours": neighbours}
    source = source_of(tmp_path, "id,v\na,1\n", plan, "--column=v", option)
    if not is_refused:
        return run.checked_values(plan, source)
    with pytest.raises(ReleaseError, match="so everybody needs one"):
        run.checked_values(plan, source)
    return None


MONTHS = "month\n2025-11\n2025-12\n2026-01\n"


def test_dates_count_in_their_month_where_the_list_has_months(tmp_path):
    plan = facts(replace(TABLE, max_cells=3, max_in_all=3))
    rows = "id,month\na,2025-11-30\na,2026-01-02 08:15\nb,2025-12\nc,2025-11-01T00:00\n"
    source = source_of(tmp_path, rows, plan, categories=MONTHS)
    assert limit.aggregates_of(plan, source) == {"Table": [2, 1, 1]}
    for text in ("2025-11-31", "30/11/2025", "2027-01-01"):
        source = source_of(tmp_path, f"id,month\na,{text}\n", plan, categories=MONTHS)
        with pytest.raises(ReleaseError, match=f"line 2 has '{text}' for 'Table', which is not in its list"):
            limit.aggregates_of(plan, source)


def test_a_limit_in_each_year_holds_by_the_years_of_the_months_without_a_word_of_the_user(tmp_path):
    statistic = replace(TABLE, max_cells=3, max_in_cell=5, max_in_all=8, n_periods=2, max_in_period=4)
    plan = facts(statistic)
    source = source_of(
        tmp_path, "id,month\n" + "a,2025-11\n" * 9 + "a,2025-12-24\n" * 9 + "a,2026-01\n", plan, categories=MONTHS
    )
    for _ in range(20):
        first, second, third = limit.aggregates_of(plan, source)["Table"]
        assert (first + second, third) == (4, 1)
    with pytest.raises(ReleaseError, match="at most 2 periods, and the list for 'Table' has 3 years"):
        source_of(tmp_path, "id,month\na,2025-11\n", plan, categories=MONTHS.replace("2025-11", "2024-11"))


def test_the_program_of_a_plan_limits_a_series_in_each_year_as_the_page_says():
    conditions = "contribution=limited&fixed=yes&curator=office&others=none"
    for queries, limits in (
        ("each:20,36,12,4*cap:5,periods:3=Visits", (15, 3, 5)),
        ("each:20,36,12,4*cap:5=Visits", (5, 1, 5)),
        ("each:20,36,12,4=Visits", (48, 1, 48)),
    ):
        (series,) = plan_in(downloaded(f"/Plan?queries={queries}&promise=delta&{conditions}"))["statistics"]
        assert (series["max_in_all"], series["n_periods"], series["max_in_period"]) == limits


def test_costs_and_errors_are_written_with_four_digits_on_the_safe_side():
    for number in (4.506719713463015, 1.0000009909272545, 0.1, 1e-6, 9999.999999999865, 123456.0):
        assert number <= check.up(number) <= number * 1.001
        assert len(f"{check.up(number):.12g}".replace(".", "").strip("0").split("e")[0]) <= 4
    (row,) = write.numbers_rows(facts(replace(COUNT, half_width=19.99999)), Source(Path(), "", {}, {}), [[7]])[1:]
    assert row[3] == "20"


def settings_of(text: str) -> dict[str, Any]:
    """Return the values of the parameters that the link in a program opens."""
    parts = urlsplit(plan_in_any(text)["link"])
    page = load_page(next(entry for entry in PAGES if entry.path == parts.path.strip("/")))
    parameters = (*link.COMMON_PARAMETERS, *page.own_parameters)
    entered, problems = link.parse_link(parse_qs(parts.query, keep_blank_values=True), parameters)
    assert problems == []
    return {key: reading.used for key, reading in link.read_parameters(parameters, entered, {}, page.correct).items()}


@pytest.mark.parametrize("setting", [each for each in SETTINGS if "own=" not in each])
def test_the_link_in_a_program_opens_the_setting_of_which_it_is_the_program(setting):
    parts = urlsplit(setting)
    entry = next(page for page in PAGES if page.path == parts.path.strip("/"))
    page = load_page(entry)
    parameters = (*link.COMMON_PARAMETERS, *page.own_parameters)
    entered, _ = link.parse_link(parse_qs(parts.query, keep_blank_values=True), parameters)
    readings = link.read_parameters(parameters, entered, {}, page.correct)
    result = page.compute(link.values(readings))
    offer: Callable[[Any], Any] = page.open_section(result).downloads
    files = offer(result)
    if files is None:
        return
    for name in (file.name for file in files.files if file.name.endswith(".py")):
        entries = tuple((key, reading.used) for key, reading in readings.items())
        program = render.RenderRequest(entry.script, entries, "light", render.download, name, "https://example.org")()
        assert settings_of(program.decode()) == {key: reading.used for key, reading in readings.items()}


def test_a_statistic_of_one_row_a_person_joins_nothing(tmp_path):
    plan = facts(SUM)
    (tmp_path / "data.csv").write_text("v\n1\n2\n", encoding="utf-8")
    source = run.source_of(run.options_of([str(tmp_path / "data.csv"), "--each-row-a-person", "--column=v"]), plan)
    several: Statistic = replace(SUM, max_cells=1, max_in_cell=2, max_in_all=2)
    assert limit.join_of(plan["statistics"][0], source) == ""
    assert limit.join_of(facts(several)["statistics"][0], replace(source, person="id")) == ""
    assert in_units(plan, source) == [3]


def test_a_first_month_stands_for_the_list_of_a_series_and_a_list_may_have_any_heading(tmp_path):
    plan = plan_in(downloaded("/Plan?queries=each:20,15,3,1=Visits&promise=delta&contribution=limited&fixed=yes"))
    (tmp_path / "data.csv").write_text("id,day\na,2026-12-31\nb,2025-11-01\n", encoding="utf-8")
    (tmp_path / "list.csv").write_text("x\n" + "".join(f"m{n}\n" for n in range(15)), encoding="utf-8")
    arguments = [str(tmp_path / "data.csv"), "--person=id", "--column=day", "--categories"]
    source = run.source_of(run.options_of([*arguments, "2025-11"]), plan)
    run.checked_columns(plan, source)
    months = lists.categories_of(plan["statistics"][0], source)
    assert (months[0], months[2], months[-1]) == (("2025-11",), ("2026-01",), ("2027-01",))
    assert limit.tallies_of(plan, source, [])["Visits"].cells == {0: 1, 13: 1}
    named = run.source_of(run.options_of([*arguments, str(tmp_path / "list.csv")]), plan)
    assert lists.categories_of(plan["statistics"][0], named)[0] == ("m0",)
