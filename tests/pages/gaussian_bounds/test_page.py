import json

import pytest

from tests.pages.conftest import opened, text_of

PAGE = "pages/1_Gaussian_bounds.py"


def charts(app):
    """The figures by name, in the order drawn."""
    specs = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
    return dict(zip(("ratio", "profile", "sigma_delta", "sigma_epsilon", "pdp_share", "counts"), specs, strict=False))


def test_the_page_answers_first_and_draws_every_exhibit_with_words_and_numbers():
    app = opened(PAGE, epsilon="0.5", delta="1e-5")
    assert "At ε = 0.5, δ = 1e-5, sensitivity 1, the analytic Gaussian needs σ" in app.markdown[0].value
    assert [len(chart.proto.alt) > 60 for chart in app.get("plotly_chart")] == [True] * 6
    assert [button.proto.id for button in app.get("download_button") if "csv_bounds" in button.proto.id]
    assert len(app.get("download_button")) == 7
    app.session_state.explanation = True
    app.run()
    assert "Two notions of δ" in text_of(app)


def test_a_chosen_bound_that_is_undefined_gets_its_sentence_instead_of_a_picture():
    app = opened(PAGE, epsilon="0", bound="pdp")
    assert "so it sets no σ" in text_of(app)
    assert len(app.get("plotly_chart")) == 5


def test_a_setting_is_pinned_and_let_go():
    app = opened(PAGE)
    app.button(key="pinned_button").click().run()
    app.text_input(key="epsilon_text").set_value("2").run()
    assert app.query_params["pinned"] == "1;1e-6;1;0.05"
    assert "Pinned, in grey: ε = 1, δ = 1e-6, sensitivity 1, significance level 0.05." in text_of(app)
    app.button(key="pinned_button").click().run()
    assert app.query_params["pinned"] == "none"


def with_table_field():
    app = opened(PAGE)
    app.session_state.own_table_box = True
    return app.run()


def test_a_table_of_ones_own_replaces_the_czech_one_and_a_bad_one_gets_a_sentence():
    app = with_table_field()
    app.file_uploader(key="table_file").upload("mine.csv", b"area,count\nNorth,100\nSouth,1\n", "text/csv").run()
    assert "1 of 2 cells stays above zero" in text_of(app)
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
    assert "2,000 of 4,000 cells stay above zero" in text_of(app)
    assert [trace["mode"] for trace in charts(app)["counts"]["data"]] == ["lines"] * 4


def test_a_typed_text_that_is_no_number_stays_in_its_field_and_is_spoken_of_there_and_at_the_answer():
    app = opened(PAGE)
    app.text_input(key="epsilon_text").set_value("abc").run()
    assert app.text_input(key="epsilon_text").value == "abc"
    sentence = "ε (epsilon) must be from 0 to 1e6; abc was given. 1 is used instead."
    assert [text.value for text in app.text].count(sentence) == 2
    assert "At ε = 1," in text_of(app)


def test_a_number_may_be_an_expression_which_the_link_holds_and_the_page_evaluates():
    app = opened(PAGE)
    app.text_input(key="epsilon_text").set_value("sqrt(3)").run()
    assert app.query_params["epsilon"] == "sqrt(3)"
    assert "At ε = 1.732051," in text_of(app)
    assert "≈ 1.732050808" in [text.value for text in app.text]
    assert app.select_slider(key="epsilon_step").value == "sqrt(3)"


def test_a_number_with_two_readings_is_asked_about():
    app = opened(PAGE)
    app.text_input(key="epsilon_text").set_value("1,732").run()
    assert "1,732 can be read as 1732 or as 1.732" in text_of(app)
    assert "At ε = 1," in text_of(app)


def test_a_sensitivity_whose_noise_overflows_gets_a_sentence_and_is_not_used():
    app = opened(PAGE, epsilon="0", delta="1e-300", l2_sensitivity="1e10")
    assert "of 1e10 needs noise beyond 1e300 at this ε and δ. 1 is used instead." in text_of(app)
    assert "sensitivity 1, the analytic Gaussian needs σ = 3.99e299" in text_of(app)
    assert app.query_params["l2_sensitivity"] == "1"


def test_the_slider_moves_the_exact_value_and_shows_it_at_its_place():
    app = opened(PAGE)
    app.select_slider(key="epsilon_step").set_value("2.2").run()
    assert app.text_input(key="epsilon_text").value == "2.2"
    assert "At ε = 2.2," in text_of(app)
    app.text_input(key="epsilon_text").set_value("0.123").run()
    slider = app.select_slider(key="epsilon_step")
    assert slider.value == "0.123"
    place = slider.options.index("0.123")
    assert slider.options[place - 1 : place + 2] == ["0.12", "0.123", "0.13"]
    assert "At ε = 0.123," in text_of(app)


def test_every_step_of_every_scale_is_a_value_of_its_field():
    app = opened(PAGE)
    for slider in app.sidebar.select_slider:
        assert len(slider.options) == len(set(slider.options))
        assert [float(step) for step in slider.options] == sorted(float(step) for step in slider.options)


def test_the_notice_for_a_bad_link_goes_when_a_field_is_edited():
    app = opened(PAGE, epsilon="nan")
    assert "nan was given" in text_of(app)
    app.text_input(key="delta_text").set_value("1e-5").run()
    assert "nan was given" not in text_of(app)


@pytest.mark.parametrize("entry", ["1", "1.0", "2/2", "0.1·10"])
def test_the_slider_stands_on_its_step_however_the_value_is_written(entry):
    assert opened(PAGE, epsilon=entry).select_slider(key="epsilon_step").value == "1"
