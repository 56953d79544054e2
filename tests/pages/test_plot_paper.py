"""What an author has chosen for a picture, and how it was drawn, reaches its program as numbers and known looks."""

import math

import numpy as np
import pytest

from pages.framework.export.plot_paper import USUAL_PAPER, PlotPaper, read_paper

LINE = {"type": "scatter", "name": "a", "x": np.arange(2.0), "y": np.arange(2.0)}
LINE |= {"line": {"color": "#0060a0", "dash": "solid", "width": 2}}
BAR = {"type": "bar", "name": "c", "x": [1, 2], "y": [1, 2], "marker": {"color": ["#0060a0", "#c00000"]}}
LAYOUT = {"shapes": [{"line": {"color": "#c00000"}}], "xaxis": {"type": "log", "range": [-2, 2]}}
FIGURE = {"data": [LINE, LINE | {"name": "b"}, BAR], "layout": LAYOUT}


def drawn(data: object, layout: object) -> dict:
    return PlotPaper(looks=({"data": data, "layout": layout},)).figure(FIGURE, 0)


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "x",
        [],
        {"widthMm": "85", "heightMm": [1], "typePt": True, "columns": "__import__", "looks": "solid"},
        {"widthMm": 1e9, "heightMm": -5, "typePt": 0, "titled": "no", "looks": None, "columns": 0},
        {"widthMm": math.nan, "heightMm": math.inf, "columns": math.nan},
    ],
)
def test_what_is_no_choice_is_as_usual(sent):
    assert read_paper(sent) == USUAL_PAPER


def test_choices_are_taken():
    sent = {"widthMm": 85, "heightMm": 60.5, "typePt": 7, "columns": 2, "titled": False, "looks": [{"data": []}, 3]}
    assert read_paper(sent) == PlotPaper(85.0, 60.5, 7.0, 2, False, ({"data": []}, {}))


def test_a_panel_has_the_names_the_looks_and_the_ends_of_its_drawing():
    pattern = {"shape": ["", "/"], "fgcolor": ["#ffffff", "rgba(0, 0, 0, 0.5)"]}
    data = [
        None,
        {"name": "ours", "mode": "lines+markers", "line": {"color": "#555555", "dash": "longdash"}},
        {"marker": {"pattern": pattern}},
    ]
    figure = drawn(data, {"xaxis": {"range": [-1, 1]}, "shapes": [{"line": {"color": "rgba(9,9,9,1)"}}]})
    line, bar = figure["data"]
    assert (line["name"], line["mode"], line["x"]) == ("ours", "lines+markers", LINE["x"])
    assert line["line"] == {"color": "#555555", "dash": "longdash", "width": 2}
    assert bar["marker"] == BAR["marker"] | {"pattern": pattern}
    assert figure["layout"]["xaxis"] == {"type": "log", "range": [-1, 1]}
    assert figure["layout"]["shapes"] == [{"line": {"color": "rgba(9,9,9,1)"}}]
    assert LINE["line"]["dash"] == "solid"  # the figure of the page is as it was


@pytest.mark.parametrize(
    ("data", "layout"),
    [
        ("x", {}),
        ([None], {}),
        ([{}, {}, {}], []),
        ([{"name": 3, "line": "x", "x": [9]}, {"line": {"color": "red)", "dash": "dash\n"}}, 7], {"xaxis": "x"}),
        ([{"line": {"color": "rgb(1,2)", "width": 9}}, {"y": []}, {"type": "x"}], {"xaxis": {"range": [0, math.nan]}}),
        ([{}, {}, {"marker": {"color": [], "symbol": "X'", "size": 0}}], {"xaxis": {"range": [0, 400]}}),
        ([{}, {}, {"marker": {"color": ["#000000", 3]}}], {"xaxis": {"range": [1, 1]}, "shapes": {"a": 1}}),
        ([{}, {}, {}], {"shapes": [], "annotations": [{}], "title": {"text": ["x"]}}),
    ],
)
def test_what_is_no_look_leaves_the_figure_as_on_the_page(data, layout):
    figure = drawn(data, layout)
    for trace, own in zip(figure["data"], FIGURE["data"], strict=True):
        assert {key: trace[key] for key in own} == own
    assert {key: figure["layout"][key] for key in LAYOUT} == LAYOUT
    assert "annotations" not in figure["layout"]


def test_plots_below_each_other_are_as_high_however_long_their_legends_are():
    low, high = PlotPaper(height=108.8).row_heights([3, 5])
    total = 108.8 / 25.4 * 72 / 8
    assert low + high == pytest.approx(total, abs=0.2)
    assert high > low > total / 3
