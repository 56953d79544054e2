from pages.generalized_gaussian.parameters import OWN, VALUE
from tests.pages.conftest import opened, text_of

PAGE = "pages/2_Generalized_Gaussian.py"


def test_the_page_answers_first_and_draws_every_exhibit_with_words_and_numbers():
    app = opened(PAGE, epsilon="0.5", delta="2e-5", p="4")
    assert "At ε = 0.5, δ = 2e-5, p = 4: b = " in app.markdown[0].value
    assert "Between 0 and 10, p = 4 keeps pure ε = 0.5" in text_of(app)
    assert [len(chart.proto.alt) > 40 for chart in app.get("plotly_chart")] == [True] * 11
    assert len(app.get("download_button")) == 13
    app.session_state.explanation = True
    app.run()
    words = text_of(app)
    assert r"$\varepsilon=0.5$, $\delta=2\cdot10^{-5}$, $p=4$, $\Delta=1$ give $b=" in words
    for source in (
        "Liu 2019, §2.3",
        "**Corollary 9**",
        "**Proposition 8**",
        "Proposition 11, Eq. 17",
        "Claim 4",
        "Theorem 8",
        "Lemma 10",
    ):
        assert source in words


def test_every_parameter_is_in_the_link_and_a_bad_one_is_named():
    app = opened(PAGE, p="65", guarantee="best", shapes="1, 1", draws="5")
    words = text_of(app)
    assert "p (p) must be from 1 to 64; 65 was given. 3 is used instead." in words
    assert "guarantee (guarantee) must be one of adp, exact_pdp, disjoint; best was given." in words
    assert "p of the curves (shapes) must be 1 to 8 different numbers apart by commas, each from 1 to 64" in words
    assert "draws (draws) must be a whole number from 1e4 to 1e6; 5 was given. 3e4 is used instead." in words
    assert [app.query_params[parameter.key] for parameter in OWN] == [parameter.default for parameter in OWN]


def test_at_epsilon_0_what_has_an_answer_is_drawn_and_the_rest_is_said_to_have_none():
    app = opened(PAGE, epsilon="0")
    assert "At ε = 0 pure DP within bounds has no answer" in text_of(app)
    assert not any("bounded" in button.proto.id for button in app.get("download_button"))
    assert len(app.get("plotly_chart")) == 7
    app = opened(PAGE, epsilon="0", guarantee="exact_pdp")
    assert "At ε = 0 probabilistic DP has no answer." in app.markdown[0].value
    assert len(app.get("plotly_chart")) == 6
    app.session_state.explanation = True
    assert not app.run().exception


def test_the_paper_s_monte_carlo_has_its_fields_and_its_corrected_draws_at_the_answer():
    app = opened(PAGE, statistics="own", sensitivities="2", delta="0.05", monte_carlo="on", draws="1e6", seed="7")
    assert {"sensitivities_text", "draws_text", "seed_text"} < {field.key for field in app.text_input}
    sentences = [text.value for text in app.text if "take too long for a page. 30,000 is used instead." in text.value]
    assert len(sentences) == 2
    assert app.query_params["draws"] == "30000"
    assert "30,000 draws a point." in text_of(app)
    assert "draws_text" not in {field.key for field in opened(PAGE).text_input}


def test_bounds_that_dont_go_together_are_named_and_the_link_has_what_is_used():
    app = opened(PAGE, bound_low="12", true_value="-1")
    words = text_of(app)
    assert "c₀ (bound_low) must be below c₁ (bound_high); 12 and 10 were given. 0 and 10 are used instead." in words
    assert "s (true_value) must be from c₀ to c₁; −1 was given. 0 is used instead." in words
    assert [app.query_params[key] for key in ("bound_low", "bound_high", "true_value")] == ["0", "10", "0"]


def test_a_value_that_is_no_number_or_leaves_the_bounds_stays_with_its_sentence():
    app = opened(PAGE)
    app.text_input(key="true_value_text").set_value("many").run()
    assert f"s (true_value) must be {VALUE.allowed}; many was given. 2 is used instead." in text_of(app)
    app.text_input(key="bound_high_text").set_value("1").run()
    assert not app.exception
    assert "2 was given. 1 is used instead." in text_of(app)
