"""What the section Noise from risk says of its risks: their names, what they don't limit, why a limit is too low."""

import re
from math import exp
from urllib.parse import parse_qsl

import pytest

from pages.framework.export.exhibit import Exhibit
from pages.framework.layout.page import load_page
from pages.framework.parameters.number_format import format_up
from pages.shared.site_map import MEANING
from pages.tradeoff.noise_from_risk import section
from pages.tradeoff.noise_from_risk.parameters import RISK
from pages.tradeoff.noise_from_risk.text import implied_text, other_question_text, what_to_do_text
from tests.pages.conftest import LIGHT, found_by
from tests.pages.tradeoff.risk_answers import number_after, problems, result_at

KINDS = ("power", "advantage", "posterior", "success", "reconstruction")


@pytest.mark.parametrize("noise", ["gaussian", "laplace", "geometric", "dp_sgd", "releases"])
@pytest.mark.parametrize(
    ("kind", "link", "words", "why"),
    [
        (
            *("outcome", {"prior": "0.5"}, "a posterior above 50 % and below 100 %."),
            "The belief before the release is 50 % already.",
        ),
        (
            *("posterior", {"prior": "0.5"}, "a posterior above 50 % and below 95.23809 %."),
            "The belief before the release is 50 % already.",
        ),
        ("posterior", {"max_posterior": "0.99"}, "a posterior above 10 % and below 68.96551 %.", ""),
        (
            *("power", {"alpha": "0.3"}, "a TPR above 30 % and below 100 %."),
            "Whoever accuses 30 % at random finds 30 % of the members.",
        ),
        (
            *("success", {}, "a success above 90 % and below 100 %, or set the prior probability to 0.5."),
            "Saying “not in it” of everybody is already right for 90 %, without any release.",
        ),
        (
            *(
                "success",
                {"prior": "0.7"},
                "a success above 70 % and below 100 %, or set the prior probability to 0.5.",
            ),
            "Saying “in it” of everybody is already right for 70 %, without any release.",
        ),
        (
            *("success", {"prior": "0.5", "max_success": "0.4"}, "a success above 50 % and below 100 %."),
            "Saying “not in it” of everybody is already right for 50 %, without any release.",
        ),
        (
            *("reconstruction", {"baseline": "0.2"}, "a correct guess above 20 % and below 100 %."),
            "Guesses are right for 20 % without any release.",
        ),
    ],
)
def test_while_one_of_a_pair_of_numbers_is_typed_no_noise_is_stated(noise, kind, link, words, why):
    link = {"max_success": "0.6"} | link
    result = result_at(risk=kind, noise=noise, **link)
    assert section.answer_text(result) == tuple(filter(None, (f"No noise yet: enter {words}", why)))
    assert result.risk_noise is None
    assert section.statements(result) is None
    assert not any(isinstance(part, Exhibit) for part in section.SECTION.parts(result, LIGHT))
    assert next(iter(section.SECTION.parts(result, LIGHT))) is None  # its place beside the fields stays
    assert not any("What the limit means" in str(part) for part in section.SECTION.parts(result, LIGHT))
    (problem,) = problems(risk=kind, noise=noise, **link)
    assert problem.endswith(" was given.")


@pytest.mark.parametrize("noise", ["gaussian", "laplace", "geometric", "dp_sgd"])
@pytest.mark.parametrize(
    ("kind", "link", "blind"),
    [
        ("outcome", {"max_posterior": "0.2"}, 0.1),
        ("posterior", {}, 0.1),
        ("success", {"prior": "0.2", "max_success": "0.85"}, 0.8),
        ("success", {"prior": "0.5", "max_success": "0.6"}, 0.5),
        ("power", {}, 0.5),
        ("advantage", {}, 0.5),
    ],
)
def test_a_limit_on_membership_names_the_guesses_of_a_value_that_it_does_not_limit(noise, kind, link, blind):
    if kind == "outcome" and noise not in ("laplace", "geometric"):
        return
    result = result_at(risk=kind, noise=noise, **link)
    said = other_question_text(result.risk_noise)
    before, right = (float(share) for share in re.findall(r"right for (?:at most )?([\d.]+) (?:of 100|%)", said))
    power = float(result.risk_noise.curve.power(blind))
    assert before == pytest.approx(100 * blind)
    assert power * (1 - 1e-12) <= right / 100 <= power * 1.01
    worst = re.findall(r"worst outcome a value has a probability of at most ([\d.]+) %", said)
    assert len(worst) == (noise in ("laplace", "geometric"))
    for share in worst:
        stated = " ".join((*section.answer_text(result), implied_text(result.risk_noise)))
        odds = exp(2 * number_after("pure ε = ", stated))
        most = odds * blind / (odds * blind + 1 - blind)
        assert most * 0.999 <= float(share) / 100 <= most * 1.011
        (address,) = re.findall(r"\(\./What_epsilon_means\?([^)]*)\)", said)
        known = load_page(MEANING).answer_text(found_by("meaning", **dict(parse_qsl(address))))[0]
        assert f"a diagnosis becomes at most {share} %" in known
    statements = section.statements(result)
    assert statements is not None
    for text in (statements.paper, statements.experts):
        assert (
            "Not limited by this: guesses of a value of a person known to be in the data, not of who is in it. " in text
        )
        assert "an upper bound of the average" in text  # what can be said of who is in it is less
    assert "Guesses of a value are not limited." in statements.public
    assert len(statements.public.split()) <= 185 + 12 * (kind == "posterior")  # which names its test


def test_a_limit_on_guesses_of_a_value_leaves_none_to_name():
    assert other_question_text(result_at(risk="reconstruction").risk_noise) == ""


@pytest.mark.parametrize("noise", ["laplace", "geometric"])
@pytest.mark.parametrize("kind", KINDS)
def test_pure_noise_is_stated_by_one_pure_epsilon_and_no_delta(kind, noise):
    result = result_at(risk=kind, noise=noise, prior="0.5", max_success="0.6", max_posterior="0.6")
    loss = result.risk_noise.calibration.loss
    said = " ".join((*section.answer_text(result), implied_text(result.risk_noise), what_to_do_text(result.risk_noise)))
    stated = re.findall(r"(?<!pure )ε = [\d.]+ at δ", said)
    assert stated == []
    assert {format_up(loss)} == {*re.findall(r"pure ε = ([\d.]+\d)", said)}
    texts = section.statements(result)
    assert texts is not None
    assert f"ε = {format_up(loss)}, without a δ (pure differential privacy)" in texts.paper
    assert f"pure ε-DP with ε = {format_up(loss)} " in texts.experts
    assert "δ = " not in texts.paper + texts.experts


def test_the_risks_have_names_of_which_none_begins_like_another():
    names = [*RISK.options.values()]
    assert [*RISK.options] == ["outcome", "posterior", "power", "advantage", "success", "reconstruction"]  # in links
    assert all(len(name) <= 28 for name in names)  # in sight beside the picture
    assert len({name[-8:] for name in names}) == len(names)


def test_nothing_is_said_of_a_risk_that_no_noise_meets():
    assert section.statements(found_by("tradeoff", section="risk", noise="gaussian")) is None
