"""The styles and texts of a chart as matplotlib reads them, written as Python."""

import json
import re
from html import unescape
from typing import Any

import numpy as np

_DASHES = {"solid": "-", "dash": "--", "dot": ":", "dashdot": "-."}
_LONG_DASHES: dict[str, tuple[int, tuple[float, ...]]] = {
    "longdash": (0, (8.0, 3.0)),
    "longdashdot": (0, (8.0, 3.0, 1.5, 3.0)),
}
_STEPS = {"hv": "steps-post", "vh": "steps-pre", "hvh": "steps-mid"}
_MARKERS = {"circle": "o", "square": "s", "diamond": "D", "x": "x", "cross": "P", "star": "*", "pentagon": "p"}
_MARKERS |= {"triangle-up": "^", "triangle-down": "v", "line-ns": "|", "line-ew": "_", "hexagram": "h"}


def line_style(line: dict[str, Any]) -> dict[str, str]:
    """Return the arguments by which matplotlib draws a line as a chart does."""
    dash = line.get("dash", "solid")
    style = {"color": colours(line.get("color")), "linewidth": number(0.6 * float(line.get("width", 2)))}
    style["linestyle"] = repr(_LONG_DASHES[dash]) if dash in _LONG_DASHES else literal(_DASHES.get(dash, "-"))
    return style | ({"drawstyle": literal(_STEPS[line["shape"]])} if line.get("shape") in _STEPS else {})


def marker_style(marker: dict[str, Any]) -> dict[str, str]:
    """Return the arguments by which matplotlib draws points as a chart does; of several kinds, those of the first."""
    symbol, colour, size = (marker.get(key) for key in ("symbol", "color", "size"))
    symbol, colour, size = (_first(value) for value in (symbol or "circle", colour, size or 6))
    style = {"marker": literal(_MARKERS.get(str(symbol).removesuffix("-open"), "o")), "color": colours(colour)}
    style |= {"markerfacecolor": '"none"'} if str(symbol).endswith("-open") else {}
    return style | {"markersize": number(0.6 * float(size))}


def _first(value: Any) -> Any:
    return value if isinstance(value, str | int | float) or value is None else next(iter(value))


def colours(colour: Any) -> str:
    """Return a colour, or a list of colours, in a form that matplotlib reads."""
    if colour is None:
        return '"black"'
    return _one_colour(colour) if isinstance(colour, str) else f"[{', '.join(_one_colour(str(one)) for one in colour)}]"


def _one_colour(colour: str) -> str:
    parts = re.fullmatch(r"rgba?\(([\d.,\s]+)\)", colour)
    if parts is None:
        return literal(colour)
    red, green, blue, *rest = (float(part) for part in parts[1].split(","))
    return repr((*(round(channel / 255, 4) for channel in (red, green, blue)), *(rest or [1.0])))


def plain(text: str) -> str:
    """Return the words of a text of a chart on one line, without markup."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).replace("\u2060", "").split())


def words(text: str) -> str:
    """Return the words of a text of a chart as matplotlib shows them: a $ would begin a formula."""
    return plain(text).replace("$", r"\$")


def literal(value: Any) -> str:
    """Return a value as a literal that is the same in JSON and Python."""
    return "None" if value is None else json.dumps(value, ensure_ascii=False)


def number(value: float) -> str:
    """Return a number in seven digits, those of single precision, in which arrays travel to the browser."""
    return f"{value:.7g}" if np.isfinite(value) else 'float("nan")'
