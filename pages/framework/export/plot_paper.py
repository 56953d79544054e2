"""What an author has chosen for a picture on paper, and how it was drawn, as far as a program that draws it follows."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.framework.export.exhibit import Figure

SAMPLE, SAMPLE_GAP, NAME_GAP = 3.0, 0.6, 1.2  # of a legend, in sizes of its type
_LETTER = 0.56  # the usual width of a letter in matplotlib's font, in sizes of the type
_WORDS_OF_PANEL, _LEGEND_LINE, _LEAST_PLOT = 7.0, 1.4, 3.0  # heights of title and axis, and of others, as above
_MM_PER_PT = 25.4 / 72
_COLOUR = r"#[0-9a-fA-F]{6}|rgba?\(\d+(\.\d+)?(, ?\d+(\.\d+)?){2,3}\)"
_DASH = r"solid|(long)?dash(dot)?|dot|\d+(\.\d+)?px(, ?\d+(\.\d+)?px)*"
_TEXTS = {  # what a drawing says of a look; a colour, a symbol or the shape of a pattern also for each point
    "name": r"[^\x00]{1,400}",
    "text": r"[^\x00]{1,400}",
    "mode": r"lines|markers|lines\+markers",
    "color": _COLOUR,
    "fillcolor": _COLOUR,
    "fgcolor": _COLOUR,
    "dash": _DASH,
    "symbol": r"[a-z]+(-[a-z]+)*",
    "shape": r"[/x.\\|+-]?",
}
_OF_POINTS = "color", "fgcolor", "symbol", "shape"
_NUMBERS = "size", "maxdisplayed"
_GROUPS = "line", "marker", "pattern", "font", "xaxis", "yaxis", "title"
_LISTS = "shapes", "annotations"
_MOST = {"size": 100.0, "maxdisplayed": 1e4}
_MOST_DECADES, _MOST_VALUE = 307.0, 1e300  # ends of an axis that are numbers


@dataclass(frozen=True)
class PlotPaper:
    """Width and height in mm, type in pt, the columns of panels, and if there is a title.

    `looks` has, for each panel, what its drawing in the browser shows otherwise than the page, in the form of a figure:
    for each trace its name, colours, dash, marks and pattern, None for one that is left out, and the ends and titles of
    axes. Names and titles have the lines for which there was room.
    """

    width: float = 180.0
    height: float = 100.0
    type: float = 8.0
    columns: int = 1
    titled: bool = True
    looks: tuple[Mapping[str, Any], ...] = ()

    def grid(self, n_panels: int) -> tuple[int, int]:
        """Return the rows and columns of the panels.

        >>> PlotPaper().grid(3), PlotPaper(columns=2).grid(3), PlotPaper(columns=2).grid(1)
        ((3, 1), (2, 2), (1, 1))
        """
        columns = min(n_panels, self.columns)
        return -(-n_panels // columns), columns

    def letters_across(self, columns: int) -> int:
        """Return how many letters a title has room for above a panel of so many columns, of type a fifth larger."""
        return max(12, int((self.width / columns - 15) / (0.22 * self.type)))

    def names_across(self, names: Sequence[str], columns: int) -> int:
        """Return how many columns of names a legend has room for below a panel of so many columns.

        >>> PlotPaper(width=85).names_across(["a"] * 4, 1), PlotPaper(width=85).names_across(["a" * 30] * 4, 1)
        (4, 1)
        """
        room = self.width / columns / _MM_PER_PT / self.type - 1
        lengths = [_LETTER * max(map(len, name.split("\n"))) for name in names]
        for across in range(len(names), 1, -1):
            parts = np.array_split(lengths, across)  # as matplotlib fills the columns
            if sum(map(max, parts)) + across * (SAMPLE + SAMPLE_GAP) + (across - 1) * NAME_GAP <= room:
                return across
        return 1

    def row_heights(self, legends: Sequence[int]) -> list[float]:
        """Return the heights of rows of panels whose legends have so many lines, so that all plots are as high.

        Units: sizes of the type.

        >>> PlotPaper(height=100).row_heights([3, 5])
        [16.3, 19.1]
        """
        words = [_WORDS_OF_PANEL + _LEGEND_LINE * lines for lines in legends]
        plot = (self.height / _MM_PER_PT / self.type - sum(words)) / len(words)
        return [round(max(plot, _LEAST_PLOT) + one, 1) for one in words]

    def figure(self, figure: Figure, place: int) -> Figure:
        """Return the figure of a panel as it was drawn: its traces, their names and looks, and the ends of its axes."""
        look = self.looks[place] if place < len(self.looks) else {}
        traces, layout = look.get("data"), look.get("layout")
        if not isinstance(traces, list) or len(traces) != len(figure["data"]) or not isinstance(layout, Mapping):
            return figure
        drawn = zip(figure["data"], traces, strict=True)
        return figure | {
            "data": [_overlaid(trace, own) for trace, own in drawn if own is not None],
            "layout": _overlaid(figure["layout"], layout),
        }


USUAL_PAPER = PlotPaper()


def read_paper(sent: Any) -> PlotPaper:
    """Return what a browser has sent of the choices; what it has not, or what is none, is as usual.

    >>> read_paper({"widthMm": 85, "typePt": "x", "titled": False})
    PlotPaper(width=85.0, height=100.0, type=8.0, columns=1, titled=False, looks=())
    """
    choices = sent if isinstance(sent, dict) else {}
    looks = rows if isinstance(rows := choices.get("looks"), list) else []
    return PlotPaper(
        _size(choices.get("widthMm"), 40, 400, 180.0),
        _size(choices.get("heightMm"), 20, 2000, 100.0),
        _size(choices.get("typePt"), 6, 12, 8.0),
        int(_size(choices.get("columns"), 1, 26, 1.0)),
        choices.get("titled") is not False,
        tuple(look if isinstance(look, dict) else {} for look in looks),
    )


def _size(sent: Any, least: float, most: float, usual: float) -> float:
    is_number = isinstance(sent, int | float) and not isinstance(sent, bool)
    return float(sent) if is_number and least <= sent <= most else usual


def _overlaid(part: Any, sent: Any) -> Any:
    """Return a part of a figure with the looks that were sent in the place of its own; what is no look is left out."""
    if isinstance(part, list | tuple):
        is_as_long = isinstance(sent, list) and len(sent) == len(part)
        return [_overlaid(one, own) for one, own in zip(part, sent, strict=True)] if is_as_long else part
    if not isinstance(part, Mapping) or not isinstance(sent, Mapping):
        return part
    groups = {key: _overlaid(part.get(key, {}), sent[key]) for key in _GROUPS if key in sent}
    groups |= {key: _overlaid(part[key], sent[key]) for key in _LISTS if key in sent and key in part}
    looks = {key: value for key, value in sent.items() if _is_look(key, value, part.get("type") == "log")}
    return {**part, **groups, **looks}


def _is_look(key: str, value: Any, is_log: bool) -> bool:
    if key in _TEXTS:
        values = value if isinstance(value, list) and value and key in _OF_POINTS else [value]
        return all(isinstance(one, str) and re.fullmatch(_TEXTS[key], one) is not None for one in values)
    if key in _NUMBERS:
        return _is_number(value) and 0 < value <= _MOST[key]
    is_range = key == "range" and isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))
    return is_range and value[0] != value[1] and max(map(abs, value)) <= (_MOST_DECADES if is_log else _MOST_VALUE)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
