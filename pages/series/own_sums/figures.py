"""The picture of the section: the error of each published number by each way to add the noise."""

from pages.framework.chart.theme import ghost, hover_head, layout, line, round_axis_end
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters.number_format import chart_text
from pages.series.over_time.figures import LOOKS
from pages.series.own_sums.text import NAMES, subtitle
from pages.series.results import SeriesResult
from pages.shared.error_text import share

_MOST_NAMED = 20  # numbers whose names stand below the axis
_NAME = 14  # characters of a name there
_SYMBOLS = ("circle", "square", "diamond", "triangle-up")


def each_figure(result: SeriesResult, colours: Colours) -> Figure:
    """Draw the half-width of each published number, by way."""
    found = result.own_sums
    frame = found.each
    pinned = None if result.pinned is None or result.pinned.are_sums_missing else result.pinned.own_sums
    sizes = [] if pinned is None else pinned.half_widths(pinned.method).tolist()
    highest = max([float(frame[list(found.drawn)].to_numpy().max()), *sizes])
    x = {"range": [0.4, max(found.n_sums, len(sizes)) + 0.6], "title": {"text": "published number"}}
    if found.n_sums <= _MOST_NAMED:
        x |= {"tickvals": frame["number"].tolist(), "ticktext": [chart_text(name, _NAME) for name in found.names]}
    y = {"range": [0, round_axis_end(highest)], "title": {"text": f"± in {share(found.significance)} of releases"}}
    figure = layout(colours, "Error of each published number", subtitle(result), x | hover_head("number"), y)
    traces = []
    if pinned is not None:
        pin = line(range(1, len(sizes) + 1), sizes, "pinned", "", "") | ghost(colours)
        traces.append(pin | {"mode": "markers", "marker": {"color": colours["ghost"], "size": 12}})
    for method, symbol in zip(found.drawn, _SYMBOLS, strict=False):
        shade, dash = LOOKS.get(method, ("rose", "dash"))
        marker = {"color": colours[shade], "symbol": symbol, "size": 10 if method == found.method else 7}
        trace = line(frame["number"], frame[method], NAMES[method], colours[shade], dash, hovertemplate="±%{y:.4~g}")
        traces.append(trace | {"mode": "markers", "marker": marker})
    return {"data": traces, "layout": figure}
