"""The CSV file of an exhibit, in which a spreadsheet runs nothing as a formula."""

import csv
import re
from datetime import date
from io import StringIO
from typing import Any

import pandas as pd

from pages.framework.export.exhibit import Exhibit
from pages.framework.parameters.number_parser import is_plain
from pages.framework.site import site

_FORMULA_STARTS = ("=", "+", "-", "−", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
_PARTS_BETWEEN = {marks: re.compile(f"(?<=[{marks}])( *)([^{marks}]+)") for marks in (";\t", ",;\t|")}


def csv_text(exhibit: Exhibit, link: str = "", day: str = "") -> str:
    """Return the numbers of an exhibit as CSV, after comment lines: link, version, date, the parameters and units.

    `day` is YYYY-MM-DD, by default today. A spreadsheet runs no text of it as a formula: see `escape_csv_formula`.

    >>> exhibit = Exhibit("sigma", "", "", pd.DataFrame({"sigma": [1.5]}), {"epsilon": "1"})
    >>> print(csv_text(exhibit, "/?epsilon=1", "2026-11-21").replace(site().version, "1.2.3"), end="")
    # link: /?epsilon=1
    # version: DP Trade-off Explorer 1.2.3
    # date: 2026-11-21
    # epsilon: 1
    sigma
    1.5
    """
    origin = {"version": f"{site().name} {site().version}", "date": day or date.today().isoformat()}
    header = ({"link": link} if link else {}) | origin | exhibit.header
    lines = "".join(f"# {_one_line(key)}: {_one_line(value)}\n" for key, value in header.items())
    table, rows = exhibit.table, StringIO()
    writer = csv.writer(rows, lineterminator="\n")
    writer.writerow(_escape_cell(name) for name in table.columns)
    writer.writerows(zip(*(_csv_cells(column) for _, column in table.items()), strict=True))
    return lines + rows.getvalue()


def escape_csv_formula(text: str) -> str:
    """Return a text for a CSV cell, with an apostrophe before whatever a spreadsheet would run as a formula.

    A formula begins with one of = + − - @, a tab or the end of a line, and is not a plain number. It can begin at the
    front of the text, and after a semicolon or a tab, at which some spreadsheets split the text.

    >>> escape_csv_formula("=1+1"), escape_csv_formula("-5"), escape_csv_formula("North;@x")
    ("'=1+1", '-5', "North;'@x")
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n")  # CSV puts the ends of lines in quotes
    return _without_formula(_PARTS_BETWEEN[";\t"].sub(lambda part: part[1] + _without_formula(part[2]), lines))


def _one_line(text: object) -> str:
    """Return a text for the CSV header, which has no quotes: a spreadsheet may split its lines at every separator."""
    line = re.sub(r"\s*[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]\s*", " ", str(text))
    return _PARTS_BETWEEN[",;\t|"].sub(lambda part: part[1] + _without_formula(part[2], (*_FORMULA_STARTS, '"')), line)


def _without_formula(text: str, starts: tuple[str, ...] = _FORMULA_STARTS) -> str:
    return f"'{text}" if text.startswith(starts) and not is_plain(text) else text


def _escape_cell(entry: Any) -> Any:
    return escape_csv_formula(entry) if isinstance(entry, str) else entry


def _csv_cells(column: pd.Series) -> list[Any]:
    """Return the cells of a column: numbers, or texts with escaped formulas; a missing value is an empty cell."""
    cells = column.tolist()
    if not pd.api.types.is_numeric_dtype(column.dtype):
        cells = [_escape_cell(cell) for cell in cells]
    missing = column.isna().to_numpy()
    return (
        ["" if is_missing else cell for cell, is_missing in zip(cells, missing, strict=True)]
        if missing.any()
        else cells
    )
