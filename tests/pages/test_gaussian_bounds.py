import json

import pytest

from dpcore import gaussian
from dpcore.comparison import BOUNDS
from pages.shared.text import nearest
from tests.pages.conftest import opened, text_of

PAGE = "pages/1_Gaussian_bounds.py"
CHARTS = ("ratio", "profile", "sigma_delta", "sigma_epsilon", "pdp_share", "counts")


def charts(app):
    """The figures by name, in the order drawn."""
    specs = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
    return dict(zip(("ratio", "profile", "sigma_delta", "sigma_epsilon", "pdp_share", "counts"), specs, strict=False))


def table_of(app):
    return next(html.proto.body for html in app.get("html") if "<table>" in html.proto.body)


def test_the_answer_comes_first_with_sigma_accuracy_and_the_cost_of_the_classical_formula():
    words = text_of(opened(PAGE))
    assert "At ε = 1, δ = 1e-6, sensitivity 1, the analytic Gaussian needs σ = 4.225." in words
    assert (
        "95 % of releases fall within ±8.281 of the truth; the classical formula would add 57 % more variance" in words
    )


def test_the_answer_scales_with_the_sensitivity_and_follows_the_significance_level():
    words = text_of(opened(PAGE, l2_sensitivity="10", significance="0.5"))
    assert "sensitivity 10, the analytic Gaussian needs σ = 42.25." in words
    assert "50 % of releases fall within ±28.5 of the truth" in words


def test_at_epsilon_0_the_page_says_that_only_the_analytic_bound_answers():
    app = opened(PAGE, epsilon="0", delta="0.001")
    assert "the classical formula has no answer at so small an ε" in text_of(app)
    assert table_of(app).count("not defined at ε = 0") == len(BOUNDS) - 1
    assert len(app.get("plotly_chart")) == 6


def test_a_chosen_bound_that_is_undefined_at_this_epsilon_gets_a_sentence_instead_of_a_picture():
    app = opened(PAGE, epsilon="0", bound="pdp")
    assert "The pDP Gaussian bound is not defined at this ε, so it sets no σ." in text_of(app)
    assert len(app.get("plotly_chart")) == 5


@pytest.mark.parametrize(
    ("epsilon", "delta", "verdict"),
    [
        ("0.5", "1e-5", "✓ proved</td>"),
        ("1", "1e-6", "! outside its theorem; true δ here 3.2e-9, within target"),
        ("10", "1e-5", "✗ FAILS: true δ 2.27e-5 for a target of 1e-5"),
        ("1", "0.4", "says nothing at so large a δ"),
        ("1", "1e-6", "a floor: no Gaussian with less noise keeps the promise"),
        ("1", "1e-6", "✓ proved, for probabilistic DP, which implies DP"),
    ],
)
def test_the_table_gives_a_verdict_in_words(epsilon, delta, verdict):
    assert verdict in table_of(opened(PAGE, epsilon=epsilon, delta=delta))


def test_the_table_shows_each_sigma_rounded_to_the_safe_side():
    table = table_of(opened(PAGE))
    for shown in ("4.225", "5.299", "5.298", "4.992", "4.917", "0.7071"):
        assert f"<td>{shown}</td>" in table


def test_every_number_of_the_explanation_is_computed_from_the_setting():
    app = opened(PAGE, epsilon="0.5", delta="2e-5", l2_sensitivity="3")
    app.session_state.explanation = True
    app.run()
    words = text_of(app)
    assert r"\frac{3\cdot\sqrt{2\ln(1.25/2\cdot10^{-5})}}{0.5}=28.2" in words
    for bound in BOUNDS:
        assert bound.theorem in words


def test_charts_have_fixed_axes_while_epsilon_moves():
    frames = [charts(opened(PAGE, epsilon=epsilon)) for epsilon in ("0.001", "1", "100")]
    for name in CHARTS:
        axes = [(frame[name]["layout"]["xaxis"]["range"], frame[name]["layout"]["yaxis"]["range"]) for frame in frames]
        assert axes[0] == axes[1] == axes[2]


def test_a_bound_that_fails_is_red_and_named_so_among_the_profiles():
    def names(app):
        return [trace["name"] for trace in charts(app)["profile"]["data"]]

    assert "Classical Gaussian: FAILS" in names(opened(PAGE, epsilon="10", delta="1e-5"))
    assert "Classical Gaussian: FAILS" not in names(opened(PAGE, epsilon="8", delta="1e-5"))


def test_a_profile_below_its_axis_is_not_an_empty_picture():
    notes = charts(opened(PAGE, epsilon="0"))["profile"]["layout"]["annotations"]
    assert "every δ is below 1e-15 here" in [note["text"] for note in notes]


def test_a_setting_outside_the_usual_axes_widens_them_to_show_it():
    layout = charts(opened(PAGE, epsilon="20000"))["sigma_epsilon"]["layout"]
    assert layout["xaxis"]["range"] == [-3, 5]


def test_a_curve_is_dotted_outside_its_theorem_and_marked_where_it_fails():
    traces = charts(opened(PAGE))["ratio"]["data"]
    by_name = {trace["name"]: trace for trace in traces}
    assert by_name["Classical Gaussian: unproved"]["line"]["dash"] == "dot"
    assert by_name["Classical Gaussian: FAILS"]["marker"]["symbol"] == "x"


def test_every_chart_carries_its_parameters_a_text_alternative_and_its_numbers():
    app = opened(PAGE, epsilon="0.5", delta="1e-5")
    drawn = app.get("plotly_chart")
    assert len(drawn) == 6
    for chart in drawn:
        assert len(chart.proto.alt) > 60
    for name in ("ratio", "profile", "sigma_delta", "sigma_epsilon", "counts"):
        title = charts(app)[name]["layout"]["title"]["text"]
        assert "δ = 1e-5" in title or "ε = 0.5" in title
    assert [button.proto.id for button in app.get("download_button") if "csv_bounds" in button.proto.id]
    assert len(app.get("download_button")) == 7


def test_a_pinned_setting_stays_as_ghosts_and_gives_the_table_a_column_of_ratios():
    app = opened(PAGE)
    plain = len(charts(app)["ratio"]["data"])
    app.button(key="pinned_button").click().run()
    app.text_input(key="epsilon_text").set_value("2").run()
    assert app.session_state.used["pinned"] == "1,1e-6,1,0.05"
    assert "Pinned, in grey: ε = 1, δ = 1e-6, sensitivity 1, significance level 0.05." in text_of(app)
    assert len(charts(app)["ratio"]["data"]) == plain + len(BOUNDS)
    ratio = gaussian.analytic_sigma(2, 1e-6) / gaussian.analytic_sigma(1, 1e-6)
    assert f"<td>{nearest(float(ratio))}</td>" in table_of(app)
    app.button(key="pinned_button").click().run()
    assert app.session_state.used["pinned"] == "none"
    assert "σ ÷ pinned σ" not in table_of(app)


def test_the_table_of_counts_says_how_many_cells_stay_distinguishable():
    assert "43 of 64 cells stay distinguishable from zero" in text_of(opened(PAGE))


def test_a_bound_that_fails_is_not_shown_on_the_table_of_counts_without_a_warning():
    assert "✗ This σ breaks the promise" in text_of(opened(PAGE, epsilon="10", delta="1e-5", bound="classical"))
    assert "breaks the promise" not in text_of(opened(PAGE, epsilon="10", delta="1e-5"))


def with_table_field():
    app = opened(PAGE)
    app.session_state.own_table_box = True
    return app.run()


def test_a_table_of_ones_own_replaces_the_czech_one_and_a_bad_one_gets_a_sentence():
    app = with_table_field()
    app.file_uploader(key="table_file").upload("mine.csv", b"area,count\nNorth,100\nSouth,1\n", "text/csv").run()
    assert "1 of 2 cells stay distinguishable" in text_of(app)
    assert "mine.csv" in charts(app)["counts"]["layout"]["title"]["text"]
    app.file_uploader(key="table_file").upload("bad.csv", b"area,count\nNorth,100\nSouth,x\n", "text/csv").run()
    assert "bad.csv can't be read: line 3: the count is x, not a number from 0 to 1e15." in text_of(app)
    assert "43 of 64 cells" in text_of(app)


def test_one_can_go_back_from_ones_own_table_to_the_shipped_one():
    app = with_table_field()
    app.file_uploader(key="table_file").upload("mine.csv", b"count\n9\n1\n", "text/csv").run()
    app.button(key="own_table_away").click().run()
    assert "43 of 64 cells" in text_of(app)


def test_a_large_table_of_ones_own_is_drawn_as_a_line():
    app = with_table_field()
    app.file_uploader(key="table_file").upload("large.csv", b"count\n" + b"9\n1\n" * 2000, "text/csv").run()
    assert "2,000 of 4,000 cells stay distinguishable" in text_of(app)
    assert [trace["mode"] for trace in charts(app)["counts"]["data"]] == ["lines"] * 4


def test_a_typed_text_that_is_no_number_stays_in_its_field_with_a_sentence_under_it():
    app = opened(PAGE)
    app.text_input(key="epsilon_text").set_value("abc").run()
    assert app.text_input(key="epsilon_text").value == "abc"
    assert "ε (epsilon) must be from 0 to 1e6; abc was given. 1 is used instead." in text_of(app)
    assert "At ε = 1," in text_of(app)


def test_a_sensitivity_whose_noise_overflows_gets_a_sentence_and_is_not_used():
    app = opened(PAGE, epsilon="0", delta="1e-300", l2_sensitivity="1e10")
    assert "1e10" in text_of(app)
    assert "1 is used instead" in text_of(app)
    assert "sensitivity 1, the analytic Gaussian needs σ = 3.99e299" in text_of(app)


def test_the_slider_moves_the_exact_value_and_follows_it_to_the_nearest_step():
    app = opened(PAGE)
    app.select_slider(key="epsilon_step").set_value("2.2").run()
    assert app.text_input(key="epsilon_text").value == "2.2"
    assert "At ε = 2.2," in text_of(app)
    app.text_input(key="epsilon_text").set_value("0.123").run()
    assert app.select_slider(key="epsilon_step").value == "0.12"
    assert "At ε = 0.123," in text_of(app)


def test_every_step_of_every_scale_is_a_value_of_its_field():
    app = opened(PAGE)
    for slider in app.sidebar.select_slider:
        assert len(slider.options) == len(set(slider.options))
        assert [float(step) for step in slider.options] == sorted(float(step) for step in slider.options)


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"epsilon": "nan"}, "ε (epsilon) must be from 0 to 1e6; nan was given. 1 is used instead."),
        ({"delta": "1e400"}, "δ (delta) must be from 1e-300 to below 1; 1e400 was given. 1e-6 is used instead."),
        ({"significance": "1"}, "must be from 1e-300 to below 1; 1 was given. 0.05 is used instead."),
        ({"bound": "lower"}, "bound (bound) must be one of analytic, classical, classical_tight, pdp, exact_pdp;"),
        ({"pinned": "1,2"}, "pinned setting (pinned) must be none, or epsilon,delta,l2_sensitivity,significance"),
        ({"pinned": "0,1e-300,1e10,0.05"}, "pinned setting (pinned) must be none, or"),
        ({"eps": "1"}, "This page has no parameter eps; the link's value for it is left out."),
        ({"epsilon": ["1", "2"]}, "The link gives ε (epsilon) 2 times; only the last is read, 2."),
        ({"epsilon": "1_0"}, "ε (epsilon) must be from 0 to 1e6; 1_0 was given. 1 is used instead."),
        ({"epsilon": "١"}, "ε (epsilon) must be from 0 to 1e6; ١ was given. 1 is used instead."),
        ({"epsilon": "inf"}, "ε (epsilon) must be from 0 to 1e6; inf was given. 1 is used instead."),
        ({"delta": ""}, "δ (delta) must be from 1e-300 to below 1; nothing was given."),
    ],
)
def test_a_link_value_that_cannot_be_used_is_named_with_what_is_used_instead(link, sentence):
    app = opened(PAGE, **link)
    assert sentence in text_of(app)
    assert len(app.get("plotly_chart")) == 6


@pytest.mark.parametrize("entry", ["0.9999999999999999", "0.30000000000000004", "1.7976931348623157e-300"])
def test_a_delta_of_many_digits_is_shown_to_its_last_one(entry):
    assert f"δ = {entry}, sensitivity 1" in text_of(opened(PAGE, delta=entry))


def test_every_form_of_a_number_that_people_write_is_read():
    for entry in ("5", "5.", "+5", "5e0", "5E-0", " 5 ", "0.5e1", ".5e1"):
        assert "At ε = 5," in text_of(opened(PAGE, epsilon=entry))


def test_the_notice_for_a_bad_link_goes_when_a_field_is_edited():
    app = opened(PAGE, epsilon="nan")
    app.text_input(key="delta_text").set_value("1e-5").run()
    assert "nan was given" not in text_of(app)


@pytest.mark.parametrize("significance", ["0.05", "1e-300"])
def test_a_sigma_whose_reach_no_double_holds_is_refused_with_its_sentence(significance):
    app = opened(PAGE, epsilon="0", delta="1e-300", l2_sensitivity="1e5", significance=significance)
    words = text_of(app)
    assert (
        "ℓ₂ sensitivity (l2_sensitivity) of 1e5 needs noise beyond 1e300 at this ε and δ. 1 is used instead." in words
    )
    words = text_of(opened(PAGE, pinned=f"0,1e-300,1e5,{significance}"))
    assert "pinned setting (pinned) must be none, or epsilon,delta" in words
