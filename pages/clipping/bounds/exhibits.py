"""The charts and the table of clipped sums, with their words and numbers."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from dpcore.checks import Array
from dpcore.families import FAMILIES
from pages.clipping.bounds import text
from pages.clipping.bounds.results import SIZES, BoundsResult
from pages.clipping.results import ClippingResult
from pages.framework.chart.theme import (
    compact,
    decades,
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    markers,
    pinned_curve,
    positive_or_nan,
)
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import chart_text, format_nearest, without_markdown
from pages.shared.shared_parameters import and_delta
from pages.shared.values.parameters import amount, amount_up, entered_amount, quantile_name

LEAD_HEIGHT = 380
"""The height of a lead chart beside another one, in pixels."""
_LEAST_DENSITY = 0.1  # values a decade that are drawn
_HEIGHT = 305  # of the pictures that stand in one row
BINS_A_DECADE = 10
_N_BINS = 60


def density_frame(result: BoundsResult) -> pd.DataFrame:
    """Return how many values a decade or, where some are negative, a bin has; bins are split at the chosen bounds."""
    edges, size = _edges(result)
    is_low_visible = result.is_signed or result.low >= 10.0 ** result.axis_decades[0]
    edges = np.unique(np.append(edges, [result.high, *((result.low,) if is_low_visible else ())]))
    edges = edges[np.append(True, np.diff(edges) > 1e-9 * np.abs(edges[1:]))]
    above = result.n_above(edges)
    n_values = above[:-1] - above[1:]
    low, high = edges[:-1], edges[1:]
    middle = (low + high) / 2 if result.is_signed else np.sqrt(low * high)
    frame = {"from": low, "to": high, "middle": middle, "n_values": n_values}
    frame |= {
        "per_bin": n_values * (size / (high - low) if result.is_signed else 1 / np.log10(high / low)),
        "is_cut": low >= result.high * (1 - 1e-9),
        "is_raised": high <= result.low + 1e-9 * abs(result.low),
    }
    return pd.DataFrame(frame)


def _edges(result: BoundsResult) -> tuple[Array, float]:
    """Return the edges of the bins, and the width of one where some values are negative."""
    if result.is_signed:
        ends = min(result.extremes[0], result.low), max(result.extremes[1], result.high)
        return np.linspace(*ends, _N_BINS + 1), (ends[1] - ends[0]) / _N_BINS
    first, last = result.axis_decades
    return 10.0 ** np.linspace(first, last, BINS_A_DECADE * (last - first) + 1), np.nan


_NAMES = {
    "best": "Least error",
    "thumb": "Rule of thumb: 1/ε values above",
    "yours": "Your bound",
    "maximum": "Maximum of your range",
}


def bounds_frame(result: BoundsResult) -> pd.DataFrame:
    """Return the bounds that one may choose, and the errors at each."""
    columns = {"bound": "high"} | {name: name for name in ("n_clipped", "bias", "noise_scale")} | SIZES
    errors = {name: getattr(result.choice_errors, key) for name, key in columns.items()}
    frame = {"choice": list(result.choices)} | errors
    if result.private is not None:
        own = {"choice": "private", "root_mean_square": result.private.error}
        frame = {name: [*values, own.get(name, np.nan)] for name, values in frame.items()}
    return pd.DataFrame(frame)


def table_html(result: BoundsResult) -> str:
    """Return the bounds as an accessible HTML table."""
    heads = ["Upper bound", "U", "Values cut", "Bias", "Noise scale", "Root mean square", "Mean absolute", "±"]
    private, names = result.private, dict(_NAMES)
    if private is not None:
        names["private"] = f"Private: {quantile_name(private.quantile)}, by {number_format.percent(private.share)} of ε"
    frame = bounds_frame(result)
    forms = dict.fromkeys(("bound", "n_clipped", "bias"), amount) | dict.fromkeys(("noise_scale", *SIZES), amount_up)
    columns = [
        ["–" if np.isnan(value) else form(value) for value in frame[name].to_list()] for name, form in forms.items()
    ]
    rows = [[names[choice], *cells] for choice, *cells in zip(frame["choice"], *columns, strict=True)]
    return number_format.table_html("Upper bounds and what each costs", "readings", heads, rows)


def _exhibit(
    result: ClippingResult,
    name: str,
    picture: Figure | str,
    alternative: str,
    numbers: pd.DataFrame | Callable[[], pd.DataFrame],
    handle: str = "",
) -> Exhibit:
    """Return an exhibit with the parameters of the section; a drag along its x sets the parameter `handle`."""
    return Exhibit(name, picture, alternative, numbers, _header(result), (handle, ""), result.setting.confidential)


def error_curve(result: ClippingResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the error over the upper bound, with its bias and noise, the least, and the chosen bound."""
    bounds = result.bounds
    if bounds is None:
        return None
    errors, size = bounds.curve["error"].to_numpy(), bounds.setting.size
    query, unit = text.query_word(result), chart_text(result.setting.unit)
    top, first = decades(0, 1, float(errors.max()))[1], int(np.floor(np.log10(float(errors.min())))) - 1
    y = log_axis(f"error of the {query} ({unit})", first, min(top, first + 4))
    x = log_axis(f"upper bound ({unit})", *bounds.axis_decades) | hover_head("U")
    subtitle = chart_text(text.noise_words(result))
    figure = layout(colours, f"Error of the {query} over the upper bound", subtitle, x, y)
    figure["height"] = LEAD_HEIGHT
    hairline(figure, colours, bounds.high, f"U = {entered_amount(bounds.high)}", "bound")
    shade = colours[FAMILIES[bounds.setting.noise].calibration.key]
    pinned = None if result.pinned is None else result.pinned.bounds
    traces = [] if pinned is None else [pinned_curve(pinned.curve["bound"], pinned.curve["error"], colours)]
    traces += error_lines(bounds.curve, "bound", "bias: what is cut", shade, colours)
    traces.append(ring(bounds.best_high, size(bounds.best), "least error", shade))
    if bounds.has_maximum:
        largest, grey = size(bounds.at_maximum), colours["quiet"]
        traces.append(ring(bounds.setting.high, largest, "maximum of your range", grey, "diamond-open"))
    alternative = without_markdown(" ".join(text.answer_sentences(result, bounds)[:2]))
    return _exhibit(result, "error_curve", {"data": traces, "layout": figure}, alternative, bounds.curve, "bound")


def error_lines(frame: pd.DataFrame, along: str, bias: str, shade: str, colours: Colours) -> list[dict[str, Any]]:
    """Return the error along a column, and its bias and noise as thin lines; `bias` is the name of the bias."""
    traces, thin = [], {"bias": (bias, "fails", "dot"), "noise": ("noise", "quiet", "dash")}
    for column, (name, colour, dash) in thin.items():
        height = positive_or_nan(np.abs(frame[column].to_numpy()))
        trace = line(frame[along], height, name, colours[colour], dash, hovertemplate="%{y:.4~g}")
        traces.append(trace | {"line": {"color": colours[colour], "dash": dash, "width": 1.5}})
    return [*traces, line(frame[along], frame["error"], "error", shade, "solid", hovertemplate="%{y:.4~g}")]


def ring(x: float, y: float | Array, name: str, shade: str, symbol: str = "circle-open") -> dict[str, Any]:
    """Return the mark of one place on a curve."""
    marker = {"color": shade, "size": 12, "symbol": symbol, "line": {"width": 3}}
    return markers([x], [float(y)], name, marker, cliponaxis=False, hoverinfo="skip")


def values_chart(result: ClippingResult, colours: Colours) -> Exhibit | None:
    """Return the chart of how many values a decade or a bin has, with what the bounds cut shaded."""
    bounds = result.bounds
    if bounds is None:
        return None
    frame, title = density_frame(bounds), f"value ({chart_text(result.setting.unit)})"
    columns = {str(name): column.to_numpy() for name, column in frame.items()}
    x = log_axis(title, *bounds.axis_decades)
    if bounds.is_signed:
        x = {"range": [float(columns["from"][0]), float(columns["to"][-1])], "title": {"text": title}}
    name = "values in a bin" if bounds.is_signed else "values in a decade"
    y = log_axis(name, int(np.log10(_LEAST_DENSITY)), decades(0, 1, float(columns["per_bin"].max()))[1])
    subtitle = chart_text(text.shape_words(result))
    figure = layout(colours, "The values, and what the bounds cut", subtitle, x | hover_head("value"), y)
    hairline(figure, colours, bounds.high, f"U = {entered_amount(bounds.high)}", "bound")
    traces = [_bars(columns, name, "values", colours["quiet"], 0.35)]
    shade = colours[FAMILIES[bounds.setting.noise].calibration.key]
    for column, words in (("is_cut", "lowered to U"), ("is_raised", "raised to lo")):
        cut = {key: values[columns[column]] for key, values in columns.items()}
        if np.any(cut["per_bin"] >= _LEAST_DENSITY):
            traces.append(_bars(cut, name, words, shade, 1))
    figure |= {"height": LEAD_HEIGHT, "barmode": "overlay", "bargap": 0}
    return _exhibit(result, "values", {"data": traces, "layout": figure}, text.density_text(bounds), frame, "bound")


def _bars(rows: dict[str, Array], count: str, name: str, shade: str, opacity: float) -> dict[str, Any]:
    """Return a bar for each bin, from its one edge to the other."""
    height = np.where(rows["per_bin"] >= _LEAST_DENSITY, rows["per_bin"], np.nan)
    ends = {"offset": compact(rows["from"] - rows["middle"]), "width": compact(rows["to"] - rows["from"])}
    trace = {"type": "bar", "name": name, "x": compact(rows["middle"]), "y": compact(height), "text": ""} | ends
    hover = "%{y:.4~g} " + count.partition(" ")[2]
    return trace | {"marker": {"color": shade, "opacity": opacity, "line": {"width": 0}}, "hovertemplate": hover}


def bound_over_epsilon(result: ClippingResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the best bound over ε, and that of the rule of thumb."""
    bounds = result.bounds
    if bounds is None:
        return None
    names = {"best": "least error", "thumb": "rule of thumb: 1/ε values above"}
    values = bounds.over_epsilon[[column for column in names if column in bounds.over_epsilon]].to_numpy()
    least, most = float(values.min()), float(values.max())
    y = log_axis(f"upper bound ({chart_text(result.setting.unit)})", *decades(0, 1, least, most))
    y |= {"range": [np.log10(least) - 0.3, np.log10(most) + 0.3]}
    figure = _figure_over_epsilon(result, bounds, "The best bound over ε", y, names, colours)
    return _exhibit(result, "best_bound", figure, text.bound_text(bounds), bounds.over_epsilon, "epsilon")


def error_over_epsilon(result: ClippingResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the errors at all bounds that one may choose over ε."""
    bounds = result.bounds
    if bounds is None:
        return None
    names = {"error": "best bound", "thumb_error": "rule of thumb", "yours": "your bound"}
    names |= {"maximum": "maximum of your range"}
    values = bounds.over_epsilon[[column for column in names if column in bounds.over_epsilon]].to_numpy()
    title = f"error of the {text.query_word(result)} ({chart_text(result.setting.unit)})"
    y = log_axis(title, *decades(99, -99, values.min(), values.max()))
    figure = _figure_over_epsilon(result, bounds, "The error over ε", y, names, colours)
    return _exhibit(result, "best_error", figure, text.error_text(bounds), bounds.over_epsilon, "epsilon")


# What jumps from one whole bound to the next one is drawn as marks, at the ε for which it is computed.
_OF_WHOLE_BOUNDS = {"best": "circle", "thumb": "diamond", "thumb_error": "diamond"}


def _figure_over_epsilon(
    result: ClippingResult, bounds: BoundsResult, title: str, y: dict[str, Any], names: dict[str, str], colours: Colours
) -> Figure:
    """Draw columns over ε, by their names; of the user's own values the subtitle has nothing but their name."""
    frame, setting = bounds.over_epsilon, bounds.setting
    low, high = np.log10(frame["epsilon"].iloc[[0, -1]].to_numpy())
    x = log_axis("ε", round(low), round(high)) | hover_head("ε")
    noise = f"{FAMILIES[setting.noise].name} noise{and_delta(setting.delta)}"
    figure = layout(colours, title, chart_text(f"{noise}, {text.shape_words(result)}"), x, y)
    hairline(figure, colours, setting.epsilon, f"ε = {format_nearest(setting.epsilon)}", "epsilon")
    best, thumb = (FAMILIES[setting.noise].calibration.key, "solid"), ("green", "dash")
    looks = {"best": best, "error": best, "thumb": thumb, "thumb_error": thumb}
    looks |= {"yours": ("purple", "dashdot"), "maximum": ("quiet", "dot")}
    traces = []
    for column in (column for column in names if column in frame):
        shade, dash = looks[column]
        more: dict[str, Any] = {"hovertemplate": "%{y:.4~g}"}
        if setting.is_whole and column in _OF_WHOLE_BOUNDS:
            more |= {
                "mode": "markers",
                "marker": {"color": colours[shade], "size": 8, "symbol": _OF_WHOLE_BOUNDS[column]},
            }
        traces.append(line(frame["epsilon"], frame[column], names[column], colours[shade], dash, **more))
    return {"data": traces, "layout": figure | {"height": _HEIGHT}}


def choices(result: ClippingResult, _: Colours) -> Exhibit | None:
    """Return the table of the bounds that one may choose."""
    bounds = result.bounds
    if bounds is None:
        return None
    return _exhibit(result, "choices", table_html(bounds), text.table_text(bounds), partial(bounds_frame, bounds))


def _header(result: ClippingResult) -> dict[str, str]:
    setting = result.setting
    keys = ("epsilon", "delta", "significance", "query", "low", "bound", "high", "neighbours", "noise", "error", "unit")
    entries = setting.texts(*keys)
    entries |= {key: "best" for key in ("low", "bound") if getattr(setting.bounds, key) is None}
    entries |= {"count_share": str(setting.count_share)} if setting.query == "counted_mean" else {}
    if not setting.is_own:
        entries |= setting.texts("shape", "median", "p90", "n_records")
    return entries | {"units": "bounds, values, biases and errors in the unit of the values; epsilon in nats"}
