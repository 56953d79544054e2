"""The section on maps of counts, and its numbers."""

from collections.abc import Iterator, Sequence
from functools import partial
from math import cos, radians
from typing import Any

import numpy as np
import pandas as pd

from dpcore.checks import Array
from dpcore.denoise import ESTIMATORS
from pages.denoising.code import map_claims, map_snippets
from pages.denoising.map import text
from pages.denoising.map.places import PlaceCounts
from pages.denoising.map.results import MapRelease, map_release, map_source
from pages.denoising.map.text import MISSING
from pages.denoising.parameters import AT_PLACE, GRID, PLACES, TRIPS
from pages.denoising.results import DenoisingResult
from pages.framework.chart.theme import TYPE, compact, layout, round_axis_end
from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, CONFIDENTIAL_PICTURE, Colours, Exhibit, Figure
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_nearest, format_up, tex
from pages.framework.parameters.parameter import Parameter
from pages.shared.conditions import CONTRIBUTION
from pages.shared.counts.table import NEIGHBOURS
from pages.shared.looks import estimator_colour
from pages.shared.shared_parameters import DELTA, EPSILON, SEED

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
    return round_axis_end(float(np.quantile(positive, _COLOURED_SHARE))) if positive.size else 1.0


def maps_figure(release: MapRelease, colours: Colours) -> Figure:
    """Draw all panels with their errors in their titles, the least error in bold."""
    counts, end = release.place_counts, colour_end(release.count)
    panels = [("True counts", release.count, "", colours["text"])]
    panels += [_estimator_panel(release, "none", "Released", colours)]
    panels += [_estimator_panel(release, key, PANEL_NAMES[key], colours) for key in release.panel_keys.values()]
    figure = layout(colours, f"{release.source.name}: one release, denoised", text.subtitle(release), {}, {})
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
        panel_title = {"text": f"{name}<br>{error}" if error else name, "font": {"size": TYPE, "color": shaded}}
        panel_title |= {"showarrow": False, "xref": f"{x} domain", "x": 0.5, "yref": f"{y} domain"}
        panel_title |= {"y": 0, "yanchor": "top"} if row else {"y": 1, "yanchor": "bottom"}
        figure["annotations"].append(panel_title)
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
    ticked = {"tickvals": ticks, "ticktext": labels, "tickangle": 0, "tickfont": {"size": TYPE}}
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


def _heatmap(counts: PlaceCounts, value: Array, unit: str, name: str) -> dict[str, Any]:
    pixels = counts.pixels
    z = np.where(pixels >= 0, value.ravel()[np.maximum(pixels, 0)], np.nan)
    hover = f"{name}: %{{z:,.4~g}} {unit}<br>%{{y:.4f}}°, %{{x:.4f}}°<extra></extra>"
    more = {"hovertemplate": hover, "hoverongaps": False, "showlegend": False}
    return {"type": "heatmap", "name": name, "x": counts.lon, "y": counts.lat, "z": compact(z)} | more


_TUNING_FORMS = {
    "james_stein_plus": "factor {}",
    "soft_universal": "T = {}",
    "soft_sure": "T = {}",
    "wavelet_universal": "T = {}",
    "graph_wavelet": "T = {}",
    "laplacian": "λ = {}",
    "trend_filtering": "λ = {}",
}


def table_html(release: MapRelease) -> str:
    """Return every estimator with its errors, as HTML."""
    heads = ["Estimator", "RMSE of<br>this release", "RMSE expected<br>by SURE", "Tuning", "Note"]
    rows = []
    for key, estimate in release.estimates.items():
        tuning = _TUNING_FORMS.get(key, "–").format(format_nearest(float(estimate.tuning)))
        by_sure = release.rmse_by_sure[key]
        expected = "near 0" if by_sure == 0 < release.sigma else format_nearest(by_sure)
        cells = [format_nearest(release.rmse[key]), expected, tuning, _note_cell(release, key)]
        rows.append([ESTIMATORS[key].name, *cells])
    return number_format.table_html("RMSE of each estimator", "errors", heads, rows)


def _note_cell(release: MapRelease, key: str) -> str:
    least = [mark for mark, place in (("in truth", release.best), ("by SURE", release.best_by_sure)) if place == key]
    worse = ["✗ worse than the release"] if release.rmse[key] > release.rmse["none"] else []
    return ", ".join([*([f"least {' and '.join(least)}"] if least else []), *worse])


def place_frame(release: MapRelease) -> pd.DataFrame:
    """Return every place with its true count, the release, and each estimate."""
    roads, counts = release.source.roads, release.place_counts
    if roads is None:
        lat, lon = np.meshgrid(counts.lat, counts.lon, indexing="ij")
        frame = pd.DataFrame({"lat": lat.ravel().round(6), "lon": lon.ravel().round(6)})
    else:
        frame = pd.DataFrame({"node": roads.ids, "lat": roads.lat, "lon": roads.lon})
    frame["true"] = release.count.ravel()
    denoised = {key: estimate.value.ravel() for key, estimate in release.estimates.items()}
    return frame.assign(**denoised).rename(columns={"none": "released"})


def error_frame(release: MapRelease) -> pd.DataFrame:
    """Return the errors; SURE is a sum over the places in squared units."""
    rows = [
        (key, release.rmse[key], float(estimate.sure), float(estimate.tuning))
        for key, estimate in release.estimates.items()
    ]
    return pd.DataFrame(rows, columns=["estimator", "rmse", "sure", "tuning"])


_SENSITIVITY_SENTENCES = {
    "add_remove": "This is for adding or removing one person; for replacing one person it is $\\sqrt2$ times as large.",
    "replace": "This is for replacing one person: two people without a common place differ by "
    "$\\sqrt2$ times the vector of one person.",
}


def explanation_text(result: DenoisingResult) -> str:
    """Return the formulas with the setting’s numbers, their sources, and what they assume, in Markdown with TeX."""
    release = map_release(result)
    if release is None:
        return MISSING[0]
    setting = release.setting
    n_full_places, remainder = divmod(setting.trips, setting.at_place)
    twice = r"\sqrt{2}\cdot" if setting.neighbours == "replace" else ""
    parts = setting.at_place, n_full_places, remainder
    cap, full, last = (tex(format_nearest(part, 7)) for part in parts)
    numbers = rf"{cap}^2\cdot {full} + {last}^2"
    neighbours, sigma = _SENSITIVITY_SENTENCES[setting.neighbours], tex(format_up(release.sigma))
    return f"""\
**Sensitivity.** A person who counts for at most $L$ in all and for at most $c$ at one place adds a vector $x$ with
$0 \\le x_j \\le c$ and $\\sum x_j \\le L$. Its length is convex in $x$, so it is largest at a corner:

$$\\Delta_2 = {twice}\\sqrt{{c^2\\lfloor L/c\\rfloor + (L \\bmod c)^2}} = {twice}\\sqrt{{{numbers}}} = \
{tex(format_up(release.sensitivity))}.$$

{neighbours}

**Noise.** $\\hat y = y + N(0, \\sigma^2 I_d)$ with $d = {tex(format_nearest(release.count.size, 7))}$ and
$\\sigma = {sigma}$, rounded up, the least that satisfies (ε, δ)-DP for this $\\Delta_2$ (Balle & Wang
2018, Theorem 8 and Algorithm 1). The places have to be public: a grid over a public box, or a road map.

**RMSE** is $\\sqrt{{\\lVert b - y\\rVert^2/d}}$ of an estimate $b$, for the one release that the seed draws. **SURE**,
$-d\\sigma^2 + \\lVert b - \\hat y\\rVert^2 + 2\\sigma^2\\,\\mathrm{{div}}\\,b$, estimates $\\lVert b - y\\rVert^2$
without $y$ (Stein 1981). It is too low where it chose a tuning or the least of several estimates, especially with few
places;
“near 0” means that it is negative. Where $y$ is small relative to $\\sigma$, the standard deviation of
$\\mathrm{{SURE}}/d$ around the error is about $\\sigma^2\\sqrt{{2/d}}$, so it cannot find the least of RMSEs below
about $\\sigma\\,(2/d)^{{1/4}} = {tex(format_nearest(release.sure_resolution, 2))}$.

**Whether to denoise.** What SURE selects is compared with the noise that Tables recommends at the same ε, δ and limits,
left as it is, whose RMSE is its standard deviation. The ± of an RMSE and the ends of a range of percentages are two
standard errors of the mean squared error away, estimated from this one release by the spread over the places: with few
places they are rough. Denoising is recommended where the whole range is a gain of 1 % or more.

**Estimators.** On a grid: Haar wavelets in two dimensions. On a road graph: wavelets of a spanning tree (Sharpnack,
Krishnamurthy & Singh 2013). On both: Laplacian smoothing and trend filtering of order 0, $\\min_b \
\\tfrac12\\lVert\\hat y - b\\rVert^2 + \\lambda\\sum_{{(u,v)}}|b_u - b_v|$ (Wang, Sharpnack, Smola & Tibshirani 2016),
each $\\lambda$ chosen by SURE. James–Stein and the soft threshold are Balle & Wang’s Theorems 11 and 12.

**Privacy.** All of them are functions of $\\hat y$ and $\\sigma$ alone, so they satisfy the guarantee of the release
(post-processing) at no cost. The guarantee holds only for noise that nobody can reproduce, so not for this trial."""


def maps(result: DenoisingResult, colours: Colours) -> Exhibit | None:
    """Return the maps of the true counts, the release and each estimate."""
    release = map_release(result)
    if release is None or release.is_drowned:
        return None
    figure, alternative = maps_figure(release, colours), text.alternative_text(release)
    confidential = "" if release.source.is_sample else CONFIDENTIAL_PICTURE
    about = partial(place_frame, release), csv_header(release)
    return Exhibit("maps", figure, alternative, *about, confidential=confidential)


def errors(result: DenoisingResult, _: Colours) -> Exhibit | None:
    """Return the table of the true error of each estimator and the error that SURE expects."""
    release = map_release(result)
    if release is None or release.is_drowned:
        return None
    html, alternative = table_html(release), text.table_alternative_text(release)
    confidential = "" if release.source.is_sample else CONFIDENTIAL_FIGURES
    about = error_frame(release), csv_header(release)
    return Exhibit("map_errors", html, alternative, *about, confidential=confidential)


def csv_header(release: MapRelease) -> dict[str, str]:
    """Return the parameters and units for the top of a CSV, to the last digit."""
    setting, other, undenoised = release.setting, release.comparison.other, release.comparison.undenoised_rmse
    return {
        "places": release.source.name,
        "epsilon": repr(setting.epsilon),
        "delta": repr(setting.delta),
        "trips": repr(setting.trips),
        "at_place": repr(setting.at_place),
        "neighbours": setting.neighbours,
        "sensitivity": repr(release.sensitivity),
        "sigma": repr(release.sigma),
        "least noise as it is": "none" if other is None else f"{other.name}, rmse {undenoised!r}",
        "seed": repr(setting.seed),
        "units": f"counts, sigma and rmse in {release.source.unit}; sure is the sum over the places of squared ones; "
        "epsilon in nats; places in degrees",
        "warning": "a trial, not a release: with the seed its noise can be subtracted; true counts and rmse are "
        "computed from the data without noise",
    }


def controls(result: DenoisingResult) -> Sequence[Field | Parameter]:
    """Return the parameters that change the lead picture."""
    source = map_source(result)
    if source is None:
        return (Field(PLACES, "Places"),)
    grid = () if source.roads is not None else (GRID,)
    limits = () if _counts_once(result) else (TRIPS,)
    return Field(PLACES, "Places"), *limits, EPSILON, DELTA, *grid, SEED


def _counts_once(result: DenoisingResult) -> bool:
    """Return whether each person counts once, so that no limits are asked for."""
    return result.values[CONTRIBUTION.key] == "once"


def parts(result: DenoisingResult, colours: Colours) -> Iterator[Part]:
    """Yield the maps side by side, what else can be changed, what it means, and every estimator in a table."""
    release = map_release(result)
    if release is None or release.is_drowned:
        return
    yield maps(result, colours)
    limits = () if _counts_once(result) else (AT_PLACE,)
    yield Fields((*limits, Field(NEIGHBOURS, "Neighbours")))
    yield text.meaning_text(release)
    yield errors(result, colours)


SECTION = Section[DenoisingResult](
    controls=controls,
    parts=parts,
    key="map",
    name="A map",
    answer_text=text.answer_text,
    explanation=explanation_text,
    conditions=text.conditions,
    subject="places",
    exhibits=(maps, errors),
    claims=map_claims,
    snippets=map_snippets,
)
