"""The posterior after any outcome and after one test, the cells of a table, and links of the older defaults."""

import re
from math import exp, log
from urllib.parse import parse_qsl, urlsplit

import pytest
from scipy.special import ndtr, ndtri

from dpcore import accuracy, gaussian, geometric, laplace, verify
from pages.framework import link as page_links
from pages.framework.export.exhibit import read_item
from pages.framework.export.report_items import rebuild, report_item
from pages.framework.layout import panels
from pages.framework.layout.page import load_page
from pages.shared.site_map import TABLES, TRADEOFF
from pages.tradeoff.noise_from_risk import section
from pages.tradeoff.noise_from_risk.section import links_text
from pages.tradeoff.noise_from_risk.text import implied_text, warning_text, what_to_do_text
from tests.pages.conftest import exhibits_by_name, expect_complete, found_by, read_link
from tests.pages.tradeoff.risk_answers import PAGE, answer, number_after, problems, result_at


def test_a_section_without_a_link_limits_every_outcome():
    readings, problems = read_link(PAGE, section="risk")
    assert problems == []
    assert (readings["risk"].value, readings["noise"].value) == ("outcome", "geometric")


def test_sixty_percent_after_any_outcome_is_epsilon_0_4054_whatever_the_alpha_of_the_entrance():
    link = {"section": "risk", "risk": "outcome", "noise": "geometric", "prior": "0.5", "max_posterior": "0.6"}
    for alpha in ("0.05", "0.01", "1e-6", "0"):
        assert answer(**link, alpha=alpha) == (
            "To limit the posterior after any outcome to 60 % (50 % before), add geometric noise with s = 2.467: pure "
            "ε = 0.4054.",
            "95 of 100 releases fall within ±7 of the truth.",
        )
        assert problems(**link, alpha=alpha) == []


def test_the_limit_at_one_false_positive_rate_is_named_as_such_with_what_rarer_tests_leave():
    link = {"risk": "posterior", "prior": "0.5", "max_posterior": "0.6"}
    for alpha, sigma in (("0.05", "4.871"), ("0.01", "6.4")):
        first, rare = answer(**link, alpha=alpha)
        assert f"after one test with {float(alpha):.0%}".replace("%", " %") in first
        assert number_after("σ = ", first) == pytest.approx(float(sigma), abs=0.05)
        stated = number_after("raises 50 % to ", rare) / 100
        exact = ndtr(1 / number_after("σ = ", first) + ndtri(1e-3))
        assert stated == pytest.approx(exact / (exact + 1e-3), rel=2e-3)
        assert "one that accuses 1 of 1,000 people outside the data" in rare
        assert rare.endswith("and nothing bounds every test.")
    assert "66.19 %" in answer(**link)[1]
    assert "1 of 1,000,000 people" in answer(**link | {"max_posterior": "0.9"}, alpha="1e-4")[1]
    rare = answer(**link | {"max_posterior": "0.9"}, alpha="1e-10")[1]
    assert rare == "⚠ For that test only: nothing bounds every test."
    laplace = answer(**link, noise="laplace", alpha="0.5")
    theta = 1 / number_after("b = ", laplace[0])
    assert number_after("no test raises it above ", laplace[1]) / 100 == pytest.approx(1 / (1 + exp(-theta)), rel=1e-3)
    assert answer(**link, noise="geometric")[1] == "With this noise no other test, however rare, raises 50 % further."


@pytest.mark.parametrize(
    ("link", "first", "second"),
    [
        ({"noise": "gaussian"}, "No amount of Gaussian noise limits", "Choose geometric or Laplace noise"),
        ({"noise": "dp_sgd"}, "No amount of DP-SGD noise limits", "Choose the posterior after one test"),
        ({"noise": "releases"}, "The list has Gaussian noise or DP-SGD", "Replace it by Laplace or geometric noise"),
    ],
)
def test_noise_whose_rare_outcomes_leave_no_doubt_is_refused_with_what_to_do(link, first, second):
    result = result_at(risk="outcome", **link)
    sentences = section.answer_text(result)
    assert sentences[0].startswith(first)
    assert sentences[1].startswith(second)
    assert result.risk_noise is None
    assert problems(risk="outcome", **link) == []
    assert list(section.SECTION.claims(result)) == []


def test_a_list_of_pure_releases_is_scaled_to_the_stated_epsilon():
    link = {"risk": "outcome", "noise": "releases", "releases": "!laplace:0.2*5=Weekly;pure:0.5=Survey"}
    result = result_at(**link, prior="0.5", max_posterior="0.6")
    (first,) = section.answer_text(result)
    assert first.endswith("multiply every scale by 3.701: pure ε = 0.4054.")
    assert 1.5 / number_after("by ", first) <= 0.4054
    for name in ("noise_curve", "noise_scale", "risks"):
        expect_complete(exhibits_by_name(result, PAGE)[name])


@pytest.mark.parametrize(("noise", "sensitivity"), [("gaussian", 2 * 3**0.5), ("laplace", 6.0), ("geometric", 6.0)])
def test_the_error_of_one_cell_and_of_all_cells_is_that_of_the_sensitivity_of_one_person(noise, sensitivity):
    link = {"noise": noise, "l2_sensitivity": "2", "per_person": "3", "cells": "60"}
    result = result_at(**link)
    assert result.risk_noise.setting.sensitivity == pytest.approx(sensitivity, rel=1e-14)
    scale = result_at(noise=noise, l2_sensitivity=repr(sensitivity)).risk_noise.calibration.scale
    assert result.risk_noise.calibration.scale == pytest.approx(scale, rel=1e-12)
    error = implied_text(result.risk_noise)
    stated = [number_after("within ±", error), number_after("and within ±", error)]
    family = {"gaussian": gaussian, "laplace": laplace, "geometric": geometric}[noise]
    for n_cells, half_width in zip((1, 60), stated, strict=True):
        level = float(accuracy.each_significance(0.05, n_cells))
        assert half_width == pytest.approx(float(family.half_width(level, scale)), rel=1e-3)
    assert "60 cells at once" in error
    assert "One person changes at most 3 of 60 cells, each by at most 2, Δ" in error
    assert "One person changes one of 60 cells" in implied_text(result_at(cells="60").risk_noise)


def test_the_links_of_a_table_have_its_cells_and_the_stated_epsilon():
    link = {"risk": "outcome", "noise": "geometric", "prior": "0.5", "max_posterior": "0.6", "per_person": "3"}
    texts = links_text(result_at(**link, cells="60", l2_sensitivity="2"))
    tables, accuracy_link, plan, composition = [
        dict(parse_qsl(address)) for address in re.findall(r"\(\./\w+\?([^)]*)\)", texts)
    ]
    assert tables["epsilon"] == accuracy_link["epsilon"] == plan["epsilon"] == "0.4054"
    assert (plan["direction"], plan["promise"]) == ("total", "pure")
    assert [tables[key] for key in ("per_person", "per_cell", "cells", "promise")] == ["3", "2", "60", "pure"]
    assert accuracy_link["l1_sensitivity"] == "6"
    assert composition["releases"] == "geometric:0.4054,6"
    sentence = load_page(TABLES).answer_text(found_by("tables", **tables))[0]
    assert "±104" in sentence or "±105" in sentence
    huge = links_text(result_at(**link | {"noise": "laplace"}, l2_sensitivity="1e10", cells="60"))
    assert "Tables" not in huge  # whose most per cell is 1e9


@pytest.mark.parametrize(
    ("contribution", "numbers", "is_carried"),
    [("once", {}, True), ("limited", {"per_person": "3"}, True), ("limited", {}, False)],
)
def test_answered_conditions_go_with_the_links_to_the_pages_that_have_them(contribution, numbers, is_carried):
    answered = {"contribution": contribution, "fixed": "yes", "curator": "office", "others": "none"}
    texts = links_text(result_at(risk="outcome", noise="geometric", cells="23", **answered, **numbers))
    table, number, plan, _ = [dict(parse_qsl(address)) for address in re.findall(r"\(\./\w+\?([^)]*)\)", texts)]
    expected = {"curator": "office", "others": "none"}
    assert {key: plan[key] for key in answered.keys() & plan} == expected
    expected |= {"contribution": contribution} if is_carried else {}
    assert {key: number[key] for key in answered.keys() & number} == expected
    assert {key: table[key] for key in answered.keys() & table} == expected | {"fixed": "yes"}
    conditions = load_page(TABLES).conditions_of(found_by("tables", **table))
    assert conditions is not None
    assert conditions.lead == ("You confirmed:" if is_carried else "Holds only if")


def test_conditions_that_nobody_answered_are_not_in_the_links():
    texts = links_text(result_at(risk="outcome", noise="geometric"))
    assert not re.search("contribution=|fixed=|curator=|others=", texts)


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        (
            {"per_person": "5", "cells": "2"},
            "m, the number of cells, must be at least k, the cells of one person, 5; 2 was given. 5 is used instead.",
        ),
        (
            {"noise": "geometric", "l2_sensitivity": "6000", "per_person": "2", "cells": "2"},
            "noise must not be geometric where one person changes the numbers by more than 10,000 together; "
            "geometric was given. laplace is used instead.",
        ),
        (
            {"noise": "laplace", "l2_sensitivity": "1e-50", "per_person": "2", "cells": "2"},
            "ℓ₂ sensitivity must be from 1e-15 to 1e15 for several cells; 1e-50 was given. 1e-15 is used instead.",
        ),
        (
            {"risk": "outcome", "noise": "laplace", "prior": "0.5", "max_posterior": "0.4"},
            "posterior must be above 0.5, the prior before the release, and below 1, which no attack "
            "exceeds; 0.4 was given.",
        ),
    ],
)
def test_cells_and_limits_that_cannot_be_used_are_replaced_to_the_safe_side_in_one_sentence(link, sentence):
    assert problems(**link) == [sentence]
    assert ("noise with" in answer(**link)[0]) == sentence.endswith(" used instead.")


@pytest.mark.parametrize(
    ("prior", "limit", "epsilon"),
    [("0.01", "0.02", "0.7032"), ("0.01", "0.0101", "0.01005"), ("1e-6", "0.001", "6.908")],
)
def test_a_small_prior_has_the_epsilon_of_the_ratio_of_members_to_others(prior, limit, epsilon):
    first = answer(risk="outcome", noise="geometric", prior=prior, max_posterior=limit)[0]
    assert first.endswith(f"pure ε = {epsilon}.")
    ratio = float(limit) * (1 - float(prior)) / (float(prior) * (1 - float(limit)))
    assert float(epsilon) <= log(ratio) < float(epsilon) * 1.001


def test_a_citation_and_a_report_item_that_leave_the_risk_out_open_the_one_of_their_time():
    """The default was the members identified under Gaussian noise: such links always contain the risk since."""
    parameters = load_page(TRADEOFF).all_parameters
    citation = {"section": ["risk"], "alpha": ["0.01"], "version": ["0.1.0"]}
    texts, problems = page_links.parse_link(
        page_links.with_demo_defaults(citation, TRADEOFF.path, parameters), parameters
    )
    assert problems == []
    assert (texts["risk"], texts["noise"]) == ("power", "gaussian")
    item = rebuild(read_item("Trade-off_curves/answer?section=risk&alpha=0.01"))
    assert item.answer[0].startswith("To limit membership attacks on this release at 1 % false positives")
    readings, _ = read_link(PAGE, section="risk")
    short = dict(parse_qsl(urlsplit(page_links.short_address(TRADEOFF.path, parameters, readings)).query))
    assert (short["risk"], short["noise"]) == ("outcome", "geometric")
    used = {key: reading.used for key, reading in readings.items()}
    first, *others = rebuild(report_item(TRADEOFF, "answer", parameters, used)).answer
    conditions = ", if each person counts once and the categories were fixed in advance."
    assert (first.replace(conditions, "."), *others) == answer(**used)


def test_an_epsilon_above_ten_is_warned_of_for_every_outcome():
    result = result_at(risk="outcome", noise="laplace", prior="0.5", max_posterior="0.99999")
    assert section.answer_text(result)[1].startswith("⚠ This limit leaves hardly any doubt; 95 of 100 releases fall")
    assert warning_text(result.risk_noise).startswith("**⚠ ε is above 10.** Choose a lower limit")
    assert what_to_do_text(result.risk_noise).endswith("state the limit beside the pure ε.")
    (proof,) = panels.proof_lines(section.SECTION.claims(result), verify)
    assert proof.startswith("✓")


@pytest.mark.parametrize(
    ("link", "first"),
    [
        (
            {"prior": "50 %", "max_posterior": "60%"},
            "60 % (50 % before), add geometric noise with s = 2.467: pure ε = 0.4054.",
        ),
        (
            {"prior": "0,5", "max_posterior": "60,0 %"},
            "60 % (50 % before), add geometric noise with s = 2.467: pure ε = 0.4054.",
        ),
        (
            {"prior": "1/10000", "max_posterior": "1/1000"},
            "0.1 % (0.01 % before), add geometric noise with s = 0.4343: pure ε = 2.303.",
        ),
        (
            {"prior": "95 %", "max_posterior": "96 %"},
            "96 % (95 % before), add geometric noise with s = 4.281: pure ε = 0.2336.",
        ),
        (
            {"prior": "0.5", "max_posterior": "0.6", "l2_sensitivity": "4", "per_person": "12", "cells": "300"},
            "60 % (50 % before), add geometric noise with s = 118.5: pure ε = 0.4054.",
        ),
        (
            {"prior": "0.5", "max_posterior": "0.6", "l2_sensitivity": "50000"},
            "60 % (50 % before), add Laplace noise with b = 123,400: pure ε = 0.4054.",
        ),
    ],
)
def test_probabilities_as_people_type_them_have_the_epsilon_of_their_ratio(link, first):
    stated = answer(risk="outcome", noise="geometric", **link)[0]
    assert stated == f"To limit the posterior after any outcome to {first}"


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        (
            {"prior": "50"},
            "prior probability must be from 1e-300 to below 1; 50 was given: write 50 % if that is meant. 0.1 is used "
            "instead.",
        ),
        (
            {"prior": "150 %"},
            "prior probability must be from 1e-300 to below 1; 150 % was given. 0.1 is used instead.",
        ),
        (
            {"max_posterior": "100 %"},
            "posterior must be above 0 and below 1; 100 % was given. 0.2 is used instead.",
        ),
        (
            {"cells": "50 %"},
            "m must be a whole number from 1 to 1e6; 50 % was given, which is not a number. 1 is used instead.",
        ),
        (
            {"per_person": "1.5"},
            "k must be a whole number from 1 to 1e6; 1.5 was given. 1 is used instead.",
        ),
    ],
)
def test_what_is_no_probability_or_no_number_of_cells_gets_one_sentence(link, sentence):
    assert read_link(PAGE, section="risk", **link)[1] == [sentence]


def test_the_statements_tell_every_outcome_from_the_average_and_what_is_not_limited():
    result = result_at(risk="outcome", noise="geometric", prior="0.5", max_posterior="0.6")
    statements = section.statements(result)
    assert statements is not None
    known = "the data contain 50 of 100 people like a certain person before the release. Whatever the release shows, "
    assert f"{known}it is at most 60 of 100 people after it. Guesses of a value are not limited." in statements.public
    for text in (statements.paper, statements.experts):
        assert f"{known}and not only on average, it is at most 60 of 100 people after it." in text
        right = number_after("Those that are right for 50 of 100 .* are right for at most ", text)
        assert right == pytest.approx(200 / 3, rel=1e-2)
        assert not re.search(r"\byou\b", text)


def note_of(**link):
    conditions = section.conditions(result_at(**link))
    return None if conditions is None else conditions.note


def test_a_limit_that_nobody_has_typed_is_asked_for_by_its_fields():
    link = {"risk": "outcome", "noise": "geometric", "contribution": "limited", "cells": "3"}
    assert note_of(**link) == "Enter the limit in the fields k and Δ."
    assert note_of(**link, per_person="2") == ""


def test_no_line_of_a_scaled_list_has_less_noise_than_the_risk_needs():
    releases = "!discrete:2.5,1*3=A;gaussian:4=B;laplace:1=C"
    noise = result_at(noise="releases", risk="advantage", max_advantage="0.1", releases=releases).risk_noise
    needed = noise.setting.scaled(noise.calibration.scale)
    for item, release in zip(noise.scaled_items, needed, strict=True):
        shown, exact = item.release.numbers[0], release.numbers[0]
        assert (shown <= exact) if release.has_epsilon else (shown >= exact), item
