"""A pinned curve lies inside the axes of its chart."""

from urllib.parse import urlencode

import numpy as np
import pytest

from pages.framework.chart.pinned_range import include_pinned
from pages.framework.rendering import packing
from pages.framework.rendering.render import RenderRequest
from pages.shared import site_map

SHARED = {"epsilon": "1", "delta": "1e-6", "l2_sensitivity": "1", "significance": "0.05"}
CASES = [
    (site_map.GAUSSIAN_BOUNDS, {"section": "bounds"}, {"epsilon": "8", "delta": "0.01"}),
    (site_map.GENERALIZED_GAUSSIAN, {"section": "size"}, {"l2_sensitivity": "100"}),
    (site_map.TABLES, {"section": "noise"}, {"per_cell": "50"}),
    (site_map.LAPLACE_GAUSSIAN, {"section": "wins"}, {"epsilon": "0.1"}),
]


def figure(kind, values, low, high):
    ticks = {"tickvals": [1.0, 10.0], "ticktext": ["1", "10"]} if kind == "log" else {}
    axis = {"type": kind, "range": [low, high]} | ticks
    trace = {"name": "pinned", "x": np.array([1.0, 2.0, 30.0]), "y": np.array(values)}
    return {"data": [trace], "layout": {"xaxis": {"range": [0, 10]}, "yaxis": axis}}


def widened(kind, values, low, high):
    chart = figure(kind, values, low, high)
    include_pinned(chart)
    return chart["layout"]["yaxis"]


@pytest.mark.parametrize(
    ("kind", "values", "expected"),
    [
        ("linear", (2.0, 12.0, 99.0), [0, 12]),  # the last one is outside the x axis
        ("linear", (-1.0, 5.0, 5.0), [-1, 10]),
        ("linear", (2.0, 1e9, 1.0), [0, 40]),
        ("linear", (np.nan, 3.0, 1.0), [0, 10]),
    ],
)
def test_a_linear_axis_is_widened_to_the_pinned_values_that_its_x_axis_shows(kind, values, expected):
    assert widened(kind, values, 0, 10)["range"] == pytest.approx(expected)


def test_a_log_axis_is_widened_by_at_most_three_decades_and_labels_them():
    axis = widened("log", (1e-300, 300.0, 1.0), 0, 1)
    assert axis["range"] == pytest.approx([-3, np.log10(300)])
    assert axis["ticktext"] == ["1", "10", "0.001", "0.01", "0.1", "100"]


def test_categories_and_axes_without_a_range_stay_as_they_are():
    chart = {"data": [{"name": "pinned", "x": [1, 2], "y": ["a", "b"]}], "layout": {"yaxis": {"range": [0, 1]}}}
    include_pinned(chart)
    assert chart["layout"]["yaxis"] == {"range": [0, 1]}


@pytest.mark.parametrize(("page", "link", "far"), CASES, ids=lambda item: getattr(item, "name", ""))
def test_the_lead_picture_has_the_pinned_curve_inside(page, link, far):
    entries = link | {"pinned": urlencode(SHARED | far)}
    parts = packing.unpack(RenderRequest(page.script, tuple(entries.items()), "light")())["parts"]
    picture = next(part for part in parts if part["kind"] == "chart")["figure"]
    traces = [trace for trace in picture["data"] if "pinned" in str(trace.get("name"))]
    low, high = picture["layout"]["yaxis"]["range"]
    first, last = picture["layout"]["xaxis"]["range"]
    assert traces
    for trace in traces:
        x, y = np.log10(trace["x"]), np.log10(trace["y"])
        inside = y[(x >= first) & (x <= last) & np.isfinite(y)]
        assert (inside >= low - 1e-6).all()
        assert (inside <= high + 1e-6).all()
