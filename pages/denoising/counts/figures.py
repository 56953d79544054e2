"""The charts of denoised counts: the error of each estimator, and the counts before and after."""

import math
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.denoise import ESTIMATORS, EXTRA_VARIANCE
from pages.denoising.counts import text
from pages.denoising.counts.results import CountsRelease
from pages.denoising.counts.text import MOST_CELLS
from pages.denoising.results import DenoisingResult
from pages.framework.chart.theme import TYPE, compact, layout, line, markers, round_axis_end, transparent
from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, CONFIDENTIAL_PICTURE, Colours, Exhibit, Figure
from pages.framework.parameters import number_format
from pages.shared.formulas import in_words
from pages.shared.looks import estimator_colour, estimator_dash

_HEIGHT = 204  # px, of the second picture
_MOST_LINE_POINTS = 4000
_PIN_BELOW = 0.36  # the distance of a pinned error from the middle of its row
_COUNTS_AXIS_END = 1.3  # of the axis of errors; a larger error is written beside it
_SHORT_NAMES = {
    "posterior_mean": "posterior mean",
    "james_stein_plus": "James–Stein +",
    "soft_universal": "soft, fixed T",
    "soft_sure": "soft, T by SURE",
    "non_negative": "clipped at 0",
    "with_total": "clipped, same total",
    "wavelet_universal": "wavelets, fixed T",
    "wavelet_sure": "wavelets by SURE",
    "laplacian": "smoothing",
}


def errors(result: DenoisingResult, colours: Colours) -> Exhibit | None:
    """Return the RMSE of each estimator relative to the release's, in the order of the ranking.

    The marks and the numbers are what the release alone shows; the bars, which are lighter, what the true counts show.
    There is nothing where there is nothing to denoise.
    """
    release = result.denoisable_release
    if release is None:
        return None
    keys, places = release.rivals, np.arange(len(release.rivals))
    across = {"range": [-0.02, _COUNTS_AXIS_END], "tickvals": [0, 0.5, 1], "ticktext": ["0 %", "50 %", "100 %"]}
    across |= {"title": {"text": "RMSE ÷ σ (the RMSE of the release)"}}
    first, names = release.first_in_ranking, {key: _SHORT_NAMES[key] for key in keys}
    down = {"range": [len(keys) - 0.4, -0.6], "tickvals": [*range(len(keys))], "showgrid": False}
    down["ticktext"] = [f"<b>{name}</b>" if key == first else name for key, name in names.items()]
    subtitle = f"{text.subtitle(result, release)}; {text.ranking_text(release)}"
    figure = layout(colours, "Error of each estimator relative to σ", subtitle, across, down)
    figure["hovermode"] = "closest"
    figure["margin"] |= {"r": 96}
    shares = [release.rmse_shares[key] for key in keys]
    bar = {"type": "bar", "orientation": "h", "name": f"true mean of {release.n_repeats} releases", "y": places}
    bar |= {"x": compact(shares), "width": 0.5, "marker": {"color": transparent(colours["blue"], 0.35)}}
    bar |= {"hovertemplate": "true mean: %{x:.1~%} of the release’s<extra></extra>"}
    wider = release.sigma * math.sqrt(1 + EXTRA_VARIANCE)
    expected = np.array([release.ranking_rmse[key] for key in keys]) / wider
    expected[np.isnan(expected)] = 0.0
    inside = np.where(expected <= _COUNTS_AXIS_END, expected, np.nan)
    diamond = {"symbol": "diamond", "size": 9, "color": colours["text"]}
    mark = markers(inside, places, "expected by the ranking, from this release", diamond)
    mark |= {"hovertemplate": "expected: %{x:.1~%} of the release’s<extra></extra>"}
    beside_the_line = {"yanchor": "bottom", "xshift": 20}  # whose label reaches into the margin on a phone
    figure["annotations"].append(_right_note(-0.6, "by the release", colours["text"]) | beside_the_line)
    verdicts = text.verdict_texts(release)
    for place, key in enumerate(keys):
        ranked = "below 0" if math.isnan(release.ranking_rmse[key]) else f"{expected[place]:.0%}".replace("%", " %")
        is_worse = verdicts[key].startswith("worse")
        note = f"{ranked}; truly worse" if is_worse else ranked
        figure["annotations"].append(_right_note(place, note, colours["fails" if is_worse else "text"]))
    _mark_rmse(figure, colours, 1.0, "released")
    if release.recommended is not None and release.undenoised_rmse < release.sigma:
        share = release.undenoised_rmse / release.sigma
        _mark_rmse(figure, colours, share, f"{in_words(release.recommended)} noise", dash="dash")
    pinned = None if result.pinned is None else result.pinned.denoisable_release
    ghosts = [] if pinned is None else _pinned_errors(release, pinned, colours)
    return errors_exhibit("errors", {"data": [bar, *ghosts, mark], "layout": figure}, result, release)


def _right_note(place: float, text: str, shade: str) -> dict[str, Any]:
    where = {"x": 1, "xref": "paper", "xanchor": "left", "xshift": 6, "y": place, "showarrow": False}
    return where | {"text": text, "font": {"color": shade, "size": TYPE}}


def _mark_rmse(figure: Figure, colours: Colours, share: float, label: str, dash: str = "solid") -> None:
    """Draw a line at the RMSE of a release that is not denoised: of this noise, or of the recommended one."""
    style = {"color": colours["text"], "dash": dash, "width": 1.5}
    span = {"type": "line", "x0": share, "x1": share, "y0": 0, "y1": 1, "yref": "y domain", "line": style}
    figure["shapes"].append(span)
    side = {"xanchor": "center" if share < 0.6 else "right" if share < 1 else "left"}
    note = {"text": label, "showarrow": False, "x": share, "y": 1, "yref": "y domain", "yanchor": "bottom"}
    figure["annotations"].append(note | side | {"font": {"size": TYPE}})


def _pinned_errors(release: CountsRelease, pinned: CountsRelease, colours: Colours) -> list[dict[str, Any]]:
    """Return the true mean errors of the pinned setting, as grey squares."""
    places = [place for place, key in enumerate(release.rivals) if key in pinned.rmse_shares]
    shares = [pinned.rmse_shares[release.rivals[place]] for place in places]
    inside = [share if share <= _COUNTS_AXIS_END else math.nan for share in shares]
    stroke = {"symbol": "square", "size": 7, "color": colours["ghost"]}
    y, hover = [place + _PIN_BELOW for place in places], "pinned: %{x:.1~%}<extra></extra>"
    return [markers(inside, y, "pinned", stroke, hovertemplate=hover)]


def values(result: DenoisingResult, colours: Colours) -> Exhibit | None:
    """Return true counts, the release, and the denoised counts: a series as lines, a table as bars."""
    release = result.denoisable_release
    if release is None:
        return None
    name, shade = ESTIMATORS[release.displayed_key].name, estimator_colour(release.displayed_key, colours)
    if release.is_series:
        shown = np.arange(release.size)
        across = {"title": {"text": "place in the series"}, "range": [0.5, release.size + 0.5]}
        traces = _series_lines(release, shade, colours)
    else:
        shown = np.argsort(-release.count, kind="stable")[:MOST_CELLS]
        across, traces = _cell_axis(release, shown), _bars(release, shown, shade, colours)
    noisy = release.noisy_counts[shown]  # over a range that seldom changes
    high = round_axis_end(max(float(release.count.max()), float(noisy.max()), 1.0))
    upward = {"range": [-round_axis_end(max(-float(noisy.min()), 0.05 * high)), high], "title": {"text": "count"}}
    title, subtitle = f"True counts, release, and denoised by: {name}", text.values_subtitle(result, release)
    figure = layout(colours, title, subtitle, across, upward) | {"height": _HEIGHT}
    figure |= {} if release.is_series else {"bargap": 0.3}
    columns = {"released": release.noisy_counts, "denoised": release.denoised_counts}
    about = partial(release.counts.frame.assign, **columns), csv_header(result, release) | {"estimator": name}
    picture, alternative = {"data": traces, "layout": figure}, text.values_alternative_text(release)
    return Exhibit(
        "denoised", picture, alternative, *about, confidential=CONFIDENTIAL_PICTURE if release.is_own else ""
    )


def _bars(release: CountsRelease, order: NDArray[np.intp], shade: str, colours: Colours) -> list[dict[str, Any]]:
    places, hover = np.arange(1, order.size + 1), {"hovertemplate": "%{y:,.4~g}"}
    bars = {"type": "bar", "name": "true count", "x": compact(places), "y": compact(release.count[order])}
    bars |= {"marker": {"color": colours["floor"]}} | hover
    circle = {"symbol": "circle-open", "size": 7, "color": colours["quiet"]}
    noisy = markers(places, release.noisy_counts[order], "as released", circle, **hover)
    diamond = {"symbol": "diamond", "size": 7, "color": shade}
    return [bars, noisy, markers(places, release.denoised_counts[order], "denoised", diamond, **hover)]


def _series_lines(release: CountsRelease, shade: str, colours: Colours) -> list[dict[str, Any]]:
    places = np.unique(np.linspace(0, release.size - 1, min(release.size, _MOST_LINE_POINTS)).astype(np.intp))
    more = {"hovertemplate": "%{y:,.4~g}"}
    thin = {"line": {"color": colours["ghost"], "width": 1.5}}
    marks = {"mode": "lines+markers"} if release.size == 1 else {}
    x, dash, noisy = places + 1, estimator_dash(release.displayed_key), release.noisy_counts[places]
    return [
        line(x, noisy, "as released", colours["ghost"], "solid", **more) | thin | marks,
        line(x, release.count[places], "true count", colours["text"], "dot", **more) | marks,
        line(x, release.denoised_counts[places], "denoised", shade, dash, **more) | marks,
    ]


def _cell_axis(release: CountsRelease, order: NDArray[np.intp]) -> dict[str, Any]:
    axis: dict[str, Any] = {"range": [0.3, order.size + 0.7]}
    names = [number_format.chart_text(str(cell), 22) for cell in release.counts.frame["cell"].to_numpy()[order]]
    if order.size > 24 or len({*names}) < len(names):
        return axis | {"title": {"text": "cells, largest first"}}
    return axis | {"tickvals": [*range(1, len(names) + 1)], "ticktext": names, "autotickangles": [0, -60, 90]}


def errors_exhibit(name: str, picture: Figure | str, result: DenoisingResult, release: CountsRelease) -> Exhibit:
    """Return an exhibit of the errors, which are confidential for the user's own table."""
    alternative, header = text.errors_alternative_text(release), csv_header(result, release)
    confidential = CONFIDENTIAL_FIGURES if release.is_own else ""
    return Exhibit(name, picture, alternative, lambda: release.frame, header, confidential=confidential)


def csv_header(result: DenoisingResult, release: CountsRelease) -> dict[str, Any]:
    """Return the parameters and units for the top of a CSV."""
    setting = result.setting
    shared = {key: value for key, value in setting.csv_header.items() if key != "l2_sensitivity"}
    own = {
        "counts": release.counts.source,
        "order": "a series" if release.is_series else "none",
        "cells per person": setting.per_person,
        "most in one cell": setting.per_cell,
        "neighbours": setting.neighbours,
        "sigma": repr(release.sigma),
        "prior_sd": repr(release.prior_sd),
        "total": "public" if release.public_total else "of the release",
        "releases": release.n_repeats,
        "rmse": f"in counts; rmse_ranked_by at a noise of sqrt({1 + EXTRA_VARIANCE:g}) sigma; empty if below 0",
        "seed": release.seed,
    }
    pinned = {} if result.pinned is None else {"pinned": text.setting_text(result.pinned, release)}
    return {"warning": text.TRIAL_WARNING} | shared | own | pinned
