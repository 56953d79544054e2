import json

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
    assert counts.changed.startswith("The cell Total is the sum of the others and is left out.")
    assert counts.changed in " ".join(read.notes)


@pytest.mark.parametrize("section", ["table", "mechanisms", "release"])
def test_empty_counts_that_are_read_as_0_are_named_with_the_answer(section):
    data = b"district,visits\nJosefstadt,\nHernals,-\nWieden,12\nTotal,12\n"
    refused = read_upload(DataFiles({"text": ("", data)}, CHOICES), QUIET)
    assert [offer.label for offer in refused.offers] == ["Read empty cells and dashes as 0"]
    read = read_upload(DataFiles({"text": ("", data)}, CHOICES | {"repairs": ("empty",)}), QUIET)
    assert read.content.counts is not None
    changed = read.content.counts.changed
    assert changed.startswith("2 empty counts or dashes are read as 0: Josefstadt, Hernals. The cell Total is the sum")
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
