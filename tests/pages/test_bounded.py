import json

import numpy as np
import pytest
from pages.shared.figures.theme import COLOURS

from dpcore.generalized_gaussian.bounded import exact_bit_scale, exact_truncated_scale, truncated_scale
from pages.shared.bounded import HIGH, LOW, MEASURE, OWN, SCALE, VALUE, setting_of
from pages.shared.figures import bounded as figures
from pages.shared.text import up
from tests.pages.conftest import opened, text_of

PAGE = "pages/2_Generalized_Gaussian.py"
NAMES = ("bounded_errors", "bounded_densities", "bounded_shapes", "bounded_widths")


def charts(app):
    """The figures of the part on bounds by name: they are the last of the page, in the order of the columns."""
    specs = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")][-4:]
    return dict(zip(NAMES, specs, strict=True))


def table_of(app):
    tables = [html.proto.body for html in app.get("html") if "<table>" in html.proto.body]
    return next(body for body in tables if "Mechanisms within bounds" in body)


def title_of(figure):
    return figure["layout"]["title"]["text"]


def test_the_part_answers_first_with_the_exact_scales_beside_the_published_one():
    words = text_of(opened(PAGE, p="3"))
    assert (
        "**Between 0 and 10, p = 3 keeps pure ε = 1: truncated noise with b = 6.154, noise clipped to the bounds (BIT) "
        "with b = 6.877.**"
    ) in words
    assert "The published truncated b = 8.716 (Liu's Eq. 7–8) means 100 % more variance before truncation" in words
    assert "43 % more squared error at s = 2 than needed, and really keeps ε = 0.3161." in words
    assert (
        "b = 12.49: more than BIT's, for a weaker promise; between bounds wider than 25.03 it would be less." in words
    )


def test_the_exponential_mechanism_is_compared_by_its_scales():
    words = text_of(opened(PAGE, p="3"))
    assert (
        "**At ε = 1, p = 3 and width 10 the exponential mechanism has b = 13.17 by Lemma 10, b = 8.154 with the exact "
        "Δᵤ, 8.716 by the truncated mechanism's Eq. 7–8, and 6.154 is enough.**"
    ) in words
    assert "with 0 in the middle of the same width it is 8.154." in words
    assert "Lemma 10 speaks of whole p only." in text_of(opened(PAGE, p="2.5"))
    centred = text_of(opened(PAGE, p="4", bound_low="-5", bound_high="5"))
    assert "away from it the same width has a larger b" in centred
    assert "where 0 lies" not in text_of(opened(PAGE, p="2"))


@pytest.mark.parametrize(("p", "epsilon", "low", "high"), [("1", "0.5", "0", "10"), ("2", "2", "-3", "4.5")])
def test_the_table_has_every_mechanism_with_its_promise(p, epsilon, low, high):
    table = table_of(opened(PAGE, p=p, epsilon=epsilon, bound_low=low, bound_high=high))
    width = float(high) - float(low)
    for scale in (
        truncated_scale(float(epsilon), float(p), 1.0, width),
        exact_truncated_scale(float(epsilon), float(p), width),
        exact_bit_scale(float(epsilon), float(p), width),
    ):
        assert f"<td>{up(float(scale))}</td>" in table
    assert table.count("<td>pure ε-DP</td>") == 5
    assert table.count("(ε, δ)-DP, δ = 1e-6") == 1


def test_a_sensitivity_wider_than_the_bounds_is_cut_to_them_and_a_tiny_one_is_raised():
    words = text_of(opened(PAGE, l2_sensitivity="20"))
    assert (
        "The sensitivity at the side, 20, is more than c₁ − c₀ = 10: between the bounds the statistic can't move "
        "further than that, so Δ = 10 here."
    ) in words
    assert "is less than 1e-9 of c₁ − c₀ = 10: Δ = 1e-8 is used here, which is more noise than is needed." in text_of(
        opened(PAGE, l2_sensitivity="1e-12")
    )
    assert "Δ = 0.5, the ℓ₂ sensitivity at the side" in text_of(opened(PAGE, l2_sensitivity="0.5"))


def test_bounds_in_the_wrong_order_and_a_value_outside_are_named_with_what_is_used():
    words = text_of(opened(PAGE, bound_low="12", bound_high="10"))
    assert "c₀ (bound_low) must be below c₁ (bound_high); 12 and 10 were given. 0 and 10 are used instead." in words
    words = text_of(opened(PAGE, bound_low="5", true_value="2"))
    assert "s (true_value) must be from c₀ to c₁; 2 was given. 5 is used instead." in words
    app = opened(PAGE)
    app.text_input(key="true_value_text").set_value("many").run()
    assert f"s (true_value) must be {VALUE.allowed}; many was given. 2 is used instead." in text_of(app)
    app.text_input(key="bound_high_text").set_value("1").run()
    assert not app.exception
    assert "2 was given. 1 is used instead." in text_of(app)


def test_every_parameter_is_in_the_link_and_a_bad_one_is_named():
    app = opened(PAGE, bound_high="1e16", bounded_error="variance")
    words = text_of(app)
    assert f"c₁ (bound_high) must be {HIGH.allowed}; 1e16 was given. 10 is used instead." in words
    assert "error (bounded_error) must be one of rmse, bias; variance was given." in words
    assert [app.query_params[parameter.key] for parameter in OWN] == [parameter.default for parameter in OWN]
    assert [LOW.default, HIGH.default, VALUE.default] == ["0", "10", "2"]


def test_an_epsilon_of_0_is_said_to_have_no_answer_and_nothing_is_drawn_for_it():
    app = opened(PAGE, epsilon="0")
    assert "At ε = 0 pure DP within bounds has no answer" in text_of(app)
    assert not any("bounded" in button.proto.id for button in app.get("download_button"))


def test_the_switches_change_what_is_drawn():
    first = charts(opened(PAGE))
    second = charts(opened(PAGE, bounded_error="bias", bounded_scale="scale"))
    assert "Root mean squared error over the true value" in title_of(first["bounded_errors"])
    assert "Bias over the true value" in title_of(second["bounded_errors"])
    assert "b ÷ what truncated noise needs, over p" in title_of(first["bounded_shapes"])
    assert "Scale b of each mechanism, over the width" in title_of(second["bounded_widths"])
    assert set(MEASURE.options) == {"rmse", "bias"}
    assert set(SCALE.options) == {"ratio", "scale"}


def test_lemma_10_is_drawn_at_whole_p_and_over_the_width_only_for_such_a_p():
    whole, other = charts(opened(PAGE, p="3")), charts(opened(PAGE, p="2.5"))
    names = [trace["name"] for trace in whole["bounded_widths"]["data"]]
    assert len(names) == 6
    assert "exponential, Lemma 10" in names
    assert "exponential, Lemma 10" not in [trace["name"] for trace in other["bounded_widths"]["data"]]
    lemma = whole["bounded_shapes"]["data"][-1]
    assert (lemma["name"], lemma["mode"]) == ("exponential, Lemma 10", "markers")


def test_the_masses_of_the_bounds_are_stems_beside_the_densities():
    drawn = charts(opened(PAGE, p="3"))["bounded_densities"]["data"]
    stems = [trace for trace in drawn if trace.get("yaxis") == "y2"]
    assert [trace["name"] for trace in stems] == ["BIT, exact: a bound", "(ε, δ) noise, clipped: a bound"]
    assert stems[0]["customdata"][::3] == ["33.8 %", "2.19 %"]


@pytest.mark.parametrize("p", ["1.5", "64"])
@pytest.mark.parametrize(
    "extreme",
    [
        {"epsilon": "1e6", "delta": "0.99"},
        {"epsilon": "1e-30", "delta": "1e-300", "bounded_scale": "scale"},
        {"l2_sensitivity": "1e100", "bound_low": "-1e15", "bound_high": "1e15"},
        {"l2_sensitivity": "1e-100", "bound_low": "1e15", "bound_high": "-1e15"},
        {"bound_low": "999999999999999", "bound_high": "1e15", "true_value": "1e15", "significance": "1e-300"},
        {"bound_low": "0", "bound_high": "1e-30", "bounded_error": "bias", "bounded_scale": "scale"},
    ],
)
def test_extreme_settings_are_drawn_and_explained(p, extreme):
    app = opened(PAGE, p=p, **extreme)
    assert "keeps pure ε" in text_of(app)
    app.session_state.explanation = True
    app.run()
    assert not app.exception


def test_the_explanation_has_the_users_numbers_the_sources_and_the_slips():
    app = opened(PAGE, p="3", epsilon="0.5")
    app.session_state.explanation = True
    app.run()
    words = text_of(app)
    for part in ("Definition 5, Eq. 7–8", "Definition 7, whose Eq. 9 lacks a minus sign", "Eq. 15–16", "Lemma 10"):
        assert part in words
    assert f"b={up(float(exact_bit_scale(0.5, 3, 10)))}$" in words
    app = opened(PAGE, p="2.5", epsilon="0")
    app.session_state.explanation = True
    app.run()
    assert "has no answer" in text_of(app)


def test_axes_end_at_1_2_or_5_times_a_power_of_ten_and_hold_every_curve():
    values = {"epsilon": 1.0, "delta": 1e-6, "p": 3.0, "l2_sensitivity": 1.0}
    setting, said = setting_of(values | {"bound_low": 0.0, "bound_high": 10.0, "true_value": 2.0})
    assert not said
    assert setting.width == 10
    assert [figures._step(x, figures._BELOW) for x in (3.0, 0.2, 9.9)] == [2, 0.2, 5]
    assert [figures._step(x, figures._ABOVE) for x in (3.0, 5.0, 9.9)] == [5, 5, 10]
    grid = figures.width_grid(0.3, 5e6)
    assert (grid[0], grid[-1]) == pytest.approx((0.1, 1e7))
    places = figures.place_grid({"bit": 1e-6, "truncated": 1e9}, 2.0, 0.0, 10.0)
    assert np.all(np.diff(places) > 0)
    assert np.sum(abs(places - 2) < 5e-6) > 50
    for theme in COLOURS.values():
        assert all(theme[colour] for colour, _ in figures.LOOKS.values())
