"""The files of an exhibit: its CSV, in which a spreadsheet runs nothing as a formula, their names, and the scripts
with which the browser saves a figure.
"""

import csv
import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo
from zlib import compress

import pandas as pd

from pages.framework.export.exhibit import Exhibit
from pages.framework.parameters.number_format import format_input_up
from pages.framework.parameters.number_parser import is_plain
from pages.framework.parameters.parameter import Parameter, Reading, holds_data
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
    header = ({"link": link} if link else {}) | origin | dict(_header_line(*item) for item in exhibit.header.items())
    lines = "".join(f"# {_one_line(key)}: {_one_line(value)}\n" for key, value in header.items())
    table, rows = exhibit.table, StringIO()
    writer = csv.writer(rows, lineterminator="\n")
    writer.writerow(_escape_cell(site().csv_columns.get(name, name)) for name in table.columns)
    writer.writerows(zip(*(_csv_cells(column) for _, column in table.items()), strict=True))
    return lines + rows.getvalue()


def _header_line(key: str, value: object) -> tuple[str, object]:
    """Return a parameter of a header as its field shows it: a confidence instead of a significance level."""
    parameter = next((item for item in site().parameters if item.key == key), None)
    complement: Any = parameter if hasattr(parameter, "complement_text") else None
    return (key, value) if complement is None else (complement.caption, complement.complement_text(str(value)))


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
    if not missing.any():
        return cells
    return ["" if is_missing else cell for cell, is_missing in zip(cells, missing, strict=True)]


def zipped(contents: Mapping[str, str], day: str = "") -> bytes:
    """Return a zip of texts by the names of their files, as of a day, YYYY-MM-DD; by default today."""
    written = BytesIO()
    made = date.fromisoformat(day) if day else date.today()
    with ZipFile(written, "w", ZIP_DEFLATED) as archive:
        for name, text in contents.items():
            archive.writestr(ZipInfo(name, (made.year, made.month, made.day, 0, 0, 0)), text, ZIP_DEFLATED)
    return written.getvalue()


_ALWAYS, _CHANGED = 2, 2  # the first numbers of a section, and further ones that are not at their default
_SHORT_NAMES = {"epsilon": "eps"}
_LONGEST_SYMBOL = 12


def file_stem(page: str, exhibit: str, parameters: Iterable[Parameter], readings: Mapping[str, Reading]) -> str:
    """Return the name of the file of an exhibit, without ending: page, exhibit and numbers of the section's parameters.

    A parameter that can hold the user's own data is left out, even where its value is a number.

    >>> from pages.shared.shared_parameters import DELTA, EPSILON
    >>> readings = {"epsilon": Reading("1", "1", 1.0), "delta": Reading("1e-6", "1e-6", 1e-6)}
    >>> file_stem("Gaussian_bounds", "ratio", (EPSILON, DELTA), readings)
    'gaussian_bounds_ratio_eps1_delta1e-6'
    """
    numbers = [item for item in parameters if _is_number(readings[item.key].value) and not holds_data(item)]
    changed = [item for item in numbers[_ALWAYS:] if readings[item.key].used != item.default]
    setting = [_number_text(item, readings[item.key].value) for item in (*numbers[:_ALWAYS], *changed[:_CHANGED])]
    return "_".join([page.lower() or "start", exhibit, *setting])


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number_text(parameter: Parameter, value: float) -> str:
    """Return the symbol of a parameter and its value in the letters that every file system and LaTeX take."""
    symbol = "".join(map(_letter_name, unicodedata.normalize("NFKD", parameter.symbol)))
    is_short = re.fullmatch(rf"[A-Za-z]{{1,{_LONGEST_SYMBOL}}}", symbol)  # a digit would run into the value
    text = format_input_up(value).replace("−", "-")
    return f"{symbol if is_short else parameter.key}{re.sub(r'[^0-9A-Za-z.-]', '', text)}"


def _letter_name(letter: str) -> str:
    """Return the name of a Greek letter, capitalized as the letter is; other letters as they are."""
    kind = re.fullmatch(r"GREEK (SMALL|CAPITAL) LETTER (\w+)", unicodedata.name(letter, ""))
    if kind is None:
        return letter
    name = kind[2].lower()
    return _SHORT_NAMES.get(name, name.capitalize() if kind[1] == "CAPITAL" else name)


_HERE = files("pages.framework.chart")
TYPEFACES = "sans", "serif", "modern"
"""The fonts of saved figures: Source Sans, Source Serif and Computer Modern, as figure_*.txt say."""


def script() -> str:
    """Return the text of a module that exports pictureFile(Plotly, figure, options): see export.js for the options.

    It is the bundle of export.js and of the modules that export.js imports, made by `npm --prefix tests/js run bundle`.
    """
    return (_HERE / "export.bundle.js").read_text(encoding="utf-8")


def plotly_script() -> str:
    """Return the text of the Plotly script that draws the charts of a saved HTML file."""
    package = find_spec("plotly")
    if package is None or package.origin is None:
        raise FileNotFoundError("Plotly is not installed")
    return (Path(package.origin).parent / "package_data" / "plotly.min.js").read_text(encoding="utf-8")


@cache
def plotly() -> bytes:
    """Return the Plotly script compressed in the format that `DecompressionStream("deflate")` reads."""
    return compress(plotly_script().encode(), 9)


def font(typeface: str) -> bytes:
    """Return a TrueType font of saved figures, one of `TYPEFACES`."""
    return (_HERE / f"figure_{typeface}.ttf").read_bytes()
