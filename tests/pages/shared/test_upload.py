from dataclasses import replace

import pandas as pd
import pytest

from pages.shared.counts.upload import TableResult, browser_copy, result_of_copy, result_of_frame


@pytest.mark.parametrize(("stored", "least"), [(4, 4), ("4", None)])
def test_a_table_without_its_file_keeps_what_its_suppressed_counts_require(stored, least):
    copy = browser_copy(result_of_frame(pd.DataFrame({"cell": ["N", "S"], "count": [112, 4]}), 4))
    assert copy is not None
    result = result_of_copy(replace(copy, choices={**copy.choices, "least": stored}))
    counts = result.upload.counts if isinstance(result, TableResult) else None
    assert (counts and counts.least_per_cell) == least
