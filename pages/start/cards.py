"""The tiles of the start page: what is published or asked, an example, the link to its page, and its small picture."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import accuracy, composition, gaussian
from dpcore.calibrations import ANALYTIC, GEOMETRIC, LAPLACE, PURE_DP, Calibration
from dpcore.checks import Array
from dpcore.families import FAMILIES
from pages.framework.chart.theme import TYPE, compact, decades, layout, line, log_axis, positive_or_nan, round_axis_end
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.section import Card
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_up, without_markdown
from pages.framework.rendering.uploaded_files import kept
from pages.shared.page_links import Link, shared_entries
from pages.shared.shared_parameters import SharedSetting
from pages.shared.site_map import ACCURACY, COMPOSITION, MEANING, MEDIAN, PLAN, SERIES, SURVEY, TABLES
from pages.start.results import one_number_entries

HEIGHT = 156  # px


def accuracy_card_figure(
    epsilon: Array, half_widths: dict[str, Array], at: tuple[float, float], colours: Colours
) -> Figure:
    """Draw ± over ε of two kinds of noise, by key, and that of the first at the ε of the page."""
    first = next(iter(half_widths))
    level = int(np.floor(np.log10(half_widths[first][epsilon.size // 2])))
    figure = _small(colours, "± over ε", _epsilon_axis(at[0]), _log("±", level - 1, level + 3))
    traces = [line(epsilon, y, key, colours[key], "solid") for key, y in half_widths.items()]
    _label(figure, 0.52, 1, "Gaussian", colours["analytic"])
    _label(figure, 0.02, 0.06, FAMILIES[first].name, colours[first])
    return {"data": [*traces, _point(*at, colours)], "layout": figure}


def cells_card_figure(count: Array, half_width: float, shade: str, colours: Colours) -> Figure:
    """Draw the counts of a table, largest first, each with the half-width of its noise, if there is any."""
    half_width = half_width if half_width > 0 else 0.0
    x = {"range": [0.3, count.size + 0.7], "tickvals": [1, count.size], "title": {"text": "cells, largest first"}}
    y = {"range": [-round_axis_end(half_width), round_axis_end(float(count.max()) + half_width)], "nticks": 4}
    figure = _small(colours, "Counts and the error interval of their noise", x, y | {"title": {"text": "count"}})
    dots = _dots(np.arange(1, count.size + 1), -np.sort(-count), "counts", colours["text"], 3)
    bars = {"type": "constant", "value": half_width, "color": shade, "thickness": 2, "width": 0}
    return {"data": [dots | ({"error_y": bars} if half_width else {})], "layout": figure}


def training_card_figure(
    epochs: Array, epsilon: Array, at: tuple[float, float], target: float, colours: Colours
) -> Figure:
    """Draw the certified ε over epochs, the training as a point on it, and the ε of the page."""
    top = round_axis_end(1.05 * max(at[1], float(epsilon[-1])))
    x = {"range": [0, float(epochs[-1])], "nticks": 4, "title": {"text": "epochs"}}
    figure = _small(colours, "ε over epochs", x, {"range": [0, top], "nticks": 4, "title": {"text": "ε"}})
    _add_page_epsilon(figure, target, top, colours, 1, ("right", "top" if target > epsilon[-1] / 2 else "bottom"))
    return {"data": [line(epochs, epsilon, "ε", colours["text"], "solid"), _point(*at, colours)], "layout": figure}


def plan_card_figure(costs: Array, families: list[str], total: float, target: float, colours: Colours) -> Figure:
    """Draw what each query of a plan adds to ε as steps up to the total, in the colour of its noise.

    The ε of the page is a dashed line.
    """
    before = np.cumsum(costs) - costs
    x = {"range": [-0.7, costs.size + 0.7], "tickvals": [], "title": {"text": "five statistics, and all together"}}
    top = round_axis_end(1.05 * max(total, float(costs.sum())))
    y = {"range": [0, top], "nticks": 4, "title": {"text": "ε"}}
    figure = _small(colours, "What each statistic adds to ε", x, y)
    shades = [colours["analytic" if family == "gaussian" else family] for family in families]
    bars = {"type": "bar", "name": "cost", "x": np.arange(costs.size), "y": compact(costs), "width": 0.6}
    bars |= {"base": compact(before), "marker": {"color": shades}}
    whole = {"type": "bar", "name": "total", "x": np.array([costs.size]), "y": compact([total]), "width": 0.6}
    is_low = costs.size > 2 and target < before[2]  # then it is free under the later steps
    _add_page_epsilon(figure, target, top, colours, *((0.6, ("center", "top")) if is_low else (0, ("left", "bottom"))))
    return {"data": [bars, whole | {"marker": {"color": colours["text"]}}], "layout": figure | {"barmode": "overlay"}}


def median_card_figure(epsilon: ArrayLike, half_width: ArrayLike, at: tuple[float, float], colours: Colours) -> Figure:
    """Draw the ± of a median over ε, and that at the ε of the page."""
    ends = decades(-1, 2, float(np.max(half_width)))
    figure = _small(colours, "± over ε", _epsilon_axis(at[0]), _log("± days", *ends))
    figure["xaxis"]["range"] = [float(np.log10(np.min(epsilon))), float(np.log10(np.max(epsilon)))]
    curve = line(epsilon, positive_or_nan(half_width), "median", colours["purple"], "solid")
    curve["line"] |= {"shape": "vh"}
    return {"data": [curve, _point(*at, colours)], "layout": figure}


def series_card_figure(month: Array, best: Array, months: Array, colours: Colours) -> Figure:
    """Draw the ± of each running total: by the chosen method, and by adding up noisy months."""
    x = {"range": [0, float(month[-1]) + 1], "tickvals": [1, int(month[-1])], "title": {"text": "month"}}
    y = {"range": [0, round_axis_end(1.05 * float(max(months.max(), best.max())))], "nticks": 4, "title": {"text": "±"}}
    figure = _small(colours, "± of each running total", x, y)
    _label(figure, 0.02, 1, "noisy months added up", colours["laplace"])
    added = line(month, months, "months", colours["laplace"], "dash")
    return {"data": [line(month, best, "best", colours["analytic"], "solid"), added], "layout": figure}


def survey_card_figure(epsilon: Array, half_width: Array, at: tuple[float, float], colours: Colours) -> Figure:
    """Draw the ± of a survey over ε, and that at the ε of the page."""
    ends = decades(-2, 2, float(np.max(half_width)))
    figure = _small(colours, "± of a survey over ε", _epsilon_axis(at[0]), _log("± points", *ends))
    figure["xaxis"]["range"] = [float(np.log10(epsilon[0])), float(np.log10(epsilon[-1]))]
    curve = line(epsilon, positive_or_nan(half_width), "survey", colours["purple"], "solid")
    return {"data": [curve, _point(*at, colours)], "layout": figure}


def beliefs_card_figure(prior: ArrayLike, at_least: ArrayLike, at_most: ArrayLike, colours: Colours) -> Figure:
    """Draw the most and the least that anybody believes after a release over the belief before."""
    marks = (0, 0.5, 1)
    axis = {"range": [0, 1], "tickvals": list(marks), "ticktext": [number_format.percent(mark) for mark in marks]}
    x, y = (axis | {"title": {"text": name}} for name in ("belief before", "after"))
    figure = _small(colours, "Belief that you are in the data, after over before", x, y)
    none = line(prior, prior, "without a release", colours["quiet"], "dot")
    least = line(prior, at_least, "at least", colours["analytic"], "dash")
    most = line(prior, at_most, "at most", colours["analytic"], "solid", fill="tonexty", fillcolor=colours["band"])
    return {"data": [none, least, most], "layout": figure}


def releases_card_figure(number: ArrayLike, epsilon: Array, colours: Colours) -> Figure:
    """Draw the ε of so many releases together."""
    last = int(np.max(number))
    x = {"range": [0, last + 1], "tickvals": [1, last], "title": {"text": "weekly releases"}}
    y = {"range": [0, round_axis_end(float(epsilon[-1]) * 1.05)], "nticks": 4, "title": {"text": "ε"}}
    figure = _small(colours, "ε of all releases together", x, y)
    return {"data": [line(number, epsilon, "together", colours["analytic"], "solid")], "layout": figure}


def _small(colours: Colours, title: str, x: dict[str, Any], y: dict[str, Any]) -> dict[str, Any]:
    figure = layout(colours, title, "", x, y)
    for axis in (figure["xaxis"], figure["yaxis"]):
        axis["title"]["standoff"] = 4
        axis["ticklen"] = 3
    margin = {"l": 54, "r": 14, "t": 12, "b": 2}
    return figure | {"height": HEIGHT, "hovermode": False, "showlegend": False, "margin": margin}


def _epsilon_axis(current: float) -> dict[str, Any]:
    return log_axis("ε", *decades(-3, 2, current if np.isfinite(current) else 1))


def _log(label: str, low: int, high: int) -> dict[str, Any]:
    """Return a log axis with room for a few labels."""
    step = max(2, (high - low) // 2)
    return log_axis(label, low, high, marks=tuple(10.0**decade for decade in range(low, high + 1, step)))


def _label(figure: dict[str, Any], x: float, y: float, name: str, shade: str, side: str = "left") -> None:
    """Add a word in the colour of its line, where no line runs."""
    place = {"x": x, "y": y, "xref": "x domain", "yref": "y domain", "xanchor": side}
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


EPSILONS, N_RELEASES = np.logspace(-3, 2, 41), np.arange(1, 53)
Columns = Mapping[str, ArrayLike]
_EPOCHS = 100 * np.linspace(0, 1, 9)[1:] ** 2  # close where the curve bends


def error(setting: SharedSetting, colours: Colours) -> Card:
    """Return the tile of one number: ± over ε of two kinds of noise, and that at the ε of the page."""
    entries = {"section": "accuracy", "known": "epsilon", "promise": "pure"}
    entries |= {"mechanisms": "three", "shown": "accuracy", "pinned": "none"}
    link = Link(ACCURACY, ACCURACY.name, one_number_entries(setting) | entries)
    noise = GEOMETRIC if GEOMETRIC.key in link.result.rows else LAPLACE
    half_widths = {rule.key: _half_widths(rule, setting) for rule in (noise, ANALYTIC)}
    at = setting.epsilon, link.result.rows[noise.key].half_width
    figure = accuracy_card_figure(EPSILONS, half_widths, at, colours)
    example = "How many patients, what average income? How far off is it, and which ε makes it good enough?"
    numbers = {"epsilon": EPSILONS, **half_widths}
    return _card("error", link, example, link.answer_sentence, figure, numbers, setting)


def table(setting: SharedSetting, colours: Colours) -> Card:
    """Return the tile of a table: what noise leaves of a sample table of 64 counts."""
    entries = {"section": "table", "table": "czech", "mechanism": "recommended", "promise": "pure", "error": "all"}
    entries |= {"per_person": "1", "per_cell": "1", "neighbours": "add_remove", "margins": "0", "axis": "linear"}
    link = Link(TABLES, TABLES.name, shared_entries(setting) | entries | {"pinned": "none"})
    result = link.result
    shade = colours["quiet" if result.mechanism is None else result.mechanism.key]
    figure = cells_card_figure(result.counts, result.half_width, shade, colours)
    numbers = {"count": result.counts, "half_width": result.half_width}
    example = "Visits by district, or your own counts: which noise, and which cells remain usable?"
    return _card("table", link, example, link.answer_sentence, figure, numbers, setting)


def several(setting: SharedSetting, colours: Colours) -> Card:
    """Return the tile of several statistics: what each query of the page's first plan adds, beside the page's ε."""
    link = Link(PLAN, PLAN.name, shared_entries(setting) | {"promise": "pure", "direction": "errors"})
    result = link.result
    costs, families = result.cost, [part.noise.family for part in result.planned_queries]
    figure = plan_card_figure(costs, families, result.epsilon, setting.epsilon, colours)
    example = "A yearly report of counts, sums and tables: which noise for each, and what total ε?"
    return _card("several", link, example, link.answer_sentence, figure, {"cost": costs}, setting)


def median(setting: SharedSetting, colours: Colours) -> Card:
    """Return the tile of a median: its ± over ε, where the left end is the cliff."""
    entries = {"section": "quantile", "source": "shape", "unit": "days"}
    link = Link(MEDIAN, MEDIAN.name, shared_entries(setting) | entries)
    result = link.result.quantile
    curve = result.over_epsilon
    at = result.release.epsilon, result.error
    figure = median_card_figure(curve["epsilon"], curve["permute_and_flip"], at, colours)
    example = "Waiting times: how far off is a private median, and what does that depend on?"
    numbers = {"epsilon": curve["epsilon"], "half_width": curve["permute_and_flip"]}
    return _card("median", link, example, link.answer_sentence, figure, numbers, setting)


def series(setting: SharedSetting, colours: Colours) -> Card:
    """Return the tile of a series: the ± of each running total of 36 months, and that of adding noisy months up."""
    link = Link(SERIES, SERIES.name, shared_entries(setting) | {"section": "time", "pinned": "none"})
    result = link.result.over_time
    own, months = result.half_widths(result.answer_errors), result.half_widths_of("per_period")
    month = np.arange(1, own.size + 1)
    figure = series_card_figure(month, own, months, colours)
    example = "Monthly numbers and their totals: what does adding them up cost?"
    numbers = {"month": month, "best": own, "months": months}
    return _card("series", link, example, link.answer_sentence, figure, numbers, setting)


def survey(setting: SharedSetting, colours: Colours) -> Card:
    """Return the tile of a survey in which each person adds the noise: its ± in percentage points over ε."""
    link = Link(SURVEY, SURVEY.name, shared_entries(setting))
    result = link.result
    curve, points = result.over_epsilon, 100.0
    half_width = points * curve[result.method].to_numpy()
    at = setting.epsilon, points * result.error
    figure = survey_card_figure(curve["epsilon"].to_numpy(), half_width, at, colours)
    example = "Answers that nobody may know, not even you: how many people do you need?"
    numbers = {"epsilon": curve["epsilon"], "half_width": half_width}
    return _card("survey", link, example, link.answer_sentence, figure, numbers, setting)


def dp_sgd(setting: SharedSetting, colours: Colours) -> Card:
    """Return the tile of a trained model: the ε of a training, beside the ε of the page."""
    entries = {"section": "training", "solve": "epsilon", "training_view": "steps", "pinned": "none"}
    entries |= {"records": "60000", "batch": "256", "epochs": "60", "noise_multiplier": "1.1"}
    link = Link(COMPOSITION, "A trained model", shared_entries(setting) | entries)
    run = link.result.training
    curve = kept(_epsilon_over_epochs, run.noise, run.rate, setting.delta)
    figure = training_card_figure(_EPOCHS, curve, (run.epochs, run.epsilon), setting.epsilon, colours)
    example = "A network trained with DP-SGD on patients’ images: how long, with how much noise?"
    return _card("dp_sgd", link, example, link.answer_sentence, figure, {"epochs": _EPOCHS, "epsilon": curve}, setting)


def meaning(setting: SharedSetting, colours: Colours) -> Card:
    """Return the tile of what ε means: every belief about one person, before and after."""
    link = Link(MEANING, MEANING.name, shared_entries(setting) | {"promise": "pure", "prior": "0.1", "pinned": "none"})
    beliefs = link.result.beliefs
    figure = beliefs_card_figure(beliefs["prior"], beliefs["at_least"], beliefs["at_most"], colours)
    example = "What can anybody learn about one person? Is my ε high, compared with what others used?"
    return _card("meaning", link, example, link.answer_sentence, figure, dict(beliefs), setting)


def together(setting: SharedSetting, colours: Colours) -> Card:
    """Return the tile of all releases together: ε of one release a week for a year, each with the page's guarantee."""
    link = Link(COMPOSITION, COMPOSITION.name, shared_entries(setting) | {"section": "together", "pinned": "none"})
    total = _epsilon_of_releases(setting.epsilon, setting.delta)
    figure = releases_card_figure(N_RELEASES, total, colours)
    example = "The same counts every week: what do all releases about the same people reveal?"
    pictured = f"ε grows with the releases, to {format_up(float(total[-1]))} after {N_RELEASES[-1]}."
    return _card("together", link, example, pictured, figure, {"releases": N_RELEASES, "epsilon": total}, setting)


PUBLISHED, PRIVATE_ENOUGH = (error, table, several, median, series, survey, dp_sgd), (meaning, together)


def _card(
    name: str, link: Link, example: str, pictured: str, figure: Figure, numbers: Columns, setting: SharedSetting
) -> Card:
    """Return a tile: `example` stands on it, and `pictured` says in words what the picture shows."""
    title = figure["layout"]["title"]["text"]
    picture = Exhibit(
        f"card_{name}",
        figure,
        f"{title}. {without_markdown(pictured)}",
        lambda: pd.DataFrame(numbers),
        setting.csv_header,
    )
    return Card(link.name, link.address, example, picture)


def _epsilon_of_releases(epsilon: float, delta: float) -> Array:
    """Return ε at δ of k releases with the least Gaussian noise of (ε, δ)-DP: k of them are one with σ ÷ √k."""
    sigma = gaussian.analytic_sigma(epsilon, delta)
    return gaussian.epsilon_from_sigma(delta, sigma / np.sqrt(N_RELEASES))


def _epsilon_over_epochs(noise: float, rate: float, delta: float) -> Array:
    return composition.dp_sgd_epsilon(delta, noise, rate, np.ceil(_EPOCHS / rate), "certified")


def _half_widths(rule: Calibration, setting: SharedSetting) -> Array:
    delta = 0.0 if rule.guarantee == PURE_DP else setting.delta
    return accuracy.half_width(rule, EPSILONS, setting.significance, setting.l2_sensitivity, delta)
