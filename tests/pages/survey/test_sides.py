"""A wanted error, and phones beside a trusted office: what each requires, and the answer of an office."""

import re

import numpy as np
import pytest

from dpcore import local, verify
from pages.framework.layout import panels
from pages.framework.layout.section import Field
from pages.framework.parameters.number_format import format_input_up
from pages.shared.looks import COLOURS
from pages.survey import page as survey_page
from pages.survey import text
from pages.survey.page import PAGE
from tests.pages.conftest import found_by, html_of, read_link
from tests.pages.survey.figure_checks import half_width, office
from tests.pages.survey.test_shares import LINKS, expect_up, number, stated_people, survey_of

LIGHT = COLOURS["light"]
OFFICES = (
    {"curator": "office"},
    {"curator": "office", "n_options": "2", "n_people": "300", "epsilon": "0.1", "significance": "0.01"},
    {"curator": "office", "known": "accuracy", "wanted_points": "3", "n_people": "400"},
)


@pytest.mark.parametrize("link", OFFICES)
def test_the_answer_of_an_office_its_proof_program_and_statement_have_its_own_noise(link):
    result, setting = survey_of(link)
    first, second = PAGE.answer_text(result)
    epsilon = result.setting.epsilon
    d, n, f, alpha = setting.n_options, setting.n_people, setting.option_share, setting.significance
    error = float(office(setting, epsilon))
    assert f"ε = {epsilon:.6g}" in first
    if setting.known == "accuracy":
        assert error <= setting.wanted_points < float(office(setting, 0.998 * epsilon))
    else:
        expect_up(number(re.findall(r"\*\*±([\d.,e-]+) percentage points\*\*", first)[0]), error)
    if setting.known == "accuracy":
        enough = number(re.findall(r"\*\*ε = ([\d.,e-]+)\*\* about a randomly sampled population", first)[0])
        expect_up(enough, float(local.curator_population_epsilon(setting.wanted_points / 100, d, n, f, alpha)))
    else:
        everybody = 100 * float(local.curator_population_half_width(epsilon, d, n, f, alpha))
        expect_up(number(re.findall(r"a randomly sampled population: ±([\d.,e-]*\d)[,)]", second)[0]), everybody)
    moved = 1 if d == 2 else 2
    expect_up(number(re.findall(r"By Laplace noise, b = ([\d.,]*\d),", second)[0]), moved / epsilon)
    if setting.known != "accuracy":
        needed, of_population = map(number, stated_people(text.people_text(result)))
        assert error * n / needed <= setting.wanted_points < error * n / (needed - 1) * (1 + 1e-9)
        assert of_population == float(
            local.curator_population_people(setting.wanted_points / 100, epsilon, d, f, alpha)
        )
    (line,) = panels.proof_lines(PAGE.claims_of(result), verify)
    assert line.startswith("✓")
    statements = PAGE.statements_of(result)
    assert statements is not None
    expect_up(number(re.findall(r"within ±([\d.,]+) percentage points", statements.paper)[0]), error)
    files = PAGE.open_section(result).downloads(result)
    assert files is not None
    assert "survey.py" not in [file.name for file in files.files]
    assert "phone" not in statements.public
    words = str([*survey_page.SECTION.parts(result, LIGHT)])
    assert "your phone may lie" not in words


@pytest.mark.parametrize(
    "link",
    [
        {},
        {"wanted_points": "5", "n_people": "2000", "n_options": "2"},
        {"method": "optimized_unary", "wanted_points": "0.3", "option_share": "0.2"},
        {"wanted_points": "0.02", "significance": "0.3", "n_people": "1000000", "method": "randomized_response"},
        {"wanted_points": "10", "n_people": "1000000000"},
    ],
)
def test_the_epsilon_for_a_wanted_error_is_enough_and_less_is_not(link):
    result, setting = survey_of({"known": "accuracy", **link})
    first, second = PAGE.answer_text(result)
    epsilon = number(re.findall(r"\*\*ε = ([\d.e-]+)\*\* is enough", first)[0])
    assert epsilon == result.setting.epsilon
    assert f"is enough for ±{setting.wanted_points:g} percentage point" in first
    method = result.method
    assert float(half_width(setting, epsilon, setting.n_options, method)) <= setting.wanted_points
    least = float(half_width(setting, 0.998 * epsilon, setting.n_options, method))
    assert epsilon == 0.001 or least > setting.wanted_points
    enough = re.findall(r"points? about those who answer, \*\*ε = ([\d.e-]+)\*\* about a randomly sampled", first)
    n, f = int(setting.n_people), setting.option_share
    known = setting.n_options, n, setting.method, f, setting.significance
    for stated in map(number, enough):
        assert 100 * float(local.half_width(stated, *known, sampling=True)) <= setting.wanted_points
        assert stated == 0.001 or 100 * float(local.half_width(0.998 * stated, *known, sampling=True)) > (
            setting.wanted_points
        )
    no_epsilon = np.isnan(local.epsilon_for_half_width(setting.wanted_points / 100, *known, sampling=True))
    assert enough == [] if no_epsilon else len(enough) == 1
    assert ("no ε about a randomly sampled population" in first) == no_epsilon
    of_office = number(re.findall(r"a trusted office: ε = ([\d.e-]*\d)", second)[0])
    assert float(office(setting, of_office)) <= setting.wanted_points
    assert "±" in PAGE.answer_text(found_by("survey", **link))[0]
    (own,) = (snippet for snippet in PAGE.snippets_of(result) if snippet.library == "dpcore")
    assert 0.998 * epsilon <= own.page_values[0] <= epsilon or epsilon == 0.001


@pytest.mark.parametrize(
    ("old", "points"),
    [("0.01", 1), ("0.05", 5), ("1e-6", 1e-4), ("5%", 5), ("1/8", 12.5), ("1", 100), (" 0.02 ", 2)],
)
def test_the_wanted_error_of_older_links_is_the_same_in_points(old, points):
    readings, problems = read_link("survey", wanted_error=old)
    assert problems == []
    assert readings["wanted_points"].value == pytest.approx(points, rel=1e-15)
    assert "wanted_error" not in readings
    assert found_by("survey", wanted_error=old).setting.wanted_error == pytest.approx(points / 100, rel=1e-15)
    assert read_link("survey", wanted_points=f"{points} %")[0]["wanted_points"].value == points


@pytest.mark.parametrize("link", [*LINKS, *OFFICES, {"known": "accuracy"}])
def test_phones_and_an_office_stand_side_by_side(link):
    result, setting = survey_of(link)
    html = html_of(survey_page.sides(result, LIGHT))
    rows = re.findall(r"<tr><th scope='row'>(.*?)</th><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td>", html)
    assert len(rows) == (4 if setting.known == "accuracy" else 7)
    table = {head: pair for head, *pair in rows}
    for place, side in enumerate(("phones", "office")):
        numbers = result.sides[side]
        if np.isnan(numbers.epsilon):
            continue
        known = setting.n_options, setting.n_people, setting.option_share, setting.significance
        exact = office(setting, numbers.epsilon)
        if side == "phones":
            exact = half_width(setting, numbers.epsilon, setting.n_options, setting.method)
        expect_up(number(table["± about those who answer, points"][place]), float(exact))
        expect_up(number(table["ε"][place]), numbers.epsilon)
        everybody = local.curator_population_half_width(numbers.epsilon, *known)
        if side == "phones":
            d, n, f, alpha = known
            everybody = local.half_width(numbers.epsilon, d, n, setting.method, f, alpha, sampling=True)
        expect_up(number(table["± about a population, of a random sample, points"][place]), 100 * float(everybody))
        enough = f"ε that is enough for ±{text.points(setting.wanted_points / 100)} about those who answer"
        if enough in table and table[enough][place] != "none":
            stated = number(table[enough][place])
            error = office(setting, stated)
            if side == "phones":
                error = half_width(setting, stated, setting.n_options, setting.method)
            assert float(error) <= setting.wanted_points * (1 + 1e-12)


@pytest.mark.parametrize("curator", ["unknown", "office"])
@pytest.mark.parametrize(
    "link", [{}, {"n_options": "2", "epsilon": "3", "wanted_points": "0.2", "significance": "0.01"}]
)
def test_as_many_people_as_are_stated_are_enough_for_the_wanted_error_and_one_less_are_not(link, curator):
    result, setting = survey_of({**link, "curator": curator, "known": "people", "n_people": "77"})
    first, second = PAGE.answer_text(result)
    n = number(re.findall(r"^\*\*([\d,]+) people\*\* are enough for ±", first)[0])
    assert n == result.setting.n_people
    d, f, alpha, wanted = setting.n_options, setting.option_share, setting.significance, setting.wanted_points / 100

    def error(people):
        if curator == "office":
            return float(local.curator_half_width(setting.epsilon, d, people, alpha))
        return float(local.half_width(setting.epsilon, d, people, setting.method, f, alpha))

    assert error(n) <= wanted * (1 + 1e-12) < error(n - 1) * (1 + 2e-12)
    everybody = float(local.curator_population_people(wanted, setting.epsilon, d, f, alpha))
    if curator != "office":
        everybody = float(local.least_people(wanted, setting.epsilon, d, setting.method, f, alpha, sampling=True))
    assert number(re.findall(r"\*\*([\d,]+)\*\* about a randomly sampled population", first)[0]) == everybody
    assert re.search(rf"\(ε = {format_input_up(setting.epsilon)}[,)]", second)
    by_link, _ = survey_of({**link, "curator": curator, "n_people": str(int(n))})
    assert by_link.answer_error == pytest.approx(result.answer_error, rel=1e-12)


def test_what_is_sought_has_no_field_and_what_it_follows_from_has_one():
    followed = {"epsilon": {"epsilon", "n_people"}, "people": {"epsilon", "wanted_points"}}
    followed |= {"accuracy": {"wanted_points", "n_people"}}
    for known, keys in followed.items():
        result, _ = survey_of({"known": known})
        fields = [(item.parameter if isinstance(item, Field) else item).key for item in survey_page.controls(result)]
        assert fields.index("known") + 1 == min(map(fields.index, keys - {"n_people"}))  # what is known stands after it
        assert keys <= set(fields)
        assert len(fields) == 6
        sought = {"epsilon", "n_people", "wanted_points"} - keys
        assert known == "epsilon" or not sought & set(fields)


def test_an_error_that_a_billion_people_do_not_reach_is_replaced_by_one_that_they_do():
    link = {"known": "people", "wanted_points": "0.001", "epsilon": "0.1"}
    readings, _ = read_link("survey", **link)
    sentence, used = readings["wanted_points"].problem, float(readings["wanted_points"].used)
    assert sentence.startswith(
        f"wanted ± must be at least {used:.4g} percentage points at this ε, with at most 1e9 people"
    )
    result, _ = survey_of(link)
    assert 0.99e9 < result.setting.n_people <= 1e9
