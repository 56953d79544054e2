import re
from functools import lru_cache
from urllib.parse import quote

import pytest
from scipy.stats import norm

from dpcore import audit, tradeoff, verify
from pages.framework.export.exhibit import Exhibit
from pages.framework.layout import panels
from pages.framework.layout.section import Field, Fold
from pages.framework.parameters.number_format import percent_up
from pages.framework.rendering import stage
from pages.tradeoff import answer_text as quotation_answer_text
from pages.tradeoff import text
from pages.tradeoff.answer_text import answer_text, attack_answer_text, curve_text, explanation_text
from pages.tradeoff.code import claims
from pages.tradeoff.curve_list import DEFAULTS
from pages.tradeoff.curves.section import outcome_text, rounding_text
from pages.tradeoff.page import PAGE as RECORD
from tests.pages.conftest import LIGHT, exhibits_by_name, found_by, html_of

PAGE = "tradeoff"
THREE = "!gdp:1@blue=;approx:1,1e-6@green=;laplace:1@orange="


@lru_cache(32)
def result_at(**link):
    return found_by(PAGE, **{"curves": THREE} | link)


def answer(**link):
    return " ".join(answer_text(result_at(**link)))


def quotation(**link):
    return "\n".join(quotation_answer_text.quotation_sentences(result_at(**link)))


def table(**link):
    return html_of(exhibits_by_name(result_at(**link), PAGE)["readings"])


def cells(name, **link):
    row = re.search(rf"<tr><th scope='row'>{re.escape(name)}</th>(.*?)</tr>", table(**link))
    assert row is not None
    return re.findall(r"<td[^>]*>(.*?)</td>", row[1])


def test_the_page_begins_with_the_noise_that_follows_its_epsilon_and_delta():
    first, second = answer_text(found_by(PAGE))
    assert first == (
        "At a false positive rate of 5 %, the true positive rate is at most 7.955 % (Gaussian at (1, 1e-6))."
    )
    assert second.startswith("A positive test raises a prior of 10 % to a posterior of at most 15.03 %")
    assert second.endswith("the (ε, δ) guarantee alone allows 13.6 % true positives.")
    names = ["(2, 0.001)-DP", "Gaussian at (2, 0.001)", "Laplace at ε = 2"]
    moved = found_by(PAGE, epsilon="2", delta="1e-3")
    assert moved.names == names
    assert "guarantee alone allows 37.05 % true positives." in answer_text(moved)[1]


def test_only_noise_that_follows_the_page_states_its_guarantee():
    assert "guarantee alone" not in answer()
    assert "guarantee alone" not in answer(curves="here_laplace:")


def test_a_pinned_setting_is_compared_in_words_and_in_a_column_of_the_table():
    pinned = f"epsilon=0.5&alpha=0.1&curves={quote(DEFAULTS)}"
    result = found_by(PAGE, pinned=pinned)
    assert answer_text(result)[2] == (
        "Compared with the pin (Gaussian at (0.5, 1e-6), α = 0.1, prior 10 %): true positive rate 12.36 % → 7.955 %, "
        "posterior 12.08 % → 15.03 %."
    )
    html = html_of(exhibits_by_name(result, PAGE)["readings"])
    assert ">True positive rate, <span>pinned</span></th>" in html
    assert "<td>7.955 %</td><td>12.36 %</td><td>15.03 %" in html
    assert "pinned" not in table()
    assert len(answer_text(result_at())) == 2


def test_a_pinned_curve_of_another_kind_is_not_compared_with_a_curve():
    beside = html_of(exhibits_by_name(result_at(curves="gdp:1;laplace:2", pinned="curves=gdp%3A2"), PAGE)["readings"])
    assert re.findall(r"</th><td>.*? %</td><td>(.*?)</td>", beside)[:2] == ["63.88 %", "–"]


def test_claimed_points_are_a_guarantee_of_which_all_words_say_that_it_is_claimed():
    link = {"curves": "claim:0.05_0.8~0.5_0.2@blue="}
    sentence = answer(**link)
    assert "at most 20 % (Points), if the claim holds." in sentence
    assert "was reached" not in sentence
    assert quotation(**link).startswith("**If the claim holds, Points satisfies ε = 1.387 at δ = 1e-6.**")
    assert "Points (claimed)" in table(**link)
    assert (
        "Points (claimed) allows at most 20 % true positives"
        in exhibits_by_name(result_at(**link), PAGE)["curves"].alternative
    )
    assert "A claimed curve holds only if the claim does" in rounding_text(result_at(**link).rows)
    weak = result_at(**link, attack="25_1000_990_1000")
    assert "The claim Points is not contradicted, which does not prove it;" in text.outcome_text(weak)
    assert "the straight lines between them are part of the claim" in explanation_text(result_at(**link))


@pytest.mark.parametrize("curve", ["gdp:1", "points:0.05_0.8~0.5_0.2", "claim:0.05_0.8~0.5_0.2", "approx:1,1e-6"])
def test_every_section_ends_in_what_to_do(curve):
    result = result_at(curves=curve, attack="25_1000_760_1000")
    for section in RECORD.section_by_key.values():
        *_, last = section.parts(result, LIGHT)
        assert isinstance(last, str)
        assert last.startswith("**What to do.**")


def test_the_answer_gives_the_power_and_what_a_positive_test_then_means():
    sentence = answer()
    assert "At a false positive rate of 5 %, the true positive rate is at most 25.96 % (μ = 1)." in sentence
    assert "A positive test raises a prior of 10 % to a posterior of at most 36.58 %" in sentence
    assert "a prior of 99.99999999 %" in answer(prior="0.9999999999")


def test_the_power_is_shown_rounded_up_so_that_no_attack_exceeds_what_is_read():
    assert 0.2595 < float(tradeoff.gaussian_power(0.05, 1)) < 0.2596
    assert "25.95 %" not in answer()


@pytest.mark.parametrize(
    ("curve", "sentence"),
    [
        ("pure:0.2@blue=", "No single outcome raises this prior above 11.95 %: the guarantee is pure, ε = 0.2."),
        ("laplace:0.2@blue=", "11.95 %: the guarantee is pure, ε = 0.2."),
        ("geometric:0.2,3@blue=", "11.95 %: the guarantee is pure, ε = 0.2."),
        ("approx:0.2,0@blue=", "11.95 %: the guarantee is pure, ε = 0.2."),
        ("truncated:1,0.01@blue=", "With probability up to 0.01 an outcome proves that the person is in"),
        ("truncated_geometric:1,4,1@blue=", "With probability up to 0.008549 an outcome proves that the person is in"),
        ("truncated:1,0.01*3@blue=", "With probability up to 0.02971 an outcome proves that the person is in"),
        ("pure:0.1*2@blue=", "11.95 %: the guarantee is pure, ε = 0.2."),
        ("pure:1/5@blue=", "11.95 %: the guarantee is pure, ε = 0.2."),
        ("pure:0e99999999999999999999@blue=", "10 %: the guarantee is pure, ε = 0."),
    ],
)
def test_the_page_states_what_the_worst_outcome_reveals(curve, sentence):
    assert sentence in outcome_text(result_at(curves=curve).chosen_row)


@pytest.mark.parametrize(
    "curve", ["approx:0.2,1e-9@blue=", "gdp:0.2@blue=", "zcdp:0.1@blue=", "approx:0.2,1e-6*3@blue=", "gg:3,2,1@blue="]
)
def test_the_odds_of_a_pure_guarantee_are_never_shown_for_another_one(curve):
    sentence = outcome_text(result_at(curves=curve).chosen_row)
    assert "is pure" not in sentence
    assert "no posterior bounds every outcome" in sentence or "only pure ε-DP bounds it for every outcome" in sentence


def test_a_composed_pure_guarantee_stays_pure():
    link = {"curves": "laplace:0.1*100@blue=", "alpha": "1e-6", "delta": "1e-300"}
    assert "the guarantee is pure, ε = 10." in outcome_text(result_at(**link).chosen_row)
    assert "satisfies ε = 10 at δ = 1e-300" in quotation(**link)
    assert "The smallest μ is" in quotation(**link)


def test_no_claim_is_made_at_an_alpha_where_no_test_is_positive():
    sentence = answer(alpha="0")
    assert "at most 0 %" in sentence
    assert "No test is positive at this α" in sentence
    assert "posterior" not in sentence


def test_guessing_is_shown_without_the_last_bits_of_the_computation():
    sentence = answer(curves="gdp:0@blue=")
    assert "at most 5 %" in sentence
    assert "to a posterior of at most 10 %" in sentence


def test_releases_compose_the_curve():
    assert "25.96 % (μ = 0.5, 4 ×)" in answer(curves="gdp:0.5*4@blue=")


@pytest.mark.parametrize(
    ("alpha", "sentence"),
    [
        ("0.07", "a false positive rate of 7 %,"),
        ("1/3", "a false positive rate of 33.33333 %,"),
        ("2e-5", "a false positive rate of 2e-\u20605,"),
        ("0.9999999999999999", "a false positive rate of 99.99999999999999 %,"),
    ],
)
def test_a_false_positive_rate_of_many_digits_is_shown_as_no_larger_one(alpha, sentence):
    assert sentence in answer(alpha=alpha)


@pytest.mark.parametrize("prior", ["1e-300", "0.5", "0.9999999999999999"])
def test_every_prior_has_an_answer(prior):
    assert "A positive test raises a prior of" in answer(prior=prior)


def test_points_show_what_was_reached_and_never_what_is_at_most_possible():
    link = {"curves": "points:0.05_0.93~0.5_0.43@blue="}
    sentence = answer(**link)
    assert "the tests of these points reach a true positive rate of 7 %" in sentence
    assert "to a posterior of 13.46 % (odds 1 to 6.429)" in sentence
    assert "another attack may reach more" in sentence
    assert "at most" not in sentence
    quoted = quotation(**link)
    assert "**Points imply at least ε = 0.3364 at δ = 1e-6**: no smaller value allows these error rates" in quoted
    assert "The smallest μ that allows these points is 0.1763" in quoted
    assert "higher than was reached" in quoted
    assert "satisfies" not in quoted
    assert "imply at least δ = " in quotation(**link, quote="epsilon", epsilon="0.1")
    assert "Points (reached)" in table(**link)
    assert "Points that an attack reached are rounded in the other direction" in rounding_text(result_at(**link).rows)
    assert (
        "Points reached a true positive rate of 7 %" in exhibits_by_name(result_at(**link), PAGE)["curves"].alternative
    )


def test_points_composed_are_what_an_attack_would_find():
    assert "would reach about" in answer(curves="points:0.05_0.93~0.5_0.43*3@blue=")


def test_the_readings_of_points_are_rounded_down_and_their_bayes_error_up():
    points, guarantee = "points:0.01_0.901~0.5_0.2", "approx:0.1,0.0123456"
    reached, guaranteed = (
        cells(name, curves=f"{points};{guarantee}") for name in ("Points (reached)", "(0.1, 0.0123456)-DP")
    )
    assert reached[2] == "2.292"  # ln((0.099 − 1e-6)/0.01) = 2.29252…
    assert reached[4] == "30 %"
    assert guaranteed[0] == "6.761 %"
    assert "rounded in the other direction" not in rounding_text(result_at(curves=guarantee).rows)


def test_the_table_reads_each_curve_to_the_safe_side():
    row = cells("μ = 1")
    assert row[:2] == ["25.96 %", "36.58 %, 1 to 1.733"] or row[:2] == ["25.96 %", "36.58 %, 1 to 1.734"]
    assert row[2:5] == ["4.887", "1", "38.3 %"]  # advantage erf(1/2√2) = 0.38292…
    assert cells("(1, 1e-6)-DP")[3] == "none"


def test_the_bayes_accuracy_and_the_bayes_error_are_named_apart_and_sum_to_one():
    link = {"curves": "gdp:1@blue=", "prior": "0.5"}
    accuracy, error = (float(cell.removesuffix(" %")) for cell in cells("μ = 1", **link)[5:7])
    assert accuracy + error == pytest.approx(100, abs=0.02)
    assert accuracy > 69.14
    assert "Bayes accuracy" in table(**link)
    assert "Bayes error" in table(**link)


def test_points_count_in_both_orders_of_the_data_sets():
    row = cells("Points (reached)", curves="points:0.05_0.8~0.3_0.3@blue=")
    assert row == cells("Points (reached)", curves="points:0.8_0.05~0.3_0.3@blue=")


@pytest.mark.parametrize("link", [{}, {"curves": DEFAULTS}, {"quote": "epsilon", "attack": "1_9_1_9"}])
def test_a_parameter_without_a_field_in_a_section_changes_nothing_there(link):
    pinned = {"epsilon": "0.3", "delta": "0.01", "alpha": "0.2", "prior": "0.4", "confidence": "0.9", "view": "log"}
    for section in RECORD.section_by_key.values():
        keys = {
            control.parameter.key if isinstance(control, Field) else control.key
            for control in section.controls(result_at(**link))
        }
        usual = pictures(section, result_at(**link))
        named = {"prior", "alpha"} if section.key == "risk" else {"prior"}  # the table of risks states them
        for key in pinned.keys() - keys - named:
            assert pictures(section, result_at(**link, **{key: pinned[key]})) == usual, (section.key, key)


def pictures(section, result):
    parts = [
        inner for part in section.parts(result, LIGHT) for inner in (part.parts if isinstance(part, Fold) else (part,))
    ]
    return [stage.pack({"part": part.picture if isinstance(part, Exhibit) else part}) for part in parts]


def test_an_attack_is_compared_with_the_chosen_curve():
    weak = text.outcome_text(result_at(attack="25_1000_760_1000"))
    assert "With 95 % confidence, this attack proves ε ≥ " in weak
    assert "The claim μ = 1 is not contradicted, which does not prove it;" in weak
    assert weak.startswith(" ".join(attack_answer_text(result_at(attack="25_1000_760_1000"))))
    assert "at most 25.96 %" in answer_text(result_at(attack="25_1000_760_1000"))[0]
    assert "**It does not prove privacy**" in text.NOT_PROVED
    assert not text.outcome_text(result_at())


def test_without_an_attack_the_section_answers_by_what_would_contradict_the_chosen_curve():
    first, second, pinned = attack_answer_text(result_at(alpha="0.1", pinned="alpha=0.2"))
    power = percent_up(float(norm.cdf(norm.ppf(0.1) + 1)))
    assert first == f"No attack is entered; at a false positive rate of 10 %, μ = 1 allows {power} true positives."
    assert second.startswith("An attack that proves more contradicts it: enter scores or counts below")
    assert pinned.startswith("Compared with the pin")
    reached = result_at(curves="!points:0.1_0.6~0.5_0.1@blue=")
    assert attack_answer_text(reached) == answer_text(reached)


@pytest.mark.parametrize("section", ["attack", "curves", "quote"])
def test_an_attack_that_contradicts_the_claim_is_the_headline(section: str):
    pinned = {} if section == "curves" else {"pinned": "alpha=0.1"}
    answer_of = attack_answer_text if section == "attack" else answer_text
    result = result_at(section=section, attack="3_1000_300_1000", **pinned)
    strong = answer_of(result)
    assert strong[0].startswith("**✗ The claim μ = 1 is contradicted** at its one bound")
    assert strong[0].endswith("with 95 % confidence.")
    assert strong[1].startswith("The attack proves ε ≥ ")
    assert "with that confidence, if the trials are independent runs" in strong[1]
    assert curve_text(result) == (
        "The contradicted claim: at a false positive rate of 5 %, the true positive rate is at most 25.96 % (μ = 1)."
    )
    assert [sentence.startswith("Compared with the pin") for sentence in strong[2:]] == [True] * len(pinned)
    assert "at most 25.96 %" in curve_text(result_at(section=section, attack="25_1000_760_1000"))
    reached = found_by(PAGE, section=section, curves="points:0.05_0.93~0.5_0.43", attack="3_1000_300_1000")
    assert answer_of(reached)[0].startswith("**✗ The assumption that no attack exceeds Points is contradicted**")
    assert "a true positive rate of 7 %" in curve_text(reached)


def test_a_verdict_on_an_attack_says_that_each_trial_is_a_run_and_a_coin_of_its_own():
    """A (0, 0.2)-DP mechanism that publishes all with probability 0.2 is refuted then, if one run is audited."""
    attack = audit.attack_from_counts([0], 1000, [0], 1000)
    guarantee = tradeoff.epsilon_delta_curve(0, 0.2)
    assert audit.is_contradicted(
        audit.band(None, attack, 0.95), guarantee.beta
    ).any()  # with probability 0.2, and not 0.05
    strong = text.outcome_text(result_at(section="attack", attack="0_1000_0_1000"))
    assert "is contradicted** at its one bound, with 95 % confidence." in strong
    assert "if the trials are independent runs, each with its own coin." in strong
    for sentence in (text.NO_ATTACK, text.NOT_PROVED):
        assert "a coin decide" in sentence
    assert "Steinke, Nasr & Jagielski 2023" in text.NO_ATTACK


@pytest.mark.parametrize("delta", ["1e-300", "0.5", "0.9999999999999999"])
def test_an_attack_proves_something_true_at_every_delta(delta):
    stated = text.outcome_text(result_at(attack="3_1000_300_1000", delta=delta))
    zero = f"but no ε above 0 at δ = {delta}"
    assert ("The attack proves ε ≥ " in stated) == (delta != "0.9999999999999999")
    assert "The attack proves " in stated
    assert (zero in stated) == (delta == "0.9999999999999999"), stated


@pytest.mark.parametrize("attack", ["50_100_50_100", "0_1_0_1", "1_100_99_100"])
def test_an_attack_no_better_than_guessing_proves_nothing(attack):
    first, second = attack_answer_text(result_at(attack=attack))
    assert first == "With 95 % confidence, this attack proves no ε or μ above 0: guessing may give the same results."
    assert second.startswith("The claim μ = 1 is not contradicted")


@pytest.mark.parametrize("curve", ["gdp:sqrt(3)", "sgm:1,0.01,100", "points:0.1_0.6~0.5_0.1", "laplace:0.1*20"])
def test_the_explanation_has_the_formula_with_the_numbers_of_the_curve(curve):
    result = found_by(PAGE, curves=curve)
    sentence = explanation_text(result)
    assert "$$" in sentence
    assert ("**Composition.**" in sentence) == ("sgm" in curve or "*" in curve)
    assert (r"\mu=1.732051" in sentence) == ("sqrt" in curve)


def test_a_name_guarantees_no_more_than_its_curve():
    assert found_by(PAGE, curves="approx:1/3,1/3;sigma:1/3,2/3").names == [
        "(0.3333334, 0.3333334)-DP",
        "Gaussian σ = 0.3333334, Δ = 0.6666666",
    ]


@pytest.mark.parametrize("curve", ["geometric:3,7", "truncated:1,0.01", "truncated_geometric:0.3,9,4"])
def test_the_success_of_an_attack_on_geometric_and_truncated_noise_is_proved(curve):
    proofs = list(panels.proof_lines(claims(result_at(curves=f"!{curve}@blue=", alpha="0.02")), verify))
    assert [line[0] for line in proofs] == ["✓", "✓"]


def test_the_success_of_an_attack_on_geometric_noise_is_enclosed():
    proofs = list(panels.proof_lines(claims(result_at(curves="!geometric:0,5@blue=", alpha="0.02")), verify))
    assert "lies in [0.0199, 0.0201], at most 0.02: not decided" in proofs[0]


def test_points_that_guarantee_nothing_are_not_among_the_contradicted_claims():
    curves = "gdp:3;points:0.01_0.95~0.05_0.8;pure:0.1"
    sentence = text.outcome_text(found_by(PAGE, curves=curves, attack="3_1000_300_1000"))
    assert "Of the other curves, Pure ε-DP (ε = 0.1) is contradicted." in sentence.replace("\\", "")
    assert "Points" not in sentence


def test_one_bound_is_one_and_a_delta_at_which_something_is_proved_is_no_larger():
    sentence = text.outcome_text(found_by(PAGE, curves="gdp:1", attack="0_1000000_0_1000000", delta="2/3"))
    assert "at its one bound, with" in sentence
    assert "at δ = 0.6666666 and" in sentence
    assert "imply at least ε = 0 at δ = 0.6666666**" in quotation(curves="points:0.05_0.8~0.5_0.2", delta="2/3")


def test_the_names_above_a_picture_are_few():
    curves = found_by(PAGE, curves="gdp:1;gdp:1@=%3Cb%3E;pure:0.5;laplace:1")
    assert text.subtitle_text(curves, "x") == "μ = 1, &lt;b&gt;, Pure ε-DP (ε = 0.5), 1 more; x"
