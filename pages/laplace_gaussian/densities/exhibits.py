"""The chart of the section on densities."""

import pandas as pd

from dpcore.calibrations import Calibration
from pages.framework.chart.theme import layout, line, round_axis_end
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.laplace_gaussian import text
from pages.laplace_gaussian.chart_style import axis_title, noise_looks, pinned_look, truncated_line
from pages.laplace_gaussian.results import LaplaceGaussianResult


def density_figure(
    frame: pd.DataFrame,
    kind: str,
    pinned: pd.DataFrame | None,
    subtitle: str,
    gaussian: Calibration,
    colours: Colours,
) -> Figure:
    """Draw the densities (`kind` "pdf") or distribution functions ("cdf") of both noises, and those of a pin."""
    columns = [f"{key}_{kind}" for key in ("laplace", "gaussian")]
    frames = [frame] if pinned is None else [frame, pinned]
    highest = max(float(part.filter(like=f"_{kind}").to_numpy().max()) for part in frames)
    end = float(frame["x"].to_numpy()[-1])
    names = ("Density of the noise", "density") if kind == "pdf" else ("Distribution of the noise", "Pr(noise ≤ x)")
    x = {"range": [-end, end], "title": axis_title("noise (query units)")}
    x |= {"unifiedhovertitle": {"text": "noise = %{x:.4~g}"}}
    y = {"range": [0, round_axis_end(highest) if kind == "pdf" else 1], "title": axis_title(names[1])}
    figure = layout(colours, names[0], subtitle, x, y)
    traces = []
    if pinned is not None:
        pinned_lines = [line(pinned["x"], pinned[column], "pinned", "", "solid") for column in columns]
        traces += [trace | pinned_look(colours) | {"showlegend": trace is pinned_lines[0]} for trace in pinned_lines]
    traces += [
        line(frame["x"], frame[f"{key}_{kind}"], name, shade[0], shade[1], hovertemplate="%{y:.4~g}")
        for key, name, shade in noise_looks(gaussian, colours)
    ]
    if f"truncated_{kind}" in frame:
        traces.append(truncated_line(frame["x"].to_numpy(), frame[f"truncated_{kind}"].to_numpy(), colours))
    return {"data": traces, "layout": figure}


def densities(result: LaplaceGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the densities or the distribution functions of both noises."""
    if not result.has_answer:
        return None
    pinned, kind = result.answered_pinned and result.answered_pinned.densities, result.function
    figure = density_figure(result.densities, kind, pinned, text.scales_subtitle(result), result.calibration, colours)
    return Exhibit("density", figure, text.alternative_text(result), result.densities, text.csv_header(result))
