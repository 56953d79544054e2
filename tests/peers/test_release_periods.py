"""Programs with limits on the records of a person in each year: in memory, in parts and on workers, with OpenDP."""

import csv
import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.peers.test_release_parts import on_workers, scheduler
from tests.peers.test_release_program import run
from tests.peers.test_release_records import shares_within
from tests.programs import downloaded, namespace_of

__all__ = ["scheduler"]  # a fixture
ROWS = (
    "count:20*cap:2,periods:3=Visits;sum:300,-5,40*cap:1,periods:3=Costs;mean:2,0,60,300*cap:2,periods:3=Age;"
    "proportion:0.05,300*cap:2,periods:3=Share;mean:4,0,60,300*hidden,cap:2,periods:3=Hidden;"
    "histogram:25,4*cap:2,periods:3=Wards;quantile:3,0.5,0,60,10,20,45,300*cap:2,periods:3=Wait"
)
SETTINGS = tuple(
    f"/Plan?queries={rows}&promise={promise}&neighbours={neighbours}"
    for rows, promise, neighbours in (
        (ROWS, "delta", "add_remove"),
        (ROWS, "pure", "add_remove"),
        ("count:20*cap:2,periods:3=Visits;sum:300,10,40*cap:1,periods:3=Costs", "pure", "replace"),
        (
            "histogram:20,4*cap:2,periods:3@gaussian=Wards;count:20*cap:1,periods:3@discrete_gaussian=Visits",
            "delta",
            "replace",
        ),
    )
)
PEOPLE = {f"p{place}": (1 + place % 6, place % 3, 7 * (place % 2)) for place in range(300)}
"""How many records each person has in each of three years."""
COLUMNS = {"Share": "flag", "Wards": "ward"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the records as a CSV file, and the public list of the wards."""
    folder, rng = tmp_path_factory.mktemp("periods"), np.random.default_rng(58)
    rows = [
        [name, f"{2024 + year}-0{1 + place % 9}-15", place % 4, rng.integers(-10, 60), place % 2]
        for name, numbers in PEOPLE.items()
        for year, n in enumerate(numbers)
        for place in range(n)
    ]
    with (folder / "visits.csv").open("w", newline="", encoding="utf-8") as file:
        header = ["person", "date", "ward", "value", "flag"]
        csv.writer(file).writerows([header, *rng.permutation(np.array(rows)).tolist()])
    (folder / "wards.csv").write_text("ward\n0\n1\n2\n3\n", encoding="utf-8")
    return folder


def arguments_of(plan: dict[str, Any], folder: Path, file: str = "visits.csv") -> list[str]:
    """Return the arguments of a program of these statistics."""
    arguments = [str(folder / file), "--person", "person"]
    for each in plan["statistics"]:
        name = each["name"]
        arguments += [] if each["kind"] == "count" else ["--column", f"{name}={COLUMNS.get(name, 'value')}"]
        arguments += ["--categories", f"{name}={folder / 'wards.csv'}"] if each["kind"] == "table" else []
        arguments += ["--period", f"{name}=date"]
    return arguments


def tallies_in(program: dict[str, Any], folder: Path, n_parts: int, address: str = "") -> tuple[Any, dict[str, Any]]:
    """Return the source of a program, and what it adds up of the file by the names of the statistics."""
    plan = program["PLAN"]
    source = program["source_of"](program["options_of"](arguments_of(plan, folder)), plan)
    program["checked_columns"](plan, source)
    if n_parts:
        return source, program["large_tallies"](plan, source, n_parts, address)
    return source, program["tallies_of"](plan, source, [])


def expected(most: int) -> int:
    """Return how many records count with so many of each person in each year."""
    return sum(min(n, most) for numbers in PEOPLE.values() for n in numbers)


@pytest.mark.parametrize("where", ["memory", "parts", "workers"])
def test_of_each_person_as_many_records_count_in_each_year_as_the_plan_allows(folder, where, request):
    program = namespace_of(downloaded(SETTINGS[0]))
    address = request.getfixturevalue("scheduler") if where == "workers" else ""
    program = on_workers(program) if address else program
    _, tallies = tallies_in(program, folder, 0 if where == "memory" else 3, address)
    for each in program["PLAN"]["statistics"]:
        assert tallies[each["name"]].n == expected(1 if each["name"] == "Costs" else 2)
    assert tallies["Wards"].cells.total() == expected(2)


def test_parts_take_the_records_of_a_year_at_random_as_the_whole_does(folder):
    program = namespace_of(downloaded(SETTINGS[0]))
    sums = [[tallies_in(program, folder, n)[1]["Costs"].total for _ in range(60)] for n in (0, 3)]
    assert min(len(set(own)) for own in sums) > 10
    spread = math.sqrt(sum(float(np.var(own)) for own in sums) / 60)
    assert abs(float(np.mean(sums[0]) - np.mean(sums[1]))) <= 4 * spread


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_map_of_opendp_is_the_privacy_of_several_years_of_a_person(setting):
    program = namespace_of(downloaded(setting))
    plan, opendp = program["PLAN"], program["opendp_module"]()
    for each in plan["statistics"]:
        privacy = program["measurement_of"](opendp, each).map(1)
        if each["choice"]:
            assert privacy == each["choice"]["epsilon"]
            continue
        is_gaussian = program["is_gaussian"](each)
        planned = each["l2"] ** 2 / (2 * each["scale"] ** 2) if is_gaussian else each["l1"] / each["scale"]
        assert planned * (1 - 1e-5) <= privacy <= planned * (1 + 1e-9)
        if each["name"] == "Wards":
            n_people = 2 if plan["neighbours"] == "replace" else 1
            worst = np.full(n_people, 6.0)  # all in one ward, and if replaced, all of the other person in another one
            assert (each["l1"], each["l2"]) == pytest.approx((worst.sum(), float(np.linalg.norm(worst))))
    epsilon = program["composition_of"](plan).epsilon
    assert plan["epsilon"] * (1 - 2e-6) <= epsilon
    assert epsilon <= plan["epsilon"] * (1 + 1e-9) or plan["delta"]


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_thousand_releases_with_limits_of_each_year_are_as_near_as_stated(setting, folder):
    program = namespace_of(downloaded(setting))
    plan = program["PLAN"]
    source, tallies = tallies_in(program, folder, 0)
    aggregates = program["aggregates_of"](plan, source, tallies)
    checked = [each["name"] for each, _ in shares_within(program, aggregates)]
    assert checked == [each["name"] for each in plan["statistics"] if not each["choice"]]


@pytest.mark.parametrize(
    ("last", "sentence"), [("2029-01-01", "are of 4, such as '2024'"), ("", "the column of the period")]
)
def test_parts_stop_at_a_year_that_the_plan_has_not(folder, last, sentence):
    rows = (folder / "visits.csv").read_text(encoding="utf-8")
    (folder / "wrong.csv").write_text(f"{rows}p1,{last},0,5,1\n", encoding="utf-8")
    program = namespace_of(downloaded(SETTINGS[0]))
    plan = program["PLAN"]
    source = program["source_of"](program["options_of"](arguments_of(plan, folder, "wrong.csv")), plan)
    with pytest.raises(program["ReleaseError"], match=re.escape(sentence)):
        program["large_tallies"](plan, source, 3)


@pytest.mark.parametrize("parts", [(), ("--parts", "2")])
def test_a_program_publishes_with_limits_of_each_year(folder, tmp_path, parts):
    code = downloaded(SETTINGS[0])
    arguments = arguments_of(namespace_of(code)["PLAN"], folder)
    done = run(code, folder, *arguments, *parts, "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    rows = [*csv.DictReader((tmp_path / "out/release-1.csv").read_text(encoding="utf-8").splitlines())]
    assert Counter(row["statistic"] for row in rows)["Wards"] == 4
    visits = next(row for row in rows if row["statistic"] == "Visits")
    assert abs(float(visits["number"]) - expected(2)) <= 3 * float(visits["plus_minus"])
    assert "at most 2 records of each person in each of 3 periods" in done.stdout
