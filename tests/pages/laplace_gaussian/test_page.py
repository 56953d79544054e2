from tests.pages.conftest import opened, text_of

PAGE = "pages/4_Laplace_vs_Gaussian.py"


def test_the_page_answers_first_and_draws_every_exhibit_with_words_and_numbers():
    app = opened(PAGE, k="9")
    assert "For each of 9 counts of one person" in app.markdown[0].value
    assert [len(chart.proto.alt) > 60 for chart in app.get("plotly_chart")] == [True] * 8
    assert len(app.get("download_button")) == 9
    for key in ("case", "k", "l1_sensitivity", "gaussian", "hold", "t", "measure", "deltas", "cutoff", "seed"):
        assert key in app.query_params
    app.session_state.explanation = True
    app.run()
    assert "Crossover and frontier" in text_of(app)


def test_at_epsilon_0_the_page_keeps_its_map():
    app = opened(PAGE, epsilon="0")
    assert "At ε = 0 Laplace noise has no answer." in text_of(app)
    assert len(app.get("plotly_chart")) == 1
    app.session_state.explanation = True
    assert not app.run().exception


def test_fields_are_those_of_the_query_and_of_what_is_held_equal():
    app = opened(PAGE, case="own", hold="tail", l1_sensitivity="0.5")
    keys = {field.key for field in app.text_input}
    assert {"l1_sensitivity_text", "t_text"} < keys
    assert "k_text" not in keys
    sentence = [text.value for text in app.text if "must be at least the ℓ₂ sensitivity" in text.value]
    assert len(sentence) == 2
    assert app.query_params["l1_sensitivity"] == "1"


def test_a_list_that_cant_be_used_stays_with_its_sentence():
    app = opened(PAGE)
    app.text_input(key="deltas_text").set_value("0.1, 2").run()
    words = text_of(app)
    assert "δ of the curves (deltas) must be 1 to 6 different numbers apart by commas" in words
    assert "0.1, 2 was given. 0.01, 0.05, 0.1, 0.2 is used instead." in words
    assert app.text_input(key="deltas_text").value == "0.1, 2"
    assert app.query_params["deltas"] == "0.01, 0.05, 0.1, 0.2"
