"""The programs that draw charts with matplotlib: they are Python, and take their points from the CSV of the chart."""

import ast
import re

import numpy as np
import pandas as pd
import pytest

from pages.framework.chart.theme import hairline
from pages.framework.export.exhibit import Exhibit
from pages.framework.export.exhibit_files import csv_text
from pages.framework.export.plot_paper import PlotPaper
from pages.framework.export.plot_rows import find_place, line_style, marker_style, read_table
from pages.framework.export.plot_script import PlotPanel, is_supported, plot_script
from pages.shared.looks import COLOURS
from tests.pages import figure_checks
from tests.pages.conftest import exhibits_by_name, figure_of, found_by

TABLE = read_table("# link: /\nkind,x,y,z\na,1,2,5\na,2,4,\na,3,6,7\nb,1,9,8\nb,2,9.5,9\n")


def program(exhibit: Exhibit) -> str:
    return plot_script([panel_of(exhibit, "stem")], "stem", "DP Trade-off Explorer")


def panel_of(exhibit: Exhibit, stem: str) -> PlotPanel:
    return PlotPanel(exhibit, csv_text(exhibit, "/", "2026-11-29"), stem)


@pytest.mark.parametrize(
    ("x", "y", "where", "stretches", "columns"),
    [
        ([1, 2, 3], [2, 4, 6], {"kind": "a"}, (((0, 3),),), ("x", "y")),
        ([1, 2], [9, 9.5], {"kind": "b"}, (((0, 2),),), ("x", "y")),
        ([1, 2, 3], [2, np.nan, 6], {"kind": "a"}, (((0, 1),), ((2, 3),)), ("x", "y")),
        ([1, None, 3], [2, None, 6], {"kind": "a"}, (((0, 1),), ((2, 3),)), ("x", "y")),
        ([1, 3], [5, 7], {}, (((0, 1), (2, 3)),), ("x", "z")),
        (["a", "a", "a", "b", "b"], [2, 4, 6, 9, 9.5], {}, (((0, 5),),), ("kind", "y")),
        ([1, 2, 3, 4, 5], [2, 4, 6, 9, 9.5], {}, (((0, 5),),), (None, "y")),
        ([1, 2, 3], [200, 400, 600], {"kind": "a"}, (((0, 3),),), ("x", "y")),
    ],
)
def test_the_points_of_a_trace_are_found_in_the_rows_and_columns_of_the_csv(x, y, where, stretches, columns):
    place = find_place(TABLE, x, y)
    assert place is not None
    assert (place.where, place.stretches, (place.x.name, place.y.name)) == (where, stretches, columns)


@pytest.mark.parametrize(("x", "y"), [([1, 2, 3], [2, 4, 6.1]), ([1, 2], [2]), ([], []), ([0, 1], [0, 1])])
def test_points_that_the_csv_does_not_have_are_not_found(x, y):
    assert find_place(TABLE, x, y) is None


@pytest.mark.parametrize("topic", figure_checks.TOPICS)
def test_the_program_of_every_supported_chart_is_python_and_takes_its_lines_from_the_csv(topic):
    for exhibit in exhibits_by_name(found_by(topic), topic).values():
        if not isinstance(exhibit.picture, dict):
            assert program(exhibit) == ""
            continue
        text = program(exhibit)
        assert bool(text) == is_supported(figure_of(exhibit))
        if text:
            ast.parse(text)
            left_out = re.findall("# (.*): its points are not in the CSV", text)
            assert not left_out or exhibit.confidential, (exhibit.name, left_out)


def test_names_and_titles_of_a_link_are_texts_of_the_program_and_never_code():
    hostile = "'''\"\"\"\\n$x$\n</b><i>print(1)"
    trace = {"type": "scatter", "mode": "lines", "name": hostile, "x": np.arange(3.0), "y": np.array([2.0, 4.0, 6.0])}
    layout = {"title": {"text": hostile, "subtitle": {"text": hostile}}, "xaxis": {"title": {"text": hostile}}}
    numbers = pd.DataFrame({hostile: [0, 1, 2], "y": [2, 4, 6]})
    text = program(Exhibit("one", {"data": [trace], "layout": layout}, "", numbers))
    calls = [ast.unparse(node.func) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    assert "axes.plot" in calls
    assert "print" not in calls
    assert r"\\$x\\$" in text


def test_a_line_across_the_plot_keeps_its_height():
    layout = {"title": {"text": "", "subtitle": {"text": ""}}, "shapes": [], "annotations": [], "xaxis": {}}
    hairline(layout, COLOURS["light"], 36.0, "T = 36")
    hairline(layout, COLOURS["light"], 12.0, "k = 12", is_low=True)
    trace = {"type": "scatter", "mode": "lines", "name": "a", "x": np.arange(3.0), "y": np.arange(3.0)}
    numbers = pd.DataFrame({"x": np.arange(3.0), "y": np.arange(3.0)})
    text = program(Exhibit("one", {"data": [trace], "layout": layout}, "", numbers))
    assert re.findall(r"axvline\((\d+)(?:, ymax=([\d.]+))?", text) == [("36", ""), ("12", "0.33")]


def test_points_that_are_not_in_the_csv_stand_in_the_program_unless_they_are_confidential():
    trace = {"type": "scatter", "mode": "markers", "name": "secret", "x": np.array([1.0]), "y": np.array([8623.0])}
    figure = {"data": [trace], "layout": {"title": {"text": "", "subtitle": {"text": ""}}}}
    exhibit = Exhibit("one", figure, "", pd.DataFrame({"x": [5.0, 6.0], "y": [1.0, 2.0]}))
    assert "[8623]" in program(exhibit)
    gap = {"data": [trace | {"x": [1, None], "y": [2, None]}], "layout": figure["layout"]}
    assert '[1, float("nan")], [2, float("nan")]' in program(Exhibit("one", gap, "", exhibit.table))
    private = Exhibit("one", figure, "", exhibit.table, confidential="Your counts.")
    assert "8623" not in program(private)
    assert re.search(r"# secret: its points are not in the CSV", program(private))


def test_the_program_has_the_crosses_of_a_failure_and_the_grey_below_the_bound():
    """Of 100 points in 300 places, 8 crosses at most, and no fewer than 5; the area ends at the foot of the axis."""
    x = np.arange(1.0, 301.0)
    y = np.where(x > 200, x, np.nan)
    crosses = {"type": "scatter", "mode": "lines+markers", "name": "fails", "x": x, "y": y, "line": {}}
    crosses["marker"] = {"symbol": "x", "maxdisplayed": 8}
    under = {
        "type": "scatter",
        "mode": "lines",
        "name": "bound",
        "x": x,
        "y": x + 1,
        "fill": "tozeroy",
        "fillcolor": "#ccc",
    }
    band = [under | {"y": 2 * x, "fill": "none"}, under | {"y": 3 * x, "fill": "tonexty"}]
    layout = {"title": {"text": "t"}, "yaxis": {"type": "log", "range": [-1, 3]}}
    numbers = pd.DataFrame({"x": x, "fails": y, "bound": x + 1, "twice": 2 * x, "thrice": 3 * x})
    text = program(Exhibit("one", {"data": [crosses, under, *band], "layout": layout}, "", numbers))
    (every,) = re.findall(r"markevery=(\d+)", text)
    assert 5 <= 100 / int(every) <= 8
    areas = [node.args for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and len(node.args) == 3]
    under, band = ([ast.unparse(low), ast.unparse(high)] for _, low, high in areas if "column" in ast.unparse(high))
    assert float(under[0]) == 0.1
    assert [name for name in (*under[1:], *band) if re.search("'(bound|twice|thrice)'", name)] == [under[1], *band]


def test_several_panels_are_one_program_that_reads_each_csv():
    ratio, sigma = (
        exhibits_by_name(found_by("gaussian_bounds"), "gaussian_bounds")[name] for name in ("ratio", "profile")
    )
    text = plot_script([panel_of(ratio, "one"), panel_of(sigma, "two")], "both", "it")
    ast.parse(text)
    assert re.findall(r'read\("(\w+)\.csv"\)', text) == ["one", "two"]
    assert re.findall(r'set_title\("(\(\w\) )', text) == ["(a) ", "(b) "]
    alone = program(ratio)
    lines = [line for line in alone.splitlines() if line.startswith("axes.plot")]
    assert [line for line in text.splitlines() if line.startswith("axes.plot")][: len(lines)] == lines != []
    table = Exhibit("table", "<table></table>", "", ratio.table)
    assert plot_script([panel_of(ratio, "one"), panel_of(table, "two")], "both", "it") == ""


X = np.arange(3.0)
SHADE = {"type": "scatter", "mode": "lines", "name": "advantage", "x": [0.0, 1, 2, 2, 1, 0], "y": [0.0, 1, 2, 4, 2, 0]}
SHADE |= {"fill": "toself", "fillcolor": "#cccccc", "line": {"width": 0}}


def picture_of(*traces: dict, layout: dict | None = None) -> Exhibit:
    figure = {"data": [*traces], "layout": {"title": {"text": ""}} | (layout or {})}
    return Exhibit("one", figure, "", pd.DataFrame({"x": X, "up": X, "twice": 2 * X}))


def test_a_shaded_area_has_its_line_in_the_legend():
    text = program(picture_of(SHADE))
    (area,) = (line for line in text.splitlines() if line.startswith("axes.fill_between"))
    assert 'label="advantage"' in area
    assert "add_legend(panel, axes, 1)" in text
    assert "\nadd_legend" not in program(picture_of(SHADE | {"showlegend": False}))


def test_a_program_has_the_names_the_ends_and_the_looks_of_the_drawing():
    line = {"type": "scatter", "mode": "lines", "name": "Analytic", "x": X, "y": X, "line": {"color": "#0060a0"}}
    axis = {"range": [0, 2], "tickvals": [0, 0.5, 1, 2], "ticktext": ["0", "½", "1", "2"]}
    exhibit = picture_of(line, line | {"y": 2 * X, "name": "left out"}, layout={"xaxis": axis})
    look = {"name": "Ours<br>(2026)", "line": {"color": "rgba(77,77,77,1)", "dash": "longdash"}}
    axes = {"xaxis": {"range": [0.25, 1], "title": {"text": "one<br>two"}}}
    paper = PlotPaper(85.0, 108.8, looks=({"data": [look, None], "layout": axes},))
    text = plot_script([panel_of(exhibit, "stem")], "stem", "it", paper)
    assert "WIDTH, HEIGHT, TYPE = 85 / 25.4, 108.8 / 25.4, 8 " in text
    (drawn,) = (line for line in text.splitlines() if line.startswith("axes.plot"))
    assert 'label="Ours\\n(2026)", color=(0.302, 0.302, 0.302, 1.0)' in drawn
    assert "left out" not in text
    assert "axes.set_xlim(0.25, 1)" in text
    assert 'axes.set_xticks([0.5, 1], ["½", "1"])' in text
    assert 'axes.set_xlabel("one\\ntwo")' in text
    near = plot_script(
        [panel_of(exhibit, "stem")], "stem", "it", PlotPaper(looks=({"data": [{}, {}], "layout": NEAR},))
    )
    assert "set_xlim(0.1, 0.6)" in near
    assert "set_xticks" not in near  # of one tick within the ends no scale can be read


NEAR = {"xaxis": {"range": [0.1, 0.6]}}


def test_bars_have_the_patterns_of_grey_print_and_keep_how_opaque_they_are():
    pattern = {"shape": ["", "/", "x"], "fgcolor": ["#ffffff", "#000000", "#000000"]}
    marker = {"color": ["rgba(0,0,0,0.5)", "#999999", "#cccccc"], "pattern": pattern}
    text = program(picture_of({"type": "bar", "name": "a", "x": X, "y": [0.0, np.nan, 4.0], "marker": marker}))
    first, last = (line for line in text.splitlines() if line.startswith("axes.bar("))
    assert all("alpha" not in line for line in (first, last))
    assert "color=[(0.0, 0.0, 0.0, 0.5)]" in first
    assert 'color=["#cccccc"]' in last  # each bar has its own colour, with a gap between
    assert 'hatch=["xxx"], edgecolor=["#000000"]' in last


def test_points_of_several_looks_have_each_its_own():
    marker = {"symbol": ["circle", "diamond", "square-open"], "color": ["#111111", "#222222", "#333333"], "size": 9}
    text = program(
        picture_of({"type": "scatter", "mode": "markers", "name": "a", "x": X, "y": 2 * X, "marker": marker})
    )
    ast.parse(text)
    assert re.findall(r'"marker": "(\w)", "color": "(#\d+)"', text) == [
        ("o", "#111111"),
        ("D", "#222222"),
        ("s", "#333333"),
    ]
    assert re.search(r'zip\(column\(.*\["a", "_nolegend_", "_nolegend_"\]', text)


def test_dashes_and_marks_are_those_of_the_picture_in_widths_of_the_line():
    styles = {
        dash: line_style({"dash": dash, "width": 3})["linestyle"] for dash in ("solid", "dash", "longdash", "dot")
    }
    assert styles == {
        "solid": '"-"',
        "dash": "(0, (3.0, 3.0))",
        "longdash": "(0, (5.0, 5.0))",
        "dot": "(0, (1.0, 1.0))",
    }
    looks = [marker_style({"symbol": symbol})["marker"] for symbol in ("circle", "square", "diamond-open", "x-open")]
    assert looks == ['"o"', '"s"', '"D"', '"X"']
