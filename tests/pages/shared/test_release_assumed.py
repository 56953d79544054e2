"""What the ± of a median or of a mean by a noisy number assumes: where it is said, and where the release refutes it."""

from pathlib import Path
from typing import Any

import pytest

from pages.shared.release_program.steps import write
from pages.shared.release_program.steps.check import Source
from tests.programs import downloaded, namespace_of

QUANTILE = "quantile:2,0.5,0,600,1,30,84,2000=Wait"
PLAN = f"/Plan?promise=pure&queries=count:20=People;histogram:20,4=Wards;{QUANTILE};mean:3,0,100,2000*hidden=Age"
FIGURES = "values as assumed (median about 30, 90th percentile about 84, n = 2000)"
NAMES = ("People", "Wards", "Wait", "Age")


def released(
    folder: Path, people: int, wards: int, *more: str, plan: str = PLAN
) -> tuple[dict[str, Any], list[list[str]]]:
    """Return the plan and the rows of a release whose noisy numbers are these, each in whole people."""
    program = namespace_of(downloaded(plan))
    own = program["PLAN"] | {
        "assumptions": [write.assumed_text(e) for e in program["PLAN"]["statistics"] if e["assumed"]]
    }
    (folder / "wards.csv").write_text("ward\na\nb\nc\nd\n", encoding="utf-8")
    arguments = ["x.csv", "--person", "id", "--categories", f"Wards={folder / 'wards.csv'}", *more]
    (folder / "x.csv").write_text("id,ward,place\n1,a,x\n", encoding="utf-8")
    arguments[0] = str(folder / "x.csv")
    source = program["source_of"](program["options_of"](arguments), own)
    steps = {each["name"]: round(1 / program["step_of"](each)) for each in own["statistics"]}
    every = {"People": [people], "Wards": [wards, 0, 0, 0], "Wait": [33], "Age": [2100 * steps["Age"], 0]}
    noisy = [
        [n * (steps[name] if name in ("People", "Wards") else 1) for n in every[name]]
        for name in (each["name"] for each in own["statistics"])
    ]
    own = program["without_refuted"](own, source, noisy)
    return own, program["numbers_rows"](own, source, noisy)


def rows_of(rows: list[list[str]], name: str) -> tuple[str, str]:
    """Return the ± and the mark of the first number of a statistic."""
    row = next(row for row in rows if row[0] == name)
    return row[3], row[5]


def test_what_a_half_width_assumes_stands_beside_it_and_in_the_statement(tmp_path):
    plan, rows = released(tmp_path, 2100, 2100)
    assert rows_of(rows, "Wait")[0] == "2"
    assert rows_of(rows, "Wait")[1].startswith(f"± is for {FIGURES}; counted: the median of each person’s value, cut")
    assert rows_of(rows, "Age")[1].startswith("± is for at least 2000 records; counted: the mean of ")
    assert plan["assumptions"] == [f"the ± of Wait is for {FIGURES}", "the ± of Age is for at least 2000 records"]
    first = plan["statement"].split("\n\n")[0]
    assert "Wait (margin 2 for values as assumed); Age (margin 3 for at least 2000 records)" in first
    assert f"That holds of Wait only for {FIGURES}, and of Age only for at least 2000 records." in first
    assert "has no margin" not in plan["statement"]


@pytest.mark.parametrize(("people", "wards"), [(1900, 2100), (2100, 1900), (400, 400)])
def test_a_release_that_shows_fewer_values_than_assumed_states_no_half_width_of_them(tmp_path, people, wards):
    plan, rows = released(tmp_path, people, wards)
    for name in ("Wait", "Age"):
        width, mark = rows_of(rows, name)
        assert width == ""
        assert mark.startswith("counted: ")
        assert f"{name} has no margin: what is published here shows fewer values than it assumes." in plan["statement"]
        assert f"{name} (margin" not in plan["statement"]
    age = next(row for row in rows if row[0] == "Age")
    assert age[2] == "50"
    assert plan["assumptions"] == []
    facts = [write.mechanism_facts(each) for each in plan["statistics"] if each["name"] in ("Wait", "Age")]
    assert all("half_width" not in each and "level" not in each for each in facts)
    assert rows_of(rows, "People")[0] == "20"


@pytest.mark.parametrize(
    ("plan", "more"),
    [
        (PLAN, ("--where", "People=place=x", "--where", "Wards=place=x")),  # counts of other rows
        (PLAN, ("--leave-out-bad-rows",)),  # rows without a ward may have a value
        (PLAN.replace("count:20=", "count:20*cap:3=").replace("20,4=", "20,4*cap:2="), ()),  # of records
    ],
)
def test_numbers_of_other_people_or_records_refute_nothing(tmp_path, plan, more):
    _, rows = released(tmp_path, 400, 400, *more, plan=plan)
    assert rows_of(rows, "Wait")[0] == "2"


def test_a_count_of_groups_says_in_how_many_of_them_a_person_is():
    groups = namespace_of(downloaded("/Plan?promise=delta&queries=groups:60,3,1=Codes"))["PLAN"]["statistics"][0]
    limits = write.counted_of(groups, Source(Path("x.csv"), "id", {}, {}), "person")
    assert write.mark_of(groups, "70", 16.42, limits).startswith("counted: of each person at most 3 groups, each once")
