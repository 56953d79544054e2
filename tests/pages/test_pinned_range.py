"""A pinned curve lies inside the axes of its chart."""

from urllib.parse import urlencode

import numpy as np
import pytest

from pages.framework.chart.theme import with_pinned_inside
from pages.framework.rendering import stage
from pages.framework.rendering.render import RenderRequest
from pages.shared import site_map

SHARED = {"epsilon": "1", "delta": "1e-6", "l2_sensitivity": "1", "significance": "0.05"}
CASES = [
    (site_map.GAUSSIAN_BOUNDS, {"section": "bounds"}, {"epsilon": "8", "delta": "0.01"}),
    (site_map.GAUSSIAN_BOUNDS, {"section": "sigma"}, {"delta": "1e-25", "l2_sensitivity": "1e6"}),
    (site_map.ACCURACY, {}, {"epsilon": "0.001", "l2_sensitivity": "1e6"}),
    (site_map.LAPLACE_GAUSSIAN, {"section": "reach"}, {"epsilon": "0.001", "l2_sensitivity": "1e6"}),
    (site_map.GENERALIZED_GAUSSIAN, {"section": "size"}, {"l2_sensitivity": "100"}),
    (site_map.TABLES, {"section": "noise"}, {"per_cell": "50"}),
    (site_map.LAPLACE_GAUSSIAN, {"section": "wins"}, {"epsilon": "0.1"}),
    (site_map.LAPLACE_GAUSSIAN, {"section": "density"}, {"epsilon": "0.1"}),
    (site_map.COMPOSITION, {"section": "training"}, {"epochs": "300"}),
]


def figure(kind, values, low, high):
    ticks = {"tickvals": [1.0, 10.0], "ticktext": ["1", "10"]} if kind == "log" else {}
    axis = {"type": kind, "range": [low, high]} | ticks
    trace = {"name": "pinned", "x": np.array([1.0, 2.0, 30.0]), "y": np.array(values)}
    current = {"name": "current", "x": np.array([1.0, 40.0]), "y": np.array([1.0, 1.0])}
    return {"data": [trace, current], "layout": {"xaxis": {"range": [0, 10]}, "yaxis": axis}}


def widened(kind, values, low, high):
    chart = figure(kind, values, low, high)
    wide = with_pinned_inside(chart)
    assert chart["layout"]["yaxis"]["range"] == [low, high]  # the figure itself stays as it is
    assert wide["layout"]["xaxis"]["range"] == [0, 10]  # beyond which the current curve goes as well
    return wide["layout"]["yaxis"]


@pytest.mark.parametrize(
    ("kind", "values", "expected"),
    [
        ("linear", (2.0, 12.0, 99.0), [0, 12]),  # the last one is outside the x axis
        ("linear", (-1.0, 5.0, 5.0), [-1, 10]),
        ("linear", (2.0, 1e9, 1.0), [0, 1e9]),
        ("linear", (np.nan, 3.0, 1.0), [0, 10]),
    ],
)
def test_a_linear_axis_is_widened_to_the_pinned_values_that_its_x_axis_shows(kind, values, expected):
    assert widened(kind, values, 0, 10)["range"] == pytest.approx(expected)


def test_a_log_axis_is_widened_to_every_pinned_value_and_labels_the_decades():
    axis = widened("log", (1e-3, 300.0, 1.0), 0, 1)
    assert axis["range"] == pytest.approx([-3, np.log10(300)])
    assert axis["ticktext"] == ["1", "10", "0.001", "0.01", "0.1", "100"]


def test_an_axis_that_is_widened_by_hundreds_of_decades_has_at_most_16_more_labels():
    axis = widened("log", (1e-300, 300.0, 1.0), 0, 1)
    assert axis["range"] == pytest.approx([-300, np.log10(300)])
    assert 10 < len(axis["tickvals"]) < 20


@pytest.mark.parametrize(("second", "expected"), [(1e-3, -7), (1e-9, -9)])
def test_where_the_current_curve_leaves_an_axis_it_is_widened_by_three_decades_or_to_a_point(second, expected):
    traces = [
        {"name": "pinned", "x": [1.0, 2.0, 3.0], "y": [1e-2, 1e-7, 1e-30]},
        {"name": "pinned", "x": [1.0, 2.0], "y": [second, 1e-40]},
        {"name": "current", "x": [1.0, 2.0], "y": [1e-1, 1e-20]},
    ]
    chart = {"data": traces, "layout": {"xaxis": {"range": [0, 3]}, "yaxis": {"type": "log", "range": [-5, 0]}}}
    assert with_pinned_inside(chart)["layout"]["yaxis"]["range"] == pytest.approx([expected, 0])


@pytest.mark.parametrize(
    ("x", "expected"), [(-2.0, ("← pinned", -1, "left")), (0.5, ("pinned", 0.5, None)), (9.0, ("pinned →", 1, "right"))]
)
def test_the_mark_of_a_pinned_value_outside_the_axis_becomes_an_arrow_at_its_end(x, expected):
    layout = {"xaxis": {"type": "log", "range": [-1, 1]}, "annotations": [{"text": "pinned", "x": x}]}
    note = with_pinned_inside({"data": [], "layout": layout})["layout"]["annotations"][0]
    assert (note["text"], note["x"], note.get("xanchor")) == expected


@pytest.mark.parametrize(
    ("kind", "x", "expected"), [("linear", [-25.0, 25.0], [-25, 25]), ("log", [1e-9, 1e9], [-9.0, 9.0])]
)
def test_the_x_axis_is_widened_to_the_pinned_curve_where_the_current_one_ends_within_it(kind, x, expected):
    low, high = (-10.0, 10.0) if kind == "linear" else (-1.0, 1.0)
    pinned, current = ({"name": name, "x": x, "y": [1.0, 2.0]} for name, x in (("pinned", x), ("current", [0.5, 2.0])))
    chart = {"data": [pinned, current], "layout": {"xaxis": {"type": kind, "range": [low, high]}}}
    assert with_pinned_inside(chart)["layout"]["xaxis"]["range"] == pytest.approx(expected)


def test_a_pinned_curve_that_is_drawn_already_moves_no_axis():
    pinned, current = ({"name": name, "x": [1.0, 2.0], "y": [1e-3, 2.0]} for name in ("pinned", "current"))
    axis = {"type": "log", "range": [-1.0, 1.0]}
    chart = {"data": [pinned, current], "layout": {"yaxis": axis}}
    assert with_pinned_inside(chart)["layout"]["yaxis"] == axis
    moved = {"data": [pinned | {"y": [1e-2, 2.0]}, current], "layout": {"yaxis": axis}}
    assert with_pinned_inside(moved)["layout"]["yaxis"]["range"][0] == pytest.approx(-2)


def test_categories_and_axes_without_a_range_stay_as_they_are():
    chart = {"data": [{"name": "pinned", "x": [1, 2], "y": ["a", "b"]}], "layout": {"yaxis": {"range": [0, 1]}}}
    assert with_pinned_inside(chart)["layout"]["yaxis"] == {"range": [0, 1]}


@pytest.mark.parametrize(("page", "link", "far"), CASES, ids=lambda item: getattr(item, "name", ""))
def test_the_lead_picture_has_the_pinned_curve_inside(page, link, far):
    entries = link | {"pinned": urlencode(SHARED | far)}
    parts = stage.unpack(RenderRequest(page.script, tuple(entries.items()), "light")())["parts"]
    picture = next(part for part in parts if part["kind"] == "chart")["figure"]
    traces = [trace for trace in picture["data"] if "pinned" in str(trace.get("name"))]
    low, high = sorted(picture["layout"]["yaxis"]["range"])  # rows of a list go down
    first, last = picture["layout"]["xaxis"]["range"]
    assert traces
    for trace in traces:
        x, y = (on_axis(trace[letter], picture["layout"][f"{letter}axis"]) for letter in "xy")
        x, y = x[np.isfinite(x + y)], y[np.isfinite(x + y)]
        assert first - 1e-6 <= x.min() <= x.max() <= last * 1.001
        assert low - 1e-6 <= y.min() <= y.max() <= high + 1e-6


def on_axis(values, axis):
    return np.log10(values) if axis.get("type") == "log" else np.asarray(values, dtype=float)
