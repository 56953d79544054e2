import json

import numpy as np
import pytest

from dpcore import gaussian
from pages.shared.inputs import DELTAS, MEASURE, Words, problem
from pages.shared.laplace_gaussian import CASES, GAUSSIAN, HOLD, query_name
from tests.pages.conftest import opened, text_of

PAGE = "pages/4_Laplace_vs_Gaussian.py"
NAMES = ("tails", "draws", "statistics", "map", "ratio", "cost", "pdf", "cdf")


def charts(app):
    """The figures by name, where all are drawn."""
    specs = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
    return dict(zip(NAMES, specs, strict=True))


def table_of(app):
    return next(html.proto.body for html in app.get("html") if "<table>" in html.proto.body)


def test_the_answer_comes_first_with_the_winner_and_both_errors():
    words = text_of(opened(PAGE))
    assert "For one count at ε = 1, δ = 1e-6, Laplace wins: ±2.996 against ±8.281 at 95 %." in words
    assert "The Gaussian's variance is 8.92 times Laplace's" in words
    assert "Laplace noise keeps pure ε-DP, the Gaussian (ε, δ)-DP, which is another promise." in words


def test_from_nine_counts_on_the_analytic_gaussian_has_the_smaller_variance():
    words = text_of(opened(PAGE, k="9"))
    assert "the analytic Gaussian has the smaller variance **from k = 9 counts on**" in words
    assert "Laplace's variance is 1.01 times the Gaussian's" in words
    assert "Δ₁ = 9, Δ₂ = 3: one person moves each count by 1." in words
    assert "For each of 9 counts of one person at ε = 1, δ = 1e-6, the analytic Gaussian wins" in words


def test_the_map_says_where_proposition_12_holds():
    words = text_of(opened(PAGE, gaussian="pdp", epsilon="0.01"))
    assert "only above **δ = 0.1583**. Never below δ = 0.157 for one statistic (Liu 2019, Proposition 12)." in words
    assert "Laplace has the smaller variance whatever δ is" in text_of(opened(PAGE, epsilon="50"))
    assert "for any number of counts" in text_of(opened(PAGE, delta="0.3"))


@pytest.mark.parametrize("key", GAUSSIAN.options)
@pytest.mark.parametrize("hold", HOLD.options)
def test_both_noises_are_matched_as_chosen(key, hold):
    table = table_of(opened(PAGE, gaussian=key, hold=hold, epsilon="0.7", delta="1e-4", t="6"))
    sigma = {
        "epsilon": {
            "analytic": gaussian.analytic_sigma,
            "pdp": gaussian.pdp_sigma,
            "classical": gaussian.classical_sigma,
        }[key](0.7, 1e-4),
        "variance": np.sqrt(2) / 0.7,
        "tail": gaussian.laplace_tail_sigma(6, 1 / 0.7),
    }[hold]
    assert f"σ = {np.ceil(float(sigma) * 1000 * (1 - 1e-13)) / 1000:g}" in table
    assert "b = 1.429" in table


def test_a_classical_gaussian_that_fails_never_wins():
    app = opened(PAGE, gaussian="classical", epsilon="10", delta="1e-5", k="20")
    assert "Laplace: ±5.992 at 95 %; the classical Gaussian's ±4.247 breaks its promise." in text_of(app)
    assert "✗ FAILS: true δ 2.27e-5 for a target of 1e-5" in table_of(app)
    within = table_of(opened(PAGE, gaussian="classical", epsilon="2", delta="1e-5"))
    assert "! outside its theorem (ε &lt; 1); true δ here" in within


def test_at_epsilon_0_the_page_says_that_laplace_has_no_answer_and_keeps_its_map():
    app = opened(PAGE, epsilon="0")
    words = text_of(app)
    assert "At ε = 0 Laplace noise has no answer." in words
    assert "Choose an ε of at least 1e-12." in words
    assert len(app.get("plotly_chart")) == 1
    app.session_state.explanation = True
    app.run()
    assert not app.exception


def test_own_sensitivities_are_used_and_an_impossible_pair_is_named():
    words = text_of(opened(PAGE, case="own", l1_sensitivity="12", l2_sensitivity="4"))
    assert "For your Δ₁ and Δ₂ at ε = 1, δ = 1e-6, the analytic Gaussian wins: ±33.13 against ±35.95 at 95 %." in words
    assert "there is no number of statistics to vary" in words
    words = text_of(opened(PAGE, case="own", l1_sensitivity="0.5"))
    assert (
        "ℓ₁ sensitivity (l1_sensitivity) must be at least the ℓ₂ sensitivity, 1; 0.5 was given. 1 is used instead."
        in words
    )
    assert "Δ₁ = 1, Δ₂ = 1" in words


def test_a_histogram_does_not_depend_on_its_number_of_bins():
    app = opened(PAGE, case="histogram", l2_sensitivity="7")
    words = text_of(app)
    assert "For each bin of a histogram at ε = 1, δ = 1e-6, Laplace wins: ±2.996 against ±8.281" in words
    assert "however many bins there are" in words
    assert len(app.get("plotly_chart")) == len(NAMES) - 1


def test_the_tails_are_drawn_with_the_reach_of_each_marked():
    traces = charts(opened(PAGE))["tails"]["data"]
    assert [trace["text"] for trace in traces if "text" in trace] == [["±2.996"], ["±8.281"]]


def test_the_draws_are_quantile_dots_that_a_seed_repeats():
    first, second, third = (charts(opened(PAGE, seed=seed))["draws"] for seed in ("1", "1", "2"))
    assert first == second != third
    for trace in first["data"]:
        assert trace["marker"]["symbol"] in ("circle", "diamond")
        assert " of 25 beyond ±" in trace["name"]


def test_curves_are_drawn_for_each_delta_of_the_list_and_the_one_at_the_side():
    data = charts(opened(PAGE, deltas="0.1,0.001", delta="1e-5"))["ratio"]["data"]
    assert [trace["name"] for trace in data][::2] == ["δ = 1e-5", "δ = 0.001", "δ = 0.1"]


def test_a_list_that_cant_be_used_stays_with_its_sentence():
    app = opened(PAGE)
    app.text_input(key="deltas_text").set_value("0.1, 2").run()
    words = text_of(app)
    assert "δ of the curves (deltas) must be 1 to 6 different numbers apart by commas" in words
    assert "0.1, 2 was given. 0.01, 0.05, 0.1, 0.2 is used instead." in words
    assert app.text_input(key="deltas_text").value == "0.1, 2"
    assert app.query_params["deltas"] == "0.01, 0.05, 0.1, 0.2"


def test_every_parameter_is_in_the_link_and_a_bad_one_is_named():
    app = opened(PAGE, k="2.5", gaussian="best", cutoff="1e-301")
    words = text_of(app)
    assert "k (k) must be a whole number from 1 to 1e6; 2.5 was given. 1 is used instead." in words
    assert "cutoff (cutoff) must be from 1e-300 to below 1; 1e-301 was given. 1e-4 is used instead." in words
    assert "Gaussian (gaussian) must be one of analytic, pdp, classical; best was given." in words
    for key in ("case", "k", "l1_sensitivity", "gaussian", "hold", "t", "measure", "deltas", "cutoff", "seed"):
        assert key in app.query_params


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(
    "extreme",
    [
        {"epsilon": "1e-12", "delta": "1e-300"},
        {"epsilon": "1e6", "delta": "0.99", "k": "1e6"},
        {"l2_sensitivity": "1e100", "l1_sensitivity": "1e100", "hold": "tail", "t": "1e12"},
        {"l2_sensitivity": "1e-100", "l1_sensitivity": "1e-100", "hold": "tail", "t": "0"},
        {"significance": "1e-300", "measure": "accuracy", "hold": "variance"},
        {"significance": "0.9999", "measure": "accuracy", "cutoff": "1e-300"},
        {"epsilon": "1e-200"},
    ],
)
def test_extreme_settings_are_drawn_and_explained(case, extreme):
    for key in GAUSSIAN.options:
        app = opened(PAGE, case=case, gaussian=key, **extreme)
        app.session_state.explanation = True
        app.run()
        assert not app.exception


@pytest.mark.parametrize("key", GAUSSIAN.options)
def test_the_explanation_has_the_users_numbers_and_the_sources(key):
    app = opened(PAGE, gaussian=key, epsilon="0.5", delta="2e-5", hold="variance", measure=list(MEASURE.options)[1])
    app.session_state.explanation = True
    app.run()
    words = text_of(app)
    assert r"$b=\Delta_1/\varepsilon=1/0.5=2$" in words
    assert r"\sigma=\sqrt2\,b=2.829" in words
    assert {"analytic": "Theorem 8", "pdp": "Proposition 11", "classical": "Theorem A.1"}[key] in words


def test_the_names_of_queries_read_well():
    assert query_name("counts", 1e6) == "each of 1,000,000 counts of one person"


def test_lists_and_words_are_read_strictly():
    assert DELTAS.read(" 0.1, 0.2 ") == (0.1, 0.2)
    for bad in ("", "0.1,,0.2", "0.1, 0.1", "0.1;0.2", "1,2", ",".join(f"0.{n}" for n in range(11, 18))):
        assert "1 to 6 different numbers" in str(problem(DELTAS, bad))
    unit = Words("unit", "unit", "people")
    assert unit.read("  US dollars ") == "US dollars"
    for bad in ("", "   ", "x" * 31, "a\nb", "\x00"):
        assert "a text of 1 to 30 printable characters" in str(problem(unit, bad))
