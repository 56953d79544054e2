"""The charts and tables of a survey: the error over ε and the options, a survey for trial, and every way."""

from dataclasses import asdict
from math import ceil
from typing import Any

import numpy as np
import pandas as pd

from pages.framework.chart.theme import (
    TYPE,
    compact,
    decades,
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    markers,
    positive_or_nan,
    round_axis_end,
)
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.parameters.number_format import chart_text, exact_text, format_input_up, format_nearest
from pages.survey.parameters import OFFICE, WANTED
from pages.survey.results import LINES, SAMPLING, SurveyResult
from pages.survey.shares import text

_HEIGHT = 380
_LOOKS = {
    "randomized_response": ("orange", "dash"),
    "subset_selection": ("analytic", "solid"),
    "optimized_unary": ("green", "dot"),
    "symmetric_unary": ("rose", "longdash"),
    "hadamard": ("purple", "dashdot"),
    OFFICE: ("text", "solid"),
    SAMPLING: ("quiet", "longdashdot"),
}


def _figure(frame: pd.DataFrame, title: str, subtitle: str, x: dict[str, Any], colours: Colours) -> dict[str, Any]:
    place, *columns = frame.columns
    values = 100 * frame[columns].to_numpy()
    first, last = decades(99, -99, *values[values > 0])
    traces = []
    for column in columns:
        shade, dash = _LOOKS[column]
        x_values, y_values = frame[place].to_numpy(), positive_or_nan(100 * frame[column].to_numpy())
        traces.append(line(x_values, y_values, LINES[column], colours[shade], dash, hovertemplate="±%{y:.4~g}"))
    y = log_axis("± (percentage points)", first, last)
    return {"data": traces, "layout": layout(colours, title, chart_text(subtitle), x, y) | {"height": _HEIGHT}}


def error_chart(result: SurveyResult, colours: Colours) -> Exhibit:
    """Return the chart of the error over ε, whose line is a handle."""
    setting, frame = result.setting, result.over_epsilon
    ends = np.log10(frame["epsilon"].to_numpy()[[0, -1]])
    x = log_axis("ε", *map(round, ends.tolist())) | hover_head("ε")
    subtitle = f"{text.people_and_share(result)}, {setting.n_options:,.0f} options"
    figure = _figure(frame, "The error over ε", subtitle, x, colours)
    key, picks = ("", ("", WANTED.key)) if setting.is_error_known else ("epsilon", ("epsilon", ""))
    hairline(figure["layout"], colours, setting.epsilon, f"ε = {format_nearest(setting.epsilon)}", key)
    if setting.known != "epsilon":
        wanted = setting.wanted_points
        span = {"x0": 0, "x1": 1, "xref": "x domain", "y0": wanted, "y1": wanted}
        style = {"color": colours["text"], "width": 1.5, "dash": "dot"}
        figure["layout"]["shapes"].append({"type": "line", "line": style} | span)
        note = {"text": f"wanted: ±{format_input_up(wanted)}", "showarrow": False, "font": {"size": TYPE}}
        note |= {"x": 1, "xref": "x domain", "xanchor": "right", "y": np.log10(wanted), "yanchor": "bottom"}
        figure["layout"]["annotations"].append(note)
    return Exhibit("over_epsilon", figure, text.epsilon_alternative(result), frame, _file_header(result), picks)


def options_chart(result: SurveyResult, colours: Colours) -> Exhibit:
    """Return the chart of the error over the number of options, whose line is a handle."""
    frame, d = result.over_options, result.setting.n_options
    x = log_axis("number of options d", 0, round(float(np.log10(frame["n_options"].iloc[-1])))) | hover_head("d")
    subtitle = f"{text.people_and_share(result)}, ε = {format_input_up(result.setting.epsilon)}"
    figure = _figure(frame, "The error over the options", subtitle, x, colours)
    hairline(figure["layout"], colours, d, f"d = {format_nearest(d)}", "n_options")
    alternative = text.options_alternative(result)
    return Exhibit("over_options", figure, alternative, frame, _file_header(result), ("n_options", ""))


def trial_chart(result: SurveyResult, colours: Colours) -> Exhibit | None:
    """Return the chart of a survey for trial, where one is drawn: true shares as bars, and each estimate with its ±."""
    if (trial := result.trial) is None:
        return None
    options = np.arange(1, trial.truth.size + 1)
    truth, estimate, size = (100 * part for part in (trial.truth, trial.estimate, trial.half_width))
    highest = float(np.max([truth.max(), (estimate + size).max()]))
    lowest = float(np.min([0.0, (estimate - size).min()]))
    x = {"range": [0.3, options.size + 0.7], "tickformat": "d", "title": {"text": "option"}}
    x |= {"dtick": ceil(options.size / 16)}
    end = min(round_axis_end(1.05 * highest), max(100.0, 1.05 * highest))  # beyond 100 % for the ends of a ± alone
    y = {"range": [lowest * 1.05, end], "nticks": 6, "title": {"text": "share (%)"}}
    bars = {"type": "bar", "name": "true share", "x": options, "y": compact(truth), "width": 0.7}
    bars |= {"marker": {"color": colours["floor"]}, "hovertemplate": "truth %{y:.4~g} %<extra></extra>"}
    reach = {"type": "data", "array": compact(size), "thickness": 1.2, "width": 3, "color": colours["analytic"]}
    marker, hover = {"color": colours["analytic"], "size": 7}, "estimate %{y:.4~g} %<extra></extra>"
    dots = markers(options, estimate, "the estimate, with its ±", marker, error_y=reach, hovertemplate=hover)
    subtitle = chart_text(text.trial_subtitle(result))
    figure = layout(colours, "A survey for trial", subtitle, x, y) | {"height": _HEIGHT}
    header = _file_header(result) | {"seed": exact_text(result.setting.seed)}
    picture = {"data": [bars, dots], "layout": figure}
    return Exhibit("trial", picture, text.trial_text(trial, result), lambda: trial.frame, header)


def sides(result: SurveyResult, _: Colours) -> Exhibit:
    """Return the table of phones beside a trusted office."""
    html, alternative = text.sides_html(result), text.sides_alternative(result)
    frame = pd.DataFrame([{"side": side} | asdict(numbers) for side, numbers in result.sides.items()])
    return Exhibit("sides", html, alternative, frame, _file_header(result))


def ways(result: SurveyResult, _: Colours) -> Exhibit:
    """Return the table of the error and of the people who are enough, by each way."""
    return Exhibit("ways", text.ways_html(result), text.ways_alternative(result), result.ways, _file_header(result))


def _file_header(result: SurveyResult) -> dict[str, str]:
    setting = result.setting
    keys = "known", "epsilon", "significance", "n_people", "n_options", "option_share", "wanted_error"
    units = "errors are half-widths as shares of 1, those of the noise alone, and of sampling in its column"
    entries = {key: repr(getattr(setting, key)) for key in keys}
    return entries | {"method": result.method, "answer": result.side, "units": f"{units}; epsilon in nats"}
