"""The call of the program of a release: it says all that the plan needs, on the page and in the program's own help."""

import csv
import shlex
import sys
from dataclasses import replace

import pytest

from dpcore import linear_queries
from pages.shared.release_program.program import release_downloads
from pages.shared.release_program.steps import options, run
from pages.shared.release_program.steps.check import ReleaseError
from tests.pages.shared.test_release_program import COUNT, HOSTILE, MEAN, SUM, TABLE, facts, source_in
from tests.pages.shared.test_release_series import planned
from tests.programs import downloaded

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


def test_a_missing_library_is_said_before_the_data_are_read(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "opendp.prelude", None)
    said: list[object] = []
    for file in ("none.csv", "data.csv"):
        arguments = source_in(tmp_path, "id,v\n1,x\n", column="v")
        with pytest.raises(ReleaseError, match=r"^OpenDP is not installed: run pip install 'opendp"):
            run.publish(facts(SUM), [str(tmp_path / file), *arguments[1:]], said.append)
    assert said == []


def test_the_help_says_where_the_numbers_go_and_in_which_forms_a_year_is_written(capsys):
    with pytest.raises(SystemExit):
        run.publish(facts(COUNT), ["--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "from a CSV file on this machine, in the folder release or --out." in text
    assert "the folder release, unless you say another one" in text
    assert "its year, written as 2025, 2025-01 or 2025-01-31" in text
    assert "written to the folder release, or to that which --out names" in " ".join(downloaded("/Accuracy").split())
