"""Limits on the records of a person in each year, where a column of the file says of which year a row is."""

import csv
import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pages.shared.release_program.steps.entries import date_part
from tests.programs import downloaded, namespace_of

ROWS = (
    "count:20*cap:2,periods:3=Visits;sum:300,0,40*cap:1,periods:3=Costs;histogram:25,2*cap:2,periods:3=Wards;"
    "quantile:3,0.5,0,60,10,20,45,900*cap:2,periods:3=Wait"
)
PLAN = f"/Plan?promise=pure&queries={ROWS}"
DATES = ("2024-01-05", "2024-03-09 10:30", "2024-12-31", "2025-02-28", "2026-07-01")
N_OF = Counter(date[:4] for date in DATES * 10)
"""How many rows of each year the one busy person has."""
NAMES = ("Visits", "Costs", "Wards", "Wait")


def program_in(
    folder: Path, *more: str, rows: tuple[tuple[str, str], ...] = ()
) -> tuple[dict[str, Any], Any, list[str]]:
    """Return the program of the plan with the source of a file of a busy person and a rare one, and its arguments."""
    listed = [("a", date) for date in DATES * 10] + [("b", "2025-05-05"), *rows]
    written = [[person, date, "xy"[place % 2], place] for place, (person, date) in enumerate(listed)]
    for name, table in (("visits", [["id", "date", "ward", "cost"], *written]), ("wards", [["ward"], ["x"], ["y"]])):
        with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(table)
    program = namespace_of(downloaded(PLAN))
    arguments = [str(folder / "visits.csv"), "--person", "id", "--categories", f"Wards={folder / 'wards.csv'}"]
    arguments += [part for name in ("Costs", "Wait") for part in ("--column", f"{name}=cost")]
    arguments += [*more, "--out", str(folder / "out")]
    return program, program["source_of"](program["options_of"](arguments), program["PLAN"]), arguments


BY_DATE = tuple(part for name in NAMES for part in ("--period", f"{name}=date"))


def test_a_person_counts_as_often_in_each_year_as_the_plan_allows_whatever_the_others_are(tmp_path):
    program, source, _ = program_in(tmp_path, *BY_DATE)
    plan = program["PLAN"]
    program["checked_columns"](plan, source)
    for _ in range(10):
        tallies = program["tallies_of"](plan, source, [])
        sizes = {name: tallies[name].n - 1 for name in NAMES}  # one of the rare person
        assert sizes == {"Visits": 6, "Costs": 3, "Wards": 6, "Wait": 6}
    wards = next(each for each in plan["statistics"] if each["name"] == "Wards")
    kept = program["limited"](program["entries_of"](wards, source, []), wards)
    assert Counter(entry.period for entry in kept if entry.person == "a") == {"2024": 2, "2025": 2, "2026": 2}


def test_which_records_of_a_year_count_is_left_to_chance(tmp_path):
    program, source, _ = program_in(tmp_path, *BY_DATE)
    costs = next(each for each in program["PLAN"]["statistics"] if each["name"] == "Costs")
    entries, n = [*program["entries_of"](costs, source, [])], 3000
    values = Counter(
        entry.value for _ in range(n) for entry in program["limited"](entries, costs) if entry.period == "2024"
    )
    assert values.total() == n
    chance = 1 / N_OF["2024"]
    assert all(abs(count - n * chance) <= 5 * math.sqrt(n * chance) for count in values.values())


@pytest.mark.parametrize("of_date", [lambda date: date[:4], lambda date: date[:7], lambda date: date])
def test_the_year_of_a_row_may_be_written_as_a_year_a_month_or_a_day(of_date):
    assert [date_part(of_date(date), 4) for date in DATES] == [date[:4] for date in DATES]


@pytest.mark.parametrize(
    ("more", "rows", "sentence"),
    [
        (BY_DATE[2:], (), "A person has at most 2 records in each of 3 periods: name with --period the column of the"),
        (BY_DATE[4:], (), "Add --period 'Visits=COLUMN' --period 'Costs=COLUMN', with the public lists"),
        ((*BY_DATE[2:], "--period", "Visits=year"), (), "The file has no column 'year'; it has 'id', 'date', 'ward'"),
        (BY_DATE, (("b", "2023-01-01"),), "The plan is made for at most 3 periods, and the rows of 'Visits' are of 4,"),
        (BY_DATE, (("b", "2025-02-30"),), "periods such as '2025-02-30', and the plan is made for 3 years: the"),
        (BY_DATE, (("b", "03.05.2025"),), "must have the year of each row, written as 2025, 2025-01 or 2025-01-31."),
        (BY_DATE, (("b", ""),), "line 53 has nothing in the column 'date'"),
    ],
)
def test_a_program_stops_where_it_does_not_know_the_year_of_a_row(tmp_path, more, rows, sentence):
    program, _, arguments = program_in(tmp_path, *more, rows=rows)
    with pytest.raises(program["ReleaseError"], match=re.escape(sentence)):
        program["publish"](program["PLAN"], arguments)
    assert not (tmp_path / "out").exists()


def test_the_statement_says_the_limit_of_each_year(tmp_path):
    program, source, _ = program_in(tmp_path, *BY_DATE)
    assert program["limits_of"](program["PLAN"], source) == {
        "Visits": "at most 2 records of each person in each of 3 periods",
        "Costs": "the sum of at most 1 value of each person in each of 3 periods, cut to 0 to 40",
        "Wards": "of each person at most 2 in each of 3 periods, chosen at random where there are more",
        "Wait": "the median of at most 2 values of each person in each of 3 periods, cut to 0 to 60",
    }
