"""The first picture of the product: a count, thirty releases of it, and what they tell of one person."""

from typing import Any

import numpy as np

from pages.framework.chart.theme import TYPE, compact, layout
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.parameters.number_format import format_input_up, format_nearest
from pages.shared.people_square import N_PEOPLE, SIDE, people_square
from pages.start.results import N_RELEASES, TRUE_COUNT, StartResult

_RANGE = (0, 160)
_GAP = 1.6  # between the true count and its releases, in bars


def first_look(result: StartResult, colours: Colours) -> Exhibit:
    """Return the picture of a count, its releases, and of 100 people those that an attacker finds in the data."""
    return Exhibit("first_look", _figure(result, colours), alternative_text(result), result.frame, result.csv_header)


def alternative_text(result: StartResult) -> str:
    """Return what the picture shows, in words."""
    known = result.releases[np.isfinite(result.releases)]
    ends = (format_nearest(float(end)) for end in (known.min(initial=np.inf), known.max(initial=-np.inf)))
    spread = "from {} to {}".format(*ends) if known.size else "none: at ε = 0 nothing is released"
    return (
        f"A count of {TRUE_COUNT} people and {N_RELEASES} releases of it with noise, {spread}; of 100 people like you, "
        f"at most {_found(result)} are in the data as far as anybody can tell after the release."
    )


def _found(result: StartResult) -> int:
    """Return of 100 people how many are in the data after a release, at most, if 10 are before."""
    people = result.meaning.result.people
    return int(people["people"].iloc[-1])


def _figure(result: StartResult, colours: Colours) -> Figure:
    bars = {"showticklabels": False, "showgrid": False, "domain": [0, 0.66], "fixedrange": True}
    subtitle = f"a count of {TRUE_COUNT} people with geometric noise at ε = {format_input_up(result.setting.epsilon)}"
    x, y = bars | {"range": [-1, N_RELEASES + _GAP]}, {"range": list(_RANGE), "title": {"text": "people"}}
    figure = layout(colours, "A count, thirty releases of it, and how many of 100 seem to be in it", subtitle, x, y)
    hidden = {"visible": False, "fixedrange": True}
    figure |= {"hovermode": False, "showlegend": False, "height": 330}
    figure["xaxis2"] = hidden | {"range": [-0.6, SIDE - 0.4], "domain": [0.72, 1], "anchor": "y2"}
    figure["yaxis2"] = hidden | {"range": [-3, SIDE - 0.4], "anchor": "x2", "scaleanchor": "x2"}
    figure["yaxis2"] |= {"constraintoward": "top"}
    found = _found(result)
    places = np.arange(N_RELEASES) + _GAP
    traces = [
        _bars(np.array([0.0]), np.array([float(TRUE_COUNT)]), "the truth", colours["text"]),
        _bars(places, result.releases, "releases", colours["geometric"]),
        people_square(found, "people", colours) | {"xaxis": "x2", "yaxis": "y2"},
    ]
    figure["annotations"] += [
        _note("the truth", 0, TRUE_COUNT, "y", "bottom"),
        _note(f"{N_RELEASES} possible releases", float(places.mean()), _RANGE[1], "y", "top"),
        _note(f"<b>{found} of {N_PEOPLE}</b> at most,<br>10 before", (SIDE - 1) / 2, -0.8, "y2", "top"),
    ]
    return {"data": traces, "layout": figure}


def _bars(x: np.ndarray, y: np.ndarray, name: str, shade: str) -> dict[str, Any]:
    return {"type": "bar", "name": name, "x": compact(x), "y": compact(y), "width": 0.7, "marker": {"color": shade}}


def _note(words: str, x: float, y: float, axis: str, anchor: str) -> dict[str, Any]:
    place = {"x": x, "y": y, "xref": axis.replace("y", "x"), "yref": axis, "yanchor": anchor}
    return place | {"text": words, "showarrow": False, "font": {"size": TYPE}}
