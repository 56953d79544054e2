"""Pictures of Laplace against Gaussian noise: tails, densities, draws, Liu's Figs. 4 and 5, and who wins where."""

import math
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import gaussian as normal
from dpcore import laplace
from dpcore.calibrations import Calibration
from dpcore.checks import Array
from dpcore.laplace_gaussian import Noises
from pages.shared import text
from pages.shared.export import Colours, Figure
from pages.shared.theme import DASHES, compact, decades, hairline, layout, line, log_axis, round_reach

_STRENGTHS = (0.4, 0.52, 0.64, 0.76, 0.88, 1.0)
_MEASURE_DASHES = {"variance": "solid", "mean_error": "dash", "accuracy": "dot"}
MAP_EPSILON, MAP_DELTA = (-2, 2), (-12, 0)


def tail_grid(noises: Noises, significance: float) -> Array:
    """The distances of the picture of both tails: up to where the longer one reaches 1e-6 or the significance level."""
    share = min(1e-6, significance)
    return np.linspace(0, _reach(noises, share), 301)


def noise_grid(noises: Noises) -> Array:
    """The places of the pictures of densities: where all but 1 in 1000 of both noises is."""
    reach = _reach(noises, 1e-3)
    return np.linspace(-reach, reach, 401)


def distances(laplace_reach: Array, sigma: ArrayLike, cutoff: float) -> Array:
    """The distances of Liu's figures: a little beyond where the last tail falls below the cutoff."""
    reaches = [float(laplace_reach), *(float(normal.half_width(cutoff, each)) for each in np.ravel(sigma))]
    return np.linspace(0, round_reach(1.2 * max(reaches)), 301)


def count_grid(k: float, crossing: int) -> Array:
    """The numbers of counts of the picture: 1 to 1000, or as far as the crossover or the current number."""
    most = min(max(1000.0, 2.0 * crossing, k), 1e6)
    return np.unique(np.rint(np.geomspace(1, most, 200)))


def map_grid(epsilon: float) -> Array:
    """The ε of the map."""
    return np.logspace(*decades(*MAP_EPSILON, max(epsilon, 1e-12)), 241)


def _reach(noises: Noises, share: float) -> float:
    reaches = laplace.half_width(share, noises.scale), normal.half_width(share, noises.sigma)
    return round_reach(float(max(reaches)))


def tails_figure(
    frame: pd.DataFrame,
    accuracy: dict[str, float],
    significance: float,
    subtitle: str,
    gaussian: Calibration,
    colour: Colours,
) -> Figure:
    """Both tails over the distance |t| on a log axis, with the reach of each at the significance level marked."""
    bottom = min(-6, math.floor(math.log10(significance)) - 1)
    figure = layout(
        colour,
        "How often the noise goes beyond |t|",
        subtitle,
        _distance_axis(frame["t"].to_numpy()[-1], 0),
        log_axis("probability of a larger |noise|", bottom, 0),
    )
    traces = []
    for key, name, shade in _noises(gaussian, colour):
        hover = "%{y:.4g}"
        traces.append(
            line(frame["t"], _floored(frame[key].to_numpy(), bottom), name, shade[0], shade[1], hovertemplate=hover)
        )
        side = "top right" if accuracy[key] == max(accuracy.values()) else "bottom left"
        traces.append(_reach_mark(accuracy[key], significance, side, shade[0]))
    level = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": significance, "y1": significance}
    figure["shapes"].append(level | {"line": {"color": colour["quiet"], "dash": "dash", "width": 1}})
    return {"data": traces, "layout": figure}


def _reach_mark(reach: float, significance: float, side: str, shade: str) -> dict[str, Any]:
    """The point of a tail at the significance level, with its distance."""
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": compact([reach]),
        "y": compact([significance]),
        "text": [f"±{text.up(reach)}"],
        "textposition": side,
        "textfont": {"color": shade, "size": 13},
        "marker": {"color": shade, "size": 10, "line": {"color": shade, "width": 1}},
        "showlegend": False,
        "hoverinfo": "skip",
        "cliponaxis": False,
    }


def dots_figure(
    dots: dict[str, Array], accuracy: dict[str, float], subtitle: str, gaussian: Calibration, colour: Colours
) -> Figure:
    """Quantile dots of draws, Laplace above the axis and Gaussian below; lines where the accuracy of each ends."""
    reach = round_reach(max(float(np.max(np.abs(part))) for part in dots.values()))
    width = reach / 15
    figure = layout(
        colour,
        "Draws of both noises, a dot for every 4 %",
        subtitle,
        {"range": [-1.08 * reach, 1.08 * reach], "title": {"text": "noise (query units)", "font": {"size": 13}}},
        {"showticklabels": False, "showgrid": False},
    )
    traces, top = [], 1.0
    for (key, name, shade), side in zip(_noises(gaussian, colour), (1, -1), strict=True):
        trace, height = _stacked(dots[key], width, side, shade[0])
        beyond = np.count_nonzero(np.abs(dots[key]) > accuracy[key])
        traces.append(trace | {"name": f"{name}: {beyond} of {dots[key].size} beyond ±{text.up(accuracy[key])}"})
        top = max(top, height)
        for end in (-accuracy[key], accuracy[key]):
            mark = {"type": "line", "x0": end, "x1": end, "y0": 0, "y1": side * 5}
            figure["shapes"].append(mark | {"line": {"color": shade[0], "width": 1.5, "dash": "dash"}})
    figure["yaxis"]["range"] = [-max(top + 0.8, 5.5), max(top + 0.8, 5.5)]
    ground = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": 0, "y1": 0}
    figure["shapes"].append(ground | {"line": {"color": colour["quiet"], "width": 1}})
    figure["hovermode"] = "closest"
    return {"data": traces, "layout": figure}


def _stacked(dots: Array, width: float, side: int, shade: str) -> tuple[dict[str, Any], float]:
    """Dots piled up in columns of a width, above the axis or (side −1) below it, and the height of the highest."""
    column = np.rint(dots / width)
    height = np.array([np.count_nonzero(column[:place] == column[place]) for place in range(column.size)]) + 0.6
    trace = {
        "type": "scatter",
        "mode": "markers",
        "x": compact(column * width),
        "y": compact(side * height),
        "marker": {"color": shade, "size": 11, "symbol": "circle" if side > 0 else "diamond"},
        "customdata": compact(dots),
        "hovertemplate": "≈ %{customdata:.4g}<extra></extra>",
    }
    return trace, float(height.max())


def ratio_figure(frame: pd.DataFrame, subtitle: str, gaussian: Calibration, colour: Colours) -> Figure:
    """Liu's Fig. 4: p₁:p₂ over |t| at the same ε, a curve for each δ, grey where both tails are below the cutoff."""
    figure = _several_figure(frame, "ratio", (-1, 2), subtitle, gaussian, colour)
    figure["layout"]["title"]["text"] = _title("Laplace's tail ÷ Gaussian's (Liu, Fig. 4)", subtitle)
    figure["layout"]["yaxis"]["title"]["text"] = "p₁ ÷ p₂ at the same ε"
    return figure


def cost_figure(frame: pd.DataFrame, subtitle: str, gaussian: Calibration, colour: Colours) -> Figure:
    """Liu's Fig. 5: the Gaussian's ε over Laplace's at the same tail at |t|, a curve for each δ."""
    figure = _several_figure(frame, "cost", (-1, 2), subtitle, gaussian, colour)
    figure["layout"]["title"]["text"] = _title("Privacy cost of the same tail (Liu, Fig. 5)", subtitle)
    figure["layout"]["yaxis"]["title"]["text"] = "Gaussian's ε ÷ Laplace's ε"
    return figure


def density_figure(frame: pd.DataFrame, kind: str, subtitle: str, gaussian: Calibration, colour: Colours) -> Figure:
    """The densities (`kind` "pdf") or distribution functions ("cdf") of both noises."""
    title = "Density of the noise" if kind == "pdf" else "Distribution of the noise"
    reach = float(frame["x"].to_numpy()[-1])
    figure = layout(
        colour,
        title,
        subtitle,
        {"range": [-reach, reach], "title": {"text": "noise (query units)", "font": {"size": 13}}},
        {
            "rangemode": "tozero",
            "title": {"text": "density" if kind == "pdf" else "Pr(noise ≤ x)", "font": {"size": 13}},
        },
    )
    traces = [
        line(frame["x"], frame[f"{key}_{kind}"], name, shade[0], shade[1], hovertemplate="%{y:.4g}")
        for key, name, shade in _noises(gaussian, colour)
    ]
    return {"data": traces, "layout": figure}


def statistics_figure(
    frame: pd.DataFrame,
    measure: tuple[str, str],
    crossing: int,
    k: float,
    subtitle: str,
    gaussian: Calibration,
    colour: Colours,
) -> Figure:
    """A measure (key and name) of both noises against the number of counts, with the crossover and the current k."""
    key, name = measure
    values = frame[[f"laplace_{key}", f"gaussian_{key}"]].to_numpy()
    figure = layout(
        colour,
        f"{name[0].upper()}{name[1:]} against the number of counts",
        subtitle,
        log_axis("counts of one person, k", *decades(0, 3, k, crossing)),
        log_axis(
            f"{name} ({'squared ' if key == 'variance' else ''}query units)",
            math.floor(math.log10(values.min())),
            math.ceil(math.log10(values.max())),
        ),
    )
    traces = [
        line(frame["k"], frame[f"{noise}_{key}"], label, shade[0], shade[1], hovertemplate="≈ %{y:.4g}")
        for noise, label, shade in _noises(gaussian, colour)
    ]
    hairline(figure, colour, crossing, f"Gaussian smaller from k = {crossing:,}")
    note = figure["annotations"][-1]
    note["xanchor"] = "left" if crossing < 10 else "right" if crossing > 300 else "center"
    if k != crossing:
        place = {"type": "line", "x0": k, "x1": k, "y0": 0, "y1": 1, "yref": "y domain"}
        figure["shapes"].append(place | {"line": {"color": colour["quiet"], "width": 1, "dash": "dot"}})
    return {"data": traces, "layout": figure}


def map_figure(
    frontiers: pd.DataFrame,
    measure: str,
    names: dict[str, str],
    here: tuple[float, float],
    subtitle: str,
    gaussian: Calibration,
    colour: Colours,
) -> Figure:
    """Which noise is smaller over (ε, δ): the chosen measure's regions in colour, all three frontiers as lines."""
    low, high = decades(*MAP_DELTA, here[1])
    figure = layout(
        colour,
        f"Where each noise is smaller: {names[measure]}",
        subtitle,
        log_axis("privacy loss bound ε (nats)", *decades(*MAP_EPSILON, here[0])),
        log_axis("failure probability δ", low, high),
    )
    epsilon, shade = frontiers["epsilon"].to_numpy(), colour[gaussian.key]
    chosen = np.clip(frontiers[measure].to_numpy(), 10.0**low, 1)
    edge = {"mode": "lines", "type": "scatter", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    x = compact(epsilon)
    traces = [
        edge | {"x": x, "y": compact(np.full(epsilon.size, 10.0**low))},
        edge | {"x": x, "y": compact(chosen), "fill": "tonexty", "fillcolor": _tint(colour["laplace"])},
        edge | {"x": x, "y": compact(np.ones(epsilon.size)), "fill": "tonexty", "fillcolor": _tint(shade)},
    ]
    for key, label in names.items():
        frontier = np.where(frontiers[key] < 10.0**low, np.nan, frontiers[key])
        tint, width = (colour["text"], 3) if key == measure else (colour["quiet"], 1.5)
        look = {"color": tint, "dash": _MEASURE_DASHES[key], "width": width}
        traces.append(line(epsilon, frontier, label, tint, "solid", line=look, hovertemplate="δ ≈ %{y:.4g}"))
    if here[0] > 0:
        star = {"symbol": "star", "size": 14, "color": colour["text"]}
        hover = "ε = %{x:.4g}, δ = %{y:.4g}<extra></extra>"
        point = line([here[0]], [here[1]], "your ε and δ", colour["text"], "solid", hovertemplate=hover)
        traces.append(point | {"mode": "markers", "marker": star})
    share = (math.log10(chosen[0]) - low) / (high - low)  # of the height, below the frontier at its left end
    figure["annotations"] += _regions(share, colour["laplace"], shade)
    figure["hovermode"] = "closest"
    return {"data": traces, "layout": figure}


def _regions(share: float, laplace_shade: str, gaussian_shade: str) -> list[dict[str, Any]]:
    """The names of the regions of the map, where there is room for them; `share` of its height is Laplace's."""
    note = {"showarrow": False, "xref": "x domain", "yref": "y domain"}
    below = {"x": 0.97, "y": 0.04, "xanchor": "right", "yanchor": "bottom"}
    above = {"x": 0.03, "y": 0.97, "xanchor": "left", "yanchor": "top"}
    notes = []
    if share > 0.12:
        font = {"size": 14, "color": laplace_shade}
        notes.append(note | below | {"text": "<b>Laplace smaller</b>", "font": font})
    words, place = "Gaussian smaller", above
    if share >= 0.88:
        words, place = "↑ Gaussian smaller", above | {"y": share - 0.03}
    notes.append(note | place | {"text": f"<b>{words}</b>", "font": {"size": 14, "color": gaussian_shade}})
    return notes


def _several_figure(
    frame: pd.DataFrame, column: str, ends: tuple[int, int], subtitle: str, gaussian: Calibration, colour: Colours
) -> Figure:
    """A column over |t| for every δ of a frame, grey where it is unlikely, with the line at 1."""
    t, value, unlikely = (frame[name].to_numpy() for name in ("t", column, "unlikely"))
    likely = value[~unlikely & (value > 1e-12)]
    low, high = decades(*ends, float(likely.min(initial=1)))
    figure = layout(colour, "", subtitle, _distance_axis(t[-1], 0), log_axis("", low, high))
    deltas = list(dict.fromkeys(frame["delta"]))
    shade, traces = colour[gaussian.key], []
    size = t.size // len(deltas)
    shown = np.where((value > 10.0 ** (low - 2)) & (value < 10.0 ** (high + 2)), value, np.nan)
    for place, delta in enumerate(deltas):
        part = slice(place * size, (place + 1) * size)
        grey = unlikely[part]
        join = grey & np.roll(~grey, 1)  # the first unlikely point also ends the likely line
        join[0] = False
        strength = _STRENGTHS[round(place * (len(_STRENGTHS) - 1) / max(len(deltas) - 1, 1))]
        name = f"δ = {text.given_up(delta)}"
        strong = {"opacity": strength, "hovertemplate": "%{y:.4g}"}
        traces.append(line(t[part], np.where(grey & ~join, np.nan, shown[part]), name, shade, _dash(place), **strong))
        weak = {"showlegend": False, "hoverinfo": "skip"}
        traces.append(line(t[part], np.where(grey, shown[part], np.nan), name, colour["ghost"], _dash(place), **weak))
    one = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": 1, "y1": 1}
    figure["shapes"].append(one | {"line": {"color": colour["text"], "width": 1}})
    return {"data": traces, "layout": figure}


def _dash(place: int) -> str:
    return ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "6px,2px")[place]


def _title(title: str, subtitle: str) -> str:
    return f"<b>{title}</b><br><span style='font-size:12px'>{subtitle}</span>"


def _distance_axis(reach: float, low: float) -> dict[str, Any]:
    return {
        "range": [low, float(reach)],
        "title": {"text": "distance |t| from the truth (query units)", "font": {"size": 13}},
    }


def _noises(gaussian: Calibration, colour: Colours) -> tuple[tuple[str, str, tuple[str, str]], ...]:
    """Key, name, colour and dash of both noises."""
    return (
        ("laplace", "Laplace", (colour["laplace"], DASHES["laplace"])),
        ("gaussian", gaussian.name, (colour[gaussian.key], "dash")),
    )


def _floored(share: Array, bottom: int) -> Array:
    """Values far below the axis left out: single precision could not hold them."""
    return np.where(share > 10.0 ** (bottom - 2), share, np.nan)


def _tint(shade: str) -> str:
    red, green, blue = (int(shade[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},.16)"
