"""The program of a release with Polars, in parts, and on two workers of Dask: the same numbers, limits and stops."""

import csv
import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest
from distributed import LocalCluster

from tests.peers.test_release_program import run
from tests.programs import downloaded, namespace_of

KINDS = (
    "count:5=Count;sum:200,0,99=Sum;mean:1,0,99,100=Mean;histogram:20,5=Table;groups:60,3,2=Groups;"
    "running:60,5,3,2=Series;quantile:2,0.5,0,99,1,30,84,2000=Quantile;largest:15,5,2=Largest"
)
PLAN = f"/Plan?promise=delta&queries={KINDS}"
PLACES = "abcde"
MOST = (2, 1, 2), (5, 2, 7)  # limits that leave out as many rows of a person, whichever are drawn
HOSTILE = ("^.*$", "*", 'a"b', "=x", "a\nb", "column 0", "person", "ü,")


def program_in(
    folder: Path, rows: list[list[object]], column: str = "place", places: Sequence[str] = PLACES
) -> tuple[dict[str, Any], Any]:
    """Return the program and its source for rows of a person, a place and a value."""
    for name, every in (("rows", [["id", column, "value"], *rows]), ("list", [[column], *([p] for p in places)])):
        with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(every)
    program = namespace_of(downloaded(PLAN))
    arguments = [str(folder / "rows.csv"), "--person", "id"]
    arguments += [f"--column={name}=value" for name in ("Sum", "Mean", "Quantile")] + [f"--column=Groups={column}"]
    arguments += ["--join=Mean=mean", "--join=Quantile=mean"]
    arguments += [f"--categories={name}={folder / 'list.csv'}" for name in ("Table", "Series", "Largest")]
    source = program["source_of"](program["options_of"](arguments), program["PLAN"])
    program["checked_columns"](program["PLAN"], source)
    return program, source


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """Yield the address of a cluster with two workers."""
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=":0"
    ) as cluster:
        yield cluster.scheduler_address


def on_workers(program: dict[str, Any]) -> dict[str, Any]:
    """Return a program whose code is sent to workers, as that of a file that is run is, with blocks of few lines."""
    program["BLOCK"] = 2**10
    cloudpickle.register_pickle_by_value(sys.modules["release"])
    return program


@pytest.mark.parametrize("n_parts", [1, 3])
@pytest.mark.parametrize("column", ["place", *HOSTILE])
def test_parts_have_the_numbers_of_the_whole_where_no_limit_matters(tmp_path, n_parts, column):
    rng = np.random.default_rng(1)
    rows = [[f"p{i}", PLACES[int(rng.integers(0, 5))], float(rng.integers(-20, 1200)) / 8] for i in range(300)]
    program, source = program_in(tmp_path, rows, column)
    plan = program["PLAN"]
    tallies = program["large_tallies"](plan, source, n_parts)
    assert program["aggregates_of"](plan, source, tallies) == program["aggregates_of"](plan, source)


@pytest.mark.parametrize("n_parts", [1, 3])
def test_parts_say_what_the_limits_leave_out_as_the_whole_does(tmp_path, n_parts):
    """Of the sum and the mean all values of a person are equal, as those that are kept are drawn at random."""
    rng = np.random.default_rng(2)
    people = rng.integers(0, 60, 900)
    rows = [[f"p{i}", PLACES[int(rng.integers(0, 5))], float(i % 7 * 25)] for i in people]
    program, source = program_in(tmp_path, rows)
    once, twice = (dict(zip(("max_cells", "max_in_cell", "max_in_all"), most, strict=True)) for most in MOST)
    five = {"max_in_cell": 5, "max_in_all": 5}
    of_kind = {"table": once, "groups": once, "series": twice, "sum": five, "count": five}
    own = [each | of_kind.get(each["kind"], {}) for each in program["PLAN"]["statistics"]]
    plan = program["PLAN"] | {"statistics": own}
    whole, parts = program["tallies_of"](plan, source, []), program["large_tallies"](plan, source, n_parts)
    for name, tally in parts.items():
        assert asdict(tally.limits) == pytest.approx(asdict(whole[name].limits)), name
    assert {name for name, tally in parts.items() if tally.limits.n_left_out} >= {"Count", "Sum", "Table", "Groups"}
    assert program["beyond_text"](plan, whole) == program["beyond_text"](plan, parts)


def test_every_noisy_number_is_a_whole_number_of_steps_of_a_power_of_two(tmp_path):
    """The trap of floating-point samplers: a draw of doubles tells in its last bits what it was added to."""
    rows = [[f"p{i}", PLACES[i % 5], i % 901 / 8] for i in range(600)]
    program, source = program_in(tmp_path, rows)
    plan = program["PLAN"]
    aggregates = program["aggregates_of"](plan, source)
    invoke = program["composition_of"](plan).invoke
    steps = [program["step_of"](each) for each in plan["statistics"]]
    assert all(math.frexp(step)[0] == 0.5 for step in steps)
    assert min(steps) < 1 == max(steps)
    for noisy in invoke(aggregates), [aggregates[each["name"]] for each in plan["statistics"]]:
        for each, own in zip(plan["statistics"], noisy, strict=True):
            numbers = list(own.values()) if isinstance(own, dict) else own
            whole = (int, Fraction) if each["choice"] else int  # the score of a rank is an exact fraction
            assert numbers, each["name"]
            assert all(isinstance(number, whole) for number in numbers), each["name"]


def test_parts_keep_as_many_records_of_a_person_as_the_limits_allow_at_random(tmp_path):
    rows = [[f"p{i}", PLACES[j % 5], 10 * (j % 5)] for i in range(200) for j in range(15)]
    program, source = program_in(tmp_path, rows)
    plan = program["PLAN"]
    tallies = program["large_tallies"](plan, source, 4)
    kept = {name: tally.n for name, tally in tallies.items()}
    once = dict.fromkeys(("Count", "Sum", "Mean", "Table", "Quantile"), 200)
    assert kept == once | {"Groups": 200 * 6, "Series": 200 * 6, "Largest": 200 * 10}
    for name, share in (("Table", 1 / 5), ("Groups", 3 / 5), ("Series", 3 / 5)):
        each = 1 if name == "Table" else 2
        error = each * math.sqrt(200 * share * (1 - share))
        assert all(abs(count - 200 * share * each) <= 4.5 * error for count in tallies[name].cells.values()), name
        assert len(tallies[name].cells) == 5
    of_whole = program["tallies_of"](plan, source, [])
    assert all(
        tallies[name] == of_whole[name] for name in ("Sum", "Mean", "Quantile")
    )  # all values of a person, joined
    assert len({tuple(sorted(program["large_tallies"](plan, source, 4)["Table"].cells.items())) for _ in range(3)}) > 1


def test_workers_have_the_numbers_of_the_whole_where_no_limit_matters(tmp_path, scheduler):
    rows = [[f"p{i}", PLACES[i * i % 5], i % 901 / 8] for i in range(1000)]
    program, source = program_in(tmp_path, rows, 'a"b')
    plan = on_workers(program)["PLAN"]
    tallies = program["large_tallies"](plan, source, 3, scheduler)
    assert source.path.stat().st_size > 10 * program["BLOCK"]
    assert program["aggregates_of"](plan, source, tallies) == program["aggregates_of"](plan, source)


def test_workers_limit_a_person_whose_rows_are_in_several_blocks(tmp_path, scheduler):
    rows = [[f"p{i}", PLACES[j % 5], 10 * (j % 5)] for j in range(15) for i in range(200)]
    program, source = program_in(tmp_path, rows)
    plan = on_workers(program)["PLAN"]
    tallies = program["large_tallies"](plan, source, 2, scheduler)
    kept = {name: tally.n for name, tally in tallies.items()}
    once = dict.fromkeys(("Count", "Sum", "Mean", "Table", "Quantile"), 200)
    assert kept == once | {"Groups": 200 * 6, "Series": 200 * 6, "Largest": 200 * 10}
    of_whole = program["tallies_of"](plan, source, [])
    assert all((tallies[name].total, tallies[name].n) == (of_whole[name].total, 200) for name in ("Sum", "Mean"))


@pytest.mark.parametrize(
    ("last", "sentence"),
    [
        (["", "a", 1], "A row has nobody in the column that identifies a person"),
        (["p", "z", 1], "Rows with a category that the list of 'Table' lacks: at least 1"),
        (["p", "a", "many"], "Rows with no number for 'Sum': at least 1"),
        (["p", "a", 1, 2], "can’t be read"),
        (["p", "a\n", 1], "The file has a line break in a field, or a single quotation mark"),
    ],
)
def test_a_file_that_breaks_the_plan_stops_the_workers_in_a_sentence(tmp_path, scheduler, last, sentence):
    rows = [[f"p{i}", "a", i] for i in range(400)]
    program, source = program_in(tmp_path, [*rows, last, *rows])
    on_workers(program)
    if "\n" in str(last[1]):
        start = source.path.read_bytes().index(b'"a\n')
        program["BLOCK"] = start  # so that the second block begins within the field
    with pytest.raises(program["ReleaseError"], match=sentence) as stop:
        program["large_tallies"](program["PLAN"], source, 2, scheduler)
    assert "\n" not in str(stop.value)


def test_workers_send_counts_of_fixed_parts_of_the_range_and_no_value(tmp_path, scheduler):
    values = np.random.default_rng(5).lognormal(3.4, 0.8, 2000)
    with (tmp_path / "rows.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["id", "value"], *enumerate(values)])
    for setting in ("/A_median?step=none", "/A_median?section=several"):
        program, out = on_workers(namespace_of(downloaded(setting))), tmp_path / setting[-7:]
        arguments = [str(tmp_path / "rows.csv"), "--person", "id", "--column", "value", "--out", str(out)]
        plan, source = program["PLAN"], program["source_of"](program["options_of"](arguments), program["PLAN"])
        (statistic,) = plan["statistics"]
        program["PARTS"] = 50
        (tally,) = program["large_tallies"](plan, source, 3, scheduler).values()
        assert tally.n == 2000 == tally.cells.total()
        size = -(-statistic["choice"]["n_candidates"] // 50)
        assert {cell // 2 % size for cell in tally.cells} == {size // 2}
        program["publish"](plan, [*arguments, "--scheduler", scheduler], lambda _: None)
        rows = list(csv.DictReader((out / "release-1.csv").read_text(encoding="utf-8").splitlines()))
        widths = statistic["half_widths"] or [statistic["half_width"]]
        part = size * statistic["choice"]["step"]
        assert [float(row["plus_minus"]) for row in rows] == pytest.approx(
            [width + 2 * part for width in widths], rel=1e-3
        )
        for level, row in zip(statistic["levels"] or [0.5], rows, strict=True):
            assert abs(float(row["number"]) - np.quantile(values, level)) <= 2 * float(row["plus_minus"])


def test_a_program_publishes_from_workers_and_names_a_cluster_that_it_can_not_reach(tmp_path, scheduler):
    text = "id\n" + "\n".join(str(person % 2000) for person in range(6000))
    (tmp_path / "men.csv").write_text(text, encoding="utf-8")
    code = downloaded("/Accuracy").replace("BLOCK = 2**26", "BLOCK = 2**12")
    assert "BLOCK = 2**12" in code
    done = run(code, tmp_path, "men.csv", "--person", "id", "--scheduler", scheduler, "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    (row,) = csv.DictReader((tmp_path / "out/release-1.csv").read_text(encoding="utf-8").splitlines())
    assert abs(int(row["number"]) - 2000) < 40
    code = code.replace("distributed.Client(address", "distributed.Client(address, timeout=1")
    done = run(code, tmp_path, "men.csv", "--person", "id", "--scheduler", "tcp://127.0.0.1:1", "--out", "no")
    assert done.stderr.startswith("Nothing was published. The cluster at 'tcp://127.0.0.1:1' can’t be used")


def test_the_limits_hold_for_each_person(tmp_path):
    program, _ = program_in(tmp_path, [["a", "a", 1]])
    polars = program["module_named"]("polars", "")
    rows = [(1, place % 6, 0.0) for place in range(60)] + [(2, 0, 0.0)]
    frame = polars.DataFrame(rows, schema=["person", "cell", "value"], orient="row")
    for cells, in_cell, in_all, expected in [(1, 1, 1, 1), (2, 3, 6, 6), (6, 10, 7, 7), (6, 10, 60, 60), (2, 20, 9, 9)]:
        limits = {"max_cells": cells, "max_in_cell": in_cell, "max_in_all": in_all, "has_periods_of_rows": False}
        kept = program["limited_rows"](polars, frame, limits).select("person", "cell").rows()
        own = Counter(cell for person, cell in kept if person == 1)
        assert len(own) <= cells
        assert max(own.values()) <= in_cell
        assert (own.total(), len(kept)) == (expected, expected + 1)


def test_the_limits_of_each_period_hold_for_each_person(tmp_path):
    program, _ = program_in(tmp_path, [["a", "a", 1]])
    polars = program["module_named"]("polars", "")
    rows = [(1, place % 12, 0.0) for place in range(120)] + [(2, 0, 0.0)]
    frame = polars.DataFrame(rows, schema=["person", "cell", "value"], orient="row")
    for cells, in_cell, in_period, in_all in [(12, 9, 4, 12), (6, 2, 3, 9), (12, 1, 3, 5)]:
        limits = {"max_cells": cells, "max_in_cell": in_cell, "max_in_period": in_period, "max_in_all": in_all}
        limits |= {"periods": {place: place // 4 for place in range(12)}, "has_periods_of_rows": False}
        kept = program["limited_rows"](polars, frame, limits).select("person", "cell").rows()
        own = Counter(cell for person, cell in kept if person == 1)
        assert len(own) <= cells
        assert max(own.values()) <= in_cell
        assert max(Counter(cell // 4 for cell in own.elements()).values()) <= in_period
        assert in_all / 2 <= own.total() <= in_all
        of_rows = frame.with_columns(period=polars.Series([f"{place // 40}" for place in range(121)]))
        kept = program["limited_rows"](polars, of_rows, limits | {"has_periods_of_rows": True})
        own, years = (
            kept.filter(polars.col("person") == 1)[name].value_counts()["count"] for name in ("cell", "period")
        )
        assert (len(own) <= cells, own.max() <= in_cell, years.max() <= in_period) == (True, True, True)
        assert in_all / 2 <= own.sum() <= in_all


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (["", "a", 1], "A row has nobody in the column that identifies a person"),
        (["p", "z", 1], "Rows with a category that the list of 'Table' lacks: at least 1"),
        (["p", "a", "many"], "Rows with no number for 'Sum': at least 1"),
        (["p", "a", "nan"], "Rows with no number for 'Sum': at least 1"),
        (["p", "a", ""], "Rows with no number for 'Sum': at least 1"),
        (["p", "a"], "Rows with no number for 'Sum': at least 1"),
        (["p", "a", 1, 2], "can’t be read as CSV"),
    ],
)
def test_a_file_that_breaks_the_plan_stops_in_a_sentence(tmp_path, row, sentence):
    good = [[f"p{i}", PLACES[i % 5], i] for i in range(109)]  # more than show how the file writes numbers
    program, source = program_in(tmp_path, [*good, row])
    with pytest.raises(program["ReleaseError"], match=sentence) as stop:
        program["large_tallies"](program["PLAN"], source, 2)
    assert "\n" not in str(stop.value)


def test_parts_leave_out_what_they_cannot_use_and_cut_dates_as_the_whole_does(tmp_path):
    months = [f"2026-{month:02}" for month in range(1, 6)]
    dates = [f"{months[i % 5]}-{i % 28 + 1:02}{' 10:15' * (i % 2)}" for i in range(200)]
    rows = [[f"p{i % 90}", date, i % 7] for i, date in enumerate(dates)]
    rows += [["p1", "2026-02-30", "20 min"], ["p2", "unknown", ""], ["", months[0], 5], ["p3", months[1], "1e300"]]
    program, source = program_in(tmp_path, rows, places=months)
    with pytest.raises(program["ReleaseError"]):
        program["large_tallies"](program["PLAN"], source, 3)
    with pytest.raises(program["ReleaseError"], match=r"line 202 has '2026-02-30' for 'Table'"):
        program["tallies_of"](program["PLAN"], source, [])
    source = replace(source, leaves_out_bad=True)
    plan = program["PLAN"] | {
        "statistics": [each for each in program["PLAN"]["statistics"] if each["name"] != "Groups"]
    }
    by_parts, whole = program["large_tallies"](plan, source, 3), program["tallies_of"](plan, source, [])
    assert {name: tally.n for name, tally in by_parts.items()} == {name: tally.n for name, tally in whole.items()}
    for name in ("Sum", "Mean", "Quantile", "Count"):
        limits = asdict(by_parts[name].limits), asdict(whole[name].limits)
        assert limits[0] == pytest.approx(limits[1]), name  # sums of means, in the order in which Polars has people
        assert replace(by_parts[name], limits=None) == replace(whole[name], limits=None), name


@pytest.mark.parametrize("block", [9, 13, 17, 20, 21, 22, 1000])
def test_blocks_have_each_line_once_also_where_a_block_ends_with_a_line(tmp_path, block):
    rows = [[f"p{i}", "a", i] for i in range(9)]
    program, source = program_in(tmp_path, rows)
    program["BLOCK"] = block
    read = [
        program["block_rows"](source.path, "column 0", 3, [], start)["person"].to_list()
        for start in range(0, source.path.stat().st_size, block)
    ]
    assert [person for own in read for person in own] == [row[0] for row in rows]


@pytest.mark.parametrize("how", ["same", "sum"])
def test_parts_join_the_values_of_a_person_as_the_user_says(tmp_path, how):
    rows = [[f"p{i % 50}", "a", i % 50 + (i == 120)] for i in range(150)]
    program, source = program_in(tmp_path, rows)
    source = replace(source, joins={"Sum": how, "Mean": "sum", "Quantile": "mean"})
    if how == "same":
        with pytest.raises(
            program["ReleaseError"], match="has 2 different values of 'Sum'; each person counts with one"
        ):
            program["large_tallies"](program["PLAN"], source, 2)
    else:
        assert (
            program["large_tallies"](program["PLAN"], source, 2)["Sum"]
            == program["tallies_of"](program["PLAN"], source, [])["Sum"]
        )


def test_a_program_publishes_from_parts_and_each_row_may_be_a_person(tmp_path):
    with (tmp_path / "men.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["age"], *([age % 100] for age in range(2000))])
    arguments = ["men.csv", "--each-row-a-person", "--parts", "3", "--out", str(tmp_path / "out")]
    done = run(downloaded("/Accuracy"), tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    (row,) = csv.DictReader((tmp_path / "out/release-1.csv").read_text(encoding="utf-8").splitlines())
    assert abs(int(row["number"]) - 2000) < 40
