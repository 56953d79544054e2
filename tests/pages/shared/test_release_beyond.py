"""What the program of a release says, to the user alone, of the rows and values that the limits leave out."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pages.shared.release_program.program import Choice, quantile_statistic
from pages.shared.release_program.steps import check, limit, run
from pages.shared.release_program.steps.check import LeftOut, ReleaseError, Tally
from tests.pages.shared import test_release_as_it_goes as as_it_goes
from tests.pages.shared.test_release_program import COUNT, MEAN, SUM, TABLE, facts, source_in

DRAW = Choice("permute_and_flip", 1.0, False, 1, 0.5, 0.0, 1.0, 101)
MEDIAN = quantile_statistic("Median", DRAW, 3.0, 0.05, "")
HIGH = quantile_statistic("High", replace(DRAW, quantile=0.9), 3.0, 0.05, "")
draws = as_it_goes.draws


def tallies_in(folder: Path, plan: dict[str, Any], text: str, **options: str) -> dict[str, Tally]:
    source = run.source_of(run.options_of(source_in(folder, text, **options)), plan)
    return limit.tallies_of(plan, source, [])


def test_the_terminal_says_how_many_values_count_as_an_end_of_their_range(tmp_path):
    plan = facts(SUM, COUNT)
    tallies = tallies_in(tmp_path, plan, "id,Sum\n1,5000\n2,3\n3,-9\n4,100\n", column="Sum=Sum")
    assert [(tally.n, tally.n_cut) for tally in tallies.values()] == [(4, 2), (4, 0)]
    assert check.beyond_text(plan, tallies) == (
        "'Sum': 2 of the 4 values that are counted are beyond 0 to 100 and count as its end, which changes the sum by "
        "-96 %"
    )
    assert check.beyond_text(plan, {name: replace(tally, n_cut=0) for name, tally in tallies.items()}) == ""
    both = tallies["Sum"] + tallies["Sum"]
    assert (both.n, both.n_cut) == (8, 4)
    assert both.limits == LeftOut(8, 0, 8, 0, 0, 2 * 5094, 2 * 5094, 2 * 203)


@pytest.mark.parametrize(
    ("statistic", "low", "n_beyond", "n", "is_stopped"),
    [
        (SUM, 2023, 9, 9, True),
        (MEAN, 2023, 3, 4, True),
        (MEAN, 2023, 2, 4, False),
        (MEDIAN, 2023, 9, 9, True),
        (MEDIAN, 2023, 5, 9, True),
        (MEDIAN, 2023, 4, 9, False),
        (HIGH, 2023, 8, 9, False),
        (HIGH, 2023, 9, 9, True),
    ],
)
def test_values_most_of_which_are_beyond_their_bounds_stop_a_release(tmp_path, statistic, low, n_beyond, n, is_stopped):
    plan, name = facts(statistic), statistic.name
    values = [*([low] * n_beyond), *([10] * (n - n_beyond))]
    text = "id,year\n" + "".join(f"{person},{value}\n" for person, value in enumerate(values))
    arguments = [*source_in(tmp_path, text, column="year"), *(["--join", "mean"] if statistic.kind != "sum" else [])]
    source, said = run.source_of(run.options_of(arguments), plan), list[object]()
    tallies = limit.tallies_of(plan, source, [])
    if not is_stopped:
        limit.checked_bounds(plan, source, tallies)
        return
    sentence = (
        f"'{name}' is planned for values from 0 to 100, and {n_beyond} of the {n} values of the column 'year' are "
        "beyond: name its column with --column, or plan with wider bounds, which must not come from the data."
    )
    with pytest.raises(ReleaseError) as stop:
        run.publish(plan, arguments, said.append)
    assert str(stop.value) == sentence
    assert said == []
    assert not (tmp_path / "out").exists()


def test_the_terminal_says_how_many_rows_the_limits_leave_out_and_what_that_takes_of_a_sum(tmp_path):
    plan = facts(
        replace(SUM, max_in_all=2, max_in_cell=2), COUNT, replace(COUNT, name="Visits", max_in_all=3, max_in_cell=3)
    )
    tallies = tallies_in(tmp_path, plan, "id,Sum\n" + "a,10\n" * 5 + "b,10\n" * 3 + "c,10\n", column="Sum=Sum")
    assert tallies["Sum"].limits == LeftOut(9, 4, 3, 2, 0, 90, 50, 50)
    assert tallies["Count"].limits == LeftOut(3, 0, 3, 0)  # of people: a person has no more than one
    assert check.beyond_text(plan, tallies) == (
        "'Sum': the limits on one person leave out 4 of 9 rows (2 of 3 people have more), which changes the sum by "
        "-44 %; 'Visits': the limits on one person leave out 2 of 9 rows (1 of 3 people have more)"
    )


def test_where_a_person_counts_once_in_a_category_a_second_row_is_a_repeat(tmp_path):
    plan = facts(replace(TABLE, max_cells=2, max_in_all=2))
    rows = "id,group\n" + "x,a\nx,a\nx,b\nx,c\n" + "y,b\n" * 5
    tallies = tallies_in(tmp_path, plan, rows, categories="group\na\nb\nc\n")
    assert tallies["Table"].limits == LeftOut(4, 1, 2, 1)
    assert "leave out 1 of 4 rows, repeats aside (1 of 2 people have more)" in check.beyond_text(plan, tallies)


def test_joined_values_are_not_left_out_and_what_clipping_does_to_a_mean_is_said(tmp_path):
    plan = facts(replace(MEAN, n_records=2, is_number_public=True))
    text = f"id,Mean\na,{MEAN.high}\na,{MEAN.high}\nb,{3 * MEAN.high}\n"
    tallies = tallies_in(tmp_path, plan, text, column="Mean=Mean")
    assert (tallies["Mean"].limits.n_rows, tallies["Mean"].limits.n_left_out) == (2, 0)
    assert check.beyond_text(plan, tallies).endswith("count as its end, which changes the mean by -50 %")
    assert "1 of the 2 values" in check.beyond_text(plan, tallies)


def test_the_message_is_confidential_and_no_file_has_it(tmp_path, draws):
    text = "id\n" + "a\n" * 5 + "b\n"
    said: list[str] = []
    arguments = [*source_in(tmp_path, text), "--out", str(tmp_path / "out")]
    run.publish(facts(replace(COUNT, max_in_all=2, max_in_cell=2)), arguments, lambda words: said.append(str(words)))
    (message,) = [words for words in said if "leave out" in words]
    assert "leave out 3 of 6 rows (1 of 2 people have more)" in message
    assert "never publish it" in message
    files = [path.read_text(encoding="utf-8") for path in (tmp_path / "out").iterdir()]
    assert len(files) == 2
    assert not any("leave out" in each or "of 6 rows" in each for each in files)


@pytest.mark.parametrize("are_all_rows_given", [False, True])
def test_a_series_as_it_goes_says_what_the_limits_leave_out_in_this_run_and_in_all(tmp_path, are_all_rows_given):
    plan = facts(as_it_goes.series_of(contributions=2))
    first, new = "a,2026-01\na,2026-02\nb,2026-01\nb,2026-01\nb,2026-02\n", "a,2026-03\nb,2026-03\nc,2026-03\n"
    said = as_it_goes.publish(tmp_path, plan, first, "--until", "2026-02")
    assert not any("leave out" in words for words in said)
    said = as_it_goes.publish(tmp_path, plan, first * are_all_rows_given + new, "--until", "2026-03")
    (message,) = [words for words in said if "leave out" in words]
    more = "rows, repeats aside (2 of 3 people have more)"
    assert f"leave out 2 of 3 {more}. In all runs the limits leave out at least 2 of 7 {more}. This" in message
    said = as_it_goes.publish(tmp_path, plan, "d,2026-04\n", "--until", "2026-04")
    (message,) = [words for words in said if "leave out" in words or "In all runs" in words]
    assert message.startswith(
        "In all runs the limits leave out at least 2 of 8 rows, repeats aside (2 of 4 people have more). This"
    )
    record = as_it_goes.record(tmp_path, 2)
    for published in (*record["limits"].values(), record["statement"]):
        assert "the earliest where there are more" in published
        assert "random where" not in published


def test_a_folder_of_an_earlier_version_goes_on_and_counts_what_is_left_out_from_then_on(tmp_path):
    plan = facts(as_it_goes.series_of(contributions=1))
    as_it_goes.publish(tmp_path, plan, "a,2026-01\na,2026-02\n", "--until", "2026-02")
    path = tmp_path / "out" / as_it_goes.series.SECRET
    path.write_text(path.read_text(encoding="utf-8").replace('"left_out"', '"unknown"'), encoding="utf-8")
    said = as_it_goes.publish(tmp_path, plan, "b,2026-03\n", "--until", "2026-03")
    assert not any("leave out" in words or "In all runs" in words for words in said)
    said = as_it_goes.publish(tmp_path, plan, "a,2026-04\n", "--until", "2026-04")
    assert any("In all runs the limits leave out at least 1 of 3 rows" in words for words in said)
