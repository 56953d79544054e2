"""The tiles of the start page: what is published or asked, an example, the link to its page, and its small picture."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import accuracy, composition, gaussian
from dpcore.calibrations import ANALYTIC, GEOMETRIC, LAPLACE, PURE_DP, Calibration
from dpcore.checks import Array
from dpcore.families import FAMILIES
from pages.framework.chart.theme import TYPE, compact, decades, layout, line, log_axis, positive_or_nan, round_axis_end
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Card
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_up, without_markdown
from pages.framework.rendering.uploaded_files import kept
from pages.shared.page_links import Link, shared_entries
from pages.shared.shared_parameters import SharedSetting
from pages.shared.site_map import ACCURACY, COMPOSITION, MEANING, MEDIAN, PLAN, SERIES, SURVEY, TABLES
from pages.start.results import one_number_entries

HEIGHT = 156  # px
EPSILONS, N_RELEASES = np.logspace(-3, 2, 101), np.arange(1, 53)
_EPOCHS = 100 * np.linspace(0, 1, 9)[1:] ** 2  # close where the curve bends


@dataclass(frozen=True)
class Tile:
    """A tile: the link to its page, the example on it, and the axes, traces and numbers of its picture.

    `pictured` says what the picture shows, where that is not the answer of its page.
    """

    link: Link
    example: str
    axes: dict[str, Any]
    traces: list[dict[str, Any]]
    numbers: Mapping[str, ArrayLike]
    pictured: str = ""


def _card(tile_at: Callable[[SharedSetting, Colours], Tile]) -> Callable[[SharedSetting, Colours], Card]:
    """Return a function that makes the card of a tile, whose picture has the name of the function of the tile."""

    @wraps(tile_at)
    def card(setting: SharedSetting, colours: Colours) -> Card:
        tile = tile_at(setting, colours)
        words = f"{tile.axes['title']['text']}. {without_markdown(tile.pictured or tile.link.answer_sentence)}"
        figure, name = {"data": tile.traces, "layout": tile.axes}, f"card_{tile_at.__name__}"
        picture = Exhibit(name, figure, words, lambda: pd.DataFrame(tile.numbers), setting.csv_header)
        return Card(tile.link.name, tile.link.address, tile.example, picture)

    return card


@_card
def error(setting: SharedSetting, colours: Colours) -> Tile:
    """Return the tile of one number: ± over ε of two kinds of noise, and that of the first at the ε of the page."""
    entries = {"section": "accuracy", "known": "epsilon", "promise": "pure"}
    entries |= {"mechanisms": "three", "shown": "accuracy", "pinned": "none"}
    link = Link(ACCURACY, ACCURACY.name, one_number_entries(setting) | entries)
    noise = GEOMETRIC if GEOMETRIC.key in link.result.rows else LAPLACE
    half_widths = {rule.key: _half_widths(rule, setting) for rule in (noise, ANALYTIC)}
    level = int(np.floor(np.log10(half_widths[noise.key][EPSILONS.size // 2])))
    axes = _small(colours, "± over ε", _epsilon_axis(setting.epsilon), _log("±", level - 1, level + 3))
    _label(axes, 0.52, 1, "Gaussian", colours["analytic"])
    _label(axes, 0.02, 0.06, FAMILIES[noise.key].name, colours[noise.key])
    traces = [line(EPSILONS, y, key, colours[key], "solid") for key, y in half_widths.items()]
    traces[0]["line"] |= {"shape": "hv" if noise.whole else "linear"}  # up to the next ε the error of the smaller one
    traces.append(_point(setting.epsilon, link.result.rows[noise.key].half_width, colours))
    example = "How many patients, what average income? How far off is it, and which ε makes it good enough?"
    return Tile(link, example, axes, traces, {"epsilon": EPSILONS, **half_widths})


@_card
def table(setting: SharedSetting, colours: Colours) -> Tile:
    """Return the tile of a table: a sample of 64 counts, largest first, each with the half-width of its noise."""
    entries = {"section": "table", "table": "czech", "mechanism": "recommended", "promise": "pure", "error": "all"}
    entries |= {"per_person": "1", "per_cell": "1", "neighbours": "add_remove", "margins": "0", "axis": "linear"}
    link = Link(TABLES, TABLES.name, shared_entries(setting) | entries | {"pinned": "none"})
    result, count = link.result, link.result.counts
    half_width = result.half_width if result.half_width > 0 else 0.0
    x = {"range": [0.3, count.size + 0.7], "tickvals": [1, count.size], "title": {"text": "cells, largest first"}}
    y = {"range": [-round_axis_end(half_width), round_axis_end(float(count.max()) + half_width)], "nticks": 4}
    axes = _small(colours, "Counts and the error interval of their noise", x, y | {"title": {"text": "count"}})
    dots = _dots(np.arange(1, count.size + 1), -np.sort(-count), "counts", colours["text"], 3)
    shade = colours["quiet" if result.mechanism is None else result.mechanism.key]
    bars = {"type": "constant", "value": half_width, "color": shade, "thickness": 2, "width": 0}
    dots |= {"error_y": bars} if half_width else {}
    example = "Visits by district, or codes from a GROUP BY: which noise, and which cells remain usable?"
    return Tile(link, example, axes, [dots], {"count": count, "half_width": result.half_width})


@_card
def several(setting: SharedSetting, colours: Colours) -> Tile:
    """Return the tile of several statistics: what each query of the page's first plan adds to ε, up to the total."""
    link = Link(PLAN, PLAN.name, shared_entries(setting) | {"promise": "pure", "direction": "errors"})
    result, costs, target = link.result, link.result.cost, setting.epsilon
    before = np.cumsum(costs) - costs
    x = {"range": [-0.7, costs.size + 0.7], "tickvals": [], "title": {"text": "five statistics, and all together"}}
    top = round_axis_end(1.05 * max(result.epsilon, float(costs.sum())))
    y = {"range": [0, top], "nticks": 4, "title": {"text": "ε"}}
    axes = _small(colours, "What each statistic adds to ε", x, y) | {"barmode": "overlay"}
    families = [part.noise.family for part in result.planned_queries]
    shades = [colours["analytic" if family == "gaussian" else family] for family in families]
    bars = {"type": "bar", "name": "cost", "x": np.arange(costs.size), "y": compact(costs), "width": 0.6}
    bars |= {"base": compact(before), "marker": {"color": shades}}
    whole = {"type": "bar", "name": "total", "x": np.array([costs.size]), "y": compact([result.epsilon]), "width": 0.6}
    whole |= {"marker": {"color": colours["text"]}}
    is_low = costs.size > 2 and target < before[2]  # then it is free under the later steps
    _add_page_epsilon(axes, target, top, colours, *((0.6, ("center", "top")) if is_low else (0, ("left", "bottom"))))
    example = "A yearly report of counts, sums and tables: which noise for each, and what total ε?"
    return Tile(link, example, axes, [bars, whole], {"cost": costs})


@_card
def median(setting: SharedSetting, colours: Colours) -> Tile:
    """Return the tile of a median: its ± over ε, where the left end is the cliff."""
    entries = {"section": "quantile", "source": "shape", "unit": "days"}
    link = Link(MEDIAN, MEDIAN.name, shared_entries(setting) | entries)
    result = link.result.quantile
    epsilon, half_width = (result.over_epsilon[key] for key in ("epsilon", "permute_and_flip"))
    axis = _log("± days", *decades(-1, 2, float(np.max(half_width))))
    axes = _over_epsilon(colours, "± over ε", axis, epsilon, result.release.epsilon)
    curve = line(epsilon, positive_or_nan(half_width), "median", colours["purple"], "solid")
    curve["line"] |= {"shape": "vh"}
    traces = [curve, _point(result.release.epsilon, result.error, colours)]
    example = "Waiting times: how far off is a private median, and what does that depend on?"
    return Tile(link, example, axes, traces, {"epsilon": epsilon, "half_width": half_width})


@_card
def series(setting: SharedSetting, colours: Colours) -> Tile:
    """Return the tile of a series: the ± of each running total of 36 months, and that of adding noisy months up."""
    link = Link(SERIES, SERIES.name, shared_entries(setting) | {"section": "time", "pinned": "none"})
    result = link.result.over_time
    best, months = result.half_widths(result.answer_errors), result.half_widths_of("per_period")
    month = np.arange(1, best.size + 1)
    x = {"range": [0, best.size + 1.0], "tickvals": [1, best.size], "title": {"text": "month"}}
    y = {"range": [0, round_axis_end(1.05 * float(max(months.max(), best.max())))], "nticks": 4, "title": {"text": "±"}}
    axes = _small(colours, "± of each running total", x, y)
    _label(axes, 0.02, 1, "noisy months added up", colours["laplace"])
    traces = [line(month, best, "best", colours["analytic"], "solid")]
    traces.append(line(month, months, "months", colours["laplace"], "dash"))
    example = "Monthly numbers and their totals: what does adding them up cost?"
    return Tile(link, example, axes, traces, {"month": month, "best": best, "months": months})


@_card
def survey(setting: SharedSetting, colours: Colours) -> Tile:
    """Return the tile of a survey in which each person adds the noise: its ± in percentage points over ε."""
    link = Link(SURVEY, SURVEY.name, shared_entries(setting))
    result = link.result
    epsilon, half_width = (result.over_epsilon[key].to_numpy() for key in ("epsilon", result.method))
    half_width = 100.0 * half_width
    axis = _log("± points", *decades(-2, 2, float(np.max(half_width))))
    axes = _over_epsilon(colours, "± of a survey over ε", axis, epsilon, setting.epsilon)
    curve = line(epsilon, positive_or_nan(half_width), "survey", colours["purple"], "solid")
    traces = [curve, _point(setting.epsilon, 100.0 * result.error, colours)]
    example = "Answers that nobody may know, not even you: how many people do you need?"
    return Tile(link, example, axes, traces, {"epsilon": epsilon, "half_width": half_width})


@_card
def dp_sgd(setting: SharedSetting, colours: Colours) -> Tile:
    """Return the tile of a trained model: the certified ε of a training over epochs, beside the ε of the page."""
    entries = {"section": "training", "solve": "epsilon", "training_view": "steps", "pinned": "none"}
    entries |= {"records": "60000", "batch": "256", "epochs": "60", "noise_multiplier": "1.1"}
    link = Link(COMPOSITION, "A trained model", shared_entries(setting) | entries)
    run = link.result.training
    epsilon = kept(_epsilon_over_epochs, run.noise, run.rate, setting.delta)
    last = float(epsilon[-1])
    top = round_axis_end(1.05 * max(run.epsilon, last))
    x = {"range": [0, float(_EPOCHS[-1])], "nticks": 4, "title": {"text": "epochs"}}
    axes = _small(colours, "ε over epochs", x, {"range": [0, top], "nticks": 4, "title": {"text": "ε"}})
    anchor = "right", "top" if setting.epsilon > last / 2 else "bottom"
    _add_page_epsilon(axes, setting.epsilon, top, colours, 1, anchor)
    traces = [line(_EPOCHS, epsilon, "ε", colours["text"], "solid"), _point(run.epochs, run.epsilon, colours)]
    example = "A network trained with DP-SGD on patients’ images: how long, with how much noise?"
    return Tile(link, example, axes, traces, {"epochs": _EPOCHS, "epsilon": epsilon})


@_card
def meaning(setting: SharedSetting, colours: Colours) -> Tile:
    """Return the tile of what ε means: the most and the least that anybody believes after a release, over before."""
    link = Link(MEANING, MEANING.name, shared_entries(setting) | {"promise": "pure", "prior": "0.1", "pinned": "none"})
    beliefs = link.result.beliefs
    marks = [0, 0.5, 1]
    axis = {"range": [0, 1], "tickvals": marks, "ticktext": [number_format.percent(mark) for mark in marks]}
    x, y = (axis | {"title": {"text": name}} for name in ("belief before", "after"))
    axes = _small(colours, "Belief that you are in the data, after over before", x, y)
    prior, at_least, at_most = (beliefs[key] for key in ("prior", "at_least", "at_most"))
    none = line(prior, prior, "without a release", colours["quiet"], "dot")
    least = line(prior, at_least, "at least", colours["analytic"], "dash")
    most = line(prior, at_most, "at most", colours["analytic"], "solid", fill="tonexty", fillcolor=colours["band"])
    example = "What can anybody learn about one person? Is my ε high, compared with what others used?"
    return Tile(link, example, axes, [none, least, most], dict(beliefs))


@_card
def together(setting: SharedSetting, colours: Colours) -> Tile:
    """Return the tile of all releases together: ε of one release a week for a year, each with the page's guarantee."""
    link = Link(COMPOSITION, COMPOSITION.name, shared_entries(setting) | {"section": "together", "pinned": "none"})
    sigma = gaussian.analytic_sigma(setting.epsilon, setting.delta)
    total = gaussian.epsilon_from_sigma(setting.delta, sigma / np.sqrt(N_RELEASES))  # k releases are one with σ ÷ √k
    last = int(N_RELEASES[-1])
    x = {"range": [0, last + 1], "tickvals": [1, last], "title": {"text": "weekly releases"}}
    y = {"range": [0, round_axis_end(float(total[-1]) * 1.05)], "nticks": 4, "title": {"text": "ε"}}
    axes = _small(colours, "ε of all releases together", x, y)
    traces = [line(N_RELEASES, total, "together", colours["analytic"], "solid")]
    example = "The same counts every week: what do all releases about the same people reveal?"
    words = f"ε grows with the releases, to {format_up(float(total[-1]))} after {last}."
    return Tile(link, example, axes, traces, {"releases": N_RELEASES, "epsilon": total}, words)


PUBLISHED, PRIVATE_ENOUGH = (error, table, several, median, series, survey, dp_sgd), (meaning, together)


def _epsilon_over_epochs(noise: float, rate: float, delta: float) -> Array:
    return composition.dp_sgd_epsilon(delta, noise, rate, np.ceil(_EPOCHS / rate), "certified")


def _half_widths(rule: Calibration, setting: SharedSetting) -> Array:
    delta = 0.0 if rule.guarantee == PURE_DP else setting.delta
    return accuracy.half_width(rule, EPSILONS, setting.significance, setting.l2_sensitivity, delta)


def _small(colours: Colours, title: str, x: dict[str, Any], y: dict[str, Any]) -> dict[str, Any]:
    figure = layout(colours, title, "", x, y)
    for axis in (figure["xaxis"], figure["yaxis"]):
        axis["title"]["standoff"] = 4
        axis["ticklen"] = 3
    margin = {"l": 54, "r": 14, "t": 12, "b": 2}
    return figure | {"height": HEIGHT, "hovermode": False, "showlegend": False, "margin": margin}


def _over_epsilon(
    colours: Colours, title: str, y: dict[str, Any], epsilon: ArrayLike, current: float
) -> dict[str, Any]:
    """Return the layout of a curve over these ε, the first and the last of which are the ends of its axis."""
    axes = _small(colours, title, _epsilon_axis(current), y)
    axes["xaxis"]["range"] = [float(np.log10(np.min(epsilon))), float(np.log10(np.max(epsilon)))]
    return axes


def _epsilon_axis(current: float) -> dict[str, Any]:
    return log_axis("ε", *decades(-3, 2, current if np.isfinite(current) else 1))


def _log(label: str, low: int, high: int) -> dict[str, Any]:
    """Return a log axis with room for a few labels."""
    step = max(2, (high - low) // 2)
    return log_axis(label, low, high, marks=tuple(10.0**decade for decade in range(low, high + 1, step)))


def _label(figure: dict[str, Any], x: float, y: float, name: str, shade: str) -> None:
    """Add a word in the colour of its line, where no line runs."""
    place = {"x": x, "y": y, "xref": "x domain", "yref": "y domain", "xanchor": "left"}
    place["yanchor"] = "top" if y > 0.5 else "bottom"
    figure["annotations"].append(place | {"text": name, "showarrow": False, "font": {"color": shade, "size": TYPE}})


def _add_page_epsilon(
    figure: dict[str, Any], epsilon: float, top: float, colours: Colours, x: float, anchor: tuple[str, str]
) -> None:
    """Add the ε of the page as a dashed horizontal line, with its name at `x`; where it is above the axis, its name."""
    label = f"your ε = {number_format.format_input_up(epsilon)}"
    if epsilon > top:
        _label(figure, 0.02, 1, f"↑ {label}", colours["text"])
        return
    style = {"color": colours["quiet"], "dash": "dash", "width": 1}
    span = {"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": epsilon, "y1": epsilon, "line": style}
    figure["shapes"].append(span)
    note = {"text": label, "showarrow": False, "x": x, "xref": "x domain", "y": epsilon}
    figure["annotations"].append(note | {"xanchor": anchor[0], "yanchor": anchor[1]})


def _point(x: float, y: float, colours: Colours) -> dict[str, Any]:
    is_shown = x > 0 and y > 0
    return _dots([x] if is_shown else [], [y] if is_shown else [], "here", colours["text"], 9)


def _dots(x: ArrayLike, y: ArrayLike, name: str, shade: str, size: int) -> dict[str, Any]:
    looks = {"mode": "markers", "marker": {"color": shade, "size": size}}
    return {"type": "scatter", "name": name, "x": compact(x), "y": compact(y)} | looks
