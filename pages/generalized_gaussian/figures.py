"""The shades, dashes and axes that pictures of several sections share."""

import math
from typing import Any

from dpcore.checks import Array
from pages.framework.chart.theme import hover_head, log_axis
from pages.framework.export.exhibit import Colours

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "6px,2px", "2px,4px")
_SHAPE_MARKS = (1, 2, 4, 8, 16, 32, 64)


# The ends of one scale for p or δ, by the theme's purple, from light to dark or, on a dark page, from dark to light.
_SHADE_ENDS = {"#8A3C9E": ("#C58BD8", "#4A1259"), "#D79BEA": ("#8C5AA3", "#F6E3FD")}


def mixed_shade(share: float, colours: Colours) -> str:
    """Return a shade between the two ends of the scale of p."""
    ends = [[int(end[place : place + 2], 16) for place in (1, 3, 5)] for end in _SHADE_ENDS[colours["purple"]]]
    return "#" + "".join(f"{round(first + share * (last - first)):02x}" for first, last in zip(*ends, strict=True))


def shape_axis(label: str, most: float) -> dict[str, Any]:
    """Return a log axis of shapes from 1 on."""
    marks = tuple(mark for mark in _SHAPE_MARKS if mark <= most * 1.001)
    return log_axis(label, 0, 2, marks=marks) | {"range": [0, math.log10(most)]} | hover_head("p")


SYMBOLS = {"p": "p", "epsilon": "ε", "delta": "δ"}


def parameter_axis(x: str, places: Array) -> dict[str, Any]:
    """Return the axis of p, ε or δ."""
    if x == "p":
        return shape_axis("shape p", float(places[-1]))
    label = "privacy loss parameter ε (nats)" if x == "epsilon" else "δ"
    low, high = math.floor(math.log10(places[0]) + 1e-9), math.ceil(math.log10(places[-1]) - 1e-9)
    return log_axis(label, low, high) | hover_head(SYMBOLS[x])
