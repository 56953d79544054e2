from functools import lru_cache

import numpy as np
import pytest

from dpcore import gaussian
from pages.laplace_gaussian import text
from pages.laplace_gaussian.crossover.section import crossover_text
from pages.laplace_gaussian.recommendation_text import recommendation_by_measure_text, recommendation_text
from pages.laplace_gaussian.results import CASE, GAUSSIAN, HOLD
from pages.laplace_gaussian.text import explanation_text
from tests.pages.conftest import exhibits_by_name, expect_complete, figure_of, found_by, html_of

PAGE = "laplace_gaussian"
NAMES = ("draws", "tails", "density", "noises", "map", "statistics")
EXTREMES = (
    {},
    {"epsilon": "1e-12", "delta": "1e-300"},
    {"epsilon": "1e6", "delta": "0.99", "k": "1e6"},
    {"l2_sensitivity": "1e100", "l1_sensitivity": "1e100", "hold": "tail", "t": "1e12"},
    {"l2_sensitivity": "1e-100", "l1_sensitivity": "1e-100", "hold": "tail", "t": "0"},
    {"significance": "1e-300", "measure": "accuracy", "hold": "variance"},
    {"significance": "0.9999", "measure": "accuracy"},
    {"epsilon": "1e-200"},
    {"pinned": "epsilon=0", "function": "cdf"},
    {"epsilon": "1e-12", "pinned": "epsilon=1e6&l2_sensitivity=1e100&l1_sensitivity=1e100&k=1e6", "hold": "tail"},
    {"epsilon": "1e6", "pinned": "epsilon=1e-12&delta=1e-300&gaussian=classical", "measure": "accuracy"},
)


@lru_cache(16)
def exhibits_of(**link):
    return exhibits_by_name(found_by(PAGE, **link), PAGE)


def chart(name, **link):
    return figure_of(exhibits_of(**link)[name])


def table(**link):
    return html_of(exhibits_of(**link)["noises"])


@pytest.mark.parametrize("number", range(len(EXTREMES)))
def test_every_exhibit_has_a_picture_words_and_numbers_at_every_setting(number):
    formulas, cases = list(GAUSSIAN.options), list(CASE.options)
    link = EXTREMES[number] | {"gaussian": formulas[number % len(formulas)], "case": cases[number // 2 % len(cases)]}
    result = found_by(PAGE, **link)
    exhibits = exhibits_by_name(result, PAGE, "dark")
    expected = [name for name in NAMES if result.has_counts or name != "statistics"]
    assert list(exhibits) == (expected if result.has_answer else ["map"])
    for exhibit in exhibits.values():
        expect_complete(exhibit)


@pytest.mark.parametrize("formula", GAUSSIAN.options)
@pytest.mark.parametrize("extreme", EXTREMES)
def test_no_sentence_has_a_number_that_is_none_at_any_setting(formula, extreme):
    cases = list(CASE.options)
    case = cases[(list(GAUSSIAN.options).index(formula) + EXTREMES.index(extreme)) % len(cases)]
    result = found_by(PAGE, case=case, gaussian=formula, **extreme)
    advice = (recommendation_text(result), recommendation_by_measure_text(result)) if result.has_answer else ()
    for sentence in (*text.answer_text(result), crossover_text(result), explanation_text(result), *advice):
        assert "nan" not in sentence


@pytest.mark.parametrize("key", GAUSSIAN.options)
@pytest.mark.parametrize("hold", HOLD.options)
def test_both_noises_are_matched_as_chosen(key, hold):
    shown_table = table(gaussian=key, hold=hold, epsilon="0.7", delta="1e-4", t="6")
    sigma = {
        "epsilon": {
            "analytic": gaussian.analytic_sigma,
            "pdp": gaussian.pdp_sigma,
            "classical": gaussian.classical_sigma,
        }[key](0.7, 1e-4),
        "variance": np.sqrt(2) / 0.7,
        "tail": gaussian.laplace_tail_sigma(6, 1 / 0.7),
    }[hold]
    assert f"σ = {np.ceil(float(sigma) * 1000 * (1 - 1e-13)) / 1000:g}" in shown_table
    assert "b = 1.429" in shown_table


def test_a_classical_gaussian_that_fails_is_called_so_in_the_table():
    assert "✗ FAILS: true δ 2.266e-5 for a target of 1e-5" in table(gaussian="classical", epsilon="10", delta="1e-5")
    assert "! outside its theorem; true δ here" in table(gaussian="classical", epsilon="2", delta="1e-5")


def test_an_epsilon_above_a_million_is_no_verdict_on_the_formula():
    assert "ε above 1e6: no meaningful privacy" in table(epsilon="1e6", hold="tail", t="0")


def test_axes_stay_put_while_epsilon_moves():
    frames = [chart("map", epsilon=epsilon)["layout"] for epsilon in ("0.001", "1", "100")]
    ranges = [(layout["xaxis"]["range"], layout["yaxis"]["range"]) for layout in frames]
    assert ranges[0] == ranges[1] == ranges[2]


@pytest.mark.parametrize(
    ("name", "function"),
    [("draws", "pdf"), ("tails", "pdf"), ("density", "pdf"), ("density", "cdf")],
)
def test_axes_move_in_coarse_steps(name, function):
    ends = set()
    for step in range(11):
        layout = chart(name, epsilon=f"{1 + step / 10}", function=function, delta="1e-5")["layout"]
        ends.add((*layout["xaxis"]["range"], *layout["yaxis"]["range"]))
    assert len(ends) <= 5  # while ε doubles


def test_a_chart_over_a_parameter_has_it_as_its_handle():
    def marks(name, **link):
        return [shape["name"] for shape in chart(name, **link)["layout"]["shapes"] if "name" in shape]

    assert marks("map") == ["epsilon"]
    assert marks("statistics", k="4") == ["k"]
    assert marks("tails") == []
    assert marks("tails", hold="tail") == ["t"]


def test_a_click_on_the_map_sets_epsilon_and_delta_and_one_on_the_counts_their_number():
    exhibits = exhibits_of()
    assert exhibits["map"].picks == ("epsilon", "delta")
    assert exhibits["statistics"].picks == ("k", "")


def test_a_pinned_setting_is_a_second_line_in_every_chart():
    exhibits = exhibits_of(pinned="epsilon=0.5&k=2")
    for name in NAMES:
        if name != "noises":
            assert "pinned" in [trace.get("name") for trace in figure_of(exhibits[name])["data"]], name
        assert exhibits[name].header["pinned"].startswith("each of 2 counts of one person, ε = 0.5, δ = 1e-6")
    assert not any(trace.get("name") == "pinned" for trace in chart("draws")["data"])


@pytest.mark.parametrize("link", [{}, {"k": "1000"}, {"epsilon": "1e6", "k": "1e6"}, {"gaussian": "classical"}])
def test_no_label_of_a_half_width_lies_on_the_axis(link):
    figure = chart("tails", **link)
    axis_end = figure["layout"]["xaxis"]["range"][1]
    points = [trace for trace in figure["data"] if str(trace.get("text", [""])[0]).startswith("±")]
    assert len(points) == 2
    notes = {note["text"]: note for note in figure["layout"]["annotations"]}
    for point in points:
        x, (label,) = float(point["x"][0]), point["text"]
        if "text" not in point["mode"]:
            assert x < 0.2 * axis_end
            assert (notes[label]["x"], notes[label]["xanchor"]) == (0, "left")
            assert notes[label]["y"] == pytest.approx(np.log10(float(point["y"][0])))
            assert (notes[label]["yanchor"], notes[label]["yshift"] < 0) == ("top", True)
        else:
            assert "right" in point["textposition"] or x >= 0.2 * axis_end
            assert label not in notes
