"""Which cells of a large table are drawn, in words, as a report has the picture without the fields beside it."""

import numpy as np

from pages.framework.export.exhibit import Item
from pages.framework.export.report_items import rebuild
from pages.shared.site_map import TABLES
from pages.tables.cells.section import drawn_text
from tests.pages.conftest import found_by

COUNTS = [1000 - 10 * place for place in range(43)] + [1, 2, 0, 1, 0]
OWN = ";".join(f"c{place}={count}" for place, count in enumerate(COUNTS))
LINK = {"section": "table", "table": "own", "own": OWN, "contribution": "once", "fixed": "yes"}


def test_a_picture_says_which_cells_it_shows_and_how_many_others_look_like_an_empty_one():
    result = found_by("tables", **LINK)
    assert result.n_cells == 48
    assert int(np.sum(~result.is_usable)) == 5
    said = "; drawn: 1–40 of 48, the largest first; 5 of the others look like an empty cell"
    assert drawn_text(result) == said
    assert drawn_text(found_by("tables", **LINK, first_cell="41")) == "; drawn: 41–48 of 48, the largest first"
    assert "as in the table" in drawn_text(found_by("tables", **LINK, cell_order="table"))
    few = found_by("tables", **LINK | {"own": "a=5;b=7"})
    assert drawn_text(few) == ""
    item = rebuild(Item(TABLES, "cells", tuple(LINK.items())))
    assert item.exhibit is not None
    assert not isinstance(item.exhibit.picture, str)
    assert said in item.exhibit.picture["layout"]["title"]["subtitle"]["text"]
