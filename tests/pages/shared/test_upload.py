import json

import pandas as pd
import pytest

from pages.framework.rendering.workers.jobs import Progress
from pages.framework.session.data_files import DataFiles
from pages.shared.counts import upload
from pages.shared.counts.table import YOURS, Counts
from pages.shared.counts.upload import CHOICES, ROWS, read_upload

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
    assert counts.left_out.startswith("The cell Total is the sum of the others and is left out.")
    assert counts.left_out in " ".join(read.notes)
