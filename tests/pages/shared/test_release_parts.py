"""The limits of each period, and files beyond memory without Polars: what is missing, and tallies that add up."""

import csv
import math
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcore import quantiles
from pages.shared.release_program.steps import choose, large, limit, lists, run
from pages.shared.release_program.steps.check import Entry, ReleaseError, Tally
from tests.pages.shared.test_release_choice import fine_choice
from tests.pages.shared.test_release_program import COUNT, facts
from tests.programs import downloaded, namespace_of


def test_without_polars_the_program_stops_in_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    (tmp_path / "data.csv").write_text("id\n1\n", encoding="utf-8")
    arguments = [str(tmp_path / "data.csv"), "--person", "id", "--out", str(tmp_path / "out"), "--parts", "2"]
    with pytest.raises(ReleaseError, match=r"Polars is not installed: run pip install 'polars>=2,<3'\."):
        run.publish(facts(COUNT), arguments)
    assert not (tmp_path / "out").exists()


def test_tallies_of_other_people_add_up(tmp_path):
    one, other = Tally(Counter({0: 2}), 7, 3), Tally(Counter({0: 1, 1: 4}), -2, 5)
    assert one + other == Tally(Counter({0: 3, 1: 4}), 5, 8)
    (tmp_path / "data.csv").write_text("id\n1\n", encoding="utf-8")
    plan = facts(COUNT)
    source = run.source_of(run.options_of([str(tmp_path / "data.csv"), "--person", "id"]), plan)
    assert limit.aggregates_of(plan, source, {"Count": one + other}) == {"Count": [3]}


def test_each_period_has_its_limit_beside_those_of_the_cells_and_of_all():
    rows = [Entry("a", place % 12) for place in range(120)] + [Entry("b", 0)]
    periods: lists.Periods = {place: place // 4 for place in range(12)}
    for cells, in_cell, in_period, in_all, expected in [
        (12, 9, 4, 12, 12),
        (6, 2, 3, 9, 9),
        (2, 9, 5, 15, 10),
        (12, 1, 4, 5, 5),
    ]:
        limits = {"max_cells": cells, "max_in_cell": in_cell, "max_in_period": in_period, "max_in_all": in_all}
        kept = Counter(entry.cell for entry in limit.limited(rows, limits, periods) if entry.person == "a")
        by_period = Counter(periods[cell] for cell in kept.elements())
        assert len(kept) <= cells
        assert max(kept.values()) <= in_cell
        assert max(by_period.values()) <= in_period
        assert kept.total() <= in_all
        assert kept.total() >= expected / 2


def yearly(folder: Path, *options: str) -> tuple[dict[str, Any], Any]:
    """Return the program of a table of months with at most 2 records a year, and its source of one busy person."""
    months = [f"{year}-{month:02}" for year in (2024, 2025) for month in (1, 2, 3)]
    for name, rows in (
        ("visits", [["id", "month"], *(["a", month] for month in months * 5), ["b", months[0]]]),
        ("months", [["month", "year"], *([month, month[:4]] for month in months)]),
    ):
        with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
    code = downloaded("/Tables?table=size&cells=6&contribution=limited&per_person=6&per_cell=2&per_total=2&n_periods=2")
    program = namespace_of(code)
    arguments = [str(folder / "visits.csv"), "--person", "id", f"--categories={folder / 'months.csv'}", *options]
    return program, program["source_of"](program["options_of"](arguments), program["PLAN"])


def test_a_program_limits_what_a_person_has_in_each_year(tmp_path):
    program, source = yearly(tmp_path, "--period=year")
    (table,) = program["PLAN"]["statistics"]
    assert (table["n_periods"], table["max_in_period"], table["max_in_all"]) == (2, 2, 4)
    program["checked_columns"](program["PLAN"], source)
    assert program["columns_of"](table, source) == ("month",)
    for _ in range(20):
        counts = program["aggregates_of"](program["PLAN"], source)["Table"]
        assert sum(counts) in (4, 5)
        assert sum(counts[:3]) <= 3
        assert sum(counts[3:]) == 2


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ((), "A person has at most 2 records in each of 2 periods: name with --period the column of the list"),
        (("--period=quarter",), "name with --period the column"),
        (("--period=month",), "The plan is made for at most 2 periods, and the list for 'Table' has 6 periods."),
    ],
)
def test_a_program_stops_where_it_does_not_know_the_period_of_a_category(tmp_path, options, sentence):
    program, source = yearly(tmp_path, *options)
    with pytest.raises(program["ReleaseError"], match=re.escape(sentence)):
        program["checked_columns"](program["PLAN"], source)


VALUES = np.exp(np.random.default_rng(3).normal(np.log(30), 0.8, 2000)).clip(0, 600)


@pytest.mark.parametrize("n_parts", [2**16, 2**11, 2**8, 40])
@pytest.mark.parametrize("epsilon", [0.05, 1.0, 5.0])
def test_a_quantile_of_counts_in_parts_is_within_two_parts_more_than_its_error(monkeypatch, n_parts, epsilon):
    monkeypatch.setattr(large, "PARTS", n_parts)
    half_width = float(quantiles.half_width(VALUES, 0.5, epsilon, quantiles.Range(0.0, 600.0), 0.05))
    statistic = fine_choice(0.0, 600.0, epsilon=epsilon) | {"half_width": half_width, "half_widths": (), "note": ""}
    cells = Counter[Any](map(choose.cell_of(statistic["choice"]), VALUES.tolist()))
    tally = large.counted_in_parts(Tally(cells, 0, len(VALUES)), statistic)
    wider = large.in_parts(statistic)
    assert len(tally.cells) <= n_parts
    assert tally.cells.total() == tally.n == len(VALUES)
    assert wider["half_width"] - half_width == pytest.approx(1200 / n_parts, rel=1e-3)
    runs = choose.rank_runs(Counter[Any](tally.cells), statistic["choice"])
    best, median = max(score for _, score in runs), float(np.median(VALUES))
    weights = np.array([n * math.exp(float(score - best) * epsilon) for n, score in runs])
    ends = np.cumsum([n for n, _ in runs]) * statistic["choice"]["step"]
    starts = np.append(0.0, ends[:-1])
    low, high = median - wider["half_width"], median + wider["half_width"]
    inside = (np.minimum(ends, high) - np.maximum(starts, low)).clip(0) / (ends - starts)
    assert weights @ inside / weights.sum() >= 0.95


def test_no_value_leaves_a_worker_and_steps_that_are_fixed_stay(monkeypatch):
    monkeypatch.setattr(large, "PARTS", 4)
    statistic = fine_choice(0.0, 1.0)
    values = [0.1, 0.11, 0.9, 0.26]
    cells = Counter[Any](map(choose.cell_of(statistic["choice"]), values))
    kept = Counter[Any](large.counted_in_parts(Tally(cells, 0, 4), statistic).cells)
    middles = {round(choose.candidate_at(statistic["choice"], cell // 2), 6): n for cell, n in kept.items()}
    assert middles == {0.125: 2, 0.375: 1, 0.875: 1}
    steps = statistic | {"choice": statistic["choice"] | {"is_fine": False}}
    assert large.counted_in_parts(Tally(cells, 0, 4), steps).cells == cells
    assert large.in_parts(steps) is steps
    assert large.in_parts(facts(COUNT)["statistics"][0])["half_width"] == COUNT.half_width
