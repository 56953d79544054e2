"""The picture of Liu's Fig. 3: the pDP σ over the classical σ."""

import pandas as pd

from pages.framework.chart.theme import hairline, hover_head, layout, line
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.papers.liu_pdp.results import EPSILONS

_OPACITIES = dict(zip(EPSILONS, (0.35, 0.5, 0.65, 0.82, 1.0), strict=True))


def ratio_figure(frame: pd.DataFrame, delta: float, colours: Colours) -> Figure:
    """Draw the pDP σ over the classical σ against δ, a curve for each of several ε below 1."""
    figure = layout(
        colours,
        "pDP σ ÷ classical σ (Liu 2019, Fig. 3)",
        "ε from 0.1 (faint) to 0.9 (strong), where the classical proof holds; the two δ are different quantities",
        {"range": [0, 0.5], "title": {"text": "δ"}, "tickformat": ".1~f"} | hover_head("δ"),
        {"range": [0.45, 1.0], "title": {"text": "σ ÷ classical σ"}},
    )
    traces = []
    for epsilon, opacity in _OPACITIES.items():
        rows = frame[frame["epsilon"] == epsilon]
        more = {"opacity": opacity, "hovertemplate": "%{y:.4g} ×"}
        traces.append(line(rows["delta"], rows["ratio"], f"ε = {epsilon}", colours["pdp"], "solid", **more))
    if delta <= figure["xaxis"]["range"][1]:
        hairline(figure, colours, delta, f"δ = {number_format.format_input_up(delta)}", "delta")
    return {"data": traces, "layout": figure}
