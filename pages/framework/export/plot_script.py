"""A program that draws charts from their CSV with matplotlib, for papers whose figures are all made with it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from string import ascii_lowercase
from textwrap import wrap
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.framework.export.exhibit import Exhibit, Figure
from pages.framework.export.plot_axes import axis_lines, note_lines, shape_lines
from pages.framework.export.plot_paper import NAME_GAP, SAMPLE, SAMPLE_GAP, USUAL_PAPER, PlotPaper
from pages.framework.export.plot_rows import (
    NO_LABEL,
    Column,
    CsvTable,
    Place,
    colours,
    find_place,
    is_drawn,
    is_text,
    line_style,
    literal,
    marker_style,
    number,
    numbers_text,
    plain,
    read_table,
    word_lines,
    words,
)

_MOST_LITERALS = 800  # points that are not in the CSV and stand in the program
_FILLED_STEPS = {"hv": "post", "vh": "pre", "hvh": "mid"}
_PROGRAM = '''"""Draws {sources} with matplotlib; {maker}.

Put it beside the CSV of each panel of the picture. It needs matplotlib alone:

    python {stem}.py                # writes {stem}.pdf
    python {stem}.py picture.pgf    # or svg, eps, png: each format of matplotlib
"""

import csv
import sys
from itertools import dropwhile
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

WIDTH, HEIGHT, TYPE = {width} / 25.4, {height} / 25.4, {type}  # inches and pt


def read(name):
    """Return the rows of a CSV beside this program."""
    with Path(__file__).with_name(name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(dropwhile(lambda line: line.startswith("# "), file)))


def number(text):
    try:
        return float(text.replace("−", "-"))
    except ValueError:
        return float("nan")


def column(name, where, stretch, times=1, is_text=False):
    """Return a column of the rows that have the texts of `where`, of the stretches of them that are drawn."""
    rows = [row for row in table if all(row[key] == text for key, text in where.items())]
    drawn = [row for first, end in stretch for row in rows[first:end]]
    return [row[name] if is_text else times * number(row[name]) for row in drawn]


def count(first, stretch):
    """Return the numbers of the rows that are drawn."""
    return [first + place for start, end in stretch for place in range(start, end)]


def add_legend(panel, axes, across):
    """Add the legend of a panel, in which line, points and area of one name are one sample."""
    samples = {{}}
    for handle, name in zip(*axes.get_legend_handles_labels()):
        samples[name] = (*samples.get(name, ()), handle)
    gaps = {{"handlelength": {sample}, "handletextpad": {sample_gap}, "columnspacing": {name_gap}}}
    place = {{"loc": "outside lower left", "ncols": across, "frameon": False, "labelspacing": 0.25}}
    panel.legend(samples.values(), samples.keys(), **gaps, **place)


plt.rcParams.update({{"font.size": TYPE, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True}})
plt.rcParams.update({{"grid.color": "#808a96", "grid.alpha": 0.25, "svg.fonttype": "none", "pdf.fonttype": 42}})
figure = plt.figure(figsize=(WIDTH, HEIGHT), layout="constrained")
panels = figure.subfigures({rows}, {columns}, squeeze=False, height_ratios={heights}).flat

{body}
target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_suffix(".pdf")
figure.savefig(target, dpi=300)
'''


class PlotPanel(NamedTuple):
    """A panel of a picture: a chart, the text of its CSV, and the name of that file without its ending."""

    exhibit: Exhibit
    csv_text: str
    stem: str


def plot_script(panels: Sequence[PlotPanel], stem: str, maker: str, paper: PlotPaper = USUAL_PAPER) -> str:
    """Return a program that draws charts from their CSV files, as panels of one picture.

    It is empty where a kind of chart is not supported. `stem` is the name of the program, and `maker` what made it.
    Points that are not in the CSV stand in the program, except where the chart shows confidential data.
    """
    if not all(is_supported(panel.exhibit.picture) for panel in panels):
        return ""
    (rows, columns), body, legends = paper.grid(len(panels)), [], []
    for place, panel in enumerate(panels):
        letter = f"({ascii_lowercase[place]}) " if len(panels) > 1 else ""
        body.append(f"panel, table = panels[{place}], read({literal(f'{panel.stem}.csv')})")
        figure = panel.exhibit.picture
        if isinstance(figure, dict):
            title = words(figure["layout"].get("title", {}).get("text", "")) if paper.titled else ""
            head = wrap(letter + title, paper.letters_across(columns)) or [letter.strip()]
            drawn = panel._replace(exhibit=replace(panel.exhibit, picture=paper.figure(figure, place)))
            names = _legend_names(drawn.exhibit.picture)
            across = paper.names_across(names, columns)
            legends.append(-(-len(names) // across))
            body += ["axes = panel.subplots()", *_panel_lines(drawn, "\n".join(head), across if names else 0), ""]
    size = {"width": number(paper.width), "height": number(paper.height), "type": number(paper.type)}
    sources = ", ".join(f"{panel.stem}.csv" for panel in panels)
    heights = paper.row_heights([max(legends[first : first + columns]) for first in range(0, len(panels), columns)])
    grid = {
        "rows": rows,
        "columns": columns,
        "heights": heights,
        "sample": SAMPLE,
        "sample_gap": SAMPLE_GAP,
        "name_gap": NAME_GAP,
    }
    return _PROGRAM.format(stem=stem, sources=sources, maker=maker, body="\n".join(body), **size, **grid)


def _panel_lines(panel: PlotPanel, head: str, across: int) -> list[str]:
    """Return the lines that draw a chart on `axes` of the figure `panel` from the rows `table`.

    `head` is above it, and its legend has so many columns, 0 where it has none.
    """
    exhibit = panel.exhibit
    if not isinstance(exhibit.picture, dict):
        return []
    table, layout = read_table(panel.csv_text), exhibit.picture["layout"]
    traces, is_confidential = _beside_each_other(exhibit.picture), bool(exhibit.confidential)
    lines = []
    for trace, before in zip(traces, (None, *traces), strict=False):
        lines += _filling_lines(trace, before, table, layout)
        lines += _trace_lines(trace, table, is_confidential)
    lines += [line for shape in layout.get("shapes", ()) for line in shape_lines(shape)]
    lines += [line for note in layout.get("annotations", ()) for line in note_lines(note, layout)]
    for name in "xy":
        lines += axis_lines(name, layout.get(f"{name}axis", {}))
    lines.append(f"# {plain(layout.get('title', {}).get('subtitle', {}).get('text', ''))}")
    if head:
        lines.append(f'axes.set_title({literal(head)}, loc="left", pad=2 * TYPE)')
    if across:
        lines.append(f"add_legend(panel, axes, {across})")
    return lines


def _legend_names(figure: Figure | str) -> list[str]:
    """Return the names of a legend, none where a figure has none."""
    if not isinstance(figure, dict) or figure["layout"].get("showlegend") is False:
        return []
    return [*dict.fromkeys(word_lines(trace["name"]) for trace in figure["data"] if _has_legend(trace))]


def _beside_each_other(figure: Figure) -> list[dict[str, Any]]:
    """Return the traces of a chart; bars at the same place with their width and how far they stand from its middle."""
    traces, bars = list(figure["data"]), [trace for trace in figure["data"] if trace.get("type") == "bar"]
    if figure["layout"].get("barmode", "group") != "group" or len(bars) < 2:
        return traces
    width = 0.8 / len(bars)
    shifts = {id(bar): (place - (len(bars) - 1) / 2) * width for place, bar in enumerate(bars)}
    return [trace | {"width": width, "shift": shifts[id(trace)]} if id(trace) in shifts else trace for trace in traces]


def is_supported(figure: Figure | str) -> bool:
    """Return whether a program can draw an exhibit: lines, points and bars on one pair of axes."""
    return (
        isinstance(figure, dict)
        and {"xaxis2", "yaxis2"}.isdisjoint(figure["layout"])
        and all(
            trace.get("type", "scatter") in ("scatter", "bar") and trace.get("mode") != "text"
            for trace in figure["data"]
        )
    )


def _trace_lines(trace: dict[str, Any], table: CsvTable, is_confidential: bool) -> Iterator[str]:
    x, y = (list(trace.get(axis, ())) for axis in "xy")
    is_hidden = trace.get("marker", {}).get("opacity") == 0  # points that only answer the pointer
    if is_hidden or not x or not y or all(value is None for value in (*x, *y)):
        return
    if trace.get("fill") == "toself":
        yield from _area_lines(trace, x, y, table, is_confidential)
        return
    place = find_place(table, x, y)
    if place and _has_arrays(trace) and place.n_points < len(x):
        place = None  # else the points would be fewer than their error bars or widths
    if place is None and (is_confidential or len(x) > _MOST_LITERALS):
        yield f"# {plain(trace.get('name') or 'a trace')}: its points are not in the CSV"
        return
    if place is None:
        yield from _draw_lines(trace, numbers_text(x), numbers_text(y), _label(trace))
        return
    drawn, first = np.flatnonzero(is_drawn(x) & is_drawn(y)), 0
    for stretch, (along, up) in zip(place.stretches, _csv_points(place, x, y), strict=True):
        last = first + sum(end - start for start, end in stretch)
        label = _label(trace) if first == 0 else NO_LABEL
        yield from _draw_lines(_with_marks_at(trace, drawn[first:last]), along, up, label)
        first = last


def _with_marks_at(trace: dict[str, Any], places: NDArray[np.intp]) -> dict[str, Any]:
    """Return a trace with the colours, symbols and patterns of some of its points, where each point has its own."""

    def at_places(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: at_places(value) for key, value in part.items()}
        return [part[place] for place in places] if _has_own_marks(part) and len(part) == len(trace["x"]) else part

    return trace | {"marker": at_places(trace["marker"])} if "marker" in trace else trace


def _has_own_marks(look: Any) -> bool:
    return isinstance(look, list | tuple) and len(look) > 0 and isinstance(look[0], str)


def _label(trace: dict[str, Any]) -> str:
    return literal(word_lines(trace["name"])) if _has_legend(trace) else NO_LABEL


def _filling_lines(
    trace: dict[str, Any], before: dict[str, Any] | None, table: CsvTable, layout: dict[str, Any]
) -> Iterator[str]:
    """Yield the lines that fill the area under a trace, or between it and the trace before, with its shade."""
    fill, (x, y) = trace.get("fill"), (list(trace.get(axis, ())) for axis in "xy")
    place = find_place(table, x, y) if fill in ("tozeroy", "tonexty") and "fillpattern" not in trace else None
    if place is None:
        return
    axis = layout.get("yaxis", {})
    is_log, ends = axis.get("type") == "log", axis.get("range")
    if fill == "tozeroy":
        if is_log and ends is None:
            return
        lower = [number(10.0 ** min(ends) if is_log else 0.0)] * len(place.stretches)
    else:
        low_x, low_y = (list((before or {}).get(axis, ())) for axis in "xy")
        below = find_place(table, low_x, low_y)
        if below is None or len(below.stretches) != len(place.stretches) or below.n_points != place.n_points:
            return
        lower = [low for _, low in _csv_points(below, low_x, low_y)]
    steps = _FILLED_STEPS.get(trace.get("line", {}).get("shape"))
    style = f"color={colours(trace.get('fillcolor'))}, linewidth=0{f', step={literal(steps)}' if steps else ''}"
    labels = (_label(trace), *[NO_LABEL] * len(lower))
    for (along, high), low, label in zip(_csv_points(place, x, y), lower, labels, strict=False):
        yield f"axes.fill_between({along}, {low}, {high}, label={label}, {style})"


def _draw_lines(trace: dict[str, Any], x: str, y: str, label: str) -> Iterator[str]:
    if trace.get("type") == "bar":
        is_across, width = trace.get("orientation") == "h", trace.get("width", 0.8)
        place, length, side = (y, x, "height") if is_across else (x, y, "width")
        if shift := trace.get("shift"):
            place = f"[{number(shift)} + place for place in {place}]"
        width = number(width) if isinstance(width, int | float) else numbers_text(list(width))
        opacity = trace.get("opacity", trace.get("marker", {}).get("opacity", 1))
        marker = trace.get("marker", {})
        shade, pattern = colours(marker.get("color")), marker.get("pattern", {})
        style = f"{side}={width}, color={shade}, label={label}, zorder=2"
        style += f", alpha={number(opacity)}" if opacity != 1 else ""  # else it would replace that of a colour
        if hatch := pattern.get("shape"):
            hatches = 3 * hatch if isinstance(hatch, str) else [3 * one for one in hatch]
            style += f", hatch={literal(hatches)}, edgecolor={colours(pattern.get('fgcolor'))}, linewidth=0"
        yield f"axes.{'barh' if is_across else 'bar'}({place}, {length}, {style})"
        return
    mode, marker = trace.get("mode", "lines"), trace.get("marker", {})
    own = {key: list(marker[key]) for key in ("color", "symbol") if _has_own_marks(marker.get(key))}
    if own and mode == "markers" and len({*map(len, own.values())}) == 1:
        yield from _own_mark_lines(marker, own, x, y, label)
        return
    style = line_style(trace.get("line", {})) if "lines" in mode else {"linestyle": '""'}
    if "markers" in mode:
        style |= marker_style(marker | {key: looks[0] for key, looks in own.items()})
        if most := marker.get("maxdisplayed"):
            style["markevery"] = str(max(1, -(-_n_drawn(trace) // most)))
    arguments = ", ".join(f"{key}={value}" for key, value in style.items())
    errors = {f"{axis}err": _error(trace[f"error_{axis}"]) for axis in "xy" if f"error_{axis}" in trace}
    if errors := {key: text for key, text in errors.items() if text}:
        bars = ", ".join(f"{key}={text}" for key, text in errors.items())
        yield f"axes.errorbar({x}, {y}, {bars}, label={label}, {arguments})"
    else:
        yield f"axes.plot({x}, {y}, label={label}, {arguments})"


def _own_mark_lines(marker: dict[str, Any], own: dict[str, list[str]], x: str, y: str, label: str) -> Iterator[str]:
    """Yield the lines that draw points of which each has a colour or a symbol of its own; the first has the label."""
    styles = [marker_style(marker | dict(zip(own, looks, strict=True))) for looks in zip(*own.values(), strict=True)]
    texts = [f"{{{', '.join(f'{literal(key)}: {value}' for key, value in style.items())}}}" for style in styles]
    labels = f"[{label}{f', {NO_LABEL}' * (len(styles) - 1)}]"
    yield f"for along, up, name, style in zip({x}, {y}, {labels}, [{', '.join(texts)}]):"
    yield '    axes.plot([along], [up], label=name, linestyle="", **style)'


def _n_drawn(trace: dict[str, Any]) -> int:
    """Return how many points of a trace are drawn: the others are gaps."""
    x, y = (list(trace[axis]) for axis in "xy")
    return int((is_drawn(x) & is_drawn(y)).sum())


def _has_arrays(trace: dict[str, Any]) -> bool:
    """Return whether each point of a trace has an error bar or a width of its own."""
    has_widths = not isinstance(trace.get("width", 0), int | float)
    return has_widths or any("array" in trace.get(f"error_{axis}", {}) for axis in "xy")


def _area_lines(
    trace: dict[str, Any], x: list[Any], y: list[Any], table: CsvTable, is_confidential: bool
) -> Iterator[str]:
    """Yield the lines for an area between two lines, of which the second one runs back."""
    half, style = len(x) // 2, f"color={colours(trace.get('fillcolor'))}, linewidth=0"
    there, back = find_place(table, x[:half], y[:half]), find_place(table, x[half:][::-1], y[half:][::-1])
    if there and back and len(there.stretches) == len(back.stretches) == 1:
        (along, low), (_, high) = next(_csv_points(there, x, y)), next(_csv_points(back, x, y))
        yield f"axes.fill_between({along}, {low}, {high}, label={_label(trace)}, {style})"
    elif not is_confidential and len(x) <= _MOST_LITERALS:
        yield f"axes.fill({numbers_text(x)}, {numbers_text(y)}, label={_label(trace)}, {style})"


def _csv_points(place: Place, x: list[Any], y: list[Any]) -> Iterator[tuple[str, str]]:
    """Yield the points of each stretch of a trace, as columns of the CSV."""
    for stretch in place.stretches:
        yield _column_call(place.x, place, stretch, x), _column_call(place.y, place, stretch, y)


def _column_call(column: Column, place: Place, stretch: tuple[tuple[int, int], ...], values: list[Any]) -> str:
    if column.name is None:
        return f"count({column.first}, {stretch})"
    more = f", times={number(column.times)}" if column.times != 1 else ""
    more += ", is_text=True" if is_text(values) else ""
    return f"column({literal(column.name)}, {literal(place.where)}, {stretch}{more})"


def _error(bars: dict[str, Any]) -> str:
    if bars.get("visible") is False:
        return ""
    if "value" in bars:
        return number(float(bars["value"]))
    up = numbers_text(list(bars["array"]))
    return f"[{numbers_text(list(bars['arrayminus']))}, {up}]" if "arrayminus" in bars else up


def _has_legend(trace: dict[str, Any]) -> bool:
    return bool(trace.get("name")) and trace.get("showlegend") is not False
