from functools import lru_cache

import numpy as np
import pytest

from dpcore import comparison, gaussian
from pages.framework.parameters.number_format import format_nearest
from pages.gaussian_bounds import text
from tests.pages.conftest import exhibits_by_name, expect_complete, figure_of, found_by, html_of
from tests.pages.gaussian_bounds.figure_checks import CHARTS

PAGE = "gaussian_bounds"
SETTINGS = (
    {"epsilon": "0", "delta": "0.001"},
    {"epsilon": "1e-12"},
    {"epsilon": "1e6", "delta": "1e-300"},
    {"epsilon": "10", "delta": "1e-5"},
    {"delta": "0.999"},
    {"epsilon": "1e-3", "delta": "0.4"},
    {"l2_sensitivity": "1e100"},
    {"l2_sensitivity": "1e-100"},
    {"significance": "1e-300"},
    {"significance": "0.999", "epsilon": "20000"},
    {"pinned": "0.5,1e-5,2,0.1", "epsilon": "sqrt(3)"},
    {"pinned": "0;1e-3;1;0.05"},
)


@lru_cache(8)
def exhibits_at(**link):
    return exhibits_by_name(found_by(PAGE, **link), PAGE)


def table(**link):
    return html_of(exhibits_at(**link)["bounds"])


def chart(name, **link):
    return figure_of(exhibits_at(**link)[name])


@pytest.mark.parametrize("link", SETTINGS)
def test_every_exhibit_has_a_picture_words_and_numbers_at_every_setting(link):
    exhibits = exhibits_by_name(found_by(PAGE, **link), PAGE, "dark")
    assert set(exhibits) == {*CHARTS, "bounds"}
    for exhibit in exhibits.values():
        expect_complete(exhibit)


def test_at_epsilon_0_only_the_analytic_bound_has_numbers():
    assert table(epsilon="0", delta="0.001").count("not defined at ε = 0") == len(comparison.BOUNDS) - 1


@pytest.mark.parametrize(
    ("epsilon", "delta", "verdict"),
    [
        ("0.5", "1e-5", "✓ proved</td>"),
        ("1", "1e-6", "! outside its theorem; true δ here 3.2e-9, within target"),
        ("10", "1e-5", "✗ FAILS: true δ 2.266e-5 for a target of 1e-5"),
        ("1", "0.4", "gives no bound at a δ as large as this"),
        ("1", "1e-6", "a lower bound: no Gaussian with less noise satisfies the guarantee"),
        ("1", "1e-6", "✓ proved, for probabilistic DP, which implies DP"),
    ],
)
def test_the_table_gives_a_verdict_in_words(epsilon, delta, verdict):
    assert verdict in table(epsilon=epsilon, delta=delta)


def test_the_table_shows_each_sigma_rounded_to_the_safe_side():
    shown_table = table()
    for sigma in ("4.225", "5.299", "4.992", "4.917", "0.7071"):
        assert f"<td>{sigma}</td>" in shown_table
    assert "5.298" not in shown_table
    assert "the classical σ is 5.298 instead of 5.299." in text.notes_text(found_by("gaussian_bounds"))
    assert "instead of" not in text.notes_text(found_by("gaussian_bounds", epsilon="0"))


def test_charts_have_fixed_axes_while_epsilon_moves():
    frames = [exhibits_at(epsilon=epsilon) for epsilon in ("0.001", "1", "100")]
    for name in set(CHARTS) - {"profile"}:
        layouts = [figure_of(frame[name])["layout"] for frame in frames]
        axes = [(layout["xaxis"]["range"], layout["yaxis"]["range"]) for layout in layouts]
        assert axes[0] == axes[1] == axes[2]


def test_a_profile_outside_its_axis_is_not_an_empty_picture():
    notes = [note["text"] for note in chart("profile", epsilon="0")["layout"]["annotations"]]
    assert "every true δ is far from the target here" in notes


def test_the_axis_of_the_profiles_stays_about_epsilon_and_each_curve_can_be_told_apart():
    near = [chart("profile", epsilon=epsilon)["layout"]["xaxis"]["range"] for epsilon in ("0.6", "1", "1.7", "2")]
    assert near[0] == near[1] == near[2] != near[3]
    assert near[1] == [-0.5, 0.5]
    frame = exhibits_at(epsilon="1")["profile"].table
    near_target = frame[np.isclose(frame["epsilon"], 1, rtol=0.01) & (frame["bound"] != "classical_tight")]
    shares = [rows["delta_over_target"].mean() for _, rows in near_target.groupby("bound")]
    gaps = np.diff(np.sort(np.log10(shares)))
    assert gaps.min() > 0.05  # of six decades that the picture shows


def test_a_setting_outside_the_usual_axes_widens_them_to_show_it():
    assert chart("sigma_epsilon", epsilon="20000")["layout"]["xaxis"]["range"] == [-3, 5]


def test_a_curve_is_dotted_outside_its_theorem_and_marked_where_it_fails():
    by_name = {trace["name"]: trace for trace in chart("ratio")["data"]}
    assert by_name["Classical: unproved"]["line"]["dash"] == "dot"
    assert by_name["Classical: FAILS"]["marker"]["symbol"] == "x"


def test_every_chart_carries_its_parameters_in_its_title():
    exhibits = exhibits_at(epsilon="0.5", delta="1e-5")
    for name in CHARTS:
        subtitle = figure_of(exhibits[name])["layout"]["title"]["subtitle"]["text"]
        assert "δ = 1e-5" in subtitle or "ε = 0.5" in subtitle


def test_a_pinned_setting_stays_as_ghosts_and_gives_the_table_a_column_of_ratios():
    pinned = {"epsilon": "2", "pinned": "1,1e-6,1,0.05"}
    assert (
        len(chart("ratio", **pinned)["data"]) == len(chart("ratio", epsilon="2")["data"]) + len(comparison.BOUNDS) - 1
    )
    ratio = gaussian.analytic_sigma(2, 1e-6) / gaussian.analytic_sigma(1, 1e-6)
    assert f"<td>{format_nearest(float(ratio))}</td>" in table(**pinned)
    assert "pinned" not in table(epsilon="2")
    assert exhibits_at(**pinned)["ratio"].header["pinned"] == "ε = 1, δ = 1e-6, sensitivity 1, confidence 95 %"
