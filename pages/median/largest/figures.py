"""The charts of the largest of several: the probability of the right ones over their lead, and over ε."""

from typing import Any

import numpy as np

from dpcore.checks import Array
from pages.framework.chart.theme import hairline, hover_head, layout, line, log_axis
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters.number_format import format_nearest
from pages.median.largest.results import LargestResult

_HEIGHT = 380
NAMES = {
    "permute_and_flip": "permute-and-flip",
    "exponential": "exponential mechanism",
    "report_noisy_max": "largest noisy count",
}
_LOOKS = {
    "permute_and_flip": ("analytic", "solid"),
    "exponential": ("orange", "dash"),
    "report_noisy_max": ("green", "dot"),
}
_Y: dict[str, Any] = {"range": [0, 1.02], "title": {"text": "probability of the right one"}, "tickformat": ",~%"}


def lead_figure(result: LargestResult, subtitle: str, colours: Colours) -> Figure:
    """Draw the probability over the lead, and mark that of the counts."""
    frame = result.over_lead
    last = float(frame["lead"].iloc[-1])
    x = {"range": [0, last], "title": {"text": "lead over the next (people)"}} | hover_head("lead")
    figure = layout(colours, "The right one is published, over its lead", subtitle, x, _Y) | {"height": _HEIGHT}
    hairline(figure, colours, result.lead, f"lead {format_nearest(result.lead)}")
    return {"data": _lines(result, frame["lead"].to_numpy(), "over_lead", colours), "layout": figure}


def choice_epsilon_figure(result: LargestResult, subtitle: str, colours: Colours) -> Figure:
    """Draw the probability over ε, whose line is a handle, with the wanted one."""
    frame = result.over_epsilon
    ends = frame["epsilon"].iloc[[0, -1]].to_numpy()
    x = log_axis("ε (nats)", *map(round, np.log10(ends).tolist())) | hover_head("ε")
    figure: dict[str, Any] = layout(colours, "The right one is published, over ε", subtitle, x, _Y) | {
        "height": _HEIGHT
    }
    style = {"color": colours["quiet"], "dash": "dot", "width": 1}
    span = {"x0": 0, "x1": 1, "xref": "x domain", "y0": result.wanted, "y1": result.wanted}
    figure["shapes"].append({"type": "line", "line": style} | span)
    hairline(figure, colours, result.epsilon, f"ε = {format_nearest(result.epsilon)}", "epsilon")
    return {"data": _lines(result, frame["epsilon"].to_numpy(), "over_epsilon", colours), "layout": figure}


def _lines(result: LargestResult, x: Array, frame: str, colours: Colours) -> list[dict[str, Any]]:
    numbers = getattr(result, frame)
    return [
        line(x, numbers[key], name, colours[_LOOKS[key][0]], _LOOKS[key][1], hovertemplate="%{y:.4~%}")
        for key, name in NAMES.items()
    ]
