import json
from dataclasses import replace

import pandas as pd
import pytest

from pages.framework import link as links
from pages.framework.parameters.number_format import without_markdown
from pages.framework.rendering.workers.jobs import Progress
from pages.framework.session.data_files import DataFiles
from pages.shared.counts import upload
from pages.shared.counts.table import YOURS, Counts
from pages.shared.counts.table_notes import ALL_REPAIRS, ALL_WITH_EMPTY
from pages.shared.counts.upload import CHOICES, ROWS, read_upload
from pages.tables.page import PAGE as TABLES_PAGE
from tests.pages.conftest import read_link

PEOPLE = [{"people": people} for people in ("3", [1, 2], ["1", 2, 3], {"a": 1})]
QUIET = Progress(lambda _: None)


def copy_of_cells() -> dict:
    copy = upload._rows_of_counts(Counts(pd.DataFrame({"cell": ["N", "S"], "count": [112, 4]}), YOURS, 4))
    assert copy is not None
    return json.loads(copy.files[ROWS][1])


def read_copy(head: dict) -> Counts | None:
    return read_upload(DataFiles({ROWS: ("", json.dumps(head).encode())}), QUIET).content.counts


def test_a_table_without_its_file_keeps_what_its_suppressed_counts_require():
    counts = read_copy(copy_of_cells())
    assert counts is not None
    assert counts.least_per_cell == 4
    assert counts.frame["count"].tolist() == [112.0, 4.0]


@pytest.mark.parametrize("damage", [{"least": "4"}, {"rows": [["N", -1]]}, {"rows": []}, {"rows": 3}, *PEOPLE])
def test_a_damaged_copy_is_no_table(damage):
    with pytest.raises(ValueError, match="the copy in this tab is damaged"):
        read_copy(copy_of_cells() | damage)


def test_totals_of_a_file_that_are_no_cells_are_said_with_the_table():
    read = read_upload(DataFiles({"text": ("", b"cell,count\nN,3\nS,4\nTotal,7\n")}, CHOICES), QUIET)
    counts = read.content.counts
    assert counts is not None
    assert counts.frame["cell"].tolist() == ["N", "S"]
    assert counts.changed == "The cell “Total” is the sum of the others and is left out."
    assert any("count it under “sets of totals”" in note for note in read.notes)
    assert counts.changed in " ".join(read.notes)


@pytest.mark.parametrize("section", ["table", "mechanisms", "release"])
def test_empty_counts_that_are_read_as_0_are_named_with_the_answer(section):
    data = b"district,visits\nJosefstadt,\nHernals,-\nWieden,12\nTotal,12\n"
    refused = read_upload(DataFiles({"text": ("", data)}, CHOICES), QUIET)
    assert [offer.label for offer in refused.offers] == ["Read empty cells and dashes as 0"]
    read = read_upload(DataFiles({"text": ("", data)}, CHOICES | {"repairs": ("empty",)}), QUIET)
    assert read.content.counts is not None
    changed = read.content.counts.changed
    assert changed.startswith("2 empty counts or dashes are read as 0: Josefstadt, Hernals. The cell “Total” is the")
    confirmed = {"contribution": "once", "fixed": "yes", "curator": "office", "others": "none", "table": "own"}
    values = links.values(read_link("tables", section=section, **confirmed)[0])
    result = TABLES_PAGE.compute(values, read.content)
    assert without_markdown(TABLES_PAGE.answer_text(result)[-1]) == changed
    assert TABLES_PAGE.conditions_text(result).startswith("You confirmed: each person counts once; ")


def test_the_button_for_all_repairs_says_that_empty_counts_become_0():
    def first_offer(data):
        return read_upload(DataFiles({"text": ("", data)}, CHOICES), QUIET).offers[0].label

    assert first_offer(b'a,n\nx,"2.340"\ny,\nz,7\n') == ALL_WITH_EMPTY
    assert first_offer(b'Table 1: visits\na,n,m\nx,"2.340",5\ny,3,7\nz,7,8\n') == ALL_REPAIRS


SHARES = b"Visits 2025;;\n\narea;visits;share %\nN;12;37,5\nS;20;62,5\n"


def test_the_button_that_leaves_out_a_column_names_it_and_problems_of_a_kind_are_one_line():
    read = read_upload(DataFiles({"text": ("", SHARES)}, CHOICES), QUIET)
    assert [offer.label for offer in read.offers] == [
        ALL_REPAIRS,
        "Leave out titles and notes",
        "Leave out the column “share %”",
    ]
    assert len(read.details.splitlines()) == 2
    repaired = read_upload(DataFiles({"text": ("", SHARES)}, {**CHOICES, **read.offers[0].choices}), QUIET)
    assert repaired.content.counts is not None
    assert repaired.content.counts.frame["count"].tolist() == [12.0, 20.0]


@pytest.mark.parametrize(
    ("data", "buttons", "said"),
    [
        (
            b"North,\nSouth,12\nEast,7\n",
            ["The first row is the header", "Read empty cells and dashes as 0"],
            "Line 1, column 2: the first row, North, has no count; it may be a header.",
        ),
        (
            b"area,men,percent\nNorth,210,21\nSouth,300,30\n",
            ["Leave out the column “percent”", "Read the column “percent” as counts"],
            "Line 1, column 3 (percent): it is named as shares, not as counts.",
        ),
    ],
)
def test_a_question_about_a_file_has_a_button_for_each_answer_and_none_for_all(data, buttons, said):
    read = read_upload(DataFiles({"text": ("", data)}, CHOICES), QUIET)
    assert [offer.label for offer in read.offers] == buttons
    assert said in read.details
    for offer in read.offers:
        answered = read_upload(DataFiles({"text": ("", data)}, {**CHOICES, **offer.choices}), QUIET)
        assert answered.content.counts is not None


def test_the_column_of_counts_can_be_chosen_also_where_the_file_is_refused():
    def field_of(data, **choices):
        files = DataFiles({"text": ("", data)}, CHOICES | {"kind": "column"} | choices)
        read = read_upload(files, QUIET)
        fields = {field.name: field for field in upload.choice_fields(replace(files, memory=read.memory))}
        return read.problem, fields.get("counts")

    good, bad = (b"area;visits;staff\nN;12;%s\nS;20;5\nW;7;9\n" % staff for staff in (b"3", b"x"))
    problem, field = field_of(good)
    assert not problem
    assert field is not None
    assert (field.used, field.options) == ("staff", ("visits", "staff"))
    problem, field = field_of(bad)
    assert problem
    assert field is not None
    assert (field.used, field.options) == ("staff", ("visits", "staff"))
    assert field_of(bad, counts="visits")[0] == ""
    assert field_of(b"area;visits\nN;12\nS;20\n")[1] is None
