"""The lines of a program that draw with matplotlib what a chart has beside its traces: axes, lines across, notes."""

import math
from collections.abc import Iterator
from typing import Any

from pages.framework.export.plot_rows import (
    NO_LABEL,
    colours,
    line_style,
    literal,
    number,
    numbers_text,
    word_lines,
    words,
)

_ROUNDING = 1e-9  # of an end of an axis


def shape_lines(shape: dict[str, Any]) -> Iterator[str]:
    """Yield the line for a straight line across the plot, such as that of the current setting."""
    if shape.get("type") != "line":
        return
    style = line_style(shape.get("line", {}))
    arguments = ", ".join(f"{key}={value}" for key, value in (style | {"zorder": "1"}).items())
    if shape["x0"] == shape["x1"] and str(shape.get("yref", "")).endswith(("domain", "paper")):
        height = f", ymax={number(shape['y1'])}" if shape["y1"] < 1 else ""
        yield f"axes.axvline({number(float(shape['x0']))}{height}, {arguments})"
    elif shape["y0"] == shape["y1"] and str(shape.get("xref", "")).endswith(("domain", "paper")):
        yield f"axes.axhline({number(float(shape['y0']))}, {arguments})"
    elif not {"xref", "yref"} & shape.keys():
        ends = [[float(shape[f"{axis}{end}"]) for end in "01"] for axis in "xy"]
        yield f"axes.plot({numbers_text(ends[0])}, {numbers_text(ends[1])}, label={NO_LABEL}, {arguments})"


def note_lines(note: dict[str, Any], layout: dict[str, Any]) -> Iterator[str]:
    """Yield the line for the words at a point, or at the end of a line across the plot."""
    places = [_note_place(note, axis, layout) for axis in "xy"]
    transforms = {(False, False): "axes.transData", (True, True): "axes.transAxes"}
    transforms |= {(False, True): "axes.get_xaxis_transform()", (True, False): "axes.get_yaxis_transform()"}
    (x, is_share), (y, is_share_up) = places
    sides = {"ha": note.get("xanchor", "center"), "va": note.get("yanchor", "center")}
    sides = {key: {"auto": "center", "middle": "center"}.get(side, side) for key, side in sides.items()}
    style = f"ha={literal(sides['ha'])}, va={literal(sides['va'])}"
    colour = note.get("font", {}).get("color")
    shade = f", color={colours(colour)}" if colour else ""
    shift = f"({number(0.6 * note.get('xshift', 0))}, {number(0.6 * note.get('yshift', 0))})"
    place = f"({number(x)}, {number(y)}), {shift}, xycoords={transforms[is_share, is_share_up]}"
    yield f'axes.annotate({literal(words(note.get("text", "")))}, {place}, textcoords="offset points", {style}{shade})'


def _note_place(note: dict[str, Any], axis: str, layout: dict[str, Any]) -> tuple[float, bool]:
    """Return where a note stands on an axis, and whether that is a share of the axis."""
    value = float(note.get(axis, 0.5))
    if str(note.get(f"{axis}ref", "")).endswith(("domain", "paper")):
        return value, True
    return (10.0**value if layout.get(f"{axis}axis", {}).get("type") == "log" else value), False


def axis_lines(letter: str, axis: dict[str, Any]) -> Iterator[str]:
    """Yield the lines for the ends, the ticks and the title of an axis, which is x or y."""
    is_log = axis.get("type") == "log"
    if is_log:
        yield f'axes.set_{letter}scale("log")'
    ends = [-math.inf, math.inf]
    if axis.get("range") is not None:
        ends = [10.0**end if is_log else float(end) for end in axis["range"]]
        yield f"axes.set_{letter}lim({', '.join(map(number, ends))})"
    low, high = sorted(ends)
    spare = _ROUNDING * abs(high if is_log else high - low) if math.isfinite(high) else 0.0
    places, texts = (() if axis.get(key) is None else axis[key] for key in ("tickvals", "ticktext"))
    ticks = list(zip(places, texts, strict=False))
    inside = [(float(at), words(text)) for at, text in ticks if low - spare <= at <= high + spare]
    if len(inside) > 1 or len(inside) == len(ticks) > 0:  # one outside would move an end
        names = literal([text for _, text in inside])
        yield f"axes.set_{letter}ticks({numbers_text([at for at, _ in inside])}, {names})"
        if is_log:
            yield f"axes.{letter}axis.minorticks_off()"
    if axis.get("showticklabels") is False:
        yield f"axes.set_{letter}ticks([])"
    if text := axis.get("title", {}).get("text"):
        yield f"axes.set_{letter}label({literal(word_lines(text))})"
