"""The colours, lines and axes that the pictures of several sections share."""

from typing import Any

from dpcore.calibrations import TRUNCATED_LAPLACE, Calibration
from dpcore.checks import Array
from pages.framework.chart.theme import TYPE, line
from pages.framework.export.exhibit import Colours
from pages.shared.looks import LOOKS


def pinned_look(colours: Colours) -> dict[str, Any]:
    """Return the style of a pinned setting's line."""
    return {
        "line": {"color": colours["ghost"], "dash": "solid", "width": 2.5},
        "hoverinfo": "skip",
        "hovertemplate": None,
    }


def axis_title(words: str) -> dict[str, Any]:
    """Return the title of a linear axis, in the font size of a log axis."""
    return {"text": words, "font": {"size": TYPE}, "standoff": 8}


def noise_looks(gaussian: Calibration, colours: Colours) -> tuple[tuple[str, str, tuple[str, str]], ...]:
    """Return the key, the name, and the colour and dash of both noises."""
    return (
        ("laplace", "Laplace", (colours["laplace"], LOOKS["laplace"].dash)),
        ("gaussian", gaussian.name, (colours[gaussian.key], LOOKS[gaussian.key].dash)),
    )


def truncated_line(x: Array, y: Array, colours: Colours) -> dict[str, Any]:
    """Return the line of truncated Laplace noise."""
    shade, dash = colours["truncated_laplace"], LOOKS["truncated_laplace"].dash
    style = {"hovertemplate": "%{y:.4~g}", "line": {"color": shade, "dash": dash, "width": 2.5}}
    return line(x, y, TRUNCATED_LAPLACE.name, shade, dash, **style)
