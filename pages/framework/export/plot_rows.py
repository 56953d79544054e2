"""Where the points of a chart stand in its CSV, and its styles and texts as matplotlib reads them."""

import csv
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import chain, combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_RELATIVE_ERROR = 3e-7  # of an array that travels to the browser in single precision
_FACTORS = 1.0, 100.0, 0.01
_MOST_SPANS = 40
_MOST_KINDS = 60  # of texts in a column that tells rows apart


@dataclass(frozen=True)
class CsvTable:
    """The rows of a CSV below its comments: the texts of each column, and its numbers, NaN where a text is none."""

    texts: dict[str, list[str]]
    numbers: dict[str, Array]

    @property
    def n_rows(self) -> int:
        """Return how many rows there are."""
        return len(next(iter(self.texts.values()), ()))


@dataclass(frozen=True)
class Place:
    """The rows and columns of a CSV that have the points of a trace.

    `where` are the texts by which its rows are told from others. `stretches` are the parts of it that are drawn in one
    go, each as the first and last of those rows, from 0 on, the last one exclusive.
    """

    where: dict[str, str]
    stretches: tuple[tuple[tuple[int, int], ...], ...]
    x: "Column"
    y: "Column"

    @property
    def n_points(self) -> int:
        """Return how many points are drawn."""
        return sum(last - first for stretch in self.stretches for first, last in stretch)


@dataclass(frozen=True)
class Column:
    """The column that has the x or the y of a trace, and by what its numbers are multiplied, such as 100 for percent.

    Without a name it stands for the numbers of the rows, the first of which is `first`.
    """

    name: str | None
    times: float = 1.0
    first: int = 0


def read_table(text: str) -> CsvTable:
    r"""Return the rows of a CSV file with comments at its top.

    >>> read_table("# link: /\nbound,epsilon\nanalytic,0.5\n").numbers["epsilon"].tolist()
    [0.5]
    """
    lines = text.split("\n")
    first = next(place for place, line in enumerate(lines) if not line.startswith("# "))
    heads, *rows = csv.reader("\n".join(lines[first:]).splitlines(keepends=True))
    texts = {head: [row[place] for row in rows] for place, head in enumerate(heads)}
    return CsvTable(
        texts, {head: np.array([_number(text) for text in column], np.float64) for head, column in texts.items()}
    )


def find_place(table: CsvTable, x: Sequence[Any], y: Sequence[Any]) -> Place | None:
    """Return where the points of a trace stand in a CSV, None if they do not stand there."""
    if len(x) != len(y) or not len(x):
        return None
    shown = is_drawn(x) & is_drawn(y)
    for where, rows, steps in _candidates(table, x, y):
        along, up = (_column(table, rows[steps], values) for values in (x, y))
        stretches = _stretches(steps, shown)
        if along and up and (along.name or up.name) and sum(map(len, stretches)) <= _MOST_SPANS:
            return Place(where, stretches, along, up)
    return None


def is_text(values: Sequence[Any]) -> bool:
    """Return whether a trace has names in the place of numbers."""
    return any(isinstance(value, str) for value in values)


def as_numbers(values: Sequence[Any]) -> Array:
    """Return the numbers of a trace, NaN where it has none: a gap, or a name."""
    return np.array([np.nan if value is None or isinstance(value, str) else value for value in values], np.float64)


def _number(text: str) -> float:
    try:
        return float(text.replace("−", "-"))
    except ValueError:
        return np.nan


def _candidates(
    table: CsvTable, x: Sequence[Any], y: Sequence[Any]
) -> Iterator[tuple[dict[str, str], NDArray[np.intp], NDArray[np.intp]]]:
    """Yield the rows that may have the points of a trace: by what they are told from others, they, and which of them.

    First those that are as many as the points: all rows, those that have a text, or two texts, in common; then further
    ones, of which some have the x or the y of the trace.
    """
    kinds = {
        (head, text): np.array([other == text for other in column])
        for head, column in table.texts.items()
        if 1 < len(texts := dict.fromkeys(column)) <= min(_MOST_KINDS, table.n_rows / 2)
        for text in texts
    }
    single = [
        ({}, np.arange(table.n_rows)),
        *(({head: text}, np.flatnonzero(is_of)) for (head, text), is_of in kinds.items()),
    ]
    pairs = (
        (dict((one, other)), np.flatnonzero(kinds[one] & kinds[other]))
        for one, other in combinations(kinds if len(kinds) <= _MOST_KINDS else (), 2)
        if one[0] != other[0]
    )
    for where, rows in chain(single, pairs):
        if len(rows) == len(x):
            yield where, rows, np.arange(len(rows))
    for where, rows in single:
        if len(rows) > len(x):
            for steps in _steps(table, rows, x, y):
                yield where, rows, steps


def is_drawn(values: Sequence[Any]) -> NDArray[np.bool_]:
    """Return which values of a trace are drawn: names, or finite numbers."""
    if is_text(values):
        return np.array([isinstance(value, str) for value in values])
    return np.isfinite(as_numbers(values))


def _steps(table: CsvTable, rows: NDArray[np.intp], x: Sequence[Any], y: Sequence[Any]) -> Iterator[NDArray[np.intp]]:
    """Yield which of some rows have the x or the y of a trace in a column that rises."""
    for values in (x, y):
        numbers = as_numbers(values)
        if not np.isfinite(numbers).all():
            continue
        for column in table.numbers.values():
            along = column[rows]
            order = np.flatnonzero(np.isfinite(along))
            if len(order) < len(x) or (np.diff(along[order]) <= 0).any():
                continue
            steps = order[np.clip(np.searchsorted(along[order], numbers * (1 - _RELATIVE_ERROR)), 0, len(order) - 1)]
            if np.allclose(along[steps], numbers, _RELATIVE_ERROR, 0) and (np.diff(steps) > 0).all():
                yield steps


def _column(table: CsvTable, rows: NDArray[np.intp], values: Sequence[Any]) -> Column | None:
    """Return the column that has the values of a trace in some rows, None if none has."""
    if is_text(values):
        texts = [str(value) for value in values]
        heads = (head for head, column in table.texts.items() if [column[row] for row in rows] == texts)
        return next((Column(head) for head in heads), None)
    numbers = as_numbers(values)
    is_finite = np.isfinite(numbers)
    for times in _FACTORS if is_finite.any() else ():
        for head, column in table.numbers.items():
            if np.allclose(column[rows][is_finite] * times, numbers[is_finite], _RELATIVE_ERROR, 1e-300):
                return Column(head, times)
    is_count = len(numbers) > 1 and is_finite.all() and (np.diff(numbers) == 1).all() and numbers[0] in (0, 1)
    return Column(None, first=int(numbers[0])) if is_count else None


def _stretches(steps: NDArray[np.intp], shown: NDArray[np.bool_]) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return the rows that are drawn: the parts between gaps, each as stretches of rows one after the other."""
    parts = _runs(np.flatnonzero(shown))
    return tuple(tuple((int(run[0]), int(run[-1]) + 1) for run in _runs(steps[part])) for part in parts if len(part))


def _runs(rows: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Return the parts of rows, or of points, that follow one another."""
    return np.split(rows, np.flatnonzero(np.diff(rows) != 1) + 1)


NO_LABEL = '"_nolegend_"'  # of what stands in no legend
_DASHES = {"dash": (3, 3), "dot": (1, 1), "longdash": (5, 5), "dashdot": (3, 1, 1, 1), "longdashdot": (5, 2, 1, 2)}
_LEAST_DASH = 3.0  # px: the unit of dashes of a line is its width, or this
_STEPS = {"hv": "steps-post", "vh": "steps-pre", "hvh": "steps-mid"}
_MARKERS = {"circle": "o", "square": "s", "diamond": "D", "x": "X", "cross": "P", "star": "*", "pentagon": "p"}
_MARKERS |= {"triangle-up": "^", "triangle-down": "v", "line-ns": "|", "line-ew": "_", "hexagram": "h"}
_MARKERS |= {"cross-thin": "+"}
_STROKES = '"|"', '"_"', '"+"'  # markers without an area


def line_style(line: dict[str, Any]) -> dict[str, str]:
    """Return the arguments by which matplotlib draws a line as a chart does.

    >>> line_style({"dash": "3px,6px", "width": 1.5})["linestyle"]
    '(0, (2.0, 4.0))'
    """
    dash, width = line.get("dash", "solid"), float(line.get("width", 2))
    if dash.endswith("px"):
        lengths = [float(part.removesuffix("px")) for part in dash.split(",")]
    else:
        lengths = [unit * max(width, _LEAST_DASH) for unit in _DASHES.get(dash, ())]
    dashes = tuple(round(length / max(width, 0.5), 4) for length in lengths)  # matplotlib: in widths of the line
    style = {"color": colours(line.get("color")), "linewidth": number(0.6 * width)}
    style["linestyle"] = repr((0, dashes)) if dashes else '"-"'
    return style | ({"drawstyle": literal(_STEPS[line["shape"]])} if line.get("shape") in _STEPS else {})


def marker_style(marker: dict[str, Any]) -> dict[str, str]:
    """Return the arguments by which matplotlib draws points as a chart does; of several sizes, the first.

    >>> marker_style({"symbol": "square-open", "color": "#333333", "size": 7})
    {'marker': '"s"', 'color': '"#333333"', 'markerfacecolor': '"none"', 'markersize': '4.2'}
    """
    symbol, size = str(marker.get("symbol") or "circle"), _first_value(marker.get("size") or 6)
    style = {"marker": literal(_MARKERS.get(symbol.removesuffix("-open"), "o")), "color": colours(marker.get("color"))}
    if symbol.endswith("-open"):
        style["markerfacecolor"] = '"none"'
    elif style["marker"] not in _STROKES:
        style["markeredgewidth"] = "0"
    return style | {"markersize": number(0.6 * float(size))}


def _first_value(value: Any) -> Any:
    return value if isinstance(value, str | int | float) or value is None else next(iter(value))


def colours(colour: Any) -> str:
    """Return a colour, or a list of colours, in a form that matplotlib reads."""
    if colour is None:
        return '"black"'
    if isinstance(colour, str):
        return _one_colour(colour)
    return f"[{', '.join(_one_colour(str(shade)) for shade in colour)}]"


def _one_colour(colour: str) -> str:
    parts = re.fullmatch(r"rgba?\(([\d.,\s]+)\)", colour)
    if parts is None:
        return literal(colour)
    red, green, blue, *rest = (float(part) for part in parts[1].split(","))
    return repr((*(round(channel / 255, 4) for channel in (red, green, blue)), *(rest or [1.0])))


def numbers_text(values: Sequence[Any]) -> str:
    """Return the numbers of a trace, or its names, as a list of literals."""
    if is_text(values):
        return literal([str(value or "") for value in values])
    return f"[{', '.join(number(value) for value in as_numbers(values))}]"


def plain(text: str) -> str:
    """Return the words of a text of a chart on one line, without markup."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).replace("\u2060", "").split())


def words(text: str) -> str:
    """Return the words of a text of a chart as matplotlib shows them: a $ would begin a formula."""
    return plain(text).replace("$", r"\$")


def word_lines(text: str) -> str:
    """Return the words of a text of a chart as `words`, on as many lines as it has there."""
    return "\n".join(words(line) for line in text.split("<br>"))


def literal(value: Any) -> str:
    """Return a value as a literal that is the same in JSON and Python."""
    return "None" if value is None else json.dumps(value, ensure_ascii=False)


def number(value: float) -> str:
    """Return a number in seven digits, those of single precision, in which arrays travel to the browser."""
    return f"{value:.7g}" if np.isfinite(value) else 'float("nan")'
