"""Numbers that the user computes, with a sensitivity of the user's own, in the program of a plan."""

import math
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.programs import downloaded, namespace_of

PLAN = "/Plan?promise={}&queries=count:20=People;own:5,3,2=Index;own:9,2,2@laplace=Cases"
FILES = {"index": "place,year,index\nx,1,-2.5\n=y,2,1e3\n", "cases": "cases\n17\n"}


def program_in(folder: Path, promise: str = "delta", **files: str) -> tuple[dict[str, Any], Any, list[str]]:
    """Return the program with its source and its arguments."""
    for name, text in (FILES | files).items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    (folder / "people.csv").write_text("id\na\nb\n", encoding="utf-8")
    program = namespace_of(downloaded(PLAN.format(promise)))
    arguments = [str(folder / "people.csv"), "--person", "id", "--out", str(folder / "out")]
    arguments += ["--own", f"Index={folder / 'index.csv'}", "--own", f"Cases={folder / 'cases.csv'}"]
    return program, program["source_of"](program["options_of"](arguments), program["PLAN"]), arguments


def test_the_program_has_no_number_of_the_user_and_reads_them_with_their_labels(tmp_path):
    program, source, _ = program_in(tmp_path)
    plan = program["PLAN"]
    program["checked_columns"](plan, source)
    index, cases = plan["statistics"][1:]
    assert (index["l1"], index["l2"], cases["l1"], cases["noise"]) == (3, 2, 2, "laplace")
    numbers = program["aggregates_of"](plan, source)
    assert numbers["Cases"] == [17 / program["step_of"](cases)]
    assert [n * program["step_of"](index) for n in numbers["Index"]] == [-2.5, 1000.0]
    rows = program["numbers_rows"](plan, source, [[2], *(numbers[name] for name in ("Index", "Cases"))])
    assert [row[:4] for row in rows[2:]] == [
        *(["Index", "x · 1", "-2.50", "5"], ["Index", "'=y · 2", "1000", "5"]),
        ["Cases", "", "17", "9"],
    ]
    said = program["limits_of"](plan, source)
    assert said["Index"].startswith("computed elsewhere; one person is said to move all numbers together by no more")
    assert "Δ₁ = 3.0 and Δ₂ = 2.0" in said["Index"]
    assert "which this program can’t check" in said["Index"]


@pytest.mark.parametrize("promise", ["delta", "pure"])
def test_the_noise_covers_what_the_rounding_of_many_numbers_adds(tmp_path, promise):
    program, _, _ = program_in(tmp_path, promise)
    index = program["PLAN"]["statistics"][1]
    step, norm = program["step_of"](index), "l2" if program["is_gaussian"](index) else "l1"
    moved = program["sensitivity_in_steps"](index)
    n, size = program["MOST_OWN"], index[norm] / step
    assert moved >= size + (math.sqrt(n) if norm == "l2" else n)
    assert moved * step <= index[norm] * (1 + 2.0**-20)  # no more than ± of four digits shows
    for one, other in product((0.2, 0.5, 0.7), repeat=2):
        rounded = abs(round(one / 0.3) - round(other / 0.3))
        assert rounded <= abs(one - other) / 0.3 + 1
    assert program["growth_of"](index) <= 1 + 2.0**-19


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"index": "index\n"}, "The file of 'Index' has 0 numbers; it must have 1 to 1,000."),
        ({"index": "index\n" + "1\n" * 1001}, "The file of 'Index' has 1,001 numbers; it must have 1 to 1,000."),
        ({"index": "index\nmany\n"}, "The file of 'Index' has 'many' in its last column, which is no number."),
        ({"index": "index\ninf\n"}, "The file of 'Index' has 'inf' in its last column, which is no number."),
        ({"index": "index\n1e200\n"}, "The numbers of 'Index' are too large for exact sums: use a larger unit."),
    ],
)
def test_a_file_of_numbers_that_can_not_be_used_stops_in_a_sentence(tmp_path, files, sentence):
    program, _, arguments = program_in(tmp_path, **files)
    with pytest.raises(program["ReleaseError"], match=re.escape(sentence)):
        program["publish"](program["PLAN"], arguments)
    assert not (tmp_path / "out").exists()


def test_a_program_without_the_file_of_numbers_asks_for_it(tmp_path):
    program, _, arguments = program_in(tmp_path)
    asked = "Give the numbers of 'Cases', which you compute", "Add --own 'Index=FILE.csv' --own 'Cases=FILE.csv'"
    for end, sentence in zip((-2, -4), asked, strict=True):
        with pytest.raises(program["ReleaseError"], match=re.escape(sentence)):
            program["publish"](program["PLAN"], arguments[:end])
