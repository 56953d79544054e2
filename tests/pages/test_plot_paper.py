"""What an author has chosen for a picture reaches its program as numbers and known words, whatever is sent."""

import math

import numpy as np
import pytest

from pages.framework.export.plot_paper import USUAL_PAPER, PlotPaper, read_paper


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "x",
        [],
        {"widthMm": "85", "heightMm": [1], "typePt": True, "arrangement": "__import__", "dashes": "solid"},
        {"widthMm": 1e9, "heightMm": -5, "typePt": 0, "titled": "no", "dashes": None},
        {"widthMm": math.nan, "heightMm": math.inf},
    ],
)
def test_what_is_no_choice_is_as_usual(sent):
    assert read_paper(sent) == USUAL_PAPER


def test_choices_are_taken_and_unknown_dashes_left_out():
    sent = {"widthMm": 85, "heightMm": 60.5, "typePt": 7, "arrangement": "row", "titled": False}
    paper = read_paper(sent | {"dashes": [["dash", "x\n", "", None, 3], "solid"]})
    assert paper == PlotPaper(85.0, 60.5, 7.0, "row", False, (("dash", None, "", None, None),))


@pytest.mark.parametrize(
    ("paper", "n_panels", "grid"),
    [
        (PlotPaper(), 1, (1, 1)),
        (PlotPaper(), 3, (2, 2)),
        (PlotPaper(width=85.0), 2, (2, 1)),
        (PlotPaper(arrangement="row"), 3, (1, 3)),
        (PlotPaper(arrangement="column"), 3, (3, 1)),
    ],
)
def test_panels_stand_where_they_are_wanted_or_have_room(paper, n_panels, grid):
    assert paper.grid(n_panels) == grid
    height = paper.height_for([1.0] * n_panels, grid[1])
    assert 60 * grid[0] <= height <= 80 * grid[0]
    assert PlotPaper(height=50.0).height_for([1.0] * n_panels, grid[1]) == 50


def test_in_greyscale_no_colour_is_left_and_lines_bars_and_points_stay_apart():
    line = {"type": "scatter", "x": np.arange(2.0), "y": np.arange(2.0), "line": {"color": "#0060a0", "dash": "solid"}}
    bars = [
        {"type": "bar", "marker": {"color": colour}} for colour in ("#0060a0", ["#c00000", "rgba(0, 96, 160, 0.5)"])
    ]
    figure = {
        "data": [line, line, line, *bars],
        "layout": {"shapes": [{"line": {"color": "#c00000"}}], "title": "#c00000"},
    }
    drawn = PlotPaper(dashes=(("solid", "dash", "", None, None),)).figure(figure, 0)
    first, second, third, *both = drawn["data"]
    assert [trace["line"]["dash"] for trace in (first, second)] == ["solid", "dash"]
    assert (third["mode"], third["marker"]["color"]) == ("lines+markers", third["line"]["color"])
    assert first["line"]["color"] == second["line"]["color"] == "#505050"
    assert both[0]["hatch"] != both[1]["hatch"]
    assert both[1]["marker"]["color"] == ["#292929", "rgba(80,80,80,0.5)"]
    assert drawn["layout"] == {"shapes": [{"line": {"color": "#292929"}}], "title": "#c00000"}
    assert line["line"] == {"color": "#0060a0", "dash": "solid"}  # the figure of the page is as it was
    assert PlotPaper().figure(figure, 0) is figure
