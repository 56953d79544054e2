"""Maps side by side on one colour scale: the true counts, the release, and the estimates."""

from math import cos, radians
from typing import Any

import numpy as np

from dpcore.checks import Array
from pages.denoising.map.places import PlaceCounts
from pages.denoising.map.results import MapRelease
from pages.framework.chart import theme
from pages.framework.chart.theme import compact, layout
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.shared.looks import estimator_colour

PANEL_NAMES = {
    "james_stein_plus": "James–Stein +",
    "soft_universal": "Soft, fixed T",
    "soft_sure": "Soft, by SURE",
    "non_negative": "Clipped at 0",
    "with_total": "Same total",
    "wavelet_universal": "Wavelet, fixed",
    "wavelet_sure": "Wavelet, SURE",
    "graph_wavelet": "Graph wavelets",
    "laplacian": "Smoothing",
    "trend_filtering": "Trend filter",
}
_RAMPS = {
    "#0060A0": ("#EDF2F7", "#B5D2EA", "#6AA7D8", "#2076B8", "#0B4A80", "#05264A"),
    "#6BB8F5": ("#1D2732", "#1E456B", "#2469A3", "#3F93D6", "#85C5F6", "#E6F4FF"),
}
_TITLE_HEIGHT = 38  # px, of two lines, which stand in the margins to have room at every height
_HEIGHT = 360  # px
_WIDE_ASPECT = 0.9  # rows to columns of a map
_GAP = 0.012  # between panels, as a share of the picture
_COLOURED_SHARE = 0.95  # of the places with a count that are below the end of the colours


def colour_end(count: Array) -> float:
    """Return the round count at which the colours end, which 95 % of the places with a count do not exceed.

    >>> colour_end(np.array([0.0, 1, 2, 3])), colour_end(np.zeros(3))
    (3.0, 1.0)
    """
    positive = count[count > 0]
    return theme.round_axis_end(float(np.quantile(positive, _COLOURED_SHARE))) if positive.size else 1.0


def maps_figure(release: MapRelease, title: str, subtitle: str, colours: Colours) -> Figure:
    """Draw all panels with their errors in their titles, the least error in bold."""
    counts, end = release.place_counts, colour_end(release.count)
    panels = [("True counts", release.count, "", colours["text"])]
    panels += [_estimator_panel(release, "none", "Released", colours)]
    panels += [_estimator_panel(release, key, PANEL_NAMES[key], colours) for key in release.panel_keys.values()]
    figure = layout(colours, title, subtitle, {}, {})
    figure |= {"hovermode": "closest", "margin": {"l": 4, "r": 4, "t": _TITLE_HEIGHT, "b": _TITLE_HEIGHT + 44}}
    figure["height"] = _HEIGHT
    ramp = _RAMPS[colours["blue"]]
    shades = [[place / (len(ramp) - 1), tint] for place, tint in enumerate(ramp)]
    scale = {"zmin": 0, "zmax": end, "colorscale": shades, "showscale": False}
    across = -(-len(panels) // 2)
    is_wide = len(counts.lat) < _WIDE_ASPECT * len(counts.lon)
    aspect = 1 / max(cos(radians(float(np.mean(counts.lat)))), 0.01)
    traces = []
    for place, (name, value, error, shaded) in enumerate(panels):
        number = "" if place == 0 else str(place + 1)
        x, y = f"x{number}", f"y{number}"
        row, column = divmod(place, across)
        figure |= _panel_axes(number, row, (column / across, (column + 1) / across), aspect, is_wide)
        figure["annotations"].append(_panel_title(x, y, name, error) | _title_place(row, shaded))
        heat = _heatmap(counts, value, number_format.chart_text(release.source.unit), name) | scale
        traces.append(heat | {"xaxis": x, "yaxis": y})
    traces[0] |= {"showscale": True, "colorbar": _colour_bar(end)}
    return {"data": traces, "layout": figure}


def _estimator_panel(release: MapRelease, key: str, name: str, colours: Colours) -> tuple[str, Array, str, str]:
    error = f"RMSE {number_format.format_nearest(release.rmse[key])}"
    bold = (f"<b>{name}</b>", f"<b>{error}</b>") if key == release.best else (name, error)
    return bold[0], release.estimates[key].value, bold[1], estimator_colour(key, colours)


def _colour_bar(end: float) -> dict[str, Any]:
    ticks = [0, end / 4, end / 2, 3 * end / 4, end]
    labels = ["0 or less", *(number_format.format_nearest(tick, 3) for tick in ticks[1:])]
    labels[-1] += " or more"
    bar = {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "len": 0.64, "thickness": 10}
    ticked = {"tickvals": ticks, "ticktext": labels, "tickangle": 0, "tickfont": {"size": theme.TYPE}}
    return bar | ticked | {"outlinewidth": 0}


def _panel_axes(number: str, row: int, span: tuple[float, float], aspect: float, is_wide: bool) -> dict[str, Any]:
    """Return the axes of a panel of the upper or the lower row, which have no labels.

    Rows with room to spare stand close together. Those of wide maps stand apart: in a saved file, which keeps text
    out of margins that it does not start in, the titles would overlap them.
    """
    bare = {"visible": False, "fixedrange": True, "constrain": "domain"}
    half, inner, outer = ([0, 0.5 - _GAP], "top", "bottom") if row else ([0.5 + _GAP, 1], "bottom", "top")
    xaxis = bare | {"domain": [span[0] + _GAP / 2, span[1] - _GAP / 2], "anchor": f"y{number}"}
    yaxis = bare | {"domain": half, "anchor": f"x{number}", "constraintoward": outer if is_wide else inner}
    return {f"xaxis{number}": xaxis, f"yaxis{number}": yaxis | {"scaleanchor": f"x{number}", "scaleratio": aspect}}


def _panel_title(x: str, y: str, name: str, error: str) -> dict[str, Any]:
    note = {"text": f"{name}<br>{error}" if error else name, "showarrow": False}
    return note | {"xref": f"{x} domain", "x": 0.5, "yref": f"{y} domain"}


def _title_place(row: int, shaded: str) -> dict[str, Any]:
    """Return the place of a title: above a panel of the upper row, below one of the lower."""
    side = {"y": 0, "yanchor": "top"} if row else {"y": 1, "yanchor": "bottom"}
    return side | {"font": {"size": theme.TYPE, "color": shaded}}


def _heatmap(counts: PlaceCounts, value: Array, unit: str, name: str) -> dict[str, Any]:
    pixels = counts.pixels
    z = np.where(pixels >= 0, value.ravel()[np.maximum(pixels, 0)], np.nan)
    hover = f"{name}: %{{z:,.4~g}} {unit}<br>%{{y:.4f}}°, %{{x:.4f}}°<extra></extra>"
    more = {"hovertemplate": hover, "hoverongaps": False, "showlegend": False}
    return {"type": "heatmap", "name": name, "x": counts.lon, "y": counts.lat, "z": compact(z)} | more
