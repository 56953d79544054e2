"""What an author has chosen for a picture on paper, as far as a program that draws it follows: size, title, greys."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.framework.export.exhibit import Figure

_ROW_HEIGHT, _LOW_ROW, _FULL_WIDTH = 80, 60, 120  # mm: of a panel on paper, of a narrow one, and how wide the former is
_TWO_IN_A_ROW = 140  # mm: the least width of a picture with two panels in a row
_DASHES = "solid", "dash", "dot", "dashdot", "longdash", "longdashdot"
_MARKS = "circle-open", "square-open", "triangle-up-open", "diamond-open", "x"  # of lines for which no dash is left
_HATCHES = "", "/", "x", ".", "\\"
_CODES = re.compile(r"#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})")
_PARTS = re.compile(r"rgba?\(\s*([\d.]+)\s*,\s*([\d.]+)\s*,\s*([\d.]+)\s*(?:,\s*([\d.]+)\s*)?\)")


@dataclass(frozen=True)
class PlotPaper:
    """Width and height in mm (0: one that suits the width), type in pt, the places of panels, and if there is a title.

    `dashes` has, for each panel in greyscale, the dash of each of its traces: that of a line of the legend, "" for one
    for which none is left, None for others. It is empty for a picture in colours.
    """

    width: float = 180.0
    height: float = 0.0
    type: float = 8.0
    arrangement: str = ""
    titled: bool = True
    dashes: tuple[tuple[str | None, ...], ...] = ()

    def grid(self, n_panels: int) -> tuple[int, int]:
        """Return the rows and columns of the panels.

        >>> PlotPaper().grid(3), PlotPaper(width=85).grid(2), PlotPaper(arrangement="row").grid(3)
        ((2, 2), (2, 1), (1, 3))
        """
        most = {"row": n_panels, "column": 1}.get(self.arrangement, 2 if self.width >= _TWO_IN_A_ROW else 1)
        columns = min(n_panels, most)
        return -(-n_panels // columns), columns

    def height_for(self, shares: Sequence[float], columns: int) -> float:
        """Return the height in mm of panels that want these shares of a usual one, in rows of so many."""
        usual = min(_ROW_HEIGHT, max(_LOW_ROW, _ROW_HEIGHT * self.width / columns / _FULL_WIDTH))
        rows = [max(shares[place : place + columns]) for place in range(0, len(shares), columns)]
        return self.height or round(usual * sum(rows))

    def letters_across(self, columns: int) -> int:
        """Return how many letters a title has room for above a panel of so many columns, of type a fifth larger."""
        return max(12, int((self.width / columns - 15) / (0.22 * self.type)))

    def figure(self, figure: Figure, place: int) -> Figure:
        """Return the figure of a panel as it is drawn: in greyscale without colours, each line with its dash."""
        if not self.dashes:
            return figure
        dashes = (*(self.dashes[place] if place < len(self.dashes) else ()), *[None] * len(figure["data"]))
        traces = [_grey(trace) for trace in figure["data"]]
        bars = [trace for trace in traces if trace.get("type") == "bar"]
        for order, bar in enumerate(bars):
            bar["hatch"] = _HATCHES[order % len(_HATCHES)]
        for order, (trace, dash) in enumerate(zip(traces, dashes, strict=False)):
            if dash:
                trace["line"] = trace.get("line", {}) | {"dash": dash}
            elif dash == "":
                mark = {"symbol": _MARKS[order % len(_MARKS)], "size": 7, "maxdisplayed": 9}
                trace |= {"mode": "lines+markers", "marker": mark | {"color": trace.get("line", {}).get("color")}}
        return figure | {"data": traces, "layout": _grey(figure["layout"])}


USUAL_PAPER = PlotPaper()


def read_paper(sent: Any) -> PlotPaper:
    """Return what a browser has sent of the choices; what it has not, or what is none, is as usual.

    >>> read_paper({"widthMm": 85, "typePt": "x", "titled": False})
    PlotPaper(width=85.0, height=0.0, type=8.0, arrangement='', titled=False, dashes=())
    """
    choices = sent if isinstance(sent, dict) else {}
    dashes = rows if isinstance(rows := choices.get("dashes"), list) else []
    known = (*_DASHES, "")
    read = tuple(tuple(one if one in known else None for one in row) for row in dashes if isinstance(row, list))
    arrangement = choices.get("arrangement")
    return PlotPaper(
        _size(choices.get("widthMm"), 40, 400, 180.0),
        _size(choices.get("heightMm"), 20, 500, 0.0),
        _size(choices.get("typePt"), 6, 12, 8.0),
        arrangement if arrangement in ("row", "column") else "",
        choices.get("titled") is not False,
        read,
    )


def _size(sent: Any, least: float, most: float, usual: float) -> float:
    is_number = isinstance(sent, int | float) and not isinstance(sent, bool)
    return float(sent) if is_number and least <= sent <= most else usual


def _grey(part: Any, key: str = "") -> Any:
    """Return a part of a figure with greys in place of its colours, as light as those are to the eye (ITU-R BT.709)."""
    if isinstance(part, str):
        return _grey_colour(part) if key.endswith("color") else part
    if isinstance(part, Mapping):
        return {name: _grey(value, str(name)) for name, value in part.items()}
    if isinstance(part, list | tuple) and key not in ("x", "y", "customdata", "text"):
        return [_grey(value, key) for value in part]
    return part


def _grey_colour(colour: str) -> str:
    """Return the grey of a colour; other texts as they are.

    >>> _grey_colour("#0060a0"), _grey_colour("rgba(255, 0, 0, 0.5)"), _grey_colour("black")
    ('#505050', 'rgba(54,54,54,0.5)', 'black')
    """
    codes, parts = _CODES.fullmatch(colour), _PARTS.fullmatch(colour)
    if codes is not None:
        three = [float(int(code, 16)) for code in codes.groups()]
    elif parts is not None:
        three = [float(part) for part in parts.groups()[:3]]
    else:
        return colour
    grey = round(sum(weight * one for weight, one in zip((0.2126, 0.7152, 0.0722), three, strict=True)))
    return f"#{grey:02x}{grey:02x}{grey:02x}" if parts is None else f"rgba({grey},{grey},{grey},{parts[4] or 1})"
