"""Pictures of the Gaussian bounds: σ against ε and δ, ratios, privacy profiles, Liu's Fig. 3."""

from typing import Any

import numpy as np
import pandas as pd

from dpcore.calibrations import ANALYTIC, CLASSICAL, FAILS, LOWER, WITHIN
from dpcore.comparison import BOUNDS
from pages.framework.chart.theme import decades, hairline, hover_head, layout, line, log_axis, pinned_line
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.shared.formulas import short_name
from pages.shared.mechanism_colours import DASHES
from pages.shared.shared_parameters import SharedSetting

_DOTTED = "Dotted: outside the theorem. Red ×: promise broken. Grey below: no Gaussian keeps the promise."
_DRAWN = tuple(bound for bound in BOUNDS if bound.key != "classical_tight")  # hardly apart from the classical one
_SHARES = {0.1: 0.35, 0.3: 0.5, 0.5: 0.65, 0.7: 0.82, 0.9: 1.0}  # ε of a curve: its place on the colour scale


def sigma_figure(
    frame: pd.DataFrame,
    x: str,
    setting: SharedSetting,
    colour: Colours,
    ghosts: pd.DataFrame | None,
    kept: SharedSetting | None = None,
) -> Figure:
    """σ of every bound against ε or δ (`x`), both on log axes, with the current setting marked."""
    sensitivity = setting.l2_sensitivity
    now, symbol = (setting.epsilon, "ε") if x == "epsilon" else (setting.delta, "δ")
    fixed = (
        f"δ = {number_format.format_input_up(setting.delta)}"
        if x == "epsilon"
        else f"ε = {number_format.format_input_up(setting.epsilon)}"
    )
    level = int(np.ceil(np.log10(sensitivity)))
    figure = layout(
        colour,
        f"Noise σ against {symbol}",
        f"{fixed}, ℓ₂ sensitivity {number_format.format_input_down(sensitivity)} {_DOTTED}",
        (
            log_axis("privacy loss parameter ε (nats)", *decades(-3, 2, now))
            if x == "epsilon"
            else log_axis("excess probability δ", *decades(-12, 0, now))
        )
        | hover_head(symbol),
        log_axis("σ (query units)", level - 2, level + 4),
    )
    hairline(figure, colour, now, f"{symbol} = {number_format.format_input_up(now)}", x)
    if kept is not None:
        pinned_line(figure, colour, kept.epsilon if x == "epsilon" else kept.delta)
    return {"data": _bound_traces(frame, x, "sigma", "σ ≈ %{y:.4g}", colour, ghosts), "layout": figure}


def ratio_figure(
    frame: pd.DataFrame,
    limit: float,
    setting: SharedSetting,
    colour: Colours,
    ghosts: pd.DataFrame | None,
    kept: SharedSetting | None = None,
) -> Figure:
    """σ of every bound over the analytic σ against ε, with the ε beyond which the classical one fails (`limit`).

    1 is the least noise that keeps the promise.
    The ratio axis has one of three fixed ends, so it stays put along ε and over most of δ.
    """
    highest = frame["ratio"].to_numpy().max()
    top = next((end for end in (3, 10, 100) if highest <= end), 1000)
    marks = tuple(mark for mark in (0.5, 1, 2, 3, 5, 10, 100, 1000) if mark <= top)
    figure = layout(
        colour,
        "Noise asked for ÷ noise needed",
        f"δ = {number_format.format_input_up(setting.delta)}. "
        f"The classical σ is enough up to ε = {number_format.format_down(limit)}. {_DOTTED}",
        log_axis("privacy loss parameter ε (nats)", *decades(-3, 2, setting.epsilon)) | hover_head("ε"),
        log_axis("σ ÷ analytic σ", 0, 1, marks=marks) | {"range": [np.log10(0.4), np.log10(top)]},
    )
    hairline(figure, colour, setting.epsilon, f"ε = {number_format.format_input_up(setting.epsilon)}", "epsilon")
    if kept is not None:
        pinned_line(figure, colour, kept.epsilon)
    return {"data": _bound_traces(frame, "epsilon", "ratio", "%{y:.4g} ×", colour, ghosts), "layout": figure}


def profile_figure(
    frame: pd.DataFrame,
    failing: set[str],
    setting: SharedSetting,
    colour: Colours,
    ghosts: pd.DataFrame | None,
) -> Figure:
    """The privacy profile δ(ε) that each σ really gives, with the target point: slack above a curve, failure below."""
    epsilon, delta = setting.epsilon, setting.delta
    figure = layout(
        colour,
        "What each σ really gives",
        f"σ chosen for ε = {number_format.format_input_up(epsilon)}, δ = {number_format.format_input_up(delta)}. "
        "A curve below the target has slack; above it, it fails.",
        log_axis("privacy loss parameter ε (nats)", *decades(-3, 2, epsilon)) | hover_head("ε"),
        log_axis("true δ at that ε", *decades(-15, 0, delta)),
    )
    before = [] if ghosts is None else _profile_traces(ghosts, set(), colour, _ghost(colour))
    traces = [trace | {"name": "pinned"} for trace in before]
    traces += _profile_traces(frame, failing, colour, {})
    lowest = 10.0 ** figure["yaxis"]["range"][0]
    if not (frame["true_delta"].to_numpy() >= lowest).any():
        note = {
            "text": f"every δ is below {number_format.format_nearest(lowest)} here",
            "x": 0.5,
            "y": 0.5,
            "showarrow": False,
        }
        figure["annotations"].append(note | {"xref": "paper", "yref": "paper"})
    hairline(figure, colour, epsilon, f"ε = {number_format.format_input_up(epsilon)}", "epsilon")
    if epsilon > 0:
        target = line([epsilon], [delta], "target", colour["text"], "solid", hovertemplate="δ = %{y:.4g}")
        star = {"symbol": "star", "size": 13, "color": colour["text"]}
        traces.append(target | {"mode": "markers", "marker": star})
    return {"data": traces, "layout": figure}


def _profile_traces(
    frame: pd.DataFrame, failing: set[str], colour: Colours, look: dict[str, Any]
) -> list[dict[str, Any]]:
    """A profile for every bound, red where it fails, or all in one look."""
    traces = []
    parts = _by_bound(frame, "epsilon", "true_delta")
    for bound in _DRAWN:
        if bound.key in parts:
            fails = bound.key in failing
            row, shade = parts[bound.key], colour["fails" if fails else bound.key]
            shown = np.where(row["true_delta"] > 1e-300, row["true_delta"], np.nan)
            name = f"{short_name(bound)}: FAILS" if fails else short_name(bound)
            style = {"colour": shade, "dash": DASHES[bound.key], "hovertemplate": "δ ≈ %{y:.4g}"} | look
            traces.append(line(row["epsilon"], shown, name, **style))
    return traces


def pdp_share_figure(frame: pd.DataFrame, setting: SharedSetting, colour: Colours) -> Figure:
    """Liu's Fig. 3: the pDP σ over the classical σ against δ, a curve for each of several ε below 1."""
    figure = layout(
        colour,
        "pDP σ ÷ classical σ (Liu 2019, Fig. 3)",
        "ε from 0.1 (faint) to 0.9 (strong), where the classical proof holds; the two δ are different quantities",
        {"range": [0, 0.5], "title": {"text": "δ"}, "tickformat": ".1~f"} | hover_head("δ"),
        {"range": [0.45, 1.0], "title": {"text": "σ ÷ classical σ"}},
    )
    traces = []
    for epsilon, opacity in _SHARES.items():
        rows = frame[frame["epsilon"] == epsilon]
        more = {"opacity": opacity, "hovertemplate": "%{y:.4g} ×"}
        traces.append(line(rows["delta"], rows["ratio"], f"ε = {epsilon}", colour["pdp"], "solid", **more))
    if setting.delta <= 0.5:
        hairline(figure, colour, setting.delta, f"δ = {number_format.format_input_up(setting.delta)}", "delta")
    return {"data": traces, "layout": figure}


def pdp_share_grid() -> tuple[np.ndarray, np.ndarray]:
    """The ε and δ at which `pdp_share_figure` wants its frame."""
    return np.array(list(_SHARES))[:, None], np.concatenate([np.logspace(-6, -2, 40)[:-1], np.linspace(0.01, 0.5, 100)])


def _by_bound(frame: pd.DataFrame, *columns: str) -> dict[str, dict[str, np.ndarray]]:
    """The columns of each bound's rows, as arrays."""
    arrays = {column: frame[column].to_numpy() for column in columns}
    bounds = frame["bound"].to_numpy(dtype=object)
    return {key: {name: array[bounds == key] for name, array in arrays.items()} for key in dict.fromkeys(bounds)}


def _ghost(colour: Colours) -> dict[str, Any]:
    """The look of a pinned setting's curve."""
    shade = colour["ghost"]
    thin = {"color": shade, "dash": "solid", "width": 1.5}
    return {"colour": shade, "dash": "solid", "line": thin, "showlegend": False, "hoverinfo": "skip"}


def _bound_traces(
    frame: pd.DataFrame, x: str, y: str, hover: str, colour: Colours, ghosts: pd.DataFrame | None
) -> list[dict[str, Any]]:
    """A line for every bound: its own dash where proved, dotted outside its theorem, red crosses where it fails."""
    traces = []
    if ghosts is not None:
        before = _by_bound(ghosts, x, y)
        drawn = [before[bound.key] for bound in _DRAWN if bound.key in before]
        traces = [line(rows[x], rows[y], "pinned", **_ghost(colour)) for rows in drawn]
    parts = _by_bound(frame, x, y, "status")
    for bound in _DRAWN:
        if bound.key not in parts:
            continue
        rows = parts[bound.key]
        along, value, status = rows[x], rows[y], rows["status"]
        outside, failing = status == WITHIN, status == FAILS
        shade, dash = colour[bound.key], DASHES[bound.key]
        proved = np.where(outside | failing, np.nan, value)
        width: dict[str, Any] = {"line": {"color": shade, "dash": dash, "width": 3.5 if bound is ANALYTIC else 2.5}}
        if bound is LOWER:
            width |= {"fill": "tozeroy", "fillcolor": colour["floor"], "line": {"color": shade, "width": 1}}
        width["legendgroup"] = bound.key
        traces.append(line(along, proved, short_name(bound), shade, dash, hovertemplate=hover, **width))
        for part, tint, label in ((outside, shade, "unproved"), (failing, colour["fails"], "FAILS")):
            if part.any():
                reach = part | np.roll(part, -1)
                reach[-1] = part[-1]
                more = {"showlegend": False, "hovertemplate": hover, "legendgroup": bound.key}
                if label == "FAILS" and bound is CLASSICAL:
                    more |= {"mode": "lines+markers", "marker": {"symbol": "x", "size": 8, "maxdisplayed": 9}}
                segment = np.where(reach, value, np.nan)
                traces.append(line(along, segment, f"{short_name(bound)}: {label}", tint, "dot", **more))
    return traces
