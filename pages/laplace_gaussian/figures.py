"""Pictures of Laplace and Gaussian noise: their draws, tails, densities and distributions."""

import math
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import gaussian as normal
from dpcore import laplace
from dpcore.calibrations import Calibration
from dpcore.checks import Array
from dpcore.laplace_gaussian import NoisePair
from pages.framework.chart.theme import TYPE, compact, hairline, layout, line, log_axis, round_axis_end
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.shared.mechanism_colours import DASHES

N_DRAWS = 100_000  # of each noise
_BINS = 100


def tail_grid(noises: NoisePair, significance: float) -> Array:
    """The distances of the picture of both tails: up to where the longer one reaches 1e-6 or the significance level."""
    share = min(1e-6, significance)
    return np.linspace(0, _reach(noises, share), 301)


def noise_grid(noises: NoisePair) -> Array:
    """The places of the pictures of densities: where all but 1 in 1000 of both noises is."""
    reach = _reach(noises, 1e-3)
    return np.linspace(-reach, reach, 401)


def _reach(noises: NoisePair, share: float) -> float:
    reaches = laplace.half_width(share, noises.laplace.scale), normal.half_width(share, noises.gaussian.scale)
    return round_axis_end(float(max(reaches)))


@lru_cache(4)
def _unit_draws(seed: int) -> tuple[Array, Array]:
    """Draws of Laplace and Gaussian noise of scale 1, in order."""
    rng = np.random.default_rng(seed)
    return np.sort(laplace.sample(rng, 1.0, N_DRAWS)), np.sort(normal.sample(rng, 1.0, N_DRAWS))


def drawn(noises: NoisePair, seed: int, accuracy: dict[str, float]) -> tuple[pd.DataFrame, dict[str, int]]:
    """How many seeded draws of each noise fall into each bin (low, high), and how many beyond its accuracy."""
    reach = _reach(noises, 1e-3)
    edges, units = np.linspace(-reach, reach, _BINS + 1), _unit_draws(seed)
    counts, beyond = {}, {}
    for key, unit, scale in zip(
        ("laplace", "gaussian"), units, (noises.laplace.scale, noises.gaussian.scale), strict=True
    ):
        counts[key] = np.diff(np.searchsorted(unit, edges / scale))
        low, high = np.searchsorted(unit, np.array([-1, 1]) * (accuracy[key] / scale))
        beyond[key] = int(low + N_DRAWS - high)
    return pd.DataFrame({"low": edges[:-1], "high": edges[1:]} | counts), beyond


def draws_figure(
    counts: pd.DataFrame,
    beyond: dict[str, int],
    accuracy: dict[str, float],
    ghosts: pd.DataFrame | None,
    subtitle: str,
    gaussian: Calibration,
    colour: Colours,
) -> Figure:
    """How often draws fall where, Laplace above the axis and Gaussian below, each to its own height.

    Dashed lines stand where the accuracy of each ends. `ghosts` are the draws of a kept setting.
    """
    reach = float(counts["high"].to_numpy()[-1])
    axis = {"range": [-reach, reach], "title": _axis_title("noise (query units)")}
    figure = layout(
        colour, f"{N_DRAWS:,} draws of each noise", subtitle, axis, {"showticklabels": False, "showgrid": False}
    )
    figure |= {"hovermode": "closest"}
    figure["yaxis"] |= {"range": [-1.12, 1.12], "fixedrange": True}
    traces = []
    for (key, name, shade), side in zip(noise_looks(gaussian, colour), (1, -1), strict=True):
        if ghosts is not None:
            traces.append(_heap(ghosts, key, side) | ghost(colour) | {"name": "pinned", "showlegend": side > 0})
        far = f"{name}: {beyond[key]:,} of {N_DRAWS:,} beyond ±{number_format.format_up(accuracy[key])}"
        look = {"name": far, "line": {"color": shade[0], "width": 2, "shape": "hvh"}}
        fill = {"fill": "tozeroy", "fillcolor": tint(shade[0], 0.25)}
        traces.append(_heap(counts, key, side) | look | fill)
        _mark_reach(figure, accuracy[key], side, shade[0], reach)
    ground = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": 0, "y1": 0}
    figure["shapes"].append(ground | {"line": {"color": colour["quiet"], "width": 1}})
    return {"data": traces, "layout": figure}


def _heap(counts: pd.DataFrame, key: str, side: int) -> dict[str, Any]:
    """The shares of the draws in bins, above the axis or (side −1) below it, the highest as high as 1."""
    many = counts[key].to_numpy()
    return {
        "type": "scatter",
        "mode": "lines",
        "x": compact((counts["low"].to_numpy() + counts["high"].to_numpy()) / 2),
        "y": compact(side * many / max(many.max(), 1)),
        "customdata": compact(many),
        "hovertemplate": "%{customdata} draws around %{x:.4~g}<extra></extra>",
    }


def _mark_reach(figure: dict[str, Any], accuracy: float, side: int, shade: str, reach: float) -> None:
    """Dashed lines on both sides where the accuracy of a noise ends, with its value."""
    for end in (-accuracy, accuracy):
        mark = {"type": "line", "x0": end, "x1": end, "y0": 0, "y1": side * 1.08}
        figure["shapes"].append(mark | {"line": {"color": shade, "width": 1.5, "dash": "dash"}})
    if accuracy <= reach:
        note = {"text": f"±{number_format.format_up(accuracy)}", "showarrow": False, "x": accuracy, "y": side * 1.08}
        far = accuracy > 0.8 * reach  # to the right of its line it would be cut
        anchors = {"xanchor": "right" if far else "left", "yanchor": "top" if side > 0 else "bottom"}
        figure["annotations"].append(note | anchors | {"xshift": -5 if far else 5, "font": {"color": shade}})


def tails_figure(
    frame: pd.DataFrame,
    accuracy: dict[str, float],
    significance: float,
    t: float | None,
    ghosts: pd.DataFrame | None,
    subtitle: str,
    gaussian: Calibration,
    colour: Colours,
) -> Figure:
    """Both tails over the distance |t| on a log axis, with the reach of each at the significance level marked.

    `t` is the distance at which they are made equal, if they are; `ghosts` are the tails of a kept setting.
    """
    bottom = min(-6, math.floor(math.log10(significance)) - 1)
    axis = distance_axis(frame["t"].to_numpy()[-1])
    share = log_axis("probability of a larger |noise|", bottom, 0)
    figure = layout(colour, "How often the noise goes beyond |t|", subtitle, axis, share)
    traces = []
    if ghosts is not None:
        for key in ("laplace", "gaussian"):
            old = line(ghosts["t"], _floored(ghosts[key].to_numpy(), bottom), "pinned", "", "solid")
            traces.append(old | ghost(colour) | {"showlegend": key == "laplace"})
    for key, name, shade in noise_looks(gaussian, colour):
        tail = _floored(frame[key].to_numpy(), bottom)
        traces.append(line(frame["t"], tail, name, shade[0], shade[1], hovertemplate="%{y:.4~g}"))
        side = "top right" if accuracy[key] == max(accuracy.values()) else "bottom left"
        traces.append(_reach_mark(accuracy[key], significance, side, shade[0]))
    level = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": significance, "y1": significance}
    figure["shapes"].append(level | {"line": {"color": colour["quiet"], "dash": "dash", "width": 1}})
    if t is not None:
        mark_distance(figure, colour, t)
    return {"data": traces, "layout": figure}


def mark_distance(figure: dict[str, Any], colour: Colours, t: float) -> None:
    """Mark the distance t on an axis that reaches it, as a handle."""
    if t <= figure["xaxis"]["range"][1]:
        hairline(figure, colour, t, f"t = {number_format.format_input_up(t)}", "t")


def _reach_mark(reach: float, significance: float, side: str, shade: str) -> dict[str, Any]:
    """The point of a tail at the significance level, with its distance."""
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": compact([reach]),
        "y": compact([significance]),
        "text": [f"±{number_format.format_up(reach)}"],
        "textposition": side,
        "textfont": {"color": shade},
        "marker": {"color": shade, "size": 10, "line": {"color": shade, "width": 1}},
        "showlegend": False,
        "hoverinfo": "skip",
        "cliponaxis": False,
    }


def density_figure(
    frame: pd.DataFrame,
    kind: str,
    ghosts: pd.DataFrame | None,
    subtitle: str,
    gaussian: Calibration,
    colour: Colours,
) -> Figure:
    """The densities (`kind` "pdf") or distribution functions ("cdf") of both noises, and those of a kept setting."""
    columns = [f"{key}_{kind}" for key in ("laplace", "gaussian")]
    frames = [frame] if ghosts is None else [frame, ghosts]
    highest = max(float(each[columns].to_numpy().max()) for each in frames)
    reach = float(frame["x"].to_numpy()[-1])
    names = ("Density of the noise", "density") if kind == "pdf" else ("Distribution of the noise", "Pr(noise ≤ x)")
    x = {"range": [-reach, reach], "title": _axis_title("noise (query units)")}
    x |= {"unifiedhovertitle": {"text": "noise = %{x:.4~g}"}}
    y = {"range": [0, round_axis_end(highest) if kind == "pdf" else 1], "title": _axis_title(names[1])}
    figure = layout(colour, names[0], subtitle, x, y)
    traces = []
    if ghosts is not None:
        olds = [line(ghosts["x"], ghosts[column], "pinned", "", "solid") for column in columns]
        traces += [old | ghost(colour) | {"showlegend": old is olds[0]} for old in olds]
    traces += [
        line(frame["x"], frame[f"{key}_{kind}"], name, shade[0], shade[1], hovertemplate="%{y:.4~g}")
        for key, name, shade in noise_looks(gaussian, colour)
    ]
    return {"data": traces, "layout": figure}


def ghost(colour: Colours) -> dict[str, Any]:
    """The look of a kept setting's line."""
    return {
        "line": {"color": colour["ghost"], "dash": "solid", "width": 2.5},
        "hoverinfo": "skip",
        "hovertemplate": None,
    }


def _axis_title(words: str) -> dict[str, Any]:
    """What a linear axis is called, in the type of a log axis."""
    return {"text": words, "font": {"size": TYPE}, "standoff": 8}


def distance_axis(reach: ArrayLike) -> dict[str, Any]:
    """The axis of the distance from the truth."""
    return {
        "range": [0, float(np.asarray(reach))],
        "title": _axis_title("distance |t| from the truth (query units)"),
        "unifiedhovertitle": {"text": "|t| = %{x:.4~g}"},
    }


def noise_looks(gaussian: Calibration, colour: Colours) -> tuple[tuple[str, str, tuple[str, str]], ...]:
    """Key, name, colour and dash of both noises."""
    return (
        ("laplace", "Laplace", (colour["laplace"], DASHES["laplace"])),
        ("gaussian", gaussian.name, (colour[gaussian.key], "dash")),
    )


def _floored(share: Array, bottom: int) -> Array:
    """Values far below the axis left out: single precision could not hold them."""
    return np.where(share > 10.0 ** (bottom - 2), share, np.nan)


def tint(shade: str, opacity: float = 0.16) -> str:
    """A colour that lets what is behind it through."""
    red, green, blue = (int(shade[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"
