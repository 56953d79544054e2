"""The call of the program of a release: it says all that the plan needs, on the page and in the program's own help."""

import csv
import shlex
from dataclasses import replace

import pytest

from dpcore import linear_queries
from pages.shared.release_program.program import release_downloads
from pages.shared.release_program.steps import options, run
from tests.pages.shared.test_release_program import COUNT, HOSTILE, MEAN, SUM, TABLE, facts
from tests.pages.shared.test_release_series import planned

SERIES = planned(linear_queries.error("running_totals", "per_period", 12, publication="as_it_goes"))
STATISTICS = (COUNT, TABLE, SUM, MEAN, SERIES)


def test_a_call_names_all_that_the_program_needs_of_the_user(tmp_path):
    files = release_downloads(STATISTICS, (1.0, 1e-6), "add_remove", None, lambda: None)
    assert files is not None
    (call,) = files.calls
    known = {"FILE.csv": str(tmp_path / "data.csv"), "LIST.csv": str(tmp_path / "list.csv"), "FIRST-MONTH": "2026-01"}
    for word, what in (known | {"PERSON-COLUMN": "id", "=COLUMN": "=v"}).items():
        assert word.lstrip("=") in files.call_text
        call = call.replace(word, what)
    with (tmp_path / "data.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["id", "v"], ["a", "1"]])
    with (tmp_path / "list.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["v"], *([f"c{place}"] for place in range(TABLE.n_cells or 0))])
    assert ("`--join`" in files.call_text) == (" --join " in call)
    plan = facts(*STATISTICS)
    source = run.source_of(run.options_of(shlex.split(call)[2:]), plan)
    assert run.missing_options(plan, source) == []
    run.checked_columns(plan, source)


@pytest.mark.parametrize("name", [*(text for text in HOSTILE if text != "\x00"), "100 %(prog)s of %d"])
def test_the_help_of_a_program_has_its_call_whatever_its_statistics_are_called(capsys, name):
    calls = options.calls_of([facts(replace(MEAN, name=name))["statistics"][0]])
    with pytest.raises(SystemExit):
        run.options_of(["--help"], calls)
    assert calls[0] in capsys.readouterr().out
    assert f"{name}=COLUMN" in shlex.split(calls[0])
