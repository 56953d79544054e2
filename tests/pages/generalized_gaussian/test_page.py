import pytest

from pages.generalized_gaussian.parameters import PARAMETERS, VALUE
from tests.pages.conftest import ask, charts_of, enter, link_of, open_page, parts_of, stage_of, text_of

PAGE = "pages/2_Generalized_Gaussian.py"


def test_the_page_answers_first_and_the_section_opens_with_its_picture():
    app = open_page(PAGE, epsilon="0.5", delta="2e-5", p="4")
    assert "noise of shape p = 4 has b = " in text_of(app)
    lead, *rest = parts_of(app)
    assert (lead["kind"], lead["name"], len(lead["alt"]) > 40) == ("chart", "densities", True)
    assert [part["kind"] for part in rest] == ["fields", "chart", "words"]
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


@pytest.mark.parametrize(
    ("section", "charts", "sentence"),
    [
        ("shapes", ["densities", "profiles"], "At ε = 1, δ = 1e-6, noise of shape p = 3 has b = "),
        ("size", ["size_p"], "At ε = 1, δ = 1e-6, p = 3 requires a standard deviation of "),
        ("best", ["best_map"], "the least variance is that of p = 1, Laplace noise"),
        ("bounded", ["bounded_errors"], "At p = 3 between 0 and 10, pure ε = 1 requires b = "),
    ],
)
def test_only_the_open_section_is_sent_with_its_own_answer(section, charts, sentence):
    app = open_page(PAGE, section=section)
    assert list(charts_of(app)) == charts
    assert sentence in text_of(app)
    assert "Without δ" not in text_of(app)


def test_every_parameter_is_in_the_link_and_a_bad_one_is_named():
    app = open_page(PAGE, p="65", guarantee="best", shapes="1, 1", draws="5")
    words = text_of(app)
    assert "p must be from 1 to 64; 65 was given. 3 is used instead." in words
    assert "guarantee must be one of adp, exact_pdp, disjoint; best was given." in words
    assert "p of the curves: number 2 must differ from those before; 1 was given." in words
    assert "draws must be a whole number from 1e4 to 1e6; 5 was given. 3e4 is used instead." in words
    assert [link_of(app)[parameter.key] for parameter in PARAMETERS] == [parameter.default for parameter in PARAMETERS]


def test_a_sentence_names_the_noises_without_an_answer_at_epsilon_0():
    app = open_page(PAGE, epsilon="0", section="bounded")
    assert "has no answer" in text_of(app)
    assert charts_of(app) == {}
    app = open_page(PAGE, epsilon="0", guarantee="exact_pdp")
    assert "has no answer" in text_of(app)
    assert charts_of(app) == {}
    app.session_state.explanation = True
    assert not app.run().exception


def test_the_paper_s_monte_carlo_has_its_fields_and_its_corrected_draws_at_the_answer():
    link = {"statistics": "own", "sensitivities": "2", "delta": "0.05", "monte_carlo": "on", "draws": "1e6"}
    app = open_page(PAGE, section="size", seed="7", **link)
    assert {"sensitivities", "draws", "seed"} < set(stage_of(app)["fields"])
    assert ["30,000 is used" in sentence for sentence in stage_of(app)["problems"]] == [True]
    assert link_of(app)["draws"] == "30000"
    assert "30,000 draws a point." in text_of(app)
    assert "draws" not in stage_of(open_page(PAGE, section="size"))["fields"]


def test_bounds_that_dont_go_together_are_named_and_the_link_has_what_is_used():
    app = open_page(PAGE, section="bounded", bound_low="12", true_value="-1")
    words = text_of(app)
    assert "12 and 10 were given." in words
    assert "−1 was given." in words
    assert [link_of(app)[key] for key in ("bound_low", "bound_high", "true_value")] == ["0", "10", "0"]


def test_a_value_that_is_no_number_or_leaves_the_bounds_stays_with_its_sentence():
    app = enter(open_page(PAGE, section="bounded"), "true_value", "many")
    sentence = f"s must be {VALUE.allowed}; many was given, which is not a number. 2 is used instead."
    assert stage_of(app)["entered"] == {"true_value": ["many", sentence]}
    enter(app, "bound_high", "1")
    assert "2 was given. 1 is used instead." in text_of(app)


def test_a_click_on_the_map_sets_epsilon_and_delta_and_a_handle_has_its_steps():
    app = open_page(PAGE, section="best")
    assert charts_of(app)["best_map"]["picks"] == ["epsilon", "delta"]
    app = ask(app, set={"epsilon": "0.1", "delta": "1e-9"})
    assert "At ε = 0.1, δ = 1e-9" in text_of(app)
    fields = stage_of(open_page(PAGE, section="bounded"))["fields"]
    assert (fields["true_value"]["steps"][0], fields["true_value"]["steps"][-1]) == ("0", "10")


def test_a_setting_is_pinned_and_let_go():
    app = ask(open_page(PAGE), pin=True)
    enter(app, "p", "4")
    assert "standard deviation 7.631 → " in text_of(app)
    assert "&p=3&" in link_of(app)["pinned"]
    ask(app, pin=False)
    assert link_of(app)["pinned"] == "none"
