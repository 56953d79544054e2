"""The colours, lines and axes that the pictures of several sections share."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore.calibrations import Calibration
from pages.framework.chart.theme import TYPE, hairline
from pages.framework.export.exhibit import Colours
from pages.framework.parameters import number_format
from pages.shared.mechanism_colours import DASHES


def mark_distance(figure: dict[str, Any], colour: Colours, t: float) -> None:
    """Mark the distance t on an axis that reaches it, as a handle."""
    if t <= figure["xaxis"]["range"][1]:
        hairline(figure, colour, t, f"t = {number_format.format_input_up(t)}", "t")


def pinned_look(colour: Colours) -> dict[str, Any]:
    """The look of a kept setting's line."""
    return {
        "line": {"color": colour["ghost"], "dash": "solid", "width": 2.5},
        "hoverinfo": "skip",
        "hovertemplate": None,
    }


def axis_title(words: str) -> dict[str, Any]:
    """What a linear axis is called, in the type of a log axis."""
    return {"text": words, "font": {"size": TYPE}, "standoff": 8}


def distance_axis(reach: ArrayLike) -> dict[str, Any]:
    """The axis of the distance from the truth."""
    return {
        "range": [0, float(np.asarray(reach))],
        "title": axis_title("distance |t| from the truth (query units)"),
        "unifiedhovertitle": {"text": "|t| = %{x:.4~g}"},
    }


def noise_looks(gaussian: Calibration, colour: Colours) -> tuple[tuple[str, str, tuple[str, str]], ...]:
    """Key, name, colour and dash of both noises."""
    return (
        ("laplace", "Laplace", (colour["laplace"], DASHES["laplace"])),
        ("gaussian", gaussian.name, (colour[gaussian.key], "dash")),
    )


def tint(shade: str, opacity: float = 0.16) -> str:
    """A colour that lets what is behind it through."""
    red, green, blue = (int(shade[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"
