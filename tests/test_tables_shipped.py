import doctest
from pathlib import Path

import pandas as pd
import pytest

from dpcore import readers, tables
from dpcore.tables import cells as tables_cells

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def test_the_examples_of_the_shipped_tables_give_what_they_show():
    assert doctest.testmod(tables_cells).failed == 0


def test_the_czech_table_has_the_published_64_counts_of_1841_men_and_one_empty_cell():
    frame = tables.czech_autoworkers()
    assert len(frame) == 64
    assert sum(frame["count"]) == 1841
    assert frame["count"].tolist().count(0) == 1
    assert len(set(frame["cell"])) == 64
    assert frame["cell"].tolist()[1] == "smoke 1, mental 0, phys 0, systol 0, protein 0, family 0"


def test_the_mildew_table_has_the_published_64_counts_of_70_offspring_in_22_cells():
    frame = tables.mildew()
    assert len(frame) == 64
    assert sum(frame["count"]) == 70
    assert sum(frame["count"] > 0) == 22
    assert len(set(frame["cell"])) == 64
    assert frame["cell"].tolist()[4] == "la10 1, locc 1, mp58 2, c365 1, p53a 1, a367 1"


@pytest.mark.skipif(not DATA.is_dir(), reason="the shared data sets are not beside this clone")
@pytest.mark.parametrize(("name", "table"), [("czech", tables.czech_autoworkers), ("mildew", tables.mildew)])
def test_a_shipped_table_is_that_of_the_data_set_cell_by_cell(name, table):
    published, frame = pd.read_csv(DATA / f"{name}.csv"), table()
    assert frame["count"].tolist() == published["count"].tolist()
    factors = published.columns[:-1]
    cells = [", ".join(f"{name} {row[name]}" for name in factors) for _, row in published.iterrows()]
    assert frame["cell"].tolist() == cells


@pytest.mark.skipif(not DATA.is_dir(), reason="the shared data sets are not beside this clone")
@pytest.mark.parametrize(("name", "table"), [("czech", tables.czech_autoworkers), ("mildew", tables.mildew)])
def test_the_file_of_a_published_table_is_read_as_the_table_that_ships(name, table):
    table_read = readers.read_table((DATA / f"{name}.csv").read_bytes())
    pd.testing.assert_frame_equal(table_read.frame, table())
