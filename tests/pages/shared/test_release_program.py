"""The program of a release: its texts are data, and its steps but the noise, which tests/peers runs with OpenDP."""

import ast
import csv
import io
import json
import math
from collections import Counter
from dataclasses import replace
from functools import cache
from inspect import getsource
from pathlib import Path
from typing import Any

import nbformat
import pytest

from pages.framework.rendering import render
from pages.shared.release_program.code_files import STEPS, SURVEY_STEPS, TRAINING_STEPS
from pages.shared.release_program.program import ReleasePlan, Statistic, notebook, python_file
from pages.shared.release_program.steps import check, ledger, limit, noise, run, write
from pages.shared.release_program.steps.check import Entry, ReleaseError, Source
from pages.shared.release_program.steps.options import by_statistic
from pages.shared.site_map import TABLES
from tests.programs import at, downloaded

COUNT = Statistic("Count", "count", "geometric", 1.0, 1.0, 1.0, True, 3.0, "…", "people")
TABLE = replace(COUNT, name="Table", kind="table", n_cells=3)
SUM = Statistic("Sum", "sum", "laplace", 100.0, 100.0, 100.0, False, 300.0, "…", low=0.0, high=100.0)
MEAN = replace(SUM, name="Mean", kind="mean", scale=25.0, l1=25.0, l2=25.0, n_records=4, is_number_public=True)
BY_OPENDP = noise.Composition(lambda _: [], 0.99, 1e-7)
HOSTILE = (
    *("'); import os; os.abort()  #", '""" + evil() + """', "'''\n\\", "{evil}", "%s", "</script>", "\u202e\u2028x"),
    *("=HYPERLINK(1)", "+1", "-x", "@x", "\t=1", "\r=1", "＝1", "a\n=b", "\\N{BULLET}", "\x00"),
)


def plan_of(*statistics: Statistic, text: str = "") -> ReleasePlan:
    return ReleasePlan(statistics, 1.0, 0.0, "add_remove", f"Conditions.{text}", f"Statement.{text}")


def facts(*statistics: Statistic) -> dict[str, Any]:
    return plan_of(*statistics).facts("https://example.org/Tables")


def plan_in(code: str) -> Any:
    """Return the plan of a program, which ends where the next part begins."""
    return ast.literal_eval(f"\n{code}".partition("\nPLAN = ")[2].partition("\n\n\n")[0])


def is_plan(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PLAN"


def without_plan(code: str) -> list[str]:
    """Return the statements of a program without its plan."""
    return [ast.dump(node) for node in ast.parse(code).body if not is_plan(node)]


@cache
def around_plan() -> tuple[str, str]:
    """Return what stands before and after the plan in a program."""
    code = python_file(plan_of(COUNT), "https://x/")
    (plan,) = filter(is_plan, ast.parse(code).body)
    lines = code.split("\n")
    return "\n".join(lines[: plan.lineno - 1]), "\n".join(lines[plan.end_lineno :])


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_in_a_program_are_data_and_never_code(text):
    plan = plan_of(replace(COUNT, name=f"a{text}", unit=text), text=text)
    code, (before, after) = python_file(plan, f"https://x/{text}"), around_plan()
    assert code.startswith(f"{before}\n")
    assert code.endswith(f"\n{after}")
    (statement,) = ast.parse(code.removeprefix(before).removesuffix(after)).body
    assert is_plan(statement)
    assert plan_in(ast.unparse(statement)) == plan.facts(f"https://x/{text}")
    written, plain = (
        nbformat.reads(text, as_version=4) for text in (notebook(plan, text), notebook(plan_of(COUNT), ""))
    )
    nbformat.validate(written)
    cells = [cell.source for cell in written.cells]
    changed = [source for source, cell in zip(cells, plain.cells, strict=True) if source != cell.source]
    assert [plan_in(source) for source in changed] == [plan.facts(text)]
    (statement,) = ast.parse(changed[0]).body
    assert is_plan(statement)
    assert text not in "".join(cell.source for cell in written.cells if cell.cell_type == "markdown")


@pytest.mark.parametrize("text", [text for text in HOSTILE if text != "\x00"])
def test_no_text_of_a_release_is_a_formula_for_a_spreadsheet_or_a_new_line(tmp_path, text):
    (tmp_path / "list.csv").write_text("")
    with (tmp_path / "list.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["group"], [text], ["b"], ["c"]])
    source = Source(Path(), "", {}, {text: tmp_path / "list.csv"})
    rows = write.numbers_rows(facts(replace(TABLE, name=text, unit=text)), source, [[1, -2, 3]])
    assert [row[2] for row in rows[1:]] == ["1", "-2", "3"]
    cells = [cell for row in rows for cell in (*row[:2], row[4])]
    assert not [cell for cell in cells if cell.startswith(check.FORMULA_STARTS) or "\n" in cell or "\r" in cell]


STEP_MODULES = dict(TRAINING_STEPS + SURVEY_STEPS + STEPS).values()


@pytest.mark.parametrize("module", STEP_MODULES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_no_step_of_a_program_draws_by_python_s_or_numpy_s_floating_point_generators(module):
    for node in ast.walk(ast.parse(getsource(module))):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [getattr(node, "module", None) or "", *(name.name for name in node.names)]
            assert not {part for name in names for part in name.split(".")} & {"random", "numpy", "scipy"}
        if isinstance(node, ast.Attribute):
            assert ast.unparse(node) not in ("numpy.random", "np.random")
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "module_named":
            assert "random" not in ast.unparse(node.args[0])


def test_no_step_defines_a_name_of_another_one():
    bodies = [
        ast.parse(getsource(module)).body
        for module in dict.fromkeys(module for _, module in (*STEPS, *SURVEY_STEPS, *TRAINING_STEPS))
    ]
    names = Counter(
        name
        for body in bodies
        for node in body
        for name in (
            [node.name]
            if isinstance(node, ast.FunctionDef | ast.ClassDef)
            else [ast.unparse(target) for target in node.targets]
            if isinstance(node, ast.Assign)
            else []
        )
    )
    assert len(names) > 50
    assert [name for name, times in names.items() if times > 1] == []


@pytest.mark.parametrize("setting", ["/Tables", "/Accuracy", "/Accuracy?query=mean", "/Accuracy?query=histogram"])
def test_the_notebook_has_the_program_of_the_python_file(setting):
    cells = nbformat.reads(downloaded(setting, "release.ipynb"), as_version=4).cells
    notebook_code = "\n\n\n".join(cell.source for cell in cells if cell.cell_type == "code")
    code = downloaded(setting)
    assert plan_in(notebook_code) == plan_in(code)
    _docstring, *steps, _call = without_plan(code)
    assert steps == without_plan(notebook_code)[:-1]


def test_a_program_has_nothing_of_the_users_own_table_not_even_where_the_link_has_it():
    entries_of_link = {"table": "own", "contribution": "once", "fixed": "yes", "own": "Secretville=4711;b=3;c=8"}
    for name in ("release.py", "release.ipynb"):
        request = render.RenderRequest(
            TABLES.script, tuple(entries_of_link.items()), "light", render.download, name, "https://example.org"
        )
        text = request().decode()
        plan = plan_in_any(text)
        assert plan["statistics"][0]["n_cells"] == 3
        assert plan["link"].startswith("https://example.org/Tables?")
        assert "fixed=yes" in plan["link"]
        assert "4711" not in text
        assert "Secretville" not in text
        assert not render.RenderRequest(TABLES.script, (), "light", render.download, "other.py", "")()


def plan_in_any(text: str) -> Any:
    if not text.startswith("{"):
        return plan_in(text)
    return plan_in("\n".join(cell.source for cell in nbformat.reads(text, as_version=4).cells[1:2]))


@pytest.mark.parametrize(
    "setting",
    [
        "/Tables?contribution=unlimited",
        "/Tables?fixed=no",
        "/Tables?table=own&own=a=1;b=2;c=3",
        "/Tables?per_cell=0.5&contribution=limited",
        "/Accuracy?query=own",
        "/Clipping?query=mean",
        "/Clipping?noise=truncated_laplace",
        "/Accuracy?curator=people",
    ],
)
def test_no_program_where_a_condition_is_denied_or_open_or_the_plan_is_not_for_it(setting):
    topic, result = at(setting)
    assert topic.open_section(result).downloads(result) is None


def source_in(folder: Path, text: str, person: str = "id", column: str = "", categories: str = "") -> list[str]:
    (folder / "data.csv").write_text(text, encoding="utf-8")
    (folder / "list.csv").write_text(categories, encoding="utf-8")
    arguments = [str(folder / "data.csv"), "--out", str(folder / "out")]
    arguments += ["--person", person] if person else []
    arguments += ["--column", column] if column else []
    return [*arguments, *(["--categories", str(folder / "list.csv")] if categories else [])]


GROUPS = "group\na\nb\nc\n"


@pytest.mark.parametrize(
    ("statistic", "text", "options", "sentence"),
    [
        (COUNT, "", {}, "has no rows"),
        (COUNT, "id\n", {}, "has no rows"),
        (COUNT, "a,a\n1,2\n", {}, "Two columns of the file have the same name"),
        (COUNT, "name\nx\n", {}, "has no column 'id'; it has 'name'"),
        (COUNT, "id,v\n1\n", {}, "Line 2 has 1 fields, and the first line has 2, read as separated by commas"),
        (COUNT, "id;v\n1\n", {}, "Line 2 has 1 fields, and the first line has 2, read as separated by semicolons"),
        (SUM, "id;v\n1;2,5\n2;3\n", {"column": "v"}, "Line 2 has '2,5' for 'Sum', with a comma: write the numbers"),
        (COUNT, "id,v\n,1\n", {}, "line 2 has nobody in the column 'id'"),
        (COUNT, 'id\n"1', {}, "can’t be read as CSV"),
        (COUNT, "id\n1\n", {"person": ""}, "Say who a row belongs to"),
        (SUM, "id,v\n1,2\n", {}, "Name the one column of 'Sum'"),
        (SUM, "id,v\n1,2\n", {"column": "w"}, "has no column 'w'"),
        (SUM, "id,v\n1,x\n", {"column": "v"}, "line 2 has 'x' for 'Sum', which is no number"),
        (SUM, "id,v\n1,nan\n", {"column": "v"}, "which is no number"),
        (SUM, "id,v\n1,\n", {"column": "v"}, "line 2 has '' for 'Sum', which is no number"),
        (replace(SUM, whole=True), "id,v\n1,2.5\n", {"column": "v"}, "needs whole numbers"),
        (replace(SUM, low=9e15, high=1e16), "id,v\n1,1e16\n2,1e16\n", {"column": "v"}, "too large for exact sums"),
        (MEAN, "id,v\n1,2\n2,2\n3,2\n", {"column": "v"}, "needs exactly 4 records"),
        (MEAN, "id,v\n1,2\n2,2\n3,2\n3,4\n", {"column": "v"}, "Person '3' has 2 different values of 'Mean'"),
        (replace(MEAN, is_number_public=False), "id,v\n1,2\n2,2\n3,2\n", {"column": "v"}, "needs at least 4 records"),
        (TABLE, "id,group\n1,a\n", {}, "must not come from the data"),
        (TABLE, "id,group\n1,d\n", {"categories": GROUPS}, "line 2 has 'd' for 'Table', which is not in its list"),
        (TABLE, "id,group\n1,a\n", {"categories": "group\na\nb\n"}, "has 2 categories, and the plan is made for 3"),
        (TABLE, "id,group\n1,a\n", {"categories": "group\na\nb\nb\n"}, "has one of them twice"),
        (TABLE, "id,group\n1,a\n", {"categories": "place\na\nb\nc\n"}, "The file has no column 'place'"),
        (
            TABLE,
            "id,group\n1,a\n",
            {"categories": GROUPS, "column": "id"},
            "line 2 has '1' for 'Table', which is not in",
        ),
    ],
)
def test_a_file_that_breaks_the_plan_stops_in_a_sentence(tmp_path, statistic, text, options, sentence):
    with pytest.raises(ReleaseError, match=r".") as stop:
        run.publish(facts(statistic), source_in(tmp_path, text, **options))
    message = str(stop.value)
    assert sentence in message
    assert "\n" not in message
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_file_with_commas_semicolons_or_tabs_is_read_and_a_list_of_one_column_too(tmp_path, separator, encoding):
    text = 'id,group\n1,a\n2,"b;c"\n3,a\n'.replace(",", separator)
    arguments = source_in(tmp_path, "", categories="group\na\nb;c\nd\n")
    (tmp_path / "data.csv").write_text(text, encoding=encoding)
    source = run.source_of(run.options_of(arguments), facts(TABLE))
    run.checked_columns(facts(TABLE), source)
    assert limit.aggregates_of(facts(TABLE), source) == {"Table": [2, 1, 0]}


def test_a_missing_file_and_a_statistic_without_a_name_stop_in_a_sentence(tmp_path):
    with pytest.raises(ReleaseError, match="be read as CSV"):
        run.publish(facts(COUNT), [str(tmp_path / "none.csv"), "--each-row-a-person"])
    arguments = source_in(tmp_path, "id,v\n1,2\n", column="v")
    with pytest.raises(ReleaseError, match=r"Write STATISTIC=…, not 'v': the statistics are 'Sum'"):
        run.publish(facts(SUM, MEAN), arguments)
    assert by_statistic(["Sum=a", "Sum=b", "Mean=c=d"], facts(SUM, MEAN)) == {
        "Sum": ("a", "b"),
        "Mean": ("c=d",),
    }


def test_a_command_that_lacks_several_options_is_told_all_of_them_at_once(tmp_path):
    with pytest.raises(ReleaseError) as stop:
        run.publish(facts(COUNT, TABLE, SUM, MEAN), source_in(tmp_path, "id,v\n1,2\n"))
    assert str(stop.value) == (
        "Add --categories 'Table=LIST.csv' --column 'Sum=COLUMN' --column 'Mean=COLUMN', with the public lists and the "
        "columns, which are 'id', 'v'."
    )


def entries(*people: tuple[str, int, float]) -> list[Entry]:
    return [Entry(*each) for each in people]


def aggregated(kept: list[Entry], statistic: dict[str, Any]) -> list[int]:
    return limit.aggregated(limit.tally_of(kept, statistic), statistic)


def limits(cells: int, in_cell: int, in_all: int) -> dict[str, Any]:
    return {"max_cells": cells, "max_in_cell": in_cell, "max_in_all": in_all}


def test_what_a_person_contributes_is_within_every_limit_and_as_much_as_it_allows():
    rows = [("a", place % 6, 1.0) for place in range(60)] + [("b", 0, 1.0)]
    for cells, in_cell, in_all, expected in [(1, 1, 1, 1), (2, 3, 6, 6), (6, 10, 7, 7), (6, 10, 60, 60), (2, 20, 9, 9)]:
        kept = limit.limited(entries(*rows), limits(cells, in_cell, in_all))
        own = Counter(entry.cell for entry in kept if entry.person == "a")
        assert len(own) <= cells
        assert max(own.values()) <= in_cell
        assert own.total() == expected
        assert len(kept) == expected + 1


def test_which_records_of_a_person_are_kept_is_random_whatever_their_order_and_value():
    n, rows = 4000, entries(*(("a", place, value) for place, value in enumerate([9.0, 1.0, 5.0, 1.0])))
    chosen = Counter(limit.limited(rows, limits(1, 1, 1))[0].cell for _ in range(n))
    error = math.sqrt(n * 3 / 16)
    assert all(abs(chosen[place] - n / 4) < 5 * error for place in range(4))


def test_the_same_file_keeps_other_records_each_time_since_no_seed_is_set():
    rows = entries(*(("a", 0, float(place)) for place in range(10_000)))
    first, second = (limit.limited(rows, limits(1, 1, 1))[0].value for _ in range(2))
    assert first != second or limit.limited(rows, limits(1, 1, 1))[0].value != first


def test_people_are_counted_and_not_rows():
    rows = entries(*(("a", 0, 1.0),) * 7, ("b", 0, 1.0))
    (statistic,) = facts(COUNT)["statistics"]
    assert aggregated(limit.limited(rows, statistic), statistic) == [2]


def test_values_are_clipped_to_the_bounds_of_the_plan_and_not_of_the_data():
    (statistic,) = facts(SUM)["statistics"]
    step = limit.step_of(statistic)
    near, far = (
        aggregated(entries(("a", 0, 10.0), ("b", 0, high), ("c", 0, -high)), statistic) for high in (100.0, 1e9)
    )
    assert near == far == [110 / step]


def test_a_mean_gets_the_noise_of_a_mean_and_a_sum_that_of_a_sum():
    for statistic in facts(SUM, MEAN)["statistics"]:
        step = limit.step_of(statistic)
        low, high = (
            aggregated(entries(*((str(place), 0, value) for place, value in enumerate(values))), statistic)[0]
            for values in ([0.0, 50.0, 50.0, 50.0], [100.0, 50.0, 50.0, 50.0])
        )
        assert (high - low) * step == pytest.approx(statistic["l1"], rel=1e-6)
        assert high - low <= noise.sensitivity_in_steps(statistic) <= (high - low) * (1 + 1e-6) + 2


def test_sums_are_exact_where_floating_point_is_not():
    (statistic,) = facts(replace(SUM, high=2.0**20, l1=2.0**20, l2=2.0**20))["statistics"]
    values = [2.0**20, *[2.0**-4] * 16, 2.0**20]
    rows = entries(*((str(place), 0, value) for place, value in enumerate(values)))
    assert aggregated(rows, statistic) == [(2**21 + 1) / limit.step_of(statistic)]


def test_several_columns_of_a_list_make_one_table(tmp_path):
    arguments = source_in(tmp_path, "id,x,y\n1,a,b\n2,a,c\n3,a,b\n", categories="x,y\na,b\na,c\nb,b\n")
    source = run.source_of(run.options_of(arguments), facts(TABLE))
    run.checked_columns(facts(TABLE), source)
    assert limit.aggregates_of(facts(TABLE), source) == {"Table": [2, 1, 0]}


def test_a_second_release_into_a_folder_is_refused_and_says_what_it_costs(tmp_path):
    plan = facts(COUNT)
    first = ledger.ledger_of(tmp_path, plan, False)
    with pytest.raises(ReleaseError, match=r"with it ε = 2 and δ = 0 in all\. Use --again"):
        ledger.ledger_of(tmp_path, plan, False)
    write.written(first, plan, [["a"]], BY_OPENDP, {})
    second = ledger.ledger_of(tmp_path, plan | {"epsilon": 0.5, "delta": 1e-6}, True)
    assert (second.number, second.epsilon, second.delta) == (2, 1.5, 1e-6)
    with pytest.raises(ReleaseError, match=r"ε = 2.5"):
        ledger.ledger_of(tmp_path, plan, False)


def test_the_statement_has_all_terms_of_the_guarantee(tmp_path):
    plan = facts(COUNT, SUM)
    sentence = write.written(
        ledger.ledger_of(tmp_path, plan, False),
        plan,
        [["a", "b"], ["=1", "2"]],
        BY_OPENDP,
        {"Count": "each person once"},
    )
    assert "release-1.csv" in sentence
    said = json.loads((tmp_path / "release-1.json").read_text(encoding="utf-8"))
    terms = ("unit", "neighbours", "epsilon", "delta", "conditions", "statement", "version", "link")
    assert {key: said[key] for key in terms} == {key: plan[key] for key in terms}
    assert [each["noise"] for each in said["mechanisms"]] == ["geometric", "laplace"]
    assert said["check_by_opendp"] == {"epsilon_at_most": 0.99, "delta": 1e-7}
    rows = list(csv.reader(io.StringIO((tmp_path / "release-1.csv").read_text(encoding="utf-8"))))
    assert rows[0] == ["a", "b"]
