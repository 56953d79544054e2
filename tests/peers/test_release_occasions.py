"""Programs of months, disjoint people, totals and means of a hidden number, with the real OpenDP."""

import csv
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.peers.test_release_parts import on_workers, scheduler
from tests.programs import downloaded, namespace_of

__all__ = ["scheduler"]
N_RELEASES = 1000
HOSTILE = '=x"a\n,b'
PLAN = "/Plan?queries=count:9*times:12=Visits;mean:2,0,100,1500*hidden=Age;histogram:9,3*A=North;count:9*A=South"
TOTALS = (
    "/Tables?margins=2&table=size&cells=6&error=each",
    "/Tables?margins=2&table=size&cells=6&error=each&epsilon=0.3",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with rows of 2,000 people in one of two regions and three months, and the public lists."""
    folder, rng = tmp_path_factory.mktemp("occasions"), np.random.default_rng(7)
    columns = ["id", HOSTILE, "size", "region", "age", "month"]
    rows = [
        [person, "mf"[person % 2], "sml"[person % 3], "ns"[person // 3 % 2], rng.integers(20, 80), month]
        for person in range(2000)
        for month in (1, 2, 3)[: 1 + person % 3]
    ]
    lists = {
        "rows": [columns, *rows],
        "sizes": [["size"], *"sml"],
        "cells": [[HOSTILE, "size", "half"], *([sex, size, size == "l"] for sex in "mf" for size in "sml")],
    }
    for name, every in lists.items():
        with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(every)
    return folder


def plan_arguments(folder: Path) -> list[str]:
    where = [f"--where={name}=region={value}" for name, value in (("North", "n"), ("South", "s"))]
    lists = ["--categories", f"North={folder / 'sizes.csv'}", "--column", "Age=age", "--join", "Age=mean"]
    return [str(folder / "rows.csv"), "--person", "id", *lists, *where]


def table_arguments(folder: Path) -> list[str]:
    arguments = [str(folder / "rows.csv"), "--person", "id", "--categories", str(folder / "cells.csv")]
    return [*arguments, "--totals", HOSTILE, "--totals", "half"]


def prepared(setting: str, arguments: list[str]) -> tuple[dict[str, Any], Any]:
    program = namespace_of(downloaded(setting))
    source = program["source_of"](program["options_of"](arguments), program["PLAN"])
    program["checked_columns"](program["PLAN"], source)
    return program, source


def published(program: dict[str, Any], source: Any, noisy: list[Any]) -> np.ndarray[Any, Any]:
    """Return the published numbers with their ±, in the order of the file."""
    rows = program["numbers_rows"](program["PLAN"], source, noisy)[1:]
    return np.array([[float(cell or "nan") for cell in row[2:4]] for row in rows])


@pytest.mark.parametrize("setting", [PLAN, f"{PLAN}&promise=pure", *TOTALS])
def test_the_errors_of_a_thousand_releases_are_within_their_half_width_as_often_as_stated(setting, folder):
    arguments = plan_arguments(folder) if "Plan" in setting else table_arguments(folder)
    program, source = prepared(setting, arguments)
    aggregates = program["aggregates_of"](program["PLAN"], source)
    exact = published(program, source, [aggregates[each["name"]] for each in program["PLAN"]["statistics"]])[:, 0]
    invoke = program["composition_of"](program["PLAN"]).invoke
    releases = np.array([published(program, source, invoke(aggregates)) for _ in range(N_RELEASES)])
    assert not np.isnan(releases).any()
    within = (np.abs(releases[..., 0] - exact) <= releases[..., 1]).mean(axis=0)
    assert (within >= 0.95 - 4.5 * math.sqrt(0.05 * 0.95 / N_RELEASES)).all(), within


@pytest.mark.parametrize("neighbours", ["add_remove", "replace"])
def test_the_map_of_opendp_counts_the_totals(neighbours, folder):
    program, _ = prepared(f"{TOTALS[0]}&neighbours={neighbours}", table_arguments(folder))
    assert program["composition_of"](program["PLAN"]).epsilon == pytest.approx(program["PLAN"]["epsilon"], rel=1e-5)


def test_opendp_counts_the_dearest_of_disjoint_statistics_and_each_month_of_a_pure_plan():
    program = namespace_of(downloaded(f"{PLAN}&promise=pure"))
    plan, opendp = program["PLAN"], program["opendp_module"]()
    own = {each["name"]: program["measurement_of"](opendp, each).map(1) for each in plan["statistics"]}
    total = 12 * own["Visits"] + own["Age"] + max(own["North"], own["South"])
    assert plan["epsilon"] == pytest.approx(total, rel=1e-5)
    whole = program["composition_of"](plan)
    assert whole.epsilon == pytest.approx(total, rel=1e-9)
    months = program["composition_of"](plan, ["Visits"])
    assert (months.epsilon, months.share) == pytest.approx((total, own["Visits"] / total), rel=1e-9)
    both = program["composition_of"](plan, ["North", "South"])
    assert both.share == pytest.approx(max(own["North"], own["South"]) / total, rel=1e-9)


@pytest.mark.parametrize(
    "queries",
    [
        "count:9*times:12=A;mean:2,0,100,1500*hidden=B;count:9*A=C;count:5*A=D",
        "groups:60,3,1*times:3=A;count:20*times:40=B",
        "groups:60,3,1*A=A;groups:90,2,1*A=B;count:20*A=C",
        "count:20*times:900=A",
    ],
)
def test_opendp_accounts_for_no_less_than_the_plan_and_at_most_twice(queries):
    program = namespace_of(downloaded(f"/Plan?promise=delta&queries={queries}"))
    plan, composition = program["PLAN"], program["composition_of"](program["PLAN"])
    assert composition.delta <= plan["delta"] * (1 + 1e-9)
    assert plan["epsilon"] * (1 - 1e-5) <= composition.epsilon <= 3 * plan["epsilon"]


def test_each_month_is_released_once_with_its_share_of_the_plan(folder, tmp_path):
    program = namespace_of(downloaded("/Plan?promise=delta&queries=count:9*times:3=Visits;sum:900,0,99=Age"))
    plan, publish, refused, notes = program["PLAN"], program["publish"], program["ReleaseError"], list[str]()
    arguments = [str(folder / "rows.csv"), "--person", "id", "--out", str(tmp_path), "--only"]
    for month in (1, 2, 3):
        month_of = [*arguments, "Visits", "--for", f"2026-{month}", "--where", f"month={month}"]
        publish(plan, month_of, notes.append)
        assert f"For '2026-{month}' this run releases 'Visits' ({month} of 3), which is " in notes[-3]
        with pytest.raises(refused, match="Use --again to pay that"):
            publish(plan, month_of, notes.append)
        (row,) = csv.DictReader((tmp_path / f"release-{month}.csv").read_text(encoding="utf-8").splitlines())
        assert row["time"] == f"2026-{month}"
        assert abs(float(row["number"]) - 2000 * (4 - month) / 3) < 40
    publish(plan, [*arguments, "Age", "--column", "Age=age"], notes.append)
    said = [json.loads((tmp_path / f"release-{n}.json").read_text(encoding="utf-8")) for n in (1, 2, 3, 4)]
    assert [each["released"] for each in said] == [["Visits"]] * 3 + [["Age"]]
    assert [each.get("time") for each in said] == ["2026-1", "2026-2", "2026-3", None]
    assert "Of these, this file has Visits for 2026-1. What is counted" in said[0]["statement"]
    assert "Of these, this file has Age. What is counted" in said[3]["statement"]
    assert "(rows with month = 1)" in said[0]["limits"]["Visits"]
    assert sum(each["share_of_the_plan_by_opendp"] for each in said) == pytest.approx(1)
    assert {each["epsilon_of_this_folder"] for each in said} == {program["up"](plan["epsilon"])}
    assert said[0]["assumptions"][-1] == "rows counted: month=1"
    with pytest.raises(refused, match=f"with it ε = {2 * program['up'](plan['epsilon']):.6g}"):
        publish(plan, [*arguments, "Visits", "--for", "2026-4"], notes.append)


@pytest.mark.parametrize("n_parts", [1, 3])
def test_parts_have_the_same_numbers_where_no_limit_matters(n_parts, folder, tmp_path):
    lines = (folder / "rows.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    own = [line for line in lines if not line[0].isdigit() or line.endswith(",1\n")]
    (tmp_path / "rows.csv").write_text("".join(own), encoding="utf-8")
    for setting, arguments in ((PLAN, plan_arguments(folder)), (TOTALS[0], table_arguments(folder))):
        program, source = prepared(setting, [str(tmp_path / "rows.csv"), *arguments[1:]])
        plan = program["PLAN"]
        tallies = program["large_tallies"](plan, source, n_parts)
        aggregates = program["aggregates_of"](plan, source)
        assert program["aggregates_of"](plan, source, tallies) == aggregates
        assert setting == TOTALS[0] or aggregates["South"] == [999]


def test_parts_and_workers_count_a_person_in_one_of_the_disjoint_statistics(tmp_path, scheduler):
    rows = [[person, place, 30] for person in range(3000) for place in "nss"]
    for name, every in (("rows", [["id", "region", "age"], *rows]), ("sizes", [["region"], *"nso"])):
        with (tmp_path / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(every)
    program, source = prepared(PLAN, plan_arguments(tmp_path))
    on_workers(program)
    for address in ("", scheduler):
        tallies = program["large_tallies"](program["PLAN"], source, 3, address)
        assert tallies["North"].n + tallies["South"].n == 3000 == tallies["Age"].n
        assert abs(tallies["North"].n - 1000) < 5 * math.sqrt(3000 * 2 / 9)
