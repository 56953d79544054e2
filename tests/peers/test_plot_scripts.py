"""The programs that draw charts with matplotlib run, and their lines are those of the charts."""

import runpy
import sys

import numpy as np
import pytest

from pages.export import exhibits_of
from pages.framework.export.exhibit_files import csv_text
from pages.framework.export.plot_paper import PlotPaper
from pages.framework.export.plot_script import PlotPanel, plot_script

pytest.importorskip("matplotlib", reason="matplotlib is not installed: requirements-peers.txt has it")
LINKS = ["/Gaussian_bounds?epsilon=2", "/Accuracy", "/Trade-off_curves", "/Composition", "/Tables"]
FORMATS = {"pdf": b"%PDF", "svg": b"<?xml", "eps": b"%!PS", "png": b"\x89PNG"}


def finite(points: np.ndarray) -> np.ndarray:
    points = points.astype(float)
    return points[np.isfinite(points).all(axis=1)]


@pytest.mark.parametrize("link", LINKS)
def test_a_program_draws_the_lines_of_its_chart(link, tmp_path, monkeypatch):
    n_lines = 0
    for exhibit in exhibits_of(link)[0]:
        table = csv_text(exhibit, link)
        program = plot_script([PlotPanel(exhibit, table, exhibit.name)], exhibit.name, "DP Trade-off Explorer")
        if not program:
            continue
        (tmp_path / f"{exhibit.name}.csv").write_text(table, encoding="utf-8")
        script = tmp_path / f"{exhibit.name}.py"
        script.write_text(program, encoding="utf-8")
        monkeypatch.setattr(sys, "argv", [str(script), str(tmp_path / f"{exhibit.name}.pdf")])
        drawn = runpy.run_path(str(script))
        assert (tmp_path / f"{exhibit.name}.pdf").read_bytes().startswith(FORMATS["pdf"])
        lines = {line.get_label(): finite(np.transpose(line.get_data())) for line in drawn["axes"].lines}
        for trace in exhibit.picture["data"]:
            is_shown = trace.get("showlegend", True) and np.asarray(trace["x"]).dtype.kind in "fiu"
            if trace.get("mode") == "lines" and trace.get("name") in lines and is_shown:
                points = finite(np.column_stack([trace["x"], trace["y"]]))
                expected = points[: len(lines[trace["name"]])]  # its first stretch, which has its name
                np.testing.assert_allclose(lines[trace["name"]], expected, 1e-6, 1e-300)
                n_lines += 1
        drawn["plt"].close("all")
    assert n_lines > 2


@pytest.mark.parametrize("kind", FORMATS)
def test_a_program_writes_the_formats_of_papers(kind, tmp_path, monkeypatch):
    exhibit = next(one for one in exhibits_of(LINKS[0])[0] if one.name == "ratio")
    panel = PlotPanel(exhibit, csv_text(exhibit, LINKS[0]), "ratio")
    (tmp_path / "ratio.csv").write_text(panel.csv_text, encoding="utf-8")
    script = tmp_path / "ratio.py"
    script.write_text(plot_script([panel], "ratio", "it"), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", [str(script), str(tmp_path / f"picture.{kind}")])
    runpy.run_path(str(script))
    assert (tmp_path / f"picture.{kind}").read_bytes().startswith(FORMATS[kind])


def test_the_panels_of_a_picture_are_drawn_each_from_its_csv_under_its_letter(tmp_path, monkeypatch):
    exhibits = [exhibits_of(f"/Gaussian_bounds?epsilon={epsilon}")[0][0] for epsilon in (1, 2, 3)]
    panels = [PlotPanel(each, csv_text(each), f"ratio_{place}") for place, each in enumerate(exhibits)]
    for panel in panels:
        (tmp_path / f"{panel.stem}.csv").write_text(panel.csv_text, encoding="utf-8")
    script = tmp_path / "all.py"
    script.write_text(plot_script(panels, "all", "it", PlotPaper(height=160, columns=2)), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", [str(script)])
    drawn = runpy.run_path(str(script))
    assert (tmp_path / "all.pdf").read_bytes().startswith(FORMATS["pdf"])
    axes = [figure.axes[0] for figure in drawn["figure"].subfigs if figure.axes]
    assert [one.get_title(loc="left")[:4] for one in axes] == ["(a) ", "(b) ", "(c) "]
    marked = [{line.get_xdata()[0] for line in one.lines if len(set(line.get_xdata())) == 1} for one in axes]
    assert all(epsilon in places for epsilon, places in zip((1, 2, 3), marked, strict=True))
    drawn["plt"].close("all")


def test_panels_of_a_column_have_plots_as_high_and_legends_within_the_picture(tmp_path, monkeypatch):
    sources = [("/Gaussian_bounds", "ratio"), ("/Trade-off_curves", "curves")]
    exhibits = [next(one for one in exhibits_of(link)[0] if one.name == name) for link, name in sources]
    panels = [PlotPanel(each, csv_text(each), each.name) for each in exhibits]
    for panel in panels:
        (tmp_path / f"{panel.stem}.csv").write_text(panel.csv_text, encoding="utf-8")
    script = tmp_path / "both.py"
    script.write_text(plot_script(panels, "both", "it", PlotPaper(85.0, 108.8, titled=False)), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", [str(script)])
    drawn = runpy.run_path(str(script))
    figure = drawn["figure"]
    assert figure.get_size_inches() * 25.4 == pytest.approx([85, 108.8])
    first, second = (part.axes[0].get_window_extent() for part in figure.subfigs)
    assert first.height == pytest.approx(second.height, rel=0.2)
    for part in figure.subfigs:
        (legend,) = part.legends
        box = legend.get_window_extent()
        assert box.x0 >= 0
        assert box.x1 <= figure.bbox.x1
        assert box.y1 < part.axes[0].get_window_extent().y0
    names = [text.get_text() for text in figure.subfigs[1].legends[0].get_texts()]
    assert names[0] == "advantage over guessing"
    drawn["plt"].close("all")
